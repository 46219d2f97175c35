//! One line: open, run until the hang-up, open again. The host outlives the port, so what is known of the boards does, too.
use super::seat::Place;
use super::setup::{BusSetup, Direction, Trouble};
use super::words;
use crate::back_off::BackOff;
use crate::open::open_with;
use crate::serial::loss_of;
use crate::startup::Loss;
use dgt_protocol::bus::BusAddress;
use dgt_protocol::bus::host::{Host, HostConfig, HostInput, HostOutput, LineState, MOST};
use flagfall_events::Mono;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_serial::SerialStream;
use tokio_util::sync::CancellationToken;

/// Four bytes; a port that does not take them in this time takes nothing.
const WRITE: Duration = Duration::from_secs(1);
/// Bytes that are read at once. A wire carries 960 a second.
const READ: usize = 512;
/// After so many at once the port rests for so long.
const REST: Duration = Duration::from_millis(1);
/// What tasks want is looked for so often, milliseconds.
const LOOK: u64 = 50;

/// One line and its boards.
struct Line<'a> {
    setup: &'a BusSetup,
    host: Host,
    places: Vec<Place>,
    /// Troubles that people know of.
    troubles: Vec<Trouble>,
    /// The last board that was heard, for whoever looks for the place of a short circuit.
    heard: Option<BusAddress>,
}

/// Keeps a line until `token` is cancelled. A port that is not there is a state, told once for each reason.
pub async fn keep(setup: &BusSetup, token: &CancellationToken) {
    let now = setup.stopwatch.now();
    let config = HostConfig { expected: setup.expected.clone(), discover: setup.discover, ..HostConfig::default() };
    let mut line = Line { setup, host: Host::new(now.millis(), config), places: Vec::new(), troubles: Vec::new(), heard: None };
    for address in &setup.expected {
        line.place(*address);
    }
    line.host.handle(now.millis(), HostInput::Closed);
    let (mut back_off, mut told) = (BackOff::new(), None);
    loop {
        let opening = open_with(&setup.path, setup.dtr, setup.rts);
        let opened = tokio::select! {
            () = token.cancelled() => break,
            opened = opening => opened,
        };
        let why = match opened {
            Err(error) => error.to_string(),
            Ok(stream) => {
                (back_off, told) = (BackOff::new(), None);
                line.clear(Trouble::Line);
                tracing::info!("{}: {} is open", setup.name, setup.path.display());
                let Some(loss) = line.run(stream, token).await else { break };
                loss.to_string()
            }
        };
        if told.as_ref() != Some(&why) {
            tracing::warn!("{}: {}: {why}", setup.name, setup.path.display());
            line.tell(Trouble::Line, format!("{}: {}: {why}", setup.name, setup.path.display()));
            line.port_is_gone(&why);
            told = Some(why);
        }
        line.flush();
        tokio::select! {
            () = token.cancelled() => break,
            () = tokio::time::sleep(back_off.next()) => {}
        }
    }
    for place in line.places {
        place.waiting.finish(&place.seat.events, None).await;
    }
}

impl Line<'_> {
    /// Runs over an open port until it is lost; `None`: `token` was cancelled.
    async fn run(&mut self, mut stream: SerialStream, token: &CancellationToken) -> Option<Loss> {
        self.host.handle(self.now().millis(), HostInput::Opened);
        let mut buffer = [0; READ];
        loop {
            if let Err(loss) = self.drain(&mut stream).await {
                return Some(loss);
            }
            self.flush();
            self.ask();
            let now = self.now();
            let wake = self.host.deadline().unwrap_or(u64::MAX).min(now.millis() + LOOK);
            tokio::select! {
                biased;
                () = token.cancelled() => return None,
                read = stream.read(&mut buffer) => match read {
                    Ok(0) => return Some(Loss::HungUp),
                    Ok(n) => {
                        self.take(&buffer[..n]).await;
                        if n == READ {
                            tokio::time::sleep(REST).await;
                        }
                    }
                    Err(error) => return Some(loss_of(&error)),
                },
                () = tokio::time::sleep_until(self.setup.stopwatch.instant(Mono::from_millis(wake)).into()) => {
                    self.host.handle(self.now().millis(), HostInput::Timeout);
                }
            }
        }
    }

    fn now(&self) -> Mono {
        self.setup.stopwatch.now()
    }

    async fn take(&mut self, bytes: &[u8]) {
        let now = self.now();
        self.record(now, Direction::Heard, bytes).await;
        self.host.handle(now.millis(), HostInput::Bytes(bytes));
    }

    async fn record(&self, t: Mono, direction: Direction, bytes: &[u8]) {
        if let Some(record) = &self.setup.record {
            record(t, direction, bytes.to_vec()).await;
        }
    }

    /// Writes what the host wants written, and hands on what it says.
    async fn drain(&mut self, stream: &mut SerialStream) -> Result<(), Loss> {
        while let Some(output) = self.host.poll() {
            let HostOutput::Write(command) = output else {
                self.hand_on(output);
                continue;
            };
            let bytes = command.encode();
            match tokio::time::timeout(WRITE, stream.write_all(&bytes)).await {
                Ok(Ok(())) => self.record(self.now(), Direction::Sent, &bytes).await,
                Ok(Err(error)) => return Err(loss_of(&error)),
                Err(_) => return Err(Loss::Stuck),
            }
        }
        Ok(())
    }

    fn hand_on(&mut self, output: HostOutput) {
        let now = self.now();
        match output {
            HostOutput::Up { address, version } => {
                let port = self.setup.path.clone();
                if let Some(place) = self.place(address) {
                    tracing::info!("{}: board {} answers at address {}", self.setup.name, self.places[place].seat.name, address.number());
                    self.places[place].up(now, port, version);
                }
                self.look_for_a_cut();
            }
            HostOutput::Down { address, since } => {
                let since = (self.setup.time_of_day)(Mono::from_millis(since));
                let twice = self.troubles.contains(&Trouble::Twice(address));
                if let Some(place) = self.places.iter_mut().find(|place| place.address == address) {
                    let (name, line) = (&place.seat.name, &self.setup.name);
                    let why = if twice { words::twice(line, name, address.number()) } else { words::silent(name, line, &since) };
                    tracing::warn!("{why}");
                    place.down(now, why);
                }
                self.look_for_a_cut();
            }
            HostOutput::Said(said) => {
                self.heard = Some(said.address);
                if let Some(place) = self.places.iter_mut().find(|place| place.address == said.address) {
                    place.said(now, &said);
                }
            }
            HostOutput::Twice(address) => {
                let text = words::twice(&self.setup.name, &self.name_of(address), address.number());
                self.tell(Trouble::Twice(address), text);
            }
            HostOutput::Once(address) => self.clear(Trouble::Twice(address)),
            HostOutput::Line(state) => self.line_is(state),
            HostOutput::Noisy(true) => self.tell(Trouble::Noise, words::noisy(&self.setup.name)),
            HostOutput::Noisy(false) => self.clear(Trouble::Noise),
            HostOutput::TooMany(address) => self.tell(Trouble::TooMany, words::too_many(&self.setup.name, address.number(), MOST)),
            HostOutput::Write(_) | HostOutput::Searched | HostOutput::Cycle(_) => {}
        }
    }

    fn line_is(&mut self, state: LineState) {
        let last = self.heard.map(|address| self.name_of(address));
        match words::line(&self.setup.name, state, last.as_deref()) {
            Some(text) => self.tell(Trouble::Line, text),
            None => self.clear(Trouble::Line),
        }
    }

    fn look_for_a_cut(&mut self) {
        match self.host.cut_behind().filter(|_| self.host.line() == LineState::Works) {
            Some(behind) => {
                let since = (self.setup.time_of_day)(self.now());
                let text = words::cut(&self.setup.name, &self.name_of(behind), &since);
                self.tell(Trouble::Cut, text);
            }
            None => self.clear(Trouble::Cut),
        }
    }

    /// Every board is down, and why.
    fn port_is_gone(&mut self, why: &str) {
        let now = self.now();
        self.host.handle(now.millis(), HostInput::Closed);
        // The boards' own words would be about their plugs.
        while self.host.poll().is_some() {}
        self.clear(Trouble::Noise);
        for place in &mut self.places {
            place.down(now, format!("{}: {why}", self.setup.name));
        }
    }

    /// The board with this address, where somebody wants it.
    fn place(&mut self, address: BusAddress) -> Option<usize> {
        if let Some(known) = self.places.iter().position(|place| place.address == address) {
            return Some(known);
        }
        let seat = (self.setup.attach)(address)?;
        self.places.push(Place::new(address, seat, self.setup.stopwatch.now()));
        Some(self.places.len() - 1)
    }

    fn name_of(&self, address: BusAddress) -> String {
        let known = self.places.iter().find(|place| place.address == address);
        known.map_or_else(|| format!("{:05}", address.number()), |place| place.seat.name.clone())
    }

    fn ask(&mut self) {
        let now = self.now().millis();
        for place in &mut self.places {
            while let Some(ask) = place.wants() {
                self.host.handle(now, HostInput::Ask(place.address, ask));
            }
        }
    }

    fn flush(&mut self) {
        self.places.iter_mut().for_each(Place::flush);
    }

    fn tell(&mut self, trouble: Trouble, text: String) {
        if !self.troubles.contains(&trouble) {
            self.troubles.push(trouble);
        }
        (self.setup.tell)(trouble, Some(text));
    }

    fn clear(&mut self, trouble: Trouble) {
        if let Some(known) = self.troubles.iter().position(|known| *known == trouble) {
            self.troubles.swap_remove(known);
            (self.setup.tell)(trouble, None);
        }
    }
}
