//! The rows of the table: whose hands, on which board.
use crate::case::Case;
use flagfall_simulator::games::{PgnGame, bundled, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::people::Tempo;
use flagfall_simulator::stream::{ClockSide, Options};
use std::path::{Path, PathBuf};

/// One row of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    hands: Hands,
    change: fn(&mut Options),
}

/// Whose hands.
#[derive(Clone, Copy)]
enum Hands {
    /// Two of many people at this pace.
    People(Tempo),
    /// One of the three old kinds; read if `--old` or their name is given.
    Old(Kind),
}

use Hands::{Old, People};

pub(crate) const ROWS: [Row; 12] = [
    Row { name: "classical", hands: People(Tempo::Classical), change: |_| {} },
    Row { name: "rapid", hands: People(Tempo::Rapid), change: |_| {} },
    Row { name: "blitz", hands: People(Tempo::Blitz), change: |_| {} },
    Row { name: "scramble", hands: People(Tempo::Scramble), change: |_| {} },
    Row { name: "blitz, no clock", hands: People(Tempo::Blitz), change: |o| o.clock_white = ClockSide::None },
    // In a stream that was made beforehand nobody asks for what was lost: the host asks for the whole image every second.
    Row { name: "blitz, 1 % damage", hands: People(Tempo::Blitz), change: |o| (o.damage, o.verify_ms) = (0.01, Some(1_000)) },
    Row { name: "blitz, scan 440", hands: People(Tempo::Blitz), change: |o| o.scan_ms = Some(440) },
    Row { name: "rapid, clock turned round", hands: People(Tempo::Rapid), change: |o| o.clock_white = ClockSide::Turned },
    Row { name: "rapid, occupancy only", hands: People(Tempo::Rapid), change: |o| o.occupancy = true },
    Row { name: "old clean", hands: Old(Kind::Clean), change: |_| {} },
    Row { name: "old human", hands: Old(Kind::Human), change: |_| {} },
    Row { name: "old blitz", hands: Old(Kind::Blitz), change: |_| {} },
];

impl Row {
    /// Whether it is read: if named, else unless it is an old one that nobody asked for.
    pub(crate) fn is_asked(&self, names: &[&str], old: bool) -> bool {
        if names.is_empty() { old || self.is_people() } else { names.contains(&self.name) }
    }

    /// A board on a wire that tells which piece stands where: the sensors of most halls.
    pub(crate) fn is_usual_board(&self) -> bool {
        let options = self.options(1);
        !options.occupancy && options.scan_ms.is_none()
    }

    fn options(&self, seed: u64) -> Options {
        let mut options = match self.hands {
            People(tempo) => Options::people(tempo, seed),
            Old(kind) => Options::new(kind, seed),
        };
        (self.change)(&mut options);
        options
    }

    /// The game with this seed.
    pub(crate) fn case(&self, games: &[PgnGame], seed: u64) -> Case {
        Case::simulated(game_for(games, seed), &self.options(seed))
    }

    /// Whether many people play, whose habits the estimator knows.
    pub(crate) const fn is_people(&self) -> bool {
        matches!(self.hands, People(_))
    }
}

/// Every seed has its game: spread over the collection.
pub(crate) fn game_for(games: &[PgnGame], seed: u64) -> &PgnGame {
    &games[usize::try_from(seed.wrapping_mul(7_919)).unwrap_or(0) % games.len()]
}

/// The games that are played: from `../shared/games` where it is, else those that are bundled.
pub(crate) fn collection() -> Vec<PgnGame> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/games/otb-gnuchess-book.pgn");
    let games = std::fs::read(&file).ok().and_then(|text| read_games(&text).ok()).unwrap_or_else(|| {
        println!("skipped: ../shared/games is not there; the bundled games are played");
        bundled()
    });
    games.into_iter().filter(|game| game.mode.is_standard() && game.start_fen().is_none() && !game.moves.is_empty()).collect()
}

/// The captures (*.cap) of a folder, in the order of their names.
pub(crate) fn captures(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("a folder of captures").flatten().map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "cap"));
    files.sort();
    files
}
