//! A capture through a board: the same code as the daemon's, in the capture's own time.
use super::line::CaptureLine;
use super::reader::{Capture, CaptureError};
use flagfall_events::{Event, Mono};
use flagfall_game::board::{Board, Output};
use flagfall_game::questions::{Question, Verdict};
use std::collections::VecDeque;

/// Replays `capture` and hands on every event in order. The game's questions are asked of `answer` and awaited, each verdict standing at the
/// millisecond of its question.
///
/// Before each line every deadline up to its time fires; time ends with the last line. The result is the malformed line that ended it, if
/// one did: all events up to there have been handed on. An error of `each` ends the replay.
pub fn drive<E>(
    name: &str,
    capture: Capture<'_>,
    answer: impl FnMut(&Question) -> Option<Verdict>,
    mut each: impl FnMut(Event) -> Result<(), E>,
) -> Result<Option<CaptureError>, E> {
    drive_seen(name, capture, answer, |_, event| each(event))
}

/// The same; with every event comes the board as it is after what the event came of.
///
/// # Errors
/// Those of `each`.
pub fn drive_seen<E>(
    name: &str,
    capture: Capture<'_>,
    mut answer: impl FnMut(&Question) -> Option<Verdict>,
    mut each: impl FnMut(&Board, Event) -> Result<(), E>,
) -> Result<Option<CaptureError>, E> {
    let header = capture.header();
    let mut board = Board::new(name, header.opened_at, header.settings.clone());
    let mut capture = capture;
    while let Some(item) = capture.next() {
        let (t, line) = match item {
            Ok(item) => item,
            Err(error) => return Ok(Some(error)),
        };
        let mut fired = None;
        while let Some(deadline) = board.deadline().filter(|deadline| *deadline <= t) {
            // A deadline that stays where it is would never end.
            debug_assert!(fired < Some(deadline), "deadline {deadline:?} was answered and stands again");
            if fired >= Some(deadline) {
                break;
            }
            fired = Some(deadline);
            board.timeout(deadline);
            drain(&mut board, deadline, &mut answer, &mut each)?;
        }
        match line {
            CaptureLine::FromBoard(bytes) => board.bytes(t, &bytes),
            CaptureLine::Entry(entry) => {
                if let Some(why) = board.refusal(&entry) {
                    return Ok(Some(CaptureError { line: capture.number, text: why }));
                }
                board.entry(t, entry);
            }
            CaptureLine::Link(state) => board.link(t, state, None),
            // What was said to the board is known from its answers.
            CaptureLine::ToBoard(_) => {}
        }
        drain(&mut board, t, &mut answer, &mut each)?;
    }
    Ok(None)
}

fn drain<E>(
    board: &mut Board,
    t: Mono,
    answer: &mut impl FnMut(&Question) -> Option<Verdict>,
    each: &mut impl FnMut(&Board, Event) -> Result<(), E>,
) -> Result<(), E> {
    let mut questions = VecDeque::new();
    loop {
        while let Some(output) = board.poll() {
            match output {
                Output::Event(event) => each(board, event)?,
                Output::Question(question) => questions.push_back(question),
                // Commands go nowhere: the answers are in the capture.
                Output::Command(_) => {}
            }
        }
        let Some(question) = questions.pop_front() else { return Ok(()) };
        if let Some(verdict) = answer(&question) {
            board.verdict(t, verdict);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::convert::Infallible;

    /// One line's content: mostly what a board could say, some of it at the wrong moment, some of it rubbish.
    fn content() -> impl Strategy<Value = String> {
        let update = (0_u8..64, 0_u8..16).prop_map(|(square, piece)| format!("< 8e 00 05 {square:02x} {piece:02x}"));
        let clock = (0_u8..60, 0_u8..60, 0_u8..64).prop_map(|(right, left, status)| {
            let bcd = |n: u8| n / 10 * 16 + n % 10;
            format!("< 8d 00 0a 00 05 {:02x} 00 05 {:02x} {status:02x}", bcd(right), bcd(left))
        });
        let start =
            format!("< 86 00 43 08 09 0a 0c 0b 0a 09 08{}{}{} 02 03 04 06 05 04 03 02", " 07".repeat(8), " 00".repeat(32), " 01".repeat(8));
        let rubbish = proptest::collection::vec(any::<u8>(), 1..12).prop_map(|bytes| {
            let hex: String = bytes.iter().map(|b| format!(" {b:02x}")).collect();
            format!("<{hex}")
        });
        let entry = prop_oneof![
            Just(r#"! {"do":"stop"}"#),
            Just(r#"! {"do":"restart"}"#),
            Just(r#"! {"do":"new-game"}"#),
            Just(r#"! {"do":"result","result":"1/2-1/2"}"#),
            Just(r#"! {"do":"set-position","fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}"#),
            Just(r#"! {"do":"set-clock","clock":{"white_ms":60000,"black_ms":0,"run":"black"}}"#),
            Just(r#"! {"do":"flag","by":"white"}"#),
            Just("= down"),
            Just("= up"),
            Just("> 42"),
        ];
        prop_oneof![6 => update, 3 => clock, 1 => Just(start), 1 => rubbish, 1 => entry.prop_map(String::from)]
    }

    /// The events; a result before any game has begun is refused, here as by the daemon, and left out.
    fn events(text: &str) -> Vec<Event> {
        let mut lines: Vec<&str> = text.lines().collect();
        loop {
            let (mut events, left) = (Vec::new(), lines.join("\n") + "\n");
            let ended = drive(
                "x",
                Capture::open(left.as_bytes()).unwrap(),
                |_| None,
                |event| {
                    events.push(event);
                    Ok::<_, Infallible>(())
                },
            );
            match ended.unwrap() {
                None => return events,
                Some(refused) => {
                    assert_eq!(refused.text, "no game has begun on this board yet", "{left}");
                    assert!(lines.remove(refused.line - 1).contains("\"do\":\"result\""), "{left}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_a_board_says_the_events_are_numbered_in_time_and_the_same_twice(
            lines in proptest::collection::vec((0_u64..3000, content()), 0..120)
        ) {
            let mut text = String::from("# flagfall-capture 1\n");
            let mut t = 0;
            for (step, content) in lines {
                t += step;
                text += &format!("{t} {content}\n");
            }
            let found = events(&text);
            for (i, event) in found.iter().enumerate() {
                prop_assert_eq!(event.seq, i as u64 + 1);
                prop_assert!(event.t.millis() <= t);
                prop_assert!(i == 0 || found[i - 1].t <= event.t);
            }
            prop_assert_eq!(found, events(&text));
        }
    }

    #[test]
    fn an_error_of_the_reader_ends_the_replay() {
        let capture = Capture::open(b"# flagfall-capture 1\n0 = up\n1 = down\n2 = up\n").unwrap();
        let mut seen = 0;
        let ended = drive(
            "x",
            capture,
            |_| None,
            |_| {
                seen += 1;
                Err("enough")
            },
        );
        assert_eq!((ended, seen), (Err("enough"), 1));
    }
}
