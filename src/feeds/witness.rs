//! Outside witnesses: each is shown how the list of this machine's checkpoints goes on, and what it has seen is kept (c2sp.org/tlog-witness).
//!
//! Each has a task of its own, so one that hangs delays nobody; what one has not seen yet waits in the list and nowhere else.
//!
//! | to change | go to |
//! |---|---|
//! | when the list grows, what is compared at a start | this file |
//! | requests, answers, patience with one witness | `witness/showing.rs` |
mod showing;

use flagfall_config::witness::Witness;
use flagfall_journal::Journal;
use flagfall_journal::cosigner::Cosigner;
use flagfall_journal::listed;
use flagfall_web::hub::Hub;
use showing::{ROLLED_BACK, Showing, Shown, TODO};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// The list grows so often: each board's newest checkpoint then.
const EVERY: Duration = Duration::from_secs(20);
/// What alarms are about that are about no board.
const MACHINE: &str = "this machine";
/// Shows the journals' list to these witnesses until `token` is cancelled, and compares both with what they had seen before. The boards' journals stand.
pub fn start(witnesses: &[Witness], journal: &Arc<Journal>, hub: &Arc<Hub>, token: &CancellationToken) {
    if witnesses.is_empty() {
        return;
    }
    let (witnesses, journal, hub, token) = (witnesses.to_vec(), journal.clone(), hub.clone(), token.clone());
    tokio::spawn(async move {
        let stopped = token.clone();
        tokio::select! {
            () = stopped.cancelled() => {}
            () = run(witnesses, journal, hub, token) => {}
        }
    });
}

async fn run(witnesses: Vec<Witness>, journal: Arc<Journal>, hub: Arc<Hub>, token: CancellationToken) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    let mut list = loop {
        let journal = journal.clone();
        match tokio::task::spawn_blocking(move || journal.list()).await {
            Ok(Ok(list)) => break list,
            Ok(Err(error)) => unreadable(&hub, Some(format!("the list that witnesses see cannot be read: {error}"))),
            Err(_) => return,
        }
        ticks.tick().await;
    };
    unreadable(&hub, None);
    let cosigners: Vec<Cosigner> = witnesses.iter().map(|witness| witness.key.clone()).collect();
    let (data_dir, alarms) = (journal.data_dir().to_owned(), hub.clone());
    let compared = tokio::task::spawn_blocking(move || compare(&data_dir, &cosigners, &alarms));
    let shown = watch::Sender::new(Shown::of(&list));
    for witness in &witnesses {
        match Showing::new(witness, journal.data_dir(), &journal.public_key(), Arc::downgrade(&hub)) {
            Ok(showing) => {
                let (seen, stopped) = (shown.subscribe(), token.clone());
                tokio::spawn(async move {
                    tokio::select! {
                        () = stopped.cancelled() => {}
                        () = showing.run(seen) => {}
                    }
                });
            }
            Err(why) => hub.alarm(showing::FAILING, &showing::about(&witness.key), Some(why)),
        }
    }
    // What was there at the start is compared before the list grows.
    let _ = compared.await;
    loop {
        ticks.tick().await;
        let journal = journal.clone();
        let grown = tokio::task::spawn_blocking(move || {
            let taken = list.take(&journal.newest_checkpoints());
            (list, taken)
        });
        let Ok((back, taken)) = grown.await else { return };
        list = back;
        unreadable(&hub, taken.err().map(|error| format!("the list that witnesses see cannot be written: {error}; look at the disk")));
        let now = Shown::of(&list);
        shown.send_if_modified(|shown| {
            let grew = shown.size != now.size;
            *shown = now;
            grew
        });
    }
}

fn unreadable(hub: &Hub, text: Option<String>) {
    hub.alarm(showing::FAILING, "witnesses", text);
}

/// Compares the list and the boards' newest journals with what the witnesses had seen. Blocks.
fn compare(data_dir: &Path, cosigners: &[Cosigner], hub: &Hub) {
    match listed::compare(data_dir, cosigners) {
        Ok(found) => {
            for (board, why) in found {
                let text = format!("{why}. {TODO}");
                let about = board.as_deref().unwrap_or(MACHINE);
                tracing::error!("{about}: {text}");
                hub.alarm(ROLLED_BACK, about, Some(text));
            }
        }
        Err(error) => tracing::warn!("the journals cannot be compared with what the witnesses have seen: {error}"),
    }
}
