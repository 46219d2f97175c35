//! The journals beside what was seen.
use super::client::Said;
use flagfall::journal::read::{events, readable};
use flagfall::journal::store::journals;
use flagfall::journal::verify::verify;
use flagfall_events::Touches;
use flagfall_events::{Body, Event, How};
use flagfall_score::board::BoardState;
use flagfall_score::public::PublicView;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What the journals must hold.
pub(crate) struct Book {
    data: PathBuf,
    /// Seen by a client: board and number, and the text.
    seen: HashMap<(String, u64), String>,
    /// The same of the public stream, whose numbers are its own.
    seen_in_public: HashMap<(String, u64), String>,
    acknowledged: Vec<(String, String, u64)>,
    /// The game on each board when the daemon was killed last, if one was in progress.
    playing: HashMap<String, Value>,
}

/// The journals at the end.
pub(crate) struct Whole {
    pub(crate) events: u64,
    pub(crate) moves: (usize, usize),
    pub(crate) torn: usize,
}

impl Book {
    pub(crate) fn new(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
            seen: HashMap::new(),
            seen_in_public: HashMap::new(),
            acknowledged: Vec::new(),
            playing: HashMap::new(),
        }
    }

    fn bytes(&self, board: &str) -> Vec<u8> {
        journals(&self.data, board).unwrap().iter().flat_map(|path| fs::read(path).unwrap()).collect()
    }

    /// After a kill: everything that was seen in that life is in the journals, to the letter.
    pub(crate) fn holds(&mut self, said: Said) {
        for (events, seen) in [(&said.events, &mut self.seen), (&said.public, &mut self.seen_in_public)] {
            for text in events {
                let value: Value = serde_json::from_str(text).unwrap();
                let key = (value["board"].as_str().unwrap().to_owned(), value["seq"].as_u64().unwrap());
                if let Some(earlier) = seen.insert(key.clone(), text.clone()) {
                    assert_eq!(earlier, *text, "{key:?} was published twice, differently");
                }
            }
        }
        let mut written: HashMap<(String, u64), String> = HashMap::new();
        let mut entries: HashMap<String, Vec<String>> = HashMap::new();
        let mut public: HashMap<(String, u64), String> = HashMap::new();
        let mut boards: Vec<String> = said.events.iter().chain(&said.public).map(|text| board_of(text)).collect();
        boards.extend(said.acknowledged.iter().map(|(board, ..)| board.clone()));
        boards.sort();
        boards.dedup();
        for board in &boards {
            let shown = of_public(&events(&self.bytes(board)));
            public.extend(shown.iter().map(|event| ((board.clone(), event.seq), serde_json::to_string(event).unwrap())));
            for line in readable(&self.bytes(board)) {
                match line.key {
                    "event" => {
                        let value: Value = serde_json::from_str(line.value).unwrap();
                        written.insert((board.clone(), value["seq"].as_u64().unwrap()), line.value.to_owned());
                    }
                    "entry" => entries.entry(board.clone()).or_default().push(line.value.to_owned()),
                    _ => {}
                }
            }
        }
        for text in &said.events {
            let value: Value = serde_json::from_str(text).unwrap();
            let key = (board_of(text), value["seq"].as_u64().unwrap());
            assert_eq!(written.get(&key), Some(text), "published, but not in the journal");
        }
        for text in &said.public {
            let value: Value = serde_json::from_str(text).unwrap();
            let key = (board_of(text), value["seq"].as_u64().unwrap());
            assert_eq!(public.get(&key), Some(text), "public, but not what follows from the journal");
        }
        for (board, note, seq) in &said.acknowledged {
            let found = entries.get(board).is_some_and(|entries| entries.iter().any(|entry| entry.contains(&format!("{note:?}"))));
            assert!(found, "acknowledged, but not in the journal of board {board}: {note}");
            assert!(*seq == 0 || written.contains_key(&(board.clone(), *seq)), "board {board}: {seq} was acknowledged");
        }
        self.acknowledged.extend(said.acknowledged);
        for n in 1.. {
            let board = n.to_string();
            if journals(&self.data, &board).unwrap().is_empty() {
                break;
            }
            let state = fold(&board, &events(&self.bytes(&board)), u64::MAX);
            let object = serde_json::to_value(state.view(flagfall_score::board::Ages::default(), true)).unwrap();
            let playing = object["game"]["result"] == "*" && !object["game"]["started_at"].is_null();
            if playing {
                self.playing.insert(board, object);
            } else {
                self.playing.remove(&board);
            }
        }
    }

    /// After a start: each board is as its journal says, and its game goes on. Returns how many games go on.
    pub(crate) fn goes_on(&self, objects: &[Value]) -> usize {
        let mut goes_on = 0;
        for object in objects {
            let board = object["board"].as_str().unwrap();
            let seq = object["seq"].as_u64().unwrap();
            let last = self.seen_in_public.keys().filter(|(b, _)| b == board).map(|(_, seq)| *seq).max().unwrap_or(0);
            let journal = events(&self.bytes(board));
            assert!(seq >= last, "board {board}: {seq} after {last} was published");
            let mut told = object.clone();
            if let Some(clock) = told.get_mut("clock").and_then(Value::as_object_mut) {
                clock.remove("age_ms");
            }
            // Names come from the pairings, not from the journal.
            for player in ["white", "black"] {
                told["game"][player] = Value::Null;
            }
            let folded = serde_json::to_value(fold(board, &journal, seq).view(flagfall_score::board::Ages::default(), true)).unwrap();
            assert_eq!(told, folded, "board {board} is not as its journal says");
            if let Some(before) = self.playing.get(board) {
                assert_eq!(object["game"]["started_at"], before["game"]["started_at"], "board {board}: its game is another one");
                goes_on += 1;
            }
        }
        goes_on
    }

    /// At the end: everything once more, and every journal verifies.
    pub(crate) fn close(self) -> Whole {
        let mut whole = Whole { events: 0, moves: (0, 0), torn: 0 };
        for n in 1.. {
            let files = journals(&self.data, &n.to_string()).unwrap();
            if files.is_empty() {
                break;
            }
            let mut next = 1;
            for path in &files {
                let bytes = fs::read(path).unwrap();
                let report = verify(&bytes, None);
                // The last kill may have torn the last line; everything else is whole.
                if let Some(trouble) = &report.trouble {
                    let rest = readable(&bytes).len() as u64;
                    assert!(trouble.what.contains("middle of this line") && rest == report.lines, "{}: {trouble:?}", path.display());
                    whole.torn += 1;
                }
                assert_eq!(report.follows(path), Ok(None), "{}", path.display());
                assert!(report.losses.is_empty() && report.mistakes.is_empty(), "{report:?}");
                whole.torn += report.cuts.len();
                for event in events(&bytes) {
                    assert_eq!(event.seq, next, "board {n}: numbers without a gap");
                    next += 1;
                    if let Body::MoveCompleted { how, .. } = &event.body {
                        whole.moves.0 += 1;
                        whole.moves.1 += usize::from(*how == How::Recovered);
                    }
                }
            }
            whole.events += next - 1;
            let text = String::from_utf8_lossy(&self.bytes(&n.to_string())).into_owned();
            for ((_, seq), seen) in self.seen.iter().filter(|((board, _), _)| *board == n.to_string()) {
                assert!(text.contains(seen.as_str()), "board {n}: event {seq} was published and is gone");
            }
            for (_, note, _) in self.acknowledged.iter().filter(|(board, ..)| *board == n.to_string()) {
                assert!(text.contains(&format!("{note:?}")), "board {n}: {note} was acknowledged and is gone");
            }
        }
        whole
    }
}

fn board_of(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap();
    value["board"].as_str().unwrap().to_owned()
}

fn fold(board: &str, events: &[std::sync::Arc<Event>], up_to: u64) -> BoardState {
    let mut state = BoardState::new(board.into());
    of_public(events).iter().filter(|event| event.seq <= up_to).for_each(|event| _ = state.apply(event));
    state
}

/// What of a board's events is public.
fn of_public(events: &[std::sync::Arc<Event>]) -> Vec<Event> {
    let mut view = PublicView::new(Touches::Public, 0);
    events.iter().flat_map(|event| view.take(event)).filter(|event| event.body.is_public()).collect()
}
