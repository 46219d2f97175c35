//! What an entry would do, said before it is made: the board's own state, copied, takes it, and what that says is the answer. Nothing is changed.
use flagfall_events::{Body, ClockState, Entry, Event, GameResult, How, Key, Mono, Proposal, Status};
use flagfall_game::board::{Board, Output};
use serde::{Deserialize, Serialize};

/// What an entry would do now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preview {
    /// The board's newest event: the `seq` up to which this preview has seen everything.
    pub seq: u64,
    /// Findings that would be raised or decided.
    pub findings: Vec<Foreseen>,
    /// Plies that would be taken back, the last one first.
    pub withdrawn: Vec<Withdrawn>,
    /// Plies that would be recovered: what was played while a result stood that was wrong, or what leads to a position that is set.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub recovered: Vec<Recovered>,
    /// The position that would be put up, FEN field 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub placement: Option<String>,
    /// The result that would stand.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<GameResult>,
    /// The times that would be ruled.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock: Option<ClockState>,
    /// The result hangs on whether the opponent can mate; it would follow within two seconds.
    pub waits: bool,
    /// Everything that would be said, as arbiters would hear it.
    pub events: Vec<Event>,
}

/// What would become of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Foreseen {
    /// Its number.
    pub finding: u64,
    /// Its meaning, where it would be raised.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub key: Option<Key>,
    /// What would become of it; missing: it would be open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub status: Option<Status>,
    /// What it would propose, or what would be ruled, where that is new.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proposal: Option<Proposal>,
}

/// A ply that would be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Withdrawn {
    /// Which.
    pub ply: u32,
    /// The move.
    pub uci: String,
}

/// A ply that is recovered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Recovered {
    /// Which.
    pub ply: u32,
    /// The move.
    pub uci: String,
}

impl Preview {
    /// What `entry` would do on this board at `now`; its newest event is `seq`.
    pub fn of(board: &Board, seq: u64, now: Mono, entry: Entry) -> Self {
        let mut copy = board.clone();
        copy.entry(now, entry);
        let events =
            std::iter::from_fn(|| copy.poll()).filter_map(|output| if let Output::Event(event) = output { Some(event) } else { None });
        Self::from_events(seq, events.collect())
    }

    /// What an operator may know of it: what the public would hear.
    pub(crate) fn for_operators(mut self) -> Self {
        self.events.retain(|event| event.body.is_public());
        self.findings.clear();
        Self { waits: false, ..self }
    }

    fn from_events(seq: u64, events: Vec<Event>) -> Self {
        let mut preview = Self { seq, ..Self::default() };
        for event in &events {
            match &event.body {
                Body::Finding(finding) => preview.findings.push(Foreseen {
                    finding: finding.id,
                    key: Some(finding.key),
                    status: None,
                    proposal: finding.proposal.clone(),
                }),
                Body::FindingUpdate(update) => {
                    let status = (update.status != Status::Revised).then_some(update.status);
                    let proposal = update.proposal.clone();
                    match preview.findings.iter_mut().find(|known| known.finding == update.id) {
                        Some(known) => {
                            known.status = status.or(known.status);
                            known.proposal = proposal.or_else(|| known.proposal.take());
                        }
                        None => preview.findings.push(Foreseen { finding: update.id, key: None, status, proposal }),
                    }
                }
                Body::MoveWithdrawn { ply, uci, .. } => preview.withdrawn.push(Withdrawn { ply: *ply, uci: uci.clone() }),
                Body::MoveCompleted { ply, uci, how: How::Recovered, .. } => {
                    preview.recovered.push(Recovered { ply: *ply, uci: uci.clone() })
                }
                Body::Placement { placement, .. } => preview.placement = Some(placement.clone()),
                Body::Result { result, .. } => preview.result = Some(*result),
                Body::Clock(state) => preview.clock = Some(*state),
                _ => {}
            }
        }
        let ruled = events.iter().find_map(|event| match &event.body {
            Body::Ruling(ruling) => ruling.finding(),
            _ => None,
        });
        // Ruled, and neither decided nor left as it was.
        preview.waits = ruled.is_some_and(|id| preview.findings.iter().find(|f| f.finding == id).is_none_or(|f| f.status.is_none()));
        Self { events, ..preview }
    }
}
