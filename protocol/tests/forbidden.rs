//! Bytes that must not reach a single board (as the reference has them), against everything the encoder can make.
mod strategies;

use dgt_protocol::command::{ClockCommand, Command, CommandDecoder};
use proptest::prelude::*;
use strategies::careless_command;

/// Boot loader; scan modes stored in EEPROM; bus mode.
const NEVER: [u8; 5] = [0x4E, 0x51, 0x53, 0x54, 0x4A];

/// What one command may put on the wire.
fn check(command: &Command) {
    let bytes = command.encode();
    let Some(first) = bytes.first() else {
        let other = matches!(command, Command::Other(_) | Command::Clock(ClockCommand::Other(_)));
        assert!(other, "{command} has no bytes");
        return;
    };
    assert!(!NEVER.contains(first), "{command} begins with {first:02X}");
    assert!(bytes.iter().all(|byte| *byte < 0x80), "{command} has a bus command in it: {bytes:02X?}");
    assert_eq!(*first == 0x60, matches!(command, Command::RevelationLeds { .. }), "{command}");
    assert_eq!(*first == 0x49, *command == Command::SendMoveMemory, "{command}");
    match (command, &bytes[1..]) {
        (Command::Clock(ClockCommand::SetAndRun(_)), arguments) => assert!(arguments.iter().all(|byte| *byte <= 0x3B), "{bytes:02X?}"),
        (Command::Clock(ClockCommand::Beep(_)), arguments) => assert!(arguments.iter().all(|byte| *byte < 0x40), "{bytes:02X?}"),
        (Command::Clock(ClockCommand::Ascii { .. } | ClockCommand::RevelationAscii { .. }), [_, _, _, text @ .., beep, 0x00]) => {
            assert!(text.iter().all(|byte| matches!(byte, 0x20..=0x7E)) && *beep < 0x40, "{bytes:02X?}");
        }
        (Command::RevelationLeds { .. }, arguments) => assert!(arguments.iter().all(|byte| *byte <= 0x40), "{bytes:02X?}"),
        (Command::Clock(_), [.., last]) => assert_eq!(*last, 0x00, "{bytes:02X?}"),
        (Command::Clock(_), []) => panic!("{command} is one byte"),
        (_, rest) => assert!(rest.is_empty(), "{command} is more than one byte"),
    }
}

#[test]
fn no_single_byte_is_forbidden() {
    Command::singles().for_each(|command| check(&command));
    assert_eq!(Command::singles().count(), 19);
}

#[test]
fn whatever_byte_a_host_hears_it_cannot_say_a_forbidden_one() {
    for byte in 0..=0xFF {
        let mut decoder = CommandDecoder::new();
        decoder.feed(&[byte, 0x00, 0x00]);
        for command in decoder {
            check(&command);
            if NEVER.contains(&byte) || byte >= 0x80 {
                assert!(matches!(command, Command::Other(_)), "{byte:02X} became {command}");
            }
        }
    }
}

#[test]
fn texts_keep_to_printable_characters() {
    let text = ClockCommand::ascii("Nö\u{7}2\x7F", 0xFF);
    assert_eq!(text, ClockCommand::Ascii { text: *b"N??2?   ", beep: 0xFF });
    check(&Command::Clock(text));
    check(&Command::Clock(ClockCommand::Ascii { text: [0x4E, 0x80, 0xCE, 0x00, 0x1F, 0x7F, 0xFF, 0x20], beep: 0x4E }));
}

proptest! {
    #[test]
    fn no_command_puts_a_forbidden_byte_on_the_wire(command in careless_command()) {
        check(&command);
    }
}
