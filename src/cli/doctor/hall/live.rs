//! Who is there now. What stands in a bucket was true some seconds ago: Pis and the hall that speaks say so every three seconds, and are listened to.
use super::bucket::entries;
use super::report::Report;
use crate::feeds::nats::wire::{self, Journals, Kind, Lease, Names, Presence};
use async_nats::jetstream::Context;
use async_nats::{Client, Subscriber};
use flagfall_events::{LinkState, Wall};
use futures_util::{StreamExt as _, TryStreamExt as _};
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// Who says nothing for so long is not there: both say so every three seconds.
const LISTEN: Duration = Duration::from_millis(4_500);
/// Machines whose boards said something within a day belong to the event that is played, seconds.
const DAY: i64 = 86_400;

const _: () = assert!(LISTEN.as_secs() > wire::PRESENCE_EVERY_S && LISTEN.as_secs() > wire::LEASE_EVERY_S);

/// What is heard, from the first moment on.
pub(super) struct Ears {
    pis: Subscriber,
    lease: Subscriber,
    end: Pin<Box<Sleep>>,
}

/// What was heard, and what stood in the buckets without being heard.
#[derive(Default)]
pub(super) struct Heard {
    pis: BTreeMap<String, Presence>,
    /// Tokens of Pis that stand there and say nothing.
    silent: BTreeMap<String, Presence>,
    lease: Option<Lease>,
    silent_lease: Option<Lease>,
}

impl Ears {
    pub(super) async fn open(client: &Client, names: &Names) -> Result<Self, String> {
        let pis = client.subscribe(wire::bucket_subject(&names.presence(), ">")).await.map_err(|error| error.to_string())?;
        let lease = client.subscribe(wire::bucket_subject(&names.lease(), ">")).await.map_err(|error| error.to_string())?;
        Ok(Self { pis, lease, end: Box::pin(sleep(LISTEN)) })
    }

    /// Listens until everybody was heard of whom something stands there, or nobody else can be expected. Without JetStream nothing stands anywhere.
    pub(super) async fn listen(mut self, jetstream: Option<&Context>, names: &Names) -> Heard {
        let mut heard = Heard::default();
        if let Some(jetstream) = jetstream {
            for (key, body) in entries(jetstream, names.presence()).await {
                if let Ok(pi) = serde_json::from_slice::<Presence>(&body) {
                    heard.silent.insert(key, pi);
                }
            }
            let stands =
                entries(jetstream, names.lease()).await.into_iter().find_map(|(_, body)| serde_json::from_slice::<Lease>(&body).ok());
            // What was given back, or written only so that something stands there, is nobody's.
            heard.silent_lease = stands.filter(|lease| lease.since != Wall::EPOCH);
        }
        let all = |heard: &Heard| {
            jetstream.is_some() && heard.silent.is_empty() && heard.silent_lease.is_none() && heard.lease.is_some() && !heard.pis.is_empty()
        };
        while !all(&heard) {
            tokio::select! {
                () = &mut self.end => break,
                message = self.pis.next() => match message {
                    Some(message) if !is_forged(&message) => {
                        let presence = serde_json::from_slice::<Presence>(&message.payload);
                        if let Ok(pi) = presence && message.subject.ends_with(&format!(".{}", wire::token(&pi.pi))) {
                            heard.silent.remove(&wire::token(&pi.pi));
                            heard.pis.insert(pi.pi.clone(), pi);
                        }
                    }
                    Some(_) => {}
                    None => break,
                },
                message = self.lease.next() => match message {
                    Some(message) if !is_forged(&message) => {
                        heard.lease = serde_json::from_slice::<Lease>(&message.payload).ok().filter(|lease| lease.since != Wall::EPOCH);
                        heard.silent_lease = None;
                    }
                    Some(_) => {}
                    None => break,
                },
            }
        }
        heard
    }
}

/// Whether it is an answer that somebody had the server send there.
fn is_forged(message: &async_nats::Message) -> bool {
    message.headers.as_ref().is_some_and(|headers| headers.get(wire::FORGED).is_some())
}

impl Heard {
    /// Pis, and boards of the stream that none of them has.
    pub(super) async fn pis(&self, jetstream: Option<&Context>, names: &Names, report: &mut Report) {
        for pi in self.pis.values() {
            one(pi, report);
        }
        for pi in self.silent.values() {
            let boards = pi.boards.iter().map(|board| board.board.as_str()).collect();
            report.wrong("pi", silent(&pi.pi, &boards));
        }
        let known: BTreeSet<&str> =
            self.pis.values().chain(self.silent.values()).flat_map(|pi| &pi.boards).map(|board| board.board.as_str()).collect();
        let mut away: BTreeMap<(bool, String), BTreeSet<String>> = BTreeMap::new();
        if let Some(jetstream) = jetstream {
            for board in boards(jetstream, names).await.into_iter().filter(|board| !known.contains(board.as_str())) {
                let Some((pi, recent)) = last_of(jetstream, names, &board).await else { continue };
                away.entry((recent, pi)).or_default().insert(board);
            }
        }
        for ((recent, pi), boards) in &away {
            let boards: BTreeSet<&str> = boards.iter().map(String::as_str).collect();
            if self.pis.contains_key(pi) {
                report.line("pi", &format!("{pi}: does not have {} any more", listed(&boards)));
            } else if *recent {
                report.wrong("pi", silent(pi, &boards));
            } else {
                report.line("pi", &format!("{pi}: not heard, and nothing came from {} for a day", listed(&boards)));
            }
        }
        if self.pis.is_empty() && self.silent.is_empty() && away.is_empty() {
            report.wrong("pi", String::from("no Pi is heard; look at their [nats] sections and `systemctl status flagfall` there"));
        }
    }

    pub(super) fn lease(&self, stored: bool, report: &mut Report) {
        if !stored {
            // A lease that nobody stores is none, whoever asks for it.
            report.wrong("lease", String::from("no hall speaks as long as nothing can be stored"));
            return;
        }
        match (&self.lease, &self.silent_lease) {
            (Some(lease), _) => report.line("lease", &format!("{} speaks, since {}", lease.hall, lease.since.timestamp())),
            (None, Some(lease)) => report.wrong(
                "lease",
                format!("{} spoke and says nothing any more; another hall speaks within some ten seconds, where one runs", lease.hall),
            ),
            (None, None) => report.wrong(
                "lease",
                String::from("no hall speaks: nothing goes to Lichess, the tree or uploads; start one with `flagfall hall`"),
            ),
        }
    }
}

fn silent(pi: &str, boards: &BTreeSet<&str>) -> String {
    let boards = if boards.is_empty() { String::from("no boards") } else { listed(boards) };
    format!("{pi} is not heard ({boards}); look at its power and network, and at `systemctl status flagfall` there")
}

/// `board 7`, `boards 7, 8`.
fn listed(boards: &BTreeSet<&str>) -> String {
    let mut all: Vec<&str> = boards.iter().copied().collect();
    all.sort_by_key(|board| (board.parse().unwrap_or(u64::MAX), *board));
    format!("{} {}", if all.len() == 1 { "board" } else { "boards" }, all.join(", "))
}

/// One that is there.
fn one(pi: &Presence, report: &mut Report) {
    let up = pi.boards.iter().filter(|board| board.link == LinkState::Up).count();
    let journal = match pi.journal {
        Journals::Ok => "journal ok",
        Journals::Failing => "journal FAILING",
        Journals::Off => "no journal",
    };
    let warm = pi.temperature_c.map(|celsius| format!(", {celsius:.0} °C")).unwrap_or_default();
    let text =
        format!("{}: {} boards, {up} up, {} events behind, {journal}, flagfall {}{warm}", pi.pi, pi.boards.len(), pi.behind, pi.version);
    if pi.journal == Journals::Failing {
        report.wrong("pi", text);
    } else {
        report.line("pi", &text);
    }
    for board in &pi.boards {
        for why in board.trouble.iter().chain(&board.exchanged) {
            report.wrong("board", format!("{} at {}: {why}", board.board, pi.pi));
        }
    }
}

/// The boards of which the stream has something.
async fn boards(jetstream: &Context, names: &Names) -> BTreeSet<String> {
    let Ok(stream) = jetstream.get_stream(names.stream()).await else { return BTreeSet::new() };
    let Ok(subjects) = stream.info_with_subjects(names.all()).await else { return BTreeSet::new() };
    let subjects: Vec<(String, usize)> = subjects.try_collect().await.unwrap_or_default();
    subjects.iter().filter_map(|(subject, _)| wire::board_of(subject)).map(|(board, _)| board).collect()
}

/// Which Pi said the board's last event, and whether within a day.
async fn last_of(jetstream: &Context, names: &Names, board: &str) -> Option<(String, bool)> {
    let stream = jetstream.get_stream_no_info(names.stream()).await.ok()?;
    let message = stream.get_last_raw_message_by_subject(&names.subject(board, Kind::Arbiter)).await.ok()?;
    let pi = wire::name(message.headers.get(wire::PI)?.as_str())?;
    Some((pi, lately(message.time.unix_timestamp())))
}

/// Whether this second was within the last day; days are all that two machines' clocks are compared by.
pub(super) fn lately(second: i64) -> bool {
    flagfall_time::now().timestamp().as_second() - second < DAY
}
