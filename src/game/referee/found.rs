//! Findings as they were last said, open and closed, of this game and of the ones before.
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use flagfall_events::{Grade, Key, Mono, SetClock, Status};
use flagfall_laws::situation::{Offences, Question, Verdict};
use flagfall_laws::{Irregularity, Judgement};

/// So many findings of earlier games can still be ruled on.
const EARLIER: usize = 32;

/// One finding, as it was last said.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) id: u64,
    /// The game it belongs to.
    pub(crate) game: u32,
    pub(crate) irregularity: Irregularity,
    pub(crate) judgement: Judgement,
    /// What became of it; `None`: open.
    pub(crate) closed: Option<Status>,
    pub(crate) verdict: Verdict,
    /// What the solver was asked for it.
    pub(crate) asked: Option<Question>,
    /// What was ruled on it, its result hanging on the verdict.
    pub(crate) waits: Option<Waiting>,
    /// When it was revised last.
    pub(crate) revised: Option<Mono>,
    /// When a revision that was put off is to be said.
    pub(crate) due: Option<Mono>,
    /// Another fault in the same move was counted.
    pub(crate) same_move_counted: bool,
    /// Its move was taken back: another one at the same ply is another move.
    pub(crate) taken_back: bool,
}

/// A ruling whose result waits for the solver's verdict.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) status: Status,
    pub(crate) clock: Option<SetClock>,
    /// Until when.
    pub(crate) until: Mono,
}

/// All findings of one game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    pub(crate) last_id: u64,
    pub(crate) found: Vec<Found>,
    /// What can still be ruled on of games before: the newest.
    pub(crate) earlier: VecDeque<Found>,
    pub(crate) offences: Offences,
    /// Something that proposals rest on has changed with this input.
    pub(crate) stale: bool,
}

impl Findings {
    /// The next finding has a number above `id`.
    pub(crate) const fn count_from(&mut self, id: u64) {
        self.last_id = id;
    }

    pub(crate) fn open(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(|found| found.closed.is_none())
    }

    /// An open finding by its number.
    pub(crate) fn get(&self, id: u64) -> Option<&Found> {
        self.open().find(|found| found.id == id)
    }

    /// Whether there is a finding with this number that can be ruled on.
    pub(crate) fn is_known(&self, id: u64) -> bool {
        self.found.iter().chain(&self.earlier).any(|found| found.id == id)
    }

    /// Something of a game before waits to be ruled on.
    pub(crate) fn earlier_waits(&self) -> bool {
        self.earlier.iter().any(|found| found.closed.is_none() && found.judgement.grade == Grade::Ruling)
    }

    /// A new game: what was found in the last one stays what it is, and its offences do not count.
    pub(crate) fn new_game(&mut self) {
        let mut earlier = core::mem::take(&mut self.earlier);
        earlier.extend(core::mem::take(&mut self.found).into_iter().filter(|found| found.judgement.proposal.is_some()));
        while earlier.len() > EARLIER {
            earlier.pop_front();
        }
        *self = Self { last_id: self.last_id, earlier, ..Self::default() };
    }
}

/// A flag is down, or both are.
pub(crate) const fn is_flag(found: &Found) -> bool {
    matches!(found.judgement.key, Key::FlagFall | Key::BothFlags)
}
