//! Daemon and hall killed (SIGKILL) at random moments, one or both, also while the other one starts: boards play on, and clients of both record everything.
use crate::checks::{self, Found};
use crate::floor::{self, Floor};
use crate::halls::{context, pause, state, wait};
use crate::kills::Plan;
use crate::kills::check::{Book, Whole};
use crate::kills::client::{self, Client};
use crate::reader::Reader;
use crate::server::Broker;
use crate::table::Daemon;
use crate::watch::Watch;
use flagfall::time::Stopwatch;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::sync::{Arc, Mutex};
use std::thread::{scope, sleep};
use std::time::Duration;

/// The hall's name.
const HALL: &str = "hall-a";
/// Players think so many times as fast.
const SPEED: f64 = 2.0;
/// One life of ten is so many times as long: some moves are seen as they are made.
const LONG: u64 = 8;
/// A game takes a minute or more.
const ROUNDS: usize = 40;
/// Somebody who starts has said where its pages are after so long, milliseconds.
const START: u64 = 150;

/// Who is killed, and when.
#[derive(Clone, Copy, Debug)]
enum Kill {
    Daemon,
    Hall,
    Both,
    /// The daemon was killed; the hall is, while that one starts.
    HallMeanwhile,
    DaemonMeanwhile,
}

impl Kill {
    /// The first three more often.
    const ALL: [Self; 10] = [
        Self::Daemon,
        Self::Daemon,
        Self::Daemon,
        Self::Hall,
        Self::Hall,
        Self::Hall,
        Self::Both,
        Self::Both,
        Self::HallMeanwhile,
        Self::DaemonMeanwhile,
    ];
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Of the daemon, of the hall; those of both at once are in both.
    pub(crate) kills: [usize; 2],
    /// One was killed while the other one started.
    pub(crate) meanwhile: usize,
    /// Events that clients of the daemon received, entries that it acknowledged, games that went on after a kill.
    pub(crate) received: usize,
    pub(crate) acknowledged: usize,
    pub(crate) continued: usize,
    /// Events in the journals and in the stream, and moves completed: all, found after the link came back.
    pub(crate) journaled: u64,
    pub(crate) messages: usize,
    pub(crate) moves: (usize, usize),
    /// Looks at the hall, events that its readers received, how often those came back.
    pub(crate) looks: usize,
    pub(crate) heard: usize,
    pub(crate) returned: usize,
    /// All in all, milliseconds.
    pub(crate) took: u64,
    /// Nothing was found that should not be.
    pub(crate) right: bool,
}

/// Everything that is killed, and who watches.
struct Pair {
    broker: Broker,
    floor: Floor,
    hall: Option<Daemon>,
    boards: usize,
    client: Option<Client>,
    book: Book,
    reader: Reader,
    addresses: Arc<Mutex<[String; 1]>>,
    outcome: Outcome,
}

/// Runs it; panics where the daemon lost or invented something, says what the hall did. `None`: there is no broker.
pub(crate) fn run(plan: Plan, mut progress: impl FnMut(usize)) -> Option<Outcome> {
    let hall_of = floor::Plan { boards: plan.boards, of_one: plan.boards, rounds: ROUNDS, speed: SPEED, fails: false };
    let machines = floor::names(&hall_of);
    let boards: Vec<&str> = machines[0].1.iter().map(String::as_str).collect();
    let broker = Broker::one(&[(&machines[0].0, &boards)])?;
    let mut floor = Floor::new(hall_of);
    floor.paired = false;
    let book = Book::new(&floor.data(0));
    let reader = Reader::begin(plan.seed);
    let addresses = Arc::new(Mutex::new([String::new()]));
    let mut pair =
        Pair { broker, floor, hall: None, boards: plan.boards, client: None, book, reader, addresses, outcome: Outcome::default() };
    pair.start_hall();
    pair.start_daemon();
    pair.floor.sit_down(0, SPEED);
    wait("board in the hall", 60, || pair.hall.as_ref()?.get("/api/v1/boards/1"));
    let watch = Watch::begin(pair.addresses.clone());
    let (stopwatch, mut random) = (Stopwatch::start(), ChaCha8Rng::seed_from_u64(plan.seed));
    loop {
        let killed: usize = pair.outcome.kills.iter().sum();
        progress(killed);
        if killed >= plan.kills {
            break;
        }
        let longest = if random.random_ratio(1, 10) { plan.lives * LONG } else { plan.lives };
        sleep(Duration::from_millis(random.random_range(0..longest)));
        let kind = *Kill::ALL.choose(&mut random).unwrap();
        pair.kill(kind, &mut random);
    }
    // The last life is as long as every link needs to come up.
    pause(4);
    pair.client.iter().for_each(Client::be_quiet);
    pair.floor.quiet();
    pause(1);
    let quiet = |daemon: &Daemon| daemon.nats()["connected"] == true && daemon.nats()["behind"] == 0;
    wait("empty queue", 60, || pair.floor.daemons().all(quiet).then_some(()));
    wait("hall that has everything", 60, || (state(pair.hall.as_ref()?)["behind"] == 0).then_some(()));
    let seen = watch.end();
    // A board may still say that its link is gone.
    let (mut found, hall) = (Found::default(), context(&pair.floor, &pair.broker));
    wait("stream that is as the journals", 20, || {
        found = Found::default();
        (pair.outcome.messages, _) = checks::stream(&pair.floor, &hall, &mut found);
        found.is_right().then_some(())
    });
    checks::shown(&pair.floor, &[pair.hall.as_ref().unwrap()], &mut found);
    let Pair { mut floor, hall, client, mut book, reader, mut outcome, .. } = pair;
    floor.machines[0].daemon.take().into_iter().for_each(Daemon::kill);
    hall.into_iter().for_each(Daemon::kill);
    hear(client, &mut book, &mut outcome);
    let heard = reader.end();
    let whole: Whole = book.close();
    (outcome.journaled, outcome.moves) = (whole.events, whole.moves);
    (outcome.looks, outcome.heard, outcome.returned) = (seen.looks, heard.events, heard.returned);
    outcome.took = stopwatch.now().millis();
    let mut right = found.tell();
    for (what, wrong) in
        [("looks at which the hall showed fewer plies than before", &seen.shorter), ("doubled for its readers", &heard.wrong)]
    {
        println!("* {what}: {}", wrong.len());
        wrong.iter().take(12).for_each(|text| println!("  {text}"));
        right &= wrong.is_empty();
    }
    outcome.right = right;
    floor.end(!right);
    Some(outcome)
}

/// What the clients of a daemon that was killed had is in the journals.
fn hear(client: Option<Client>, book: &mut Book, outcome: &mut Outcome) {
    let Some(client) = client else { return };
    let said = client.end();
    outcome.received += said.events.len() + said.public.len();
    outcome.acknowledged += said.acknowledged.len();
    book.holds(said);
}

fn kill_after(milliseconds: u64, one: Option<Daemon>) {
    sleep(Duration::from_millis(milliseconds));
    one.into_iter().for_each(Daemon::kill);
}

impl Pair {
    fn kill(&mut self, kill: Kill, random: &mut ChaCha8Rng) {
        match kill {
            Kill::Daemon => {
                self.kill_daemon();
                self.start_daemon();
            }
            Kill::Hall => {
                self.kill_hall();
                self.start_hall();
            }
            Kill::Both => {
                self.kill_daemon();
                self.kill_hall();
                if random.random_bool(0.5) {
                    self.start_daemon();
                    self.start_hall();
                } else {
                    self.start_hall();
                    self.start_daemon();
                }
            }
            Kill::HallMeanwhile => {
                self.kill_daemon();
                let (after, hall) = (random.random_range(0..START), self.hall.take());
                // Who starts something ends with it: that is the thread that stays.
                scope(|both| {
                    both.spawn(move || kill_after(after, hall));
                    self.floor.start(&self.broker, 0, None);
                });
                self.outcome.kills[1] += 1;
                self.outcome.meanwhile += 1;
                self.daemon_is_there();
                self.start_hall();
            }
            Kill::DaemonMeanwhile => {
                self.kill_hall();
                let (after, daemon) = (random.random_range(0..START), self.floor.machines[0].daemon.take());
                scope(|both| {
                    both.spawn(move || kill_after(after, daemon));
                    self.hall = Some(self.floor.hall(&self.broker, HALL));
                });
                hear(self.client.take(), &mut self.book, &mut self.outcome);
                self.outcome.kills[0] += 1;
                self.outcome.meanwhile += 1;
                self.hall_is_there();
                self.start_daemon();
            }
        }
    }

    fn kill_daemon(&mut self) {
        self.floor.machines[0].daemon.take().into_iter().for_each(Daemon::kill);
        self.outcome.kills[0] += 1;
        hear(self.client.take(), &mut self.book, &mut self.outcome);
    }

    fn kill_hall(&mut self) {
        self.hall.take().into_iter().for_each(Daemon::kill);
        self.outcome.kills[1] += 1;
    }

    fn start_daemon(&mut self) {
        self.floor.start(&self.broker, 0, None);
        self.daemon_is_there();
    }

    fn start_hall(&mut self) {
        self.hall = Some(self.floor.hall(&self.broker, HALL));
        self.hall_is_there();
    }

    /// Its boards are as its journals say; its clients come.
    fn daemon_is_there(&mut self) {
        let address = self.floor.daemons().next().unwrap().address().to_owned();
        self.outcome.continued += self.book.goes_on(&client::boards(&address, self.boards));
        self.client = Some(Client::connect(&address, self.boards, self.outcome.kills.iter().sum()));
    }

    fn hall_is_there(&self) {
        let address = self.hall.as_ref().unwrap().address().to_owned();
        self.reader.go_to(&address);
        self.addresses.lock().unwrap()[0] = address;
    }
}
