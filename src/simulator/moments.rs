//! When many people think, move and press; and what they lift and put back before they move.
use super::crowd::{Crowd, OVERLAP};
use super::deeds::{Begun, Deed, How, Pressed, What};
use super::manner::leaves;
use super::people::Tempo;
use super::person::{Person, some_of};
use super::players::Players;
use super::script::{Act, code, colour};
use dgt_protocol::square::PieceCode;
use rand::Rng as _;
use shakmaty::{Bitboard, Move, Position as _, Square};

/// The quickest way of a hand from the clock back to a piece, milliseconds.
const FROM_THE_CLOCK: u64 = 100;

impl Players<'_> {
    /// When the hand of the player to move can be back from his last press, or move where nobody presses.
    fn hand_free(&self) -> u64 {
        let before = self.truth.plies.len().checked_sub(2).map(|index| &self.truth.plies[index]);
        before.map_or(0, |ply| ply.press.unwrap_or(0).max(ply.last_down) + FROM_THE_CLOCK)
    }

    /// When the player touches the first piece of his move; `busy` is what his hand needs from there to the press.
    pub(super) fn person_touches(&mut self, person: &Person, tempo: Tempo, index: usize, busy: u64) -> (Begun, u64) {
        let free = self.hand_free().max(self.stood_since + 20);
        if index > 0 && self.turn_since > free + 20 && self.chance(person.before_press) {
            return (Begun::BeforeThePress, self.rng.random_range(free..self.turn_since));
        }
        if self.chance(person.at_once) {
            return (Begun::AtOnce, self.hand_free().max(self.turn_since + self.some((20, 180))));
        }
        let whole = person.move_time(tempo, &mut self.rng).min(self.left() / 6);
        let whole = (whole as f64 / self.hands.speed.max(0.001)) as u64;
        let reaction = self.some((100, 250));
        (Begun::Thought, self.hand_free().max(self.turn_since + whole.saturating_sub(busy).max(reaction)))
    }

    /// Now and then his piece is in the air before the opponent's stands.
    pub(super) fn overlap(&mut self, crowd: &Crowd, person: &Person, m: Move, how: &mut How) {
        let free = m.from().filter(|from| !crowd.reserved().contains(*from));
        let first = how.touches.first_mut().filter(|touch| free == Some(touch.square) && touch.piece == PieceCode::Empty);
        let Some(first) = first.filter(|_| how.begun == Begun::BeforeThePress) else { return };
        let opponents = self.truth.plies.last().and_then(|ply| ply.how.as_ref()).map_or(u64::MAX, |before| before.lifted);
        let begun = self.hand_free().max(opponents.saturating_add(10));
        if self.rng.random_bool(person.overlaps) && begun < self.stood_since {
            first.at = self.stood_since.saturating_sub(self.rng.random_range(10..OVERLAP)).max(begun);
            (how.lifted, how.begun) = (first.at, Begun::BeforeTheMove);
        }
    }

    /// When he presses; in the same moment as the opponent, if he does that and can.
    pub(super) fn person_presses(&mut self, person: &Person, how: &mut How, down: u64, delay: u64) -> u64 {
        if matches!(how.begun, Begun::BeforeThePress | Begun::BeforeTheMove) && down < self.turn_since && self.chance(person.together) {
            how.pressed = Pressed::Together;
            return self.turn_since + self.some((0, 30));
        }
        (down + delay).max(self.turn_since + 40)
    }

    /// What a player lifts and puts back before his move; returns when the move can begin, and the squares.
    pub(super) fn before_touching(
        &mut self,
        crowd: &Crowd,
        person: &Person,
        ply: u32,
        m: Move,
        begun: Begun,
        touched: u64,
    ) -> (u64, Bitboard) {
        let mut squares = Bitboard::EMPTY;
        if begun != Begun::Thought {
            return (touched, squares);
        }
        let by = self.position.turn();
        let mut free = self.turn_since + (touched - self.turn_since) / 3;
        let standing = self.position.board().by_color(by) & !crowd.reserved();
        let mut asked = Vec::new();
        if self.chance(person.adjusts) {
            let others: Vec<Square> = standing.into_iter().filter(|square| !leaves(m, *square)).collect();
            for _ in 0..self.rng.random_range(1..=3_usize).min(others.len()) {
                asked.push((What::Adjusted, others[self.rng.random_range(0..others.len())]));
            }
        }
        if self.chance(person.returns)
            && let Some(from) = m.from().filter(|from| standing.contains(*from))
        {
            asked.push((What::Returned, from));
        }
        for (what, square) in asked {
            let Some(piece) = self.position.board().piece_at(square).map(code) else { continue };
            let figures = person.figures(crowd.tempo);
            let at = free.max(self.turn_since + 20);
            let until = at + some_of(&mut self.rng, figures.adjusting, 1.0);
            self.act(at, Act::Lift(square));
            self.act(until, Act::Put(square, piece));
            self.truth.deeds.push(Deed { what, by: Some(colour(by)), ply, square, to: None, at, until });
            squares.add(square);
            free = until + some_of(&mut self.rng, figures.reach, 1.0);
        }
        (touched.max(if squares.is_empty() { 0 } else { free }), squares)
    }
}
