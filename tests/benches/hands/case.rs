//! One game to be read: what went over the wire, and what was really played.
use crate::observer::Ply;
use crate::scan::period;
use crate::sensed::Sensed;
use flagfall_capture::{Capture, CaptureLine};
use flagfall_events::{BoardKind, Key, Mono};
use flagfall_game::settings::Settings;
use flagfall_hands::{Eyes, Press};
use flagfall_simulator::clock::Side;
use flagfall_simulator::deeds::What;
use flagfall_simulator::games::PgnGame;
use flagfall_simulator::stream::{Options, stream};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position as _};
use std::path::Path;

/// What was knocked over may be told so long after it stood again, milliseconds.
const TOLD_AFTER: u64 = 3_000;

/// One game to be read.
pub(crate) struct Case {
    /// `seed 67`, or a capture's file.
    pub(crate) name: String,
    /// Both directions, entries and the link's state, in the order of time.
    pub(crate) lines: Vec<(Mono, CaptureLine)>,
    pub(crate) settings: Settings,
    /// The moves in UCI, up to a position in which the game is over.
    pub(crate) truth: Vec<String>,
    /// The same with their times, where these are known.
    pub(crate) plies: Vec<Ply>,
    /// Of a capture as far as it tells.
    pub(crate) stands: Option<Stands>,
    /// What only the maker of a stream knows.
    made: Option<Made>,
}

/// How the board stands, and how fast it is.
pub(crate) struct Stands {
    /// White sits at the board's other side.
    pub(crate) turned: bool,
    /// White's side of the clock, where there is one and that is known.
    pub(crate) white: Option<Press>,
    /// From when on the start position stood, milliseconds.
    pub(crate) began: u64,
    /// One pass of the scanner.
    pub(crate) scan_ms: u64,
}

/// What only the maker of a stream knows, milliseconds.
struct Made {
    /// When the last ply stood.
    over: u64,
    /// Pieces lay knocked over from one moment to the other.
    knocked: Vec<(u64, u64)>,
}

impl Case {
    /// A game of the simulator.
    pub(crate) fn simulated(game: &PgnGame, options: &Options) -> Self {
        let stream = stream(game, options);
        let truth = stream.truth;
        let knocked = truth.deeds.iter().filter(|deed| deed.what == What::Knocked).map(|deed| (deed.at, deed.until + TOLD_AFTER));
        let last = truth.plies.last().map_or(0, |ply| ply.last_down);
        let stands = Stands {
            turned: options.turned,
            white: white(options),
            began: truth.began.min(truth.plies.first().map_or(0, |ply| ply.last_down)),
            scan_ms: options.device(game).scan_ms(),
        };
        let made = Made { over: last, knocked: knocked.collect() };
        let moves = until_over(truth.uci());
        let plies = truth.plies.iter().filter(|ply| ply.legal).take(moves.len());
        Self {
            name: format!("seed {}", options.seed),
            lines: stream.lines,
            settings: stream.settings,
            plies: plies.map(|ply| Ply { uci: ply.uci.clone(), stood: Some(ply.last_down), pressed: ply.press }).collect(),
            truth: moves,
            stands: Some(stands),
            made: Some(made),
        }
    }

    /// A capture (*.cap) with the moves beside it (*.uci).
    pub(crate) fn captured(file: &Path) -> Self {
        let moves = std::fs::read_to_string(file.with_extension("uci")).expect("the moves beside the capture");
        let bytes = std::fs::read(file).expect("a capture");
        let capture = Capture::open(&bytes).expect("a capture");
        let settings = capture.header().settings.clone();
        let lines = capture.map(|line| line.expect("a well-formed line")).collect();
        let truth = until_over(moves.split_whitespace().map(String::from).collect());
        let plies = truth.iter().map(|uci| Ply { uci: uci.clone(), stood: None, pressed: None }).collect();
        let name = file.file_stem().unwrap_or_default().display().to_string();
        let mut case = Self { name, lines, settings, plies, truth, stands: None, made: None };
        let sensed = Sensed::of(case.chunks(), case.eyes());
        case.stands = sensed.began.zip(period(&sensed.said)).map(|(began, scan_ms)| Stands {
            turned: sensed.turned,
            white: None,
            began: began.millis(),
            scan_ms,
        });
        case
    }

    pub(crate) fn eyes(&self) -> Eyes {
        if self.settings.kind == BoardKind::Occupancy { Eyes::Occupancy } else { Eyes::Pieces }
    }

    /// What the board said, read by read.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.lines.iter().filter_map(|(t, line)| match line {
            CaptureLine::FromBoard(bytes) => Some((t.millis(), bytes.as_slice())),
            _ => None,
        })
    }

    /// Whether these are the moves that were played; what comes after them is not asked for.
    pub(crate) fn is_exact(&self, moves: &[String]) -> bool {
        moves.starts_with(&self.truth)
    }

    /// The same, but for the last ply.
    pub(crate) fn is_exact_but_last(&self, moves: &[String]) -> bool {
        moves.starts_with(&self.truth[..self.truth.len().saturating_sub(1)])
    }

    /// This move was not played as this ply (from 1).
    pub(crate) fn is_wrong(&self, ply: u32, uci: &str) -> bool {
        self.truth.get(ply as usize - 1).is_none_or(|played| played != uci)
    }

    /// Whether something that happened calls for this finding, `read` plies having been read. A simulated game ends with a clock that is
    /// stopped; a capture does not tell what comes after its last ply.
    pub(crate) fn calls_for(&self, key: Key, at: Mono, read: usize) -> bool {
        let Some(made) = &self.made else { return read >= self.truth.len() };
        match key {
            Key::ClockStopped => at.millis() >= made.over,
            Key::DisplacedPieces => made.knocked.iter().any(|(from, until)| (*from..=*until).contains(&at.millis())),
            _ => false,
        }
    }
}

/// White's side of the clock, where there is one.
pub(crate) fn white(options: &Options) -> Option<Press> {
    options.side().map(|side| if side == Side::Left { Press::Left } else { Press::Right })
}

/// Some scores go on after a mate, or where nobody can mate any more.
fn until_over(mut moves: Vec<String>) -> Vec<String> {
    let mut position = Chess::default();
    let over = moves.iter().position(|uci| {
        let mv = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok()).expect("a legal move");
        position.play_unchecked(mv);
        position.is_game_over()
    });
    moves.truncate(over.map_or(moves.len(), |last| last + 1));
    moves
}
