//! A whole record that an operator or arbiter entered: what differs from it is taken back, and its plies stand.
use crate::pgn::Written;
use crate::placement::Placement;
use crate::press::{Completion, Displays};
use crate::reading::taken_over::step;
use crate::reading::view::Reading;
use crate::recogniser::kings;
use crate::recogniser::play::Play;
use crate::recovery::memory::Memory;
use crate::referee::facts::Fact;
use crate::timers::Timer;
use crate::watcher::orientation::Turn;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use flagfall_events::{BoardKind, Body, ClockPair, Colour, GameResult, How, ResultSource, TakenResult, UNREAD, Wall};
use flagfall_hands::position::Position;
use flagfall_laws::Edition;

/// Squares that two hands at work leave otherwise than they should be.
const AT_WORK: u32 = 6;

impl Reading<'_> {
    /// The record of the game is this one; where none is on, it begins with it. What stands on the board beyond its last ply was played, and is looked for.
    pub(crate) fn restore_record(&mut self, written: &Written) {
        self.forget_the_unread();
        if self.own.play.is_none() {
            self.begin_as(written);
        }
        let kept = self.keep_as(written);
        self.say_all_written(written, kept);
        self.record_is_whole();
        if self.own.play.as_ref().is_none_or(|play| play.over) {
            return;
        }
        self.look_beyond();
    }

    /// The game is as far as its record says; what stands on the board beyond that was played meanwhile.
    fn look_beyond(&mut self) {
        for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::End, Timer::Kings, Timer::SetUp, Timer::Disorder] {
            self.set(timer, None);
        }
        (self.own.restoring, self.own.stage.kings, self.own.stage.stood) = (false, None, None);
        self.recovery.gap_ply = None;
        if self.recovery.looks_behind_the_log() {
            return;
        }
        // It was read from what was known before.
        self.recovery.memory = Memory::Unasked;
        match self.watcher.wire.map(|wire| self.watcher.turn.placement(&wire)).filter(|_| !self.recovery.gap) {
            Some(placement) => self.after_gap(placement),
            // The next picture is looked at so.
            None => self.recovery.gap = true,
        }
    }

    /// No game is known here: it begins now, and the board stands as its pieces do.
    fn begin_as(&mut self, written: &Written) {
        self.turn_as(&written.end);
        self.own.stage.called = true;
        self.start(written.start.clone(), written.chess960);
        // It is in the middle of the game: what it shows is no base time.
        self.clocks.forget_lever();
    }

    /// The board stands the way round in which it is nearer to this position.
    pub(crate) fn turn_as(&mut self, position: &Position) {
        if let Some(wire) = &self.watcher.wire {
            let wanted = Placement::of(position.board());
            let wanted = if self.settings.kind == BoardKind::Dgt { wanted } else { wanted.occupancy() };
            let apart = |turn: &Turn| turn.placement(wire).diff(&wanted).count_ones();
            let turn = [Turn::None, Turn::Half].into_iter().min_by_key(apart).unwrap_or_default();
            self.watcher.turn_to(turn);
        }
    }

    /// The first picture of a board whose game was taken over before it came.
    pub(crate) fn turned_as_the_game(&mut self, placement: Placement) -> Placement {
        let Some(position) = self.own.play.as_ref().map(|play| play.top().position.clone()) else { return placement };
        self.turn_as(&position);
        self.watcher.wire.map_or(placement, |wire| self.watcher.turn.placement(&wire))
    }

    /// The board's game goes on here as another machine recorded it: its number, its plies, its result. What was known of it here is part of that. Where
    /// the pieces of the next game stand already, it is the one before.
    pub(crate) fn take_game_over(&mut self, game: u32, began: Option<Wall>, written: &Written, ended: Option<&TakenResult>) {
        self.forget_the_unread();
        self.note_the_kings();
        let clocks = self.clocks_of(written);
        let occupancy = self.settings.kind != BoardKind::Dgt;
        let mut said = Vec::new();
        let mut play = Play::new(written.start.clone(), written.chess960, occupancy);
        play.automatic_draws = Edition::of(self.settings.rules).automatic_draws;
        play.said = true;
        let mut start = self.game_start(&play);
        if let Body::GameStart { began: since, .. } = &mut start {
            *since = began;
        }
        said.push(start);
        put(&mut play, written, 0, How::Recovered, &clocks, &mut |body| said.push(body));
        let same_game = self.own.stage.begun && self.own.number == game;
        if self.stands_at_its_end(written) {
            self.give_up_the_unseen();
        }
        // The one after it: found on the board while the record's own game is over, or begun here.
        let supposed = |known: &Play| known.supposed && known.said && !known.over && ended.is_some();
        let begun = |known: &Play| ended.is_some() && self.goes_on_here(known, written);
        let begins = self.own.play.as_ref().is_some_and(|known| supposed(known) || begun(known));
        let begun_here = begins && self.own.play.as_ref().is_some_and(|known| !known.supposed);
        // Pieces that were set up since: nobody here saw how it ended.
        let next = match self.own.play.take() {
            Some(mut known) if begins => {
                known.said = false;
                Some(known)
            }
            Some(known) if known.said && !known.record.plies().is_empty() => {
                // An earlier game, of which a result may still be entered.
                self.own.stage.last = Some(Box::new(known)).filter(|_| !same_game);
                None
            }
            Some(mut known) => {
                known.said = false;
                // What is looked for from its start on is this game, unless that has ended.
                Some(known).filter(|_| !written.plies.is_empty() && (!self.recovery.recovering || ended.is_some()))
            }
            None => None,
        };
        *self.meanwhile = None;
        // Of a game that nobody knew here the kings may have shown how it ended.
        let shown = self.kings_showed(&Placement::of(written.end.board())).filter(|_| ended.is_none());
        let unread = || match shown {
            Some((result, _)) => TakenResult { result, reason: String::from(kings::REASON), source: ResultSource::Kings },
            None => TakenResult { result: GameResult::Open, reason: String::from(UNREAD), source: ResultSource::Setup },
        };
        let ended = ended.cloned().or_else(|| next.is_some().then(unread));
        if let Some(TakenResult { result, reason, source }) = ended {
            (play.over, play.ended) = (true, Some((result, source)));
            play.cancelled = result == GameResult::Open && source == ResultSource::Ruling;
            said.push(Body::Result { result, reason, article: None, source });
        }
        self.own.number = game;
        self.own.stage.begun = true;
        if !begun_here {
            self.clocks.forget_lever();
        }
        let (over, set_up) = (play.over, next.is_some());
        match next {
            Some(next) => (self.own.stage.last, self.own.play) = (Some(Box::new(play)), Some(next)),
            None => {
                self.turn_as(&written.end);
                self.recovery.turn_unknown = self.watcher.wire.is_none();
                self.own.play = Some(play);
                self.tell(Fact::TakenOver { made: vec![self.now; written.plies.len()], same_game });
            }
        }
        for body in said {
            self.say_of(game, body);
        }
        if begins {
            self.has_begun(usize::MAX);
        }
        self.watcher.image.look_at_all();
        self.watcher.image.forget(|_| false);
        if !over && !set_up {
            self.look_beyond();
            let known = self.own.play.as_ref().map_or(0, |play| play.record.plies().len());
            if let Some((_, kings)) = shown.filter(|_| known == written.plies.len()) {
                self.take_what_stood_before(&kings);
            }
            self.own.stage.kings = shown.map(|(result, _)| result);
            if shown.is_some() {
                // What the clock says from now on may be the next game's.
                self.close_gap_for_good();
            }
        }
    }

    /// Whether what stands is this game, which goes on here, and not the one that has come to where this record ends.
    fn goes_on_here(&self, known: &Play, written: &Written) -> bool {
        let is_on = known.said && !known.over && !known.record.plies().is_empty() && !self.recovery.is_unknown();
        let stands = known.expected().diff(self.watcher.image.as_read()).count_ones() <= AT_WORK;
        is_on && stands && !self.stands_at_its_end(written)
    }

    /// Whether the board stands where this record ends, but for what hands at work leave otherwise.
    fn stands_at_its_end(&self, written: &Written) -> bool {
        let end = Placement::of(written.end.board());
        let end = if self.settings.kind == BoardKind::Dgt { end } else { end.occupancy() };
        end.diff(self.watcher.image.as_read()).count_ones() <= AT_WORK
    }

    /// Takes back what does not stand as written; how many plies stand.
    fn keep_as(&mut self, written: &Written) -> usize {
        let mut said = Vec::new();
        let Some(play) = self.own.play.as_mut() else { return 0 };
        let (kept, plies) = (play.standing(written), play.record.plies().len());
        let last = kept.unwrap_or(0);
        if last < plies {
            play.take_back(last, &mut |body| said.push(body));
        }
        for index in 0..last {
            play.complete(index, Completion::bare(How::Ruling), &mut |body| said.push(body));
        }
        let top = play.top().position.clone();
        play.set_position(top);
        let begins_elsewhere = kept.is_none();
        self.say_all(said);
        if begins_elsewhere {
            let mut play = Play::new(written.start.clone(), written.chess960, self.settings.kind != BoardKind::Dgt);
            play.automatic_draws = Edition::of(self.settings.rules).automatic_draws;
            play.said = true;
            let start = self.game_start(&play);
            self.own.play = Some(play);
            self.say(start);
        }
        self.tell(Fact::Restored { kept: u32::try_from(last).unwrap_or(u32::MAX) });
        last
    }

    /// Says the plies after the first `kept` ones, each completed by the ruling.
    fn say_all_written(&mut self, written: &Written, kept: usize) {
        let clocks = self.clocks_of(written);
        let mut said = Vec::new();
        let Some(play) = self.own.play.as_mut() else { return };
        put(play, written, kept, How::Ruling, &clocks, &mut |body| said.push(body));
        self.watcher.image.look_at_all();
        self.watcher.image.forget(|_| false);
        self.say_all(said);
    }

    /// Both displays after each ply: what is written of the mover's, the other one as it was; before his first move as the time control has it.
    fn clocks_of(&self, written: &Written) -> Vec<Option<ClockPair>> {
        let base = self.settings.time_control.as_ref().and_then(|control| control.periods().first());
        let base = base.map(|period| i64::from(period.base_s) * 1_000);
        let (mut white, mut black) = (base, base);
        let after = |ply: &crate::pgn::WrittenPly| {
            let display = if ply.before.turn() == Colour::White { &mut white } else { &mut black };
            *display = ply.clk_ms;
            ply.clk_ms?;
            Some(ClockPair { white_ms: white?, black_ms: black? })
        };
        written.plies.iter().map(after).collect()
    }
}

/// The plies after the first `kept` ones stand, each completed so.
fn put(play: &mut Play, written: &Written, kept: usize, how: How, clocks: &[Option<ClockPair>], say: &mut impl FnMut(Body)) {
    for (index, ply) in written.plies.iter().enumerate().skip(kept) {
        let Some(step) = step(play.top(), &ply.uci, written.chess960, play.occupancy()) else { break };
        play.announce(&[step], say);
        let clock = clocks.get(index).copied().flatten().map(|pair| Displays { pair, white: None });
        play.complete(index, Completion { clock, ..Completion::bare(how) }, say);
        let top = play.top().position.clone();
        play.set_position(top);
    }
}
