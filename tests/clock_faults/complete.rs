//! Every ply on a board with a clock has its times, and they agree: what the public's PGN holds, by the checker that `flagfall pgn check` runs.
//!
//! `FLAGFALL_BOARDS` says how many boards a row has; 64 are the hall that docs/broadcast.md tells of.
use super::measure::games;
use crate::rig::{Jack, Rig};
use flagfall_events::{ClockPair, Colour, Event, Mono, Touches};
use flagfall_feeds::pgn;
use flagfall_feeds::pgn::check::{self, Checked};
use flagfall_score::board::BoardState;
use flagfall_score::public::PublicView;
use flagfall_simulator::clock::PeriodChange;
use flagfall_simulator::people::Tempo;
use flagfall_simulator::script::PlyTruth;
use flagfall_simulator::stream::Options;

/// Boards a row, where nobody says how many.
const BOARDS: u64 = 6;

/// What the public knows of the board in the end.
fn public(events: &[Event]) -> BoardState {
    let (mut view, mut state) = (PublicView::new(Touches::Public, 0), BoardState::new("1".into()));
    for event in events {
        for public in view.take(event) {
            state.apply(&public);
        }
    }
    state
}

fn checked(state: &BoardState) -> Checked {
    let text = pgn::pgn(state, &[]);
    let mut all: Vec<Checked> = check::games(text.as_bytes(), 1).map(|game| game.expect("our own PGN can be read")).collect();
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0)
}

/// What the games of a row come to.
#[derive(Debug, Default)]
struct Sum {
    plies: usize,
    missing: usize,
    estimated: usize,
    corrected: usize,
    wrong: Vec<String>,
    /// Estimates that are further from the truth than they say, and those whose truth is known.
    beyond: usize,
    known: usize,
}

/// Games of many people at this pace.
fn row(tempo: Tempo, change: impl Fn(u64, &mut Options), jack: impl Fn(u64) -> Jack) -> Sum {
    let boards = std::env::var("FLAGFALL_BOARDS").ok().and_then(|text| text.parse().ok()).unwrap_or(BOARDS);
    let (games, mut sum) = (games(), Sum::default());
    for seed in (0..boards).map(|n| 2 * n + 1) {
        let mut options = Options::people(tempo, seed);
        change(seed, &mut options);
        let mut rig = Rig::of(&games[seed as usize * 7 % games.len()], &options);
        rig.jack = jack(seed);
        let state = public(rig.run());
        let checked = checked(&state);
        sum.plies += checked.plies;
        sum.missing += checked.without_clk.len() + checked.without_emt.len();
        sum.estimated += checked.estimated;
        sum.corrected += checked.corrected;
        sum.wrong.extend(checked.contradictions.iter().map(|wrong| format!("seed {seed}: {wrong}")));
        let truth = &rig.device.games()[0].plies;
        for m in state.moves() {
            let Some((within, (told, true_ms))) = m.clock_within_ms.zip(m.clock.zip(truth_of(truth, m.ply, &m.uci))) else { continue };
            let of = |pair: ClockPair| if m.by == Colour::White { pair.white_ms } else { pair.black_ms };
            sum.known += 1;
            sum.beyond += usize::from(of(told).abs_diff(of(true_ms)) > within + 1000);
        }
    }
    println!(
        "{tempo:?}: {} plies, {} times missing, {} estimated, {} corrected, {} contradictions, {} of {} estimates beyond their bound",
        sum.plies,
        sum.missing,
        sum.estimated,
        sum.corrected,
        sum.wrong.len(),
        sum.beyond,
        sum.known
    );
    sum
}

/// What the clock really showed after this ply.
fn truth_of(truth: &[PlyTruth], ply: u32, uci: &str) -> Option<ClockPair> {
    truth.iter().find(|played| played.ply == ply && played.uci == uci)?.clock
}

#[test]
fn quick_hands_miss_nothing_and_no_times_contradict_each_other() {
    for tempo in [Tempo::Blitz, Tempo::Scramble] {
        let sum = row(tempo, |_, _| (), |_| Jack::Whole);
        assert_eq!((sum.missing, sum.wrong.as_slice()), (0, [].as_slice()), "{tempo:?}");
        assert!(sum.plies > 200 && sum.estimated * 100 < sum.plies, "{sum:?}");
    }
}

#[test]
fn periods_delays_and_bonuses_agree_too() {
    let controls = ["20/300+2:180+2", "20/180:120", "300+d3", "300+b3", "5400+30", "10/120+1:60+5"];
    let change = |seed: u64, options: &mut Options| {
        options.control = Some(controls[seed as usize / 2 % controls.len()].parse().expect("a time control"));
        options.period_change = if seed % 4 == 1 { PeriodChange::AtZero } else { PeriodChange::AtMove };
    };
    let sum = row(Tempo::Blitz, change, |_| Jack::Whole);
    assert_eq!((sum.missing, sum.wrong.as_slice()), (0, [].as_slice()));
}

/// Three reports in ten never come: what a press was told of too late, or not at all, is an estimate, and says so.
#[test]
fn where_reports_are_lost_times_are_estimates_and_none_is_missing() {
    let sum = row(Tempo::Blitz, |_, _| (), |_| Jack::Loses(30));
    assert_eq!(sum.missing, 0);
    assert!(sum.estimated * 50 > sum.plies, "{sum:?}");
    assert!(sum.wrong.len() * 200 <= sum.plies, "{:?}", sum.wrong);
    assert!(sum.known > 10 && sum.beyond * 20 <= sum.known, "{sum:?}");
}

/// For forty seconds there is no clock; the next one shows seven seconds more for one player and five less for the other.
#[test]
fn a_clock_that_is_replaced_leaves_estimates_and_a_correction_but_no_hole() {
    let jack = |seed: u64| Jack::Replaced(Mono::from_millis(60_000 + 1_000 * seed), Mono::from_millis(100_000 + 1_000 * seed), [7, -5]);
    let sum = row(Tempo::Blitz, |_, _| (), jack);
    assert_eq!(sum.missing, 0);
    assert!(sum.estimated > 0, "{sum:?}");
    assert!(sum.wrong.len() * 200 <= sum.plies, "{:?}", sum.wrong);
}
