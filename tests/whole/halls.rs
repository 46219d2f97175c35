//! Two halls beside one floor, and who of them speaks.
use crate::floor::Floor;
use crate::server::Broker;
use crate::table::{Daemon, names, until};
use flagfall::feeds::nats::streams;
use flagfall::time::Stopwatch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Both halls; a hall that was killed is started again.
pub(crate) struct Halls {
    pub(crate) all: [Option<Daemon>; 2],
    /// Where their pages are.
    pub(crate) addresses: Arc<Mutex<[String; 2]>>,
}

impl Halls {
    pub(crate) const NAMES: [&str; 2] = ["hall-a", "hall-b"];

    pub(crate) fn start(floor: &Floor, broker: &Broker) -> Self {
        let all = Self::NAMES.map(|name| floor.hall(broker, name));
        let addresses = all.each_ref().map(|hall| hall.address().to_owned());
        Self { all: all.map(Some), addresses: Arc::new(Mutex::new(addresses)) }
    }

    /// Starts one again.
    pub(crate) fn again(&mut self, n: usize, floor: &Floor, broker: &Broker) {
        let hall = floor.hall(broker, Self::NAMES[n]);
        self.addresses.lock().unwrap()[n] = hall.address().to_owned();
        self.all[n] = Some(hall);
    }

    pub(crate) fn get(&self, n: usize) -> &Daemon {
        self.all[n].as_ref().unwrap()
    }

    /// Which one speaks.
    pub(crate) fn speaker(&self) -> Option<usize> {
        (0..2).find(|n| self.all[*n].as_ref().is_some_and(|hall| state(hall)["speaks"] == true))
    }

    /// Begins to look whether two speak.
    pub(crate) fn listen(&self) -> Voices {
        let (stop, addresses) = (Arc::new(AtomicBool::new(false)), self.addresses.clone());
        let (ended, ask) = (stop.clone(), |address: &str| -> Option<bool> {
            let mut answer = ureq::get(format!("http://{address}/healthz")).call().ok()?;
            let health: serde_json::Value = answer.body_mut().read_json().ok()?;
            Some(health["hall"]["speaks"] == true)
        });
        let looks = std::thread::spawn(move || {
            let (mut looks, mut double) = (0, 0);
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(250));
                let now = addresses.lock().unwrap().clone();
                // Asked in turn and once more: a voice that moved between two answers is one voice.
                let both = [0, 1, 0].map(|n| ask(&now[n]).unwrap_or(false)) == [true; 3];
                (looks, double) = (looks + 1, double + usize::from(both));
            }
            (looks, double)
        });
        Voices { stop, looks }
    }
}

/// Looks at both halls all the time.
pub(crate) struct Voices {
    stop: Arc<AtomicBool>,
    looks: std::thread::JoinHandle<(usize, usize)>,
}

impl Voices {
    /// How often was looked, and how often both spoke.
    pub(crate) fn count(self) -> (usize, usize) {
        self.stop.store(true, Ordering::Relaxed);
        self.looks.join().unwrap()
    }
}

/// How a hall is doing.
pub(crate) fn state(hall: &Daemon) -> serde_json::Value {
    hall.get("/api/v1/operator/health").map(|health| health["hall"].clone()).unwrap_or_default()
}

/// Asks until there is an answer, for so many seconds.
pub(crate) fn wait<T>(what: &str, seconds: u64, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let since = Stopwatch::start();
    loop {
        let answer = ask();
        if answer.is_some() || since.now().millis() > seconds * 1_000 {
            if answer.is_none() {
                println!("  waited {seconds} s: no {what}");
            }
            return answer;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

pub(crate) fn pause(seconds: u64) {
    std::thread::sleep(Duration::from_secs(seconds));
}

/// The hall's hand on the broker.
pub(crate) fn context(floor: &Floor, broker: &Broker) -> async_nats::jetstream::Context {
    let options = async_nats::ConnectOptions::with_user_and_password(String::from("hall"), broker.password("hall"));
    let client = floor.runtime.block_on(options.custom_inbox_prefix("_INBOX_bench").connect(broker.servers())).unwrap();
    let _inside = floor.runtime.enter();
    let context = async_nats::jetstream::new(client);
    until("streams", || floor.runtime.block_on(streams::ensure(&context, &names(), 3)).ok());
    context
}
