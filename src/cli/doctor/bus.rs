//! `flagfall doctor --bus PORT`: who is on a line in bus mode, and what is wrong with it.
use super::super::{ExitError, output};
use super::machine::{Machine, shut};
use crate::link::bus::{Answering, Asked, ask};
use crate::time::Stopwatch;
use dgt_protocol::clock::ClockReport;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Asks every line in turn. Good when at least one board answers.
pub(super) fn run(ports: &[PathBuf], machine: &Machine) -> Result<(), ExitError> {
    let cannot = |error| ExitError::unavailable(format_args!("cannot start: {error}; is the system out of memory or files?"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(cannot)?;
    let stopwatch = Stopwatch::start();
    output::complain("asking; a line takes five to twenty seconds");
    let mut text = String::new();
    let mut anybody = false;
    for port in ports {
        // Writing to a String cannot fail.
        let _ = match runtime.block_on(ask(port, false, false, stopwatch)) {
            Ok(asked) => {
                anybody |= !asked.boards.is_empty();
                writeln!(text, "{}: {}", port.display(), told(&asked))
            }
            Err(error) => {
                let node = port.canonicalize().unwrap_or_else(|_| port.clone());
                writeln!(text, "{}: {}", port.display(), shut(port, &node, &error, machine).join("\n  "))
            }
        };
    }
    output::print(&text)?;
    if anybody { Ok(()) } else { Err(ExitError::unavailable("no board answers in bus mode; what to do stands above")) }
}

/// Who is there and how the line is, a line of text each.
pub(super) fn told(asked: &Asked) -> String {
    if asked.boards.is_empty() {
        let also = "an adapter that wants DTR raised needs dtr = true under [[bus]]";
        return format!("{}\n  look at power, adapter and cable; {also}", asked.state);
    }
    let mut text = format!("{} boards answer", asked.boards.len());
    for (address, board) in &asked.boards {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n  address = {:<6} {}", address.number(), of_board(board));
    }
    if asked.state.is_fault() {
        let _ = write!(text, "\n  then: {}", asked.state);
    }
    text
}

fn of_board(board: &Answering) -> String {
    let mut parts = Vec::new();
    parts.extend(board.version.map(|(main, sub)| format!("firmware {main}.{sub:02}")));
    parts.extend(board.pieces.map(|pieces| format!("{pieces} pieces")));
    parts.push(match board.clock {
        Some(ClockReport::Time(times)) => format!("clock: {times}"),
        Some(_) => String::from("no clock: plug it into the board's jack"),
        None => String::from("the clock was not read"),
    });
    if board.is_twice {
        parts.push(String::from("TWO BOARDS answer to this address: compare the numbers under them, put one on another line"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dgt_protocol::bus::BusAddress;
    use dgt_protocol::bus::host::LineState;

    #[test]
    fn a_line_is_described_board_by_board() {
        let board = Answering { version: Some((1, 8)), clock: Some(ClockReport::NoClock), pieces: Some(32), is_twice: true };
        let boards = [(BusAddress::new(1025).unwrap(), board)].into();
        let text = told(&Asked { boards, state: LineState::Works });
        assert!(text.contains("address = 1025   firmware 1.08, 32 pieces, no clock") && text.contains("TWO BOARDS"), "{text}");
        let nobody = told(&Asked { boards: [].into(), state: LineState::Zeros });
        assert!(nobody.contains("only 00 comes") && nobody.contains("dtr = true"), "{nobody}");
    }
}
