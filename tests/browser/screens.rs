//! Pages that nobody operates: the hall's screen, and boards in the frames of another site.
use super::pictures::full_hall;
use super::stage::{Browser, Hall, Screen};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// The boards in sight, and whether all of it is on the screen.
const SEEN: &str = "const all = [...document.querySelectorAll('.tile, .wall li')];
    const inside = all.every((n) => { const r = n.getBoundingClientRect(); return r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight; });
    const fits = document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth;
    return [all.map((n) => n.dataset.board), inside && fits, getComputedStyle(document.body).cursor];";

/// Waits until exactly these boards are shown.
async fn shows(browser: &Browser, boards: &[&str]) {
    let wanted = json!([boards, true, "none"]);
    let mut seen = Value::Null;
    for _ in 0..1200 {
        seen = browser.ask(SEEN).await;
        if seen == wanted {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{seen} instead of {wanted}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_halls_screen_is_full_turns_its_pages_and_comes_back() {
    let test = "the_halls_screen_is_full_turns_its_pages_and_comes_back";
    let Some(browser) = Browser::start(test, Screen::Large, false).await else { return };
    let mut hall = Hall::open().await;
    full_hall(&mut hall);
    let address = hall.address().to_string();
    for (width, height) in [(1920, 1080), (3840, 2160)] {
        browser.show_as(width, height, width > 2000).await;
        browser.goto(&hall.url("/tv")).await.unwrap();
        shows(&browser, &["1", "2", "3", "4", "5", "6"]).await;
        browser.picture(&format!("tv-{width}")).await;
    }
    browser.show_as(1920, 1080, false).await;
    // Three boards, two at once: the second page is full, too.
    browser.goto(&hall.url("/tv?boards=1-2,4&per=2&rotate=3&lang=en")).await.unwrap();
    shows(&browser, &["1", "2"]).await;
    shows(&browser, &["2", "4"]).await;
    shows(&browser, &["1", "2"]).await;

    // The daemon ends, and that is said; another one takes its place, and the screen goes on by itself.
    browser.goto(&hall.url("/tv?boards=1-2&lang=en")).await.unwrap();
    shows(&browser, &["1", "2"]).await;
    hall.close().await;
    browser.wait_for_text("#state", |text| text.starts_with("Connection lost")).await;
    let mut hall = Hall::open_at(&address).await;
    full_hall(&mut hall);
    browser.wait_for_text("#state", str::is_empty).await;
    hall.make("1", "g8h8");
    browser.wait_for_text("[data-board='1'] .last", |text| text.contains("Kh8")).await;

    // Whatever was played is over: the results.
    for board in ["1", "2"] {
        hall.tell(board, json!({"type": "result", "result": "1/2-1/2", "reason": "agreed", "source": "operator"}));
    }
    browser.wait_for_text(".wall", |text| text.contains("½") && text.contains("Lindqvist, Maja")).await;
    shows(&browser, &["1", "2"]).await;
    browser.picture("tv-results").await;
    browser.end().await;
}

/// Another site, whose page frames a board and the page of all boards.
async fn another_site(page: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let page = page.clone();
            tokio::spawn(async move {
                _ = stream.read(&mut [0; 4096]).await;
                let head =
                    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", page.len());
                _ = stream.write_all((head + &page).as_bytes()).await;
            });
        }
    });
    format!("http://localhost:{}/", address.port())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn another_site_frames_what_is_made_for_it_and_nothing_else() {
    let test = "another_site_frames_what_is_made_for_it_and_nothing_else";
    let Some(browser) = Browser::start(test, Screen::Large, false).await else { return };
    let mut hall = Hall::open().await;
    full_hall(&mut hall);
    let frame = |path: &str| format!("<iframe width=\"500\" height=\"420\" src=\"{}\"></iframe>", hall.url(path));
    let page = format!("<!doctype html><title>club</title>{}{}{}", frame("/embed?board=2&lang=en"), frame("/embed?round"), frame("/"));
    browser.goto(&another_site(page).await).await.unwrap();
    browser.enter_frame(0).await.unwrap();
    browser.wait_for(".tile .time.running").await;
    assert_eq!(browser.ask("return document.querySelector('.tile a').href;").await, json!(hall.url("/?lang=en#2")));
    let inside = browser.ask("const r = document.querySelector('.tile').getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight && r.right <= innerWidth;").await;
    assert_eq!(inside, json!(true));
    browser.enter_parent_frame().await.unwrap();
    browser.enter_frame(1).await.unwrap();
    browser.wait_for_text("[data-board='3'] .round-state", |text| text == "1 – 0").await;
    browser.enter_parent_frame().await.unwrap();
    browser.picture("embed").await;
    browser.enter_frame(2).await.unwrap();
    assert_eq!(browser.ask("return document.querySelectorAll('main, header').length;").await, json!(0), "no other page is framed");
    browser.end().await;
}

/// Streams that are open at the daemon.
async fn listeners(browser: &Browser) -> u64 {
    let text = browser.ask("return fetch('/metrics').then((answer) => answer.text());").await;
    let line = text.as_str().unwrap().lines().find_map(|line| line.strip_prefix("flagfall_stream_listeners ")).unwrap();
    line.parse().unwrap()
}

/// A browser keeps pages for the way back, and has six connections for a server: a page that was left lets go of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn whoever_walks_from_page_to_page_never_waits_for_those_he_has_left() {
    let test = "whoever_walks_from_page_to_page_never_waits_for_those_he_has_left";
    let Some(browser) = Browser::start(test, Screen::Large, false).await else { return };
    let mut hall = Hall::open().await;
    full_hall(&mut hall);
    browser.goto(hall.link()).await.unwrap();
    browser.wait_for(".summary").await;
    let pages = [
        ("/", ".grid li"),
        ("/operator", ".qr"),
        ("/arbiter", ".hall li"),
        ("/tv", ".tile"),
        ("/embed?board=2", ".tile"),
        ("/embed?board=1", ".tile"),
    ];
    for (path, ready) in pages {
        browser.goto(&hall.url(path)).await.unwrap();
        browser.wait_for(ready).await;
    }
    let mut open = 0;
    for _ in 0..200 {
        open = listeners(&browser).await;
        if open == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(open, 1, "pages that were left hold streams");
    // Back, and the page there is live again.
    for path in ["/embed?board=2", "/tv"] {
        browser.ask("history.back();").await;
        let mut at = Value::Null;
        for _ in 0..200 {
            at = browser.ask("return location.pathname + location.search;").await;
            if at == json!(path) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!(at, json!(path));
        browser.wait_for(".tile").await;
    }
    hall.make("1", "g8h8");
    browser.wait_for_text("[data-board='1'] .last", |text| text.contains("Kh8")).await;
    browser.end().await;
}
