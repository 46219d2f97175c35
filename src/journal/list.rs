//! The list of all boards' checkpoints: one log for the whole machine. An outside witness knows a log by its name and key, and every journal is a log of
//! its own with a new number.
//!
//! ```text
//! flagfall-journal/7/9d3e4f672f1c5a0b 1233 qINS1GRFfWfa2wGsi2AHWABU0U3LVOz5Y2FeU1Iyrxw=      a journal, its lines, the root over them
//! ```
//!
//! Its name is the key's short one, so another key begins another log over the same lines.
use super::checkpoint::{Checkpoint, fingerprint};
use super::key::Key;
use super::tree::Tree;
use super::witness::{FOLDER, log_of};
use super::{proof, read, store};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Its name beside what others have seen.
pub(super) const FILE: &str = "machine.list";
/// A copy of one with bad lines before its end, as it was.
const DAMAGED: &str = "machine.list.damaged";

/// A journal's checkpoint as a line of the list, without its end.
fn line(log: &str, checkpoint: &Checkpoint) -> String {
    format!("{log} {} {}", checkpoint.size, checkpoint.root)
}

/// The log and checkpoint that a line holds, without its signature, which the journal has.
pub(super) fn entry(text: &[u8]) -> Option<(String, Checkpoint)> {
    let text = std::str::from_utf8(text).ok()?;
    let mut parts = text.split(' ');
    let (log, size, root) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
    let checkpoint = Checkpoint { size, root: String::from(root), notes: Vec::new(), signature: String::new() };
    checkpoint.root()?;
    (board_of(log).is_some() && text == line(log, &checkpoint)).then(|| (String::from(log), checkpoint))
}

/// The board of a journal's name as a log, as that has it.
pub(super) fn board_of(log: &str) -> Option<&str> {
    Some(log.strip_prefix("flagfall-journal/")?.split_once('/')?.0)
}

/// The lines of a list, one after the other.
#[derive(Debug)]
pub(super) struct Entries {
    reader: BufReader<File>,
    text: Vec<u8>,
}

impl Entries {
    /// Of a file. A pipe in its place is an error and not waited for.
    pub(super) fn of(file: &Path) -> io::Result<Self> {
        if !std::fs::metadata(file)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no file; move it away"));
        }
        Ok(Self { reader: read::open(file)?, text: Vec::new() })
    }

    /// The next line, without its end. `None`: nothing follows that is whole.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        read::line(&mut self.reader, &mut self.text)?;
        Ok(self.text.pop_if(|byte| *byte == b'\n').map(|_| self.text.as_slice()))
    }
}

/// The machine's list.
#[derive(Debug)]
pub struct List {
    data_dir: PathBuf,
    file: PathBuf,
    key: Key,
    /// Over the lines that stand, and how many bytes they have.
    tree: Tree,
    length: u64,
    /// The newest of each board: which log, how many lines of it.
    last: BTreeMap<String, (String, u64)>,
}

impl List {
    /// The list of a data folder; empty where there is none. Blocks.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn load(data_dir: &Path, key: Key) -> io::Result<Self> {
        let file = data_dir.join(FOLDER).join(FILE);
        let mut list = Self { data_dir: data_dir.to_owned(), file, key, tree: Tree::default(), length: 0, last: BTreeMap::new() };
        let mut entries = match Entries::of(&list.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(list),
            entries => entries?,
        };
        while let Some(text) = entries.next()? {
            let Some((log, checkpoint)) = entry(text) else {
                // No power cut leaves whole lines that are none of ours.
                let aside = list.file.with_file_name(DAMAGED);
                std::fs::copy(&list.file, &aside)?;
                let (shown, line) = (list.file.display(), list.tree.size() + 1);
                tracing::error!("{shown}:{line}: this is no entry; the list goes on from there, what it held is in {}", aside.display());
                break;
            };
            list.tree.add(text);
            list.length += text.len() as u64 + 1;
            list.put(log, checkpoint.size);
        }
        Ok(list)
    }

    /// The same as a test has it.
    #[cfg(test)]
    pub(super) fn load_for(data_dir: &Path, key: &Key) -> Self {
        Self::load(data_dir, key.clone()).unwrap()
    }

    fn put(&mut self, log: String, size: u64) {
        if let Some(board) = board_of(&log).map(String::from) {
            self.last.insert(board, (log, size));
        }
    }

    /// Takes the boards' newest checkpoints, as notes by the boards' names, those that are not in it yet; with each new journal the end of the one before it.
    /// Blocks.
    ///
    /// # Errors
    /// They cannot be kept: the list is as it was.
    pub fn take(&mut self, newest: &BTreeMap<String, String>) -> io::Result<()> {
        let mut new = Vec::new();
        for (board, note) in newest {
            let Ok((log, checkpoint)) = Checkpoint::read(note) else { continue };
            match board_of(&log).and_then(|board| self.last.get(board)) {
                Some((last, size)) if *last == log && *size >= checkpoint.size => continue,
                Some((last, size)) if *last != log => new.extend(ended(&self.data_dir, board, (last, *size), &log)),
                _ => {}
            }
            new.push((log, checkpoint));
        }
        self.add(new)
    }

    fn add(&mut self, new: Vec<(String, Checkpoint)>) -> io::Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = new.iter().map(|(log, checkpoint)| line(log, checkpoint)).collect();
        let bytes: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        let folder = self.data_dir.join(FOLDER);
        std::fs::create_dir_all(&folder)?;
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(&self.file)?;
        // Half a line of an earlier try, or of a power cut, goes.
        file.set_len(self.length)?;
        file.seek(SeekFrom::Start(self.length))?;
        file.write_all(bytes.as_bytes())?;
        // No witness may know more than a power cut leaves here.
        file.sync_data()?;
        if self.length == 0 {
            File::open(folder)?.sync_all()?;
            File::open(&self.data_dir)?.sync_all()?;
        }
        self.length += bytes.len() as u64;
        lines.iter().for_each(|line| self.tree.add(line.as_bytes()));
        new.into_iter().for_each(|(log, checkpoint)| self.put(log, checkpoint.size));
        Ok(())
    }

    /// Its name as a log.
    pub fn origin(&self) -> String {
        fingerprint(&self.key.public())
    }

    /// How many entries it has, and the signed note over them.
    pub fn checkpoint(&self) -> (u64, String) {
        let origin = self.origin();
        let checkpoint = self.key.over(&origin, (self.tree.size(), &self.tree.root()));
        (checkpoint.size, checkpoint.note(&origin, &self.key.public()))
    }
}

/// The last checkpoint of the journal that was listed last, and of those after it, before the one that is written now.
fn ended(data_dir: &Path, board: &str, (last, size): (&str, u64), now: &str) -> Vec<(String, Checkpoint)> {
    let paths = store::journals(data_dir, board).unwrap_or_default();
    let logs: Vec<Option<String>> = paths.iter().map(|path| log_of(path)).collect();
    let Some(from) = logs.iter().rposition(|log| log.as_deref() == Some(last)) else { return Vec::new() };
    let between = paths.iter().zip(&logs).skip(from).filter(|(_, log)| log.as_deref() != Some(now));
    let notes = between.filter_map(|(path, _)| proof::sealed(&store::read_small(path).ok()?).pop());
    notes.filter_map(|sealed| Checkpoint::read(&sealed.note).ok()).filter(|(log, is)| log != last || is.size > size).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chain;
    use crate::checkpoint::origin;
    use crate::header::Open;
    use crate::tree::{inclusion, leaf};
    use crate::what::What;
    use flagfall_events::Mono;
    use std::fs;

    /// The note of a board's journal with this name as a log and so many lines.
    fn note(key: &Key, log: &str, lines: u64) -> String {
        let (mut chain, mut bytes) = (Chain::default(), Vec::new());
        (0..lines).for_each(|n| chain.write_raw(&mut bytes, Mono::from_millis(n), "in", "\"00\""));
        key.checkpoint(log, &chain, Vec::new()).note(log, &key.public())
    }

    #[test]
    fn it_grows_by_what_is_new_and_is_the_same_after_a_restart() {
        let data = tempfile::tempdir().unwrap();
        let key = Key::of(data.path()).unwrap().key;
        let load = || List::load(data.path(), key.clone()).unwrap();
        let mut list = load();
        let root = inclusion(&[], 0).0;
        assert!(Checkpoint::read(&list.checkpoint().1).unwrap().1.is_of(0, &root), "an empty one has a note, too");
        let (first, second) = ("flagfall-journal/1/00aa", "flagfall-journal/a_2/00bb");
        let newest = |lines: [u64; 2]| {
            BTreeMap::from([(String::from("1"), note(&key, first, lines[0])), (String::from("a 2"), note(&key, second, lines[1]))])
        };
        list.take(&newest([5, 6])).unwrap();
        list.take(&newest([5, 9])).unwrap();
        list.take(&newest([5, 9])).unwrap();
        let text = fs::read_to_string(data.path().join("witnessed/machine.list")).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[2].starts_with("flagfall-journal/a_2/00bb 9 "));
        let leaves: Vec<_> = lines.iter().map(|line| leaf(line.as_bytes())).collect();
        let (size, shown) = list.checkpoint();
        let (log, checkpoint) = Checkpoint::read(&shown).unwrap();
        assert_eq!((size, &log), (3, &list.origin()));
        assert!(checkpoint.is_of(3, &inclusion(&leaves, 0).0) && checkpoint.is_signed_by(&log, &key.public()));
        let mut again = load();
        assert_eq!(again.checkpoint(), (size, shown));
        again.take(&newest([5, 9])).unwrap();
        assert_eq!(again.checkpoint().0, 3);
    }

    #[test]
    fn half_a_line_is_cut_off_and_a_bad_one_before_the_end_is_kept_aside() {
        let data = tempfile::tempdir().unwrap();
        let key = Key::of(data.path()).unwrap().key;
        let file = data.path().join("witnessed/machine.list");
        let one = |lines| BTreeMap::from([(String::from("1"), note(&key, "flagfall-journal/1/00aa", lines))]);
        let mut list = List::load(data.path(), key.clone()).unwrap();
        (1..4).for_each(|lines| list.take(&one(lines)).unwrap());
        let whole = fs::read(&file).unwrap();
        fs::write(&file, [&whole[..], b"flagfall-journal/1/00aa 4 AA"].concat()).unwrap();
        let mut list = List::load(data.path(), key.clone()).unwrap();
        assert_eq!(list.checkpoint().0, 3);
        list.take(&one(4)).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.lines().count() == 4 && text.lines().all(|line| entry(line.as_bytes()).is_some()), "{text}");
        assert!(!file.with_file_name(DAMAGED).exists());
        let bad = text.replacen(" 2 ", " 02 ", 1);
        fs::write(&file, &bad).unwrap();
        let mut list = List::load(data.path(), key.clone()).unwrap();
        assert_eq!(list.checkpoint().0, 1);
        assert_eq!(fs::read_to_string(file.with_file_name(DAMAGED)).unwrap(), bad);
        list.take(&one(5)).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 2);
    }

    #[test]
    fn with_a_new_journal_comes_the_end_of_those_before_it() {
        let data = tempfile::tempdir().unwrap();
        let key = Key::of(data.path()).unwrap().key;
        let folder = store::folder(data.path(), "1");
        fs::create_dir_all(&folder).unwrap();
        for (n, log) in ["00aa", "00bb", "00cc"].into_iter().enumerate() {
            let (open, mut chain, mut bytes) = (Open::for_test("1", log, &key.public()), Chain::default(), Vec::new());
            let name = origin(&open).unwrap();
            chain.write(&mut bytes, Mono::ZERO, &What::Open(Box::new(open)));
            for _ in 0..3 {
                let checkpoint = key.checkpoint(&name, &chain, Vec::new());
                chain.write(&mut bytes, Mono::ZERO, &What::Checkpoint(checkpoint));
            }
            fs::write(folder.join(format!("2026-11-21-{}.journal", n + 1)), bytes).unwrap();
        }
        let mut list = List::load_for(data.path(), &key);
        let newest = |log: &str, lines| BTreeMap::from([(String::from("1"), note(&key, &format!("flagfall-journal/1/{log}"), lines))]);
        list.take(&newest("00aa", 2)).unwrap();
        list.take(&newest("00cc", 1)).unwrap();
        let text = fs::read_to_string(data.path().join("witnessed/machine.list")).unwrap();
        let listed: Vec<_> = text.lines().map(|line| line.rsplit_once(' ').unwrap().0).collect();
        // Each last one is over the header and the two before it.
        let expected = ["aa 2", "aa 3", "bb 3", "cc 1"].map(|entry| format!("flagfall-journal/1/00{entry}"));
        assert_eq!(listed, expected);
    }

    #[test]
    fn only_an_entry_is_one() {
        let root = "qINS1GRFfWfa2wGsi2AHWABU0U3LVOz5Y2FeU1Iyrxw=";
        let (log, checkpoint) = entry(format!("flagfall-journal/7/9d3e 1233 {root}").as_bytes()).unwrap();
        assert_eq!((board_of(&log), checkpoint.size), (Some("7"), 1233));
        for wrong in [
            "",
            "flagfall-journal/7/9d3e 1 x",
            "flagfall/7/9d3e 1 ROOT",
            "flagfall-journal/7/9d3e +1 ROOT",
            "flagfall-journal/7/9d3e 1 ROOT ",
        ] {
            assert_eq!(entry(wrong.replace("ROOT", root).as_bytes()), None, "{wrong}");
        }
    }
}
