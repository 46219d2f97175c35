//! What of a board is public as its events stand, whoever may still undo some of them: a fold over them, without numbers.
mod ended;

use crate::plies::{Numbered, Plies};
use crate::position::placement_of;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use flagfall_events::{
    Body, ClockPair, ClockSource, Entry, Event, Finding, FindingUpdate, Grade, Mono, Order, Proposal, Ruling, Status, Touches,
};
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, uci::UciMove};

/// One board, as far as deciding what is public needs it.
#[derive(Clone, Debug, Default)]
pub(super) struct Fold {
    pub(super) touches: Touches,
    /// Start of the game, and whether castling is written by king and rook.
    start: Option<(String, bool)>,
    /// FEN field 1 before the first ply.
    first: Option<String>,
    /// The record of the game, first ply first.
    plies: Plies<Known>,
    /// Findings that are open.
    open: BTreeMap<u64, Open>,
    /// FEN field 1 as sensed last, and whether it was settled.
    pub(super) sensed: Option<(String, bool)>,
    /// FEN field 1 that the public was told last.
    pub(super) shown: Option<String>,
    /// Times that an arbiter set while a finding is open.
    clock: Option<Event>,
    /// FEN field 1 that was set or ruled, and when.
    wanted: Option<(Mono, String)>,
    /// Which game of the board the public sees.
    game: Option<u32>,
    /// The last result's number.
    resulted: Option<u64>,
    ended: Ended,
}

/// What is held back between a game's end and the next one's first move.
#[derive(Clone, Debug, Default)]
struct Ended {
    /// The game that the public sees is over.
    over: bool,
    /// The next game was announced.
    coming: Option<Event>,
    /// The clock as the public knows it runs.
    runs: bool,
    /// What the clock showed since.
    clock: Option<Event>,
}

/// A finding that is open.
#[derive(Clone, Debug)]
struct Open {
    /// The game that it is about.
    game: Option<u32>,
    /// Somebody has to rule on it.
    ruling: bool,
    /// The ply that it is about, and that ply's move.
    ply: Option<(u32, Option<String>)>,
    /// The position that it proposes to put up.
    restore: Option<String>,
}

/// One ply of the record.
#[derive(Clone, Debug)]
struct Known {
    ply: u32,
    uci: String,
    legal: bool,
    /// A finding about it was closed, and it is still there.
    ruled: bool,
    made: Option<Event>,
    completed: Option<Event>,
    /// What the public knows as this ply.
    public: Option<String>,
    /// The public knows that it was made, that it was completed.
    told: [bool; 2],
    /// FEN field 1 after it; `None`: it is to be found by playing it.
    placement: Option<String>,
    /// Not from the move, but set or ruled.
    set: bool,
}

/// What comes out of one event.
#[derive(Default)]
pub(super) struct Out(Vec<Event>);

impl From<Vec<Event>> for Out {
    fn from(events: Vec<Event>) -> Self {
        Self(events)
    }
}

impl Out {
    pub(super) fn into_events(self) -> Vec<Event> {
        self.0
    }

    /// FEN field 1 that these leave before the public.
    pub(super) fn stands(&self) -> Option<String> {
        self.0.iter().rev().find_map(|event| match &event.body {
            Body::Placement { placement, .. } | Body::MoveMade { placement, .. } => Some(placement.clone()),
            _ => None,
        })
    }

    pub(super) fn push(&mut self, event: Event) {
        self.0.push(event);
    }

    /// What stands on the board, as far as it is public, at the moment of `event`.
    pub(super) fn place(&mut self, event: &Event, placement: String, settled: bool) {
        self.push(Event { game: None, body: Body::Placement { placement, settled }, ..event.clone() });
    }
}

impl Fold {
    pub(super) fn new(touches: Touches) -> Self {
        Self { touches, ..Self::default() }
    }

    /// Takes the board's next event; what is public now, in order.
    pub(super) fn take(&mut self, event: &Event) -> Vec<Event> {
        let mut out = Out::default();
        self.next(event, &mut out);
        out.0
    }

    fn next(&mut self, event: &Event, out: &mut Out) {
        if self.is_past(event) {
            return;
        }
        self.begin_with(event, out);
        if self.holds(event, out) {
            return;
        }
        match &event.body {
            Body::Finding(finding) => self.found(event.game, finding),
            Body::FindingUpdate(update) => self.updated(event, update),
            Body::Ruling(ruling) => {
                if let Some(fen) = ruling.sets_position() {
                    self.wanted = Some((event.t, placement_of(fen)));
                    // Without who and why, and without a number of its own: no stream carries it.
                    let set = Ruling::of(Entry::new(Order::SetPosition { fen: String::from(fen) }));
                    out.push(Event { body: Body::Ruling(Box::new(set)), ..event.clone() });
                }
            }
            Body::Alarm { .. } | Body::TouchedPiece(_) | Body::DrawClaim(_) | Body::Promotion { .. } => {}
            Body::Receipt(receipt) if self.resulted == Some(receipt.of) => out.push(event.clone()),
            Body::Receipt(_) => {}
            Body::GameStart { .. } => self.begins(event, out),
            Body::MoveMade { ply, uci, legal, placement, .. } => self.put(event, *ply, uci, *legal, Some(placement)),
            Body::MoveCompleted { ply, uci, legal, .. } => self.put(event, *ply, uci, *legal, None),
            Body::MoveRevised { ply, uci, san, clock, spent_ms, .. } => {
                if clock.is_some() {
                    self.timed(*ply, *clock, *spent_ms);
                }
                self.revised(event, *ply, uci, san.as_ref(), out);
            }
            Body::MoveWithdrawn { ply, .. } => {
                if self.plies.take_back(*ply).any(|known| known.public.is_some()) {
                    out.push(event.clone());
                    self.stands(event, out);
                }
            }
            Body::Placement { placement, settled } => self.placed(event, placement, *settled, out),
            // Nobody has ruled yet.
            Body::Clock(state) if state.source == ClockSource::Arbiter && self.waits() => self.clock = Some(event.clone()),
            Body::Clock(_) => {
                self.clock = None;
                out.push(event.clone());
            }
            Body::Link { .. } | Body::Identity { .. } | Body::Press { .. } | Body::Sides { .. } => out.push(event.clone()),
            Body::Result { .. } => self.result(event, out),
        }
        // What the sensors say changes nothing of the record.
        if !matches!(event.body, Body::Placement { .. } | Body::Clock(_) | Body::Press { .. }) {
            self.settle(event, out);
        }
    }

    /// Of a game before the one that is seen only its result is anybody's business.
    fn is_past(&self, event: &Event) -> bool {
        let earlier = event.game.zip(self.game).is_some_and(|(of, this)| of < this);
        earlier && event.body.is_of_a_game() && !matches!(event.body, Body::GameStart { .. } | Body::Result { .. })
    }

    /// A game begins.
    fn begins(&mut self, event: &Event, out: &mut Out) {
        let Body::GameStart { fen, chess960, .. } = &event.body else { return };
        self.plies.clear();
        self.no_end();
        self.game = event.game;
        // One that was raised before the first move is about the game that begins with it.
        self.open.retain(|_, open| open.game >= event.game);
        (self.start, self.first) = (Some((fen.clone(), *chess960)), Some(placement_of(fen)));
        out.push(event.clone());
        self.stands(event, out);
    }

    fn waits(&self) -> bool {
        self.open.values().any(|open| open.ruling)
    }

    fn found(&mut self, game: Option<u32>, finding: &Finding) {
        let ply = finding.facts.get("ply").and_then(Value::as_u64).and_then(|ply| u32::try_from(ply).ok());
        let uci = finding.facts.get("uci").and_then(Value::as_str).map(String::from);
        let restore = restored(finding.proposal.as_ref());
        let open = Open { game, ruling: finding.grade == Grade::Ruling, ply: ply.map(|ply| (ply, uci)), restore };
        self.open.insert(finding.id, open);
    }

    fn updated(&mut self, event: &Event, update: &FindingUpdate) {
        if update.status == Status::Revised {
            if let Some(open) = self.open.get_mut(&update.id).filter(|_| update.proposal.is_some()) {
                open.restore = restored(update.proposal.as_ref());
            }
            return;
        }
        let Some(open) = self.open.remove(&update.id) else { return };
        self.plies.iter_mut().filter(|known| open.is_about(known)).for_each(|known| known.ruled = true);
        if matches!(update.status, Status::Confirmed | Status::Amended) {
            self.wanted = open.restore.map(|restore| (event.t, restore)).or_else(|| self.wanted.take());
        }
    }

    /// A ply was made, perhaps another one than before, or completed.
    fn put(&mut self, event: &Event, number: u32, uci: &str, legal: bool, placement: Option<&String>) {
        let fresh = Known {
            ply: number,
            uci: String::from(uci),
            legal,
            ruled: false,
            made: None,
            completed: None,
            public: None,
            told: [false, false],
            placement: None,
            set: false,
        };
        let there = self.plies.of(number);
        if there.is_none_or(|known| known.uci != uci || known.legal != legal) {
            let public = there.and_then(|known| known.public.clone());
            self.plies.put(Known { public, ..fresh });
        }
        let Some(known) = self.plies.of_mut(number) else { return };
        if let Some(placement) = placement {
            (known.made, known.completed, known.told) = (Some(event.clone()), None, [false, false]);
            (known.placement, known.set) = (Some(placement.clone()), false);
        } else {
            (known.completed, known.told[1]) = (Some(event.clone()), false);
        }
    }

    /// Other times belong to a ply that was completed.
    fn timed(&mut self, ply: u32, pair: Option<ClockPair>, spent: Option<u64>) {
        let completed = self.plies.of_mut(ply).and_then(|known| known.completed.as_mut());
        if let Some(Body::MoveCompleted { clock, spent_ms, .. }) = completed.map(|event| &mut event.body) {
            (*clock, *spent_ms) = (pair, spent);
        }
    }

    fn revised(&mut self, event: &Event, ply: u32, to: &str, as_san: Option<&String>, out: &mut Out) {
        let Some(known) = self.plies.of_mut(ply) else { return };
        if known.uci != to {
            (known.uci, known.legal, known.ruled) = (String::from(to), as_san.is_some(), false);
            (known.placement, known.set) = (None, false);
        }
        for event in [&mut known.made, &mut known.completed].into_iter().flatten() {
            if let Body::MoveMade { uci, san, legal, .. } | Body::MoveCompleted { uci, san, legal, .. } = &mut event.body {
                (*uci, *san, *legal) = (String::from(to), as_san.cloned(), as_san.is_some());
            }
        }
        let visible = known.public.is_some() && self.visible() > self.plies.place(ply);
        if let Some(known) = self.plies.of_mut(ply).filter(|_| visible) {
            known.public = Some(String::from(to));
            out.push(event.clone());
            self.stands(event, out);
        }
    }

    fn placed(&mut self, event: &Event, placement: &str, settled: bool, out: &mut Out) {
        self.sensed = Some((String::from(placement), settled));
        let wanted = self.wanted.take_if(|(t, wanted)| *t == event.t && wanted == placement).is_some();
        if wanted {
            // Nothing that was taken back leads further back than this.
            match self.plies.last_mut() {
                Some(last) => (last.placement, last.set) = (Some(String::from(placement)), true),
                None => self.first = Some(String::from(placement)),
            }
        }
        if wanted || self.touches == Touches::Public {
            self.shown = Some(String::from(placement));
            out.push(event.clone());
        }
    }

    /// How many plies of the record the public may know.
    fn visible(&self) -> usize {
        let is_hidden = |(at, known): (usize, &Known)| {
            let is_open = || self.open.values().any(|open| open.is_about(known));
            // Where the edition makes nothing of it there is no finding: it stands once the game has gone on.
            let went_on = || self.plies[at + 1..].iter().any(|later| later.completed.is_some());
            !known.legal && (is_open() || !(known.ruled || went_on()))
        };
        self.plies.iter().enumerate().position(is_hidden).unwrap_or(self.plies.len())
    }

    /// Tells what may be known now and was not told, and takes back what may not be known any more.
    fn settle(&mut self, event: &Event, out: &mut Out) {
        let visible = self.visible();
        let (mut changed, mut late) = (false, false);
        for known in self.plies[visible..].iter_mut().rev() {
            if let Some(uci) = known.public.take() {
                changed = true;
                known.told = [false, false];
                out.push(Event { body: Body::MoveWithdrawn { ply: known.ply, uci }, ..event.clone() });
            }
        }
        for known in &mut self.plies[..visible] {
            for (told, of) in known.told.iter_mut().zip([&known.made, &known.completed]) {
                if let Some(of) = of.as_ref().filter(|_| !*told) {
                    (*told, changed) = (true, true);
                    late |= of.seq != event.seq;
                    known.public = Some(known.uci.clone());
                    if let (Body::MoveMade { placement, .. }, Touches::Public) = (&of.body, self.touches) {
                        self.shown = Some(placement.clone());
                    }
                    out.push(of.clone());
                }
            }
        }
        if changed {
            self.stands(event, out);
        }
        // The position after a ply of some time ago is not what stands on the board.
        if late
            && self.touches == Touches::Public
            && let Some((placement, settled)) = self.sensed.clone()
            && self.shown.as_ref() != Some(&placement)
        {
            self.shown = Some(placement.clone());
            out.place(event, placement, settled);
        }
        if !self.waits()
            && let Some(clock) = self.clock.take()
        {
            out.push(clock);
        }
    }

    /// Where touches are the arbiter's: shows the position after the last ply that is public.
    fn stands(&mut self, event: &Event, out: &mut Out) {
        if self.touches == Touches::Public {
            return;
        }
        let public = self.plies.iter().take_while(|known| known.public.is_some()).count();
        let Some(placement) = self.after(public).filter(|placement| self.shown.as_ref() != Some(placement)) else { return };
        self.shown = Some(placement.clone());
        out.place(event, placement, true);
    }

    /// FEN field 1 after so many plies of the record.
    fn after(&self, plies: usize) -> Option<String> {
        let Some(last) = plies.checked_sub(1).and_then(|last| self.plies.get(last)) else { return self.first.clone() };
        if last.placement.is_some() {
            return last.placement.clone();
        }
        let (fen, chess960) = self.start.as_ref()?;
        let mode = if *chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let mut position: Chess = fen.parse::<Fen>().ok()?.into_position(mode).ok()?;
        for known in &self.plies[..plies] {
            let found = known.uci.parse::<UciMove>().ok().filter(|_| !known.set)?.to_move(&position).ok()?;
            position.play_unchecked(found);
        }
        Some(position.board().to_string())
    }
}

impl Numbered for Known {
    fn ply(&self) -> u32 {
        self.ply
    }
}

impl Open {
    fn is_about(&self, known: &Known) -> bool {
        self.ply.as_ref().is_some_and(|(ply, uci)| *ply == known.ply && uci.as_ref().is_none_or(|uci| *uci == known.uci))
    }
}

/// FEN field 1 of the position that a proposal wants to be put up.
fn restored(proposal: Option<&Proposal>) -> Option<String> {
    proposal?.restore_fen.as_deref().map(placement_of)
}
