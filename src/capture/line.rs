//! One line of a capture: `MILLISECONDS DIRECTION CONTENT`.
use flagfall_events::{Entry, LinkState, Mono, Order, SetClock};
use std::fmt::Write as _;

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum CaptureLine {
    /// `<`: bytes from the board, at least one.
    FromBoard(Vec<u8>),
    /// `>`: bytes to the board, at least one.
    ToBoard(Vec<u8>),
    /// `!`: an arbiter's or operator's input.
    Entry(Entry),
    /// `=`: the link came up or went down.
    Link(LinkState),
}

/// Three years and a little: beyond it a time is a mistake, and would make the clock's regular events endless.
const LATEST_MS: u64 = 100_000_000_000;

/// A line without its end, trimmed and not empty. The error says what is wrong and what to do.
pub(super) fn parse(text: &str) -> Result<(Mono, CaptureLine), String> {
    let (time, rest) =
        text.split_once([' ', '\t']).ok_or_else(|| format!("{text:?} is too short; a line is for example `1250 < 8e 00 05 34 00`"))?;
    if time.is_empty() || !time.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("{time:?} is no time; a line begins with milliseconds, for example `1250 < 8e 00 05 34 00`"));
    }
    let beyond = || format!("time {time} is beyond three years; it is milliseconds since the capture began");
    let t = time.parse::<u64>().ok().filter(|t| *t <= LATEST_MS).ok_or_else(beyond)?;
    let rest = rest.trim_start();
    let mut chars = rest.chars();
    let direction = chars.next();
    let content = chars.as_str().trim_start();
    let line = match direction {
        Some('<' | '>') if content.is_empty() => {
            return Err(String::from("there are no bytes; leave the line out, or comment it out with #"));
        }
        Some('<') => CaptureLine::FromBoard(hex(content)?),
        Some('>') => CaptureLine::ToBoard(hex(content)?),
        Some('!') => CaptureLine::Entry(entry(content)?),
        Some('=') => match content {
            "up" => CaptureLine::Link(LinkState::Up),
            "down" => CaptureLine::Link(LinkState::Down),
            _ => return Err(format!("{content:?} is no link state; write up or down")),
        },
        Some(other) => return Err(format!("{other:?} is no direction; write < from the board, > to the board, ! an entry, = the link")),
        None => return Err(String::from("there is only a time; a line is for example `1250 < 8e 00 05 34 00`")),
    };
    Ok((Mono::from_millis(t), line))
}

/// Bytes as pairs of hex digits; blanks between the pairs may be missing. The error says what is wrong and what to do.
pub fn hex(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len() / 3 + 1);
    for word in text.split_ascii_whitespace() {
        let digits = word.as_bytes();
        if !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(format!("{word:?} is not hex; bytes are pairs of hex digits, for example `8e 00 05 34 00`"));
        }
        // A hex digit's value is below 16.
        let value = |d: u8| char::from(d).to_digit(16).map_or(0, |v| v as u8);
        bytes.extend(digits.chunks_exact(2).map(|pair| value(pair[0]) << 4 | value(pair[1])));
    }
    Ok(bytes)
}

/// An arbiter's or operator's input: the JSON of a `!` line or of a request. The error says what is wrong and what to do.
pub fn entry(json: &str) -> Result<Entry, String> {
    let entry: Entry =
        serde_json::from_str(json).map_err(|e| format!("not an entry: {e}; for example {{\"do\":\"result\",\"result\":\"1-0\"}}"))?;
    let clock = match &entry.order {
        Order::SetPosition { fen } => {
            let placement = fen.split_ascii_whitespace().next().unwrap_or("");
            if placement.parse::<shakmaty::fen::Fen>().is_err() {
                return Err(format!("fen: {fen:?} is no position; give at least the first field of a FEN"));
            }
            None
        }
        Order::Moves { pgn } => {
            flagfall_game::pgn::plies(pgn).map_err(|why| format!("pgn: {why}"))?;
            None
        }
        Order::SetClock { clock } => Some(*clock),
        Order::Rule { clock, .. } | Order::Penalty { clock, .. } => *clock,
        _ => None,
    };
    if let Some(SetClock { white_ms, black_ms, .. }) = clock
        && [white_ms, black_ms].iter().any(|ms| !(0..=35_999_000).contains(ms))
    {
        return Err(String::from("clock: a time is outside what a clock shows, 0 to 35999000 milliseconds (9:59:59)"));
    }
    Ok(entry)
}

/// One line of bytes.
pub(super) fn chunk(out: &mut String, t: u64, direction: char, bytes: &[u8]) {
    // Writing to a String cannot fail.
    let _ = write!(out, "{t} {direction}");
    for byte in bytes {
        let _ = write!(out, " {byte:02x}");
    }
    out.push('\n');
}
