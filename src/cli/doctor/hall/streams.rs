//! The stream, the buckets, their copies, and who reads the stream.
use super::live;
use super::report::Report;
use crate::feeds::nats::streams;
use crate::feeds::nats::wire::{self, Names};
use async_nats::jetstream::consumer::{self, PullConsumer};
use async_nats::jetstream::context::{GetStreamError, GetStreamErrorKind};
use async_nats::jetstream::stream::{Info, Stream};
use async_nats::jetstream::{Context, ErrorCode};
use futures_util::StreamExt as _;
use std::time::Duration;

/// A hall asks for messages anew from time to time; whoever does not ask in so many looks does not read.
const LOOKS: u32 = 4;
/// Between two of them.
const PAUSE: Duration = Duration::from_millis(200);

/// How the stream and the buckets stand.
pub(super) struct Standing {
    /// JetStream answers at all.
    pub(super) answers: bool,
    /// What comes is stored: each has a leader.
    pub(super) stores: bool,
}

/// Looks at each.
pub(super) async fn stand(jetstream: &Context, names: &Names, report: &mut Report) -> Standing {
    let mut stores = true;
    for wanted in std::iter::once(streams::stream(names, 1)).chain(streams::buckets(names, 1)) {
        let stream = match jetstream.get_stream(&wanted.name).await {
            Ok(stream) => stream,
            Err(error) if is_missing(&error) => {
                report.wrong("stream", format!("{} does not stand; a running hall makes it", wanted.name));
                continue;
            }
            Err(error) => {
                let why = "is JetStream on there, may this account ask for it, and do enough servers run (two of three)?";
                report.wrong("stream", format!("{} cannot be asked for: {error}; {why}", wanted.name));
                return Standing { answers: false, stores: false };
            }
        };
        let info = stream.cached_info();
        let state = &info.state;
        let size = format!("{} messages, {} KiB, on {}", state.messages, state.bytes / 1024, replicas(info));
        let text = format!("{}: {size}", wanted.name);
        if leads(info) {
            report.line("stream", &text);
            copies(info, &wanted.name, report);
        } else {
            stores = false;
            report.wrong("stream", format!("{text}: nothing is stored until they choose one, some seconds after a server failed"));
        }
        if wanted.name == names.stream() && leads(info) {
            halls(&stream, report).await;
        }
    }
    Standing { answers: true, stores }
}

fn is_missing(error: &GetStreamError) -> bool {
    matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

fn replicas(info: &Info) -> String {
    let Some(cluster) = &info.cluster else { return String::from("1 server") };
    match (&cluster.leader, cluster.replicas.len()) {
        (Some(leader), 0) => format!("1 server, {leader}"),
        (Some(leader), others) => format!("{} servers, led by {leader}", others + 1),
        // The leader is not among the replicas; without one all of them are.
        (None, all) => format!("{all} servers without a leader"),
    }
}

/// Whether somebody may say how it is.
fn leads(info: &Info) -> bool {
    info.cluster.as_ref().is_none_or(|cluster| cluster.leader.is_some())
}

/// Copies that are not as they should be.
fn copies(info: &Info, name: &str, report: &mut Report) {
    for peer in info.cluster.iter().flat_map(|cluster| &cluster.replicas) {
        if peer.offline {
            report.wrong("stream", format!("{name}: {} is not heard by the other servers; look at that server", peer.name));
        } else if !peer.current {
            report.wrong("stream", format!("{name}: {} does not keep up; look at that server", peer.name));
        }
    }
}

/// Which halls there were, and which of them read.
async fn halls(stream: &Stream, report: &mut Report) {
    let mut found = Vec::new();
    let mut consumers = stream.consumers();
    while let Some(consumer) = consumers.next().await {
        let Ok(consumer) = consumer else {
            report.wrong("hall", String::from("which halls read the stream is not to be learnt now; ask again in some seconds"));
            return;
        };
        let durable = consumer.config.durable_name.as_deref().and_then(|name| name.strip_prefix("hall-"));
        if let Some(durable) = durable {
            found.push((wire::name(durable).unwrap_or_else(|| String::from(durable)), consumer));
        }
    }
    let mut reading = 0;
    for (hall, consumer) in found {
        let consumer = seen(stream, consumer).await;
        let behind = consumer.num_pending + consumer.num_ack_pending as u64;
        if consumer.num_waiting > 0 {
            reading += 1;
            report.line("hall", &format!("{hall}: {behind} messages behind"));
        } else if behind > 0 && !consumer.delivered.last_active.is_some_and(|at| live::lately(at.unix_timestamp())) {
            report.line("hall", &format!("{hall}: did not read for a day, {behind} messages behind"));
        } else {
            report.wrong(
                "hall",
                format!("{hall} does not read the stream, {behind} messages behind; look whether it runs and reaches the broker"),
            );
        }
    }
    if reading == 0 {
        report.wrong("hall", String::from("no hall reads the stream; start one with `flagfall hall`"));
    }
}

/// The consumer as it is, after some looks where nobody asks it for messages.
async fn seen(stream: &Stream, mut info: consumer::Info) -> consumer::Info {
    for _ in 0..LOOKS {
        if info.num_waiting > 0 {
            break;
        }
        tokio::time::sleep(PAUSE).await;
        let consumer: Result<PullConsumer, _> = stream.get_consumer(&info.name).await;
        match consumer {
            Ok(consumer) => info = consumer.cached_info().clone(),
            Err(_) => break,
        }
    }
    info
}
