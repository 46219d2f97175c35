//! A line with several boards on a pseudo-terminal, in real time: a host program opens it like the port of an RS-232 adapter.
//!
//! It must be spawned inside a tokio runtime.
use super::bus_line::{BusLine, LineFault};
use super::bus_side::BusManner;
use super::device::Device;
use super::games::PgnGame;
use super::pty::{NOBODY, read, writable};
use super::script::{Squares, Truth};
use super::stream::Options;
use super::terminal::Terminal;
use flagfall_events::Wall;
use flagfall_time::Stopwatch;
use std::collections::VecDeque;
use std::future;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A host that does not read gets no more than this.
const OUTBOX: usize = 1 << 16;

/// One board of a line.
#[derive(Clone, Debug)]
pub struct BusBoard {
    /// Its address, which is its serial number: 1 to 16383.
    pub address: u16,
    /// How it behaves on the line.
    pub manner: BusManner,
    /// The games, one after another.
    pub games: Vec<PgnGame>,
    /// After the last game comes the first one again.
    pub repeat: bool,
    /// How they are played.
    pub options: Options,
}

/// What is played on a line.
#[derive(Clone, Debug)]
pub struct BusProgramme {
    /// The boards, in the order of the cable.
    pub boards: Vec<BusBoard>,
    /// Everything random about the line comes from here.
    pub seed: u64,
    /// A symbolic link that leads to the port.
    pub link: Option<PathBuf>,
}

/// A running line.
#[derive(Debug)]
pub struct BusHandle {
    path: PathBuf,
    opened_at: Wall,
    games: Arc<Mutex<Vec<Vec<Truth>>>>,
    orders: mpsc::Sender<Option<LineFault>>,
    done: watch::Receiver<bool>,
    task: JoinHandle<()>,
}

/// Starts a line. Errors: no pseudo-terminal to be had, something that is no symbolic link at the link's path, or a board without a game.
pub fn spawn(play: BusProgramme, token: CancellationToken) -> io::Result<BusHandle> {
    let mut tables = Vec::new();
    for board in play.boards {
        let Some(first) = board.games.first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no game to play"));
        };
        let script = board.options.script(0, first, None);
        let config = BusLine::config(board.address, board.manner, board.options.config());
        tables.push((Table { next: 1, after: script.after(), revision: 0, board }, Device::new(config, script)));
    }
    let (tables, devices): (Vec<Table>, Vec<Device>) = tables.into_iter().unzip();
    let terminal = Terminal::open(play.link.as_deref())?;
    let path = play.link.clone().unwrap_or_else(|| terminal.path().to_owned());
    let stopwatch = Stopwatch::start();
    let games = Arc::new(Mutex::new(vec![Vec::new(); tables.len()]));
    let (orders, inbox) = mpsc::channel(4);
    let (tell_done, done) = watch::channel(false);
    let line = PtyLine {
        line: BusLine::new(play.seed, devices),
        tables,
        terminal,
        outbox: VecDeque::new(),
        stopwatch,
        games: games.clone(),
        tell_done,
        hung_up: false,
    };
    Ok(BusHandle { path, opened_at: stopwatch.opened_at(), games, orders, done, task: tokio::spawn(line.run(inbox, token)) })
}

impl BusHandle {
    /// Where the port is: the link, or the terminal itself where none was asked for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// When the line was spawned: millisecond 0 of what was played.
    pub const fn opened_at(&self) -> Wall {
        self.opened_at
    }

    /// What was really played so far on the board with this index, one entry a game.
    pub fn games(&self, board: usize) -> Vec<Truth> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).get(board).cloned().unwrap_or_default()
    }

    /// From now on this is wrong with the line, beside what is wrong already.
    pub async fn fail(&self, fault: LineFault) {
        // A line that has ended has no faults.
        let _ = self.orders.send(Some(fault)).await;
    }

    /// Nothing is wrong with the line any more.
    pub async fn mend(&self) {
        let _ = self.orders.send(None).await;
    }

    /// Waits until all games are over.
    pub async fn finished(&mut self) {
        // An error means that the task is gone, which is as finished as can be.
        let _ = self.done.wait_for(|done| *done).await;
    }

    /// Waits until the line has ended after its token was cancelled.
    pub async fn join(self) {
        let _ = self.task.await;
    }
}

/// What is played on one of the boards.
struct Table {
    board: BusBoard,
    /// Which game comes next.
    next: usize,
    /// What stands on the board after the last script.
    after: Squares,
    revision: u64,
}

struct PtyLine {
    line: BusLine,
    tables: Vec<Table>,
    terminal: Terminal,
    outbox: VecDeque<u8>,
    stopwatch: Stopwatch,
    games: Arc<Mutex<Vec<Vec<Truth>>>>,
    tell_done: watch::Sender<bool>,
    hung_up: bool,
}

impl PtyLine {
    async fn run(mut self, mut inbox: mpsc::Receiver<Option<LineFault>>, token: CancellationToken) {
        let mut looks = tokio::time::interval(NOBODY);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            self.step();
            let wake = self.line.deadline().map(|t| self.stopwatch.instant(t));
            let timer = async {
                match wake {
                    Some(at) => tokio::time::sleep_until(at.into()).await,
                    None => future::pending().await,
                }
            };
            let mut bytes = [0; 256];
            let writing = !self.outbox.is_empty() && !self.hung_up;
            tokio::select! {
                () = token.cancelled() => return,
                () = timer => {}
                Some(order) = inbox.recv() => match order {
                    Some(fault) => self.line.fail(self.stopwatch.now(), fault),
                    None => self.line.mend(self.stopwatch.now()),
                },
                read = read(Some(&self.terminal), self.hung_up.then_some(&mut looks), &mut bytes) => match read {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.host_is_back(),
                    Ok(0) | Err(_) => self.hang_up(),
                    Ok(n) => {
                        if self.hung_up {
                            self.host_is_back();
                        }
                        self.line.handle(self.stopwatch.now(), bytes.get(..n).unwrap_or(&[]));
                    }
                },
                () = writable(Some(&self.terminal)), if writing => self.write(),
            }
        }
    }

    /// Lets the boards live until now.
    fn step(&mut self) {
        self.line.advance(self.stopwatch.now());
        while let Some((_, bytes)) = self.line.poll() {
            // Nobody has the port open, or nobody reads: the bytes go nowhere.
            if !self.hung_up && self.outbox.len() < OUTBOX {
                self.outbox.extend(bytes);
            }
        }
        if !self.outbox.is_empty() {
            self.write();
        }
        for (index, table) in self.tables.iter_mut().enumerate() {
            let Some(device) = self.line.board_mut(index) else { continue };
            if device.is_done() {
                table.queue_next(device);
            }
            if table.revision != device.revision() {
                table.revision = device.revision();
                if let Some(games) = self.games.lock().unwrap_or_else(PoisonError::into_inner).get_mut(index) {
                    *games = device.games().to_vec();
                }
            }
        }
        let done = self.line.is_done();
        if done != *self.tell_done.borrow() {
            self.tell_done.send_replace(done);
        }
    }

    fn hang_up(&mut self) {
        if !self.hung_up {
            self.terminal.release();
        }
        self.hung_up = true;
        self.outbox.clear();
    }

    fn host_is_back(&mut self) {
        // Where that fails, the port stays hung up and is looked at again.
        self.hung_up = self.terminal.renew().is_err();
    }

    fn write(&mut self) {
        while !self.outbox.is_empty() {
            match self.terminal.write(self.outbox.make_contiguous()) {
                Ok(n) => drop(self.outbox.drain(..n)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => return self.hang_up(),
            }
        }
    }
}

impl Table {
    fn queue_next(&mut self, device: &mut Device) {
        let count = self.board.games.len();
        if self.next >= count && !self.board.repeat {
            return;
        }
        let script = self.board.options.script(self.next, &self.board.games[self.next % count], Some(self.after));
        self.after = script.after();
        self.next += 1;
        device.queue(script);
    }
}
