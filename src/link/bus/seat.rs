//! One board of a line and its task: what it said goes there with the moments between which it happened.
use super::setup::Seat;
use crate::event::{LinkEvent, Up};
use crate::identity::Identity;
use crate::outbox::Outbox;
use bytes::Bytes;
use dgt_protocol::bus::BusAddress;
use dgt_protocol::bus::host::{Ask, Said};
use dgt_protocol::command::Command;
use flagfall_events::Mono;
use std::path::PathBuf;
use tokio::sync::mpsc;

/// Commands of the board's task that wait.
const COMMANDS: usize = 64;

/// A board that a task waits for.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) address: BusAddress,
    pub(super) seat: Seat,
    commands: (mpsc::Sender<Command>, mpsc::Receiver<Command>),
    pub(super) waiting: Outbox,
    /// The task knows of everything up to here.
    told: Mono,
    pub(super) is_up: bool,
    /// Its task is gone.
    pub(super) is_gone: bool,
    overflowed: bool,
}

impl Place {
    pub(super) fn new(address: BusAddress, seat: Seat, now: Mono) -> Self {
        Self {
            address,
            seat,
            commands: mpsc::channel(COMMANDS),
            waiting: Outbox::default(),
            told: now,
            is_up: false,
            is_gone: false,
            overflowed: false,
        }
    }

    fn push(&mut self, t: Mono, event: LinkEvent) {
        // Its task has not turned for hours: what comes now is lost, as on a line that is cut. The line's journal has it.
        if self.waiting.is_full() {
            if !std::mem::replace(&mut self.overflowed, true) {
                tracing::error!("board {}: its task is stuck; what the board says is kept in the journal of its line only", self.seat.name);
            }
            return;
        }
        self.overflowed = false;
        self.told = self.told.max(t);
        self.waiting.push(self.told, event);
    }

    pub(super) fn up(&mut self, now: Mono, port: PathBuf, firmware: Option<(u8, u8)>) {
        // What its task wanted of the connection before is over.
        self.commands = mpsc::channel(COMMANDS);
        let identity = Identity { serial: Some(format!("{:05}", self.address.number())), firmware, ..Identity::default() };
        self.push(now, LinkEvent::Up(Up { port, identity, commands: self.commands.0.clone(), polled: true }));
        self.is_up = true;
    }

    pub(super) fn down(&mut self, now: Mono, why: String) {
        if std::mem::take(&mut self.is_up) {
            self.push(now, LinkEvent::Down(why));
        }
    }

    /// What happened between two turns is taken as if it had come evenly: the order is the log's, and each is within the two.
    pub(super) fn said(&mut self, now: Mono, said: &Said) {
        let from = Mono::from_millis(said.from).max(self.told).min(now);
        let shares = said.messages.len() as u64;
        for (n, message) in (1..).zip(&said.messages) {
            let t = from + now.since(from) * n / shares;
            if said.waited {
                self.push(t, LinkEvent::Waited);
            }
            self.push(t, LinkEvent::Bytes(Bytes::from(message.encode())));
        }
        self.push(now, if said.waited { LinkEvent::Waited } else { LinkEvent::Polled });
    }

    /// What its task wants.
    pub(super) fn wants(&mut self) -> Option<Ask> {
        while let Ok(command) = self.commands.1.try_recv() {
            match command {
                Command::SendBoard => return Some(Ask::Board),
                Command::SendClock => return Some(Ask::Clock),
                Command::SendMoveMemory => return Some(Ask::Log),
                // Modes, lights and texts are a single board's.
                _ => {}
            }
        }
        None
    }

    /// Hands on as much as there is room for.
    pub(super) fn flush(&mut self) {
        if !self.is_gone {
            self.is_gone = self.waiting.flush(&self.seat.events).is_err();
        }
    }
}
