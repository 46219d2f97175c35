//! An event in which something fails all the time, and what it cost at the end: plies, silence, rulings.
use crate::checks;
use crate::compare;
use crate::faults::{self, Kind, Stage};
use crate::floor::{self, Floor, Plan};
use crate::halls::{Halls, context, pause, wait};
use crate::measure::quantile;
use crate::network::Cable;
use crate::receiver::Receiver;
use crate::server::Broker;
use crate::table::{Daemon, names};
use crate::usage::{Machine, Usage};
use crate::watch::{Seen, Watch, now};
use flagfall::time::Stopwatch;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// What is held.
#[derive(Clone, Debug)]
pub(crate) struct Olympiad {
    pub(crate) boards: usize,
    /// Boards of one daemon.
    pub(crate) of_one: usize,
    /// Whole games a board.
    pub(crate) rounds: usize,
    /// Thinking is divided by it.
    pub(crate) speed: f64,
    pub(crate) seed: u64,
    /// How many faults are thrown. 0: it is over when it is measured, and nothing that is there for faults alters that.
    pub(crate) faults: usize,
    /// Seconds between two faults, after all is well again.
    pub(crate) every: u64,
    /// For so many seconds at the start it is measured what everything costs; 0: it is not.
    pub(crate) measure: u64,
    /// Every board is read all the time: what is made while nobody reads, and covered before anybody does again, nobody can know.
    pub(crate) read: bool,
}

/// A fault that was thrown.
struct Thrown {
    kind: Kind,
    boards: Vec<String>,
    /// Wall time, milliseconds: from, until all was well again.
    from: u64,
    until: u64,
    well: bool,
}

/// What faults raise, and what is over with them.
const OF_FAULTS: [&str; 5] = ["board-lost", "boards-exchanged", "broker-away", "broker-lost", "clock-lost"];

/// Alarms of both halls, by key and what they are about.
#[derive(Default)]
struct Alarms {
    standing: BTreeSet<(String, String)>,
    raised: BTreeMap<String, usize>,
    cleared: BTreeMap<String, usize>,
}

impl Alarms {
    fn look(&mut self, halls: &Halls) {
        let mut now = BTreeSet::new();
        for hall in halls.all.iter().flatten() {
            // Who does not answer says nothing of what is over.
            let Some(Value::Array(all)) = hall.get("/api/v1/operator/alarms") else { return };
            for alarm in all {
                let about = alarm["board"].as_str().or_else(|| alarm["about"].as_str()).unwrap_or_default();
                now.insert((alarm["key"].as_str().unwrap_or_default().to_owned(), about.to_owned()));
            }
        }
        for (key, _) in now.difference(&self.standing) {
            *self.raised.entry(key.clone()).or_default() += 1;
        }
        for (key, _) in self.standing.difference(&now) {
            *self.cleared.entry(key.clone()).or_default() += 1;
        }
        self.standing = now;
    }
}

/// An arbiter's ruling, and whether its board's machine has journaled it.
struct Ruling {
    key: String,
    board: String,
    answered: bool,
}

fn enter(hall: &Daemon, ruling: &Ruling) -> bool {
    // It changes no game.
    let entry = json!({"do": "arrived", "by": "white", "who": "Anna", "order_key": ruling.key});
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let address = hall.address();
    let request = agent
        .post(format!("http://{address}/api/v1/arbiter/boards/{}/entries", ruling.board))
        .header("content-type", "application/json")
        .header("cookie", crate::signed_in::cookie(address));
    request.send(entry.to_string()).is_ok_and(|answer| answer.status().as_u16() == 200)
}

/// Holds it; whether nothing was lost. `None`: there is no broker.
pub(crate) fn hold(olympiad: &Olympiad) -> Option<bool> {
    let Olympiad { boards, of_one, rounds, speed, .. } = *olympiad;
    let plan = Plan { boards, of_one, rounds, speed, fails: false };
    let machines = floor::names(&plan);
    let all: Vec<(String, Vec<&str>)> = machines
        .iter()
        .flat_map(|(pi, boards)| [pi.clone(), faults::twin(pi)].map(|pi| (pi, boards.iter().map(String::as_str).collect())))
        .collect();
    let accounts: Vec<(&str, &[&str])> = all.iter().map(|(pi, boards)| (pi.as_str(), boards.as_slice())).collect();
    let broker = Broker::three(&accounts)?;
    let mut floor = Floor::new(plan);
    floor.receiver = Some(Receiver::listen());
    let fails = olympiad.faults > 0;
    let times = fails && floor.have_time();
    let disks: Vec<bool> = all.iter().map(|(pi, _)| fails && faults::disk(&floor.home.path().join(pi))).collect();
    println!(
        "\n## Olympiad: {boards} boards in {} daemons, {rounds} games each, thinking divided by {speed}, seed {}\n",
        machines.len(),
        olympiad.seed
    );
    let halls = Halls::start(&floor, &broker);
    wait("hall that speaks", 60, || halls.speaker())?;
    let ends: Vec<_> = broker.servers().iter().map(|server| server.trim_start_matches("nats://").parse().unwrap()).collect();
    let cables = machines.iter().map(|_| floor.runtime.block_on(Cable::lay(&ends)).unwrap()).collect();
    let rng = ChaCha8Rng::seed_from_u64(olympiad.seed);
    let mut stage = Stage { broker, floor, halls, cables, rng, disks: disks.iter().all(|disk| *disk), times, missed: 0 };
    if fails && !stage.disks {
        println!("skipped: no full disk: no small disk can be mounted here (root is needed)");
    }
    if fails && !stage.times {
        println!("skipped: no time of day that jumps: libfaketime is missing (apt-get install libfaketime)");
    }
    (0..machines.len()).for_each(|machine| stage.start(machine));
    stage.floor.operator();
    (0..machines.len()).for_each(|machine| stage.floor.sit_down(machine, speed));
    let (watch, voices, began) = (Watch::begin(stage.halls.addresses.clone()), stage.halls.listen(), Stopwatch::start());
    let machine = Machine::begin();
    pause(15);
    if olympiad.measure > 0 {
        let usage = Usage::begin(&stage);
        pause(olympiad.measure);
        usage.tell(&stage);
    }
    if !fails {
        stage.floor.end(false);
        return Some(true);
    }

    let (mut thrown, mut rulings, mut alarms) = (Vec::new(), Vec::new(), Alarms::default());
    for kind in stage.deck(olympiad.faults, olympiad.read) {
        if stage.floor.over() == boards * rounds {
            println!("all games are over after {} faults", thrown.len());
            break;
        }
        let from = now();
        rule(&mut stage, &mut rulings);
        alarms.look(&stage.halls);
        let concerned = stage.throw(kind, |stage| {
            rule(stage, &mut rulings);
            alarms.look(&stage.halls);
        });
        let well = stage.settle(&concerned, 120, |stage| alarms.look(&stage.halls));
        let until = now();
        println!(
            "  {:>4} s: {} (boards {}), well again after {:.1} s",
            began.now().millis() / 1_000,
            kind.words(),
            concerned.join(" "),
            (until - from) as f64 / 1e3
        );
        thrown.push(Thrown { kind, boards: concerned, from, until, well });
        pause(olympiad.every);
        again(&stage, &mut rulings);
        alarms.look(&stage.halls);
    }
    let (mut over, mut still) = (0, Stopwatch::start());
    while over < boards * rounds && still.now().millis() < 600_000 {
        pause(1);
        alarms.look(&stage.halls);
        if stage.floor.over() > over {
            (over, still) = (stage.floor.over(), Stopwatch::start());
        }
    }
    println!(
        "played: {over} of {} games to their ends in {} s, {} results entered by the operator",
        boards * rounds,
        began.now().millis() / 1_000,
        stage.floor.entered.lock().unwrap()
    );
    println!("meanwhile the machine was busy for {:.0} % of all its cores' time", machine.busy());
    pause(10);
    wait("ruling that is answered", 60, || {
        again(&stage, &mut rulings);
        rulings.iter().all(|ruling| ruling.answered).then_some(())
    });
    wait("empty queue", 60, || (stage.floor.behind() == 0).then_some(()));
    pause(5);
    alarms.look(&stage.halls);
    let seen = watch.end();
    let (looks, double) = voices.count();
    let right = tell(&stage, &thrown, &rulings, &alarms, &seen) & told("looks at which both halls spoke", looks, double);
    stage.floor.quiet();
    stage.halls.all.iter_mut().for_each(|hall| drop(hall.take()));
    let mut floor = stage.floor;
    floor.end(!right);
    if right {
        all.iter().for_each(|(pi, _)| faults::no_disk(&floor.home.path().join(pi)));
    }
    Some(right)
}

/// An arbiter rules at a board of the seed's.
fn rule(stage: &mut Stage, rulings: &mut Vec<Ruling>) {
    let board = stage.rng.random_range(1..=stage.floor.plan.boards).to_string();
    let mut ruling = Ruling { key: format!("ruling-{}", rulings.len() + 1), board, answered: false };
    if let Some(hall) = stage.halls.all.iter().flatten().next() {
        ruling.answered = enter(hall, &ruling);
    }
    rulings.push(ruling);
}

/// What was not answered is entered again.
fn again(stage: &Stage, rulings: &mut [Ruling]) {
    let Some(hall) = stage.halls.all.iter().flatten().next() else { return };
    for ruling in rulings.iter_mut().filter(|ruling| !ruling.answered) {
        ruling.answered = enter(hall, ruling);
    }
}

fn told(what: &str, all: usize, wrong: usize) -> bool {
    println!("* {what}: {wrong} of {all}");
    wrong == 0
}

/// The table; whether nothing was lost.
fn tell(stage: &Stage, thrown: &[Thrown], rulings: &[Ruling], alarms: &Alarms, seen: &Seen) -> bool {
    let played: Vec<_> = (0..stage.floor.plan.boards).filter_map(|board| stage.floor.played(board)).collect();
    println!("\n| fault | times | well again, median | longest | slowest ply | plies while it lasted |\n|---|---|---|---|---|---|");
    for kind in Kind::ALL {
        let own: Vec<&Thrown> = thrown.iter().filter(|thrown| thrown.kind == kind).collect();
        if own.is_empty() {
            continue;
        }
        let mut took: Vec<f64> = own.iter().map(|thrown| (thrown.until - thrown.from) as f64 / 1e3).collect();
        let late: Vec<u64> = own.iter().flat_map(|thrown| late(&played, seen, thrown)).collect();
        let slowest = late.iter().max().map_or_else(|| String::from("–"), |late| format!("{:.1} s", *late as f64 / 1e3));
        println!(
            "| {} | {} | {:.1} s | {:.1} s | {slowest} | {} |",
            kind.words(),
            own.len(),
            quantile(&mut took, 0.5),
            took.last().copied().unwrap_or_default(),
            late.len()
        );
    }
    println!("\n| alarm | raised | cleared |\n|---|---|---|");
    for (key, raised) in &alarms.raised {
        println!("| `{key}` | {raised} | {} |", alarms.cleared.get(key).unwrap_or(&0));
    }
    let standing: Vec<String> = alarms.standing.iter().map(|(key, about)| format!("{key} {about}")).collect();
    println!("\nstanding at the end: {}\n", if standing.is_empty() { String::from("none") } else { standing.join(", ") });

    let (mut plies, mut kept, mut games, mut short, mut other) = (0, 0, 0, 0, 0);
    for (board, (_, truths)) in played.iter().enumerate() {
        for (game, truth) in truths.iter().enumerate() {
            let path = stage.floor.tree().join(format!("round-{}/game-{}.pgn", game + 1, board + 1));
            let (wanted, found) = (checks::sans(truth), checks::moves(&fs::read_to_string(&path).unwrap_or_default()));
            let same = wanted.iter().zip(&found.0).take_while(|(a, b)| a == b).count();
            (plies, kept, games) = (plies + wanted.len(), kept + same, games + 1);
            short += usize::from(found.0.len() < wanted.len());
            other += usize::from(same < wanted.len() || found.1 != truth.result.as_str());
            if same < wanted.len() || found.1 != truth.result.as_str() {
                println!(
                    "  NOT EQUAL board {}, game {}: {} of {} plies, then {:?} for {:?}, {} for {}",
                    board + 1,
                    game + 1,
                    same,
                    wanted.len(),
                    found.0.get(same),
                    wanted.get(same),
                    found.1,
                    truth.result.as_str()
                );
            }
        }
    }
    let stream = stage.floor.runtime.block_on(compare::sent(&context(&stage.floor, &stage.broker), &names()));
    let journals: Vec<String> =
        stage.floor.machines.iter().flat_map(|machine| [machine.name.clone(), faults::twin(&machine.name)]).collect();
    let journals: Vec<String> = journals.iter().map(|name| faults::texts(&stage.floor.home.path().join(name).join("journals"))).collect();
    let there = |ruling: &&Ruling| {
        let key = format!("\"order_key\":\"{}\"", ruling.key);
        stream.iter().any(|sent| sent.body.contains(&key)) || journals.iter().any(|text| text.contains(&key))
    };
    let found = rulings.iter().filter(there).count();
    println!("* plies played: {plies}; in the final PGNs: {kept}");
    let mut right = told("games whose PGN has fewer plies than were played", games, short);
    right &= told("games whose PGN is not what was played, with its result", games, other);
    right &= told("looks at which a hall showed fewer plies of a game than before", seen.looks, seen.shorter.len());
    seen.shorter.iter().take(8).for_each(|text| println!("  {text}"));
    let waited = thrown.iter().filter(|thrown| matches!(thrown.kind, Kind::Swapped | Kind::Clock)).count();
    right &= told("alarms of exchanged boards and lost clocks that did not come", waited, stage.missed);
    let about_faults = |key: &str| OF_FAULTS.contains(&key);
    let raised = alarms.raised.iter().filter(|(key, _)| about_faults(key)).map(|(_, times)| *times).sum();
    let left = alarms.standing.iter().filter(|(key, _)| about_faults(key)).count();
    right &= told("alarms of faults that are over, and that stand", raised, left);
    _ = told(
        "rulings whose board's machine has not journaled them",
        rulings.len(),
        rulings.iter().filter(|ruling| !ruling.answered).count(),
    );
    println!("* rulings in the stream, or in a journal that was not emptied: {found} of {}", rulings.len());
    right &=
        told("faults after which not all was well within two minutes", thrown.len(), thrown.iter().filter(|thrown| !thrown.well).count());
    right
}

/// How late the plies were in a hall that were pressed while a fault lasted, milliseconds.
fn late(played: &[(flagfall_events::Wall, Vec<flagfall_simulator::script::Truth>)], seen: &Seen, thrown: &Thrown) -> Vec<u64> {
    let mut all = Vec::new();
    for board in &thrown.boards {
        let Some((opened, truths)) = played.get(board.parse::<usize>().unwrap() - 1) else { continue };
        let Some(games) = seen.boards.get(board) else { continue };
        let opened = opened.since(flagfall_events::Wall::EPOCH);
        for (truth, game) in truths.iter().zip(games) {
            for (ply, shown) in truth.plies.iter().filter(|ply| ply.legal).zip(&game.plies) {
                let Some(pressed) = ply.press.map(|press| opened + press).filter(|at| (thrown.from..=thrown.until).contains(at)) else {
                    continue;
                };
                all.push(shown.saturating_sub(pressed));
            }
        }
    }
    all
}
