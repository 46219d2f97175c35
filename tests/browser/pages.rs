//! Every page on every screen, light and dark, in English and Russian: pictures for people, and what axe-core finds.
//!
//! `FLAGFALL_PICTURES=all cargo test --test web every_page` takes all pictures into `target/pictures` and writes a table of what axe-core
//! found beside them, with `FLAGFALL_PAGES="boards round"` of these alone; `tests/pictures` does that and makes the sheets in `docs/img`. Without it a few are taken.
use super::pictures::full_hall;
use super::stage::{Axe, Browser, Hall, IMPACTS, Screen};
use flagfall::feeds::event_info::{Pairing, Round, Tournament};
use flagfall::feeds::players::Player;
use flagfall_events::GameResult;
use flagfall_score::kept::GameRecord;
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Position as _, san::SanPlus, uci::UciMove};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

/// A page of the program.
struct Page {
    /// Names its pictures.
    name: &'static str,
    path: &'static str,
    /// What is there as soon as it can be looked at.
    ready: &'static str,
}

const fn page(name: &'static str, path: &'static str, ready: &'static str) -> Page {
    Page { name, path, ready }
}

/// All of them, as an arbiter who is signed in may open them: a new page gets a line here.
const PAGES: &[Page] = &[
    page("boards", "/", "[data-board='6']"),
    page("board", "/#2", ".move.made"),
    page("round", "/#/round/3", ".standings td"),
    page("archive", "/archive/", ".standings td"),
    page("archive-game", "/archive/#/round/1/1", ".move[aria-current]"),
    page("not-found", "/nothing/here", "h1"),
    page("arbiter", "/arbiter", ".summary"),
    page("arbiter-board", "/arbiter#/board/2", "h1"),
    page("operator", "/operator", ".qr"),
    page("tv", "/tv", ".tile"),
    page("embed", "/embed?board=2", ".tile .time.running"),
    page("embed-round", "/embed?round", ".round li"),
];

/// Width and height: a phone, two tablets, a tablet on its side, a desktop, a wall; and a phone on its side.
const SCREENS: [(u16, u16); 7] = [(390, 844), (768, 1024), (820, 1180), (1180, 820), (1440, 900), (3840, 2160), (844, 390)];

/// What of the officials' heads is wider than its place, or broken within a word.
const CUT: &str = "const broken = (part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        const rows = [...range.getClientRects()].filter((row) => row.width > 0);
        const bottoms = rows.map((row) => row.bottom);
        return Math.max(...bottoms) - Math.min(...bottoms) > 0.8 * Math.max(...rows.map((row) => row.height));
    };
    return [...document.querySelectorAll('#top .home, #top nav, #top nav a')]
        .filter((part) => part.offsetHeight && (part.scrollWidth > part.clientWidth + 1 || broken(part))).map((part) => part.textContent);";

/// What no person should read; and times and numbers that are broken within themselves.
const SPOILT: &str = r"const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const parent = node.parentElement;
        if (!parent.checkVisibility() || parent.closest('script, style, template')) continue;
        if (/\[object|\bundefined\b|\bNaN\b/.test(node.data)) found.push(node.data);
        for (const part of node.data.matchAll(/\d+(?:[:.,]\d+)*/g)) {
            const range = document.createRange();
            range.setStart(node, part.index);
            range.setEnd(node, part.index + part[0].length);
            const rows = [...range.getClientRects()].filter((row) => row.width > 0).map((row) => row.top);
            if (rows.length && Math.max(...rows) - Math.min(...rows) > 4) found.push(part[0] + ' is broken');
        }
    }
    return found;";

/// Those that are taken every time: width, dark, language.
const FEW: [(u16, bool, &str); 3] = [(390, true, "ru"), (768, false, "ru"), (1180, false, "en")];

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn every_page_has_room_on_every_screen_and_shuts_nobody_out() {
    let test = "every_page_has_room_on_every_screen_and_shuts_nobody_out";
    let Some(axe) = Axe::fetch(test) else { return };
    let Some(browser) = Browser::start(test, Screen::Large, false).await else { return };
    axe.sit_in(&browser).await;
    let mut hall = Hall::open().await;
    full_hall(&mut hall);
    hall.event(an_event());
    browser.goto(hall.link()).await.unwrap();
    browser.wait_for(".summary").await;
    let all = std::env::var("FLAGFALL_PICTURES").is_ok_and(|wanted| wanted == "all");
    let pages = std::env::var("FLAGFALL_PAGES").unwrap_or_default();
    let wanted = |name: &str| pages.is_empty() || pages.split(' ').any(|page| page == name);
    let mut report = Report::default();
    let mut wrong = Vec::new();
    for (width, height) in SCREENS {
        for (dark, lang) in [(false, "en"), (true, "en"), (false, "ru"), (true, "ru")] {
            if !all && !FEW.contains(&(width, dark, lang)) {
                continue;
            }
            browser.show_as(width, height, dark).await;
            let shade = if dark { "dark" } else { "light" };
            for page in PAGES.iter().filter(|page| wanted(page.name)) {
                let (path, part) = page.path.split_once('#').map_or((page.path, String::new()), |(path, part)| (path, format!("#{part}")));
                // A page that differs in its fragment alone would not be loaded anew.
                browser.goto("about:blank").await.unwrap();
                let and = if path.contains('?') { '&' } else { '?' };
                browser.goto(&hall.url(&format!("{path}{and}lang={lang}{part}"))).await.unwrap();
                browser.wait_for(page.ready).await;
                let name = format!("{}-{width}-{shade}-{lang}", page.name);
                browser.picture(&name).await;
                let found = Axe::all(&browser).await;
                report.take((page.name, lang), width, &found);
                let grave = found.iter().filter(|(impact, _)| IMPACTS[..2].contains(&&**impact));
                let mut faults: Vec<String> = grave.map(|(_, fault)| fault.clone()).collect();
                let beyond = browser.ask("return document.documentElement.scrollWidth - innerWidth;").await;
                if beyond.as_i64() > Some(0) {
                    faults.push(format!("scrolls sideways by {beyond}"));
                }
                let cut = browser.ask(CUT).await;
                if cut.as_array().is_some_and(|cut| !cut.is_empty()) {
                    faults.push(format!("cut or broken in the head: {cut}"));
                }
                let spoilt = browser.ask(SPOILT).await;
                if spoilt.as_array().is_some_and(|spoilt| !spoilt.is_empty()) {
                    faults.push(format!("nobody can read: {spoilt}"));
                }
                if !faults.is_empty() {
                    wrong.push(format!("{name}: {}", faults.join("; ")));
                }
            }
        }
    }
    if all && pages.is_empty() {
        std::fs::write(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/pictures/axe.md"), report.text()).unwrap();
    }
    browser.end().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A page and its language.
type Which = (&'static str, String);

/// What axe-core found on each page in each language: by width, how many faults of each impact, in the light shade and in the dark one together.
#[derive(Default)]
struct Report {
    rows: Vec<(Which, BTreeMap<u16, [usize; 4]>)>,
    /// Each fault once.
    faults: BTreeSet<String>,
}

impl Report {
    fn take(&mut self, (page, lang): (&'static str, &str), width: u16, found: &[(String, String)]) {
        let at = self.rows.iter().position(|(of, _)| of.0 == page && of.1 == lang).unwrap_or_else(|| {
            self.rows.push(((page, String::from(lang)), BTreeMap::new()));
            self.rows.len() - 1
        });
        let counts = self.rows[at].1.entry(width).or_default();
        for (impact, fault) in found {
            counts[IMPACTS.iter().position(|known| known == impact).unwrap()] += 1;
            self.faults.insert(format!("{page}: {fault}"));
        }
    }

    fn text(&self) -> String {
        let mut text = String::from(
            "# What axe-core finds on every page\n\nMade by `tests/pictures`, with the sheets beside it. Violations by impact, critical / serious / moderate / minor, in the light \
             shade and in the dark one together; a dash is none. The rules are those of WCAG 2.2 A and AA and axe-core's own good practice. 844 is a phone on \
             its side. A critical or serious one fails the test.\n\n| page | language |",
        );
        let widths: BTreeSet<u16> = self.rows.iter().flat_map(|(_, counts)| counts.keys().copied()).collect();
        widths.iter().for_each(|width| write!(text, " {width} |").unwrap());
        writeln!(text, "\n|---|---|{}", "---|".repeat(widths.len())).unwrap();
        for ((page, lang), counts) in &self.rows {
            write!(text, "| {page} | {lang} |").unwrap();
            for width in &widths {
                let said = match counts.get(width) {
                    Some([0, 0, 0, 0]) => String::from("–"),
                    Some([critical, serious, moderate, minor]) => format!("{critical} / {serious} / {moderate} / {minor}"),
                    None => String::new(),
                };
                write!(text, " {said} |").unwrap();
            }
            text.push('\n');
        }
        if !self.faults.is_empty() {
            text.push('\n');
            self.faults.iter().for_each(|fault| writeln!(text, "- {fault}").unwrap());
        }
        text
    }
}

const SANS: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Re1 a6 Bb3 Ba7 h3 h6 Nbd2 Re8 Nf1 Be6 Bc2 d5 exd5 Bxd5 Ng3";

/// A game that is over, each side using three to ten seconds a move.
fn a_game(board: u32, sans: &str, result: GameResult) -> Arc<GameRecord> {
    let (mut position, mut left) = (Chess::default(), [5400, 5400]);
    let moves: Vec<Value> = (0..)
        .zip(sans.split(' '))
        .map(|(i, san)| {
            let found = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
            let (side, spent) = (i % 2, 3 + (i + 1) * 7 % 8);
            left[side] -= spent;
            position.play_unchecked(found);
            let uci = UciMove::from_move(found, CastlingMode::Standard).to_string();
            json!({"by": (["white", "black"][side]), "san": san, "uci": uci, "clk": left[side], "emt": spent})
        })
        .collect();
    let record = json!({"board": board.to_string(), "game": 1, "chess960": false, "started_at": "2026-11-21T10:00:00Z", "result": result,
        "reason": "resigned", "time_control": "5400+30", "moves": moves});
    Arc::new(serde_json::from_value(record).unwrap())
}

/// Three rounds of four pairings; the third is being played on the boards of [`full_hall`].
pub(super) fn an_event() -> Tournament {
    let player = |(name, title, elo, federation, team): (&str, &str, u16, &str, &str)| {
        let some = |text: &str| Some(String::from(text)).filter(|text| !text.is_empty());
        Player { title: some(title), elo: Some(elo), federation: some(federation), team: some(team), ..Player::named(name).unwrap() }
    };
    let players = [
        ("Lindqvist, Maja", "WGM", 2381, "SWE", ""),
        ("Okonkwo, Daniel", "IM", 2410, "NGR", ""),
        ("Вишневская, Анна", "", 2198, "FID", ""),
        ("Bartholomäus-Hohenstein, Maximilian", "FM", 2304, "GER", ""),
        ("Adams, Mary", "", 2011, "ENG", ""),
        ("Baker, Jo", "CM", 2150, "IRL", ""),
        ("Clark, Tomás", "", 1987, "ESP", ""),
        ("Davis, Nia", "WFM", 2077, "WLS", ""),
    ]
    .map(player);
    let pairing = |round: u32, number: u32, [white, black]: [usize; 2], result: GameResult| Pairing {
        number,
        uuid: format!("{round}-{number}"),
        label: number.to_string(),
        board: Some(number.to_string().into()),
        white: players[white].clone(),
        black: players[black].clone(),
        result,
        live: result == Open,
        game: (result != Open).then(|| a_game(number, SANS, result)),
    };
    use GameResult::{BlackWins, Draw, Open, WhiteWins};
    let rounds = [
        [([0, 4], WhiteWins), ([5, 1], BlackWins), ([2, 6], WhiteWins), ([7, 3], Draw)],
        [([1, 0], Draw), ([3, 2], WhiteWins), ([4, 5], BlackWins), ([6, 7], Draw)],
        [([0, 1], Open), ([2, 3], Open), ([5, 7], WhiteWins), ([4, 6], Open)],
    ];
    let rounds = (1..).zip(rounds).map(|(number, games)| Round {
        number,
        date: Some(format!("2026-11-{}", 20 + number)),
        pairings: (1..).zip(games).map(|(place, (two, result))| pairing(number, place, two, result)).collect(),
    });
    Tournament {
        uuid: String::from("6f5902ac-0000-8000-8000-000000000001"),
        id: String::from("open"),
        name: String::from("Club Championship 2026"),
        city: Some(String::from("Bergen")),
        country: Some(String::from("NO")),
        site: String::from("Bergen, Norway"),
        time_control: Some(String::from("90 min + 30 s")),
        rounds: rounds.collect(),
        current: 3,
        ..Tournament::default()
    }
}
