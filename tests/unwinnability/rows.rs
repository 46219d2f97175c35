//! The rows of `../shared/unwinnability`: positions with known answers.
use flagfall_laws::mating::Winner;
use flate2::read::GzDecoder;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup as _, PositionError};
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

/// The files, hardest last.
pub(crate) const FILES: [&str; 7] = [
    "fixture-games.tsv",
    "lichess-sample.tsv.gz",
    "lichess-unfair.tsv.gz",
    "lichess-timeouts-30k.tsv",
    "dead-midgame.tsv",
    "hard-mutations.tsv",
    "compositions.tsv",
];

/// One question with its known answer.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) fen: String,
    pub(crate) winner: Winner,
    pub(crate) winnable: bool,
    pub(crate) cert: String,
}

impl Row {
    /// The position; too much material and impossible checks are waived here, and only here.
    pub(crate) fn position(&self) -> Chess {
        let fen: Fen = self.fen.parse().unwrap_or_else(|e| panic!("{}: {e}", self.fen));
        let setup = fen.into_setup();
        let mode = CastlingMode::detect(&setup);
        Chess::from_setup(setup, mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .unwrap_or_else(|e| panic!("{}: {e}", self.fen))
    }

    /// How many positions the closure of this row has, where that is known.
    pub(crate) fn closed_in(&self) -> Option<u64> {
        let (kind, count) = self.cert.split_once(':')?;
        kind.starts_with("closure").then_some(())?;
        (kind != "closure-found-mate").then(|| count.parse().ok())?
    }
}

/// The folder, if it is there.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/unwinnability"));
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no ../shared/unwinnability");
    None
}

/// The rows of a file of the folder.
pub(crate) fn rows(name: &str) -> Vec<Row> {
    let Some(folder) = folder() else { return Vec::new() };
    let file = File::open(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut text = String::new();
    if name.ends_with(".gz") { GzDecoder::new(file).read_to_string(&mut text) } else { { file }.read_to_string(&mut text) }
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    text.lines().skip(1).map(row).collect()
}

fn row(line: &str) -> Row {
    let fields: Vec<&str> = line.split('\t').collect();
    let winner = match fields[1] {
        "white" => Winner::White,
        "black" => Winner::Black,
        other => panic!("winner {other:?}"),
    };
    let winnable = match fields[2] {
        "winnable" => true,
        "unwinnable" => false,
        other => panic!("answer {other:?}"),
    };
    Row { fen: fields[0].into(), winner, winnable, cert: fields[3].into() }
}
