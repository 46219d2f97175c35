//! What a board of the older protocol showed, from the bytes that it sent.
use super::Seen;
use dgt_protocol::clock::{ClockReport, Lever};
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};
use shakmaty::Color;

/// Reads chunks of bytes with their milliseconds. `turned`: White sits at the board's other side; `white_is_left`: of the clock, where
/// there is one.
pub(crate) fn read<'a>(chunks: impl Iterator<Item = (u64, &'a [u8])>, turned: bool, white_is_left: Option<bool>) -> Vec<(u64, Seen)> {
    let mut receiver = Receiver::new(Single::Dgt);
    let mut lever = None;
    let mut seen = Vec::new();
    let square = |wire: usize| {
        let wire = if turned { 63 - wire } else { wire };
        (7 - wire / 8) * 8 + wire % 8
    };
    for (t, bytes) in chunks {
        for message in receiver.feed(t, bytes) {
            match message {
                Ok(Message::BoardDump(dump)) => {
                    let mut all = [0; 64];
                    dump.iter().enumerate().for_each(|(wire, piece)| all[square(wire)] = *piece as u8);
                    seen.push((t, Seen::Dump(Box::new(all))));
                }
                Ok(Message::FieldUpdate { square: wire, piece }) => {
                    let square = square(usize::from(wire.index())) as u8;
                    seen.push((t, Seen::Square { square, piece: piece as u8 }));
                }
                Ok(Message::Clock(ClockReport::Time(times))) => {
                    // Who has pressed has his side of the lever down.
                    let left_down = times.lever == Lever::RightHigh;
                    if lever.replace(left_down).is_some_and(|before| before != left_down)
                        && let Some(white_is_left) = white_is_left
                    {
                        seen.push((t, Seen::Press(Color::from_white(left_down == white_is_left))));
                    }
                }
                Ok(_) => {}
                Err(_) => seen.push((t, Seen::Lost)),
            }
        }
    }
    seen
}
