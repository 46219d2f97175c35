//! The board's own move memory: what stood on the board meanwhile, entry by entry, and where legal play leads along it.
use crate::placement::Placement;
use crate::recogniser::play::Play;
use crate::recognition::step::Step;
use crate::recognition::walk::Walk;
use crate::watcher::Watcher;
use crate::watcher::orientation::Turn;
use alloc::vec;
use alloc::vec::Vec;
use dgt_protocol::memory::{Entries, Entry};
use dgt_protocol::square::{PieceCode, WirePlacement, WireSquare};
use flagfall_events::{BoardKind, Mono};
use shakmaty::Board;

/// Plies from the certain position that were found.
pub(crate) struct Found {
    pub(crate) line: Vec<Step>,
    /// The board's move memory told.
    pub(crate) logged: bool,
    /// A bit set for each ply that may have been another one.
    pub(crate) open: u64,
}

/// Moments of the log at which the known position stood, the last ones first, that a walk is tried from.
const BEGINNINGS: usize = 2;
/// Squares by which a picture differs from a position at most while a move is made.
const NEARLY: u32 = 3;

/// What became of asking for the memory; at most once a gap, since the line is busy for eight seconds.
#[derive(Clone, Debug, Default)]
pub(crate) enum Memory {
    /// Not asked for.
    #[default]
    Unasked,
    /// It is due.
    Asked,
    /// It came then; what the board says goes on where the log ended.
    Read(Mono, Vec<Walk>),
    /// It told what it could.
    Spent,
}

/// Walks along what a log says, on a board of this kind.
pub(crate) fn read(log: &[u8], kind: BoardKind, play: &Play, watcher: &Watcher) -> Vec<Walk> {
    let pictures: Vec<Placement> = pictures(log, kind == BoardKind::Occupancy).iter().map(|wire| watcher.turn.placement(wire)).collect();
    walks(play, &pictures, watcher.image.placement())
}

/// Walks through the log from the last positions that are known, to what stands now. Only the first that arrives, if one does.
fn walks(play: &Play, pictures: &[Placement], now: &Placement) -> Vec<Walk> {
    let mut walks = Vec::new();
    // Where both hands were over the board, the position itself was never seen, only pictures that are nearly it.
    for apart in [0, NEARLY] {
        for ground in play.grounds().iter().rev() {
            let near = |picture: &Placement| picture.diff(&ground.placement).count_ones() <= apart;
            let begins = |&i: &usize| near(&pictures[i]) && !pictures.get(i + 1).is_some_and(near);
            for begin in (0..pictures.len()).rev().filter(begins).take(BEGINNINGS) {
                let mut walk = Walk::new(ground.clone(), play.occupancy());
                pictures[begin..].iter().for_each(|picture| walk.see(picture));
                walk.see(now);
                if walk.arrived().is_some() {
                    return vec![walk];
                }
                walks.push(walk);
            }
        }
    }
    walks
}

/// What stood on the board after each entry from the first anchor on, in the board's own numbering. Before it, where the ring wrapped, nothing
/// is certain.
fn pictures(log: &[u8], blind: bool) -> Vec<WirePlacement> {
    let mut pictures = Vec::new();
    let mut board: Option<WirePlacement> = None;
    for entry in Entries::new(log) {
        match entry {
            // An entry for every piece on the board follows.
            Entry::PowerUp | Entry::StartTag | Entry::EmptyBoard => board = Some([PieceCode::Empty; 64]),
            Entry::BeginPosition => board = Some(start(Turn::None, blind)),
            Entry::BeginPositionTurned => board = Some(start(Turn::Half, blind)),
            Entry::Piece { square, piece, .. } => {
                if let Some(board) = &mut board {
                    board[usize::from(square.index())] = piece;
                }
            }
            _ => continue,
        }
        pictures.extend(board);
    }
    pictures
}

/// The start position on a board that stands so.
fn start(turn: Turn, blind: bool) -> WirePlacement {
    let placement = Placement::of(&Board::new());
    let placement = if blind { placement.occupancy() } else { placement };
    let mut wire = [PieceCode::Empty; 64];
    for square in (0..64).filter_map(WireSquare::new) {
        wire[usize::from(square.index())] = placement.0[turn.square(square)];
    }
    wire
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
