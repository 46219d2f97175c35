//! What the board says: dumps, updates, who it is; and the link under it.
use super::corrected::MOST_REPLIES;
use super::memory::Memory;
use super::placement::{bit, colour, piece as named};
use super::{Game, Output, Timer};
use alloc::format;
use alloc::string::String;
use dgt_protocol::command::Command;
use dgt_protocol::message::Message;
use dgt_protocol::square::{PieceCode, WireSquare};
use flagfall_events::{AlarmState, BoardKind, Body, LinkState, Mono};

/// A dump is asked for at most once in this time.
const ASK_AGAIN_MS: u64 = 1_000;

/// So many dumps that did not come in a row: the board gives none.
const MISSED: u32 = 3;

/// The alarm of a board that says more than it may.
const CHATTERS: &str = "board-chatters";

/// It stands until so long nothing was dropped.
const CALM_MS: u64 = 60_000;

/// What the board said of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    serial: Option<String>,
    long_serial: Option<String>,
    firmware: Option<String>,
    told: bool,
}

impl Game {
    pub(super) fn message(&mut self, message: Message) {
        if self.link.is_none() {
            self.link_changed(LinkState::Up, None);
        }
        match message {
            Message::BoardDump(dump) => self.dump(&dump),
            Message::FieldUpdate { square, piece } => self.field(square, piece),
            Message::Clock(report) => self.clock_report(&report),
            Message::Version { main, sub } => {
                let firmware = Some(format!("{main}.{sub:02}"));
                self.identify(|id| id.firmware = firmware);
            }
            Message::SerialNumber(digits) => {
                let serial = Some(digits.iter().map(|&b| char::from(b)).collect());
                self.identify(|id| id.serial = serial);
            }
            Message::LongSerialNumber(characters) => {
                let serial = Some(characters.iter().map(|&b| char::from(b)).collect());
                self.identify(|id| id.long_serial = serial);
            }
            Message::MoveMemory(log) => self.move_memory(&log),
            Message::Battery(_) => {
                self.pace.has_battery();
                self.keep_pace();
            }
            _ => {}
        }
    }

    /// Told once the firmware is known, and again only when something changes.
    pub(super) fn identify(&mut self, change: impl FnOnce(&mut Identity)) {
        let before = self.identity.clone();
        change(&mut self.identity);
        if self.identity.firmware.is_some() && (!self.identity.told || self.identity != before) {
            self.identity.told = true;
            let body = Body::Identity {
                kind: String::from(self.settings.kind.as_str()),
                serial: self.identity.long_serial.clone().or_else(|| self.identity.serial.clone()),
                firmware: self.identity.firmware.clone(),
                link: self.settings.link.clone(),
            };
            self.say(body);
        }
    }

    pub(super) fn link_changed(&mut self, state: LinkState, reason: Option<String>) {
        if self.link == Some(state) {
            if state == LinkState::Up {
                self.clock.fell_behind(self.now);
            }
            return;
        }
        self.link = Some(state);
        if state == LinkState::Down {
            self.gap = true;
            self.memory = Memory::Unasked;
            self.set(Timer::Memory, None);
            self.clock.forget_lever();
        }
        self.asked_for_dump = None;
        self.say(Body::Link { state, reason });
    }

    /// The program ended and runs again: as if the link had been down, and what ran meanwhile is unknown until the clock is read.
    pub(super) fn restarted(&mut self) {
        if self.link == Some(LinkState::Up) {
            self.link_changed(LinkState::Down, Some(String::from("flagfall was restarted")));
        }
        if let Some(state) = self.clock.forget_told() {
            self.say(Body::Clock(state));
        }
    }

    /// Asks for the whole image, since the one kept may be wrong.
    pub(super) fn ask_for_dump(&mut self) {
        if self.asked_for_dump.is_none_or(|at| self.now.since(at) >= ASK_AGAIN_MS) {
            self.asked_for_dump = Some(self.now);
            self.outputs.push_back(Output::Command(Command::SendBoard));
        }
    }

    /// The dump that was asked for did not come.
    pub(super) fn missed_dump(&mut self) {
        self.asked_for_dump = None;
        self.missed_dumps = self.missed_dumps.map(|missed| missed.saturating_add(1));
    }

    /// Whether the board gives a dump when it is asked for one.
    pub(super) fn gives_dumps(&self) -> bool {
        self.missed_dumps.is_some_and(|missed| missed < MISSED)
    }

    /// A message was lost: what it said is unknown until the next dump.
    pub(super) fn damaged(&mut self) {
        self.doubt = Some(self.doubt.unwrap_or(self.now));
        self.damage = Some((self.now, self.damage.map_or(0, |(_, times)| times) + 1));
        self.ask_for_dump();
    }

    /// From `from` until now the board said more than it may, and nothing of it was read: as if every message had been lost.
    pub(super) fn dropped(&mut self, from: Mono) {
        self.damaged();
        self.doubt = self.doubt.map(|since| since.min(from));
        if self.timer(Timer::Chatter).is_none() {
            self.say(Body::Alarm { key: String::from(CHATTERS), state: AlarmState::Raised });
        }
        self.set(Timer::Chatter, Some(self.now + CALM_MS));
    }

    /// Everything it said for a while was read.
    pub(super) fn chatters_no_more(&mut self) {
        self.say(Body::Alarm { key: String::from(CHATTERS), state: AlarmState::Cleared });
    }

    pub(super) fn dump(&mut self, dump: &[PieceCode; 64]) {
        let first = self.wire.is_none();
        let asked = self.asked_for_dump.take().is_some_and(|at| self.now.since(at) < ASK_AGAIN_MS);
        if asked && !first {
            self.missed_dumps = Some(0);
        }
        self.wire = Some(*dump);
        let placement = self.turn.placement(dump);
        if self.gap {
            self.gap = false;
            self.after_gap(placement);
            return;
        }
        if let Some(play) = self.play.as_mut() {
            play.presses.iter_mut().for_each(|p| p.dumped = Some(self.now));
        }
        // What a lost message would have said happened when it was lost, not now.
        let since = self.doubt.take().unwrap_or(self.now);
        let mut changed = first;
        let mut contradicted = 0;
        for (square, &piece) in placement.0.iter().enumerate() {
            if self.update(since, square, piece) {
                changed = true;
                contradicted |= bit(square);
            }
        }
        if contradicted != 0 && !first {
            self.correct_by_dump(contradicted);
        }
        if changed {
            self.sensed();
        } else {
            self.judge_presses();
        }
    }

    pub(super) fn field(&mut self, square: WireSquare, piece: PieceCode) {
        let Some(wire) = self.wire.as_mut() else {
            self.ask_for_dump();
            return;
        };
        let here = usize::from(square.index());
        let known = core::mem::replace(&mut wire[here], piece) == piece;
        if let Some(piece) = named(piece).filter(|_| !known && self.settings.kind == BoardKind::Dgt) {
            self.pace.came_down(self.now, colour(piece.color));
            self.keep_pace();
        }
        if self.update(self.now, self.turn.square(square), piece) {
            self.sensed();
        }
    }

    /// What is known of the scan by now counts from here on.
    pub(super) fn keep_pace(&mut self) {
        let lag_ms = self.pace.lag_ms();
        if self.scan_ms != lag_ms {
            self.scan_ms = lag_ms;
            self.clock.lag_by(lag_ms);
        }
    }

    /// One square reads something else; `false` when it did already.
    fn update(&mut self, at: Mono, square: usize, now: PieceCode) -> bool {
        let was = self.image.placement().0[square];
        let changed = self.image.update(at, square, now);
        if self.image.placement().0[square] != was {
            self.touch(square, was, now);
        }
        changed
    }

    /// The image changed.
    pub(super) fn sensed(&mut self) {
        let started = self.try_start();
        let placement = self.image.as_read().fen();
        if started {
            // The game's own frame of squares counts from here on.
            let begun = self.outputs.pop_back();
            self.say(Body::Placement { placement, settled: false });
            self.outputs.extend(begun);
        } else {
            self.say(Body::Placement { placement, settled: false });
        }
        self.set(Timer::Settle, Some(self.now + self.scan_ms));
        self.recovering = self.recovering && !self.recover();
        self.correct_what_lagged();
        self.watch_set_up();
        self.look();
        self.watch_kings();
        self.judge_presses();
        self.watch_board();
    }

    /// A message changed on its way may say something plausible: what a move on the board rests on is read again while all is quiet.
    fn check_quietly(&mut self) {
        // A press that waits has asked already.
        let due = |play: &super::play::Play| !play.over && play.presses.iter().all(|press| press.asked.is_none());
        if self.play.as_ref().is_some_and(|play| due(play) && play.ground().placement != *self.image.placement()) {
            self.ask_for_dump();
        }
    }

    pub(super) fn settled(&mut self) {
        let placement = self.image.as_read().fen();
        self.say(Body::Placement { placement, settled: true });
        self.put_right_by_hand();
        self.correct_what_came_late(MOST_REPLIES);
        self.find_the_thread();
        self.check_quietly();
        self.watch_the_unread();
        self.watch_board();
        self.set_up_anew();
    }
}
