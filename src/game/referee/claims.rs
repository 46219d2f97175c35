//! Draws that the player to move may claim (9.2, 9.3): told to the arbiter when the position stands.
use crate::recogniser::record::number;
use crate::referee::hearing::Hearing;
use alloc::vec::Vec;
use flagfall_events::{Body, ClaimRule, DrawClaim};

/// 9.3: fifty moves of each player without a capture and without a pawn move.
const FIFTY_MOVES: u32 = 100;

impl Hearing<'_> {
    /// Whether a draw may be claimed in the position that the last move made.
    pub(crate) fn draw_may_be_claimed(&self) -> bool {
        let Some(play) = self.scene.play.filter(|p| !p.over) else { return false };
        let Some(last) = play.record.plies().len().checked_sub(1) else { return false };
        let quiet = play.top().position.legal().map_or(0, shakmaty::Position::halfmoves);
        play.record.same_before(last).len() >= 2 || quiet >= FIFTY_MOVES
    }

    /// Tells what may be claimed in the position that the last move made.
    pub(crate) fn tell_claims(&mut self) {
        let Some(play) = self.scene.play.filter(|p| !p.over) else { return };
        let Some(last) = play.record.plies().len().checked_sub(1) else { return };
        let by = play.top().turn();
        let earlier = play.record.same_before(last);
        let quiet = play.top().position.legal().map_or(0, shakmaty::Position::halfmoves);
        let ply = number(last);
        // 9.2: at least for the third time.
        if earlier.len() >= 2 {
            self.say(Body::DrawClaim(DrawClaim { rule: ClaimRule::Threefold, ply, by, earlier }));
        }
        if quiet >= FIFTY_MOVES {
            self.say(Body::DrawClaim(DrawClaim { rule: ClaimRule::Fifty, ply, by, earlier: Vec::new() }));
        }
    }
}
