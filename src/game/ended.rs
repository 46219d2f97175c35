//! How a game ends: by its last move, or by both kings in the centre.
use super::completion::Completion;
use super::event::{Body, GameResult, How, ResultSource};
use super::play::Play;
use super::record::End;
use super::{Game, Timer, kings};
use dgt_protocol::square::PieceCode;

/// How long both kings must stand in the centre.
const KINGS_MS: u64 = 5_000;

impl Game {
    pub(super) fn ended_for_sure(&mut self) {
        if let Some(end) = self.play.as_ref().filter(|p| !p.over).and_then(Play::end) {
            self.finish(end);
        }
    }

    /// The last move ended the game (5.1.1, 5.2.1, 5.2.2, 9.6); it needs no press (6.2.1.1).
    pub(super) fn finish(&mut self, end: End) {
        let spent_ms = self.clock.thinking(self.now).map(|(ms, _)| ms);
        let completion = Completion { how: How::GameEnd, clock: self.clock.shown(), spent_ms, earned_ms: 0, pressed_at: None };
        let mut said = Vec::new();
        self.assume_promotions();
        if let Some(play) = self.play.as_mut() {
            let last = play.record.plies().len().saturating_sub(1);
            for index in 0..last {
                play.complete(index, Completion::bare(How::GameEnd), &mut |b| said.push(b));
            }
            play.complete(last, completion, &mut |b| said.push(b));
        }
        self.say_all(said);
        self.over(end.result, end.reason, Some(end.article), ResultSource::Position);
    }

    pub(super) fn over(&mut self, result: GameResult, reason: &str, article: Option<&str>, source: ResultSource) {
        self.close_blindly();
        if let Some(play) = self.play.as_mut() {
            play.over = true;
            play.cancelled = result == GameResult::Open && source == ResultSource::Ruling;
            play.presses.clear();
            play.unanswered.clear();
        }
        for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::End, Timer::Kings, Timer::Disorder] {
            self.set(timer, None);
        }
        self.say(Body::Result { result, reason: String::from(reason), article: article.map(String::from), source });
        // 6.8: a result that was reached before a flag-fall is confirmed stands.
        self.withdraw_flags();
    }

    /// Starts or stops waiting for the kings; a fallen flag says already that the game is at its end.
    pub(super) fn watch_kings(&mut self) {
        let shown = self.play.as_ref().filter(|p| !p.over).and_then(|p| kings::shown(self.image.placement(), p.expected()));
        if shown.is_none() {
            self.set(Timer::Kings, None);
        } else if self.clock.flag().is_some() {
            self.kings_stood();
        } else if self.timer(Timer::Kings).is_none() {
            self.set(Timer::Kings, Some(self.now + KINGS_MS));
        }
    }

    pub(super) fn kings_stood(&mut self) {
        let placement = *self.image.placement();
        let Some(play) = self.play.as_mut().filter(|p| !p.over) else { return };
        let Some(result) = kings::shown(&placement, play.expected()) else { return };
        let mut said = Vec::new();
        // A king's move to where it now shows the result was part of the gesture.
        let real = play.line().iter().rposition(|s| {
            let king = matches!(s.mv.role(), shakmaty::Role::King);
            !(king && kings::is_centre(s.to()) && placement.0[s.to()] != PieceCode::Empty)
        });
        let keep: Vec<_> = play.line()[..real.map_or(0, |i| i + 1)].to_vec();
        play.announce(&keep, &mut |b| said.push(b));
        self.say_all(said);
        let article = if result == GameResult::Draw { "5.2.3" } else { "5.1.2" };
        self.over(result, "kings in the centre", Some(article), ResultSource::Kings);
        self.result_by(result, true);
    }
}
