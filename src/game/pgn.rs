//! One game in PGN, as far as a record is restored from it: start position, main line, the clock after each move. `pgn-reader` needs `std`; what moves
//! mean is shakmaty's.
use crate::placement::Placement;
use crate::recognition::step::uci;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_hands::position::{Position, position_of};
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position as _};

/// A longer text is no game, bytes; a request has room for it.
const LONGEST: usize = 48 * 1024;
/// More plies are no game.
const MOST_PLIES: usize = 2_000;
/// Variations in variations.
const DEEPEST: u32 = 64;

/// A game that was written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The position that it begins in.
    pub(crate) start: Position,
    pub(crate) chess960: bool,
    pub(crate) plies: Vec<WrittenPly>,
    /// The position that it ends in.
    pub(crate) end: Position,
}

/// One ply of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenPly {
    /// The position that it was played in.
    pub(crate) before: Position,
    pub(crate) uci: String,
    /// The mover's display after it, milliseconds: `%clk`.
    pub(crate) clk_ms: Option<i64>,
}

/// How many plies the one game of `pgn` has.
///
/// # Errors
/// What is wrong with it, and where.
pub fn plies(pgn: &str) -> Result<usize, String> {
    read(pgn).map(|written| written.plies.len())
}

/// The one game of `pgn`, which may have no move yet: the placement that it begins in (FEN field 1) and its plies in UCI.
///
/// # Errors
/// What is wrong with it, and where.
pub fn line(pgn: &str) -> Result<(String, Vec<String>), String> {
    let Written { start, plies, .. } = read_any(pgn)?;
    Ok((Placement::of(start.board()).fen(), plies.into_iter().map(|ply| ply.uci).collect()))
}

/// Two records of one game as one PGN, of which one has all plies of the other: the longer one, and the clock times of both, those of `first` before
/// those of `second`; the tags are `first`'s.
///
/// # Errors
/// What is wrong with one of them, and where; or that they are not of one game.
pub fn joined(first: &str, second: &str) -> Result<String, String> {
    let (one, other) = (read_any(first)?, read_any(second)?);
    let uci = |game: &Written| game.plies.iter().map(|ply| ply.uci.clone()).collect::<Vec<_>>();
    let (ours, theirs) = (uci(&one), uci(&other));
    if !(ours.starts_with(&theirs) || theirs.starts_with(&ours)) || one.start != other.start {
        return Err(String::from("the two records are not of one game"));
    }
    let (_, movetext) = tags(first.trim_start_matches('\u{feff}'))?;
    let mut joined = String::from(first.strip_suffix(movetext).unwrap_or_default().trim());
    joined.push_str("\n\n");
    let longer = if ours.len() > theirs.len() { &one } else { &other };
    for (index, ply) in longer.plies.iter().enumerate() {
        let Some(chess) = ply.before.legal() else { break };
        let Some(mv) = ply.uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(chess).ok()) else { break };
        let dots = if chess.turn().is_white() { "." } else { "..." };
        joined.push_str(&format!("{}{dots} {}", chess.fullmoves(), SanPlus::from_move(chess.clone(), mv)));
        let clk = [&one, &other].into_iter().find_map(|game| game.plies.get(index)?.clk_ms);
        if let Some(seconds) = clk.map(|ms| ms / 1_000) {
            joined.push_str(&format!(" {{[%clk {}:{:02}:{:02}]}}", seconds / 3_600, seconds / 60 % 60, seconds % 60));
        }
        joined.push('\n');
    }
    joined.push_str("*\n");
    Ok(joined)
}

/// Reads the one game of `pgn`, which has a move at least. An error says what is wrong, and where.
pub(crate) fn read(pgn: &str) -> Result<Written, String> {
    let written = read_any(pgn)?;
    if written.plies.is_empty() {
        return Err(String::from("there is no move in it; give the PGN of one game"));
    }
    Ok(written)
}

/// The same, of a game that may have no move yet.
pub(crate) fn read_any(pgn: &str) -> Result<Written, String> {
    if pgn.len() > LONGEST {
        return Err(format!("the PGN has {} bytes; one game has at most {LONGEST}", pgn.len()));
    }
    let (tags, movetext) = tags(pgn.trim_start_matches('\u{feff}'))?;
    let tag = |name: &str| tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str());
    let (start, chess960) = match tag("FEN") {
        Some(fen) => position_of(fen).ok_or_else(|| format!("its FEN {fen:?} is no position"))?,
        None => (Position::default(), false),
    };
    let Some(chess) = start.legal().cloned() else { return Err(String::from("its FEN is no legal position, so no move follows from it")) };
    let mut reader = Reader { text: movetext, at: 0, chess, chess960, plies: Vec::new() };
    reader.movetext()?;
    Ok(Written { start, chess960, plies: reader.plies, end: Position::Legal(reader.chess) })
}

/// Each by its name.
type Tags = Vec<(String, String)>;

/// The tags before the moves, and the moves.
fn tags(pgn: &str) -> Result<(Tags, &str), String> {
    let (mut tags, mut rest) = (Vec::new(), pgn.trim_start());
    while let Some(line) = rest.strip_prefix('[') {
        let bad = || format!("{:?} is no tag; a tag is [Name \"value\"]", line.lines().next().unwrap_or_default());
        let (name, after) = line.split_once('"').ok_or_else(bad)?;
        let mut value = String::new();
        let mut letters = after.char_indices();
        let end = loop {
            match letters.next().ok_or_else(bad)? {
                (_, '\\') => value.extend(letters.next().map(|(_, letter)| letter)),
                (end, '"') => break end,
                (_, letter) => value.push(letter),
            }
        };
        let after = after[end + 1..].trim_start();
        rest = after.strip_prefix(']').ok_or_else(bad)?.trim_start();
        tags.push((String::from(name.trim()), value));
    }
    Ok((tags, rest))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    chess: Chess,
    chess960: bool,
    plies: Vec<WrittenPly>,
}

impl<'a> Reader<'a> {
    fn movetext(&mut self) -> Result<(), String> {
        let mut over = false;
        while let Some(token) = self.token()? {
            match token {
                Token::Comment(comment) => {
                    if let (Some(ms), Some(ply)) = (clk(comment), self.plies.last_mut()) {
                        ply.clk_ms = Some(ms);
                    }
                }
                Token::Word(_) if over => return Err(String::from("there is more than one game in it; give the PGN of one")),
                Token::Word("1-0" | "0-1" | "1/2-1/2" | "*") => over = true,
                Token::Word(word) => self.word(word)?,
            }
        }
        Ok(())
    }

    /// The next comment of the main line or word; what stands in variations is passed over.
    fn token(&mut self) -> Result<Option<Token<'a>>, String> {
        let mut depth = 0_u32;
        loop {
            let rest = &self.text[self.at..];
            let Some(first) = rest.chars().next() else {
                return if depth == 0 { Ok(None) } else { Err(String::from("a variation is not closed; a ) is missing")) };
            };
            let line_begins = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
            match first {
                '{' => {
                    let end = rest.find('}').ok_or_else(|| String::from("a comment is not closed; a } is missing"))?;
                    self.at += end + 1;
                    if depth == 0 {
                        return Ok(Some(Token::Comment(&rest[1..end])));
                    }
                }
                ';' => self.at += rest.find('\n').unwrap_or(rest.len()),
                '%' if line_begins => self.at += rest.find('\n').unwrap_or(rest.len()),
                '(' if depth < DEEPEST => {
                    depth += 1;
                    self.at += 1;
                }
                '(' => return Err(format!("more than {DEEPEST} variations stand in one another")),
                ')' => {
                    depth = depth.checked_sub(1).ok_or_else(|| String::from("a ) stands where no variation began"))?;
                    self.at += 1;
                }
                space if space.is_whitespace() => self.at += space.len_utf8(),
                _ => {
                    let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';');
                    let length = rest.find(ends).unwrap_or(rest.len()).max(first.len_utf8());
                    self.at += length;
                    let word = &rest[..length];
                    if depth == 0 && !word.starts_with('$') {
                        return Ok(Some(Token::Word(word)));
                    }
                }
            }
        }
    }

    /// A move number, a move, or both.
    fn word(&mut self, word: &str) -> Result<(), String> {
        if word.starts_with('[') {
            return Err(String::from("there is more than one game in it; give the PGN of one"));
        }
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        // `0-0` begins with a digit, too.
        let name = if digits.starts_with('.') || digits.is_empty() { digits.trim_start_matches(['.', '…']) } else { word };
        let name = name.trim_end_matches(['!', '?', '+', '#', '…']);
        if name.is_empty() || name == "e.p." {
            return Ok(());
        }
        if self.plies.len() >= MOST_PLIES {
            return Err(format!("it has more than {MOST_PLIES} plies"));
        }
        let before = Position::Legal(self.chess.clone());
        let mv = self.found(name).ok_or_else(|| self.no_move(name))?;
        self.plies.push(WrittenPly { before, uci: uci(mv, self.chess960), clk_ms: None });
        self.chess.play_unchecked(mv);
        Ok(())
    }

    fn found(&self, name: &str) -> Option<Move> {
        let castling = name.replace('0', "O");
        let name = if castling.starts_with("O-O") { castling.as_str() } else { name };
        let of_san = San::from_ascii(name.as_bytes()).ok().and_then(|san| san.to_move(&self.chess).ok());
        of_san.or_else(|| name.parse::<UciMove>().ok()?.to_move(&self.chess).ok())
    }

    fn no_move(&self, name: &str) -> String {
        let (number, dots) = (self.chess.fullmoves(), if self.chess.turn().is_white() { "." } else { "…" });
        let after = self.plies.last().map_or_else(|| String::from("in its start position"), |ply| format!("after {}", ply.uci));
        format!("{number}{dots} {name} is no legal move {after}")
    }
}

enum Token<'a> {
    Comment(&'a str),
    Word(&'a str),
}

/// `[%clk 1:02:03.5]` in a comment, milliseconds.
fn clk(comment: &str) -> Option<i64> {
    let (_, rest) = comment.split_once("[%clk")?;
    let (time, _) = rest.split_once(']')?;
    let time = time.trim();
    let (whole, tenths) = time.split_once('.').unwrap_or((time, ""));
    let mut seconds = 0_i64;
    for part in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.parse::<i64>().ok().filter(|n| (0..100_000).contains(n))?)?;
    }
    let digits: String = tenths.chars().filter(char::is_ascii_digit).chain("000".chars()).take(3).collect();
    seconds.checked_mul(1_000)?.checked_add(digits.parse::<i64>().ok()?).filter(|ms| *ms <= 359_999_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn moves(pgn: &str) -> Result<Vec<String>, String> {
        Ok(read(pgn)?.plies.into_iter().map(|ply| ply.uci).collect())
    }

    #[test]
    fn the_main_line_is_read_whatever_stands_around_it() {
        let pgn = "\u{feff}[Event \"A \\\"B\\\" [x]\"]\n[Result \"*\"]\n\n1. e4 {[%clk 1:30:05] good} (1. d4 d5 (1... Nf6 {x) })) e5 $14 ; rest ) of line\n\
            % escaped (\n2.Nf3! Nc6?! 3... 3.Bb5 a6 4. O-O {[%clk 0:59.7]} *";
        assert_eq!(moves(pgn).unwrap(), ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1"]);
        let clocks: Vec<_> = read(pgn).unwrap().plies.into_iter().map(|ply| ply.clk_ms).collect();
        assert_eq!(clocks, [Some(5_405_000), None, None, None, None, None, Some(59_700)]);
        assert_eq!(moves("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 1/2-1/2").unwrap()[6..], ["e1g1", "e8g8"]);
        assert_eq!(moves("e2e4 e7e5").unwrap(), ["e2e4", "e7e5"], "moves in UCI are moves");
    }

    #[test]
    fn two_records_of_one_game_are_joined() {
        let known = "[White \"A\"]\n[Result \"*\"]\n\n1. e4 {[%clk 1:30:05]} e5 2. Nf3 {[%clk 1:30:07]} *";
        let more = "1. e4 e5 2. Nf3 {[%clk 0:00:01]} Nc6 {[%clk 1:29:59]} 3. Bb5 a6 4. O-O";
        let text = joined(known, more).unwrap();
        assert!(text.starts_with("[White \"A\"]\n[Result \"*\"]\n\n1. e4 {[%clk 1:30:05]}\n1... e5\n2. Nf3 {[%clk 1:30:07]}\n"), "{text}");
        let written = read(&text).unwrap();
        assert_eq!(written, Written { plies: written.plies.clone(), ..read(more).unwrap() });
        let clocks: Vec<_> = written.plies.iter().map(|ply| ply.clk_ms).collect();
        assert_eq!(clocks, [Some(5_405_000), None, Some(5_407_000), Some(5_399_000), None, None, None]);
        assert_eq!(moves(&joined(more, known).unwrap()), moves(more));
        assert_eq!(moves(&joined("*", known).unwrap()), moves(known), "one has no move yet");
        let other = joined(known, "1. e4 e5 2. Nc3").unwrap_err();
        assert!(other.contains("not of one game"), "{other}");
        let begins = "[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. Ng3 Ng6";
        let castles = format!("{begins} 2. O-O");
        assert_eq!(moves(&joined(begins, &castles).unwrap()), moves(&castles));
    }

    #[test]
    fn a_game_may_begin_elsewhere() {
        let written = read("[SetUp \"1\"]\n[FEN \"8/P6k/8/8/8/8/7K/8 w - - 0 50\"]\n\n50. a8=N+ Kg6 51. Nb6").unwrap();
        assert_eq!(written.plies.iter().map(|ply| ply.uci.as_str()).collect::<Vec<_>>(), ["a7a8n", "h7g6", "a8b6"]);
        let chess960 = "[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. Ng3 Ng6 2. O-O";
        assert_eq!((read(chess960).unwrap().chess960, moves(chess960).unwrap()), (true, vec!["h1g3".into(), "h8g6".into(), "f1g1".into()]));
    }

    #[test]
    fn what_is_no_game_is_refused_with_the_place() {
        for (pgn, why) in [
            ("", "no move"),
            ("[Event \"x\"]\n\n*", "no move"),
            ("1. e4 e5 2. Ke3", "2. Ke3 is no legal move after e7e5"),
            ("1. e4 Qd3", "1… Qd3"),
            ("1. e4 (1. d4", "not closed"),
            ("1. e4 {x", "not closed"),
            ("1. e4 )", "no variation"),
            ("[Event \"x", "no tag"),
            ("[Event]", "no tag"),
            ("1. e4 * 1. d4 *", "more than one game"),
            ("1. e4 1-0\n\n[Event \"2\"]\n\n1. d4", "more than one game"),
            ("[FEN \"what\"]\n1. e4", "no position"),
            ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n1. e4", "no legal position"),
        ] {
            let refused = moves(pgn).unwrap_err();
            assert!(refused.contains(why), "{pgn:?}: {refused}");
        }
        assert!(read(&"(".repeat(300_000)).is_err() && read(&alloc::format!("1. e4 {}", "(".repeat(70))).is_err());
    }

    #[test]
    fn clocks_of_every_form_are_read() {
        for (comment, ms) in [
            ("[%clk 1:02:03]", Some(3_723_000)),
            ("x [%clk 0:00:05.25] y", Some(5_250)),
            ("[%clk 5:00]", Some(300_000)),
            ("[%clk ]", None),
            ("[%clk -1:00]", None),
            ("[%clk 99999999:00:00]", None),
            ("[%emt 0:05]", None),
        ] {
            assert_eq!(clk(comment), ms, "{comment}");
        }
    }
}
