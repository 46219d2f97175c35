//! The archive as its readers have it: a folder on some web server, and no daemon anywhere.
use super::pages::an_event;
use super::stage::{Browser, Screen};
use fantoccini::key::Key;
use flagfall::feeds::tree::ARCHIVE;
use flagfall::feeds::tree::documents::Documents;
use flagfall::feeds::tree::writer::Writer;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// A web server that knows nothing but files: those of `folder`, below `/club/2026/`.
async fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let folder = folder.clone();
            tokio::spawn(async move {
                let mut asked = Vec::new();
                while !asked.ends_with(b"\r\n\r\n") {
                    match stream.read_u8().await {
                        Ok(byte) => asked.push(byte),
                        Err(_) => return,
                    }
                }
                let asked = String::from_utf8_lossy(&asked).into_owned();
                let path = asked.split([' ', '?']).nth(1).unwrap_or_default().strip_prefix("/club/2026/");
                let name = path.map(|path| if path.is_empty() { "index.html" } else { path });
                let bytes = name.and_then(|name| std::fs::read(folder.join(name)).ok());
                let kind = match name.and_then(|name| Path::new(name).extension()?.to_str()) {
                    Some("html") => "text/html",
                    Some("js") => "text/javascript",
                    Some("css") => "text/css",
                    Some("svg") => "image/svg+xml",
                    Some("json") => "application/json",
                    _ => "application/octet-stream",
                };
                let (status, bytes) = bytes.map_or(("404 Not Found", Vec::new()), |bytes| ("200 OK", bytes));
                let head =
                    format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", bytes.len());
                _ = stream.write_all(&[head.as_bytes(), &bytes].concat()).await;
            });
        }
    });
    format!("http://{address}/club/2026/")
}

/// How many games of the round can be played through.
const GAMES: &str = "return document.querySelectorAll('.result a').length;";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_folder_on_any_web_server_shows_rounds_and_plays_every_game_through() {
    let test = "a_folder_on_any_web_server_shows_rounds_and_plays_every_game_through";
    let Some(browser) = Browser::start(test, Screen::Desktop, false).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let documents = Documents::new();
    documents.make(Arc::new(an_event()));
    Writer::new(folder.path(), ARCHIVE, "").write(&documents.now()).unwrap();
    let url = serve(folder.path().to_owned()).await;

    browser.goto(&format!("{url}?lang=en")).await.unwrap();
    browser.wait_for_text("#event", |text| text == "Club Championship 2026 Bergen, NO").await;
    browser.wait_for_text("h1", |text| text == "Round 3").await;
    browser.wait_for_text(".standings tbody tr:nth-child(2) .points", |text| text == "1½").await;
    // What is still being played is not in it.
    browser.wait_to_see(GAMES, json!(1)).await;
    browser.click(".rounds a[href='#/round/1']").await;
    browser.wait_for_text("h1", |text| text == "Round 1").await;
    browser.wait_to_see(GAMES, json!(4)).await;
    let pgn =
        "return fetch(document.querySelector('.links a').href).then((a) => a.text()).then((text) => text.split('[Event ').length - 1);";
    assert_eq!(browser.ask(pgn).await, json!(4));

    browser.click(".result a[href='#/round/1/2']").await;
    browser.wait_for_text("h1", |text| text == "Round 1 · Board 2").await;
    browser.wait_for_text(".move[aria-current]", |text| text == "Ng3").await;
    browser.wait_for_text(".single .state", |text| text == "0 – 1 · resigned").await;
    browser.wait_for_text(".white .name", |text| text == "Baker, Jo").await;
    browser.wait_for_text(".black .who", |text| text == "2410 · NGR").await;
    browser.wait_for_text(".opening", |text| text.contains("Italian Game")).await;
    browser.press(Key::Home).await;
    browser.wait_for("[aria-label='Round 1 · Board 2, Start position']").await;
    browser.wait_for_text(".white .time", |text| text == "–:––").await;
    browser.press(Key::Right).await;
    browser.wait_for_text(".move[aria-current]", |text| text == "e4").await;
    browser.wait_for_text(".white .time", |text| text == "1:29:50").await;
    browser.click(".follow").await;
    browser.wait_for_text(".move[aria-current]", |text| text == "Ng3").await;
    browser.click("#boards a[href='#/round/1/4']").await;
    browser.wait_for_text("h1", |text| text == "Round 1 · Board 4").await;
    browser.press(Key::Escape).await;
    browser.wait_for_text("h1", |text| text == "Round 1").await;

    browser.goto(&format!("{url}?lang=ru#/round/3/1")).await.unwrap();
    browser.wait_for_text(".empty", |text| text == "Этой партии в архиве нет или пока нет.").await;
    let elsewhere = "return performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith(arguments[0]));";
    assert_eq!(browser.ask_about(elsewhere, vec![json!(url)]).await, json!([]), "only what is in the folder is asked for");
    browser.end().await;
}
