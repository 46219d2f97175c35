//! The moment around which a film is cut: looked for in a board's events, which are read once for it.
use alloc::collections::VecDeque;
use alloc::string::String;
use flagfall_events::{Body, Event, How, Mono, Wall};
use serde_json::Value;

/// A film begins so long before its moment, milliseconds …
const BEFORE_MS: u64 = 10_000;
/// … and ends so long after it.
pub const AFTER_MS: u64 = 5_000;
/// What a finding rests on may be older: the film then begins so long before that …
const EARLIER_MS: u64 = 2_000;
/// … but never longer than this before the moment.
const LONGEST_MS: u64 = 60_000;
/// Of a move that was made long before it was completed, so much from before it was made.
const HAND_MS: u64 = 5_000;

/// What a film is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The finding of this number.
    Finding(u64),
    /// A ply, as it stands in the record last.
    Ply {
        /// Which game of the board; `None`: the newest that has this ply.
        game: Option<u32>,
        /// From 1 at the game's first move.
        ply: u32,
    },
}

/// The moment around which a film is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When.
    pub t: Mono,
    /// The same moment for people.
    pub at: Wall,
    /// When the film begins.
    pub from: Mono,
    /// Which game of the board.
    pub game: Option<u32>,
    /// The ply that it is about, where it is about one.
    pub ply: Option<u32>,
    /// Of a film of a ply its move: SAN, or UCI where it is not legal.
    pub name: Option<String>,
}

impl Moment {
    /// When the film ends.
    pub const fn to(&self) -> Mono {
        Mono::from_millis(self.t.millis().saturating_add(AFTER_MS))
    }
}

/// Looks for the moment in a board's events.
#[derive(Clone, Debug)]
pub struct Seeker {
    subject: Subject,
    found: Option<Moment>,
    /// Numbers and times of the last minute's events.
    recent: VecDeque<(u64, Mono)>,
}

impl Seeker {
    /// For this film.
    pub const fn new(subject: Subject) -> Self {
        Self { subject, found: None, recent: VecDeque::new() }
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        let oldest = event.t.millis().saturating_sub(LONGEST_MS);
        while self.recent.front().is_some_and(|(_, t)| t.millis() < oldest || *t > event.t) {
            self.recent.pop_front();
        }
        self.recent.push_back((event.seq, event.t));
        match (self.subject, &event.body) {
            (Subject::Finding(id), Body::Finding(finding)) if finding.id == id => {
                let rests = self.recent.iter().find(|(seq, _)| *seq >= finding.evidence[0]).map_or(event.t, |(_, t)| *t);
                let ply = finding.facts.get("ply").and_then(Value::as_u64).and_then(|ply| u32::try_from(ply).ok());
                self.found = Some(moment(event, ply, back(rests, EARLIER_MS)));
            }
            (Subject::Ply { game, ply }, Body::MoveMade { ply: of, uci, san, .. }) if ply == *of && is_of(event, game) => {
                self.found = Some(Moment { name: Some(san.as_ref().unwrap_or(uci).clone()), ..moment(event, Some(ply), event.t) });
            }
            // Where somebody else decided that it counts, the hand is to be seen, not the decision.
            (Subject::Ply { game, ply }, Body::MoveCompleted { ply: of, uci, san, how, .. }) if ply == *of && is_of(event, game) => {
                let made = self.found.as_ref().filter(|made| made.t <= event.t && made.game == event.game);
                let by_hand = matches!(how, How::Press);
                if made.is_none() || (by_hand && made.is_some_and(|made| event.t.since(made.t) <= LONGEST_MS - HAND_MS)) {
                    let hand = made.map_or(event.t, |made| back(made.t, HAND_MS));
                    self.found = Some(Moment { name: Some(san.as_ref().unwrap_or(uci).clone()), ..moment(event, Some(ply), hand) });
                }
            }
            _ => {}
        }
    }

    /// The moment, where it came.
    pub fn found(self) -> Option<Moment> {
        self.found
    }
}

/// An old journal's events name no game.
fn is_of(event: &Event, game: Option<u32>) -> bool {
    !event.is_of_another(game)
}

const fn back(t: Mono, ms: u64) -> Mono {
    Mono::from_millis(t.millis().saturating_sub(ms))
}

/// `seen`: from then on there is something to see.
fn moment(event: &Event, ply: Option<u32>, seen: Mono) -> Moment {
    let from = seen.min(back(event.t, BEFORE_MS)).max(back(event.t, LONGEST_MS));
    Moment { t: event.t, at: event.at, from, game: event.game, ply, name: None }
}
