//! The film: from the card and from the move list, by taps and by arrow keys, and as the players are shown it.
use super::console::hall;
use super::stage::{Axe, Browser, Screen};
use fantoccini::key::Key;
use serde_json::{Value, json};

/// Steps on until the caption says it.
async fn step_to(browser: &Browser, holds: impl Fn(&str) -> bool) -> String {
    let mut told = Vec::new();
    for _ in 0..60 {
        browser.press(Key::Right).await;
        let said = browser.ask("return document.querySelector('.film-caption').textContent;").await;
        let said = said.as_str().unwrap_or_default().to_owned();
        if holds(&said) {
            return said;
        }
        told.push(said);
    }
    panic!("the film never says it: {told:?}");
}

/// The piece that stands on a square of the film, as the diagram draws it.
async fn stands(browser: &Browser, x: u32, y: u32) -> Value {
    let script = "const [x, y] = arguments; const node = document.querySelector(`.film use.still[x='${x}'][y='${y}']`); return node && node.getAttribute('href');";
    browser.ask_about(script, vec![json!(x * 64), json!(y * 64)]).await
}

/// Asks why it was read so; again where the machine had no time for it, as who wants to know does.
async fn ask_why(browser: &Browser, holds: impl Fn(&str) -> bool) {
    let mut said = String::new();
    for _ in 0..8 {
        let script = "const why = document.querySelector('.film-why'); why.querySelector('pre').textContent = ''; why.open = false; why.open = true;";
        browser.ask(script).await;
        said = browser.wait_for_text(".film-why pre", |text| holds(text) || text.contains("it takes too long")).await;
        if holds(&said) {
            return;
        }
    }
    panic!("it is not told: {said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_film_opens_from_the_card_and_steps_by_arrow_keys() {
    let test = "the_film_opens_from_the_card_and_steps_by_arrow_keys";
    let Some((browser, arena, tables)) = hall(test, Screen::Phone, "/arbiter?lang=en").await else { return };
    let table = &tables[1];
    table.carry("a1", "a3").await;
    table.press().await;
    table.stop_clock().await;
    browser.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Rule").await;
    browser.click(".row[data-board='7']").await;
    browser.click(".card-title .film-link").await;
    browser.wait_for_text(".film-view h1", |text| text == "Board 7: Film").await;
    browser.wait_for_text(".film-view .about", |text| text.starts_with("Illegal move")).await;
    browser.wait_for(".film:not([hidden])").await;
    // Nothing is shown to players before it is ruled.
    browser.wait_for_text("#film-later", |text| text == "Players may see it once it is ruled.").await;
    assert_eq!(browser.ask("return document.querySelector('.film-show').disabled;").await, json!(true));

    // By arrow keys: the rook is lifted, put down behind its own pawn, and White presses.
    browser.press(Key::Home).await;
    let lifted = step_to(&browser, |said| said.contains("a1: white rook lifted")).await;
    assert!(lifted.starts_with('−'), "before the finding: {lifted}");
    assert_eq!(stands(&browser, 0, 7).await, Value::Null);
    step_to(&browser, |said| said.contains("a3: white rook put down")).await;
    assert_eq!(stands(&browser, 0, 5).await, json!("#piece-wr"));
    step_to(&browser, |said| said.contains("White presses the clock")).await;
    browser.wait_for(".film-clock.white.pressed").await;
    browser.wait_for_text(".film-clock.black.runs .digits", |text| text.starts_with("▸ 1:30:")).await;
    browser.press(Key::Left).await;
    browser.wait_for_text(".film-caption", |text| text.contains("a3: white rook put down")).await;
    assert_eq!(browser.ask("return document.querySelectorAll('.film-press').length > 0;").await, json!(true), "presses are marked");
    let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth;";
    assert_eq!(browser.ask(wide).await, json!(0), "it scrolls sideways");
    browser.picture("film-phone").await;
    if let Some(axe) = Axe::fetch(test) {
        axe.sit_in(&browser).await;
        browser.refresh().await.unwrap();
        browser.wait_for(".film:not([hidden])").await;
        assert_eq!(Axe::look(&browser).await, Vec::<String>::new());
    }

    // When its last seconds are over they are there; it plays to its end by itself.
    browser.wait_for(".film[data-to='5000']").await;
    browser.press(Key::End).await;
    browser.press(Key::Left).await;
    browser.click(".film-play").await;
    browser.wait_for(".film.is-playing").await;
    browser.wait_for(".film:not(.is-playing)").await;
    browser.wait_for_text(".film-time", |text| text == "+5.0 s").await;

    // Ruled; then both players may see it, and nothing else.
    browser.click(".film-view .links a").await;
    browser.wait_for_text(".ruling-card h1", |text| text == "Board 7: Illegal move").await;
    browser.wait_for(".bar .primary:not([hidden]):enabled").await;
    tokio::time::sleep(std::time::Duration::from_millis(1000)).await;
    browser.click(".bar .primary:not([hidden])").await;
    browser.wait_for_text(".ruled", |text| text.contains("Confirmed")).await;
    browser.click(".card-title .film-link").await;
    browser.click(".film-show:enabled").await;
    browser.wait_for("dialog.for-players[open] .film").await;
    let seen = "const all = document.querySelector('dialog.for-players').innerText; const at = document.elementFromPoint(innerWidth / 2, 8); return [all, Boolean(at.closest('.for-players'))];";
    let seen = browser.ask(seen).await;
    let words = seen[0].as_str().unwrap();
    assert!(!words.contains("llegal") && !words.contains("7.5.1") && !words.contains("Board 6"), "{words}");
    assert_eq!(seen[1], json!(true), "it covers the page");
    step_to(&browser, |said| said.contains("a3: white rook put down")).await;
    browser.picture("film-players").await;
    browser.click(".film-close").await;
    browser.wait_for(".film-view .film").await;

    // From the move list, for any ply, in Russian.
    browser.goto(&arena.url("/arbiter?lang=ru#/board/7")).await.unwrap();
    browser.refresh().await.unwrap();
    let link = "td .film-link[href$='/film/ply/1/1']";
    browser.wait_for(link).await;
    browser.ask_about("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' });", vec![json!(link)]).await;
    browser.click(link).await;
    browser.wait_for_text(".film-view .about", |text| text.starts_with("1. e4")).await;
    // Why it was read so, for who wants to know.
    ask_why(&browser, |text| text.contains("полуход 1: 1. e4, белые") && text.contains("e4: завершён")).await;
    browser.press(Key::Home).await;
    step_to(&browser, |said| said.contains("e4: поставлено, белая пешка")).await;
    browser.end().await;
}
