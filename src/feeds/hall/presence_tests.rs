//! What halls show of who is there, beside a world in which Pis, halls, brokers and cables come and go at random.
//! `FLAGFALL_SCHEDULES=200 cargo test -p flagfall-feeds random_schedule` plays more of it.
use super::*;
use crate::nats::wire::{BoardPresence, Journals};
use flagfall_events::Wall;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Milliseconds of one step.
const STEP: u64 = 500;
const PIS: usize = 3;
const BOARDS: usize = 5;
const HALLS: usize = 2;
/// What halls show is right after so long without a change, milliseconds.
const QUIET: u64 = 10_000;

fn presence(pi: &str, boards: &[(&str, LinkState)]) -> Presence {
    let of = |(board, link): &(&str, LinkState)| {
        let (board, epoch) = (String::from(*board), String::new());
        BoardPresence {
            board,
            epoch,
            seq: 0,
            link: *link,
            serial: None,
            sent_seq: 0,
            checkpoint: None,
            way: None,
            trouble: None,
            exchanged: None,
        }
    };
    Presence {
        pi: String::from(pi),
        version: String::new(),
        started_at: Wall::EPOCH,
        at: Wall::EPOCH,
        boards: boards.iter().map(of).collect(),
        journal: Journals::Ok,
        behind: 0,
        key: None,
        temperature_c: None,
    }
}

fn stand(pi: &str, away: bool) -> Option<Stand> {
    Some(Stand { pi: pi.into(), away })
}

#[test]
fn what_a_pi_said_of_a_board_is_over_when_it_names_it_otherwise() {
    let mut known = Known::default();
    known.hear("a", &presence("a", &[("1", LinkState::Up)]), 0);
    let mut twin = presence("b", &[("1", LinkState::Up)]);
    twin.boards[0].trouble = Some(String::from("another machine has it"));
    assert_eq!(known.hear("b", &twin, 1_000).troubles, [("1".into(), Some(String::from("another machine has it")))]);
    assert_eq!(known.hear("b", &presence("b", &[("2", LinkState::Up)]), 2_000).troubles, [("1".into(), None)]);
    assert_eq!(known.hear("b", &presence("b", &[("2", LinkState::Up)]), 3_000).troubles, []);
}

#[test]
fn a_pi_that_returned_without_its_boards_has_them_as_soon_as_it_finds_them() {
    let mut known = Known::default();
    known.hear("a", &presence("a", &[("1", LinkState::Up)]), 0);
    assert_eq!(known.fell_silent(AWAY + 1).len(), 1);
    assert_eq!(known.stand("1"), stand("a", true));
    let heard = known.hear("a", &presence("a", &[]), 30_000);
    assert_eq!((heard.returned, known.stand("1")), (true, stand("a", true)), "its cable may be out");
    assert_eq!(known.silent_for("1", 31_000), 31_000, "since the board was last there");
    let heard = known.hear("a", &presence("a", &[("1", LinkState::Up)]), 33_000);
    assert_eq!((heard, known.stand("1")), (Heard::default(), stand("a", false)));
    assert_eq!(known.to_show(), [Arc::from("1")]);
}

#[test]
fn a_board_that_two_pis_name_is_where_it_answers_and_flips_nowhere() {
    let mut known = Known::default();
    known.hear("a", &presence("a", &[("1", LinkState::Up)]), 0);
    for turn in 1..5 {
        known.hear("b", &presence("b", &[("1", LinkState::Up)]), turn);
        known.hear("a", &presence("a", &[("1", LinkState::Up)]), turn);
        assert_eq!(known.stand("1"), stand("a", false));
    }
    known.hear("a", &presence("a", &[("1", LinkState::Down)]), 9);
    known.hear("b", &presence("b", &[("1", LinkState::Up)]), 10);
    assert_eq!(known.stand("1"), stand("b", false));
}

struct Machine {
    name: String,
    runs: bool,
    reachable: bool,
    /// When it finds a server again.
    connects: u64,
    /// When it speaks next.
    speaks: u64,
    /// The boards it has.
    has: BTreeMap<usize, LinkState>,
    /// When it finds those that are plugged in.
    finds: BTreeMap<usize, u64>,
    /// What its boards said that no broker has yet.
    outbox: Vec<(usize, LinkState)>,
}

struct Hall {
    known: Known,
    reachable: bool,
    position: usize,
    shown: BTreeMap<Arc<str>, Stand>,
}

struct World {
    rng: ChaCha8Rng,
    now: u64,
    broker: bool,
    /// The Pi that each board is plugged into.
    cables: [Option<usize>; BOARDS],
    pis: Vec<Machine>,
    halls: Vec<Hall>,
    stream: Vec<(usize, usize, LinkState)>,
    /// When something last changed.
    changed: u64,
}

impl Hall {
    fn new(stream: &[(usize, usize, LinkState)]) -> Self {
        let mut known = Known::default();
        for (board, pi, _) in stream {
            known.boards.entry(name(*board)).or_default().pi = token(*pi);
        }
        Self { known, reachable: true, position: stream.len(), shown: BTreeMap::new() }
    }
}

fn name(board: usize) -> Arc<str> {
    format!("{}", board + 1).into()
}

fn token(pi: usize) -> Arc<str> {
    format!("pi-{pi}").into()
}

impl World {
    fn new(seed: u64) -> Self {
        let machine = |pi| Machine {
            name: String::from(&*token(pi)),
            runs: false,
            reachable: true,
            connects: 0,
            speaks: 0,
            has: BTreeMap::new(),
            finds: BTreeMap::new(),
            outbox: Vec::new(),
        };
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            now: 0,
            broker: true,
            cables: [None; BOARDS],
            pis: (0..PIS).map(machine).collect(),
            halls: (0..HALLS).map(|_| Hall::new(&[])).collect(),
            stream: Vec::new(),
            changed: 0,
        }
    }

    /// Something happens.
    fn change(&mut self) {
        self.changed = self.now;
        let (pi, hall, board) = (self.rng.random_range(0..PIS), self.rng.random_range(0..HALLS), self.rng.random_range(0..BOARDS));
        match self.rng.random_range(0..8) {
            0 | 1 => {
                let starts = !self.pis[pi].runs;
                let pi = &mut self.pis[pi];
                // What it had found it has to find again.
                (pi.runs, pi.has, pi.finds) = (starts, BTreeMap::new(), BTreeMap::new());
            }
            2 => self.pis[pi].reachable ^= true,
            3 => self.halls[hall].reachable ^= true,
            4 => self.halls[hall] = Hall::new(&self.stream),
            5 => self.broker ^= true,
            _ => self.cables[board] = self.rng.random_bool(0.8).then_some(pi),
        }
    }

    fn hears(&self, pi: usize) -> bool {
        self.broker && self.pis[pi].runs && self.pis[pi].reachable
    }

    fn step(&mut self) {
        self.now += STEP;
        for pi in 0..PIS {
            self.turn(pi);
        }
        let (now, broker) = (self.now, self.broker);
        for hall in &mut self.halls {
            if broker && hall.reachable {
                for (board, pi, link) in &self.stream[hall.position..] {
                    hall.known.spoke(&name(*board), &token(*pi), Some(*link));
                }
                hall.position = self.stream.len();
            }
            hall.known.fell_silent(now);
            for board in hall.known.to_show() {
                let stand = hall.known.stand(&board);
                hall.known.boards.get_mut(&board).unwrap().shown.clone_from(&stand);
                hall.shown.insert(board, stand.unwrap());
            }
        }
    }

    fn turn(&mut self, pi: usize) {
        let (hears, now) = (self.hears(pi), self.now);
        let machine = &mut self.pis[pi];
        if machine.runs {
            for (board, cable) in self.cables.iter().enumerate() {
                let plugged = *cable == Some(pi);
                if !plugged {
                    machine.finds.remove(&board);
                    if machine.has.get(&board) == Some(&LinkState::Up) {
                        machine.has.insert(board, LinkState::Down);
                        machine.outbox.push((board, LinkState::Down));
                    }
                } else if machine.has.get(&board) != Some(&LinkState::Up) {
                    let takes = self.rng.random_range(0..5_000);
                    if now >= *machine.finds.entry(board).or_insert(now + takes) {
                        machine.has.insert(board, LinkState::Up);
                        machine.outbox.push((board, LinkState::Up));
                        self.changed = now;
                    }
                }
            }
        }
        if !hears {
            machine.connects = now + self.rng.random_range(0..5_000);
            machine.speaks = machine.connects;
            return;
        }
        if now < machine.connects {
            return;
        }
        self.stream.extend(machine.outbox.drain(..).map(|(board, link)| (board, pi, link)));
        if now >= machine.speaks {
            machine.speaks = now + wire::PRESENCE_EVERY_S * 1_000;
            let names: Vec<(Arc<str>, LinkState)> = machine.has.iter().map(|(board, link)| (name(*board), *link)).collect();
            let has: Vec<(&str, LinkState)> = names.iter().map(|(board, link)| (&**board, *link)).collect();
            let said = presence(&machine.name, &has);
            for hall in self.halls.iter_mut().filter(|hall| hall.reachable) {
                hall.known.hear(&token(pi), &said, now);
            }
        }
    }

    /// What is wrong with what a hall shows.
    fn wrong(&self, hall: &Hall) -> Option<String> {
        for board in 0..BOARDS {
            let shown = hall.shown.get(&name(board));
            let there: Vec<usize> =
                (0..PIS).filter(|pi| hall.reachable && self.hears(*pi) && self.pis[*pi].has.contains_key(&board)).collect();
            let answers: Vec<usize> = there.iter().copied().filter(|pi| self.pis[*pi].has[&board] == LinkState::Up).collect();
            let at = if answers.is_empty() { &there } else { &answers };
            let right = match shown {
                Some(stand) => stand.away == at.is_empty() && (stand.away || at.iter().any(|pi| stand.pi == token(*pi))),
                None => at.is_empty(),
            };
            if !right {
                return Some(format!("board {}: it is at {at:?}, shown {shown:?}", board + 1));
            }
        }
        None
    }
}

#[test]
fn after_ten_quiet_seconds_of_a_random_schedule_every_hall_shows_the_truth() {
    let schedules = std::env::var("FLAGFALL_SCHEDULES").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let mut compared = 0;
    for seed in 0..schedules {
        let mut world = World::new(seed);
        for _ in 0..40 {
            for _ in 0..world.rng.random_range(1..4) {
                world.change();
            }
            // Sometimes nothing is quiet before the next thing happens.
            let patient = world.rng.random_bool(0.5);
            for _ in 0..world.rng.random_range(1..30) {
                world.step();
            }
            while patient && world.now < world.changed + QUIET {
                world.step();
            }
            if world.now >= world.changed + QUIET {
                for (n, hall) in world.halls.iter().enumerate() {
                    compared += 1;
                    assert_eq!(world.wrong(hall), None, "schedule {seed}, {} s, hall {n}", world.now / 1_000);
                }
            }
        }
    }
    assert!(compared >= schedules * 20, "{compared} comparisons of {schedules} schedules");
    println!("{schedules} schedules, {compared} comparisons");
}
