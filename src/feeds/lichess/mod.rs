//! The push to Lichess broadcasts: the whole round, one request at a time, the latest state wins.
//!
//! | to change | go to |
//! |---|---|
//! | when what is sent, what the operator is told | [`engine`], pure; what goes in and comes out: [`asked`] |
//! | whether viewers see what was sent, and what helps | `proof`, pure; what was tried already: `tried`; where a game differs: [`compare`]; a game as it is read: [`mod@line`] |
//! | what an answer means, in words | [`answer`], pure; what the operator is told of games: `said` |
//! | how games become one body within Lichess's limits | [`round`], pure |
//! | a game that Lichess does not take, as far as it takes it | `stand_in`, pure |
//! | which games of the event go where | `source`; whether they have room there: [`fits`], pure |
//! | broadcast and rounds made on Lichess | [`create`], pure; the requests: [`api`] |
//! | requests and the token | `client`, [`token`]; the stream of what viewers see: `stream` |
//! | waiting for changes, answers, commands | `task` |
//! | how a feed is doing | `status` |
//! | the operator's commands over HTTP | [`operator`] |
//! | what Lichess can poll where it is not pushed to | [`flagfall_config::source_url`], pure |
pub mod answer;
pub mod api;
pub mod asked;
mod client;
pub mod compare;
pub mod create;
pub mod engine;
pub mod fits;
pub mod line;
pub mod operator;
mod proof;
pub mod round;
mod said;
mod source;
mod stand_in;
mod status;
mod stream;
mod task;
pub mod token;
mod tried;

pub use status::Status;

use crate::Counter;
use crate::event_info::EventInfo;
use crate::ledger::{Book, Ledger};
use asked::{Tell, Wish};
use client::Client;
use engine::Engine;
use flagfall_config::delay::OwnDelay;
use flagfall_config::lichess::{Lichess, Push};
use flagfall_web::voice::Voice;
use round::Round;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Commands of an operator that wait at most.
const WISHES: usize = 8;

/// Hears what the operator must know, with the feed it is about (`lichess xVEzYJHf`). Must not wait.
pub type Teller = Arc<dyn Fn(&str, Tell) + Send + Sync>;

/// The operator's hand on the feeds. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Handle(Arc<Mutex<Vec<FeedHandle>>>);

#[derive(Debug)]
struct FeedHandle {
    round: String,
    wishes: mpsc::Sender<Wish>,
    status: watch::Receiver<Status>,
    delay: OwnDelay,
    ledger: Ledger,
}

impl Handle {
    /// How every feed is doing.
    pub fn status(&self) -> Vec<Status> {
        self.lines().iter().map(|line| line.status.borrow().clone()).collect()
    }

    /// The same with each feed's delay and what Lichess took of every game.
    pub fn sent(&self) -> Vec<(Status, OwnDelay, Book)> {
        self.lines().iter().map(|line| (line.status.borrow().clone(), line.delay, line.ledger.book())).collect()
    }

    /// Empties the round on Lichess and sends it whole. False: there is no such round here.
    pub fn reset(&self, round: &str) -> bool {
        self.wish(round, Wish::Reset)
    }

    /// Sends the whole round again, even if nothing changed. False: there is no such round here.
    pub fn repush(&self, round: &str) -> bool {
        self.wish(round, Wish::Push)
    }

    fn wish(&self, round: &str, wish: Wish) -> bool {
        let lines = self.lines();
        let Some(line) = lines.iter().find(|line| line.round == round) else { return false };
        // A full queue holds the same wishes already.
        _ = line.wishes.try_send(wish);
        true
    }

    /// Leads to the feeds of `other` from now on, with all its clones.
    pub(super) fn take(&self, other: Self) {
        let lines = std::mem::take(&mut *other.lines());
        *self.lines() = lines;
    }

    fn lines(&self) -> MutexGuard<'_, Vec<FeedHandle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a feed for every round that is pushed, with the games of the event that `event` gives it; see [`start`].
pub fn follow(
    settings: &[Lichess],
    event: &dyn Fn(&Push) -> Arc<EventInfo>,
    tell: &Teller,
    count: &Counter,
    voice: &Voice,
    tasks: &TaskTracker,
    token: &CancellationToken,
) -> Handle {
    let source = |setting: &Push| {
        let (rounds, games) = watch::channel(Round::default());
        let (tell, about) = (tell.clone(), format!("lichess {}", setting.round));
        let told: source::Told = Arc::new(move |text| tell(&about, Tell { key: "feed-round-over", board: None, text }));
        tasks.spawn(source::follow(setting.clone(), event(setting).watch(), rounds, told, token.clone()));
        games
    };
    start(settings, source, tell, count, voice, tasks, token)
}

/// Starts a feed for every round that is pushed. `source` gives the round as it stands for the boards of one setting; `tell` hears
/// what the operator must know, with the round it is about, and must not wait. The tasks end with `token`; where `voice` is silent nothing is sent.
pub fn start(
    settings: &[Lichess],
    source: impl Fn(&Push) -> watch::Receiver<Round>,
    tell: &Teller,
    count: &Counter,
    voice: &Voice,
    tasks: &TaskTracker,
    token: &CancellationToken,
) -> Handle {
    let mut lines = Vec::new();
    for setting in settings {
        let Lichess::Push(setting) = setting else { continue };
        let client = match Client::new(&setting.base_url, &setting.round, &setting.token_file) {
            Ok(client) => client,
            Err(error) => {
                tracing::error!("Lichess round {}: no connection can be made: {error}", setting.round);
                continue;
            }
        };
        let (wishes, inbox) = mpsc::channel(WISHES);
        let seed = RandomState::new().build_hasher().finish();
        let (status, seen) = watch::channel(Status::of(setting, &Engine::new(1000, seed), None));
        let (tell, about) = (tell.clone(), format!("lichess {}", setting.round));
        count(&about, None);
        let (count, counted) = (count.clone(), about.clone());
        let count: task::Count = Arc::new(move |taken| count(&counted, Some(taken)));
        let tell: task::Told = Arc::new(move |news| tell(&about, news));
        let (setting, voice, ledger) = (setting.clone(), voice.clone(), Ledger::default());
        let delay = setting.delay;
        let (rounds, round) = (source(&setting), setting.round.clone());
        let feed = task::Feed { count, setting, client, rounds, wishes: inbox, status, tell, seed, voice, ledger: ledger.clone() };
        tasks.spawn(task::run(feed, token.clone()));
        lines.push(FeedHandle { round, wishes, status: seen, delay, ledger });
    }
    Handle(Arc::new(Mutex::new(lines)))
}
