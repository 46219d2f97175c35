//! A capture through a board: the same code as the daemon's, in the capture's own time.
use super::{Capture, CaptureError, Line};
use crate::board::{Board, Output};
use crate::game::event::Event;

/// Replays `capture` and hands on every event in order.
///
/// Before each line every deadline up to its time fires; time ends with the last line. The result is the malformed line that ended it, if
/// one did: all events up to there have been handed on. An error of `each` ends the replay.
pub fn drive<E>(name: &str, capture: Capture<'_>, mut each: impl FnMut(Event) -> Result<(), E>) -> Result<Option<CaptureError>, E> {
    let header = capture.header();
    let mut board = Board::new(name, header.opened_at, header.settings.clone());
    for item in capture {
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
            drain(&mut board, &mut each)?;
        }
        match line {
            Line::FromBoard(bytes) => board.bytes(t, &bytes),
            Line::Entry(entry) => board.entry(t, entry),
            Line::Link(state) => board.link(t, state, None),
            // What was said to the board is known from its answers.
            Line::ToBoard(_) => {}
        }
        drain(&mut board, &mut each)?;
    }
    Ok(None)
}

fn drain<E>(board: &mut Board, each: &mut impl FnMut(Event) -> Result<(), E>) -> Result<(), E> {
    while let Some(output) = board.poll() {
        // Commands go nowhere: the answers are in the capture.
        if let Output::Event(event) = output {
            each(event)?;
        }
    }
    Ok(())
}
