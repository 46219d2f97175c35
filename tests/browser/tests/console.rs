//! The arbiter's console in front of the whole daemon: boards and clocks on the wire, a whole incident from alert to the game going on.
use flagfall_browser::{Arena, Browser, Screen, Table};
use serde_json::json;

const RULES: &str = "rules = \"fide-2018\"\ntime_control = \"5400+30\"";

async fn incident(test: &str, screen: Screen, size: &str) {
    let tables = [Table::set_up(5400, 30), Table::set_up(5400, 30)];
    let Some(browser) = Browser::start(test, screen, false).await else { return };
    let Some(arena) = Arena::start(test, RULES, 6, &tables) else { return };
    let table = &tables[1];
    arena.settle().await;
    browser.goto(&arena.url("/arbiter?lang=en")).await.unwrap();
    browser.wait_for(".row[data-board='7']").await;
    for t in &tables {
        t.start().await;
    }
    tables[0].play("d2d4 d7d5 c2c4 e7e6").await;
    table.play("e2e4 e7e5 g1f3 b8c6").await;
    browser.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Quiet").await;
    browser.picture(&format!("console-{size}-quiet")).await;

    // White's rook jumps over its own pawn, and he presses.
    table.carry("a1", "a3").await;
    table.press().await;
    browser.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Rule").await;
    browser.wait_for_text("#spoken", |text| text.starts_with("Board 7: Illegal move")).await;
    let first = browser.ask("return document.querySelector('.row').dataset.board;").await;
    assert_eq!(first, json!("7"), "the most urgent board comes first");
    browser.picture(&format!("console-{size}-alert")).await;

    // The arbiter stops the clock and looks at the card.
    table.stop_clock().await;
    browser.click(".row[data-board='7']").await;
    browser.wait_for_text("h1", |text| text == "Board 7: Illegal move").await;
    browser.wait_for_text(".law", |text| text.contains("FIDE Laws 2018 · Article 7.5.1 · White") && text.contains("1st offence")).await;
    browser.wait_for_text(".sentence", |text| text.contains("the rook cannot pass a2")).await;
    browser.wait_for_text(".count", |text| text == "2 squares wrong").await;
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    browser.picture(&format!("console-{size}-card")).await;
    let wanted = browser.ask("return [...document.querySelectorAll('.face .digits')].map((n) => n.textContent);").await;
    browser.click(".bar .primary:not([hidden])").await;
    browser.wait_for_text(".ruled", |text| text.contains("Confirmed")).await;
    browser.wait_for_text(".count", |text| text == "2 squares wrong").await;
    browser.picture(&format!("console-{size}-ruled")).await;

    // The position is put right square by square, then the clock is set and started.
    table.change("a3", '.').await;
    browser.wait_for_text(".count", |text| text == "1 square wrong").await;
    table.change("a1", 'R').await;
    browser.wait_for_text(".count", |text| text.contains("Position is right")).await;
    browser.wait_for("[data-step=position].ok").await;
    browser.picture(&format!("console-{size}-restored")).await;
    let seconds = |text: &str| text.split(':').fold(0, |sum, part| sum * 60 + part.parse::<i64>().unwrap());
    let (white, black) = (seconds(wanted[0].as_str().unwrap()), seconds(wanted[1].as_str().unwrap()));
    table.set(white, black, "white").await;
    browser.wait_for("[data-step=white].ok").await;
    browser.wait_for("[data-step=black].ok").await;
    table.start().await;
    browser.wait_for_text(".all-done", |text| text.contains("The game goes on")).await;
    browser.picture(&format!("console-{size}-done")).await;
    table.play("a1b1").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_incident_on_a_phone() {
    incident("a_whole_incident_on_a_phone", Screen::Pocket, "phone").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_incident_on_a_desktop() {
    incident("a_whole_incident_on_a_desktop", Screen::Large, "desktop").await;
}
