//! Boards that nobody named: looks at the ports again and again, asks each who it is, and keeps what answers as a board.
use super::bus;
use super::discovery::{self, Candidate};
use super::event::Events;
use super::identity::Identity;
use super::open::OpenError;
use super::serial::Connection;
use super::startup::Loss;
use dgt_protocol::bus::BusAddress;
use flagfall_time::Stopwatch;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How often the ports are looked at.
const SCAN: Duration = Duration::from_secs(1);
/// A silent port may be a board that is switched off: asked again after so many scans.
const MUTE_REST: u32 = 30;
/// A port that cannot be opened.
const SHUT_REST: u32 = 5;

/// Gives the channel to the task of the board with this name on this port; makes the task where there is none.
pub type Attach = Arc<dyn Fn(&str, &Path) -> Events + Send + Sync>;

/// What is watched, and for whom.
#[derive(Clone)]
pub struct Watch {
    /// The folder of devices, `/dev`.
    pub dev: PathBuf,
    /// Where the kernel tells about devices, `/sys`.
    pub sys: PathBuf,
    /// Ports that others look after.
    pub named: Vec<PathBuf>,
    /// Names that are taken.
    pub taken: HashSet<String>,
    /// Stamps bytes.
    pub stopwatch: Stopwatch,
    /// Where a board that answers goes.
    pub attach: Attach,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("dev", &self.dev).field("named", &self.named).finish_non_exhaustive()
    }
}

/// A port as the watch knows it.
#[derive(Debug)]
enum Port {
    /// Seen so many scans ago, not asked yet.
    Resting(u32),
    /// Somebody talks to it.
    Busy(CancellationToken),
    /// Not a board; asked again when it was unplugged.
    Other,
}

/// How a talk with a port ended.
enum End {
    Shut(OpenError),
    Refused(Loss),
    /// Several boards share it.
    Line(Vec<BusAddress>),
    Lost(Loss),
    Stopped,
}

type PortKey = (PathBuf, u64);

/// Watches until `token` is cancelled, then lets every connection end.
pub async fn watch(watch: Watch, token: &CancellationToken) {
    let live = Arc::new(Mutex::new(HashSet::new()));
    let (ended, mut ends) = tokio::sync::mpsc::unbounded_channel::<(PortKey, End)>();
    let mut ports: HashMap<PortKey, Port> = HashMap::new();
    let mut told: HashMap<PortKey, String> = HashMap::new();
    let tracker = TaskTracker::new();
    let mut blind = false;
    loop {
        let found = discovery::candidates(&watch.dev, &watch.sys);
        if let Err(error) = &found
            && !blind
        {
            tracing::warn!("{}: cannot look for boards: {error}", watch.dev.display());
        }
        blind = found.is_err();
        let found: HashMap<PortKey, Candidate> = found.unwrap_or_default().into_iter().map(|c| ((c.node.clone(), c.inode), c)).collect();
        ports.retain(|key, port| found.contains_key(key) || matches!(port, Port::Busy(_)));
        told.retain(|key, _| ports.contains_key(key));
        for (key, candidate) in &found {
            if discovery::is_named(candidate, &watch.named) {
                // Its stable name may have come later than the node.
                if let Some(Port::Busy(talk)) = ports.get(key) {
                    talk.cancel();
                }
                continue;
            }
            // A new port is left alone for one scan: its permissions and its stable name come a moment after the node.
            let port = ports.entry(key.clone()).or_insert(Port::Resting(2));
            if let Port::Resting(scans) = port {
                *scans = scans.saturating_sub(1);
                if *scans == 0 {
                    let talk = token.child_token();
                    *port = Port::Busy(talk.clone());
                    let (watch, candidate, live, ended, key) = (watch.clone(), candidate.clone(), live.clone(), ended.clone(), key.clone());
                    tracker.spawn(async move {
                        // A panic in here must not leave the port busy for ever.
                        let talking = tokio::spawn(async move { talk_to(&candidate, &watch, &live, &talk).await });
                        let end = talking.await.unwrap_or(End::Stopped);
                        // The watch outlives its talks, except when all ends.
                        let _ = ended.send((key, end));
                    });
                }
            }
        }
        let pause = tokio::time::sleep(SCAN);
        tokio::pin!(pause);
        loop {
            tokio::select! {
                () = token.cancelled() => {
                    tracker.close();
                    tracker.wait().await;
                    return;
                }
                () = &mut pause => break,
                Some((key, end)) = ends.recv() => {
                    let (rest, news) = match end {
                        End::Shut(OpenError::Missing) | End::Stopped => (Port::Resting(1), None),
                        // Somebody can do something about it; what is no board is nobody's business.
                        End::Shut(error) => (Port::Resting(SHUT_REST), Some((error.to_string(), true))),
                        End::Line(boards) => (Port::Other, Some((a_line(&key.0, &boards), true))),
                        End::Refused(Loss::NotABoard) => (Port::Other, Some((Loss::NotABoard.to_string(), false))),
                        End::Refused(loss) => (Port::Resting(MUTE_REST), Some((loss.to_string(), false))),
                        End::Lost(loss) => {
                            tracing::warn!("{}: {loss}", key.0.display());
                            (Port::Resting(1), None)
                        }
                    };
                    if let Some((news, warn)) = news
                        && told.get(&key) != Some(&news)
                    {
                        if warn {
                            tracing::warn!("{}: {news}", key.0.display());
                        } else {
                            tracing::info!("{}: {news}", key.0.display());
                        }
                        told.insert(key.clone(), news);
                    }
                    ports.insert(key, rest);
                }
            }
        }
    }
}

/// One talk: open, ask, and run as the board that answers until it is lost.
async fn talk_to(candidate: &Candidate, watch: &Watch, live: &Mutex<HashSet<String>>, token: &CancellationToken) -> End {
    let asking = async {
        let mut connection = Connection::open(&candidate.path, watch.stopwatch).await.map_err(End::Shut)?;
        let identity = connection.identify().await.map_err(End::Refused)?.clone();
        Ok((connection, identity))
    };
    let (connection, identity) = tokio::select! {
        () = token.cancelled() => return End::Stopped,
        asked = asking => match asked {
            Ok(asked) => asked,
            Err(end) => return unless_a_line(end, candidate, watch, token).await,
        },
    };
    let name = Name::take(&identity, candidate, watch, live);
    tracing::info!(board = name.name, port = %candidate.path.display(), "a board answers");
    let events = (watch.attach)(&name.name, candidate.stable());
    let end = connection.run(&events, token).await.map_or(End::Stopped, End::Lost);
    unless_a_line(end, candidate, watch, token).await
}

/// What answers, but not as a board, may be several on one line.
async fn unless_a_line(end: End, candidate: &Candidate, watch: &Watch, token: &CancellationToken) -> End {
    let (End::Refused(loss) | End::Lost(loss)) = &end else { return end };
    if !bus::may_be_a_line(&candidate.path, loss) {
        return end;
    }
    tokio::select! {
        () = token.cancelled() => End::Stopped,
        asked = bus::bring_back(&candidate.path, watch.stopwatch) => match asked {
            Ok(asked) if !asked.boards.is_empty() => End::Line(asked.boards.into_keys().collect()),
            Ok(_) => end,
            // What it is was never learned: it is asked again.
            Err(error) => End::Shut(error),
        },
    }
}

/// What to do about a line that nobody named.
fn a_line(port: &Path, boards: &[BusAddress]) -> String {
    let addresses: Vec<String> = boards.iter().map(|address| address.number().to_string()).collect();
    format!(
        "boards share this line in bus mode (addresses {}); they are not read until the configuration says so: [[bus]] with path = \"{}\", then restart flagfall",
        addresses.join(", "),
        port.display()
    )
}

/// A name that is in use as long as this lives.
struct Name<'a> {
    name: String,
    live: &'a Mutex<HashSet<String>>,
}

impl<'a> Name<'a> {
    /// The serial number, which stays the same over ports; else the port's name.
    fn take(identity: &Identity, candidate: &Candidate, watch: &Watch, live: &'a Mutex<HashSet<String>>) -> Self {
        let mut used = live.lock().unwrap_or_else(PoisonError::into_inner);
        let serials = [&identity.serial, &identity.long_serial].into_iter().flatten();
        // Some boards were never given a number.
        let serials = serials.filter(|serial| serial.bytes().any(|b| b != b'0')).cloned();
        let port = candidate.name();
        let mut names = serials.chain([port.clone()]).chain((2..).map(|n| format!("{port}-{n}")));
        let free = names.find(|name| !used.contains(name) && !watch.taken.contains(name)).unwrap_or(port);
        used.insert(free.clone());
        Self { name: free, live }
    }
}

impl Drop for Name<'_> {
    fn drop(&mut self) {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}
