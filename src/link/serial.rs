//! One serial port: open, find out who is there, run until the hang-up; and all that again and again.
use super::back_off::BackOff;
use super::event::{Events, LinkEvent, Up};
use super::identity::{Identity, percent};
use super::open::{OpenError, open};
use super::outbox::Outbox;
use super::startup::{Loss, Session, Verdict};
use bytes::Bytes;
use dgt_protocol::command::Command;
use dgt_protocol::receiver::{Receiver, Single};
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::mpsc;
use tokio_serial::{ClearBuffer, SerialPort as _, SerialStream};
use tokio_util::sync::CancellationToken;

/// A command is at most 17 bytes; a port that does not take them in this time takes nothing.
const WRITE: Duration = Duration::from_secs(1);
/// Bytes that are read at once.
const READ: usize = 512;
/// After so many at once the port rests for so long: whoever says more than 512 KB a second takes no more of the processor than that. A wire carries 12.
const REST: u64 = 1;

/// Where bytes come from and go to.
#[derive(Debug)]
pub(super) enum Port {
    Serial(SerialStream),
    /// A classic Bluetooth board.
    #[cfg(feature = "ble")]
    Rfcomm(bluer::rfcomm::Stream),
}

impl Port {
    async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Serial(stream) => stream.read(buffer).await,
            #[cfg(feature = "ble")]
            Self::Rfcomm(stream) => stream.read(buffer).await,
        }
    }

    async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Serial(stream) => stream.write_all(bytes).await,
            #[cfg(feature = "ble")]
            Self::Rfcomm(stream) => stream.write_all(bytes).await,
        }
    }

    /// What has come and was not read is thrown away.
    fn clear(&self) {
        #[cfg_attr(not(feature = "ble"), allow(irrefutable_let_patterns, reason = "there is only one kind then"))]
        if let Self::Serial(stream) = self {
            let _ = stream.clear(ClearBuffer::Input);
        }
    }
}

/// An open port.
#[derive(Debug)]
pub struct Connection {
    port: PathBuf,
    stream: Port,
    session: Session,
    /// For the session alone: what it says goes nowhere else.
    receiver: Receiver,
    stopwatch: Stopwatch,
    commands: (mpsc::Sender<Command>, mpsc::Receiver<Command>),
    /// What the board's task did not get yet.
    waiting: Outbox,
    /// Nothing is read before.
    rests: Mono,
}

impl Connection {
    /// Opens the port; nothing is written yet.
    pub async fn open(port: &Path, stopwatch: Stopwatch) -> Result<Self, OpenError> {
        Ok(Self::over(port.to_owned(), Port::Serial(open(port).await?), stopwatch))
    }

    /// A connection over what is open already.
    pub(super) fn over(port: PathBuf, stream: Port, stopwatch: Stopwatch) -> Self {
        let t = stopwatch.now();
        let bluetooth = port.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rfcomm"));
        Self {
            port,
            stream,
            session: Session::new(t, bluetooth),
            receiver: Receiver::new(Single::Dgt),
            stopwatch,
            commands: mpsc::channel(64),
            waiting: Outbox::default(),
            rests: t,
        }
    }

    /// Runs the start-up until it is known that this is a board, and which. Takes 0.7 s where a board answers, six where nothing does.
    pub async fn identify(&mut self) -> Result<&Identity, Loss> {
        self.run_until(|session| session.verdict() == Verdict::Board).await?;
        Ok(self.session.identity())
    }

    /// Runs the start-up to its end, the clock's answer included; for `doctor`.
    pub async fn settle(&mut self) -> Result<&Identity, Loss> {
        self.run_until(Session::is_settled).await?;
        Ok(self.session.identity())
    }

    async fn run_until(&mut self, done: impl Fn(&Session) -> bool) -> Result<(), Loss> {
        loop {
            self.write_due().await;
            if let Verdict::Lost(loss) = self.session.verdict() {
                return Err(loss);
            }
            if done(&self.session) {
                return Ok(());
            }
            self.wait().await;
        }
    }

    /// Goes on with an identified board until it is lost, or until `token` is cancelled (`None`). Whatever was read or written since the
    /// port was opened reaches the board's task, after the news that the link is up; the news that it is down comes last.
    pub async fn run(mut self, events: &Events, token: &CancellationToken) -> Option<Loss> {
        let up =
            Up { port: self.port.clone(), identity: self.session.identity().clone(), commands: self.commands.0.clone(), polled: false };
        self.waiting.begin(self.stopwatch.now(), up);
        let loss = loop {
            self.write_due().await;
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
        let Self { stream, waiting, stopwatch, .. } = self;
        // First of all: a descriptor that is held makes the kernel hand out another node.
        drop(stream);
        waiting.finish(events, loss.as_ref().map(|loss| (stopwatch.now(), loss.to_string()))).await;
        loss
    }

    /// Writes what is due.
    async fn write_due(&mut self) {
        let was_listening = self.session.is_listening();
        while let Some(command) = self.session.wants_write(self.stopwatch.now()) {
            if !was_listening && self.session.is_listening() {
                self.stream.clear();
            }
            let bytes = command.encode();
            let written = tokio::time::timeout(WRITE, self.stream.write_all(&bytes)).await;
            let t = self.stopwatch.now();
            match written {
                Ok(Ok(())) => self.waiting.push(t, LinkEvent::Sent(bytes.into())),
                Ok(Err(error)) => self.session.lose(loss_of(&error)),
                Err(_) => self.session.lose(Loss::Stuck),
            }
        }
    }

    /// Waits for bytes, for a command, or for the session's deadline. May be cancelled: nothing is lost.
    async fn wait(&mut self) {
        let mut buffer = [0; READ];
        let deadline = self.session.deadline().unwrap_or_else(|| self.stopwatch.now());
        tokio::select! {
            biased;
            read = async {
                if self.rests > self.stopwatch.now() {
                    tokio::time::sleep_until(self.stopwatch.instant(self.rests).into()).await;
                }
                self.stream.read(&mut buffer).await
            } => {
                let t = self.stopwatch.now();
                self.rests = if matches!(read, Ok(READ)) { t + REST } else { t };
                match read {
                    Ok(0) => self.session.lose(Loss::HungUp),
                    Ok(n) => self.take(t, &buffer[..n]),
                    Err(error) => self.session.lose(loss_of(&error)),
                }
            }
            Some(command) = self.commands.1.recv() => {
                if !self.session.send(command.clone()) {
                    tracing::warn!(?command, "not sent: it could harm the board");
                }
            }
            () = tokio::time::sleep_until(self.stopwatch.instant(deadline).into()) => self.session.woke(deadline, self.stopwatch.now()),
        }
    }

    fn take(&mut self, t: Mono, bytes: &[u8]) {
        self.session.bytes(t);
        if !self.session.is_listening() {
            return;
        }
        for message in self.receiver.feed(t.millis(), bytes).flatten() {
            self.session.message(t, &message);
            if let Some(percent) = percent(&message) {
                self.waiting.push(t, LinkEvent::Battery(percent));
            }
        }
        self.waiting.push(t, LinkEvent::Bytes(Bytes::copy_from_slice(bytes)));
    }
}

pub(super) fn loss_of(error: &io::Error) -> Loss {
    use rustix::io::Errno;
    match Errno::from_io_error(error) {
        Some(Errno::IO | Errno::NXIO | Errno::NODEV | Errno::PIPE | Errno::NOTCONN | Errno::CONNRESET) => Loss::HungUp,
        _ => Loss::Failed(format!("the port failed: {error}")),
    }
}

/// Keeps a configured port connected until `token` is cancelled: a port that is not there is a state, told once for each reason.
pub async fn keep(port: &Path, events: &Events, stopwatch: Stopwatch, token: &CancellationToken) {
    let open = || {
        let port = port.to_owned();
        async move { Connection::open(&port, stopwatch).await.map_err(|e| e.to_string()) }
    };
    keep_open(port, events, stopwatch, token, open).await;
}

/// The same for whatever `open` opens.
pub(super) async fn keep_open<F: Future<Output = Result<Connection, String>>>(
    port: &Path,
    events: &Events,
    stopwatch: Stopwatch,
    token: &CancellationToken,
    open: impl Fn() -> F,
) {
    let mut back_off = BackOff::new();
    let mut told = None;
    loop {
        let reason = match attempt(open(), token).await {
            Ok(None) => return,
            Err(reason) => reason,
            Ok(Some(connection)) => {
                (back_off, told) = (BackOff::new(), None);
                tracing::info!(port = %port.display(), "the board answers");
                let Some(loss) = connection.run(events, token).await else { return };
                // The board's task knows already.
                told = told.or(Some(String::new()));
                loss.to_string()
            }
        };
        if told.as_ref() != Some(&reason) {
            tracing::warn!("{}: {reason}", port.display());
            if told.is_none() && events.send((stopwatch.now(), LinkEvent::Down(reason.clone()))).await.is_err() {
                return;
            }
            told = Some(reason);
        }
        tokio::select! {
            () = token.cancelled() => return,
            () = tokio::time::sleep(back_off.next()) => {}
        }
    }
}

/// Opens and identifies; `Ok(None)` when cancelled, else a connection or why there is none.
async fn attempt(open: impl Future<Output = Result<Connection, String>>, token: &CancellationToken) -> Result<Option<Connection>, String> {
    let opening = async {
        let mut connection = open.await?;
        connection.identify().await.map_err(|loss| loss.to_string())?;
        Ok(connection)
    };
    tokio::select! {
        () = token.cancelled() => Ok(None),
        opened = opening => opened.map(Some),
    }
}
