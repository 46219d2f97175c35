//! Web Push: rings on telephones whose screen is dark. A browser that was asked subscribes; the push service of its maker carries what only the browser
//! can read.
//!
//! | to change | go to |
//! |---|---|
//! | what is sealed and signed | `sealed.rs` |
//! | whose boards ring where | `sector.rs` |
//! | subscriptions, who is rung, what is sent | this file |
mod sealed;
mod sector;

use crate::client;
use crate::ringer::Ring;
use crate::webhook::message::headline;
use flagfall_events::Grade;
use flagfall_web::hub::Hub;
use flagfall_web::private;
use sealed::{Browser, Vapid};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Subscriptions are kept in this file below the data folder.
const FILE: &str = "push.json";
/// At most so many; the oldest goes.
const MOST: usize = 256;
/// A push service has so long to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// A ring that could not be delivered for so long is no news any more, seconds: another one has followed.
const FRESH_S: u32 = 60;
/// Boards that are not one's own ring when nobody has gone there for so long, milliseconds.
const OTHERS_MS: u64 = 60_000;

/// One browser's subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Subscription {
    /// Where its push service takes messages.
    pub endpoint: String,
    /// Its keys.
    pub keys: BrowserKeys,
    /// Only these boards, `1-8, 12`; others when nobody has gone there for a minute. Empty: all.
    #[serde(default)]
    pub boards: String,
    /// `en` or `ru`.
    #[serde(default)]
    pub lang: String,
}

/// The keys of a subscription, as browsers give them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BrowserKeys {
    /// Its public key, base64url.
    pub p256dh: String,
    /// Its secret for us, base64url.
    pub auth: String,
}

/// One, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    /// The account; nobody's where there are none.
    name: Option<String>,
    #[serde(flatten)]
    subscription: Subscription,
}

/// Whether somebody still is an arbiter here: an account's name, or nobody's where there are no accounts.
pub type IsArbiter = Arc<dyn Fn(Option<&str>) -> bool + Send + Sync>;

/// All subscriptions, and the way to them. Clones are the same.
#[derive(Clone)]
pub struct Push(Arc<Inner>);

struct Inner {
    http: Option<reqwest::Client>,
    vapid: Option<Vapid>,
    file: Option<PathBuf>,
    is_arbiter: IsArbiter,
    kept: Mutex<Vec<Kept>>,
    /// Endpoints that have not answered yet.
    busy: Mutex<HashSet<String>>,
}

/// Whether a push service may be there: encrypted, or on this machine.
fn is_service(endpoint: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(endpoint) else { return false };
    let here =
        url.host_str().is_some_and(|host| host.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback()));
    endpoint.len() <= 2048 && (url.scheme() == "https" || here && url.scheme() == "http")
}

impl Push {
    /// Those that this folder has.
    pub fn open(folder: Option<&Path>, is_arbiter: IsArbiter) -> Self {
        let file = folder.map(|folder| folder.join(FILE));
        let kept = file.as_deref().and_then(|path| private::read(path, |bytes| serde_json::from_slice(bytes).ok())).unwrap_or_default();
        let http = client::new(PATIENCE).map_err(|why| tracing::error!("push: {why}")).ok();
        let inner = Inner { http, vapid: Vapid::open(folder), file, is_arbiter, kept: Mutex::new(kept), busy: Mutex::default() };
        Self(Arc::new(inner))
    }

    /// What a browser needs to subscribe.
    pub fn key(&self) -> Option<String> {
        self.0.vapid.as_ref().map(Vapid::public)
    }

    /// A browser subscribes, or says something new of its subscription. False for one that cannot be used.
    pub fn subscribe(&self, name: Option<String>, subscription: Subscription) -> bool {
        let fits = is_service(&subscription.endpoint)
            && Browser::read(&subscription.keys.p256dh, &subscription.keys.auth).is_some()
            && subscription.boards.len() <= 200;
        if fits {
            self.0.change(|kept| {
                kept.retain(|known| known.subscription.endpoint != subscription.endpoint);
                kept.push(Kept { name, subscription });
                let over = kept.len().saturating_sub(MOST);
                kept.drain(..over);
            });
        }
        fits
    }

    /// A browser wants nothing any more.
    pub fn unsubscribe(&self, endpoint: &str) {
        self.0.change(|kept| kept.retain(|known| known.subscription.endpoint != endpoint));
    }

    /// A finding rings where it is wanted.
    pub fn ring(&self, hub: &Hub, ring: &Ring) {
        let (board, finding) = (&ring.waiting.board, &ring.waiting.finding);
        let late = finding.grade == Grade::Ruling && ring.age_ms >= OTHERS_MS;
        for kept in self.wanted(|kept| late || sector::has(&kept.subscription.boards, board)) {
            let title = headline(kept.subscription.lang == "ru", board, &ring.waiting.players, finding);
            let place = hub.link_to(board, Some(finding.id)).and_then(|link| Some(format!("/arbiter{}", link.split_once("/arbiter")?.1)));
            let text = json!({ "title": title, "place": place, "tag": format!("{board}-{}", finding.id), "again": ring.times > 1 });
            self.send(hub, kept, text.to_string());
        }
    }

    /// Sends a test to every browser of this arbiter; how many there are.
    pub fn test(&self, hub: &Hub, name: Option<&str>) -> usize {
        let own = self.wanted(|kept| kept.name.as_deref() == name);
        let count = own.len();
        for kept in own {
            let title = if kept.subscription.lang == "ru" {
                "Проверка: так придёт вызов"
            } else {
                "Test: this is how a call arrives"
            };
            let text = json!({ "title": title, "place": "/arbiter", "tag": "test", "again": false });
            self.send(hub, kept, text.to_string());
        }
        count
    }

    fn wanted(&self, wants: impl Fn(&Kept) -> bool) -> Vec<Kept> {
        let kept = self.0.lock().clone();
        kept.into_iter().filter(|kept| wants(kept) && (self.0.is_arbiter)(kept.name.as_deref())).collect()
    }

    /// In a task of its own; what is still on its way to a browser is not sent to it twice.
    fn send(&self, hub: &Hub, kept: Kept, text: String) {
        let endpoint = kept.subscription.endpoint.clone();
        if !self.0.busy().insert(endpoint.clone()) {
            return;
        }
        // Whom a push service asks when something is wrong.
        let root = hub.link_to_list().filter(|root| root.starts_with("https://"));
        let contact = root.unwrap_or_else(|| String::from("mailto:flagfall@example.org"));
        let inner = self.0.clone();
        tokio::spawn(async move {
            if let Err(why) = inner.deliver(&kept.subscription, text, &contact).await {
                tracing::warn!("push: {why}");
            }
            inner.busy().remove(&endpoint);
        });
    }
}

impl Inner {
    async fn deliver(&self, to: &Subscription, text: String, contact: &str) -> Result<(), String> {
        let (Some(http), Some(vapid)) = (&self.http, &self.vapid) else { return Ok(()) };
        let sealed = Browser::read(&to.keys.p256dh, &to.keys.auth).and_then(|browser| browser.seal(text));
        let Some(body) = sealed else { return Err(String::from("a subscription's keys cannot be used")) };
        let origin = reqwest::Url::parse(&to.endpoint).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
        let signed = vapid.authorization(&origin, contact, flagfall_time::now().timestamp().as_second());
        let request = http.post(&to.endpoint).header("Authorization", signed).header("TTL", FRESH_S).header("Urgency", "high");
        let request = request.header("Content-Encoding", "aes128gcm").header("Content-Type", "application/octet-stream").body(body);
        // Without its address: it is the browser's secret.
        let answer = request.send().await.map_err(|error| format!("{origin}: no answer: {}", error.without_url()))?;
        match answer.status().as_u16() {
            200..=299 => Ok(()),
            // The browser does not want it any more, or is gone.
            404 | 410 => {
                self.change(|kept| kept.retain(|known| known.subscription.endpoint != to.endpoint));
                Ok(())
            }
            status => Err(format!("{origin} answers {status}")),
        }
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Kept>)) {
        let mut kept = self.lock();
        change(&mut kept);
        let Some(path) = &self.file else { return };
        let written = serde_json::to_vec(&*kept).map_err(std::io::Error::other).and_then(|bytes| private::write(path, &bytes));
        if let Err(error) = written {
            tracing::warn!("{}: {error}; after a restart telephones have to be set up again", path.display());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn busy(&self) -> MutexGuard<'_, HashSet<String>> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Push {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Push").field("subscriptions", &self.0.lock().len()).finish_non_exhaustive()
    }
}
