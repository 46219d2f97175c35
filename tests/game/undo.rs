//! Any entry and its undo leave what nobody would have entered: seeded games with incidents, entries at any moment, undone within eight seconds.
//!
//! `FLAGFALL_UNDO=200` plays so many games instead of a few.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use crate::rig::Rig;
use flagfall_events::{Body, Entry, Event, Grade, LinkState, Mono, Order, Touches, UNDO_MS, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_game::settings::Settings;
use flagfall_score::board::{Ages, BoardState};
use flagfall_score::office::OfficeState;
use flagfall_score::pgn::pgn;
use flagfall_score::public::PublicView;
use flagfall_score::undone::without_undone;
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::Options;
use flagfall_solver::Solver;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// What happens beside the bytes.
#[derive(Clone, Debug)]
enum Act {
    Enter(Entry),
    Restart,
}

/// What a board hears, with acts in between, in simulated time.
struct Play<'a> {
    board: Board,
    events: Vec<Event>,
    now: Mono,
    heard: &'a [(Mono, Vec<u8>)],
    at: usize,
}

impl<'a> Play<'a> {
    fn new(settings: Settings, heard: &'a [(Mono, Vec<u8>)]) -> Self {
        let mut play = Self { board: Board::new("1", Wall::EPOCH, settings), events: Vec::new(), now: Mono::ZERO, heard, at: 0 };
        play.board.link(Mono::ZERO, LinkState::Up, None);
        play.drain();
        play
    }

    fn drain(&mut self) {
        let mut questions = Vec::new();
        loop {
            while let Some(output) = self.board.poll() {
                match output {
                    Output::Event(event) => self.events.push(event),
                    Output::Question(question) => questions.push(question),
                    Output::Command(_) => {}
                }
            }
            let Some(question) = questions.pop() else { return };
            if let Some(verdict) = Solver::default().answer(&question) {
                self.board.verdict(self.now, verdict);
            }
        }
    }

    fn wait(&mut self, until: Mono) {
        while let Some(deadline) = self.board.deadline().filter(|at| *at <= until) {
            self.now = self.now.max(deadline);
            self.board.timeout(self.now);
            self.drain();
        }
        self.now = self.now.max(until);
    }

    /// Everything that is heard up to then.
    fn until(&mut self, until: Mono) {
        while let Some((t, bytes)) = self.heard.get(self.at).filter(|(t, _)| *t <= until) {
            self.wait(*t);
            self.board.bytes(self.now, bytes);
            self.drain();
            self.at += 1;
        }
        self.wait(until);
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Enter(entry) => self.board.entry(self.now, entry.clone()),
            Act::Restart => {
                self.board.restarted(self.now);
                self.drain();
                self.board.link(self.now, LinkState::Up, None);
            }
        }
        self.drain();
    }
}

/// Plays all of it; acts at their times.
fn play(settings: &Settings, heard: &[(Mono, Vec<u8>)], acts: &[(Mono, Act)]) -> Vec<Event> {
    let mut play = Play::new(settings.clone(), heard);
    for (t, act) in acts {
        play.until(*t);
        play.act(act);
    }
    let end = heard.last().map_or(Mono::ZERO, |(t, _)| *t).max(play.now) + 40_000;
    play.until(end);
    play.events
}

fn entry(order: Value) -> Entry {
    serde_json::from_value(order).unwrap()
}

/// Something that might be entered now.
fn any_entry(random: &mut ChaCha8Rng, events: &[Event]) -> Entry {
    let by = *["white", "black"].choose(random).unwrap();
    let clock = json!({"white_ms": random.random_range(1..90) * 60_000, "black_ms": random.random_range(1..90) * 60_000,
        "run": (["white", "black", "stopped"].choose(random).unwrap())});
    let findings: Vec<u64> = events
        .iter()
        .filter_map(|event| match &event.body {
            Body::Finding(finding) if finding.grade != Grade::Note || finding.proposal.is_some() => Some(finding.id),
            _ => None,
        })
        .collect();
    let decisions = [json!({"decision": "confirm"}), json!({"decision": "dismiss"}), json!({"decision": "amend", "clock": clock})];
    if let Some(id) = findings.choose(random).filter(|_| random.random_bool(0.5)) {
        let mut rule = decisions.choose(random).unwrap().clone();
        (rule["do"], rule["finding"]) = ("rule".into(), (*id).into());
        return entry(rule);
    }
    let placements: Vec<&String> =
        events.iter().filter_map(|event| if let Body::MoveMade { placement, .. } = &event.body { Some(placement) } else { None }).collect();
    let fen = placements
        .choose(random)
        .map_or_else(|| String::from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), |at| format!("{at} {} - - 0 1", &by[..1]));
    let keys = ["two-hands", "touch-move", "illegal-move", "notes", "electronic-device", "resigns", "draw-agreed", "distracting"];
    entry(match random.random_range(0..11) {
        0 | 1 => json!({"do": "report", "key": (keys.choose(random).unwrap()), "by": by}),
        2 | 3 => json!({"do": "result", "result": (["1-0", "0-1", "1/2-1/2", "*"].choose(random).unwrap())}),
        4 => json!({"do": "set-position", "fen": fen}),
        5 => json!({"do": "set-clock", "clock": clock}),
        6 => json!({"do": "flag", "by": by}),
        7 => json!({"do": "penalty", "by": by, "article": "12.9.3", "clock": clock}),
        8 => json!({"do": "assistant", "by": by}),
        9 => json!({"do": "moves", "pgn": (["1. e4 e5 2. Nf3", "1. e4 e5 2. Qh5 Nc6 3. Bc4", "1. d4"].choose(random).unwrap())}),
        _ => json!({"do": "count", "by": by}),
    })
}

/// What everybody sees of a game: its record with every time, as PGN, and the board object.
fn shown<'a>(events: impl Iterator<Item = &'a Event>) -> (String, Value) {
    let mut board = BoardState::new("1".into());
    for (n, event) in (1..).zip(events) {
        board.apply(&Event { seq: n, ..event.clone() });
    }
    let mut object = serde_json::to_value(board.view(Ages::default(), true)).unwrap();
    object["seq"] = Value::Null;
    // The clock may have been told a moment earlier or later.
    object["clock"] = object["clock"]["running"].clone();
    (pgn(&board, &[]), object)
}

/// What arbiters see, numbers and moments left out: what is found and proposed, alarms, claims, touched pieces, the record.
fn arbiters<'a>(events: impl Iterator<Item = &'a Event>) -> Value {
    let mut office = OfficeState::new("1".into());
    events.for_each(|event| _ = office.apply(event));
    let findings: Vec<Value> = office
        .findings()
        .iter()
        .map(|folded| {
            let finding = &folded.finding;
            let ruled = folded.ruled.as_ref().map(|ruled| &ruled.decision);
            json!([
                finding.key,
                finding.by,
                finding.article,
                folded.status,
                folded.urgent,
                finding.proposal,
                finding.facts,
                finding.summary,
                ruled
            ])
        })
        .collect();
    let claims: Vec<Value> = office.claims().iter().map(|claim| json!([claim.claim, claim.stands])).collect();
    let touched: Vec<Value> = office.touched().iter().map(|touch| json!([touch.touch, touch.ply])).collect();
    let alarms: Vec<Value> = office.alarms().iter().map(|alarm| json!([alarm.key, alarm.ply])).collect();
    let moves: Vec<Value> = office.board().moves().iter().map(|m| json!([m.ply, m.uci, m.completed, m.how, m.clock])).collect();
    let standing = office.rulings().iter().filter(|entered| !entered.taken_back && entered.ruling.name() != "undo").count();
    json!([findings, claims, touched, alarms, moves, office.board().game().result, office.game_number(), office.sensed(), standing])
}

/// What the public is told of a record, in its order.
fn recorded(events: &[Event], touches: Touches) -> Vec<Value> {
    let mut view = PublicView::new(touches, 0);
    let mut public: Vec<Event> = events.iter().flat_map(|event| view.take(event)).collect();
    public.extend(view.pass(Mono::from_millis(u64::MAX)));
    let streamed = public.iter().filter(|event| event.body.is_public());
    assert!(streamed.clone().map(|event| event.seq).eq(1..=streamed.count() as u64), "numbers without gaps");
    let is_record =
        |event: &&Event| event.body.is_play() || matches!(event.body, Body::Result { .. } | Body::GameStart { .. } | Body::Ruling(_));
    public.iter().filter(is_record).map(|event| json!([event.game, event.body])).collect()
}

/// What was played, as it was told.
fn played(event: &Event) -> Option<Value> {
    let told = event.body.is_play() || matches!(event.body, Body::Result { .. } | Body::GameStart { .. } | Body::Press { .. });
    told.then(|| json!([event.t, event.game, event.body]))
}

fn games() -> usize {
    std::env::var("FLAGFALL_UNDO").ok().and_then(|n| n.parse().ok()).unwrap_or(3)
}

fn a_game(random: &mut ChaCha8Rng, seed: u64) -> (PgnGame, Options) {
    let all = [
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 5.O-O f6 6.d4 exd4 7.Nxd4 c5 8.Nb3 Qxd1 9.Rxd1 Bg4 1-0",
        "1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6 4.Qxf7# 1-0",
        "1.d4 d5 2.c4 dxc4 3.e3 b5 4.a4 c6 5.axb5 cxb5 6.Qf3 Qd5 7.Qxd5 e6 8.Qxa8 Kd7 1/2-1/2",
    ];
    let game = read_games(all.choose(random).unwrap().as_bytes()).unwrap().remove(0);
    let incidents = ["illegal@5", "press-without-move@4", "unpressed@6", "no-increment@3", "kings@8", "illegal@3"];
    let incidents = incidents.choose_multiple(random, 2).map(|incident| incident.parse().unwrap()).collect();
    let kind = *[Kind::Human, Kind::Blitz, Kind::Clean].choose(random).unwrap();
    (game, Options { incidents, ..Options::new(kind, seed) })
}

#[test]
fn an_entry_that_is_undone_was_never_there() {
    let (mut tried, mut undone, mut refused, mut whole) = (0, 0, 0, 0);
    for seed in 0..games() as u64 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (game, options) = a_game(&mut random, seed);
        let settings = options.settings(&game);
        let mut rig = Rig::of(&game, &options);
        rig.run();
        let heard = rig.heard;
        let plain = play(&settings, &heard, &[]);
        let last = heard.last().unwrap().0.millis();
        for _ in 0..12 {
            let t = Mono::from_millis(random.random_range(0..last));
            let mut before = Play::new(settings.clone(), &heard);
            before.until(t);
            let entry = any_entry(&mut random, &before.events);
            if before.board.refusal(&entry).is_some() {
                continue;
            }
            tried += 1;
            let known = before.events.len();
            before.act(&Act::Enter(entry.clone()));
            let ruling = before.events[known..].iter().find(|event| matches!(event.body, Body::Ruling(_))).map(|event| event.seq);
            let Some(ruling) = ruling else { continue };
            let after = t + *[0, 1, 900, 3_000, 7_999, UNDO_MS].choose(&mut random).unwrap();
            let undo = Entry::new(Order::Undo { ruling });
            before.until(after);
            if before.board.refusal(&undo).is_some() {
                refused += 1;
                continue;
            }
            undone += 1;
            let about = format!("seed {seed}, {entry:?} at {t:?}, undone at {after:?}");
            let restarts = random.random_bool(0.2).then_some((after, Act::Restart));
            let with: Vec<(Mono, Act)> =
                [(t, Act::Enter(entry))].into_iter().chain(restarts.clone()).chain([(after, Act::Enter(undo))]).collect();
            let events = play(&settings, &heard, &with);
            let plain = match restarts {
                Some(restart) => play(&settings, &heard, &[restart]),
                None => plain.clone(),
            };
            // The game goes on as if nothing had been entered …
            let rest = |events: &[Event]| -> Vec<Value> { events.iter().filter(|event| event.t > after).filter_map(played).collect() };
            assert_eq!(rest(&events), rest(&plain), "{about}");
            // … everybody sees what he would have seen …
            let (pgn, object) = shown(without_undone(&events));
            let (wanted, board) = shown(plain.iter());
            // … but for what was played while it stood: that is told when it is undone, so what nobody read is reckoned from then.
            if !without_undone(&events)
                .any(|event| event.t == after && matches!(event.body, Body::MoveMade { .. } | Body::MoveCompleted { .. }))
            {
                assert_eq!(pgn, wanted, "{about}");
                assert_eq!(object, board, "{about}");
                // … an arbiter, too …
                assert_eq!(arbiters(events.iter()), arbiters(plain.iter()), "{about}");
                // … and the public was never told anything else.
                for touches in [Touches::Public, Touches::Arbiter] {
                    assert_eq!(recorded(&events, touches), recorded(&plain, touches), "{about}, {touches:?}");
                }
                whole += 1;
            }
            // … and who follows every event has the same moves and result in the end.
            let moves = |object: &Value| {
                let moves = object["moves"].as_array().unwrap().iter();
                let moves: Vec<Value> = moves.map(|m| json!([m["ply"], m["uci"], m["completed"], m["how"], m["legal"]])).collect();
                (moves, object["game"]["result"].clone(), object["placement"].clone())
            };
            assert_eq!(moves(&shown(events.iter()).1), moves(&board), "{about}");
            // The same inputs give the same events.
            assert_eq!(play(&settings, &heard, &with), events, "{about}");
        }
    }
    println!("{tried} entries, {undone} undone, {refused} refused; nothing was played meanwhile in {whole}");
    assert!(undone > tried / 3 && whole > undone / 2, "{undone} of {tried}, {whole}");
}

/// A board on which four plies were played, and what it has said.
fn four_plies() -> (Settings, Vec<(Mono, Vec<u8>)>) {
    let game = read_games(b"1.e4 e5 2.Nf3 Nc6 *").unwrap().remove(0);
    let options = Options::new(Kind::Clean, 1);
    let mut rig = Rig::of(&game, &options);
    rig.run();
    (options.settings(&game), rig.heard)
}

fn by(who: &str, order: Value) -> Entry {
    Entry { who: Some(String::from(who)), ..entry(order) }
}

fn last_ruling(events: &[Event]) -> u64 {
    events.iter().rev().find(|event| matches!(event.body, Body::Ruling(_))).unwrap().seq
}

fn undo_of(who: &str, ruling: u64) -> Entry {
    by(who, json!({"do": "undo", "ruling": ruling}))
}

#[test]
fn only_the_newest_entry_is_undone_by_who_made_it_and_then_the_one_before() {
    let (settings, heard) = four_plies();
    let mut play = Play::new(settings, &heard);
    play.until(heard.last().unwrap().0 + 1_000);
    let refusal = |play: &Play<'_>, undo: &Entry| play.board.refusal(undo).unwrap_or_default();
    assert!(refusal(&play, &undo_of("Olga", 1)).contains("cannot be undone"));
    play.act(&Act::Enter(by("Olga", json!({"do": "report", "key": "two-hands", "by": "white"}))));
    let report = last_ruling(&play.events);
    // Its author was answered with the newest event, and may name that.
    let answered = play.events.last().unwrap().seq;
    play.until(play.now + 100);
    assert!(report < answered && play.board.refusal(&undo_of("Olga", answered)).is_none());
    assert!(refusal(&play, &undo_of("Ivan", report)).contains("was entered by Olga, who alone can undo it; dismiss its finding"));
    play.until(play.now + 3_000);
    play.act(&Act::Enter(by("Ivan", json!({"do": "result", "result": "1-0"}))));
    let result = last_ruling(&play.events);
    assert!(
        refusal(&play, &undo_of("Olga", report)).contains(&format!("event {result} was entered after event {report}: undo that first"))
    );
    // What says only what is so stands in nobody's way.
    play.act(&Act::Enter(by("Olga", json!({"do": "stop"}))));
    play.act(&Act::Enter(undo_of("Ivan", result)));
    let undone = play.events.iter().rev().find_map(|event| if let Body::Ruling(ruling) = &event.body { ruling.undone() } else { None });
    let undone = undone.unwrap();
    assert!(undone.undid == "result" && undone.took_back(result) && !undone.took_back(report), "{undone:?}");
    play.until(play.now + 4_000);
    play.act(&Act::Enter(undo_of("Olga", report)));
    let mut office = OfficeState::new("1".into());
    play.events.iter().for_each(|event| _ = office.apply(event));
    assert!(!office.findings().iter().any(|found| found.ruled.is_some()) && !office.board().is_over(), "{:?}", office.findings());
    let entered: Vec<(&str, bool)> = office.rulings().iter().map(|entered| (entered.ruling.name(), entered.taken_back)).collect();
    assert_eq!(entered, [("report", true), ("result", true), ("undo", false), ("undo", false)]);
    // The offence counts no more.
    play.act(&Act::Enter(by("Olga", json!({"do": "report", "key": "two-hands", "by": "white"}))));
    let offence = play.events.iter().rev().find_map(|event| match &event.body {
        Body::Finding(finding) => finding.proposal.as_ref()?.offence,
        _ => None,
    });
    assert_eq!(offence, Some(1));
    let late = last_ruling(&play.events);
    play.until(play.now + UNDO_MS);
    assert_eq!(play.board.refusal(&undo_of("Olga", late)), None);
    play.until(play.now + 1);
    assert!(refusal(&play, &undo_of("Olga", late)).contains("not any more: an entry can be for 8 seconds"));
}

#[test]
fn what_was_played_on_top_of_a_ruling_is_not_undone_with_it() {
    let (settings, heard) = four_plies();
    let plain = play(&settings, &heard, &[]);
    let made = |event: &&Event| matches!(event.body, Body::MoveMade { ply: 3, .. });
    let third = plain.iter().find(made).unwrap().t.millis();
    let mut play = Play::new(settings, &heard);
    play.until(Mono::from_millis(third - 1_500));
    play.act(&Act::Enter(entry(json!({"do": "result", "result": "1-0"}))));
    play.until(Mono::from_millis(third - 500));
    play.act(&Act::Enter(entry(json!({"do": "result", "result": "*"}))));
    let undo = Entry::new(Order::Undo { ruling: last_ruling(&play.events) });
    assert_eq!(play.board.refusal(&undo), None);
    play.until(Mono::from_millis(third + 500));
    assert!(play.events.iter().any(|event| made(&event)), "the game goes on");
    assert!(play.board.refusal(&undo).unwrap_or_default().contains("it was played on since"));
    let before = play.events.len();
    play.act(&Act::Enter(undo));
    assert_eq!(play.events.len(), before, "what is refused changes nothing");
}
