//! Who is there: every Pi says so every few seconds. One that does not is away, and its boards are shown as they were last, never as live.
use super::boards;
use super::bucket;
use super::house::House;
use super::known::Pi;
use crate::nats::wire::{self, Presence};
use async_nats::jetstream::Context;
use std::sync::Arc;
use std::time::Duration;

/// Away after so long, milliseconds.
const AWAY: u64 = wire::PRESENCE_TTL_S * 1_000;
/// How often it is looked who is away.
const TICK: Duration = Duration::from_secs(1);

/// Hears Pis for as long as it can; why it ended.
pub(super) async fn run(house: Arc<House>, jetstream: Context) -> String {
    // Only what comes from now on: how old an entry is that stands there nobody can say.
    let mut changes = match bucket::changes(&jetstream, &house.names.presence(), false).await {
        Ok(changes) => changes,
        Err(why) => return why,
    };
    let mut heard = house.stopwatch.now();
    loop {
        match tokio::time::timeout(Duration::from_secs(wire::PRESENCE_TTL_S), changes.next()).await {
            Ok(Ok(change)) => {
                heard = house.stopwatch.now();
                let Some(value) = change.value else { continue };
                match serde_json::from_slice::<Presence>(&value) {
                    // The key is what the Pi's account allows.
                    Ok(presence) if wire::token(&presence.pi) == change.key => here(&house, &change.key, &presence),
                    _ => tracing::warn!("what stands at {} in the bucket of Pis is no Pi's", change.key),
                }
            }
            Ok(Err(why)) => return why,
            // Where there were Pis and none is heard, the consumer may be what is gone.
            Err(_) if !house.known().pis.is_empty() && house.stopwatch.now().since(heard) > 2 * AWAY => {
                return String::from("no Pi is heard; they are listened for anew");
            }
            Err(_) => {}
        }
    }
}

/// A Pi said that it is there.
fn here(house: &Arc<House>, token: &str, presence: &Presence) {
    let now = house.stopwatch.now().millis();
    let mut known = house.known();
    let token: Arc<str> = token.into();
    let pi = Pi { name: presence.pi.as_str().into(), heard: now, away: false, behind: presence.behind };
    let returned = known.pis.insert(token.clone(), pi).is_none_or(|before| before.away);
    let mut changed = Vec::new();
    for board in &presence.boards {
        let name: Arc<str> = board.board.as_str().into();
        let is_new = !known.boards.contains_key(&name);
        let seat = known.boards.entry(name.clone()).or_default();
        if *seat.pi != *token || is_new || returned {
            seat.pi = token.clone();
            changed.push((name, is_new));
        }
    }
    drop(known);
    if returned {
        house.hub().alarm("pi-away", &presence.pi, None);
    }
    for (board, is_new) in changed {
        house.book().returned(&board);
        if is_new {
            boards::open(house, &board, &token);
        } else {
            boards::show(house, &board);
        }
    }
    if returned {
        house.poke.notify_one();
    }
    count(house);
}

/// Looks who has fallen silent, for ever.
pub(super) async fn look(house: Arc<House>) {
    let mut ticks = tokio::time::interval(TICK);
    loop {
        ticks.tick().await;
        let now = house.stopwatch.now().millis();
        let mut gone = Vec::new();
        let mut known = house.known();
        for pi in known.pis.values_mut().filter(|pi| !pi.away && now.saturating_sub(pi.heard) > AWAY) {
            pi.away = true;
            gone.push(pi.name.clone());
        }
        let boards: Vec<Arc<str>> = if gone.is_empty() { Vec::new() } else { known.boards.keys().cloned().collect() };
        drop(known);
        for pi in gone {
            let text = format!(
                "{pi} is not heard any more: its boards go on there, and are shown as they were last. Look at its power and network"
            );
            house.hub().alarm("pi-away", &pi, Some(text));
        }
        boards.iter().for_each(|board| boards::show(&house, board));
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
