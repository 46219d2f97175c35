//! What shows a witness that a board's journal goes on from what it has seen of it, made as the journal grows: each line is read and hashed once.
use super::read::{self, Lines};
use super::store;
use super::tree::{Hash, Tree, leaf};
use super::witness::log_of;
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The ways of all boards.
#[derive(Debug, Default)]
pub struct Ways(Mutex<BTreeMap<String, Way>>);

/// One journal, as far as it was read.
#[derive(Debug)]
struct Way {
    /// Its name as a log.
    log: String,
    lines: Lines<BufReader<File>>,
    /// Over what was seen.
    seen: Tree,
    /// The lines after that.
    after: VecDeque<Hash>,
}

impl Ways {
    /// What shows that a board's journal with this name as a log goes on from its first `seen` lines, up to a checkpoint of `size`, which is on disk. `None`:
    /// it is not here, or has fewer. Blocks: it reads what came since it was asked last.
    pub fn on(&self, data_dir: &Path, (board, log): (&str, &str), seen: u64, size: u64) -> Option<Vec<Hash>> {
        let mut ways = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A witness that has seen less than it had is another one.
        let way = ways.remove(board).filter(|way| way.log == log && way.seen.size() <= seen);
        let mut way = way.or_else(|| Way::open(data_dir, board, log))?;
        // What cannot be read is read anew the next time.
        let shown = way.to(seen, size)?;
        ways.insert(String::from(board), way);
        Some(shown)
    }
}

impl Way {
    fn open(data_dir: &Path, board: &str, log: &str) -> Option<Self> {
        let path = store::journals(data_dir, board).ok()?.into_iter().rev().find(|path| log_of(path).as_deref() == Some(log))?;
        let lines = Lines::new(read::open(&path).ok()?);
        Some(Self { log: String::from(log), lines, seen: Tree::default(), after: VecDeque::new() })
    }

    fn to(&mut self, seen: u64, size: u64) -> Option<Vec<Hash>> {
        while self.lines.so_far().lines() < size {
            self.after.push_back(leaf(self.lines.next()?.ok()?.text.as_bytes()));
        }
        while self.seen.size() < seen {
            self.seen.add_leaf(self.after.pop_front()?);
        }
        let after = usize::try_from(size.checked_sub(seen)?).ok()?;
        Some(self.seen.leads_to(self.after.make_contiguous().get(..after)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chain;
    use crate::header::Open;
    use crate::tree::consistency;
    use crate::what::What;
    use flagfall_events::Mono;
    use std::io::Write as _;

    #[test]
    fn it_is_made_as_the_journal_grows_and_anew_for_another_witness_or_another_journal() {
        let data = tempfile::tempdir().unwrap();
        let open = |log: &str| Open::for_test("1", log, "");
        let folder = store::folder(data.path(), "1");
        std::fs::create_dir_all(&folder).unwrap();
        let ways = Ways::default();
        for log in ["00aa", "00bb"] {
            let path = folder.join(format!("2026-11-21{}.journal", if log == "00aa" { "" } else { "-2" }));
            let mut file = File::create(path).unwrap();
            let (mut chain, mut bytes) = (Chain::default(), Vec::new());
            chain.write(&mut bytes, Mono::ZERO, &What::Open(Box::new(open(log))));
            let name = format!("flagfall-journal/1/{log}");
            let mut leaves = Vec::new();
            for n in 1..60_u64 {
                chain.write_raw(&mut bytes, Mono::from_millis(n), "in", "\"00\"");
                file.write_all(&bytes).unwrap();
                leaves.extend(bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(leaf));
                bytes.clear();
                // What was seen grows behind the journal; a witness that comes later has seen the first line alone.
                for seen in [n * 2 / 3, 1].into_iter().filter(|seen| *seen > 0) {
                    let shown = ways.on(data.path(), ("1", &name), seen, n + 1);
                    assert_eq!(shown, Some(consistency(&leaves, seen as usize)), "{seen} of {n}");
                }
                if n > 30 {
                    // Both are asked for again and again: nothing is read twice for that.
                    assert_eq!(ways.on(data.path(), ("1", &name), n, n + 1), Some(consistency(&leaves, n as usize)));
                    assert_eq!(ways.0.lock().unwrap()["1"].after.len(), 1);
                }
            }
            assert_eq!(ways.on(data.path(), ("1", &name), 10, 100), None, "it has fewer");
        }
        assert_eq!(ways.on(data.path(), ("1", "flagfall-journal/1/00cc"), 1, 2), None);
    }
}
