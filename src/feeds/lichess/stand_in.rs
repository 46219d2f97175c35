//! A game that Lichess does not take, as far as it takes it: the moves that it took last, and the result and tags of now. So a move that it
//! cannot read holds up neither the result nor a corrected name.
use super::round::{Body, Game, Round};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What Lichess took and what it did not, by board.
#[derive(Debug, Default)]
pub(super) struct StandIns {
    taken: BTreeMap<Arc<str>, String>,
    /// The game that was refused, and what goes instead of it.
    instead: BTreeMap<Arc<str>, (Arc<str>, Arc<str>)>,
}

impl StandIns {
    /// The round as it is pushed: a game that was refused and has not changed since goes out as far as it was taken.
    pub(super) fn put_into(&mut self, round: &Round) -> Round {
        self.instead.retain(|board, (refused, _)| round.iter().any(|game| game.board == *board && game.pgn == *refused));
        if self.instead.is_empty() {
            return round.clone();
        }
        let game = |game: &Game| match self.instead.get(&game.board) {
            Some((_, instead)) => Game { pgn: instead.clone(), ..game.clone() },
            None => game.clone(),
        };
        Arc::new(round.iter().map(game).collect())
    }

    /// Boards whose game goes out in part.
    pub(super) fn boards(&self) -> BTreeSet<Arc<str>> {
        self.instead.keys().cloned().collect()
    }

    /// What became of a push of `round` in the form of `body`. Whether there is something to send instead of what was `refused`.
    pub(super) fn pushed(&mut self, round: &Round, body: &Body, refused: &BTreeSet<Arc<str>>) -> bool {
        let mut news = false;
        for (place, board) in body.boards.iter().enumerate() {
            let sent = body.game(place);
            if !refused.contains(board) {
                self.taken.insert(board.clone(), String::from(sent));
                continue;
            }
            // One that stood in already is not made smaller still.
            if self.instead.remove(board).is_some() {
                continue;
            }
            let Some(game) = round.iter().find(|game| game.board == *board) else { continue };
            let before = self.taken.get(board).map(String::as_str);
            if before.is_none_or(|before| tags(before) != tags(sent)) {
                let instead = instead_of(sent, before);
                news = true;
                self.instead.insert(board.clone(), (game.pgn.clone(), instead.into()));
            }
        }
        news
    }

    /// The round was emptied.
    pub(super) fn clear(&mut self) {
        self.taken.clear();
        self.instead.clear();
    }
}

fn parts(pgn: &str) -> (&str, &str) {
    pgn.split_at(pgn.find("\n\n").unwrap_or(pgn.len()))
}

/// The tags without those of a clock that runs.
fn tags(pgn: &str) -> Vec<&str> {
    let clock = |line: &&str| ["[WhiteClock ", "[BlackClock ", "[ReferenceTime "].iter().any(|name| line.starts_with(name));
    parts(pgn).0.lines().filter(|line| !clock(line)).collect()
}

/// The tags and the result of `refused`, the moves of `taken`.
fn instead_of(refused: &str, taken: Option<&str>) -> String {
    let (tags, moves) = parts(refused);
    let result = moves.split_whitespace().next_back().unwrap_or("*");
    let before = taken.map_or("", |taken| parts(taken).1.trim());
    let moves = before.rsplit_once(char::is_whitespace).map_or("", |(moves, _)| moves);
    format!("{tags}\n\n{moves} {{What was played next is not a move that Lichess takes}} {result}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lichess::round::MOST_BYTES;

    fn round(pgn: &str) -> Round {
        Arc::new(vec![Game { board: "1".into(), pgn: pgn.into(), finished: false }])
    }

    #[test]
    fn the_result_goes_out_with_the_moves_that_were_taken() {
        let mut stand_ins = StandIns::default();
        let (none, one) = (BTreeSet::new(), BTreeSet::from([Arc::from("1")]));
        let mut push = |round: &Round, refused: &BTreeSet<Arc<str>>| {
            let body = Body::new(&stand_ins.put_into(round), MOST_BYTES);
            (stand_ins.pushed(round, &body, refused), body.text, stand_ins.boards().len())
        };
        let first = round("[White \"A1\"]\n[Result \"*\"]\n\n1. e4 {[%clk 1:00:00]} *\n\n");
        assert!(!push(&first, &none).0);
        let stuck = round("[White \"A1\"]\n[Result \"*\"]\n\n1. e4 {[%clk 1:00:00]} Ke3 *\n\n");
        assert_eq!((push(&stuck, &one).0, push(&stuck, &one).2), (false, 0), "nothing that Lichess could show is missing");
        let over = round("[White \"A1\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 1:00:00]} Ke3 1-0\n\n");
        assert!(push(&over, &one).0);
        let (news, text, boards) = push(&over, &none);
        assert_eq!((news, boards), (false, 1));
        assert_eq!(
            text,
            "[White \"A1\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 1:00:00]} {What was played next is not a move that Lichess takes} 1-0\n"
        );
        let mended = round("[White \"A1\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n");
        assert_eq!(push(&mended, &none), (false, String::from(mended[0].pgn.trim_end()) + "\n", 0));
    }
}
