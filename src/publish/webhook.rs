//! Alerts: findings, alarms and results by HTTP to those who must know at once, signed, with patience, and never in a board's way.
//!
//! Each target has a queue and a task of its own. A queue that is full loses the newest alert, and says so as an alarm.
//!
//! | to change | go to |
//! |---|---|
//! | what is told, in which words | `webhook/message.rs` |
//! | requests, signatures, patience | `webhook/delivery.rs` |
mod delivery;
mod message;

use super::hub::Hub;
use crate::config::alerts::Alert;
use crate::game::event::Event;
use crate::time::Wall;
use delivery::Delivery;
use message::Message;
use std::fmt;
use std::sync::{Arc, Weak};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Alerts that wait for one target at most.
const WAITING: usize = 256;

struct Target {
    alert: Alert,
    /// What it is called in alarms: never its whole address, which may be a secret.
    name: String,
    queue: mpsc::Sender<Message>,
}

/// All targets.
pub struct Webhooks(Vec<Target>);

impl fmt::Debug for Webhooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|target| &target.name)).finish()
    }
}

/// Begins to tell `alerts` what `hub` is told, until `token` is cancelled. A target that cannot be used is said in the log and as an alarm.
pub fn start(alerts: &[Alert], hub: &Arc<Hub>, token: &CancellationToken) {
    let mut targets = Vec::new();
    for (number, alert) in (1..).zip(alerts) {
        let host = alert.url.parse::<axum::http::Uri>().ok().and_then(|uri| uri.host().map(String::from)).unwrap_or_default();
        let name = format!("alert {number} ({host})");
        match Delivery::new(alert, &name, Arc::downgrade(hub)) {
            Ok(delivery) => {
                let (queue, inbox) = mpsc::channel(WAITING);
                let token = token.clone();
                tokio::spawn(async move {
                    tokio::select! {
                        () = token.cancelled() => {}
                        () = delivery.run(inbox) => {}
                    }
                });
                targets.push(Target { alert: alert.clone(), name, queue });
            }
            Err(why) => {
                tracing::error!("{name}: {why}");
                hub.alarm(FAILING, &name, Some(why));
            }
        }
    }
    if !targets.is_empty() {
        hub.tell(Webhooks(targets));
    }
}

/// The alarm's key.
const FAILING: &str = "feed-failing";

impl Webhooks {
    /// Hands on what is to be told of an event. Never waits.
    pub(super) fn event(&self, hub: &Hub, event: &Event) {
        for target in &self.0 {
            if let Some(message) = message::of_event(&target.alert, event) {
                target.hand(hub, message);
            }
        }
    }

    /// Hands on an alarm that is about no board's game. Never waits. A target is not told of itself.
    pub(super) fn alarm(&self, hub: &Hub, key: &str, about: &str, text: Option<&str>) {
        for target in self.0.iter().filter(|target| target.alert.alarms && target.name != about) {
            target.hand(hub, message::of_alarm(&target.alert, key, about, text, Wall::now()));
        }
    }
}

impl Target {
    fn hand(&self, hub: &Hub, message: Message) {
        if self.queue.try_send(message).is_err() {
            let text = format!("{WAITING} alerts wait and more are lost; look whether the receiver answers");
            // The other targets are told; this one is not told of itself.
            hub.alarm(FAILING, &self.name, Some(text));
        }
    }
}

/// The hub, while it is there.
type Office = Weak<Hub>;
