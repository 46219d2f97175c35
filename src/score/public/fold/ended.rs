//! Between a game's end and the first move of the next one: everybody sees the game as it ended. What is tried out and set up meanwhile is nobody's
//! business, and is caught up with when the next game begins, or when this one goes on after all.
use super::{Fold, Out};
use flagfall_events::{Body, ClockSource, Event, Touches};

impl Fold {
    /// The public sees a game that was played and is over.
    fn is_finished(&self) -> bool {
        self.ended.over && !self.plies.is_empty()
    }

    /// Begins the game that was announced, where `event` is the first that tells of it.
    pub(super) fn begin_with(&mut self, event: &Event, out: &mut Out) {
        let tells = match &event.body {
            Body::MoveMade { .. } | Body::MoveCompleted { .. } => true,
            Body::Result { .. } => self.ended.coming.as_ref().is_some_and(|coming| coming.game == event.game),
            _ => false,
        };
        let Some(start) = self.ended.coming.take_if(|_| tells) else { return };
        self.begins(&start, out);
        self.catch_up(event, out);
    }

    /// Whether an event is kept from the public because its game is over.
    pub(super) fn holds(&mut self, event: &Event, out: &mut Out) -> bool {
        if let Body::Clock(state) = &event.body
            && !self.is_finished()
        {
            self.ended.runs = state.running.is_some();
        }
        if !self.is_finished() {
            return false;
        }
        match &event.body {
            Body::GameStart { .. } => self.ended.coming = Some(event.clone()),
            Body::Placement { placement, settled } => {
                self.sensed = Some((placement.clone(), *settled));
                self.wanted = None;
            }
            // A clock that ran on is seen until it is stopped, else it would run on for ever.
            Body::Clock(state) if self.ended.runs => {
                self.ended.runs = state.running.is_some();
                out.push(event.clone());
            }
            Body::Clock(_) => self.ended.clock = Some(event.clone()),
            Body::Press { .. } => {}
            // The next game's pieces stand somewhere else.
            Body::Ruling(ruling) => return ruling.sets_position().is_some(),
            _ => return false,
        }
        true
    }

    /// Takes a result: of this game, or of one before it.
    pub(super) fn result(&mut self, event: &Event, out: &mut Out) {
        out.push(event.clone());
        self.resulted = Some(event.seq);
        if event.is_of_another(self.game) {
            return;
        }
        let goes_on = self.ended.over && event.reopens();
        self.ended.over = !event.reopens();
        if goes_on {
            self.ended.coming = None;
            self.catch_up(event, out);
        }
    }

    pub(super) const fn no_end(&mut self) {
        self.ended.over = false;
    }

    /// Shows what stands on board and clock by now.
    fn catch_up(&mut self, event: &Event, out: &mut Out) {
        if let Some(clock) = self.ended.clock.take()
            && let Body::Clock(state) = &clock.body
        {
            self.ended.runs = state.running.is_some();
            if state.source == ClockSource::Arbiter && self.waits() {
                self.clock = Some(clock);
            } else {
                out.push(clock);
            }
        }
        if self.touches == Touches::Public
            && let Some((placement, settled)) = self.sensed.clone()
            && self.shown.as_ref() != Some(&placement)
        {
            self.shown = Some(placement.clone());
            out.place(event, placement, settled);
        }
    }
}
