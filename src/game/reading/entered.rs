//! What arbiters and operators enter.
use crate::pgn;
use crate::placement::Placement;
use crate::reading::view::Reading;
use crate::referee::facts::Fact;
use crate::referee::resigned;
use crate::referee::ruled::Ruling;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use flagfall_events::{Body, Entry, GameResult, Order, ResultSource};
use flagfall_hands::position::position_of;

/// The reason of a result that was entered without one.
const ENTERED: &str = "entered";

impl Reading<'_> {
    /// An arbiter or operator says so.
    pub(crate) fn entered(&mut self, entry: &Entry) {
        if self.refusal(entry).is_some() {
            return;
        }
        let echo = Body::Ruling(Box::new(flagfall_events::Ruling::of(entry.clone())));
        if let Order::Result { game, result, reason } = &entry.order {
            let game = game.or_else(|| self.ended_or_on()).unwrap_or(self.own.number);
            self.say_of(game, echo);
            self.result_entered(game, *result, reason.as_deref().unwrap_or(ENTERED));
            return;
        }
        if let Order::Report { key, by } = &entry.order {
            if let Some(key) = key.known() {
                let ruled = self.hearing().report(key, *by, echo);
                self.carry_out(ruled);
            }
            return;
        }
        if !matches!(entry.order, Order::Stop {} | Order::Restart {} | Order::Arrived { .. }) {
            self.say_all(vec![echo]);
        }
        self.carry_out_order(&entry.order);
    }

    /// The game that is on, or that was played last.
    fn ended_or_on(&self) -> Option<u32> {
        if self.own.play.as_ref().is_some_and(|play| play.said) { Some(self.own.number) } else { self.last_begun() }
    }

    /// A result was entered: of the game on the board, which `*` opens again, or of an earlier one, and then nothing of this one is touched.
    fn result_entered(&mut self, game: u32, result: GameResult, reason: &str) {
        let ended = if self.is_unsaid() { self.own.stage.last.as_deref() } else { self.own.play.as_ref() };
        let wrong = ended.and_then(|play| play.ended).is_some_and(|(was, by)| was != GameResult::Open || by == ResultSource::Operator);
        if result == GameResult::Open && wrong && Some(game) == self.last_begun() {
            self.reopen(ResultSource::Operator);
        } else if self.own.play.is_some() && game == self.spoken_of() {
            self.tell_how_it_ended();
            self.over(result, reason, None, ResultSource::Operator);
            self.ended_by(result, resigned::says_so(reason));
        } else if self.last_begun().is_some_and(|last| game <= last) {
            if let Some(last) = self.own.stage.last.as_mut().filter(|_| self.own.stage.begun && game == self.own.number) {
                last.ended = Some((result, ResultSource::Operator));
            }
            self.say_of(game, Body::Result { result, reason: String::from(reason), article: None, source: ResultSource::Operator });
        }
    }

    fn carry_out_order(&mut self, order: &Order) {
        self.clocks.entered(self.now, order);
        // What is looked for beside an ended game is the one after it.
        if matches!(order, Order::SetPosition { .. } | Order::Moves { .. } | Order::TakeOver { ended: None, .. }) {
            self.give_up_the_unseen();
        }
        match order {
            Order::NewGame {} => self.new_game(),
            Order::SetPosition { fen } => self.set_position(fen),
            Order::Moves { pgn } => {
                if let Ok(written) = pgn::read(pgn) {
                    self.restore_record(&written);
                }
            }
            Order::Rule { finding, decision, clock, result } => {
                let ruled = self.hearing().rule(*finding, &Ruling { decision: *decision, clock: *clock, result: *result });
                self.carry_out(ruled);
            }
            Order::TakeOver { game, began, pgn, ended } => {
                if let Ok(written) = pgn::read_any(pgn) {
                    self.take_game_over(*game, *began, &written, ended.as_ref());
                }
            }
            Order::SetClock { clock } => {
                self.ruled_clock(*clock);
                self.tell(Fact::Changed);
            }
            Order::Penalty { clock, .. } => {
                if let Some(clock) = clock {
                    self.ruled_clock(*clock);
                }
                self.tell(Fact::Penalty);
            }
            Order::Promote { piece, ply } => self.promotion_answered(*piece, *ply),
            Order::Choose { ply, uci } => self.chosen(*ply, uci),
            Order::Assistant { by } => self.tell(Fact::Assistant(*by)),
            Order::Count { by } => self.tell(Fact::Count(*by)),
            Order::Flag { by } => self.flag_entered(*by),
            _ => {}
        }
    }

    /// Somebody says that the next game begins: with what was moved since the pieces were set up, or as soon as they are.
    fn new_game(&mut self) {
        self.forget_the_unread();
        self.own.stage.called = true;
        if self.is_unsaid() {
            self.begin_if_due();
            return;
        }
        // The last one's log is on its way: what it tells is not put away with it. The next one begins when its pieces stand.
        if self.waits_for_a_late_log() && self.find_start().is_none() {
            return;
        }
        self.put_away();
        self.own.stage.runs_on = self.clocks.running().is_some();
        if !self.try_start() && !self.try_start_in_hand() {
            self.begin_unseen();
        }
    }

    pub(crate) fn set_position(&mut self, fen: &str) {
        let Some((position, chess960)) = position_of(fen) else { return };
        let placement = Placement::of(position.board()).fen();
        // What was played in a gap is not looked for any more: the position is known.
        self.recovery.recovering = false;
        self.forget_the_unread();
        match self.own.play {
            Some(_) => self.jump(position),
            None => self.start(position, chess960),
        }
        self.say(Body::Placement { placement, settled: true });
        if self.recovery.looks_behind_the_log() {
            return;
        }
        self.own.restoring = self.own.play.as_ref().is_some_and(|p| p.expected() != self.watcher.image.as_read());
        self.look();
    }
}
