//! Which game of the event it is, as tags and paths say it.

/// A game's place in the event, as documents number it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The round, from 1.
    pub round: u32,
    /// The pairing's number in it, from 1.
    pub pairing: u32,
}

impl Place {
    /// Of the tag `Round`: `3.12`.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let (round, pairing) = tag.split_once('.')?;
        Some(Self { round: round.parse().ok()?, pairing: pairing.parse().ok()? })
    }

    /// Of a document's path: `pgn/round-3/game-12.pgn`, `get/…/round-3/game-12.json`.
    pub fn of_path(path: &str) -> Option<Self> {
        let (folder, name) = path.rsplit_once('/')?;
        let round = folder.rsplit('/').next()?.strip_prefix("round-")?.parse().ok()?;
        Some(Self { round, pairing: name.strip_prefix("game-")?.split('.').next()?.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_games_place_is_read_of_tags_and_paths() {
        let place = Some(Place { round: 3, pairing: 12 });
        assert_eq!((Place::of_tag("3.12"), Place::of_tag("3"), Place::of_tag("?")), (place, None, None));
        assert_eq!((Place::of_path("pgn/round-3/game-12.pgn"), Place::of_path("get/u-1/round-3/game-12.json")), (place, place));
        assert!(
            ["pgn/round-3/games.pgn", "pgn/round-3/index.json", "pgn/tournament.json", "game-1.pgn"]
                .iter()
                .all(|p| Place::of_path(p).is_none())
        );
    }
}
