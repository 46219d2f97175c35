//! What the game does with each input: messages, the link, entries, deadlines.
use super::entry::{Entry, Order};
use super::event::{Body, Colour, GameResult, How, LinkState, ResultSource};
use super::orientation::{Found, Turn, find_start};
use super::placement::{Image, Placement};
use super::play::{Completion, Play, Press};
use super::press::{self, Judgement};
use super::record::End;
use super::settings::BoardKind;
use super::{Game, Output, Timer, kings};
use dgt_protocol::clock::ClockReport;
use dgt_protocol::command::Command;
use dgt_protocol::message::Message;
use dgt_protocol::square::{PieceCode, WireSquare};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// How long both kings must stand in the centre.
const KINGS_MS: u64 = 5_000;
/// Without a clock: how long a move stands that could not go on, and one that could.
const STANDS_MS: u64 = 3_000;
const COULD_GO_ON_MS: u64 = 3_500;
/// What a line may cost that is found only when all is quiet.
const ODD_AFTER_ALL: u32 = 100;
/// Messages lost from which on every press is checked against a dump, and for how long.
const DISTRUST: u32 = 1;
const DISTRUST_MS: u64 = 600_000;
/// A dump is asked for at most once in this time.
const ASK_AGAIN_MS: u64 = 1_000;

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
            _ => {}
        }
    }

    /// Told once the firmware is known, and again only when something changes.
    fn identify(&mut self, change: impl FnOnce(&mut Identity)) {
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
            return;
        }
        self.link = Some(state);
        if state == LinkState::Down {
            self.gap = true;
            self.clock.forget_lever();
        }
        self.asked_for_dump = None;
        self.say(Body::Link { state, reason });
    }

    /// Asks for the whole image, since the one kept may be wrong.
    pub(super) fn ask_for_dump(&mut self) {
        if self.asked_for_dump.is_none_or(|at| self.now.since(at) >= ASK_AGAIN_MS) {
            self.asked_for_dump = Some(self.now);
            self.outputs.push_back(Output::Command(Command::SendBoard));
        }
    }

    /// A message was lost: what it said is unknown until the next dump.
    pub(super) fn damaged(&mut self) {
        self.doubt = Some(self.doubt.unwrap_or(self.now));
        self.damage = Some((self.now, self.damage.map_or(0, |(_, times)| times) + 1));
        self.ask_for_dump();
    }

    fn dump(&mut self, dump: &[PieceCode; 64]) {
        self.asked_for_dump = None;
        let first = self.wire.is_none();
        self.wire = Some(*dump);
        let placement = self.turn.placement(dump);
        if self.gap {
            self.gap = false;
            self.after_gap(placement);
            return;
        }
        if let Some(play) = self.play.as_mut() {
            play.presses.iter_mut().filter(|p| p.asked.is_some()).for_each(|p| p.dumped = true);
        }
        // What a lost message would have said happened when it was lost, not now.
        let since = self.doubt.take().unwrap_or(self.now);
        let mut changed = first;
        for (square, &piece) in placement.0.iter().enumerate() {
            changed |= self.image.update(since, square, piece);
        }
        if changed {
            self.sensed();
        } else {
            self.judge_presses();
        }
    }

    fn field(&mut self, square: WireSquare, piece: PieceCode) {
        let Some(wire) = self.wire.as_mut() else {
            self.ask_for_dump();
            return;
        };
        wire[usize::from(square.index())] = piece;
        if self.image.update(self.now, self.turn.square(square), piece) {
            self.sensed();
        }
    }

    /// The image changed.
    fn sensed(&mut self) {
        let started = self.try_start();
        let placement = self.image.placement().fen();
        if started {
            // The game's own frame of squares counts from here on.
            let body = self.outputs.pop_back();
            self.say(Body::Placement { placement, settled: false });
            self.outputs.extend(body);
        } else {
            self.say(Body::Placement { placement, settled: false });
        }
        self.set(Timer::Settle, Some(self.now + self.scan_ms));
        self.recovering = self.recovering && !self.recover();
        self.look();
        self.watch_kings();
        self.judge_presses();
    }

    pub(super) fn settled(&mut self) {
        let placement = self.image.placement().fen();
        self.say(Body::Placement { placement, settled: true });
        self.find_the_thread();
        if self.play.as_ref().is_some_and(|p| p.over) && self.find_start().is_some() {
            self.play = None;
            self.try_start();
        }
    }

    fn find_start(&self) -> Option<Found> {
        let wire = self.wire.as_ref()?;
        let agreed = self.settings.start_fen.as_deref().and_then(position_of);
        find_start(wire, agreed.as_ref(), self.settings.kind != BoardKind::Dgt)
    }

    /// Begins a game when the start position stands and none is going on.
    fn try_start(&mut self) -> bool {
        // Before the first move the board may still be turned or set up anew.
        let idle = self.play.as_ref().is_none_or(|p| !p.over && p.record.plies().is_empty());
        let Some(found) = idle.then(|| self.find_start()).flatten() else { return false };
        if self.play.as_ref().is_some_and(|p| self.turn == found.turn && p.ground().chess == found.position) {
            return false;
        }
        self.begin(found);
        true
    }

    fn begin(&mut self, found: Found) {
        self.turn = found.turn;
        if let Some(wire) = &self.wire {
            self.image = Image::new(self.turn.placement(wire));
        }
        if self.clock.sides_open() {
            // The clock stands on the connector's side, which is White's left unless the board is turned.
            self.clock.set_white(if found.turn == Turn::Half { super::clock::Side::Right } else { super::clock::Side::Left });
        }
        self.start(found.position, found.chess960);
    }

    fn start(&mut self, position: Chess, chess960: bool) {
        self.clock.new_game();
        self.thinking = 0;
        self.clock_began = self.clock.running().map(|_| self.now);
        for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::End, Timer::Kings] {
            self.set(timer, None);
        }
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        self.play = Some(Play::new(position, chess960, self.settings.kind != BoardKind::Dgt));
        let body = Body::GameStart {
            fen,
            rules: String::from(self.settings.rules.as_str()),
            play: String::from(self.settings.play.as_str()),
            time_control: self.settings.time_control.as_ref().map(ToString::to_string),
            chess960,
        };
        self.say(body);
    }

    /// What stands after the link was down, compared with what stood before.
    fn after_gap(&mut self, placement: Placement) {
        let changed = self.image.placement().diff(&placement) != 0;
        self.image = Image::new(placement);
        self.recovering = !self.recover();
        if changed {
            self.sensed();
        }
        self.after_made();
    }

    /// Finds what was played while the link was down. `false`: what stands is not a position that legal play comes to, perhaps because
    /// a piece is in somebody's hand; the next image may tell.
    fn recover(&mut self) -> bool {
        let Some(play) = self.play.as_mut().filter(|p| !p.over) else { return true };
        let Some(line) = play.recovered_line(&self.image, self.scan_ms) else { return false };
        let mut said = Vec::new();
        play.announce(&line, &mut |b| said.push(b));
        let last = play.record.plies().len();
        for index in 0..last.saturating_sub(1) {
            play.complete(index, Completion::bare(How::Recovered), &mut |b| said.push(b));
        }
        play.freeze(line.len().saturating_sub(1), &mut self.image);
        self.gap_ply = play.record.plies().last().is_some_and(|p| !p.completed).then(|| last - 1);
        self.outputs.extend(said.into_iter().map(Output::Event));
        true
    }

    /// After a gap the lever tells whether the last move was pressed meanwhile.
    fn close_gap(&mut self) {
        let Some(index) = self.gap_ply.take() else { return };
        let to_move = self.clock.to_move();
        let Some(play) = self.play.as_mut().filter(|p| !p.over) else { return };
        if play.record.plies().get(index).is_some_and(|p| to_move == Some(p.by.other())) {
            let mut said = Vec::new();
            play.complete(index, Completion::bare(How::Recovered), &mut |b| said.push(b));
            if index >= play.base() {
                let plies = index + 1 - play.base();
                play.freeze(plies, &mut self.image);
            }
            self.outputs.extend(said.into_iter().map(Output::Event));
        }
    }

    fn clock_report(&mut self, report: &ClockReport) {
        let changed = self.clock.report(report);
        if changed.running || changed.presence {
            match (self.clock.running(), self.clock_began.take()) {
                (Some(_), None) => self.clock_began = Some(self.now),
                (Some(_), began) => self.clock_began = began,
                (None, Some(began)) => self.thinking += self.now.since(began),
                (None, None) => {}
            }
        }
        if let Some(side) = changed.press {
            self.settle_sides(side, changed.running);
            let by = self.clock.colour(side);
            self.say(Body::Press { by });
        }
        if let Some(state) = self.clock.publish(self.now, changed) {
            self.say(Body::Clock(state));
        }
        if changed.press.is_some() {
            // A press that was seen completes the move by itself.
            self.gap_ply = None;
        } else if matches!(report, ClockReport::Time(_)) {
            self.close_gap();
        }
        if let Some(side) = changed.press {
            self.pressed(self.clock.colour(side));
        }
        if changed.flag {
            self.watch_kings();
        }
    }

    /// The first press of a clock that was running belongs to White, whose first move it completes.
    fn settle_sides(&mut self, pressed: super::clock::Side, just_started: bool) {
        let Some(play) = self.play.as_mut().filter(|p| !p.over && !p.pressed && !just_started) else { return };
        play.pressed = true;
        if self.clock.sides_open() && self.clock.white() != pressed && play.record.plies().len() <= 2 && play.white_began {
            self.clock.set_white(pressed);
        }
    }

    fn pressed(&mut self, by: Colour) {
        let spent_ms = self.clock_began.map(|began| self.thinking + self.now.since(began));
        self.thinking = 0;
        self.clock_began = self.clock.running().map(|_| self.now);
        let clock = self.clock.shown();
        let Some(play) = self.play.as_mut().filter(|p| !p.over) else { return };
        // One move a press: an older one of the same player is spent, unless the opponent has pressed since.
        if play.unanswered.last().is_some_and(|earlier| earlier.by == by) {
            play.unanswered.pop();
        }
        play.presses.push_back(Press { by, at: self.now, clock, spent_ms, asked: None, dumped: false });
        self.judge_presses();
    }

    /// Decides as many presses as can be decided, oldest first.
    pub(super) fn judge_presses(&mut self) {
        self.set(Timer::Press, None);
        let verify = self.damage.is_some_and(|(last, times)| times >= DISTRUST && self.now.since(last) < DISTRUST_MS);
        loop {
            let Some(play) = self.play.as_mut().filter(|p| !p.over) else { return };
            let Some(press) = play.presses.front().copied() else { return };
            match press::judge(play, &press, &self.image, self.now, self.scan_ms, verify) {
                Judgement::Wait(at) => {
                    self.set(Timer::Press, Some(at.max(self.now + 1)));
                    return;
                }
                Judgement::Ask => {
                    if let Some(front) = play.presses.front_mut() {
                        front.asked = Some(self.now);
                    }
                    self.doubt = Some(self.doubt.unwrap_or(press.at));
                    self.ask_for_dump();
                    continue;
                }
                Judgement::Idle => {}
                Judgement::Nothing => play.unanswered.push(press),
                Judgement::Late => {
                    let mut said = Vec::new();
                    let waiting = play.waiting(press.by);
                    press::complete_all(play, &waiting, &press, &mut |b| said.push(b));
                    let certain = waiting.last().map_or(0, |&i| (i + 1).saturating_sub(play.base()));
                    play.freeze(certain, &mut self.image);
                    self.outputs.extend(said.into_iter().map(Output::Event));
                }
                Judgement::Completes(line) => {
                    let mut said = Vec::new();
                    if !play.begins_with(&line) {
                        play.announce(&line, &mut |b| said.push(b));
                    }
                    let upto = play.base() + line.len();
                    press::complete_unanswered(play, upto - 1, &mut |b| said.push(b));
                    let waiting: Vec<usize> = play.waiting(press.by).into_iter().filter(|&i| i < upto).collect();
                    press::complete_all(play, &waiting, &press, &mut |b| said.push(b));
                    play.freeze(line.len(), &mut self.image);
                    self.outputs.extend(said.into_iter().map(Output::Event));
                }
            }
            if let Some(play) = self.play.as_mut() {
                play.presses.pop_front();
            }
            self.look();
            self.after_made();
        }
    }

    /// Looks what stands on the board now, and announces it unless it may still go on.
    fn look(&mut self) {
        self.set(Timer::Made, None);
        // While a press is judged, the press decides what stands.
        let Some(play) = self.play.as_ref().filter(|p| !p.over && p.presses.is_empty()) else { return };
        let Some(line) = play.exact_line(&self.image, self.scan_ms) else {
            if let Some(line) = play.answered_line(&self.image, self.scan_ms) {
                self.make(&line);
            }
            return;
        };
        if play.is_line(&line) {
            return;
        }
        // What was made may explain it better, with more under way.
        if line.len() > 1 && play.cost_as_is(&self.image, self.scan_ms).total < play.cost_of(&line, &self.image, self.scan_ms).total {
            return;
        }
        let known = play.line().len();
        let taken_back = line.len() < known && play.begins_with(&line);
        let jump = line.len() > known + 1;
        let goes_on = !line.is_empty() && play.may_go_on(&line, line.len() - 1, &self.image);
        if !taken_back && (jump || goes_on) {
            self.set(Timer::Made, Some(self.image.last_change().max(self.now) + self.scan_ms));
        } else {
            self.make(&line);
        }
    }

    /// The board is quiet and no short line leads to it: several plies may have gone by unread.
    fn find_the_thread(&mut self) {
        let Some(play) = self.play.as_ref().filter(|p| !p.over && p.presses.is_empty()) else { return };
        if play.exact_line(&self.image, self.scan_ms).is_some() {
            return;
        }
        if play.cost_as_is(&self.image, self.scan_ms).wrong != 0 {
            self.doubt = Some(self.doubt.unwrap_or(self.image.last_change()));
            self.ask_for_dump();
        }
        let Some(play) = self.play.as_ref() else { return };
        if let Some(line) = play.recovered_line(&self.image, self.scan_ms)
            && play.cost_of(&line, &self.image, self.scan_ms).total <= ODD_AFTER_ALL
        {
            self.make(&line);
        }
    }

    pub(super) fn made_for_sure(&mut self) {
        let Some(play) = self.play.as_ref().filter(|p| !p.over) else { return };
        if let Some(line) = play.exact_line(&self.image, self.scan_ms).filter(|line| !play.is_line(line)) {
            self.make(&line);
        }
    }

    fn make(&mut self, line: &[super::recognition::step::Step]) {
        let mut said = Vec::new();
        if let Some(play) = self.play.as_mut() {
            play.announce(line, &mut |b| said.push(b));
        }
        self.outputs.extend(said.into_iter().map(Output::Event));
        self.after_made();
    }

    /// What follows from a move that was made: it completes earlier ones (6.2.1.2), or ends the game (6.2.1.1).
    fn after_made(&mut self) {
        let in_use = self.clock.in_use();
        let next_completes = self.settings.rules.next_move_completes();
        let mut said = Vec::new();
        let Some(play) = self.play.as_mut().filter(|p| !p.over) else { return };
        let total = play.record.plies().len();
        if !in_use {
            for index in play.base()..total.saturating_sub(1) {
                play.complete(index, Completion::bare(How::NextMove), &mut |b| said.push(b));
            }
            play.freeze(play.line().len().saturating_sub(1), &mut self.image);
        } else if total > 2 {
            let mut certain = 0;
            for index in play.base()..total - 2 {
                if next_completes {
                    play.complete(index, Completion::bare(How::NextMove), &mut |b| said.push(b));
                }
                certain = index + 1 - play.base();
            }
            play.freeze(certain, &mut self.image);
        }
        if !play.unanswered.is_empty() && !play.line().is_empty() {
            let answered = press::complete_unanswered(play, total, &mut |b| said.push(b));
            let plies = answered.map_or(0, |index| (index + 1).saturating_sub(play.base()));
            play.freeze(plies, &mut self.image);
        }
        self.outputs.extend(said.into_iter().map(Output::Event));
        self.wait_for_the_last();
    }

    /// The last move made may end the game, or be completed by standing long enough where there is no clock.
    fn wait_for_the_last(&mut self) {
        self.set(Timer::Complete, None);
        self.set(Timer::End, None);
        let Some(play) = self.play.as_ref().filter(|p| !p.over) else { return };
        let Some(last) = play.record.plies().last() else { return };
        let open = !last.completed && !play.line().is_empty();
        let goes_on = open && play.may_go_on(play.line(), play.line().len() - 1, &self.image);
        if let Some(end) = play.end() {
            if goes_on {
                self.set(Timer::End, Some(self.now + COULD_GO_ON_MS));
            } else {
                self.finish(end);
            }
        } else if open && !self.clock.in_use() {
            let stood = play.line().last().map_or(0, |s| Play::age_of(s, &self.image, self.now));
            let wanted = if goes_on { COULD_GO_ON_MS } else { STANDS_MS };
            self.set(Timer::Complete, Some(self.now + wanted.saturating_sub(stood).max(1)));
        }
    }

    pub(super) fn stood_long_enough(&mut self) {
        let placement = *self.image.placement();
        let mut said = Vec::new();
        let Some(play) = self.play.as_mut().filter(|p| !p.over) else { return };
        let Some(step) = play.line().last() else { return };
        if step.after().any(|(square, piece)| placement.0[square] != piece) {
            self.set(Timer::Complete, Some(self.now + STANDS_MS));
            return;
        }
        let last = play.record.plies().len() - 1;
        play.complete(last, Completion::bare(How::Settled), &mut |b| said.push(b));
        play.freeze(play.line().len(), &mut self.image);
        self.outputs.extend(said.into_iter().map(Output::Event));
    }

    pub(super) fn ended_for_sure(&mut self) {
        if let Some(end) = self.play.as_ref().filter(|p| !p.over).and_then(Play::end) {
            self.finish(end);
        }
    }

    /// The last move ended the game (5.1.1, 5.2.1, 5.2.2, 9.6); it needs no press (6.2.1.1).
    fn finish(&mut self, end: End) {
        let spent_ms = self.clock_began.map(|began| self.thinking + self.now.since(began));
        let completion = Completion { how: How::GameEnd, clock: self.clock.shown(), spent_ms };
        let mut said = Vec::new();
        if let Some(play) = self.play.as_mut() {
            let last = play.record.plies().len().saturating_sub(1);
            for index in 0..last {
                play.complete(index, Completion::bare(How::GameEnd), &mut |b| said.push(b));
            }
            play.complete(last, completion, &mut |b| said.push(b));
        }
        self.outputs.extend(said.into_iter().map(Output::Event));
        self.over(end.result, end.reason, Some(end.article), ResultSource::Position);
    }

    fn over(&mut self, result: GameResult, reason: &str, article: Option<&str>, source: ResultSource) {
        if let Some(play) = self.play.as_mut() {
            play.over = true;
            play.presses.clear();
            play.unanswered.clear();
        }
        for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::End, Timer::Kings] {
            self.set(timer, None);
        }
        self.say(Body::Result { result, reason: String::from(reason), article: article.map(String::from), source });
    }

    /// Starts or stops waiting for the kings; a fallen flag says already that the game is at its end.
    fn watch_kings(&mut self) {
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
        self.outputs.extend(said.into_iter().map(Output::Event));
        let article = if result == GameResult::Draw { "5.2.3" } else { "5.1.2" };
        self.over(result, "kings in the centre", Some(article), ResultSource::Kings);
    }

    /// Why an entry cannot be carried out, if it cannot.
    pub fn refusal(&self, entry: &Entry) -> Option<String> {
        match &entry.order {
            Order::SetPosition { fen } if position_of(fen).is_none() => Some(format!("{fen:?} is no position in FEN")),
            Order::Rule { finding, .. } => Some(format!("there is no finding {finding}")),
            _ => None,
        }
    }

    /// An arbiter or operator says so.
    pub(super) fn entered(&mut self, entry: &Entry) {
        if self.refusal(entry).is_some() {
            return;
        }
        if let Ok(serde_json::Value::Object(mut rest)) = serde_json::to_value(entry) {
            let name = rest.remove("do").and_then(|v| v.as_str().map(String::from)).unwrap_or_default();
            if !matches!(entry.order, Order::Stop {} | Order::Restart {} | Order::Arrived { .. }) {
                self.say(Body::Ruling { r#do: name, rest });
            }
        }
        match &entry.order {
            Order::Result { result, reason } if self.play.as_ref().is_some_and(|p| !p.over) => {
                let reason = reason.clone().unwrap_or_else(|| String::from("entered"));
                self.over(*result, &reason, None, ResultSource::Operator);
            }
            Order::NewGame {} => {
                self.play = None;
                self.try_start();
            }
            Order::SetPosition { fen } => self.set_position(fen),
            _ => {}
        }
    }

    fn set_position(&mut self, fen: &str) {
        let Some((position, chess960)) = position_of(fen) else { return };
        let placement = Placement::of(position.board()).fen();
        match self.play.as_mut().filter(|p| !p.over) {
            Some(play) => play.set_position(position),
            None => self.start(position, chess960),
        }
        self.say(Body::Placement { placement, settled: true });
        self.look();
    }
}

/// A position from FEN; Shredder-FEN and X-FEN castling rights that only Chess960 knows make it Chess960.
pub(super) fn position_of(fen: &str) -> Option<(Chess, bool)> {
    let fen: Fen = fen.parse().ok()?;
    let lenient = |mode| {
        use shakmaty::FromSetup;
        Chess::from_setup(fen.as_setup().clone(), mode)
            .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()
    };
    match fen.clone().into_position::<Chess>(CastlingMode::Standard) {
        Ok(position) => Some((position, false)),
        Err(_) => match fen.clone().into_position::<Chess>(CastlingMode::Chess960) {
            Ok(position) => Some((position, true)),
            Err(_) => lenient(CastlingMode::Standard).map(|p| (p, false)),
        },
    }
}
