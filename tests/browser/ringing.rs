//! It rings until somebody goes: two arbiters in front of the whole daemon, as each of them sees it.
use super::console::{hall_with, sign_in};
use super::stage::{Arena, Browser, Screen};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ruling_rings_again_until_somebody_goes_and_the_others_see_who() {
    let test = "a_ruling_rings_again_until_somebody_goes_and_the_others_see_who";
    let accounts = Arena::account("Anna", "correct horse battery") + &Arena::account("Борис", "верный конь и скоба");
    let Some((anna, arena, tables)) = hall_with(test, Screen::Phone, "/arbiter?lang=en", &accounts).await else { return };
    let Some(boris) = Browser::start(test, Screen::Large, false).await else { return };
    boris.goto(&arena.url("/arbiter?lang=ru")).await.unwrap();
    sign_in(&anna, "Anna", "correct horse battery").await;
    sign_in(&boris, "Борис", "верный конь и скоба").await;
    // Ringing is offered once, and begins with one tap.
    anna.wait_for(".offer").await;
    anna.picture("ringing-phone-offer").await;
    anna.click(".offer-yes").await;
    anna.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Quiet").await;
    assert_eq!(anna.ask("return document.querySelector('.offer');").await, json!(null));
    let kept = anna.ask("return JSON.parse(localStorage.getItem('flagfall-arbiter-alerts'));").await;
    assert_eq!(kept, json!({"sound": true, "vibration": true, "awake": true}));
    // Boris looks at another board.
    boris.click(".row[data-board='6']").await;
    boris.wait_for_text("h1", |text| text == "Доска 6").await;

    tables[1].carry("a1", "a3").await;
    tables[1].press().await;
    anna.wait_for_text("#spoken", |text| text.starts_with("Board 7: Illegal move.") && text.contains("a2")).await;
    anna.wait_for(".hall .going-button").await;
    let marked = "return [document.title, document.querySelector('link[rel=icon]').getAttribute('href')];";
    assert_eq!(anna.ask(marked).await, json!(["(1) Arbiter – flagfall", "/arbiter/badge-1.svg"]));
    anna.picture("ringing-phone-list").await;
    boris.wait_for_text("#calls", |text| text.contains("Доска 7: Невозможный ход")).await;
    boris.picture("ringing-desktop-call").await;
    // Nobody goes: it is said again.
    anna.wait_for_text("#spoken", |text| text == "Board 7: Illegal move. Nobody is going yet.").await;

    boris.click("#calls .going-button").await;
    boris.wait_for("#calls[hidden]").await;
    anna.wait_for_text(".row[data-board='7'] + .going", |text| text.starts_with("Борис is going")).await;
    // It is the daemon that knows it.
    anna.refresh().await.unwrap();
    anna.wait_for_text(".row[data-board='7'] + .going", |text| text.starts_with("Борис is going")).await;
    anna.click(".row[data-board='7']").await;
    anna.wait_for_text(".ruling-card .who-goes", |text| text.starts_with("Борис is going")).await;
    anna.picture("ringing-phone-card").await;
    // He does not after all, and she does.
    boris.goto(&arena.url("/arbiter?lang=ru#/board/7/finding/1")).await.unwrap();
    boris.wait_for_text(".ruling-card .who-goes", |text| text.starts_with("Вы идёте")).await;
    boris.click(".ruling-card .going .plain").await;
    anna.click(".ruling-card .going-button").await;
    boris.wait_for_text(".ruling-card .who-goes", |text| text.starts_with("Anna идёт")).await;
    // With the ruling nobody has to go any more.
    tables[1].stop_clock().await;
    tokio::time::sleep(std::time::Duration::from_millis(1200)).await;
    anna.click(".bar .primary:not([hidden])").await;
    anna.wait_for_text(".ruled", |text| text.contains("Confirmed")).await;
    boris.wait_for(".ruling-card .going[hidden]").await;
    let title = "return document.title;";
    assert_eq!(anna.ask(title).await, json!("Arbiter – flagfall"));
    anna.end().await;
    boris.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_boards_of_ones_sector_ring_and_are_listed() {
    let test = "only_the_boards_of_ones_sector_ring_and_are_listed";
    let Some((browser, _arena, tables)) = hall_with(test, Screen::Pocket, "/arbiter?lang=en", "").await else { return };
    browser.click(".offer-no").await;
    browser.click("#top .icon-button:last-child").await;
    browser.wait_for(".my-boards").await;
    browser.ask("const i = document.querySelector('.my-boards'); i.value = '1-6, 12'; i.dispatchEvent(new Event('change'));").await;
    browser.picture("ringing-phone-settings").await;
    browser.press(fantoccini::key::Key::Escape).await;
    browser.wait_for_text(".whose", |text| text.contains("My boards (1-6, 12)")).await;
    let rows = "return [...document.querySelectorAll('.row')].map((row) => row.dataset.board).sort();";
    assert_eq!(browser.ask(rows).await, json!(["6"]));
    // Another arbiter's board does not ring, and one's own does.
    for (table, board) in [(&tables[1], 7), (&tables[0], 6)] {
        table.carry("a1", "a3").await;
        table.press().await;
        let open = "return (document.querySelector('link[rel=icon]').getAttribute('href').match(/badge-(\\d)/) ?? [0, 0])[1];";
        while browser.ask(open).await.as_str().unwrap_or("0") != if board == 7 { "1" } else { "2" } {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    }
    browser.wait_for_text("#spoken", |text| text.starts_with("Board 6: Illegal move.")).await;
    browser.click(".whose .chip:last-child input").await;
    browser.wait_for(".row[data-board='7']").await;
    // After a minute it is everybody's.
    let script = "return (async () => {
            const { Rings } = await import('/arbiter/rings.js');
            const { Sector } = await import('/arbiter/sectors.js');
            const rings = new Rings({ boards: new Map(), sector: new Sector() });
            const finding = { grade: 'ruling', at: '2026-01-02T03:04:05Z' };
            const mine = (name, ms) => rings.mine({ name, skew: () => Date.parse(finding.at) }, finding, ms);
            return [mine('6', 0), mine('12', 0), mine('7', 59999), mine('7', 60000)];
        })();";
    assert_eq!(browser.ask(script).await, json!([true, true, false, true]));
    browser.end().await;
}
