//! Two machines recorded a board, and what one says takes the place of what the other said. The board's own machine is shown; what it does not have is
//! kept and named, so that nobody's moves vanish and somebody compares.
use super::house::House;
use crate::nats::wire;
use flagfall_events::{Body, Event, Order};
use flagfall_score::board::BoardState;
use flagfall_score::pgn::pgn;
use std::path::PathBuf;
use std::sync::Arc;

/// The alarm.
const KEY: &str = "records-differ";
/// So many plies are named in it.
const NAMED: usize = 12;

/// The plies that count, UCI.
fn plies(state: &BoardState) -> Vec<&str> {
    state.moves().iter().take_while(|m| m.completed).map(|m| m.uci.as_str()).collect()
}

/// What `before` has and `events` do not: the first ply that differs, from 1. A game that is over has its place elsewhere, unless its end is unknown now.
fn lost(before: &BoardState, events: &[(u64, Arc<Event>)]) -> Option<usize> {
    let shown = plies(before);
    let mut after = BoardState::new(before.board().clone());
    let (mut nearest, mut same, mut whole) = (0, false, shown.is_empty());
    let mut look = |after: &BoardState| {
        same |= before.game().number == after.game().number && before.game().started_at == after.game().started_at;
        if before.game().start_fen == after.game().start_fen {
            let common = shown.iter().zip(plies(after)).take_while(|(a, b)| **a == *b).count();
            nearest = nearest.max(common);
            whole |= common == shown.len();
        }
    };
    for (_, event) in events {
        if matches!(event.body, Body::GameStart { .. }) {
            look(&after);
        }
        after.apply(event);
    }
    look(&after);
    // Of a game that is over only the game itself can take anything away.
    (!whole && (same || !before.is_over())).then_some(nearest + 1)
}

/// What `events` of the machine `now` take the place of is compared with what was shown until now, as the machine `then` said it. Machines by token.
pub(super) fn compare(house: &House, board: &Arc<str>, (then, now): (&str, &str), events: &[(u64, Arc<Event>)]) {
    let Some(before) = house.hub().arbiters().look(board, |office| office.state().board().clone()) else { return };
    let Some(ply) = lost(&before, events) else { return settled(house, board) };
    let named = |token: &str| wire::name(token).unwrap_or_else(|| String::from(token));
    let played: Vec<&str> = before.moves().iter().skip(ply - 1).take(NAMED).map(|m| m.san.as_deref().unwrap_or(m.uci.as_str())).collect();
    let all = plies(&before).len();
    let file = keep(house, board, then, &before);
    let what = file.map_or_else(
        || String::from("its moves are in the journal of that machine"),
        |file| format!("where they are right, `flagfall rule {board} moves {}`", file.display()),
    );
    let text = format!(
        "{} recorded {all} plies of this game, and from ply {ply} on {} does not have them: {}{}. The record of {} is shown. Compare both with the score sheets; {what}",
        named(then),
        named(now),
        played.join(" "),
        if all >= ply + NAMED { " …" } else { "" },
        named(now),
    );
    tracing::warn!("board {board}: {text}");
    if let Some(seat) = house.known().boards.get_mut(board) {
        seat.differs = true;
    }
    house.hub().alarm(KEY, board, Some(text));
}

/// The next game begins, or somebody entered the moves that are right.
pub(super) fn heard(house: &House, event: &Event) {
    let settles = match &event.body {
        Body::GameStart { .. } => true,
        Body::Ruling(ruling) => matches!(ruling.order(), Some(Order::Moves { .. })),
        _ => false,
    };
    if settles && house.known().boards.get(&event.board).is_some_and(|seat| seat.differs) {
        settled(house, &event.board);
    }
}

fn settled(house: &House, board: &Arc<str>) {
    if let Some(seat) = house.known().boards.get_mut(board) {
        seat.differs = false;
    }
    house.hub().alarm(KEY, board, None);
}

/// Keeps a record that is not shown any more, in the hall's data folder; where.
fn keep(house: &House, board: &str, machine: &str, state: &BoardState) -> Option<PathBuf> {
    let folder = house.config.data_dir.as_ref()?.join("records");
    let number = state.game().number.unwrap_or(0);
    let path = folder.join(format!("{}-game-{number}-{machine}.pgn", wire::token(board)));
    // A small file, once in a while: two machines name one board.
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, pgn(state, &[])));
    match written {
        Ok(()) => Some(path),
        Err(error) => {
            tracing::error!("{}: {error}; the record is in the journal of its machine", path.display());
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_events::{Mono, Wall};
    use serde_json::json;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Games of these numbers with these plies and results.
    fn events(games: &[(u32, &str, Option<&str>)]) -> Vec<(u64, Arc<Event>)> {
        let mut all = Vec::new();
        let mut say = |game: u32, body: serde_json::Value| {
            let seq = all.len() as u64 + 1;
            let at = Wall::EPOCH.after(Mono::from_millis(u64::from(game) * 1_000));
            let mut whole = json!({"seq": seq, "t": seq, "at": at, "board": "1", "game": game});
            whole.as_object_mut().unwrap().append(body.as_object().cloned().as_mut().unwrap());
            all.push((seq, Arc::new(serde_json::from_value(whole).unwrap())));
        };
        for (game, plies, result) in games {
            say(*game, json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "rapid", "chess960": false}));
            for (n, uci) in plies.split_whitespace().enumerate() {
                let by = if n % 2 == 0 { "white" } else { "black" };
                say(
                    *game,
                    json!({"type": "move-completed", "ply": n + 1, "by": by, "uci": uci, "san": uci, "legal": true, "how": "press"}),
                );
            }
            if let Some(result) = result {
                say(*game, json!({"type": "result", "result": result, "reason": "resigns", "source": "operator"}));
            }
        }
        all
    }

    fn shown(games: &[(u32, &str, Option<&str>)]) -> BoardState {
        let mut state = BoardState::new("1".into());
        events(games).iter().for_each(|(_, event)| _ = state.apply(event));
        state
    }

    #[test]
    fn nothing_is_lost_where_every_ply_is_in_what_comes() {
        let before = shown(&[(3, "e2e4 e7e5", None)]);
        for after in [
            &[(3, "e2e4 e7e5", None)][..],
            &[(3, "e2e4 e7e5 g1f3", None)],
            &[(2, "d2d4", Some("1-0")), (3, "e2e4 e7e5 g1f3", Some("0-1")), (4, "c2c4", None)],
            &[(1, "e2e4 e7e5 g1f3", None)],
        ] {
            assert_eq!(lost(&before, &events(after)), None, "{after:?}");
        }
        assert_eq!(lost(&shown(&[]), &events(&[(1, "e2e4", None)])), None);
        assert_eq!(lost(&shown(&[(3, "e2e4 e7e5", Some("1-0"))]), &events(&[(4, "d2d4", None)])), None, "that one is over");
    }

    #[test]
    fn what_is_missing_is_named_from_its_first_ply_on() {
        let before = shown(&[(3, "e2e4 e7e5 g1f3", None)]);
        for (after, ply) in [
            (&[(3, "e2e4 e7e5", None)][..], 3),
            (&[(3, "e2e4 c7c5 g1f3", None)], 2),
            (&[(1, "d2d4", None)], 1),
            (&[(1, "e2e4 e7e5", Some("1-0")), (2, "d2d4", None)], 3),
        ] {
            assert_eq!(lost(&before, &events(after)), Some(ply), "{after:?}");
        }
        let over = shown(&[(3, "e2e4 e7e5", Some("1-0"))]);
        assert_eq!(lost(&over, &events(&[(2, "d2d4", Some("1-0")), (3, "e2e4", None)])), Some(2));
    }
}
