//! An entry on its way to its board: who enters it, whether he may, and what became of it.
use super::answers::{Conflict, Taken, Waits};
use super::door::Visitor;
use super::shared::Shared;
use crate::answer::{failure, json, no_board};
use crate::boards::Refusal;
use crate::boards::ruled::sentence;
use crate::stage::json as bytes;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use flagfall_config::accounts::Role;
use flagfall_events::{Entry, Grade, Order};
use flagfall_score::folded::{FoldedFinding, Standing};

/// Notes and reasons are shorter, in bytes.
const LONGEST_TEXT: usize = 4000;
/// Names are shorter, in bytes.
const LONGEST_NAME: usize = 64;

/// Who enters it; or why he may not.
pub(super) fn sign(shared: &Shared, visitor: &Visitor, board: &str, entry: &mut Entry) -> Option<Response> {
    if matches!(entry.order, Order::TakeOver { .. }) {
        return Some(failure(StatusCode::FORBIDDEN, "only a board's own machine takes its game over", "enter moves: the PGN of the game"));
    }
    if visitor.role < needed(&entry.order) {
        return Some(failure(StatusCode::FORBIDDEN, "this entry is for arbiters", "operators enter results, moves and new games"));
    }
    if let (true, Order::Moves { .. }, Some(finding)) = (visitor.is_operator(), &entry.order, waits_for_a_ruling(shared, board)) {
        let error = format!("finding {finding} waits for an arbiter, who alone restores the record until then");
        return Some(failure(StatusCode::FORBIDDEN, &error, "ask an arbiter to rule on it first"));
    }
    // Without accounts there is no better name than the one that is given.
    entry.who = visitor.name.clone().or_else(|| entry.who.take());
    too_long(entry).map(|wrong| failure(StatusCode::UNPROCESSABLE_ENTITY, &wrong, "say it in fewer words"))
}

/// An open finding of the board that an arbiter must rule on.
fn waits_for_a_ruling(shared: &Shared, board: &str) -> Option<u64> {
    let waits = |folded: &&FoldedFinding| folded.status == Standing::Open && folded.finding.grade == Grade::Ruling;
    shared.hub.arbiters().look(board, |office| office.state().findings().iter().find(waits).map(|folded| folded.finding.id))?
}

/// Hands an entry to its board and says what became of it.
pub(super) async fn enter(shared: &Shared, visitor: &Visitor, board: &str, mut entry: Entry) -> Response {
    if let Some(refusal) = sign(shared, visitor, board, &mut entry) {
        return refusal;
    }
    let entered = shared.boards.enter(board, entry).await;
    shared.counts.entry(if entered.is_ok() { "taken" } else { "refused" });
    match entered {
        Ok(taken) => json(bytes(&Taken { seq: taken.seq, recovered: taken.recovered })),
        Err(why) => refused(board, why),
    }
}

/// Why an entry was not carried out, or not yet.
pub(super) fn refused(board: &str, why: Refusal) -> Response {
    match why {
        Refusal::UnknownBoard(_) => no_board(board),
        Refusal::Waits(key) => {
            let hint = "the board's Pi is away; the order is sent when that returns, and can be withdrawn until then";
            (StatusCode::ACCEPTED, json(bytes(&Waits { order: key, state: "waiting", hint }))).into_response()
        }
        Refusal::Busy => {
            let retry = [(header::RETRY_AFTER, HeaderValue::from_static("1"))];
            let hint = "look whether it was carried out, then try again";
            let answer = failure(StatusCode::SERVICE_UNAVAILABLE, &Refusal::Busy.to_string(), hint);
            (retry, answer).into_response()
        }
        Refusal::Meanwhile(meanwhile) => {
            let error = sentence(&meanwhile);
            let hint = String::from("nothing was changed; look at the board as it is now, then decide again");
            (StatusCode::CONFLICT, json(bytes(&Conflict { error, hint, meanwhile }))).into_response()
        }
        Refusal::Impossible(why) => {
            let hint = "nothing was changed; GET the board to see what stands";
            failure(StatusCode::UNPROCESSABLE_ENTITY, &why, hint)
        }
    }
}

/// Who may enter this.
const fn needed(order: &Order) -> Role {
    match order {
        // Only what its author entered can be undone.
        Order::Result { .. } | Order::NewGame {} | Order::Promote { .. } | Order::Moves { .. } | Order::Undo { .. } => Role::Operator,
        _ => Role::Arbiter,
    }
}

fn too_long(entry: &Entry) -> Option<String> {
    let reason = if let Order::Result { reason, .. } = &entry.order { reason.as_deref() } else { None };
    [("who", entry.who.as_deref(), LONGEST_NAME), ("note", entry.note.as_deref(), LONGEST_TEXT), ("reason", reason, LONGEST_TEXT)]
        .into_iter()
        .find(|(_, text, most)| text.is_some_and(|text| text.len() > *most))
        .map(|(field, _, most)| format!("{field} is longer than {most} bytes"))
}
