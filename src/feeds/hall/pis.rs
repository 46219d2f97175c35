//! Who is there: every Pi says so every few seconds. One that does not is away, and its boards are shown as they were last, never as live.
use super::boards;
use super::bucket;
use super::house::House;
use crate::nats::wire::{self, Presence};
use async_nats::jetstream::Context;
use std::sync::Arc;
use std::time::Duration;

/// Where nobody was heard for so long, the consumer may be what is gone, milliseconds.
const DEAF: u64 = 2 * wire::PRESENCE_TTL_S * 1_000;
/// How often it is looked who is away.
const TICK: Duration = Duration::from_secs(1);

/// Hears Pis for as long as it can; why it ended.
pub(super) async fn run(house: Arc<House>, jetstream: Context) -> String {
    loop {
        match listen(&house, &jetstream).await {
            Ok(()) => tracing::debug!("no Pi is heard; they are listened for anew"),
            Err(why) => return why,
        }
    }
}

/// The same until nobody is heard any more.
async fn listen(house: &Arc<House>, jetstream: &Context) -> Result<(), String> {
    // Only what comes from now on: how old an entry is that stands there nobody can say.
    let mut changes = bucket::changes(jetstream, &house.names.presence(), false).await?;
    let mut heard = house.stopwatch.now();
    house.known().listens = heard.millis();
    loop {
        // Never long: a consumer that misses a heartbeat wakes nobody when the next message comes.
        let Ok(change) = tokio::time::timeout(TICK, changes.next()).await else {
            if house.stopwatch.now().since(heard) > DEAF && !house.known().pis.is_empty() {
                return Ok(());
            }
            continue;
        };
        let change = change?;
        heard = house.stopwatch.now();
        let Some(value) = change.value else { continue };
        match serde_json::from_slice::<Presence>(&value) {
            // The key is what the Pi's account allows.
            Ok(presence) if wire::token(&presence.pi) == change.key => {
                here(house, &change.key, &presence);
                witnessed(house, presence).await;
            }
            _ => tracing::warn!("what stands at {} in the bucket of Pis is no Pi's", change.key),
        }
    }
}

/// What it shows of its journals is looked at where nobody waits for a disk.
async fn witnessed(house: &Arc<House>, presence: Presence) {
    let Some(key) = presence.key else { return };
    let house = house.clone();
    let look = move || presence.boards.iter().for_each(|board| house.witness.shown(house.hub(), (&presence.pi, &key), board));
    // A mistake in it costs nothing that was seen before.
    let _ = tokio::task::spawn_blocking(look).await;
}

/// A Pi said that it is there.
fn here(house: &Arc<House>, token: &str, presence: &Presence) {
    let heard = house.known().hear(token, presence, house.stopwatch.now().millis());
    if heard.returned {
        house.hub().alarm("pi-away", &presence.pi, None);
    }
    heard.new.iter().for_each(|board| boards::open(house, board, token));
    for (board, why) in heard.troubles {
        let text = why.map(|why| format!("{}: {why}", presence.pi));
        house.hub().alarm("board-unpublished", &board, text);
    }
    for board in &presence.boards {
        let own = house.known().boards.get(board.board.as_str()).is_some_and(|seat| *seat.pi == *token);
        if own || board.exchanged.is_some() {
            let text = board.exchanged.as_ref().map(|text| format!("{}: {text}", presence.pi));
            house.hub().alarm("boards-exchanged", &board.board, text);
        }
    }
    boards::show_all(house);
    count(house);
}

/// Looks who has fallen silent, for ever.
pub(super) async fn look(house: Arc<House>) {
    let mut ticks = tokio::time::interval(TICK);
    loop {
        ticks.tick().await;
        let gone = house.known().fell_silent(house.stopwatch.now().millis());
        for pi in gone {
            let text = format!(
                "{pi} is not heard any more: its boards go on there, and are shown as they were last. Look at its power and network"
            );
            house.hub().alarm("pi-away", &pi, Some(text));
        }
        boards::show_all(&house);
        count(&house);
        // The right to speak ends by itself when nobody answers any more.
        let speaks = house.voice.speaks();
        house.figures.speaks.set(i64::from(speaks));
        house.state.change(|health| {
            health.speaks = speaks;
            if !speaks && !health.broker {
                health.speaker = None;
            }
        });
    }
}

fn count(house: &House) {
    let known = house.known();
    let away = known.pis.values().filter(|pi| pi.away).count();
    let here = known.pis.len() - away;
    let behind: u64 = known.pis.values().map(|pi| pi.behind).sum();
    drop(known);
    house.figures.pis_behind.set(i64::try_from(behind).unwrap_or(i64::MAX));
    house.figures.away.set(i64::try_from(away).unwrap_or(i64::MAX));
    house.state.change(|health| (health.pis, health.pis_away) = (here, away));
}
