//! The acknowledgement form of 8D, and what acknowledgements mean.
use core::fmt;

/// The low four bits of b3 or b6 in an acknowledgement. No clock shows ten hours, so the value is free.
const MARK: u8 = 0x0A;

/// The four values of an acknowledgement, unpacked.
///
/// Four 8-bit values ride in 7-bit bytes. The low seven bits of each have a byte of their own; the top bits hide in
/// the spare bits of b3 and b6. The trap: the pair in b4 b5 takes its top bits from b6, the pair in b7 b8 from b3.
///
/// | value | low 7 bits | top bit |
/// |---|---|---|
/// | ack0 | b4 | **b6** D4 |
/// | ack1 | b5 | **b6** D5 |
/// | ack2 | b7 | **b3** D4 |
/// | ack3 | b8 | **b3** D5 |
///
/// Example: `8D 00 0A 0A 10 08 2A 05 31 00`. b6 = 2A has D5 set, so ack1 = 08 | 80 = 88: a button; ack3 = 31, `1`: back.
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

/// What an acknowledgement says. D7 of ack1 separates spontaneous events (set) from answers (clear).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AckKind {
    /// The answer to a clock command other than VERSION, or a refused VERSION.
    Answer {
        /// The command byte: 01, 02, 03, 08, 09, 0A, 0B, 0C or 0D.
        command: u8,
        /// What became of it.
        outcome: Outcome,
    },
    /// The answer 09: which clock it is.
    Version {
        /// From the main number.
        model: ClockModel,
        /// ack2 >> 4.
        main: u8,
        /// ack2 & 0F.
        sub: u8,
    },
    /// 81: the clock is ready. Some answer END and the Revelation's text with it.
    Ready,
    /// 88: buttons. No clock is known to send it outside remote mode.
    Buttons(Buttons),
    /// 8A: perhaps "in remote mode"; the header itself puts a question mark. Log it, do not act on it.
    PerhapsRemote {
        /// ack3: perhaps the mode.
        mode: u8,
    },
    /// 90: perhaps "not in remote mode". Log it, do not act on it.
    PerhapsNotRemote,
    /// Anything else: log it, change nothing.
    Unknown,
}

/// ack0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// 10
    Good,
    /// 40: for set-and-run, the clock is not in its remote mode (option 23 on a DGT XL, 25 on a DGT3000).
    Refused,
    /// Any other value; 20 was seen from a DGT XL 1.14. Wait half a second and send again.
    Failed(u8),
}

/// Which clock answered, by the main number of its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClockModel {
    /// Main 1, or a Revelation II that poses as one. Remote mode is option 23.
    DgtXl,
    /// Main 2, or a Revelation II with later firmware. Remote mode is option 25.
    Dgt3000,
    /// Any other main number.
    Unknown(u8),
}

/// One button, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Button {
    /// ◀◀
    Back,
    /// −
    Minus,
    /// Play/pause, DGT's "run".
    PlayPause,
    /// +
    Plus,
    /// ✓, ▶▶
    Ok,
}

/// A button event: ack2 and ack3 of an acknowledgement 88.
///
/// | button | ack3 | bit in ack2 |
/// |---|---|---|
/// | back | 31 | 04 |
/// | minus | 34 | 20 |
/// | play/pause | 33 | 10 |
/// | plus | 32 | 08 |
/// | ok | 35 | 40 |
///
/// D0 of ack2 is always set, every held button is OR-ed in, and ack3 names the rightmost one. Emulators may send
/// ack2 = 00.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buttons {
    /// ack2.
    pub mask: u8,
    /// ack3.
    pub code: u8,
}

impl Button {
    /// All five, from left to right.
    pub const ALL: [Self; 5] = [Self::Back, Self::Minus, Self::PlayPause, Self::Plus, Self::Ok];

    /// ack3: an ASCII digit.
    pub const fn code(self) -> u8 {
        match self {
            Self::Back => 0x31,
            Self::Minus => 0x34,
            Self::PlayPause => 0x33,
            Self::Plus => 0x32,
            Self::Ok => 0x35,
        }
    }
    /// Its bit in ack2.
    pub const fn bit(self) -> u8 {
        match self {
            Self::Back => 0x04,
            Self::Minus => 0x20,
            Self::PlayPause => 0x10,
            Self::Plus => 0x08,
            Self::Ok => 0x40,
        }
    }
    /// The button that ack3 names.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|button| button.code() == code)
    }
}

impl Buttons {
    /// The event of one button pressed alone.
    pub const fn one(button: Button) -> Self {
        Self { mask: button.bit() | 0x01, code: button.code() }
    }
    /// The button that ack3 names; of several held together it is the rightmost.
    pub fn button(self) -> Option<Button> {
        Button::from_code(self.code)
    }
    /// All buttons held, from left to right, the one in ack3 included when an emulator leaves the mask empty.
    pub fn held(self) -> impl Iterator<Item = Button> {
        Button::ALL.into_iter().filter(move |button| self.mask & button.bit() != 0 || self.button() == Some(*button))
    }
}

impl Ack {
    /// ack1 of END's answer from clocks that say "ready" instead.
    const READY: u8 = 0x81;
    const BUTTON: u8 = 0x88;
    const REMOTE: u8 = 0x8A;
    const NOT_REMOTE: u8 = 0x90;
    const END: u8 = 0x03;
    const VERSION: u8 = 0x09;
    const REVELATION_ASCII: u8 = 0x0D;

    /// Unpacks b3–b9; `None` where the bytes are no acknowledgement.
    pub const fn parse(payload: &[u8; 7]) -> Option<Self> {
        let [b3, b4, b5, b6, b7, b8, _] = *payload;
        if b3 & 0x0F != MARK && b6 & 0x0F != MARK {
            return None;
        }
        Some(Self {
            ack0: (b4 & 0x7F) | (b6 << 3) & 0x80,
            ack1: (b5 & 0x7F) | (b6 << 2) & 0x80,
            ack2: (b7 & 0x7F) | (b3 << 3) & 0x80,
            ack3: (b8 & 0x7F) | (b3 << 2) & 0x80,
        })
    }

    /// b3–b9. `status` is b9, which is unspecified in an acknowledgement; its D7 is cleared.
    pub const fn encode(&self, status: u8) -> [u8; 7] {
        [
            MARK | (self.ack2 & 0x80) >> 3 | (self.ack3 & 0x80) >> 2,
            self.ack0 & 0x7F,
            self.ack1 & 0x7F,
            MARK | (self.ack0 & 0x80) >> 3 | (self.ack1 & 0x80) >> 2,
            self.ack2 & 0x7F,
            self.ack3 & 0x7F,
            status & 0x7F,
        ]
    }

    /// A clock's good answer to the clock command `code`, for the board's side.
    pub const fn good(code: u8) -> Self {
        Self { ack0: 0x10, ack1: code, ack2: 0, ack3: 0 }
    }
    /// The answer to a clock command that is refused, for the board's side.
    pub const fn refused(code: u8) -> Self {
        Self { ack0: 0x40, ack1: code, ack2: 0, ack3: 0 }
    }
    /// The answer to VERSION, for the board's side; both numbers 0..=15.
    pub const fn version(main: u8, sub: u8) -> Self {
        Self { ack0: 0x10, ack1: Self::VERSION, ack2: main << 4 | sub & 0x0F, ack3: 0 }
    }
    /// The event "ready", for the board's side.
    pub const fn ready() -> Self {
        Self::good(Self::READY)
    }
    /// The event of a button pressed alone, for the board's side.
    pub const fn button(button: Button) -> Self {
        let Buttons { mask, code } = Buttons::one(button);
        Self { ack0: 0x10, ack1: Self::BUTTON, ack2: mask, ack3: code }
    }

    /// D7 of ack1: the clock speaks unasked. Such an event is never the answer to a command, but see [`Ack::answers`].
    pub const fn is_event(&self) -> bool {
        self.ack1 & 0x80 != 0
    }
    /// Whether this answers the clock command `code` (01–0D). END and the Revelation's text are answered by 81 as well.
    pub const fn answers(&self, code: u8) -> bool {
        self.ack1 == code || self.ack1 == Self::READY && matches!(code, Self::END | Self::REVELATION_ASCII)
    }
    /// ack0.
    pub const fn outcome(&self) -> Outcome {
        match self.ack0 {
            0x10 => Outcome::Good,
            0x40 => Outcome::Refused,
            other => Outcome::Failed(other),
        }
    }
    /// What it says.
    pub const fn kind(&self) -> AckKind {
        match (self.ack1, self.outcome()) {
            (Self::VERSION, Outcome::Good) => {
                let main = self.ack2 >> 4;
                AckKind::Version { model: ClockModel::from_main(main), main, sub: self.ack2 & 0x0F }
            }
            (command @ (0x01..=0x03 | 0x08..=0x0D), outcome) => AckKind::Answer { command, outcome },
            (Self::READY, _) => AckKind::Ready,
            (Self::BUTTON, _) => AckKind::Buttons(Buttons { mask: self.ack2, code: self.ack3 }),
            (Self::REMOTE, _) => AckKind::PerhapsRemote { mode: self.ack3 },
            (Self::NOT_REMOTE, _) => AckKind::PerhapsNotRemote,
            _ => AckKind::Unknown,
        }
    }
}

impl ClockModel {
    /// By the main number of the version.
    pub const fn from_main(main: u8) -> Self {
        match main {
            1 => Self::DgtXl,
            2 => Self::Dgt3000,
            other => Self::Unknown(other),
        }
    }
    /// The option number in which set-and-run works; `None` where it is not known.
    pub const fn remote_option(self) -> Option<u8> {
        match self {
            Self::DgtXl => Some(23),
            Self::Dgt3000 => Some(25),
            Self::Unknown(_) => None,
        }
    }
}

impl fmt::Display for ClockModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DgtXl => f.write_str("DGT XL"),
            Self::Dgt3000 => f.write_str("DGT3000"),
            Self::Unknown(main) => write!(f, "unknown clock (version {main})"),
        }
    }
}

impl fmt::Display for Button {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Back => "back",
            Self::Minus => "minus",
            Self::PlayPause => "play/pause",
            Self::Plus => "plus",
            Self::Ok => "ok",
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Good => f.write_str("good"),
            Self::Refused => f.write_str("refused"),
            Self::Failed(code) => write!(f, "error {code:02X}"),
        }
    }
}

impl fmt::Display for Ack {
    /// What it says, then the four values: `ack: button ok (10 88 41 35)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ack: ")?;
        match self.kind() {
            AckKind::Answer { command, outcome } => write!(f, "{} {outcome}", command_name(command))?,
            AckKind::Version { model, main, sub } => write!(f, "{model} version {main}.{sub:02}")?,
            AckKind::Ready => f.write_str("ready")?,
            AckKind::Buttons(buttons) => {
                f.write_str("button")?;
                for (number, button) in buttons.held().enumerate() {
                    write!(f, "{}{button}", if number == 0 { " " } else { "+" })?;
                }
            }
            AckKind::PerhapsRemote { mode } => write!(f, "perhaps in remote mode, {mode:02X}")?,
            AckKind::PerhapsNotRemote => f.write_str("perhaps not in remote mode")?,
            AckKind::Unknown => f.write_str("unknown")?,
        }
        write!(f, " ({:02X} {:02X} {:02X} {:02X})", self.ack0, self.ack1, self.ack2, self.ack3)
    }
}

/// What people call the clock command with this code.
pub(crate) const fn command_name(code: u8) -> &'static str {
    match code {
        0x01 => "clock display",
        0x02 => "clock icons",
        0x03 => "clock end text",
        0x08 => "clock button",
        0x09 => "clock version",
        0x0A => "clock set and run",
        0x0B => "clock beep",
        0x0C => "clock text",
        0x0D => "Revelation text",
        _ => "other clock command",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_four_values_come_back() {
        for value in (0..=u32::MAX).step_by(0x0101_1357) {
            let [ack0, ack1, ack2, ack3] = value.to_be_bytes();
            let ack = Ack { ack0, ack1, ack2, ack3 };
            assert!(ack.encode(0xFF).iter().all(|byte| *byte < 0x80));
            assert_eq!(Ack::parse(&ack.encode(0x13)), Some(ack));
        }
    }

    #[test]
    fn the_rightmost_of_several_buttons_is_named() {
        for (mask, code, held) in
            [(0x45, 0x35, "back+ok"), (0x29, 0x32, "minus+plus"), (0x00, 0x33, "play/pause"), (0x15, 0x33, "back+play/pause")]
        {
            let ack = Ack { ack0: 0x10, ack1: 0x88, ack2: mask, ack3: code };
            assert!(alloc::string::ToString::to_string(&ack).contains(&alloc::format!("button {held} ")), "{ack}");
            assert_eq!(Buttons { mask, code }.held().last(), Buttons { mask, code }.button());
        }
    }

    #[test]
    fn only_an_answer_to_the_same_command_answers_it() {
        assert!(Ack::good(0x0A).answers(0x0A) && !Ack::good(0x0A).answers(0x0C));
        assert!(Ack::ready().answers(0x03) && Ack::ready().answers(0x0D) && !Ack::ready().answers(0x0A));
        assert!(Ack::button(Button::Ok).is_event() && !Ack::button(Button::Ok).answers(0x08));
        assert_eq!(Ack { ack0: 0x20, ack1: 0, ack2: 0, ack3: 0 }.kind(), AckKind::Unknown);
        assert_eq!(Ack::refused(0x0A).kind(), AckKind::Answer { command: 0x0A, outcome: Outcome::Refused });
    }
}
