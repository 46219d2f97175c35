//! Time controls as periods.
pub use flagfall_events::{BonusKind, Period, TimeControl, TimeControlError};
