//! What journals hold, read back: events for those who are behind, across day files; and which orders were journaled.
use super::digest::Digest;
use super::header::Open;
use super::line::Line;
use super::said::Said;
use super::{read, recover, store};
use bytes::Bytes;
use flagfall_events::Touches;
use flagfall_events::{Entry, Event};
use flagfall_score::public::PublicView;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Events that are read at once.
const PORTION: usize = 256;
/// So many of the newest journals are looked through for orders: whoever asks again does so within days.
const DAYS: usize = 4;

/// An event as it goes out.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its number.
    pub seq: u64,
    /// Its JSON.
    pub body: Bytes,
    /// `None`: another version wrote it.
    pub event: Option<Arc<Event>>,
}

impl Item {
    /// One that just happened.
    pub fn of(said: Said) -> Self {
        Self { seq: said.event.seq, body: said.json, event: Some(said.event) }
    }

    /// The event, where this version understands it.
    pub fn said(self) -> Option<Said> {
        Some(Said { event: self.event?, json: self.body })
    }

    fn read(json: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Head {
            seq: u64,
        }
        let body = Bytes::copy_from_slice(json.as_bytes());
        match serde_json::from_str::<Event>(json) {
            Ok(event) => Some(Self { seq: event.seq, body, event: Some(Arc::new(event)) }),
            // What is not understood is not public.
            Err(_) => serde_json::from_str::<Head>(json).ok().map(|head| Self { seq: head.seq, body, event: None }),
        }
    }
}

/// A place in a board's journals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    path: PathBuf,
    offset: u64,
}

/// The journals of one board.
#[derive(Clone, Debug)]
pub struct Backlog {
    data_dir: PathBuf,
    board: Arc<str>,
    place: Option<Place>,
}

impl Backlog {
    /// The events of `board` in the journals below `data_dir`.
    pub fn new(data_dir: &Path, board: &Arc<str>) -> Self {
        Self { data_dir: data_dir.to_owned(), board: board.clone(), place: None }
    }

    /// Whose they are.
    pub fn board(&self) -> &str {
        &self.board
    }

    fn files(&self) -> io::Result<Vec<PathBuf>> {
        store::journals(&self.data_dir, &self.board)
    }

    /// Events from `next` to `last`, at most `most`, in order; fewer where the rest is not on disk. Blocks.
    pub fn read(&mut self, next: u64, last: u64, most: usize) -> io::Result<Vec<Item>> {
        let mut items: Vec<Item> = Vec::new();
        let files = self.files()?;
        let known = self.place.take().filter(|place| files.contains(&place.path));
        let mut place = match known {
            Some(place) => place,
            None => match begin(&files, next)? {
                Some(path) => Place { path, offset: 0 },
                None => return Ok(items),
            },
        };
        let mut wanted = next;
        loop {
            let ended = self.file(&mut place, &mut items, &mut wanted, last, most)?;
            let following = files.iter().position(|path| *path == place.path).and_then(|at| files.get(at + 1));
            match following.filter(|_| ended) {
                Some(path) => place = Place { path: path.clone(), offset: 0 },
                None => break,
            }
        }
        self.place = Some(place);
        Ok(items)
    }

    /// Reads on in one file; true at its end.
    fn file(&self, place: &mut Place, items: &mut Vec<Item>, wanted: &mut u64, last: u64, most: usize) -> io::Result<bool> {
        let mut file = File::open(&place.path)?;
        file.seek(SeekFrom::Start(place.offset))?;
        let mut reader = BufReader::with_capacity(64 * 1024, file);
        let mut text = Vec::new();
        loop {
            text.clear();
            let length = reader.read_until(b'\n', &mut text)?;
            if text.pop_if(|byte| *byte == b'\n').is_none() {
                // The end, or a line that is being written.
                return Ok(true);
            }
            // A damaged line is what `verify` tells of; those around it stand.
            let item = Line::read(&text).ok().filter(|line| line.key == "event").and_then(|line| Item::read(line.value));
            if let Some(item) = item.filter(|item| item.seq >= *wanted) {
                if item.seq > last || items.len() >= most {
                    return Ok(false);
                }
                *wanted = item.seq + 1;
                items.push(item);
            }
            place.offset += length as u64;
        }
    }

    /// What is public as of event `upto`, numbered as the journal that holds it says. Blocks.
    pub fn view(&self, upto: u64, touches: Touches) -> io::Result<PublicView> {
        let files = self.files()?;
        let Some(path) = begin(&files, upto + 1)? else { return Ok(PublicView::new(touches, 0)) };
        let open = opened(&path)?;
        let before = files.iter().position(|file| *file == path).and_then(|at| files.get(at.checked_sub(1)?));
        let mut next = open.as_ref().map_or(0, |open| open.seq) + 1;
        let mut view = match &open {
            Some(open) => recover::public_before(open, touches, before, &|| ())?,
            None => PublicView::new(touches, 0),
        };
        let mut read = Self { place: Some(Place { path, offset: 0 }), ..self.clone() };
        loop {
            let items = read.read(next, upto, PORTION)?;
            let Some(last) = items.last() else { return Ok(view) };
            next = last.seq + 1;
            items.iter().filter_map(|item| item.event.as_deref()).for_each(|event| _ = view.take(event));
        }
    }

    /// What was told of the board up to event `upto`, without what later events replace, and the number of the last public one among it. The game before
    /// is there as long as the one that follows it has no move. Blocks.
    pub fn as_of(&self, upto: u64, touches: Touches) -> io::Result<(Vec<Arc<Event>>, u64)> {
        let files = self.files()?;
        let number = self.view(upto, touches)?.number();
        let Some(path) = begin(&files, upto + 1)? else { return Ok((Vec::new(), number)) };
        let before = files.iter().position(|file| *file == path).and_then(|at| files.get(at.checked_sub(1)?));
        let mut events = before.map_or_else(|| Ok(Vec::new()), |before| recover::last_game(before, &|| ()))?;
        let mut digest = Digest::default();
        let first = header(&path)?.unwrap_or(0) + 1;
        let mut read = Self { place: Some(Place { path, offset: 0 }), ..self.clone() };
        read.each(first, upto, |event| digest.take(Event::clone(event)))?;
        events.extend(digest.into_events());
        Ok((events, number))
    }

    /// Every event from `next` to `last` that this version understands, in order. Blocks.
    pub fn each(&mut self, mut next: u64, last: u64, mut of: impl FnMut(&Arc<Event>)) -> io::Result<()> {
        loop {
            let items = self.read(next, last, PORTION)?;
            let Some(read) = items.last() else { return Ok(()) };
            next = read.seq + 1;
            items.iter().filter_map(|item| item.event.as_ref()).for_each(&mut of);
        }
    }

    /// The last event before the first one of the newest `count` journals. Blocks.
    pub fn begins_after(&self, count: usize) -> io::Result<u64> {
        let files = self.files()?;
        files.get(files.len().saturating_sub(count)).map_or(Ok(0), |path| Ok(header(path)?.unwrap_or(0)))
    }

    /// The last event before the first one of the newest journal; of the newest one that has event `with`. Blocks.
    pub fn newest_begins_after(&self, with: Option<u64>) -> Option<u64> {
        let files = self.files().ok()?;
        let mut begins = files.iter().rev().filter_map(|path| header(path).ok()?);
        begins.find(|after| with.is_none_or(|seq| *after < seq))
    }

    /// The keys of orders that were journaled, and the last event that came of each. Blocks.
    pub fn orders(&self) -> io::Result<HashMap<String, u64>> {
        let mut taken = HashMap::new();
        let files = self.files()?;
        for path in files.get(files.len().saturating_sub(DAYS)..).unwrap_or_default() {
            let skips = read::skips(read::open(path)?)?;
            let mut newest = None;
            let mut seq = header(path)?.unwrap_or(0);
            read::each_readable(read::open(path)?, |line| match line.key {
                "event" => {
                    if let Some(of) = read::seq_of(line.value) {
                        seq = of;
                        // What a deadline brings about later came of no order.
                        if let Some((key, _)) = newest.as_ref().filter(|(_, t)| *t == line.t) {
                            taken.insert(String::clone(key), seq);
                        }
                    }
                }
                "entry" if !skips.contains(&line.number) => {
                    newest = serde_json::from_str::<Entry>(line.value).ok().and_then(|entry| Some((entry.order_key?, line.t)));
                    if let Some((key, _)) = &newest {
                        taken.insert(key.clone(), seq);
                    }
                }
                key if super::what::What::is_input(key) => newest = None,
                _ => {}
            })?;
        }
        Ok(taken)
    }
}

/// The newest journal that begins at `next` or before; the oldest where none does.
fn begin(files: &[PathBuf], next: u64) -> io::Result<Option<PathBuf>> {
    for path in files.iter().rev() {
        if header(path)?.is_some_and(|before| before < next) {
            return Ok(Some(path.clone()));
        }
    }
    Ok(files.first().cloned())
}

/// The last event before a journal's first, as its header says.
fn header(path: &Path) -> io::Result<Option<u64>> {
    Ok(opened(path)?.map(|open| open.seq))
}

/// A journal's header; `None` where it cannot be read.
fn opened(path: &Path) -> io::Result<Option<Open>> {
    let mut first = Vec::new();
    BufReader::new(File::open(path)?).read_until(b'\n', &mut first)?;
    let line = first.strip_suffix(b"\n").and_then(|text| Line::read(text).ok()).filter(|line| line.key == "open");
    Ok(line.and_then(|line| serde_json::from_str(line.value).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chain;
    use crate::header::FORMAT;
    use crate::what::{Skip, What};
    use flagfall_events::Order;
    use flagfall_events::{AlarmState, Body, Colour};
    use flagfall_events::{Mono, Wall};
    use std::collections::BTreeMap;

    fn event(seq: u64) -> What {
        let body = if seq.is_multiple_of(2) {
            Body::alarm(flagfall_events::Word::read("board-lost"), AlarmState::Raised)
        } else {
            Body::Press { by: Colour::White }
        };
        What::Event(Arc::new(Event { seq, t: Mono::ZERO, at: Wall::EPOCH, board: "1".into(), game: None, body }))
    }

    fn open(seq: u64) -> What {
        What::Open(Box::new(Open {
            format: FORMAT,
            log: None,
            flagfall: String::new(),
            recognition: None,
            board: String::from("1"),
            day: String::new(),
            recorded_at: Wall::EPOCH,
            seq,
            settings: BTreeMap::new(),
            keep: String::new(),
            key: String::new(),
            // Every other event is public.
            public: seq.div_ceil(2),
            games: 0,
            raised: Vec::new(),
            stands: None,
            before: None,
        }))
    }

    fn bytes(lines: &[What]) -> Vec<u8> {
        let (mut chain, mut out) = (Chain::default(), Vec::new());
        lines.iter().for_each(|what| chain.write(&mut out, Mono::ZERO, what));
        out
    }

    fn journal(day: &str, lines: &[What], folder: &Path) -> PathBuf {
        let place = store::folder(folder, "1");
        std::fs::create_dir_all(&place).unwrap();
        let path = place.join(format!("{day}.journal"));
        std::fs::write(&path, bytes(lines)).unwrap();
        path
    }

    fn seqs(items: &[Item]) -> Vec<u64> {
        items.iter().map(|item| item.seq).collect()
    }

    #[test]
    fn events_are_read_back_across_days_in_portions_and_not_beyond_what_is_safe() {
        let folder = tempfile::tempdir().unwrap();
        journal("2026-11-20", &[open(0), event(1), event(2), event(3)], folder.path());
        journal("2026-11-21", &[open(3), event(4), What::In(vec![1]), event(5)], folder.path());
        let last = journal("2026-11-21-2", &[open(5), event(6), event(7), event(8)], folder.path());
        let mut backlog = Backlog::new(folder.path(), &"1".into());
        assert_eq!(seqs(&backlog.read(2, 7, 3).unwrap()), [2, 3, 4]);
        assert_eq!(seqs(&backlog.read(5, 7, 2).unwrap()), [5, 6]);
        assert_eq!(seqs(&backlog.read(7, 7, 9).unwrap()), [7]);
        assert_eq!(seqs(&backlog.read(8, 8, 9).unwrap()), [8]);
        assert!(backlog.read(9, 9, 9).unwrap().is_empty(), "it is not there yet");
        // A line that is being written, then whole.
        let mut more = bytes(&[open(5), event(6), event(7), event(8), event(9)]);
        let whole = more.clone();
        more.truncate(more.len() - 7);
        std::fs::write(&last, more).unwrap();
        assert!(backlog.read(9, 9, 9).unwrap().is_empty());
        std::fs::write(&last, whole).unwrap();
        let items = backlog.read(9, 9, 9).unwrap();
        assert_eq!(seqs(&items), [9]);
        // Each journal numbers on from what its header says.
        let view = |upto| Backlog::new(folder.path(), &"1".into()).view(upto, Touches::Public).unwrap();
        assert_eq!((view(2).number(), view(3).number(), view(9).number()), (1, 2, 5));
        assert_eq!([None, Some(6), Some(5), Some(4)].map(|with| backlog.newest_begins_after(with)), [Some(5), Some(5), Some(3), Some(3)]);
        assert_eq!(seqs(&Backlog::new(folder.path(), &"1".into()).read(5, 99, 99).unwrap()), [5, 6, 7, 8, 9]);
    }

    /// What the world is told of two games, and what it is not.
    #[test]
    fn public_numbers_go_on_over_journals_as_if_nobody_had_looked_away() {
        let said = |seq: u64, mut body: serde_json::Value| {
            let head = serde_json::json!({"seq": seq, "t": seq, "at": "2026-11-21T15:00:00Z", "board": "1"});
            body.as_object_mut().unwrap().extend(head.as_object().unwrap().clone());
            What::Event(Arc::new(serde_json::from_value::<Event>(body).unwrap()))
        };
        let starts = |game: u32| {
            serde_json::json!({"type": "game-start", "game": game, "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false})
        };
        let made = |game: u32| {
            serde_json::json!({"type": "move-made", "game": game, "ply": 1, "by": "white", "uci": "e2e4", "san": "e4", "legal": true,
                "placement": "8/8/8/8/8/8/8/8", "provisional": true})
        };
        let stands = |placement: &str| serde_json::json!({"type": "placement", "placement": placement, "settled": true});
        let alarm = serde_json::json!({"type": "alarm", "key": "result-missing", "state": "raised"});
        let ends = serde_json::json!({"type": "result", "game": 1, "result": "*", "reason": "unread", "source": "setup"});
        let first = [starts(1), alarm.clone(), made(1), ends];
        // What is set up and tried out between the games is nobody's business.
        let second = [stands("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR"), alarm, stands("4k3/8/8/8/8/8/8/4K3"), starts(2), made(2)];
        let folder = tempfile::tempdir().unwrap();
        let lines = |from: u64, bodies: &[serde_json::Value]| -> Vec<What> {
            (from..).zip(bodies).map(|(n, body)| said(n, body.clone())).collect()
        };
        let with = |head: Open, events: Vec<What>| -> Vec<What> { [What::Open(Box::new(head))].into_iter().chain(events).collect() };
        let head = |seq: u64| match open(seq) {
            What::Open(open) => *open,
            _ => unreachable!("it is one"),
        };
        journal("2026-11-20", &with(head(0), lines(1, &first)), folder.path());
        let stood = Some(flagfall_game::board::Stands::default());
        journal("2026-11-20-2", &with(Open { public: 3, stands: stood, ..head(4) }, lines(5, &second)), folder.path());
        let view = |upto| Backlog::new(folder.path(), &"1".into()).view(upto, Touches::Public).unwrap().number();
        let (mut whole, mut told) = (PublicView::new(Touches::Public, 0), Vec::new());
        for what in lines(1, &first).into_iter().chain(lines(5, &second)) {
            let What::Event(event) = what else { unreachable!("they are events") };
            told.extend(whole.take(&event));
            assert_eq!(view(event.seq), whole.number(), "at event {}", event.seq);
        }
        assert_eq!(whole.number(), 6, "the beginning, the placement that stands by now, the move");
        // A start in the middle of the second game leaves the world with what it knows, and no more.
        let settings = flagfall_game::settings::Settings::default();
        let recovered = recover::recover(folder.path(), head(0), &settings, Wall::EPOCH, &|| ()).unwrap();
        let (view, restored) = PublicView::restored(Touches::Public, &recovered.events, recovered.public.number());
        assert_eq!((view.number(), restored), (6, told));
    }

    #[test]
    fn what_another_version_wrote_is_for_arbiters_only() {
        let item = Item::read(r#"{"seq":7,"t":1,"at":"2026-11-21T15:00:00Z","board":"1","type":"secret-of-tomorrow"}"#).unwrap();
        assert_eq!((item.seq, item.event), (7, None));
        assert!(Item::read("{}").is_none());
    }

    #[test]
    fn journaled_orders_are_known_by_their_keys_and_those_left_out_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let order = |key: &str| What::Entry(Entry { order_key: Some(String::from(key)), ..Entry::new(Order::Stop {}) });
        let skip = What::Skip(Skip { why: String::new() });
        let lines = [open(0), event(1), order("a"), event(2), event(3), What::In(vec![1]), event(4), order("b"), order("c"), skip];
        journal("2026-11-20", &lines, folder.path());
        let found = Backlog::new(folder.path(), &"1".into()).orders().unwrap();
        assert_eq!(found, HashMap::from([(String::from("a"), 3), (String::from("b"), 4)]));
    }
}
