//! The hands of many people: in every game two players who were never seen before, at a board of its own.
//!
//! The three kinds of [`crate::pace`] are one person each; here every player of every game draws his own habits from wide ranges ([`crate::person::Person`]), at one
//! of four paces, and every board its scan and the delay of its clock's reports ([`Board`]). What was drawn, and what hands then did and when, is
//! told beside the stream, so that habits can be counted and moves compared:
//!
//! ```
//! use flagfall_simulator::{games::bundled, people::Tempo, stream::{ClockSide, Options, stream}};
//! let game = &bundled()[0];
//! let options = Options { clock_white: ClockSide::Turned, ..Options::people(Tempo::Blitz, 8) };
//! let played = stream(game, &options);
//! for (mono, bytes) in played.chunks() { /* to the game, with played.settings */ }
//! for ply in &played.truth.plies {
//!     let how = ply.how.as_ref().expect("these hands tell how");
//!     assert!(how.lifted <= how.dropped && ply.press.is_none_or(|press| how.dropped <= press));
//! }
//! let [white, black] = played.truth.people.as_deref().expect("and who they were");
//! let _ = (white.slides, black.hand, &played.truth.deeds, options.board(), options.side(), options.turned);
//! ```
//!
//! Where the reader has to answer (a damaged line wants new dumps), the same game is played on a device: [`crate::stream::Options::device`], whose
//! [`crate::device::Device::games`] then hold the truth, as filled in while it plays. How games end, and rows of them:
//! `Options { habits: Habits::MANY, show_result: true, ..Options::people(tempo, seed) }` with [`crate::stream::stream_of`].
//!
//! A Bluetooth LE board takes the same hands: [`crate::pegasus::Pegasus::new`] with [`crate::stream::Options::script`]. Games are those of
//! [`crate::games::bundled`], or of any collection with [`crate::games::read_games`].
//!
//! The same pace, options, seed and game always give the same bytes. **Even seeds are for fitting, odd ones for tests**; of games in a row each has
//! the parity of the first.
use super::scanner::ScanOrder;
use flagfall_events::{Play, TimeControl};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// How much time the players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Tempo {
    /// Ninety minutes and half a minute a move
    Classical,
    /// A quarter of an hour and ten seconds a move
    Rapid,
    /// Three minutes and two seconds a move
    Blitz,
    /// The last minute, two seconds a move
    Scramble,
}

/// What a pace does to everybody's hands, milliseconds; a player's own times lie around these, [`SPREAD`] times as fast or slow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usual {
    /// A move, from the opponent's press to the own one: at 0, 10, 25, 50, 75, 90, 99 and 100 % of all moves.
    pub(crate) moves: [u64; 8],
    /// With less than this left nobody adjusts, rests or waits.
    pub(crate) hurry: i64,
    /// Pieces that stand badly read empty so many times a minute.
    pub(crate) loose: [f64; 2],
    /// A piece through the air.
    pub(crate) carry: u64,
    /// From one piece to the next.
    pub(crate) reach: u64,
    /// From the last piece down to the press.
    pub(crate) press: u64,
    /// A piece fetched from beside the board.
    pub(crate) fetch: u64,
    /// A rest: on a slide's way, on another square first, of a rook that comes late.
    pub(crate) rest: (u64, u64),
    /// A piece held in the air.
    pub(crate) hold: (u64, u64),
    /// Until what was knocked over, parked or pushed aside is where it belongs.
    pub(crate) tidy: (u64, u64),
    /// A late press, after the move.
    pub(crate) late: (u64, u64),
    /// The most that a player's odds of each of these may be, a move: a rest of a slide, a piece held, another square first, a piece adjusted.
    pub(crate) rests: f64,
    pub(crate) holds: f64,
    pub(crate) revises: f64,
    pub(crate) adjusts: f64,
    /// A piece knocked over, an answer at once, one before the press, a late press.
    pub(crate) knocks: f64,
    pub(crate) at_once: f64,
    pub(crate) before_press: f64,
    pub(crate) late_presses: f64,
}

/// Half a decade each way: think and hand times are spread evenly by their ratio over a decade.
pub(crate) const SPREAD: f64 = 3.162_277_660_168_379_5;

impl Tempo {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Classical, Self::Rapid, Self::Blitz, Self::Scramble];

    /// As the command line writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Classical => "classical",
            Self::Rapid => "rapid",
            Self::Blitz => "blitz",
            Self::Scramble => "scramble",
        }
    }

    /// What the clock is set to.
    pub fn control(self) -> TimeControl {
        let text = match self {
            Self::Classical => "5400+30",
            Self::Rapid => "900+10",
            Self::Blitz => "180+2",
            Self::Scramble => "60+2",
        };
        text.parse().expect("a literal time control is well formed")
    }

    /// Under which rules.
    pub const fn play(self) -> Play {
        match self {
            Self::Classical => Play::Standard,
            Self::Rapid => Play::Rapid,
            Self::Blitz | Self::Scramble => Play::Blitz,
        }
    }

    /// Move times are those of real games at 90+30, 15+10 and 3+2 (World Cup 2025); nobody has measured a scramble, nor any of the other figures.
    pub(crate) const fn usual(self) -> Usual {
        match self {
            Self::Classical => Usual {
                moves: [2_000, 5_000, 12_000, 53_000, 178_000, 395_000, 1_115_000, 1_800_000],
                hurry: 60_000,
                loose: [0.02, 0.5],
                carry: 420,
                reach: 300,
                press: 260,
                fetch: 1_300,
                rest: (200, 5_000),
                hold: (500, 8_000),
                tidy: (400, 10_000),
                late: (1_000, 15_000),
                rests: 0.3,
                holds: 0.12,
                revises: 0.04,
                adjusts: 0.1,
                knocks: 0.008,
                at_once: 0.06,
                before_press: 0.01,
                late_presses: 0.06,
            },
            Self::Rapid => Usual {
                moves: [400, 1_000, 2_000, 9_000, 29_000, 68_000, 231_000, 380_000],
                hurry: 40_000,
                loose: [0.05, 1.0],
                carry: 380,
                reach: 270,
                press: 220,
                fetch: 1_100,
                rest: (150, 3_500),
                hold: (300, 5_000),
                tidy: (300, 6_000),
                late: (800, 8_000),
                rests: 0.3,
                holds: 0.1,
                revises: 0.03,
                adjusts: 0.08,
                knocks: 0.01,
                at_once: 0.12,
                before_press: 0.03,
                late_presses: 0.05,
            },
            Self::Blitz => Usual {
                moves: [250, 500, 1_100, 3_000, 8_000, 19_000, 68_000, 110_000],
                hurry: 12_000,
                loose: [0.1, 2.0],
                carry: 220,
                reach: 150,
                press: 120,
                fetch: 600,
                rest: (80, 1_500),
                hold: (150, 1_500),
                tidy: (200, 3_000),
                late: (500, 3_000),
                rests: 0.2,
                holds: 0.05,
                revises: 0.02,
                adjusts: 0.04,
                knocks: 0.015,
                at_once: 0.25,
                before_press: 0.12,
                late_presses: 0.03,
            },
            Self::Scramble => Usual {
                moves: [250, 400, 600, 1_000, 1_700, 2_800, 6_000, 9_000],
                hurry: 8_000,
                loose: [0.3, 6.0],
                carry: 150,
                reach: 100,
                press: 80,
                fetch: 450,
                rest: (60, 600),
                hold: (80, 500),
                tidy: (150, 2_000),
                late: (250, 900),
                rests: 0.15,
                holds: 0.02,
                revises: 0.01,
                adjusts: 0.01,
                knocks: 0.03,
                at_once: 0.4,
                before_press: 0.3,
                late_presses: 0.02,
            },
        }
    }
}

/// A board and its clock as they were drawn for one game, or one row of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Board {
    /// Milliseconds of one scan: 190 to 260.
    pub scan_ms: u64,
    /// In which order the fields are read.
    pub order: ScanOrder,
    /// How late the board hears of its clock.
    pub clock: ClockDelay,
}

/// From a change on the clock to the board's report of it. Reports never overtake one another, and none is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockDelay {
    /// Milliseconds, 5 to 220; each report takes up to a fifth more or less.
    pub usual_ms: u64,
    /// Share of the reports that take [`ClockDelay::LATE_MS`] instead, up to 0.02.
    pub late: f64,
}

impl ClockDelay {
    /// What a report takes now and then.
    pub const LATE_MS: u64 = 700;
    /// The quickest and the slowest of the others.
    pub const RANGE: (u64, u64) = (5, 220);

    /// What the next report takes.
    pub(crate) fn draw(&self, rng: &mut ChaCha8Rng) -> u64 {
        if self.late > 0.0 && rng.random_bool(self.late) {
            return Self::LATE_MS;
        }
        let some = self.usual_ms / 5;
        rng.random_range(self.usual_ms - some..=self.usual_ms + some).clamp(Self::RANGE.0, Self::RANGE.1)
    }
}

impl Board {
    /// The board with this number.
    pub fn draw(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xB0A2_D000);
        let scan_ms = rng.random_range(190..=260);
        let order = ScanOrder::ALL[rng.random_range(0..ScanOrder::ALL.len())];
        let usual_ms = rng.random_range(ClockDelay::RANGE.0..=ClockDelay::RANGE.1);
        let late = 0.02 * rng.random::<f64>().powi(2);
        Self { scan_ms, order, clock: ClockDelay { usual_ms, late } }
    }
}
