//! What only a board's own machine has or does: answered here, or asked there.
use super::explain::explanation;
use super::given::no_finding;
use super::shared::Shared;
use super::shelf::{film, lines, report};
use crate::answer::{failure, no_board};
use crate::boards::asked::{Question, Unanswered};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use flagfall_score::moment::Subject;

/// The answer to a question about a board: from here, or from the machine where it is.
pub(super) async fn ask(shared: &Shared, board: String, question: Question) -> Response {
    if shared.hub.board(&board).is_none() {
        return no_board(&board);
    }
    let Some(afar) = shared.boards.afar() else { return here(shared, board, question).await };
    match afar(board, question).await {
        Ok(reply) => reply.into_response(),
        Err(Unanswered { reason, hint }) => failure(StatusCode::SERVICE_UNAVAILABLE, &reason, &hint),
    }
}

/// What this machine answers.
pub(super) async fn here(shared: &Shared, board: String, question: Question) -> Response {
    match question {
        Question::Going { finding, going } => match shared.hub.set_going(&board, finding, going) {
            true => StatusCode::NO_CONTENT.into_response(),
            false => no_finding(),
        },
        Question::Lines { from, to } => lines(shared, board, from, to).await,
        Question::Finding { finding } => film(shared, board, Subject::Finding(finding)).await,
        Question::Ply { ply, game } => film(shared, board, Subject::Ply { game, ply }).await,
        Question::Report { finding, lang } => report(shared, board, finding, &lang).await,
        Question::Explanation { ply, game, lang } => explanation(shared, board, (ply, game), &lang).await,
    }
}
