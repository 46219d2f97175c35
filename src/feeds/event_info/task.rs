//! The task that keeps the event: boards' events in, documents out; pairing lists and reports are read again when they change.
//!
//! Boards never wait for it: their events come through a queue with a bound that is emptied several times a second; where one did not fit, the board is
//! looked at anew. Files are read and written elsewhere; a dead disk
//! keeps nobody but itself.
use super::chronicle::Chronicle;
use super::desk::{self, EventDesk, Missed, Wish};
use super::folders::{Folder, Store, folders};
use super::found::{self, ABOUT, Lists, Posted, Taken};
use super::polled::Polled;
use super::posted::Posts;
use super::writing::Writing;
use super::{EventInfo, Tournament, store};
use crate::delay::Lag;
use crate::pairings::files::{FoundFile, Watched};
use crate::pairings::polling::News;
use crate::pairings::{List, Mistake};
use crate::players::Player;
use crate::tree::Broadcast;
use crate::tree::documents::Documents;
use flagfall_config::event::EventConfig;
use flagfall_config::list_source::ListSource;
use flagfall_events::{Entry, Event, Order};
use flagfall_time::Stopwatch;
use flagfall_web::boards::Boards;
use flagfall_web::boards::ruled::PAIRINGS;
use flagfall_web::hub::Hub;
use flagfall_web::queue::{Next, Queue};
use flagfall_web::voice::Voice;
use futures_util::FutureExt as _;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::Interval;

/// Changes within this time make one set of documents …
const GATHER: Duration = Duration::from_millis(250);
/// … or within so many times what making one takes, where an event is large and the machine small …
const SHARE: u32 = 100;
/// … but never longer than this.
const GATHER_MOST: Duration = Duration::from_secs(1);
/// After a mistake of ours.
const PAUSE: Duration = Duration::from_secs(1);
/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(2);
/// A look may take so long before everything else goes on.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a disk may take for the last files when the daemon ends.
const FAREWELL: Duration = Duration::from_secs(3);

/// Begins to keep the event. It ends with [`EventDesk::end`], or when every clone of the desk is gone, with everything written.
/// Where the hub's voice is silent no folder is written and no board is asked for a new game.
pub fn start(config: EventConfig, data_dir: Option<PathBuf>, hub: Arc<Hub>, boards: Boards) -> (Broadcast, EventDesk, JoinHandle<()>) {
    keep(config, data_dir, hub.clone(), Place { boards, told: hub, part: Part::Whole, lag: Lag::NONE })
}

/// The same where what is public is `behind`: what is found and wished is passed on to its keeper, which writes the documents.
pub fn start_before(
    config: EventConfig,
    data_dir: Option<PathBuf>,
    hub: Arc<Hub>,
    boards: Boards,
    behind: Behind,
    writes: bool,
) -> (Broadcast, EventDesk, JoinHandle<()>) {
    keep(config, data_dir, hub.clone(), Place { boards, told: hub, part: Part::Before { behind, writes }, lag: Lag::NONE })
}

/// Begins to keep the event as it was a while ago, for what is public; `hub` is what the world sees, `told` hears of disks that fail.
pub fn start_behind(
    config: EventConfig,
    data_dir: Option<PathBuf>,
    (hub, told): (Arc<Hub>, Arc<Hub>),
    lag: Lag,
    writes: bool,
) -> (Broadcast, EventDesk, JoinHandle<()>) {
    keep(config, data_dir, hub, Place { boards: Boards::default(), told, part: Part::Behind { writes }, lag })
}

/// Carries out what it is given when that is due.
pub type InTime = Arc<dyn Fn(Box<dyn FnOnce() + Send>) + Send + Sync>;

/// The keeper of the event as it was a while ago.
#[derive(Clone)]
pub struct Behind {
    /// Its desk.
    pub desk: EventDesk,
    /// What is so now reaches it when that is due.
    pub in_time: InTime,
}

impl Behind {
    fn pass(&self, wish: Wish) {
        let desk = self.desk.clone();
        (self.in_time)(Box::new(move || desk.pass(wish)));
    }
}

impl std::fmt::Debug for Behind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Behind").finish_non_exhaustive()
    }
}

/// What a keeper is to do.
enum Part {
    /// All of it.
    Whole,
    /// What boards and arbiters need; what is found is passed on.
    Before { behind: Behind, writes: bool },
    /// What the world sees.
    Behind { writes: bool },
}

impl Part {
    /// Whether it writes the documents.
    const fn writes(&self) -> bool {
        match self {
            Self::Whole => true,
            Self::Before { writes, .. } | Self::Behind { writes } => *writes,
        }
    }

    const fn is_behind(&self) -> bool {
        matches!(self, Self::Behind { .. })
    }
}

/// Where a keeper stands.
struct Place {
    boards: Boards,
    /// Hears what operators are to know.
    told: Arc<Hub>,
    part: Part,
    lag: Lag,
}

fn keep(config: EventConfig, data_dir: Option<PathBuf>, hub: Arc<Hub>, place: Place) -> (Broadcast, EventDesk, JoinHandle<()>) {
    let Place { boards, told, part, lag } = place;
    let file = if part.is_behind() { store::SHOWN } else { store::FILE };
    let load = |file: &str| {
        data_dir.as_deref().map_or(Ok(None), |folder| store::load(folder, file)).unwrap_or_else(|error| {
            tracing::error!("{error}");
            told.alarm("pairings-failing", file, Some(error));
            None
        })
    };
    let kept = load(file);
    match (&part, &data_dir) {
        // The first start with a delay: what was before is as new as this process.
        (Part::Before { behind, .. }, Some(folder)) if !folder.join(store::SHOWN).exists() => {
            if let Some(kept) = kept.clone().map(Box::new) {
                behind.pass(Wish::Kept(kept));
            }
        }
        (Part::Whole, Some(folder)) => {
            // What it says would be old if there were a delay again.
            _ = std::fs::remove_file(folder.join(store::SHOWN));
        }
        _ => {}
    }
    let chronicle = Chronicle::new(config.about.clone(), kept);
    let broadcast = Broadcast { event: EventInfo::new(chronicle.tournament()), documents: Documents::delayed(lag) };
    broadcast.documents.make(broadcast.event.now());
    let (way_in, wishes) = desk::open(hub.clone());
    let keeper = Keeper {
        chronicle,
        broadcast: broadcast.clone(),
        watched: (!part.is_behind()).then(|| watched(&config)),
        polled: if part.is_behind() { Polled::idle() } else { Polled::start(&config) },
        lists: Lists::new(part.is_behind()),
        posts: Posts::load(data_dir.clone().filter(|_| !part.is_behind()), &broadcast.event.now().uuid, &told),
        looking: None,
        again: false,
        patience: PATIENCE,
        folders: if part.writes() { folders(&config, &broadcast.documents, &told) } else { Vec::new() },
        voice: hub.voice().clone(),
        config,
        store: data_dir.map(|folder| Store::start(folder, file, &told)),
        part,
        told,
        hub,
        boards,
        players: HashMap::new(),
        gather: GATHER,
    };
    let task = tokio::spawn(keeper.run(wishes));
    (broadcast, way_in, task)
}

/// White's and Black's names at a board.
#[derive(PartialEq)]
struct Names {
    /// Who sits there in the round now playing.
    seated: [String; 2],
    /// Whose game is seen.
    shown: [String; 2],
}

/// The files among the sources.
fn watched(config: &EventConfig) -> Watched {
    let file = |source: &Option<ListSource>| source.as_ref().and_then(ListSource::file).cloned();
    Watched::new(file(&config.pairings), file(&config.players))
}

struct Keeper {
    config: EventConfig,
    chronicle: Chronicle,
    broadcast: Broadcast,
    /// The lists; `None` while they are being looked at.
    watched: Option<Watched>,
    /// The lists at addresses.
    polled: Polled,
    lists: Lists,
    posts: Posts,
    /// A look that takes long, and whether everything is to be read after it.
    looking: Option<JoinHandle<(Watched, Vec<FoundFile>)>>,
    again: bool,
    /// How long the next look is waited for.
    patience: Duration,
    folders: Vec<Folder>,
    store: Option<Store>,
    /// What it does.
    part: Part,
    /// Hears of disks that fail.
    told: Arc<Hub>,
    hub: Arc<Hub>,
    boards: Boards,
    /// What the hub was told.
    players: HashMap<Arc<str>, Names>,
    /// How long changes are gathered now.
    gather: Duration,
    voice: Voice,
}

impl Keeper {
    async fn run(mut self, mut wishes: Queue<Wish, Missed>) {
        let mut look = tokio::time::interval(LOOK);
        loop {
            match AssertUnwindSafe(self.turn(&mut wishes, &mut look)).catch_unwind().await {
                Ok(false) => {}
                Ok(true) => break,
                Err(_) => {
                    tracing::error!("a mistake in flagfall: one change is missing in the documents until the board's next one");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        let Self { folders, store, posts, .. } = self;
        let ends: Vec<_> = folders.into_iter().map(|f| f.writing).chain(store.map(|s| s.writing)).chain(posts.writing).collect();
        let written = futures_util::future::join_all(ends.into_iter().map(Writing::end));
        if tokio::time::timeout(FAREWELL, written).await.is_err() {
            tracing::error!("a disk does not take the last documents; they are written at the next start");
        }
    }

    /// What comes next; true when it was the end.
    async fn turn(&mut self, wishes: &mut Queue<Wish, Missed>, look: &mut Interval) -> bool {
        let mut ended = false;
        tokio::select! {
            // Folders may have been written by another one meanwhile.
            () = self.voice.changed() => self.folders.iter_mut().for_each(|folder| folder.version = 0),
            (role, about, news) = self.polled.next() => match news {
                News::List(bytes) => self.found(role.read(about, Ok(bytes))),
                News::Failing(why) => self.lists.failing(&self.hub, &about, &why),
                News::Back => self.lists.back(&self.hub, &about),
            },
            first = wishes.next() => {
                // A moment for what belongs together.
                if !matches!(first, Next::End) {
                    tokio::time::sleep(self.gather).await;
                }
                let mut again = false;
                self.boards();
                let mut next = Some(first);
                while let Some(wish) = next {
                    let wish = match wish {
                        Next::News(wish) => wish,
                        Next::Behind(boards) => {
                            for (board, missed) in boards {
                                let states = missed.ended.into_iter().chain(self.hub.board(&board));
                                states.for_each(|state| self.chronicle.again(state));
                            }
                            next = wishes.try_next();
                            continue;
                        }
                        Next::End => {
                            ended = true;
                            break;
                        }
                    };
                    match wish {
                        Wish::Event(event) => self.take(&[event]),
                        Wish::Restore(events) => self.take(&events),
                        Wish::Anew(board) => self.chronicle.anew(&board),
                        Wish::End => ended = true,
                        Wish::Pairings(about, round, text) => {
                            self.pass(|| Wish::Pairings(about.clone(), round, text.clone()));
                            self.lists.given(&mut self.chronicle, &self.hub, about, round, &text);
                        }
                        Wish::About(about, text) => {
                            self.pass(|| Wish::About(about.clone(), text.clone()));
                            found::rename(&mut self.chronicle, &self.hub, &about, &text);
                        }
                        Wish::Posted(posted, answer) => drop(answer.send(self.posted(&posted))),
                        Wish::Held { take, answer } => drop(answer.send(self.held(take))),
                        Wish::Found(file) => found::again(&mut self.chronicle, file),
                        Wish::Listed(list, follow) => _ = self.chronicle.follow(&list, follow),
                        Wish::Followed(held) => self.chronicle.take_held(held),
                        Wish::Begin(number) => self.chronicle.start_round(number),
                        Wish::Kept(kept) => self.chronicle.go_on(*kept),
                        Wish::Folders(config) => self.configure_folders(&config),
                        Wish::Reload => again = true,
                        Wish::Configure(config) => {
                            self.pass(|| Wish::Configure(config.clone()));
                            self.configure(*config);
                            again = true;
                        }
                        Wish::Round(number, answer) => {
                            let begun = self.begin(number);
                            if begun.is_ok() {
                                self.pass(|| Wish::Begin(number));
                            }
                            drop(answer.send(begun));
                        }
                    }
                    next = wishes.try_next();
                }
                if again {
                    self.polled.again();
                    self.look(true).await;
                }
            }
            _ = look.tick() => {
                self.look(false).await;
                self.boards();
            }
        }
        self.settle();
        ended
    }

    /// What the event is called, where its lists are and where its documents go may change while it is played.
    fn configure(&mut self, config: EventConfig) {
        if self.config.about != config.about {
            self.chronicle.announce(config.about.clone());
        }
        if !self.part.is_behind() && (&self.config.pairings, &self.config.players) != (&config.pairings, &config.players) {
            let gone = [&self.config.pairings, &self.config.players];
            gone.into_iter().flatten().for_each(|source| self.lists.forget(&self.hub, &source.to_string()));
            // A look at the old ones ends for itself.
            (self.watched, self.looking, self.polled) = (Some(watched(&config)), None, Polled::start(&config));
        }
        if let Part::Before { behind, .. } = &self.part {
            // Where they go is nothing that anybody sees: at once.
            behind.desk.pass(Wish::Folders(Box::new(config.clone())));
        }
        self.configure_folders(&config);
        self.config = config;
    }

    fn configure_folders(&mut self, config: &EventConfig) {
        let folders_of = |config: &EventConfig| [&config.tree, &config.cloud, &config.archive].map(Clone::clone);
        if self.part.writes() && folders_of(&self.config) != folders_of(config) {
            for folder in std::mem::replace(&mut self.folders, folders(config, &self.broadcast.documents, &self.told)) {
                // A disk that does not answer keeps nobody.
                tokio::spawn(folder.writing.end());
            }
        }
        [self.config.tree, self.config.cloud, self.config.archive] = folders_of(config);
    }

    /// What is so from now on is passed on to whoever keeps the event as it was a while ago.
    fn pass(&self, wish: impl FnOnce() -> Wish) {
        if let Part::Before { behind, .. } = &self.part {
            behind.pass(wish());
        }
    }

    fn found(&mut self, file: FoundFile) {
        let older = self.posts.is_older(&file);
        self.pass(|| Wish::Found(file.clone()));
        self.lists.take(&mut self.chronicle, &self.hub, file);
        if older {
            // What was posted since still counts.
            for posted in self.posts.all() {
                if let Ok(list) = posted.read() {
                    self.take_posted(&list, &posted);
                }
            }
        }
    }

    fn posted(&mut self, posted: &Posted) -> Result<Taken, Vec<Mistake>> {
        let list = posted.read()?;
        if posted.dry {
            return Ok(self.lists.posted(&mut self.chronicle, &self.hub, &list, (posted.follow(), true)));
        }
        // After a restart another round may be played.
        let posted = Posted { round: posted.round.or_else(|| self.chronicle.round_meant(&list)), ..posted.clone() };
        let list = posted.read()?;
        let taken = self.take_posted(&list, &posted);
        self.posts.add(&posted);
        Ok(taken)
    }

    fn take_posted(&mut self, list: &List, posted: &Posted) -> Taken {
        self.pass(|| Wish::Listed(Box::new(list.clone()), posted.follow()));
        self.lists.posted(&mut self.chronicle, &self.hub, list, (posted.follow(), false))
    }

    fn held(&mut self, take: bool) -> Taken {
        if take {
            self.pass(|| Wish::Followed(self.chronicle.held().to_vec()));
            return self.lists.take_held(&mut self.chronicle, &self.hub);
        }
        let held = self.chronicle.held().iter().map(|held| held.text.clone()).collect();
        Taken { held, ..Taken::default() }
    }

    /// What one board said.
    fn take(&mut self, events: &[Arc<Event>]) {
        if events.first().is_some_and(|event| !self.chronicle.knows(&event.board)) {
            self.boards();
        }
        events.iter().for_each(|event| self.chronicle.take(event));
    }

    fn boards(&mut self) {
        let names = self.hub.names();
        // Everything comes as events, also what a journal brings back.
        self.chronicle.boards(&names, |_| None);
    }

    fn begin(&mut self, number: u32) -> Result<(), String> {
        let last = u32::try_from(self.broadcast.event.now().rounds.len()).unwrap_or(u32::MAX);
        if number == 0 || number > last.saturating_add(1) {
            return Err(format!("there is no round {number}; rounds 1 to {last} are known"));
        }
        self.chronicle.start_round(number);
        Ok(())
    }

    /// Reads what changed. A network folder that does not answer keeps the boards' events waiting for a moment only, and is asked no second time.
    async fn look(&mut self, again: bool) {
        self.again |= again;
        if let Some(mut watched) = self.watched.take() {
            let again = std::mem::take(&mut self.again);
            self.looking = Some(tokio::spawn(async move {
                let found = watched.look(again).await;
                (watched, found)
            }));
        }
        let Some(looking) = &mut self.looking else { return };
        let patience = if looking.is_finished() { PATIENCE } else { std::mem::take(&mut self.patience) };
        let Ok(looked) = tokio::time::timeout(patience, looking).await else { return };
        (self.looking, self.patience) = (None, PATIENCE);
        let Ok((watched, found)) = looked else {
            // A mistake of ours in reading: it is looked at anew.
            self.watched = Some(watched(&self.config));
            return;
        };
        self.watched = Some(watched);
        found.into_iter().for_each(|file| self.found(file));
    }

    fn settle(&mut self) {
        let watch = Stopwatch::start();
        self.settle_now();
        let took = Duration::from_millis(watch.now().millis());
        self.gather = (took * SHARE).clamp(GATHER, GATHER_MOST);
    }

    fn settle_now(&mut self) {
        let anew = self.chronicle.settle();
        self.anew(anew);
        let event = self.chronicle.tournament();
        self.name_players(&event);
        let waits = self.chronicle.waiting_round().map(|(round, boards)| {
            format!("round {round} is loaded and begins when board {} has a result; enter it, or start the round", boards.join(", "))
        });
        self.hub.alarm("round-waits", ABOUT, waits);
        self.lists.settle(&self.chronicle, &self.hub);
        self.posts.follow(&event.uuid);
        self.broadcast.event.put(event);
        self.broadcast.documents.make(self.broadcast.event.now());
        self.folders.iter_mut().for_each(Folder::wake);
        if let Some(store) = &mut self.store {
            store.save(self.chronicle.kept());
        }
    }

    /// The boards of a round that begins put their last game away.
    fn anew(&self, names: Vec<Arc<str>>) {
        if !self.voice.speaks() || self.part.is_behind() {
            return;
        }
        for name in names {
            let boards = self.boards.clone();
            tokio::spawn(async move {
                let entry = Entry { who: Some(String::from(PAIRINGS)), ..Entry::new(Order::NewGame {}) };
                if let Err(refusal) = boards.enter(&name, entry).await {
                    tracing::warn!("board {name}: the new round's game cannot begin: {refusal}; enter new-game");
                }
            });
        }
    }

    fn name_players(&mut self, event: &Tournament) {
        let Some(round) = event.now_playing() else { return };
        for pairing in &round.pairings {
            let Some(board) = &pairing.board else { continue };
            let seated = [&pairing.white, &pairing.black].map(Player::pgn_name);
            // Until the next game has begun its predecessor is seen, under the names of those who played it.
            let shown = event.pairing_of(board).map_or(pairing, |(_, pairing)| pairing);
            let shown = [&shown.white, &shown.black].map(Player::pgn_name);
            let names = Names { seated, shown };
            let told = self.players.get(board);
            if told.is_none_or(|told| told.seated != names.seated) {
                let [white, black] = names.seated.clone();
                self.hub.set_seated(board, Some(white), Some(black));
            }
            if told.is_none_or(|told| told.shown != names.shown) {
                let [white, black] = names.shown.clone();
                self.hub.set_players(board, Some(white), Some(black));
            }
            self.players.insert(board.clone(), names);
        }
    }
}
