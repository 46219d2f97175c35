//! Whether a game that was misread could have been read: what the exhaustive observer says of the plies that were.
use crate::case::Case;
use crate::observer::{Game, Ply, Verdict, feed, observe};
use flagfall_hands::{Eyes, Press};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};
use std::fmt;

/// What the observer says of a game that was not read exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Some ply that was misread is told by the stream. `cut`: a bound was met, nothing is proved there.
    Determined { cut: bool },
    /// The stream does not tell the plies that were misread from these, each from a ply on.
    Open(Vec<(usize, Vec<String>)>),
    /// The observer does not know what it would need to know.
    NotAsked,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Determined { cut: false } => f.write_str("determined"),
            Self::Determined { cut: true } => f.write_str("determined as far as was looked"),
            Self::NotAsked => f.write_str("not asked"),
            Self::Open(others) => {
                f.write_str("not determined:")?;
                others.iter().try_for_each(|(from, other)| write!(f, " {from}. {}", other.join(" ")))
            }
        }
    }
}

/// What it says of a game that was read like this.
pub(crate) fn of(case: &Case, moves: &[String]) -> Word {
    let Some(stands) = &case.stands else { return Word::NotAsked };
    let identified = case.eyes() == Eyes::Pieces;
    let seen = feed::read(case.chunks(), stands.turned, stands.white.map(|white| white == Press::Left));
    let missed: Vec<usize> = (0..case.truth.len()).filter(|n| moves.get(*n) != Some(&case.truth[*n])).collect();
    let (mut open, mut cut, mut from) = (Vec::new(), false, 0);
    // It names the first ply that may have been another one: from where both lines are one again it is asked anew.
    while missed.iter().any(|n| *n >= from) {
        let observed = observe(&Game {
            start: &after(&case.plies[..from]),
            mode: CastlingMode::Standard,
            plies: &case.plies[from..],
            seen: &seen,
            began: from.checked_sub(1).and_then(|last| case.plies[last].stood).unwrap_or(stands.began),
            until: case.lines.last().map_or(0, |(t, _)| t.millis()),
            scan_ms: stands.scan_ms,
            phases: None,
            identified,
            promotions_known: !identified,
        });
        cut |= observed.cut > 0;
        let Verdict::Undetermined { other, from_ply } = observed.verdict else { break };
        let begins = from + from_ply;
        from = begins - 1 + other.len().max(1);
        open.push((begins, other));
    }
    open.retain(|(begins, other)| missed.iter().any(|n| (*begins..begins + other.len()).contains(&(n + 1))));
    let is_open = |n: &usize| open.iter().any(|(begins, other)| (*begins..begins + other.len()).contains(&(n + 1)));
    if missed.iter().all(is_open) { Word::Open(open) } else { Word::Determined { cut } }
}

/// The position after these plies.
fn after(plies: &[Ply]) -> Chess {
    plies.iter().fold(Chess::default(), |mut position, ply| {
        let mv = ply.uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok()).expect("a legal move");
        position.play_unchecked(mv);
        position
    })
}
