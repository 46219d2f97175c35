//! What everybody sees of recorded and invented games, event by event: it changes only where somebody wants it to.
//!
//! `tests/projections/NAME.txt` has, for each projection, a hash of what it was after every event, and of some games what it comes to.
//! To bless what the program says now, after looking at the difference: `FLAGFALL_BLESS=1 cargo test -p flagfall-feeds --lib projections`.
use crate::livechess::picture::Picture;
use crate::pgn;
use crate::said::{Said, numbered};
use flagfall_events::Touches;
use flagfall_events::{Body, Event, Mono};
use flagfall_score::alarms::Watch;
use flagfall_score::board::{Ages, BoardState, Games};
use flagfall_score::progress::Progress;
use flagfall_score::public::PublicView;
use flagfall_score::{incidents, timeline};
use flagfall_web::audience::{Audience, Detail};
use flagfall_web::office::OfficeBoard;
use rand::Rng as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Games of which the texts themselves are kept; of the others their hashes tell the same.
const WHOLE: [&str; 2] = ["blitz-both-hands", "three-lives-7"];
const AGES: Ages = Ages { clock: Some(7), silent: None, delay: None };

/// Every projection of one stream, by name: its text now, and the hash of all texts so far.
#[derive(Default)]
struct Seen(BTreeMap<String, (blake3::Hasher, String)>);

impl Seen {
    fn see(&mut self, name: &str, text: String) {
        let (hasher, last) = self.0.entry(String::from(name)).or_default();
        if *last != text {
            hasher.update(text.as_bytes()).update(b"\0");
            *last = text;
        }
    }

    /// Adds to what is told line by line; its text is the last line.
    fn add(&mut self, name: &str, line: &str) {
        let (hasher, last) = self.0.entry(String::from(name)).or_default();
        hasher.update(line.as_bytes()).update(b"\n");
        *last = String::from(line);
    }

    fn text(&self, whole: bool) -> String {
        let one = |(name, (hasher, last)): (&String, &(blake3::Hasher, String))| {
            let last = if whole { format!("{}\n", last.trim_end()) } else { String::new() };
            format!("== {name} {}\n{last}", &hasher.finalize().to_hex()[..16])
        };
        self.0.iter().map(one).collect()
    }
}

/// What of a stream is public, where touches are so.
struct Public {
    name: &'static str,
    view: PublicView,
    board: BoardState,
    picture: Picture,
}

impl Public {
    fn new(touches: Touches) -> Self {
        Self {
            name: touches.as_str(),
            view: PublicView::new(touches, 0),
            board: BoardState::new("1".into()),
            picture: Picture::new("1".into(), "serial:/nowhere", crate::delay::Lag::NONE),
        }
    }

    fn take(&mut self, event: &Event, seen: &mut Seen) {
        let shown = self.view.take(event);
        self.show(&shown, seen);
    }

    fn show(&mut self, public: &[Event], seen: &mut Seen) {
        let name = self.name;
        for shown in public {
            seen.add(&format!("{name} events"), &serde_json::to_string(shown).unwrap());
            self.board.apply(shown);
            if self.picture.apply(shown) {
                seen.see(&format!("{name} livechess"), livechess(&self.picture));
            }
            seen.see(&format!("{name} board"), pretty(&self.board.view(AGES, true)));
            seen.see(&format!("{name} list"), pretty(&self.board.view(Ages::default(), false)));
            seen.see(&format!("{name} pgn"), pgn::pgn(&self.board, &[("Round", "2")]));
            let record = self.board.record();
            seen.see(&format!("{name} record"), pretty(&record));
            seen.see(&format!("{name} kept pgn"), pgn::of_record(&record, record.result, ["A", "B"], &[]));
        }
    }
}

fn pretty(value: &impl serde::Serialize) -> String {
    // One line an entry is enough to see what differs.
    serde_json::to_string(value).unwrap().replace("},{", "},\n{")
}

/// What clients of LiveChess may be told of the line.
fn livechess(picture: &Picture) -> String {
    let line = &picture.sheet;
    let moves: Vec<String> = line.line(0).iter().map(|(san, step)| format!("{san}={}", step.uci)).collect();
    let mut from = shakmaty::Chess::default();
    let mut found = Vec::new();
    for (san, _) in line.line(0) {
        found.push(line.find(&from).map(|anchor| (line.holds(anchor, &from), line.played(anchor, &from, 0).sans.len())));
        let mv = shakmaty::san::San::from_ascii(san.trim_end_matches(['+', '#']).as_bytes()).unwrap().to_move(&from);
        let Ok(mv) = mv else { break };
        shakmaty::Position::play_unchecked(&mut from, mv);
    }
    let now = picture.placement.as_deref().map(|placement| line.stands_on(placement));
    format!(
        "epoch {} live {} cut {} result {:?} stands {now:?} expected {:?} {moves:?} {found:?} clock {:?}",
        line.epoch(),
        line.is_live(),
        line.is_cut(),
        line.is_over().then(|| line.game().result),
        line.expected(),
        picture.clock().map(|clock| (clock.white, clock.black, clock.run)),
    )
}

fn projected(events: &[Event]) -> Seen {
    let mut seen = Seen::default();
    let mut publics = [Touches::Public, Touches::Arbiter].map(Public::new);
    let mut office = <OfficeBoard as Audience>::new("1".into());
    let (mut games, mut watch, mut progress) = (Games::new("1".into()), Watch::new(Mono::ZERO), Progress::default());
    for event in events {
        publics.iter_mut().for_each(|public| public.take(event, &mut seen));
        Audience::apply(&mut office, event);
        for (name, whole, operator) in [("arbiter", true, false), ("arbiter list", false, false), ("operator", true, true)] {
            let object: Value = serde_json::from_slice(&office.object(AGES, Detail { whole, operator })).unwrap();
            seen.see(name, pretty(&object));
        }
        games.take(event);
        seen.see("games", games.played().map(|game| pgn::pgn(game, &[])).collect());
        for change in watch.take(event, event.t) {
            seen.add("alarms", &format!("{} {} {} {}", event.t.millis(), change.key, change.raised, change.by_game));
        }
        progress.take(event);
        seen.see("progress", format!("{} {} {}", progress.has_moves(), progress.is_over(event.t), progress.may_end(event.t + 700_000)));
        if let Some(line) = timeline::line(event) {
            seen.add("timeline", &line);
        }
    }
    // Nothing can be undone any more.
    for public in &mut publics {
        let late = public.view.pass(Mono::from_millis(u64::MAX));
        public.show(&late, &mut seen);
    }
    for change in watch.tick(events.last().map_or(Mono::ZERO, |event| event.t + 100_000)) {
        seen.add("alarms", &format!("later {} {} {}", change.key, change.raised, change.by_game));
    }
    seen.see("incidents", format!("{:#?}", incidents::cases(events)));
    seen
}

/// A game in which everything happens that the vocabulary has, in no order that a board would choose.
pub(crate) fn invented(seed: u64) -> Vec<Event> {
    let mut said = Said::new(seed);
    said.start();
    let (mut game, mut open) = (1_u32, Vec::new());
    for _ in 0..said.random.random_range(20..80) {
        let last =
            said.all.iter().rev().find(|event| event["type"] == "move-made").cloned().unwrap_or_else(|| json!({"ply": 1, "uci": "e2e4"}));
        let ply = last["ply"].as_u64().unwrap();
        match said.random.random_range(0..26) {
            0..12 => said.play(true),
            12 => open.push(said.offend()),
            13 => said.go_on(),
            14 => {
                if let Some(id) = open.pop() {
                    let status = ["confirmed", "dismissed", "amended", "withdrawn"][said.random.random_range(0..4)];
                    said.everything(json!({"type": "ruling", "do": "rule", "finding": id, "decision": "confirm", "who": "Olga"}), false);
                    said.everything(json!({"type": "finding-update", "id": id, "status": status}), false);
                }
            }
            15 => said.back(2),
            16 => said.back(1),
            17 => {
                let (uci, san) = said.another();
                said.everything(json!({"type": "move-revised", "ply": ply, "uci": uci, "san": san, "was": last["uci"]}), true);
            }
            18 => {
                let fen = said.some_position();
                said.everything(json!({"type": "ruling", "do": "set-position", "game": game, "fen": fen, "who": "Olga"}), false);
                said.everything(json!({"type": "placement", "placement": fen.split(' ').next(), "settled": true}), true);
            }
            19 => {
                let (result, reason) = [("1-0", "mate"), ("*", "unread"), ("0-1", "entered")][said.random.random_range(0..3)];
                let source = if reason == "unread" { "setup" } else { "operator" };
                said.everything(json!({"type": "result", "game": game, "result": result, "reason": reason, "source": source}), true);
            }
            20 => said.everything(json!({"type": "result", "game": game, "result": "*", "reason": "reopened", "source": "operator"}), true),
            21 => {
                let of = game.saturating_sub(1).max(1);
                said.everything(
                    json!({"type": "result", "game": of, "result": "1/2-1/2", "reason": "entered", "source": "operator"}),
                    true,
                );
            }
            22 => {
                game += 1;
                said.begin(game);
            }
            23 | 24 => {
                let ruling = said.all.len() + 1;
                said.everything(json!({"type": "ruling", "do": "result", "game": game, "result": "0-1", "who": "Olga"}), false);
                said.everything(json!({"type": "result", "game": game, "result": "0-1", "reason": "entered", "source": "operator"}), false);
                said.t += said.random.random_range(1..7_000);
                if said.random.random_bool(0.5) {
                    let back = said.all.len() + 2;
                    said.everything(
                        json!({"type": "ruling", "do": "undo", "game": game, "ruling": ruling, "undid": "result", "who": "Olga",
                            "undone": [[ruling, ruling + 1]], "by_events": [back, back]}),
                        false,
                    );
                    said.everything(
                        json!({"type": "result", "game": game, "result": "*", "reason": "reopened", "source": "operator"}),
                        false,
                    );
                }
            }
            _ => said.everything(json!({"type": "move-withdrawn", "ply": ply.saturating_sub(1).max(1), "uci": "e2e4"}), true),
        }
    }
    numbered(&said.all)
}

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(path: &Path) -> Vec<Event> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What was blessed must be what is seen; what is seen and differs is left in `target/projections`.
fn compare(name: &str, found: &str) -> Option<String> {
    let expected_in = root().join("tests/projections").join(name).with_extension("txt");
    if env::var_os("FLAGFALL_BLESS").is_some_and(|bless| bless == "1") {
        fs::write(&expected_in, found).unwrap();
        return None;
    }
    let expected = fs::read_to_string(&expected_in).unwrap_or_default();
    if found == expected {
        return None;
    }
    let seen = root().join("target/projections");
    fs::create_dir_all(&seen).unwrap();
    fs::write(seen.join(name).with_extension("txt"), found).unwrap();
    let at = |line: usize, text: &str| text.lines().nth(line).unwrap_or("(nothing)").to_owned();
    let line = found
        .lines()
        .zip(expected.lines())
        .position(|(f, e)| f != e)
        .unwrap_or_else(|| found.lines().count().min(expected.lines().count()));
    let names = found.lines().zip(expected.lines()).filter(|(f, e)| f != e && f.starts_with("== ")).map(|(f, _)| f);
    let names = names.collect::<Vec<_>>().join(", ");
    Some(format!("{name}:{}\n  expected {}\n  found    {}\n  {names}", line + 1, at(line, &expected), at(line, found)))
}

#[test]
fn what_recorded_games_look_like_to_everybody_is_what_it_was() {
    let captures = fs::read_dir(root().join("tests/captures")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = captures.filter(|path| path.extension().is_some_and(|e| e == "events")).collect();
    paths.push(root().join("tests/journals/three-lives-7.events"));
    paths.sort();
    assert!(paths.len() > 5);
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let differing: Vec<String> =
        paths.iter().filter_map(|path| compare(&name(path), &projected(&read(path)).text(WHOLE.contains(&&*name(path))))).collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn what_invented_games_look_like_to_everybody_is_what_it_was() {
    let streams: Vec<Vec<Event>> = (0..24).map(invented).collect();
    let kinds: std::collections::BTreeSet<&str> = streams.iter().flatten().map(|event| event.body.kind()).collect();
    assert!(kinds.contains("move-withdrawn") && kinds.contains("move-revised") && kinds.contains("result"));
    assert!(streams.iter().flatten().any(|event| matches!(&event.body, Body::Ruling(ruling) if ruling.sets_position().is_some())));
    let hashes: String = (0..).zip(&streams).map(|(seed, events)| format!("seed {seed}\n{}", projected(events).text(seed == 5))).collect();
    assert_eq!(compare("invented", &hashes), None);
}
