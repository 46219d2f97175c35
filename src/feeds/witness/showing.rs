//! One witness: requests by its protocol, what its answers mean, and patience.
use crate::bounded;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagfall_config::witness::Witness;
use flagfall_journal::checkpoint::verifier_key;
use flagfall_journal::cosigner::Cosigner;
use flagfall_journal::list::List;
use flagfall_journal::listed;
use flagfall_journal::trail::Trail;
use flagfall_journal::tree::Hash;
use flagfall_web::hub::Hub;
use reqwest::redirect::Policy;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;

/// The alarm's key.
pub(super) const FAILING: &str = "feed-failing";
/// The alarm of an older copy.
pub(super) const ROLLED_BACK: &str = "journal-rolled-back";
/// What to do about it.
pub(super) const TODO: &str =
    "Compare the moves with the score sheets, keep this machine's data folder as it is, and find out who had access to it";

/// It has this long to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The first pause; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Failed tries after which the operator is told.
const TRIES: u32 = 3;
/// How often it is asked again at once with the size that it says it has seen.
const SIZES: u32 = 3;
/// Bytes of an answer at most: a few lines.
const LONGEST: usize = 64 << 10;

/// What alarms call it.
pub(super) fn about(witness: &Cosigner) -> String {
    format!("witness {}", witness.name())
}

/// The list as it is shown.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// Its name as a log.
    origin: Arc<str>,
    /// How many entries.
    pub(super) size: u64,
    /// The signed note over them.
    note: Arc<str>,
}

impl Shown {
    pub(super) fn of(list: &List) -> Self {
        let (size, note) = list.checkpoint();
        Self { origin: list.origin().into(), size, note: note.into() }
    }
}

/// Why it has not seen what it was shown.
#[derive(Debug, PartialEq, Eq)]
enum Trouble {
    /// It may work later.
    Later(String),
    /// It does not until somebody does something.
    Refused(String),
    /// It has seen what this machine has not.
    Ahead(String),
}

/// What is shown to one witness.
pub(super) struct Showing {
    http: reqwest::Client,
    url: String,
    witness: Cosigner,
    name: String,
    data_dir: PathBuf,
    /// This machine's key, as a witness wants it.
    own: String,
    office: Weak<Hub>,
    trail: Arc<Mutex<Trail>>,
}

impl Showing {
    pub(super) fn new(witness: &Witness, data_dir: &Path, public: &str, office: Weak<Hub>) -> Result<Self, String> {
        crate::tls_provider();
        let http = reqwest::Client::builder()
            .user_agent(concat!("flagfall/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .timeout(PATIENCE)
            .build()
            .map_err(|error| format!("no requests can be made: {error}"))?;
        let name = about(&witness.key);
        if let Some(hub) = office.upgrade() {
            hub.metrics().publisher(&name);
        }
        Ok(Self {
            http,
            url: format!("{}/add-checkpoint", witness.url.trim_end_matches('/')),
            witness: witness.key.clone(),
            name,
            data_dir: data_dir.to_owned(),
            own: verifier_key(public).unwrap_or_default(),
            office,
            trail: Arc::new(Mutex::new(Trail::of(data_dir))),
        })
    }

    /// Shows what comes, the newest alone, for ever; what there is at once.
    pub(super) async fn run(self, mut news: watch::Receiver<Shown>) {
        let (mut pause, mut tries) = (FIRST_PAUSE, 0_u32);
        let mut seen = None;
        loop {
            let shown = news.borrow_and_update().clone();
            let known = match seen.take() {
                Some(known) => known,
                None => self.kept(&shown.origin).await,
            };
            let (now, came) = self.show(&shown, known).await;
            seen = Some(now);
            if let Some(hub) = self.office.upgrade() {
                hub.metrics().delivery(&self.name, came.is_ok());
            }
            let trouble = match came {
                Ok(()) => {
                    (pause, tries) = (FIRST_PAUSE, 0);
                    self.tell(FAILING, None);
                    if news.changed().await.is_err() {
                        return;
                    }
                    continue;
                }
                Err(trouble) => trouble,
            };
            tries = tries.saturating_add(1);
            match trouble {
                Trouble::Later(why) if tries >= TRIES => self.tell(FAILING, Some(format!("{why}; it is tried again and again"))),
                Trouble::Later(_) => {}
                Trouble::Refused(why) => self.tell(FAILING, Some(why)),
                Trouble::Ahead(why) => {
                    self.tell(FAILING, None);
                    // It stands until the next start: what it says does not become untrue.
                    self.tell(ROLLED_BACK, Some(format!("{why}. {TODO}")));
                }
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn kept(&self, origin: &str) -> u64 {
        let (data_dir, witness, origin) = (self.data_dir.clone(), self.witness.clone(), String::from(origin));
        tokio::task::spawn_blocking(move || listed::seen(&data_dir, &witness, &origin)).await.unwrap_or(0)
    }

    /// Shows the list to a witness that has seen so much of it; how much it has seen then.
    async fn show(&self, shown: &Shown, mut seen: u64) -> (u64, Result<(), Trouble>) {
        for _ in 0..SIZES {
            // Nothing leads from more to less: it is asked what it has seen.
            let old = if seen > shown.size { 0 } else { seen };
            let way = match self.way(old, shown.size).await {
                Ok(way) => way,
                Err(error) => return (seen, Err(Trouble::Later(format!("the list cannot be read: {error}")))),
            };
            match self.ask(&request(old, &way, &shown.note)).await {
                Ok((200, body)) => match self.keep(shown, &body).await {
                    Ok(()) => return (shown.size, Ok(())),
                    Err(trouble) => return (seen, Err(trouble)),
                },
                Ok((409, body)) => match judge(&self.name, (old, shown.size), &body) {
                    Ok(size) => seen = size,
                    Err(trouble) => return (seen, Err(trouble)),
                },
                // Whether a log may be empty every witness decides for itself; it has said that it has seen no more.
                Ok((400 | 422, _)) if shown.size == 0 => return (0, Ok(())),
                Ok((status, _)) => return (seen, Err(self.refused(status))),
                Err(trouble) => return (seen, Err(trouble)),
            }
        }
        (seen, Err(Trouble::Later(String::from("it says another size each time; look whether another machine signs with this one's key"))))
    }

    async fn way(&self, seen: u64, size: u64) -> io::Result<Vec<Hash>> {
        let trail = self.trail.clone();
        let made = move || trail.lock().unwrap_or_else(PoisonError::into_inner).goes_on(seen, size);
        tokio::task::spawn_blocking(made).await.map_err(io::Error::other)?
    }

    async fn ask(&self, request: &str) -> Result<(u16, String), Trouble> {
        // Without its address: it may hold a secret.
        let failed = |error: reqwest::Error| Trouble::Later(format!("no answer: {}", error.without_url()));
        let mut answer = self.http.post(&self.url).body(String::from(request)).send().await.map_err(failed)?;
        let body = bounded::body(&mut answer, LONGEST).await.map_err(|unread| match unread {
            bounded::Unread::TooLong => Trouble::Later(String::from("its answer has no end; is this the right address?")),
            bounded::Unread::Broken(error) => failed(error),
        })?;
        Ok((answer.status().as_u16(), String::from_utf8_lossy(&body).into_owned()))
    }

    fn refused(&self, status: u16) -> Trouble {
        let own = &self.own;
        match status {
            403 => Trouble::Refused(format!("it knows another key under this machine's name; give whoever runs it this one: {own}")),
            404 => Trouble::Refused(format!(
                "it does not know this machine, or takes no checkpoints at this address; give whoever runs it this machine's key: {own}"
            )),
            422 => Trouble::Ahead(format!(
                "{} has seen other entries of this machine's list than stand in it: it was written anew, or another machine signs with the same key",
                self.name
            )),
            408 | 425 | 429 | 500.. => Trouble::Later(format!("it answers {status}")),
            _ => Trouble::Refused(format!("it answers {status}; check url")),
        }
    }

    /// Keeps the note with the witness's line under it.
    async fn keep(&self, shown: &Shown, body: &str) -> Result<(), Trouble> {
        let Some((line, _)) = self.witness.line_under(&shown.note, body) else {
            let text = "what it answers is not signed with the key of [[witness]]: compare that with the witness's own";
            return Err(Trouble::Refused(String::from(text)));
        };
        // Of nothing nobody wants a proof.
        if shown.size == 0 {
            return Ok(());
        }
        let (data_dir, witness, note) = (self.data_dir.clone(), self.witness.clone(), format!("{}{line}\n", shown.note));
        match tokio::task::spawn_blocking(move || listed::keep(&data_dir, &witness, &note)).await {
            Ok(Err(error)) => Err(Trouble::Later(format!("what it has seen cannot be kept: {error}; look at the disk"))),
            _ => Ok(()),
        }
    }

    fn tell(&self, key: &str, text: Option<String>) {
        if let Some(hub) = self.office.upgrade() {
            hub.alarm(key, &self.name, text);
        }
    }
}

/// The body of a request.
fn request(old: u64, way: &[Hash], note: &str) -> String {
    let hashes: String = way.iter().flat_map(|hash| [STANDARD.encode(hash), String::from("\n")]).collect();
    format!("old {old}\n{hashes}\n{note}")
}

/// What a conflict means: how much the witness has seen, where the list goes on from there.
fn judge(name: &str, (old, size): (u64, u64), body: &str) -> Result<u64, Trouble> {
    match body.trim_end().parse::<u64>() {
        Ok(seen) if seen > size => Err(Trouble::Ahead(format!(
            "{name} has seen {seen} entries of this machine's list, which has {size}: an older copy was put back, or another machine signs with the same key"
        ))),
        Ok(seen) if seen == old && old == size => Err(Trouble::Ahead(format!(
            "{name} has seen {seen} other entries of this machine's list: it was written anew, or another machine signs with the same key"
        ))),
        Ok(seen) if seen != old => Ok(seen),
        _ => Err(Trouble::Later(String::from("it answers 409 without a size that fits"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_as_the_standard_has_it() {
        let note = "log\n3\nroot\n\n\u{2014} log AAAA\n";
        assert_eq!(request(0, &[], note), format!("old 0\n\n{note}"));
        let (zeros, ones) = ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=");
        assert_eq!(request(2, &[[0; 32], [1; 32]], note), format!("old 2\n{zeros}\n{ones}\n\n{note}"));
    }

    #[test]
    fn a_conflict_is_a_size_to_go_on_from_or_one_that_this_machine_never_had() {
        let judge = |old, size, body| judge("witness w", (old, size), body);
        assert_eq!(judge(0, 9, "5\n"), Ok(5));
        assert_eq!(judge(7, 9, "5\n"), Ok(5), "it went back; that is its own matter");
        assert_eq!(judge(5, 9, "0\n"), Ok(0));
        assert!(matches!(judge(0, 4, "5\n"), Err(Trouble::Ahead(_))));
        assert!(matches!(judge(5, 5, "5\n"), Err(Trouble::Ahead(_))), "as many, and other ones");
        assert!(matches!(judge(5, 9, "5\n"), Err(Trouble::Later(_))));
        assert!(matches!(judge(5, 9, "<html>"), Err(Trouble::Later(_))));
    }
}
