//! A Lichess in memory, made from its public specification and from what is known of how it merges: one round, its chapters, its own delay,
//! tags that were set by hand. Time is an argument. It serves the tests in simulated time and the server on loopback.
//!
//! It reads PGN by itself, so that no mistake of the program's reader hides here.
#![allow(dead_code, reason = "each of its users needs a part")]
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingMode, Chess, Position as _, Role, Square};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Milliseconds in which a tag that was set by hand wins.
const HAND_MS: u64 = 6 * 3_600_000;
/// Games that a push may have, and chapters that a round may have.
const MOST: usize = 100;
/// Tags that a chapter keeps.
const KEPT: [&str; 18] = [
    "White",
    "WhiteElo",
    "WhiteTitle",
    "WhiteTeam",
    "WhiteFideId",
    "Black",
    "BlackElo",
    "BlackTitle",
    "BlackTeam",
    "BlackFideId",
    "TimeControl",
    "Result",
    "Termination",
    "Site",
    "Event",
    "Round",
    "Board",
    "GameId",
];
const ROUND: &str = "https://lichess.org/broadcast/open/round-1/xVEzYJHf";

/// A game as it was pushed.
#[derive(Clone, Debug, Default)]
struct Game {
    tags: BTreeMap<String, String>,
    moves: Vec<(String, Option<u32>)>,
    /// The last move is a king to the middle that cannot be played: passed over.
    mates: bool,
}

/// What became of one game of a push.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) moves: Result<usize, String>,
}

#[derive(Clone, Debug)]
struct Node {
    san: String,
    clock: Option<u32>,
    /// The first one is the main line.
    children: Vec<usize>,
}

/// One chapter.
#[derive(Clone, Debug)]
struct Chapter {
    id: String,
    tags: BTreeMap<String, String>,
    /// Node 0 stands for the start.
    nodes: Vec<Node>,
}

/// A game as viewers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) moves: Vec<String>,
    pub(crate) clocks: Vec<Option<u32>>,
    pub(crate) tags: BTreeMap<String, String>,
}

/// The round.
#[derive(Debug, Default)]
pub(crate) struct Lichess {
    /// The round's own delay, seconds.
    pub(crate) delay_s: u64,
    /// It answers the next push and does nothing.
    pub(crate) loses_next: bool,
    /// The next new moves stay a variation.
    pub(crate) leaves_variation: bool,
    /// It has no request that replaces moves.
    pub(crate) without_replacing: bool,
    chapters: Vec<Chapter>,
    made: usize,
    waiting: Vec<(u64, Vec<Game>)>,
    by_hand: BTreeMap<(String, String), u64>,
    streamed: BTreeSet<String>,
}

impl Lichess {
    /// An empty round with this delay, seconds.
    pub(crate) fn new(delay_s: u64) -> Self {
        let mut lichess = Self { delay_s, ..Self::default() };
        lichess.reset();
        lichess
    }

    /// `POST …/push`: an entry for each game, in their order.
    pub(crate) fn push(&mut self, now: u64, body: &str) -> Vec<Entry> {
        self.wait_until(now);
        let parsed: Vec<Result<Game, Entry>> = split(body).into_iter().take(MOST).map(parse).collect();
        let games: Vec<Game> = parsed.iter().filter_map(|one| one.as_ref().ok().cloned()).collect();
        let entries = parsed.into_iter().map(|one| match one {
            Ok(game) => Entry { moves: Ok(game.moves.len()), tags: game.tags },
            Err(entry) => entry,
        });
        let entries = entries.collect();
        if std::mem::take(&mut self.loses_next) {
            return entries;
        }
        if self.delay_s > 0 && games.iter().any(|game| !game.moves.is_empty()) {
            self.waiting.push((now + (self.delay_s - 1) * 1000, games));
        } else {
            self.apply(now, &games);
        }
        entries
    }

    /// `POST …/reset`.
    pub(crate) fn reset(&mut self) {
        let chapter = self.chapter(BTreeMap::new());
        self.chapters = vec![chapter];
    }

    /// `POST /api/study/{round}/{chapter}/moves`: the status.
    pub(crate) fn replace(&mut self, now: u64, chapter: &str, pgn: &str) -> u16 {
        self.wait_until(now);
        if self.without_replacing {
            return 404;
        }
        let Some(chapter) = self.chapters.iter_mut().find(|one| one.id == chapter) else { return 400 };
        let Ok(game) = parse(pgn) else { return 400 };
        chapter.nodes.truncate(1);
        chapter.nodes[0].children.clear();
        chapter.grow(0, &game.moves, false);
        204
    }

    /// Somebody sets a tag in the chapter of this round and board; an empty value takes the tag away, and the precedence with it.
    pub(crate) fn edit(&mut self, now: u64, round: &str, name: &str, value: &str) {
        self.wait_until(now);
        let Some(chapter) = self.chapters.iter_mut().find(|one| one.tags.get("Round").is_some_and(|r| r == round)) else { return };
        let key = (chapter.id.clone(), String::from(name));
        if value.is_empty() {
            chapter.tags.remove(name);
            self.by_hand.remove(&key);
        } else {
            chapter.tags.insert(String::from(name), String::from(value));
            self.by_hand.insert(key, now + HAND_MS);
        }
    }

    /// Lichess is restarted: what waited is lost.
    pub(crate) fn restart(&mut self, now: u64) {
        self.wait_until(now);
        self.waiting.clear();
    }

    /// `GET …/{round}.pgn`.
    pub(crate) fn export(&mut self, now: u64) -> String {
        self.wait_until(now);
        self.chapters.iter().map(Chapter::export).collect()
    }

    /// What the stream says since it was asked last.
    pub(crate) fn stream(&mut self, now: u64) -> String {
        self.wait_until(now);
        let changed = std::mem::take(&mut self.streamed);
        self.chapters.iter().filter(|chapter| changed.contains(&chapter.id)).map(Chapter::export).collect()
    }

    /// The game of this round and board as viewers see it.
    pub(crate) fn shown(&mut self, now: u64, round: &str) -> Vec<Shown> {
        self.wait_until(now);
        let of = |chapter: &&Chapter| chapter.tags.get("Round").is_some_and(|r| r == round);
        self.chapters.iter().filter(of).map(Chapter::shown).collect()
    }

    /// Everything that can be told apart.
    pub(crate) fn digest(&self) -> String {
        format!("{:?} {:?}", self.chapters, self.waiting.len())
    }

    fn wait_until(&mut self, now: u64) {
        while self.waiting.first().is_some_and(|(at, _)| *at <= now) {
            let (at, games) = self.waiting.remove(0);
            self.apply(at, &games);
        }
        self.by_hand.retain(|_, until| *until > now);
    }

    fn chapter(&mut self, tags: BTreeMap<String, String>) -> Chapter {
        self.made += 1;
        Chapter { id: format!("ch{:06}", self.made), tags, nodes: vec![Node { san: String::new(), clock: None, children: Vec::new() }] }
    }

    fn apply(&mut self, _now: u64, games: &[Game]) {
        let games: Vec<&Game> = games.iter().filter(|game| game.has_players()).collect();
        let alone = self.chapters.len() == 1 && self.chapters[0].is_initial();
        let mut taken: Vec<Option<usize>> = Vec::new();
        for (i, game) in games.iter().enumerate() {
            let found = if alone {
                (i == 0).then_some(0)
            } else {
                (0..self.chapters.len()).find(|j| !taken.contains(&Some(*j)) && game.is_same(&self.chapters[*j]))
            };
            taken.push(found);
        }
        let order: Vec<usize> = taken.iter().flatten().copied().collect();
        let late = std::mem::take(&mut self.leaves_variation);
        for (game, found) in games.iter().zip(&taken) {
            let place = match found {
                Some(place) => *place,
                None if self.chapters.len() >= MOST => continue,
                None => {
                    let chapter = self.chapter(BTreeMap::new());
                    self.chapters.push(chapter);
                    self.chapters.len() - 1
                }
            };
            let chapter = &mut self.chapters[place];
            let retagged = chapter.retag(game, &self.by_hand);
            if chapter.merge(game, late) || retagged || found.is_none() {
                self.streamed.insert(chapter.id.clone());
            }
        }
        // Only where every chapter has its game.
        if order.len() == self.chapters.len() {
            let mut old: Vec<Option<Chapter>> = std::mem::take(&mut self.chapters).into_iter().map(Some).collect();
            self.chapters = order.iter().filter_map(|j| old[*j].take()).collect();
        }
    }
}

impl Game {
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(String::as_str)
    }

    fn has_players(&self) -> bool {
        ["White", "Black"].iter().all(|side| {
            let name = self.tag(side).is_some_and(|name| name.chars().count() > 1 && !name.eq_ignore_ascii_case("unknown"));
            name || self.tag(&format!("{side}FideId")).is_some()
        })
    }

    fn is_same(&self, chapter: &Chapter) -> bool {
        let their = |name: &str| chapter.tags.get(name).map(String::as_str);
        let same = |name: &str| self.tag(name) == their(name);
        if self.tag("GameId").is_some() && same("GameId") {
            return true;
        }
        let number = |round: Option<&str>| round.map(|r| r.chars().take_while(char::is_ascii_digit).collect::<String>());
        let board = |round: Option<&str>| round.and_then(|r| r.split_once('.').map(|(_, board)| String::from(board)));
        if !(same("Event") && same("Site") && number(self.tag("Round")) == number(their("Round"))) {
            return false;
        }
        let ids = ["WhiteFideId", "BlackFideId"];
        let known = ids.iter().all(|id| [self.tag(id), their(id)].iter().all(|one| one.is_some_and(|n| n != "0")));
        let players = if known { ids } else { ["White", "Black"] };
        let tags = board(self.tag("Round")) == board(their("Round")) && players.iter().all(|name| same(name));
        let line = chapter.shown().moves;
        let common = self.moves.len().min(line.len());
        tags || (common > 0 && self.moves[..common].iter().map(|(san, _)| san).eq(&line[..common]))
    }
}

impl Chapter {
    fn is_initial(&self) -> bool {
        self.nodes[0].children.is_empty() && !self.tags.contains_key("White") && !self.tags.contains_key("Black")
    }

    /// Whether a tag changed.
    fn retag(&mut self, game: &Game, by_hand: &BTreeMap<(String, String), u64>) -> bool {
        let before = self.tags.clone();
        for (name, value) in &game.tags {
            let ends = name == "Result" && value == "*" && game.mates;
            if KEPT.contains(&name.as_str()) && !ends && !by_hand.contains_key(&(self.id.clone(), name.clone())) {
                if ["", "?", "unknown"].contains(&value.as_str()) {
                    self.tags.remove(name);
                } else {
                    self.tags.insert(name.clone(), value.clone());
                }
            }
        }
        before != self.tags
    }

    /// Whether there are new moves. Nodes are never deleted; a new line becomes the main line, unless it stays a variation.
    fn merge(&mut self, game: &Game, stays: bool) -> bool {
        let mut at = 0;
        let mut path = vec![0];
        let mut done = 0;
        for (san, clock) in &game.moves {
            let Some(next) = self.nodes[at].children.iter().copied().find(|child| self.nodes[*child].san == *san) else { break };
            if clock.is_some() {
                self.nodes[next].clock = *clock;
            }
            at = next;
            path.push(next);
            done += 1;
        }
        for pair in path.windows(2) {
            let children = &mut self.nodes[pair[0]].children;
            let place = children.iter().position(|child| *child == pair[1]).unwrap();
            let child = children.remove(place);
            children.insert(0, child);
        }
        self.grow(at, &game.moves[done..], stays);
        done < game.moves.len()
    }

    fn grow(&mut self, mut at: usize, moves: &[(String, Option<u32>)], stays: bool) {
        for (san, clock) in moves {
            self.nodes.push(Node { san: san.clone(), clock: *clock, children: Vec::new() });
            let new = self.nodes.len() - 1;
            let place = if stays { self.nodes[at].children.len() } else { 0 };
            self.nodes[at].children.insert(place, new);
            at = new;
        }
    }

    fn shown(&self) -> Shown {
        let mut shown = Shown { moves: Vec::new(), clocks: Vec::new(), tags: self.tags.clone() };
        let mut at = 0;
        while let Some(next) = self.nodes[at].children.first() {
            at = *next;
            shown.moves.push(self.nodes[at].san.clone());
            shown.clocks.push(self.nodes[at].clock);
        }
        shown
    }

    fn export(&self) -> String {
        let shown = self.shown();
        let url = format!("{ROUND}/{}", self.id);
        let mut out = String::new();
        let mut put = |name: &str, value: &str| writeln!(out, "[{name} \"{value}\"]").unwrap();
        put("Event", self.tags.get("Event").map_or("?", String::as_str));
        put("Site", &url);
        put("Date", "2026.11.25");
        for (name, value) in self.tags.iter().filter(|(name, _)| !["Event", "Site", "Result"].contains(&name.as_str())) {
            put(name, value);
        }
        let result = self.tags.get("Result").map_or("*", String::as_str);
        put("Result", result);
        for (name, value) in [("Variant", "Standard"), ("ECO", "?"), ("UTCDate", "2026.11.25"), ("BroadcastURL", ROUND), ("GameURL", &url)]
        {
            put(name, value);
        }
        out.push('\n');
        for (i, (san, clock)) in shown.moves.iter().zip(&shown.clocks).enumerate() {
            if i % 2 == 0 || shown.clocks[i - 1].is_some() {
                write!(out, "{}{} ", i / 2 + 1, if i % 2 == 0 { "." } else { "..." }).unwrap();
            }
            write!(out, "{san} ").unwrap();
            if let Some(s) = clock {
                write!(out, "{{ [%clk {}:{:02}:{:02}] }} ", s / 3600, s / 60 % 60, s % 60).unwrap();
            }
        }
        writeln!(out, "{result}\n\n").unwrap();
        out
    }
}

/// A game's tags and moves; an entry with the reason where it does not replay.
fn parse(text: &str) -> Result<Game, Entry> {
    let mut game = Game::default();
    let (head, movetext) = text.split_once("\n\n").unwrap_or((text, ""));
    for line in head.lines() {
        let Some((name, value)) = line.trim_start_matches('[').split_once(" \"") else { continue };
        game.tags.insert(String::from(name), String::from(value.trim_end_matches("\"]")));
    }
    let wrong = |game: &Game, error: &str| Entry { tags: game.tags.clone(), moves: Err(String::from(error)) };
    let mode = if game.tags.contains_key("Variant") { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let mut position = match game.tags.get("FEN") {
        None => Chess::default(),
        Some(fen) => {
            let read = fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(mode).ok());
            read.ok_or_else(|| wrong(&game, "Invalid FEN"))?
        }
    };
    let mut rest = movetext;
    let mut words: Vec<(String, Option<u32>)> = Vec::new();
    while let Some(c) = rest.trim_start().chars().next() {
        rest = rest.trim_start();
        if c == '{' {
            let end = rest.find('}').unwrap_or(rest.len() - 1);
            let comment = &rest[1..end];
            if let (Some(last), Some((_, time))) = (words.last_mut(), comment.split_once("[%clk ")) {
                let parts = time.split(']').next().unwrap().split(':').map(|part| part.trim().parse::<u32>().unwrap());
                last.1 = Some(parts.fold(0, |sum, part| sum * 60 + part));
            }
            rest = &rest[end + 1..];
            continue;
        }
        let end = rest.find([' ', '\n', '{']).unwrap_or(rest.len());
        let word = &rest[..end];
        rest = &rest[end..];
        if !word.ends_with('.') && !["*", "1-0", "0-1", "1/2-1/2"].contains(&word) {
            words.push((String::from(word), None));
        }
    }
    let count = words.len();
    for (i, (word, clock)) in words.into_iter().enumerate() {
        let san = San::from_ascii(word.trim_end_matches(['+', '#']).as_bytes()).map_err(|_| wrong(&game, "Cannot parse moves"))?;
        let Ok(mv) = san.to_move(&position) else {
            let middle = [Square::D4, Square::D5, Square::E4, Square::E5];
            let king = matches!(san, San::Normal { role: Role::King, to, .. } if middle.contains(&to));
            if king && i + 1 == count {
                break;
            }
            return Err(wrong(&game, "Cannot move"));
        };
        let plus = SanPlus::from_move_and_play_unchecked(&mut position, mv);
        game.moves.push((plus.to_string(), clock));
    }
    game.mates = position.is_checkmate() || position.is_stalemate();
    Ok(game)
}

/// The games of a body, as Lichess takes them apart.
pub(crate) fn split(body: &str) -> Vec<&str> {
    let mut games = Vec::new();
    let mut rest = body.trim();
    while let Some(at) = rest.find("\n\n[") {
        games.push(rest[..at].trim());
        rest = &rest[at + 2..];
    }
    if !rest.is_empty() {
        games.push(rest);
    }
    games
}
