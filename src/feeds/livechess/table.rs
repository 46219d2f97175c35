//! The API without its thread and its sockets, for tests in simulated time: one client that asks for everything.
use super::session::{LiveChessSession, json};
use super::shared::Shared;
use super::tournament::Tournaments;
use crate::delay::Lag;
use crate::event_info::EventInfo;
use flagfall_events::Event;
use flagfall_time::Stopwatch;
use futures_util::FutureExt as _;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The boards as the API shows them, and a client.
pub(crate) struct Table {
    shared: Arc<Shared>,
    session: LiveChessSession,
    asked: u32,
    event: Arc<EventInfo>,
}

impl Table {
    pub(crate) fn new(event: Arc<EventInfo>, lag: Lag, stopwatch: Stopwatch) -> Self {
        let shared = Arc::new(Shared::new(Tournaments::new(event.clone(), lag), lag, stopwatch, CancellationToken::new()));
        Self { session: LiveChessSession::new(shared.clone()), shared, asked: 0, event }
    }

    /// A board is known: the client subscribes to it.
    pub(crate) fn register(&mut self, board: &str) -> Vec<String> {
        self.shared.hall.register(board, "serial:/nowhere");
        self.asked += 2;
        let (id, feed) = (self.asked, self.asked + 1);
        self.session.asked(&format!(
            "{{\"id\":{id},\"call\":\"subscribe\",\"param\":{{\"feed\":\"eboardevent\",\"id\":{feed},\"param\":{{\"serialnr\":\"{board}\"}}}}}}"
        ))
    }

    pub(crate) fn take(&self, event: &Event) {
        self.shared.hall.apply(event);
    }

    /// The frames that came since.
    pub(crate) fn frames(&mut self) -> Vec<String> {
        let mut frames = Vec::new();
        while let Some(some) = self.session.changed().now_or_never() {
            frames.extend(some);
        }
        frames
    }

    /// What REST answers.
    pub(crate) fn rest(&self) -> Vec<(String, String)> {
        let uuid = self.event.now().uuid.clone();
        let pictures = self.shared.hall.pictures();
        let mut told = vec![
            (String::from("eboards"), json(&self.shared.eboards())),
            (String::from("tournaments"), json(&self.shared.tournaments.list())),
            (String::from("tournament"), json(&self.shared.tournaments.tournament(&uuid, &pictures))),
        ];
        for round in &self.event.now().rounds {
            let number = round.number as usize - 1;
            told.push((format!("round {number}"), json(&self.shared.tournaments.round(&uuid, number))));
            let game = |pairing: &crate::event_info::Pairing| json(&self.shared.tournaments.game(&pairing.uuid));
            told.extend(round.pairings.iter().map(|pairing| (format!("game {number}.{}", pairing.number), game(pairing))));
        }
        told
    }
}
