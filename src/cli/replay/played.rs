//! What was really played: from a PGN or UCI file, or from what somebody wrote behind `# played:` in the recording's own header.
use super::super::ExitError;
use flagfall_simulator::games;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};
use std::fs;
use std::path::Path;

/// The word of the command line for the recording's own header.
pub(super) const OWN: &str = "played";

/// Where what was played is written.
#[derive(Clone, Debug)]
pub(super) enum Played {
    /// In the header of each recording.
    Own,
    /// In a file, for one recording.
    Given(Vec<Game>),
}

/// One game.
#[derive(Clone, Debug)]
pub(super) enum Game {
    /// SAN or UCI, numbered or not; to be read from the position in which the game begins.
    Text(String),
    /// UCI, one string a ply.
    Uci(Vec<String>),
}

impl Played {
    /// What `--against` names.
    pub(super) fn of(named: &Path) -> Result<Self, ExitError> {
        if named.as_os_str() == OWN {
            return Ok(Self::Own);
        }
        let bytes = fs::read(named).map_err(|e| ExitError::reading(named, &e))?;
        let text = String::from_utf8_lossy(&bytes);
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        // A line of nothing but UCI is a game; a PGN has SAN, and tags in most cases.
        if lines().flat_map(words).all(|word| word.parse::<UciMove>().is_ok()) && lines().next().is_some() {
            return Ok(Self::Given(lines().map(|line| Game::Text(String::from(line))).collect()));
        }
        let games = games::read_games(&bytes).map_err(|e| ExitError::bad_data(format_args!("{}: {e}", named.display())))?;
        Ok(Self::Given(games.iter().map(|game| Game::Uci(game.uci())).collect()))
    }

    /// The games of a recording with these bytes.
    pub(super) fn games(&self, path: &Path, recording: &[u8]) -> Result<Vec<Game>, ExitError> {
        let Self::Own = self else {
            let Self::Given(games) = self else { return Ok(Vec::new()) };
            return Ok(games.clone());
        };
        let text = String::from_utf8_lossy(recording);
        let header = text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with('#'));
        let played = header.filter_map(|line| line.trim_start_matches('#').trim().strip_prefix("played:"));
        let games: Vec<_> = played.map(|moves| Game::Text(String::from(moves.trim()))).collect();
        let shown = path.display();
        if games.is_empty() {
            let why = "it does not say what was played; write it behind `# played:` in its header, or name a PGN or UCI file";
            return Err(ExitError::bad_data(format_args!("{shown}: {why}")));
        }
        if let Some(i) = games.iter().position(|game| matches!(game, Game::Text(text) if text.is_empty())) {
            let why = "nothing stands behind its `# played:`; write there what was played, or - if no game was";
            return Err(ExitError::bad_data(format_args!("{shown}: game {}: {why}", i + 1)));
        }
        Ok(games)
    }
}

impl Game {
    /// Its moves in UCI; `start` and `chess960` are the game's.
    pub(super) fn uci(&self, start: Option<&str>, chess960: bool) -> Result<Vec<String>, String> {
        let text = match self {
            Self::Uci(moves) => return Ok(moves.clone()),
            Self::Text(text) => text,
        };
        let setup = start.and_then(|fen| fen.parse::<Fen>().ok());
        let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let mut position = setup.map_or_else(|| Some(Chess::default()), |fen| fen.into_position(mode).ok());
        let mut moves = Vec::new();
        for word in words(text) {
            let ply = moves.len() + 1;
            if let Ok(uci) = word.parse::<UciMove>() {
                // From a move that is not legal on only UCI says where what stands.
                let legal = position.as_ref().and_then(|position| uci.to_move(position).ok());
                moves.push(legal.map_or_else(|| String::from(word), |m| m.to_uci(mode).to_string()));
                position = legal.and_then(|m| position?.play(m).ok());
                continue;
            }
            // Many write castling with zeros.
            let letters = if word.starts_with("0-0") { word.replace('0', "O") } else { String::from(word) };
            let san = letters.parse::<SanPlus>().map_err(|_| format!("ply {ply}: {word:?} is no move; write SAN or UCI"))?;
            let found = position.as_ref().and_then(|position| san.san.to_move(position).ok());
            let m = found.ok_or_else(|| format!("ply {ply}: {word} is not legal there; from a move on that was not legal write UCI"))?;
            moves.push(m.to_uci(mode).to_string());
            position = position.and_then(|position| position.play(m).ok());
        }
        Ok(moves)
    }
}

/// The moves of numbered movetext, without numbers, marks and result.
fn words(text: &str) -> impl Iterator<Item = &str> {
    const RESULTS: [&str; 5] = ["*", "-", "1-0", "0-1", "1/2-1/2"];
    text.split_ascii_whitespace()
        .filter(|word| !RESULTS.contains(word) && !word.starts_with('$') && !word.bytes().all(|b| b.is_ascii_digit()))
        .map(|word| word.rsplit('.').next().unwrap_or(word).trim_end_matches(['!', '?']))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci(text: &str) -> Result<Vec<String>, String> {
        Game::Text(String::from(text)).uci(None, false)
    }

    #[test]
    fn san_and_uci_with_numbers_and_marks_are_read() {
        let expected = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1"];
        assert_eq!(uci("1. e4 e5 2. Nf3! Nc6 3.Bb5 $1 Nf6 4. 0-0 *").unwrap(), expected);
        assert_eq!(uci("e2e4 e7e5 2. g1f3 Nc6 3... Bb5?! g8f6 e1h1 1-0").unwrap(), expected);
        assert_eq!(uci("-").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn an_illegal_move_goes_on_in_uci() {
        assert_eq!(uci("e4 e5 a1a3 g8f6").unwrap(), ["e2e4", "e7e5", "a1a3", "g8f6"]);
        assert!(uci("e4 e5 a1a3 Nf6").unwrap_err().contains("ply 4: Nf6"));
        assert!(uci("e4 Ke4").unwrap_err().contains("not legal"));
        assert!(uci("e4 nonsense").unwrap_err().contains("no move"));
    }

    #[test]
    fn chess960_castling_is_by_king_and_rook() {
        let game = Game::Text(String::from("O-O"));
        let start = Some("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
        assert_eq!(game.uci(start, true).unwrap(), ["f1g1"]);
    }
}
