//! Two publishing cores with a delay, in simulated time. Until `fork` the same happens in both, then something else; what the world can read must be the
//! same in every byte until what differs is due. `FLAGFALL_WORLDS=200` plays so many seeds.
use super::chronicle::Chronicle;
use super::desk::{self, Wish};
use super::{EventInfo, found};
use crate::delay::{Delayed, Lag};
use crate::later::Later;
use crate::livechess::table::Table;
use crate::pairings;
use crate::pairings::files::FoundFile;
use crate::pgn::broadcast::{self, Style};
use crate::projections_tests::invented;
use crate::shown::Shown;
use crate::tree::documents::Documents;
use crate::tree::writer::Writer;
use flagfall_config::delay::Delay;
use flagfall_config::event::About;
use flagfall_events::{Body, Event, Mono, Ruling, Touches, Undone, Wall};
use flagfall_journal::{JournalState, Said};
use flagfall_score::board::Pi;
use flagfall_time::{Hand, Stopwatch};
use flagfall_web::held::{Anchors, Held};
use flagfall_web::hub::Hub;
use flagfall_web::public::{self, ServeInfo};
use flagfall_web::queue::{Next, Queue};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio_util::sync::CancellationToken;

/// How often the core is turned, milliseconds; no multiple of anything.
const STEP: u64 = 43;

/// Something that happens.
#[derive(Clone, Debug)]
enum Act {
    Event(Arc<Event>),
    Register(String),
    Pi(String, bool, Option<u64>),
    Touches(Touches),
    Pairings(String),
    About(String),
    Round(u32),
    Restart,
}

type Script = Vec<(u64, Act)>;

/// One board's way: what the outbox of a board does, without its thread.
struct Way {
    held: Held,
    anchors: Anchors,
    waiting: VecDeque<Said>,
    shown: u64,
    all: Vec<Arc<Event>>,
}

/// Everything that a process has.
struct Process {
    later: Arc<Later>,
    live: Arc<Hub>,
    hub: Arc<Hub>,
    wishes: Queue<Wish, desk::Missed>,
    chronicle: Chronicle,
    event: Arc<EventInfo>,
    documents: Arc<Documents>,
    /// A feed that is later still.
    slower: Arc<Documents>,
    held: Delayed<Arc<super::Tournament>>,
    api: Table,
    frames: Vec<String>,
    registered: Vec<String>,
    stopwatch: Stopwatch,
    hand: Hand,
    /// For how long the machine had been up when it began.
    up: u64,
    address: String,
    stop: CancellationToken,
    ids: Vec<String>,
    sent: Vec<String>,
}

struct World {
    delay: Delay,
    ways: BTreeMap<String, Way>,
    process: Process,
    kept: Option<super::seats::Kept>,
    folder: tempfile::TempDir,
    writer: Writer,
    written: BTreeMap<String, SystemTime>,
    now: u64,
}

impl Process {
    fn new(delay: Delay, up: u64, kept: Option<super::seats::Kept>, runtime: &tokio::runtime::Runtime) -> Self {
        let _entered = runtime.enter();
        let (stopwatch, hand) = Stopwatch::simulated(Wall::EPOCH.after(Mono::from_millis(up)));
        let live = Hub::new();
        live.set_journal(JournalState::Ok);
        let hub = live.shown_later(delay, stopwatch);
        let (desk, wishes) = desk::open(hub.clone());
        let chronicle = Chronicle::new(About { name: Some("Open".into()), ..About::default() }, kept);
        let event = EventInfo::new(chronicle.tournament());
        let lag = Lag::general(delay);
        let documents = Documents::delayed(lag);
        let more = Duration::from_secs(3);
        let shown = Shown { hub: hub.clone(), livechess: Vec::new(), chronicle: desk };
        let later = Later::new(shown, delay, stopwatch);
        let stop = CancellationToken::new();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let info = ServeInfo { now: Some(event.clone()), ..ServeInfo::default() };
        let (boards, rest) = public::public(hub.clone(), info, stop.clone());
        let app = public::serving(boards.merge(rest).merge(crate::tree::http::router(documents.clone())), &[]);
        runtime.spawn(flagfall_web::serve::serve_app(listener, None, app, stop.clone()));
        Self {
            api: Table::new(event.clone(), lag, stopwatch),
            slower: Documents::delayed(Lag::of(delay.by + more)),
            held: Delayed::new(3_000, 1000),
            frames: Vec::new(),
            registered: Vec::new(),
            ids: Vec::new(),
            sent: Vec::new(),
            later,
            live,
            hub,
            wishes,
            chronicle,
            event,
            documents,
            stopwatch,
            hand,
            up,
            address,
            stop,
        }
    }

    /// What is due is shown; as the keeper of the event does it.
    fn settle(&mut self) {
        let mut news = false;
        let mut next = self.wishes.try_next();
        self.chronicle.boards(&self.hub.names(), |_| None);
        while let Some(Next::News(wish)) = next {
            news = true;
            match wish {
                Wish::Event(event) => {
                    self.chronicle.take(&event);
                    self.api.take(&event);
                    // What the broker is sent on the public subject.
                    self.sent.extend(event.body.is_public().then(|| serde_json::to_string(&*event).unwrap()));
                }
                Wish::Restore(events) => events.iter().for_each(|event| {
                    self.chronicle.take(event);
                    self.api.take(event);
                }),
                Wish::Found(file) => found::again(&mut self.chronicle, file),
                Wish::Begin(number) => self.chronicle.start_round(number),
                Wish::About(about, text) => found::rename(&mut self.chronicle, &self.hub, &about, &text),
                _ => panic!("nothing else is passed on"),
            }
            next = self.wishes.try_next();
        }
        for name in self.hub.names() {
            if !self.registered.iter().any(|known| **known == *name) {
                self.registered.push(name.to_string());
                let frames = self.api.register(&name);
                self.frames.extend(frames);
            }
        }
        // Of boards whose pictures change together any may come first; those of one board are in order.
        let mut frames = self.api.frames();
        frames.sort_by_cached_key(|frame| frame.split(",\"param\"").next().map(String::from));
        self.frames.append(&mut frames);
        let now = self.stopwatch.now();
        if news {
            self.chronicle.settle();
            let event = self.chronicle.tournament();
            for pairing in event.now_playing().iter().flat_map(|round| &round.pairings) {
                let Some(board) = &pairing.board else { continue };
                let shown = event.pairing_of(board).map_or(pairing, |(_, pairing)| pairing);
                self.hub.set_players(board, Some(shown.white.pgn_name()), Some(shown.black.pgn_name()));
            }
            self.event.put(event);
            self.documents.make(self.event.now());
            self.held.push(now, self.event.now());
        }
        if let Some(event) = self.held.due(now) {
            self.slower.make(event);
        }
    }

    fn get(&self, path: &str, last_id: Option<&str>) -> String {
        let request = ureq::get(format!("http://{}{path}", self.address)).config().http_status_as_error(false).build();
        let request = match last_id {
            Some(id) => request.header("Last-Event-ID", id),
            None => request,
        };
        let mut answer = request.call().unwrap();
        let mut text = format!("{}\n", answer.status());
        for (name, value) in answer.headers() {
            let value = if name == "date" { "…" } else { value.to_str().unwrap() };
            text += &format!("{name}: {value}\n");
        }
        if !path.contains("/events") {
            text += &answer.body_mut().read_to_string().unwrap();
        }
        text
    }
}

impl World {
    fn new(delay: Delay, runtime: &tokio::runtime::Runtime) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::new(folder.path(), "", "");
        let process = Process::new(delay, 1_000_000, None, runtime);
        Self { delay, ways: BTreeMap::new(), process, kept: None, folder, writer, written: BTreeMap::new(), now: 0 }
    }

    /// The process is another one from here on: it goes on from journals, marks, and what was kept of the event.
    fn restart(&mut self, runtime: &tokio::runtime::Runtime) {
        let up = self.process.up + self.process.stopwatch.now().millis();
        self.process.stop.cancel();
        self.kept = Some(self.process.chronicle.kept().clone());
        let process = Process::new(self.delay, up, self.kept.clone(), runtime);
        let frames = std::mem::take(&mut self.process.frames);
        let sent = std::mem::take(&mut self.process.sent);
        self.process = Process { frames, sent, ..process };
        for (board, way) in &mut self.ways {
            self.process.later.shown().register(board, "serial:/nowhere");
            self.process.chronicle.boards(&self.process.hub.names(), |_| None);
            let told: Vec<Arc<Event>> = way.all.iter().filter(|event| event.seq <= way.shown).cloned().collect();
            self.process.later.shown().restore(board, &told, None);
            let mut held = Held::new(self.delay, way.shown).knowing(told.iter().map(|event| &**event));
            way.waiting = way.all.iter().filter(|event| event.seq > way.shown).cloned().map(Said::of).collect();
            for said in &way.waiting {
                let age = way.anchors.age(said.event.seq, said.event.t, up);
                held.say(said.event.seq, &said.event, Mono::ZERO, age);
            }
            way.held = held;
        }
        self.process.settle();
    }

    fn act(&mut self, act: &Act, runtime: &tokio::runtime::Runtime) {
        let later = &self.process.later;
        match act.clone() {
            Act::Event(event) => {
                let delay = self.delay;
                let way = self.ways.entry(event.board.to_string()).or_insert_with(|| Way {
                    held: Held::new(delay, 0),
                    anchors: Anchors::default(),
                    waiting: VecDeque::new(),
                    shown: 0,
                    all: Vec::new(),
                });
                let now = self.process.stopwatch.now();
                way.held.say(event.seq, &event, now, 0);
                way.anchors.take(event.seq, event.t, self.process.up + now.millis());
                way.all.push(event.clone());
                let said = Said::of(event);
                self.process.live.publish_aged(&said, 0);
                way.waiting.push_back(said);
            }
            Act::Register(board) => later.change(move |shown| shown.register(&board, "serial:/nowhere")),
            Act::Pi(board, away, silent) => later.change(move |shown| {
                shown.hub.set_pi(&board, &Pi { name: "pi-1".into(), away }, silent, None);
            }),
            Act::Touches(touches) => later.change(move |shown| shown.hub.set_touches(touches, [])),
            Act::Pairings(text) => {
                let found = FoundFile::Pairings("pairings.csv".into(), Ok(pairings::read(text.as_bytes()).unwrap()));
                later.change(move |shown| shown.chronicle.pass(Wish::Found(found)));
            }
            Act::About(text) => later.change(move |shown| shown.chronicle.pass(Wish::About("elsewhere".into(), text))),
            Act::Round(number) => later.change(move |shown| shown.chronicle.pass(Wish::Begin(number))),
            Act::Restart => self.restart(runtime),
        }
    }

    fn turn(&mut self, now: u64) {
        self.now = now;
        let began = self.process.up - 1_000_000;
        self.process.hand.set(Mono::from_millis(now - began));
        let time = self.process.stopwatch.now();
        for way in self.ways.values_mut() {
            let due = way.held.due(time);
            while let Some(said) = way.waiting.pop_front_if(|said| said.event.seq <= due) {
                way.shown = said.event.seq;
                self.process.later.shown().publish_aged(&said, (0, way.held.quiet_after(said.event.seq)));
            }
        }
        self.process.later.turn();
        self.process.later.shown().let_go(|_| ());
        self.process.settle();
    }

    /// Everything that anybody can read now, by name.
    fn look(&mut self) -> Vec<(String, String)> {
        let process = &mut self.process;
        let mut told = Vec::new();
        let mut paths = vec![String::from("/api/v1/boards"), String::from("/metrics"), String::from("/healthz"), String::from("/")];
        for name in process.hub.names() {
            paths.extend(["", "/pgn", "/pgn?game=1", "/pgn?game=2"].map(|end| format!("/api/v1/boards/{name}{end}")));
        }
        paths.extend(
            [
                "/api/v1/boards/9",
                "/api/v1/events",
                "/api/v1/events?boards=1,9",
                "/api/v1/event",
                "/api/v1/event/rounds/1",
                "/pgn/tournament.json",
                "/pgn/round-1/games.pgn",
                "/pgn/round-2/index.json",
            ]
            .map(String::from),
        );
        for path in paths {
            let text = process.get(&path, None);
            // Labels come in no order.
            let text = if path == "/metrics" { sorted(&text) } else { text };
            told.push((path, text));
        }
        // Every listener that ever came comes back with what it saw last, and a new one comes.
        let ids = process.ids.clone();
        for id in ids.iter().map(Some).chain([None]) {
            let topics = process
                .hub
                .names()
                .into_iter()
                .map(flagfall_web::audience::Topic::Board)
                .chain([flagfall_web::audience::Topic::All, flagfall_web::audience::Topic::Some(["1".into()].into())]);
            for topic in topics {
                let Some((frames, _)) = process.hub.listen(topic.clone(), id.map(String::as_str)) else { continue };
                let text: String = frames.iter().map(|frame| String::from_utf8_lossy(frame).into_owned()).collect();
                if id.is_none() && topic == flagfall_web::audience::Topic::All {
                    process.ids.extend(text.lines().filter_map(|line| line.strip_prefix("id: ")).next_back().map(String::from));
                }
                let text: String = text.lines().map(|line| masked(line) + "\n").collect();
                told.push((format!("stream {topic:?} from {}", id.map_or_else(String::new, |id| masked(&format!("id: {id}")))), text));
            }
        }
        for (name, documents) in [("document", &process.documents), ("slower", &process.slower)] {
            for document in documents.now().under("") {
                let text = format!("{} {}\n{}", document.etag, document.version, String::from_utf8_lossy(&document.bytes));
                told.push((format!("{name} {}", document.path), text));
            }
        }
        let event = process.event.now();
        for round in &event.rounds {
            let push: String = round.pairings.iter().map(|p| broadcast::game(&event, round, p, Style::PUSH, false)).collect();
            told.push((format!("Lichess {}", round.number), push));
        }
        told.push((String::from("LiveChess frames"), process.frames.join("\n")));
        told.extend(process.api.rest().into_iter().map(|(name, text)| (format!("LiveChess {name}"), text)));
        told.push((String::from("public subject"), process.sent.join("\n")));
        // Which files were touched since the last look.
        self.writer.write(&process.documents.now()).unwrap();
        let mut files = BTreeMap::new();
        times(self.folder.path(), &mut files);
        let touched: Vec<&String> = files.iter().filter(|(path, at)| self.written.get(*path) != Some(*at)).map(|(path, _)| path).collect();
        told.push((String::from("files that were written"), format!("{touched:?}").replace(&self.folder.path().display().to_string(), "")));
        self.written = files;
        told
    }
}

fn times(folder: &Path, into: &mut BTreeMap<String, SystemTime>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            times(&path, into);
        } else {
            into.insert(path.display().to_string(), std::fs::metadata(&path).unwrap().modified().unwrap());
        }
    }
}

/// A stream's ids begin with a word that every process draws.
fn masked(line: &str) -> String {
    line.strip_prefix("id: ").and_then(|id| id.split_once('-')).map_or_else(|| String::from(line), |(_, n)| format!("id: …-{n}"))
}

fn sorted(text: &str) -> String {
    // A stream that was hung up is noticed a moment later.
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("flagfall_stream_listeners ")).collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// What one board says from `from` on: an invented game, its numbers after `seq`; its calendar is `jump` milliseconds off.
fn course(seed: u64, board: &str, (seq, from): (u64, u64), jump: i64) -> Script {
    let events = invented(seed);
    let event = |event: &Event| {
        let t = from + event.t.millis();
        let at = Wall::EPOCH.after(Mono::from_millis((1_000_000 + t).saturating_add_signed(jump)));
        let mut event = Event { seq: seq + event.seq, t: Mono::from_millis(t), at, board: board.into(), ..event.clone() };
        match &mut event.body {
            Body::GameStart { .. } => event.game = event.game.or(Some(1)),
            Body::Ruling(ruling) => {
                if let (Some(undone), Some(entry)) = (ruling.undone(), ruling.entry()) {
                    let moved = |row: [u64; 2]| row.map(|number| seq + number);
                    let undone =
                        Undone { undone: undone.undone.into_iter().map(moved).collect(), by_events: undone.by_events.map(moved), ..undone };
                    **ruling = Ruling::of(entry.clone()).undoing(&undone);
                }
            }
            _ => {}
        }
        (t, Act::Event(Arc::new(event)))
    };
    events.iter().map(event).collect()
}

/// What is no event.
fn beside(random: &mut ChaCha8Rng, from: u64, to: u64) -> Script {
    let mut script = Script::new();
    for _ in 0..random.random_range(2..9) {
        let board = random.random_range(1..5).to_string();
        let names: Vec<String> = (0..8).map(|_| format!("Player {}", random.random_range(0..1000))).collect();
        let act = match random.random_range(0..8) {
            0 => Act::Register(board),
            1 => Act::Pi(board, random.random_bool(0.5), Some(random.random_range(0..90_000))),
            2 => Act::Touches(if random.random_bool(0.5) { Touches::Public } else { Touches::Arbiter }),
            3..6 => {
                let rows: String = (0..4).map(|i| format!("{},{},{}\n", i + 1, names[2 * i], names[2 * i + 1])).collect();
                // A player sits at one board only.
                let mut all = names.clone();
                all.sort_unstable();
                all.dedup();
                if all.len() < names.len() {
                    continue;
                }
                Act::Pairings(format!("board,white,black\n{rows}"))
            }
            6 => Act::About(format!("name = \"Open\"\ncity = \"{}\"\n", names[0])),
            _ => Act::Round(random.random_range(1..3)),
        };
        script.push((random.random_range(from..to), act));
    }
    script
}

/// Plays both scripts with the same looks; the first name that differs, with the time.
fn play(scripts: [&Script; 2], delay: Delay, looks: &[u64], to: u64, runtime: &tokio::runtime::Runtime) -> (Option<String>, usize) {
    let mut worlds = scripts.map(|_| World::new(delay, runtime));
    let mut moves = 0;
    let mut next = [0, 0];
    for now in (0..=to).step_by(STEP as usize) {
        for ((world, script), next) in worlds.iter_mut().zip(scripts).zip(&mut next) {
            while let Some((_, act)) = script.get(*next).filter(|(at, _)| *at <= now) {
                world.turn(now);
                world.act(act, runtime);
                *next += 1;
            }
            world.turn(now);
        }
        if looks.iter().any(|look| (now..now + STEP).contains(look)) {
            let [one, other] = worlds.each_mut().map(World::look);
            moves +=
                one.iter().filter(|(_, text)| text.contains("move-completed") || text.contains("%clk") || text.contains("\"san\"")).count();
            let differs = one.iter().zip(&other).find(|(one, other)| one != other);
            if let Some((one, other)) = differs {
                let at = one.1.lines().zip(other.1.lines()).find(|(one, other)| one != other);
                return (Some(format!("{} and {} at {now}: {at:?}", one.0, other.0)), moves);
            }
            if one.len() != other.len() {
                return (Some(format!("another number of outlets at {now}")), moves);
            }
        }
    }
    worlds.iter().for_each(|world| world.process.stop.cancel());
    (None, moves)
}

#[test]
fn nobody_can_tell_two_worlds_apart_before_what_differs_is_due() {
    let seeds: u64 = std::env::var("FLAGFALL_WORLDS").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (mut seen, mut differing) = (0, 0);
    for seed in 0..seeds {
        let mut random = ChaCha8Rng::seed_from_u64(0x2_0000 + seed);
        let until_end = seed % 4 == 3;
        let delay = Delay { by: Duration::from_secs(random.random_range(if until_end { 1 } else { 4 }..40)), until_end };
        let boards: Vec<String> = (1..=random.random_range(1..4)).map(|n: u32| n.to_string()).collect();
        let mut script: Script = boards.iter().flat_map(|board| course(random.random(), board, (0, 0), 0)).collect();
        let last = script.iter().map(|(at, _)| *at).max().unwrap();
        script.extend(beside(&mut random, 0, last));
        script.sort_by_key(|(at, _)| *at);
        let fork = random.random_range(last / 3..last);
        let due = fork + delay.millis();
        // In the other world everything is another thing after the fork: moves, results, findings, links, names, the calendar.
        let mut other: Script = script.iter().filter(|(at, _)| *at <= fork).cloned().collect();
        for board in &boards {
            let seq = other.iter().filter(|(_, act)| matches!(act, Act::Event(event) if *event.board == **board)).count() as u64;
            let jump = [0, 0, 7_200_000, -90_000][random.random_range(0..4)];
            other.extend(course(random.random(), board, (seq, fork + 1), jump));
        }
        other.extend(beside(&mut random, fork + 1, due));
        other.sort_by_key(|(at, _)| *at);
        // The process is started anew in both, at the same moment, at times when only one of them has something new.
        if seed % 3 == 1 {
            let at = random.random_range(fork / 2..due);
            for script in [&mut script, &mut other] {
                script.push((at, Act::Restart));
                script.sort_by_key(|(at, _)| *at);
            }
        }
        let mut looks: Vec<u64> = (0..5).map(|_| random.random_range(0..due)).collect();
        looks.push(due - STEP);
        looks.sort_unstable();
        let (difference, moves) = play([&script, &other], delay, &looks, due - 1, &runtime);
        assert_eq!(difference, None, "seed {seed}: {delay:?}, fork {fork}, due {due}");
        seen += usize::from(moves > 0);
        if seed < 4 {
            // Then they can: the test would see it.
            differing += u64::from(play([&script, &other], delay, &[due + 30_000], due + 31_000, &runtime).0.is_some());
        }
    }
    assert!(seen * 2 > seeds as usize && differing * 2 > seeds.min(4), "{seen} of {seeds} showed moves, {differing} differed later");
    if seeds > 4 {
        println!("{seeds} seeds: no byte differed before it was due; {seen} showed moves");
    }
}

#[test]
fn a_game_that_is_shown_when_it_is_over_comes_with_the_result_that_was_entered() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let delay = Delay { by: Duration::from_secs(3), until_end: true };
    let bodies = [
        (
            1_000,
            r#"{"type": "game-start", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}"#,
        ),
        (
            5_000,
            r#"{"type": "move-made", "ply": 1, "by": "white", "uci": "e2e4", "san": "e4", "legal": true, "placement": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "provisional": false}"#,
        ),
        (5_000, r#"{"type": "move-completed", "ply": 1, "by": "white", "uci": "e2e4", "san": "e4", "legal": true, "how": "press"}"#),
        (10_000, r#"{"type": "ruling", "do": "result", "result": "1-0"}"#),
        (10_000, r#"{"type": "result", "result": "1-0", "reason": "entered", "source": "operator"}"#),
    ];
    let mut world = World::new(delay, &runtime);
    let script: Script = (1..)
        .zip(bodies)
        .map(|(seq, (t, body))| {
            let at = Mono::from_millis(t);
            let body = serde_json::from_str(body).unwrap();
            (t, Act::Event(Arc::new(Event { seq, t: at, at: Wall::EPOCH.after(at), board: "1".into(), game: Some(1), body })))
        })
        .collect();
    let mut next = 0;
    let mut play = |world: &mut World, to: u64| {
        for now in (world.now..=to).step_by(STEP as usize) {
            while let Some((_, act)) = script.get(next).filter(|(at, _)| *at <= now) {
                world.turn(now);
                world.act(act, &runtime);
                next += 1;
            }
            world.turn(now);
        }
    };
    play(&mut world, 21_900);
    let before = world.process.get("/api/v1/boards/1/pgn", None);
    assert!(!before.contains("e4"), "{before}");
    // Nine seconds after the entry nobody can undo it; three more are the delay.
    play(&mut world, 22_200);
    let after = world.process.get("/api/v1/boards/1/pgn", None);
    assert!(after.contains("1. e4") && after.contains("[Result \"1-0\"]"), "{after}");
    world.process.stop.cancel();
}
