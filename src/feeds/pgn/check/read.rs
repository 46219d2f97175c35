//! The games of a PGN as far as their times go. Moves are not played: a file with an illegal one still has its clock times.
use flagfall_events::Colour;
use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};
use std::io::{self, Read};
use std::ops::ControlFlow;

/// One move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ply {
    pub(super) san: String,
    /// Seconds, fractions cut off.
    pub(super) clk: Option<i64>,
    pub(super) emt: Option<i64>,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Game {
    pub(super) white: String,
    pub(super) black: String,
    pub(super) round: String,
    pub(super) control: Option<String>,
    /// Plies, from 1, whose clock an arbiter or another period changed after the press.
    pub(super) corrected: Vec<u32>,
    /// Plies whose `%clk` is an estimate.
    pub(super) estimated: Vec<u32>,
    /// Who makes the first move, and its number.
    pub(super) first: (Colour, u32),
    pub(super) plies: Vec<Ply>,
    /// It has a tag, a move or a result.
    seen: bool,
}

impl Default for Game {
    fn default() -> Self {
        Self {
            white: String::from("?"),
            black: String::from("?"),
            round: String::from("?"),
            control: None,
            corrected: Vec::new(),
            estimated: Vec::new(),
            first: (Colour::White, 1),
            plies: Vec::new(),
            seen: false,
        }
    }
}

/// The games one by one. A game of any kind is read; only a text that cannot be read ends them early.
pub(super) fn games(text: impl Read) -> impl Iterator<Item = io::Result<Game>> {
    let mut reader = Reader::build(text).set_supported_comment_length(LONGEST_COMMENT).finish();
    let mut ended = false;
    std::iter::from_fn(move || {
        let next = if ended { None } else { reader.read_game(&mut Eyes).transpose() };
        let next = next.map(|game| game.and_then(|game| if game.seen { Ok(game) } else { Err(no_game()) }));
        ended = !matches!(next, Some(Ok(_)));
        next
    })
}

/// Other text, in which no tag, no move and no result is.
fn no_game() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "no tag, no move and no result is in it: this is no PGN")
}

/// A command in a longer comment may be cut in two, bytes.
const LONGEST_COMMENT: usize = 64 * 1024;

struct Eyes;

impl Visitor for Eyes {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let value = value.decode_utf8_lossy().into_owned();
        game.seen = true;
        match name {
            b"White" => game.white = value,
            b"Black" => game.black = value,
            b"Round" => game.round = value,
            b"TimeControl" => game.control = Some(value),
            b"ClockCorrected" => game.corrected = plies(&value),
            b"ClockEstimated" => game.estimated = plies(&value),
            b"FEN" => {
                let mut fields = value.split_whitespace();
                let by = if fields.nth(1) == Some("b") { Colour::Black } else { Colour::White };
                game.first = (by, fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        game.seen = true;
        game.plies.push(Ply { san: san.to_string(), ..Ply::default() });
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Game> {
        // What stands before the first move is about none.
        if let Some(ply) = game.plies.last_mut() {
            let text = String::from_utf8_lossy(comment.as_bytes());
            ply.clk = ply.clk.or_else(|| time(&text, "[%clk"));
            ply.emt = ply.emt.or_else(|| time(&text, "[%emt"));
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut Game, _: Outcome) -> ControlFlow<Game> {
        game.seen = true;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

/// `[%clk 1:29:57]`, with fractions or without, broken over lines or not; two numbers are minutes and seconds, one is seconds.
fn time(text: &str, command: &str) -> Option<i64> {
    let value = text.split_once(command)?.1.split_once(']')?.0.trim();
    let whole = value.split_once(['.', ',']).map_or(value, |(whole, _)| whole);
    let parts: Vec<&str> = whole.split(':').map(str::trim).collect();
    let short = |part: &&str| (1..=6).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    if parts.len() > 3 || !parts.iter().all(short) {
        return None;
    }
    parts.iter().try_fold(0, |sum: i64, part| Some(sum * 60 + part.parse::<i64>().ok()?))
}

/// `4 7-9`: plies, as `flagfall_score::pgn::ranges` writes them. Of what is none nothing is taken.
fn plies(text: &str) -> Vec<u32> {
    let range = |word: &str| {
        let (from, to) = word.split_once('-').unwrap_or((word, word));
        let (from, to) = (from.parse().ok()?, to.parse().ok()?);
        (from <= to && to < 10_000).then_some(from..=to)
    };
    text.split_whitespace().filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_everybody_writes_them() {
        for (text, seconds) in [
            ("[%clk 1:29:57]", Some(5397)),
            ("[%eval 0.3] [%clk 00:00:59.8]", Some(59)),
            ("[%clk\n00:15:28] good", Some(928)),
            ("[%clk 2:05]", Some(125)),
            ("[%clk 59]", Some(59)),
            ("[%clk]", None),
            ("[%clk -0:01]", None),
            ("[%clk 1:2:3:4]", None),
            ("[%clk 99999999999:1]", None),
            ("[%clk 1:29:57", None),
        ] {
            assert_eq!(time(text, "[%clk"), seconds, "{text}");
        }
    }

    #[test]
    fn games_are_read_whoever_wrote_them() {
        let text = "[White \"A\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 31\"]\n[ClockEstimated \"2 4-6 x 9-7\"]\n\n{all [%clk 9:00:00]} 31... Kd7 {[%clk 0:10:00]} \
                    {[%emt 0:00:05]} (31... Ke7 {[%clk 0:09:00]}) 32. Kd2 $1 Qh9 *\n\n1. e4 Ke8 1-0\n";
        let games: Vec<Game> = games(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].first, games[0].estimated.as_slice()), ((Colour::Black, 31), [2, 4, 5, 6].as_slice()));
        assert_eq!(games[0].plies[0], Ply { san: String::from("Kd7"), clk: Some(600), emt: Some(5) });
        assert_eq!((games[0].plies[1].clk, games[1].plies.len()), (None, 2));
    }
}
