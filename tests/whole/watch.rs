//! What halls show, looked at all the time: when each ply came, and whether a game ever got shorter.
use flagfall_events::Wall;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often is looked.
const LOOK: Duration = Duration::from_millis(300);

/// One game of a board, as halls showed it.
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) began: String,
    /// When each completed ply was shown first, milliseconds of wall time.
    pub(crate) plies: Vec<u64>,
}

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) boards: BTreeMap<String, Vec<Game>>,
    /// The most that each hall showed of a board's game, whether or not it was started again since.
    most: BTreeMap<(usize, String), (String, usize)>,
    /// Looks at which a game had fewer plies than before in the same hall.
    pub(crate) shorter: Vec<String>,
    pub(crate) looks: usize,
}

/// Looks until it is stopped.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    looks: JoinHandle<Seen>,
}

/// Wall time, milliseconds.
pub(crate) fn now() -> u64 {
    flagfall::time::now().since(Wall::EPOCH)
}

impl Watch {
    /// Each hall keeps its place in `addresses`.
    pub(crate) fn begin<const N: usize>(addresses: Arc<Mutex<[String; N]>>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let ended = stop.clone();
        let looks = std::thread::spawn(move || {
            let mut seen = Seen::default();
            let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(Duration::from_secs(2))).build().into();
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(LOOK);
                let addresses = addresses.lock().unwrap().clone();
                for (hall, address) in addresses.iter().enumerate() {
                    let Ok(mut answer) = agent.get(format!("http://{address}/api/v1/boards")).call() else { continue };
                    let Ok(boards) = answer.body_mut().read_json::<Vec<Value>>() else { continue };
                    boards.iter().for_each(|board| seen.take(hall, board));
                    seen.looks += 1;
                }
            }
            seen
        });
        Self { stop, looks }
    }

    /// What was seen.
    pub(crate) fn end(self) -> Seen {
        self.stop.store(true, Ordering::Relaxed);
        self.looks.join().unwrap()
    }
}

impl Seen {
    fn take(&mut self, hall: usize, board: &Value) {
        let (Some(name), Some(began)) = (board["board"].as_str(), board["game"]["started_at"].as_str()) else { return };
        let plies = board["plies_completed"].as_u64().unwrap_or(0) as usize;
        let most = self.most.entry((hall, name.to_owned())).or_default();
        if most.0 == began && plies < most.1 {
            self.shorter.push(format!("hall {}, board {name}: {plies} plies after {}", hall + 1, most.1));
        }
        if most.0 != began || plies > most.1 {
            *most = (began.to_owned(), plies);
        }
        let games = self.boards.entry(name.to_owned()).or_default();
        if !games.iter().any(|game| game.began == began) {
            games.push(Game { began: began.to_owned(), plies: Vec::new() });
        }
        let Some(game) = games.iter_mut().find(|game| game.began == began) else { return };
        let now = now();
        while game.plies.len() < plies {
            game.plies.push(now);
        }
    }
}
