//! Faults of every kind, thrown by a seed while the boards play on.
use crate::floor::Floor;
use crate::halls::{Halls, pause, state, wait};
use crate::network::Cable;
use crate::server::Broker;
use crate::table::Daemon;
use flagfall_simulator::device::Device;
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::Command;

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Killed,
    Hung,
    Card,
    Replaced,
    Unplugged,
    Swapped,
    Network,
    Broker,
    Brokers,
    Hall,
    Power,
    Disk,
    Time,
    Feed,
    Clock,
}

impl Kind {
    pub(crate) const ALL: [Self; 15] = [
        Self::Killed,
        Self::Hung,
        Self::Card,
        Self::Replaced,
        Self::Unplugged,
        Self::Swapped,
        Self::Network,
        Self::Broker,
        Self::Brokers,
        Self::Hall,
        Self::Power,
        Self::Disk,
        Self::Time,
        Self::Feed,
        Self::Clock,
    ];

    /// What fails, in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Killed => "a Pi: killed (SIGKILL), started again",
            Self::Hung => "a Pi: stands still (SIGSTOP)",
            Self::Card => "a Pi: killed, its card emptied",
            Self::Replaced => "a Pi: killed for good, another one in its place, or back with its old journals",
            Self::Unplugged => "a board's cable out",
            Self::Swapped => "two cables of a Pi exchanged, and put right",
            Self::Network => "a Pi's network out, connections stay",
            Self::Broker => "one of three brokers killed",
            Self::Brokers => "all brokers killed",
            Self::Hall => "a hall killed",
            Self::Power => "power cut of everything",
            Self::Disk => "a Pi's disk full",
            Self::Time => "a Pi's time of day jumps by hours, and back",
            Self::Clock => "a clock's cable out or its battery dead",
            Self::Feed => "who gets the halls' alerts hangs",
        }
    }

    /// Whether every board is read meanwhile.
    const fn reads(self) -> bool {
        matches!(self, Self::Network | Self::Broker | Self::Brokers | Self::Hall | Self::Disk | Self::Time | Self::Feed | Self::Clock)
    }

    /// For how long, seconds. Few plies are played while nobody reads a board: more than six are found by nobody.
    const fn lasts(self) -> RangeInclusive<u64> {
        match self {
            Self::Killed | Self::Card | Self::Replaced | Self::Power => 1..=4,
            Self::Unplugged | Self::Hall | Self::Swapped => 3..=8,
            Self::Hung => 6..=10,
            Self::Network | Self::Broker | Self::Brokers | Self::Feed => 10..=20,
            Self::Disk | Self::Time | Self::Clock => 8..=12,
        }
    }
}

/// Everything that can fail.
pub(crate) struct Stage {
    pub(crate) broker: Broker,
    pub(crate) floor: Floor,
    pub(crate) halls: Halls,
    /// One from each machine to the brokers.
    pub(crate) cables: Vec<Cable>,
    pub(crate) rng: ChaCha8Rng,
    /// Machines have small disks of their own.
    pub(crate) disks: bool,
    /// Machines have a time of day of their own.
    pub(crate) times: bool,
    /// Alarms that should have come.
    pub(crate) missed: usize,
}

/// The other machine that may have the boards of this one.
pub(crate) fn twin(name: &str) -> String {
    name.strip_suffix('b').map_or_else(|| format!("{name}b"), String::from)
}

impl Stage {
    /// The kinds that can be tried here, each as often as it comes in `count` faults, in an order of the seed's.
    pub(crate) fn deck(&mut self, count: usize, read: bool) -> Vec<Kind> {
        let pairs = self.floor.machines.iter().all(|machine| machine.boards.len() > 1);
        let able = |kind: &Kind| (self.disks || *kind != Kind::Disk) && (self.times || *kind != Kind::Time);
        let here = |kind: &Kind| able(kind) && (pairs || *kind != Kind::Swapped) && (!read || kind.reads());
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(here).collect();
        let mut deck = Vec::new();
        while deck.len() < count {
            let mut round = kinds.clone();
            round.shuffle(&mut self.rng);
            deck.extend(round);
        }
        deck.truncate(count);
        deck
    }

    /// Throws one, at a machine of the seed's; `meanwhile` is done while it lasts. The boards that it concerns.
    pub(crate) fn throw(&mut self, kind: Kind, meanwhile: impl FnOnce(&mut Self)) -> Vec<String> {
        let machine = self.rng.random_range(0..self.floor.machines.len());
        let seconds = self.rng.random_range(kind.lasts());
        let boards = self.floor.machines[machine].boards.clone();
        let all = || self.floor.machines.iter().flat_map(|machine| machine.boards.clone()).collect::<Vec<_>>();
        let concerned = match kind {
            Kind::Killed | Kind::Hung | Kind::Card | Kind::Replaced | Kind::Network | Kind::Disk | Kind::Time => boards.clone(),
            Kind::Unplugged | Kind::Clock => vec![boards[self.rng.random_range(0..boards.len())].clone()],
            Kind::Swapped => boards[..2].to_vec(),
            Kind::Broker | Kind::Brokers | Kind::Hall | Kind::Power | Kind::Feed => all(),
        };
        match kind {
            Kind::Killed | Kind::Card | Kind::Replaced => {
                self.kill(machine);
                meanwhile(self);
                pause(seconds);
                match kind {
                    Kind::Card => empty(&self.floor.data(machine)),
                    Kind::Replaced => self.floor.machines[machine].name = twin(&self.floor.machines[machine].name),
                    _ => {}
                }
                self.start(machine);
            }
            Kind::Hung => {
                let id = self.floor.machines[machine].daemon.as_ref().map(Daemon::id);
                signal(id, "-STOP");
                meanwhile(self);
                pause(seconds);
                signal(id, "-CONT");
            }
            Kind::Unplugged => {
                self.floor.unplug(&concerned[0], true);
                meanwhile(self);
                pause(seconds);
                self.floor.unplug(&concerned[0], false);
            }
            Kind::Swapped => {
                let (one, two) = (&concerned[0], &concerned[1]);
                for (first, second) in [(two, one), (one, two)] {
                    [one, two].iter().for_each(|board| self.floor.unplug(board, true));
                    self.floor.plug(first, one);
                    self.floor.plug(second, two);
                    [one, two].iter().for_each(|board| self.floor.unplug(board, false));
                    if first == two {
                        let told = wait("alarm of exchanged boards", 30, || {
                            self.alarms(machine).iter().any(|key| key == "boards-exchanged").then_some(())
                        });
                        self.missed += usize::from(told.is_none());
                    }
                }
                meanwhile(self);
            }
            Kind::Network => {
                self.cables[machine].pull(true);
                meanwhile(self);
                pause(seconds);
                self.cables[machine].pull(false);
            }
            Kind::Broker => {
                let node = self.rng.random_range(0..3);
                self.broker.kill(node);
                meanwhile(self);
                pause(seconds);
                self.broker.spawn_again(node);
            }
            Kind::Brokers => {
                (0..3).for_each(|node| self.broker.kill(node));
                meanwhile(self);
                pause(seconds);
                (0..3).for_each(|node| self.broker.spawn_again(node));
            }
            Kind::Hall => {
                let hall = self.rng.random_range(0..2);
                self.halls.all[hall].take().into_iter().for_each(Daemon::kill);
                meanwhile(self);
                pause(seconds);
                self.halls.again(hall, &self.floor, &self.broker);
            }
            Kind::Power => {
                (0..self.floor.machines.len()).for_each(|machine| self.kill(machine));
                (0..3).for_each(|node| self.broker.kill(node));
                self.halls.all.iter_mut().for_each(|hall| hall.take().into_iter().for_each(Daemon::kill));
                pause(seconds);
                (0..3).for_each(|node| self.broker.spawn_again(node));
                (0..self.floor.machines.len()).for_each(|machine| self.start(machine));
                (0..2).for_each(|hall| self.halls.again(hall, &self.floor, &self.broker));
                meanwhile(self);
            }
            Kind::Time => {
                let hours = self.rng.random_range(1..=30) * if self.rng.random_bool(0.5) { 1 } else { -1 };
                self.floor.set_time(machine, hours * 3_600);
                meanwhile(self);
                pause(seconds);
                self.floor.set_time(machine, 0);
            }
            Kind::Clock => {
                self.floor.at_table(&concerned[0], Device::unplug_clock);
                let told = wait("alarm of a lost clock", 30, || self.alarms(machine).iter().any(|key| key == "clock-lost").then_some(()));
                self.missed += usize::from(told.is_none());
                meanwhile(self);
                pause(seconds);
                self.floor.at_table(&concerned[0], Device::plug_clock);
            }
            Kind::Feed => {
                let hang = |stage: &Self, hangs| stage.floor.receiver.iter().for_each(|receiver| receiver.hang(hangs));
                hang(self, true);
                meanwhile(self);
                pause(seconds);
                hang(self, false);
            }
            Kind::Disk => {
                let filler = self.floor.data(machine).join("filler");
                // It ends with the error that the disk is full.
                _ = fs::write(&filler, vec![0; 64 << 20]);
                meanwhile(self);
                pause(seconds);
                _ = fs::remove_file(&filler);
            }
        }
        concerned
    }

    /// The alarms that a machine's page shows.
    fn alarms(&self, machine: usize) -> Vec<String> {
        let daemon = self.floor.machines[machine].daemon.as_ref();
        let alarms = daemon.and_then(|daemon| daemon.get("/api/v1/operator/alarms")).unwrap_or_default();
        alarms.as_array().into_iter().flatten().filter_map(|alarm| alarm["key"].as_str().map(String::from)).collect()
    }

    fn kill(&mut self, machine: usize) {
        self.floor.machines[machine].daemon.take().into_iter().for_each(Daemon::kill);
    }

    pub(crate) fn start(&mut self, machine: usize) {
        self.floor.start(&self.broker, machine, Some(&self.cables[machine]));
    }

    /// Waits until both halls show these boards as there, and everything was sent; for at most so many seconds. Whether it is so.
    pub(crate) fn settle(&self, boards: &[String], seconds: u64, mut look: impl FnMut(&Self)) -> bool {
        let there = |hall: &Daemon| {
            let state = state(hall);
            let fresh = state["broker"] == true && state["behind"] == 0;
            fresh
                && boards.iter().all(|board| {
                    hall.get(&format!("/api/v1/boards/{board}")).is_some_and(|shown| shown["link"] == "up" && shown["pi"]["away"] != true)
                })
        };
        let sent = || self.floor.daemons().all(|daemon| daemon.nats()["connected"] == true) && self.floor.behind() < 20;
        wait("board that is shown again", seconds, || {
            look(self);
            (sent() && self.halls.all.iter().flatten().all(there)).then_some(())
        })
        .is_some()
    }
}

fn signal(id: Option<u32>, signal: &str) {
    if let Some(id) = id {
        assert!(Command::new("kill").args([signal, &id.to_string()]).status().unwrap().success());
    }
}

/// Removes everything in a folder, which may be a disk of its own.
fn empty(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}

/// What is written in all files of a folder.
pub(crate) fn texts(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all += &texts(&path);
        } else {
            all += &String::from_utf8_lossy(&fs::read(path).unwrap_or_default());
        }
    }
    all
}

/// A small disk in memory; where there is none, a folder.
pub(crate) fn disk(at: &Path) -> bool {
    fs::create_dir_all(at).unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=32m", "tmpfs"]).arg(at).output();
    mounted.is_ok_and(|output| output.status.success())
}

/// It is taken away.
pub(crate) fn no_disk(at: &Path) {
    _ = Command::new("umount").arg("-l").arg(at).output();
}
