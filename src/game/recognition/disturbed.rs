//! A legal move among squares that no move explains: pieces nudged, knocked over or exchanged beside it (7.4.1).
use crate::placement::{Image, Squares, bit};
use crate::recognition::order::{around, came_down};
use crate::recognition::step::{Ground, Step};
use alloc::vec::Vec;
use flagfall_events::Mono;

/// The one legal move that shows in full, its piece seen to come down in this time, whatever other squares read.
///
/// Of several the one that explains most squares: castling, and not its rook alone. A piece on a square beside another one's way was nudged by
/// the hand that moved the other one. `None`: none, or nothing tells which.
pub(crate) fn find<'a>(ground: &'a Ground, image: &Image, after: Mono, until: Mono) -> Option<&'a Step> {
    let sensed = image.as_read();
    let wrong = ground.placement.diff(sensed);
    let explained = |step: &Step| (step.touched & wrong).count_ones();
    let shows = |step: &&Step| {
        step.touched & wrong != 0
            && step.after().all(|(square, piece)| sensed.0[square] == piece)
            && came_down(step, image).is_some_and(|at| at > after && at <= until)
    };
    let shown: Vec<&Step> = ground.steps.iter().filter(shows).collect();
    let most = shown.iter().map(|step| explained(step)).max()?;
    let equal: Vec<&Step> = shown.into_iter().filter(|step| explained(step) == most).collect();
    let mut moved = equal.iter().copied().filter(|step| !equal.iter().any(|other| other.mv != step.mv && is_nudged_by(step, other)));
    let only = moved.next()?;
    moved.next().is_none().then_some(only)
}

/// Whether this piece may have been pushed to the next square by the hand that made the other move.
fn is_nudged_by(step: &Step, other: &Step) -> bool {
    let next: Squares = around(step.from());
    let near = |square: usize| (around(square) | bit(square)) & (other.touched | other.crosses()) != 0;
    !step.mv.is_castle()
        && !step.mv.is_capture()
        && !step.mv.is_promotion()
        && next & bit(step.to()) != 0
        && (near(step.from()) || near(step.to()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::{Placement, each};
    use crate::recognition::step::uci;
    use flagfall_hands::position::Position;
    use shakmaty::fen::Fen;

    fn position(fen: &str) -> Position {
        Position::of_setup(fen.parse::<Fen>().unwrap().into_setup())
    }

    /// Every square that differs changed at once.
    fn found(before: &str, after: &str) -> Option<String> {
        let ground = Ground::new(position(before), false);
        let now = Placement::of(position(&format!("{after} w - - 0 1")).board());
        let mut image = Image::new(ground.placement);
        for square in each(ground.placement.diff(&now)) {
            image.update(Mono::from_millis(100), square, now.0[square]);
        }
        find(&ground, &image, Mono::ZERO, Mono::from_millis(200)).map(|step| uci(step.mv, false))
    }

    #[test]
    fn the_move_is_told_from_what_its_hand_disturbed() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (after, mv) in [
            ("rnbqkbnr/pppppppp/8/8/8/5N1P/PPPPPPP1/RNBQKB1R", Some("g1f3")),
            ("rnbqkbnr/pppppppp/8/8/8/5NP1/PPPPPPP1/RNBQKB1R", Some("g1f3")),
            ("rnbqkbnr/pppppp1p/8/8/4P3/8/PPPP1PPP/RNBQKBNR", Some("e2e4")),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBKQBNR", Some("e2e4")),
            // Two pawns one square each: nothing tells which was moved.
            ("rnbqkbnr/pppppppp/8/8/8/3PP3/PPP2PPP/RNBQKBNR", None),
            // Two moves far from one another.
            ("rnbqkbnr/pppppppp/8/8/8/N4N2/PPPPPPPP/R1BQKB1R", None),
            // Nothing but exchanged pieces.
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR", None),
        ] {
            assert_eq!(found(start, after).as_deref(), mv, "{after}");
        }
        // A king beside its rook may have been nudged as well as the rook.
        assert_eq!(found("5rk1/8/8/8/8/8/8/4K3 b - - 0 1", "4r2k/8/8/8/8/8/8/4K3"), None);
        let castles = "4k3/8/8/8/8/8/P7/4K2R w K - 0 1";
        assert_eq!(found(castles, "4k3/8/8/8/8/P7/8/5RK1").as_deref(), Some("e1g1"));
    }
}
