//! One talk with one board: connect, find out who it is, run until the link is lost, disconnect.
use super::candidate::{Candidate, End, Wanted};
use super::connection::Connection;
use super::names::Names;
use super::scanner::Scanner;
use super::setup::Setup;
use super::words;
use btleplug::api::Peripheral as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// A board that was just heard connects within a few seconds; BlueZ itself would try for 30, and nobody else could meanwhile.
const CONNECT: Duration = Duration::from_secs(15);

/// What a talk needs.
pub(super) struct Talk {
    pub(super) candidate: Candidate,
    pub(super) setup: Arc<Setup>,
    pub(super) scanner: Arc<Scanner>,
    pub(super) names: Names,
}

impl Talk {
    /// However it ends, the link is broken up: a board that is left connected is found by nobody, not even by us.
    pub(super) async fn run(self, token: &CancellationToken) -> End {
        let device = self.candidate.device.clone();
        let end = tokio::select! {
            biased;
            () = token.cancelled() => End::Stopped,
            connected = self.connect() => match connected {
                Ok(()) => self.talk(token).await,
                Err(why) => End::Unconnected(why),
            },
        };
        device.disconnect().await;
        end
    }

    async fn connect(&self) -> Result<(), String> {
        let device = &self.candidate.device;
        let still = self.scanner.still().await;
        // One that is connected already is used as it is; if that fails it is disconnected, and found again.
        let there = timeout(CONNECT, device.peripheral.is_connected()).await;
        let connected = match there {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => match timeout(CONNECT, device.peripheral.connect()).await {
                Ok(connected) => connected.map_err(|error| {
                    tracing::debug!("{}: {error:?}", device.address);
                    words::unconnected(&error)
                }),
                Err(_) => Err(words::no_answer()),
            },
            Ok(Err(error)) => Err(words::unconnected(&error)),
            Err(_) => Err(words::no_answer()),
        };
        still.end().await;
        connected
    }

    async fn talk(&self, token: &CancellationToken) -> End {
        let Candidate { device, wanted, trusted } = &self.candidate;
        let asking = async {
            let mut connection = Connection::open(device.clone(), self.setup.key, *trusted, self.setup.stopwatch).await?;
            let identity = connection.identify().await?.clone();
            Ok((connection, identity))
        };
        let (mut connection, identity) = tokio::select! {
            biased;
            () = token.cancelled() => return End::Stopped,
            asked = asking => match asked {
                Ok(asked) => asked,
                Err(loss) => return End::Refused(loss),
            },
        };
        let (name, events) = match (wanted, &self.setup.discover) {
            (Wanted::Named(index), _) => {
                let Some(named) = self.setup.named.get(*index) else { return End::Stopped };
                (named.name.clone(), named.events.clone())
            }
            (Wanted::Found, Some(attach)) => {
                let name = self.names.of(&device.address, &identity, &self.setup.taken);
                let events = attach(&name, &device.address);
                (name, events)
            }
            (Wanted::Found, None) => return End::Stopped,
        };
        tracing::info!(board = name, address = device.address, "a Bluetooth board answers");
        let lost = connection.run(&events, token).await;
        lost.map_or(End::Stopped, End::Lost)
    }
}
