//! A position that an arbiter or operator set: where legal plies lead to it they are recovered, else the record breaks there.
use crate::placement::Placement;
use crate::press::Completion;
use crate::reading::view::Reading;
use crate::recogniser::play::Play;
use crate::recognition::search;
use crate::recognition::search::View;
use crate::recognition::step::Step;
use alloc::vec::Vec;
use flagfall_events::{AlarmKey, AlarmState, Body, How};
use flagfall_hands::position::Position;

/// Plies that are looked for.
const MOST_PLIES: usize = 6;
/// The same where pieces may have moved more than once.
const MOST_RETRACED: usize = 3;
/// Positions that one look may visit.
const BUDGET: u32 = 4_000;
/// The alarm: the record has a hole, and what follows it does not follow from what stands before it.
const BROKEN: AlarmKey = AlarmKey::RecordBroken;

impl Reading<'_> {
    /// The game goes on from this position; nothing is withdrawn, the next move has the next ply.
    pub(crate) fn jump(&mut self, position: Position) {
        let Some(play) = self.own.play.as_mut() else { return };
        let (over, mut said) = (play.over, Vec::new());
        let line = if over { None } else { play.line_to(&position, |path| play.oddities(path, &self.watcher.image)) };
        match line {
            Some(line) => {
                play.announce(&line, &mut |body| said.push(body));
                for index in 0..play.record.plies().len() {
                    play.complete(index, Completion::bare(How::Recovered), &mut |body| said.push(body));
                }
                let top = play.top().position.clone();
                play.set_position(top);
            }
            None => {
                let broken = !play.record.plies().is_empty() && !stands(play, &position);
                play.set_position(position);
                if broken && !over {
                    self.record_is_broken();
                }
            }
        }
        self.watcher.image.look_at_all();
        self.watcher.image.forget(|_| false);
        self.say_all(said);
    }

    /// Outlets that need one line of moves end here.
    fn record_is_broken(&mut self) {
        if !core::mem::replace(&mut self.own.stage.broken, true) {
            self.say(Body::alarm(BROKEN, AlarmState::Raised));
        }
    }

    /// The hole belongs to a game that is put away.
    pub(crate) fn record_is_whole(&mut self) {
        if core::mem::take(&mut self.own.stage.broken) {
            self.say(Body::alarm(BROKEN, AlarmState::Cleared));
        }
        if core::mem::take(&mut self.own.stage.unsure) {
            self.say(Body::alarm(AlarmKey::Unsure, AlarmState::Cleared));
        }
    }
}

/// Whether the game stands in this position already.
fn stands(play: &Play, position: &Position) -> bool {
    let top = &play.top().position;
    top.board() == position.board() && top.turn() == position.turn()
}

impl Play {
    /// What was made, and the plies that lead from it to this position; the likeliest, if several do.
    fn line_to(&self, position: &Position, cost: impl Fn(&Vec<Step>) -> u32) -> Option<Vec<Step>> {
        let (top, sensed) = (self.top(), Placement::of(position.board()));
        if stands(self, position) {
            return Some(self.line().to_vec());
        }
        top.position.legal()?;
        let odd = usize::from(top.position.turn() != position.turn());
        let look = |touched: u64, most: usize| {
            (1..=most).filter(|plies| plies % 2 == odd).find_map(|plies| {
                let mut view = View { sensed: &sensed, touched, occupancy: false, budget: BUDGET };
                let paths = search::exactly(top, &mut view, plies);
                let lines = paths.into_iter().map(|path| self.line().iter().copied().chain(path).collect::<Vec<_>>());
                lines.min_by_key(|line| cost(line))
            })
        };
        if self.occupancy() {
            return None;
        }
        look(0, MOST_PLIES).or_else(|| look(u64::MAX, MOST_RETRACED))
    }
}
