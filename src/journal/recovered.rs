//! A board as its journal left it, or as its first one finds it.
use super::begin::Begin;
use super::disk::Slot;
use super::header::Open;
use super::vouched::Earlier;
use super::what::{KeyChange, What};
use flagfall_events::{AlarmKey, Event, Mono, Wall};
use flagfall_game::board::Board;
use flagfall_game::played::Played;
use flagfall_game::questions::Question;
use flagfall_game::settings::Settings;
use flagfall_score::progress::Progress;
use flagfall_score::public::PublicView;
use std::path::Path;
use std::sync::Arc;

/// A board as its journal left it.
pub struct Recovered {
    /// After all inputs that are on disk.
    pub board: Board,
    /// What it was set to.
    pub settings: Settings,
    /// The wall time of millisecond 0, as the header has it.
    pub opened_at: Wall,
    /// The same as the machine's clock said it last.
    pub wall: Wall,
    /// The time of the last line.
    pub last: Mono,
    /// The last event's number.
    pub seq: u64,
    /// What it asked and was not answered.
    pub questions: Vec<Question>,
    /// How far its day is.
    pub progress: Progress,
    /// The events of the journal, for whoever shows the board's state: all that were not made pointless by later ones. They were published before.
    pub events: Vec<Arc<Event>>,
    /// Events that the inputs on disk made and that are not on disk themselves: nobody has seen them.
    pub unseen: Vec<Event>,
    /// What is written before anything else.
    pub first: Vec<(Mono, What)>,
    /// The journal goes on, or one stands before it.
    pub continued: bool,
    /// One stands before it, and the board begins anew.
    pub fresh: bool,
    /// An alarm to raise: what was found is not what was written.
    pub alarm: Option<AlarmKey>,
    /// Journals of which nothing can be read, in words: whoever looks at the board must know what may be missing.
    pub lost: Vec<String>,
    /// Journals that this machine cannot have written so, and that were set aside, now or earlier.
    pub refused: Vec<String>,
    /// What of its events is public, as far as they were published.
    pub public: PublicView,
    /// How many games were played on the board before this journal.
    pub games: u32,
    /// The journal is another recognition's, and ours makes something else of its inputs: the game as it was published.
    pub played: Option<Played>,
    pub(super) begin: Begin,
}

impl Recovered {
    /// The key that signed its last journal, where that is not this machine's.
    pub(super) fn other_key(&self) -> Option<&str> {
        self.first.iter().find_map(|(_, what)| match what {
            What::Key(change) if !change.is_vouched() => Some(change.lost.as_str()),
            _ => None,
        })
    }
}

/// The lines that say that another key than `signer` signs from here on.
pub(super) fn key_change(signer: &str, now: &Open, earlier: &Earlier) -> Vec<What> {
    if signer.is_empty() || signer == now.key {
        return Vec::new();
    }
    let vouched = earlier.from(signer);
    let lost = || vec![What::Key(KeyChange { public: now.key.clone(), lost: String::from(signer), signature: None })];
    if vouched.is_empty() { lost() } else { vouched }
}

/// A first journal.
pub(super) fn begun(open: Open, settings: &Settings, folder: &Path) -> Recovered {
    let seq = open.seq;
    Recovered {
        board: open.begin(settings.clone()),
        settings: settings.clone(),
        opened_at: open.recorded_at,
        wall: open.recorded_at,
        last: Mono::ZERO,
        seq,
        questions: Vec::new(),
        progress: Progress::default(),
        events: Vec::new(),
        unseen: Vec::new(),
        first: Vec::new(),
        continued: false,
        fresh: false,
        alarm: None,
        lost: Vec::new(),
        refused: Vec::new(),
        public: open.public_view(),
        games: open.games,
        played: None,
        begin: Begin::New { slot: Slot::new(folder.to_owned(), open.day.clone()), open },
    }
}
