//! Finding a server, and what runs while one answers. A lost connection ends all of it; the next one begins where this one stopped.
use super::house::{Broker, House};
use super::{brokers, games, intake, lease, orders, pis, settings};
use crate::nats::session::{Connection, connect, inbox};
use crate::nats::streams;
use async_nats::jetstream;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// Between two tries; the first ones come faster.
const PAUSE: Duration = Duration::from_secs(2);
/// The first pause.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// A server may take so long for one answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// Keeps a connection until `stop` is cancelled; then the lease is given back.
pub(super) async fn run(house: Arc<House>, stop: CancellationToken) {
    let looking = [tokio::spawn(pis::look(house.clone())), tokio::spawn(brokers::look(house.clone()))];
    let mut pause = FIRST_PAUSE;
    loop {
        let ended = tokio::select! {
            () = stop.cancelled() => break,
            ended = once(&house) => ended,
        };
        if house.state.now().broker {
            pause = FIRST_PAUSE;
        }
        house.broker.send_replace(None);
        house.state.change(|health| health.broker = false);
        if house.known().position == 0 {
            // There is nothing that could be half read.
            house.state.set_reading(false);
        }
        let others = house.state.now().brokers_up > 1;
        match ended {
            // Another server takes over in a moment, or the next try says that none does.
            Ended::Lost(why) if others => tracing::warn!("broker: {why}; another server is looked for"),
            Ended::Lost(why) | Ended::Failed(why) => {
                tracing::warn!("broker: {why}");
                let text = format!("{why}. The boards go on without it; what is shown here is what was heard last");
                house.hub().alarm("broker-lost", &house.nats.servers.join(", "), Some(text));
            }
        }
        tokio::select! {
            () = stop.cancelled() => break,
            () = sleep(pause) => {}
        }
        pause = (pause * 2).min(PAUSE);
    }
    looking.iter().for_each(JoinHandle::abort);
    let broker = house.broker.borrow().clone();
    if let Some(broker) = broker {
        let _ = tokio::time::timeout(PATIENCE, lease::give_back(&house, &broker.jetstream)).await;
    }
    house.speaker.silence();
}

/// Why a connection ended, or did not come to be.
enum Ended {
    /// It stood, and its server was lost.
    Lost(String),
    /// No server answers, or one does not do what it should.
    Failed(String),
}

/// One connection, to its end.
async fn once(house: &Arc<House>) -> Ended {
    let name = format!("hall-{}", house.name);
    let Connection { client, mut lost, .. } = match connect(&house.nats, &name, &inbox(&name)).await {
        Ok(connection) => connection,
        Err(why) => return Ended::Failed(why),
    };
    let mut jetstream = jetstream::new(client.clone());
    jetstream.set_timeout(PATIENCE);
    if let Err(why) = streams::ensure(&jetstream, &house.names, usize::from(house.nats.replicas)).await {
        return Ended::Failed(why);
    }
    if !*house.caught_up.borrow() {
        house.state.set_reading(true);
    }
    let asked = client.clone();
    house.broker.send_replace(Some(Broker { client, jetstream: jetstream.clone() }));
    house.state.change(|health| health.broker = true);
    house.hub().alarm("broker-lost", &house.nats.servers.join(", "), None);
    let mut tasks = JoinSet::new();
    tasks.spawn(intake::run(house.clone(), jetstream.clone()));
    tasks.spawn(pis::run(house.clone(), jetstream.clone()));
    tasks.spawn(lease::run(house.clone(), jetstream.clone()));
    tasks.spawn(orders::run(house.clone(), jetstream.clone()));
    tasks.spawn(games::run(house.clone(), asked));
    tasks.spawn(settings::run(house.clone(), jetstream));
    tokio::select! {
        why = lost.recv() => Ended::Lost(why.unwrap_or_else(|| String::from("the connection was lost"))),
        ended = tasks.join_next() => match ended {
            Some(Ok(why)) => Ended::Failed(why),
            _ => Ended::Failed(String::from("a mistake in flagfall; the connection begins anew")),
        },
    }
}
