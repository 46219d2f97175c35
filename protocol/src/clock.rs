//! Clock reports (8D), acknowledgements, and clock commands (2B).

/// One 8D message, told apart in the order of the reference, section 3.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClockReport {
    /// Seven zero bytes: nothing; Bluetooth boards send it around clock commands.
    Null,
    /// An acknowledgement or a spontaneous event of the clock.
    Ack(Ack),
    /// D5 of b9: no clock on the jack; the reading is invalid.
    NoClock,
    /// Times, flags and lever.
    Time(ClockTimes),
}

/// A valid time message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockTimes {
    /// Right side of the clock seen from its front: b3–b5.
    pub right: SideTime,
    /// Left side of the clock: b6–b8.
    pub left: SideTime,
    /// b9 D0: a side is running.
    pub running: bool,
    /// b9 D1.
    pub lever: Lever,
    /// b9 D2.
    pub battery_low: bool,
    /// b9 D3 and D4, as they came: disputed turn bits, for the record only.
    pub turn_bits: u8,
}

/// One side's display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SideTime {
    /// 0..=9
    pub hours: u8,
    /// 0..=59
    pub minutes: u8,
    /// 0..=59
    pub seconds: u8,
    /// D4: flag fallen, clock blocked at zero.
    pub flag_blocked: bool,
    /// D5: "time per move" indicator (Fischer, Bronstein, delay).
    pub per_move: bool,
    /// D6: flag fallen and shown; the clock may still run (next period).
    pub flag_shown: bool,
}

impl SideTime {
    /// Seconds on the display, 0..=35,999.
    pub const fn total_seconds(&self) -> u32 {
        self.hours as u32 * 3600 + self.minutes as u32 * 60 + self.seconds as u32
    }
}

/// The lever. The high side belongs to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lever {
    /// D1 = 0, `\`: the left player's time runs.
    LeftHigh,
    /// D1 = 1, `/`: the right player's time runs.
    RightHigh,
}

/// The four values of an acknowledgement, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ack {
    /// 10 good, 40 refused; others are errors.
    pub ack0: u8,
    /// The command answered, or with D7 set a spontaneous event.
    pub ack1: u8,
    /// Depends on `ack1`: version, button mask.
    pub ack2: u8,
    /// Depends on `ack1`: button.
    pub ack3: u8,
}
