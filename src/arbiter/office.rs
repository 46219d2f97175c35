//! What arbiters know of one board: everything its events say, folded. The public object is part of it.
use super::folded::{AsFound, Claim, Entered, FoldedFinding, Identity, OpenPromotion, Ruled, Standing, StandingAlarm, Touch};
use super::sheet::{Row, Sheet};
use super::waiting::WaitingOrder;
use crate::publish::stage::{Ages, Audience, Detail, json};
use crate::publish::state::{BoardState, BoardView, Pi};
use flagfall_events::{AlarmState, Body, Event, Finding, FindingUpdate, Grade, Mono, PossibleLine, PromotionState, Ruling, Status};
use flagfall_game::figures::Figures;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::Arc;

/// Findings kept at most; the oldest that are closed go first.
const MOST_FINDINGS: usize = 200;
/// Entries, touches and claims kept at most, each.
const MOST: usize = 256;

/// What an operator sees of a board: the public object and its alarms.
#[derive(Debug, Serialize)]
pub struct OperatorView<'a> {
    #[serde(flatten)]
    public: BoardView<'a>,
    identity: Option<&'a Identity>,
    alarms: &'a [StandingAlarm],
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<&'a OpenPromotion>,
}

/// One board as its arbiters know it.
#[derive(Clone, Debug)]
pub struct OfficeBoard {
    public: BoardState,
    identity: Option<Identity>,
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
    sheet: Sheet,
    figures: Figures,
    orders: Vec<WaitingOrder>,
}

/// The arbiter's board object: the public one and what only arbiters may know.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OfficeView<'a> {
    #[serde(flatten)]
    public: BoardView<'a>,
    identity: Option<&'a Identity>,
    /// FEN field 1, as the sensors had it last; `placement` may be what a ruling restores.
    sensed: Option<&'a str>,
    /// Which game of the board, from 1; 0 before the first. Not for operators.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    game_number: u32,
    /// Not for operators.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    findings: Vec<&'a FoldedFinding>,
    alarms: &'a [StandingAlarm],
    /// Not for operators.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    claims: Vec<&'a Claim>,
    /// What a pawn became, where somebody should say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<&'a OpenPromotion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Entered>>))]
    rulings: Option<&'a VecDeque<Entered>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Touch>>))]
    touched: Option<&'a VecDeque<Touch>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_sheet: Option<Vec<Row>>,
    /// How late presses come, how often the clocks were stopped: for the arbiter's decisions (6.2.6, 6.11.4), never an alarm.
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<&'a Figures>,
    /// In a hall: orders that are on their way, and what became of the last ones.
    #[serde(skip_serializing_if = "<[WaitingOrder]>::is_empty")]
    orders: &'a [WaitingOrder],
}

impl OfficeBoard {
    /// The arbiter's board object. With `whole` it has the moves, all findings that are kept, entries, touches and the clock sheet; without, those of this game and the next, and those still open.
    pub fn view(&self, ages: Ages, whole: bool) -> OfficeView<'_> {
        let wanted = |finding: &&FoldedFinding| whole || finding.urgent || finding.game_number >= self.game_number;
        OfficeView {
            public: self.public.view(ages, whole),
            identity: self.identity.as_ref(),
            sensed: self.sensed.as_deref(),
            game_number: self.game_number,
            findings: self.findings.iter().filter(wanted).collect(),
            alarms: &self.alarms,
            claims: self.claims.iter().filter(|claim| whole || claim.stands).collect(),
            promotion: self.promotion.as_ref(),
            rulings: whole.then_some(&self.rulings),
            touched: whole.then_some(&self.touched),
            clock_sheet: whole.then(|| self.sheet.rows()),
            figures: whole.then_some(&self.figures),
            orders: &self.orders,
        }
    }

    /// Says which orders are on their way.
    pub fn set_orders(&mut self, orders: Vec<WaitingOrder>) {
        self.orders = orders;
    }

    /// The findings that are kept, oldest first.
    pub const fn findings(&self) -> &VecDeque<FoldedFinding> {
        &self.findings
    }

    /// Draws that may be or could have been claimed in this game.
    pub const fn claims(&self) -> &VecDeque<Claim> {
        &self.claims
    }

    /// Pieces touched in this game.
    pub const fn touched(&self) -> &VecDeque<Touch> {
        &self.touched
    }

    /// The clock sheet of this game.
    pub fn clock_sheet(&self) -> Vec<Row> {
        self.sheet.rows()
    }

    fn plies(&self) -> u32 {
        self.public.moves().last().map_or(0, |m| m.ply)
    }

    fn found(&mut self, event: &Event, finding: &Finding) {
        let reading = self.public.clock();
        let game_number = event.game.unwrap_or(self.game_number);
        let found = AsFound {
            placement: self.sensed.clone(),
            clock: reading.map(|reading| reading.state),
            clock_age_ms: reading.map(|reading| event.t.since(reading.t)),
            // One that is about the game that will begin has none yet.
            plies_made: if game_number > self.game_number { 0 } else { self.plies() },
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
        let entered = Entered { seq: event.seq, t: event.t, at: event.at, ruling: ruling.clone() };
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

    /// An alarm that the daemon raises or clears, beside the game's own.
    pub(crate) fn trouble(&mut self, key: &str, text: Option<String>) {
        let is_this = |alarm: &StandingAlarm| alarm.key == key && alarm.seq.is_none();
        let standing = self.alarms.iter().position(is_this);
        match (text, standing) {
            (None, None) => {}
            (None, Some(index)) => _ = self.alarms.remove(index),
            (text, Some(index)) => self.alarms[index].text = text,
            (text, None) if self.alarms.len() < MOST => {
                let (key, at) = (String::from(key), crate::time::now());
                self.alarms.push(StandingAlarm { key, at, seq: None, text, ply: None, readings: Vec::new() });
            }
            _ => {}
        }
    }

    /// What an operator sees.
    fn operators_view(&self, ages: Ages, whole: bool) -> OperatorView<'_> {
        OperatorView {
            public: self.public.view(ages, whole),
            identity: self.identity.as_ref(),
            alarms: &self.alarms,
            promotion: self.promotion.as_ref(),
        }
    }

    /// Claims of positions that no longer stand are only history.
    fn outdate_claims(&mut self) {
        let plies = self.plies();
        self.claims.iter_mut().for_each(|claim| claim.stands = claim.claim.ply == plies);
    }
}

fn push<T>(list: &mut VecDeque<T>, item: T) {
    if list.len() >= MOST {
        list.pop_front();
    }
    list.push_back(item);
}

impl Audience for OfficeBoard {
    /// The public stage keeps more; an arbiter who was away gets a snapshot.
    const KEPT_BYTES: usize = 64 * 1024;

    fn new(board: Arc<str>) -> Self {
        Self {
            public: BoardState::new(board),
            identity: None,
            sensed: None,
            ruled: None,
            game_number: 0,
            findings: VecDeque::new(),
            alarms: Vec::new(),
            claims: VecDeque::new(),
            promotion: None,
            touched: VecDeque::new(),
            rulings: VecDeque::new(),
            sheet: Sheet::default(),
            figures: Figures::default(),
            orders: Vec::new(),
        }
    }

    fn hears(_: &Body) -> bool {
        true
    }

    fn apply(&mut self, event: &Event) {
        if event.seq <= self.public.seq() {
            return;
        }
        self.public.apply(event);
        self.figures.apply(event);
        match &event.body {
            Body::Identity { kind, serial, firmware, link } => {
                let (kind, link) = (kind.to_string(), link.clone());
                self.identity = Some(Identity { kind, serial: serial.clone(), firmware: firmware.clone(), link });
            }
            Body::GameStart { time_control, .. } => {
                self.game_number = event.game.unwrap_or_else(|| self.game_number.saturating_add(1));
                self.claims.clear();
                self.promotion = None;
                self.touched.clear();
                self.sheet = Sheet::new(time_control.as_deref());
                // It was started before the first move.
                if let Some(reading) = self.public.clock().filter(|reading| reading.state.running.is_some()) {
                    self.sheet.read((reading.t, reading.at), &reading.state, 0);
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
            Body::Placement { placement, .. } if self.ruled != Some(event.t) => self.sensed = Some(placement.clone()),
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
                let (touch, ply) = (touch.clone(), self.plies().saturating_add(1));
                push(&mut self.touched, Touch { touch, seq: event.seq, ply });
            }
            Body::MoveMade { placement, .. } => {
                if self.ruled != Some(event.t) {
                    self.sensed = Some(placement.clone());
                }
                self.outdate_claims();
            }
            Body::MoveWithdrawn { .. } => self.outdate_claims(),
            Body::MoveCompleted { ply, by, .. } => self.sheet.completed(*ply, *by),
            Body::Press { by } => self.sheet.pressed(event.t, *by),
            Body::Clock(state) => self.sheet.read((event.t, event.at), state, self.plies()),
            _ => {}
        }
    }

    fn seq(&self) -> u64 {
        self.public.seq()
    }

    fn set_players(&mut self, white: Option<String>, black: Option<String>) {
        self.public.set_players(white, black);
    }

    fn set_pi(&mut self, pi: Pi) {
        self.public.set_pi(pi);
    }

    fn anew(&self) -> Self {
        Self { public: self.public.anew(), orders: self.orders.clone(), ..Self::new(self.public.board().clone()) }
    }

    fn object(&self, ages: Ages, detail: Detail) -> Vec<u8> {
        if detail.operator {
            return json(&self.operators_view(ages, detail.whole));
        }
        json(&self.view(ages, detail.whole))
    }

    fn is_for_operators(body: &Body) -> bool {
        body.is_public() || matches!(body, Body::Alarm { .. })
    }
}

#[cfg(test)]
#[path = "office_tests.rs"]
mod tests;
