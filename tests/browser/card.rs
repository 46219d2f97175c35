//! The ruling card on the narrowest phone: who plays, times that are whole, what the players have put right, and what is of a game that is past.
use super::stage::{Arena, Axe, Browser, Screen, Table};
use serde_json::{Value, json};

const LIST: &str = "board,white,white title,black,black title\n6,\"Bartholomaeus-Hohenstein, Maximilian Johannes\",GM,\"Wisniewska-Ostrowskaja, Anna\",WFM\n";

/// Times and names that are broken over two lines, and how far the page scrolls sideways.
async fn broken(browser: &Browser) -> Value {
    let script = "const found = [];
        const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            for (const match of node.data.matchAll(/\\d+:\\d\\d(?::\\d\\d)?/g)) {
                const range = document.createRange();
                range.setStart(node, match.index);
                range.setEnd(node, match.index + match[0].length);
                if (new Set([...range.getClientRects()].filter((r) => r.width > 1).map((r) => Math.round(r.top))).size > 1) found.push(match[0]);
            }
        }
        for (const name of document.querySelectorAll('.player-name')) {
            const range = document.createRange();
            range.selectNodeContents(name);
            if (!name.closest('.whole') && new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) found.push(name.textContent);
        }
        return [found, document.documentElement.scrollWidth - document.documentElement.clientWidth];";
    browser.ask(script).await
}

async fn confirm(browser: &Browser) {
    // A tap that comes when the proposal has just changed does nothing.
    tokio::time::sleep(std::time::Duration::from_millis(1200)).await;
    browser.wait_for(".bar .primary:not([hidden]):enabled").await;
    browser.click(".bar .primary:not([hidden])").await;
    browser.wait_for_text(".ruled", |text| text.contains("Confirmed")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_names_who_plays_and_breaks_no_time_on_the_narrowest_phone() {
    let test = "a_card_names_who_plays_and_breaks_no_time_on_the_narrowest_phone";
    let Some(browser) = Browser::start(test, Screen::Phone, false).await else { return };
    let list = std::env::temp_dir().join(format!("flagfall-card-{}.csv", std::process::id()));
    std::fs::write(&list, LIST).unwrap();
    let tables = [Table::set_up(35_000, 30)];
    let settings = format!("rules = \"fide-2018\"\ntime_control = \"35000+30\"\n[event]\npairings = \"{}\"", list.display());
    let arena = Arena::start(test, &settings, 6, &tables);
    let table = &tables[0];
    let axe = Axe::fetch(test);
    if let Some(axe) = &axe {
        axe.sit_in(&browser).await;
    }
    arena.settle().await;
    arena.open(&browser, "/arbiter?lang=en").await;
    table.start().await;
    table.play("e2e4 e7e5").await;
    table.carry("a1", "a3").await;
    table.press().await;
    browser.wait_for_text(".row[data-board='6'] .row-state", |text| text == "Rule").await;
    browser.click(".row[data-board='6']").await;
    browser.wait_for_text(".card-player[data-side=white]", |text| text.starts_with("White: GM ") && text.contains("Bartholomaeus")).await;
    browser.wait_for_text(".card-player[data-side=black]", |text| text.starts_with("Black: WFM ")).await;
    browser.wait_for(".is-by [data-side=white]").await;
    browser.wait_for_text(".law", |text| text.contains("White: 1st offence")).await;
    browser.wait_for_text(".face.black .digits", |text| text.starts_with("9:4")).await;
    assert_eq!(broken(&browser).await, json!([[], 0]));
    browser.picture("card-360").await;
    if axe.is_some() {
        assert_eq!(Axe::look(&browser).await, Vec::<String>::new());
    }
    // The full name on a tap.
    browser.click(".card-player[data-side=white]").await;
    browser.wait_for(".card-player[data-side=white].whole[aria-expanded=true]").await;
    let cut = "const n = document.querySelector('[data-side=white] .player-name'); return n.scrollWidth > n.clientWidth;";
    assert_eq!(browser.ask(cut).await, json!(false), "the whole name is there");
    browser.click(".card-player[data-side=white]").await;

    // The players put the rook back themselves: nothing is left but the times.
    table.carry("a3", "a1").await;
    browser.wait_for(".ruling-card[data-form=times]").await;
    browser.wait_for_text(".action", |text| text.starts_with("The players have put it right")).await;
    browser.wait_for(".card-position[hidden]").await;
    browser.wait_for_text(".bar .primary b", |text| text == "Confirm the times").await;
    assert_eq!(broken(&browser).await, json!([[], 0]));
    browser.picture("card-360-times").await;
    table.stop_clock().await;
    confirm(&browser).await;
    assert_eq!(broken(&browser).await, json!([[], 0]));

    // The next game begins: the card stays true.
    let begin = "return fetch('/api/v1/arbiter/boards/6/entries', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ do: 'new-game' }) }).then((answer) => answer.status);";
    for (square, piece) in [("e4", '.'), ("e2", 'P'), ("e5", '.'), ("e7", 'p')] {
        table.change(square, piece).await;
    }
    assert_eq!(browser.ask(begin).await, json!(200));
    browser.wait_for(".ruling-card[data-form=past]").await;
    browser.wait_for_text(".past-game", |text| text.starts_with("This is about game 1. Game 2 has begun")).await;
    browser.wait_for_text(".ruled", |text| text.contains("Confirmed")).await;
    // It names those who played it.
    browser.wait_for_text(".card-player[data-side=white]", |text| text.starts_with("White: GM ") && text.contains("Bartholomaeus")).await;
    let rest = "return ['.check', '.clocks'].map((css) => document.querySelector(css).hidden).concat(document.querySelector('main').innerText.includes('goes on'));";
    assert_eq!(browser.ask(rest).await, json!([true, true, false]));
    browser.picture("card-360-past").await;
    // And after it was opened anew.
    browser.refresh().await.unwrap();
    browser.wait_for(".ruling-card[data-form=past]").await;
    browser.wait_for_text(".ruled", |text| text.contains("Confirmed")).await;
    browser.wait_for_text(".card-player[data-side=black]", |text| text.starts_with("Black: WFM ")).await;
    browser.end().await;
    _ = std::fs::remove_file(list);
}
