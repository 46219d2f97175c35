//! Nothing is wrecked by a tap: what was entered last is undone by one tap, and another arbiter's ruling is named before it is replaced.
use super::console::{hall, hall_with, sign_in};
use super::stage::{Arena, Screen};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_and_a_result_are_undone_by_one_tap() {
    let test = "a_report_and_a_result_are_undone_by_one_tap";
    let Some((browser, _arena, _tables)) = hall(test, Screen::Phone, "/arbiter?lang=en#/board/7").await else { return };
    browser.wait_for_text(".part table", |text| text.contains("e5")).await;
    browser.walk();
    browser.click(".bar .primary").await;
    browser.click("[aria-label='Two hands: White']").await;
    browser.wait_for_text(".foreseen", |text| text.contains("1st offence")).await;
    browser.picture("undo-preview-360").await;
    browser.click("[data-do=report]").await;
    browser.wait_for_text(".undo-bar .undo-text", |text| text == "Board 7: report · Two hands · White").await;
    browser.wait_for_text(".undo-act", |text| text.starts_with("Undo (")).await;
    browser.wait_for_text(".part .lines", |text| text.contains("Two hands") && text.contains("Confirmed")).await;
    browser.picture("undo-bar-360").await;
    let wide = browser.ask("return document.documentElement.scrollWidth - document.documentElement.clientWidth;").await;
    assert_eq!(wide, json!(0));
    browser.click(".undo-act").await;
    browser.wait_for_text(".toast", |text| text.contains("Undone")).await;
    browser.wait_for_text(".part .lines", |text| text.contains("Two hands") && text.contains("Withdrawn")).await;
    browser.walked("report, undone");
    browser.wait_for(".undo-bar[hidden]").await;
    // A result, and the game goes on.
    browser.walk();
    browser.click(".bar button:nth-child(2)").await;
    browser.click(".results .chip:first-child input").await;
    browser.click(".sheet-body .primary").await;
    browser.wait_for_text(".foreseen", |text| text.contains("Result: 1–0")).await;
    browser.click("[data-do=result]").await;
    browser.wait_for_text(".undo-text", |text| text == "Board 7: result · 1-0").await;
    browser.click(".undo-act").await;
    // The words of the first undo may still stand there: the second one is done when the daemon has it.
    let undone = "return fetch('/api/v1/arbiter/boards/7').then((answer) => answer.json()).then((board) => board.rulings.at(-1).do);";
    for _ in 0..400 {
        if browser.ask(undone).await == json!("undo")
            && browser.ask("return document.querySelector('.undo-bar').hidden;").await == json!(true)
        {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    browser.wait_for_text(".toast", |text| text.contains("Undone")).await;
    browser.walked("result, undone");
    let result = "return fetch('/api/v1/arbiter/boards/7').then((answer) => answer.json()).then((board) => [board.game.result, board.rulings.map((r) => [r.do, r.taken_back ?? false])]);";
    let rulings = json!([["report", true], ["undo", false], ["result", true], ["undo", false]]);
    assert_eq!(browser.ask(result).await, json!(["*", rulings]));
    // The bar goes by itself.
    browser.click(".bar .primary").await;
    browser.click("[aria-label='Two hands: Black']").await;
    browser.click("[data-do=report]").await;
    browser.wait_for(".undo-bar:not([hidden])").await;
    browser.wait_for(".undo-bar[hidden]").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_arbiters_ruling_is_named_before_it_is_replaced() {
    let test = "another_arbiters_ruling_is_named_before_it_is_replaced";
    let accounts = Arena::account("Anna", "correct horse battery") + &Arena::account("Boris", "another horse and staple");
    let Some((anna, arena, tables)) = hall_with(test, Screen::Pocket, "/arbiter?lang=en", &accounts).await else { return };
    let Some(boris) = super::stage::Browser::start(test, Screen::Pocket, false).await else { return };
    boris.goto(&arena.url("/arbiter?lang=en")).await.unwrap();
    sign_in(&anna, "Anna", "correct horse battery").await;
    sign_in(&boris, "Boris", "another horse and staple").await;
    tables[1].carry("a1", "a3").await;
    tables[1].press().await;
    tables[1].stop_clock().await;
    for browser in [&anna, &boris] {
        browser.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Rule").await;
        browser.click(".row[data-board='7']").await;
        browser.wait_for(".bar .primary:not([hidden])").await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    // Boris's phone is slow: what he enters next says what he had seen before Anna ruled.
    let slow = "return fetch('/api/v1/arbiter/boards/7').then((answer) => answer.json()).then(({ seq }) => {
        const real = window.fetch;
        window.fetch = (url, options) => {
            const entry = options?.body && String(url).endsWith('/entries') ? JSON.parse(options.body) : null;
            return real(url, entry && 'seen' in entry ? { ...options, body: JSON.stringify({ ...entry, seen: seq }) } : options);
        };
    });";
    boris.ask(slow).await;
    boris.walk();
    anna.tap_by("[...document.querySelectorAll('.bar button')].find((b) => b.textContent === 'Dismiss').click();").await;
    anna.wait_for_text(".ruled", |text| text.contains("Dismissed")).await;
    boris.wait_for_text(".ruled", |text| text.contains("Dismissed") && text.contains("Anna")).await;
    boris.tap_by("[...document.querySelectorAll('.bar button')].find((b) => b.textContent === 'Rule anew').click();").await;
    boris.wait_for(".bar .primary:not([hidden]):enabled").await;
    boris.click(".bar .primary:not([hidden])").await;
    boris.wait_for_text(".other-ruling", |text| text.starts_with("Anna dismissed this") && text.ends_with("s ago: replace?")).await;
    boris.picture("undo-two-arbiters").await;
    boris.tap_by("[...document.querySelectorAll('dialog button')].find((b) => b.textContent.startsWith('Replace by')).click();").await;
    anna.wait_for_text(".ruled", |text| text.contains("Boris") && !text.contains("Dismissed")).await;
    boris.walked("two arbiters, one ruling replaced by the other's");
    // Anna's time for an undo is over with his ruling: her bar is gone.
    anna.wait_for(".undo-bar[hidden]").await;
    anna.end().await;
    boris.end().await;
}
