//! Whether a journal is what was written: every checksum, the chain, every signature, and a replay that makes the same events.
use super::checkpoint::{self, Checkpoint};
use super::header::{Before, Open, READ};
use super::key;
use super::line::{Chain, Line};
use super::read::{Lines, skips};
use super::replay::Replay;
use super::what::{Cut, KeyChange, Lost, Sign, What};
use flagfall_events::Mono;
use flagfall_game::RECOGNITION;
use std::path::Path;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The header, where it can be read.
    pub open: Option<Open>,
    /// Lines that stand.
    pub lines: u64,
    /// The first and the last event of those.
    pub events: Option<(u64, u64)>,
    /// How many events of a replay were the same.
    pub replayed: u64,
    /// Checkpoints whose signature is right.
    pub checkpoints: u64,
    /// Lines that the last of them covers.
    pub signed: u64,
    /// What follows it, where that is more than itself.
    pub unsigned: Option<Unsigned>,
    /// What checkpoints say of lines that were found at a start and not written by it, with the line of the checkpoint.
    pub found: Vec<(u64, String)>,
    /// The last checkpoint as a signed note, as tools for transparency logs read it. Format 1 has none.
    pub note: Option<String>,
    /// How often the program was started in the middle.
    pub restarts: u64,
    /// What was cut off torn ends, with the line that tells of it.
    pub cuts: Vec<(u64, Cut)>,
    /// What could not be kept, with the line that tells of it.
    pub losses: Vec<(u64, Lost)>,
    /// Inputs that flagfall could not take, and beginnings anew.
    pub mistakes: Vec<(u64, String)>,
    /// From which line on the events are those of another recognition, and which: they cannot be compared with a replay.
    pub foreign: Option<(u64, Option<u32>)>,
    /// Another key signs from this line on; the one before was lost, or vouches for it.
    pub keys: Vec<(u64, KeyChange)>,
    /// Lines that the last checkpoint signed with the key that was given covers; 0 where none was given or none signed.
    pub proved: u64,
    /// The key that was given, or the one that it vouches for in the end.
    pub trusted: Option<String>,
    /// Its last line says that nothing follows.
    pub ended: bool,
    /// What is wrong, the first of it; nothing after it was looked at.
    pub trouble: Option<Trouble>,
}

/// Lines that no checkpoint covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsigned {
    /// How many.
    pub lines: u64,
    /// When the first and the last of them were.
    pub from: Mono,
    /// See `from`.
    pub to: Mono,
}

/// What is wrong with a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The first bad line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub what: String,
    /// What it holds, or seems to.
    pub held: String,
    /// Who can see it.
    pub shown: Shown,
}

/// What shows that something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Checksums, chain, tree, signatures, numbers: whoever has `docs/journal.md` sees it.
    ByProof,
    /// What the line holds, or a replay: only this program's rules tell.
    ByReading,
}

/// What is wrong with a line, and what shows it.
type Wrong = (Shown, String);

const fn proof(what: String) -> Wrong {
    (Shown::ByProof, what)
}

const fn reading(what: String) -> Wrong {
    (Shown::ByReading, what)
}

/// Looks at a whole journal. `trusted`: the public key it must be signed with, hex.
pub fn verify(bytes: &[u8], trusted: Option<&str>) -> Report {
    verify_seen(bytes, trusted, &mut |_| {})
}

/// The same; `each` is told how many bytes every line has.
pub fn verify_seen(bytes: &[u8], trusted: Option<&str>, each: &mut dyn FnMut(usize)) -> Report {
    // Bytes in memory can always be read.
    let (mut report, mut replay, skips) = (Report::default(), Replay::default(), skips(bytes).unwrap_or_default());
    report.trusted = trusted.map(str::to_lowercase);
    let mut lines = Lines::new(bytes);
    loop {
        let before = lines.so_far();
        let line = match lines.next() {
            None => break,
            Some(Ok(line)) => line,
            Some(Err(bad)) => {
                report.trouble = Some(Trouble { line: bad.line, what: bad.wrong.to_string(), held: bad.held, shown: Shown::ByProof });
                break;
            }
        };
        each(line.text.len() + 1);
        let told = report.line(&line, &before).and_then(|()| {
            // A recognition that is not ours may read the same inputs otherwise: that is no change of the record.
            if report.foreign.is_some() {
                return Ok(());
            }
            replay.line(&line, skips.contains(&line.number), &mut |_| {}).map_err(reading)?;
            replay.differs().map_or(Ok(()), |differs| Err(reading(format!("a replay of the inputs differs: {}", differs.text))))
        });
        if let Err((shown, what)) = told {
            let held = super::line::seems_to_hold(line.text.as_bytes());
            report.trouble = Some(Trouble { line: line.number, what, held, shown });
            break;
        }
        report.lines = line.number;
        report.replayed = replay.events();
    }
    if report.open.is_none() && report.trouble.is_none() {
        let (what, held) = (String::from("the file is empty"), String::from("nothing"));
        report.trouble = Some(Trouble { line: 1, what, held, shown: Shown::ByProof });
    }
    report
}

/// What is said of a checkpoint that does not stand.
pub(super) fn stands(is_of: bool, is_signed: bool) -> Result<(), String> {
    match (is_of, is_signed) {
        (true, true) => Ok(()),
        (false, _) => Err(String::from("the checkpoint is not of the lines before it: they were changed after they were signed")),
        (true, false) => Err(String::from("the signature is wrong: this checkpoint was not made with the journal's key")),
    }
}

impl Report {
    fn line(&mut self, line: &Line<'_>, before: &Chain) -> Result<(), Wrong> {
        if (line.number == 1) != (line.key == "open") {
            return Err(proof(String::from("a journal has one header, its first line")));
        }
        let signs = matches!(line.key, "checkpoint" | "sign");
        self.ended &= signs;
        if !signs {
            let Unsigned { lines, from, to } = self.unsigned.unwrap_or(Unsigned { lines: 0, from: line.t, to: line.t });
            self.unsigned = Some(Unsigned { lines: lines + 1, from, to: to.max(line.t) });
        }
        match line.key {
            "event" => {
                let seq: Option<u64> = line.value.strip_prefix("{\"seq\":").and_then(|v| v.split(',').next()?.parse().ok());
                let seq = seq.ok_or_else(|| proof(String::from("an event without a number")))?;
                let expected = self.events.map(|(_, last)| last + 1);
                if expected.is_some_and(|expected| seq != expected) && self.losses.is_empty() {
                    return Err(proof(format!("event {seq} stands where {} must", expected.unwrap_or(1))));
                }
                self.events = Some((self.events.map_or(seq, |(first, _)| first), seq));
                return Ok(());
            }
            "in" | "out" | "heard" => return Ok(()),
            _ => {}
        }
        match line.what().map_err(reading)? {
            What::Open(open) => {
                if !READ.contains(&open.format) {
                    let (first, last) = (READ.start(), READ.end());
                    return Err(proof(format!(
                        "format {} is not known here, {first} to {last} are; a newer flagfall may read it",
                        open.format
                    )));
                }
                self.recognised_by(line.number, open.recognition);
                self.open = Some(*open);
            }
            What::Key(change) => {
                let lost = self.signer().ok_or_else(|| proof(String::from("another key before the header")))?;
                // A journal that was begun with the new key says of the one before it that its key was lost.
                if change.lost != lost && change.public != lost {
                    return Err(proof(format!("it names {} as the key before it, and {lost} was", change.lost)));
                }
                if self.trusted.as_ref() == Some(&change.lost) && change.is_vouched() {
                    self.trusted = Some(change.public.clone());
                }
                self.keys.push((line.number, change));
            }
            What::Checkpoint(checkpoint) => self.checkpoint(line, checkpoint, before).map_err(proof)?,
            What::Sign(sign) => self.sign(line, &sign, before).map_err(proof)?,
            What::Restart(restart) => {
                self.restarts += 1;
                // After damage fewer events may be made again than were published.
                self.events = self.events.map(|(first, last)| (first, last.max(restart.seq)));
                self.recognised_by(line.number, restart.recognition);
            }
            What::Cut(cut) => self.cuts.push((line.number, cut)),
            What::Lost(lost) => self.losses.push((line.number, lost)),
            What::Skip(skip) => self.mistakes.push((line.number, format!("the input before this line was left out: {}", skip.why))),
            What::Anew(anew) => self.mistakes.push((line.number, format!("the board began anew: {}", anew.why))),
            What::End(_) => {}
            _ => return Ok(()),
        }
        self.ended |= line.key == "end";
        Ok(())
    }

    fn recognised_by(&mut self, line: u64, recognition: Option<u32>) {
        if recognition != Some(RECOGNITION) {
            self.foreign.get_or_insert((line, recognition));
        }
    }

    /// The public key that signs now.
    pub fn signer(&self) -> Option<&str> {
        let last = self.keys.last().map(|(_, change)| change.public.as_str());
        last.or_else(|| self.open.as_ref().map(|open| open.key.as_str()))
    }

    fn checkpoint(&mut self, line: &Line<'_>, checkpoint: Checkpoint, before: &Chain) -> Result<(), String> {
        let signer = self.signer().unwrap_or_default();
        let log =
            self.open.as_ref().and_then(checkpoint::origin).ok_or_else(|| String::from("a checkpoint in a journal without a number"))?;
        stands(checkpoint.is_of(line.number - 1, &before.root()), checkpoint.is_signed_by(&log, signer))?;
        self.note = Some(checkpoint.note(&log, signer));
        self.covers(line.number - 1);
        self.found.extend(checkpoint.notes.into_iter().map(|note| (line.number, note)));
        Ok(())
    }

    fn sign(&mut self, line: &Line<'_>, sign: &Sign, before: &Chain) -> Result<(), String> {
        let open = self.open.as_ref().ok_or_else(|| String::from("a checkpoint before the header"))?;
        let signer = self.signer().unwrap_or_default();
        stands(sign.lines == line.number - 1 && sign.chain == before.hex(), key::holds(signer, &open.board, sign))?;
        self.covers(sign.lines);
        Ok(())
    }

    /// A checkpoint that stands covers so many lines.
    fn covers(&mut self, lines: u64) {
        if self.signer().zip(self.trusted.as_deref()).is_some_and(|(signer, key)| key == signer) {
            self.proved = lines;
        }
        (self.checkpoints, self.signed, self.unsigned) = (self.checkpoints + 1, lines, None);
    }

    /// The journal before this one, if it can be seen beside it, must be the one this one follows. Says what cannot be checked.
    ///
    /// # Errors
    /// It is another one now.
    pub fn follows(&self, path: &Path) -> Result<Option<String>, Trouble> {
        let Some(Before { file, lines, chain, damaged }) = self.open.as_ref().and_then(|open| open.before.as_ref()) else {
            return Ok(None);
        };
        let trouble = |what: String| Trouble { line: 1, what, held: String::from("the header"), shown: Shown::ByProof };
        // A name from a file: nothing outside the folder is opened for it.
        let Some(name) = Path::new(file).file_name() else { return Ok(None) };
        let Ok(bytes) = std::fs::read(path.with_file_name(name)) else {
            return Ok(Some(format!("the journal before it, {file}, is not here: removed after its time, or lost")));
        };
        let mut earlier = Lines::new(&bytes[..]);
        while earlier.so_far().lines() < *lines {
            if !matches!(earlier.next(), Some(Ok(_))) {
                return Err(trouble(format!(
                    "{file}, which it follows, had {lines} lines then and has {} that stand now",
                    earlier.so_far().lines()
                )));
            }
        }
        if earlier.so_far().hex() != *chain {
            return Err(trouble(format!("{file}, which it follows, was changed since")));
        }
        match damaged {
            Some(damaged) => Ok(Some(format!("it takes over from {file}, which was damaged then: {damaged}"))),
            None if earlier.offset() < bytes.len() as u64 => {
                Err(trouble(format!("{file}, which it follows, had {lines} lines then and has more now")))
            }
            None => Ok(None),
        }
    }
}
