//! What systemd is told: ready, how things are in one line, reloading, stopping. Outside systemd nobody listens, and that is well.
use crate::journal::JournalState;
use crate::time::Stopwatch;
use crate::web::hub::Hub;
use sd_notify::NotifyState;
use std::sync::atomic::{AtomicU64, Ordering};

/// The line that `systemctl status` shows.
#[derive(Debug, Default)]
pub(crate) struct Service {
    /// What was said last.
    said: String,
    /// Something that stays true until it is changed: a configuration that was refused.
    note: Option<String>,
}

impl Service {
    /// Journal and listeners stand.
    pub(super) fn ready(&mut self, hub: &Hub) {
        self.said = line(hub, self.note.as_deref());
        let _ = sd_notify::notify(&[NotifyState::Ready, NotifyState::Status(&self.said)]);
    }

    /// Says how things are, if that changed.
    pub(super) fn status(&mut self, hub: &Hub) {
        let now = line(hub, self.note.as_deref());
        if now != self.said {
            let _ = sd_notify::notify(&[NotifyState::Status(&now)]);
            self.said = now;
        }
    }

    /// The configuration is read again; [`Service::ready`] follows. The time tells this reload from an earlier one (`Type=notify-reload`).
    pub(super) fn reloading(&mut self) {
        let mut states = vec![NotifyState::Reloading, NotifyState::Status("reading the configuration again")];
        states.extend(NotifyState::monotonic_usec_now());
        let _ = sd_notify::notify(&states);
        self.said.clear();
    }

    /// What the line ends with from now on.
    pub(super) fn note(&mut self, note: Option<String>) {
        self.note = note;
    }

    /// The daemon ends.
    pub(crate) fn stopping(&self) {
        let _ = sd_notify::notify(&[NotifyState::Stopping, NotifyState::Status("writing what is left, then it ends")]);
    }
}

/// Tells systemd, once a second at most, that the start takes longer because journals are read: it waits another minute then.
pub(super) fn at_work(stopwatch: Stopwatch) -> impl Fn() + Sync {
    const WAIT: u32 = 60_000_000;
    let told = AtomicU64::new(stopwatch.now().millis());
    move || {
        let (now, last) = (stopwatch.now().millis(), told.load(Ordering::Relaxed));
        if now >= last + 1_000 && told.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            let _ = sd_notify::notify(&[NotifyState::ExtendTimeoutUsec(WAIT), NotifyState::Status("reading the journals")]);
        }
    }
}

/// `12 boards, 11 up, 9 games on; journal ok`.
fn line(hub: &Hub, note: Option<&str>) -> String {
    let (boards, up) = hub.boards_up();
    let games = hub.games_on();
    let s = |n: usize| if n == 1 { "" } else { "s" };
    let mut line = format!("{boards} board{}, {up} up, {games} game{} on; ", s(boards), s(games));
    match hub.journal() {
        JournalState::Ok => line += "journal ok",
        JournalState::Off => line += "no journal",
        JournalState::Failing { reason } => line += &format!("journal failing: {reason}"),
    }
    if let Some(note) = note {
        line += &format!("; {note}");
    }
    // One line, whatever an error said.
    line.replace(['\n', '\r'], " ")
}
