//! What is believed of the clock's sides.
use crate::clock::sides::Side;
use crate::settings::ClockWhite;

/// What is believed of the sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributed {
    /// What was taken for White's side when that was asked last.
    pub(crate) of: Side,
    /// That can be told.
    pub(crate) known: bool,
    /// Which side ran first in this game, nothing having been played.
    pub(crate) ran_first: Option<Side>,
    /// Which side was pressed first, White alone having moved.
    pub(crate) pressed_first: Option<Side>,
    /// White's side of a clock that stands as usual, as the board stands.
    pub(crate) usual: Side,
    /// Whether it stood as usual in the game before.
    pub(crate) before: Option<bool>,
}

impl Attributed {
    pub(crate) const fn new(white: Side, setting: ClockWhite) -> Self {
        let known = matches!(setting, ClockWhite::Left | ClockWhite::Right);
        Self { of: white, known, ran_first: None, pressed_first: None, usual: Side::Left, before: None }
    }
}
