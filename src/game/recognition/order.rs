//! How plainly plies that lead to what stands were seen: in which order their pieces came down, and which were not seen at all.
use crate::placement::{Image, Squares, bit, each};
use crate::recognition::step::{Ground, Step};
use dgt_protocol::square::PieceCode;
use flagfall_events::Mono;

/// A ply whose piece was not seen to come down, or came down before the ply that it follows.
const UNSEEN: u32 = 2;

/// When the moved piece was last seen to come down on its square.
pub(crate) fn came_down(step: &Step, image: &Image) -> Option<Mono> {
    image.changes_of(step.to()).rev().find(|c| c.now == step.piece()).map(|c| c.at)
}

/// The squares around one.
pub(crate) fn around(square: usize) -> Squares {
    shakmaty::Square::try_from(square).map_or(0, |square| shakmaty::attacks::king_attacks(square).into())
}

/// How much of what was sensed these plies leave odd, the least first; plies that need nothing odd are 0.
pub(crate) fn oddities(root: &Ground, line: &[Step], image: &Image) -> u32 {
    let mut odd = 0;
    let mut before = None;
    for step in line {
        let down = came_down(step, image);
        if down.is_none() || down < before {
            odd += UNSEEN;
        }
        before = before.max(down);
    }
    odd + strays(root, line, image)
}

/// Squares on which something was seen that none of these plies brings there or takes away.
fn strays(root: &Ground, line: &[Step], image: &Image) -> u32 {
    let shows = |square: usize, piece: PieceCode| root.placement.0[square] == piece || line.iter().any(|step| step.may_show(square, piece));
    let stray = |square: &usize| image.changes_of(*square).any(|c| c.now != PieceCode::Empty && !shows(*square, c.now));
    let lifted = |square: &usize| line.iter().all(|step| step.touched & bit(*square) == 0);
    each(image.touched()).map(|square| u32::from(stray(&square)) + u32::from(lifted(&square))).sum()
}
