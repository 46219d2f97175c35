//! The task that keeps the event: boards' events in, documents out; pairing lists and reports are read again when they change.
//!
//! Boards never wait for it: their events come through a queue with a bound that is emptied several times a second; where one did not fit, the board is
//! looked at anew. Files are read and written elsewhere; a dead disk
//! keeps nobody but itself.
mod found;
mod writing;

use super::chronicle::Chronicle;
use super::seats::Kept;
use super::{EventInfo, Tournament, store};
use crate::pairings::files::{FoundFile, Watched};
use crate::players::Player;
use crate::tree::documents::Documents;
use crate::tree::writer::Writer;
use crate::tree::{Broadcast, CLOUD, TREE};
use flagfall_config::event::EventConfig;
use flagfall_events::{Entry, Event, Order};
use flagfall_time::Stopwatch;
use flagfall_web::boards::Boards;
use flagfall_web::boards::ruled::PAIRINGS;
use flagfall_web::hub::Hub;
use flagfall_web::queue::{self, Feeder, Next, Queue};
use flagfall_web::voice::Voice;
use futures_util::FutureExt as _;
use std::collections::HashMap;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Interval;
use writing::Writing;

/// Events that wait at most: minutes of a hall.
const WAITING: usize = 8192;
/// Changes within this time make one set of documents …
const GATHER: Duration = Duration::from_millis(250);
/// … or within so many times what making one takes, where an event is large and the machine small …
const SHARE: u32 = 100;
/// … but never longer than this.
const GATHER_MOST: Duration = Duration::from_secs(1);
/// A folder is written at most this often …
const PAUSE: Duration = Duration::from_secs(1);
/// … what survives a restart less often: the games on the boards come back from the journal.
const PAUSE_KEPT: Duration = Duration::from_secs(10);
/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(2);
/// A look may take so long before everything else goes on.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a disk may take for the last files when the daemon ends.
const FAREWELL: Duration = Duration::from_secs(3);

/// What others do with the event.
enum Wish {
    /// A board said something.
    Event(Arc<Event>),
    /// What a board had said before this process began.
    Restore(Vec<Arc<Event>>),
    /// A board's numbering begins anew.
    Anew(Arc<str>),
    /// Read the files now.
    Reload,
    /// The configuration is another one; read the files now.
    Configure(Box<EventConfig>),
    /// A pairing list of a round that came another way than as a file; where from.
    Pairings(String, u32, String),
    /// What the event is called, as the section `[event]`; where from.
    About(String, String),
    /// Everything was said.
    End,
    /// An operator begins a round.
    Round(u32, oneshot::Sender<Result<(), String>>),
}

/// The way in: events of boards, and operators' wishes. Clones lead to the same event.
#[derive(Clone)]
pub struct EventDesk(Feeder<Wish>);

impl fmt::Debug for EventDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventDesk").finish_non_exhaustive()
    }
}

impl EventDesk {
    /// Takes an event of a board; every kind, in the journal's order. Never waits.
    pub fn take(&self, event: &Arc<Event>) {
        // Without a task the daemon is about to end.
        self.0.event(&event.board, Wish::Event(event.clone()));
    }

    /// How much waits to be taken.
    pub fn waiting(&self) -> usize {
        self.0.waiting()
    }

    /// Takes what a board had said before this process began, all at once: nobody sees the game as it grows again.
    pub fn restore(&self, events: Vec<Arc<Event>>) {
        let _ = self.0.tell(Wish::Restore(events));
    }

    /// A board's numbering begins anew.
    pub fn anew(&self, board: &str) {
        let _ = self.0.tell(Wish::Anew(board.into()));
    }

    /// Takes a round's pairing list as if its file had changed; `about` says where it comes from.
    pub fn pairings(&self, about: String, round: u32, text: String) {
        let _ = self.0.tell(Wish::Pairings(about, round, text));
    }

    /// Takes the section `[event]` of a configuration: names and places, no files.
    pub fn event(&self, about: String, text: String) {
        let _ = self.0.tell(Wish::About(about, text));
    }

    /// Nothing more comes: what is there is written, and the task ends.
    pub fn end(&self) {
        let _ = self.0.tell(Wish::End);
    }

    /// Reads pairings and players again, whether they changed or not.
    pub fn reload(&self) {
        let _ = self.0.tell(Wish::Reload);
    }

    /// Follows `config` from now on, and reads pairings and players again.
    pub fn configure(&self, config: EventConfig) {
        let _ = self.0.tell(Wish::Configure(Box::new(config)));
    }

    /// Begins a round, whatever became of the games of the one before.
    ///
    /// # Errors
    /// Why not, and what to do.
    pub async fn start_round(&self, number: u32) -> Result<(), String> {
        let (answer, answered) = oneshot::channel();
        let _ = self.0.tell(Wish::Round(number, answer));
        answered.await.unwrap_or_else(|_| Err(String::from("flagfall is about to end")))
    }
}

/// Begins to keep the event. It ends with [`EventDesk::end`], or when every clone of the desk is gone, with everything written.
/// Where the hub's voice is silent no folder is written and no board is asked for a new game.
pub fn start(config: EventConfig, data_dir: Option<PathBuf>, hub: Arc<Hub>, boards: Boards) -> (Broadcast, EventDesk, JoinHandle<()>) {
    let kept = data_dir.as_deref().map_or(Ok(None), store::load).unwrap_or_else(|error| {
        tracing::error!("{error}");
        None
    });
    let chronicle = Chronicle::new(config.about.clone(), kept);
    let broadcast = Broadcast { event: EventInfo::new(chronicle.tournament()), documents: Documents::new() };
    broadcast.documents.make(broadcast.event.now());
    let (sender, wishes) = queue::bounded("documents", WAITING);
    let keeper = Keeper {
        chronicle,
        broadcast: broadcast.clone(),
        watched: Some(Watched::new(config.pairings.clone(), config.players.clone())),
        looking: None,
        again: false,
        patience: PATIENCE,
        folders: folders(&config, &broadcast.documents, &hub),
        voice: hub.voice().clone(),
        config,
        store: data_dir.map(|folder| Store::start(folder, &hub)),
        hub,
        boards,
        players: HashMap::new(),
        gather: GATHER,
    };
    let task = tokio::spawn(keeper.run(wishes));
    (broadcast, EventDesk(sender), task)
}

/// White's and Black's names at a board.
#[derive(PartialEq)]
struct Names {
    /// Who sits there in the round now playing.
    seated: [String; 2],
    /// Whose game is seen.
    shown: [String; 2],
}

struct Keeper {
    config: EventConfig,
    chronicle: Chronicle,
    broadcast: Broadcast,
    /// The lists; `None` while they are being looked at.
    watched: Option<Watched>,
    /// A look that takes long, and whether everything is to be read after it.
    looking: Option<JoinHandle<(Watched, Vec<FoundFile>)>>,
    again: bool,
    /// How long the next look is waited for.
    patience: Duration,
    folders: Vec<Folder>,
    store: Option<Store>,
    hub: Arc<Hub>,
    boards: Boards,
    /// What the hub was told.
    players: HashMap<Arc<str>, Names>,
    /// How long changes are gathered now.
    gather: Duration,
    voice: Voice,
}

impl Keeper {
    async fn run(mut self, mut wishes: Queue<Wish>) {
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
        let Self { folders, store, .. } = self;
        let ends: Vec<_> = folders.into_iter().map(|f| f.writing).chain(store.map(|s| s.writing)).collect();
        let written = futures_util::future::join_all(ends.into_iter().map(Writing::end));
        if tokio::time::timeout(FAREWELL, written).await.is_err() {
            tracing::error!("a disk does not take the last documents; they are written at the next start");
        }
    }

    /// What comes next; true when it was the end.
    async fn turn(&mut self, wishes: &mut Queue<Wish>, look: &mut Interval) -> bool {
        let mut ended = false;
        tokio::select! {
            // Folders may have been written by another one meanwhile.
            () = self.voice.changed() => self.folders.iter_mut().for_each(|folder| folder.version = 0),
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
                            boards.iter().filter_map(|board| self.hub.board(board)).for_each(|state| self.chronicle.again(state));
                            next = wishes.try_next();
                            continue;
                        }
                        Next::End => {
                            ended = true;
                            break;
                        }
                    };
                    match wish {
                        Wish::Event(event) => self.chronicle.take(&event),
                        Wish::Restore(events) => events.iter().for_each(|event| self.chronicle.take(event)),
                        Wish::Anew(board) => self.chronicle.anew(&board),
                        Wish::End => ended = true,
                        Wish::Pairings(about, round, text) => self.given(about, round, &text),
                        Wish::About(about, text) => self.rename(&about, &text),
                        Wish::Reload => again = true,
                        Wish::Configure(config) => {
                            self.configure(*config);
                            again = true;
                        }
                        Wish::Round(number, answer) => drop(answer.send(self.begin(number))),
                    }
                    next = wishes.try_next();
                }
                if again {
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
        if (&self.config.pairings, &self.config.players) != (&config.pairings, &config.players) {
            let gone = [&self.config.pairings, &self.config.players];
            for path in gone.into_iter().flatten() {
                ["pairings-failing", "pairings-doubtful"].iter().for_each(|key| self.tell(key, path, None));
            }
            // A look at the old ones ends for itself.
            (self.watched, self.looking) = (Some(Watched::new(config.pairings.clone(), config.players.clone())), None);
        }
        if (&self.config.tree, &self.config.cloud) != (&config.tree, &config.cloud) {
            for folder in std::mem::replace(&mut self.folders, folders(&config, &self.broadcast.documents, &self.hub)) {
                // A disk that does not answer keeps nobody.
                tokio::spawn(folder.writing.end());
            }
        }
        self.config = config;
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
            self.watched = Some(Watched::new(self.config.pairings.clone(), self.config.players.clone()));
            return;
        };
        self.watched = Some(watched);
        found.into_iter().for_each(|found| self.found(found));
    }

    fn tell(&self, key: &str, path: &Path, text: Option<String>) {
        self.hub.alarm(key, &path.display().to_string(), text);
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
        self.hub.alarm("round-waits", "pairings", waits);
        self.broadcast.event.put(event);
        self.broadcast.documents.make(self.broadcast.event.now());
        self.folders.iter_mut().for_each(Folder::wake);
        if let Some(store) = &mut self.store {
            store.save(self.chronicle.kept());
        }
    }

    /// The boards of a round that begins put their last game away.
    fn anew(&self, names: Vec<Arc<str>>) {
        if !self.voice.speaks() {
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

/// A folder of documents.
struct Folder {
    writing: Writing,
    documents: Arc<Documents>,
    version: u64,
}

impl Folder {
    fn wake(&mut self) {
        let version = self.documents.now().version;
        if version != self.version {
            self.version = version;
            self.writing.wake();
        }
    }
}

fn folders(config: &EventConfig, documents: &Arc<Documents>, hub: &Arc<Hub>) -> Vec<Folder> {
    let wanted = [("tree", &config.tree, TREE, ""), ("cloud", &config.cloud, CLOUD, CLOUD)];
    let folder = |(name, path, prefix, keep): (&str, &Option<PathBuf>, &str, &str)| {
        let path = path.as_ref()?;
        let mut writer = Writer::new(path, prefix, keep).speaking(hub.voice().clone());
        let (read, voice) = (documents.clone(), hub.voice().clone());
        let mut spoke = false;
        let write = move || {
            if !std::mem::replace(&mut spoke, voice.speaks()) {
                // What stands there may be another one's by now.
                writer.forget();
            }
            writer.write(&read.now())
        };
        let writing = Writing::start(hub, format!("{name} {}", path.display()), PAUSE, write);
        Some(Folder { writing, documents: documents.clone(), version: 0 })
    };
    wanted.into_iter().filter_map(folder).collect()
}

/// The file that survives a restart.
struct Store {
    writing: Writing,
    last: Kept,
    next: Arc<std::sync::Mutex<Kept>>,
}

impl Store {
    fn start(folder: PathBuf, hub: &Arc<Hub>) -> Self {
        let next = Arc::new(std::sync::Mutex::new(Kept::default()));
        let read = next.clone();
        let about = folder.join(store::FILE).display().to_string();
        let write = move || {
            let kept = read.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
            // Woken only with something to keep; at the end perhaps with nothing.
            if kept == Kept::default() { Ok(()) } else { store::save(&folder, &kept) }
        };
        Self { writing: Writing::start(hub, about, PAUSE_KEPT, write), last: Kept::default(), next }
    }

    fn save(&mut self, kept: &Kept) {
        if self.last != *kept {
            self.last = kept.clone();
            *self.next.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = kept.clone();
            self.writing.wake();
        }
    }
}
