//! The public page against hand-made events, in a real browser. Nothing here asserts how long something takes.
use super::stage::{Browser, Hall, Screen};
use fantoccini::key::Key;
use serde_json::json;
use std::time::Duration;

const ITALIAN: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Re1 a6 Bb3 Ba7 h3 h6 Nbd2 Re8 Nf1 Be6 Bc2 d5 exd5 Bxd5 Ng3";

async fn desktop(test: &str) -> Option<Browser> {
    Browser::start(test, Screen::Desktop, false).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_move_is_pale_when_made_and_plain_when_completed() {
    let Some(browser) = desktop("a_move_is_pale_when_made_and_plain_when_completed").await else { return };
    let mut hall = Hall::open().await;
    hall.begin("1", "blitz", "180+2");
    browser.goto(&hall.url("/#1")).await.unwrap();
    browser.wait_for_text("#connection", |text| text == "Live").await;
    hall.make("1", "e2e4");
    browser.wait_for_text(".move.made", |text| text == "e4").await;
    browser.wait_for(".marks .made").await;
    hall.press("1", "e2e4", "e4", 179, 180);
    browser.wait_for_text(".move:not(.made)", |text| text == "e4").await;
    browser.wait_for(".marks .completed").await;
    browser.wait_for(".board[aria-label='Board 1, after 1. e4']").await;
    browser.wait_for_text("[aria-live=polite]", |text| text == "1. e4").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn all_boards_show_moves_revised_and_taken_back() {
    let Some(browser) = desktop("all_boards_show_moves_revised_and_taken_back").await else { return };
    let mut hall = Hall::open().await;
    hall.begin("1", "blitz", "180+2");
    hall.play("1", "e4 e5", 180, 180);
    browser.goto(&hall.url("/")).await.unwrap();
    browser.wait_for_text("[data-board='1'] .last", |text| text == "1… e5").await;
    hall.make("1", "f1e2");
    browser.wait_for_text(".last.made", |text| text == "2. Be2").await;
    hall.tell("1", json!({"type": "move-revised", "ply": 3, "uci": "f1c4", "san": "Bc4", "was": "f1e2"}));
    browser.wait_for_text(".last.made", |text| text == "2. Bc4").await;
    hall.tell("1", json!({"type": "move-withdrawn", "ply": 3, "uci": "f1c4"}));
    browser.wait_for_text(".last:not(.made)", |text| text == "1… e5").await;
    hall.tell("1", json!({"type": "move-withdrawn", "ply": 2, "uci": "e7e5"}));
    hall.tell("1", json!({"type": "placement", "placement": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "settled": true}));
    browser.wait_for("[aria-label='after 1. e4']").await;
    hall.begin("2", "blitz", "180+2");
    browser.wait_for("[data-board='2']").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_piece_in_the_hand_is_pale_and_a_board_beyond_the_record_is_shown_as_it_stands() {
    let Some(browser) = desktop("a_piece_in_the_hand_is_pale_and_a_board_beyond_the_record_is_shown_as_it_stands").await else { return };
    let mut hall = Hall::open().await;
    hall.begin("1", "blitz", "180+2");
    hall.play("1", "e4", 180, 180);
    browser.goto(&hall.url("/#1")).await.unwrap();
    browser.wait_for(".marks .completed").await;
    let sensed = |placement: &str, settled: bool| json!({"type": "placement", "placement": placement, "settled": settled});
    hall.tell("1", sensed("rnbqkb1r/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", true));
    browser.wait_for(".piece.lifted").await;
    hall.tell("1", sensed("4k3/8/8/8/8/8/8/4K3", false));
    browser.wait_for(".pieces:not(:has(.lifted))").await;
    assert_eq!(browser.ask("return document.querySelectorAll('.piece').length;").await, json!(32), "not while pieces still move");
    hall.tell("1", sensed("4k3/8/8/8/8/8/8/4K3", true));
    browser.wait_for(".pieces:not(:has(:nth-child(3)))").await;
    browser.wait_for(".marks:empty").await;
    hall.tell("1", json!({"type": "result", "result": "1-0", "reason": "entered", "source": "operator"}));
    browser.wait_for(".pieces :nth-child(32)").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn clocks_run_between_reports_stop_with_the_link_and_never_go_below_zero() {
    let Some(browser) = desktop("clocks_run_between_reports_stop_with_the_link_and_never_go_below_zero").await else { return };
    let mut hall = Hall::open().await;
    hall.begin("1", "blitz", "180+2");
    hall.clock("1", 3600, 180, Some("white"), "device");
    browser.goto(&hall.url("/#1")).await.unwrap();
    browser.wait_for_text(".white .time.running", |text| text.starts_with("59:5")).await;
    browser.wait_for_text(".black .time:not(.running)", |text| text == "3:00").await;
    hall.tell("1", json!({"type": "link", "state": "down", "reason": "cable"}));
    browser.wait_for_text(".white .time.stopped:not(.running)", |_| true).await;
    browser.wait_for_text(".single .state.down", |text| text == "Board not connected").await;
    let stood = browser.wait_for_text(".white .time", |_| true).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(browser.wait_for_text(".white .time", |_| true).await, stood);
    hall.tell("1", json!({"type": "link", "state": "up"}));
    hall.clock("1", 1, 180, Some("white"), "estimate");
    browser.wait_for_text(".white .time.running", |text| text == "0:00").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(browser.wait_for_text(".white .time", |_| true).await, "0:00");
    browser.wait_for_text(".white .note", |text| text.contains("0.8 s")).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_lost_connection_is_said_and_comes_back_by_itself() {
    let Some(browser) = desktop("a_lost_connection_is_said_and_comes_back_by_itself").await else { return };
    let mut hall = Hall::open().await;
    hall.begin("1", "blitz", "180+2");
    browser.goto(&hall.url("/#1")).await.unwrap();
    browser.wait_for_text("#connection", |text| text == "Live").await;
    let address = hall.address().to_string();
    hall.close().await;
    browser.wait_for_text("#connection.lost", |text| text.starts_with("Connection lost")).await;
    let mut hall = Hall::open_at(&address).await;
    hall.begin("1", "blitz", "180+2");
    hall.play("1", "d4 d5", 180, 180);
    browser.wait_for_text("#connection", |text| text == "Live").await;
    browser.wait_for_text(".move[aria-current]", |text| text == "d5").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_keyboard_reaches_every_board_and_every_move() {
    let Some(browser) = desktop("the_keyboard_reaches_every_board_and_every_move").await else { return };
    let mut hall = Hall::open().await;
    for board in ["1", "2"] {
        hall.begin(board, "blitz", "180+2");
        hall.play(board, ITALIAN, 180, 180);
    }
    browser.goto(&hall.url("/")).await.unwrap();
    browser.wait_for(".card[data-board='2']").await;
    for _ in 0..20 {
        if browser.ask("return document.activeElement.classList.contains('card') && document.activeElement.dataset.board;").await
            == json!("2")
        {
            break;
        }
        browser.press(Key::Tab).await;
    }
    browser.press(Key::Enter).await;
    browser.wait_for_text("h1", |text| text == "Board 2").await;
    browser.wait_for_text(".move[aria-current]", |text| text == "Ng3").await;
    browser.press(Key::Left).await;
    browser.wait_for_text(".move[aria-current]", |text| text == "Bxd5").await;
    hall.make("2", "e8e6");
    browser.wait_for_text(".move.made", |text| text == "Re6").await;
    browser.wait_for_text(".move[aria-current]", |text| text == "Bxd5").await;
    browser.press(Key::Home).await;
    browser.wait_for("[aria-label='Board 2, Start position']").await;
    browser.press(Key::Right).await;
    browser.wait_for_text(".move[aria-current]", |text| text == "e4").await;
    browser.press(Key::End).await;
    browser.wait_for_text(".move[aria-current]", |text| text == "Re6").await;
    browser.press(Key::Escape).await;
    browser.wait_for(".card[data-board='2']:focus").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn names_are_text_whatever_they_contain() {
    let Some(browser) = desktop("names_are_text_whatever_they_contain").await else { return };
    let mut hall = Hall::open().await;
    let evil = "<img src=x onerror=alert(1)>&\"'/é #%2F";
    hall.begin(evil, "<b>blitz</b>", "<i>180+2</i>");
    hall.players(evil, "<script>alert(2)</script>", "<u>Black</u>");
    hall.tell(evil, json!({"type": "result", "result": "1-0", "reason": "<s>won</s>", "source": "operator"}));
    browser.goto(&hall.url("/")).await.unwrap();
    browser.wait_for_text(".card-name", |text| text == format!("Board {evil}")).await;
    browser.press(Key::Tab).await;
    browser.ask("document.querySelector('.card').click();").await;
    browser.wait_for_text("h1", |text| text == format!("Board {evil}")).await;
    browser.wait_for_text(".single .state", |text| text == "1 – 0 · <s>won</s>").await;
    browser.wait_for_text(".player.white .name", |text| text == "<script>alert(2)</script>").await;
    let foreign = "return document.querySelectorAll('main img, main script, main b, main i, main u, main s, nav img').length;";
    assert_eq!(browser.ask(foreign).await, json!(0));
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_page_speaks_russian_and_asks_nobody_else() {
    let Some(browser) = desktop("the_page_speaks_russian_and_asks_nobody_else").await else { return };
    let mut hall = Hall::open().await;
    hall.begin("1", "blitz", "180+2");
    browser.goto(&hall.url("/?lang=ru#1")).await.unwrap();
    browser.wait_for_text("h1", |text| text == "Доска 1").await;
    browser.wait_for_text(".about", |text| text == "Блиц · 3 мин + 2 с").await;
    assert_eq!(browser.ask("return document.documentElement.lang;").await, json!("ru"));
    let elsewhere = "return performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith(location.origin + '/'));";
    assert_eq!(browser.ask(elsewhere).await, json!([]));
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_phone_shows_everything_without_scrolling_sideways() {
    let Some(browser) = Browser::start("a_phone_shows_everything_without_scrolling_sideways", Screen::Phone, false).await else { return };
    let mut hall = Hall::open().await;
    for n in 1..=12 {
        hall.begin(&n.to_string(), "standard", "40/5400+30:1800+30");
        hall.players(&n.to_string(), "Bartholomäus-Hohenstein, Maximilian", "W");
        hall.play(&n.to_string(), ITALIAN, 5400, 5400);
    }
    for path in ["/", "/#12"] {
        browser.goto(&hall.url(path)).await.unwrap();
        browser.wait_for("[data-board='12']").await;
        let beyond = browser.ask("return document.documentElement.scrollWidth - innerWidth;").await;
        assert_eq!(beyond, json!(0), "{path}");
    }
    browser.end().await;
}

/// Which of these boxes cover each other, and which texts do not stand on one line.
const MESS: &str = "
    const box = (css) => [...document.querySelectorAll(css)].map((node) => [css, node.getBoundingClientRect()]);
    const boxes = arguments[0].flatMap(box);
    const over = boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([, b]) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
    ).map(([two]) => `${one} and ${two}`));
    const broken = [...document.querySelectorAll(arguments[1])].filter((node) => {
        const text = document.createRange();
        text.selectNodeContents(node);
        const lines = [...text.getClientRects()].filter((line) => line.width > 1);
        return Math.max(...lines.map((line) => line.top)) >= Math.min(...lines.map((line) => line.bottom));
    }).map((node) => `${node.className}: ${node.textContent}`);
    return [...over, ...broken, ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : [])];";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn board_clocks_and_moves_never_cover_each_other_and_a_clock_is_one_line() {
    let test = "board_clocks_and_moves_never_cover_each_other_and_a_clock_is_one_line";
    for (width, height) in [(360, 740), (390, 844), (768, 1024), (820, 1180), (834, 1194), (1180, 820), (1440, 900)] {
        let Some(browser) = Browser::start(test, Screen::Of(width, height), false).await else { return };
        let mut hall = Hall::open().await;
        for board in ["1", "2"] {
            hall.begin(board, "standard", "40/5400+30:1800+30");
            // Thirty letters each.
            hall.players(board, "Bartholomaeus-Hohenstein, Maxi", "Wisniewska-Ostrowskaja Anna Pe");
            hall.play(board, ITALIAN, 36_000, 36_000);
            hall.clock(board, 35_999, 35_998, Some("white"), "estimate");
        }
        browser.goto(&hall.url("/#1")).await.unwrap();
        browser.wait_for(".move[aria-current]").await;
        browser.wait_for(".white .time.running").await;
        let boxes = json!([".single .board", ".player .time", ".player .name", ".moves-box", ".tools"]);
        let mess = browser.ask_about(MESS, vec![boxes, json!(".time")]).await;
        assert_eq!(mess, json!([]), "one board, {width} wide");
        browser.goto(&hall.url("/")).await.unwrap();
        browser.wait_for(".card[data-board='2'] .time.running").await;
        let mess = browser.ask_about(MESS, vec![json!([".card .board", ".card .time", ".card .name"]), json!(".time")]).await;
        assert_eq!(mess, json!([]), "all boards, {width} wide");
        browser.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn only_what_is_on_the_screen_is_streamed_and_nothing_to_a_page_that_nobody_sees() {
    let test = "only_what_is_on_the_screen_is_streamed_and_nothing_to_a_page_that_nobody_sees";
    let Some(browser) = Browser::start(test, Screen::Pocket, false).await else { return };
    let mut hall = Hall::open().await;
    for n in 1..=60 {
        hall.begin(&n.to_string(), "blitz", "180+2");
    }
    browser.goto(&hall.url("/")).await.unwrap();
    browser.wait_for("#connection.live").await;
    let streamed =
        "return performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes('/events?')).pop() ?? '';";
    let asked = async |wanted: &str| {
        loop {
            let last = browser.ask(streamed).await;
            if last.as_str().is_some_and(|last| last.split(['=', ',']).any(|name| name == wanted)) {
                return last.as_str().unwrap().split(',').count();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    browser.ask("scrollTo(0, document.body.scrollHeight);").await;
    browser.wait_for("[data-board='60']").await;
    hall.play("60", "e4", 180, 180);
    browser.wait_for_text("[data-board='60'] .last", |text| text == "1. e4").await;
    browser.ask("Object.defineProperty(document, 'hidden', {value: true, configurable: true}); document.dispatchEvent(new Event('visibilitychange'));").await;
    browser.wait_for_text("#connection.paused", |text| text == "Paused").await;
    hall.play("60", "e5", 180, 180);
    assert_eq!(browser.wait_for_text("[data-board='60'] .last", |_| true).await, "1. e4");
    browser.ask("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'));").await;
    browser.wait_for_text("[data-board='60'] .last", |text| text == "1… e5").await;
    let boards = asked("60").await;
    assert!(boards < 30, "{boards} of 60");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_event_its_players_its_rounds_and_the_opening_are_named() {
    let Some(browser) = desktop("the_event_its_players_its_rounds_and_the_opening_are_named").await else { return };
    let mut hall = Hall::open().await;
    hall.event(super::pages::an_event());
    hall.begin("1", "standard", "5400+30");
    hall.players("1", "Lindqvist, Maja", "Okonkwo, Daniel");
    hall.play("1", "e4 e5 Nf3 Nc6 Bc4 Bc5 Bxf7+", 5400, 5400);
    browser.goto(&hall.url("/#1")).await.unwrap();
    browser.wait_for_text("#event", |text| text == "Club Championship 2026 Round 3 · Bergen").await;
    browser.wait_for_text(".white .title", |text| text == "WGM").await;
    browser.wait_for_text(".black .who", |text| text == "2410 · NGR").await;
    browser.wait_for_text(".opening", |text| text == "C50 Italian Game: Jerome Gambit").await;
    browser.wait_for_text(".white .more", |text| text == "+1").await;
    browser.wait_for("#boards a[href='#/round/3']").await;
    browser.click("#boards a[href='#/round/3']").await;
    browser.wait_for_text("h1", |text| text == "Round 3").await;
    browser.wait_for_text(".pairings tbody", |text| text.contains("1 – 0") && text.contains("live")).await;
    // Baker leads; three have one and a half.
    browser.wait_for_text(".standings tbody tr:nth-child(2) .points", |text| text == "1½").await;
    browser.click(".rounds a[href='#/round/1']").await;
    browser.wait_for_text("h1", |text| text == "Round 1").await;
    browser.wait_for_text(".pairings tbody", |text| text.contains("½ – ½") && !text.contains("live")).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_first_boards_come_with_the_page_and_a_page_that_was_kept_shows_no_old_ones() {
    let test = "the_first_boards_come_with_the_page_and_a_page_that_was_kept_shows_no_old_ones";
    let Some(browser) = desktop(test).await else { return };
    let mut hall = Hall::open().await;
    hall.begin("1", "blitz", "180+2");
    hall.play("1", "e4", 180, 180);
    // Whatever is drawn while the list of boards is not there yet came with the page.
    let watch = "
        window.early = [];
        const ask = window.fetch;
        window.fetch = async (path, ...rest) => {
            if (path === '/api/v1/boards') {
                await new Promise((on) => setTimeout(on, 300));
                window.early.push(document.querySelector('.last')?.textContent ?? null);
            }
            return ask(path, ...rest);
        };";
    browser.tell("Page.addScriptToEvaluateOnNewDocument", json!({"source": watch})).await;
    browser.goto(&hall.url("/")).await.unwrap();
    browser.wait_for_text("[data-board='1'] .last", |text| text == "1. e4").await;
    let early = async || {
        loop {
            let early = browser.ask("return early;").await;
            if early != json!([]) {
                return early;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert_eq!(early().await, json!(["1. e4"]));
    hall.play("1", "e5", 180, 180);
    browser.goto("about:blank").await.unwrap();
    browser.goto(&hall.url("/")).await.unwrap();
    browser.wait_for_text("[data-board='1'] .last", |text| text == "1… e5").await;
    let kept = "const [page] = performance.getEntriesByType('navigation'); return page.transferSize < page.encodedBodySize;";
    let old = if browser.ask(kept).await == json!(true) { json!([null]) } else { json!(["1… e5"]) };
    assert_eq!(early().await, old);
    browser.end().await;
}
