//! The playing hall: simulated boards on ptys that play whole games, the daemons beside them, and an operator who enters what nobody read.
use crate::network::Cable;
use crate::receiver::Receiver;
use crate::server::Broker;
use crate::table::Daemon;
use flagfall::time::Stopwatch;
use flagfall_events::{GameResult, Mono};
use flagfall_simulator::device::Device;
use flagfall_simulator::games::{self, PgnGame};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme, PtyHandle};
use flagfall_simulator::script::Truth;
use flagfall_simulator::stream::Options;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// What sets a process's time of day.
const FAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

/// The operator waits so long for a result to be read, milliseconds.
const READ: u64 = 6_000;
/// So long a machine may show an earlier game, until a hall has told it which one is on, milliseconds.
const TOLD: u64 = 60_000;

/// What is played.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) boards: usize,
    /// Boards of one daemon.
    pub(crate) of_one: usize,
    /// Whole games a board.
    pub(crate) rounds: usize,
    /// Thinking is divided by it.
    pub(crate) speed: f64,
    /// Everything that may fail does.
    pub(crate) fails: bool,
}

/// A daemon and its boards.
pub(crate) struct Machine {
    pub(crate) name: String,
    pub(crate) boards: Vec<String>,
    pub(crate) daemon: Option<Daemon>,
}

/// A board, what is to be played there, and how far that is.
struct Seat {
    games: Vec<PgnGame>,
    board: Option<PtyHandle>,
    /// Games that are over, and their results known.
    over: usize,
    /// Since when its last game is.
    since: Option<u64>,
    /// Since when the machine shows an earlier game than the one whose result is looked for.
    behind: Option<u64>,
}

/// All of it.
pub(crate) struct Floor {
    pub(crate) home: tempfile::TempDir,
    pub(crate) runtime: Runtime,
    pub(crate) plan: Plan,
    pub(crate) machines: Vec<Machine>,
    seats: Arc<Mutex<Vec<Seat>>>,
    /// Of the daemons, as they are now.
    addresses: Arc<Mutex<Vec<String>>>,
    /// Results that the operator entered.
    pub(crate) entered: Arc<Mutex<usize>>,
    /// Halls have the list of who plays whom; the one that speaks gives it to the machines.
    pub(crate) paired: bool,
    /// To whom halls tell their alerts.
    pub(crate) receiver: Option<Receiver>,
    ended: CancellationToken,
}

/// Names of daemons and their boards.
pub(crate) fn names(plan: &Plan) -> Vec<(String, Vec<String>)> {
    let all: Vec<String> = (1..=plan.boards).map(|n| n.to_string()).collect();
    all.chunks(plan.of_one).enumerate().map(|(i, boards)| (format!("pi-{}", i + 1), boards.to_vec())).collect()
}

/// Games of so many plies: of the collection beside the project, else what the simulator brings.
fn games_of(plies: std::ops::RangeInclusive<usize>) -> Vec<PgnGame> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/games/otb-gnuchess-book.pgn");
    let all = fs::read(&place).ok().and_then(|text| games::read_games(&text).ok()).unwrap_or_default();
    let fits = |game: &PgnGame| plies.contains(&game.moves.len()) && game.start_fen().is_none() && game.result != GameResult::Open;
    let found: Vec<PgnGame> = all.into_iter().filter(fits).collect();
    if found.is_empty() {
        println!("skipped: {} is not there; the simulator's own games are played", place.display());
        return games::bundled();
    }
    found
}

impl Floor {
    /// Nothing runs yet. The boards of the daemon that is cut off for long play longer games.
    pub(crate) fn new(plan: Plan) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let machines: Vec<Machine> = names(&plan).into_iter().map(|(name, boards)| Machine { name, boards, daemon: None }).collect();
        let short = games_of(20..=28);
        let long = if plan.fails { games_of(180 / plan.rounds..=204 / plan.rounds) } else { Vec::new() };
        let last = plan.boards - machines.last().filter(|_| plan.fails).map_or(0, |machine| machine.boards.len());
        let seat = |n: usize| {
            let all = if n < last { &short } else { &long };
            let games = (0..plan.rounds).map(|round| all[(n * plan.rounds + round) % all.len()].clone()).collect();
            Seat { games, board: None, over: 0, since: None, behind: None }
        };
        Self {
            home: tempfile::tempdir().unwrap(),
            runtime,
            seats: Arc::new(Mutex::new((0..plan.boards).map(seat).collect())),
            addresses: Arc::new(Mutex::new(vec![String::new(); machines.len()])),
            machines,
            entered: Arc::default(),
            paired: true,
            receiver: None,
            plan,
            ended: CancellationToken::new(),
        }
    }

    fn link(&self, board: &str) -> PathBuf {
        self.home.path().join(format!("board-{board}"))
    }

    /// Where a machine finds the cable of a table.
    fn port(&self, board: &str) -> PathBuf {
        self.home.path().join(format!("port-{board}"))
    }

    /// This board is on the cable of that table.
    pub(crate) fn plug(&self, board: &str, table: &str) {
        _ = fs::remove_file(self.port(table));
        std::os::unix::fs::symlink(self.link(board), self.port(table)).unwrap();
    }

    /// The journals of a machine.
    pub(crate) fn data(&self, machine: usize) -> PathBuf {
        self.home.path().join(&self.machines[machine].name)
    }

    /// Who plays whom in every round.
    pub(crate) fn pairings(&self) -> PathBuf {
        let mut text = String::from("round,board,white,black\n");
        for round in 1..=self.plan.rounds {
            for board in 1..=self.plan.boards {
                text += &format!("{round},{board},\"White{round}, N{board}\",\"Black{round}, N{board}\"\n");
            }
        }
        let path = self.home.path().join("pairings.csv");
        fs::write(&path, text).unwrap();
        path
    }

    /// The players of a machine's boards sit down and begin.
    pub(crate) fn sit_down(&self, machine: usize, speed: f64) {
        let _inside = self.runtime.enter();
        for name in &self.machines[machine].boards {
            let n: usize = name.parse::<usize>().unwrap() - 1;
            let seat = &mut self.seats.lock().unwrap()[n];
            let options =
                Options { speed, show_result: true, serial: Some(30_001 + n as u16), ..Options::new(Kind::Human, 1_000 + n as u64) };
            self.plug(name, name);
            let play = Programme { games: seat.games.clone(), repeat: false, options, link: Some(self.link(name)) };
            seat.board = Some(pty::spawn(play, self.ended.clone()).unwrap());
        }
    }

    /// Starts a machine's daemon, or starts it again; over `cable` where it has one.
    pub(crate) fn start(&mut self, broker: &Broker, machine: usize, cable: Option<&Cable>) {
        let (home, data) = (self.home.path().to_owned(), self.data(machine));
        let Machine { name, boards, .. } = &self.machines[machine];
        let file = home.join(format!("{name}.toml"));
        let mut section = broker.section(name);
        for (own, end) in broker.servers().iter().zip(cable.iter().flat_map(|cable| &cable.ends)) {
            section = section.replace(own, &format!("nats://{end}"));
        }
        let mut text = format!(
            "play = \"standard\"\ntime_control = \"5400+30\"\n[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n{section}"
        );
        for board in boards {
            text += &format!("[[board]]\nname = \"{board}\"\nlink = \"serial:{}\"\n", self.port(board).display());
        }
        fs::write(&file, text).unwrap();
        let (library, time) = (OsStr::new(FAKETIME), self.time_of_day(machine));
        let environment = [
            ("LD_PRELOAD", library),
            ("FAKETIME_TIMESTAMP_FILE", time.as_os_str()),
            ("FAKETIME_NO_CACHE", OsStr::new("1")),
            ("FAKETIME_DONT_FAKE_MONOTONIC", OsStr::new("1")),
        ];
        let environment = if time.exists() { &environment[..] } else { &[] };
        let daemon = Daemon::start_in(&home, name, "run", &file, Some(&data), environment);
        self.addresses.lock().unwrap()[machine] = daemon.address().to_owned();
        self.machines[machine].daemon = Some(daemon);
    }

    /// By how much a machine's time of day is wrong, where it can be set.
    fn time_of_day(&self, machine: usize) -> PathBuf {
        self.home.path().join(format!("{}.time", self.machines[machine].name.trim_end_matches('b')))
    }

    /// Machines whose time of day can be set: it is right now. Whether they can.
    pub(crate) fn have_time(&self) -> bool {
        let able = Path::new(FAKETIME).exists();
        (0..self.machines.len()).filter(|_| able).for_each(|machine| self.set_time(machine, 0));
        able
    }

    /// A machine's time of day jumps to so many seconds beside the truth.
    pub(crate) fn set_time(&self, machine: usize, seconds: i64) {
        fs::write(self.time_of_day(machine), format!("{seconds:+}\n")).unwrap();
    }

    /// A hall; its tree is in a folder of its name.
    pub(crate) fn hall(&self, broker: &Broker, name: &str) -> Daemon {
        let home = self.home.path();
        let (file, tree) = (home.join(format!("{name}.toml")), home.join("tree"));
        let section = broker.section("hall").replace("name = \"hall\"", &format!("name = \"{name}\""));
        let pairings = if self.paired { format!("pairings = \"{}\"\n", self.pairings().display()) } else { String::new() };
        let text = format!(
            "[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[event]\nname = \"Open 2026\"\n{pairings}[tree]\nfolder = \"{}\"\n{section}",
            tree.display()
        );
        let alert = self.receiver.as_ref().map_or(String::new(), |receiver| format!("[[alert]]\nurl = \"{}\"\n", receiver.url()));
        fs::write(&file, text + &alert).unwrap();
        Daemon::start(home, name, "hall", &file, Some(&home.join(name)))
    }

    /// The folder that the hall which speaks writes.
    pub(crate) fn tree(&self) -> PathBuf {
        self.home.path().join("tree")
    }

    /// The daemons that run.
    pub(crate) fn daemons(&self) -> impl Iterator<Item = &Daemon> {
        self.machines.iter().filter_map(|machine| machine.daemon.as_ref())
    }

    /// Events that the stream has not acknowledged.
    pub(crate) fn behind(&self) -> u64 {
        self.daemons().map(|daemon| daemon.nats()["behind"].as_u64().unwrap_or(0)).sum()
    }

    /// What was really played on every board.
    pub(crate) fn truths(&self) -> Vec<Vec<Truth>> {
        self.seats.lock().unwrap().iter().map(|seat| seat.board.as_ref().map(PtyHandle::games).unwrap_or_default()).collect()
    }

    /// Plies that were pressed on a machine's boards.
    pub(crate) fn plies(&self, machine: usize) -> usize {
        let truths = self.truths();
        let of = |name: &String| truths[name.parse::<usize>().unwrap() - 1].iter().flat_map(|truth| &truth.plies);
        self.machines[machine].boards.iter().flat_map(of).filter(|ply| ply.press.is_some()).count()
    }

    /// Whether a machine's boards have played all their games.
    pub(crate) fn is_over(&self, machine: usize) -> bool {
        let seats = self.seats.lock().unwrap();
        self.machines[machine].boards.iter().all(|name| seats[name.parse::<usize>().unwrap() - 1].over == self.plan.rounds)
    }

    /// Whole games so far whose results are known.
    pub(crate) fn over(&self) -> usize {
        self.seats.lock().unwrap().iter().map(|seat| seat.over).sum()
    }

    /// The operator goes round until the boards end.
    pub(crate) fn operator(&self) {
        let (seats, addresses, entered) = (self.seats.clone(), self.addresses.clone(), self.entered.clone());
        let (rounds, of_one, ended) = (self.plan.rounds, self.plan.of_one, self.ended.clone());
        let handle = self.runtime.handle().clone();
        std::thread::spawn(move || {
            let watch = Stopwatch::start();
            while !ended.is_cancelled() {
                std::thread::sleep(Duration::from_secs(1));
                let count = seats.lock().unwrap().len();
                for n in 0..count {
                    let look = seats.lock().unwrap()[n].look(&handle, rounds, watch.now().millis());
                    let Some((game, truth, last)) = look else { continue };
                    let address = addresses.lock().unwrap()[n / of_one].clone();
                    let behind = seats.lock().unwrap()[n].behind.is_some_and(|since| watch.now().millis() > since + TOLD);
                    match settle(&address, n + 1, game, &truth, last, behind) {
                        Some(Settled::Behind) => _ = seats.lock().unwrap()[n].behind.get_or_insert_with(|| watch.now().millis()),
                        Some(Settled::Stands { by_hand }) => {
                            let mut seats = seats.lock().unwrap();
                            (seats[n].over, seats[n].behind) = (game, None);
                            drop(seats);
                            *entered.lock().unwrap() += usize::from(by_hand);
                        }
                        // The daemon is away, or reads it still.
                        None => continue,
                    }
                }
            }
        });
    }

    /// A board's cable is out (`true`), or in again.
    pub(crate) fn unplug(&self, board: &str, out: bool) {
        let seats = self.seats.lock().unwrap();
        let Some(handle) = &seats[board.parse::<usize>().unwrap() - 1].board else { return };
        self.runtime.block_on(async {
            if out {
                handle.unplug().await;
            } else {
                handle.replug().await.unwrap();
            }
        });
    }

    /// Something is done at a board's table.
    pub(crate) fn at_table(&self, board: &str, act: fn(&mut Device, Mono)) {
        let seats = self.seats.lock().unwrap();
        let Some(handle) = &seats[board.parse::<usize>().unwrap() - 1].board else { return };
        self.runtime.block_on(handle.at_table(act)).unwrap();
    }

    /// When a board was spawned, and what was played there since.
    pub(crate) fn played(&self, board: usize) -> Option<(flagfall_events::Wall, Vec<Truth>)> {
        let seats = self.seats.lock().unwrap();
        let handle = seats[board].board.as_ref()?;
        Some((handle.opened_at(), handle.games()))
    }

    /// The boards fall silent.
    pub(crate) fn quiet(&self) {
        self.ended.cancel();
    }

    /// The daemons end, too.
    /// With `keep` its folder stays, for whoever looks for what went wrong.
    pub(crate) fn end(&mut self, keep: bool) {
        if keep {
            self.home.disable_cleanup(true);
            println!("kept: {}", self.home.path().display());
        }
        self.ended.cancel();
        self.machines.iter_mut().for_each(|machine| machine.daemon = None);
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.end(true);
        }
    }
}

impl Seat {
    /// A game that is over and was not looked at: its number, what was played, whether it is the last one and was over long enough ago to be read.
    fn look(&mut self, handle: &tokio::runtime::Handle, rounds: usize, now: u64) -> Option<(usize, Truth, bool)> {
        let board = self.board.as_mut()?;
        let truths = board.games();
        let mut whole = truths.len().saturating_sub(1);
        if truths.len() == rounds && self.over + 1 == rounds {
            let done = handle.block_on(async { tokio::time::timeout(Duration::from_millis(1), board.finished()).await.is_ok() });
            if done && now.saturating_sub(*self.since.get_or_insert(now)) > READ {
                whole = rounds;
            }
        }
        if whole <= self.over {
            return None;
        }
        let game = self.over + 1;
        Some((game, truths.get(game - 1)?.clone(), game == rounds))
    }
}

/// What an arbiter sees of a board, as text.
fn seen_by_arbiters(address: &str, board: usize) -> Option<String> {
    let request = ureq::get(format!("http://{address}/api/v1/arbiter/boards/{board}")).header("cookie", crate::signed_in::cookie(address));
    request.call().ok()?.body_mut().read_to_string().ok()
}

/// How a result stands.
enum Settled {
    /// The machine does not know yet which game is on.
    Behind,
    /// It stands; `by_hand`: it had to be entered.
    Stands { by_hand: bool },
}

/// Sees to it that a game's result stands. `None`: look again. `behind`: the machine has shown an earlier game for long.
fn settle(address: &str, board: usize, game: usize, truth: &Truth, last: bool, behind: bool) -> Option<Settled> {
    let seen: Value = ureq::get(format!("http://{address}/api/v1/boards/{board}")).call().ok()?.body_mut().read_json().ok()?;
    if seen["link"] != "up" {
        return None;
    }
    if seen["game"]["number"].as_u64().is_none_or(|number| number < game as u64) && !behind {
        return Some(Settled::Behind);
    }
    if seen["game"]["result"] != "*" {
        return Some(Settled::Stands { by_hand: false });
    }
    let shown: Vec<&str> = seen["moves"].as_array().into_iter().flatten().filter_map(|ply| ply["uci"].as_str()).collect();
    let same = truth.uci().iter().zip(&shown).take_while(|(played, shown)| *played == *shown).count();
    // The next one has begun: this one is as it is. Who enters a result sees whose moves he has before him.
    let next = shown.is_empty() || !last && (2 * same < shown.len() || shown.len() < 8 && truth.uci().len() > 12);
    // As the page does, it names the game: another one may begin before it is taken.
    let number = &seen["game"]["number"];
    let mut entry = json!({"do": "result", "result": truth.result.as_str(), "game": number, "note": format!("game {game}")});
    if next {
        // Only where nobody showed it: the alarm names such games.
        let missing = seen_by_arbiters(address, board).is_some_and(|seen| seen.contains("result-missing"));
        if !missing {
            return Some(Settled::Stands { by_hand: false });
        }
        entry["game"] = json!(game);
    }
    let answer = ureq::post(format!("http://{address}/api/v1/arbiter/boards/{board}/entries"))
        .content_type("application/json")
        .header("cookie", crate::signed_in::cookie(address));
    answer.send(entry.to_string()).ok().map(|_| Settled::Stands { by_hand: true })
}
