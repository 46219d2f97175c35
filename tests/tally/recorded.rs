//! Games as the events have them.
use flagfall_events::{Body, Event, GameResult, ResultSource};
use std::collections::BTreeMap;

/// One game with a move.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    pub(crate) number: Option<u32>,
    /// When its first move and its last one were made.
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// As they stand, by ply; a move that was made and never contradicted counts.
    pub(crate) moves: BTreeMap<u32, String>,
    /// The one that stands, and when a result was first said.
    pub(crate) result: Option<(GameResult, ResultSource, u64)>,
}

/// The games of a board, in their order; those without moves are none.
pub(crate) fn recorded(events: &[Event], time: &impl Fn(&Event) -> u64) -> Vec<Recorded> {
    let mut games: Vec<Recorded> = Vec::new();
    for event in events {
        if let Body::GameStart { .. } = event.body {
            games.push(Recorded { number: event.game, ..Recorded::default() });
            continue;
        }
        // What is said of an earlier game names it.
        let named = event.game.and_then(|number| games.iter().rposition(|game| game.number == Some(number)));
        let Some(at) = named.or_else(|| games.len().checked_sub(1)) else { continue };
        let (game, t) = (&mut games[at], time(event));
        match &event.body {
            Body::MoveMade { ply, uci, .. } | Body::MoveCompleted { ply, uci, .. } => {
                if game.moves.is_empty() && game.first == 0 {
                    game.first = t;
                }
                game.last = t;
                game.moves.insert(*ply, uci.clone());
            }
            Body::MoveRevised { ply, uci, .. } => {
                game.moves.insert(*ply, uci.clone());
            }
            Body::MoveWithdrawn { ply, .. } => {
                game.moves.retain(|p, _| p < ply);
            }
            Body::Result { result, source, .. } => {
                let first = game.result.as_ref().map_or(t, |(_, _, first)| *first);
                game.result = Some((*result, *source, first));
            }
            _ => {}
        }
    }
    games.retain(|game| !game.moves.is_empty());
    games
}
