//! Alerts: findings, alarms and results by HTTP to those who must know at once, signed, with patience, and never in a board's way.
//!
//! Each target has a queue and a task of its own. A queue that is full loses the newest alert, and says so as an alarm.
//!
//! | to change | go to |
//! |---|---|
//! | what is told, in which words | `webhook/message.rs` |
//! | requests, signatures, patience | `webhook/delivery.rs` |
//! | the topic of a machine whose configuration names none | `webhook/topic.rs` |
mod delivery;
pub(crate) mod message;
pub(crate) mod topic;

use crate::ledger::{Book, Ledger};
use crate::ringer::Ring;
use delivery::{Delivery, FAILING};
use flagfall_config::alerts::{Alert, AlertKind};
use flagfall_events::{Body, Event, Mono};
use flagfall_time::Stopwatch;
use flagfall_web::hub::{Alerts, Hub};
use flagfall_web::voice::Voice;
use message::{Message, Place};
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
    ledger: Ledger,
    /// Ends its task.
    _stop: DropGuard,
}

/// All targets.
struct Webhooks {
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

/// The daemon's alerts: their targets come and go with the configuration. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Alerting(Arc<Mutex<Option<Arc<Webhooks>>>>);

impl Alerting {
    /// Begins to tell `alerts` what `hub` is told, until `token` is cancelled or it is called again: targets that are the same then go on,
    /// the others end. A target that cannot be used is said in the log and as an alarm.
    pub fn follow(&self, alerts: &[Alert], hub: &Arc<Hub>, token: &CancellationToken) {
        let before = self.now();
        let known = before.as_ref().map_or(&[][..], |before| &before.targets);
        let (mut targets, mut failing) = (Vec::new(), Vec::new());
        for (number, alert) in (1..).zip(alerts) {
            let host = alert
                .url
                .as_deref()
                .unwrap_or_default()
                .parse::<axum::http::Uri>()
                .ok()
                .and_then(|uri| uri.host().map(String::from))
                .unwrap_or_default();
            let name = format!("alert {number} ({host})");
            if let Some(same) = known.iter().find(|old| old.name == name && old.alert == *alert) {
                targets.push(same.clone());
                continue;
            }
            match Target::start(alert, &name, hub, token) {
                Ok(target) => targets.push(Arc::new(target)),
                Err(why) => {
                    tracing::error!("{name}: {why}");
                    failing.push((name, why));
                }
            }
        }
        // What was wrong with targets that are no more.
        hub.forget(|about| about.starts_with("alert ") && !targets.iter().any(|target| target.name == about));
        if !targets.is_empty() || !known.is_empty() {
            if before.is_none() {
                tokio::spawn(voice_changes(self.clone(), Arc::downgrade(hub), token.clone()));
            }
            let next = Webhooks { targets, voice: hub.voice().clone(), stopwatch: Stopwatch::start(), held: Mutex::default() };
            let next = Arc::new(next);
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(next.clone());
            hub.tell(next);
        }
        for (name, why) in failing {
            hub.alarm(FAILING, &name, Some(why));
        }
    }

    /// Every target by its name: what it got, and how many alerts wait for it.
    pub fn sent(&self) -> Vec<(String, Book, usize)> {
        let waiting = |target: &Target| target.queue.max_capacity() - target.queue.capacity();
        let targets = self.now().map(|now| now.targets.clone()).unwrap_or_default();
        targets.iter().map(|target| (target.name.clone(), target.ledger.book(), waiting(target))).collect()
    }

    /// A finding that nobody goes to rings again at every ntfy topic that wants its grade. Programs are told of it once.
    pub fn ring(&self, hub: &Hub, ring: &Ring) {
        let Some(alerts) = self.now().filter(|alerts| alerts.voice.speaks()) else { return };
        let finding = &ring.waiting.finding;
        let place = Place { players: ring.waiting.players.clone(), link: hub.link_to(&ring.waiting.board, Some(finding.id)) };
        let wants = |target: &&Arc<Target>| target.alert.kind == AlertKind::Ntfy && target.alert.grades.contains(&finding.grade);
        // A topic that is behind has not even heard the ring before.
        for target in alerts.targets.iter().filter(wants).filter(|target| target.queue.capacity() == WAITING) {
            target.hand(hub, message::of_ring(&target.alert, &ring.waiting.board, &place, finding, ring.times));
        }
    }

    /// The topics of ntfy, as telephones subscribe to them.
    pub(crate) fn topics(&self) -> Vec<String> {
        let targets = self.now().map(|now| now.targets.clone()).unwrap_or_default();
        targets.iter().filter(|target| target.alert.kind == AlertKind::Ntfy).filter_map(|target| target.alert.url.clone()).collect()
    }

    /// Sends every ntfy topic a test; how many there are.
    pub(crate) fn test(&self, hub: &Hub, link: Option<String>) -> usize {
        let Some(alerts) = self.now() else { return 0 };
        let topics = alerts.targets.iter().filter(|target| target.alert.kind == AlertKind::Ntfy);
        topics.map(|target| target.hand(hub, message::of_test(&target.alert, flagfall_time::now(), link.clone()))).count()
    }

    fn now(&self) -> Option<Arc<Webhooks>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Whoever begins to speak tells what the one before may have left untold.
async fn voice_changes(alerting: Alerting, hub: Weak<Hub>, token: CancellationToken) {
    let Some(mut voice) = hub.upgrade().map(|hub| hub.voice().clone()) else { return };
    loop {
        tokio::select! {
            () = token.cancelled() => return,
            () = voice.changed() => {}
        }
        let Some(hub) = hub.upgrade() else { return };
        if let Some(alerts) = alerting.now().filter(|_| voice.speaks()) {
            alerts.tell_held(&hub);
        }
    }
}

impl Alerts for Webhooks {
    fn waiting(&self) -> Vec<(String, u64)> {
        self.targets.iter().map(|target| (target.name.clone(), (target.queue.max_capacity() - target.queue.capacity()) as u64)).collect()
    }

    fn event(&self, hub: &Hub, event: &Event) {
        if !matches!(event.body, Body::Finding(_) | Body::Alarm { .. } | Body::Result { .. }) {
            return;
        }
        let place = about(hub, event);
        for target in &self.targets {
            if let Some(message) = message::of_event(&target.alert, event, &place) {
                if self.voice.speaks() {
                    target.hand(hub, message);
                } else {
                    self.hold(target, message);
                }
            }
        }
    }

    /// A target is not told of itself.
    fn alarm(&self, hub: &Hub, key: &str, about: &str, text: Option<&str>) {
        if !self.voice.speaks() {
            return;
        }
        for target in self.targets.iter().filter(|target| target.alert.alarms && target.name != about) {
            target.hand(hub, message::of_alarm(&target.alert, key, about, text, flagfall_time::now()));
        }
    }
}

/// Who plays there, and where the card is.
fn about(hub: &Hub, event: &Event) -> Place {
    let finding = if let Body::Finding(finding) = &event.body { Some(finding.id) } else { None };
    let players = hub.arbiters().look(&event.board, |board| board.players()).unwrap_or_default();
    Place { players, link: hub.link_to(&event.board, finding) }
}

impl Webhooks {
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
}

impl Target {
    /// Begins to tell one; `Err`: why it cannot be used.
    fn start(alert: &Alert, name: &str, hub: &Arc<Hub>, token: &CancellationToken) -> Result<Self, String> {
        let ledger = Ledger::default();
        let delivery = Delivery::new(alert, name, Arc::downgrade(hub))?.keeping(ledger.clone());
        let (queue, inbox) = mpsc::channel(WAITING);
        let stop = token.child_token();
        let (stopped, voice) = (stop.clone(), hub.voice().clone());
        tokio::spawn(async move {
            tokio::select! {
                () = stopped.cancelled() => {}
                () = delivery.run(inbox, voice) => {}
            }
        });
        hub.metrics().publisher(name);
        Ok(Self { alert: alert.clone(), name: String::from(name), queue, ledger, _stop: stop.drop_guard() })
    }

    fn hand(&self, hub: &Hub, message: Message) {
        if self.queue.try_send(message).is_err() {
            let text = format!("{WAITING} alerts wait and more are lost; look whether the receiver answers");
            // The other targets are told; this one is not told of itself.
            hub.alarm(FAILING, &self.name, Some(text));
        }
    }
}
