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

use crate::config::alerts::Alert;
use crate::time::Stopwatch;
use crate::web::hub::Hub;
use crate::web::voice::Voice;
use delivery::Delivery;
use flagfall_events::{Event, Mono};
use message::Message;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

/// Alerts that wait for one target at most.
const WAITING: usize = 256;
/// How long an alert is held that another hall tells, milliseconds: longer than a lease lasts. Receivers know repetitions by their ids.
const HELD_MS: u64 = 30_000;

struct Target {
    alert: Alert,
    /// What it is called in alarms: never its whole address, which may be a secret.
    name: String,
    queue: mpsc::Sender<Message>,
    /// Ends its task.
    _stop: DropGuard,
}

/// All targets.
pub struct Webhooks {
    targets: Vec<Arc<Target>>,
    voice: Voice,
    stopwatch: Stopwatch,
    /// What another hall should have told by now, by target: where that one died, this one tells it.
    held: Mutex<VecDeque<(Mono, Arc<Target>, Message)>>,
}

impl fmt::Debug for Webhooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.targets.iter().map(|target| &target.name)).finish()
    }
}

/// Begins to tell `alerts` what `hub` is told, until `token` is cancelled or it is called again: targets that are the same then go on,
/// the others end. A target that cannot be used is said in the log and as an alarm.
pub fn start(alerts: &[Alert], hub: &Arc<Hub>, token: &CancellationToken) {
    let before = hub.alerts();
    let before = before.as_ref().map_or(&[][..], |before| &before.targets);
    let (mut targets, mut failing) = (Vec::new(), Vec::new());
    for (number, alert) in (1..).zip(alerts) {
        let host = alert.url.parse::<axum::http::Uri>().ok().and_then(|uri| uri.host().map(String::from)).unwrap_or_default();
        let name = format!("alert {number} ({host})");
        if let Some(same) = before.iter().find(|old| old.name == name && old.alert == *alert) {
            targets.push(same.clone());
            continue;
        }
        match Delivery::new(alert, &name, Arc::downgrade(hub)) {
            Ok(delivery) => {
                let (queue, inbox) = mpsc::channel(WAITING);
                let stop = token.child_token();
                let (stopped, voice) = (stop.clone(), hub.voice().clone());
                tokio::spawn(async move {
                    tokio::select! {
                        () = stopped.cancelled() => {}
                        () = delivery.run(inbox, voice) => {}
                    }
                });
                hub.metrics().publisher(&name);
                targets.push(Arc::new(Target { alert: alert.clone(), name, queue, _stop: stop.drop_guard() }));
            }
            Err(why) => {
                tracing::error!("{name}: {why}");
                failing.push((name, why));
            }
        }
    }
    // What was wrong with targets that are no more.
    hub.forget(|about| about.starts_with("alert ") && !targets.iter().any(|target| target.name == about));
    if !targets.is_empty() || !before.is_empty() {
        if hub.alerts().is_none() {
            tokio::spawn(voice_changes(Arc::downgrade(hub), token.clone()));
        }
        hub.tell(Webhooks { targets, voice: hub.voice().clone(), stopwatch: Stopwatch::start(), held: Mutex::default() });
    }
    for (name, why) in failing {
        hub.alarm(FAILING, &name, Some(why));
    }
}

/// Whoever begins to speak tells what the one before may have left untold.
async fn voice_changes(hub: Office, token: CancellationToken) {
    let Some(mut voice) = hub.upgrade().map(|hub| hub.voice().clone()) else { return };
    loop {
        tokio::select! {
            () = token.cancelled() => return,
            () = voice.changed() => {}
        }
        let Some(hub) = hub.upgrade() else { return };
        if let Some(alerts) = hub.alerts().filter(|_| voice.speaks()) {
            alerts.tell_held(&hub);
        }
    }
}

/// The alarm's key.
const FAILING: &str = "feed-failing";

impl Webhooks {
    /// How many alerts wait for each target.
    pub(crate) fn waiting(&self) -> Vec<(String, u64)> {
        self.targets.iter().map(|target| (target.name.clone(), (target.queue.max_capacity() - target.queue.capacity()) as u64)).collect()
    }

    /// Hands on what is to be told of an event. Never waits.
    pub(crate) fn event(&self, hub: &Hub, event: &Event) {
        for target in &self.targets {
            if let Some(message) = message::of_event(&target.alert, event) {
                if self.voice.speaks() {
                    target.hand(hub, message);
                } else {
                    self.hold(target, message);
                }
            }
        }
    }

    fn hold(&self, target: &Arc<Target>, message: Message) {
        let now = self.stopwatch.now();
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        while held.front().is_some_and(|(at, ..)| now.since(*at) > HELD_MS) || held.len() >= WAITING {
            held.pop_front();
        }
        held.push_back((now, target.clone(), message));
    }

    fn tell_held(&self, hub: &Hub) {
        let now = self.stopwatch.now();
        for (at, target, message) in std::mem::take(&mut *self.held.lock().unwrap_or_else(PoisonError::into_inner)) {
            if now.since(at) <= HELD_MS {
                target.hand(hub, message);
            }
        }
    }

    /// Hands on an alarm that is about no board's game. Never waits. A target is not told of itself.
    pub(crate) fn alarm(&self, hub: &Hub, key: &str, about: &str, text: Option<&str>) {
        if !self.voice.speaks() {
            return;
        }
        for target in self.targets.iter().filter(|target| target.alert.alarms && target.name != about) {
            target.hand(hub, message::of_alarm(&target.alert, key, about, text, crate::time::now()));
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
