//! Two records of one board: this machine's, and the one that the hall shows. Which of them goes on is decided here, so that nobody's moves vanish:
//! the hall's is taken over where it has all that is known here, and more. Pure.
use flagfall_events::{How, Wall};
use flagfall_score::board::BoardState;

/// Two machines that record one game from its start say that it began at times that are no further apart, milliseconds.
const SAME_BEGIN: u64 = 15 * 60 * 1_000;
/// So many plies may stand on the board, and not be found there yet.
const UNFOUND: usize = 2;

/// A record, as far as they are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// The game's number on this board; `None`: there is no game.
    pub(super) number: Option<u32>,
    pub(super) began: Option<Wall>,
    /// The placement that it begins in, FEN field 1.
    pub(super) start: String,
    /// Completed plies, UCI.
    pub(super) plies: Vec<String>,
    pub(super) over: bool,
    /// Nobody here saw it begin: its first ply was found later.
    pub(super) unseen: bool,
}

impl Record {
    /// The game on a board.
    pub(super) fn of(state: &BoardState) -> Self {
        let game = state.game();
        let start = game.start_fen.as_deref().and_then(|fen| fen.split(' ').next()).unwrap_or_default();
        Self {
            number: game.number,
            began: game.started_at,
            start: String::from(start),
            plies: state.moves().iter().take_while(|m| m.completed).map(|m| m.uci.clone()).collect(),
            over: state.is_over(),
            unseen: state.moves().first().is_some_and(|first| first.how == Some(How::Recovered)),
        }
    }

    /// Both name the same game.
    fn is_same_as(&self, other: &Self) -> bool {
        self.number.is_some() && self.number == other.number && self.began.is_some() && self.began == other.began
    }

    /// The other one has every ply of this one.
    fn is_part_of(&self, other: &Self) -> bool {
        self.start == other.start && other.plies.starts_with(&self.plies)
    }
}

/// Whether the record of the hall takes the place of the own one. `published`: the own one is in the stream already.
pub(super) fn gives_way(own: &Record, hall: &Record, published: bool) -> bool {
    if hall.plies.is_empty() {
        return own.number.is_none();
    }
    if own.plies.is_empty() {
        return true;
    }
    if own.is_same_as(hall) {
        let more = hall.plies.len() > own.plies.len() || (hall.over && !own.over);
        return own.is_part_of(hall) && more;
    }
    // What was found on the board is the game that the hall has of it, whatever its number here.
    let found = own.unseen && !published && !hall.over && own.plies.len() + UNFOUND >= hall.plies.len();
    if found && (own.is_part_of(hall) || hall.is_part_of(own)) {
        return true;
    }
    let later = hall.began > own.began;
    if own.over {
        return later;
    }
    let near = own.began.zip(hall.began).is_some_and(|(a, b)| a.since(b).max(b.since(a)) <= SAME_BEGIN);
    // One that was left behind: its plies are in the stream, and the board has had another game since.
    let left = published && later && hall.number > own.number;
    left || (near && own.is_part_of(hall))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_events::Mono;

    fn record(number: u32, minute: u64, plies: &str, over: bool) -> Record {
        let began = Some(Wall::EPOCH.after(Mono::from_millis(minute * 60_000)));
        Record {
            number: Some(number),
            began,
            start: String::from("start"),
            plies: plies.split_whitespace().map(String::from).collect(),
            over,
            unseen: false,
        }
    }

    #[test]
    fn who_knows_no_game_takes_the_halls_and_who_has_all_of_it_keeps_his() {
        let hall = record(4, 0, "e2e4 e7e5 g1f3", false);
        assert!(gives_way(&Record::default(), &hall, false));
        assert!(gives_way(&Record::default(), &record(4, 0, "", false), false), "a game that has no move yet, too");
        assert!(gives_way(&record(1, 9, "", false), &hall, false), "pieces that stand are no game yet");
        assert!(!gives_way(&record(4, 0, "e2e4 e7e5 g1f3 b8c6", false), &hall, true));
        assert!(!gives_way(&hall, &hall, true));
        assert!(!gives_way(&record(5, 90, "d2d4", false), &record(4, 0, "", false), false));
    }

    #[test]
    fn a_part_of_the_game_gives_way_to_the_whole_and_other_moves_never_do() {
        let hall = record(4, 0, "e2e4 e7e5 g1f3", false);
        assert!(gives_way(&record(4, 0, "e2e4", false), &hall, true), "a journal that has lost its end");
        assert!(
            gives_way(&record(4, 0, "e2e4 e7e5 g1f3", false), &record(4, 0, "e2e4 e7e5 g1f3", true), true),
            "its result is known there"
        );
        assert!(gives_way(&record(1, 2, "e2e4 e7e5", false), &hall, false), "both recorded it from its start");
        assert!(!gives_way(&record(1, 300, "e2e4 e7e5", false), &hall, false), "a new game that begins as the old one did");
        for (number, minute) in [(4, 0), (1, 2), (5, 90)] {
            assert!(!gives_way(&record(number, minute, "d2d4", false), &hall, false), "{number}");
        }
    }

    #[test]
    fn a_game_that_was_found_on_the_board_is_the_one_that_the_hall_has_of_it() {
        let unseen = |plies| Record { unseen: true, ..record(1, 300, plies, false) };
        let hall = record(5, 200, "e2e4 e7e5 g1f3 b8c6", false);
        assert!(gives_way(&unseen("e2e4 e7e5 g1f3 b8c6"), &hall, false));
        assert!(gives_way(&unseen("e2e4 e7e5 g1f3 b8c6 f1b5"), &hall, false), "what was played since is found again");
        assert!(gives_way(&unseen("e2e4 e7e5 g1f3"), &hall, false));
        assert!(!gives_way(&unseen("e2e4"), &hall, false), "that one stands farther: it is the next game");
        assert!(!gives_way(&unseen("e2e4 e7e5 g1f3 g8f6"), &hall, false));
        assert!(!gives_way(&unseen("e2e4 e7e5 g1f3"), &record(5, 200, "e2e4 e7e5 g1f3", true), false));
        assert!(!gives_way(&unseen("e2e4 e7e5 g1f3 b8c6"), &hall, true), "it was shown already");
    }

    #[test]
    fn a_machine_that_comes_back_goes_on_with_the_game_that_is_on_now() {
        let hall = record(5, 200, "c2c4 g8f6", false);
        assert!(gives_way(&record(4, 0, "e2e4 e7e5", true), &hall, true), "its last game is over");
        assert!(gives_way(&record(4, 0, "e2e4 e7e5", false), &hall, true), "others brought it to its end");
        assert!(!gives_way(&record(4, 0, "e2e4 e7e5", false), &hall, false), "nobody else has these plies");
        assert!(!gives_way(&record(6, 400, "d2d4 d7d5", true), &hall, true), "played since");
    }
}
