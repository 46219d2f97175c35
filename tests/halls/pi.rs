//! A Pi as the broker sees one: events with their headers, presence, answers to orders. What it does at a board is another test's matter.
use crate::broker::Broker;
use async_nats::{Client, HeaderMap};
use flagfall::feeds::nats::wire::{self, Answer, Asked, BoardPresence, Journals, Kind, Names, Order, Presence};
use flagfall::web::boards::preview::Preview;
use flagfall::web::boards::ruled::Happened;
use flagfall_events::{Event, LinkState, Wall};
use futures_util::StreamExt as _;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// What reached a board: orders by key with the first answer, and how often each came.
#[derive(Default)]
pub(crate) struct Taken {
    pub(crate) orders: Vec<Order>,
    answers: HashMap<String, Answer>,
    pub(crate) came: HashMap<String, u32>,
    ruled: HashMap<u64, String>,
}

pub(crate) struct Pi {
    runtime: Runtime,
    client: Client,
    name: String,
    names: Names,
    epochs: HashMap<String, String>,
    pub(crate) taken: Arc<Mutex<Taken>>,
    /// Answers come so late.
    pub(crate) slow: Duration,
    here: Vec<JoinHandle<()>>,
}

impl Pi {
    pub(crate) fn new(broker: &Broker, name: &str) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let client = runtime.block_on(async_nats::connect(broker.url())).unwrap();
        let (names, name) = (Names::new("open"), String::from(name));
        Self { runtime, client, name, names, epochs: HashMap::new(), taken: Arc::default(), slow: Duration::ZERO, here: Vec::new() }
    }

    /// Says everything of `events` on `board`, acknowledged one by one.
    pub(crate) fn say(&mut self, board: &str, events: &[Event]) {
        self.send(board, events, false);
    }

    /// Has the server say it, as an answer that it sends where it should not.
    pub(crate) fn forge(&mut self, board: &str, events: &[Event]) {
        self.send(board, events, true);
    }

    fn send(&mut self, board: &str, events: &[Event], forged: bool) {
        let epoch = self.epochs.entry(String::from(board)).or_insert_with(|| wire::random(8)).clone();
        self.runtime.block_on(async {
            let jetstream = async_nats::jetstream::new(self.client.clone());
            for event in events {
                let event = Event { board: board.into(), ..event.clone() };
                let mut headers = HeaderMap::new();
                headers.insert(wire::MSG_ID, wire::msg_id(board, &epoch, event.seq));
                headers.insert(wire::PI, wire::token(&self.name));
                headers.insert(wire::EPOCH, epoch.as_str());
                headers.insert(wire::SEQ, event.seq.to_string());
                headers.insert(wire::AGE, "0");
                if forged {
                    headers.insert(wire::FORGED, "x");
                }
                let subject = self.names.subject(board, Kind::Arbiter);
                let body = serde_json::to_vec(&event).unwrap();
                jetstream.publish_with_headers(subject, headers, body.into()).await.unwrap().await.unwrap();
            }
        });
    }

    /// What the hall says to its Pis under this key.
    pub(crate) fn setting(&self, key: &str) -> Option<String> {
        self.runtime.block_on(async {
            let jetstream = async_nats::jetstream::new(self.client.clone());
            let store = jetstream.get_key_value(self.names.settings()).await.ok()?;
            let bytes = store.get(key).await.ok()??;
            Some(serde_json::from_slice::<serde_json::Value>(&bytes).ok()?["text"].as_str()?.to_owned())
        })
    }

    /// Somebody deletes messages of the stream.
    pub(crate) fn delete(&self, numbers: &[u64]) {
        self.runtime.block_on(async {
            let jetstream = async_nats::jetstream::new(self.client.clone());
            let stream = jetstream.get_stream(self.names.stream()).await.unwrap();
            for number in numbers {
                assert!(stream.delete_message(*number).await.unwrap());
            }
        });
    }

    /// The board's journals begin from nothing.
    pub(crate) fn begin_anew(&mut self, board: &str) {
        self.epochs.remove(board);
    }

    /// It is there, with these boards, and takes orders for them.
    pub(crate) fn come(&mut self, boards: &[&str]) {
        let presence = Presence {
            pi: self.name.clone(),
            version: String::from("0"),
            started_at: flagfall::time::now(),
            at: flagfall::time::now(),
            boards: boards
                .iter()
                .map(|board| BoardPresence {
                    board: String::from(*board),
                    epoch: self.epochs.get(*board).cloned().unwrap_or_default(),
                    seq: 0,
                    link: LinkState::Up,
                    serial: None,
                    sent_seq: 0,
                    checkpoint: None,
                    way: None,
                    trouble: None,
                    exchanged: None,
                })
                .collect(),
            journal: Journals::Ok,
            behind: 0,
            key: None,
            temperature_c: None,
        };
        let subject = wire::bucket_subject(&self.names.presence(), &wire::token(&self.name));
        for board in boards {
            let (client, taken, slow) = (self.client.clone(), self.taken.clone(), self.slow);
            let mut orders = self.runtime.block_on(client.subscribe(self.names.order(board))).unwrap();
            self.here.push(self.runtime.spawn(async move {
                while let Some(message) = orders.next().await {
                    let answer = match serde_json::from_slice::<Asked>(&message.payload) {
                        Ok(_) => Answer::Previewed(Box::new(Preview { seq: 77, waits: true, ..Preview::default() })),
                        Err(_) => {
                            let order: Order = serde_json::from_slice(&message.payload).unwrap();
                            taken.lock().unwrap().take(order)
                        }
                    };
                    tokio::time::sleep(slow).await;
                    if let Some(reply) = message.reply {
                        let _ = client.publish(reply, serde_json::to_vec(&answer).unwrap().into()).await;
                    }
                }
            }));
        }
        let client = self.client.clone();
        self.here.push(self.runtime.spawn(async move {
            loop {
                let body = serde_json::to_vec(&Presence { at: flagfall::time::now(), ..presence.clone() }).unwrap();
                let _ = client.publish(subject.clone(), body.into()).await;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }));
        self.runtime.block_on(self.client.flush()).unwrap();
    }

    /// Nothing is heard of it any more.
    pub(crate) fn go(&mut self) {
        for task in self.here.drain(..) {
            task.abort();
            // The subscription ends with its task.
            let _ = self.runtime.block_on(task);
        }
        self.runtime.block_on(self.client.flush()).unwrap();
    }
}

impl Taken {
    /// As a Pi must: a repeat gets the first answer, and of two rulings on one finding the first counts.
    fn take(&mut self, order: Order) -> Answer {
        *self.came.entry(order.key.clone()).or_default() += 1;
        if let Some(answer) = self.answers.get(&order.key) {
            return answer.clone();
        }
        let who = order.entry.who.clone().unwrap_or_default();
        let finding = serde_json::to_value(&order.entry).unwrap()["finding"].as_u64();
        let answer = match finding.and_then(|finding| self.ruled.get(&finding)) {
            Some(other) => {
                let (what, who) = (String::from("confirm"), Some(other.clone()));
                let meanwhile = vec![Happened { seq: 1_001, at: Wall::EPOCH, what, who, finding, result: None }];
                Answer::Refused { reason: format!("{other} ruled on it meanwhile"), hint: String::new(), meanwhile }
            }
            None => {
                finding.map(|finding| self.ruled.insert(finding, who));
                self.orders.push(order.clone());
                Answer::Taken { seq: 1_000 + self.orders.len() as u64, recovered: Vec::new() }
            }
        };
        self.answers.insert(order.key, answer.clone());
        answer
    }
}
