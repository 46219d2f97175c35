//! The explanation for people, at most 100 columns wide.
use super::readings::{Readings, Told as Reading};
use super::told::{MomentTold, Stamp, Told};
use super::words::{stamp, tenths};
use flagfall_events::{Colour, How};
use flagfall_game::believed::hands::Part;
use std::fmt;

const WIDTH: usize = 100;
/// Squares told of one reading.
const SQUARES: usize = 4;
/// Plies told of a reading that is another line from long ago.
const END: usize = 4;
/// Leads told.
const LEADS: usize = 8;

/// Every part: its name, the head of its column, what it means.
const COLUMNS: [(Part, &str, &str); 7] = [
    (Part::Plies, "plies", "plies, and how they came about"),
    (Part::InHand, "hand", "pieces that are missing, most often in a hand"),
    (Part::OutOfPlace, "place", "pieces out of place"),
    (Part::Presses, "press", "presses too early, too late or for nothing"),
    (Part::Waiting, "wait", "a move that stands and is not pressed"),
    (Part::Lost, "lost", "lost messages"),
    (Part::Sides, "clock", "the clock the other way round than expected"),
];

/// Prints it.
pub(super) struct Text<'a>(pub(super) &'a Told);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told { file, game, ply, by, .. } = self.0;
        let word = self.0.san.as_deref().unwrap_or(&self.0.uci);
        let (white, player) = if *by == Colour::White { (true, "White") } else { (false, "Black") };
        let illegal = if self.0.legal { "" } else { ", illegal" };
        writeln!(f, "{file}, game {game}, ply {ply}: {} by {player}{illegal}", numbered(*ply, white, word))?;
        let line = |f: &mut fmt::Formatter<'_>, what: &str, at: Stamp, more: &str| {
            writeln!(f, "  {what:<9}  {:>11}  (event {}){more}", stamp(at.t), at.seq)
        };
        line(f, "made", self.0.made, "")?;
        if let Some(pressed) = self.0.pressed {
            line(f, "pressed", pressed, "")?;
        }
        if let Some(completed) = &self.0.completed {
            let how = match completed.how {
                How::Press => ", by its press",
                How::NextMove => ", by its player's next move",
                How::GameEnd => ", it ended the game",
                How::Settled => ", settled",
                How::Ruling => ", by a ruling",
                How::Recovered => ", recovered",
            };
            let assumed = if completed.assumed { ", assumed" } else { "" };
            line(f, "completed", completed.at, &format!("{how}{assumed}"))?;
        }
        if let Some(corrected) = &self.0.corrected {
            line(f, "corrected", corrected.at, &format!(", was {}", corrected.was))?;
        }
        if let Some(withdrawn) = self.0.withdrawn {
            line(f, "withdrawn", withdrawn, "")?;
        }
        writeln!(f)?;
        wrapped(f, &self.0.why, "")?;
        for moment in &self.0.moments {
            told(f, moment)?;
        }
        writeln!(f)?;
        if self.0.moments.iter().any(|moment| moment.estimate.is_some()) {
            legend(f, self.0)?;
        }
        if let Some(line) = self.0.differs_from_line {
            let why = "what another version of flagfall recorded may be read otherwise by this one; `flagfall verify` says whether the file was changed";
            wrapped(f, &format!("From line {line} on the events of this journal are not those of this replay: {why}."), "")?;
        }
        Ok(())
    }
}

/// One moment.
fn told(f: &mut fmt::Formatter<'_>, moment: &MomentTold) -> fmt::Result {
    let of: Vec<&str> = moment
        .of
        .iter()
        .map(|name| match *name {
            "made" => "when it was made",
            "press" => "at its press",
            "decision" => "at the decision",
            _ => "at the correction",
        })
        .collect();
    let of = of.join(" and ");
    writeln!(f, "\n{}{}, {}", of[..1].to_uppercase(), &of[1..], stamp(moment.at.t))?;
    let Some(estimate) = &moment.estimate else {
        return writeln!(f, "  There is no estimate: {}.", moment.why_none.unwrap_or("nothing is known"));
    };
    table(f, estimate)?;
    leads(f, estimate)
}

/// The readings, the cheapest first.
fn table(f: &mut fmt::Formatter<'_>, estimate: &Readings) -> fmt::Result {
    let shown = |reading: &Reading, part: Part| tenths(reading.dearer_by_part[name(part)], true);
    let columns: Vec<_> =
        COLUMNS.iter().filter(|(part, ..)| estimate.readings.iter().any(|reading| shown(reading, *part) != "0.0")).collect();
    let head: String = columns.iter().map(|(_, head, _)| format!("{head:>7}")).collect();
    let after = estimate.after.as_ref().map(|after| {
        let ply = estimate.same_up_to;
        // The plies after it know whose turn it is.
        let white = estimate.leads.iter().find(|lead| lead.ply == ply).map_or(ply % 2 == 1, |lead| lead.white);
        format!(", after {}", numbered(ply, white, after))
    });
    writeln!(f, "     dearer{head}   reading{}", after.unwrap_or_default())?;
    let clocked = estimate.readings.iter().any(|reading| reading.owed > 0 || reading.plies.iter().any(|ply| ply.pressed));
    let indent = 14 + 7 * columns.len();
    for (number, reading) in (1..).zip(&estimate.readings) {
        let prices: String = columns.iter().map(|(part, ..)| format!("{:>7}", shown(reading, *part))).collect();
        write!(f, "  {number:<2}{:>7}{prices}   ", tenths(reading.dearer, true))?;
        let mut words = reading_told(reading, clocked, estimate.same_up_to);
        if reading.white_clock != estimate.readings[0].white_clock {
            words.push(format!("(White's clock at the {})", reading.white_clock));
        }
        flow(f, words.iter().map(String::as_str), indent, indent)?;
        let odd = &reading.disagrees;
        if !odd.is_empty() {
            let mut told: Vec<&str> = odd.iter().take(SQUARES).map(|one| one.words.as_str()).collect();
            let more = format!("{} more squares", odd.len().saturating_sub(SQUARES));
            if odd.len() > SQUARES {
                told.push(&more);
            }
            let text = told.join("; ");
            write!(f, "{:indent$}", "")?;
            flow(f, text.split(' '), indent, indent)?;
        }
    }
    if estimate.more > 0 {
        writeln!(f, "  and {} that are dearer", estimate.more)?;
    }
    Ok(())
}

const fn name(part: Part) -> &'static str {
    Part::ALL[part as usize].1
}

/// The plies of a reading: `*` behind one that is not pressed, `?` for one that is pressed and not seen.
fn reading_told(reading: &Reading, clocked: bool, same: u32) -> Vec<String> {
    let mut words = Vec::new();
    // Of one that is another line from earlier on only the end is told.
    let other = reading.plies.first().filter(|first| first.ply <= same);
    let from = other.map_or(0, |_| reading.plies.len().saturating_sub(END));
    if let Some(first) = other.filter(|_| from > 0) {
        words.push(format!("{} …", numbered(first.ply, first.white, &first.san)));
    }
    for (i, ply) in reading.plies[from..].iter().enumerate() {
        let star = if clocked && !ply.pressed { "*" } else { "" };
        words.push(match ply.white || i == 0 {
            true => format!("{}{star}", numbered(ply.ply, ply.white, &ply.san)),
            false => format!("{}{star}", ply.san),
        });
    }
    words.extend((0..reading.owed).map(|_| String::from("?")));
    if words.is_empty() {
        words.push(String::from("nothing more"));
    }
    words
}

/// How firmly the last plies of the first reading are believed.
fn leads(f: &mut fmt::Formatter<'_>, estimate: &Readings) -> fmt::Result {
    let told = estimate.leads.iter().take(LEADS).map(|lead| {
        let more = if lead.lead >= estimate.lead_at_most { "≥" } else { "" };
        let short = if lead.certain { "" } else { " (not enough)" };
        format!("{} {more}{}{short}", numbered(lead.ply, lead.white, &lead.san), tenths(lead.lead, false))
    });
    let mut told: Vec<String> = told.collect();
    let Some((_, others)) = told.split_last_mut() else { return Ok(()) };
    others.iter_mut().for_each(|one| one.push(','));
    let enough = estimate.leads.first().map(|lead| tenths(lead.enough, false)).unwrap_or_default();
    let head = format!("Leads of the first reading's last plies ({enough} are enough):");
    write!(f, "  ")?;
    flow(f, head.split(' ').chain(told.iter().map(String::as_str)), 2, 2)
}

/// What the columns and signs mean.
fn legend(f: &mut fmt::Formatter<'_>, told: &Told) -> fmt::Result {
    let estimates = || told.moments.iter().filter_map(|moment| moment.estimate.as_ref()).flat_map(|estimate| &estimate.readings);
    let is_shown = |part: &Part| estimates().any(|reading| tenths(reading.dearer_by_part[name(*part)], true) != "0.0");
    let columns: Vec<String> =
        COLUMNS.iter().filter(|(part, ..)| is_shown(part)).map(|(_, head, meaning)| format!("{head}: {meaning}")).collect();
    let columns = if columns.is_empty() { String::new() } else { format!(" By part: {}.", columns.join("; ")) };
    wrapped(f, &format!("`dearer`: by how many nats a reading has cost more than the first one.{columns}"), "")?;
    let signs = "`*`: a move that is not pressed; `?`: a press whose move is not seen. Under a reading: the squares that read otherwise.";
    wrapped(f, signs, "")?;
    wrapped(f, told.nat, "")
}

/// `12. Nf3` or `12… Nf6`, numbered from the game's first move.
fn numbered(ply: u32, white: bool, word: &str) -> String {
    flagfall_score::timeline::a_move(ply, if white { Colour::White } else { Colour::Black }, word, true)
}

/// Text in lines of at most [`WIDTH`] columns, each behind this.
fn wrapped(f: &mut fmt::Formatter<'_>, text: &str, before: &str) -> fmt::Result {
    write!(f, "{before}")?;
    flow(f, text.split(' '), before.chars().count(), before.chars().count())
}

/// Words from a column on, further lines from another one on.
fn flow<'a>(f: &mut fmt::Formatter<'_>, words: impl Iterator<Item = &'a str>, from: usize, indent: usize) -> fmt::Result {
    let mut column = from;
    for (i, word) in words.enumerate() {
        let wide = word.chars().count();
        if i > 0 && column + 1 + wide > WIDTH {
            write!(f, "\n{:indent$}{word}", "")?;
            column = indent + wide;
        } else if i > 0 {
            write!(f, " {word}")?;
            column += 1 + wide;
        } else {
            write!(f, "{word}")?;
            column += wide;
        }
    }
    writeln!(f)
}
