//! The task that keeps the event: boards' events in, documents out; pairing lists and reports are read again when they change.
//!
//! Boards never wait for it: their events come through a queue with a bound that is emptied several times a second; where one did not fit, the board is
//! looked at anew. Files are read and written elsewhere; a dead disk
//! keeps nobody but itself.
use super::chronicle::Chronicle;
use super::desk::{self, EventDesk, Wish};
use super::folders::{Folder, Store, folders};
use super::found::{self, ABOUT, Lists, Taken};
use super::polled::Polled;
use super::writing::Writing;
use super::{EventInfo, Tournament, store};
use crate::pairings::files::{FoundFile, Watched};
use crate::pairings::polling::News;
use crate::players::Player;
use crate::tree::Broadcast;
use crate::tree::documents::Documents;
use flagfall_config::event::EventConfig;
use flagfall_config::list_source::ListSource;
use flagfall_events::{Entry, Order};
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
    let kept = data_dir.as_deref().map_or(Ok(None), store::load).unwrap_or_else(|error| {
        tracing::error!("{error}");
        None
    });
    let chronicle = Chronicle::new(config.about.clone(), kept);
    let broadcast = Broadcast { event: EventInfo::new(chronicle.tournament()), documents: Documents::new() };
    broadcast.documents.make(broadcast.event.now());
    let (way_in, wishes) = desk::open();
    let keeper = Keeper {
        chronicle,
        broadcast: broadcast.clone(),
        watched: Some(watched(&config)),
        polled: Polled::start(&config),
        lists: Lists::default(),
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
            (role, about, news) = self.polled.next() => match news {
                News::List(bytes) => self.lists.take(&mut self.chronicle, &self.hub, role.read(about, Ok(bytes))),
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
                        Wish::Pairings(about, round, text) => self.lists.given(&mut self.chronicle, &self.hub, about, round, &text),
                        Wish::About(about, text) => found::rename(&mut self.chronicle, &self.hub, &about, &text),
                        Wish::Posted(posted, answer) => drop(answer.send(self.lists.posted(&mut self.chronicle, &self.hub, &posted))),
                        Wish::Held { take, answer } => drop(answer.send(self.held(take))),
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
        if (&self.config.pairings, &self.config.players) != (&config.pairings, &config.players) {
            let gone = [&self.config.pairings, &self.config.players];
            gone.into_iter().flatten().for_each(|source| self.lists.forget(&self.hub, &source.to_string()));
            // A look at the old ones ends for itself.
            (self.watched, self.looking, self.polled) = (Some(watched(&config)), None, Polled::start(&config));
        }
        if (&self.config.tree, &self.config.cloud) != (&config.tree, &config.cloud) {
            for folder in std::mem::replace(&mut self.folders, folders(&config, &self.broadcast.documents, &self.hub)) {
                // A disk that does not answer keeps nobody.
                tokio::spawn(folder.writing.end());
            }
        }
        self.config = config;
    }

    fn held(&mut self, take: bool) -> Taken {
        if take {
            return self.lists.take_held(&mut self.chronicle, &self.hub);
        }
        let held = self.chronicle.held().iter().map(|held| held.text.clone()).collect();
        Taken { held, ..Taken::default() }
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
        found.into_iter().for_each(|file| self.lists.take(&mut self.chronicle, &self.hub, file));
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
