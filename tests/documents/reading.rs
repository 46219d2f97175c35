//! A PGN as another program reads it: tags, moves that must be legal one after another, clocks, comments, result.
use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
use std::ops::ControlFlow;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Read {
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) moves: Vec<String>,
    /// By move: its `%clk` and `%emt`.
    pub(crate) times: Vec<[Option<u32>; 2]>,
    pub(crate) comments: Vec<String>,
    pub(crate) result: String,
}

impl Read {
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.tags.iter().map(|(name, _)| name.as_str()).collect()
    }
}

#[derive(Default)]
struct Eyes(Read);

impl Visitor for Eyes {
    type Tags = ();
    type Movetext = ();
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, ()> {
        self.0 = Read::default();
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
        self.0.tags.push((String::from_utf8(name.to_vec()).unwrap(), value.decode_utf8().unwrap().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Read, ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<Read> {
        self.0.moves.push(san.to_string());
        self.0.times.push([None; 2]);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<Read> {
        let text = String::from_utf8(comment.as_bytes().to_vec()).unwrap().replace('\n', " ");
        let time = |command: &str| {
            let digits = text.split_once(command)?.1.trim_start().split(']').next()?;
            digits.split(':').try_fold(0, |sum, part| Some(sum * 60 + part.parse::<u32>().ok()?))
        };
        match (time("[%clk"), time("[%emt"), self.0.times.last_mut()) {
            (None, None, _) | (_, _, None) => self.0.comments.push(text),
            (clk, emt, Some(times)) => {
                times[0] = times[0].or(clk);
                times[1] = times[1].or(emt);
            }
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<Read> {
        self.0.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) -> Read {
        std::mem::take(&mut self.0)
    }
}

/// Every game of a file. Each must replay, and its result must be the tag's.
pub(crate) fn games(text: &str) -> Vec<Read> {
    let mut reader = Reader::new(text.as_bytes());
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut Eyes::default()).unwrap() {
        replay(&game);
        assert_eq!(Some(game.result.as_str()), game.tag("Result"), "{text}");
        games.push(game);
    }
    games
}

/// The only game of a file.
pub(crate) fn game(text: &str) -> Read {
    let games = games(text);
    assert_eq!(games.len(), 1, "{text}");
    games.into_iter().next().unwrap()
}

fn replay(game: &Read) {
    let mut position = match game.tag("FEN") {
        None => Chess::default(),
        Some(fen) => {
            let fen: Fen = fen.parse().unwrap();
            let mode = if game.tag("Variant").is_some() { CastlingMode::Chess960 } else { CastlingMode::detect(fen.as_setup()) };
            fen.into_position(mode).unwrap()
        }
    };
    for san in &game.moves {
        let san: SanPlus = san.parse().unwrap();
        let found = san.san.to_move(&position).unwrap_or_else(|e| panic!("{san}: {e} in {game:?}"));
        position.play_unchecked(found);
    }
}
