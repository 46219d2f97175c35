//! Presses and moves that break the Laws: their facts, kept true as the game goes on.
use crate::placement::piece;
use crate::press::Press;
use crate::recogniser::record::Ply;
use crate::recognition::illegal;
use crate::referee::found::Found;
use crate::referee::hearing::Hearing;
use alloc::string::String;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, PressCounter};
use flagfall_laws::irregularity::{Before, IllegalMove, PressWithoutMove, Reported, Since, UnpromotedPawn};
use flagfall_laws::{Irregularity, Reason};
use shakmaty::{Move, Role};

impl Hearing<'_> {
    /// 7.5.1 and 7.5.2: the move with this index of the record was pressed, and it is not legal.
    pub(crate) fn illegal_move_pressed(&mut self, index: usize, press: &Press) {
        let Some(play) = self.scene.play else { return };
        let Some(ply) = play.record.plies().get(index).cloned() else { return };
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let before = before(press, ply.before.fen());
        let chess960 = play.chess960;
        let irregularity = match ply.mv {
            Move::Normal { to, .. } if ply.unpromoted => {
                let reads = self.scene.image.placement().0[to.to_usize()];
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
                touched: self.own.touches.of(ply.by),
                from: mv.from(),
                twice: self.moved_twice(index),
                before,
            }),
        };
        // Whose it was is told by the press.
        if matches!(&irregularity, Irregularity::IllegalMove(IllegalMove { reason: Reason::OpponentsPieceMoved { .. }, .. })) {
            self.second_move_is_gone();
        }
        self.find(irregularity, self.own.evidence_from);
    }

    /// The ply with this index was made with the opponent's piece: his move before it and this one, where he could have made both (12.9).
    fn moved_twice(&self, index: usize) -> Option<[String; 2]> {
        let play = self.scene.play?;
        let (first, second) = (play.record.plies().get(index.checked_sub(1)?)?, play.record.plies().get(index)?);
        let again = second.before.with_turn(first.by);
        let his = first.by != second.by && again.legal_moves().contains(&second.mv);
        his.then(|| [first.uci.clone(), second.uci.clone()])
    }

    /// 7.5.3: the side to move pressed and had not moved.
    pub(crate) fn pressed_without_move(&mut self, press: &Press) {
        // A press in answer to a press that is itself under a finding; or the clock was only started.
        let answers = self.own.last_press == Some((press.by.other(), true));
        let Some(play) = self.scene.play.filter(|_| !answers && !press.started) else { return };
        let ply = u32::try_from(play.record.plies().len() + 1).unwrap_or(u32::MAX);
        let before = before(press, play.top().position.fen());
        let fact = PressWithoutMove { by: press.by, ply, before };
        self.own.under_finding = self.find(Irregularity::PressWithoutMove(fact), self.own.evidence_from).is_some();
    }

    /// A press was judged; whether it is `under` a finding is known by then.
    pub(crate) fn press_judged(&mut self, by: Colour, under: bool) {
        let under = core::mem::take(&mut self.own.under_finding) || under;
        self.own.last_press = Some((by, under));
        self.own.touches.next_turn();
        self.recount_later_moves();
        self.count_on();
        self.own.evidence_from = self.voice.seq() + 1;
    }

    /// The lever went there and back at once.
    pub(crate) const fn lever_went_back(&mut self, by: Colour) {
        self.own.last_press = Some((by, false));
    }

    /// Every press is counted by the clock, those on top of an offence included.
    pub(crate) fn count_press(&mut self, by: Colour) {
        for found in self.own.findings.found.iter_mut().filter(|found| found.closed.is_none()) {
            if let Some(before) = found.irregularity.before_mut() {
                match by {
                    Colour::White => before.presses.white += 1,
                    Colour::Black => before.presses.black += 1,
                }
            }
        }
    }

    /// Moves were made, taken back or revised: offences lie deeper under them, on top again, or were put right.
    pub(crate) fn recount_later_moves(&mut self) {
        let Some(play) = self.scene.play else { return };
        let plies = play.record.plies();
        let mut changed = false;
        for found in self.own.findings.found.iter_mut().filter(|found| found.closed.is_none()) {
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

    /// Whether the move of an offence that was ruled is still in the record: a replacement move is another move.
    pub(crate) fn offence_is_standing(&self, found: &Found) -> bool {
        let stands = |ply: u32, uci: &str| self.scene.play.is_some_and(|play| play.record.index_of(ply, uci).is_some());
        match &found.irregularity {
            Irregularity::IllegalMove(fact) => stands(fact.ply, &fact.uci),
            Irregularity::UnpromotedPawn(fact) => self.scene.play.is_some_and(|p| p.record.plies().len() >= fact.ply as usize),
            Irregularity::Reported(Reported { last: Some((ply, uci)), .. }) => stands(*ply, uci),
            _ => false,
        }
    }
}

fn before(press: &Press, fen: String) -> Before {
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

/// The move of a pawn that stayed a pawn, as it should have been (7.5.2).
pub(crate) const fn with_queen(mv: Move) -> Move {
    match mv {
        Move::Normal { role, from, capture, to, .. } => Move::Normal { role, from, capture, to, promotion: Some(Role::Queen) },
        other => other,
    }
}
