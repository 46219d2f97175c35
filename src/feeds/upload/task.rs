//! The shell around the queue: one task a target, so that a dead one delays nobody else.
use super::file::{File, Files, remote_path};
use super::queue::{News, Next, Queue};
use super::status::Status;
use super::target::Target;
use crate::delay::Delayed;
use crate::ledger::Ledger;
use crate::ledger::place::Place;
use crate::ledger::told::Told as ToldGame;
use flagfall_config::upload::Upload;
use flagfall_time::Stopwatch;
use flagfall_web::voice::Voice;
use futures_util::FutureExt as _;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use std::collections::HashMap;
use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::sleep_until;
use tokio_util::sync::CancellationToken;

/// States that a delay holds at once. Each has its own `games.pgn`, some hundred kilobytes in a big hall.
const STATES: u64 = 100;

/// Hears of every file whether it arrived.
pub(super) type Count = Arc<dyn Fn(bool) + Send + Sync>;

/// [`super::Teller`] of one target.
pub(super) type Told = Arc<dyn Fn(Option<String>) + Send + Sync>;

/// Keeps one target up to date until `token` is cancelled.
pub(super) async fn run(
    setting: Upload,
    mut source: watch::Receiver<Files>,
    (tell, count, status, ledger): (Told, Count, watch::Sender<Status>, Ledger),
    mut voice: Voice,
    seed: u64,
    token: CancellationToken,
) {
    let stopwatch = Stopwatch::start();
    let millis = |duration: std::time::Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let mut queue = Queue::new(millis(setting.interval), Target::at_once(&setting.place), seed).at_most(Target::a_second(&setting.place));
    let mut delayed = Delayed::new(millis(setting.delay.held()), STATES);
    let mut files: HashMap<Arc<str>, File> = HashMap::new();
    let mut target: Option<Target> = None;
    // After an outage the server may have lost what it had.
    let mut doubtful = false;
    let mut under_way = FuturesUnordered::new();
    source.mark_changed();
    loop {
        let now = stopwatch.now();
        if let Some(all) = delayed.due(now) {
            take(&setting, &all, &mut queue, &mut files, &ledger);
        }
        status.send_if_modified(|now| {
            let (total, waiting) = (files.len(), queue.lacking());
            let news = (now.files, now.waiting) != (total, waiting);
            (now.files, now.waiting) = (total, waiting);
            news
        });
        let next = if voice.speaks() { queue.next(now) } else { Next::Idle };
        let mut wake = delayed.next_due();
        match &next {
            Next::Send(path, _) => {
                let made = target.clone().map_or_else(|| Target::new(&setting.place), Ok);
                if let Ok(made) = &made {
                    target = Some(made.clone());
                }
                let (path, file) = (path.clone(), files.get(path).cloned());
                under_way.push(async move {
                    let put = async {
                        match (&made, &file) {
                            (Ok(target), Some(file)) => target.put(&path, file).await,
                            (Err(why), _) => Err(why.clone()),
                            // The queue knows only paths of files; nothing to send is nothing to do.
                            (_, None) => Ok(()),
                        }
                    };
                    // The services' own code may panic, for example over a damaged certificate of the system.
                    let done = AssertUnwindSafe(put).catch_unwind().await;
                    (path.clone(), file, done.unwrap_or_else(|_| Err(String::from("a mistake in the upload's code"))))
                });
                continue;
            }
            Next::At(t) => wake = wake.into_iter().chain([*t]).min(),
            Next::Idle => {}
        }
        tokio::select! {
            () = token.cancelled() => return,
            Some((path, file, result)) = under_way.next(), if !under_way.is_empty() => {
                count(result.is_ok());
                ledger.answered(result.clone());
                if let Some((place, told)) = file.filter(|_| result.is_ok()).and_then(|file| game(&setting, &file)) {
                    ledger.told(place, told);
                }
                status.send_modify(|now| match &result {
                    Ok(()) => (now.taken, now.sent_at) = (now.taken + 1, Some(flagfall_time::now())),
                    Err(_) => now.failed += 1,
                });
                if let Err(why) = &result {
                    tracing::debug!("{path}: {why}");
                    (target, doubtful) = (None, true);
                } else if doubtful {
                    doubtful = false;
                    if let Some(target) = &target {
                        look_again(&setting, target, &mut queue, &files).await;
                    }
                }
                if let Some(news) = queue.done(stopwatch.now(), &path, result) {
                    let why = match news {
                        News::Failing(why) => Some(why),
                        News::Works => None,
                    };
                    status.send_modify(|now| now.failing.clone_from(&why));
                    tell(why);
                }
            }
            // Another one may have written meanwhile: everything is sent once more.
            () = voice.changed() => if voice.speaks() {
                files.keys().for_each(|path| queue.lost(path));
            },
            Ok(()) = source.changed() => {
                let all = source.borrow_and_update().clone();
                delayed.push(stopwatch.now(), all);
            }
            () = async { match wake { Some(t) => sleep_until(stopwatch.instant(t).into()).await, None => pending().await } } => {}
        }
    }
}

/// Everything of a new state that this target gets.
fn take(setting: &Upload, all: &Files, queue: &mut Queue, files: &mut HashMap<Arc<str>, File>, ledger: &Ledger) {
    for file in all.iter() {
        let Some(path) = remote_path(setting, &file.path) else { continue };
        if files.get(path.as_str()).is_some_and(|known| known.version == file.version) {
            continue;
        }
        let path: Arc<str> = path.into();
        queue.offer(&path, file.version);
        if !setting.delay.held().is_zero()
            && let Some((place, told)) = game(setting, file)
        {
            ledger.due(place, told);
        }
        files.insert(path, file.clone());
    }
}

/// The game in a file, in one of the shapes that this target gets.
fn game(setting: &Upload, file: &File) -> Option<(Place, ToldGame)> {
    (file.path.ends_with(".pgn") == setting.pgn).then(|| ToldGame::of_document(&file.path, &file.bytes))?
}

/// Puts back on the queue what the server should have and has not.
async fn look_again(setting: &Upload, target: &Target, queue: &mut Queue, files: &HashMap<Arc<str>, File>) {
    let list = target.list(&setting.prefix, files.keys().map(|path| &**path));
    // The services' own code may panic over what a server says.
    let Some(there) = AssertUnwindSafe(list).catch_unwind().await.ok().flatten() else { return };
    for (path, file) in files {
        let arrived = queue.has(path) == Some(file.version);
        if arrived && there.get(&**path) != Some(&(file.bytes.len() as u64)) {
            queue.lost(path);
        }
    }
}
