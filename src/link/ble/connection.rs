//! One connected board: services discovered, subscribed, identified, and run until the link is lost.
use super::session::{BleSession, Loss, Verdict};
use super::words;
use crate::event::{Events, LinkEvent, Up};
use crate::identity::{Identity, percent};
use crate::outbox::Outbox;

use btleplug::api::{Characteristic, Peripheral as _, ValueNotification, WriteType};
use btleplug::platform::Peripheral;
use bytes::Bytes;
use dgt_protocol::command::Command;
use dgt_protocol::pegasus::{BOARD_NOTIFIES, DeveloperKey, HOST_WRITES, SERVICE, WRITE_MAX};
use dgt_protocol::receiver::{Receiver, Single};
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, Stream, StreamExt as _};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// What BlueZ does by itself, and what needs a few round trips over the air. Its own time-out is 30 s, and a dead bus never answers.
const CALL: Duration = Duration::from_secs(10);
/// One write with its response.
const WRITE: Duration = Duration::from_secs(4);
/// Breaking a link up.
const DISCONNECT: Duration = Duration::from_secs(2);

type Notes = Pin<Box<dyn Stream<Item = ValueNotification> + Send>>;

/// A board as BlueZ knows it; one a board as long as BlueZ's bus lives, since each stream more doubles what is heard.
pub(super) struct Device {
    pub(super) peripheral: Peripheral,
    pub(super) address: String,
    /// Counts the losses of its link.
    pub(super) hangups: watch::Sender<u32>,
    /// Its notifications; they go on over reconnections.
    notes: Mutex<Option<Notes>>,
}

impl Device {
    pub(super) fn new(peripheral: Peripheral, address: String) -> Self {
        Self { peripheral, address, hangups: watch::Sender::new(0), notes: Mutex::default() }
    }

    /// Breaks the link up, also one that is only half there: BlueZ would go on trying, and a link that is left holds the board for ever.
    pub(super) async fn disconnect(&self) {
        match timeout(DISCONNECT, self.peripheral.disconnect()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!("{}: disconnecting: {error:?}", self.address),
            Err(_) => tracing::debug!("{}: disconnecting takes too long", self.address),
        }
    }
}

/// A board that we are connected to.
pub(super) struct Connection {
    device: Arc<Device>,
    host_writes: Characteristic,
    notes: Option<Notes>,
    hangups: watch::Receiver<u32>,
    session: BleSession,
    /// For the session alone: what it says goes nowhere else.
    receiver: Receiver,
    stopwatch: Stopwatch,
    commands: (mpsc::Sender<Command>, mpsc::Receiver<Command>),
    /// What the board's task did not get yet.
    waiting: Outbox,
    /// The write under way: notifications are stamped while it takes its time.
    writing: Option<BoxFuture<'static, Result<(), Loss>>>,
}

impl Connection {
    /// The link stands: its services are discovered anew, since what was known may lead elsewhere by now, and it is subscribed to before
    /// anything is written, since an answer that comes earlier is lost.
    pub(super) async fn open(device: Arc<Device>, key: Option<DeveloperKey>, trusted: bool, stopwatch: Stopwatch) -> Result<Self, Loss> {
        let mut hangups = device.hangups.subscribe();
        hangups.mark_unchanged();
        let peripheral = &device.peripheral;
        within(CALL, peripheral.discover_services()).await?;
        let offered = peripheral.characteristics();
        let find = |uuid: &str| offered.iter().find(|c| c.service_uuid.to_string() == SERVICE && c.uuid.to_string() == uuid).cloned();
        let (Some(host_writes), Some(board_notifies)) = (find(HOST_WRITES), find(BOARD_NOTIFIES)) else {
            return Err(Loss::NotABoard);
        };
        let kept = device.notes.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut notes = match kept {
            Some(notes) => notes,
            None => within(CALL, peripheral.notifications()).await?,
        };
        // What came before this connection belongs to the one before it.
        while notes.next().now_or_never().flatten().is_some() {}
        let t = stopwatch.now();
        let connection = Self {
            session: BleSession::new(t, key, trusted),
            receiver: Receiver::new(Single::Pegasus),
            stopwatch,
            commands: mpsc::channel(64),
            waiting: Outbox::default(),
            writing: None,
            host_writes,
            notes: Some(notes),
            hangups,
            device: device.clone(),
        };
        // From here on the stream goes back to its device, whatever happens.
        within(CALL, peripheral.subscribe(&board_notifies)).await?;
        Ok(connection)
    }

    /// Runs the start-up until it is known whether this is a board, and which.
    pub(super) async fn identify(&mut self) -> Result<&Identity, Loss> {
        loop {
            self.write_due();
            match self.session.verdict() {
                Verdict::Lost(loss) => return Err(loss),
                Verdict::Board => return Ok(self.session.identity()),
                Verdict::Probing => self.wait().await,
            }
        }
    }

    /// Goes on with an identified board until it is lost, or until `token` is cancelled (`None`). Whatever was read or written since the
    /// subscription reaches the board's task, after the news that the link is up; the news that it is down comes last.
    pub(super) async fn run(&mut self, events: &Events, token: &CancellationToken) -> Option<Loss> {
        let port = PathBuf::from(format!("ble:{}", self.device.address));
        let up = Up { port, identity: self.session.identity().clone(), commands: self.commands.0.clone(), polled: false };
        self.waiting.begin(self.stopwatch.now(), up);
        let loss = loop {
            self.write_due();
            if self.waiting.flush(events).is_err() {
                return None;
            }
            if let Verdict::Lost(loss) = self.session.verdict() {
                break Some(loss);
            }
            let (behind, full) = (!self.waiting.is_empty(), self.waiting.is_full());
            tokio::select! {
                biased;
                () = token.cancelled() => break None,
                () = self.wait(), if !full => {}
                // There is room again: the loop sends.
                Ok(_) = events.reserve(), if behind => {}
                else => return None,
            }
        };
        let down = loss.as_ref().map(|loss| (self.stopwatch.now(), loss.to_string()));
        std::mem::take(&mut self.waiting).finish(events, down).await;
        loss
    }

    /// Begins to write what is due.
    fn write_due(&mut self) {
        if self.writing.is_some() {
            return;
        }
        let t = self.stopwatch.now();
        let Some(write) = self.session.wants_write(t) else { return };
        if !write.secret {
            self.waiting.push(t, LinkEvent::Sent(Bytes::copy_from_slice(&write.bytes)));
        }
        let (peripheral, place) = (self.device.peripheral.clone(), self.host_writes.clone());
        // With response: an error is the surest sign of a link that is gone.
        self.writing = Some(Box::pin(async move {
            for portion in write.bytes.chunks(WRITE_MAX) {
                within(WRITE, peripheral.write(&place, portion, WriteType::WithResponse)).await?;
            }
            Ok(())
        }));
    }

    /// Waits for bytes, for the end of a write, for a command, for the loss of the link or for the session's deadline. May be cancelled.
    async fn wait(&mut self) {
        let deadline = self.session.deadline().filter(|_| self.writing.is_none());
        let Self { notes, writing, hangups, commands, session, stopwatch, .. } = self;
        let note = async {
            match notes {
                Some(notes) => notes.next().await,
                None => None,
            }
        };
        let written = async {
            match writing {
                Some(write) => write.await,
                None => std::future::pending().await,
            }
        };
        let alarm = async {
            match deadline {
                Some(deadline) => tokio::time::sleep_until(stopwatch.instant(deadline).into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            note = note => match note {
                Some(note) => {
                    let t = stopwatch.now();
                    self.take(t, &note);
                }
                None => session.lose(Loss::HungUp),
            },
            written = written => {
                self.writing = None;
                if let Err(loss) = written {
                    self.session.lose(loss);
                }
            }
            // The stream of notifications neither ends nor errs when the link is lost.
            _ = hangups.changed() => session.lose(Loss::HungUp),
            Some(command) = commands.1.recv() => session.send(&command),
            () = alarm => {
                let t = stopwatch.now();
                session.woke(deadline.unwrap_or(t), t);
            }
        }
    }

    fn take(&mut self, t: Mono, note: &ValueNotification) {
        if note.uuid.to_string() != BOARD_NOTIFIES || note.value.is_empty() {
            return;
        }
        self.session.bytes(t);
        for message in self.receiver.feed(t.millis(), &note.value).flatten() {
            self.session.message(t, &message);
            if let Some(percent) = percent(&message) {
                self.waiting.push(t, LinkEvent::Battery(percent));
            }
        }
        self.waiting.push(t, LinkEvent::Bytes(Bytes::copy_from_slice(&note.value)));
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        *self.device.notes.lock().unwrap_or_else(PoisonError::into_inner) = self.notes.take();
    }
}

/// A call of BlueZ's with a time-out of our own; any failure means that the link is gone.
async fn within<T>(patience: Duration, call: impl Future<Output = btleplug::Result<T>>) -> Result<T, Loss> {
    match timeout(patience, call).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => {
            tracing::debug!("BlueZ: {error:?}");
            Err(words::loss_of(&error))
        }
        Err(_) => Err(Loss::Failed(String::from("BlueZ does not answer in time"))),
    }
}
