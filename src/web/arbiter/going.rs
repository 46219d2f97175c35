//! "I'm going": an arbiter answers a finding that rings, and the others see his name.
use super::given::{FindingPath, Given, no_finding};
use super::shared::{Server, Shared};
use super::visitor::ArbiterNamed;
use crate::answer::{failure, json, no_board};
use crate::boards::asked::{Question, Unanswered};
use crate::going::Going;
#[cfg(feature = "openapi")]
use crate::problem::Problem;
use crate::stage::json as bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;

/// A name is no longer, in bytes.
const LONGEST_NAME: usize = 64;

/// In a hall: the board's own machine rings no more, too. Nobody waits for it.
fn tell_afar(shared: &Shared, board: &str, finding: u64, going: Option<Going>) {
    let Some(afar) = shared.boards.afar() else { return };
    let told = afar(String::from(board), Question::Going { finding, going });
    let board = String::from(board);
    tokio::spawn(async move {
        if let Err(Unanswered { reason, .. }) = told.await {
            tracing::warn!("board {board}: its own machine does not know who goes there: {reason}");
        }
    });
}

/// Whether the caller goes there.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct GoingBody {
    /// `false`: nobody goes any more, and it rings again.
    going: bool,
    /// The caller's name, where there are no accounts.
    who: Option<String>,
}

/// Says that the caller goes to a board because of an open finding: it rings no more, and all arbiters see the name. Whoever says it last goes. It is no
/// entry: it is not journaled, and a restart forgets it.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/api/v1/arbiter/boards/{board}/findings/{id}/going", tag = "boards", operation_id = "going",
    params(("board" = String, Path, description = "The board's name"), ("id" = u64, Path, description = "The finding's number")), request_body = GoingBody,
    responses((status = 200, body = Going), (status = 204), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
        (status = 422, body = Problem))))]
pub(super) async fn going(State(shared): Server, visitor: ArbiterNamed, at: FindingPath, Given(body): Given<GoingBody>) -> Response {
    let who = visitor.0.or(body.who).map(|who| String::from(who.trim())).filter(|who| !who.is_empty());
    if who.as_ref().is_some_and(|who| who.len() > LONGEST_NAME) {
        let error = format!("who is longer than {LONGEST_NAME} bytes");
        return failure(StatusCode::UNPROCESSABLE_ENTITY, &error, "say it in fewer words");
    }
    let Some(open) = shared.hub.arbiters().look(&at.board, |board| board.is_open(at.id)) else { return no_board(&at.board) };
    let going = Going { finding: at.id, who, at: flagfall_time::now() };
    match open {
        None => no_finding(),
        Some(true) if shared.hub.set_going(&at.board, at.id, body.going.then(|| going.clone())) => {
            tell_afar(&shared, &at.board, at.id, body.going.then(|| going.clone()));
            if body.going { json(bytes(&going)) } else { StatusCode::NO_CONTENT.into_response() }
        }
        Some(_) => failure(
            StatusCode::CONFLICT,
            "nobody has to go there any more",
            "look at the board: it was ruled on, or what it rested on is gone",
        ),
    }
}
