//! Deadlines: each belongs to one part of the game, and all have one order.
use flagfall_events::Mono;

/// What a part waits for. The order is that in which deadlines of the same moment are acted upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timer {
    /// The board is quiet: its placement is settled.
    Settle,
    /// The last ply cannot go on any more: it is made.
    Made,
    /// The oldest press has to be judged.
    Press,
    /// Without a clock: the last ply stood long enough.
    Complete,
    /// A move that ends the game, but could go on, stood long enough.
    End,
    /// Both kings stood in the centre long enough.
    Kings,
    /// The pieces were set up again while nobody showed a result.
    SetUp,
    /// What stands is no game position, and nobody puts it right.
    Disorder,
    /// What is left to put right may be said again.
    Displaced,
    /// After a gap: no line was found long enough, the board's memory may know one.
    Memory,
    /// Pieces stand wrong before the first move.
    Start,
    /// A press was not read for long.
    Unread,
    /// The clock's silence means something.
    Clock,
    /// A revision was put off, or a ruling waits for its verdict.
    Findings,
    /// The board has not said too much for long.
    Chatter,
}

impl Timer {
    pub(super) const ALL: [Self; 15] = [
        Self::Settle,
        Self::Made,
        Self::Press,
        Self::Complete,
        Self::End,
        Self::Kings,
        Self::SetUp,
        Self::Disorder,
        Self::Displaced,
        Self::Memory,
        Self::Start,
        Self::Unread,
        Self::Clock,
        Self::Findings,
        Self::Chatter,
    ];
}

/// The deadlines of one part.
#[derive(Clone, Debug, Default)]
pub(super) struct Timers([Option<Mono>; Timer::ALL.len()]);

impl Timers {
    pub(super) const fn set(&mut self, timer: Timer, at: Option<Mono>) {
        self.0[timer as usize] = at;
    }

    pub(super) const fn get(&self, timer: Timer) -> Option<Mono> {
        self.0[timer as usize]
    }

    /// The next one.
    pub(super) fn next(&self) -> Option<Mono> {
        self.0.iter().flatten().copied().min()
    }
}
