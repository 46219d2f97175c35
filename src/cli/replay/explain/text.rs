//! The explanation for people, at most 100 columns wide.
use super::readings::{Readings, Told as Reading};
use super::told::{MomentTold, Stamp, Told};
use super::words::{stamp, tenths};
use crate::cli::watch::Lang;
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

/// A part: the head of its column, what it means.
type Column = (Part, &'static str, &'static str);

/// Every part, in English …
const COLUMNS: [Column; 7] = [
    (Part::Plies, "plies", "plies, and how they came about"),
    (Part::InHand, "hand", "pieces that are missing, most often in a hand"),
    (Part::OutOfPlace, "place", "pieces out of place"),
    (Part::Presses, "press", "presses too early, too late or for nothing"),
    (Part::Waiting, "wait", "a move that stands and is not pressed"),
    (Part::Lost, "lost", "lost messages"),
    (Part::Sides, "clock", "the clock the other way round than expected"),
];
/// … and in Russian.
const RUSSIAN: [Column; 7] = [
    (Part::Plies, "ходы", "ходы и то, как они сделаны"),
    (Part::InHand, "рука", "фигуры не на месте, чаще всего в руке"),
    (Part::OutOfPlace, "место", "фигуры не на своих полях"),
    (Part::Presses, "нажат", "нажатия часов слишком рано, слишком поздно или без причины"),
    (Part::Waiting, "пауза", "ход стоит на доске, а часы не нажаты"),
    (Part::Lost, "потер", "потерянные сообщения"),
    (Part::Sides, "часы", "часы повёрнуты не так, как ожидалось"),
];

/// Prints it.
pub(super) struct Text<'a>(pub(super) &'a Told, pub(super) Lang);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told { file, game, ply, by, .. } = self.0;
        let word = self.0.san.as_deref().unwrap_or(&self.0.uci);
        let lang = self.1;
        let (white, player) = if *by == Colour::White {
            (true, lang.pick(" by White", ", белые"))
        } else {
            (false, lang.pick(" by Black", ", чёрные"))
        };
        let illegal = if self.0.legal { "" } else { lang.pick(", illegal", ", невозможный ход") };
        let (of_game, of_ply) = (lang.pick("game", "партия"), lang.pick("ply", "полуход"));
        writeln!(f, "{file}, {of_game} {game}, {of_ply} {ply}: {}{player}{illegal}", numbered(*ply, white, word))?;
        let line = |f: &mut fmt::Formatter<'_>, what: &str, at: Stamp, more: &str| {
            writeln!(f, "  {what:<9}  {:>11}  ({} {}){more}", stamp(at.t), lang.pick("event", "событие"), at.seq)
        };
        line(f, lang.pick("made", "сделан"), self.0.made, "")?;
        if let Some(pressed) = self.0.pressed {
            line(f, lang.pick("pressed", "нажат"), pressed, "")?;
        }
        if let Some(completed) = &self.0.completed {
            let how = match completed.how {
                How::Press => lang.pick(", by its press", ", нажатием часов"),
                How::NextMove => lang.pick(", by its player's next move", ", следующим ходом того же игрока"),
                How::GameEnd => lang.pick(", it ended the game", ", партия им закончилась"),
                How::Settled => lang.pick(", settled", ", простоял достаточно долго"),
                How::Ruling => lang.pick(", by a ruling", ", решением арбитра"),
                How::Recovered => lang.pick(", recovered", ", восстановлен"),
            };
            let assumed = if completed.assumed { lang.pick(", assumed", ", предположительно") } else { "" };
            line(f, lang.pick("completed", "завершён"), completed.at, &format!("{how}{assumed}"))?;
        }
        if let Some(corrected) = &self.0.corrected {
            line(f, lang.pick("corrected", "исправлен"), corrected.at, &format!(", {} {}", lang.pick("was", "был"), corrected.was))?;
        }
        if let Some(withdrawn) = self.0.withdrawn {
            line(f, lang.pick("withdrawn", "отменён"), withdrawn, "")?;
        }
        writeln!(f)?;
        wrapped(f, &self.0.why, "")?;
        for moment in &self.0.moments {
            told(f, moment, lang)?;
        }
        writeln!(f)?;
        if self.0.moments.iter().any(|moment| moment.estimate.is_some()) {
            legend(f, self.0, lang)?;
        }
        if let Some(line) = self.0.differs_from_line {
            let text = match lang {
                Lang::En => format!(
                    "From line {line} on the events of this journal are not those of this replay: what another version of flagfall recorded may be read otherwise by this one; `flagfall verify` says whether the file was changed."
                ),
                Lang::Ru => format!(
                    "Начиная со строки {line} события этого журнала не те, что при этом воспроизведении: записанное другой версией flagfall эта может прочесть иначе; изменён ли файл, скажет `flagfall verify`."
                ),
            };
            wrapped(f, &text, "")?;
        }
        Ok(())
    }
}

/// One moment.
fn told(f: &mut fmt::Formatter<'_>, moment: &MomentTold, lang: Lang) -> fmt::Result {
    let of: Vec<&str> = moment
        .of
        .iter()
        .map(|name| match *name {
            "made" => lang.pick("when it was made", "когда он сделан"),
            "press" => lang.pick("at its press", "при нажатии часов"),
            "decision" => lang.pick("at the decision", "при решении"),
            _ => lang.pick("at the correction", "при исправлении"),
        })
        .collect();
    let of = of.join(lang.pick(" and ", " и "));
    let first: String = of.chars().take(1).flat_map(char::to_uppercase).collect();
    writeln!(f, "\n{first}{}, {}", of.chars().skip(1).collect::<String>(), stamp(moment.at.t))?;
    let Some(estimate) = &moment.estimate else {
        let why = moment.why_none.unwrap_or_else(|| lang.pick("nothing is known", "ничего не известно"));
        return writeln!(f, "  {}: {why}.", lang.pick("There is no estimate", "Оценки нет"));
    };
    table(f, estimate, lang)?;
    leads(f, estimate, lang)
}

/// The readings, the cheapest first.
fn table(f: &mut fmt::Formatter<'_>, estimate: &Readings, lang: Lang) -> fmt::Result {
    let shown = |reading: &Reading, part: Part| tenths(reading.dearer_by_part[name(part)], true);
    let columns: Vec<_> =
        columns(lang).iter().filter(|(part, ..)| estimate.readings.iter().any(|reading| shown(reading, *part) != "0.0")).collect();
    let head: String = columns.iter().map(|(_, head, _)| format!("{head:>7}")).collect();
    let after = estimate.after.as_ref().map(|after| {
        let ply = estimate.same_up_to;
        // The plies after it know whose turn it is.
        let white = estimate.leads.iter().find(|lead| lead.ply == ply).map_or(ply % 2 == 1, |lead| lead.white);
        format!(", {} {}", lang.pick("after", "после"), numbered(ply, white, after))
    });
    writeln!(f, "     {}{head}   {}{}", lang.pick("dearer", "дороже"), lang.pick("reading", "прочтение"), after.unwrap_or_default())?;
    let clocked = estimate.readings.iter().any(|reading| reading.owed > 0 || reading.plies.iter().any(|ply| ply.pressed));
    let indent = 14 + 7 * columns.len();
    for (number, reading) in (1..).zip(&estimate.readings) {
        let prices: String = columns.iter().map(|(part, ..)| format!("{:>7}", shown(reading, *part))).collect();
        write!(f, "  {number:<2}{:>7}{prices}   ", tenths(reading.dearer, true))?;
        let mut words = reading_told(reading, clocked, estimate.same_up_to, lang);
        if reading.white_clock != estimate.readings[0].white_clock {
            words.push(match (lang, reading.white_clock) {
                (Lang::En, side) => format!("(White's clock at the {side})"),
                (Lang::Ru, "left") => String::from("(часы белых слева)"),
                (Lang::Ru, _) => String::from("(часы белых справа)"),
            });
        }
        flow(f, words.iter().map(String::as_str), indent, indent)?;
        let odd = &reading.disagrees;
        if !odd.is_empty() {
            let mut told: Vec<&str> = odd.iter().take(SQUARES).map(|one| one.words.as_str()).collect();
            let rest = odd.len().saturating_sub(SQUARES);
            let more = match lang {
                Lang::En => format!("{rest} more squares"),
                Lang::Ru => format!("ещё полей: {rest}"),
            };
            if odd.len() > SQUARES {
                told.push(&more);
            }
            let text = told.join("; ");
            write!(f, "{:indent$}", "")?;
            flow(f, text.split(' '), indent, indent)?;
        }
    }
    if estimate.more > 0 {
        match lang {
            Lang::En => writeln!(f, "  and {} that are dearer", estimate.more)?,
            Lang::Ru => writeln!(f, "  ещё дороже: {}", estimate.more)?,
        }
    }
    Ok(())
}

const fn columns(lang: Lang) -> &'static [Column; 7] {
    lang.pick(&COLUMNS, &RUSSIAN)
}

const fn name(part: Part) -> &'static str {
    Part::ALL[part as usize].1
}

/// The plies of a reading: `*` behind one that is not pressed, `?` for one that is pressed and not seen.
fn reading_told(reading: &Reading, clocked: bool, same: u32, lang: Lang) -> Vec<String> {
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
        words.push(String::from(lang.pick("nothing more", "больше ничего")));
    }
    words
}

/// How firmly the last plies of the first reading are believed.
fn leads(f: &mut fmt::Formatter<'_>, estimate: &Readings, lang: Lang) -> fmt::Result {
    let told = estimate.leads.iter().take(LEADS).map(|lead| {
        let more = if lead.lead >= estimate.lead_at_most { "≥" } else { "" };
        let short = if lead.certain { "" } else { lang.pick(" (not enough)", " (мало)") };
        format!("{} {more}{}{short}", numbered(lead.ply, lead.white, &lead.san), tenths(lead.lead, false))
    });
    let mut told: Vec<String> = told.collect();
    let Some((_, others)) = told.split_last_mut() else { return Ok(()) };
    others.iter_mut().for_each(|one| one.push(','));
    let enough = estimate.leads.first().map(|lead| tenths(lead.enough, false)).unwrap_or_default();
    let head = match lang {
        Lang::En => format!("Leads of the first reading's last plies ({enough} are enough):"),
        Lang::Ru => format!("Отрыв последних ходов первого прочтения (достаточно {enough}):"),
    };
    write!(f, "  ")?;
    flow(f, head.split(' ').chain(told.iter().map(String::as_str)), 2, 2)
}

/// What the columns and signs mean.
fn legend(f: &mut fmt::Formatter<'_>, told: &Told, lang: Lang) -> fmt::Result {
    let estimates = || told.moments.iter().filter_map(|moment| moment.estimate.as_ref()).flat_map(|estimate| &estimate.readings);
    let is_shown = |part: &Part| estimates().any(|reading| tenths(reading.dearer_by_part[name(*part)], true) != "0.0");
    let columns: Vec<String> =
        columns(lang).iter().filter(|(part, ..)| is_shown(part)).map(|(_, head, meaning)| format!("{head}: {meaning}")).collect();
    let columns =
        if columns.is_empty() { String::new() } else { format!(" {}: {}.", lang.pick("By part", "По частям"), columns.join("; ")) };
    let dearer = lang.pick(
        "`dearer`: by how many nats a reading has cost more than the first one.",
        "`дороже`: на сколько натов прочтение дороже первого.",
    );
    wrapped(f, &format!("{dearer}{columns}"), "")?;
    let signs = lang.pick(
        "`*`: a move that is not pressed; `?`: a press whose move is not seen. Under a reading: the squares that read otherwise.",
        "`*`: ход, после которого часы не нажаты; `?`: нажатие, хода к которому не видно. Под прочтением: поля, которые читаются иначе.",
    );
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
