//! The shell around the engine: waits for changes, answers, commands and time, whichever comes first.
use super::asked::{Next, Order, Tell, Wish};
use super::client::Client;
use super::engine::Engine;
use super::round::{Body, Round};
use super::status::Status;
use super::stream::{self, Streamed};
use crate::delay::Delayed;
use crate::ledger::Ledger;
use crate::ledger::place::Place;
use crate::ledger::told::Told as ToldGame;
use flagfall_config::lichess::Push;
use flagfall_time::Stopwatch;
use flagfall_web::voice::Voice;
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::{mpsc, watch};
use tokio::time::sleep_until;
use tokio_util::sync::{CancellationToken, DropGuard};

/// States that a delay holds at once; they share the games that did not change.
const STATES: u64 = 1000;

/// What the stream says waits here; more of it waits on the way.
const STREAMED: usize = 16;

/// [`super::Teller`] of one feed.
pub(super) type Told = Arc<dyn Fn(Tell) + Send + Sync>;

/// Hears of every answer whether the request was taken.
pub(super) type Count = Arc<dyn Fn(bool) + Send + Sync>;

/// What one feed lives on.
pub(super) struct Feed {
    pub(super) setting: Push,
    pub(super) client: Client,
    /// The round as it stands; the newest wins.
    pub(super) rounds: watch::Receiver<Round>,
    pub(super) wishes: mpsc::Receiver<Wish>,
    pub(super) status: watch::Sender<Status>,
    pub(super) tell: Told,
    pub(super) count: Count,
    pub(super) seed: u64,
    pub(super) voice: Voice,
    pub(super) ledger: Ledger,
}

/// Feeds one round until `token` is cancelled.
pub(super) async fn run(mut feed: Feed, token: CancellationToken) {
    let stopwatch = Stopwatch::start();
    let mut engine = Engine::new(millis(feed.setting.interval), feed.seed);
    let mut delayed: Delayed<Round> = Delayed::new(millis(feed.setting.delay.held()), STATES);
    let mut answer: Option<Pin<Box<dyn Future<Output = super::answer::Outcome> + Send>>> = None;
    let (mut looking, mut sent_at) = (false, None);
    let mut written: Option<Arc<Body>> = None;
    let mut stream: Option<(mpsc::Receiver<Streamed>, DropGuard)> = None;
    feed.rounds.mark_changed();
    loop {
        let now = stopwatch.now();
        if let Some(round) = delayed.due(now) {
            if !feed.setting.delay.held().is_zero() {
                round.iter().for_each(|game| write_down(&game.pgn, |place, told| feed.ledger.due(place, told)));
            }
            engine.offer(round);
        }
        // One that falls silent keeps what it has to say; what is under way is the same whoever sends it.
        let next = if answer.is_some() || feed.voice.speaks() { engine.next(now) } else { Next::Idle };
        if let Next::Send(order) = &next {
            let (client, order) = (feed.client.clone(), order.clone());
            looking = matches!(order, Order::Delay | Order::Round);
            tracing::debug!(
                "{}",
                match &order {
                    Order::Push(_) => "push",
                    Order::Reset => "reset",
                    Order::Moves(_) => "moves",
                    Order::Delay | Order::Round => "look",
                }
            );
            answer = Some(Box::pin(async move { client.send(order).await }));
        }
        // Whoever is silent has nothing to prove, and a round with a delay shows old things.
        if !feed.voice.speaks() || !engine.wants_stream() {
            if stream.take().is_some() {
                engine.streams(false);
            }
        } else if stream.is_none() {
            let (says, hears) = mpsc::channel(STREAMED);
            let stop = token.child_token();
            tokio::spawn(stream::follow(feed.client.clone(), says, stop.clone()));
            stream = Some((hears, stop.drop_guard()));
        }
        let wake = [delayed.next_due(), if let Next::At(t) = next { Some(t) } else { None }].into_iter().flatten().min();
        feed.status.send_replace(Status::of(&feed.setting, &engine, sent_at));
        tokio::select! {
            () = token.cancelled() => return,
            outcome = async { match &mut answer { Some(answer) => answer.await, None => pending().await } } => {
                answer = None;
                let before = engine.progress().taken;
                let told = engine.answered(stopwatch.now(), outcome);
                let taken = engine.progress().taken > before;
                if !looking {
                    (feed.count)(taken);
                    let why = || engine.failing().map_or_else(|| String::from("it was not taken"), |why| why.en.clone());
                    feed.ledger.answered(if taken { Ok(()) } else { Err(why()) });
                }
                write_down_round(&engine, &mut written, &feed.ledger);
                if taken {
                    sent_at = Some(flagfall_time::now());
                }
                for tell in told {
                    (feed.tell)(tell);
                }
            }
            Some(said) = async { match &mut stream { Some((hears, _)) => hears.recv().await, None => pending().await } } => match said {
                Streamed::Open(open) => engine.streams(open),
                Streamed::Games(games) => {
                    for tell in engine.glimpsed(&games) {
                        (feed.tell)(tell);
                    }
                }
            },
            // Without a source the last state still goes out.
            Ok(()) = feed.rounds.changed() => {
                let round = feed.rounds.borrow_and_update().clone();
                delayed.push(stopwatch.now(), round);
            }
            // Another one may have spoken meanwhile: the round goes out whole.
            () = feed.voice.changed() => if feed.voice.speaks() {
                engine.wish(Wish::Push);
            },
            Some(wish) = feed.wishes.recv() => engine.wish(wish),
            () = async { match wake { Some(t) => sleep_until(stopwatch.instant(t).into()).await, None => pending().await } } => {}
        }
    }
}

/// Writes down what Lichess has, where that is another round than the one that is `written`.
fn write_down_round(engine: &Engine, written: &mut Option<Arc<Body>>, ledger: &Ledger) {
    let Some((body, refused)) = engine.taken() else {
        if written.take().is_some() {
            ledger.emptied();
        }
        return;
    };
    if written.as_ref().is_some_and(|written| Arc::ptr_eq(written, body)) {
        return;
    }
    for (place, _) in body.boards.iter().enumerate().filter(|(_, board)| !refused.contains(*board)) {
        let game = body.game(place);
        if written.as_ref().is_none_or(|written| written.game(place) != game) {
            write_down(game, |place, told| ledger.told(place, told));
        }
    }
    *written = Some(body.clone());
}

/// A game of a push, for the ledger.
fn write_down(pgn: &str, write: impl FnOnce(Place, ToldGame)) {
    if let Some((Some(place), told)) = ToldGame::of_pgn(pgn.as_bytes()) {
        write(place, told);
    }
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
