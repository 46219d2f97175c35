//! A round as it is pushed: every board, in board order, in one body, within what Lichess takes.
//!
//! Lichess matches the games of a body with the chapters it has; a body without some of the boards can claim the wrong chapter.
//! So boards are left out only where nothing else helps: first the clock times of finished games go, then those of the others.
use std::sync::Arc;

/// Lichess reads no more games than this.
pub const MOST_GAMES: usize = 100;
/// And no longer body, in bytes.
pub const MOST_BYTES: usize = 512 * 1024;

/// One board's game as it is pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The board's name.
    pub board: Arc<str>,
    /// Tags, moves on one line, result; ends with a newline.
    pub pgn: Arc<str>,
    /// There is a result.
    pub finished: bool,
}

/// All boards of a round, in board order.
pub type Round = Arc<Vec<Game>>;

/// What goes out, and what does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The games with an empty line between.
    pub text: String,
    /// The boards in it, in their order.
    pub boards: Vec<Arc<str>>,
    /// Boards that did not fit.
    pub left_out: Vec<Arc<str>>,
    /// Boards that are sent without clock times.
    pub without_clocks: Vec<Arc<str>>,
    /// Where each game ends in the text.
    ends: Vec<usize>,
}

impl Body {
    /// Puts a round together in at most `most_bytes`.
    pub fn new(round: &[Game], most_bytes: usize) -> Self {
        let (games, beyond) = round.split_at(round.len().min(MOST_GAMES));
        let mut texts: Vec<&str> = games.iter().map(|game| game.pgn.as_ref()).collect();
        let mut total = size(&texts);
        let mut body = Self { left_out: beyond.iter().map(|game| game.board.clone()).collect(), ..Self::default() };

        // Longest first, so that few boards lose their times.
        let mut order: Vec<usize> = (0..games.len()).collect();
        order.sort_by_key(|&i| (!games[i].finished, usize::MAX - games[i].pgn.len(), i));
        let mut bare: Vec<Option<String>> = vec![None; games.len()];
        for &i in &order {
            if total <= most_bytes {
                break;
            }
            let text = without_clocks(&games[i].pgn);
            total -= games[i].pgn.len() - text.len();
            bare[i] = Some(text);
        }
        for (i, text) in bare.iter().enumerate() {
            if let Some(text) = text {
                texts[i] = text;
            }
        }
        let mut kept = games.len();
        while size(&texts[..kept]) > most_bytes {
            kept -= 1;
        }
        body.left_out.splice(0..0, games[kept..].iter().map(|game| game.board.clone()));
        body.without_clocks = (0..kept).filter(|&i| bare[i].is_some()).map(|i| games[i].board.clone()).collect();
        body.boards = games[..kept].iter().map(|game| game.board.clone()).collect();
        for text in &texts[..kept] {
            let between = if body.text.is_empty() { "" } else { "\n" };
            body.text.push_str(between);
            body.text.push_str(text.trim_end());
            body.text.push('\n');
            body.ends.push(body.text.len());
        }
        body
    }

    /// The game in this place, from 0; empty where there is none.
    pub fn game(&self, place: usize) -> &str {
        let begin = place.checked_sub(1).and_then(|before| self.ends.get(before).copied()).unwrap_or(0);
        self.ends.get(place).and_then(|end| self.text.get(begin..*end)).unwrap_or("").trim_start()
    }
}

/// Bytes of a body of these games: never below what it comes to.
fn size(texts: &[&str]) -> usize {
    texts.iter().map(|text| text.len() + 3).sum()
}

/// The game without its `{[%clk …]}` comments; comments for people stay.
fn without_clocks(pgn: &str) -> String {
    // Tag values may hold anything: only what follows the empty line is movetext.
    let (tags, moves) = pgn.split_at(pgn.find("\n\n").unwrap_or(0));
    let mut out = String::with_capacity(pgn.len());
    out.push_str(tags);
    let mut rest = moves;
    while let Some(at) = rest.find(" {[%clk ") {
        let Some(end) = rest[at..].find('}') else { break };
        out.push_str(&rest[..at]);
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(board: u32, moves: &str, finished: bool) -> Game {
        let pgn = format!("[Event \"a {{[%clk 9]}} b\"]\n[Round \"1.{board}\"]\n\n{moves} *\n");
        Game { board: board.to_string().into(), pgn: pgn.into(), finished }
    }

    fn names(boards: &[Arc<str>]) -> Vec<&str> {
        boards.iter().map(AsRef::as_ref).collect()
    }

    #[test]
    fn every_board_in_order_with_an_empty_line_between() {
        let body = Body::new(&[game(1, "1. e4 {[%clk 1:00:00]}", false), game(2, "", false)], MOST_BYTES);
        assert_eq!(
            body.text,
            "[Event \"a {[%clk 9]} b\"]\n[Round \"1.1\"]\n\n1. e4 {[%clk 1:00:00]} *\n\n[Event \"a {[%clk 9]} b\"]\n[Round \"1.2\"]\n\n *\n"
        );
        assert_eq!((names(&body.boards), body.left_out.len(), body.without_clocks.len()), (vec!["1", "2"], 0, 0));
        assert!(body.game(0).ends_with("1:00:00]} *\n") && body.game(1).starts_with("[Event \"a") && body.game(2).is_empty());
        assert_eq!(Body::new(&[], MOST_BYTES), Body::default());
    }

    #[test]
    fn the_hundred_and_first_board_is_named_as_left_out() {
        let round: Vec<_> = (1..=102).map(|n| game(n, "1. e4", false)).collect();
        let body = Body::new(&round, MOST_BYTES);
        assert_eq!(body.boards.len(), MOST_GAMES);
        assert_eq!(names(&body.left_out), ["101", "102"]);
    }

    #[test]
    fn clock_times_of_finished_games_go_before_those_of_others_and_boards_go_last() {
        let long = |n: usize| (1..=n).map(|i| format!("{i}. e4 {{[%clk 1:00:00]}} e5 {{[%clk 1:00:00]}} ")).collect::<String>();
        let round = [game(1, &long(50), false), game(2, &long(40), true), game(3, &long(30), true)];
        let whole = Body::new(&round, MOST_BYTES);
        let all = whole.text.len();
        let one = Body::new(&round, all - 100);
        assert_eq!(names(&one.without_clocks), ["2"]);
        assert!(one.text.len() <= all - 100 && one.text.contains("1. e4 e5 2. e4 e5"));
        assert_eq!(one.text.matches("[Event \"a {[%clk 9]} b\"]").count(), 3, "tags stay as they are");
        assert_eq!(names(&Body::new(&round, all / 2).without_clocks), ["1", "2", "3"]);
        let least = Body::new(&round, 800);
        assert_eq!((names(&least.boards), names(&least.left_out)), (vec!["1"], vec!["2", "3"]));
        assert!(least.text.len() <= 800);
        assert_eq!(Body::new(&round, 10).boards.len(), 0);
    }
}
