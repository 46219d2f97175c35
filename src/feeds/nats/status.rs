//! The gauge, the alarm, and the cursor's file from time to time.
use super::station::Station;
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked.
const LOOK: Duration = Duration::from_secs(1);
/// Looks between two writings of the cursor, if it has changed: it is small, and a card wears out.
const SAVE: u32 = 30;
/// Events that do not go out for so long are the operator's alarm, milliseconds.
const LONG: u64 = 30_000;

/// Looks after the gauge, the alarm and the cursor until it is told to stop.
pub(super) async fn watch(station: Arc<Station>) {
    let mut ticks = tokio::time::interval(LOOK);
    let mut looks = 0_u32;
    loop {
        tokio::select! {
            () = station.stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        station.metrics.behind(station.behind());
        let long = station.trouble().filter(|(since, _)| station.stopwatch.now().since(*since) > LONG);
        let text = long.map(|(_, why)| {
            format!("events do not reach the broker: {why}. Boards and journals go on; all of it is sent as soon as it can be. `flagfall doctor --hall` tells more")
        });
        station.hub.alarm("feed-failing", "nats", text);
        looks = looks.wrapping_add(1);
        if looks.is_multiple_of(SAVE) {
            let saved = station.clone();
            // A disk may hold its thread for long.
            _ = tokio::task::spawn_blocking(move || saved.cursors.save()).await;
        }
    }
}
