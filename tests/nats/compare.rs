//! Journals against the stream, event by event.
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::{self, Context};
use flagfall::feeds::nats::wire::{self, Kind, Names};
use flagfall::journal::{read, store};
use futures_util::StreamExt as _;
use std::collections::BTreeMap;
use std::path::Path;

/// A message of the stream.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) board: String,
    pub(crate) kind: Kind,
    pub(crate) epoch: String,
    pub(crate) seq: u64,
    pub(crate) body: String,
    /// Subject, headers and body.
    pub(crate) bytes: usize,
}

/// So often it is asked for everything in the stream, every half second.
const TRIES: u32 = 20;

/// Everything in the stream, in its order.
pub(crate) async fn sent(jetstream: &Context, names: &Names) -> Vec<Sent> {
    let mut stream = jetstream.get_stream(names.stream()).await.unwrap();
    let count = stream.info().await.unwrap().state.messages;
    let config =
        pull::Config { deliver_policy: DeliverPolicy::All, ack_policy: AckPolicy::None, memory_storage: true, ..pull::Config::default() };
    // Servers that were all away choose who keeps consumers some time after the stream works again; one made before that may be gone.
    for _ in 0..TRIES {
        match stream.create_consumer(config.clone()).await {
            Ok(consumer) => {
                if let Some(sent) = all_of(&consumer, count).await {
                    return sent;
                }
            }
            Err(error) => println!("no consumer yet: {error}"),
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    panic!("the stream has {count} messages, and no consumer of it gives them all");
}

/// What a consumer gives; nothing where it stops before it has given so many.
async fn all_of(consumer: &jetstream::consumer::PullConsumer, count: u64) -> Option<Vec<Sent>> {
    let mut sent = Vec::new();
    while (sent.len() as u64) < count {
        let before = sent.len();
        let mut batch = consumer.fetch().max_messages(500).messages().await.ok()?;
        while let Some(message) = batch.next().await {
            let message = message.ok()?;
            let (board, kind) = wire::board_of(&message.subject).expect("a board's subject");
            let headers = message.headers.clone().unwrap_or_default();
            let text = |name: &str| headers.get(name).map(|value| value.as_str().to_owned()).unwrap_or_default();
            assert_eq!(text(wire::MSG_ID), wire::msg_id(&board, &text(wire::EPOCH), text(wire::SEQ).parse().unwrap()));
            sent.push(Sent {
                kind,
                epoch: text(wire::EPOCH),
                seq: text(wire::SEQ).parse().unwrap(),
                body: String::from_utf8(message.payload.to_vec()).unwrap(),
                bytes: message.length,
                board,
            });
        }
        if sent.len() == before {
            return None;
        }
    }
    Some(sent)
}

/// A board's events as its journals have them: number and text.
pub(crate) fn journaled(data_dir: &Path, board: &str) -> Vec<(u64, String)> {
    let mut events = Vec::new();
    for path in store::journals(data_dir, board).unwrap() {
        let bytes = std::fs::read(path).unwrap();
        for line in read::readable(&bytes).iter().filter(|line| line.key == "event") {
            let event: serde_json::Value = serde_json::from_str(line.value).unwrap();
            events.push((event["seq"].as_u64().unwrap(), line.value.to_owned()));
        }
    }
    events
}

/// Every event of the journal is in the stream once, in order, where it belongs, with the same bytes; returns how many, and how many bytes.
///
/// # Errors
/// In words: where they differ.
pub(crate) fn compare(sent: &[Sent], data_dir: &Path, board: &str) -> Result<(usize, usize), String> {
    let own: Vec<&Sent> = sent.iter().filter(|one| one.board == board).collect();
    let last = own.last().map(|one| one.epoch.clone()).unwrap_or_default();
    let own: Vec<&Sent> = own.into_iter().filter(|one| one.epoch == last).collect();
    let journal = journaled(data_dir, board);
    let seqs: Vec<u64> = own.iter().map(|one| one.seq).collect();
    let wanted: Vec<u64> = journal.iter().map(|(seq, _)| *seq).filter(|seq| Some(seq) >= seqs.first()).collect();
    if seqs.is_empty() || seqs != wanted {
        return Err(format!("board {board}: journal and stream differ: {}", difference(&wanted, &seqs)));
    }
    let by_seq: BTreeMap<u64, &String> = journal.iter().map(|(seq, text)| (*seq, text)).collect();
    for one in &own {
        assert_eq!(&one.body, by_seq[&one.seq], "board {board}, event {}", one.seq);
        _ = serde_json::from_str::<flagfall_events::Event>(&one.body).unwrap();
        assert_eq!(one.kind, Kind::Arbiter, "board {board}, event {}", one.seq);
    }
    Ok((own.len(), own.iter().map(|one| one.bytes).sum()))
}

fn difference(wanted: &[u64], found: &[u64]) -> String {
    let at = wanted.iter().zip(found).position(|(a, b)| a != b).unwrap_or_else(|| wanted.len().min(found.len()));
    let around = |list: &[u64]| format!("{:?}", list.get(at.saturating_sub(3)..(at + 4).min(list.len())).unwrap_or_default());
    format!("{} and {} events; at {at}: journal {}, stream {}", wanted.len(), found.len(), around(wanted), around(found))
}

/// Every message of the stream as it is: subject, headers, body.
pub(crate) async fn raw(jetstream: &Context, names: &Names) -> Vec<(String, String, String)> {
    let mut stream = jetstream.get_stream(names.stream()).await.unwrap();
    let state = stream.info().await.unwrap().state.clone();
    let mut all = Vec::new();
    for number in state.first_sequence..=state.last_sequence {
        if let Ok(message) = stream.get_raw_message(number).await {
            all.push((
                message.subject.to_string(),
                message.headers.iter().map(|(name, values)| format!("{name}: {values:?}\n")).collect(),
                String::from_utf8_lossy(&message.payload).into_owned(),
            ));
        }
    }
    all
}
