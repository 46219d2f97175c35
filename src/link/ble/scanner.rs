//! Looking for boards with the adapter, and standing still while one is connected to: many adapters cannot do both.
use btleplug::api::{Central as _, ScanFilter};
use btleplug::platform::Adapter;
use dgt_protocol::pegasus::SERVICE;
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::timeout;

/// What BlueZ does at once or not at all.
const CALL: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
struct State {
    adapter: Option<Adapter>,
    on: bool,
    wanted: bool,
}

/// The one that scans. Whoever holds [`Still`] has the air to himself.
#[derive(Debug, Default)]
pub(super) struct Scanner(Mutex<State>);

/// Nothing is looked for as long as this lives.
pub(super) struct Still<'a>(MutexGuard<'a, State>);

impl Scanner {
    /// A new adapter, or one that was away: looking begins anew.
    pub(super) async fn begin(&self, adapter: &Adapter) -> Result<(), String> {
        let mut state = self.0.lock().await;
        *state = State { adapter: Some(adapter.clone()), on: false, wanted: true };
        state.settle().await
    }

    /// Whether boards are missing. Does nothing while somebody has the air to himself; he goes on with what was wanted last.
    pub(super) async fn want(&self, wanted: bool) -> Result<(), String> {
        let Ok(mut state) = self.0.try_lock() else { return Ok(()) };
        state.wanted = wanted;
        state.settle().await
    }

    /// Whether somebody has the air to himself.
    pub(super) fn is_still(&self) -> bool {
        self.0.try_lock().is_err()
    }

    /// Waits for the air, and stops looking.
    pub(super) async fn still(&self) -> Still<'_> {
        let mut state = self.0.lock().await;
        state.stop().await;
        Still(state)
    }
}

impl Still<'_> {
    /// Looks on.
    pub(super) async fn end(mut self) {
        // Its failure is found at the next look at the adapter.
        let _ = self.0.settle().await;
    }
}

impl State {
    async fn settle(&mut self) -> Result<(), String> {
        if !self.wanted {
            self.stop().await;
            return Ok(());
        }
        let Some(adapter) = self.adapter.as_ref().filter(|_| !self.on) else { return Ok(()) };
        let services = SERVICE.parse().into_iter().collect();
        match timeout(CALL, adapter.start_scan(ScanFilter { services })).await {
            Ok(Ok(())) => {
                self.on = true;
                Ok(())
            }
            // Ours, from before: as good.
            Ok(Err(error)) if format!("{error:?}").contains("InProgress") => {
                self.on = true;
                Ok(())
            }
            Ok(Err(error)) => Err(format!("{error:?}")),
            Err(_) => Err(String::from("no answer in time")),
        }
    }

    async fn stop(&mut self) {
        if !std::mem::take(&mut self.on) {
            return;
        }
        if let Some(adapter) = &self.adapter {
            // An adapter that is gone does not scan either.
            let _ = timeout(CALL, adapter.stop_scan()).await;
        }
    }
}
