//! The published words of flagfall, as values and as JSON: what happens on a board ([`Event`]), what arbiters and operators say ([`Entry`]), what is
//! found and proposed ([`Finding`], [`Proposal`]). No chess, no clock, no file: whoever reads the stream may build on it.
//!
//! | file | holds |
//! |---|---|
//! | `event.rs`, `body.rs` | one event of one board; what can happen |
//! | `entry.rs`, `ruling.rs` | what arbiters and operators enter, and its echo |
//! | `undone.rs` | what an undo takes back |
//! | `finding.rs`, `proposal.rs` | irregularities and proposed rulings |
//! | `alarm.rs` | what the operator is called for |
//! | `word.rs` | words of another version |
//! | `key.rs` | what findings are about, how loudly they speak |
//! | `touch.rs`, `claim.rs` | touched pieces, draws that may be claimed |
//! | `colour.rs`, `result.rs`, `clock.rs`, `board.rs`, `square.rs` | players, results, clocks, boards |
//! | `rules.rs`, `time_control.rs` | what is fixed before a game |
//! | `time.rs` | the three kinds of time |
//! | `duration.rs` | lengths of time as people write them |
//!
//! The feature `openapi` describes every type for an interface's documentation.
//! What it derives needs std; nothing else here does.
#![cfg_attr(not(any(test, feature = "openapi")), no_std)]

extern crate alloc;

mod alarm;
mod board;
mod body;
mod claim;
mod clock;
mod colour;
pub mod duration;
mod entry;
mod event;
mod finding;
#[cfg(test)]
mod golden_tests;
mod key;
mod proposal;
mod receipt;
mod result;
mod rules;
mod ruling;
mod square;
mod time;
mod time_control;
mod touch;
mod undone;
mod word;

#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;

pub use alarm::{AlarmKey, AlarmState, PossibleLine, Share};
pub use board::{BoardKind, LinkState, Orientation};
pub use body::{Body, How, PromotionState};
pub use claim::{ClaimRule, DrawClaim};
pub use clock::{ClockPair, ClockSide, ClockSource, ClockState, Flag, Run, SetClock};
pub use colour::Colour;
pub use entry::{Decision, Entry, Order, PromotedTo, TakenResult};
pub use event::Event;
pub use finding::{Facts, Finding, FindingUpdate, Status, Words};
pub use key::{Grade, Key, UnknownKey};
pub use proposal::{Action, Alternative, PressCounter, Proposal};
pub use receipt::{Receipt, ReceiptAfter};
pub use result::{GameResult, REOPENED, ResultSource, UNREAD};
pub use rules::{Play, Rules, Supervision};
pub use ruling::Ruling;
pub use square::{Square, SquareError};
pub use time::{Mono, Shown, Wall};
pub use time_control::{BonusKind, Period, TimeControl, TimeControlError};
pub use touch::{TouchedPiece, Touches};
pub use undone::{UNDO_MS, Undone};
pub use word::{Listed, Word};
