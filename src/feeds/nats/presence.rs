//! Says every few seconds that this machine is there, which boards it has and how far they are.
use super::station::Station;
use super::wire::{self, BoardPresence, Journals, Presence};
use super::witness;
use async_nats::Client;
use flagfall_events::LinkState;
use flagfall_journal::JournalState;
use std::sync::Arc;
use std::time::Duration;

/// Until the connection ends.
pub(super) async fn keep(station: Arc<Station>, client: Client) {
    let mut ticks = tokio::time::interval(Duration::from_secs(wire::PRESENCE_EVERY_S));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let subject = wire::bucket_subject(&station.names.presence(), &station.token);
    loop {
        ticks.tick().await;
        // What shows how a journal goes on is read from it.
        let asked = station.clone();
        let Ok(presence) = tokio::task::spawn_blocking(move || presence(&asked)).await else { return };
        let body = serde_json::to_vec(&presence).unwrap_or_default();
        // Nobody waits for it: the next one comes in a moment.
        if client.publish(subject.clone(), body.into()).await.is_err() {
            return;
        }
    }
}

fn presence(station: &Station) -> Presence {
    // What the hall told before a board was known here.
    witness::compare(station);
    let list = station.list();
    let boards = list.iter().map(|(board, stand)| {
        let (checkpoint, way) = witness::shown(station, &board.name);
        let shown = station.hub.board(&board.name);
        BoardPresence {
            board: String::from(&*board.name),
            epoch: stand.epoch.clone(),
            seq: stand.said,
            link: shown.as_ref().map_or(LinkState::Down, |state| state.link()),
            serial: shown.as_ref().and_then(|state| state.identity()?.serial.clone()),
            sent_seq: stand.acked,
            checkpoint,
            way,
            trouble: board.told_trouble(),
            exchanged: station.hub.standing("boards-exchanged", &board.name),
        }
    });
    Presence {
        pi: station.pi.clone(),
        version: String::from(env!("CARGO_PKG_VERSION")),
        started_at: station.stopwatch.opened_at(),
        at: flagfall_time::now(),
        boards: boards.collect(),
        journal: match station.hub.journal() {
            JournalState::Ok => Journals::Ok,
            JournalState::Failing { .. } => Journals::Failing,
            JournalState::Off => Journals::Off,
        },
        behind: station.behind(),
        key: Some(station.journal.public_key()),
        temperature_c: temperature(),
    }
}

/// The processor's, where the kernel tells it.
fn temperature() -> Option<f64> {
    let text = std::fs::read_to_string("/sys/class/thermal/thermal_zone0/temp").ok()?;
    let thousandths: f64 = text.trim().parse().ok()?;
    Some((thousandths / 100.0).round() / 10.0)
}
