//! The console of a hall: a board on another machine, a broker between them, and that machine away.
use super::stage::{Arena, Broker, Browser, Screen, Table};
use serde_json::json;

/// A finding on the page of a board.
const FOUND: &str = ".lines li:has(a[href*='/finding/'])";
const ROW: &str = ".row[data-board='7'] .row-state";

/// Reports two hands of this side on the page of the board.
async fn report(browser: &Browser, side: &str) {
    browser.click(".bar .primary").await;
    let found = format!("[aria-label='Two hands: {side}']");
    browser.wait_for(&found).await;
    browser.click(&found).await;
}

/// A machine goes away and returns while an arbiter rules in the hall.
async fn away(test: &str, screen: Screen, size: &str) {
    let tables = [Table::set_up(5400, 30), Table::set_up(5400, 30)];
    let Some(browser) = Browser::start(test, screen, false).await else { return };
    let Some(broker) = Broker::start(test).await else { return };
    let hall = Arena::hall(test, &broker.section("hall"));
    let rules = "rules = \"fide-2023\"\ntime_control = \"5400+30\"";
    let pi = Arena::start(test, &format!("{rules}\n{}", broker.section("pi-3")), 6, &tables);
    pi.settle().await;
    hall.open(&browser, "/arbiter?lang=en").await;
    browser.wait_for(".row[data-board='7']").await;
    for table in &tables {
        table.start().await;
        table.play("e2e4 e7e5").await;
    }
    browser.wait_for_text(ROW, |text| text == "Quiet").await;

    // Its machine falls silent: that is said, and nothing of it is green.
    pi.freeze();
    browser.wait_for_text(ROW, |text| text == "Pi away").await;
    browser.wait_for_text(".summary", |text| text == "2 boards are not seen").await;
    assert_eq!(browser.ask("return document.querySelectorAll('.is-quiet, .summary.calm').length;").await, json!(0));
    browser.picture(&format!("hall-{size}-away")).await;

    // What is entered now waits, and can be taken back.
    browser.click(".row[data-board='7']").await;
    browser.wait_for_text("h1", |text| text == "Board 7").await;
    report(&browser, "White").await;
    browser.wait_for_text("[data-state=waiting]", |text| text.contains("Pi away, waiting")).await;
    browser.picture(&format!("hall-{size}-waiting")).await;
    browser.click("[data-state=waiting] [data-order]").await;
    browser.wait_for_text("[data-state=withdrawn]", |text| text.contains("withdrawn")).await;
    report(&browser, "Black").await;
    browser.wait_for("[data-state=waiting]").await;

    // It returns: what still waits is journaled there, what was withdrawn never arrives.
    pi.resume();
    browser.wait_for_text("[data-state=journaled]", |text| text.contains("journaled at the board")).await;
    browser.wait_for_text(FOUND, |text| text.contains("Two hands") && text.contains("Confirmed")).await;
    browser.picture(&format!("hall-{size}-journaled")).await;
    pi.open(&browser, "/arbiter?lang=en#/board/7").await;
    browser.wait_for_text(FOUND, |text| text.contains("Two hands")).await;
    let found =
        browser.ask_about("return [...document.querySelectorAll(arguments[0])].map((n) => n.textContent);", vec![json!(FOUND)]).await;
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");

    // Rules on what happens then, in the hall; the board's own console shows it.
    tables[1].carry("a1", "a3").await;
    tables[1].press().await;
    tables[1].stop_clock().await;
    browser.goto(&hall.url("/arbiter?lang=en")).await.unwrap();
    browser.wait_for_text(ROW, |text| text == "Rule").await;
    browser.click(".row[data-board='7']").await;
    browser.wait_for_text("h1", |text| text == "Board 7: Illegal move").await;

    // Film and report come from the board's own machine, and that knows who goes there.
    browser.click(".ruling-card .going-button").await;
    browser.wait_for(".ruling-card .who-goes").await;
    browser.click(".card-title .film-link").await;
    browser.wait_for(".film:not([hidden])").await;
    browser.picture(&format!("hall-{size}-film")).await;
    let report = "return fetch(document.querySelector('.film-view .links a[target]').href).then(async (a) => [a.status, (await a.text()).toLowerCase().includes('illegal move')]);";
    assert_eq!(browser.ask(report).await, json!([200, true]));
    let card = browser.ask("return location.hash.replace('/film', '');").await;
    let card = format!("/arbiter?lang=en{}", card.as_str().unwrap());
    pi.open(&browser, &card).await;
    browser.wait_for(".ruling-card .who-goes").await;
    browser.goto(&hall.url(&card)).await.unwrap();
    browser.wait_for_text("h1", |text| text == "Board 7: Illegal move").await;
    browser.click(".bar .primary:not([hidden])").await;
    browser.wait_for_text(".ruled", |text| text.contains("Confirmed")).await;
    browser.picture(&format!("hall-{size}-ruled")).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_goes_away_and_returns_on_a_phone() {
    away("a_machine_goes_away_and_returns_on_a_phone", Screen::Pocket, "phone").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_goes_away_and_returns_on_a_desktop() {
    away("a_machine_goes_away_and_returns_on_a_desktop", Screen::Large, "desktop").await;
}
