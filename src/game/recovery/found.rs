//! What was played while nobody listened.
use crate::recogniser::follows::Follows;
use crate::recogniser::record::Ply;
use crate::recognition::step::Step;
use alloc::vec::Vec;

/// Plies from the certain position that were found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) line: Vec<Step>,
    /// The board's move memory told.
    pub(crate) logged: bool,
    /// A bit set for each ply that may have been another one.
    pub(crate) open: u64,
    /// A piece went on from a square that shows nothing of it: nothing but what is legal tells so.
    pub(crate) roundabout: bool,
    /// So many of them were pressed, as the log says.
    pub(crate) pressed: Option<usize>,
    /// The estimate that they are from, which goes on.
    pub(crate) follows: Option<Follows>,
}

impl Found {
    /// What nothing but pictures tell.
    pub(crate) const fn of(line: Vec<Step>, logged: bool, open: u64) -> Self {
        Self { line, logged, open, roundabout: false, pressed: None, follows: None }
    }

    /// The same after `later` certain plies instead of `base`, where those between are its own.
    pub(crate) fn since(&self, plies: &[Ply], base: usize, later: usize) -> Option<Self> {
        let known = later.checked_sub(base)?;
        let same = self.line.iter().zip(plies.get(base..later)?).take_while(|(step, ply)| step.mv == ply.mv).count();
        (same == known).then(|| Self {
            line: self.line[known..].to_vec(),
            open: self.open.checked_shr(u32::try_from(known).unwrap_or(u32::MAX)).unwrap_or(0),
            pressed: self.pressed.map(|pressed| pressed.saturating_sub(known)),
            follows: self.follows.clone().filter(|_| known == 0),
            ..*self
        })
    }

    /// Whether it has these plies, and more.
    pub(crate) fn goes_on(&self, line: &[Step]) -> bool {
        self.line.len() > line.len() && line.iter().zip(&self.line).all(|(known, told)| known.mv == told.mv)
    }

    /// So many of its plies are completed: those that were pressed, or all but the last one.
    pub(crate) fn completed(&self) -> usize {
        self.pressed.unwrap_or_else(|| self.line.len().saturating_sub(1))
    }
}
