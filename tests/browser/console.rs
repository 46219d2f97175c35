//! The arbiter's console in front of the whole daemon: boards and clocks on the wire, a whole incident from alert to the game going on.
use super::stage::{Arena, Browser, Screen, Table};
use serde_json::json;

const RULES: &str = "rules = \"fide-2018\"\ntime_control = \"5400+30\"";

async fn incident(test: &str, screen: Screen, size: &str) {
    let tables = [Table::set_up(5400, 30), Table::set_up(5400, 30)];
    let Some(browser) = Browser::start(test, screen, false).await else { return };
    let arena = Arena::start(test, RULES, 6, &tables);
    let table = &tables[1];
    arena.settle().await;
    arena.open(&browser, "/arbiter?lang=en").await;
    browser.wait_for(".row[data-board='7']").await;
    for t in &tables {
        t.start().await;
    }
    tables[0].play("d2d4 d7d5 c2c4 e7e6").await;
    table.play("e2e4 e7e5 g1f3 b8c6").await;
    browser.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Quiet").await;
    browser.picture(&format!("console-{size}-quiet")).await;

    // White's rook jumps over its own pawn, and he presses.
    browser.walk();
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
    browser.wait_for_text(".law", |text| text.contains("FIDE Laws 2018 · Article 7.5.1") && text.contains("White: 1st offence")).await;
    browser.wait_for_text(".sentence", |text| text.contains("the rook cannot pass a2")).await;
    browser.wait_for_text(".count", |text| text == "2 squares wrong").await;
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    browser.picture(&format!("console-{size}-card")).await;
    browser.click(".bar .primary:not([hidden])").await;
    browser.wait_for_text(".ruled", |text| text.contains("Confirmed")).await;
    browser.walked(&format!("finding, ruled ({size})"));
    browser.wait_for("[data-step=black] .digits").await;
    // What was ruled: what was proposed a second ago may have been revised.
    let wanted = browser.ask("return ['white', 'black'].map((s) => document.querySelector(`[data-step=${s}] .digits`).textContent);").await;
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
    browser.walked(&format!("finding, ruled, put right and played on ({size})"));
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

/// Two boards in the middle of their games, and a page in front of them.
pub(super) async fn hall(test: &str, screen: Screen, address: &str) -> Option<(Browser, Arena, [Table; 2])> {
    hall_with(test, screen, address, "").await
}

/// The same with these accounts.
pub(super) async fn hall_with(test: &str, screen: Screen, address: &str, accounts: &str) -> Option<(Browser, Arena, [Table; 2])> {
    let tables = [Table::set_up(5400, 30), Table::set_up(5400, 30)];
    let browser = Browser::start(test, screen, false).await?;
    let arena = Arena::start(test, &format!("{RULES}\n{accounts}"), 6, &tables);
    arena.settle().await;
    arena.open(&browser, address).await;
    for table in &tables {
        table.start().await;
    }
    tables[0].play("d2d4 d7d5").await;
    tables[1].play("e2e4 e7e5").await;
    Some((browser, arena, tables))
}

pub(super) async fn sign_in(browser: &Browser, name: &str, password: &str) {
    browser.wait_for(".login button[type=submit]:enabled").await;
    let script = "const f = document.querySelector('.login'); f.querySelector('[name=name]').value = arguments[0]; f.querySelector('[name=password]').value = arguments[1]; f.requestSubmit();";
    browser.ask_about(script, vec![json!(name), json!(password)]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_arbiters_see_each_others_rulings_with_names() {
    let test = "two_arbiters_see_each_others_rulings_with_names";
    let accounts = Arena::account("Anna", "correct horse battery") + &Arena::account("Борис", "верный конь и скоба");
    let Some((anna, arena, tables)) = hall_with(test, Screen::Pocket, "/arbiter?lang=en", &accounts).await else { return };
    let Some(boris) = Browser::start(test, Screen::Large, false).await else { return };
    boris.goto(&arena.url("/arbiter?lang=ru")).await.unwrap();
    anna.wait_for(".login").await;
    anna.picture("console-phone-login").await;
    sign_in(&anna, "Anna", "not this one").await;
    anna.wait_for_text(".problem", |text| text == "Name or password is not right.").await;
    sign_in(&anna, "Anna", "correct horse battery").await;
    sign_in(&boris, "Борис", "верный конь и скоба").await;
    tables[1].carry("a1", "a3").await;
    tables[1].press().await;
    tables[1].stop_clock().await;
    for (browser, word) in [(&anna, "Rule"), (&boris, "Решить")] {
        browser.wait_for_text(".row[data-board='7'] .row-state", |text| text == word).await;
        browser.click(".row[data-board='7']").await;
        browser.wait_for(".bar .primary:not([hidden])").await;
    }
    boris.picture("console-russian-card").await;
    tokio::time::sleep(std::time::Duration::from_millis(1200)).await;
    // Whoever wants the keys turns them on.
    anna.press('d').await;
    for browser in [&anna, &boris] {
        browser.ask("localStorage.setItem('flagfall-arbiter-keys', 'on');").await;
    }
    // Anna rules other times than proposed; Boris, with the same card open, sees it.
    anna.press('t').await;
    anna.wait_for(".time-input").await;
    anna.picture("console-phone-change").await;
    anna.ask("const i = document.querySelector('.times.white input'); i.value = '1:20:00'; i.dispatchEvent(new Event('input'));").await;
    anna.wait_for_text(".face.white .digits", |text| text == "1:20:00").await;
    anna.ask("document.querySelector('.ruling-card .note').value = 'both agree';").await;
    anna.click(".bar .primary:not([hidden])").await;
    boris
        .wait_for_text(".ruled", |text| text.contains("Решено другое время") && text.contains("Anna") && text.contains("both agree"))
        .await;
    boris.wait_for_text("[data-step=white] .digits", |text| text == "1:20:00").await;
    boris.picture("console-russian-ruled").await;
    // Later than eight seconds, or another one's: a new ruling takes its place.
    boris.click(".bar .plain:not([hidden])").await;
    boris.press('d').await;
    anna.wait_for_text(".ruled", |text| text.contains("Dismissed") && text.contains("Борис")).await;
    anna.end().await;
    boris.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_daemon_is_never_green() {
    let Some((browser, arena, _tables)) = hall("a_lost_daemon_is_never_green", Screen::Pocket, "/arbiter?lang=en").await else { return };
    browser.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Quiet").await;
    // It hangs: connections stay open and nothing comes.
    browser.walk();
    arena.freeze();
    browser.wait_for_text("#lost", |text| text.starts_with("Connection lost at")).await;
    browser.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Unknown").await;
    assert_eq!(browser.ask("return document.querySelectorAll('.is-quiet').length;").await, json!(0));
    browser.picture("console-phone-lost").await;
    browser.walked("connection lost, and seen to be");
    arena.resume();
    browser.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Quiet").await;
    browser.walked("connection lost, and there again");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_is_seen_and_asks_for_nothing() {
    let test = "a_restart_is_seen_and_asks_for_nothing";
    let accounts = Arena::account("Anna", "correct horse battery");
    let Some((anna, mut arena, tables)) = hall_with(test, Screen::Pocket, "/arbiter?lang=en", &accounts).await else { return };
    sign_in(&anna, "Anna", "correct horse battery").await;
    tables[1].carry("a1", "a3").await;
    tables[1].press().await;
    tables[1].stop_clock().await;
    anna.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Rule").await;
    anna.walk();
    arena.stop();
    anna.wait_for_text("#lost", |text| text.starts_with("Connection lost at")).await;
    anna.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Unknown").await;
    arena.go_on();
    // Nobody signs in again, and the finding is still open.
    anna.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Rule").await;
    anna.walked("restart, and the finding is there again");
    anna.click(".row[data-board='7']").await;
    anna.wait_for_text("h1", |text| text == "Board 7: Illegal move").await;
    anna.click(".bar .primary:not([hidden]):enabled").await;
    anna.wait_for_text(".ruled", |text| text.contains("Confirmed")).await;
    anna.walked("restart, finding, ruled");
    anna.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_sensors_cannot_see_is_reported_in_two_taps() {
    let test = "what_sensors_cannot_see_is_reported_in_two_taps";
    let Some((browser, arena, tables)) = hall(test, Screen::Pocket, "/arbiter?lang=en#/board/7").await else { return };
    browser.wait_for_text(".board-page h1", |text| text == "Board 7").await;
    browser.wait_for_text(".part table", |text| text.contains("e5")).await;
    tables[1].play("g1f3 b8c6").await;
    browser.wait_for_text(".part table", |text| text.contains("Nc6")).await;
    browser.wait_for(".plot .residual").await;
    browser.wait_for_text("details .about", |text| text == "Why 2… Nc6 was read so: flagfall replay JOURNAL --explain 4 --game 1").await;
    browser.picture("console-phone-board").await;
    browser.click(".bar .primary").await;
    browser.picture("console-phone-report").await;
    // What it will do is shown first.
    browser.click("[aria-label='Two hands: White']").await;
    browser.wait_for_text(".foreseen", |text| text.contains("1st offence") && text.contains("Set the clocks")).await;
    // A nervous finger taps twice; that is one report.
    browser.ask("const apply = document.querySelector('[data-do=report]'); apply.click(); apply.click();").await;
    browser.wait_for_text(".part .lines", |text| text.contains("Two hands") && text.contains("Confirmed")).await;
    // Of the findings only: the order on its way and the ruling name it as well.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let reports = browser
        .ask("return [...document.querySelectorAll('.part .lines li > a')].filter((n) => n.textContent.includes('Two hands')).length;")
        .await;
    assert_eq!(reports, json!(1));
    // A result that the board contradicts is shown as a disagreement before it is entered.
    browser.click(".bar button:nth-child(2)").await;
    browser.click(".results .chip:first-child input").await;
    browser.wait_for_text(".compare.bad", |text| text.contains("The clock still runs")).await;
    browser.picture("console-phone-result").await;
    browser.press(fantoccini::key::Key::Escape).await;
    browser.goto(&arena.url("/arbiter?lang=ru#/board/7")).await.unwrap();
    browser.refresh().await.unwrap();
    browser.wait_for_text(".bar .primary", |text| text == "Отметить").await;
    browser.click(".bar .primary").await;
    browser.picture("console-phone-report-russian").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_console_asks_nobody_else_and_fits_its_screen() {
    let test = "the_console_asks_nobody_else_and_fits_its_screen";
    for (screen, size) in [(Screen::Pocket, "phone"), (Screen::Large, "desktop")] {
        let Some((browser, arena, tables)) = hall(test, screen, "/arbiter?lang=ru").await else { return };
        tables[1].carry("a1", "a3").await;
        tables[1].press().await;
        browser.wait_for_text(".row[data-board='7'] .row-state", |text| text == "Решить").await;
        for place in ["#/", "#/board/7", "#/board/7/finding/1"] {
            browser.goto(&arena.url(&format!("/arbiter?lang=ru{place}"))).await.unwrap();
            browser.wait_for("main > *").await;
            tokio::time::sleep(std::time::Duration::from_millis(600)).await;
            let wide = browser.ask("return document.documentElement.scrollWidth - document.documentElement.clientWidth;").await;
            assert_eq!(wide, json!(0), "{size} {place} scrolls sideways");
            let small = "return [...document.querySelectorAll('main button, main a.row, .bar > *')].filter((n) => n.offsetHeight && n.offsetHeight < 24).map((n) => n.textContent);";
            assert_eq!(browser.ask(small).await, json!([]), "{size} {place}: too small for a thumb");
        }
        browser.picture(&format!("console-{size}-russian")).await;
        let elsewhere =
            "return performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith(location.origin + '/'));";
        assert_eq!(browser.ask(elsewhere).await, json!([]));
        // The public page knows nothing of it.
        browser.goto(&arena.url("/#7")).await.unwrap();
        browser.wait_for_text("h1", |text| text.ends_with('7')).await;
        let said = browser.ask("return document.body.innerText;").await;
        assert!(!said.as_str().unwrap().contains("7.5.1"), "{said}");
        browser.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_stand_on_one_line_beside_long_names() {
    let test = "clocks_stand_on_one_line_beside_long_names";
    let list = std::env::temp_dir().join(format!("flagfall-names-{}.csv", std::process::id()));
    std::fs::write(&list, "board,white,black\n6,Bartholomaeus-Hohenstein Maxim,Wisniewska-Ostrowskaja Anna Pe\n").unwrap();
    // With the increment the most that a clock shows.
    let tables = [Table::set_up(35_969, 30)];
    for screen in [Screen::Phone, Screen::Pocket] {
        let Some(browser) = Browser::start(test, screen, false).await else { return };
        let settings = format!("{RULES}\n[event]\npairings = \"{}\"", list.display());
        let arena = Arena::start(test, &settings, 6, &tables);
        arena.settle().await;
        arena.open(&browser, "/arbiter?lang=en#/board/6").await;
        browser.wait_for_text(".big-clock .face-name", |text| text.len() >= 30).await;
        tables[0].start().await;
        browser.wait_for_text(".big-clock.runs .digits", |text| text.contains(':')).await;
        let lines = "return [...document.querySelectorAll('.big-clock .digits')].map((node) => {
            const text = document.createRange();
            text.selectNodeContents(node);
            const lines = [...text.getClientRects()].filter((line) => line.width > 1);
            return Math.max(...lines.map((line) => line.top)) < Math.min(...lines.map((line) => line.bottom));
        }).concat(document.documentElement.scrollWidth <= innerWidth);";
        assert_eq!(browser.ask(lines).await, json!([true, true, true]));
        tables[0].stop_clock().await;
        browser.end().await;
    }
    _ = std::fs::remove_file(list);
}

/// An arbiter's card: what is ruled about a game that is past asks for nothing on the board, what is ruled about this one does.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_ruling_on_an_earlier_game_asks_for_nothing_on_the_board() {
    let Some(browser) = Browser::start("a_ruling_on_an_earlier_game_asks_for_nothing_on_the_board", Screen::Desktop, false).await else {
        return;
    };
    let arena = Arena::start("a_ruling_on_an_earlier_game_asks_for_nothing_on_the_board", RULES, 6, &[]);
    browser.goto(&arena.url("/")).await.unwrap();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let script = "const [start] = arguments;
        return (async () => {
            const { BoardState } = await import('/arbiter/board-state.js');
            const mending = (game) => {
                const board = new BoardState('1');
                const clock = { white_ms: 1000, black_ms: 1000, running: 'white', source: 'device', t: 0, at: '2026-01-02T03:04:05Z' };
                board.snapshot({ board: '1', link: 'up', game: { number: 2, result: '*', start_fen: start }, placement: start.split(' ')[0], clock, moves: [] }, 0);
                let seq = 0;
                const say = (event) => board.apply({ at: '2026-01-02T03:04:06Z', t: 1000, seq: ++seq, ...event }, 1000);
                const proposal = { action: 'restore-position', restore_fen: '4k3/8/8/8/8/8/8/4K3 w - - 0 1', clock: { white_ms: 5000, black_ms: 5000, run: 'white' } };
                say({ type: 'finding', game, id: 1, key: 'illegal-move', grade: 'ruling', proposal, facts: {} });
                say({ type: 'ruling', game, do: 'rule', finding: 1, decision: 'confirm' });
                say({ type: 'finding-update', game, id: 1, status: 'confirmed' });
                return board.mending().length;
            };
            return [mending(1), mending(2)];
        })();";
    assert_eq!(browser.ask_about(script, vec![json!(start)]).await, json!([0, 1]));
    browser.end().await;
}
