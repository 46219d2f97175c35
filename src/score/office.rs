//! What arbiters know of one board: everything its events say, folded. The board as everybody may know it is part of it.
use crate::board::BoardState;
use crate::clock_sheet::ClockSheet;
use crate::folded::{AsFound, Claim, Entered, FoldedFinding, OpenPromotion, Ruled, Standing, StandingAlarm, Touch};
use crate::undone::{Before, undone};
use alloc::collections::VecDeque;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use flagfall_events::{
    AlarmState, Body, Event, Finding, FindingUpdate, Grade, Mono, Order, PossibleLine, PromotionState, Ruling, Status, Undone, Wall,
};

/// Findings kept at most; the oldest that are closed go first.
pub const MOST_FINDINGS: usize = 200;
/// Entries, touches and claims kept at most, each.
pub const MOST: usize = 256;

/// One board as its arbiters know it.
#[derive(Clone, Debug)]
pub struct OfficeState {
    board: BoardState,
    /// FEN field 1, as the sensors had it last; `placement` of the public object is what a ruling restores, from the moment it is ruled.
    sensed: Option<String>,
    ruled: Option<Mono>,
    game_number: u32,
    findings: VecDeque<FoldedFinding>,
    alarms: Vec<StandingAlarm>,
    claims: VecDeque<Claim>,
    promotion: Option<OpenPromotion>,
    touched: VecDeque<Touch>,
    rulings: VecDeque<Entered>,
    clock_sheet: ClockSheet,
    before: Before<Self>,
}

impl OfficeState {
    /// A board that has said nothing yet.
    pub fn new(board: Arc<str>) -> Self {
        Self::of(BoardState::new(board))
    }

    const fn of(board: BoardState) -> Self {
        Self {
            board,
            sensed: None,
            ruled: None,
            game_number: 0,
            findings: VecDeque::new(),
            alarms: Vec::new(),
            claims: VecDeque::new(),
            promotion: None,
            touched: VecDeque::new(),
            rulings: VecDeque::new(),
            clock_sheet: ClockSheet::NEW,
            before: Before::NEW,
        }
    }

    /// The same board when its numbering begins anew: nothing but who plays, and where it is.
    pub fn anew(&self) -> Self {
        Self::of(self.board.anew())
    }

    /// Takes the next event of this board; false where it is not news, which changes nothing.
    pub fn apply(&mut self, event: &Event) -> bool {
        if event.seq <= self.board.seq() {
            return false;
        }
        if let Some(undone) = undone(event) {
            self.undo(event, &undone);
        } else if self.before.says_nothing_new(event) {
            self.board.heard(event.seq);
        } else {
            let mut before = core::mem::take(&mut self.before);
            before.take(event, self);
            self.before = before;
            self.take(event);
        }
        true
    }

    /// What was entered was undone: the board as it was before, and what happened since.
    fn undo(&mut self, event: &Event, undone: &Undone) {
        let mut before = core::mem::take(&mut self.before);
        if let Some((state, since)) = before.undo(undone) {
            let now = core::mem::replace(self, state);
            since.iter().for_each(|event| self.take(event));
            self.rulings = now.rulings;
            self.alarms.extend(now.alarms.into_iter().filter(|alarm| alarm.seq.is_none()));
            self.board.beside_events_as(now.board);
        }
        self.before = before;
        if let Body::Ruling(ruling) = &event.body {
            if let Some(Order::Undo { ruling }) = ruling.order() {
                self.rulings.iter_mut().filter(|entered| entered.seq == *ruling).for_each(|entered| entered.taken_back = true);
            }
            self.take(event);
        }
    }

    fn take(&mut self, event: &Event) {
        let moved = self.board.apply(event);
        match &event.body {
            Body::GameStart { time_control, .. } => {
                self.game_number = event.game.unwrap_or_else(|| self.game_number.saturating_add(1));
                self.claims.clear();
                self.promotion = None;
                self.touched.clear();
                self.clock_sheet = ClockSheet::new(time_control.as_deref());
                // It was started before the first move.
                if let Some(reading) = self.board.clock().filter(|reading| reading.state.running.is_some()) {
                    self.clock_sheet.read((reading.t, reading.at), &reading.state, 0);
                }
            }
            Body::Finding(finding) => self.found(event, finding),
            Body::FindingUpdate(update) => {
                // What waited for a verdict is carried out with it.
                if matches!(update.status, Status::Confirmed | Status::Amended) {
                    self.ruled = Some(event.t);
                }
                self.update(event, update);
            }
            Body::Ruling(ruling) => {
                self.ruled = Some(event.t);
                self.entered(event, ruling);
            }
            // What comes at the very moment of a ruling is wanted, not sensed.
            Body::Placement { placement, .. } | Body::MoveMade { placement, .. } if self.ruled != Some(event.t) => {
                self.sensed = Some(placement.clone());
            }
            Body::Promotion { ply, square, state, .. } => {
                let open = matches!(state, PromotionState::Asked | PromotionState::Assumed);
                let promotion = || OpenPromotion { ply: *ply, square: square.to_string(), state: *state, t: event.t, at: event.at };
                self.promotion = open.then(promotion);
            }
            Body::Alarm { key, state, ply, readings } => self.alarm(event, key.as_str(), *state, (*ply, readings)),
            Body::DrawClaim(claim) => {
                push(&mut self.claims, Claim { claim: claim.clone(), seq: event.seq, t: event.t, at: event.at, stands: true });
                self.outdate_claims();
            }
            Body::TouchedPiece(touch) => {
                let (touch, ply) = (touch.clone(), self.board.plies().saturating_add(1));
                push(&mut self.touched, Touch { touch, seq: event.seq, ply });
            }
            Body::Receipt(receipt) => {
                let ruled = self.rulings.iter_mut().find(|entered| entered.seq == receipt.of);
                ruled.into_iter().for_each(|entered| entered.receipt = Some(receipt.words.clone()));
            }
            Body::MoveCompleted { ply, by, .. } => self.clock_sheet.completed(*ply, *by),
            Body::Press { by } => self.clock_sheet.pressed(event.t, *by),
            Body::Sides { white, from, .. } => self.clock_sheet.turned(*white, *from),
            Body::Clock(state) => self.clock_sheet.read((event.t, event.at), state, self.board.plies()),
            _ => {}
        }
        if moved {
            self.outdate_claims();
        }
    }

    /// The board as everybody may know it.
    pub const fn board(&self) -> &BoardState {
        &self.board
    }

    /// The same, to say what events do not: who plays, where it is.
    pub const fn board_mut(&mut self) -> &mut BoardState {
        &mut self.board
    }

    /// FEN field 1, as the sensors had it last.
    pub fn sensed(&self) -> Option<&str> {
        self.sensed.as_deref()
    }

    /// Which game of the board, from 1; 0 before the first.
    pub const fn game_number(&self) -> u32 {
        self.game_number
    }

    /// The findings that are kept, oldest first.
    pub const fn findings(&self) -> &VecDeque<FoldedFinding> {
        &self.findings
    }

    /// The alarms that stand.
    pub fn alarms(&self) -> &[StandingAlarm] {
        &self.alarms
    }

    /// Draws that may be or could have been claimed in this game.
    pub const fn claims(&self) -> &VecDeque<Claim> {
        &self.claims
    }

    /// What a pawn became, where somebody should say it.
    pub const fn promotion(&self) -> Option<&OpenPromotion> {
        self.promotion.as_ref()
    }

    /// Pieces touched in this game.
    pub const fn touched(&self) -> &VecDeque<Touch> {
        &self.touched
    }

    /// Entries of arbiters and operators, oldest first.
    pub const fn rulings(&self) -> &VecDeque<Entered> {
        &self.rulings
    }

    /// The clock sheet of this game.
    pub const fn clock_sheet(&self) -> &ClockSheet {
        &self.clock_sheet
    }

    fn found(&mut self, event: &Event, finding: &Finding) {
        let reading = self.board.clock();
        let game_number = event.game.unwrap_or(self.game_number);
        let found = AsFound {
            placement: self.sensed.clone(),
            clock: reading.map(|reading| reading.state),
            clock_age_ms: reading.map(|reading| event.t.since(reading.t)),
            // One that is about the game that will begin has none yet.
            plies_made: if game_number > self.game_number { 0 } else { self.board.plies() },
        };
        self.findings.push_back(FoldedFinding {
            urgent: finding.grade != Grade::Note,
            finding: finding.clone(),
            status: Standing::Open,
            seq: event.seq,
            t: event.t,
            at: event.at,
            game_number,
            last_seq: event.seq,
            revisions: 0,
            found,
            ruled: None,
        });
        if self.findings.len() > MOST_FINDINGS {
            let oldest = self.findings.iter().position(|finding| !finding.urgent).unwrap_or(0);
            self.findings.remove(oldest);
        }
    }

    fn update(&mut self, event: &Event, update: &FindingUpdate) {
        let Some(folded) = self.findings.iter_mut().rev().find(|folded| folded.finding.id == update.id) else { return };
        folded.last_seq = event.seq;
        let finding = &mut folded.finding;
        if let Some(proposal) = &update.proposal {
            finding.proposal = Some(proposal.clone());
        }
        if let Some(facts) = &update.facts {
            finding.facts.clone_from(facts);
        }
        if let Some(summary) = &update.summary {
            finding.summary.clone_from(summary);
        }
        folded.status = match update.status {
            Status::Withdrawn => Standing::Withdrawn,
            Status::Confirmed => Standing::Confirmed,
            Status::Dismissed => Standing::Dismissed,
            Status::Amended => Standing::Amended,
            Status::Revised => {
                folded.revisions = folded.revisions.saturating_add(1);
                // One that was ruled anew, and could not be decided, is open again.
                Standing::Open
            }
        };
        folded.urgent = folded.status == Standing::Open && finding.grade != Grade::Note;
        // A report is ruled as it is made; in older journals its entry names no finding, and stands right before.
        let entered = self.rulings.back().filter(|entered| entered.seq + 1 == event.seq && update.status == Status::Confirmed);
        if folded.ruled.is_none() {
            folded.ruled = entered.map(Ruled::from);
        }
    }

    fn entered(&mut self, event: &Event, ruling: &Ruling) {
        let entered = Entered { seq: event.seq, t: event.t, at: event.at, ruling: ruling.clone(), receipt: None, taken_back: false };
        if let Some(id) = ruling.finding()
            && let Some(folded) = self.findings.iter_mut().rev().find(|folded| folded.finding.id == id)
        {
            folded.ruled = Some(Ruled::from(&entered));
            folded.last_seq = event.seq;
        }
        push(&mut self.rulings, entered);
    }

    fn alarm(&mut self, event: &Event, key: &str, state: AlarmState, (ply, readings): (Option<u32>, &[PossibleLine])) {
        let is_this = |alarm: &StandingAlarm| alarm.key == key && alarm.seq.is_some();
        self.alarms.retain(|alarm| !is_this(alarm) || state == AlarmState::Raised);
        if state == AlarmState::Cleared {
            return;
        }
        let readings = readings.to_vec();
        if let Some(alarm) = self.alarms.iter_mut().find(|alarm| is_this(alarm)) {
            // Raised again: it asks something else now.
            (alarm.ply, alarm.readings) = (ply, readings);
        } else if self.alarms.len() < MOST {
            let (key, seq) = (String::from(key), Some(event.seq));
            self.alarms.push(StandingAlarm { key, at: event.at, seq, text: None, ply, readings });
        }
    }

    /// An alarm that the daemon raises (`Some`: what is wrong and what to do, since `at` where it is new) or clears, beside the game's own.
    pub fn trouble(&mut self, key: &str, at: Wall, text: Option<String>) {
        let is_this = |alarm: &StandingAlarm| alarm.key == key && alarm.seq.is_none();
        let standing = self.alarms.iter().position(is_this);
        match (text, standing) {
            (None, None) => {}
            (None, Some(index)) => _ = self.alarms.remove(index),
            (text, Some(index)) => self.alarms[index].text = text,
            (text, None) if self.alarms.len() < MOST => {
                self.alarms.push(StandingAlarm { key: String::from(key), at, seq: None, text, ply: None, readings: Vec::new() });
            }
            _ => {}
        }
    }

    /// Claims of positions that no longer stand are only history.
    fn outdate_claims(&mut self) {
        let plies = self.board.plies();
        self.claims.iter_mut().for_each(|claim| claim.stands = claim.claim.ply == plies);
    }
}

fn push<T>(list: &mut VecDeque<T>, item: T) {
    if list.len() >= MOST {
        list.pop_front();
    }
    list.push_back(item);
}
