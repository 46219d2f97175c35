//! One game as an outlet told it: its main line and its result, read from what was sent, and where it is not the record's.
use super::place::Place;
use flagfall_events::{GameResult, Words};
use flagfall_score::kept::GameRecord;
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use serde_json::Value;
use std::ops::ControlFlow;

/// One game as it was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The main line in English letters, blanks between.
    line: String,
    plies: usize,
    /// `None`: this outlet tells none.
    result: Option<GameResult>,
}

impl Told {
    /// A main line; the result where the outlet tells one.
    pub fn new<'s>(sans: impl IntoIterator<Item = &'s str>, result: Option<GameResult>) -> Self {
        let mut told = Self { result, ..Self::default() };
        sans.into_iter().for_each(|san| told.push(san));
        told
    }

    /// As the record has it.
    pub fn of_record(record: Option<&GameRecord>, result: GameResult) -> Self {
        Self::new(record.into_iter().flat_map(|record| record.moves.iter().map(|ply| ply.san.as_str())), Some(result))
    }

    /// The first game of a PGN text, with its place where the text says it.
    pub fn of_pgn(pgn: &[u8]) -> Option<(Option<Place>, Self)> {
        let (place, told) = Reader::new(pgn).read_game(&mut Collector).ok()??;
        Some((place, told))
    }

    /// A game of the cloud's JSON. `None`: it is none, or one that its readers cannot replay, whose moves stand in a comment.
    pub fn of_cloud(json: &[u8]) -> Option<Self> {
        let game: Value = serde_json::from_slice(json).ok()?;
        let moves = game["moves"].as_array()?;
        if moves.is_empty() && game["comment"].as_str().is_some_and(|comment| comment.starts_with("Set-up position")) {
            return None;
        }
        let sans = moves.iter().filter_map(|played| played.as_str()?.split(' ').next());
        let result = match game["result"].as_str() {
            Some("WHITEWIN") => GameResult::WhiteWins,
            Some("BLACKWIN") => GameResult::BlackWins,
            Some("DRAW") => GameResult::Draw,
            _ => GameResult::Open,
        };
        Some(Self::new(sans, Some(result)))
    }

    /// A document with one game, as its path says what it is.
    pub fn of_document(path: &str, bytes: &[u8]) -> Option<(Place, Self)> {
        let place = Place::of_path(path)?;
        let told = if path.ends_with(".pgn") { Self::of_pgn(bytes)?.1 } else { Self::of_cloud(bytes)? };
        Some((place, told))
    }

    /// How many plies the main line has.
    pub const fn plies(&self) -> usize {
        self.plies
    }

    /// The result; `None`: this outlet tells none.
    pub const fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// Nothing was played and nothing is decided.
    pub fn is_empty(&self) -> bool {
        self.plies == 0 && self.result.is_none_or(|result| result == GameResult::Open)
    }

    /// Where it is not what `record` says; `None`: nowhere.
    pub fn differs(&self, record: &Self) -> Option<Words> {
        if self.line != record.line {
            let same = self.sans().zip(record.sans()).take_while(|(told, right)| told == right).count();
            return Some(match (self.sans().nth(same), record.sans().nth(same)) {
                (Some(told), Some(right)) => Words::new(
                    format!("ply {} is {told} instead of {right}", same + 1),
                    format!("полуход {}: {told} вместо {right}", same + 1),
                ),
                (told, _) => {
                    let (plies, right) = (self.plies, record.plies);
                    let newer = told.is_none();
                    Words::new(
                        format!("{plies} plies {} {right}", if newer { "of" } else { "instead of" }),
                        format!("полуходов: {plies} {} {right}", if newer { "из" } else { "вместо" }),
                    )
                }
            });
        }
        let (told, right) = (self.result?, record.result?);
        (told != right).then(|| {
            let (told, right) = (told.as_str(), right.as_str());
            Words::new(format!("result {told} instead of {right}"), format!("результат {told} вместо {right}"))
        })
    }

    fn sans(&self) -> impl Iterator<Item = &str> {
        self.line.split(' ').filter(|san| !san.is_empty())
    }

    fn push(&mut self, san: &str) {
        if self.plies > 0 {
            self.line.push(' ');
        }
        self.line.push_str(san);
        self.plies += 1;
    }
}

struct Collector;

impl Visitor for Collector {
    type Tags = (Option<Place>, Told);
    type Movetext = (Option<Place>, Told);
    type Output = (Option<Place>, Told);

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue((None, Told { result: Some(GameResult::Open), ..Told::default() }))
    }

    fn tag(&mut self, (place, told): &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        match name {
            b"Round" => *place = Place::of_tag(value.decode_utf8_lossy().trim()),
            b"Result" => {
                let all = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];
                told.result = Some(all.into_iter().find(|r| r.as_str().as_bytes() == value.as_bytes()).unwrap_or(GameResult::Open));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(tags)
    }

    fn san(&mut self, (_, told): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        told.push(&san.to_string());
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, text: Self::Movetext) -> Self::Output {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PGN: &str =
        "[Round \"2.7\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 0:10:00]} e5 (1... c5 2. Nf3) 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
    const CLOUD: &str =
        r#"{"live":false,"result":"WHITEWIN","comment":null,"moves":["e4 600+0","e5 +3","Qh5","Nc6","Bc4","Nf6","Qxf7# 580+2"]}"#;

    #[test]
    fn one_game_in_both_shapes_is_the_same_main_line() {
        let (place, pgn) = Told::of_pgn(PGN.as_bytes()).unwrap();
        let cloud = Told::of_cloud(CLOUD.as_bytes()).unwrap();
        assert_eq!((place, &pgn, pgn.plies()), (Some(Place { round: 2, pairing: 7 }), &cloud, 7));
        assert_eq!(pgn.differs(&cloud), None);
    }

    #[test]
    fn where_they_differ_is_said() {
        let told = |line: &str, result| Told::new(line.split(' '), result);
        let (open, won) = (Some(GameResult::Open), Some(GameResult::WhiteWins));
        let record = told("e4 e5 Nf3", won);
        for (sent, said) in [
            (told("e4 e5 Nf3", won), None),
            (told("e4 e5 Nf3", None), None),
            (told("e4 e5 Nf3", open), Some("result * instead of 1-0")),
            (told("e4 e5", open), Some("2 plies of 3")),
            (told("e4 e5 Nf3 Nc6", open), Some("4 plies instead of 3")),
            (told("e4 c5 Nf3", won), Some("ply 2 is c5 instead of e5")),
        ] {
            assert_eq!(sent.differs(&record).map(|words| words.en).as_deref(), said);
        }
        assert!(Told::default().is_empty() && !record.is_empty());
    }

    #[test]
    fn what_readers_cannot_replay_says_nothing() {
        let set = r#"{"result":null,"comment":"Set-up position 8/8: e4","moves":[]}"#;
        assert_eq!(Told::of_cloud(set.as_bytes()), None);
        assert_eq!(Told::of_document("pgn/round-2/games.pgn", PGN.as_bytes()), None);
        assert!(Told::of_document("pgn/round-2/game-7.pgn", PGN.as_bytes()).is_some());
    }
}
