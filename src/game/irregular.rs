//! Presses and moves that break the Laws: their facts, kept true as the game goes on.
use super::Game;
use super::completion::Press;
use super::findings::Found;
use super::placement::{Placement, bit, colour, each, piece};
use super::recognition::illegal;
use super::recognition::step::Ground;
use super::record::Ply;
use alloc::string::String;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, PressCounter};
use flagfall_laws::Irregularity;
use flagfall_laws::Reason;
use flagfall_laws::irregularity::{Before, IllegalMove, PressWithoutMove, Reported, Since, UnpromotedPawn};
use shakmaty::{Move, Role};

impl Game {
    fn before(&self, press: &Press, fen: String) -> Before {
        Before {
            fen,
            immediate: true,
            at_press: press.clock,
            earned_ms: press.earned_ms,
            later_moves: 0,
            presses: PressCounter::of(press.by, 1),
            ..Before::default()
        }
    }

    /// 7.5.1 and 7.5.2: the move with this index of the record was pressed, and it is not legal.
    pub(super) fn illegal_move_pressed(&mut self, index: usize, press: &Press) {
        let Some(play) = self.play.as_ref() else { return };
        let Some(ply) = play.record.plies().get(index).cloned() else { return };
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let before = self.before(press, ply.before.fen());
        let chess960 = play.chess960;
        let irregularity = match ply.mv {
            Move::Normal { to, .. } if ply.unpromoted => {
                let reads = self.image.placement().0[to.to_usize()];
                Irregularity::UnpromotedPawn(UnpromotedPawn {
                    by: ply.by,
                    ply: number,
                    uci: ply.uci.clone(),
                    square: to,
                    stands: piece(reads).filter(|_| reads != PieceCode::Empty).map(|piece| piece.char()),
                    queen_fen: ply.before.forced(with_queen(ply.mv)).fen(),
                    before,
                })
            }
            mv => Irregularity::IllegalMove(IllegalMove {
                by: ply.by,
                ply: number,
                uci: ply.uci.clone(),
                reason: illegal::why(&ply.before, mv),
                position: ply.before.legal().cloned(),
                chess960,
                touched: self.touches.of(ply.by),
                from: mv.from(),
                twice: self.moved_twice(index),
                before,
            }),
        };
        // Whose it was is told by the press.
        if matches!(&irregularity, Irregularity::IllegalMove(IllegalMove { reason: Reason::OpponentsPieceMoved { .. }, .. })) {
            self.second_move_is_gone();
        }
        self.find(irregularity, self.evidence_from);
    }

    /// The ply with this index was made with the opponent's piece: his move before it and this one, where he could have made both (12.9).
    fn moved_twice(&self, index: usize) -> Option<[String; 2]> {
        let play = self.play.as_ref()?;
        let (first, second) = (play.record.plies().get(index.checked_sub(1)?)?, play.record.plies().get(index)?);
        let again = second.before.with_turn(first.by);
        let his = first.by != second.by && again.legal_moves().contains(&second.mv);
        his.then(|| [first.uci.clone(), second.uci.clone()])
    }

    /// 7.5.3: the side to move pressed and had not moved. `false`: that is no irregularity here.
    pub(super) fn pressed_without_move(&mut self, press: &Press) -> bool {
        // A press in answer to a press that is itself under a finding; or the clock was only started.
        let answers = self.last_press == Some((press.by.other(), true));
        let Some(play) = self.play.as_ref().filter(|_| !answers && !press.started) else { return false };
        let ply = u32::try_from(play.record.plies().len() + 1).unwrap_or(u32::MAX);
        let before = self.before(press, play.top().position.fen());
        let fact = PressWithoutMove { by: press.by, ply, before };
        self.find(Irregularity::PressWithoutMove(fact), self.evidence_from).is_some()
    }

    /// The lever went there and back at once.
    pub(super) fn lever_went_back(&mut self, press: &Press) {
        self.last_press = Some((press.by, false));
    }

    /// Every press is counted by the clock, those on top of an offence included.
    pub(super) fn count_press(&mut self, by: Colour) {
        for found in self.findings.found.iter_mut().filter(|found| found.closed.is_none()) {
            if let Some(before) = found.irregularity.before_mut() {
                match by {
                    Colour::White => before.presses.white += 1,
                    Colour::Black => before.presses.black += 1,
                }
            }
        }
    }

    /// Moves were made, taken back or revised: offences lie deeper under them, on top again, or were put right.
    pub(super) fn recount_later_moves(&mut self) {
        let Some(play) = self.play.as_ref() else { return };
        let plies = play.record.plies();
        let mut changed = false;
        for found in self.findings.found.iter_mut().filter(|found| found.closed.is_none()) {
            let Some(index) = found.irregularity.ply().and_then(|ply| usize::try_from(ply).ok()?.checked_sub(1)) else { continue };
            let since = since(&found.irregularity, plies.get(index));
            let stands = since != Since::TakenBack && !matches!(found.irregularity, Irregularity::PressWithoutMove(_));
            let later = plies.get(index + usize::from(stands)..).unwrap_or_default();
            let later_moves = u32::try_from(later.len()).unwrap_or(u32::MAX);
            let pressed = |by: Colour| i32::try_from(later.iter().filter(|ply| ply.pressed && ply.by == by).count()).unwrap_or(i32::MAX);
            let served = if stands {
                PressCounter::default()
            } else {
                PressCounter { white: pressed(Colour::White), black: pressed(Colour::Black) }
            };
            let Some(before) = found.irregularity.before_mut() else { continue };
            if (before.later_moves, before.served, before.since) != (later_moves, served, since) {
                (before.later_moves, before.served, before.since) = (later_moves, served, since);
                changed = true;
            }
        }
        if changed {
            self.judge_again();
        }
    }

    /// The opponent's piece that was moved and pressed stands where it stood before: brought back, though its owner might have moved it there.
    pub(super) fn is_brought_back(&self) -> bool {
        let Some(play) = self.play.as_ref().filter(|p| !p.over && p.presses.is_empty()) else { return false };
        let Some(ply) = play.record.plies().last().filter(|ply| ply.completed && !ply.legal) else { return false };
        let of_the_other = ply.mv.from().and_then(|from| ply.before.board().color_at(from)).is_some_and(|c| colour(c) != ply.by);
        // The next piece may be in the hand already.
        let (before, sensed) = (Placement::of(ply.before.board()), self.image.placement());
        let in_hand = |s: usize| sensed.0[s] == PieceCode::Empty && piece(before.0[s]).is_some_and(|p| colour(p.color) == ply.by);
        of_the_other && each(before.diff(sensed)).all(in_hand)
    }

    /// An illegal move that was pressed is put right before anybody ruled: taken back, with all that was played on top of it, replaced by a
    /// legal one, or the pawn exchanged.
    pub(super) fn put_right_by_hand(&mut self) {
        let Some(play) = self.play.as_ref().filter(|p| !p.over && p.presses.is_empty()) else { return };
        let sensed = *self.image.placement();
        if sensed == *play.expected() {
            return;
        }
        let plies = play.record.plies();
        let offences = plies.iter().enumerate().filter(|(_, ply)| ply.completed && !ply.legal).map(|(index, _)| index);
        let Some(index) = offences.rev().find(|&index| self.is_put_right(index)) else { return };
        let brought_back = self.is_brought_back();
        let Some(play) = self.play.as_mut() else { return };
        let ply = &play.record.plies()[index];
        let before = Ground::new(ply.before.clone(), play.occupancy());
        let replaced = before.steps.iter().find(|step| step.play(&before.placement) == sensed).copied();
        let on_top = index + 1 == play.record.plies().len();
        let exchanged =
            replaced.filter(|step| on_top && ply.unpromoted && (step.from(), step.to()) == (from_of(ply.mv), ply.mv.to().to_usize()));
        let in_hand = before.placement.diff(&sensed);
        let mut said = Vec::new();
        if let Some(step) = exchanged {
            play.revise(index, step.mv, &mut |body| said.push(body));
        } else {
            play.take_back(index, &mut |body| said.push(body));
            self.image.look_at_all();
        }
        self.image.forget(|change| {
            (brought_back && in_hand & bit(change.square) != 0)
                || replaced.is_some_and(|step| exchanged.is_none() && step.touched & bit(change.square) != 0)
        });
        self.say_all(said);
        if exchanged.is_none() {
            self.taken_back(super::notes::number(index));
        }
        self.restoring = false;
        self.recount_later_moves();
        self.look();
    }

    /// Whether the board shows the position before the illegal move with this index, or one legal move from there, and no play from where the
    /// record stands leads to it; or an opponent's piece that was brought back.
    fn is_put_right(&self, index: usize) -> bool {
        let Some(play) = self.play.as_ref() else { return false };
        let Some(ply) = play.record.plies().get(index) else { return false };
        let on_top = index + 1 == play.record.plies().len();
        let sensed = self.image.placement();
        let before = Ground::new(ply.before.clone(), play.occupancy());
        if before.placement == *sensed {
            return on_top || !play.is_explained(&self.image, self.scan_ms);
        }
        let replaced = before.steps.iter().any(|step| step.play(&before.placement) == *sensed);
        on_top && if replaced { !play.is_explained(&self.image, self.scan_ms) } else { self.is_brought_back() }
    }

    /// Whether the move of an offence that was ruled is still in the record: a replacement move is another move.
    pub(super) fn offence_is_standing(&self, found: &Found) -> bool {
        match &found.irregularity {
            Irregularity::IllegalMove(fact) => self.offence_stands(fact.ply, &fact.uci).is_some(),
            Irregularity::UnpromotedPawn(fact) => self.play.as_ref().is_some_and(|p| p.record.plies().len() >= fact.ply as usize),
            Irregularity::Reported(Reported { last: Some((ply, uci)), .. }) => self.offence_stands(*ply, uci).is_some(),
            _ => false,
        }
    }

    /// Whether the move of an offence still stands in the record as it was played.
    pub(super) fn offence_stands(&self, ply: u32, uci: &str) -> Option<usize> {
        let index = usize::try_from(ply).ok()?.checked_sub(1)?;
        let play = self.play.as_ref()?;
        play.record.plies().get(index).filter(|p| p.uci == uci).map(|_| index)
    }
}

/// What became of the move of an offence, as the record has its ply now.
fn since(offence: &Irregularity, ply: Option<&Ply>) -> Since {
    let (Irregularity::IllegalMove(IllegalMove { uci, .. })
    | Irregularity::UnpromotedPawn(UnpromotedPawn { uci, .. })
    | Irregularity::Reported(Reported { last: Some((_, uci)), .. })) = offence
    else {
        return Since::Stands;
    };
    match (ply, offence) {
        (Some(ply), _) if ply.uci == *uci => Since::Stands,
        (Some(ply), Irregularity::UnpromotedPawn(_)) if ply.uci.starts_with(uci.as_str()) => Since::Exchanged,
        _ => Since::TakenBack,
    }
}

/// Where a move begins.
fn from_of(mv: Move) -> usize {
    mv.from().map_or(64, |square| square.to_usize())
}

/// The move of a pawn that stayed a pawn, as it should have been (7.5.2).
pub(super) const fn with_queen(mv: Move) -> Move {
    match mv {
        Move::Normal { role, from, capture, to, .. } => Move::Normal { role, from, capture, to, promotion: Some(Role::Queen) },
        other => other,
    }
}
