//! One game in progress: the position that is certain, the plies made on top of it, and what to tell when that changes.
use crate::placement::{Change, Image, Placement, colour, each, piece};
use crate::press::{Completion, Press};
use crate::recogniser::follows::Follows;
use crate::recogniser::promotions::Promotions;
use crate::recogniser::record::{End, Ply, Record};
use crate::recogniser::told_sides::Sides;
use crate::recognition::step::{Ground, Step};
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Body, Colour, GameResult, How, Mono, ResultSource};
use flagfall_hands::position::Position;
use shakmaty::Move;

/// A game in progress or just ended.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    pub(crate) chess960: bool,
    pub(super) occupancy: bool,
    /// The edition ends a game by repetition and by 75 moves (9.6).
    pub(crate) automatic_draws: bool,
    /// `grounds[0]` is certain; `grounds[i + 1]` follows after `line[i]`.
    grounds: Vec<Ground>,
    /// Plies made but not certain yet; the tail of the record.
    line: Vec<Step>,
    pub(crate) record: Record,
    pub(crate) presses: VecDeque<Press>,
    /// Presses that no move was found for, oldest first; moves of those players that are found next belong to them.
    pub(crate) unanswered: Vec<Press>,
    /// Since when presses could not be read.
    pub(crate) unread_since: Option<Mono>,
    pub(crate) over: bool,
    /// Its result, and by what.
    pub(crate) ended: Option<(GameResult, ResultSource)>,
    /// The finding whose ruling ended it.
    pub(crate) ended_by: Option<u64>,
    /// Plies when a result was taken back: the position that they lead to ends nothing.
    pub(crate) reopened_at: Option<usize>,
    /// It was said to have begun.
    pub(crate) said: bool,
    /// Its start was not seen, and nothing tells yet that there was one.
    pub(crate) supposed: bool,
    /// The position that it began in.
    pub(crate) start: String,
    /// Cancelled by a ruling: the next game begins when somebody says so.
    pub(crate) cancelled: bool,
    /// White had the first move.
    pub(crate) white_began: bool,
    /// So many plies led to a board that stood for a while as they say.
    pub(crate) stood: usize,
    /// So many were there when what nobody saw was found.
    pub(crate) found: usize,
    /// Plies that were completed although something else may have been played.
    pub(crate) assumed: Vec<usize>,
    /// It was said that what was played cannot be told.
    pub(crate) unsure: bool,
    /// Of which ply it was said, where readings were named.
    pub(crate) unsure_of: Option<u32>,
    /// Of a board without piece identities: plies in the record, and presses since there were as many.
    pub(crate) unrecorded: (usize, usize),
    /// Since when the clocks stand.
    pub(crate) stopped: Option<Mono>,
    /// Whose display is whose, as it was told.
    pub(crate) sides: Sides,
    /// Of a board without piece identities: which pieces pawns became.
    pub(crate) promotions: Promotions,
    /// The estimate of what is played, where there is one.
    pub(crate) follows: Option<Follows>,
    /// A piece stood wrong beside a move that was pressed, and is looked at again.
    pub(crate) beside: bool,
    /// The same as it was when the game ended, for who asks why.
    pub(crate) followed: Option<Follows>,
}

impl Play {
    pub(crate) fn new(start: Position, chess960: bool, occupancy: bool) -> Self {
        let (record, fen) = (Record::new(&start), start.fen());
        let white_began = start.turn() == Colour::White;
        Self {
            chess960,
            occupancy,
            automatic_draws: true,
            unrecorded: (0, 0),
            stopped: None,
            sides: Sides::default(),
            promotions: Promotions::default(),
            stood: 0,
            found: 0,
            assumed: Vec::new(),
            follows: None,
            beside: false,
            followed: None,
            grounds: vec![Ground::new(start, occupancy)],
            line: Vec::new(),
            record,
            presses: VecDeque::new(),
            unanswered: Vec::new(),
            unread_since: None,
            unsure: false,
            unsure_of: None,
            over: false,
            ended: None,
            ended_by: None,
            reopened_at: None,
            said: false,
            supposed: false,
            start: fen,
            cancelled: false,
            white_began,
        }
    }

    /// The position that is certain.
    pub(crate) fn ground(&self) -> &Ground {
        &self.grounds[0]
    }

    /// The position after everything made.
    pub(crate) fn top(&self) -> &Ground {
        &self.grounds[self.line.len()]
    }

    /// The certain position, and the positions after each ply made on top of it.
    pub(crate) fn grounds(&self) -> &[Ground] {
        &self.grounds
    }

    /// The board reads pieces, but not which.
    pub(crate) const fn occupancy(&self) -> bool {
        self.occupancy
    }

    pub(crate) fn line(&self) -> &[Step] {
        &self.line
    }

    /// Whether these are exactly the plies made and not certain yet.
    pub(crate) fn is_line(&self, line: &[Step]) -> bool {
        line.len() == self.line.len() && self.begins_with(line)
    }

    /// Whether the plies made begin with these.
    pub(crate) fn begins_with(&self, line: &[Step]) -> bool {
        line.len() <= self.line.len() && self.line.iter().zip(line).all(|(a, b)| a.mv == b.mv)
    }

    /// Plies of the record that nothing takes back but a ruling: the certain ones, and up to the last that was completed.
    pub(crate) fn kept(&self) -> usize {
        self.record.plies().iter().rposition(|ply| ply.completed).map_or(0, |last| last + 1).max(self.base())
    }

    /// Makes `line` the line, and says what changed. What was completed stays: a line without it changes only what was made on top.
    pub(crate) fn announce(&mut self, line: &[Step], say: &mut impl FnMut(Body)) {
        let kept = self.kept() - self.base();
        let same = self.line.iter().zip(line).take_while(|(a, b)| a.mv == b.mv).count();
        let stays: Vec<Step>;
        let line = if same < kept {
            stays = self.line[..kept].to_vec();
            &stays
        } else {
            line
        };
        let common = same.max(kept);
        let base = self.record.plies().len() - self.line.len();
        let mut was = None;
        while self.line.len() > common {
            self.line.pop();
            self.grounds.pop();
            let Some(ply) = self.record.pop() else { break };
            if self.line.len() == common && line.len() > common {
                was = Some(ply.uci);
            } else {
                say(Body::MoveWithdrawn { ply: number(base + self.line.len()), uci: ply.uci });
            }
        }
        for step in &line[common..] {
            let before = self.top();
            let after = before.next(step, self.occupancy);
            let ply = Ply::new(&before.position, step, &after.position, self.chess960);
            let index = base + self.line.len();
            say(match was.take() {
                Some(was) => ply.revised(number(index), was),
                None => ply.made(number(index), true),
            });
            self.record.push(ply);
            self.line.push(*step);
            self.grounds.push(after);
        }
    }

    /// Completes the ply with this index in the record, unless it is already.
    pub(crate) fn complete(&mut self, index: usize, completion: Completion, say: &mut impl FnMut(Body)) {
        let Some(ply) = self.record.get_mut(index).filter(|p| !p.completed) else { return };
        ply.completed = true;
        ply.pressed = completion.how == How::Press;
        ply.pressed_at = completion.pressed_at;
        (ply.at_press, ply.spent_ms, ply.earned_ms) = (completion.clock, completion.spent_ms, completion.earned_ms);
        ply.told = self.sides.tells(completion.clock);
        if let Some(body) = self.completed_as(index, &completion) {
            say(body);
        }
    }

    /// The first `plies` plies of the line are completed as what is likeliest.
    pub(crate) fn guess(&mut self, plies: usize) {
        let base = self.base();
        let open = (base..base + plies).filter(|&index| self.follows.as_ref().is_some_and(|follows| !follows.is_certain(index)));
        let open: Vec<usize> = open.filter(|index| !self.assumed.contains(index)).collect();
        self.assumed.extend(open);
    }

    /// Without a clock: of the plies up to this index that are to be completed those that later plies have not told are what is likeliest. Whether there is
    /// one; `None`: all are completed.
    pub(crate) fn guess_unpressed(&mut self, upto: usize) -> Option<bool> {
        let follows = self.follows.as_ref()?;
        let open: Vec<usize> = (self.base()..upto).filter(|&index| !self.record.plies()[index].completed).collect();
        let guessed = open.iter().copied().filter(|&index| !follows.is_told(index) && !self.assumed.contains(&index));
        let guessed: Vec<usize> = guessed.collect();
        let assumes = !guessed.is_empty();
        self.assumed.extend(guessed);
        (!open.is_empty()).then_some(assumes)
    }

    /// The ply with this index counts, but which of two moves it was cannot be told: nothing is said of it, now or later.
    pub(crate) fn leave_open(&mut self, index: usize, completion: Completion) {
        self.complete(index, completion, &mut |_| {});
    }

    /// Index in the record of the first ply of the line.
    pub(crate) fn base(&self) -> usize {
        self.record.plies().len() - self.line.len()
    }

    /// Plies of `by` that wait to be completed, oldest first.
    pub(crate) fn waiting(&self, by: Colour) -> Vec<usize> {
        self.record.plies().iter().enumerate().filter(|(_, p)| p.by == by && !p.completed).map(|(i, _)| i).collect()
    }

    /// The first `plies` plies of the line are certain from now on; what was sensed of them is forgotten.
    pub(crate) fn freeze(&mut self, plies: usize, image: &mut Image) {
        self.freeze_pressed(plies, image, Mono::from_millis(u64::MAX), 0);
    }

    /// The same, of plies the last of which was pressed at `press`: what the sensors show later than they lag behind it is the doing of others,
    /// also where it looks alike, and what changed after it elsewhere may be.
    pub(crate) fn freeze_pressed(&mut self, plies: usize, image: &mut Image, press: Mono, scan_ms: u64) {
        let plies = plies.min(self.line.len());
        let Some(last) = plies.checked_sub(1) else { return };
        let mover = self.record.plies().get(self.base() + last).map(|p| p.by);
        let end = self.grounds[plies].placement;
        let squares = self.line[..plies].iter().fold(0, |set, step| set | step.touched);
        let until = Mono::from_millis(press.millis().saturating_add(scan_ms));
        let came = |c: &&Change, square: usize| c.square == square && c.now == end.0[square] && c.at <= until;
        let arrived = |square: usize| image.changes().iter().rfind(|c| came(c, square)).map(|c| c.at);
        let done = each(squares).filter_map(arrived).max().map(|done| done.min(press));
        let times: Vec<(usize, Option<Mono>)> = each(squares).map(|s| (s, arrived(s))).collect();
        self.line.drain(..plies);
        self.grounds.drain(..plies);
        image.forget(|change| {
            if let Some((_, Some(at))) = times.iter().find(|(s, _)| *s == change.square) {
                return change.at > *at;
            }
            // The opponent's hand may have begun before this one was done.
            let moved = if change.now == PieceCode::Empty { change.was } else { change.now };
            done.is_some_and(|done| change.at > done) || piece(moved).map(|p| colour(p.color)) != mover
        });
    }

    /// Nobody can mate any more (5.2.2).
    pub(crate) fn is_dead(&mut self) {
        let top = &self.grounds[self.line.len()].position;
        self.record.is_dead(top);
    }

    /// Whether the last ply made ended the game.
    pub(crate) fn end(&self) -> Option<End> {
        if self.reopened_at == Some(self.record.plies().len()) {
            return None;
        }
        self.record.end(&self.top().position, self.automatic_draws)
    }

    /// Takes back every ply from this index of the record on, the last one first; the position before it is certain then.
    pub(crate) fn take_back(&mut self, index: usize, say: &mut impl FnMut(Body)) {
        let Some(before) = self.record.plies().get(index).map(|ply| ply.before.clone()) else { return };
        self.assumed.retain(|known| *known < index);
        while self.record.plies().len() > index {
            let Some(ply) = self.record.pop() else { break };
            say(Body::MoveWithdrawn { ply: number(self.record.plies().len()), uci: ply.uci });
        }
        self.set_position(before);
    }

    /// The ply with this index was another move; what was played on top of it stays, and all of it is certain.
    pub(crate) fn revise(&mut self, index: usize, mv: Move, say: &mut impl FnMut(Body)) {
        let Some(before) = self.record.plies().get(index).map(|ply| ply.before.clone()) else { return };
        let mut later = Vec::new();
        while self.record.plies().len() > index {
            later.extend(self.record.pop());
        }
        later.reverse();
        let mut ground = Ground::new(before, self.occupancy);
        for (n, was) in later.into_iter().enumerate() {
            let played = if n == 0 { mv } else { was.mv };
            let known = ground.steps.iter().find(|step| step.mv == played).copied();
            let step = known.unwrap_or_else(|| Step::illegal(&ground.position, played, self.occupancy));
            let next = ground.next(&step, self.occupancy);
            let mut ply = Ply::new(&ground.position, &step, &next.position, self.chess960);
            ply.counts_as(&was);
            if n == 0 {
                say(ply.revised(number(index), was.uci));
            }
            self.record.push(ply);
            ground = next;
        }
        self.line.clear();
        self.grounds = vec![ground];
    }

    /// From this index of the record on other plies were played, as far as these moves go: they are certain, and what was completed stays so.
    pub(crate) fn rewrite(&mut self, index: usize, moves: &[Move], say: &mut impl FnMut(Body)) {
        let Some(before) = self.record.plies().get(index).map(|ply| ply.before.clone()) else { return };
        while self.record.plies().len() > index + moves.len() {
            let Some(ply) = self.record.pop() else { break };
            say(Body::MoveWithdrawn { ply: number(self.record.plies().len()), uci: ply.uci });
        }
        let mut was = Vec::new();
        while self.record.plies().len() > index {
            was.extend(self.record.pop());
        }
        let mut ground = Ground::new(before, self.occupancy);
        for (n, mv) in moves.iter().enumerate() {
            let Some(step) = ground.steps.iter().find(|step| step.mv == *mv).copied() else { break };
            let next = ground.next(&step, self.occupancy);
            let mut ply = Ply::new(&ground.position, &step, &next.position, self.chess960);
            if let Some(was) = was.pop() {
                ply.counts_as(&was);
                if was.uci != ply.uci {
                    say(ply.revised(number(index + n), was.uci));
                }
            }
            ply.completed = true;
            self.record.push(ply);
            ground = next;
        }
        self.line.clear();
        self.grounds = vec![ground];
    }

    /// A position that an arbiter or operator set up; the plies before it stay in the record.
    pub(crate) fn set_position(&mut self, position: Position) {
        self.line.clear();
        self.grounds = vec![Ground::new(position, self.occupancy)];
        self.presses.clear();
        self.unanswered.clear();
        self.unread_since = None;
        self.follows = None;
    }

    /// The placement of the certain position, as the board reads it.
    pub(crate) fn expected(&self) -> &Placement {
        &self.top().placement
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}
