//! Why a move was read as it was: `flagfall replay --explain` on the board's journal, in a process of its own, after everything that is urgent.
use super::shared::Shared;
use super::shelf::{no_film, read};
use crate::answer::failure;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use flagfall_score::moment::Subject;
use std::io;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;
use tokio::process::Command;
use tokio::time::timeout;

/// Whoever asked is told the command then.
const PATIENCE: Duration = Duration::from_secs(12);

/// Why a move of a game was read as it was, in words and figures; `lang`: `ru`, else English.
pub(super) async fn explanation(shared: &Shared, name: String, (ply, game): (u32, Option<u32>), lang: &str) -> Response {
    let subject = Subject::Ply { game, ply };
    let journal = match read(shared, move |journal| journal.file_of(&name, subject)).await {
        Ok(Some(journal)) => journal,
        Ok(None) => return no_film(subject),
        Err(answer) => return answer,
    };
    let more: Vec<String> = game
        .map(|game| [String::from("--game"), game.to_string()])
        .into_iter()
        .chain((lang == "ru").then(|| ["--lang", "ru"].map(String::from)))
        .flatten()
        .collect();
    let later = |why: &str| {
        let more: String = more.iter().map(|more| format!(" {more}")).collect();
        let hint = format!("on the machine itself: flagfall replay {} --explain {ply}{more}", journal.display());
        failure(StatusCode::SERVICE_UNAVAILABLE, why, &hint)
    };
    let Some(program) = &shared.program else { return later("this program cannot be started beside itself") };
    let Ok(_turn) = shared.reading.acquire().await else { return later("flagfall is about to end") };
    match timeout(PATIENCE, run(program, &journal, ply, &more)).await {
        Ok(Ok(said)) if !said.stdout.is_empty() => {
            ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], told(&said.stdout, &journal)).into_response()
        }
        Ok(Ok(said)) => later(String::from_utf8_lossy(&said.stderr).trim()),
        Ok(Err(error)) => later(&error.to_string()),
        Err(_) => later("it takes too long to be waited for"),
    }
}

/// The journal's name stands for its path.
fn told(said: &[u8], journal: &Path) -> String {
    let text = String::from_utf8_lossy(said);
    let name = journal.file_name().unwrap_or_default().to_string_lossy();
    text.replace(&*journal.to_string_lossy(), &name)
}

async fn run(program: &Path, journal: &Path, ply: u32, more: &[String]) -> io::Result<Output> {
    let explain = |mut command: Command| {
        command.arg("replay").arg(journal).args(["--explain", &ply.to_string()]).args(more);
        command.stdin(Stdio::null()).kill_on_drop(true);
        command
    };
    let mut behind = Command::new("nice");
    behind.args(["-n", "15"]).arg(program);
    match explain(behind).output().await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => explain(Command::new(program)).output().await,
        said => said,
    }
}
