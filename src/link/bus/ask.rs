//! Asks a line once who is there, for people who look for what is wrong.
use crate::open::{OpenError, open_with};
use crate::startup::Loss;
use dgt_protocol::bus::BusAddress;
use dgt_protocol::bus::host::{Host, HostConfig, HostInput, HostOutput, LineState};
use dgt_protocol::clock::ClockReport;
use dgt_protocol::message::Message;
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use std::collections::BTreeMap;
use std::path::Path;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The longest search, and a turn for every board.
const LONG: u64 = 20_000;
/// After the search every board has its turn within this time.
const TURN: u64 = 4_000;

/// A board that answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answering {
    /// Firmware, where it says so.
    pub version: Option<(u8, u8)>,
    /// Its clock, where it was read.
    pub clock: Option<ClockReport>,
    /// How many pieces stand on it, where it was read.
    pub pieces: Option<usize>,
    /// Two boards answer to this address.
    pub is_twice: bool,
}

/// What was found on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Who is there.
    pub boards: BTreeMap<BusAddress, Answering>,
    /// How the line as a whole is.
    pub state: LineState,
}

/// Whether a port on which a single board was looked for, and lost so, may be a line of several: their answers to one question lie over each other.
pub fn may_be_a_line(port: &Path, loss: &Loss) -> bool {
    let radio = port.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rfcomm"));
    matches!(loss, Loss::NotABoard | Loss::NoPlacement) && !radio
}

/// Opens the port and asks. Takes five seconds where boards answer, and twenty at most.
///
/// # Errors
/// The port does not open; one that goes away meanwhile is a line on which nobody answers.
pub async fn ask(path: &Path, dtr: bool, rts: bool, stopwatch: Stopwatch) -> Result<Asked, OpenError> {
    let mut stream = open_with(path, dtr, rts).await?;
    let began = stopwatch.now();
    let config = HostConfig { search_every_ms: None, ..HostConfig::default() };
    let (mut host, mut boards) = (Host::new(began.millis(), config), BTreeMap::<BusAddress, Answering>::new());
    let mut until = began + LONG;
    let mut buffer = [0; 512];
    host.handle(began.millis(), HostInput::Timeout);
    loop {
        let now = stopwatch.now();
        while let Some(output) = host.poll() {
            match output {
                HostOutput::Write(command) => {
                    let bytes = command.encode();
                    if stream.write_all(&bytes).await.is_err() {
                        return Ok(Asked { boards, state: LineState::Silent });
                    }
                }
                HostOutput::Up { address, version } => boards.entry(address).or_default().version = version,
                HostOutput::Twice(address) => boards.entry(address).or_default().is_twice = true,
                HostOutput::Said(said) => {
                    let board = boards.entry(said.address).or_default();
                    for message in said.messages {
                        match message {
                            Message::Clock(report) => board.clock = Some(report),
                            Message::BoardDump(dump) => board.pieces = Some(dump.iter().filter(|piece| !piece.is_empty()).count()),
                            _ => {}
                        }
                    }
                }
                HostOutput::Searched => until = until.min(now + TURN),
                _ => {}
            }
        }
        if now >= until {
            return Ok(Asked { boards, state: host.line() });
        }
        let wake = Mono::from_millis(host.deadline().unwrap_or(u64::MAX)).min(until);
        tokio::select! {
            biased;
            read = stream.read(&mut buffer) => match read {
                Ok(0) | Err(_) => return Ok(Asked { boards, state: LineState::Silent }),
                Ok(n) => host.handle(stopwatch.now().millis(), HostInput::Bytes(&buffer[..n])),
            },
            () = tokio::time::sleep_until(stopwatch.instant(wake).into()) => host.handle(stopwatch.now().millis(), HostInput::Timeout),
        }
    }
}
