//! Games as broadcast software reads them: LiveChess's layout, tag for tag, and the same without what Lichess pushes do without.
use super::{Wrapped, comment, record_tags, tag};
use crate::delay::Lag;
use crate::event_info::{Pairing, Round, Tournament};
use crate::players::Player;
use flagfall_events::Colour;
use flagfall_score::kept::{Cut, GameRecord, LiveClock, Ply};
use jiff::tz::TimeZone;
use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen};

/// LiveChess lets a move number end in column 80, everything else in 79.
const LIMIT: usize = 79;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// `%emt` beside `%clk`.
    pub emt: bool,
    /// Lines of at most 80 characters.
    pub wrap: bool,
    /// WhiteClock, BlackClock and ReferenceTime of a game that is being played.
    pub clocks: Clocks,
    /// How long ago what is written stood so.
    pub lag: Lag,
}

/// What the clock tags of a game that is being played say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clocks {
    /// What the clock showed last, and when that was.
    Now,
    /// Each player's time at his last press, as corrected since: nothing that changes while nobody moves.
    AtPress,
}

impl Style {
    /// As LiveChess writes files.
    pub const LIVECHESS: Self = Self { emt: true, wrap: true, clocks: Clocks::Now, lag: Lag::NONE };
    /// For pushes: 24 bytes a ply instead of 41, and nothing that changes while nobody moves.
    pub const PUSH: Self = Self { emt: false, wrap: false, clocks: Clocks::AtPress, lag: Lag::NONE };

    /// The same, as it stood `lag` ago.
    #[must_use]
    pub const fn delayed(self, lag: Lag) -> Self {
        Self { lag, ..self }
    }
}

/// One game: tags and movetext, a blank line at the end. `first` games of a file name the writer.
///
/// Any reader can parse it: what is not legal play is named in a comment after the legal line, and the result follows in any case.
pub fn game(event: &Tournament, round: &Round, pairing: &Pairing, style: Style, first: bool) -> String {
    let record = pairing.game.as_deref();
    let mut out = String::with_capacity(512 + record.map_or(0, |r| 48 * r.moves.len()));
    if first {
        tag(&mut out, "ePGN", &format!("0.1;flagfall/{}", env!("CARGO_PKG_VERSION")));
    }
    tag(&mut out, "Event", &event.name);
    tag(&mut out, "Site", if event.site.is_empty() { "?" } else { &event.site });
    tag(&mut out, "Date", &date(round, record));
    tag(&mut out, "Round", &format!("{}.{}", round.number, pairing.number));
    tag(&mut out, "White", &pairing.white.pgn_name());
    tag(&mut out, "Black", &pairing.black.pgn_name());
    tag(&mut out, "Result", pairing.result.as_str());
    if let Some(control) = record.and_then(|r| r.time_control.as_deref()).or(event.control.as_deref()) {
        tag(&mut out, "TimeControl", control);
    }
    match (record.filter(|_| pairing.live), style.clocks) {
        (Some(GameRecord { clock: Some(clock), .. }), Clocks::Now) => clock_tags(&mut out, clock, style.lag),
        (Some(record), Clocks::AtPress) => press_tags(&mut out, record),
        _ => {}
    }
    if let Some((fen, chess960)) = record.and_then(start) {
        if chess960 {
            tag(&mut out, "FEN", &fen);
            tag(&mut out, "Variant", "Fischerandom");
        } else {
            tag(&mut out, "SetUp", "1");
            tag(&mut out, "FEN", &fen);
        }
    }
    player_tags(&mut out, &pairing.white, &pairing.black);
    if let Some(record) = record.filter(|_| style.emt) {
        record_tags(&mut out, record);
    }
    out.push('\n');
    let mut text = Wrapped { out, column: 0, wrap: style.wrap };
    if let Some(record) = record {
        movetext(&mut text, record, style);
    }
    text.word_within(pairing.result.as_str(), LIMIT);
    let mut out = text.out;
    out.push_str("\n\n");
    out
}

/// All games of a round in board order, as one file; only the first one names the writer. Empty where the round has no pairings.
pub fn round(event: &Tournament, round: &Round, style: Style) -> String {
    round.pairings.iter().enumerate().map(|(i, pairing)| game(event, round, pairing, style, i == 0)).collect()
}

/// The round's day; else the day on which the game began, where the machine stands.
fn date(round: &Round, record: Option<&GameRecord>) -> String {
    let started = || record.and_then(|r| r.started_at).map(|at| at.timestamp().to_zoned(TimeZone::system()).date().to_string());
    round.date.clone().or_else(started).map_or_else(|| String::from("????.??.??"), |date| date.replace('-', "."))
}

fn clock_tags(out: &mut String, clock: &LiveClock, lag: Lag) {
    for (name, seconds) in [("WhiteClock", clock.white), ("BlackClock", clock.black)] {
        if let Some(seconds) = seconds {
            tag(out, name, &hms(seconds));
        }
    }
    // The letter is the side whose time runs; where none does there is nothing to refer to.
    if let Some(run) = clock.run {
        let letter = match run {
            Colour::White => 'W',
            Colour::Black => 'B',
        };
        let at = lag.moved(clock.at).timestamp().to_zoned(TimeZone::system());
        tag(out, "ReferenceTime", &format!("{letter}/{}", at.strftime("%Y-%m-%dT%H:%M:%S%.3f%:z")));
    }
}

fn press_tags(out: &mut String, record: &GameRecord) {
    for (name, by) in [("WhiteClock", Colour::White), ("BlackClock", Colour::Black)] {
        if let Some(clk) = record.moves.iter().rev().find(|ply| ply.by == by).and_then(|ply| ply.clk) {
            tag(out, name, &hms(clk));
        }
    }
}

fn player_tags(out: &mut String, white: &Player, black: &Player) {
    let sides = [("White", white), ("Black", black)];
    let mut put = |what: &str, value: &dyn Fn(&Player) -> Option<String>| {
        for (side, player) in sides {
            if let Some(value) = value(player) {
                tag(out, &format!("{side}{what}"), &value);
            }
        }
    };
    put("Title", &|p| p.title.clone());
    put("FideId", &|p| p.fideid.map(|n| n.to_string()));
    put("Elo", &|p| p.elo.map(|n| n.to_string()));
    put("Team", &|p| p.team.clone());
}

/// The start position, if it is not the usual one; Chess960's castling rights by the files of the rooks, as LiveChess writes them.
fn start(record: &GameRecord) -> Option<(String, bool)> {
    let fen = record.start.as_deref()?;
    if !record.chess960 {
        return Some((String::from(fen), false));
    }
    let position: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Chess960).ok()?;
    let normal = Fen::from_position(&position, EnPassantMode::Legal);
    let plain = normal.to_string();
    let mut fields: Vec<&str> = plain.split(' ').collect();
    let rights: String = [(shakmaty::Color::White, 'A'), (shakmaty::Color::Black, 'a')]
        .into_iter()
        .flat_map(|(color, a)| {
            let rooks = normal.as_setup().castling_rights & shakmaty::Bitboard::from(color.backrank());
            let mut files: Vec<u32> = rooks.into_iter().map(|square| u32::from(square.file())).collect();
            files.sort_unstable_by(|one, two| two.cmp(one));
            files.into_iter().filter_map(move |file| char::from_u32(u32::from(a) + file))
        })
        .collect();
    if fields.len() > 2 && !rights.is_empty() {
        fields[2] = &rights;
    }
    Some((fields.join(" "), true))
}

fn movetext(text: &mut Wrapped, record: &GameRecord, style: Style) {
    let start = record.start.as_deref().and_then(|fen| fen.parse::<Fen>().ok());
    let first = start.as_ref().map_or(1, |fen| fen.as_setup().fullmoves.get());
    let black_begins = start.as_ref().is_some_and(|fen| fen.as_setup().turn == shakmaty::Color::Black);
    let begun = u32::from(black_begins);
    for (ply, i) in record.moves.iter().zip(begun..) {
        let number = first.saturating_add(i / 2);
        if i % 2 == 0 {
            text.word(&format!("{number}."));
        } else if i == begun {
            text.word(&format!("{number}..."));
        }
        text.word_within(&ply.san, LIMIT);
        times(text, ply, style);
    }
    if let Some(told) = record.cut.as_ref().and_then(Cut::told) {
        text.words(&comment(&told), LIMIT);
    }
}

fn times(text: &mut Wrapped, ply: &Ply, style: Style) {
    if let Some(clk) = ply.clk {
        text.words(&format!("{{[%clk {}]}}", hms(clk)), LIMIT);
    }
    if let Some(emt) = ply.emt.filter(|_| style.emt) {
        text.words(&format!("{{[%emt {}]}}", hms(emt)), LIMIT);
    }
}

/// `HH:MM:SS`.
fn hms(seconds: u32) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
