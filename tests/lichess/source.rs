//! `flagfall check` and `flagfall doctor --source-url` say what Lichess would not like about an address.
use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::net::SocketAddr;
use std::process::{Command, Output};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

const GAME: &str = "[White \"Carlsen, M\"]\n[Black \"Nepomniachtchi, I\"]\n[Result \"*\"]\n\n1. e4 *\n\n";

fn flagfall(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flagfall")).args(args).output().unwrap()
}

/// What doctor says about `path` of a server with good and bad answers, and its exit code.
fn doctor(address: SocketAddr, path: &str) -> (String, i32) {
    let output = flagfall(&["doctor", "--source-url", &format!("http://{address}{path}")]);
    (String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
}

/// Answers as it should; unchanged games with their own ETag, which comes back without quotes.
async fn good(headers: HeaderMap) -> Response {
    if headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag == "abc") {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, "\"abc\"")]).into_response();
    }
    ([(header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8"), (header::ETAG, "\"abc\"")], GAME).into_response()
}

/// As some proxies do.
async fn other_tag(headers: HeaderMap) -> Response {
    if headers.contains_key(header::IF_NONE_MATCH) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, "\"xyz\"")]).into_response();
    }
    ([(header::CONTENT_TYPE, "text/plain"), (header::ETAG, "W/\"abc\"")], GAME.replace("Carlsen, M", "?")).into_response()
}

#[test]
fn doctor_fetches_as_lichess_does_and_says_what_is_wrong() {
    let runtime = Runtime::new().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new()
        .route("/good.pgn", get(good))
        .route("/proxy.pgn", get(other_tag))
        .route("/moved.pgn", get(|| async { (StatusCode::FOUND, [(header::LOCATION, "/good.pgn")]) }))
        .route("/empty.pgn", get(|| async { ([(header::ETAG, "\"e\"")], "") }));
    runtime.spawn(async move { axum::serve(listener, app).await });

    let (said, code) = doctor(address, "/good.pgn");
    assert!(said.contains("it answers from here") && said.contains("games: 1\n") && said.contains("not sent again"), "{said}");
    // What is left is the address itself, which is this machine and a port of its own.
    assert!(said.contains("this machine only") && said.contains("8491 only") && code == 69, "{said}");
    let (said, _) = doctor(address, "/proxy.pgn");
    for word in ["names no charset", "dropped by Lichess: number 1", "weak one", "another ETag (\"xyz\""] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(doctor(address, "/moved.pgn").0.contains("a redirection (302 Found) to /good.pgn"));
    assert!(doctor(address, "/gone.pgn").0.contains("404 Not Found; Lichess takes 200 only"));
    assert!(doctor(address, "/empty.pgn").0.contains("there is no game in it"));
    drop(runtime);
    assert!(doctor(address, "/good.pgn").0.contains("cannot be reached from here"));
}

#[test]
fn check_says_when_a_source_address_cannot_be_polled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flagfall.toml");
    std::fs::write(&path, "[lichess]\nsource_url = \"http://chess.example.org:8064/pgn/round-1/games.pgn\"\n").unwrap();
    let output = flagfall(&["check", path.to_str().unwrap()]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.contains("not 8064: put a proxy in front"), "{said}");
}
