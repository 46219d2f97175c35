//! The board's side: a host's bytes become commands.
use super::board::{Command, SINGLE};
use super::clock::{ClockCommand, SetAndRun};
use crate::parse::{Step, any};
use alloc::vec::Vec;
use nom::Parser;
use nom::combinator::rest;
use nom::multi::fill;

/// Sizes behind 2B and 60 from here on are command bytes: what came before was not the command it looked like.
const FIRST_COMMAND: u8 = 0x40;
/// SIZE of the version query from a host that counts 2B and SIZE too.
const WHOLE_LENGTH: u8 = 0x05;

/// Makes commands out of a host's bytes, in any portions.
///
/// It takes what hosts really send: clock commands with or without the closing 00, and END, BUTTON and VERSION with a
/// SIZE that counts the whole command. A clock command that the reference does not know is
/// [`ClockCommand::Other`]; a single byte that no board should get, or that nobody knows, is [`Command::Other`].
/// A byte from 80 on is a bus command of four bytes; here each of its bytes is an `Other` or a command of its own.
#[derive(Clone, Debug, Default)]
pub struct CommandDecoder {
    buffer: Vec<u8>,
    cursor: usize,
}

impl CommandDecoder {
    /// An empty decoder.
    pub fn new() -> Self {
        Self::default()
    }
    /// Takes bytes as they were read, in any portions.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.cursor);
        self.cursor = 0;
        self.buffer.extend_from_slice(bytes);
    }
    /// A command has begun and is not complete. Ask when all commands have been taken.
    pub fn is_mid_command(&self) -> bool {
        self.cursor < self.buffer.len()
    }
    /// Forgets an unfinished command.
    pub fn clear(&mut self) {
        self.buffer.clear();
        self.cursor = 0;
    }
}

impl Iterator for CommandDecoder {
    type Item = Command;

    /// The next command; `None` until more is fed.
    fn next(&mut self) -> Option<Command> {
        let (command, length) = take(self.buffer.get(self.cursor..)?)?;
        self.cursor += length;
        Some(command)
    }
}

/// The command at the front of `input` and its length; `None` while bytes are missing.
fn take(input: &[u8]) -> Option<(Command, usize)> {
    let &opcode = input.first()?;
    if !matches!(opcode, 0x2B | 0x60) {
        let single = SINGLE.into_iter().find_map(|(byte, command)| (byte == opcode).then_some(command));
        return Some((single.unwrap_or(Command::Other(opcode)), 1));
    }
    let &size = input.get(1)?;
    if !(0x02..FIRST_COMMAND).contains(&size) {
        return Some((Command::Other(opcode), 1));
    }
    if opcode == 0x2B && *input.get(2)? != 0x03 {
        return Some((Command::Other(opcode), 1));
    }
    let mut length = 2 + usize::from(size);
    if opcode == 0x2B && size == WHOLE_LENGTH && matches!(input.get(3)?, 0x03 | 0x08 | 0x09) {
        length = usize::from(WHOLE_LENGTH);
    }
    let command = match *input.get(..length)? {
        [0x60, 0x04, pattern, start, end, _] => Command::RevelationLeds { pattern, start, end },
        // The same opcode with another layout drives the LEDs of Bluetooth LE boards.
        [0x60, ..] => Command::Other(0x60),
        [_, _, _, ref message @ ..] => Command::Clock(clock_command(message)),
        _ => Command::Other(opcode),
    };
    Some((command, length))
}

/// Reads what stands after 03: CMD, content, and the closing 00 that older hosts leave out.
fn clock_command(message: &[u8]) -> ClockCommand {
    let closed = message.strip_suffix(&[0x00]);
    // Every known content has one length, so at most one of the two readings is complete.
    [closed, Some(message)]
        .into_iter()
        .flatten()
        .find_map(|bytes| match content(bytes) {
            Ok(([], command)) => Some(command),
            _ => None,
        })
        .unwrap_or_else(|| ClockCommand::Other(message.into()))
}

fn content(bytes: &[u8]) -> Step<'_, ClockCommand> {
    let (input, code) = any(bytes)?;
    match code {
        0x01 => (array, any, any)
            .map(|([c, b, a, f, e, d], icons, beep)| ClockCommand::Display { digits: [a, b, c, d, e, f], icons, beep })
            .parse(input),
        0x02 => array.map(ClockCommand::Icons).parse(input),
        0x03 => Ok((input, ClockCommand::End)),
        0x08 => Ok((input, ClockCommand::Button)),
        0x09 => Ok((input, ClockCommand::Version)),
        0x0A => ((any, any, any), (any, any, any), any)
            .map(|(left, right, run)| ClockCommand::SetAndRun(SetAndRun { left, right, run }))
            .parse(input),
        0x0B => any.map(ClockCommand::Beep).parse(input),
        0x0C => (array, any).map(|(text, beep)| ClockCommand::Ascii { text, beep }).parse(input),
        0x0D => (array, any).map(|(text, beep)| ClockCommand::RevelationAscii { text, beep }).parse(input),
        _ => rest.map(|_: &[u8]| ClockCommand::Other(bytes.into())).parse(input),
    }
}

fn array<const N: usize>(input: &[u8]) -> Step<'_, [u8; N]> {
    let mut bytes = [0; N];
    let (rest, ()) = fill(any, &mut bytes).parse(input)?;
    Ok((rest, bytes))
}
