//! What is wrong with a line or a board on it, in words, and what to do.
use dgt_protocol::bus::host::LineState;

/// A board that does not answer.
pub(super) fn silent(board: &str, line: &str, since: &str) -> String {
    format!("board {board} on {line} does not answer since {since}; look at its plug and its power")
}

/// A line as a whole.
pub(super) fn line(line: &str, state: LineState, last: Option<&str>) -> Option<String> {
    let behind = last.map_or_else(String::new, |board| format!("; the last board that answered was {board}"));
    state.is_fault().then(|| format!("{line}: {state}{behind}. Unplug half of the line to find the place; `flagfall doctor` asks again"))
}

/// A cable that is cut.
pub(super) fn cut(line: &str, behind: &str, since: &str) -> String {
    format!(
        "{line}: nobody behind board {behind} answers since {since}; look at the cable between it and the next board, and at the power there"
    )
}

/// Answers of several boards are damaged.
pub(super) fn noisy(line: &str) -> String {
    format!(
        "{line}: answers of several boards come damaged and are asked for again; nothing is lost, but the line is slow: look at the plugs, the ground \
         and the supply, and lay the cable away from mains cables"
    )
}

/// Two boards with one address.
pub(super) fn twice(line: &str, name: &str, address: u16) -> String {
    format!(
        "{line}: two boards answer to address {address} (board {name}), and neither can be read; compare the serial numbers under them ({address:05} and \
         one that is 16384 more or less), and plug one of them into another line"
    )
}

/// More boards than a line may have.
pub(super) fn too_many(line: &str, address: u16, most: usize) -> String {
    format!("{line}: board {address:05} is left alone, there are {most} boards on the line already; use another line")
}
