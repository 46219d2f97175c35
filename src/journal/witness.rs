//! What others keep of this machine's checkpoints: whoever puts an older copy of a journal in its place, or writes another one with the machine's own
//! key, cannot take back what was seen elsewhere.
//!
//! A witness puts its own line under the note (c2sp.org/tlog-cosignature): when it saw that checkpoint of that log.
use super::checkpoint::{Checkpoint, fingerprint, origin};
use super::key::Key;
use super::read::{self, Lines};
pub(super) use super::shown::FOLDER;
use super::shown::{Shown, append};
use super::store;
use super::tree::{Hash, is_beginning};
use super::vouched::Earlier;
use super::what::What;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// How the name of such a file ends.
pub const EXTENSION: &str = "notes";

/// Whether a journal has what was seen of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// It has.
    Yes,
    /// It has fewer lines than were seen.
    Shorter(u64),
    /// Its lines are other ones.
    Other,
}

/// Whether a journal with that name as a log has this checkpoint.
fn held(journal: &Path, checkpoint: &Checkpoint) -> io::Result<Held> {
    let mut lines = Lines::new(read::open(journal)?);
    while lines.so_far().lines() < checkpoint.size {
        if !matches!(lines.next(), Some(Ok(_))) {
            return Ok(Held::Shorter(lines.so_far().lines()));
        }
    }
    let same = checkpoint.is_of(lines.so_far().lines(), &lines.so_far().root());
    Ok(if same { Held::Yes } else { Held::Other })
}

/// The name of a journal as a log, from its first line.
pub(super) fn log_of(journal: &Path) -> Option<String> {
    let mut lines = Lines::new(read::open(journal).ok()?);
    match lines.next()?.ok()?.what().ok()? {
        What::Open(open) => origin(&open),
        _ => None,
    }
}

/// What others have seen and is not here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// In words.
    pub why: String,
    /// The whole journal is missing.
    pub whole: bool,
}

/// Looks in a board's journals for what was seen of them elsewhere. Blocks.
///
/// # Errors
/// A journal that cannot be read.
pub fn missing(data_dir: &Path, board: &str, note: &str) -> io::Result<Option<Missing>> {
    let Ok((log, checkpoint)) = Checkpoint::read(note) else { return Ok(None) };
    missing_in(&store::journals(data_dir, board)?, &log, &checkpoint)
}

/// Whether a key of this machine signed the note: this one (hex), or one before it.
pub fn is_signed_by_own(data_dir: &Path, note: &str, own: &str) -> bool {
    let Ok((log, checkpoint)) = Checkpoint::read(note) else { return false };
    [own].into_iter().chain(Earlier::of(data_dir, own).keys()).any(|key| checkpoint.is_signed_by(&log, key))
}

/// The same among these journals, the newest last.
pub(super) fn missing_in(journals: &[PathBuf], log: &str, checkpoint: &Checkpoint) -> io::Result<Option<Missing>> {
    let size = checkpoint.size;
    for path in journals.iter().rev() {
        if log_of(path).as_deref() == Some(log) {
            let shown = path.display();
            let why = match held(path, checkpoint)? {
                Held::Yes => None,
                Held::Shorter(lines) => Some(format!("{shown} had {size} lines that were seen elsewhere, and has {lines} that stand")),
                Held::Other => Some(format!("{shown}: its first {size} lines are other ones than were seen elsewhere")),
            };
            return Ok(why.map(|why| Missing { why, whole: false }));
        }
    }
    Ok(Some(Missing { why: format!("the journal {log}, of which {size} lines were seen elsewhere, is not here"), whole: true }))
}

/// Keeps the newest that others have seen of a board, in place of what they had seen before. Blocks.
///
/// # Errors
/// It cannot be written.
pub fn keep_latest(data_dir: &Path, board: &str, note: &str) -> io::Result<()> {
    let folder = data_dir.join(FOLDER);
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{}.{EXTENSION}", store::plain(board)));
    let new = file.with_extension("new");
    std::fs::write(&new, format!("{note}\n"))?;
    std::fs::rename(new, file)
}

/// A checkpoint that was not seen before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct New {
    /// It is kept like this: with the witness's own line.
    pub note: String,
    /// Another key signed it than the last one, in words.
    pub other_key: Option<String>,
}

/// What was seen of one board's journals, each newest checkpoint behind the ones before it, in the data folder of whoever saw them.
///
/// A board may go from one machine to another and come back: each machine, known by its key, has a journal of its own that goes on.
#[derive(Debug)]
pub struct Seen {
    file: PathBuf,
    /// By the short names of the keys.
    by: BTreeMap<String, Signed>,
    /// The key that signed what was seen last.
    signer: Option<String>,
    shown: Shown,
}

/// The machine that shows a checkpoint.
#[derive(Clone, Copy, Debug)]
pub struct Shower<'a> {
    /// Its name.
    pub pi: &'a str,
    /// The public key that it says is its own, hex.
    pub key: &'a str,
}

/// What one key has signed.
#[derive(Debug)]
struct Signed {
    /// The log that was seen last, and how much of it.
    last: (String, Checkpoint),
    /// The same as it is kept, with the witness's own line.
    note: String,
    /// The logs before it.
    earlier: Vec<String>,
}

impl Seen {
    /// What was seen so far; nothing where nothing was kept.
    pub fn load(data_dir: &Path, board: &str) -> Self {
        let file = data_dir.join(FOLDER).join(format!("{}.{EXTENSION}", store::plain(board)));
        let mut seen = Self { file, by: BTreeMap::new(), signer: None, shown: Shown::load(data_dir, board) };
        let text = store::read_small(&seen.file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        for note in notes(&text) {
            let signer = note.split("\n\n\u{2014} ").nth(1).and_then(|signed| signed.split(' ').next()).map(String::from);
            if let (Ok((log, checkpoint)), Some(signer)) = (Checkpoint::read(&note), signer) {
                seen.put(signer, (log, checkpoint), note);
            }
        }
        seen
    }

    fn put(&mut self, signer: String, last: (String, Checkpoint), note: String) {
        // A log that goes on under another key is still the same one.
        let same = self.by.iter().find(|(_, signed)| signed.last.0 == last.0).map(|(key, _)| key.clone());
        let mut earlier = Vec::new();
        for before in [same.as_ref(), Some(&signer)].into_iter().flatten().filter_map(|key| self.by.remove(key)) {
            earlier.extend(before.earlier);
            earlier.extend(Some(before.last.0).filter(|log| *log != last.0));
        }
        self.by.insert(signer.clone(), Signed { last, note, earlier });
        self.signer = Some(signer);
    }

    fn newest(&self) -> Option<&Signed> {
        self.by.get(self.signer.as_ref()?)
    }

    /// How many lines of which log were seen last.
    pub fn last(&self) -> Option<(&str, u64)> {
        self.newest().map(|signed| (signed.last.0.as_str(), signed.last.1.size))
    }

    /// The machine that showed it.
    pub fn pi(&self) -> Option<&str> {
        self.shown.last()
    }

    /// What was seen last, as it is kept.
    pub fn note(&self) -> Option<&str> {
        self.newest().map(|signed| signed.note.as_str())
    }

    /// A machine shows a checkpoint, as one that its key signed; `way` is what shows that it goes on from its first so many lines (RFC 9162, 2.1.4). `Ok(None)`: it
    /// was seen already, or how it goes on from what was seen last was not shown yet: the machine goes by what another witness saw. A new one is kept, with
    /// the witness's own line under it. Blocks.
    ///
    /// # Errors
    /// In words: it contradicts what was seen before. That is not kept.
    pub fn take(&mut self, note: &str, way: Option<(u64, &[Hash])>, by: Shower<'_>, witness: &Key) -> Result<Option<New>, String> {
        let Shower { pi, key } = by;
        let (log, checkpoint) = Checkpoint::read(note)?;
        if !checkpoint.is_signed_by(&log, key) {
            return Err(format!("a checkpoint of {log} is not signed with the key {key}, which its machine says is its own"));
        }
        let signer = fingerprint(key);
        if self.by.get(&signer).is_some_and(|signed| signed.earlier.contains(&log)) {
            return Err(format!("{log} is shown again, and had ended: an older copy was put back"));
        }
        if self.shown.had_ended(pi, &log) {
            return Err(format!("{pi} shows {log} again, and had gone on with another journal: an older copy was put back"));
        }
        if let Some((_, last)) = self.by.values().map(|signed| &signed.last).find(|(before, _)| *before == log) {
            let (Some(was), Some(is)) = (last.root(), checkpoint.root()) else { return Err(format!("{log}: a root is no hash")) };
            if checkpoint.size < last.size {
                let (had, has) = (last.size, checkpoint.size);
                return Err(format!("{log} had {had} lines and is shown with {has}: its end was cut off, or an older copy was put back"));
            }
            if checkpoint.size == last.size {
                return if was == is { Ok(None) } else { Err(format!("{log}: its first {} lines are other ones now", last.size)) };
            }
            let Some((_, way)) = way.filter(|(from, _)| *from == last.size) else { return Ok(None) };
            if !is_beginning((last.size, &was), (checkpoint.size, &is), way) {
                return Err(format!("{log}: its first {} lines are other ones now, signed anew", last.size));
            }
        }
        let countersigned = format!("{note}{}", witness.countersigned(&checkpoint, &log, flagfall_time::now()));
        if let Err(error) = append(&self.file, &countersigned).and_then(|()| self.shown.take(pi, &log)) {
            tracing::warn!("{}: what was seen cannot be kept: {error}", self.file.display());
        }
        let before = self.signer.clone().filter(|before| *before != signer);
        self.put(signer.clone(), (log, checkpoint), countersigned.clone());
        let other_key = before.map(|before| format!("its journal is signed with the key {signer}, and the one before was with {before}"));
        Ok(Some(New { note: countersigned, other_key }))
    }
}

/// The notes of a file, one behind the other with an empty line after each.
pub fn notes(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split("\n\n").collect();
    parts.chunks_exact(2).map(|part| format!("{}\n\n{}\n", part[0].trim_start_matches('\n'), part[1].trim_end_matches('\n'))).collect()
}

/// Which of these notes a journal should have and has not, in words.
pub fn contradicted(journal: &[u8], notes: &[(String, Checkpoint)]) -> Option<String> {
    let mut lines = Lines::new(journal);
    let mut due: Vec<&Checkpoint> = Vec::new();
    loop {
        let so_far = lines.so_far();
        while let Some(checkpoint) = due.last().filter(|checkpoint| checkpoint.size == so_far.lines()) {
            if !checkpoint.is_of(so_far.lines(), &so_far.root()) {
                return Some(format!("its first {} lines are other ones than were witnessed", checkpoint.size));
            }
            due.pop();
        }
        let Some(Ok(line)) = lines.next() else { break };
        if line.key == "open"
            && let Ok(What::Open(open)) = line.what()
        {
            let log = origin(&open);
            due = notes.iter().filter(|(of, _)| Some(of) == log.as_ref()).map(|(_, checkpoint)| checkpoint).collect();
            due.sort_by_key(|checkpoint| std::cmp::Reverse(checkpoint.size));
        }
    }
    let longest = due.first()?;
    Some(format!(
        "{} lines of it were witnessed, and {} stand: its end was cut off, or an older copy put back",
        longest.size,
        lines.so_far().lines()
    ))
}

/// The witnessed checkpoints in a file.
pub fn read(text: &str) -> Vec<(String, Checkpoint)> {
    notes(text).iter().filter_map(|note| Checkpoint::read(note).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chain;
    use crate::tree::{consistency, leaf};
    use flagfall_events::Mono;

    /// A log of so many lines, one of which may be another one: the leaves, and the chain after each.
    fn lines(count: usize, other: Option<usize>) -> (Vec<Hash>, Vec<Chain>) {
        let (mut bytes, mut chain, mut chains) = (Vec::new(), Chain::default(), Vec::new());
        for n in 0..count {
            let value = if other == Some(n) { "\"ff\"" } else { "\"00\"" };
            chain.write_raw(&mut bytes, Mono::from_millis(n as u64), "in", value);
            chains.push(chain);
        }
        let leaves = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(leaf).collect();
        (leaves, chains)
    }

    #[test]
    fn what_goes_on_is_countersigned_and_kept_and_what_does_not_is_named() {
        let (own, hall) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (key, witness) = (Key::of(own.path()).unwrap().key, Key::of(hall.path()).unwrap().key);
        let (public, other_public) = (key.public(), witness.public());
        let (pi_1, pi_2) = (Shower { pi: "pi-1", key: &public }, Shower { pi: "pi-2", key: &other_public });
        let (leaves, chains) = lines(40, None);
        let (forged, forged_chains) = lines(40, Some(3));
        let note = |log: &str, chain: &Chain, key: &Key| key.checkpoint(log, chain, Vec::new()).note(log, &key.public());
        let (first, second, third) = ("flagfall-journal/1/00aa", "flagfall-journal/1/00bb", "flagfall-journal/1/00cc");
        let mut seen = Seen::load(hall.path(), "1");
        let new = seen.take(&note(first, &chains[9], &key), None, pi_1, &witness).unwrap().unwrap();
        assert!(new.note.matches('\u{2014}').count() == 2 && new.other_key.is_none());
        // Seen already; not shown yet how it goes on; shown.
        assert_eq!(seen.take(&note(first, &chains[9], &key), None, pi_1, &witness), Ok(None));
        assert_eq!(seen.take(&note(first, &chains[29], &key), None, pi_1, &witness), Ok(None));
        let way = consistency(&leaves[..30], 10);
        assert!(seen.take(&note(first, &chains[29], &key), Some((10, &way)), pi_1, &witness).unwrap().is_some());
        // What was kept is known to the next process.
        let mut seen = Seen::load(hall.path(), "1");
        assert_eq!(seen.last(), Some((first, 30)));
        let mut refused = |note: &str, way: Option<(u64, &[Hash])>| seen.take(note, way, pi_1, &witness).unwrap_err();
        assert!(refused(&note(first, &chains[19], &key), None).contains("had 30 lines and is shown with 20"));
        assert!(refused(&note(first, &forged_chains[29], &key), None).contains("other ones now"));
        let way = consistency(&forged, 30);
        assert!(refused(&note(first, &forged_chains[39], &key), Some((30, &way))).contains("signed anew"), "who has the key, too");
        let other = consistency(&leaves[..40], 20);
        assert!(refused(&note(first, &chains[39], &witness), None).contains("is not signed with the key"));
        // Another witness had seen fewer lines, and the machine goes by that: it proves nothing here, and accuses nobody.
        assert_eq!(seen.take(&note(first, &chains[39], &key), Some((20, &other)), pi_1, &witness), Ok(None));
        assert_eq!(seen.last(), Some((first, 30)), "what contradicts is not kept");
        assert!(seen.note().is_some_and(|note| note.contains("\n30\n")));
        // Another machine has the board, with its own key; then it comes back, and its journal goes on from where that one was.
        let new = seen.take(&note(second, &chains[4], &witness), None, pi_2, &witness).unwrap().unwrap();
        assert!(new.other_key.is_some_and(|told| told.contains(&fingerprint(&public))));
        let mut seen = Seen::load(hall.path(), "1");
        let back = seen.take(&note(first, &chains[19], &key), None, pi_1, &witness).unwrap_err();
        assert!(back.contains("had 30 lines and is shown with 20"), "{back}");
        let way = consistency(&leaves[..40], 30);
        let new = seen.take(&note(first, &chains[39], &key), Some((30, &way)), pi_1, &witness).unwrap().unwrap();
        assert!(new.other_key.is_some() && seen.last() == Some((first, 40)));
        // Its next journal; then the one before it again.
        assert!(seen.take(&note(third, &chains[4], &key), None, pi_1, &witness).unwrap().is_some_and(|new| new.other_key.is_none()));
        let again = Seen::load(hall.path(), "1").take(&note(first, &chains[39], &key), None, pi_1, &witness).unwrap_err();
        assert!(again.contains("an older copy was put back"), "{again}");
    }

    #[test]
    fn a_machine_that_goes_back_past_a_change_of_its_key_is_named_and_another_machine_is_not() {
        let [first, second, hall] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let [old, new, witness] = [&first, &second, &hall].map(|folder| Key::of(folder.path()).unwrap().key);
        let (_, chains) = lines(40, None);
        let note = |log: &str, chain: &Chain, key: &Key| key.checkpoint(log, chain, Vec::new()).note(log, &key.public());
        let (before, after) = ("flagfall-journal/1/00aa", "flagfall-journal/1/00bb");
        let [old_key, new_key] = [&old, &new].map(Key::public);
        let by = |pi, key| Shower { pi, key };
        let mut seen = Seen::load(hall.path(), "1");
        assert!(seen.take(&note(before, &chains[9], &old), None, by("pi-1", &old_key), &witness).unwrap().is_some());
        // An empty card, with a new key.
        let taken = seen.take(&note(after, &chains[4], &new), None, by("pi-1", &new_key), &witness).unwrap();
        assert!(taken.is_some_and(|taken| taken.other_key.is_some()));
        // The card before it, as it was or grown since; also for the next process of the hall.
        for chain in [&chains[9], &chains[19]] {
            let mut seen = Seen::load(hall.path(), "1");
            let again = seen.take(&note(before, chain, &old), None, by("pi-1", &old_key), &witness).unwrap_err();
            assert!(again.contains("pi-1 shows flagfall-journal/1/00aa again"), "{again}");
        }
        // The same card in another machine, which never showed it, is no older copy of that one's.
        let mut seen = Seen::load(hall.path(), "1");
        assert_eq!(seen.pi(), Some("pi-1"));
        assert_eq!(seen.take(&note(before, &chains[9], &old), None, by("pi-2", &old_key), &witness), Ok(None));
    }

    #[test]
    fn a_log_that_goes_on_under_a_key_that_has_a_log_keeps_what_both_had_ended() {
        let [first, second, hall] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let [one, other, witness] = [&first, &second, &hall].map(|folder| Key::of(folder.path()).unwrap().key);
        let (leaves, chains) = lines(40, None);
        let log = |n: u8| format!("flagfall-journal/1/000{n}");
        let note = |n: u8, chain: &Chain, key: &Key| key.checkpoint(&log(n), chain, Vec::new()).note(&log(n), &key.public());
        let mut seen = Seen::load(hall.path(), "1");
        let [one_key, other_key] = [&one, &other].map(Key::public);
        for (n, pi, key, public) in [(1, "pi-1", &one, &one_key), (2, "pi-1", &one, &one_key), (3, "pi-2", &other, &other_key)] {
            assert!(seen.take(&note(n, &chains[9], key), None, Shower { pi, key: public }, &witness).unwrap().is_some());
        }
        // The second log goes on, signed with the other key.
        let way = consistency(&leaves[..20], 10);
        let by = Shower { pi: "pi-3", key: &other_key };
        assert!(seen.take(&note(2, &chains[19], &other), Some((10, &way)), by, &witness).unwrap().is_some());
        for n in [1, 3] {
            let again = Seen::load(hall.path(), "1").take(&note(n, &chains[9], &other), None, by, &witness).unwrap_err();
            assert!(again.contains("had ended"), "{again}");
        }
    }
}
