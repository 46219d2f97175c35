//! Both kings in the centre show the result (5.1.2, 5.2.3): light squares 1-0, dark squares 0-1, one of each a draw.
use crate::placement::{Placement, Squares, bit};
use alloc::vec;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::GameResult;

const E4: usize = 28;
const D5: usize = 35;
const D4: usize = 27;
const E5: usize = 36;
const E_FILE: usize = 4;
/// Pictures from before the kings were put there that are looked at most.
const MOST: usize = 32;
const LIGHT: Squares = bit(E4) | bit(D5);
const DARK: Squares = bit(D4) | bit(E5);

/// The reason of a result that the kings showed.
pub(crate) const REASON: &str = "kings in the centre";

/// The article of a result that the kings showed.
pub(crate) fn article(result: GameResult) -> &'static str {
    if result == GameResult::Draw { "5.2.3" } else { "5.1.2" }
}

/// Squares that may differ besides the kings': pieces that stood in their way, or that are already being put back.
const OTHERS_AT_MOST: u32 = 6;

/// Both kings on centre squares, White's first. Where play brought them there, it was a move.
fn centred(sensed: &Placement, expected: &Placement) -> Option<(usize, usize)> {
    let (white, black) = (sensed.find(PieceCode::WhiteKing)?, sensed.find(PieceCode::BlackKing)?);
    let played = expected.0[white] == PieceCode::WhiteKing && expected.0[black] == PieceCode::BlackKing;
    (is_centre(white) && is_centre(black) && !played).then_some((white, black))
}

/// Both kings on centre squares, wherever play brought them.
pub(crate) fn are_centred(sensed: &Placement) -> bool {
    [PieceCode::WhiteKing, PieceCode::BlackKing].into_iter().all(|king| sensed.find(king).is_some_and(is_centre))
}

/// What may have stood before the kings were put in the centre: each where it was known to stand, or castled since then. What was in their way is
/// there again; `moved`: that may be a piece which is missing on its own square, or nothing.
pub(crate) fn taken_back(sensed: &Placement, expected: &Placement, moved: bool) -> Vec<Placement> {
    let Some((white, black)) = centred(sensed, expected) else { return Vec::new() };
    let mut before = vec![*sensed];
    for (centre, king) in [(white, PieceCode::WhiteKing), (black, PieceCode::BlackKing)] {
        let Some(known) = expected.find(king) else { return Vec::new() };
        let homes = castled(sensed, king, known).chain([known]);
        let homes: Vec<usize> = homes.filter(|&home| home == centre || sensed.0[home] == PieceCode::Empty).collect();
        let own = if expected.0[centre] == king { PieceCode::Empty } else { expected.0[centre] };
        let mut pieces = vec![own];
        if moved {
            let missing = (0..64).filter(|&s| s != centre && sensed.0[s] != expected.0[s]).map(|s| expected.0[s]);
            let missing = missing.filter(|piece| !matches!(piece, PieceCode::WhiteKing | PieceCode::BlackKing));
            pieces.extend(missing.chain([PieceCode::Empty]).filter(|piece| *piece != own));
            pieces.sort_unstable_by_key(|piece| (*piece != own, piece.to_byte()));
            pieces.dedup();
        }
        before = each_with(&before, centre, king, &homes, &pieces);
    }
    before
}

/// Each of these with the king on each of these squares, and each of these pieces where it stands now.
fn each_with(before: &[Placement], centre: usize, king: PieceCode, homes: &[usize], pieces: &[PieceCode]) -> Vec<Placement> {
    let ways = pieces.iter().flat_map(|piece| homes.iter().map(move |home| (*piece, *home)));
    let ways = ways.flat_map(|way| before.iter().map(move |placement| (placement, way)));
    let put = |(placement, (piece, home)): (&Placement, (PieceCode, usize))| {
        let mut put = *placement;
        put.0[centre] = piece;
        put.0[home] = king;
        put
    };
    ways.take(MOST).map(put).collect()
}

/// Where the king stood if it castled from here: the rook stands beside that square.
fn castled(sensed: &Placement, king: PieceCode, known: usize) -> impl Iterator<Item = usize> {
    let rook = if king == PieceCode::WhiteKing { PieceCode::WhiteRook } else { PieceCode::BlackRook };
    let row = known & !7;
    let stood = known % 8 == E_FILE && (row == 0 || row == 56);
    [(6, 5), (2, 3)]
        .into_iter()
        .map(move |(to, beside)| (row + to, row + beside))
        .filter(move |(_, beside)| stood && sensed.0[*beside] == rook)
        .map(|(to, _)| to)
}

/// The result that the kings show, if they do. Kings on two centre squares stand side by side, which no legal play gives.
pub(crate) fn shown(sensed: &Placement, expected: &Placement) -> Option<GameResult> {
    let (white, black) = centred(sensed, expected)?;
    let (white, black) = (bit(white), bit(black));
    let homes = expected.find(PieceCode::WhiteKing).map_or(0, bit) | expected.find(PieceCode::BlackKing).map_or(0, bit);
    if (sensed.diff(expected) & !(white | black | homes)).count_ones() > OTHERS_AT_MOST {
        return None;
    }
    Some(match ((white & LIGHT != 0), (black & LIGHT != 0)) {
        (true, true) => GameResult::WhiteWins,
        (false, false) => GameResult::BlackWins,
        _ => GameResult::Draw,
    })
}

/// Whether the kings are being taken to the centre, or the pieces put away after it: one king stands there and the other is lifted, or both are.
pub(crate) fn on_the_way(sensed: &Placement, expected: &Placement) -> bool {
    let gone = |king: PieceCode| sensed.find(king).is_none();
    let centred = |king: PieceCode| sensed.find(king).is_some_and(|square| is_centre(square) && expected.find(king) != Some(square));
    let (white, black) = (PieceCode::WhiteKing, PieceCode::BlackKing);
    (gone(white) && gone(black)) || (gone(white) && centred(black)) || (centred(white) && gone(black)) || (centred(white) && centred(black))
}

/// Whether a king move made to this square was a part of the gesture.
pub(crate) const fn is_centre(square: usize) -> bool {
    bit(square) & (LIGHT | DARK) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Board, fen::Fen};

    fn placement(fen: &str) -> Placement {
        let board: Board = format!("{fen} w - - 0 1").parse::<Fen>().unwrap().as_setup().board.clone();
        Placement::of(&board)
    }

    #[test]
    fn the_squares_tell_the_result() {
        let game = placement("6k1/5ppp/8/8/8/8/5PPP/6K1");
        for (fen, result) in [
            ("8/5ppp/8/3k4/4K3/8/5PPP/8", Some(GameResult::WhiteWins)),
            ("8/5ppp/8/4k3/3K4/8/5PPP/8", Some(GameResult::BlackWins)),
            ("8/5ppp/8/3Kk3/8/8/5PPP/8", Some(GameResult::Draw)),
            ("6k1/5ppp/8/8/4K3/8/5PPP/8", None),
            ("8/5ppp/5k2/8/4K3/8/5PPP/8", None),
        ] {
            assert_eq!(shown(&placement(fen), &game), result, "{fen}");
        }
    }

    #[test]
    fn kings_among_pieces_that_stand_elsewhere_show_nothing() {
        let game = placement("r1bq1rk1/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQ1RK1");
        assert_eq!(shown(&placement("8/8/8/3k4/4K3/8/8/8"), &game), None);
    }
}
