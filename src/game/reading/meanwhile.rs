//! A game that has ended, as if it went on: a result can be wrong, and what was played before that is known must not be lost.
use crate::input::Input;
use crate::reading::parts::{Meanwhile, Parts};
use crate::reading::view::Reading;
use crate::recogniser::play::Play;
use crate::recogniser::record::number;
use crate::referee::facts::Fact;
use crate::settings::Settings;
use crate::timers::Timer;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Body, GameResult, How, Mono, Order, ResultSource};

impl Meanwhile {
    /// What of an input concerns a game that goes on meanwhile, if anything does.
    pub(crate) fn wants(&self, input: &Input) -> Option<Input> {
        if !self.live {
            return None;
        }
        match input {
            Input::Verdict(_) => None,
            Input::Entry(entry) => {
                let clock = matches!(entry.order, Order::SetClock { .. } | Order::Stop {} | Order::Restart {} | Order::Arrived { .. });
                clock.then(|| input.clone())
            }
            _ => Some(input.clone()),
        }
    }

    /// The same input for the game as if it went on.
    pub(crate) fn take(&mut self, now: Mono, settings: &Settings, input: Input) {
        let late = self.late.is_some();
        let (mut none, parts) = (None, &mut self.parts);
        let mut reading = Reading::new(now, settings, parts, &mut none, &mut self.voice);
        reading.read(input);
        if late {
            reading.take_what_the_log_told();
        }
        while self.voice.next().is_some() {}
        let Parts { clocks, recogniser, referee, .. } = &self.parts;
        let play = recogniser.play.as_ref();
        // Without a clock nothing tells play from analysis but that the one is legal.
        let lost = !clocks.in_use() && (referee.in_disorder() || play.is_none_or(|play| play.unsure));
        self.live = !lost && play.is_some_and(|play| !play.over);
    }
}

impl Reading<'_> {
    /// The game ends now; what would be played if it did not is followed from here on.
    pub(crate) fn follow_what_goes_on(&mut self) {
        let going = self.own.play.as_ref().filter(|play| !play.over).map(|play| play.record.plies().len());
        let Some(plies) = going.filter(|_| !self.own.stage.follows) else { return };
        let (mut parts, voice) = self.as_it_is();
        let own = &mut parts.recogniser;
        own.stage.follows = true;
        own.stage.kings = None;
        own.timers.set(Timer::Kings, None);
        if let Some(play) = own.play.as_mut() {
            play.reopened_at = Some(plies);
        }
        *self.meanwhile = Some(Box::new(Meanwhile { parts, voice, plies, live: true, late: None }));
    }

    /// The result was wrong: the same game goes on with the next ply. What was pressed on a running clock meanwhile is recovered; without a clock,
    /// what is legal play up to the first picture that is none.
    pub(crate) fn reopen(&mut self, source: ResultSource) {
        let unsaid = self.is_unsaid();
        if let Some(last) = self.own.stage.last.take_if(|_| unsaid) {
            self.own.play = Some(*last);
            self.watcher.image.look_at_all();
            self.watcher.image.forget(|_| false);
        }
        if !self.own.play.as_ref().is_some_and(|play| play.said && play.over) {
            return;
        }
        self.say(Body::Result { result: GameResult::Open, reason: String::from(flagfall_events::REOPENED), article: None, source });
        self.tell(Fact::ResultBy { result: GameResult::Open, resigned: false });
        if let Some(meanwhile) = self.meanwhile.take() {
            let upto =
                meanwhile.parts.recogniser.play.as_ref().map_or(0, |play| counts(play, meanwhile.plies, meanwhile.parts.clocks.in_use()));
            self.take_up(*meanwhile, upto);
        }
        self.goes_on();
        (self.own.stage.kings, self.own.stage.runs_on) = (None, false);
        self.clock_facts();
        self.look();
        self.after_made();
    }

    /// Its result does not count any more.
    pub(crate) fn goes_on(&mut self) {
        if let Some(play) = self.own.play.as_mut() {
            (play.over, play.cancelled, play.ended) = (false, false, None);
            play.reopened_at = Some(play.record.plies().len());
        }
    }

    /// What was played meanwhile, so many plies in all, is this game's.
    pub(crate) fn take_up(&mut self, Meanwhile { parts: mut then, live, .. }: Meanwhile, upto: usize) {
        let (Some(mut play), Some(ours)) = (then.recogniser.play.take(), self.own.play.as_ref()) else { return };
        let plies = ours.record.plies().len();
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
        // Of what it said of the sides nobody heard.
        play.told_with_its_clocks();
        play.sides.told = ours.sides.told;
        for (index, ply) in ours.record.plies().iter().enumerate().take(same).filter(|(_, ply)| ply.completed) {
            if let Some(known) = play.record.get_mut(index) {
                known.told = ply.told;
            }
        }
        let whole = upto == play.record.plies().len();
        if !whole {
            play.take_back(upto, &mut |_| {});
        }
        play.said = true;
        self.own.play = Some(play);
        let saw = Box::new(then.referee);
        self.tell(Fact::TakenUp { then: saw.clone(), upto });
        if live {
            for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::Unread] {
                self.set(timer, then.recogniser.timers.get(timer));
            }
            self.set(Timer::Settle, then.watcher.timers.get(Timer::Settle));
            self.set(Timer::Memory, then.recovery.timers.get(Timer::Memory));
            (self.watcher.image, self.watcher.doubt, *self.clocks) = (then.watcher.image, then.watcher.doubt, then.clocks);
            (self.recovery.recovering, self.recovery.gap) = (then.recovery.recovering, then.recovery.gap);
        }
        if !live || !whole {
            self.watcher.image.look_at_all();
            self.watcher.image.forget(|_| false);
        }
        for body in said {
            self.say_of(self.own.number, body);
        }
        // A flag that fell meanwhile waits to be ruled on.
        self.tell(Fact::FellMeanwhile(saw));
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
