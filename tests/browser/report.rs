//! The incident report, printed by the browser: two pages for an illegal move, and an annex.
use super::stage::{Arena, Browser, Screen, Table, program};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIST: &str = "board,white,white title,black,black title\n6,\"Lindqvist, Maja\",WGM,\"Вишневская, Анна\",WFM\n";

/// Pages of a PDF: its objects that are one.
fn pages(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    text.split("/Type /Page").skip(1).filter(|rest| !rest.starts_with('s')).count()
}

/// What Chromium prints of a file.
fn print(html: &Path) -> Vec<u8> {
    let pdf = html.with_extension("pdf");
    let mut chromium = Command::new("chromium");
    chromium.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-pdf-header-footer"]);
    chromium.arg(format!("--user-data-dir={}", html.with_extension("profile").display())).arg(format!("--print-to-pdf={}", pdf.display()));
    let done = chromium.arg(format!("file://{}", html.display())).output().unwrap();
    std::fs::read(&pdf).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&done.stderr)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_illegal_move_is_reported_on_two_pages_with_an_annex() {
    let test = "an_illegal_move_is_reported_on_two_pages_with_an_annex";
    let Some(browser) = Browser::start(test, Screen::Large, false).await else { return };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/pictures");
    std::fs::create_dir_all(&folder).unwrap();
    let list = std::env::temp_dir().join(format!("flagfall-report-{}.csv", std::process::id()));
    std::fs::write(&list, LIST).unwrap();
    let tables = [Table::set_up(5400, 30)];
    let event = format!("[event]\nname = \"Harbour Open\"\ncity = \"Hamburg\"\npairings = \"{}\"", list.display());
    let arena = Arena::start(test, &format!("rules = \"fide-2018\"\ntime_control = \"5400+30\"\n{event}"), 6, &tables);
    let table = &tables[0];
    arena.settle().await;
    arena.open(&browser, "/arbiter?lang=en").await;
    table.start().await;
    table.play("e2e4 e7e5 g1f3 b8c6").await;
    table.carry("a1", "a3").await;
    table.press().await;
    table.stop_clock().await;
    browser.wait_for_text(".row[data-board='6'] .row-state", |text| text == "Rule").await;
    browser.click(".row[data-board='6']").await;
    browser.wait_for(".bar .primary:not([hidden]):enabled").await;
    tokio::time::sleep(std::time::Duration::from_millis(1200)).await;
    browser.click(".bar .primary:not([hidden])").await;
    browser.wait_for_text(".ruled", |text| text.contains("Confirmed")).await;
    let clock = "return ['white', 'black'].map((side) => document.querySelector(`[data-step=${side}] .digits`).textContent.split(':').reduce((sum, part) => sum * 60 + Number(part), 0));";
    browser.wait_for("[data-step=black] .digits").await;
    let wanted = browser.ask(clock).await;
    table.carry("a3", "a1").await;
    browser.wait_for("[data-step=position].ok").await;
    table.set(wanted[0].as_i64().unwrap(), wanted[1].as_i64().unwrap(), "white").await;
    table.start().await;
    browser.wait_for_text(".all-done", |text| text.contains("The game goes on")).await;

    // The daemon serves it, with the way to the film.
    browser.goto(&arena.url("/api/v1/boards/6/evidence/1/report?lang=en")).await.unwrap();
    browser
        .wait_for_text(".about", |text| {
            ["Harbour Open", "Hamburg", "WGM Lindqvist, Maja", "WFM Вишневская, Анна"].iter().all(|part| text.contains(part))
        })
        .await;
    let drawn = browser.ask("return [document.querySelectorAll('.strip figure').length, [...document.querySelectorAll('.strip b')].map((b) => b.textContent), getComputedStyle(document.querySelector('.strip')).display];").await;
    assert_eq!(drawn, json!([4, ["Before", "A piece is touched", "The clock is pressed", "Put right"], "grid"]));
    browser.picture("report-served").await;
    browser.click(".screen a").await;
    browser.wait_for_text(".film-view h1", |text| text == "Board 6: Film").await;

    // From the journal, as a file that needs nothing else.
    let journal =
        browser.ask("return fetch('/api/v1/boards/6/evidence/1').then((answer) => answer.json()).then((film) => film.journal);").await;
    for lang in ["en", "ru"] {
        let [short, whole] = [true, false].map(|short| {
            let html = folder.join(format!("report-{lang}-{}.html", if short { "two-pages" } else { "whole" }));
            let mut export = Command::new(program());
            export.args([
                "export",
                journal.as_str().unwrap(),
                "--format",
                "incident",
                "--finding",
                "1",
                "--lang",
                lang,
                "--zone",
                "Europe/Berlin",
                "-o",
            ]);
            export.arg(&html).args(short.then_some("--without-annex"));
            assert!(export.status().unwrap().success());
            let text = std::fs::read_to_string(&html).unwrap();
            let parts = ["Harbour Open, Hamburg", "WGM Lindqvist, Maja", "Europe/Berlin, UTC+0", "7.5.1"];
            assert!(parts.iter().all(|part| text.contains(part)), "{text}");
            assert!(!text.contains("http") && !text.contains("<script") && !text.contains("href=\"/"), "it stands by itself");
            pages(&print(&html))
        });
        assert!((1..=2).contains(&short), "{lang}: {short} pages");
        assert!(whole > short, "{lang}: the annex is behind it: {whole} pages");
        println!("{lang}: {short} pages, {whole} with the annex");
    }
    browser.end().await;
    _ = std::fs::remove_file(list);
}
