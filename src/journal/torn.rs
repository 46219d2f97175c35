//! What stands behind the last good line of a file: an end that a power cut tore, or damage.
//!
//! A file system writes what was not synced in any order. So a power cut may leave zeros where something was written, and behind them lines that are whole.
use super::line::Line;
use super::read::{self, line};
use super::writer::UNSYNCED;
use flagfall_events::Mono;
use std::io::{self, BufRead};
use std::path::Path;

/// A disk writes no less at once, bytes.
const SECTOR: u64 = 512;

/// Whether a power cut can have left what begins at byte `offset`, where the first line that does not stand begins.
///
/// It can where no whole line follows; or where the bad line has a hole that is a disk's, and what follows is so little that none of it was synced yet.
pub(super) fn is_torn(path: &Path, offset: u64) -> io::Result<bool> {
    is_torn_in(read::open_at(path, offset)?, offset)
}

fn is_torn_in(mut reader: impl BufRead, offset: u64) -> io::Result<bool> {
    let (mut text, mut first, mut hole, mut since) = (Vec::new(), true, false, None::<Mono>);
    while line(&mut reader, &mut text)? > 0 {
        let whole = text.pop_if(|byte| *byte == b'\n').is_some();
        if first {
            hole |= has_hole(&text, offset);
            first = !whole;
        } else if let Ok(line) = Line::read(&text) {
            let since = *since.get_or_insert(line.t);
            if !hole || line.t.since(since) > UNSYNCED {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Zeros from the line's beginning or that of a sector to another sector's: a line that was written has none.
fn has_hole(text: &[u8], offset: u64) -> bool {
    let Some(from) = text.iter().position(|byte| *byte == 0) else { return false };
    let zeros = text[from..].iter().take_while(|byte| **byte == 0).count();
    let is_edge = |at: usize| (offset + at as u64).is_multiple_of(SECTOR);
    (from == 0 || is_edge(from)) && is_edge(from + zeros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chain;
    use crate::what::What;

    /// So many lines, a second between two of them.
    fn lines(count: u64) -> Vec<u8> {
        let (mut bytes, mut chain) = (Vec::new(), Chain::default());
        (0..count).for_each(|n| chain.write(&mut bytes, Mono::from_millis(n * 1_000), &What::In(vec![7; 100])));
        bytes
    }

    #[test]
    fn zeros_of_whole_sectors_with_a_few_seconds_of_lines_behind_them_are_a_torn_end_and_nothing_else_is() {
        let torn = |bytes: &[u8], offset| is_torn_in(bytes, offset).unwrap();
        let with = |mut bytes: Vec<u8>, from: usize, to: usize| {
            bytes[from..to].fill(0);
            bytes
        };
        let whole = lines(10);
        // From the line's own beginning, and from a sector's: up to that of a sector.
        assert!(torn(&with(whole.clone(), 0, 312), 200));
        assert!(torn(&with(whole.clone(), 112, 624), 400));
        // Somewhere, as nobody's disk does; a line that was changed.
        assert!(!torn(&with(whole.clone(), 0, 311), 200) && !torn(&with(whole.clone(), 100, 624), 400));
        let mut changed = whole.clone();
        changed[30] = b'x';
        assert!(!torn(&changed, 200));
        // Half a line, and zeros up to the end.
        let end = whole.len();
        assert!(torn(&whole[..100], 200) && torn(&with(whole, 100, end), 200));
        // More than ever waits for a sync: some of it was synced, so this is damage.
        assert!(!torn(&with(lines(20), 0, 312), 200));
    }
}
