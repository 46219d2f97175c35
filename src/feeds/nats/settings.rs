//! Pairings and the event's names as halls distribute them: applied as if the files here had changed, so never to a game in progress.
use super::ask::{self, Stored};
use super::station::Station;
use super::wire::{self, Setting};
use super::witness;
use async_nats::Client;
use flagfall_web::health::Given;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How often it is looked.
const LOOK: Duration = Duration::from_secs(2);

/// Until the connection ends.
pub(super) async fn follow(station: Arc<Station>, client: Client) {
    let bucket = station.names.settings();
    let (stream, all) = (wire::bucket_stream(&bucket), wire::bucket_subject(&bucket, ">"));
    let mut from = 1;
    loop {
        // The newest of each key.
        let mut news = BTreeMap::new();
        loop {
            match ask::next(&client, &stream, from, &all).await {
                Ok(Some(stored)) => {
                    from = stored.number.saturating_add(1);
                    if let Some(key) = stored.subject.strip_prefix(&wire::bucket_subject(&bucket, "")) {
                        news.insert(String::from(key), stored);
                    }
                }
                Ok(None) => break,
                Err(why) => {
                    tracing::debug!("nats: settings: {why}");
                    break;
                }
            }
        }
        for (key, stored) in news {
            take(&station, &key, &stored);
        }
        tokio::time::sleep(LOOK).await;
    }
}

fn take(station: &Arc<Station>, key: &str, stored: &Stored) {
    if stored.is_forged() {
        tracing::error!("nats: setting {key} was written by none who may; it is ignored, look at the broker's accounts");
        return;
    }
    if stored.header("KV-Operation").is_some() {
        tracing::info!("nats: setting {key} was taken back; what it set still holds");
        return;
    }
    let setting: Setting = match serde_json::from_slice(&stored.payload) {
        Ok(setting) => setting,
        Err(error) => return tracing::error!("nats: setting {key} cannot be read: {error}; set it again"),
    };
    if let Some(board) = key.strip_prefix(wire::WITNESSED) {
        return witness::take(station, board, &setting);
    }
    let given = Given { key: String::from(key), who: setting.who.clone(), at: setting.at };
    {
        let mut held = station.given.lock().unwrap_or_else(PoisonError::into_inner);
        let news = (given, setting.text.clone());
        if held.get(key) == Some(&news) {
            return;
        }
        held.insert(String::from(key), news);
    }
    tracing::info!("nats: {} changed {key} at {}", setting.who, setting.at);
    let about = format!("{key} from {}", setting.who);
    match key.strip_prefix("pairings.").map(str::parse::<u32>) {
        Some(Ok(round)) => station.chronicle.pairings(about, round, setting.text),
        None if key == "event" => station.chronicle.event(about, setting.text),
        None if key == wire::PUBLIC_KEY => {
            let open = station.lan_public && setting.text != wire::NOTHING_PUBLIC;
            if station.open.swap(open, Ordering::Relaxed) != open {
                let what = if open { "the page is open to everybody again" } else { "nothing is public here, the hall shows the boards" };
                tracing::info!("nats: {what} ({})", setting.who);
            }
        }
        _ => tracing::warn!("nats: setting {key} is not known here; a newer hall set it"),
    }
}
