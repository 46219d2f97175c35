//! What arbiters are shown of one board: what its events come to ([`OfficeState`]), figures for decisions, orders on their way.
use crate::audience::{Audience, Detail};
use crate::going::{Going, Unanswered, rings};
use crate::stage::json;
use crate::waiting::WaitingOrder;
use flagfall_events::{Body, Event, Wall};
use flagfall_game::figures::Figures;
use flagfall_score::board::{Ages, BoardView, Identity, Pi};
use flagfall_score::clock_sheet::Row;
use flagfall_score::folded::{Claim, Entered, FoldedFinding, OpenPromotion, StandingAlarm, Touch};
use flagfall_score::office::OfficeState;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::Arc;

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

/// Who goes where, as it is told when it changes.
#[derive(Serialize)]
struct GoingView<'a> {
    board: &'a str,
    going: &'a [Going],
}

/// One board as its arbiters know it.
#[derive(Clone, Debug)]
pub struct OfficeBoard {
    state: OfficeState,
    figures: Figures,
    orders: Vec<WaitingOrder>,
    going: Vec<Going>,
    moved_at: Option<Wall>,
    battery: Option<u8>,
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
    /// Who goes to which of the open findings.
    #[serde(skip_serializing_if = "<[Going]>::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    going: &'a [Going],
}

impl OfficeBoard {
    /// The arbiter's board object. With `whole` it has the moves, all findings that are kept, entries, touches and the clock sheet; without, those of this game and the next, and those still open.
    pub fn view(&self, ages: Ages, whole: bool) -> OfficeView<'_> {
        let state = &self.state;
        let wanted = |finding: &&FoldedFinding| whole || finding.urgent || finding.game_number >= state.game_number();
        OfficeView {
            public: state.board().view(ages, whole),
            identity: state.board().identity(),
            sensed: state.sensed(),
            game_number: state.game_number(),
            findings: state.findings().iter().filter(wanted).collect(),
            alarms: state.alarms(),
            claims: state.claims().iter().filter(|claim| whole || claim.stands).collect(),
            promotion: state.promotion(),
            rulings: whole.then_some(state.rulings()),
            touched: whole.then_some(state.touched()),
            clock_sheet: whole.then(|| state.clock_sheet().rows()),
            figures: whole.then_some(&self.figures),
            orders: &self.orders,
            going: &self.going,
        }
    }

    /// What an operator sees.
    fn operators_view(&self, ages: Ages, whole: bool) -> OperatorView<'_> {
        let state = &self.state;
        OperatorView {
            public: state.board().view(ages, whole),
            identity: state.board().identity(),
            alarms: state.alarms(),
            promotion: state.promotion(),
        }
    }

    /// What the board's events come to.
    pub const fn state(&self) -> &OfficeState {
        &self.state
    }

    /// When a move was made or completed last.
    pub const fn moved_at(&self) -> Option<Wall> {
        self.moved_at
    }

    /// What the board said of its battery last, percent.
    pub const fn battery(&self) -> Option<u8> {
        self.battery
    }

    /// Says how the board's battery is.
    pub const fn set_battery(&mut self, percent: Option<u8>) {
        self.battery = percent;
    }

    /// Says which orders are on their way.
    pub fn set_orders(&mut self, orders: Vec<WaitingOrder>) {
        self.orders = orders;
    }

    /// Whether a finding waits for an arbiter; `None`: there is no such finding.
    pub fn is_open(&self, finding: u64) -> Option<bool> {
        self.state.findings().iter().rev().find(|folded| folded.finding.id == finding).map(|folded| folded.urgent)
    }

    /// Says who goes to an open finding, or that nobody does any more: all who go, in JSON. `None` where it is not open.
    pub(crate) fn set_going(&mut self, finding: u64, going: Option<Going>) -> Option<Vec<u8>> {
        self.is_open(finding).filter(|open| *open)?;
        self.going.retain(|known| known.finding != finding);
        self.going.extend(going);
        Some(json(&GoingView { board: self.state.board().board(), going: &self.going }))
    }

    /// What rings: open, and nobody goes there.
    pub fn unanswered(&self) -> impl Iterator<Item = Unanswered> {
        let answered = |id: u64| self.going.iter().any(|going| going.finding == id);
        let waiting =
            self.state.findings().iter().filter(move |folded| folded.urgent && rings(&folded.finding) && !answered(folded.finding.id));
        waiting.map(|folded| Unanswered {
            board: self.state.board().board().clone(),
            players: self.players(),
            finding: folded.finding.clone(),
        })
    }

    /// White and Black, as they sit there.
    pub fn players(&self) -> [Option<String>; 2] {
        let game = self.state.board().game();
        [game.white.clone(), game.black.clone()]
    }

    /// An alarm that the daemon raises or clears, beside the game's own.
    pub(crate) fn trouble(&mut self, key: &str, text: Option<String>) {
        self.state.trouble(key, flagfall_time::now(), text);
    }
}

impl Audience for OfficeBoard {
    /// The public stage keeps more; an arbiter who was away gets a snapshot.
    const KEPT_BYTES: usize = 64 * 1024;

    fn new(board: Arc<str>) -> Self {
        Self {
            state: OfficeState::new(board),
            figures: Figures::default(),
            orders: Vec::new(),
            going: Vec::new(),
            moved_at: None,
            battery: None,
        }
    }

    fn hears(_: &Body) -> bool {
        true
    }

    fn apply(&mut self, event: &Event) {
        if self.state.apply(event) {
            self.figures.apply(event);
            if matches!(event.body, Body::MoveMade { .. } | Body::MoveCompleted { .. }) {
                self.moved_at = Some(event.at);
            }
        }
        if matches!(event.body, Body::FindingUpdate(_)) && !self.going.is_empty() {
            let mut going = std::mem::take(&mut self.going);
            going.retain(|going| self.is_open(going.finding) == Some(true));
            self.going = going;
        }
    }

    fn seq(&self) -> u64 {
        self.state.board().seq()
    }

    fn set_players(&mut self, white: Option<String>, black: Option<String>) {
        self.state.board_mut().set_players(white, black);
    }

    fn set_pi(&mut self, pi: Pi) {
        self.state.board_mut().set_pi(pi);
    }

    fn anew(&self) -> Self {
        Self {
            state: self.state.anew(),
            figures: Figures::default(),
            orders: self.orders.clone(),
            going: Vec::new(),
            moved_at: None,
            battery: self.battery,
        }
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
