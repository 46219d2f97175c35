//! What simple drivers make of the same stream: the placement must be that of a legal successor, and must have stood for a while.
//!
//! Also, as most of them do, a move is replaced by a sibling when its piece went on. Written for the benchmark only.
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};
use dgt_protocol::square::PieceCode;
use flagfall_simulator::games::PgnGame;
use shakmaty::{Chess, Move, Position as _, Role};

/// When a simple driver believes a placement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Method {
    /// Nothing has changed for this many milliseconds.
    Settled(u64),
    /// Two readings of the whole board, one scan of this many milliseconds apart, are equal.
    TwoEqual(u64),
}

/// The three of the table.
pub(crate) const METHODS: [(&str, Method); 3] =
    [("settled 250 ms", Method::Settled(250)), ("settled 500 ms", Method::Settled(500)), ("two equal readings", Method::TwoEqual(250))];

/// The squares (a1 first) from this millisecond on.
pub(crate) struct Picture {
    from: u64,
    squares: [PieceCode; 64],
}

/// A move as it was published.
pub(crate) struct Published {
    pub(crate) t: u64,
    /// From 0.
    pub(crate) index: usize,
    pub(crate) uci: String,
}

/// All pictures that a board showed, in order.
pub(crate) fn pictures<'a>(heard: impl Iterator<Item = (u64, &'a [u8])>) -> Vec<Picture> {
    let mut receiver = Receiver::new(Single::Dgt);
    let (mut squares, mut known) = ([PieceCode::Empty; 64], false);
    let mut pictures: Vec<Picture> = Vec::new();
    let square = |wire: usize| (7 - wire / 8) * 8 + wire % 8;
    for (t, bytes) in heard {
        let before = squares;
        for message in receiver.feed(t, bytes).flatten() {
            match message {
                Message::BoardDump(dump) => {
                    dump.iter().enumerate().for_each(|(wire, piece)| squares[square(wire)] = *piece);
                    known = true;
                }
                Message::FieldUpdate { square: wire, piece } => squares[square(usize::from(wire.index()))] = piece,
                _ => {}
            }
        }
        if known && (squares != before || pictures.is_empty()) {
            pictures.push(Picture { from: t, squares });
        }
    }
    pictures
}

/// What the driver publishes, and the moves as it has them at the end.
pub(crate) fn follow(method: Method, game: &PgnGame, occupancy: bool, pictures: &[Picture]) -> (Vec<Published>, Vec<String>) {
    let (mut published, mut moves) = (Vec::new(), Vec::new());
    let (mut current, mut before) = (game.start.clone(), None::<Chess>);
    for (i, picture) in pictures.iter().enumerate() {
        let until = pictures.get(i + 1).map_or(u64::MAX, |next| next.from);
        let believed = match method {
            Method::Settled(ms) => picture.from + ms,
            Method::TwoEqual(scan) => (picture.from.div_ceil(scan) + 1) * scan,
        };
        if believed >= until || shows(&current, picture, occupancy) {
            continue;
        }
        // A sibling of the last move takes its place.
        let (parent, mv, index) = match (successor(&current, picture, occupancy), &before) {
            (Some(mv), _) => (current.clone(), mv, moves.len()),
            (None, Some(parent)) => match successor(parent, picture, occupancy) {
                Some(mv) => (parent.clone(), mv, moves.len() - 1),
                None => continue,
            },
            (None, None) => continue,
        };
        let uci = mv.to_uci(game.mode).to_string();
        moves.truncate(index);
        moves.push(uci.clone());
        published.push(Published { t: believed, index, uci });
        current = parent.clone();
        current.play_unchecked(mv);
        before = Some(parent);
    }
    (published, moves)
}

fn shows(position: &Chess, picture: &Picture, occupancy: bool) -> bool {
    let board = position.board();
    shakmaty::Square::ALL.into_iter().all(|square| {
        let sensed = picture.squares[square.to_usize()];
        match board.piece_at(square) {
            None => sensed == PieceCode::Empty,
            Some(_) if occupancy => sensed != PieceCode::Empty,
            Some(piece) => sensed.fen_char() == Some(piece.char()),
        }
    })
}

/// The first legal move that leads to the picture; a queen where nothing tells.
fn successor(position: &Chess, picture: &Picture, occupancy: bool) -> Option<Move> {
    let mut legal = position.legal_moves();
    legal.sort_by_key(|m| m.promotion().is_some_and(|role| role != Role::Queen));
    legal.into_iter().find(|m| {
        let mut next = position.clone();
        next.play_unchecked(*m);
        shows(&next, picture, occupancy)
    })
}
