//! The page in front of the whole daemon: `flagfall demo`, simulated boards over real pseudo-terminals.
use super::stage::{Browser, Demo, Screen};
use serde_json::json;

const ALL: &str = "all_boards_play_and_one_can_be_watched";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn all_boards_play_and_one_can_be_watched() {
    let Some(browser) = Browser::start(ALL, Screen::Desktop, false).await else { return };
    let demo = Demo::start(4);
    browser.goto(&demo.url("/")).await.unwrap();
    for board in 1..=4 {
        browser.wait_for_text(&format!("[data-board='{board}'] .last"), |text| text.starts_with(|c: char| c.is_ascii_digit())).await;
        browser.wait_for(&format!("[data-board='{board}'] .time.running")).await;
    }
    browser.picture("demo-all").await;
    // The fourth one plays blitz: there is always news.
    browser.goto(&demo.url("/#4")).await.unwrap();
    browser.wait_for_text("h1", |text| text == "Board 4").await;
    let seen = browser.wait_for_text(".move[aria-current]", |_| true).await;
    let count = "return document.querySelectorAll('.move:not(.made)').length;";
    let before = browser.ask(count).await.as_u64().unwrap();
    browser.wait_for_text(".move[aria-current]", |text| text != seen).await;
    let more = format!("return document.querySelectorAll('.move:not(.made)').length > {};", before + 2);
    browser.wait_to_see(&more, json!(true)).await;
    browser.picture("demo-one").await;
    let same = "const text = document.querySelector('.single').textContent; return text.includes('undefined') || text.includes('NaN');";
    assert_eq!(browser.ask(same).await, json!(false));
    browser.end().await;
}

const POINTED: &str = "the_link_beside_the_finding_signs_in_and_opens_its_card";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_link_beside_the_finding_signs_in_and_opens_its_card() {
    let Some(browser) = Browser::start(POINTED, Screen::Phone, false).await else { return };
    let demo = Demo::start(1);
    let line = demo.line("board 1: illegal move. ");
    let link = line.split_whitespace().find(|word| word.starts_with("http")).unwrap();
    browser.goto(link).await.unwrap();
    browser.wait_for_text("[data-finding='1']", |text| text.to_lowercase().contains("illegal move")).await;
    assert_eq!(browser.ask("return location.hash").await, json!("#/board/1/finding/1"), "nobody else finds the key there");
    // The key is used up; who is in already comes to the card by the same link.
    browser.goto(&demo.url("/")).await.unwrap();
    browser.goto(link).await.unwrap();
    browser.wait_for("[data-finding='1']").await;
    assert_eq!(browser.ask("return location.hash").await, json!("#/board/1/finding/1"));
    browser.end().await;
}
