//! `flagfall doctor --hall`: which Pis, streams, consumers and leases stand, and what is behind.
use crate::cli::{ExitError, check, output};
use crate::config::nats::Nats;
use crate::feeds::nats::session::{connect, inbox};
use crate::feeds::nats::streams;
use crate::feeds::nats::wire::{self, Lease, Names, OrderState, Presence, WaitingOrder};
use async_nats::jetstream::kv::{Operation, Store};
use async_nats::jetstream::stream::Info;
use async_nats::jetstream::{self, Context};
use futures_util::{StreamExt as _, TryStreamExt as _};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// One question to the broker may take so long.
const PATIENCE: Duration = Duration::from_secs(5);

/// What was found: lines for people, and what is wrong.
#[derive(Default)]
struct Report {
    text: String,
    wrong: Vec<String>,
}

impl Report {
    fn line(&mut self, what: &str, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{what:10} {text}");
    }

    fn wrong(&mut self, what: &str, text: String) {
        self.line(what, &format!("! {text}"));
        self.wrong.push(text);
    }
}

/// Asks the broker of the configuration.
pub(super) fn run(config: Option<&Path>) -> Result<(), ExitError> {
    let (_, config) = check::load(config)?;
    let Some(nats) = config.nats else {
        return Err(ExitError::config("there is no [nats] in the configuration; a hall's own is given with --config FILE"));
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ExitError::unavailable)?;
    let report = runtime.block_on(ask(&nats)).map_err(ExitError::unavailable)?;
    output::print(&report.text)?;
    match report.wrong.first() {
        None => Ok(()),
        Some(first) => Err(ExitError::unavailable(first)),
    }
}

async fn ask(nats: &Nats) -> Result<Report, String> {
    let (names, name) = (Names::new(&nats.event), format!("hall-{}", config_name(nats)));
    let connection = connect(nats, &name, &inbox(&name)).await?;
    let mut report = Report::default();
    let info = connection.client.server_info();
    report.line("broker", &format!("{} {} at {}:{}", info.server_name, info.version, info.host, info.port));
    let mut jetstream = jetstream::new(connection.client);
    jetstream.set_timeout(PATIENCE);
    streams_stand(&jetstream, &names, &mut report).await;
    pis(&jetstream, &names, &mut report).await;
    lease(&jetstream, &names, &mut report).await;
    orders(&jetstream, &names, &mut report).await;
    Ok(report)
}

fn config_name(nats: &Nats) -> String {
    nats.pi()
}

/// The stream, the buckets, and who reads the stream.
async fn streams_stand(jetstream: &Context, names: &Names, report: &mut Report) {
    for wanted in std::iter::once(streams::stream(names, 1)).chain(streams::buckets(names, 1)) {
        let stream = match jetstream.get_stream(&wanted.name).await {
            Ok(stream) => stream,
            Err(error) => {
                report.wrong("stream", format!("{} does not stand: {error}; a running hall makes it", wanted.name));
                continue;
            }
        };
        let info = stream.cached_info();
        let state = &info.state;
        let size = format!("{} messages, {} KiB, on {}", state.messages, state.bytes / 1024, replicas(info));
        report.line("stream", &format!("{}: {size}", wanted.name));
        let lagging: Vec<&str> = info
            .cluster
            .iter()
            .flat_map(|cluster| &cluster.replicas)
            .filter(|peer| !peer.current || peer.offline)
            .map(|peer| peer.name.as_str())
            .collect();
        if !lagging.is_empty() {
            report.wrong("stream", format!("{}: {} does not keep up; look at that server", wanted.name, lagging.join(", ")));
        }
        if wanted.name != names.stream() {
            continue;
        }
        let mut halls = 0;
        let mut consumers = stream.consumers();
        while let Some(Ok(consumer)) = consumers.next().await {
            let Some(durable) = consumer.config.durable_name.as_deref().and_then(|name| name.strip_prefix("hall-")) else { continue };
            halls += 1;
            let hall = wire::name(durable).unwrap_or_else(|| String::from(durable));
            let behind = consumer.num_pending + consumer.num_ack_pending as u64;
            report.line("hall", &format!("{hall}: {behind} messages behind"));
        }
        if halls == 0 {
            report.wrong("hall", String::from("no hall reads the stream; start one with `flagfall hall`"));
        }
    }
}

fn replicas(info: &Info) -> String {
    let Some(cluster) = &info.cluster else { return String::from("1 server") };
    let leader = cluster.leader.as_deref().unwrap_or("no leader");
    format!("{} servers, led by {leader}", cluster.replicas.len() + 1)
}

/// What every key of a bucket holds.
async fn entries(jetstream: &Context, bucket: String) -> Vec<(String, Vec<u8>)> {
    let Ok(store) = jetstream.get_key_value(bucket).await else { return Vec::new() };
    let keys: Vec<String> = match store.keys().await {
        Ok(keys) => keys.try_collect().await.unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    let mut found = Vec::new();
    for key in keys {
        if let Some(value) = value(&store, &key).await {
            found.push((key, value));
        }
    }
    found.sort();
    found
}

async fn value(store: &Store, key: &str) -> Option<Vec<u8>> {
    let entry = store.entry(key).await.ok()??;
    (entry.operation == Operation::Put).then(|| entry.value.to_vec())
}

async fn pis(jetstream: &Context, names: &Names, report: &mut Report) {
    let found = entries(jetstream, names.presence()).await;
    if found.is_empty() {
        report.wrong("pi", String::from("no Pi is heard; look at their [nats] sections and `systemctl status flagfall` there"));
    }
    for (key, body) in found {
        let Ok(pi) = serde_json::from_slice::<Presence>(&body) else {
            report.wrong("pi", format!("what stands at {key} is no Pi's"));
            continue;
        };
        let up = pi.boards.iter().filter(|board| board.link == flagfall_events::LinkState::Up).count();
        let journal = match pi.journal {
            wire::Journals::Ok => "journal ok",
            wire::Journals::Failing => "journal FAILING",
            wire::Journals::Off => "no journal",
        };
        let warm = pi.temperature_c.map(|celsius| format!(", {celsius:.0} °C")).unwrap_or_default();
        let text = format!(
            "{}: {} boards, {up} up, {} events behind, {journal}, flagfall {}{warm}",
            pi.pi,
            pi.boards.len(),
            pi.behind,
            pi.version
        );
        if pi.journal == wire::Journals::Failing {
            report.wrong("pi", text);
        } else {
            report.line("pi", &text);
        }
    }
}

async fn lease(jetstream: &Context, names: &Names, report: &mut Report) {
    let found = entries(jetstream, names.lease()).await;
    match found.first().and_then(|(_, body)| serde_json::from_slice::<Lease>(body).ok()) {
        Some(lease) => report.line("lease", &format!("{} speaks, since it was started at {}", lease.hall, lease.since.timestamp())),
        None => report
            .wrong("lease", String::from("no hall speaks: nothing goes to Lichess, the tree or uploads; start one with `flagfall hall`")),
    }
}

async fn orders(jetstream: &Context, names: &Names, report: &mut Report) {
    let mut open = 0;
    for (_, body) in entries(jetstream, names.orders()).await {
        let Ok(order) = serde_json::from_slice::<WaitingOrder>(&body) else { continue };
        if matches!(order.state, OrderState::Waiting | OrderState::Sent) {
            open += 1;
            let state = if order.state == OrderState::Waiting { "waits for its Pi" } else { "was sent and not answered" };
            report.line("order", &format!("board {}, given {}: {state}", order.board, order.at.timestamp()));
        }
    }
    if open == 0 {
        report.line("orders", "none wait");
    }
}
