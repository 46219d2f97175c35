//! One board as its feed knows it: what it said last, how far the stream is, and the newest events themselves.
use super::answers::Answers;
use flagfall_events::{Body, Event, LinkState, Mono, Wall};
use flagfall_journal::Said;
use flagfall_time::Stopwatch;
use std::collections::VecDeque;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Events of a board that are kept in memory; whoever is further behind reads the journal.
const KEPT: usize = 128;
/// Public events that wait to be sent at most, where these come later; who listens to the subject gets what comes.
const SHOWN: usize = 1024;
/// Two openings of a journal that are nearer than this are the same one, milliseconds.
const SAME: u64 = 5;

/// One board.
pub(super) struct Board {
    pub(super) name: Arc<str>,
    live: Mutex<Live>,
    news: Notify,
    /// What is public by now, where that is behind, and news of it.
    shown: Mutex<VecDeque<Arc<Event>>>,
    due: Notify,
    /// Orders that were answered; one is carried out at a time.
    pub(super) answers: tokio::sync::Mutex<Answers>,
    /// Orders that wait for that.
    pub(super) waiting: AtomicUsize,
}

/// How a board stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stand {
    /// Names its numbering.
    pub(super) epoch: String,
    /// The last event before the first one of this numbering that is published.
    pub(super) from: u64,
    /// The last event that is safe in the journal.
    pub(super) said: u64,
    /// The last event that the stream has.
    pub(super) acked: u64,
}

#[derive(Default)]
struct Live {
    /// `None`: the board has no journal, nothing of it is published.
    stand: Option<Stand>,
    kept: VecDeque<Said>,
    /// A journal's opening, and how the board's time lies to the daemon's in it.
    clock: Option<(Wall, i64)>,
    /// Since when its events do not go out, and why.
    trouble: Option<(Mono, String)>,
    /// The alarm about that stands, with this text.
    told: Option<String>,
    /// What the server said it may not.
    denied: Option<String>,
    /// No game of it was known here at the start.
    bare: bool,
    /// The last event of what takes the place of another numbering.
    held_until: Option<u64>,
    /// The event with which the board came up, while it is.
    linked: Option<u64>,
}

impl Board {
    pub(super) fn new(name: &str) -> Arc<Self> {
        Arc::new(Self {
            name: name.into(),
            live: Mutex::default(),
            news: Notify::new(),
            shown: Mutex::default(),
            due: Notify::new(),
            answers: tokio::sync::Mutex::default(),
            waiting: AtomicUsize::new(0),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its journal is known; `bare`: it has no game.
    pub(super) fn begin(&self, stand: Stand, bare: bool) {
        let mut live = self.lock();
        (live.stand, live.bare) = (Some(stand), bare);
        drop(live);
        self.news.notify_one();
    }

    /// Takes an event that is safe. Never waits.
    pub(super) fn say(&self, said: &Said, stopwatch: Stopwatch) {
        let event = &said.event;
        let mut live = self.lock();
        let Some(stand) = live.stand.as_mut().filter(|stand| event.seq > stand.said) else { return };
        stand.said = event.seq;
        if let Body::Link { state, .. } = &event.body {
            live.linked = Some(event.seq).filter(|_| *state == LinkState::Up);
        }
        live.kept.push_back(said.clone());
        if live.kept.len() > KEPT {
            live.kept.pop_front();
        }
        let (opened, shift) = (opened(event), shift(stopwatch.now(), event.t));
        // The event that came through fastest tells best how the two times lie.
        live.clock = Some(match live.clock {
            Some((other, least)) if near(other, opened) => (other, least.min(shift)),
            _ => (opened, shift),
        });
        drop(live);
        self.news.notify_one();
    }

    /// This is public by now. Never waits.
    pub(super) fn show(&self, event: &Arc<Event>) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.push_back(event.clone());
        let over = shown.len().saturating_sub(SHOWN);
        shown.drain(..over);
        drop(shown);
        self.due.notify_one();
    }

    /// What became public since.
    pub(super) async fn shown(&self) -> Vec<Arc<Event>> {
        loop {
            let news = self.due.notified();
            let events: Vec<_> = self.shown.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect();
            if !events.is_empty() {
                return events;
            }
            news.await;
        }
    }

    pub(super) fn stand(&self) -> Option<Stand> {
        self.lock().stand.clone()
    }

    /// Begins another numbering, all of which is still to be published.
    pub(super) fn renumber(&self, epoch: String, from: u64) {
        if let Some(stand) = &mut self.lock().stand {
            (stand.epoch, stand.from, stand.acked) = (epoch, from, from);
        }
    }

    /// The stream has everything up to `seq`.
    pub(super) fn acked(&self, seq: u64) {
        let mut live = self.lock();
        live.trouble = None;
        if let Some(stand) = &mut live.stand {
            stand.acked = seq;
        }
    }

    /// Its events do not go out (`Some`), or do again. The first reason since they last did stays, with its time.
    pub(super) fn trouble(&self, now: Mono, why: Option<String>) {
        let mut live = self.lock();
        let since = live.trouble.as_ref().map_or(now, |(since, _)| *since);
        live.trouble = why.map(|why| (since, why));
    }

    pub(super) fn troubled(&self) -> Option<(Mono, String)> {
        self.lock().trouble.clone()
    }

    /// The server said that this machine may not publish it.
    pub(super) fn deny(&self, why: String) {
        self.lock().denied = Some(why);
    }

    /// What it said last, once.
    pub(super) fn denied(&self) -> Option<String> {
        self.lock().denied.take()
    }

    /// The alarm about its trouble is to stand with this text, or not (`None`). Returns whether that is news.
    pub(super) fn tell_trouble(&self, text: Option<String>) -> bool {
        let mut live = self.lock();
        let news = live.told != text;
        live.told = text;
        news
    }

    /// The alarm's text.
    pub(super) fn told_trouble(&self) -> Option<String> {
        self.lock().told.clone()
    }

    /// Whether no game of it was known here at the start, as far as nobody has asked the board itself.
    pub(super) fn is_bare(&self) -> bool {
        self.lock().bare
    }

    /// What it says up to now, and at least up to event `to`, takes the place of another numbering, at once.
    /// `acked`: what of that is in the stream already.
    pub(super) fn hold(&self, acked: u64, to: u64) {
        let mut live = self.lock();
        live.bare = false;
        // An entry is answered before its events have come here.
        live.held_until = live.stand.as_ref().map(|stand| stand.said.max(to)).filter(|until| *until > acked);
    }

    /// The event after which a game that is taken over now is published, with the link and what the board is: what was recorded here of earlier games
    /// is in the stream, and whole there.
    pub(super) fn taken_after(&self) -> u64 {
        let live = self.lock();
        let Some(stand) = &live.stand else { return 0 };
        if live.bare { stand.from } else { live.linked.map_or(stand.said, |seq| seq.saturating_sub(1)) }
    }

    /// The event with which it came up, while it is.
    pub(super) fn linked(&self) -> Option<u64> {
        self.lock().linked
    }

    /// The last event of what takes the place of another numbering.
    pub(super) fn held_until(&self) -> Option<u64> {
        self.lock().held_until
    }

    /// Waits until something was said after `seq`; the last number that was.
    pub(super) async fn said_after(&self, seq: u64) -> u64 {
        loop {
            let news = self.news.notified();
            if let Some(said) = self.stand().map(|stand| stand.said).filter(|said| *said > seq) {
                return said;
            }
            news.await;
        }
    }

    /// Events from `next` on, at most `most`, if the first of them is in memory.
    pub(super) fn kept(&self, next: u64, most: usize) -> Vec<Said> {
        let live = self.lock();
        let found = live.kept.front().is_some_and(|first| first.event.seq <= next);
        if found { live.kept.iter().filter(|said| said.event.seq >= next).take(most).cloned().collect() } else { Vec::new() }
    }

    /// The first event in memory.
    pub(super) fn first_kept(&self) -> Option<u64> {
        self.lock().kept.front().map(|said| said.event.seq)
    }

    /// How long ago an event happened, milliseconds.
    pub(super) fn age(&self, event: &Event, stopwatch: Stopwatch) -> u64 {
        let clock = self.lock().clock;
        match clock {
            Some((other, least)) if near(other, opened(event)) => {
                u64::try_from(shift(stopwatch.now(), event.t).saturating_sub(least)).unwrap_or(0)
            }
            // Of an earlier journal: the machine's calendar is all there is.
            _ => flagfall_time::now().since(event.at),
        }
    }
}

/// When the event's journal was opened.
fn opened(event: &Event) -> Wall {
    event.at.before(event.t)
}

fn near(one: Wall, other: Wall) -> bool {
    one.since(other).max(other.since(one)) <= SAME
}

fn shift(daemon: Mono, board: Mono) -> i64 {
    let ms = |t: Mono| i64::try_from(t.millis()).unwrap_or(i64::MAX);
    ms(daemon).saturating_sub(ms(board))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_events::Colour;

    fn said(seq: u64, t: u64) -> Said {
        Said::of(event(seq, t))
    }

    fn event(seq: u64, t: u64) -> Arc<Event> {
        let (t, body) = (Mono::from_millis(t), Body::Press { by: Colour::White });
        Arc::new(Event { seq, t, at: Wall::EPOCH.after(t), board: "1".into(), game: None, body })
    }

    #[test]
    fn a_board_without_a_journal_publishes_nothing() {
        let board = Board::new("1");
        board.say(&said(1, 0), Stopwatch::start());
        assert_eq!((board.stand(), board.first_kept()), (None, None));
    }

    #[test]
    fn memory_is_bounded_and_what_was_said_before_is_said_once() {
        let (board, stopwatch) = (Board::new("1"), Stopwatch::start());
        board.begin(Stand { said: 10, ..Stand::default() }, false);
        for seq in 1..=1000 {
            board.say(&said(seq, seq), stopwatch);
        }
        assert_eq!(board.stand().unwrap().said, 1000);
        assert_eq!(board.first_kept(), Some(1000 - KEPT as u64 + 1));
        assert!(board.kept(11, 5).is_empty(), "that is in the journal only");
        let seqs: Vec<_> = board.kept(998, 5).iter().map(|said| said.event.seq).collect();
        assert_eq!(seqs, [998, 999, 1000]);
    }

    #[test]
    fn a_record_that_was_taken_over_is_held_whole_though_its_events_have_not_come_here() {
        let (board, stopwatch) = (Board::new("1"), Stopwatch::start());
        board.begin(Stand::default(), false);
        board.say(&said(1, 0), stopwatch);
        board.hold(0, 40);
        assert_eq!(board.held_until(), Some(40));
        board.hold(1, 0);
        assert_eq!(board.held_until(), None, "all of it is in the stream");
    }

    #[test]
    fn an_age_rests_on_the_event_that_came_fastest() {
        let (board, stopwatch) = (Board::new("1"), Stopwatch::start());
        board.begin(Stand::default(), false);
        board.say(&said(1, 100_000), stopwatch);
        board.say(&said(2, 103_000), stopwatch);
        // The first one came three seconds late, beside the second.
        assert!((3_000..3_900).contains(&board.age(&event(1, 100_000), stopwatch)));
        assert!(board.age(&event(2, 103_000), stopwatch) < 900);
    }
}
