//! The receiver's rules R1 to R6: what is dropped, and how it is counted.
use dgt_protocol::bus::Bus;
use dgt_protocol::frame::{Counters, FrameError};
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};

fn fed(bytes: &[u8]) -> (Receiver, Vec<Result<Message, FrameError>>) {
    let mut receiver = Receiver::new(Single::Dgt);
    receiver.feed(0, bytes);
    let items = receiver.by_ref().collect();
    (receiver, items)
}

fn update() -> Result<Message, FrameError> {
    Message::parse(&[0x8E, 0x00, 0x05, 0x24, 0x01])
}

#[test]
fn a_lost_last_byte_costs_four_bytes() {
    let (receiver, items) = fed(&[0x8E, 0x00, 0x05, 0x34, 0x8D, 0x00, 0x0A, 0x20, 0x03, 0x02, 0x20, 0x03, 0x01, 0x13]);
    assert_eq!(items[0], Err(FrameError::CutShort { id: 0x8E, received: 4 }));
    assert!(matches!(items[1..], [Ok(Message::Clock(_))]));
    assert_eq!(*receiver.counters(), Counters { frames_good: 1, bytes_dropped: 4, cut_short: 1, ..Counters::default() });
}

#[test]
fn a_damaged_length_costs_its_header_and_the_bytes_behind_it() {
    let (receiver, items) = fed(&[0x8E, 0x00, 0x45, 0x34, 0x00, 0x8E, 0x00, 0x05, 0x24, 0x01]);
    assert_eq!(items, [Err(FrameError::WrongLength { id: 0x8E, length: 69 }), Err(FrameError::Stray { bytes: 2 }), update()]);
    assert_eq!(*receiver.counters(), Counters { frames_good: 1, bytes_dropped: 5, wrong_lengths: 1, ..Counters::default() });
}

#[test]
fn a_length_is_judged_as_soon_as_it_is_there() {
    let (receiver, items) = fed(&[0x8E, 0x00, 0x45]);
    assert_eq!(items, [Err(FrameError::WrongLength { id: 0x8E, length: 69 })]);
    assert!(!receiver.is_mid_frame());
}

#[test]
fn an_id_without_its_top_bit_costs_the_frame() {
    let (receiver, items) = fed(&[0x0E, 0x00, 0x05, 0x34, 0x00, 0x8E, 0x00, 0x05, 0x24, 0x01]);
    assert_eq!(items, [Err(FrameError::Stray { bytes: 5 }), update()]);
    assert_eq!(*receiver.counters(), Counters { frames_good: 1, bytes_dropped: 5, ..Counters::default() });
}

#[test]
fn a_top_bit_in_the_payload_restarts_twice() {
    let (receiver, items) = fed(&[0x8E, 0x00, 0x05, 0xB4, 0x00, 0x8E, 0x00, 0x05, 0x24, 0x01]);
    let cut = |id, received| Err(FrameError::CutShort { id, received });
    assert_eq!(items, [cut(0x8E, 3), cut(0xB4, 2), update()]);
    assert_eq!(*receiver.counters(), Counters { frames_good: 1, bytes_dropped: 5, cut_short: 2, ..Counters::default() });
}

#[test]
fn a_time_out_gives_up_what_is_unfinished_and_nothing_else() {
    let (mut receiver, items) = fed(&[0x8E, 0x00, 0x05, 0x24, 0x01]);
    assert_eq!((items, receiver.give_up(), receiver.is_mid_frame()), (vec![update()], None, false));

    receiver.feed(0, &[0x8F, 0x3E, 0x03, 0x7F]);
    assert_eq!(receiver.give_up(), None, "messages must be taken first");
    assert_eq!(receiver.next(), None);
    assert_eq!(receiver.frame_in_progress(), Some(0x8F));
    assert_eq!(receiver.give_up(), Some(FrameError::TimedOut { id: 0x8F, received: 4 }));
    assert!(!receiver.is_mid_frame());
    // What comes late is stray and never a message.
    receiver.feed(0, &[0x6B, 0x8E, 0x00, 0x05, 0x24, 0x01]);
    assert_eq!(receiver.by_ref().collect::<Vec<_>>(), [Err(FrameError::Stray { bytes: 1 }), update()]);
    assert_eq!(*receiver.counters(), Counters { frames_good: 2, bytes_dropped: 5, cut_short: 1, ..Counters::default() });
}

#[test]
fn a_late_rest_is_stray_and_what_was_given_up_comes_first() {
    let timed_out = |id, received| Err(FrameError::TimedOut { id, received });
    let mut receiver = Receiver::new(Single::Dgt);
    assert_eq!((receiver.feed(5_000, &[0x8E, 0x00]).next(), receiver.deadline()), (None, Some(6_000)));
    // A byte in time begins the wait anew.
    assert_eq!((receiver.feed(5_999, &[0x05]).next(), receiver.deadline()), (None, Some(6_999)));
    assert_eq!(receiver.expire(6_998), None);
    let late: Vec<_> = receiver.feed(6_999, &[0x24, 0x01, 0x8E, 0x00, 0x05, 0x24, 0x01]).collect();
    assert_eq!(late, [timed_out(0x8E, 3), Err(FrameError::Stray { bytes: 2 }), update()]);
    assert_eq!((receiver.deadline(), receiver.expire(1 << 40)), (None, None));
}

#[test]
fn a_move_memory_may_pause_and_takes_fifteen_seconds_at_most() {
    let mut receiver = Receiver::new(Single::Dgt);
    assert_eq!((receiver.feed(100, &[0x8F, 0x3E, 0x03]).next(), receiver.deadline()), (None, Some(15_100)));
    assert_eq!((receiver.feed(14_000, &[0x7F; 100]).next(), receiver.deadline()), (None, Some(15_100)));
    assert_eq!(receiver.expire(15_100), Some(FrameError::TimedOut { id: 0x8F, received: 103 }));
}

#[test]
fn an_answer_on_a_bus_is_waited_for_eighty_milliseconds() {
    let mut receiver = Receiver::new(Bus);
    assert_eq!((receiver.feed(0, &[0x87, 0x00]).next(), receiver.deadline()), (None, Some(80)));
    assert_eq!(receiver.feed(80, &[0x06]).next(), Some(Err(FrameError::TimedOut { id: 0x87, received: 2 }.into())));
}

#[test]
fn a_cleared_receiver_starts_afresh() {
    let (mut receiver, _) = fed(&[0x00, 0x8E, 0x00, 0x05]);
    receiver.clear();
    assert!(!receiver.is_mid_frame());
    receiver.feed(0, &[0x8E, 0x00, 0x05, 0x24, 0x01]);
    assert_eq!(receiver.by_ref().collect::<Vec<_>>(), [update()]);
    assert_eq!(receiver.counters().bytes_dropped, 4);
}

#[test]
fn unknown_failed_and_masked_frames_are_counted_apart() {
    let (receiver, items) = fed(&[0xB7, 0x00, 0x03, 0x8E, 0x00, 0x05, 0x40, 0x01, 0x8E, 0x00, 0x05, 0x24, 0x71]);
    assert_eq!(items[0], Ok(Message::Unknown { id: 0xB7, payload: vec![] }));
    assert!(matches!(items[1], Err(FrameError::Content { id: 0x8E, fault }) if fault.offset == 3 && fault.value == Some(0x40)));
    assert_eq!(items[2], update());
    let expected = Counters { frames_good: 2, unknown_ids: 1, failed_contents: 1, extra_bits: 1, ..Counters::default() };
    assert_eq!(*receiver.counters(), expected);
}

#[test]
fn a_dump_with_an_impossible_piece_is_no_message() {
    let mut dump = vec![0x86, 0x00, 0x43];
    dump.extend([0x00; 64]);
    dump[40] = 0x10;
    let (receiver, items) = fed(&dump);
    assert!(matches!(items[..], [Err(FrameError::Content { id: 0x86, fault })] if fault.offset == 40));
    assert_eq!(receiver.counters().bytes_dropped, 0);
}

#[test]
fn a_whole_move_memory_byte_by_byte_is_one_message() {
    let mut memory = vec![0x8F, 0x3E, 0x03];
    memory.resize(7939, 0x7F);
    let mut receiver = Receiver::new(Single::Dgt);
    let mut items = Vec::new();
    for byte in &memory {
        receiver.feed(0, &[*byte]);
        items.extend(receiver.by_ref());
    }
    assert_eq!(items, [Ok(Message::MoveMemory(vec![0x7F; 7936]))]);
}

#[test]
fn one_frame_parses_alone_and_with_nothing_behind_it() {
    assert!(update().is_ok());
    assert_eq!(Message::parse(&[]), Err(FrameError::Stray { bytes: 0 }));
    assert_eq!(Message::parse(&[0x0E, 0x00]), Err(FrameError::Stray { bytes: 2 }));
    assert_eq!(Message::parse(&[0x8E, 0x00, 0x05, 0x24]), Err(FrameError::TimedOut { id: 0x8E, received: 4 }));
    assert!(matches!(Message::parse(&[0x8E, 0x00, 0x05, 0x24, 0x01, 0x00]), Err(FrameError::Content { .. })));
}
