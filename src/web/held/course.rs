//! Which game of a board is being played, where games are shown as a whole: an end counts when it cannot be undone any more.
//!
//! Whatever an entry ended is over eight seconds after the entry, as far as anybody can tell: later by the board's own time, or nine seconds later where
//! nothing is said. Until then a wrong result may be taken back, and the game goes on.
use flagfall_events::{Body, Event, Mono, UNDO_MS};
use flagfall_score::public::PublicView;
use flagfall_score::undone::can_be_undone;

/// What is known of the board's game.
#[derive(Debug, Default)]
pub(super) struct Course {
    on: bool,
    game: Option<u32>,
    /// When something was entered last that can be undone, by the board's own time.
    entered: Option<Mono>,
    /// The game is over unless an entry is undone.
    ending: Option<Ending>,
}

#[derive(Debug)]
struct Ending {
    /// The entry, by the board's own time.
    entered: Mono,
    /// When it is over, where nothing is said until then, by the time of those who are told.
    sure_at: i64,
}

/// What an event means for what waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It waits, and so does everything before it.
    Waits,
    /// It waits; everything before it is over.
    ShowsBefore,
    /// It does not wait, and neither does anything before it.
    Shows,
}

impl Course {
    /// Whether a game is being played.
    pub(super) const fn is_on(&self) -> bool {
        self.on
    }

    /// When the game is over, if nothing is said until then.
    pub(super) fn sure_at(&self) -> Option<i64> {
        Some(self.ending.as_ref()?.sure_at)
    }

    /// Nothing was said until `moment`: since when the game is over, if it is now.
    pub(super) fn pass(&mut self, moment: i64) -> Option<i64> {
        let ending = self.ending.take_if(|ending| ending.sure_at <= moment)?;
        self.on = false;
        Some(ending.sure_at)
    }

    /// Takes the board's next event, recorded at `moment`.
    pub(super) fn take(&mut self, event: &Event, moment: i64) -> Step {
        let is_final = |ending: &mut Ending| event.t < ending.entered || event.t > ending.entered + UNDO_MS || begins(event);
        let over = self.ending.take_if(is_final).is_some();
        if over {
            self.on = false;
        }
        match &event.body {
            // One that nobody ended is over when the next one begins; one whose record is written anew is not.
            Body::GameStart { .. } => {
                let again = self.on && event.game.is_some() && event.game == self.game;
                (self.on, self.game) = (true, event.game);
                return if again { Step::Waits } else { Step::ShowsBefore };
            }
            Body::Ruling(ruling) if can_be_undone(ruling.name()) => self.entered = Some(event.t),
            // That of a game before says nothing of this one.
            Body::Result { .. } if event.game.zip(self.game).is_some_and(|(of, this)| of < this) => {}
            Body::Result { .. } if event.reopens() => {
                (self.on, self.game, self.ending) = (true, event.game.or(self.game), None);
            }
            Body::Result { .. } => self.ends(event.t, moment),
            _ => {}
        }
        match (self.on, over) {
            (false, _) => Step::Shows,
            (true, true) => Step::ShowsBefore,
            (true, false) => Step::Waits,
        }
    }

    fn ends(&mut self, t: Mono, moment: i64) {
        let entered = self.entered.filter(|entered| (*entered..=*entered + UNDO_MS).contains(&t));
        match entered.filter(|_| self.on) {
            Some(entered) => {
                let rest = (entered + PublicView::SURE_MS).since(t);
                self.ending = Some(Ending { entered, sure_at: moment.saturating_add_unsigned(rest) });
            }
            None => (self.on, self.ending) = (false, None),
        }
    }
}

/// Another game begins: no result of the one before is undone any more.
fn begins(event: &Event) -> bool {
    match &event.body {
        Body::GameStart { .. } => true,
        Body::Ruling(ruling) => ruling.name() == "new-game",
        _ => false,
    }
}
