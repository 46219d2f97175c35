//! What is carried to others while the daemon runs: alerts, rounds to Lichess, files to servers. Each has a task of its own; none delays a board.

use crate::delay::Lag;
use crate::event_info::Tournament;
use crate::lichess::{self, Handle};
use crate::push;
use crate::ringing::{self, Carry, Pace};
use crate::tree::Broadcast;
use crate::tree::documents::{Document, Documents, Snapshot};
use crate::upload::{self, File, Files};
use crate::webhook::Alerting;
use crate::webhook::topic::with_topics;
use flagfall_config::Config;
use flagfall_config::delay::OwnDelay;
use flagfall_config::lichess::{Lichess, Push};
use flagfall_config::upload::Upload;
use flagfall_web::hub::Hub;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Feeds that end have so long to do it; one that asks a dead server does not keep the others waiting.
const FAREWELL: Duration = Duration::from_secs(2);

/// All of them. They end with the token they were started with.
pub struct Feeds {
    broadcast: Broadcast,
    /// What is so on the boards now, for those that may be ahead of what is public.
    live: Broadcast,
    hub: Arc<Hub>,
    token: CancellationToken,
    alerts: Alerting,
    rounds: Handle,
    targets: upload::Handle,
    lichess: Running<Lichess>,
    uploads: Running<Upload>,
}

/// The feeds of one kind, and what they were started with.
struct Running<T> {
    settings: Vec<T>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl<T: PartialEq> Running<T> {
    fn new(token: &CancellationToken) -> Self {
        Self { settings: Vec::new(), tasks: TaskTracker::new(), stop: token.child_token() }
    }

    /// Ends what runs, if `settings` are others; whether they are.
    async fn make_way(&mut self, settings: &[T], token: &CancellationToken) -> bool
    where
        T: Clone,
    {
        if self.settings == settings {
            return false;
        }
        self.stop.cancel();
        self.tasks.close();
        let _ = tokio::time::timeout(FAREWELL, self.tasks.wait()).await;
        *self = Self { settings: settings.to_vec(), ..Self::new(token) };
        true
    }
}

/// Starts all of them; they end with `token`. `sides`: what is public, and the same where that is not delayed.
pub fn start(config: &Config, sides: (&Broadcast, &Broadcast), hub: &Arc<Hub>, push: &push::Push, token: &CancellationToken) -> Feeds {
    let (broadcast, live) = sides;
    let mut feeds = Feeds {
        broadcast: broadcast.clone(),
        live: live.clone(),
        hub: hub.clone(),
        token: token.clone(),
        alerts: Alerting::default(),
        rounds: Handle::default(),
        targets: upload::Handle::default(),
        lichess: Running::new(token),
        uploads: Running::new(token),
    };
    (feeds.lichess.settings, feeds.uploads.settings) = (config.lichess.clone(), config.uploads.clone());
    feeds.alerts.follow(&with_topics(&config.alerts, config.data_dir.as_deref()), hub, token);
    let (alerts, push) = (feeds.alerts.clone(), push.clone());
    let carry: Carry = Arc::new(move |hub, ring| {
        push.ring(hub, ring);
        // An alert told of it when it was found.
        if ring.times > 1 {
            alerts.ring(hub, ring);
        }
    });
    tokio::spawn(ringing::run(Arc::downgrade(hub), carry, Pace::default(), token.clone()));
    feeds.push();
    feeds.upload();
    feeds
}

impl Feeds {
    /// The operator's hand on the rounds.
    pub fn rounds(&self) -> Handle {
        self.rounds.clone()
    }

    /// What those who get alerts got.
    pub fn alerts(&self) -> Alerting {
        self.alerts.clone()
    }

    /// How the servers that get files are doing.
    pub fn targets(&self) -> upload::Handle {
        self.targets.clone()
    }

    /// Feeds what `config` says from now on. Where nothing changed, nothing is interrupted.
    pub async fn follow(&mut self, config: &Config) {
        self.alerts.follow(&with_topics(&config.alerts, config.data_dir.as_deref()), &self.hub, &self.token);
        if self.lichess.make_way(&config.lichess, &self.token).await {
            self.hub.forget(|about| about.starts_with("lichess "));
            self.push();
        }
        if self.uploads.make_way(&config.uploads, &self.token).await {
            self.hub.forget(|about| about.starts_with("upload "));
            self.upload();
        }
    }

    fn push(&self) {
        let told = self.hub.clone();
        let tell: lichess::Teller = Arc::new(move |about, tell| {
            let about = tell.board.map_or_else(|| String::from(about), |board| format!("{about} board {board}"));
            told.alarm(tell.key, &about, tell.text.map(|words| words.en));
        });
        let Running { settings, tasks, stop } = &self.lichess;
        let event = |push: &Push| self.source(push.delay).event.clone();
        let lines = lichess::follow(settings, &event, &tell, &self.counter(), self.hub.voice(), tasks, stop);
        self.rounds.take(lines);
    }

    fn upload(&self) {
        let Running { settings, tasks, stop } = &self.uploads;
        if settings.is_empty() {
            self.targets.take(&upload::Handle::default());
            return;
        }
        let told = self.hub.clone();
        let tell: upload::Teller = Arc::new(move |about, text| told.alarm("feed-failing", about, text));
        // What goes out later says other times; each delay has its own documents.
        let delays: BTreeSet<OwnDelay> = settings.iter().map(|setting| setting.delay).collect();
        let sources: BTreeMap<OwnDelay, watch::Receiver<Files>> = delays.into_iter().map(|delay| (delay, self.files(delay))).collect();
        let source = |delay: OwnDelay| sources.get(&delay).cloned();
        let targets = upload::start(settings, &source, &tell, &self.counter(), self.hub.voice(), tasks, stop);
        self.targets.take(&targets);
    }

    /// What a feed with this delay is made of.
    const fn source(&self, delay: OwnDelay) -> &Broadcast {
        if delay.live { &self.live } else { &self.broadcast }
    }

    /// The files that go out with this delay, as they come.
    fn files(&self, delay: OwnDelay) -> watch::Receiver<Files> {
        let Running { tasks, stop, .. } = &self.uploads;
        let files = watch::Sender::new(Files::default());
        let source = files.subscribe();
        let broadcast = self.source(delay);
        let documents = if delay.held().is_zero() {
            broadcast.documents.clone()
        } else {
            let documents = Documents::delayed(Lag::of(delay.by));
            tasks.spawn(make(broadcast.event.watch(), documents.clone(), stop.clone()));
            documents
        };
        tasks.spawn(follow(documents.watch(), files, stop.clone()));
        source
    }

    /// Counts deliveries for `/metrics`; a feed that has delivered nothing yet is there as well.
    fn counter(&self) -> crate::Counter {
        let metrics = self.hub.metrics().clone();
        Arc::new(move |publisher, done| match done {
            Some(done) => metrics.delivery(publisher, done),
            None => metrics.publisher(publisher),
        })
    }
}

impl std::fmt::Debug for Feeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Feeds").finish_non_exhaustive()
    }
}

/// Makes `documents` of the event whenever it changes until `token` is cancelled.
async fn make(mut event: watch::Receiver<Arc<Tournament>>, documents: Arc<Documents>, token: CancellationToken) {
    loop {
        let now = event.borrow_and_update().clone();
        documents.make(now);
        tokio::select! {
            () = token.cancelled() => return,
            changed = event.changed() => if changed.is_err() { return },
        }
    }
}

/// Keeps `files` at what the documents are until `token` is cancelled.
async fn follow(mut documents: watch::Receiver<Arc<Snapshot>>, files: watch::Sender<Files>, token: CancellationToken) {
    loop {
        files.send_replace(Arc::new(all(&documents.borrow_and_update().clone())));
        tokio::select! {
            () = token.cancelled() => return,
            changed = documents.changed() => if changed.is_err() { return },
        }
    }
}

fn all(snapshot: &Snapshot) -> Vec<File> {
    let file = |document: &Arc<Document>| File {
        path: document.path.as_str().into(),
        bytes: document.bytes.clone(),
        content_type: document.content_type,
        max_age_s: document.max_age_s,
        version: document.version,
    };
    snapshot.under("").map(file).collect()
}
