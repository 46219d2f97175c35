//! One move as one of many people makes it: in which way, and what is told of it.
use super::deeds::{Begun, Castling, How, Passing, Pressed, Promoting, Stay, Taking, Touch, What};
use super::gesture::{Gesture, Note, crossed};
use super::person::{Person, one_of};
use super::script::{Act, code};
use dgt_protocol::square::PieceCode;
use rand::Rng as _;
use shakmaty::{Bitboard, Chess, Move, Piece, Position as _, Square, attacks};

/// A captured piece that stands on the board when the move is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub(crate) what: What,
    pub(crate) square: Square,
    pub(crate) to: Square,
    /// When it was put there.
    pub(crate) at: u64,
}

/// In which way the move was made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    pub(crate) taken: Option<Taking>,
    pub(crate) passed: Option<Passing>,
    pub(crate) castled: Option<Castling>,
    pub(crate) promoted: Option<Promoting>,
    pub(crate) left: Option<Left>,
}

impl Gesture<'_> {
    /// Makes the move in one of this person's ways; a captured piece may be left on a square of `free`.
    pub(crate) fn play_as(&mut self, person: &Person, position: &Chess, m: Move, free: Bitboard) -> Manner {
        let by = position.turn();
        let mut manner = Manner::default();
        match m {
            Move::Castle { king, rook } => {
                let way = if crossed(king, rook) { Castling::InHand } else { one_of(self.rng, Castling::ALL, &person.castling) };
                self.castle_so(by, king, rook, way);
                // In Chess960 the first of the two may stand where it goes: the hand begins with the other.
                let first = self.acts.first().map_or(0, |act| act.0);
                self.acts.iter_mut().for_each(|act| act.0 -= first);
                manner.castled = Some(way);
            }
            Move::EnPassant { from, to } => {
                let way = one_of(self.rng, Passing::ALL, &person.passing);
                self.pass(by, from, to, way);
                manner.passed = Some(way);
            }
            Move::Normal { from, to, capture, promotion: Some(role), .. } => {
                let way = one_of(self.rng, Promoting::ALL, &person.promoting);
                if capture.is_some() {
                    let first = matches!(way, Promoting::PawnOff | Promoting::PieceFirst) || self.chance(0.6);
                    if first {
                        self.lift(to);
                        self.reach();
                    }
                    manner.taken = Some(if first { Taking::VictimFirst } else { Taking::Replaced });
                }
                self.promote_so(by, from, to, role, way);
                manner.promoted = Some(way);
            }
            Move::Normal { role, from, to, capture: Some(taken), .. } => {
                let way = one_of(self.rng, Taking::ALL, &person.taking);
                let way = self.take_as(role.of(by), taken.of(by.other()), (from, to), way, free, &mut manner.left);
                manner.taken = Some(way);
            }
            Move::Normal { role, from, to, .. } => self.step(position, role.of(by), from, to),
            Move::Put { role, to } => self.put(to, code(role.of(by))),
        }
        manner
    }

    /// Takes in this way; where there is no room beside, the victim comes off first.
    fn take_as(
        &mut self,
        piece: Piece,
        victim: Piece,
        (from, to): (Square, Square),
        way: Taking,
        free: Bitboard,
        left: &mut Option<Left>,
    ) -> Taking {
        let beside: Vec<Square> = (attacks::king_attacks(to) & free).into_iter().collect();
        let room = (!beside.is_empty()).then(|| beside[self.rng.random_range(0..beside.len().max(1))]);
        match (way, room) {
            (Taking::PushedAside, Some(aside)) => {
                self.lift(from);
                self.carry();
                self.lift(to);
                self.put(aside, code(victim));
                *left = Some(Left { what: What::PushedAside, square: to, to: aside, at: self.now });
                self.wait((10, 60));
                self.put(to, code(piece));
            }
            (Taking::Parked, Some(aside)) => {
                self.lift(to);
                self.carry();
                self.put(aside, code(victim));
                *left = Some(Left { what: What::Parked, square: to, to: aside, at: self.now });
                self.reach();
                self.lift(from);
                if self.chance(self.pace.slide) {
                    self.avoid.add(aside);
                    self.slide(piece, from, to);
                }
                self.carry();
                self.put(to, code(piece));
            }
            (Taking::PushedAside | Taking::Parked, None) => {
                self.take(piece, from, to, Taking::VictimFirst);
                return Taking::VictimFirst;
            }
            _ => self.take(piece, from, to, way),
        }
        way
    }

    /// A piece on its way is seen over a free square beside it.
    pub(crate) fn glimpse(&mut self, piece: PieceCode, from: Square, to: Square) {
        if !self.chance(self.pace.glimpse) {
            return;
        }
        let near = |s: &Square| s.distance(from) + s.distance(to) <= from.distance(to) + 1;
        let beside = !(self.avoid | attacks::between(from, to)).with(from).with(to);
        let squares: Vec<Square> = beside.into_iter().filter(near).collect();
        if !squares.is_empty() {
            let square = squares[self.rng.random_range(0..squares.len())];
            self.wait((5, 60));
            self.stand(Note::Glimpsed, square, piece, self.pace.touch);
        }
    }

    /// What was done so far of this move, its times from the first touch, and the captured piece that it left standing.
    pub(crate) fn told(&mut self, manner: Manner, m: Move) -> (How, Option<Left>) {
        let Manner { taken, passed, castled, promoted, left } = manner;
        let [slid, rested, revised, glimpsed] = [Note::Slid, Note::Rested, Note::Revised, Note::Glimpsed].map(|kind| {
            let stays = self.notes.iter().filter(|(note, _)| *note == kind);
            stays.map(|(_, stay)| *stay).collect::<Vec<Stay>>()
        });
        let touches: Vec<Touch> = (self.acts.drain(..))
            .filter_map(|(at, act)| match act {
                Act::Lift(square) => Some(Touch { at, square, piece: PieceCode::Empty }),
                Act::Put(square, piece) => Some(Touch { at, square, piece }),
                _ => None,
            })
            .collect();
        let own = |touch: &&Touch| touch.piece == PieceCode::Empty && leaves(m, touch.square);
        let lifted = touches.iter().find(own).map_or(0, |touch| touch.at);
        let dropped = touches.iter().map(|touch| touch.at).max().unwrap_or(0);
        let (begun, pressed) = (Begun::Thought, Pressed::Usual);
        let held = self.held;
        (How { touches, lifted, dropped, slid, rested, revised, glimpsed, held, taken, passed, castled, promoted, begun, pressed }, left)
    }
}

/// Whether a move takes its piece from this square.
pub(super) fn leaves(m: Move, square: Square) -> bool {
    match m {
        Move::Castle { king, rook } => square == king || square == rook,
        _ => m.from() == Some(square),
    }
}
