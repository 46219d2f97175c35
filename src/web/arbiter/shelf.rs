//! The journals of this machine's boards, read for whoever asks: lines around events, films, incident reports.
use super::given::no_finding;
use super::shared::Shared;
use crate::answer::{failure, json};
use crate::stage::json as bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use flagfall_journal::report::Lang;
use flagfall_journal::{Journal, JournalError};
use flagfall_score::film::Film;
use flagfall_score::moment::{AFTER_MS, Subject};
use serde::Serialize;

/// A journal is read by one visitor at a time: it is the boards' disk.
const AT_ONCE: usize = 1;

/// Journals are read here, so many at once.
pub(super) fn turns() -> tokio::sync::Semaphore {
    tokio::sync::Semaphore::new(AT_ONCE)
}

/// What is read in the journals, when it is this visitor's turn; else what is to be answered.
pub(super) async fn read<T: Send + 'static>(
    shared: &Shared,
    what: impl FnOnce(&Journal) -> Result<T, JournalError> + Send + 'static,
) -> Result<T, Response> {
    let Some(journal) = shared.journal.clone() else {
        let hint = "set data_dir in the configuration, or start with --data-dir";
        return Err(failure(StatusCode::NOT_FOUND, "no journal is kept here", hint));
    };
    let Ok(_turn) = shared.reading.acquire().await else {
        return Err(failure(StatusCode::SERVICE_UNAVAILABLE, "flagfall is about to end", "start it again"));
    };
    match tokio::task::spawn_blocking(move || what(&journal)).await {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(failure(StatusCode::SERVICE_UNAVAILABLE, &error.to_string(), "`flagfall verify` says more about the file")),
        Err(_) => {
            Err(failure(StatusCode::INTERNAL_SERVER_ERROR, "the journal could not be read", "please report it with the lines of the log"))
        }
    }
}

/// The lines of the journal that led to these events, as they stand there.
pub(super) async fn lines(shared: &Shared, board: String, from: u64, to: u64) -> Response {
    match read(shared, move |journal| journal.evidence(&board, from, to)).await {
        Ok(lines) => json(bytes(&lines)),
        Err(answer) => answer,
    }
}

/// The incident report on a finding, as a page to be read and printed.
pub(super) async fn report(shared: &Shared, board: String, finding: u64, lang: &str) -> Response {
    let lang = if lang == "ru" { Lang::Ru } else { Lang::En };
    match read(shared, move |journal| journal.report(&board, finding, lang)).await {
        Ok(Some(page)) => ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response(),
        Ok(None) => no_finding(),
        Err(answer) => answer,
    }
}

/// A film as it is handed out.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct BoardFilm {
    /// The board's name.
    board: String,
    /// The finding that it is about, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<u64>,
    /// The journal's file on the daemon's machine, for `flagfall replay --explain` and `flagfall export`.
    journal: String,
    #[serde(flatten)]
    film: Film,
}

/// What the sensors showed around a finding or a move.
pub(super) async fn film(shared: &Shared, board: String, subject: Subject) -> Response {
    let name = board.clone();
    let found = match read(shared, move |journal| journal.film(&name, subject)).await {
        Ok(Some(found)) => found,
        Ok(None) => return no_film(subject),
        Err(answer) => return answer,
    };
    let mut film = found.film;
    // What has not happened yet is not missing.
    let gone = flagfall_time::now().since(film.at).min(AFTER_MS);
    film.to_ms = i64::try_from(gone).unwrap_or(film.to_ms);
    let finding = match subject {
        Subject::Finding(id) => Some(id),
        Subject::Ply { .. } => None,
    };
    json(bytes(&BoardFilm { board, finding, journal: found.journal.display().to_string(), film }))
}

/// The answer where there is no such finding or ply.
pub(super) fn no_film(subject: Subject) -> Response {
    match subject {
        Subject::Finding(_) => no_finding(),
        Subject::Ply { .. } => {
            failure(StatusCode::NOT_FOUND, "there is no such ply in the journals", "GET the board to see its moves and their numbers")
        }
    }
}
