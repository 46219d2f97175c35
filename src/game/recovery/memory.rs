//! The board's own move memory: what stood on the board meanwhile, entry by entry, and where legal play leads along it.
use crate::clock::Side;
use crate::placement::Placement;
use crate::recogniser::play::Play;
use crate::recogniser::relived::Said;
use crate::recognition::walk::Walk;
use crate::recovery::logged::{Logged, NEARLY, thinks_ms};
use crate::settings::Settings;
use crate::watcher::Watcher;
use crate::watcher::orientation::Turn;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use dgt_protocol::clock::Side as WireSide;
use dgt_protocol::memory::{Entries, Entry};
use dgt_protocol::square::{PieceCode, WirePlacement, WireSquare};
use flagfall_events::{BoardKind, Mono};
use flagfall_hands::price::Nats;
use shakmaty::Board;

/// Moments of the log at which the known position stood, the last ones first, that a walk is tried from.
const BEGINNINGS: usize = 2;

/// What became of asking for the memory; at most once a gap, since the line is busy for eight seconds.
#[derive(Clone, Debug, Default)]
pub(crate) enum Memory {
    /// Not asked for.
    #[default]
    Unasked,
    /// It is due.
    Asked,
    /// It came then; what the board says goes on where the log ended.
    Read(Mono, Box<Read>),
    /// It told what it could.
    Spent,
}

/// What came of a log.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) walks: Vec<Walk>,
    pub(crate) logged: Option<Logged>,
}

impl Read {
    /// The known position stands in the log.
    pub(crate) const fn knows_it(&self) -> bool {
        self.logged.is_some() || !self.walks.is_empty()
    }
}

/// What a log says of a gap in which there were so many presses at the least.
pub(crate) fn read(
    log: &[u8],
    settings: &Settings,
    play: &Play,
    watcher: &Watcher,
    (sides, presses): ((Side, Nats), usize),
    now: Mono,
) -> Read {
    let said = said(log, settings.kind == BoardKind::Occupancy, watcher.turn);
    let pictures: Vec<Placement> = said.iter().filter_map(Said::placement).copied().collect();
    Read {
        walks: walks(play, &pictures, watcher.image.placement()),
        logged: Logged::read(&said, play, (sides, presses), (watcher.pace.is_slow(), thinks_ms(settings.play)), now),
    }
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

/// What stood on the board after each entry from the first anchor on, and who pressed. Before it, where the ring wrapped, nothing is certain.
fn said(log: &[u8], blind: bool, turn: Turn) -> Vec<Said> {
    let mut said = Vec::new();
    let mut board: Option<WirePlacement> = None;
    // Pieces are only listed: they stood all the time.
    let mut listing = false;
    let stands = |board: &WirePlacement, quick| Said::Stands { placement: turn.placement(board), quick };
    for entry in Entries::new(log) {
        let lists = |board: &WirePlacement| match entry {
            Entry::Piece { square, piece, .. } => piece != PieceCode::Empty && board[usize::from(square.index())] == PieceCode::Empty,
            _ => false,
        };
        if listing && !board.as_ref().is_some_and(lists) {
            listing = false;
            said.extend(board.as_ref().map(|board| stands(board, false)));
        }
        match entry {
            Entry::PowerUp | Entry::StartTag | Entry::EmptyBoard => (board, listing) = (Some([PieceCode::Empty; 64]), true),
            Entry::BeginPosition => board = Some(start(Turn::None, blind)),
            Entry::BeginPositionTurned => board = Some(start(Turn::Half, blind)),
            Entry::Piece { square, piece, quick } => {
                let Some(board) = board.as_mut() else { continue };
                board[usize::from(square.index())] = piece;
                said.extend((!listing).then(|| stands(board, quick)));
                continue;
            }
            Entry::Time { side, .. } => {
                said.extend(board.is_some().then_some(Said::Pressed(if side == WireSide::Left { Side::Left } else { Side::Right })));
                continue;
            }
            _ => continue,
        }
        said.extend(board.as_ref().filter(|_| !listing).map(|board| stands(board, false)));
    }
    said.extend(board.as_ref().filter(|_| listing).map(|board| stands(board, false)));
    said
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
