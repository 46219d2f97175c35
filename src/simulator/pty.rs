//! A simulated board on a pseudo-terminal, in real time: any host program opens it like a serial port.
//!
//! Its life is the board's: it survives a host that closes and opens again; [`PtyHandle::unplug`] takes the port away while the players go on,
//! [`PtyHandle::replug`] brings it back as another one under the same link. It must be spawned inside a tokio runtime.
use super::device::{Device, DeviceOutput};
use super::games::PgnGame;
use super::script::{Squares, Truth};
use super::stream::Options;
use super::terminal::Terminal;
use flagfall_events::{Mono, Wall};
use flagfall_time::Stopwatch;
use std::collections::VecDeque;
use std::future;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::Interval;
use tokio_util::sync::CancellationToken;

/// How often a port that nobody has open is looked at.
pub(super) const NOBODY: Duration = Duration::from_millis(20);
/// A host that does not read gets no more than this.
const OUTBOX: usize = 1 << 20;

/// What is played where.
#[derive(Clone, Debug)]
pub struct Programme {
    /// The games, one after another; the pieces are set up again between them.
    pub games: Vec<PgnGame>,
    /// After the last game comes the first one again.
    pub repeat: bool,
    /// How they are played; each game has its own seed, counted up from the one given.
    pub options: Options,
    /// A symbolic link that always leads to the port, whichever it is at the moment.
    pub link: Option<PathBuf>,
}

/// A running board.
#[derive(Debug)]
pub struct PtyHandle {
    path: PathBuf,
    opened_at: Wall,
    shared: Arc<Mutex<Shared>>,
    orders: mpsc::Sender<Order>,
    done: watch::Receiver<bool>,
    task: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Shared {
    games: Vec<Truth>,
    complaint: Option<String>,
}

/// What somebody does at the table.
type AtTable = Box<dyn FnOnce(&mut Device, Mono) + Send>;

enum Order {
    Unplug(oneshot::Sender<()>),
    Replug(oneshot::Sender<io::Result<()>>),
    At(AtTable),
}

/// Starts a board. Errors: no pseudo-terminal to be had, or something that is no symbolic link stands at the link's path.
pub fn spawn(play: Programme, token: CancellationToken) -> io::Result<PtyHandle> {
    let Some(first) = play.games.first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no game to play"));
    };
    let terminal = Terminal::open(play.link.as_deref())?;
    let path = play.link.clone().unwrap_or_else(|| terminal.path().to_owned());
    let script = play.options.script(0, first, None);
    let after = script.after();
    let shared = Arc::new(Mutex::new(Shared::default()));
    let (orders, inbox) = mpsc::channel(4);
    let (tell_done, done) = watch::channel(false);
    let stopwatch = Stopwatch::start();
    let opened_at = stopwatch.opened_at();
    let board = PtyBoard {
        device: Device::new(play.options.config(), script),
        terminal: Some(terminal),
        outbox: VecDeque::new(),
        stopwatch,
        shared: shared.clone(),
        tell_done,
        told: 0,
        next: 1,
        after,
        hung_up: false,
        checked: false,
        play,
    };
    let task = tokio::spawn(board.run(inbox, token));
    Ok(PtyHandle { path, opened_at, shared, orders, done, task })
}

impl PtyHandle {
    /// Where the port is: the link, or the terminal itself where none was asked for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was really played so far, one entry a game; times are milliseconds since the board was spawned.
    pub fn games(&self) -> Vec<Truth> {
        lock(&self.shared).games.clone()
    }

    /// The same of the games from this index on.
    pub fn games_from(&self, index: usize) -> Vec<Truth> {
        lock(&self.shared).games.get(index..).unwrap_or_default().to_vec()
    }

    /// When the board was spawned: millisecond 0 of what was played.
    pub const fn opened_at(&self) -> Wall {
        self.opened_at
    }

    /// What is wrong with the way the host opened the port, if anything: it should be 9600 8N1 and raw.
    pub fn complaint(&self) -> Option<String> {
        lock(&self.shared).complaint.clone()
    }

    /// Waits until all games are over and the host has read everything.
    pub async fn finished(&mut self) {
        // An error means that the task is gone, which is as finished as can be.
        let _ = self.done.wait_for(|done| *done).await;
    }

    /// Pulls the cable: the port is gone, what was under way is lost, the players go on.
    pub async fn unplug(&self) {
        let (told, done) = oneshot::channel();
        if self.orders.send(Order::Unplug(told)).await.is_ok() {
            let _ = done.await;
        }
    }

    /// Plugs it in again, as a new port under the same link; the board has lost its mode.
    pub async fn replug(&self) -> io::Result<()> {
        let (told, done) = oneshot::channel();
        let gone = || io::Error::other("the simulated board has ended");
        self.orders.send(Order::Replug(told)).await.map_err(|_| gone())?;
        done.await.map_err(|_| gone())?
    }

    /// Somebody does or reads something at the table. `None`: the simulated board has ended.
    pub async fn at_table<T: Send + 'static>(&self, act: impl FnOnce(&mut Device, Mono) -> T + Send + 'static) -> Option<T> {
        let (told, done) = oneshot::channel();
        let order = Order::At(Box::new(move |device, now| _ = told.send(act(device, now))));
        self.orders.send(order).await.ok()?;
        done.await.ok()
    }

    /// Waits until the board has ended after its token was cancelled: the queue is read, the link is gone.
    pub async fn join(self) {
        let _ = self.task.await;
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

struct PtyBoard {
    play: Programme,
    device: Device,
    terminal: Option<Terminal>,
    outbox: VecDeque<u8>,
    stopwatch: Stopwatch,
    shared: Arc<Mutex<Shared>>,
    tell_done: watch::Sender<bool>,
    /// The revision of the truth that was last shared.
    told: u64,
    /// Which game comes next.
    next: usize,
    /// What stands on the board after the last script.
    after: Squares,
    hung_up: bool,
    checked: bool,
}

impl PtyBoard {
    async fn run(mut self, mut inbox: mpsc::Receiver<Order>, token: CancellationToken) {
        // Kept over the rounds: the scanner's deadlines come oftener, and a look that begins anew each time would never happen.
        let mut looks = tokio::time::interval(NOBODY);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            self.step();
            let wake = self.device.deadline().map(|t| self.stopwatch.instant(t));
            let timer = async {
                match wake {
                    Some(at) => tokio::time::sleep_until(at.into()).await,
                    None => future::pending().await,
                }
            };
            let mut bytes = [0; 256];
            let writing = !self.outbox.is_empty() && !self.hung_up;
            tokio::select! {
                () = token.cancelled() => break,
                () = timer => {}
                Some(order) = inbox.recv() => self.order(order),
                read = read(self.terminal.as_ref(), self.hung_up.then_some(&mut looks), &mut bytes) => match read {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.host_is_back(),
                    Ok(0) | Err(_) => self.hang_up(),
                    Ok(n) => {
                        if self.hung_up {
                            self.host_is_back();
                        }
                        self.check();
                        self.device.handle(self.stopwatch.now(), bytes.get(..n).unwrap_or(&[]));
                    }
                },
                () = writable(self.terminal.as_ref()), if writing => self.write(),
            }
        }
        self.write();
        if let Some(terminal) = &self.terminal {
            terminal.drain(Duration::from_secs(1)).await;
        }
    }

    /// Lets the device live until now.
    fn step(&mut self) {
        self.device.advance(self.stopwatch.now());
        while let Some((t, output)) = self.device.poll() {
            match output {
                // Nobody has the port open: the bytes go nowhere.
                DeviceOutput::Bytes(_) if self.hung_up || self.outbox.len() > OUTBOX => {}
                DeviceOutput::Bytes(bytes) => self.outbox.extend(bytes),
                DeviceOutput::Unplugged => self.close(),
                DeviceOutput::Plugged => {
                    // A failed replug leaves the board unplugged; an order can try again.
                    let _ = self.open(t);
                }
            }
        }
        if !self.outbox.is_empty() {
            self.write();
        }
        if self.device.is_done() {
            self.next_game();
        }
        if self.told != self.device.revision() {
            self.told = self.device.revision();
            lock(&self.shared).games = self.device.games().to_vec();
        }
        let done = self.device.is_done() && self.device.is_quiet() && self.outbox.is_empty();
        if done != *self.tell_done.borrow() && (!done || self.terminal.as_ref().is_none_or(Terminal::is_empty)) {
            self.tell_done.send_replace(done);
        }
    }

    fn next_game(&mut self) {
        let count = self.play.games.len();
        if self.next >= count && !self.play.repeat {
            return;
        }
        let script = self.play.options.script(self.next, &self.play.games[self.next % count], Some(self.after));
        self.after = script.after();
        self.next += 1;
        self.device.queue(script);
    }

    fn order(&mut self, order: Order) {
        let now = self.stopwatch.now();
        match order {
            Order::Unplug(told) => {
                self.device.unplug(now);
                self.step();
                let _ = told.send(());
            }
            Order::At(act) => {
                act(&mut self.device, now);
                self.step();
            }
            Order::Replug(told) => {
                self.device.replug(now);
                self.step();
                let plugged = if self.terminal.is_some() { Ok(()) } else { self.open(now) };
                let _ = told.send(plugged);
            }
        }
    }

    fn close(&mut self) {
        self.terminal = None;
        self.outbox.clear();
    }

    fn open(&mut self, _t: Mono) -> io::Result<()> {
        self.terminal = Some(Terminal::open(self.play.link.as_deref())?);
        (self.hung_up, self.checked) = (false, false);
        Ok(())
    }

    fn hang_up(&mut self) {
        if !self.hung_up {
            self.terminal.iter().for_each(Terminal::release);
        }
        self.hung_up = true;
    }

    fn host_is_back(&mut self) {
        // Where that fails, the port stays hung up and is looked at again.
        self.hung_up = self.terminal.as_mut().is_none_or(|terminal| terminal.renew().is_err());
    }

    /// Looks once at how the host set the port up.
    fn check(&mut self) {
        if let Some(terminal) = self.terminal.as_ref().filter(|_| !self.checked) {
            self.checked = true;
            lock(&self.shared).complaint = terminal.complaint();
        }
    }

    fn write(&mut self) {
        let Some(terminal) = &self.terminal else { return self.outbox.clear() };
        while !self.outbox.is_empty() {
            match terminal.write(self.outbox.make_contiguous()) {
                Ok(n) => drop(self.outbox.drain(..n)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => {
                    self.outbox.clear();
                    return self.hang_up();
                }
            }
        }
    }
}

/// Reads from the host; waits for ever while the cable is out, and looks again now and then while nobody has the port open.
pub(super) async fn read(terminal: Option<&Terminal>, looks: Option<&mut Interval>, bytes: &mut [u8]) -> io::Result<usize> {
    let Some(terminal) = terminal else { return future::pending().await };
    if let Some(looks) = looks {
        looks.tick().await;
        return terminal.look(bytes);
    }
    terminal.read(bytes).await
}

pub(super) async fn writable(terminal: Option<&Terminal>) {
    match terminal {
        Some(terminal) => terminal.writable().await,
        None => future::pending().await,
    }
}
