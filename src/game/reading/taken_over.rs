//! A game as another build published it, taken as fact: its completed plies stand, and what follows is estimated on from there.
use crate::clock::Side;
use crate::played::Played;
use crate::press::{Completion, Displays};
use crate::reading::view::Reading;
use crate::recogniser::play::Play;
use crate::recogniser::stage::Stage;
use crate::recogniser::told_sides::ToldSides;
use crate::recognition::step::{Ground, Step, uci};
use crate::referee::facts::Fact;
use crate::timers::Timer;
use crate::watcher::orientation::Turn;
use alloc::vec::Vec;
use flagfall_events::{BoardKind, ClockSide, Colour, How};
use flagfall_hands::position::position_of;
use flagfall_laws::Edition;
use shakmaty::uci::UciMove;
use shakmaty::{Move, Square};

/// What it comes to; a ply that no piece can make ends it.
fn play_of(played: &Played, white: Side, occupancy: bool) -> Option<Play> {
    let (position, _) = position_of(&played.fen)?;
    let mut play = Play::new(position, played.chess960, occupancy);
    play.said = true;
    let certain = played.certain();
    for (index, ply) in played.plies.iter().enumerate() {
        set_positions(played, index, &mut play);
        let Some(step) = step(play.top(), &ply.uci, played.chess960, occupancy) else { break };
        let line: Vec<Step> = play.line().iter().copied().chain([step]).collect();
        play.announce(&line, &mut |_| {});
        if index < certain {
            let how = ply.how.unwrap_or(How::NextMove);
            let pressed_at = (how == How::Press).then_some(ply.t);
            let read = !matches!(how, How::Ruling | How::Recovered);
            let clock = ply.clock.map(|pair| Displays { pair, white: read.then_some(white) });
            play.complete(index, Completion { clock, pressed_at, ..Completion::bare(how) }, &mut |_| {});
            let top = play.top().position.clone();
            play.set_position(top);
        }
    }
    set_positions(played, played.plies.len(), &mut play);
    if played.ended.is_some() {
        (play.over, play.ended) = (true, played.ended);
    }
    Some(play)
}

fn set_positions(played: &Played, plies: usize, play: &mut Play) {
    for set in played.set.iter().filter(|set| set.plies == plies) {
        if let Some((position, _)) = position_of(&set.fen) {
            play.set_position(position);
        }
    }
}

/// The move with this name: a legal one, else what a piece there can do against the rules.
pub(crate) fn step(ground: &Ground, name: &str, chess960: bool, occupancy: bool) -> Option<Step> {
    if let Some(step) = ground.steps.iter().find(|step| uci(step.mv, chess960) == name) {
        return Some(*step);
    }
    let UciMove::Normal { from, to, promotion } = name.parse().ok()? else { return None };
    let board = ground.position.board();
    let role_at = |square: Square| board.role_at(square);
    let mv = Move::Normal { role: role_at(from)?, from, to, capture: role_at(to), promotion };
    Some(Step::illegal(&ground.position, mv, occupancy))
}

impl Reading<'_> {
    /// What another build published of the game counts, whatever this one made of the same inputs. Nothing is said of it: it was said.
    pub(crate) fn take_over(&mut self, played: &Played) {
        let own = &self.own;
        let same_game = own.play.as_ref().is_some_and(|play| play.said) && own.number == played.game;
        let taken = self.clocks.side(Colour::White);
        let told = played.white.map(|white| if white == ClockSide::Left { Side::Left } else { Side::Right });
        let turn = self.watcher.turn;
        if same_game && let Some(play) = self.own.play.as_mut().filter(|play| is_as_published(play, played)) {
            told_as_published(play, played, told, turn);
            return;
        }
        let Some(mut play) = play_of(played, told.unwrap_or(taken), self.settings.kind != BoardKind::Dgt) else { return };
        told_as_published(&mut play, played, told, turn);
        play.turn_to(taken);
        play.automatic_draws = Edition::of(self.settings.rules).automatic_draws;
        let plies = play.record.plies().len();
        self.own.play = Some(play);
        self.own.number = played.game;
        let unclocked = self.own.stage.unclocked;
        *self.meanwhile = None;
        self.own.stage = Stage::default();
        (self.own.stage.begun, self.own.stage.unclocked) = (true, unclocked);
        self.forget_the_unread();
        let made = played.plies.iter().take(plies).map(|ply| ply.t).collect();
        self.tell(Fact::TakenOver { made, same_game });
        (self.recovery.recovering, self.recovery.gap_ply, self.own.restoring) = (false, None, false);
        if !same_game {
            self.clocks.new_game(self.now);
        }
        for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::End, Timer::Kings, Timer::SetUp, Timer::Disorder] {
            self.set(timer, None);
        }
        // What was sensed was explained by other plies.
        self.watcher.image.look_at_all();
        self.watcher.image.forget(|_| false);
    }
}

/// What was told of the clock and its sides is what was published.
fn told_as_published(play: &mut Play, played: &Played, told: Option<Side>, turn: Turn) {
    play.sides.told = told.map(|white| ToldSides { white, turn });
    for (index, published) in played.plies.iter().enumerate() {
        if let Some(ply) = play.record.get_mut(index) {
            ply.told = published.clock;
        }
    }
}

/// The record holds the same plies, as far completed.
fn is_as_published(play: &Play, played: &Played) -> bool {
    let plies = play.record.plies();
    let same = plies.len() == played.plies.len() && plies.iter().zip(&played.plies).all(|(a, b)| a.uci == b.uci);
    let certain = plies.iter().rposition(|ply| ply.completed).map_or(0, |last| last + 1);
    same && certain == played.certain() && play.start == played.fen && play.over == played.ended.is_some()
}
