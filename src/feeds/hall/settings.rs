//! Pairings and the event for the Pis: what this hall reads from its own files goes into the settings bucket, with who changed what. Only the hall that
//! speaks writes; the bucket keeps the last changes of each round.
use super::house::House;
use crate::nats::wire::{self, Setting};
use crate::pairings;
use crate::pairings::fetch;
use crate::pairings::polling::News;
use async_nats::jetstream::Context;
use async_nats::jetstream::kv::Store;
use flagfall_config::list_source::ListSource;
use flagfall_web::stage::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, mpsc};

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(3);
/// Larger lists are none.
const LARGEST: usize = 512 * 1024;

/// Keeps the bucket as the files are, for as long as it can; why it ended.
pub(super) async fn run(house: Arc<House>, jetstream: Context) -> String {
    let store = match jetstream.get_key_value(house.names.settings()).await {
        Ok(store) => store,
        Err(error) => return format!("the bucket of settings: {error}"),
    };
    let (mut seen, mut given): (Option<Vec<u8>>, Option<Vec<u8>>) = (None, None);
    let mut fetched = Fetched::start(&house);
    loop {
        if house.voice.speaks() {
            event(&house, &store).await;
            public(&house, &store).await;
            house.witness.give(&house.name, house.stopwatch.now(), &store).await;
            if let Some(path) = house.config.event.pairings.as_ref().and_then(ListSource::file) {
                match tokio::fs::read(path).await {
                    // A large list is not read again and again.
                    Ok(bytes) if given.as_ref() == Some(&bytes) => {}
                    // A file that is being written changes until the next look.
                    Ok(bytes) if seen.as_ref() == Some(&bytes) => {
                        let stands = list(&house, &store, &bytes, &path.display().to_string()).await;
                        given = stands.then_some(bytes);
                    }
                    Ok(bytes) => seen = Some(bytes).filter(|bytes| bytes.len() <= LARGEST),
                    Err(_) => {}
                }
            }
            if let Some((bytes, about)) = fetched.as_mut().and_then(Fetched::newest)
                && given.as_ref() != Some(bytes)
                && bytes.len() <= LARGEST
                && list(&house, &store, bytes, about).await
            {
                given = Some(bytes.clone());
            }
        } else {
            // Another hall may have another list meanwhile.
            given = None;
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// A list at an address, and the last one that came.
struct Fetched {
    about: String,
    news: mpsc::Receiver<News>,
    last: Option<Vec<u8>>,
}

impl Fetched {
    fn start(house: &House) -> Option<Self> {
        let Some(ListSource::Web(web)) = &house.config.event.pairings else { return None };
        let (tell, news) = mpsc::channel(1);
        // It ends when nobody listens.
        tokio::spawn(fetch::follow(web.clone(), Arc::new(Notify::new()), tell));
        Some(Self { about: web.to_string(), news, last: None })
    }

    fn newest(&mut self) -> Option<(&Vec<u8>, &str)> {
        while let Ok(news) = self.news.try_recv() {
            if let News::List(bytes) = news {
                self.last = Some(bytes);
            }
        }
        Some((self.last.as_ref()?, &self.about))
    }
}

/// A pairing list, at the round it is about; whether it stands there, or never will.
async fn list(house: &House, store: &Store, bytes: &[u8], path: &str) -> bool {
    let (Ok(list), Ok(text)) = (pairings::read(bytes), std::str::from_utf8(bytes)) else { return true };
    let rounds: BTreeSet<u32> = list.pairings.iter().filter_map(|pairing| pairing.round).collect();
    // A list of several rounds stands at the last one; readers take every round in it.
    let round = rounds.last().copied().unwrap_or(1);
    put(house, store, &format!("pairings.{round}"), text, path).await
}

/// What the event is called, as its section of a configuration.
async fn event(house: &House, store: &Store) {
    let text = house.config.event_toml();
    if text.is_empty() {
        return;
    }
    put(house, store, "event", &text, "its configuration").await;
}

/// Where the hall is behind, or shows nothing, its Pis show nothing either. That they may is said only where something else stands.
async fn public(house: &House, store: &Store) {
    let closed = house.config.delay.is_on() || !house.config.lan_public;
    if closed || store.get(wire::PUBLIC_KEY).await.is_ok_and(|said| said.is_some()) {
        put(house, store, wire::PUBLIC_KEY, if closed { wire::NOTHING_PUBLIC } else { "everything" }, "its configuration").await;
    }
}

/// Writes a setting where it is another one; whether it stands there now.
async fn put(house: &House, store: &Store, key: &str, text: &str, from: &str) -> bool {
    let Ok(before) = store.get(key).await else { return false };
    let before = before.and_then(|bytes| serde_json::from_slice::<Setting>(&bytes).ok());
    if before.is_some_and(|setting| setting.text == text) {
        return true;
    }
    let setting = Setting { who: format!("hall {} ({from})", house.name), at: flagfall_time::now(), text: String::from(text), pi: None };
    match store.put(key, json(&setting).into()).await {
        Ok(revision) => {
            tracing::info!("settings: {key} is now what {} has (revision {revision})", setting.who);
            true
        }
        Err(error) => {
            tracing::warn!("settings: {key} cannot be written: {error}");
            false
        }
    }
}
