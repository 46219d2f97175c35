//! Whose game it is: event, round and players, as the event's state beside the journals has them.
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The event's state, in the folder of the journals; whoever keeps the rounds writes it.
const FILE: &str = "event.json";

/// Whose game it is, as far as that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The event's name.
    pub event: Option<String>,
    /// Where it is played.
    pub place: Option<String>,
    /// Which round.
    pub round: Option<u32>,
    /// White, with title: `GM Adams, Mary`.
    pub white: Option<String>,
    /// Black.
    pub black: Option<String>,
}

/// Rounds and who sat where.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Seating {
    name: String,
    place: String,
    current: u32,
    rounds: BTreeMap<u32, Round>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Round {
    seats: Vec<Seat>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Seat {
    board: Option<String>,
    white: Option<Player>,
    black: Option<Player>,
    games: Vec<Game>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Player {
    fname: Option<String>,
    mname: Option<String>,
    lname: Option<String>,
    title: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Game {
    game: Option<u32>,
}

impl Seating {
    /// What stands in the folder of the journals; nothing where nothing does, or it cannot be read: a report is made all the same.
    pub fn of(data_dir: &Path) -> Self {
        #[derive(Deserialize)]
        struct Stored {
            event: Seating,
        }
        let text = crate::store::read_small(&data_dir.join(FILE)).unwrap_or_default();
        serde_json::from_slice::<Stored>(&text).map(|stored| stored.event).unwrap_or_default()
    }

    /// The same, of the folder that a journal is in; nothing where it was copied elsewhere.
    pub fn beside(journal: &Path) -> Self {
        let full = std::fs::canonicalize(journal).unwrap_or_default();
        full.ancestors().nth(3).map(Self::of).unwrap_or_default()
    }

    /// Whose game it is. A game that no round has is of the round that is played.
    pub fn game(&self, board: &str, game: Option<u32>) -> About {
        let known = |text: &str| (!text.is_empty()).then(|| String::from(text));
        let seats = || {
            let all = self.rounds.iter().flat_map(|(round, of)| of.seats.iter().map(|seat| (*round, seat)));
            all.filter(|(_, seat)| seat.board.as_deref() == Some(board))
        };
        let played = game.and_then(|number| seats().find(|(_, seat)| seat.games.iter().any(|game| game.game == Some(number))));
        let found = played.or_else(|| seats().find(|(round, _)| *round == self.current));
        About {
            event: known(&self.name),
            place: known(&self.place),
            round: found.map(|(round, _)| round),
            white: found.and_then(|(_, seat)| seat.white.as_ref()?.named()),
            black: found.and_then(|(_, seat)| seat.black.as_ref()?.named()),
        }
    }
}

impl Player {
    fn named(&self) -> Option<String> {
        let given: Vec<&str> = [&self.fname, &self.mname].into_iter().flatten().map(String::as_str).collect();
        let name = match (&self.lname, given.is_empty()) {
            (Some(last), true) => last.clone(),
            (Some(last), false) => format!("{last}, {}", given.join(" ")),
            (None, _) => given.join(" "),
        };
        let title = self.title.as_deref().map(|title| format!("{title} ")).unwrap_or_default();
        (!name.is_empty()).then(|| format!("{title}{name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_found_with_its_round_and_its_players() {
        let folder = tempfile::tempdir().unwrap();
        let seat = |name: &str, game: u32| serde_json::json!({"label": "1", "board": "7", "white": {"lname": name, "fname": "Mary", "title": "GM"}, "black": null, "games": [{"board": "7", "game": game}]});
        let text = serde_json::json!({"version": 1, "event": {"name": "Open", "place": "", "current": 2, "left": {},
            "rounds": {"1": {"seats": [seat("Adams", 1)]}, "2": {"seats": [seat("Baker", 2)]}}}});
        std::fs::write(folder.path().join(FILE), text.to_string()).unwrap();
        let journal = crate::store::folder(folder.path(), "7").join("2026-11-21.journal");
        std::fs::create_dir_all(journal.parent().unwrap()).unwrap();
        std::fs::write(&journal, "").unwrap();
        let seating = Seating::beside(&journal);
        let about = |game| seating.game("7", game);
        assert_eq!((about(Some(1)).round, about(Some(1)).white), (Some(1), Some(String::from("GM Adams, Mary"))));
        assert_eq!((about(Some(3)).round, about(None).white), (Some(2), Some(String::from("GM Baker, Mary"))));
        assert_eq!((about(None).event, about(None).place, about(None).black), (Some(String::from("Open")), None, None));
        assert_eq!(seating.game("8", Some(1)), About { event: Some(String::from("Open")), ..About::default() });
        assert_eq!(Seating::of(Path::new("/nowhere")).game("7", None), About::default());
    }
}
