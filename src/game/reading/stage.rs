//! Between two games: the pieces are set up again, and the next game has not begun. What is moved meanwhile is analysis: it is read, and said
//! only when the game has begun.
use crate::clock::Changed;
use crate::reading::view::Reading;
use crate::recogniser::play::Play;
use crate::recogniser::stage::{CLEARED, Stage};
use crate::referee::facts::Fact;
use crate::timers::Timer;
use crate::watcher::orientation::Found;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use flagfall_events::{Body, GameResult, How, ResultSource, UNREAD};

/// So long the start position must have stood whole where nobody showed a result.
const STANDS_MS: u64 = 3_000;

impl Reading<'_> {
    pub(crate) fn is_unsaid(&self) -> bool {
        self.own.is_unsaid()
    }

    pub(crate) fn spoken_of(&self) -> u32 {
        self.own.spoken_of()
    }

    pub(crate) const fn last_begun(&self) -> Option<u32> {
        self.own.last_begun()
    }

    /// The clock was started, stopped or pressed.
    pub(crate) fn clock_went(&mut self, changed: &Changed) {
        let (pressed, turned) = (changed.press.is_some(), changed.running);
        if pressed && self.clocks.running().is_some() {
            self.own.stage.kings = None;
        }
        // Whoever presses on a clock that stands, and does not set it, plays.
        let up = self.clocks.to_move();
        let over = core::mem::replace(&mut self.own.stage.lever, up).is_some_and(|was| Some(was) != up) && !changed.edited;
        if turned || over {
            self.clock_stands(over);
        }
        let runs = self.clocks.running().is_some();
        let ran_on = self.own.stage.runs_on;
        self.own.stage.runs_on = ran_on && runs && !(pressed && self.is_unsaid());
        if ran_on && !runs && self.is_unsaid() {
            self.clocks.new_game(self.now);
        }
        if runs && (pressed || turned) {
            if self.is_unsaid() {
                self.own.stage.started = true;
            } else if self.own.stage.cleared {
                self.watch_set_up();
            } else {
                // Set up and started within three seconds.
                self.set_up_and_started();
            }
        }
        self.begin_if_due();
    }

    /// The clocks were stopped, run again, or were pressed while they stand.
    fn clock_stands(&mut self, pressed: bool) {
        let stands = self.clocks.in_use() && self.clocks.running().is_none();
        let play = self.own.play.as_ref().filter(|play| stands && play.said && !play.over);
        self.own.stage.stood = play.map(|play| {
            let plies = play.record.plies();
            // Presses that are still being judged count as well.
            let follows = play.follows.as_ref().is_some_and(|follows| !plies.is_empty() && follows.is_pressed(plies.len() - 1));
            let last = pressed || follows || plies.last().is_none_or(|ply| ply.completed);
            plies.len() + play.presses.len().max(usize::from(last))
        });
        if core::mem::take(&mut self.own.stage.analysed) {
            self.look();
        }
    }

    /// Whether so many plies can be in the record: not more than one that is moved while the clocks stand, and none after the kings.
    pub(crate) fn may_have(&mut self, plies: usize) -> bool {
        let known = self.own.play.as_ref().map_or(0, |play| play.record.plies().len());
        let shown = self.own.stage.kings.is_some() && self.clocks.running().is_none();
        let most = if shown { Some(known) } else { self.own.stage.stood };
        let may = plies <= known || most.is_none_or(|most| plies <= most);
        self.own.stage.analysed |= !may;
        may
    }

    /// A start position stands that is a game's own: said at once, where it is the board's first or was called for.
    pub(crate) fn says_at_once(&self) -> bool {
        !self.own.stage.begun
            || self.own.stage.called
            || self.own.play.as_ref().is_some_and(|play| play.said && !play.over && play.record.plies().is_empty())
    }

    /// A game is put away for the one that stands now. `true`: that one is said at once.
    pub(crate) fn put_away(&mut self) -> bool {
        let at_once = self.says_at_once();
        self.take_what_came_late();
        (self.own.stage.kings, self.own.stage.stood, *self.meanwhile) = (None, None, None);
        (self.own.stage.cleared, self.own.stage.analysed) = (false, false);
        if let Some(play) = self.own.play.take() {
            match (play.said, play.over || !play.record.plies().is_empty()) {
                (true, true) => self.own.stage.last = Some(Box::new(play)),
                // It had no move: its number is free.
                (true, false) => self.own.stage.begun = false,
                (false, _) => {}
            }
        }
        self.own.stage.started = self.clocks.running().is_some() && !self.own.stage.runs_on;
        at_once
    }

    /// Moves that were made before the game began are its first plies.
    pub(crate) fn begin_if_due(&mut self) {
        let made = self.own.play.as_ref().map_or(0, |play| play.record.plies().len());
        if self.is_unsaid() && !self.own.is_supposed() && (self.own.stage.called || (made > 0 && self.own.stage.moves_count(self.clocks))) {
            self.has_begun(made);
        }
    }

    /// Whether this is to be said: the first move of a game begins it, and of one that has not begun nothing is.
    pub(crate) fn begins_with(&mut self, body: &Body) -> bool {
        if !self.is_unsaid() || !body.is_play() {
            return true;
        }
        match body {
            Body::MoveMade { ply, .. } if self.own.stage.moves_count(self.clocks) => {
                self.has_begun(usize::try_from(*ply).unwrap_or(usize::MAX).saturating_sub(1));
                true
            }
            Body::TouchedPiece(_) => self.own.stage.moves_count(self.clocks),
            _ => false,
        }
    }

    /// The game that stands has begun; so many plies of it were made and not said yet.
    pub(crate) fn has_begun(&mut self, made: usize) {
        let Some(play) = self.own.play.as_mut() else { return };
        play.said = true;
        if self.own.stage.begun {
            self.own.number = self.own.number.saturating_add(1);
        }
        self.record_is_whole();
        (*self.meanwhile, self.watcher.centred) = (None, None);
        self.own.stage = Stage { begun: true, runs_on: self.own.stage.runs_on, follows: self.own.stage.follows, ..Stage::default() };
        // Its plies are said with their clocks.
        let sides = self.attribute().into_iter().filter(|body| matches!(body, Body::Sides { .. }));
        let Some(play) = self.own.play.as_ref() else { return };
        let start = self.game_start(play);
        let plies: Vec<Body> = (0..made.min(play.record.plies().len())).flat_map(|index| play.said_of(index, How::NextMove)).collect();
        self.tell(Fact::FromHere);
        for body in core::iter::once(start).chain(sides).chain(plies) {
            self.say_of(self.own.number, body);
        }
        self.tell(Fact::Changed);
    }

    /// That this game begins.
    pub(crate) fn game_start(&self, play: &Play) -> Body {
        Body::GameStart {
            fen: play.start.clone(),
            rules: self.settings.rules.into(),
            play: self.settings.play.into(),
            time_control: self.settings.time_control.as_ref().map(ToString::to_string),
            chess960: play.chess960,
            began: None,
        }
    }

    /// A start position that no play led to stands, and the game on the board has neither ended nor left its own.
    fn is_set_up(&self) -> Option<Found> {
        let on = |play: &&Play| play.said && !play.over && !play.record.plies().is_empty();
        let play = self.own.play.as_ref().filter(on).filter(|_| !self.own.stage.follows)?;
        let found = self.find_start().filter(|_| !self.own.restoring)?;
        let own = play.grounds().iter().any(|ground| ground.placement == *self.watcher.image.placement());
        (!own && !play.is_explained(&self.watcher.image)).then_some(found)
    }

    /// The pieces are being put away, or are set up again: what stands is no irregularity.
    pub(crate) fn is_put_away(&self) -> bool {
        self.own.stage.kings.is_some() || self.own.stage.analysed || self.timer(Timer::SetUp).is_some()
    }

    /// The picture changed: do the pieces of the next game stand?
    pub(crate) fn watch_set_up(&mut self) {
        let runs = self.clocks.running().is_some();
        let apart = self.own.play.as_ref().map_or(0, |play| play.expected().diff(self.watcher.image.as_read()).count_ones());
        self.own.stage.cleared = apart >= CLEARED && (self.own.stage.cleared || !runs);
        // Where the clock was started meanwhile, the next game may begin at any moment.
        let wait = if self.own.stage.cleared && runs { self.watcher.scan_ms } else { STANDS_MS };
        let due = self.is_set_up().map(|_| self.watcher.image.last_change() + wait);
        self.set(Timer::SetUp, due);
    }

    /// They have stood long enough.
    pub(crate) fn set_up_stood(&mut self) {
        match self.is_set_up() {
            Some(found) => self.ends_unread(found),
            None => self.set_up_anew(),
        }
    }

    fn set_up_and_started(&mut self) {
        let settled = self.now >= self.watcher.image.last_change() + self.watcher.scan_ms;
        if let Some(found) = self.is_set_up().filter(|_| settled) {
            self.ends_unread(found);
            self.own.stage.started = true;
        }
    }

    /// The clock was started for the next game, whether the last one has ended or not.
    pub(crate) fn next_game_stands(&mut self, found: Found) {
        if self.own.play.as_ref().is_some_and(|play| play.said && !play.over) {
            self.ends_unread(found);
        } else {
            self.begin(found);
        }
    }

    /// Nobody showed a result that stood long enough to be read, and the pieces were set up again.
    fn ends_unread(&mut self, found: Found) {
        self.end_unread();
        self.begin(found);
    }

    /// The game that was on is over: the pieces of another one stand.
    pub(crate) fn end_unread(&mut self) {
        match self.own.stage.kings {
            Some(result) => self.kings_have_shown(result),
            None => self.over(GameResult::Open, UNREAD, None, ResultSource::Setup),
        }
        self.forget_the_unread();
        self.tell(Fact::SetUpAgain);
    }

    /// All is quiet: where a game is over, the pieces of the next one may stand; where it has not begun, they may stand again.
    pub(crate) fn set_up_anew(&mut self) {
        let over = |play: &Play| play.over && !play.cancelled && !self.own.stage.follows;
        let analysed = |play: &Play| !play.said && !play.record.plies().is_empty();
        if !self.own.play.as_ref().is_some_and(|play| over(play) || analysed(play)) {
            return;
        }
        if let Some(found) = self.find_start() {
            self.forget_the_unread();
            self.begin(found);
        }
    }
}
