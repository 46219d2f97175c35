//! Habits counted on the labelled games of even seeds, at all four paces; `src/hands/habits.toml` is written.
use crate::case::white;
use crate::parallel::parallel;
use crate::rows::game_for;
use crate::sensed::{Said, Sensed};
use flagfall_events::Colour;
use flagfall_hands::Eyes;
use flagfall_hands::count::{self, Count};
use flagfall_simulator::games::PgnGame;
use flagfall_simulator::people::Tempo;
use flagfall_simulator::stream::{Options, stream};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position as _};
use std::path::Path;

const TEMPI: [Tempo; 4] = [Tempo::Classical, Tempo::Rapid, Tempo::Blitz, Tempo::Scramble];

/// One pass of the scanner over classic Bluetooth.
const SLOW_MS: u64 = 440;

/// Counts so many games of each pace.
pub(crate) fn write(games: &[PgnGame], each: u64) {
    let (mut count, mut slow) = (Count::default(), Count::default());
    for tempo in TEMPI {
        parallel(each, |n| one(&Options::people(tempo, 2 * n), games)).into_iter().for_each(|game| count.join(game));
        let slowly = |n| Options { scan_ms: Some(SLOW_MS), ..Options::people(tempo, 2 * n) };
        parallel(each, |n| one(&slowly(n), games)).into_iter().for_each(|game| slow.join(game));
    }
    let about = format!(
        "# What hands do, counted: cargo bench --bench hands -- --fit --games {each}\n\
         # {each} games of many people at each of four paces, on usual and on slow boards, seeds 0 to {} (even); {} of them could not be laid over their record.\n\
         # `n` is how often a thing was seen, `nats` the negative logarithm of its share (at most 6), `lasts` what it costs that it lasts:\n\
         # [milliseconds, nats]. The script build.rs makes constants of it.",
        2 * (each - 1),
        count.lost
    );
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/hands/habits.toml");
    std::fs::write(&file, count.table(&slow, &about)).expect("the table is written");
    println!("{}: {} plies", file.display(), count.plies);
}

fn one(options: &Options, games: &[PgnGame]) -> Count {
    let stream = stream(game_for(games, options.seed), options);
    let white = white(options);
    let chunks = stream.chunks().map(|(t, bytes)| (t.millis(), bytes));
    let said = Sensed::of(chunks, Eyes::Pieces).said.into_iter().flat_map(|(at, said)| {
        let sensed: Vec<count::Sensed> = match said {
            Said::Square(square, piece) => vec![count::Sensed::Square(square, piece as u8)],
            Said::Dump(pieces) => (0..64).zip(pieces).map(|(square, piece)| count::Sensed::Square(square, piece as u8)).collect(),
            Said::Press(side) => vec![count::Sensed::Press(if Some(side) == white { Colour::White } else { Colour::Black })],
            Said::Lost => Vec::new(),
        };
        sensed.into_iter().map(move |one| (at, one))
    });
    let mut position = Chess::default();
    let moves = stream.truth.uci().into_iter().map_while(|uci| {
        let mv = uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        position.play_unchecked(mv);
        Some(mv)
    });
    let moves: Vec<Move> = moves.collect();
    let mut count = Count::default();
    count.add(Eyes::Pieces, &Chess::default(), &said.collect::<Vec<_>>(), &moves);
    count
}
