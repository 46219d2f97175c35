//! The operator's page in front of the whole daemon, by taps: the way in, a list that is dropped, a result that is taken back, the next round.
use super::stage::{Arena, Browser, Hall, Screen, Table};
use serde_json::json;

const WORD: &str = "a word for the operator";
const STATE: &str = "[data-board='7'] .desk-state";

/// A list as a file manager drops it.
const DROP: &str = "const files = new DataTransfer(); files.items.add(new File([arguments[0]], 'round.csv'));
    document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));";

const FIRST: &str = "round,board,white,black\n1,6,\"Adams, Mary\",\"Baker, Jo\"\n1,7,\"Clark, Tom\",\"Davis, Nia\"\n";
const SECOND: &str = "round,board,white,black\n2,6,\"Baker, Jo\",\"Clark, Tom\"\n2,7,\"Davis, Nia\",\"Adams, Mary\"\n";

async fn takes(browser: &Browser, list: &str, changes: &str) {
    browser.ask_about(DROP, vec![json!(list)]).await;
    browser.wait_for_text(".changes", |text| text.contains(changes)).await;
    browser.click(".take").await;
    browser.wait_for_text(".toast", |text| text.contains("The list is taken")).await;
}

async fn a_round(test: &str, screen: Screen, size: &str) {
    let tables = [Table::set_up(5400, 30), Table::set_up(5400, 30)];
    let Some(browser) = Browser::start(test, screen, false).await else { return };
    let account = Arena::account_of("Boris", WORD, "operator");
    let arena = Arena::start(test, &format!("rules = \"fide-2023\"\ntime_control = \"5400+30\"\n{account}"), 6, &tables);
    arena.settle().await;

    // Who is no arbiter is led from the arbiters' page to this one.
    browser.goto(&arena.url("/arbiter?lang=en")).await.unwrap();
    browser.fill("input[name=name]", "Boris").await;
    browser.fill("input[name=password]", WORD).await;
    browser.click(".login .primary").await;
    browser.wait_for_text("#summary", |text| !text.is_empty()).await;
    assert_eq!(browser.ask("return location.pathname;").await, json!("/operator"));
    browser.wait_for("[data-board='7'] .desk-link:not(.bad)").await;
    browser.wait_for_text("[data-board='7'] .desk-set", |text| text == "✓ set").await;

    // A list is dropped, looked at, and taken; one with a mistake is not.
    browser.ask_about(DROP, vec![json!("board,white\n6,Adams\n")]).await;
    browser.wait_for(".mistakes").await;
    browser.click(".over .icon-button").await;
    browser.walk();
    takes(&browser, FIRST, "round 1 is new: 2 pairings").await;
    browser.walked(&format!("pairings by drag, the drop not counted ({size})"));
    browser.wait_for_text(".pairings", |text| text.contains("Adams, Mary") && text.contains("Davis, Nia")).await;
    for table in &tables {
        table.start().await;
        table.play("e2e4 e7e5").await;
    }
    browser.wait_for_text("[data-board='7'] .desk-players", |text| text == "Clark, Tom – Davis, Nia").await;
    browser.wait_for_text("[data-board='7'] .desk-move", |text| text.contains("e5")).await;
    browser.wait_for_text("[data-board='7'] .desk-set", str::is_empty).await;
    browser.picture(&format!("operator-{size}-round")).await;

    // An illegal move: how many findings there are is told, and no word of them.
    tables[0].carry("a1", "a3").await;
    tables[0].press().await;
    browser.wait_for_text("[data-board='6'] .desk-findings", |text| text == "! 1 open").await;
    let said =
        browser.ask("return document.body.textContent.includes('7.5.1') || document.body.textContent.includes('Illegal move');").await;
    assert_eq!(said, json!(false));

    // A result by four taps, the third of which says what it will do, and taken back by one.
    let enter = async || {
        browser.click("[data-board='7'] .at-enter button").await;
        browser.click(".results .chip:first-child input").await;
        browser.click(".sheet-body > .primary").await;
        browser.wait_for_text(".foreseen", |text| text.contains("1–0")).await;
        browser.click(".sheet-body [data-do=result]").await;
        browser.wait_for_text(STATE, |text| text.starts_with("1 – 0")).await;
    };
    browser.walk();
    enter().await;
    browser.click(".undo-act").await;
    browser.wait_for_text(STATE, |text| text == "in play").await;
    browser.walked(&format!("operator's result, undone ({size})"));
    enter().await;
    // It stands over what is below it, for as long as it can be taken back.
    browser.wait_for(".undo-bar[hidden]").await;

    // The next round: its list, then one tap and a second one that says what it means.
    browser.walk();
    takes(&browser, SECOND, "round 2 is new: 2 pairings").await;
    browser.click(".begin").await;
    browser.wait_for_text(".sheet-body", |text| text.contains("Still played: board 6")).await;
    browser.click(".sheet-body .primary").await;
    browser.wait_for_text(".panel-round", |text| text.contains("Round 2 · is played now")).await;
    browser.walked(&format!("new round, its list dropped ({size})"));
    browser.picture(&format!("operator-{size}-next")).await;
    assert_eq!(browser.ask("return document.documentElement.scrollWidth <= innerWidth;").await, json!(true));
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_runs_a_round_on_a_phone() {
    a_round("an_operator_runs_a_round_on_a_phone", Screen::Pocket, "phone").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_runs_a_round_on_a_desktop() {
    a_round("an_operator_runs_a_round_on_a_desktop", Screen::Large, "desktop").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_boards_battery_is_told_and_how_a_delay_is_changed() {
    let test = "a_boards_battery_is_told_and_how_a_delay_is_changed";
    let Some(browser) = Browser::start(test, Screen::Pocket, false).await else { return };
    let mut hall = Hall::open().await;
    for board in ["1", "2"] {
        hall.begin(board, "blitz", "180+2");
    }
    hall.battery("2", Some(17));
    browser.goto(hall.link()).await.unwrap();
    browser.wait_for(".summary").await;
    browser.goto(&hall.url("/operator?lang=en")).await.unwrap();
    browser.wait_for_text("[data-board='2'] .desk-battery.bad", |text| text == "battery 17 %").await;
    browser.wait_for("[data-board='1'] .desk-battery[hidden]").await;
    hall.battery("2", Some(84));
    browser.wait_for_text("[data-board='2'] .desk-battery:not(.bad)", |text| text == "battery 84 %").await;
    browser.click("details summary").await;
    browser.wait_for_text("details[open]", |text| text.contains("delay = \"15m\"")).await;
    browser.end().await;
}
