//! A game that ended while the board's log of what nobody saw was on its way, which takes up to nine seconds: what it tells then belongs to it.
use crate::reading::parts::{Late, Meanwhile};
use crate::reading::view::Reading;
use crate::recogniser::record::Ply;
use alloc::string::String;
use flagfall_events::{Body, GameResult, ResultSource};

/// So long after the log what came behind it has been read.
const SETTLED_MS: u64 = 1_000;

impl Meanwhile {
    /// The log was waited for, and what was played until the end is found.
    pub(crate) const fn was_told(&self) -> bool {
        self.live && self.late.is_some() && !self.parts.recovery.recovering
    }
}

impl Reading<'_> {
    /// The game ends so. What is guessed of its last plies now is not what the log tells later.
    pub(crate) fn may_be_told_late(&mut self, late: Late) {
        let ends = matches!(late.source, ResultSource::Operator | ResultSource::Kings) && self.recovery.awaits_log();
        if ends {
            self.follow_what_goes_on();
        }
        // Another result may be entered before the log has come.
        if let Some(meanwhile) = self.meanwhile.as_mut().filter(|meanwhile| ends || meanwhile.late.is_some()) {
            meanwhile.late = Some(late);
        }
    }

    /// The game is over, and its log came a moment ago: what is done on the board from now on tells nothing more of it.
    pub(crate) fn take_what_the_log_told(&mut self) {
        if self.recovery.came().is_some_and(|came| self.now >= came + SETTLED_MS) {
            self.take_what_the_picture_told();
        }
    }

    /// It is over, and what the board's log tells of it is still to come.
    pub(crate) fn waits_for_a_late_log(&self) -> bool {
        self.meanwhile.as_ref().is_some_and(|meanwhile| meanwhile.live && meanwhile.late.is_some() && meanwhile.parts.recovery.recovering)
    }

    /// Its pieces are put away behind the log, before what came with it has been read.
    pub(crate) fn take_what_came_late(&mut self) {
        let Some(meanwhile) = self.meanwhile.as_mut().filter(|meanwhile| meanwhile.live && meanwhile.late.is_some()) else { return };
        // It has not seen yet what is seen now.
        meanwhile.live = false;
        if meanwhile.parts.recovery.came().is_some() {
            let mut none = None;
            Reading::new(self.now, self.settings, &mut meanwhile.parts, &mut none, &mut meanwhile.voice).take_what_the_picture_told();
        }
        if !meanwhile.parts.recovery.recovering {
            self.take_what_was_told_late();
        }
    }

    /// The log has told more of the game, or other plies: for a moment it is open again, and ends as it had ended.
    pub(crate) fn take_what_was_told_late(&mut self) {
        let Some(mut meanwhile) = self.meanwhile.take() else { return };
        let Some(late) = meanwhile.late.take() else { return };
        let ours = self.own.play.as_ref().filter(|play| play.said && play.over).map(|play| play.record.plies());
        // What comes behind the log tells of no press, and what is heard of the clock later may be of the next game.
        let last = meanwhile.parts.recogniser.play.as_ref().and_then(|play| play.record.plies().len().checked_sub(1));
        meanwhile.parts.recovery.gap_ply = last.filter(|last| ours.is_some_and(|ours| *last >= ours.len()));
        let mut none = None;
        Reading::new(self.now, self.settings, &mut meanwhile.parts, &mut none, &mut meanwhile.voice).close_gap_for_good();
        let (Some(ours), Some(theirs)) = (ours, meanwhile.parts.recogniser.play.as_ref().map(|play| play.record.plies())) else { return };
        let completed = |plies: &[Ply]| plies.iter().rposition(|ply| ply.completed);
        let same = theirs.iter().zip(ours).all(|(a, b)| a.uci == b.uci);
        let tells_no_more = theirs.len() <= ours.len() && completed(theirs) <= completed(ours);
        if (same && tells_no_more) || (!same && late.told) {
            *self.meanwhile = Some(meanwhile);
            return;
        }
        let upto = theirs.len();
        let Late { result, reason, article, source, resigned, .. } = late;
        self.say(Body::Result { result: GameResult::Open, reason: String::from(flagfall_events::REOPENED), article: None, source });
        self.take_up(*meanwhile, upto);
        self.goes_on();
        if source == ResultSource::Kings {
            self.strike_the_gesture();
        }
        self.over(result, &reason, article.as_deref(), source);
        self.ended_by(result, resigned);
    }
}
