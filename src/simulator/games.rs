//! Games to play: PGN in, legal moves out.
use flagfall_events::GameResult;
use pgn_reader::{KnownOutcome, Outcome, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position as _, fen::Fen};
use std::{io, ops::ControlFlow};

/// One game, legal to its last move.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Names of White and Black; `?` where the file has none.
    pub players: [String; 2],
    /// The position before the first move.
    pub start: Chess,
    /// Castling is named by king and rook, and the start position may be any of the 960.
    pub mode: CastlingMode,
    /// The moves.
    pub moves: Vec<Move>,
    /// The result of the tag or the movetext.
    pub result: GameResult,
    /// The tag `TimeControl`, where it holds one.
    pub time_control: Option<String>,
}

impl PgnGame {
    /// The start position as FEN if it is not the usual one.
    pub fn start_fen(&self) -> Option<String> {
        (self.start != Chess::default()).then(|| Fen::from_position(&self.start, EnPassantMode::Legal).to_string())
    }

    /// The moves in UCI, one string a ply.
    pub fn uci(&self) -> Vec<String> {
        self.moves.iter().map(|m| m.to_uci(self.mode).to_string()).collect()
    }
}

/// Why a PGN file cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PgnError {
    /// The text ends early or is no text.
    #[error("the PGN cannot be read: {0}")]
    Read(#[from] io::Error),
    /// A move cannot be played in its position.
    #[error("game {game}: move {number} {san} is not legal there; correct it, or choose another game with --game")]
    IllegalMove {
        /// Which game, from 1.
        game: usize,
        /// `12.` or `12...`.
        number: String,
        /// As the file says it.
        san: String,
    },
    /// The tag `FEN` is none.
    #[error("game {game}: the tag FEN {fen:?} is no position; correct it")]
    Fen {
        /// Which game, from 1.
        game: usize,
        /// What it says.
        fen: String,
    },
    /// Nothing to play.
    #[error("there is no game with a move in it; give a PGN file, for example one exported from a database")]
    NoGames,
}

/// The games the demo plays: short, with castling on both sides, en passant, promotion, mates and draws.
pub fn bundled() -> Vec<PgnGame> {
    read_games(include_bytes!("games.pgn")).expect("the bundled games are legal")
}

/// All games of a PGN text that have at least one move.
pub fn read_games(text: &[u8]) -> Result<Vec<PgnGame>, PgnError> {
    let games = games_of(text).filter(|game| !matches!(game, Ok(game) if game.moves.is_empty()));
    let games = games.collect::<Result<Vec<_>, _>>()?;
    if games.is_empty() { Err(PgnError::NoGames) } else { Ok(games) }
}

/// The games of a PGN text one by one, those without moves too; a bad one does not hide those after it.
pub fn games_of(text: &[u8]) -> impl Iterator<Item = Result<PgnGame, PgnError>> + '_ {
    let mut reader = Reader::new(text);
    let mut visitor = Collector { number: 0 };
    std::iter::from_fn(move || reader.read_game(&mut visitor).map_err(PgnError::from).transpose().map(Result::flatten))
}

struct Collector {
    number: usize,
}

struct Tags {
    game: PgnGame,
    fen: Option<String>,
    chess960: bool,
}

struct Movetext {
    game: PgnGame,
    position: Chess,
}

impl Visitor for Collector {
    type Tags = Tags;
    type Movetext = Movetext;
    type Output = Result<PgnGame, PgnError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        self.number += 1;
        let game = PgnGame {
            number: self.number,
            players: [String::from("?"), String::from("?")],
            start: Chess::default(),
            mode: CastlingMode::Standard,
            moves: Vec::new(),
            result: GameResult::Open,
            time_control: None,
        };
        ControlFlow::Continue(Tags { game, fen: None, chess960: false })
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let value = value.decode_utf8_lossy().into_owned();
        match name {
            b"White" => tags.game.players[0] = value,
            b"Black" => tags.game.players[1] = value,
            b"FEN" => tags.fen = Some(value),
            b"Variant" => tags.chess960 = value.to_ascii_lowercase().replace(' ', "").contains("960"),
            b"TimeControl" => tags.game.time_control = Some(value),
            b"Result" => {
                tags.game.result = match value.as_str() {
                    "1-0" => GameResult::WhiteWins,
                    "0-1" => GameResult::BlackWins,
                    "1/2-1/2" => GameResult::Draw,
                    _ => GameResult::Open,
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Movetext> {
        let Tags { mut game, fen, chess960 } = tags;
        game.mode = CastlingMode::from_chess960(chess960);
        if let Some(fen) = fen {
            let position = fen.parse::<Fen>().ok().and_then(|f| f.into_position::<Chess>(game.mode).ok());
            match position {
                Some(position) => game.start = position,
                None => return ControlFlow::Break(Err(PgnError::Fen { game: game.number, fen })),
            }
        }
        let position = game.start.clone();
        ControlFlow::Continue(Movetext { game, position })
    }

    fn san(&mut self, text: &mut Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(&text.position) {
            Ok(m) => {
                text.position.play_unchecked(m);
                text.game.moves.push(m);
                ControlFlow::Continue(())
            }
            Err(_) => {
                let dots = if text.position.turn().is_white() { "." } else { "..." };
                ControlFlow::Break(Err(PgnError::IllegalMove {
                    game: text.game.number,
                    number: format!("{}{dots}", text.position.fullmoves()),
                    san: san.to_string(),
                }))
            }
        }
    }

    fn outcome(&mut self, text: &mut Movetext, outcome: Outcome) -> ControlFlow<Self::Output> {
        text.game.result = match outcome {
            Outcome::Known(KnownOutcome::Draw) => GameResult::Draw,
            Outcome::Known(KnownOutcome::Decisive { winner }) if winner.is_white() => GameResult::WhiteWins,
            Outcome::Known(KnownOutcome::Decisive { .. }) => GameResult::BlackWins,
            Outcome::Unknown => text.game.result,
        };
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, text: Movetext) -> Self::Output {
        Ok(text.game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingSide;

    #[test]
    fn games_come_with_their_moves_and_results() {
        let games = read_games(b"[White \"A\"]\n\n1.e4 e5 2.Nf3 1-0\n\n[Event \"empty\"]\n\n*\n\n1.d4 *\n").unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].uci(), ["e2e4", "e7e5", "g1f3"]);
        assert_eq!((games[0].result, games[0].players[0].as_str()), (GameResult::WhiteWins, "A"));
        assert_eq!((games[1].number, games[1].result), (3, GameResult::Open));
    }

    #[test]
    fn an_illegal_move_is_named_and_the_next_game_still_read() {
        let mut games = games_of(b"1.e4 e5 2.Ke3 *\n\n1.d4 *\n");
        let error = games.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with("game 1: move 2. Ke3 is not legal"), "{error}");
        assert_eq!(games.next().unwrap().unwrap().uci(), ["d2d4"]);
    }

    #[test]
    fn the_bundled_games_hold_every_special_move() {
        let games = bundled();
        assert_eq!(games.len(), 8);
        let moves = || games.iter().flat_map(|game| &game.moves);
        let castles = |side| moves().any(|m| m.castling_side() == Some(side));
        assert!(castles(CastlingSide::KingSide) && castles(CastlingSide::QueenSide));
        assert!(moves().any(|m| m.is_en_passant()) && moves().any(|m| m.is_promotion()));
        assert!(games.iter().all(|game| game.result != GameResult::Open && game.moves.len() <= 70));
    }

    #[test]
    fn a_file_without_moves_is_refused() {
        assert!(matches!(read_games(b"").unwrap_err(), PgnError::NoGames));
        assert!(matches!(read_games(b"This is a letter, not a game.").unwrap_err(), PgnError::NoGames));
        assert!(matches!(read_games(b"[FEN \"x\"]\n\n1.e4 *").unwrap_err(), PgnError::Fen { .. }));
    }
}
