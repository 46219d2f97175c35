//! Which piece a pawn became, on a board that does not tell: asked for, and a queen after a while, said to be assumed.
use crate::placement::Image;
use crate::reading::view::Reading;
use crate::recogniser::doubted::Link;
use crate::recogniser::promoted::promotion_meant;
use crate::recogniser::promotions::{promoted_to, role};
use crate::timers::Timer;
use alloc::vec::Vec;
use flagfall_events::{BoardKind, Body, Mono, PromotedTo, PromotionState};
use shakmaty::{Move, Role, Square};

/// Without a clock: how long the piece must stand before it is asked for.
const ASK_MS: u64 = 1_500;
/// A Bluetooth LE board, which has no clock to wait for: how long nobody answers before it is a queen.
const QUEEN_MS: u64 = 30_000;

impl Reading<'_> {
    /// How long an answer is waited for; `None`: as long as it takes.
    pub(crate) fn queen_wait(&self) -> Option<u64> {
        let set = self.settings.queen_after.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        set.or_else(|| (self.settings.kind == BoardKind::Pegasus).then_some(QUEEN_MS))
    }

    /// Asks, or takes it for a queen. `true`: something was decided, everything has to be weighed again.
    pub(crate) fn watch_promotion(&mut self, links: &[Link], certain: usize, but_promotions: usize) -> bool {
        let (clock, now, last) = (self.clocks.in_use(), self.now, self.watcher.image.last_change());
        let wait = self.queen_wait();
        let Some(play) = self.own.play.as_ref() else { return false };
        let index = play.base() + certain;
        let doubt = links.get(certain).filter(|link| certain < but_promotions && link.step.mv.is_promotion());
        // What is asked about is only what was told.
        let doubt = doubt.filter(|_| play.record.plies().get(index).is_some_and(|ply| ply.mv.is_promotion()));
        match (play.promotions.asked, doubt) {
            (Some((asked, square, since)), doubt) => {
                let ply = play.record.plies().get(asked);
                let piece = ply.filter(|ply| ply.mv.is_promotion() && ply.mv.to() == square).and_then(|ply| ply.mv.promotion());
                let open = piece.is_some() && ply.is_some_and(|ply| !ply.completed);
                if !open {
                    self.say_promotion(asked, square, PromotionState::Settled, piece);
                    self.ask_no_more();
                    return false;
                }
                let Some(due) = wait.map(|wait| since + wait) else { return false };
                if now < due {
                    self.wake_at(due);
                    return false;
                }
                doubt.is_some() && asked == index && self.promote(asked, Role::Queen, PromotionState::Assumed)
            }
            (None, Some(link)) => {
                let stands = link.press.is_some() || links.len() > certain + 1 || (!clock && now.since(last) >= ASK_MS);
                if !stands {
                    // With a clock the press is waited for: there is no moment to wake at.
                    if !clock {
                        self.wake_at(last + ASK_MS);
                    }
                    return false;
                }
                let square = link.step.mv.to();
                self.say_promotion(index, square, PromotionState::Asked, None);
                if let Some(play) = self.own.play.as_mut() {
                    play.promotions.asked = Some((index, square, now));
                }
                if let Some(wait) = wait {
                    self.wake_at(now + wait);
                }
                false
            }
            (None, None) => false,
        }
    }

    /// Somebody says which piece it is.
    pub(crate) fn promotion_answered(&mut self, piece: PromotedTo, ply: Option<u32>) {
        let Some(index) = promotion_meant(self.own.play.as_ref(), ply) else { return };
        let role = role(piece);
        let open = self.own.play.as_ref().is_some_and(|p| p.promotions.asked.is_some_and(|(asked, ..)| asked == index));
        if open {
            if self.promote(index, role, PromotionState::Answered) {
                self.weigh_hypotheses();
            }
            return;
        }
        self.correct(index, role);
    }

    /// The pawn of this ply became `role`; if nothing can have led to that any more, what is likeliest.
    fn promote(&mut self, index: usize, role: Role, state: PromotionState) -> bool {
        let Some(play) = self.own.play.as_mut() else { return false };
        let Some((_, square, _)) = play.promotions.asked.take() else { return false };
        let Some(follows) = play.follows.as_mut() else { return false };
        let likeliest = play.record.plies().get(index).and_then(|ply| ply.mv.promotion()).unwrap_or(Role::Queen);
        let became = if follows.may_have_become(index, role) { role } else { likeliest };
        follows.became(index, became);
        if state == PromotionState::Assumed {
            play.promotions.assumed.push(index);
        }
        self.say_promotion(index, square, state, Some(became));
        true
    }

    /// A queen that was assumed is another piece: what was completed is never changed without a word.
    fn correct(&mut self, index: usize, role: Role) {
        let mut said = Vec::new();
        let Some(play) = self.own.play.as_mut() else { return };
        let Some(mv) = play.record.plies().get(index).map(|ply| with_promotion(ply.mv, role)) else { return };
        let square = mv.to();
        play.promotions.assumed.retain(|known| *known != index);
        play.revise(index, mv, &mut |body| said.push(body));
        play.follows = None;
        self.watcher.image = Image::new(*self.watcher.image.placement());
        self.say_all(said);
        self.say_promotion(index, square, PromotionState::Answered, Some(role));
        self.weigh_hypotheses();
    }

    fn ask_no_more(&mut self) {
        if let Some(play) = self.own.play.as_mut() {
            play.promotions.asked = None;
        }
    }

    fn say_promotion(&mut self, index: usize, square: Square, state: PromotionState, piece: Option<Role>) {
        let ply = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let Some(square) = u8::try_from(u32::from(square)).ok().and_then(flagfall_events::Square::new) else { return };
        self.say(Body::Promotion { ply, square, state, piece: piece.map(promoted_to) });
    }

    fn wake_at(&mut self, at: Mono) {
        self.set(Timer::Made, Some(self.timer(Timer::Made).map_or(at, |known| known.min(at))));
    }
}

const fn with_promotion(mv: Move, piece: Role) -> Move {
    match mv {
        Move::Normal { role, from, capture, to, .. } => Move::Normal { role, from, capture, to, promotion: Some(piece) },
        other => other,
    }
}
