//! How a game ends: by its last move, or by both kings in the centre.
use crate::placement::Placement;
use crate::press::{Completion, Displays};
use crate::reading::parts::Late;
use crate::reading::view::Reading;
use crate::recogniser::kings;
use crate::recogniser::play::Play;
use crate::recogniser::record::End;
use crate::recovery::found::Found;
use crate::referee::facts::Fact;
use crate::timers::Timer;
use crate::watcher::orientation::Turn;
use alloc::string::String;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Body, Colour, GameResult, How, Mono, ResultSource};

/// How long both kings must stand in the centre.
const KINGS_MS: u64 = 2_000;
/// A move that is read so long after the clocks were stopped was made then: sensors lag by half a second, or by two scans of a slow board.
const TRIED_MS: u64 = 1_000;

impl Reading<'_> {
    pub(crate) fn ended_for_sure(&mut self) {
        self.follow();
        if let Some(end) = self.own.play.as_ref().filter(|p| !p.over).and_then(Play::end) {
            let last = self.own.play.as_ref().map_or(0, |play| play.record.plies().len().saturating_sub(1));
            if self.follows().is_some() && !self.is_believed(last) {
                self.set(Timer::End, Some(self.next_look(self.watcher.image.last_change())));
                return;
            }
            self.finish(end);
        }
    }

    /// The last move ended the game (5.1.1, 5.2.1, 5.2.2, 9.6); it needs no press (6.2.1.1).
    pub(crate) fn finish(&mut self, end: End) {
        if self.is_unsaid() {
            return;
        }
        let spent_ms = self.clocks.thinking(self.now).map(|(ms, _)| ms);
        let white = Some(self.clocks.side(Colour::White));
        let clock = self.clocks.shown().map(|pair| Displays { pair, white });
        let completion = Completion { how: How::GameEnd, clock, spent_ms, earned_ms: 0, pressed_at: None };
        let mut said = Vec::new();
        self.assume_promotions();
        if let Some(play) = self.own.play.as_mut() {
            let last = play.record.plies().len().saturating_sub(1);
            for index in 0..last {
                play.complete(index, Completion::bare(How::GameEnd), &mut |b| said.push(b));
            }
            play.complete(last, completion, &mut |b| said.push(b));
        }
        self.say_all(said);
        self.over(end.result, end.reason, Some(end.article), ResultSource::Position);
    }

    pub(crate) fn over(&mut self, result: GameResult, reason: &str, article: Option<&str>, source: ResultSource) {
        if self.is_unsaid() {
            // A result that was entered is that of the game that stands.
            self.has_begun(self.own.play.as_ref().map_or(0, |play| play.record.plies().len()));
        }
        if !matches!(source, ResultSource::Position | ResultSource::Setup) {
            self.decide_what_waits();
        }
        if source != ResultSource::Position {
            self.strike_what_was_tried(source == ResultSource::Setup);
        }
        if source != ResultSource::Setup {
            self.may_be_told_late(Late {
                result,
                reason: String::from(reason),
                article: article.map(String::from),
                source,
                resigned: false,
                told: self.recovery.came().is_some(),
            });
            self.take_what_the_picture_told();
        }
        // A clock that stands says nothing more.
        self.close_gap_for_good();
        if source != ResultSource::Setup && self.meanwhile.as_ref().is_none_or(|meanwhile| meanwhile.late.is_none()) {
            self.follow_what_goes_on();
        }
        self.close_blindly();
        if let Some(play) = self.own.play.as_mut() {
            play.over = true;
            play.ended = Some((result, source));
            play.cancelled = result == GameResult::Open && source == ResultSource::Ruling;
            play.presses.clear();
            play.unanswered.clear();
        }
        self.own.stage.runs_on = self.clocks.running().is_some();
        self.own.stage.unclocked = !self.clocks.in_use();
        for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::End, Timer::Kings, Timer::SetUp, Timer::Disorder] {
            self.set(timer, None);
        }
        // The pieces of the next game may stand already.
        self.set(Timer::SetUp, Some(self.now + self.watcher.scan_ms));
        self.say(Body::Result { result, reason: String::from(reason), article: article.map(String::from), source });
        // 6.8: a result that was reached before a flag-fall is confirmed stands; one that nobody showed is not reached.
        if source != ResultSource::Setup {
            self.tell(Fact::Over);
        }
    }

    /// What both kings show while a finding waits to be ruled on.
    pub(crate) fn kings_agree(&self) -> Option<GameResult> {
        let play = self.own.play.as_ref().filter(|p| p.said && !p.over)?;
        self.shown_by_kings(play)
    }

    fn shown_by_kings(&self, play: &Play) -> Option<GameResult> {
        let image = &self.watcher.image;
        kings::shown(image.placement(), play.expected()).or_else(|| self.recovery.kings_show(play, image))
    }

    /// Both kings show a result that counts: not while a finding waits to be ruled on, but for a flag, and not at a press that is not judged yet.
    fn kings_show(&self) -> Option<GameResult> {
        let play = self.own.play.as_ref().filter(|p| p.said && !p.over && p.presses.is_empty() && !self.own.stage.follows)?;
        let shown = self.shown_by_kings(play)?;
        (!self.referee().waits_for_a_ruling()).then_some(shown)
    }

    /// Starts or stops waiting for the kings; a fallen flag says already that the game is at its end.
    pub(crate) fn watch_kings(&mut self) {
        let agreed = self.kings_agree();
        if core::mem::replace(&mut self.own.stage.agreed, agreed) != agreed {
            self.tell(Fact::Changed);
        }
        let shown = self.kings_show();
        if shown.is_none() {
            self.set(Timer::Kings, None);
        } else if self.clocks.flag().is_some() {
            self.kings_stood();
        } else if self.timer(Timer::Kings).is_none() || self.own.stage.kings != shown {
            self.own.stage.kings = shown;
            self.set(Timer::Kings, Some(self.now + KINGS_MS));
        }
    }

    /// Both kings have stood in the centre until now, seen all the time. Which game they showed a result of may be learnt later.
    pub(crate) fn note_the_kings(&mut self) {
        let image = &self.watcher.image;
        if !self.recovery.gap && kings::are_centred(image.placement()) && self.now >= image.last_change() + KINGS_MS {
            self.watcher.centred = self.watcher.wire;
        }
    }

    /// What they showed and how the board stood, where this is how the game stood before.
    pub(crate) fn kings_showed(&self, expected: &Placement) -> Option<(GameResult, Placement)> {
        let wire = self.watcher.centred?;
        // Which way round the board stands may not be known yet.
        let mut pictures = [Turn::None, Turn::Half].into_iter().map(|turn| turn.placement(&wire));
        pictures.find_map(|picture| Some((kings::shown(&picture, expected)?, picture)))
    }

    /// What had been played when the kings were put there so.
    pub(crate) fn take_what_stood_before(&mut self, kings: &Placement) {
        let Some(play) = self.own.play.as_ref().filter(|play| !play.over) else { return };
        let before = |moved| {
            let pictures = kings::taken_back(kings, play.expected(), moved).into_iter();
            play.recovered_before(&pictures.map(|before| self.watcher.image.renewed(before)).collect::<Vec<_>>())
        };
        if let Some((line, open)) = before(false).or_else(|| before(true)).filter(|(line, _)| !line.is_empty()) {
            self.take_as(Found::of(line, false, open), true);
        }
    }

    pub(crate) fn kings_stood(&mut self) {
        let Some(result) = self.kings_show() else { return };
        self.kings_have_shown(result);
    }

    /// 5.1.2, 5.2.3: the result that both kings showed.
    pub(crate) fn kings_have_shown(&mut self, result: GameResult) {
        self.tell_what_stood_before_the_kings();
        self.strike_the_gesture();
        self.over(result, kings::REASON, Some(kings::article(result)), ResultSource::Kings);
        self.ended_by(result, true);
    }

    /// A king's move to where it now shows the result was part of the gesture.
    pub(crate) fn strike_the_gesture(&mut self) {
        let placement = *self.watcher.image.placement();
        let Some(play) = self.own.play.as_mut() else { return };
        let mut said = Vec::new();
        let real = play.line().iter().rposition(|s| {
            let king = matches!(s.mv.role(), shakmaty::Role::King);
            !(king && kings::is_centre(s.to()) && placement.0[s.to()] != PieceCode::Empty)
        });
        let keep: Vec<_> = play.line()[..real.map_or(0, |i| i + 1)].to_vec();
        play.announce(&keep, &mut |b| said.push(b));
        self.say_all(said);
    }

    /// Moves that nobody pressed were tried out, or are pieces that were put away, where they were made after the players had stopped their clocks; and where
    /// the pieces were set up again and the board had never stood as they say. Of what nobody saw it is not known when it was made.
    fn strike_what_was_tried(&mut self, set_up: bool) {
        let Some(play) = self.own.play.as_ref().filter(|play| play.said) else { return };
        let (base, plies, stood, found) = (play.base(), play.record.plies().len(), play.stood, play.found);
        // A board that does not know its pieces stands as many plies say.
        let set_up = set_up && !play.occupancy();
        let stopped = self.clocks.stopped_since();
        let is_tried = |reading: &mut Self, index: usize| {
            let announced = reading.hearing().made_at(index);
            let came_about = reading.follows().and_then(|follows| follows.lead(index)).map(|lead| lead.made);
            let late =
                |stopped: Mono| announced.is_some_and(|at| at > stopped + TRIED_MS) && came_about.is_none_or(|at| at > stopped + TRIED_MS);
            stopped.is_some_and(late) || (set_up && index >= stood)
        };
        let Some(first) = (base.max(found)..plies).find(|&index| is_tried(self, index)) else { return };
        let mut said = Vec::new();
        let Some(play) = self.own.play.as_mut() else { return };
        if play.record.plies()[first..].iter().any(|ply| ply.completed) {
            return;
        }
        let keep: Vec<_> = play.line()[..first - base].to_vec();
        play.announce(&keep, &mut |body| said.push(body));
        self.say_all(said);
    }

    /// The players or an arbiter ended it so; `resigned`: one of them gave it up.
    pub(crate) fn ended_by(&mut self, result: GameResult, resigned: bool) {
        if let Some(late) = self.meanwhile.as_mut().and_then(|meanwhile| meanwhile.late.as_mut()) {
            late.resigned = resigned;
        }
        self.tell(Fact::ResultBy { result, resigned });
    }

    /// 7.5.1: the kings stand side by side because one of them stepped there, and that step is pressed after all: it was no gesture.
    pub(crate) fn pressed_beside_the_king(&mut self) {
        let Some(play) = self.own.play.as_ref().filter(|p| p.over && matches!(p.ended, Some((_, ResultSource::Kings)))) else { return };
        let wrong = play.expected().diff(self.watcher.image.placement());
        if wrong.count_ones() == 2 && kings::shown(self.watcher.image.placement(), play.expected()).is_some() {
            self.reopen(ResultSource::Kings);
        }
    }
}
