//! A recording with nothing personal left in it.
use super::super::ExitError;
use crate::journal::line::Line;
use crate::journal::read;
use crate::journal::what::What;
use dgt_protocol::receiver::Single;
use flagfall_capture::blank::Blank;
use flagfall_capture::{Capture, CaptureError, CaptureLine, Header, Writer};
use flagfall_events::{BoardKind, Entry, LinkState, Mono, Order, Wall};
use flagfall_game::settings::Settings;
use std::path::Path;

/// A recording as it may be shown.
pub(super) struct Anonymous {
    header: Header,
    lines: Vec<(Mono, CaptureLine)>,
    /// Where its first line stands in the text that was made last, from 1.
    first: usize,
}

impl Anonymous {
    /// What the bytes of a capture or journal hold; with why it could not be read to its end, where that is so.
    pub(super) fn of(path: &Path, bytes: Vec<u8>) -> Result<(Self, Option<ExitError>), ExitError> {
        // Journals are JSON lines, captures never begin so.
        if bytes.starts_with(b"{") {
            return Ok((of_journal(path, &bytes)?, None));
        }
        let malformed = |e: CaptureError| ExitError::bad_data(format_args!("{}:{}: {}", path.display(), e.line, e.text));
        let bytes = flagfall_capture::convert(bytes).map_err(malformed)?;
        let capture = Capture::open(&bytes).map_err(malformed)?;
        let header = capture.header().clone();
        let (mut lines, mut broken) = (Vec::new(), None);
        for item in capture {
            match item {
                Ok(line) => lines.push(line),
                Err(error) => broken = Some(malformed(error)),
            }
        }
        let made = Self::new(header.settings, header.opened_at, header.lang, lines, Before::default());
        Ok((made, broken))
    }

    /// Everything personal goes.
    fn new(mut settings: Settings, opened_at: Wall, lang: Option<String>, lines: Vec<(Mono, CaptureLine)>, before: Before) -> Self {
        settings.link = link(&settings.link, before.slow);
        let first = lines.iter().find(|(_, line)| !matches!(line, CaptureLine::ToBoard(_))).map_or(Mono::ZERO, |line| line.0);
        // When the game should begin counts from the recording's first moment, as everything does.
        settings.start_at = settings.start_at.map(|at| {
            let ms = at.differs(opened_at.after(first));
            let apart = Mono::from_millis(ms.unsigned_abs());
            if ms < 0 { Wall::EPOCH.before(apart) } else { Wall::EPOCH.after(apart) }
        });
        let mut blank = Blank::new(match settings.kind {
            BoardKind::Dgt | BoardKind::Occupancy => Single::Dgt,
            BoardKind::Pegasus => Single::Pegasus,
        });
        let shown = |(t, line): (Mono, CaptureLine)| {
            let line = match line {
                CaptureLine::FromBoard(mut bytes) => {
                    blank.bytes(&mut bytes);
                    CaptureLine::FromBoard(bytes)
                }
                // What stands on a clock may be a name; of what is sent nothing is read.
                CaptureLine::ToBoard(_) => return None,
                CaptureLine::Entry(entry) => CaptureLine::Entry(nameless(entry, &before)?),
                CaptureLine::Link(state) => CaptureLine::Link(state),
            };
            Some((Mono::from_millis(t.since(first)), line))
        };
        let lines = lines.into_iter().filter_map(shown).collect();
        Self { header: Header { settings, opened_at: Wall::EPOCH, lang }, lines, first: 1 }
    }

    /// The capture, with these further lines in its header.
    pub(super) fn text(&mut self, more: &[String]) -> String {
        // Writing to a Vec cannot fail.
        let Ok(mut writer) = Writer::new(Vec::new(), &self.header) else { return String::new() };
        for line in more {
            let _ = writer.comment(line);
        }
        self.first = self.header.to_string().lines().count() + more.len() + 1;
        for (t, line) in &self.lines {
            let _ = writer.line(*t, line);
        }
        String::from_utf8_lossy(&writer.into_inner()).into_owned()
    }

    /// Leaves an entry out that stands at this line of the text; `false`: there is none.
    pub(super) fn leave_out(&mut self, line: usize) -> bool {
        let at = line.checked_sub(self.first).filter(|at| matches!(self.lines.get(*at), Some((_, CaptureLine::Entry(_)))));
        at.is_some_and(|at| {
            self.lines.remove(at);
            true
        })
    }
}

/// What was before the recording began.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    /// The number of its last event: findings are numbered from there.
    seq: u64,
    /// Games.
    games: u32,
    /// The board is scanned at half speed.
    slow: bool,
}

/// The inputs of a journal, whatever of it can be read. What a capture has no line for is a link that was down: bytes were lost there too.
fn of_journal(path: &Path, bytes: &[u8]) -> Result<Anonymous, ExitError> {
    let bad = |line: u64, why: String| ExitError::bad_data(format_args!("{}:{line}: {why}", path.display()));
    let skips = read::skips(bytes).map_err(|e| ExitError::reading(path, &e))?;
    let (mut lines, mut opened) = (Vec::new(), None);
    for line in read::readable(bytes) {
        let Line { number, t, key, .. } = line;
        if key != "open" && (!What::is_input(key) || skips.contains(&number)) {
            continue;
        }
        let mut add = |content| lines.push((t, content));
        match line.what().map_err(|why| bad(number, why))? {
            What::Open(open) => opened = opened.or(Some((open.recorded_at, open))),
            What::In(bytes) if !bytes.is_empty() => add(CaptureLine::FromBoard(bytes)),
            What::Link(change) => add(CaptureLine::Link(change.state)),
            What::Entry(entry) => add(CaptureLine::Entry(entry)),
            What::Restart(_) => add(CaptureLine::Link(LinkState::Down)),
            What::Drop(_) | What::Anew(_) => [LinkState::Down, LinkState::Up].into_iter().for_each(|state| add(CaptureLine::Link(state))),
            What::Wall(set) => {
                if let Some((opened_at, _)) = &mut opened {
                    *opened_at = set.at.before(t);
                }
            }
            // The verdicts of the solver are asked for again, alarms are not the board's.
            _ => {}
        }
    }
    let Some((opened_at, open)) = opened else { return Err(bad(1, String::from("no journal: its first line cannot be read"))) };
    let settings = open.settings().map_err(|why| bad(1, why))?;
    let before = Before { seq: open.seq, games: open.games, slow: open.stands.as_ref().is_some_and(|stands| stands.slow) };
    Ok(Anonymous::new(settings, opened_at, None, lines, before))
}

/// Of where the board is plugged in only what its scan depends on is kept.
fn link(link: &str, slow: bool) -> String {
    match link.split(':').next() {
        Some("ble") => String::from("ble:"),
        _ if slow || link.contains("rfcomm") => String::from("rfcomm"),
        _ => Settings::default().link,
    }
}

/// What was entered, without who and any free words; numbers count from the recording's beginning. `None`: it is about what was before.
fn nameless(entry: Entry, before: &Before) -> Option<Entry> {
    let order = match entry.order {
        Order::Rule { finding, decision, clock, result } => {
            Order::Rule { finding: finding.checked_sub(before.seq).filter(|id| *id > 0)?, decision, clock, result }
        }
        Order::Result { result, reason: _, game } => {
            let game = match game {
                Some(game) => Some(game.checked_sub(before.games).filter(|game| *game > 0)?),
                None => None,
            };
            Order::Result { result, reason: None, game }
        }
        Order::Penalty { by, article, clock } => {
            let numbers = article.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
            Order::Penalty { by, article: numbers, clock }
        }
        Order::Undo { ruling } => Order::Undo { ruling: ruling.checked_sub(before.seq).filter(|seq| *seq > 0)? },
        order => order,
    };
    Some(Entry::new(order))
}
