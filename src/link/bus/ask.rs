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
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The longest that is searched and read.
const LONG: u64 = 30_000;
/// After the last search every board has its turn within this time.
const TURN: u64 = 4_000;
/// Where nobody was heard in so many searches, nobody is there: in one, their answers may all have spoiled each other.
const SEARCHES: u32 = 2;
/// A port that was closed a moment ago may not open, or hang up, at once: it is asked so often, with this pause.
const TRIES: usize = 3;
const PAUSE: Duration = Duration::from_millis(500);

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

impl Answering {
    /// Nothing more is waited for.
    const fn is_read(&self) -> bool {
        self.version.is_some() && self.clock.is_some() && self.pieces.is_some()
    }
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

/// Asks a port on which a single board was looked for, and which was closed for that: the question has thrown the boards of a line out of bus
/// mode, and this one brings them back.
///
/// # Errors
/// The port does not open, as often as it was tried.
pub async fn bring_back(path: &Path, stopwatch: Stopwatch) -> Result<Asked, OpenError> {
    for _ in 1..TRIES {
        if let Ok(Some(asked)) = once(path, false, false, stopwatch).await {
            return Ok(asked);
        }
        tokio::time::sleep(PAUSE).await;
    }
    ask(path, false, false, stopwatch).await
}

/// Opens the port and asks, until a search finds nobody whom the one before did not. Takes six seconds where boards answer, and thirty at most.
///
/// # Errors
/// The port does not open; one that goes away meanwhile is a line on which nobody answers.
pub async fn ask(path: &Path, dtr: bool, rts: bool, stopwatch: Stopwatch) -> Result<Asked, OpenError> {
    let asked = once(path, dtr, rts, stopwatch).await?;
    Ok(asked.unwrap_or(Asked { boards: BTreeMap::new(), state: LineState::Silent }))
}

/// `None`: the port went away meanwhile.
async fn once(path: &Path, dtr: bool, rts: bool, stopwatch: Stopwatch) -> Result<Option<Asked>, OpenError> {
    let mut stream = open_with(path, dtr, rts).await?;
    let began = stopwatch.now();
    let config = HostConfig { search_every_ms: None, ..HostConfig::default() };
    let (mut host, mut boards) = (Host::new(began.millis(), config), BTreeMap::<BusAddress, Answering>::new());
    let end = began + LONG;
    // When those who were found have had their turns, once nobody else is left to be found.
    let (mut until, mut searches, mut found) = (end, 0, 0);
    let mut buffer = [0; 512];
    host.handle(began.millis(), HostInput::Timeout);
    loop {
        let now = stopwatch.now();
        while let Some(output) = host.poll() {
            match output {
                HostOutput::Write(command) => {
                    let bytes = command.encode();
                    if stream.write_all(&bytes).await.is_err() {
                        return Ok(None);
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
                HostOutput::Searched => {
                    searches += 1;
                    let before = core::mem::replace(&mut found, host.boards().count());
                    let held = matches!(host.line(), LineState::Zeros | LineState::Ones);
                    if held || (found == 0 && searches == SEARCHES) {
                        until = now;
                    } else if found > before {
                        until = end;
                        host.handle(now.millis(), HostInput::Search);
                    } else if found > 0 {
                        until = until.min(now + TURN);
                    }
                }
                _ => {}
            }
        }
        // Whoever answered to a ping is waited for, except two at one address: what comes from there is neither's.
        let all =
            host.boards().all(|(address, up)| boards.get(&address).is_some_and(|board| board.is_twice || (up && board.pieces.is_some())));
        let read = until < end && found > 0 && boards.values().all(|board| board.is_twice || board.is_read());
        if now >= end || (all && (now >= until || read)) {
            return Ok(Some(Asked { boards, state: host.line() }));
        }
        let wake = Mono::from_millis(host.deadline().unwrap_or(u64::MAX)).min(if now >= until { end } else { until });
        tokio::select! {
            biased;
            read = stream.read(&mut buffer) => match read {
                Ok(0) | Err(_) => return Ok(None),
                Ok(n) => host.handle(stopwatch.now().millis(), HostInput::Bytes(&buffer[..n])),
            },
            () = tokio::time::sleep_until(stopwatch.instant(wake).into()) => host.handle(stopwatch.now().millis(), HostInput::Timeout),
        }
    }
}
