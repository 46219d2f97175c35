//! A game whose first moves nobody saw: the link was down, or the program did not run, when it began. It is a gap from the start position on.
use crate::placement::Placement;
use crate::reading::view::Reading;
use crate::reading::wrong_start::SQUARES;
use crate::recogniser::play::Play;
use crate::recovery::memory::Memory;
use crate::watcher::orientation::{Turn, find_start};
use flagfall_events::{BoardKind, ClockPair};
use flagfall_hands::position::Position;

/// Squares that differ where both kings show the result.
const KINGS: u32 = 4;

impl Reading<'_> {
    /// The picture, the clock or an entry may tell that a game is on which began unseen.
    pub(crate) fn begin_unseen(&mut self) {
        // Whoever sets up a game is seen to do so.
        self.recovery.unseen &= self.watcher.wire.is_none_or(|wire| find_start(&wire, None, false).is_none());
        if !self.recovery.unseen || self.settings.kind != BoardKind::Dgt || !self.is_played() {
            return;
        }
        let free = self.is_free();
        let other = !free && self.recovery.recovering && self.has_pieces_back();
        if (!free && !other) || self.is_as_it_ended() {
            return;
        }
        let position = self.agreed_start();
        let turn = match self.turn_of_what_stands(&position) {
            Some(turn) => turn,
            // Farther from the start than a picture tells: the board's own log may know.
            None if free && self.is_in_midgame() => {
                self.turn_as(&position);
                self.watcher.turn
            }
            None => return,
        };
        if other {
            self.end_unread();
        }
        self.stand_as(turn);
        self.stand_ready(position, false);
        if let Some(play) = self.own.play.as_mut() {
            play.supposed = true;
        }
        // The clock is in the middle of the game: what it shows is no base time.
        self.clocks.forget_lever();
        self.clocks.presses_were_missed();
        self.recovery.recovering = true;
        self.recovery.memory = Memory::Unasked;
        let told = self.recover();
        self.recovery.looked(self.now, told);
        self.after_made();
    }

    /// More squares differ from the start position than of pieces that were set up wrong.
    fn is_in_midgame(&self) -> bool {
        let start = Placement::of(self.agreed_start().board());
        let apart = |turn: Turn| self.watcher.wire.map_or(0, |wire| turn.placement(&wire).diff(&start).count_ones());
        apart(Turn::None).min(apart(Turn::Half)) > SQUARES
    }

    /// Nothing tells how what stands was played, or somebody says it: no game is on, as before.
    pub(crate) fn give_up_the_unseen(&mut self) {
        if self.own.is_supposed() {
            (self.own.play, self.recovery.recovering) = (None, false);
        }
    }

    /// What stands is play and no analysis, nor what was left of a game: the clock runs for it.
    fn is_played(&self) -> bool {
        let stage = &self.own.stage;
        stage.unclocked || (self.clocks.running().is_some() && (stage.called || !stage.runs_on))
    }

    /// What stands is the game before as it ended, but for its kings.
    fn is_as_it_ended(&self) -> bool {
        let ended = [self.own.play.as_ref(), self.own.stage.last.as_deref()];
        ended.into_iter().flatten().any(|play| play.over && play.expected().diff(self.watcher.image.placement()).count_ones() <= KINGS)
    }

    /// The clock is read again: one that ran on when the game before had ended, and shows more than it did, was set meanwhile and runs for this game.
    pub(crate) fn set_unseen(&mut self, before: Option<ClockPair>) {
        let (Some(before), Some(now)) = (before, self.clocks.shown()) else { return };
        let more = now.white_ms > before.white_ms || now.black_ms > before.black_ms;
        self.own.stage.runs_on &= !(more && self.recovery.unseen);
    }

    /// A player has more pieces than the game that was on had: they were set up again.
    fn has_pieces_back(&self) -> bool {
        let Some(play) = self.own.play.as_ref() else { return false };
        let (was, now) = (play.ground().placement.board(), self.watcher.image.placement().board());
        was.occupied().count() < now.occupied().count()
    }

    /// Which way round few plies lead from the start position to what stands.
    fn turn_of_what_stands(&self, start: &Position) -> Option<Turn> {
        let wire = self.watcher.wire?;
        let play = Play::new(start.clone(), false, false);
        let leads = |turn: &Turn| {
            let image = self.watcher.image.renewed(turn.placement(&wire));
            play.recovered_as_one_of(&image).is_some_and(|(line, _)| !line.is_empty())
        };
        [Turn::None, Turn::Half].into_iter().find(leads)
    }
}
