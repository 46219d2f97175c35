//! Lists that operators posted: kept over a restart, beside the lists that are read. A list that is read again and says what it said when they
//! were posted is older than they are; one that says something else is newer, and they are over.
use super::found::Posted;
use super::store::{self, put_aside};
use super::writing::Writing;
use crate::pairings::List;
use crate::pairings::files::FoundFile;
use flagfall_journal::store::read_small;
use flagfall_web::hub::Hub;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The file's name in the folder of journals.
pub(super) const FILE: &str = "pairings-posted.json";
/// The version that is written and read.
const VERSION: u32 = 1;
/// So many lists are kept at most, the newest ones; who posts more corrects a round again and again.
const LISTS: usize = 32;
/// So many bytes of them.
const BYTES: usize = 4 * 1024 * 1024;
/// It is written at once, and not more often than this.
const PAUSE: Duration = Duration::from_millis(250);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// The event they were posted for.
    event: String,
    /// In the order in which they were posted.
    lists: Vec<KeptList>,
    /// What each list that is read said last, by where it comes from.
    read: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptList {
    /// The round of lines that name none.
    round: Option<u32>,
    over_games: bool,
    /// The list as it was posted.
    text: String,
}

/// Lists that were posted.
pub(super) struct Posts {
    now: Kept,
    next: Arc<Mutex<Kept>>,
    pub(super) writing: Option<Writing>,
}

impl Posts {
    /// What was kept for this event. A file that cannot be read is set aside, and the operator is told.
    pub(super) fn load(folder: Option<PathBuf>, event: &str, hub: &Arc<Hub>) -> Self {
        let new = || Kept { version: VERSION, event: String::from(event), ..Kept::default() };
        let Some(folder) = folder else { return Self { now: new(), next: Arc::default(), writing: None } };
        let path = folder.join(FILE);
        let read = match read_small(&path) {
            Ok(bytes) => match serde_json::from_slice::<Kept>(&bytes) {
                Ok(kept) if kept.version == VERSION => Ok(kept),
                Ok(kept) => Err(format!("is of version {}", kept.version)),
                Err(error) => Err(format!("cannot be read ({error})")),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(new()),
            Err(error) => Err(error.to_string()),
        };
        let now = read.unwrap_or_else(|why| {
            let text =
                format!("{}; what was posted since the pairings were read last may be missing: post it again", put_aside(&path, &why));
            tracing::error!("{text}");
            hub.alarm("pairings-failing", FILE, Some(text));
            new()
        });
        let now = if now.event == event { now } else { new() };
        let next = Arc::new(Mutex::new(now.clone()));
        let kept = next.clone();
        let write = move || {
            let now = kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
            // Where nothing was ever posted there is no file.
            if now.lists.is_empty() && !folder.join(FILE).exists() {
                return Ok(());
            }
            let bytes = serde_json::to_vec(&now).map_err(|error| error.to_string())?;
            store::put(&folder, FILE, &bytes)
        };
        Self { now, next, writing: Some(Writing::start(hub, path.display().to_string(), PAUSE, write)) }
    }

    /// Something came that is read; whether it is an unchanged list, older than what was posted.
    pub(super) fn is_older(&mut self, found: &FoundFile) -> bool {
        let FoundFile::Pairings(about, Ok(list)) = found else { return false };
        let print = print(list);
        if self.now.read.get(about) == Some(&print) {
            return true;
        }
        self.now.read.insert(about.clone(), print);
        self.now.lists.clear();
        self.save();
        false
    }

    /// A list was posted and taken.
    pub(super) fn add(&mut self, posted: &Posted) {
        let Ok(text) = String::from_utf8(posted.bytes.clone()) else { return };
        self.now.lists.push(KeptList { round: posted.round, over_games: posted.over_games, text });
        while self.now.lists.len() > LISTS || self.now.lists.iter().map(|list| list.text.len()).sum::<usize>() > BYTES {
            self.now.lists.remove(0);
        }
        self.save();
    }

    /// Everything that was posted, the oldest first.
    pub(super) fn all(&self) -> Vec<Posted> {
        let posted =
            |list: &KeptList| Posted { bytes: list.text.clone().into_bytes(), round: list.round, dry: false, over_games: list.over_games };
        self.now.lists.iter().map(posted).collect()
    }

    /// Another event begins: nothing was posted for it.
    pub(super) fn follow(&mut self, event: &str) {
        if self.now.event != event {
            self.now = Kept { version: VERSION, event: String::from(event), ..Kept::default() };
            self.save();
        }
    }

    fn save(&self) {
        self.next.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&self.now);
        self.writing.iter().for_each(Writing::wake);
    }
}

/// The same for a list that says the same.
fn print(list: &List) -> String {
    let all = format!("{:?} {:?} {:?}", list.event, list.site, list.pairings);
    String::from(&blake3::hash(all.as_bytes()).to_hex()[..32])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairings::files::Role;
    use std::fs;

    fn read(text: &str) -> FoundFile {
        Role::Pairings.read(String::from("list.csv"), Ok(text.into()))
    }

    fn posted(text: &str) -> Posted {
        Posted { bytes: text.into(), round: Some(2), dry: false, over_games: true }
    }

    /// Everything is on the disk.
    async fn written(posts: &mut Posts) {
        posts.writing.take().unwrap().end().await;
    }

    #[tokio::test]
    async fn what_was_posted_outlives_the_process_until_another_list_is_read() {
        let (home, hub) = (tempfile::tempdir().unwrap(), Hub::new());
        let load = || Posts::load(Some(home.path().to_owned()), "u-1", &hub);
        let list = "board,white,black\n1,Adams,Baker\n";
        let mut posts = load();
        assert!(!posts.is_older(&read(list)), "it comes for the first time");
        posts.add(&posted("board,white,black\n1,Adams,Clark\n"));
        assert!(posts.is_older(&read(list)));
        written(&mut posts).await;
        let mut posts = load();
        assert!(posts.is_older(&read(list)));
        let all = posts.all();
        assert_eq!((all.len(), all[0].round, all[0].over_games, all[0].bytes.ends_with(b"Clark\n")), (1, Some(2), true, true));
        assert!(!posts.is_older(&read("board,white,black\n1,Adams,Davis\n")), "a newer one");
        assert!(posts.all().is_empty());
        posts.add(&posted("board,white,black\n1,Adams,Clark\n"));
        written(&mut posts).await;
        assert!(Posts::load(Some(home.path().to_owned()), "u-2", &hub).all().is_empty(), "another event");
    }

    #[tokio::test]
    async fn a_damaged_file_is_set_aside_and_said() {
        let (home, hub) = (tempfile::tempdir().unwrap(), Hub::new());
        fs::write(home.path().join(FILE), "{\"version\":1,\"ev").unwrap();
        let mut posts = Posts::load(Some(home.path().to_owned()), "u-1", &hub);
        assert!(posts.all().is_empty());
        let said = String::from_utf8(hub.hall_json()).unwrap();
        assert!(said.contains("pairings-failing") && said.contains("pairings-posted.json.damaged"), "{said}");
        posts.add(&posted("board,white,black\n1,Adams,Clark\n"));
        written(&mut posts).await;
        assert_eq!(fs::read_to_string(home.path().join("pairings-posted.json.damaged")).unwrap(), "{\"version\":1,\"ev");
        assert_eq!(Posts::load(Some(home.path().to_owned()), "u-1", &hub).all().len(), 1);
    }

    #[test]
    fn no_more_is_kept_than_has_a_place() {
        let mut posts = Posts::load(None, "u-1", &Hub::new());
        (0..LISTS + 5).for_each(|n| posts.add(&posted(&format!("board,white,black\n{n},Adams,Clark\n"))));
        assert_eq!(posts.all().len(), LISTS);
        posts.add(&Posted { bytes: vec![b'x'; BYTES + 1], ..posted("") });
        assert_eq!(posts.all().len(), 0, "one that has no place alone");
    }
}
