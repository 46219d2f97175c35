//! How the incidents are acted: what happens before, instead of, and after a move.
use super::gesture::{Gesture, is_colour};

use super::incident::IncidentKind;
use super::players::Players;
use super::script::{Act, PlyTruth, code, colour, squares_of};
use dgt_protocol::square::PieceCode;
use rand::Rng as _;
use shakmaty::{Chess, Color, Move, Position as _, Role, Square, attacks, uci::UciMove};

/// A move made in the way an incident asks for. `false`: this move has no such way, or none was asked for.
pub(super) fn forced_gesture(
    hand: &mut Gesture<'_>,
    incidents: &[IncidentKind],
    rook_first: &mut bool,
    pawn_left: &mut bool,
    position: &Chess,
    m: Move,
) -> bool {
    *rook_first |= incidents.contains(&IncidentKind::RookFirst);
    *pawn_left |= incidents.contains(&IncidentKind::PawnLeft);
    let by = position.turn();
    match m {
        Move::Castle { king, rook } if *rook_first => {
            *rook_first = false;
            hand.castle_rook_first(by, king, rook);
            true
        }
        Move::Normal { from, to, capture, promotion: Some(_), .. } if *pawn_left => {
            if capture.is_some() {
                hand.lift(to);
                hand.reach();
            }
            hand.lift(from);
            hand.carry();
            hand.put(to, code(by.pawn()));
            true
        }
        Move::Normal { role, from, to, capture: None, promotion: None } if incidents.contains(&IncidentKind::SlidePause) => {
            hand.lift(from);
            hand.carry();
            let mut between: Vec<Square> = attacks::between(from, to).into_iter().filter(|_| role != Role::Knight).collect();
            between.sort_by_key(|square| square.distance(from));
            if let Some(square) = between.last() {
                hand.put(*square, code(role.of(by)));
                hand.wait((1500, 3000));
                hand.lift(*square);
            } else {
                hand.wait((1500, 3000));
            }
            hand.carry();
            hand.put(to, code(role.of(by)));
            true
        }
        Move::Normal { role, from, to, capture: None, promotion: None } if incidents.contains(&IncidentKind::ChangedMind) => {
            hand.lift(from);
            hand.carry();
            if let Some(other) = hand.other_square(position, role.of(by), from, to) {
                hand.put(other, code(role.of(by)));
                hand.wait((1200, 3500));
                hand.lift(other);
                hand.carry();
            }
            hand.put(to, code(role.of(by)));
            true
        }
        _ => false,
    }
}

impl Players<'_> {
    /// What an incident does while the player still thinks.
    pub(super) fn before_the_move(&mut self, incidents: &[IncidentKind], ply: u32, by: Color) {
        self.put_right(ply);
        for incident in incidents {
            match incident {
                IncidentKind::Unplug => {
                    let at = self.turn_since + 100;
                    self.act(at, Act::Unplug);
                    self.replug_after = Some(ply + 1);
                }
                IncidentKind::Adjust => {
                    for _ in 0..3 {
                        let at = self.turn_since + self.some((400, 1200));
                        self.turn_since = self.adjust_before(by, at);
                    }
                }
                IncidentKind::KnockOver => self.knock_over(),
                IncidentKind::MissingPiece => self.missing_piece(by),
                IncidentKind::PressWithoutMove => {
                    let at = self.turn_since + self.some((800, 2000));
                    self.act(at, Act::Press { by: colour(by), ply: None });
                    self.pressed_back(by, at);
                }
                IncidentKind::Illegal => self.illegal_move(ply, by),
                IncidentKind::Exchange => self.exchange(ply, by),
                IncidentKind::OpponentsPiece => self.opponents_piece(ply, by),
                IncidentKind::StiffLever => self.stiff[usize::from(by.is_black())] = true,
                IncidentKind::UnpressedFive => self.unpressed_until = ply + 9,
                other => {
                    // What is set before the game is wrong before it begins.
                    if let Some(fault) = other.clock_fault() {
                        let before = ply == 1 || *other == IncidentKind::BaseWrong;
                        let at = if before { self.clock_started - 300 } else { self.turn_since + 15 };
                        self.act(at, Act::FailClock(fault, colour(by)));
                    }
                }
            }
        }
    }

    /// The lever springs back; the player notices, and presses again.
    pub(super) fn press_again(&mut self, by: Color, at: u64) -> u64 {
        let back = at + self.some((150, 500));
        self.act(back, Act::Press { by: colour(by.other()), ply: None });
        let again = back + self.some((400, 1500));
        self.act(again, Act::Press { by: colour(by), ply: None });
        again
    }

    /// The cable comes back.
    pub(super) fn after_the_move(&mut self, ply: u32) {
        if self.replug_after.is_some_and(|after| ply >= after) {
            self.replug_after = None;
            let at = self.turn_since + 300;
            self.act(at, Act::Replug);
            self.turn_since = at;
        }
    }

    /// Lifts and puts back an own piece from `at` on; returns when the hand is free.
    pub(super) fn adjust_before(&mut self, by: Color, at: u64) -> u64 {
        let mut board = squares_of(self.position.board());
        self.without_disturbed(&mut board);
        let mut hand = Gesture::new(&mut self.rng, self.pace);
        hand.adjust(&board, by);
        hand.reach();
        let (acts, length) = (std::mem::take(&mut hand.acts), hand.now);
        for (offset, act) in acts {
            self.act(at + offset, act);
        }
        at + length
    }

    /// The opponent presses his side down after `at`, so that the player's time runs again.
    fn pressed_back(&mut self, by: Color, at: u64) {
        let at = at + self.some((1500, 4000));
        self.act(at, Act::Press { by: colour(by.other()), ply: None });
        self.turn_since = at;
    }

    /// Pieces around a square fall; some roll to other squares; all are put back.
    fn knock_over(&mut self) {
        let board = squares_of(self.position.board());
        let standing: Vec<Square> = Square::ALL.into_iter().filter(|s| board[s.to_usize()] != PieceCode::Empty).collect();
        let centre = standing[self.rng.random_range(0..standing.len())];
        let mut fallen: Vec<Square> = standing.iter().copied().filter(|s| s.distance(centre) <= 1).collect();
        if fallen.len() < 3 {
            fallen = standing.clone();
            fallen.sort_by_key(|s| s.distance(centre));
            fallen.truncate(3);
        }
        fallen.truncate(6);
        let mut free: Vec<Square> =
            Square::ALL.into_iter().filter(|s| board[s.to_usize()] == PieceCode::Empty && s.distance(centre) <= 2).collect();
        let mut at = self.turn_since + self.some((500, 1500));
        let mut rolled = Vec::new();
        for square in &fallen {
            self.act(at, Act::Lift(*square));
            if self.chance(0.35)
                && let Some(to) = free.pop()
            {
                self.act(at + 30, Act::Put(to, board[square.to_usize()]));
                rolled.push(to);
            }
            at += self.some((10, 90));
        }
        at += self.some((1000, 3000));
        for square in rolled {
            self.act(at, Act::Lift(square));
            at += self.some((200, 500));
        }
        for square in fallen {
            self.act(at, Act::Put(square, board[square.to_usize()]));
            at += self.some((400, 900));
        }
        self.turn_since = at;
    }

    /// An own piece is taken off, looked at for a long think, and put back.
    fn missing_piece(&mut self, by: Color) {
        let board = squares_of(self.position.board());
        let own: Vec<Square> = Square::ALL.into_iter().filter(|s| is_colour(board[s.to_usize()], by)).collect();
        let square = own[self.rng.random_range(0..own.len())];
        let mut at = self.turn_since + self.some((300, 900));
        self.act(at, Act::Lift(square));
        at += self.some((8000, 20_000));
        self.act(at, Act::Put(square, board[square.to_usize()]));
        self.turn_since = at + 400;
    }

    /// An illegal move is made and pressed, pressed back and taken back.
    fn illegal_move(&mut self, ply: u32, by: Color) {
        let board = squares_of(self.position.board());
        let legal = self.position.legal_moves();
        let own: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|s| is_colour(board[s.to_usize()], by) && self.position.board().role_at(*s) != Some(Role::King))
            .collect();
        let mut choices = Vec::new();
        for from in own {
            let pawn = self.position.board().role_at(from) == Some(Role::Pawn);
            for to in Square::ALL {
                let empty = board[to.to_usize()] == PieceCode::Empty;
                let allowed = legal.iter().any(|m| m.from() == Some(from) && m.to() == to);
                let last_rank = pawn && matches!(to.rank().to_u32(), 0 | 7);
                if empty && !allowed && !last_rank && to.distance(from) <= 3 {
                    choices.push((from, to));
                }
            }
        }
        if choices.is_empty() {
            return;
        }
        let (from, to) = choices[self.rng.random_range(0..choices.len())];
        self.moved_and_taken_back(ply, by, from, to);
    }

    /// A piece goes where it may not, and is pressed; the opponent presses back and it is taken back.
    pub(super) fn moved_and_taken_back(&mut self, ply: u32, by: Color, from: Square, to: Square) {
        let piece = squares_of(self.position.board())[from.to_usize()];
        let mut at = self.turn_since + self.some((1500, 4000));
        self.act(at, Act::Lift(from));
        at += self.some((300, 700));
        self.act(at, Act::Put(to, piece));
        let down = at;
        at += self.some((300, 600));
        self.pressed_illegally(ply, by, (from, to), down, at);
        let mut at = self.turn_since + self.some((800, 2000));
        self.act(at, Act::Lift(to));
        at += self.some((300, 700));
        self.act(at, Act::Put(from, piece));
        self.turn_since = at + 300;
    }

    /// A press at `at` completes what cannot stand, its last piece down at `down`; the opponent presses back.
    fn pressed_illegally(&mut self, ply: u32, by: Color, (from, to): (Square, Square), down: u64, at: u64) {
        self.act(at, Act::Press { by: colour(by), ply: Some(ply) });
        self.truth.plies.push(PlyTruth {
            ply,
            by: colour(by),
            uci: UciMove::Normal { from, to, promotion: None }.to_string(),
            san: String::new(),
            legal: false,
            last_down: down,
            press: Some(at),
            clock: None,
            how: None,
        });
        self.pressed_back(by, at);
    }

    /// Whether this promotion was made without replacing the pawn.
    pub(super) const fn pawn_left_now(&self, m: Move) -> bool {
        self.pawn_left && m.is_promotion()
    }

    /// The pawn is pressed as it stands, pressed back and replaced; returns when the new piece stands.
    pub(super) fn pawn_left_standing(&mut self, ply: u32, by: Color, m: Move, down: u64) -> u64 {
        let (Move::Normal { from, to, promotion: Some(role), .. }, true) = (m, self.pawn_left) else { return down };
        self.pawn_left = false;
        let at = down + self.some((300, 600));
        self.pressed_illegally(ply, by, (from, to), down, at);
        let mut at = self.turn_since + self.some((800, 2000));
        self.act(at, Act::Lift(to));
        at += self.some((300, 700));
        self.act(at, Act::Put(to, code(role.of(by))));
        at
    }
}
