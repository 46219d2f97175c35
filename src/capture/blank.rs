//! What a board says of itself is taken out of its bytes: serial numbers, bus addresses, unknown messages. Frames keep their lengths, so
//! everything decodes as before.
use dgt_protocol::receiver::{Dialect as _, Single};

/// Blanks the bytes of one board, in any portions.
#[derive(Clone, Debug)]
pub struct Blank {
    dialect: Single,
    frame: Option<Frame>,
    /// Frames with something to blank in them.
    pub blanked: u64,
}

/// The frame whose bytes are coming.
#[derive(Clone, Copy, Debug)]
struct Frame {
    id: u8,
    /// Bytes so far, `id` included.
    at: usize,
    /// b0 to the last, once b2 is there.
    length: usize,
}

impl Blank {
    /// Nothing was said yet.
    pub const fn new(dialect: Single) -> Self {
        Self { dialect, frame: None, blanked: 0 }
    }

    /// The next bytes as they may be shown.
    pub fn bytes(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.byte(*byte);
        }
    }

    fn byte(&mut self, byte: u8) -> u8 {
        // R1, R2: such a byte begins a frame, wherever it stands.
        if byte >= 0x80 {
            self.frame = Some(Frame { id: byte, at: 1, length: 0 }).filter(|_| byte != 0x80);
            self.blanked += u64::from(is_blanked(byte));
            return byte;
        }
        // Bytes outside any frame are counted by whoever decodes, never read: they may be the rest of a serial number whose beginning was lost.
        let Some(frame) = self.frame.as_mut() else { return 0 };
        frame.at += 1;
        match frame.at {
            2 => {
                frame.length = usize::from(byte) << 7;
                return byte;
            }
            3 => {
                frame.length |= usize::from(byte);
                let goes_on = frame.length > 3 && self.dialect.length_fits(frame.id, frame.length);
                self.frame = self.frame.filter(|_| goes_on);
                return byte;
            }
            _ => {}
        }
        let id = frame.id;
        if frame.at >= frame.length {
            self.frame = None;
        }
        content(id, byte)
    }
}

/// Whether something of such a message is blanked.
const fn is_blanked(id: u8) -> bool {
    matches!(id, 0x90 | 0x91 | 0x92 | 0xA2)
}

/// A byte of the payload. Letters and digits of serial numbers become 0, so that they are serial numbers still; a trade mark may hold one.
const fn content(id: u8, byte: u8) -> u8 {
    match id {
        0x91 | 0xA2 if byte.is_ascii_alphanumeric() => b'0',
        0x92 if byte.is_ascii_digit() => b'0',
        // A board on a bus has its serial number for an address.
        0x90 => 0,
        // What is played, what the clock says, versions, battery, states, and the memory of pieces and times.
        0x86 | 0x8D..=0x8F | 0x91..=0x96 | 0xA0..=0xA2 | 0xA4 | 0xA5 => byte,
        // Nobody knows what it tells.
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dgt_protocol::message::Message;
    use dgt_protocol::receiver::Receiver;
    use proptest::prelude::*;

    const SERIAL: [u8; 8] = [0x91, 0x00, 0x08, b'2', b'4', b'9', b'1', b'3'];
    const LONG: [u8; 13] = [0xA2, 0x00, 0x0D, b'3', b'.', b'2', b'4', b'9', b'1', b'3', b'7', b'7', b'7'];

    fn blanked(portions: &[&[u8]]) -> Vec<u8> {
        let mut blank = Blank::new(Single::Dgt);
        let mut out = Vec::new();
        for portion in portions {
            let mut portion = portion.to_vec();
            blank.bytes(&mut portion);
            out.extend(portion);
        }
        out
    }

    fn messages(bytes: &[u8]) -> Vec<Result<Message, dgt_protocol::frame::FrameError>> {
        let mut receiver = Receiver::new(Single::Dgt);
        receiver.feed(0, bytes);
        receiver.collect()
    }

    #[test]
    fn serial_numbers_decode_as_zeros() {
        assert_eq!(messages(&blanked(&[&SERIAL])), [Ok(Message::SerialNumber(*b"00000"))]);
        assert_eq!(messages(&blanked(&[&LONG[..5], &LONG[5..]])), [Ok(Message::LongSerialNumber(*b"0.00000000"))]);
    }

    #[test]
    fn one_whose_beginning_was_lost_or_damaged_is_blanked_too() {
        for lost in 1..SERIAL.len() {
            let out = blanked(&[&[0x8E, 0x00, 0x05, 0x34, 0x00], &SERIAL[lost..]]);
            assert_eq!(out[5..], vec![0; SERIAL.len() - lost], "{lost}");
        }
        let mut long = SERIAL;
        long[2] = 0x7F;
        assert!(!blanked(&[&long]).windows(2).any(|pair| pair == b"24"));
    }

    fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
        let portion = prop_oneof![
            Just(SERIAL.to_vec()),
            Just(LONG.to_vec()),
            Just(vec![0x8E, 0x00, 0x05, 0x34, 0x00]),
            Just(vec![0x8D, 0x00, 0x0A, 0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x09]),
            proptest::collection::vec(any::<u8>(), 1..12),
        ];
        proptest::collection::vec(portion, 0..30).prop_map(|portions| portions.concat())
    }

    proptest! {
        /// What is played and what the clock says stays, and so does what was damaged.
        #[test]
        fn the_rest_decodes_as_before(bytes in any_bytes()) {
            let (before, after) = (messages(&bytes), messages(&blanked(&[&bytes])));
            prop_assert_eq!(before.len(), after.len());
            for (before, after) in before.into_iter().zip(after) {
                match (before, after) {
                    (Ok(before), Ok(after)) if is_blanked(before.id()) || matches!(before, Message::Unknown { .. } | Message::I2cClock(_)) => {
                        prop_assert_eq!(before.id(), after.id());
                    }
                    (before, after) => prop_assert_eq!(before, after),
                }
            }
        }

        #[test]
        fn portions_make_no_difference(bytes in any_bytes(), at in 0_usize..400) {
            let at = at.min(bytes.len());
            prop_assert_eq!(blanked(&[&bytes[..at], &bytes[at..]]), blanked(&[&bytes]));
        }
    }
}
