//! What viewers see on Lichess against what was sent: which game is which, and where one differs.
//!
//! Not everything that differs is wrong. Lichess completes players by their FIDE numbers, puts its own address into `Site` and its own day
//! into `Date`, and rounds clocks: none of that is a gap.
use super::line::{Line, TAGS};
use crate::players::Player;
use std::borrow::Borrow;

/// Clock times of so many plies at the end of the game are compared.
const LAST_PLIES: usize = 6;
/// Clocks on Lichess have hundredths, ours seconds.
const CLOCK_SLACK_S: u32 = 1;

/// Where one game differs from what was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// It is not there.
    Missing,
    /// It starts from another position.
    Start,
    /// The main line is another one from this ply on, from 1.
    Moves {
        /// The first ply that differs.
        from: usize,
        /// What was sent is the beginning of it: nothing that is pushed makes a chapter shorter.
        longer: bool,
    },
    /// The clock after this ply, from 1.
    Clock {
        /// Which ply.
        ply: usize,
        /// As sent, seconds.
        ours: u32,
        /// As shown.
        theirs: Option<u32>,
    },
    /// A tag.
    Tag {
        /// Which.
        name: &'static str,
        /// As sent.
        ours: String,
        /// As shown; empty: not there.
        theirs: String,
    },
}

/// Which of their games is which of ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// For each of ours its place among theirs.
    pub of: Vec<Option<usize>>,
    /// Theirs that none of ours feeds.
    pub orphans: Vec<usize>,
}

/// Whether a game of ours is one of theirs.
type Rule<'r> = &'r dyn Fn(&Line, &Line) -> bool;

/// Finds for each of `ours` its game in `theirs`: by `GameId`, else by round and players, by the round alone, or by the players
/// where no round is said.
pub fn pair<L: Borrow<Line>>(ours: &[L], theirs: &[Line]) -> Pairs {
    let mut of: Vec<Option<usize>> = vec![None; ours.len()];
    let mut free: Vec<bool> = theirs.iter().map(|line| !line.is_empty()).collect();
    let same_id = |ours: &Line, theirs: &Line| ours.tag("GameId").is_some_and(|id| theirs.tag("GameId") == Some(id));
    // One that names another game is that game's chapter.
    let may = |ours: &Line, theirs: &Line| ours.tag("GameId").is_none() || theirs.tag("GameId").is_none();
    let same_round = |ours: &Line, theirs: &Line| may(ours, theirs) && ours.tag("Round").is_some_and(|r| theirs.tag("Round") == Some(r));
    let same_players =
        |ours: &Line, theirs: &Line| same_round(ours, theirs) && same_player(ours, theirs, "White") && same_player(ours, theirs, "Black");
    let unnumbered = |ours: &Line, theirs: &Line| {
        theirs.tag("Round").is_none() && may(ours, theirs) && ["White", "Black"].iter().all(|side| same_player(ours, theirs, side))
    };
    let rules: [Rule<'_>; 4] = [&same_id, &same_players, &same_round, &unnumbered];
    for rule in rules {
        for (line, found) in ours.iter().zip(&mut of) {
            if found.is_none() {
                *found = (0..theirs.len()).find(|&j| free[j] && rule(line.borrow(), &theirs[j]));
                if let Some(j) = *found {
                    free[j] = false;
                }
            }
        }
    }
    Pairs { of, orphans: (0..theirs.len()).filter(|&j| free[j]).collect() }
}

/// Everything in which `theirs` is not what was sent.
pub fn gaps(ours: &Line, theirs: &Line) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = TAGS.iter().filter_map(|name| tag_gap(ours, theirs, name)).collect();
    if ours.start != theirs.start {
        // Without moves there is no position to see.
        if !(ours.moves.is_empty() && theirs.moves.is_empty()) {
            gaps.push(Gap::Start);
        }
        return gaps;
    }
    let common = ours.moves.iter().zip(&theirs.moves).take_while(|(a, b)| a == b).count();
    if ours.moves.len() != theirs.moves.len() || common < ours.moves.len() {
        gaps.push(Gap::Moves { from: common + 1, longer: common == ours.moves.len() });
        return gaps;
    }
    let clocks = ours.clocks.iter().zip(&theirs.clocks).enumerate().rev().take(LAST_PLIES);
    let wrong = clocks.filter_map(|(i, (ours, theirs))| {
        let ours = (*ours)?;
        (!theirs.is_some_and(|theirs| theirs.abs_diff(ours) <= CLOCK_SLACK_S)).then_some(Gap::Clock { ply: i + 1, ours, theirs: *theirs })
    });
    gaps.extend(wrong);
    gaps
}

fn tag_gap(ours: &Line, theirs: &Line, name: &'static str) -> Option<Gap> {
    let sent = ours.tag(name)?;
    let shown = theirs.tag(name).unwrap_or("");
    let side = if name.starts_with("Black") { "Black" } else { "White" };
    let known = || theirs.tag(if side == "White" { "WhiteFideId" } else { "BlackFideId" }).is_some_and(|id| id != "0");
    let same = match name {
        // Mate on the board says it by itself.
        "Result" => sent == theirs.result() || (sent == "*" && ours.ends),
        "White" | "Black" => same_player(ours, theirs, name),
        // Lichess takes these from FIDE where it knows the player.
        "WhiteElo" | "BlackElo" | "WhiteTitle" | "BlackTitle" | "WhiteTeam" | "BlackTeam" if shown != sent => known() || shown.is_empty(),
        // One that is not there says nothing wrong, and comes with the next push.
        _ => sent == shown || shown.is_empty(),
    };
    (!same).then(|| Gap::Tag { name, ours: String::from(sent), theirs: String::from(shown) })
}

/// The same person: by FIDE number where both have one, else by name.
fn same_player(ours: &Line, theirs: &Line, side: &str) -> bool {
    let id = |line: &Line| line.tag(&format!("{side}FideId")).filter(|id| *id != "0").map(String::from);
    if let (Some(one), Some(two)) = (id(ours), id(theirs)) {
        return one == two;
    }
    match (ours.tag(side), theirs.tag(side)) {
        (Some(one), Some(two)) => one == two || Player::named(one).zip(Player::named(two)).is_some_and(|(one, two)| one.same_name(&two)),
        (None, None) => true,
        _ => false,
    }
}

impl Gap {
    /// What is so, in English and Russian, without what to do.
    pub fn said(&self) -> [String; 2] {
        let clock = |seconds: u32| format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
        match self {
            Self::Missing => [String::from("the game is not there"), String::from("партии там нет")],
            Self::Start => {
                [String::from("the game starts from another position there"), String::from("партия там начинается с другой позиции")]
            }
            Self::Moves { from, longer: true } => {
                let [en, ru] = ply(*from);
                [format!("moves that were taken back still stand there, from {en} on"), format!("там остались взятые назад ходы, с {ru}")]
            }
            Self::Moves { from, longer: false } => {
                let [en, ru] = ply(*from);
                [format!("the moves differ from {en} on"), format!("ходы расходятся с {ru}")]
            }
            Self::Clock { ply: n, ours, theirs } => {
                let [en, ru] = ply(*n);
                let [ours, theirs] = [Some(*ours), *theirs].map(|s| s.map_or_else(|| String::from("–"), clock));
                [format!("the clock after {en} shows {theirs}, not {ours}"), format!("часы после {ru}: {theirs} вместо {ours}")]
            }
            Self::Tag { name, ours, theirs } => {
                [format!("{name} is \"{theirs}\" there, \"{ours}\" here"), format!("{name}: там «{theirs}», здесь «{ours}»")]
            }
        }
    }
}

/// `Black's move 12`; in Russian in the genitive.
fn ply(n: usize) -> [String; 2] {
    let number = n.div_ceil(2);
    let (en, ru) = if n % 2 == 1 { ("White", "белых") } else { ("Black", "чёрных") };
    [format!("{en}'s move {number}"), format!("{number}-го хода {ru}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(tags: &[(&str, &str)], moves: &str) -> Line {
        let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        Line::read(&format!("{tags}\n{moves} *\n")).remove(0)
    }

    #[test]
    fn games_find_their_chapters_by_id_then_by_round_and_players() {
        let ours = [
            line(&[("Round", "1.1"), ("White", "Adams"), ("Black", "Carlsen, Magnus"), ("GameId", "a")], ""),
            line(&[("Round", "1.2"), ("White", "Short"), ("Black", "Ding"), ("GameId", "b")], ""),
            line(&[("Round", "1.3"), ("White", "Polgar"), ("Black", "Hou"), ("GameId", "c")], ""),
        ];
        let unnumbered = line(&[("White", "Hou, Yifan"), ("Black", "Polgar")], "");
        let whoever = line(&[("Round", "1.3"), ("White", "Hou Yifan"), ("Black", "Polgar")], "");
        assert_eq!(pair(&[whoever], &[unnumbered]).of, [Some(0)]);
        let theirs = [
            line(&[("Round", "1.2"), ("White", "Somebody"), ("Black", "Else")], "1. e4"),
            line(&[("Round", "1.2"), ("White", "Short"), ("Black", "Ding")], ""),
            line(&[("Round", "1.9"), ("White", "Adamz"), ("Black", "Magnus Carlsen"), ("GameId", "a")], ""),
            line(&[], ""),
        ];
        assert_eq!(pair(&ours, &theirs), Pairs { of: vec![Some(2), Some(1), None], orphans: vec![0] });
    }

    #[test]
    fn each_kind_of_gap_is_found_and_said() {
        let tags = [("Round", "1.1"), ("White", "Adams"), ("Black", "Short"), ("Result", "1-0")];
        let ours = line(&tags, "1. e4 {[%clk 1:00:00]} e5 {[%clk 0:59:00]}");
        let theirs = |moves: &str| gaps(&ours, &line(&tags, moves));
        assert_eq!(theirs("1. e4 { [%clk 1:00:00] } e5 { [%clk 0:59:01.2] }"), []);
        assert_eq!(theirs("1. e4 e5 2. Nf3"), [Gap::Moves { from: 3, longer: true }]);
        assert_eq!(theirs("1. e4 c5"), [Gap::Moves { from: 2, longer: false }]);
        assert_eq!(theirs("1. e4"), [Gap::Moves { from: 2, longer: false }]);
        let clock = theirs("1. e4 { [%clk 1:00:00] } e5 { [%clk 0:50:00] }");
        assert_eq!(clock, [Gap::Clock { ply: 2, ours: 3540, theirs: Some(3000) }]);
        assert_eq!(clock[0].said()[0], "the clock after Black's move 1 shows 0:50:00, not 0:59:00");
        let other = [("Round", "1.1"), ("White", "Adams"), ("Black", "Short"), ("Result", "0-1")];
        let tag = gaps(&ours, &line(&other, "1. e4 { [%clk 1:00:00] } e5 { [%clk 0:59:00] }"));
        assert_eq!(tag, [Gap::Tag { name: "Result", ours: String::from("1-0"), theirs: String::from("0-1") }]);
        assert_eq!(tag[0].said()[1], "Result: там «0-1», здесь «1-0»");
    }

    #[test]
    fn what_lichess_knows_of_a_player_is_no_gap() {
        let ours = line(&[("White", "carlsen magnus"), ("WhiteFideId", "1503014"), ("WhiteElo", "2800"), ("Black", "Short, Nigel")], "");
        let theirs = [("White", "Carlsen, Magnus"), ("WhiteFideId", "1503014"), ("WhiteElo", "2839"), ("Black", "Nigel Short")];
        assert_eq!(gaps(&ours, &line(&theirs, "")), []);
        let unknown = [("White", "Carlsen, Magnus"), ("WhiteFideId", "1"), ("Black", "Nigel Short")];
        let names: Vec<_> = gaps(&ours, &line(&unknown, "")).into_iter().map(|gap| gap.said()[0].clone()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
    }
}
