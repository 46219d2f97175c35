//! How a board begins: from its journal when the program starts and after a mistake of ours, with a new one on a new day.
use super::desk::Desk;
use super::still::TURN;
use crate::beats::Beat;
use crate::journal::day::settings_differ;
use crate::journal::read::{Lines, skips};
use crate::journal::replay::Replay;
use crate::journal::what::{Anew, Restart, Skip, What};
use crate::journal::{Carried, Copy, Recovered};
use dgt_protocol::command::Command;
use flagfall_events::{Body, ClockSource, ClockState, Event, LinkState, Mono};
use flagfall_game::RECOGNITION;
use flagfall_game::board::Board;
use flagfall_game::questions::Question;
use flagfall_score::progress::Progress;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;

/// How often it is looked whether a new journal begins, milliseconds.
const LOOK: u64 = 1_000;

impl Desk {
    /// The board with which the task begins, or begins again after a panic.
    pub(super) async fn begin(&mut self) -> Board {
        if let Some(recovered) = self.recovered.take() {
            return self.recover(*recovered).await;
        }
        if self.panics > 0
            && let Some(board) = self.rebuild().await
        {
            self.send(Command::SendBoard);
            self.send(Command::SendClock);
            return board;
        }
        let mut board = Board::new(&self.name, self.wall, self.settings.clone()).numbered_after(self.seq).games_after(self.games_played);
        if self.panics > 0 {
            let seq = self.seq;
            let games = self.games_played;
            self.input(&mut board, self.last, || What::Anew(Anew { seq, games, why: String::from("a mistake in flagfall") })).await;
            (self.progress, self.at_input) = (Progress::default(), false);
        }
        self.stand(&mut board).await;
        board
    }

    /// A board of which nothing is known, on a link that may be up.
    async fn stand(&mut self, board: &mut Board) {
        if self.commands.is_some() {
            self.link(board, LinkState::Up, None, None).await;
            self.send(Command::SendBoard);
            self.send(Command::SendClock);
        }
    }

    /// The program was started: the board as its journal left it.
    async fn recover(&mut self, mut recovered: Recovered) -> Board {
        let Some(journal) = &self.journal else { return recovered.board };
        journal.begin(&mut recovered).await;
        for (t, what) in recovered.first {
            journal.line(t, what).await;
        }
        self.settings = recovered.settings;
        (self.progress, self.games) = (recovered.progress, recovered.games);
        (self.public, self.games_played) = (recovered.public, recovered.board.games());
        (self.last, self.seq) = (recovered.last, recovered.seq);
        let (opened_at, at) = (recovered.opened_at, crate::time::now());
        self.wall = recovered.wall;
        // A clock that was not set yet after a start without network may lie behind the journal: time never runs back.
        self.times.set(opened_at, Mono::from_millis(at.since(self.wall)).max(self.last));
        for event in recovered.unseen {
            self.say(event).await;
        }
        let mut board = recovered.board;
        if recovered.continued {
            // Nobody listened since the last line: the link was down from there on.
            let (seq, last) = (self.seq, self.last);
            let flagfall = String::from(env!("CARGO_PKG_VERSION"));
            let played = recovered.played.take();
            let line = What::Restart(Restart { flagfall, recognition: Some(RECOGNITION), at, seq, played: played.clone() });
            self.input(&mut board, last, || line).await;
            board.count_from(seq);
            if let Some(played) = played {
                tracing::warn!("board {}: {} plies stand as the flagfall before this one published them", self.name, played.plies.len());
                board.take_over(last, played);
            }
            board.restarted(last);
            self.drain(&mut board).await;
            if recovered.fresh {
                // What the last journal said of link and clock holds no longer.
                self.link(&mut board, LinkState::Down, Some(String::from("flagfall was restarted")), None).await;
                let unknown =
                    ClockState { white_ms: None, black_ms: None, running: None, flag: None, source: ClockSource::None, uncertainty_ms: 0 };
                self.state(&mut board, Body::Clock(unknown)).await;
            }
            recovered.questions.into_iter().for_each(|question| self.ask(question));
        }
        if let Some(key) = recovered.alarm {
            self.alarm(&mut board, key, true).await;
            self.found = Some(key);
        }
        board
    }

    /// After a panic: the board from what is journaled, without the input that could not be taken. `None`: that fails as well.
    async fn rebuild(&mut self) -> Option<Board> {
        let journal = self.journal.as_ref()?;
        if self.panics > 2 {
            return None;
        }
        if self.at_input {
            journal.line(self.last, What::Skip(Skip { why: String::from("a mistake in flagfall") })).await;
            self.at_input = false;
        }
        let copy = journal.copy().await?;
        let mut reading = tokio::task::spawn_blocking(move || replayed(&copy));
        let (mut board, unseen, questions) = loop {
            // A long game takes a while, and this task is not stuck meanwhile.
            self.beat.iter().for_each(Beat::turn);
            let turn = tokio::time::sleep(self.beat.as_ref().map_or(TURN, Beat::every));
            tokio::select! {
                read = &mut reading => break read.ok().flatten()?,
                () = turn => {}
            }
        };
        for event in unseen {
            self.say(event).await;
        }
        board.count_from(self.seq);
        questions.into_iter().for_each(|question| self.ask(question));
        Some(board)
    }

    /// A new journal, where the day or the settings are others and no game is in progress.
    pub(super) async fn next_day_if_due(&mut self, board: &mut Board) {
        let now = self.times.now();
        if self.journal.is_none() || now.since(self.looked) < LOOK || !self.progress.may_end(now) {
            return;
        }
        self.looked = now;
        let same_day = crate::time::local_day(crate::time::now()) == crate::time::local_day(self.times.opened_at);
        let wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(journal) = self.journal.as_ref().filter(|_| !same_day || settings_differ(&self.settings, &wanted)) else { return };
        let open = journal.next_journal(&wanted, self.seq, self.carried(board), None).await;
        let opened_at = open.recorded_at;
        self.settings = wanted;
        (self.wall, self.wall_looked) = (opened_at, Mono::ZERO);
        self.times.set(opened_at, Mono::ZERO);
        self.throttle.restart();
        (self.last, self.looked, self.progress, self.games) = (Mono::ZERO, Mono::ZERO, Progress::default(), open.games);
        *board = open.begin(self.settings.clone());
        self.stand(board).await;
    }

    /// What the next journal is told.
    fn carried(&self, board: &Board) -> Carried {
        Carried { public: self.public.number(), games: board.games(), raised: board.raised() }
    }

    /// A new journal, where the pieces of another game stand: a restart reads one game.
    pub(super) async fn next_game_if_due(&mut self, board: &mut Board) {
        let due = |board: &Board| board.is_between_games() && board.games() > self.games;
        if self.journal.is_none() || self.failing || self.still.is_some() || self.commands.is_none() || !due(board) {
            return;
        }
        let t = self.catch_up(board).await;
        let wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let due = board.is_between_games();
        let Some(journal) = self.journal.as_ref().filter(|_| due) else { return };
        let goes_on = Some((self.wall, board.stands(t)));
        let open = journal.next_journal(&wanted, self.seq, self.carried(board), goes_on).await;
        self.settings = wanted;
        (self.progress, self.games) = (Progress::default(), open.games);
        *board = open.begin(self.settings.clone());
        // What was told is asked for at once: nothing rests on what a first line says.
        self.send(Command::SendBoard);
        self.send(Command::SendClock);
    }
}

type Replayed = (Board, Vec<Event>, Vec<Question>);

/// The board after everything that is journaled, what of its events is not, and what it asked. Blocks.
fn replayed(journal: &Copy) -> Option<Replayed> {
    let replay = || {
        let (mut replay, skips) = (Replay::default(), skips(journal.open().ok()?).ok()?);
        let mut lines = Lines::new(journal.open().ok()?);
        while let Some(line) = lines.next() {
            let line = line.ok()?;
            replay.line(&line, skips.contains(&line.number), &mut |_| {}).ok()?;
        }
        if lines.failed().is_some() {
            return None;
        }
        let unseen = replay.missing().cloned().collect();
        let (board, questions) = replay.into_board()?;
        Some((board, unseen, questions))
    };
    catch_unwind(AssertUnwindSafe(replay)).ok().flatten()
}
