//! An entry is undone by what was not: beside the game goes the same game without its newest entry, for eight seconds, and hears everything else. An undo
//! puts that one in its place and says what leads the world there. The same goes for the entry before it, so undoing goes back step by step.
//!
//! | file | holds |
//! |---|---|
//! | `hearing.rs` | the game without the entry, input by input: what the entry caused, and what rests on it |
//! | `refused.rs` | why an undo cannot be carried out |
mod hearing;
mod refused;

use crate::beside::{Beside, Said};
use crate::input::Input;
use crate::told::Told;
use crate::{Game, Output};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use dgt_protocol::command::Command;
use flagfall_events::{Body, ClockSource, Entry, Order, Undone};

/// How an entry stands to undoing.
enum Kind {
    /// It can be undone.
    Undoable,
    /// It says what is so, whatever else was entered; nothing takes it back and it stands in the way of nothing.
    Passing,
    /// Nothing before it can be undone any more.
    Final,
}

const fn kind(order: &Order) -> Kind {
    match order {
        Order::Stop {} | Order::Restart {} | Order::Arrived { .. } => Kind::Passing,
        Order::NewGame {} | Order::TakeOver { .. } | Order::Undo { .. } => Kind::Final,
        Order::Rule { .. }
        | Order::Report { .. }
        | Order::SetPosition { .. }
        | Order::Moves { .. }
        | Order::SetClock { .. }
        | Order::Flag { .. }
        | Order::Result { .. }
        | Order::Promote { .. }
        | Order::Choose { .. }
        | Order::Assistant { .. }
        | Order::Count { .. }
        | Order::Penalty { .. } => Kind::Undoable,
    }
}

impl Game {
    /// Takes an input, and keeps what an undo needs.
    pub(crate) fn take(&mut self, input: Input) {
        self.undo = self.undo.take().filter(|beside| beside.until >= self.now);
        match input {
            Input::Entry(ref entry @ Entry { order: Order::Undo { .. }, .. }) if self.refusal(entry).is_none() => {
                self.undone(entry.clone())
            }
            Input::Entry(Entry { order: Order::Undo { .. }, .. }) => self.take_beside(&Input::Timeout, |game| game.read(Input::Timeout)),
            Input::Entry(ref entry) if self.refusal(entry).is_none() => match kind(&entry.order) {
                Kind::Undoable => self.take_undoable(entry.clone()),
                Kind::Passing => self.take_beside(&input, |game| game.read(input.clone())),
                Kind::Final => {
                    self.undo = None;
                    self.read(input);
                    self.tell();
                }
            },
            // What is not carried out here is carried out nowhere.
            Input::Entry(_) => self.take_beside(&Input::Timeout, |game| game.read(input.clone())),
            Input::TakeOver(ref played) => {
                let played = played.clone();
                self.undo = None;
                self.read(input);
                self.tell();
                self.told.game = Some(played.game);
            }
            input => self.take_beside(&input, |game| game.read(input.clone())),
        }
    }

    /// An input that both games hear.
    fn take_beside(&mut self, input: &Input, read: impl FnOnce(&mut Self)) {
        let Some(mut beside) = self.undo.take() else {
            read(self);
            self.tell();
            return;
        };
        let before = self.counted();
        read(self);
        let said = self.tell();
        beside.hear(self.now, input, &said, before, &self.voice);
        self.undo = beside.is_kept().then_some(beside);
    }

    /// An entry that can be undone.
    fn take_undoable(&mut self, entry: Entry) {
        let mut without = Box::new(self.clone());
        without.voice = self.voice.silent();
        let first = self.voice.seq() + 1;
        self.read(Input::Entry(entry.clone()));
        let told = self.told.clone();
        let said = self.tell();
        let ruling = said.iter().find(|(_, _, body)| matches!(body, Body::Ruling(_))).map(|(seq, _, _)| *seq);
        let Some(ruling) = ruling else {
            // It changed nothing, and nobody heard of it.
            self.undo = without.undo.take();
            return;
        };
        let mut beside = Box::new(Beside::new(self.now, ruling, entry, without, told));
        beside.caused(first, &said);
        beside.hear_alone(self.now, self.counted());
        beside.forget_the_oldest();
        self.undo = Some(beside);
    }

    /// What was said with this input.
    fn tell(&mut self) -> Vec<Said> {
        let said: Vec<Said> = self
            .voice
            .waiting()
            .filter_map(|output| match output {
                Output::Event { seq, game, body } => Some((*seq, *game, body.clone())),
                Output::Command(_) | Output::Question(_) => None,
            })
            .collect();
        for (_, game, body) in &said {
            self.told.take(*game, body);
        }
        said
    }

    /// The newest entry is undone: the game without it is this one from now on.
    fn undone(&mut self, mut entry: Entry) {
        let Some(mut beside) = self.undo.take() else { return };
        entry.order = Order::Undo { ruling: beside.ruling };
        beside.hear_alone(self.now, self.counted());
        let Beside { mut without, mut with, caused, missed, dumps, entry: undone, .. } = *beside;
        let fresh = without.renumber_findings(&self.told, &with, self.parts.referee.findings.last_id);
        let record = without.parts.recogniser.play.as_ref().map(|play| play.record.plies());
        let made = |ply: u32, uci: &str| {
            let known = record?.get(usize::try_from(ply).ok()?.checked_sub(1)?)?;
            (known.uci == uci).then(|| known.made(ply, true))
        };
        with.complete(made);
        without.told.complete(made);
        let mut back = self.told.leads_to(&with);
        let mut on = with.leads_to(&without.told);
        on.extend(missed);
        let questions = without.parts.referee.questions.open.clone();
        let asked = core::mem::take(&mut self.parts.referee.questions.open);
        let number = without.parts.referee.questions.last.max(self.parts.referee.questions.last);
        let clock = self.told.clock != without.told.clock;
        let sourced = |body: &Option<Body>| matches!(body, Some(Body::Clock(state)) if state.source == ClockSource::Arbiter);
        let ruled = sourced(&self.told.clock) || sourced(&with.clock);
        (self.parts, self.meanwhile, self.undo) = (without.parts, without.meanwhile, without.undo);
        self.parts.referee.findings.last_id = fresh;
        self.parts.referee.questions.last = number;
        if clock || ruled {
            let state = self.parts.clocks.tell_anew(self.now);
            back.push((self.parts.recogniser.spoken_of(), Body::Clock(state)));
        }
        let first = self.voice.seq() + 2;
        let last = first + u64::try_from(back.len()).unwrap_or(0);
        let says =
            Undone { undid: String::from(undone.order.name()), undone: caused, by_events: (last > first).then(|| [first, last - 1]) };
        let echo = flagfall_events::Ruling::of(entry).undoing(&says);
        self.voice.say(self.parts.recogniser.spoken_of(), Body::Ruling(Box::new(echo)));
        for (game, body) in back.into_iter().chain(on) {
            self.voice.say(game, body);
        }
        if dumps {
            self.voice.command(Command::SendBoard);
            self.voice.command(Command::SendClock);
        }
        for question in questions.into_iter().filter(|question| !asked.contains(question)) {
            self.voice.ask(question);
        }
        // Deadlines that have come while it was silent were acted upon; what is so now is looked at.
        self.read(Input::Timeout);
        self.tell();
    }

    /// Gives the findings of this game that the world does not know, and that another one has the number of, new ones. The last number that is taken.
    fn renumber_findings(&mut self, told: &Told, known: &Told, last: u64) -> u64 {
        let mut last = last.max(self.parts.referee.findings.last_id);
        let taken = |id: &u64| told.findings().any(|other| other == *id) && !known.findings().any(|other| other == *id);
        let others: Vec<u64> = self.told.findings().filter(taken).collect();
        let new: Vec<(u64, u64)> = others
            .into_iter()
            .map(|id| {
                last += 1;
                (id, last)
            })
            .collect();
        if new.is_empty() {
            return last;
        }
        let number = |id: u64| new.iter().find(|(old, _)| *old == id).map_or(id, |(_, new)| *new);
        self.told.renumber(number);
        self.parts.referee.renumber(number);
        for play in self.parts.recogniser.play.as_mut().into_iter().chain(self.parts.recogniser.stage.last.as_deref_mut()) {
            play.ended_by = play.ended_by.map(number);
        }
        last
    }
}
