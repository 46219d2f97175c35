//! `flagfall doctor --hall`: which servers, streams, halls and Pis are there now, who speaks, and what is behind.
pub(in crate::cli) mod bucket;
mod live;
mod report;
mod streams;

use crate::cli::{ExitError, check, output};
use crate::config::nats::Nats;
use crate::feeds::nats::reach;
use crate::feeds::nats::session::{Connection, connect, inbox};
use crate::feeds::nats::wire::{Names, OrderState, WaitingOrder};
use async_nats::jetstream::{self, Context};
use bucket::entries;
use futures_util::future;
use live::Ears;
use report::Report;
use std::path::Path;
use std::time::Duration;

/// One question to the broker may take so long: a cluster in which somebody does not answer lists the others after four seconds.
const PATIENCE: Duration = Duration::from_secs(6);

/// Asks the broker of the configuration.
pub(super) fn run(config: Option<&Path>) -> Result<(), ExitError> {
    let (_, config) = check::load(config)?;
    let Some(nats) = config.nats else {
        return Err(ExitError::config("there is no [nats] in the configuration; a hall's own is given with --config FILE"));
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ExitError::unavailable)?;
    let report = runtime.block_on(ask(&nats));
    output::print(&report.text)?;
    match report.wrong.first() {
        None => Ok(()),
        Some(first) => Err(ExitError::unavailable(first)),
    }
}

async fn ask(nats: &Nats) -> Report {
    let mut report = Report::default();
    servers(nats, &mut report).await;
    if let Err(why) = event(nats, &mut report).await {
        report.wrong("broker", why);
    }
    report
}

/// Each server that the configuration names.
async fn servers(nats: &Nats, report: &mut Report) {
    let answers = future::join_all(nats.servers.iter().map(|server| reach::ask(server))).await;
    for (server, answer) in nats.servers.iter().zip(answers) {
        match answer {
            Ok(broker) => report.line("broker", &format!("{server}: {}, nats-server {}", broker.name, broker.version)),
            Err(why) => {
                report.wrong("broker", format!("{server} does not answer: {why}; look at that machine, its nats-server and its network"))
            }
        }
    }
}

/// What the broker has of the event.
async fn event(nats: &Nats, report: &mut Report) -> Result<(), String> {
    let (names, name) = (Names::new(&nats.event), format!("hall-{}", nats.pi()));
    let Connection { client, .. } = connect(nats, &name, &inbox(&name)).await?;
    let ears = Ears::open(&client, &names).await?;
    let mut jetstream = jetstream::new(client);
    jetstream.set_timeout(PATIENCE);
    // Pis are heard also while nothing can be stored.
    let standing = streams::stand(&jetstream, &names, report).await;
    let stored = standing.answers.then_some(&jetstream);
    let heard = ears.listen(stored, &names).await;
    heard.pis(stored, &names, report).await;
    heard.lease(standing.stores, report);
    if let Some(jetstream) = stored {
        orders(jetstream, &names, report).await;
    }
    Ok(())
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
