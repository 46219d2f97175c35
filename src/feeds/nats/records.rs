//! Two records of one board: this machine's, and the one that the hall shows. Which of them goes on is decided here, so that nobody's moves vanish:
//! the hall's is taken over where it has all that is known here, and more; where each has what the other one lacks, both are one. Pure.
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
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        self.number.is_some() && self.number == other.number && self.began.is_some() && self.began == other.began
    }

    /// They began at about the same time, as far as the calendars of two machines tell.
    fn is_near(&self, other: &Self) -> bool {
        self.began.zip(other.began).is_some_and(|(a, b)| a.since(b).max(b.since(a)) <= SAME_BEGIN)
    }

    /// What was recorded here, unpublished, is the game that the hall has of it, whatever its number: both recorded it from its start, or it was found on the
    /// board.
    pub(super) fn is_of(&self, hall: &Self) -> bool {
        let found = self.unseen && !hall.over && self.plies.len() + UNFOUND >= hall.plies.len();
        let moved = !self.plies.is_empty() && !hall.plies.is_empty();
        moved && (found || self.is_near(hall)) && (self.is_part_of(hall) || hall.is_part_of(self))
    }

    /// At least half of the shorter one is the same.
    fn begins_as(&self, other: &Self) -> bool {
        let same = self.plies.iter().zip(&other.plies).take_while(|(a, b)| a == b).count();
        self.start == other.start && 2 * same >= self.plies.len().min(other.plies.len())
    }

    /// The other one has every ply of this one.
    fn is_part_of(&self, other: &Self) -> bool {
        self.start == other.start && other.plies.starts_with(&self.plies)
    }
}

/// A game that was recorded here, and that the stream does not have under this numbering.
#[derive(Clone, Debug)]
pub(super) struct Here {
    pub(super) record: Record,
    /// How long ago it began, milliseconds.
    pub(super) age_ms: u64,
}

impl Here {
    /// It was seen to begin, or found, after the stream had its last message of the board, which came so long ago: no calendars are compared.
    fn is_later(&self, quiet_ms: Option<u64>) -> bool {
        quiet_ms.is_some_and(|quiet| self.age_ms < quiet)
    }
}

/// What becomes of the games recorded here, and of the hall's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goes {
    /// They go on as they are.
    Own,
    /// The hall's takes the place of the newest one.
    Hall,
    /// The hall's is this one of them, each has what the other one lacks, and the later ones come after it.
    Same(usize),
    /// The hall's came before them all, and nobody saw its end.
    Before,
}

/// Which it is. `own`: the game on the board as it is known here; `games`: those with moves that were recorded here, the newest one last; `published`: the own
/// one is in the stream already; `quiet_ms`: how long ago the stream had its last message of the board.
pub(super) fn which(own: &Record, games: &[Here], hall: &Record, published: bool, quiet_ms: Option<u64>) -> Goes {
    let newest = || if gives_way(own, hall, published) { Goes::Hall } else { Goes::Own };
    if published {
        return newest();
    }
    if hall.plies.is_empty() {
        // Its pieces had been set up there, and its first move was made here.
        let first = games.first().filter(|first| first.is_later(quiet_ms) && first.record.number < hall.number);
        return first.map_or_else(newest, |_| if hall.over { Goes::Before } else { Goes::Same(0) });
    }
    if let Some(index) = games.iter().rposition(|here| (here.record.unseen || !here.is_later(quiet_ms)) && here.record.is_of(hall)) {
        let here = &games[index].record;
        let is_newest = here.number == own.number;
        let whole = hall.is_part_of(here) && (here.over || !hall.over);
        return if whole && here.number == hall.number && !(is_newest && here.unseen) {
            Goes::Own
        } else if is_newest && here.is_part_of(hall) && (hall.over || !here.over) {
            Goes::Hall
        } else {
            Goes::Same(index)
        };
    }
    let another = |first: &&Here| first.is_later(quiet_ms) && !(first.record.unseen && first.record.begins_as(hall));
    match games.first().filter(another) {
        Some(first) if first.record.number <= hall.number => Goes::Before,
        Some(_) => Goes::Own,
        None => newest(),
    }
}

/// Whether the record of the hall takes the place of the own one. `published`: the own one is in the stream already.
fn gives_way(own: &Record, hall: &Record, published: bool) -> bool {
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
    let later = hall.began > own.began;
    if own.over {
        return later;
    }
    // One that was left behind: its plies are in the stream, and the board has had another game since.
    let left = published && later && hall.number > own.number;
    left || (own.is_near(hall) && own.is_part_of(hall))
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

    /// What becomes of these, the last of which is on the board.
    fn goes(games: &[Record], hall: &Record, published: bool, ago: Option<(u64, u64)>) -> Goes {
        let here = |record: &Record| Here { record: record.clone(), age_ms: ago.map_or(0, |(age_ms, _)| age_ms) };
        let own = games.last().cloned().unwrap_or_default();
        which(&own, &games.iter().map(here).collect::<Vec<_>>(), hall, published, ago.map(|(_, quiet_ms)| quiet_ms))
    }

    fn unseen(plies: &str) -> Record {
        Record { unseen: true, ..record(1, 300, plies, false) }
    }

    #[test]
    fn a_game_that_was_found_on_the_board_is_the_one_that_the_hall_has_of_it() {
        let hall = record(5, 200, "e2e4 e7e5 g1f3 b8c6", false);
        let of = |plies, published| goes(&[unseen(plies)], &hall, published, None);
        assert_eq!(of("e2e4 e7e5 g1f3 b8c6", false), Goes::Hall);
        assert_eq!(of("e2e4 e7e5 g1f3", false), Goes::Hall, "what was played since is found again");
        assert_eq!(of("e2e4 e7e5 g1f3 b8c6 f1b5", false), Goes::Same(0), "nothing of it is lost");
        assert_eq!(of("e2e4", false), Goes::Own, "that one stands farther: it is the next game");
        assert_eq!(of("e2e4 e7e5 g1f3 g8f6", false), Goes::Own);
        assert_eq!(goes(&[unseen("e2e4 e7e5 g1f3")], &record(5, 200, "e2e4 e7e5 g1f3", true), false, None), Goes::Own);
        assert_eq!(of("e2e4 e7e5 g1f3 b8c6", true), Goes::Own, "it was shown already");
    }

    #[test]
    fn a_game_that_ended_here_before_the_hall_answered_keeps_its_end_and_has_the_halls_number() {
        let hall = record(1, 200, "e2e4 e7e5 g1f3", false);
        let ended = Record { over: true, ..unseen("e2e4 e7e5 g1f3 b8c6 f1b5") };
        assert_eq!(goes(std::slice::from_ref(&ended), &hall, false, None), Goes::Same(0), "the hall's has the clocks");
        let numbered = Record { number: Some(5), ..hall.clone() };
        let next = record(2, 310, "d2d4", false);
        assert_eq!(goes(&[ended.clone(), next.clone()], &hall, false, None), Goes::Own, "their numbers are the same");
        assert_eq!(goes(&[ended, next], &numbered, false, None), Goes::Same(0));
        // Calendars of two machines may be hours apart.
        let longer = record(1, 201, "e2e4 e7e5 g1f3 b8c6", false);
        assert_eq!(
            goes(std::slice::from_ref(&longer), &numbered, false, Some((60_000, 3_000))),
            Goes::Same(0),
            "both recorded it from its start"
        );
        assert_eq!(
            goes(&[longer], &numbered, false, Some((60_000, 90_000))),
            Goes::Before,
            "it began after the last that was heard of the other"
        );
    }

    #[test]
    fn a_game_that_was_set_up_where_the_hall_heard_of_it_and_begun_here_is_one() {
        let set_up = record(5, 200, "", false);
        let began = record(1, 190, "d2d4 d7d5", false);
        let of = |hall: &Record, ago| goes(std::slice::from_ref(&began), hall, false, Some(ago));
        assert_eq!(of(&set_up, (5_000, 20_000)), Goes::Same(0));
        assert_eq!(of(&set_up, (20_000, 5_000)), Goes::Own, "it was begun before that");
        assert_eq!(of(&Record { number: Some(1), ..set_up.clone() }, (5_000, 20_000)), Goes::Own, "it has that number");
        assert_eq!(of(&Record { over: true, ..set_up }, (5_000, 20_000)), Goes::Before, "it was given up");
    }

    #[test]
    fn a_game_that_began_since_comes_after_the_halls() {
        let hall = record(3, 200, "e2e4 e7e5 g1f3", false);
        let began = record(1, 190, "d2d4 d7d5", false);
        assert_eq!(goes(std::slice::from_ref(&began), &hall, false, Some((5_000, 20_000))), Goes::Before);
        assert_eq!(
            goes(std::slice::from_ref(&began), &hall, false, Some((5_000, 1_000))),
            Goes::Own,
            "two boards of one name: both records are kept, and somebody is told"
        );
        assert_eq!(goes(std::slice::from_ref(&began), &hall, false, None), Goes::Own);
        assert_eq!(goes(&[Record { number: Some(4), ..began }], &hall, false, Some((5_000, 20_000))), Goes::Own, "it counts on already");
        assert_eq!(goes(&[unseen("d2d4 d7d5 c2c4")], &hall, false, Some((0, 20_000))), Goes::Before, "found on the board, and another one");
        assert_eq!(goes(&[unseen("d2d4 d7d5 c2c4")], &hall, false, Some((90_000, 20_000))), Goes::Own, "found before that");
        assert_eq!(goes(&[unseen("e2e4 e7e5 d2d4")], &hall, false, Some((0, 20_000))), Goes::Own, "perhaps the same, read otherwise");
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
