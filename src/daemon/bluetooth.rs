//! Which Bluetooth boards there are, and who gets what they say.
use super::guarded::guarded;
use super::hall::PlayingHall;
use crate::config::{Config, LinkAddress};
use crate::exit::ExitError;
use crate::link::{ble, rfcomm};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

/// What keeps the daemon from serving the links of this configuration: a build without Bluetooth, a key that cannot be read (78).
pub(super) fn check(config: &Config) -> Result<(), ExitError> {
    let radio = |link: &LinkAddress| match link {
        LinkAddress::Serial(_) | LinkAddress::Bus(_) => false,
        LinkAddress::Rfcomm(_) => !rfcomm::BUILT,
        LinkAddress::Ble(_) => !ble::BUILT,
    };
    if let Some(board) = config.boards.iter().find(|board| radio(&board.link)) {
        return Err(ExitError::config(format_args!(
            "board {}: link = \"{}\": this build has no Bluetooth; install one with the feature ble, or connect the board by cable",
            board.name, board.link
        )));
    }
    config.ble.key().map(drop).map_err(ExitError::config)
}

/// Starts the links of all Bluetooth boards.
pub(super) fn start(hall: &Arc<PlayingHall>, links: &TaskTracker, token: &CancellationToken) {
    let stopwatch = hall.stopwatch;
    let mut named = Vec::new();
    for board in &hall.config.boards {
        match &board.link {
            LinkAddress::Serial(_) | LinkAddress::Bus(_) => {}
            LinkAddress::Rfcomm(address) => {
                let (address, token) = (*address, token.clone());
                let events = hall.desk(&board.name, || board.settings.clone());
                let link = guarded(token.clone(), move || {
                    let (events, token) = (events.clone(), token.clone());
                    async move { rfcomm::keep(address, &events, stopwatch, &token).await }
                });
                links.spawn(link.instrument(tracing::info_span!("board", board = board.name)));
            }
            LinkAddress::Ble(target) => {
                let events = hall.desk(&board.name, || ble::settings(board.settings.clone()));
                named.push(ble::Named { name: board.name.clone(), target: target.clone(), events });
            }
        }
    }
    if named.is_empty() && !hall.config.discovery.ble {
        return;
    }
    let found = hall.clone();
    let attach: ble::Attach = Arc::new(move |name, address| {
        let link = LinkAddress::Ble(String::from(address)).to_string();
        found.desk(name, || ble::settings(found.found(link)))
    });
    let setup = ble::Setup {
        named,
        discover: hall.config.discovery.ble.then_some(attach),
        taken: hall.config.boards.iter().map(|board| board.name.clone()).collect(),
        // Checked before the start; if the file went away since, the boards say that they are locked.
        key: hall.config.ble.key().unwrap_or_default(),
        adapter: hall.config.ble.adapter.clone(),
        stopwatch,
    };
    let token = token.clone();
    links.spawn(guarded(token.clone(), move || {
        let (setup, token) = (setup.clone(), token.clone());
        async move { ble::run(setup, &token).await }
    }));
}
