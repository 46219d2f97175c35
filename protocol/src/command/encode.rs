//! Commands become bytes. What could hurt a board has no way out of here.
use super::board::Command;
use super::clock::{ClockCommand, SetAndRun};
use alloc::vec::Vec;

/// BEEP counts from here on are command bytes.
const FIRST_COMMAND: u8 = 0x40;

impl Command {
    /// The bytes of one `write`; empty for [`Command::Other`] and [`Command::PegasusLeds`], and for [`ClockCommand::Other`].
    ///
    /// Values out of range are brought into it: text characters outside 20–7E become blanks, beep counts stay below 40,
    /// segment and icon patterns lose D7, times are at most 9:59:59, LED fields at most 40.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Clock(command) => command.encode(),
            Self::RevelationLeds { pattern, start, end } => {
                let [pattern, start, end] = [*pattern, *start, *end].map(|byte| byte.min(FIRST_COMMAND));
                alloc::vec![0x60, 0x04, pattern, start, end, 0x00]
            }
            Self::Other(_) | Self::PegasusLeds(_) => Vec::new(),
            single => alloc::vec![single.opcode()],
        }
    }
}

impl ClockCommand {
    /// The whole command with 2B and closing 00; see [`Command::encode`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(17);
        out.extend([0x2B, 0, 0x03, self.code()]);
        match self {
            Self::Display { digits: [a, b, c, d, e, f], icons, beep } => {
                out.extend([c, b, a, f, e, d, icons].map(|byte| byte & 0x7F));
                out.push(beep_count(*beep));
            }
            Self::Icons(bytes) => out.extend(bytes.map(|byte| byte & 0x7F)),
            Self::End | Self::Button | Self::Version => {}
            Self::SetAndRun(set) => out.extend(set_and_run(set)),
            Self::Beep(count) => out.push(beep_count(*count)),
            Self::Ascii { text, beep } => {
                out.extend(text.map(printable));
                out.push(beep_count(*beep));
            }
            Self::RevelationAscii { text, beep } => {
                out.extend(text.map(printable));
                out.push(beep_count(*beep));
            }
            Self::Other(_) => return Vec::new(),
        }
        out.push(0x00);
        out[1] = (out.len() - 2) as u8;
        out
    }
}

const fn printable(byte: u8) -> u8 {
    if matches!(byte, b' '..=b'~') { byte } else { b' ' }
}

fn beep_count(byte: u8) -> u8 {
    byte.min(FIRST_COMMAND - 1)
}

/// Safe by construction: every byte is at most 3B.
fn set_and_run(set: &SetAndRun) -> [u8; 7] {
    let side = |(hours, minutes, seconds): (u8, u8, u8)| {
        let up = hours & SetAndRun::COUNT_UP;
        [up | (hours & !SetAndRun::COUNT_UP).min(9), minutes.min(59), seconds.min(59)]
    };
    let ([lh, lm, ls], [rh, rm, rs]) = (side(set.left), side(set.right));
    [lh, lm, ls, rh, rm, rs, set.run & 0x0F]
}
