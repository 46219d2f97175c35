//! What shows an outside witness that the machine's list goes on from what it has seen, made as the list grows: each line is read and hashed once.
use super::list::{Entries, FILE};
use super::tree::{Hash, Tree, leaf};
use super::witness::FOLDER;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

/// One witness's way along the list.
#[derive(Debug)]
pub struct Trail {
    file: PathBuf,
    on: Option<On>,
}

#[derive(Debug)]
struct On {
    entries: Entries,
    /// Over what the witness has seen.
    seen: Tree,
    /// The lines after that which were read.
    after: VecDeque<Hash>,
}

impl Trail {
    /// Along the list of a data folder.
    pub fn of(data_dir: &Path) -> Self {
        Self { file: data_dir.join(FOLDER).join(FILE), on: None }
    }

    /// What shows that the list's first `size` lines go on from its first `seen` (RFC 9162, 2.1.4.1). Blocks: it reads what came since it was asked last.
    ///
    /// # Errors
    /// The list cannot be read, or has fewer lines.
    pub fn goes_on(&mut self, seen: u64, size: u64) -> io::Result<Vec<Hash>> {
        if seen == 0 || seen >= size {
            return Ok(Vec::new());
        }
        // A witness may have seen less than it said before.
        let on = self.on.take().filter(|on| on.seen.size() <= seen);
        let mut on = match on {
            Some(on) => on,
            None => On { entries: Entries::of(&self.file)?, seen: Tree::default(), after: VecDeque::new() },
        };
        while on.seen.size() < seen {
            let hash = on.after.pop_front().map_or_else(|| on.entries.hash(), Ok)?;
            on.seen.add_leaf(hash);
        }
        while on.seen.size() + (on.after.len() as u64) < size {
            let hash = on.entries.hash()?;
            on.after.push_back(hash);
        }
        let after = usize::try_from(size - seen).map_err(io::Error::other)?;
        let way = on.seen.leads_to(&on.after.make_contiguous()[..after]);
        self.on = Some(on);
        Ok(way)
    }
}

impl Entries {
    fn hash(&mut self) -> io::Result<Hash> {
        self.next()?.map(leaf).ok_or_else(|| io::Error::new(io::ErrorKind::UnexpectedEof, "lines of it are gone"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::consistency;
    use std::fs::{self, OpenOptions};
    use std::io::Write as _;

    #[test]
    fn it_is_made_as_the_list_grows_and_anew_for_a_witness_that_went_back() {
        let data = tempfile::tempdir().unwrap();
        fs::create_dir_all(data.path().join(FOLDER)).unwrap();
        let mut file = OpenOptions::new().create(true).append(true).open(data.path().join(FOLDER).join(FILE)).unwrap();
        let (mut trail, mut leaves) = (Trail::of(data.path()), Vec::new());
        for n in 0..40_u64 {
            writeln!(file, "line {n}").unwrap();
            leaves.push(leaf(format!("line {n}").as_bytes()));
            for seen in [n / 2, n, n + 1] {
                assert_eq!(trail.goes_on(seen, n + 1).unwrap(), consistency(&leaves, seen as usize), "{seen} of {}", n + 1);
            }
        }
        assert_eq!(trail.goes_on(10, 30).unwrap(), consistency(&leaves[..30], 10), "not all that was read");
        assert_eq!(trail.goes_on(10, 41).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(trail.goes_on(39, 40).unwrap(), consistency(&leaves, 39), "after an error");
    }
}
