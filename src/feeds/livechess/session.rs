//! One connection: its calls and its feeds. Knows frames, no sockets.
use super::call::{self, Call, Id};
use super::feed::{Feed, Named};
use super::objects::{Failure, FeedParam};
use super::picture::Picture;
use super::shared::Shared;
use futures_util::StreamExt as _;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::watch;
use tokio_stream::StreamMap;
use tokio_stream::wrappers::BroadcastStream;
use tokio_stream::wrappers::errors::BroadcastStreamRecvError;

/// Subscriptions of one connection: every board of a big hall, some twice.
const MOST_FEEDS: usize = 512;
/// Feeds of one connection that play on beside the game.
const MOST_BESIDE: usize = 16;

/// One connection.
pub(crate) struct LiveChessSession {
    shared: Arc<Shared>,
    feeds: BTreeMap<u64, Feed>,
    changes: StreamMap<u64, BroadcastStream<Arc<Picture>>>,
    seating: watch::Receiver<u64>,
    next: u64,
}

impl LiveChessSession {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        let seating = shared.hall.seating();
        Self { shared, feeds: BTreeMap::new(), changes: StreamMap::new(), seating, next: 0 }
    }

    /// The frames that answer a frame, in order.
    pub(crate) fn asked(&mut self, text: &str) -> Vec<String> {
        let (id, call) = call::read(text);
        let done = call.and_then(|call| self.carry_out(call));
        match done {
            Ok((answer, feeds)) => {
                let mut frames = vec![self.frame("call", id.as_json(), &answer)];
                frames.extend(feeds);
                frames
            }
            Err(message) => vec![self.refused(&id, &message)],
        }
    }

    /// The answer to a frame that is no text.
    pub(crate) fn no_text(&self) -> String {
        self.refused(&Id::null(), "this API speaks text frames, one JSON object each")
    }

    fn refused(&self, id: &Id, message: &str) -> String {
        self.frame("error", id.as_json(), &json(&Failure { message, stacktrace: "" }))
    }

    fn carry_out(&mut self, call: Call) -> Result<(String, Vec<String>), String> {
        const NULL: &str = "null";
        let mut frames = Vec::new();
        match call {
            Call::EBoards => return Ok((json(&self.shared.eboards()), frames)),
            Call::Sources => return Ok((json(&self.shared.sources()), frames)),
            Call::Subscribe { feed: id, serialnr } => {
                let (named, picture) = self.shared.hall.find(&serialnr).ok_or_else(|| {
                    let name: String = serialnr.chars().take(64).collect();
                    format!("unknown e-board {name}")
                })?;
                self.unsubscribe(&id);
                if self.feeds.len() >= MOST_FEEDS {
                    return Err(format!("{MOST_FEEDS} subscriptions are the most of one connection; unsubscribe from some"));
                }
                frames.extend(self.subscribe(id, named, &picture.board));
            }
            Call::Unsubscribe { feed } => {
                if !self.unsubscribe(&feed) {
                    return Err(unknown_feed(&feed));
                }
            }
            Call::Setup { feed: id, fen } => {
                let now = self.shared.now();
                let beside = self.feeds.values().filter(|feed| feed.is_beside()).count();
                let feed = self.feeds.values_mut().find(|feed| feed.id.names(&id)).ok_or_else(|| unknown_feed(&id))?;
                if beside >= MOST_BESIDE && !feed.is_beside() {
                    return Err(format!("{MOST_BESIDE} feeds of this connection follow positions of their own already"));
                }
                let param = feed.setup(&fen, now).ok_or_else(|| String::from("fen is no chess position in FEN"))?;
                let written = feed.id.as_json().to_owned();
                frames.push(self.frame("feed", &written, &json(&param)));
            }
            Call::Flip { feed: id, flip } => {
                let feed = self.feeds.values_mut().find(|feed| feed.id.names(&id)).ok_or_else(|| unknown_feed(&id))?;
                let param = feed.flip(flip);
                let written = feed.id.as_json().to_owned();
                frames.extend(param.map(|param| self.frame("feed", &written, &json(&param))));
            }
        }
        Ok((String::from(NULL), frames))
    }

    fn subscribe(&mut self, id: Id, named: Named, board: &str) -> Option<String> {
        let (picture, live) = self.shared.hall.watch(board)?;
        let slot = self.next;
        self.next += 1;
        let (feed, first) = Feed::new(id, named, picture);
        let frame = self.frame("feed", feed.id.as_json(), &json(&first));
        self.feeds.insert(slot, feed);
        self.changes.insert(slot, BroadcastStream::new(live));
        Some(frame)
    }

    fn unsubscribe(&mut self, id: &Id) -> bool {
        let Some(slot) = self.feeds.iter().find(|(_, feed)| feed.id.names(id)).map(|(slot, _)| *slot) else { return false };
        self.feeds.remove(&slot);
        self.changes.remove(&slot);
        true
    }

    /// Waits until a board changes, or a moment comes; then the frames that tell it. Safe to cancel.
    pub(crate) async fn changed(&mut self) -> Vec<String> {
        let due = self.feeds.values().filter_map(Feed::deadline).min().map(|t| self.shared.instant(t));
        let moment = async {
            match due {
                Some(due) => tokio::time::sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            Some((slot, change)) = self.changes.next(), if !self.changes.is_empty() => self.look(slot, change),
            Ok(()) = self.seating.changed() => self.reseated(),
            () = moment => {
                let now = self.shared.now();
                let told: Vec<_> = self.feeds.values_mut().map(|feed| (feed.id.as_json().to_owned(), feed.expire(now))).collect();
                told.into_iter().flat_map(|(id, params)| self.frames(&id, &params)).collect()
            }
        }
    }

    fn look(&mut self, slot: u64, change: Result<Arc<Picture>, BroadcastStreamRecvError>) -> Vec<String> {
        let now = self.shared.now();
        let Some(feed) = self.feeds.get_mut(&slot) else { return Vec::new() };
        let picture = match change {
            Ok(picture) => picture,
            // Too far behind: what stands now, in one frame. Older pictures that still come are known by their version.
            Err(BroadcastStreamRecvError::Lagged(_)) => match self.shared.hall.watch(feed.table()) {
                Some((picture, _)) => picture,
                None => return Vec::new(),
            },
        };
        let params = feed.look(&picture, now);
        let id = feed.id.as_json().to_owned();
        self.frames(&id, &params)
    }

    /// Serial numbers went to other tables: feeds go along.
    fn reseated(&mut self) -> Vec<String> {
        let mut frames = Vec::new();
        let slots: Vec<u64> = self.feeds.keys().copied().collect();
        for slot in slots {
            let Some(feed) = self.feeds.get_mut(&slot) else { continue };
            let Named::Serial(serialnr) = &feed.named else { continue };
            let Some((_, picture)) = self.shared.hall.find(serialnr) else { continue };
            if picture.board == *feed.table() || !feed.is_about(&picture) {
                continue;
            }
            let Some((picture, live)) = self.shared.hall.watch(&picture.board) else { continue };
            let param = feed.moved(picture);
            let id = feed.id.as_json().to_owned();
            self.changes.insert(slot, BroadcastStream::new(live));
            frames.push(self.frame("feed", &id, &json(&param)));
        }
        frames
    }

    fn frames(&self, id: &str, params: &[FeedParam]) -> Vec<String> {
        params.iter().map(|param| self.frame("feed", id, &json(param))).collect()
    }

    fn frame(&self, response: &str, id: &str, param: &str) -> String {
        format!("{{\"response\":\"{response}\",\"id\":{id},\"param\":{param},\"time\":{}}}", self.shared.wall_ms())
    }
}

fn unknown_feed(id: &Id) -> String {
    let name: String = id.as_json().chars().take(64).collect();
    format!("there is no feed {name} on this connection; subscribe first")
}

pub(crate) fn json(value: &impl Serialize) -> String {
    // Our own types have string keys and finite numbers only; serde_json cannot refuse them.
    serde_json::to_string(value).unwrap_or_else(|_| String::from("null"))
}
