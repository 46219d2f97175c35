//! What a hall costs, a board and a ply: processor and memory from `/proc`, traffic from the brokers, bytes on disk.
use crate::faults::Stage;
use crate::measure::cost;
use crate::server::size;
use crate::table::Daemon;
use flagfall::time::Stopwatch;
use std::fs;

/// What everything costs over some time of play.
pub(crate) struct Usage {
    watch: Stopwatch,
    before: Spent,
}

/// So far.
struct Spent {
    /// Processor seconds of halls, brokers, daemons and the simulated boards.
    processor: [f64; 4],
    memory: [f64; 4],
    /// Bytes that brokers read from clients and from each other, and wrote.
    traffic: (u64, u64),
    /// Bytes on disk: the machines' journals, the brokers' streams.
    disk: [u64; 2],
    plies: usize,
}

impl Usage {
    pub(crate) fn begin(stage: &Stage) -> Self {
        Self { watch: Stopwatch::start(), before: Spent::of(stage) }
    }

    /// What it cost since, a board and a ply.
    pub(crate) fn tell(&self, stage: &Stage) {
        let (took, now, before) = (self.watch.now().millis() as f64 / 1e3, Spent::of(stage), &self.before);
        let boards = stage.floor.plan.boards as f64;
        let plies = (now.plies - before.plies).max(1) as f64;
        println!("{plies} plies of {boards} boards in {took:.0} s, nothing failed:\n");
        println!("| | a board | a ply |\n|---|---|---|");
        for (n, what) in ["two halls", "three brokers", "all daemons", "the simulated boards"].iter().enumerate() {
            let spent = now.processor[n] - before.processor[n];
            println!("| {what}: processor | {:.2} % of a core | {:.1} ms |", spent / took / boards * 100.0, spent / plies * 1e3);
            println!("| {what}: memory | {:.1} MB | |", now.memory[n] / boards);
        }
        let (read, written) = (now.traffic.0 - before.traffic.0, now.traffic.1 - before.traffic.1);
        for (what, bytes) in [("brokers read", read), ("brokers write", written)] {
            println!("| {what} | {:.2} KB/s | {:.1} KB |", bytes as f64 / 1024.0 / took / boards, bytes as f64 / 1024.0 / plies);
        }
        for (n, what) in ["journals", "streams, three servers"].iter().enumerate() {
            let bytes = now.disk[n].saturating_sub(before.disk[n]) as f64;
            println!("| {what} on disk | {:.2} KB/s | {:.1} KB |", bytes / 1024.0 / took / boards, bytes / 1024.0 / plies);
        }
        println!();
    }
}

impl Spent {
    fn of(stage: &Stage) -> Self {
        let ids: [Vec<u32>; 4] = [
            stage.halls.all.iter().flatten().map(Daemon::id).collect(),
            stage.broker.ids(),
            stage.floor.daemons().map(Daemon::id).collect(),
            vec![std::process::id()],
        ];
        let costs = ids.map(|ids| cost(&ids));
        let machines = 0..stage.floor.machines.len();
        Self {
            processor: costs.map(|cost| cost.0),
            memory: costs.map(|cost| cost.1),
            traffic: stage.broker.traffic(),
            disk: [machines.clone().map(|n| size(&stage.floor.data(n))).sum(), stage.broker.stored()],
            plies: machines.map(|n| stage.floor.plies(n)).sum(),
        }
    }
}

/// How busy the whole machine is.
pub(crate) struct Machine(u64, u64);

impl Machine {
    pub(crate) fn begin() -> Self {
        let text = fs::read_to_string("/proc/stat").unwrap_or_default();
        let times: Vec<u64> =
            text.lines().next().unwrap_or_default().split_whitespace().filter_map(|word| word.parse().ok()).take(8).collect();
        // The fourth is idle time, the fifth that in which a disk was waited for.
        let idle: u64 = times.iter().skip(3).take(2).sum();
        let all: u64 = times.iter().sum();
        Self(all - idle, all)
    }

    /// Since then, in hundredths of all its cores.
    pub(crate) fn busy(&self) -> f64 {
        let now = Self::begin();
        (now.0 - self.0) as f64 * 100.0 / (now.1 - self.1).max(1) as f64
    }
}
