//! One board's task: link events in, deadlines kept, events out, commands back. It owns the [`Board`] and nobody else touches it.
//!
//! Times in here are the board's own (milliseconds since its journal opened); [`Times`] knows how they lie to the daemon's stopwatch.
use super::homes::Homes;
use super::homes::House;
use super::machine::{TimeOfDay, WALL_JUMP};
use super::recorder::Track as Capture;
use super::still::{Still, TURN};
use super::throttle::{Dropped, Throttle};
use super::times::Times;
use crate::beats::Beat;
use crate::journal::what::{Drop, LinkChange, WallSet, What};
use crate::journal::{Health, News, Recovered, Track};
use crate::link::event::LinkEvent;
use crate::time::Stopwatch;
use crate::web::boards::preview::Preview;
use crate::web::boards::ruled::Ruled;
use crate::web::boards::{Answer, Inbox, Refusal, Submission, Taken};
use crate::web::outbox::Outbox;
use dgt_protocol::command::Command;
use flagfall_capture::CaptureLine;
use flagfall_events::{AlarmKey, AlarmState, Body, Entry, LinkState, Mono, Order, Wall};
use flagfall_game::board::Board;
use flagfall_game::questions::Verdict;
use flagfall_game::settings::Settings;
use flagfall_score::progress::Progress;
use flagfall_score::public::PublicView;
use flagfall_solver::worker::Worker;
use futures_util::FutureExt as _;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;

/// After a panic, before the next try.
const BREATH: Duration = Duration::from_secs(1);

/// How often the machine's clock is compared with the board's time, milliseconds.
const WALL_LOOK: u64 = 1_000;

/// A board that speaks only when it is asked is asked by then; its deadlines wait no longer, milliseconds.
const UNHEARD: u64 = 3_000;

/// Verdicts that wait for their board at most.
const VERDICTS: usize = 64;

/// Everything a board's task needs; what must outlive a panic of the board is here.
pub(super) struct Desk {
    /// The board's name.
    pub(super) name: String,
    /// What is fixed before its games, as the journal has it.
    pub(super) settings: Settings,
    /// What the configuration says now; it holds from the next journal on.
    pub(super) wanted: Arc<Mutex<Settings>>,
    /// How the board's time lies to the daemon's.
    pub(super) times: Times,
    /// Its events' way to the world.
    pub(super) outbox: Outbox,
    /// Its capture, if one is made.
    capture: Option<Capture>,
    /// Its journal, if one is kept.
    pub(super) journal: Option<Track>,
    /// As the last journal left it; taken when the task begins.
    pub(super) recovered: Option<Box<Recovered>>,
    /// The wall time of its millisecond 0 as the machine's clock says it now; the journal's header may have another one.
    pub(super) wall: Wall,
    /// When the two clocks were compared last.
    pub(super) wall_looked: Mono,
    /// Whether the machine's clock can be believed.
    time_of_day: TimeOfDay,
    /// How far the board's day is.
    pub(super) progress: Progress,
    /// When it was last looked whether a new journal begins.
    pub(super) looked: Mono,
    /// What was ruled on findings.
    pub(super) ruled: Ruled,
    /// The alarm `journal-failing` is raised.
    pub(super) failing: bool,
    /// What was wrong with the journal that was found; said until the next game begins.
    pub(super) found: Option<AlarmKey>,
    /// The daemon's; without one nothing is asked.
    pub(super) solver: Option<Arc<Worker>>,
    pub(super) verdicts: (mpsc::Sender<Verdict>, mpsc::Receiver<Verdict>),
    /// What arbiters and operators enter.
    entries: Option<Inbox>,
    /// Where the next command goes while the link is up.
    pub(super) commands: Option<mpsc::Sender<Command>>,
    pub(super) last: Mono,
    pub(super) seq: u64,
    /// Deadlines are not looked at before.
    pub(super) not_before: Mono,
    /// The machine stood still, and what was said meanwhile is being read.
    pub(super) still: Option<Still>,
    /// The board speaks only when it is asked: deadlines wait until it is known what happened before them.
    pub(super) polled: bool,
    /// How much the board may say.
    pub(super) throttle: Throttle,
    /// An input is journaled and its events are not yet.
    pub(super) at_input: bool,
    /// What of its events is public.
    pub(super) public: PublicView,
    /// How many games were played on the board before its journal, and how many were by now.
    pub(super) games: u32,
    pub(super) games_played: u32,
    /// Who wants to know what a board with a battery says of it, percent.
    battery: Option<Box<dyn Fn(Option<u8>) + Send>>,
    /// Whose boards are whose, on this machine.
    pub(super) house: Option<House>,
    /// Says that this task turns.
    pub(super) beat: Option<Beat>,
    /// A test's mistake: made at the input after so many.
    #[cfg(test)]
    pub(super) trip: Option<u32>,
    /// Panics since the last input that was taken well.
    pub(super) panics: u32,
}

/// Why the task turns.
enum Woken {
    Link(Option<(Mono, LinkEvent)>),
    Verdict(Verdict),
    Entry(Submission),
    Journal(News),
    Deadline,
    Turn,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("name", &self.name).field("last", &self.last).finish_non_exhaustive()
    }
}

impl Desk {
    pub(super) fn new(name: &str, settings: Settings, stopwatch: Stopwatch, outbox: Outbox, capture: Option<Capture>) -> Self {
        Self {
            name: String::from(name),
            wanted: Arc::new(Mutex::new(settings.clone())),
            settings,
            times: Times::of(stopwatch),
            outbox,
            capture,
            journal: None,
            recovered: None,
            wall: stopwatch.opened_at(),
            wall_looked: Mono::ZERO,
            time_of_day: TimeOfDay::default(),
            progress: Progress::default(),
            looked: Mono::ZERO,
            ruled: Ruled::default(),
            failing: false,
            found: None,
            solver: None,
            verdicts: mpsc::channel(VERDICTS),
            entries: None,
            commands: None,
            last: Mono::ZERO,
            seq: 0,
            not_before: Mono::ZERO,
            still: None,
            polled: false,
            throttle: Throttle::default(),
            at_input: false,
            public: PublicView::default(),
            games: 0,
            games_played: 0,
            battery: None,
            house: None,
            beat: None,
            #[cfg(test)]
            trip: None,
            panics: 0,
        }
    }

    /// The same board asking `solver`.
    pub(super) fn asking(mut self, solver: Option<Arc<Worker>>) -> Self {
        self.solver = solver;
        self
    }

    /// The same board taking entries from `entries`.
    pub(super) fn listening(mut self, entries: Inbox) -> Self {
        self.entries = Some(entries);
        self
    }

    /// The same board stamping `beat` whenever it turns.
    pub(super) fn beating(mut self, beat: Beat) -> Self {
        self.beat = Some(beat);
        self
    }

    /// The same board telling `tell` its battery whenever it is plugged in.
    pub(super) fn charged(mut self, tell: impl Fn(Option<u8>) + Send + 'static) -> Self {
        self.battery = Some(Box::new(tell));
        self
    }

    /// The same board at its table: another table's board on its cable is told, and not read.
    pub(super) fn housed(mut self, homes: Homes, tell: impl Fn(Option<String>) + Send + 'static) -> Self {
        self.house = Some(House { homes, tell: Box::new(tell), stranger: None });
        self
    }

    /// The same board following the machine's clock.
    pub(super) fn dated(mut self, time_of_day: TimeOfDay) -> Self {
        self.time_of_day = time_of_day;
        self
    }

    /// The same board with a journal, going on as the last one left it.
    pub(super) fn journaled(mut self, journal: Option<(Recovered, Track)>) -> Self {
        if let Some((recovered, track)) = journal {
            recovered.events.iter().for_each(|event| self.ruled.take(event));
            (self.recovered, self.journal) = (Some(Box::new(recovered)), Some(track));
        }
        self
    }

    /// Runs until all links to this board are gone.
    pub(super) async fn run(mut self, mut events: mpsc::Receiver<(Mono, LinkEvent)>) {
        loop {
            match AssertUnwindSafe(self.serve(&mut events)).catch_unwind().await {
                Ok(()) => return,
                Err(_) => {
                    self.panics += 1;
                    let how = if self.journal.is_some() { "from its journal" } else { "anew from what stands on the board" };
                    tracing::error!("board {}: a mistake in flagfall; its game goes on {how}", self.name);
                    tokio::time::sleep(BREATH).await;
                }
            }
        }
    }

    async fn serve(&mut self, events: &mut mpsc::Receiver<(Mono, LinkEvent)>) {
        let mut board = self.begin().await;
        self.watch_health(&mut board).await;
        let mut awake = self.times.now();
        loop {
            // Whatever the loop does, it comes by here when it is done, and without work when it is time to.
            self.beat.iter().for_each(Beat::turn);
            self.watch_wall(&mut board).await;
            self.caught_up(&mut board).await;
            let turned = self.times.now();
            // It stood still at its work, and nothing was read meanwhile: what is due since then is looked at when that is read.
            if events.is_empty() {
                self.notice_still(&mut board, awake, turned).await;
            }
            let turn = tokio::time::sleep(self.beat.as_ref().map_or(TURN, |beat| beat.every().min(TURN)));
            let not_before = self.still.map_or(self.not_before, |still| still.until);
            let heard = if self.polled { UNHEARD } else { 0 };
            let deadline = board.deadline().map(|t| (t + heard).max(not_before)).into_iter().chain(self.throttle.deadline()).min();
            let deadline = deadline.map(|t| self.times.instant(t).into());
            let (entries, journal) = (&mut self.entries, &mut self.journal);
            let entered = async {
                match entries {
                    Some(entries) => entries.recv().await,
                    None => None,
                }
            };
            let news = async {
                match journal {
                    Some(journal) => journal.news().await,
                    None => std::future::pending().await,
                }
            };
            let alarm = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline).await,
                    None => std::future::pending().await,
                }
            };
            let woken = tokio::select! {
                biased;
                event = events.recv() => Woken::Link(event),
                Some(verdict) = self.verdicts.1.recv() => Woken::Verdict(verdict),
                Some(submission) = entered => Woken::Entry(submission),
                news = news => Woken::Journal(news),
                () = alarm => Woken::Deadline,
                () = turn => Woken::Turn,
            };
            // What a link read in time may have waited here, and stood still nowhere.
            let now = self.times.now();
            let woke = if let Woken::Link(Some((t, _))) = &woken { self.times.of_board(*t).min(now) } else { now };
            self.notice_still(&mut board, turned, woke).await;
            awake = woke;
            match woken {
                Woken::Link(None) => {
                    self.undrop(&mut board, true).await;
                    return;
                }
                Woken::Link(Some((t, event))) => self.take(&mut board, t, event).await,
                Woken::Verdict(verdict) => self.judged(&mut board, verdict).await,
                Woken::Entry(submission) => self.entered(&mut board, submission).await,
                Woken::Journal(News::Health) => self.watch_health(&mut board).await,
                Woken::Journal(News::Receipt(receipt)) => self.state(&mut board, Body::Receipt(receipt)).await,
                Woken::Deadline if self.still.is_none() => {
                    self.undrop(&mut board, false).await;
                    let heard = if self.polled { UNHEARD } else { 0 };
                    self.expire(&mut board, Mono::from_millis(now.millis().saturating_sub(heard))).await;
                }
                Woken::Deadline | Woken::Turn => {}
            }
        }
    }

    /// One event of the link. A replay of the capture does exactly the same: deadlines first, then the line.
    async fn take(&mut self, board: &mut Board, t: Mono, event: LinkEvent) {
        if let LinkEvent::Battery(percent) = event {
            // No input of the game: the message itself is.
            self.battery.iter().for_each(|tell| tell(Some(percent)));
            return;
        }
        if self.is_strange(&event) {
            return;
        }
        if !matches!(event, LinkEvent::Down(_) | LinkEvent::Sent(_)) {
            self.next_day_if_due(board).await;
            self.next_game_if_due(board).await;
        }
        let said = self.times.of_board(t);
        // A deadline may have fired between the read and here; time never runs back.
        let t = self.still.map_or_else(|| self.times.of_board(t), |still| still.since).max(self.last);
        let ends = matches!(event, LinkEvent::Up(_) | LinkEvent::Down(_));
        self.undrop(board, ends).await;
        let t = t.max(self.last);
        self.expire(board, t).await;
        self.last = t;
        match event {
            LinkEvent::Up(up) => {
                self.commands = Some(up.commands);
                self.polled = up.polled;
                if let Some(tell) = &self.battery {
                    tell(up.identity.battery.map(|battery| battery.percent).filter(|percent| *percent <= 100));
                }
                let port = Some(up.port.display().to_string());
                self.link(board, LinkState::Up, None, port).await;
            }
            LinkEvent::Down(reason) => {
                (self.commands, self.polled) = (None, false);
                self.link(board, LinkState::Down, Some(reason), None).await;
            }
            LinkEvent::Bytes(bytes) if !self.throttle.passes(said, bytes.len()) => {}
            LinkEvent::Bytes(bytes) if self.still.is_some() => self.waited(board, &bytes).await,
            LinkEvent::Bytes(bytes) => self.bytes(board, &bytes).await,
            LinkEvent::Sent(bytes) => {
                self.record(t, || CaptureLine::ToBoard(bytes.to_vec()));
                if let Some(journal) = &self.journal {
                    journal.line(t, What::Out(bytes.to_vec())).await;
                }
            }
            LinkEvent::Waited => self.link(board, LinkState::Up, None, None).await,
            LinkEvent::Polled | LinkEvent::Battery(_) => {}
        }
    }

    /// A drop that is over, or that ends now whatever comes, is journaled, and the board is told that it heard nothing meanwhile.
    async fn undrop(&mut self, board: &mut Board, ends: bool) {
        if self.still.is_some() && !ends {
            return;
        }
        let now = self.times.now();
        let over = self.throttle.over(now).or_else(|| ends.then(|| self.throttle.end()).flatten());
        let Some(Dropped { from, bytes }) = over else { return };
        let t = self.catch_up(board).await;
        let from = from.min(t);
        self.input(board, t, || What::Drop(Drop { from, to: t, bytes })).await;
        board.dropped(t, from);
        self.drain(board).await;
    }

    /// The board said this just now.
    pub(super) async fn bytes(&mut self, board: &mut Board, bytes: &[u8]) {
        let t = self.last;
        self.record(t, || CaptureLine::FromBoard(bytes.to_vec()));
        self.input(board, t, || What::In(bytes.to_vec())).await;
        #[cfg(test)]
        self.stumble();
        board.bytes(t, bytes);
        self.drain(board).await;
    }

    /// The link came up or went down just now.
    pub(super) async fn link(&mut self, board: &mut Board, state: LinkState, reason: Option<String>, port: Option<String>) {
        let t = self.last;
        self.record(t, || CaptureLine::Link(state));
        self.input(board, t, || What::Link(LinkChange { state, reason: reason.clone(), port })).await;
        board.link(t, state, reason);
        self.drain(board).await;
    }

    /// A verdict of the solver. The replay of a capture has it at the millisecond of its question, a journal has its own.
    async fn judged(&mut self, board: &mut Board, verdict: Verdict) {
        let now = self.catch_up(board).await;
        self.input(board, now, || What::Verdict(verdict.clone())).await;
        board.verdict(now, verdict);
        self.drain(board).await;
    }

    /// An arbiter's or operator's entry; what cannot be carried out now changes nothing. It is answered when it is safe.
    async fn entered(&mut self, board: &mut Board, submission: Submission) {
        let Submission { entry, answer } = submission;
        if matches!(answer, Answer::Taken(_)) {
            self.take_in(board, &entry).await;
        }
        let now = self.catch_up(board).await;
        if let Some(why) = self.refusal(board, &entry) {
            answer.refuse(why);
            return;
        }
        let answer = match answer {
            Answer::Taken(answer) => answer,
            Answer::Previewed(answer) => {
                // Who asked may be gone.
                let _ = answer.send(Ok(Preview::of(board, self.seq, now, entry)));
                return;
            }
        };
        let recovered = Preview::of(board, self.seq, now, entry.clone()).recovered;
        let taken_over = matches!(entry.order, Order::TakeOver { .. });
        self.record(now, || CaptureLine::Entry(entry.clone()));
        self.input(board, now, || What::Entry(entry.clone())).await;
        board.entry(now, entry);
        self.drain(board).await;
        if taken_over {
            // Somebody should know, until the next game begins.
            self.alarm(board, AlarmKey::GameTakenOver, true).await;
            self.found = Some(AlarmKey::GameTakenOver);
        }
        let taken = Taken { seq: self.seq, recovered };
        // Who asked may be gone; the entry stands.
        let tell = move || _ = answer.send(Ok(taken));
        // Whoever gets the answer sees what the entry did.
        let outbox = self.outbox.clone();
        match &self.journal {
            Some(journal) => journal.then(move || outbox.call(tell)).await,
            None => outbox.call(tell),
        }
    }

    /// Why an entry is not carried out, if it is not.
    fn refusal(&self, board: &Board, entry: &Entry) -> Option<Refusal> {
        let happened = self.ruled.meanwhile(entry);
        if !happened.is_empty() {
            return Some(Refusal::Meanwhile(happened));
        }
        self.ruled.refusal(entry).or_else(|| board.refusal(entry)).map(Refusal::Impossible)
    }

    /// The disk began to fail, or takes writes again.
    async fn watch_health(&mut self, board: &mut Board) {
        let Some(journal) = &mut self.journal else { return };
        let failing = matches!(*journal.health().borrow_and_update(), Health::Failing(_));
        if failing != self.failing {
            self.failing = failing;
            self.alarm(board, AlarmKey::JournalFailing, failing).await;
        }
    }

    /// The machine's clock was set while the board's own time went on: events follow it from here. A clock that is not known to be right is not
    /// followed back.
    async fn watch_wall(&mut self, board: &mut Board) {
        let now = self.times.now();
        if now.since(self.wall_looked) < WALL_LOOK {
            return;
        }
        self.wall_looked = now;
        let (at, was) = (crate::time::now(), board.at(now));
        let differs = at.differs(was);
        if differs.unsigned_abs() < WALL_JUMP || (differs < 0 && !self.time_of_day.is_known()) {
            return;
        }
        let now = self.catch_up(board).await;
        let (at, was) = (crate::time::now(), board.at(now));
        self.input(board, now, || What::Wall(WallSet { at, was })).await;
        board.wall(now, at);
        self.wall = at.before(now);
        self.drain(board).await;
    }

    /// The program itself raises or clears an alarm.
    pub(super) async fn alarm(&mut self, board: &mut Board, key: AlarmKey, raised: bool) {
        let state = if raised { AlarmState::Raised } else { AlarmState::Cleared };
        self.state(board, Body::alarm(key, state)).await;
    }

    /// The program itself says something of the board.
    pub(super) async fn state(&mut self, board: &mut Board, body: Body) {
        let now = self.catch_up(board).await;
        self.input(board, now, || What::Say(body.clone())).await;
        board.say(now, body);
        self.drain(board).await;
    }

    /// Now, after every deadline up to then.
    pub(super) async fn catch_up(&mut self, board: &mut Board) -> Mono {
        let now = self.times.now().max(self.last);
        self.expire(board, now).await;
        self.last = now;
        now
    }

    /// Journals an input before the board has it, and after every deadline up to then: a replay has that order.
    pub(super) async fn input(&mut self, board: &mut Board, t: Mono, what: impl FnOnce() -> What) {
        self.expire(board, t).await;
        if let Some(journal) = &self.journal {
            journal.line(t, what()).await;
            self.at_input = true;
        }
    }

    #[cfg(test)]
    fn stumble(&mut self) {
        if let Some(left) = self.trip {
            self.trip = left.checked_sub(1);
            assert!(left > 0, "made to fail once");
        }
    }

    fn record(&mut self, t: Mono, line: impl FnOnce() -> CaptureLine) {
        if let Some(capture) = &mut self.capture {
            capture.add(self.times.of_daemon(t), line());
        }
    }
}

#[cfg(test)]
#[path = "desk_tests.rs"]
mod tests;
