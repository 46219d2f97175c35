//! Requests to one target: signed, repeated with growing pauses, given up after a while.
use super::message::Message;
use crate::client;
use crate::ledger::Ledger;
use flagfall_config::alerts::{Alert, AlertKind};
use flagfall_time::Stopwatch;
use flagfall_web::hub::Hub;
use flagfall_web::voice::Voice;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::fs;
use std::path::PathBuf;
use std::sync::Weak;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// The alarm's key.
pub(super) const FAILING: &str = "feed-failing";
/// The hub, while it is there.
type Office = Weak<Hub>;

/// A receiver has this long to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The first pause; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// An alert that could not be delivered for so long is no news any more, milliseconds.
const STALE: u64 = 15 * 60_000;
/// Failed tries after which the operator is told.
const TRIES: u32 = 3;

/// How one try ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Try {
    Delivered,
    /// It may work later.
    Later(String, Option<Duration>),
    /// It never will.
    Refused(String),
}

/// One target's end of its queue.
pub(super) struct Delivery {
    http: reqwest::Client,
    url: String,
    kind: AlertKind,
    secret_file: Option<PathBuf>,
    name: String,
    office: Office,
    stopwatch: Stopwatch,
    ledger: Ledger,
}

impl Delivery {
    pub(super) fn new(alert: &Alert, name: &str, office: Office) -> Result<Self, String> {
        let http = client::new(PATIENCE)?;
        let delivery = Self {
            http,
            url: alert.url.clone().ok_or("it has no address")?,
            kind: alert.kind,
            secret_file: alert.secret_file.clone(),
            name: String::from(name),
            office,
            stopwatch: Stopwatch::start(),
            ledger: Ledger::default(),
        };
        delivery.secret()?;
        Ok(delivery)
    }

    /// It writes down there what was delivered.
    pub(super) fn keeping(self, ledger: Ledger) -> Self {
        Self { ledger, ..self }
    }

    /// Sends what comes, one after the other, for ever.
    pub(super) async fn run(self, mut inbox: mpsc::Receiver<Message>, voice: Voice) {
        while let Some(message) = inbox.recv().await {
            self.deliver(&message, &voice).await;
        }
    }

    async fn deliver(&self, message: &Message, voice: &Voice) {
        let began = self.stopwatch.now();
        let (mut pause, mut tries) = (FIRST_PAUSE, 0_u32);
        loop {
            if !voice.speaks() {
                // Whoever speaks now tells it.
                return;
            }
            tries = tries.saturating_add(1);
            let tried = self.send(message).await;
            self.ledger.answered(match &tried {
                Try::Delivered => Ok(()),
                Try::Later(why, _) | Try::Refused(why) => Err(why.clone()),
            });
            if let Some(hub) = self.office.upgrade() {
                hub.metrics().delivery(&self.name, tried == Try::Delivered);
            }
            match tried {
                Try::Delivered => return self.tell(None),
                Try::Refused(why) => return self.tell(Some(format!("{why}; this alert is lost. Check url and secret_file"))),
                Try::Later(why, wish) => {
                    if tries >= TRIES {
                        self.tell(Some(format!("{why}; it is tried again and again. Look whether the receiver runs")));
                    }
                    if self.stopwatch.now().since(began) > STALE {
                        return;
                    }
                    sleep(wish.unwrap_or(pause).min(LONGEST_PAUSE)).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    async fn send(&self, message: &Message) -> Try {
        // Read each time: a new secret works with the next alert.
        let secret = match self.secret() {
            Ok(secret) => secret,
            Err(why) => return Try::Later(why, None),
        };
        let mut request =
            self.http.post(&self.url).header("Content-Type", message.content_type).header("X-Flagfall-Delivery", encoded(&message.id));
        for (name, value) in &message.headers {
            request = request.header(*name, value);
        }
        match (secret, self.kind) {
            (Some(secret), AlertKind::Webhook) => {
                let stamp = flagfall_time::now().timestamp().as_second().to_string();
                request =
                    request.header("X-Flagfall-Signature", signature(&secret, &stamp, &message.body)).header("X-Flagfall-Timestamp", stamp);
            }
            (Some(secret), AlertKind::Ntfy) => request = request.bearer_auth(secret),
            (None, _) => {}
        }
        let answer = match request.body(message.body.clone()).send().await {
            Ok(answer) => answer,
            // Without its address: it may hold a secret.
            Err(error) => return Try::Later(format!("no answer: {}", error.without_url()), None),
        };
        let status = answer.status();
        let after = answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok()).map(Duration::from_secs);
        if status.is_success() {
            Try::Delivered
        } else if status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429) {
            Try::Later(format!("the receiver answers {status}"), after)
        } else {
            Try::Refused(format!("the receiver answers {status}"))
        }
    }

    /// The secret, without the line break that editors add.
    fn secret(&self) -> Result<Option<String>, String> {
        let Some(path) = &self.secret_file else { return Ok(None) };
        let text = fs::read_to_string(path).map_err(|error| format!("secret_file {}: {error}", path.display()))?;
        let secret = text.trim();
        if secret.is_empty() {
            return Err(format!("secret_file {} is empty", path.display()));
        }
        Ok(Some(String::from(secret)))
    }

    fn tell(&self, text: Option<String>) {
        if let Some(hub) = self.office.upgrade() {
            hub.alarm(FAILING, &self.name, text);
        }
    }
}

/// `sha256=` and the HMAC-SHA256 of the time stamp, a dot and the body, in hexadecimal digits.
fn signature(secret: &str, stamp: &str, body: &str) -> String {
    // HMAC takes keys of every length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return String::new() };
    for part in [stamp, ".", body] {
        mac.update(part.as_bytes());
    }
    let digits: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={digits}")
}

/// A board's name may have letters that a header may not.
fn encoded(id: &str) -> String {
    id.bytes()
        .map(|byte| if byte.is_ascii_graphic() && byte != b'%' { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
#[path = "delivery_tests.rs"]
mod tests;
