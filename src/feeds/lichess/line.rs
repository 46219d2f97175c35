//! A game as viewers see it: tags, main line, clock times. What was sent and what Lichess gives back are read by the same reader.
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

/// Tags that must be as they were sent.
pub const TAGS: [&str; 12] = [
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "WhiteTitle",
    "BlackTitle",
    "WhiteFideId",
    "BlackFideId",
    "WhiteTeam",
    "BlackTeam",
];
/// One game, its main line only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Line {
    /// Tags that say something: neither empty nor `?`.
    pub tags: BTreeMap<String, String>,
    /// Where it starts, the first four fields of a FEN; `None`: the usual start.
    pub start: Option<String>,
    /// The main line as far as it is legal play.
    pub moves: Vec<UciMove>,
    /// The mover's clock after each move, seconds.
    pub clocks: Vec<Option<u32>>,
    /// The last position ends the game by itself: mate or stalemate.
    pub ends: bool,
}

impl Line {
    /// Every game of a PGN text, in its order.
    pub fn read(text: &str) -> Vec<Self> {
        let mut reader = Reader::new(text.as_bytes());
        std::iter::from_fn(|| reader.read_game(&mut Collector).ok().flatten()).collect()
    }

    /// A tag's value.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(String::as_str)
    }

    /// The result; `*` without one.
    pub fn result(&self) -> &str {
        self.tag("Result").unwrap_or("*")
    }

    /// The chapter's eight characters at the end of its address, where Lichess says it.
    pub fn chapter(&self) -> Option<&str> {
        let url = ["GameURL", "ChapterURL", "Site"].iter().find_map(|name| self.tag(name).filter(|url| url.contains("/broadcast/")))?;
        url.rsplit('/').next().filter(|id| id.len() == 8 && id.bytes().all(|b| b.is_ascii_alphanumeric()))
    }

    /// `White - Black`, for people.
    pub fn names(&self) -> String {
        format!("{} - {}", self.tag("White").unwrap_or("?"), self.tag("Black").unwrap_or("?"))
    }

    /// A chapter that Lichess made because a round cannot be without one.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.tag("White").is_none() && self.tag("Black").is_none()
    }

    /// The same for the same game, whatever else Lichess adds to its tags.
    pub fn print(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.start, &self.moves, &self.clocks).hash(&mut hasher);
        for name in TAGS {
            self.tag(name).hash(&mut hasher);
        }
        hasher.finish()
    }
}

struct Collector;

#[derive(Default)]
struct Tags {
    line: Line,
    fen: Option<String>,
    chess960: bool,
}

struct Movetext {
    line: Line,
    position: Option<Chess>,
    mode: CastlingMode,
}

impl Visitor for Collector {
    type Tags = Tags;
    type Movetext = Movetext;
    type Output = Line;

    fn begin_tags(&mut self) -> ControlFlow<Line, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Line> {
        let (name, value) = (String::from_utf8_lossy(name).into_owned(), value.decode_utf8_lossy().trim().to_owned());
        match name.as_str() {
            "FEN" => tags.fen = Some(value.clone()),
            "Variant" => {
                let plain = value.to_ascii_lowercase().replace(' ', "");
                tags.chess960 = plain.contains("960") || plain.contains("fischer");
            }
            _ => {}
        }
        if !["", "?", "unknown"].contains(&value.as_str()) {
            tags.line.tags.insert(name, value);
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Line, Movetext> {
        let mode = if tags.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let mut line = tags.line;
        let position = match &tags.fen {
            None => Some(Chess::default()),
            Some(fen) => fen.parse::<Fen>().ok().and_then(|fen| fen.into_position::<Chess>(mode).ok()),
        };
        line.start = position.as_ref().filter(|start| **start != Chess::default()).map(|start| {
            let fen = Fen::from_position(start, EnPassantMode::Legal).to_string();
            fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
        });
        ControlFlow::Continue(Movetext { line, position, mode })
    }

    fn san(&mut self, text: &mut Movetext, san: SanPlus) -> ControlFlow<Line> {
        // What follows a move that cannot be played belongs to nothing.
        let played = text.position.take().and_then(|position| {
            let mv = san.san.to_move(&position).ok()?;
            let uci = mv.to_uci(text.mode);
            position.play(mv).ok().map(|next| (uci, next))
        });
        if let Some((uci, next)) = played {
            text.line.moves.push(uci);
            text.line.clocks.push(None);
            text.position = Some(next);
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, text: &mut Movetext, comment: RawComment<'_>) -> ControlFlow<Line> {
        if text.position.is_some()
            && let Some(seconds) = clock(&String::from_utf8_lossy(comment.as_bytes()))
            && let Some(last) = text.line.clocks.last_mut()
        {
            *last = Some(seconds);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Movetext) -> ControlFlow<Line, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, text: Movetext) -> Line {
        let ends = text.position.is_some_and(|position| position.is_checkmate() || position.is_stalemate());
        Line { ends, ..text.line }
    }
}

/// Whole seconds of `[%clk 1:01:27.4]`.
fn clock(comment: &str) -> Option<u32> {
    let (_, rest) = comment.split_once("[%clk")?;
    let time = rest.split(']').next()?.trim();
    let mut seconds = 0_u32;
    for part in time.split(':') {
        let whole = part.split('.').next()?.trim().parse::<u32>().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(whole)?;
    }
    Some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_and_what_comes_back_are_the_same_game() {
        let sent = "[Event \"Open\"]\n[Site \"Here\"]\n[Round \"1.1\"]\n[White \"Carlsen, Magnus\"]\n[Black \"Nepo, Ian\"]\n[Result \"*\"]\n\n\
                    1. e4 {[%clk 01:30:00]} e5 {[%clk 01:29:58]} 2. Nf3 {[%clk 01:29:40]} {Illegal move: Ke7} *\n\n";
        let back = "[Event \"Open\"]\n[Site \"https://lichess.org/broadcast/open/round-1/aUOpnxDF/iMUN1Wcn\"]\n[Round \"1.1\"]\n\
                    [White \"Carlsen, Magnus\"]\n[Black \"Nepo, Ian\"]\n[Result \"*\"]\n[ECO \"C40\"]\n[WhiteElo \"?\"]\n\n\
                    1. e4 { [%clk 1:30:00] } (1. d4 { [%clk 1:00:00] } d5) 1... e5 { [%clk 1:29:58] } 2. Nf3 { [%clk 1:29:40.6] } *\n\n\n";
        let (sent, back) = (&Line::read(sent)[0], &Line::read(back)[0]);
        assert_eq!((sent.print(), &sent.moves, &sent.clocks), (back.print(), &back.moves, &back.clocks));
        assert_eq!(back.clocks, [Some(5400), Some(5398), Some(5380)]);
        assert_eq!((back.chapter(), sent.chapter(), back.tag("WhiteElo")), (Some("iMUN1Wcn"), None, None));
    }

    #[test]
    fn chess960_and_starts_of_their_own_are_read_in_both_spellings() {
        let game = |variant: &str, fen: &str| format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n1. O-O *\n\n");
        let ours = game("Fischerandom", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1");
        let theirs = game("Chess960", "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1");
        let (ours, theirs) = (&Line::read(&ours)[0], &Line::read(&theirs)[0]);
        assert_eq!((ours.moves.len(), ours.print()), (1, theirs.print()));
        assert!(ours.start.is_some());
    }

    #[test]
    fn what_cannot_be_played_ends_the_line_and_the_next_game_is_read() {
        let lines = Line::read("[White \"A1\"]\n\n1. e4 Ke6 2. d4 {[%clk 0:10:00]} *\n\n[White \"B1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
        assert_eq!(lines.iter().map(|line| (line.moves.len(), line.ends)).collect::<Vec<_>>(), [(1, false), (4, true)]);
        assert_eq!(lines[0].clocks, [None]);
    }
}
