//! What is odd about a hypothesis, where only occupied and empty can be told apart. Ten units are one natural logarithm of the odds, roughly.
use crate::placement::{Squares, bit, each};
use crate::recognition::step::{Ground, Step};
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Mono};
use shakmaty::{Color, Move, Role};

/// A capture whose square never read empty.
pub(crate) const BLIND: u32 = 15;
/// The press of a player who is not to move, or has pressed already.
pub(crate) const IDLE_PRESS: u32 = 40;
/// A press without a move.
pub(crate) const NOTHING: u32 = 90;
/// A move that was not pressed before it was answered.
pub(crate) const UNPRESSED: u32 = 45;
/// A reply begun before the press; and one whose hand came at once.
const BEFORE_PRESS: u32 = 30;
const AT_ONCE: u32 = 12;
const AT_ONCE_MS: u64 = 120;
const NO_LAG: u32 = 20;
const NO_LAG_MS: u64 = 30;
/// How late the lever may be told.
pub(crate) const LEVER_MS: u64 = 60;
/// Squares that two hands may have changed.
const MOST_DEVIATING: u32 = 10;
/// A square of a move that changed twice more than it needs.
const FIDGET: u32 = 12;
/// A piece down before it was up.
const DISORDER: u32 = 60;
/// A reply under way while the move was still coming.
pub(crate) const OVERLAP: u32 = 8;
/// A piece off its square when its player pressed.
pub(crate) const GONE: u32 = 70;
/// A move left unfinished when the clocks stood.
pub(crate) const LEFT_SO: u32 = 30;
/// A piece taken before it was seen where it went.
pub(crate) const UNSEEN: u32 = 35;
/// A capture or promotion whose square is empty just now.
pub(crate) const UNFINISHED: u32 = 3;
/// A ply begun before the last but one was pressed.
pub(crate) const IMPOSSIBLE: u32 = 70;
/// A ply under way.
const UNDER_WAY: u32 = 5;
/// A piece lifted and put back.
const ADJUSTED: u32 = 55;
/// The same of the piece that moved last.
const CENTRED: u32 = 15;
/// A square touched on which the moving piece may have been put first.
const CHANGED_MIND: u32 = 30;
/// A square beside a capture's.
const ASIDE: u32 = 25;
/// A piece put where nothing brings it, and gone again.
const ASTRAY: u32 = 55;
/// A square that reads wrong now.
const WRONG: u32 = 70;
/// A piece lifted, or put down, by the hand that will reply.
const OTHER_HAND: u32 = 15;
/// A promotion to anything but a queen; to a queen where that stalemates.
const UNDERPROMOTION: u32 = 36;
const STALEMATING_QUEEN: u32 = 60;

/// One square that began to read occupied or empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blip {
    pub(crate) square: usize,
    pub(crate) on: bool,
    pub(crate) at: Mono,
}

/// One legal ply in terms of squares.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    pub(crate) step: Step,
    lifts: Squares,
    drops: Squares,
    pub(crate) touched: Squares,
    via: Squares,
    pub(crate) from: Squares,
    pub(crate) to: Squares,
    /// The square of a captured piece that the capturer then stands on.
    pub(crate) captures_on: Squares,
}

impl Ply {
    pub(crate) fn new(step: &Step, occupied: Squares) -> Self {
        let (mut lifts, mut drops) = (0, 0);
        for (square, piece) in step.after() {
            if piece == PieceCode::Empty { lifts |= bit(square) } else { drops |= bit(square) }
        }
        let to = bit(step.to());
        let captures_on = if matches!(step.mv, Move::Normal { .. }) { to & occupied } else { 0 };
        Self { step: *step, lifts, drops, touched: step.touched, via: step.crosses(), from: bit(step.from()), to, captures_on }
    }

    /// The squares occupied after it.
    pub(crate) const fn play(&self, occupied: Squares) -> Squares {
        occupied & !self.lifts | self.drops
    }

    /// Squares it may change on its way.
    pub(crate) const fn reaches(&self) -> Squares {
        self.touched | self.via
    }

    /// Whether these deviating squares hold its beginning: its piece is off its square, or the piece it takes.
    pub(crate) const fn is_begun(&self, deviates: Squares) -> bool {
        (self.lifts | self.captures_on) & deviates != 0
    }
}

/// The pieces of the player who is not to move.
pub(crate) fn theirs(ground: &Ground) -> Squares {
    let us = if ground.turn() == Colour::White { Color::White } else { Color::Black };
    ground.position.board().by_color(us.other()).into()
}

/// The squares a position occupies.
pub(crate) fn occupied(ground: &Ground) -> Squares {
    ground.position.board().occupied().into()
}

/// Whether the target of a capture was empty while the capturer was off its square.
pub(crate) fn seen_to_capture(ply: &Ply, blips: &[Blip], scan_ms: u64) -> bool {
    let of = |set: Squares, on: bool| blips.iter().filter(move |b| set & bit(b.square) != 0 && b.on == on).map(|b| b.at);
    let Some(lifted) = of(ply.from, false).min() else { return false };
    of(ply.to, true).max().is_some_and(|down| down + scan_ms >= lifted)
}

/// What touched these squares and left them as they were. `own` ply's hand may have, until its press; `ply` is the one that is made next.
pub(crate) fn visits(stands: &Stands<'_>, blips: &[Blip], among: Squares, ply: Option<&Ply>) -> u32 {
    let Stands { plies, occupied, own, blind, pressed, scan_ms, .. } = *stands;
    let (to, way) = own.map_or((0, 0), |p| (p.to, p.via));
    // After his press it is another hand that touches his piece.
    let own_hand = |s: usize| blips.iter().filter(|b| b.square == s).all(|b| pressed.is_none_or(|at| b.at <= at + scan_ms));
    let cost = |s: usize| match bit(s) {
        here if to & here != 0 && own_hand(s) => CENTRED,
        // It came that way.
        here if way & here != 0 && blind && own_hand(s) => 0,
        here if own.is_some_and(|p| p.captures_on != 0 && around(p.to) & here & !occupied != 0) && own_hand(s) => ASIDE,
        _ => visit(s, occupied, ply, plies),
    };
    each(squares_of(blips) & among).map(cost).sum()
}

/// A reply begun before the press of the move it replies to, or so soon after it that the hand was there before.
pub(crate) fn haste(reply: &Ply, blips: &[Blip], press: Mono) -> u32 {
    let begun = blips.iter().filter(|b| reply.touched & bit(b.square) != 0).map(|b| b.at).min();
    match begun {
        Some(at) if at + LEVER_MS < press => BEFORE_PRESS,
        // A scan's lag puts it before the press.
        Some(at) if at < press + NO_LAG_MS => NO_LAG,
        Some(at) if at < press + AT_ONCE_MS => AT_ONCE,
        _ => 0,
    }
}

/// Squares of a ply that changed more often than it needs.
pub(crate) fn fidgets(ply: &Ply, blips: &[Blip]) -> u32 {
    let often = |set: Squares, needed: usize| blips.iter().filter(|b| set & bit(b.square) != 0).count().saturating_sub(needed) / 2;
    let to = often(ply.to, if ply.captures_on != 0 { 2 } else { 1 });
    FIDGET * count(to + often(ply.from, 1))
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX / 1_000)
}

/// A piece that came down long before it was lifted.
pub(crate) fn disorder(ply: &Ply, blips: &[Blip], scan_ms: u64) -> u32 {
    let last = |set: Squares, on: bool| blips.iter().rev().find(|b| set & bit(b.square) != 0 && b.on == on).map(|b| b.at);
    match (last(ply.to & !ply.captures_on, true), last(ply.from, false)) {
        (Some(down), Some(lifted)) if down + scan_ms < lifted => DISORDER,
        (Some(down), None) if blips.last().is_some_and(|b| down + scan_ms < b.at) => DISORDER,
        _ => 0,
    }
}

/// A square that changed and reads again as it did.
fn visit(square: usize, before: Squares, ply: Option<&Ply>, plies: &[Ply]) -> u32 {
    let here = bit(square);
    if before & here != 0 {
        return ADJUSTED;
    }
    let Some(ply) = ply else { return ASTRAY };
    if ply.captures_on != 0 && around(ply.to) & here != 0 {
        ASIDE
    } else if plies.iter().any(|other| other.from == ply.from && other.to == here) {
        CHANGED_MIND
    } else {
        ASTRAY
    }
}

/// What hands rarely choose: promotions.
pub(crate) fn habit(ply: &Ply, after: &Ground, plies: &[Ply]) -> u32 {
    let Some(role) = ply.step.mv.promotion() else { return 0 };
    let stalemates = |ground: &Ground| ground.steps.is_empty() && !ground.position.is_check();
    match role {
        Role::Queen if stalemates(after) && plies.len() > 1 => STALEMATING_QUEEN,
        Role::Queen => 0,
        _ => UNDERPROMOTION,
    }
}

/// The presser's piece came down so long after his press.
pub(crate) fn lateness(ms: u64, scan_ms: u64) -> u32 {
    u32::try_from(ms.saturating_sub(scan_ms) / 10).unwrap_or(u32::MAX / 1_000).min(200)
}

/// A position that may stand, and the ply that led to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stands<'a> {
    pub(crate) plies: &'a [Ply],
    pub(crate) occupied: Squares,
    /// Pieces of the player who is not to move.
    pub(crate) theirs: Squares,
    pub(crate) own: Option<&'a Ply>,
    /// Where its piece stands although it was never seen to come down.
    pub(crate) blind: bool,
    pub(crate) pressed: Option<Mono>,
    pub(crate) now: Mono,
    pub(crate) scan_ms: u64,
}

/// What was sensed since a position stood, its next ply under way at best.
pub(crate) fn tail(stands: &Stands<'_>, deviates: Squares, blips: &[Blip]) -> u32 {
    let Stands { plies, occupied, theirs, own, pressed, now, scan_ms, .. } = *stands;
    let among = !deviates;
    let aside = |ply: Option<&Ply>| ply.filter(|p| p.captures_on != 0).map_or(0, |p| around(p.to)) & !occupied;
    if deviates == 0 {
        return visits(stands, blips, among, None);
    }
    let wrong = |rest: Squares, aside: Squares| WRONG * (rest & !aside).count_ones() + ASIDE * (rest & aside).count_ones();
    // One piece lifted that cannot move may be adjusted.
    let adjusted = deviates.count_ones() == 1 && deviates & occupied != 0;
    let still = if adjusted { ADJUSTED } else { wrong(deviates, aside(own)) };
    let mut least = still + visits(stands, blips, among, None);
    let sensed = occupied ^ deviates;
    // So many squares are no hand's work.
    let legible = deviates.count_ones() <= MOST_DEVIATING;
    for ply in plies.iter().filter(|p| legible && p.reaches() & deviates != 0) {
        // What stands whole is a child of its own; only a capture may as well be a piece in the air.
        if ply.play(occupied) == sensed && ply.captures_on == 0 {
            continue;
        }
        let rest = deviates & !ply.reaches();
        let mut cost = UNDER_WAY + visits(stands, blips, among & !ply.reaches(), Some(ply));
        cost += disorder(ply, blips, scan_ms) + fidgets(ply, blips);
        if rest != 0 {
            let lifted = (rest & theirs).count_ones();
            let landed = (rest & !occupied).count_ones();
            // Nobody replies to a move that is not made; the sensors may be behind.
            let fresh = blips.iter().filter(|b| rest & bit(b.square) != 0).all(|b| b.at + 2 * scan_ms >= now);
            let reply = fresh && rest & occupied & !theirs == 0 && landed <= lifted && ply.is_begun(deviates);
            let hands = if reply { OTHER_HAND * (lifted + landed) } else { u32::MAX / 4 };
            cost += wrong(rest, aside(own) | aside(Some(ply))).min(hands);
        }
        if !ply.is_begun(deviates) {
            cost += OTHER_HAND;
        }
        cost += pressed.map_or(0, |at| haste(ply, blips, at));
        least = least.min(cost);
    }
    least
}

fn squares_of(blips: &[Blip]) -> Squares {
    blips.iter().fold(0, |set, b| set | bit(b.square))
}

/// The squares around one.
const fn around(square: Squares) -> Squares {
    const A: Squares = 0x0101_0101_0101_0101;
    const H: Squares = A << 7;
    let sides = ((square & !A) >> 1) | ((square & !H) << 1);
    let row = sides | square;
    sides | (row << 8) | (row >> 8)
}
