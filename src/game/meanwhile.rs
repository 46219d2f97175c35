//! A game that has ended, as if it went on: a result can be wrong, and what was played before that is known must not be lost (design section 6).
use super::notes::number;
use super::play::Play;
use super::{Game, Input, Timer};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Body, GameResult, How, Mono, Order, ResultSource};
use flagfall_laws::Irregularity;

/// The same board, its game not ended; nothing that it says is heard.
#[derive(Clone, Debug)]
pub(super) struct Meanwhile {
    game: Game,
    /// Plies when the game ended.
    plies: usize,
    /// Nothing has come yet that no play explains.
    live: bool,
}

impl Meanwhile {
    /// When it wants to be told the time.
    pub(super) fn deadline(&self) -> Option<Mono> {
        self.game.deadline().filter(|_| self.live)
    }
}

impl Game {
    /// The game ends now; what would be played if it did not is followed from here on.
    pub(super) fn follow_what_goes_on(&mut self) {
        let going = self.play.as_ref().filter(|play| !play.over).map(|play| play.record.plies().len());
        let Some(plies) = going.filter(|_| !self.stage.follows) else { return };
        let mut game = self.clone();
        game.outputs.clear();
        game.stage.follows = true;
        game.stage.kings = None;
        game.set(Timer::Kings, None);
        if let Some(play) = game.play.as_mut() {
            play.reopened_at = Some(plies);
        }
        self.stage.meanwhile = Some(Box::new(Meanwhile { game, plies, live: true }));
    }

    /// What of an input concerns a game that goes on meanwhile; `None`: nothing, or none does.
    pub(super) fn for_what_goes_on(&self, input: &Input) -> Option<Input> {
        self.stage.meanwhile.as_ref().filter(|meanwhile| meanwhile.live)?;
        match input {
            Input::Verdict(_) | Input::TakeOver(_) => None,
            Input::Entry(entry) => {
                let clock = matches!(entry.order, Order::SetClock { .. } | Order::Stop {} | Order::Restart {} | Order::Arrived { .. });
                clock.then(|| input.clone())
            }
            _ => Some(input.clone()),
        }
    }

    /// The same input for the game as if it went on.
    pub(super) fn goes_on(&mut self, input: Input) {
        let now = self.now;
        let Some(Meanwhile { game, live, .. }) = self.stage.meanwhile.as_deref_mut() else { return };
        game.handle(now, input);
        while game.poll().is_some() {}
        // Without a clock nothing tells play from analysis but that the one is legal.
        let lost = !game.clock.in_use() && (game.in_disorder() || game.play.as_ref().is_none_or(|play| play.unsure));
        *live = !lost && game.play.as_ref().is_some_and(|play| !play.over);
    }

    /// The result was wrong: the same game goes on with the next ply. What was pressed on a running clock meanwhile is recovered; without a clock,
    /// what is legal play up to the first picture that is none.
    pub(super) fn reopen(&mut self, source: ResultSource) {
        let unsaid = self.is_unsaid();
        if let Some(last) = self.stage.last.take_if(|_| unsaid) {
            self.play = Some(*last);
            self.image.look_at_all();
            self.image.forget(|_| false);
        }
        if !self.play.as_ref().is_some_and(|play| play.said && play.over) {
            return;
        }
        self.say(Body::Result { result: GameResult::Open, reason: String::from(flagfall_events::REOPENED), article: None, source });
        self.result_by(GameResult::Open, false);
        if let Some(meanwhile) = self.stage.meanwhile.take() {
            self.take_up(*meanwhile);
        }
        if let Some(play) = self.play.as_mut() {
            (play.over, play.cancelled, play.ended) = (false, false, None);
            play.reopened_at = Some(play.record.plies().len());
        }
        (self.stage.kings, self.stage.runs_on) = (None, false);
        self.clock_facts();
        self.look();
        self.after_made();
    }

    /// What was played meanwhile is this game's.
    fn take_up(&mut self, Meanwhile { game: mut then, plies, live }: Meanwhile) {
        let (Some(mut play), Some(ours)) = (then.play.take(), self.play.as_ref()) else { return };
        let upto = counts(&play, plies, then.clock.in_use());
        let known =
            |index: &usize| ours.record.plies().get(*index).zip(play.record.plies().get(*index)).is_some_and(|(a, b)| a.uci == b.uci);
        let same = (0..plies.min(upto)).take_while(known).count();
        let mut said = Vec::new();
        for index in (same..plies).rev() {
            let uci = ours.record.plies()[index].uci.clone();
            said.push(Body::MoveWithdrawn { ply: number(index), uci });
        }
        for index in 0..upto {
            let was = ours.record.plies().get(index).filter(|_| index < same);
            let news = play.said_of(index, How::Recovered);
            let completed = was.is_some_and(|ply| ply.completed);
            said.extend(news.into_iter().filter(|body| match body {
                Body::MoveMade { .. } => was.is_none(),
                _ => !completed,
            }));
        }
        let flags: Vec<Irregularity> = then.findings.open().map(|found| found.irregularity.clone()).collect();
        let whole = upto == play.record.plies().len();
        if !whole {
            play.take_back(upto, &mut |_| {});
        }
        play.said = true;
        self.play = Some(play);
        (self.touches, self.last_press, self.displaced) = (then.touches, then.last_press, None);
        (self.made_times, self.made_on) = (then.made_times, then.made_on);
        self.made_times.truncate(upto);
        self.made_on.truncate(upto);
        if live {
            (self.image, self.clock, self.doubt, self.recovering, self.gap) =
                (then.image, then.clock, then.doubt, then.recovering, then.gap);
            for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::Settle, Timer::Memory, Timer::Unread] {
                self.set(timer, then.timers[timer as usize]);
            }
        }
        if !live || !whole {
            self.image.look_at_all();
            self.image.forget(|_| false);
        }
        for body in said {
            self.say_of(self.number, body);
        }
        // A flag that fell meanwhile waits to be ruled on.
        for flag in flags {
            if matches!(flag, Irregularity::FlagFall(_) | Irregularity::BothFlags(_)) {
                self.find(flag, self.evidence_from);
            }
        }
    }
}

/// How many plies of a game that had so many at its end were played: up to the last one that was pressed, or, without a clock, all; none that is
/// illegal, and none on top of it.
fn counts(play: &Play, plies: usize, in_use: bool) -> usize {
    let all = play.record.plies();
    let first = plies.min(all.len());
    let pressed = all[first..].iter().rposition(|ply| ply.pressed).map_or(first, |last| first + last + 1);
    let legal = all[first..].iter().position(|ply| !ply.legal).map_or(all.len(), |illegal| first + illegal);
    if in_use { pressed.min(legal) } else { legal }
}
