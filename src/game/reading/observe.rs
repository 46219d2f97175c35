//! One input is observed: messages, the link, damage; and what a changed or settled image is read for.
use crate::clock::{Changed, Progress};
use crate::input::Input;
use crate::reading::view::Reading;
use crate::recogniser::play::Play;
use crate::referee::facts::Fact;
use crate::timers::Timer;
use crate::watcher::Seen;
use alloc::string::String;
use alloc::vec::Vec;
use dgt_protocol::message::Message;
use dgt_protocol::square::{PieceCode, WireSquare};
use flagfall_events::{AlarmKey, AlarmState, Body, Colour, LinkState, Mono};

/// The alarm of a board that says more than it may.
const CHATTERS: AlarmKey = AlarmKey::BoardChatters;

/// It stands until so long nothing was dropped.
pub(crate) const CALM_MS: u64 = 60_000;

impl Reading<'_> {
    pub(crate) fn observe(&mut self, input: Input) {
        match input {
            Input::Message(message) => self.message(message),
            Input::Damaged => self.damaged(),
            Input::Dropped(from) => self.dropped(from),
            Input::Link(state, reason) => self.link_changed(state, reason),
            Input::TakeOver(played) => self.take_over(&played),
            Input::Restart => self.restarted(),
            Input::Entry(entry) => self.entered(&entry),
            Input::Verdict(verdict) => self.verdict(verdict),
            Input::Timeout => {}
        }
    }

    fn message(&mut self, message: Message) {
        if self.watcher.link.is_none() {
            self.link_changed(LinkState::Up, None);
        }
        match message {
            Message::BoardDump(dump) => self.dump(&dump),
            Message::FieldUpdate { square, piece } => self.field(square, piece),
            Message::Clock(report) => self.clock_report(&report),
            Message::MoveMemory(log) => self.move_memory(&log),
            Message::Battery(_) => {
                self.watcher.pace.has_battery();
                self.keep_pace();
            }
            said => {
                if let Some(identity) = self.watcher.identify(&said, self.settings) {
                    self.say(identity);
                }
            }
        }
    }

    fn link_changed(&mut self, state: LinkState, reason: Option<String>) {
        if !self.watcher.link_changed(state) {
            if state == LinkState::Up {
                self.clocks.fell_behind(self.now);
            }
            return;
        }
        if state == LinkState::Down {
            self.note_the_kings();
            self.recovery.last_heard = self.recovery.last_heard.or_else(|| self.clocks.last_heard());
            self.recovery.link_lost();
            self.clocks.forget_lever();
        }
        self.say(Body::Link { state, reason });
    }

    /// The program ended and runs again: as if the link had been down, and what ran meanwhile is unknown until the clock is read.
    fn restarted(&mut self) {
        if self.watcher.link == Some(LinkState::Up) {
            self.link_changed(LinkState::Down, Some(String::from("flagfall was restarted")));
        }
        if let Some(state) = self.clocks.forget_told() {
            self.say(Body::Clock(state));
        }
    }

    fn damaged(&mut self) {
        self.watcher.damaged(self.now);
        if let Some(follows) = self.own.play.as_mut().and_then(|play| play.follows.as_mut()) {
            follows.damaged(self.now);
        }
        self.ask_for_dump();
    }

    /// From `from` until now the board said more than it may, and nothing of it was read: as if every message had been lost.
    fn dropped(&mut self, from: Mono) {
        self.damaged();
        self.watcher.doubt = self.watcher.doubt.map(|since| since.min(from));
        if self.timer(Timer::Chatter).is_none() {
            self.say(Body::alarm(CHATTERS, AlarmState::Raised));
        }
        self.set(Timer::Chatter, Some(self.now + CALM_MS));
    }

    /// Everything it said for a while was read.
    pub(crate) fn chatters_no_more(&mut self) {
        self.say(Body::alarm(CHATTERS, AlarmState::Cleared));
    }

    fn dump(&mut self, dump: &[PieceCode; 64]) {
        self.note_the_kings();
        let gap = core::mem::take(&mut self.recovery.gap);
        if gap || self.watcher.wire.is_none() {
            (self.recovery.unseen, self.recovery.unread, self.recovery.hears_clock) = (true, true, false);
        }
        let dumped = match self.watcher.dump(self.now, dump, gap) {
            Ok(dumped) => dumped,
            Err(placement) => {
                self.after_gap(placement);
                return;
            }
        };
        if let Some(play) = self.own.play.as_mut() {
            play.presses.iter_mut().for_each(|p| p.dumped = Some(self.now));
        }
        self.touched(&dumped.seen);
        self.follow();
        if let Some(follows) = self.own.play.as_mut().and_then(|play| play.follows.as_mut()) {
            follows.whole(self.now);
        }
        if dumped.changed {
            self.sensed();
        } else {
            self.judge_presses();
        }
    }

    fn field(&mut self, square: WireSquare, piece: PieceCode) {
        self.note_the_kings();
        let mut seen = Vec::new();
        let changed = self.watcher.field(self.now, self.settings.kind, square, piece, &mut seen);
        let Some(changed) = changed else {
            self.ask_for_dump();
            return;
        };
        self.keep_pace();
        self.touched(&seen);
        if changed {
            self.sensed();
        }
    }

    fn touched(&mut self, seen: &[Seen]) {
        for &seen in seen {
            self.tell(Fact::Touched(seen));
        }
    }

    /// What is known of the scan by now counts from here on.
    pub(crate) fn keep_pace(&mut self) {
        if let Some(lag_ms) = self.watcher.lags_anew() {
            self.clocks.lag_by(lag_ms);
        }
    }

    /// The image changed.
    pub(crate) fn sensed(&mut self) {
        let started = self.try_start();
        let placement = Body::Placement { placement: self.watcher.image.as_read().fen(), settled: false };
        if started {
            // The game's own frame of squares counts from here on.
            self.say_before_the_last(placement);
        } else {
            self.say(placement);
        }
        self.set(Timer::Settle, Some(self.now + self.watcher.scan_ms));
        self.recovery.recovering = self.recovery.recovering && !self.recover();
        self.watch_set_up();
        self.look();
        self.watch_kings();
        self.judge_presses();
        self.watch_board();
    }

    /// A message changed on its way may say something plausible: what a move on the board rests on is read again while all is quiet.
    fn check_quietly(&mut self) {
        // A press that waits has asked already.
        let due = |play: &Play| !play.over && play.presses.iter().all(|press| press.asked.is_none());
        if self.own.play.as_ref().is_some_and(|play| due(play) && play.ground().placement != *self.watcher.image.placement()) {
            self.ask_for_dump();
        }
    }

    pub(crate) fn settled(&mut self) {
        let placement = self.watcher.image.as_read().fen();
        self.say(Body::Placement { placement, settled: true });
        self.put_right_by_hand();
        self.find_the_thread();
        self.check_quietly();
        self.watch_the_unread();
        self.watch_board();
        self.set_up_anew();
        self.begin_unseen();
    }

    /// Tells the clock how far the game is, and the referee what it has found; after every input.
    pub(crate) fn clock_facts(&mut self) {
        let progress = self.progress();
        self.clocks.observe(self.now, progress);
        self.tell_sides();
        while let Some(fact) = self.clocks.next_fact() {
            self.tell(Fact::Clock(fact));
        }
        self.tell(Fact::ClockSeen(progress));
        if let Some(state) = self.clocks.publish(self.now, Changed::default()) {
            self.say(Body::Clock(state));
        }
        self.clocks.wait(self.now);
    }

    fn progress(&self) -> Progress {
        let Some(play) = self.own.play.as_ref() else { return Progress::default() };
        let touched_at = self.watcher.image.last_change();
        // A clock that runs on from the game before says nothing of the next one.
        let playing = !play.over && (play.said || !self.own.stage.runs_on) && !self.own.stage.cleared;
        let mut progress = Progress { playing, white_first: play.white_began, touched_at, ..Progress::default() };
        // What is analysed is no part of a game.
        for ply in play.record.plies().iter().filter(|_| play.said) {
            progress.made[ply.by as usize] += 1;
            progress.completed[ply.by as usize] += u32::from(ply.completed);
            progress.last = Some(ply.by);
        }
        progress
    }

    /// 6.8: the arbiter saw a flag, or a player claimed it.
    pub(crate) fn flag_entered(&mut self, by: Colour) {
        let completed = self.progress().completed[by as usize];
        self.tell(Fact::Flag { by, completed });
    }
}
