//! A simulated Pegasus on the air: its radio's state as BlueZ sees it, and everything that may go wrong with that.
use flagfall::time::Stopwatch;
use flagfall_simulator::games::read_games;
use flagfall_simulator::hands::Hands;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pegasus::{Pegasus, Quirks};
use std::sync::{Mutex, MutexGuard};
use tokio::sync::Notify;

/// What the link does to notifications, and how BlueZ behaves.
#[derive(Clone, Debug)]
pub(crate) struct Habits {
    /// Bytes of one notification at most.
    pub(crate) portion: usize,
    /// Between two of them, milliseconds.
    pub(crate) delay: u64,
    /// Every notification comes twice: the board's frames do.
    pub(crate) doubled: bool,
    /// After a reconnect notifications go on by themselves.
    pub(crate) resumes: bool,
    /// A connection to a board that is silent: BlueZ tries until it is told to stop.
    pub(crate) hangs: bool,
    /// It advertises, and is found.
    pub(crate) advertises: bool,
    /// It offers the service.
    pub(crate) offers: bool,
    /// Its services are there a moment after the connection.
    pub(crate) resolves: bool,
}

impl Default for Habits {
    fn default() -> Self {
        Self { portion: 20, delay: 0, doubled: false, resumes: true, hangs: false, advertises: true, offers: true, resolves: true }
    }
}

/// What BlueZ knows of it.
pub(crate) struct State {
    pub(crate) pegasus: Pegasus,
    pub(crate) habits: Habits,
    pub(crate) name: String,
    /// The object exists.
    pub(crate) known: bool,
    pub(crate) connected: bool,
    pub(crate) connecting: bool,
    pub(crate) resolved: bool,
    pub(crate) notifies: bool,
    pub(crate) paired: bool,
    /// Notifications that are still delivered before the link breaks.
    pub(crate) breaks_after: Option<usize>,
    pub(crate) connects: u32,
    pub(crate) disconnects: u32,
    pub(crate) writes: Vec<Vec<u8>>,
    /// Notifications that wait to be sent.
    pub(crate) outbox: std::collections::VecDeque<Vec<u8>>,
}

/// A board on the air.
pub(crate) struct Board {
    pub(crate) address: String,
    pub(crate) stopwatch: Stopwatch,
    state: Mutex<State>,
    /// Something changed: the board's task looks again.
    pub(crate) woken: Notify,
}

impl Board {
    /// A board on which these moves are played by careful hands as soon as somebody listens.
    pub(crate) fn new(number: u8, moves: &str, quirks: Quirks) -> Self {
        Self::thinking(number, moves, quirks, 1000.0)
    }

    /// The same, the players thinking only so many times as fast.
    pub(crate) fn thinking(number: u8, moves: &str, quirks: Quirks, speed: f64) -> Self {
        let game = read_games(moves.as_bytes()).unwrap().remove(0);
        let hands = Hands { speed, ..Hands::new(Kind::Clean, 3) };
        let state = State {
            pegasus: Pegasus::new(3, hands.play(&game), quirks),
            habits: Habits::default(),
            name: format!("DGT_PEGASUS_{number:05}"),
            known: false,
            connected: false,
            connecting: false,
            resolved: false,
            notifies: false,
            paired: false,
            breaks_after: None,
            connects: 0,
            disconnects: 0,
            writes: Vec::new(),
            outbox: std::collections::VecDeque::new(),
        };
        Self {
            address: format!("AA:BB:CC:DD:EE:{number:02X}"),
            stopwatch: Stopwatch::start(),
            state: Mutex::new(state),
            woken: Notify::new(),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub(crate) fn path(&self, adapter: &str) -> String {
        format!("{adapter}/dev_{}", self.address.replace(':', "_"))
    }

    /// One write of the host's.
    pub(crate) fn write(&self, bytes: &[u8]) {
        let mut state = self.state();
        state.writes.push(bytes.to_vec());
        state.pegasus.handle(self.stopwatch.now(), bytes);
        drop(state);
        self.woken.notify_one();
    }

    /// Lives until now; whole frames become notifications.
    pub(crate) fn step(&self) {
        let mut state = self.state();
        state.pegasus.advance(self.stopwatch.now());
        while let Some(frame) = state.pegasus.poll() {
            if !state.connected || !state.notifies {
                continue;
            }
            let (portion, times) = (state.habits.portion, if state.habits.doubled { 2 } else { 1 });
            for _ in 0..times {
                state.outbox.extend(frame.chunks(portion).map(<[u8]>::to_vec));
            }
        }
    }
}
