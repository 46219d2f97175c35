//! A game played by two of many people, ply for ply.
use super::deeds::{Begun, Deed, Pressed};
use super::gesture::{Gesture, castled};
use super::manner::Left;
use super::people::Tempo;
use super::person::{Person, some_of};
use super::players::Players;
use super::script::{Act, PlyTruth, colour};
use dgt_protocol::square::PieceCode;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Move, Position as _, Square, attacks, san::SanPlus};

/// A piece is in the air at most so long before the opponent's stands, milliseconds.
pub(super) const OVERLAP: u64 = 250;

/// What will be put right later.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Squares that are not as the position says.
    pub(super) squares: Bitboard,
    /// What is done, and when.
    pub(super) acts: Vec<(u64, Act)>,
    /// Which deed ends with it.
    pub(super) deed: usize,
}

/// The two of them, and what they have left undone.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    pub(super) tempo: Tempo,
    pub(super) people: [Person; 2],
    pub(super) pending: Vec<Pending>,
    /// Pieces that stand badly lose their square so many times a minute.
    pub(super) loose_a_minute: f64,
    /// One of them.
    pub(super) loose: Option<Square>,
}

impl Crowd {
    /// Whoever plays the game with this seed.
    pub(super) fn new(tempo: Tempo, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x00C2_0D00);
        let people = [Person::draw(tempo, &mut rng), Person::draw(tempo, &mut rng)];
        // Two boards in five have such pieces; quick hands shake the table.
        let [seldom, often] = tempo.usual().loose;
        let loose_a_minute = if rng.random_bool(0.4) { seldom * (often / seldom).powf(rng.random()) } else { 0.0 };
        Self { tempo, people, pending: Vec::new(), loose_a_minute, loose: None }
    }

    /// Squares that are not as the position says, or will not be for a while.
    pub(super) fn reserved(&self) -> Bitboard {
        self.pending.iter().fold(Bitboard::EMPTY, |all, pending| all | pending.squares)
    }
}

/// Squares that this move leaves, crosses or reaches.
pub(super) fn squares_of_move(m: Move) -> Bitboard {
    match m {
        Move::Normal { from, to, .. } => attacks::between(from, to).with(from).with(to),
        Move::EnPassant { from, to } => Bitboard::from(from).with(to).with(Square::from_coords(to.file(), from.rank())),
        Move::Castle { king, rook } => {
            let (king_to, rook_to) = castled(king, rook);
            attacks::between(king, rook).with(king).with(rook).with(king_to).with(rook_to)
        }
        Move::Put { to, .. } => Bitboard::from(to),
    }
}

impl Players<'_> {
    /// The squares of the next plies from this index on.
    pub(super) fn squares_ahead(&self, index: usize, plies: usize) -> Bitboard {
        self.moves.iter().skip(index).take(plies).fold(Bitboard::EMPTY, |all, m| all | squares_of_move(*m))
    }

    pub(super) fn person_ply(&mut self, crowd: &mut Crowd, index: usize) {
        let m = self.moves[index];
        let by = self.position.turn();
        let ply = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let (tempo, mut person) = (crowd.tempo, crowd.people[usize::from(by.is_black())].clone());
        if self.budget[usize::from(by.is_black())] < tempo.usual().hurry {
            person = person.hurried();
        }
        self.retire(crowd, self.turn_since.min(self.stood_since).saturating_sub(OVERLAP));

        let figures = person.figures(tempo);
        let occupied = self.position.board().occupied();
        let avoid = occupied | crowd.reserved();
        let free = !(avoid | self.squares_ahead(index, 3));
        let mut hand = Gesture::new(&mut self.rng, figures);
        hand.avoid = avoid;
        let manner = hand.play_as(&person, &self.position, m, free);
        let (mut how, left) = hand.told(manner, m);
        let length = how.dropped;
        hand.now = 0;
        hand.wait(figures.press);
        let mut delay = hand.now;
        let late = self.chance(person.late);
        if late {
            delay += some_of(&mut self.rng, tempo.usual().late, 1.0);
        }

        let (begun, touched) = self.person_touches(&person, tempo, index, length + delay);
        let (touched, adjusted) = self.before_touching(crowd, &person, ply, m, begun, touched);
        // A captured queen that still lies on the board is the one that a pawn becomes.
        let needed = if m.is_promotion() { crowd.reserved() } else { Bitboard::EMPTY };
        let touched = self.make_room(crowd, needed | squares_of_move(m), touched);
        let begun = if begun == Begun::BeforeThePress && touched >= self.turn_since { Begun::AtOnce } else { begun };
        let down = touched + length;
        how.begun = begun;
        how.pressed = if late { Pressed::Late } else { Pressed::Usual };
        how.later(touched);
        self.overlap(crowd, &person, m, &mut how);

        for touch in &how.touches {
            let lifted = touch.piece == PieceCode::Empty;
            self.act(touch.at, if lifted { Act::Lift(touch.square) } else { Act::Put(touch.square, touch.piece) });
        }

        let mut after = self.position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, m).to_string();
        let over = after.is_game_over();
        let before = std::mem::replace(&mut self.position, after);
        if let Some(Left { what, square, to, at }) = left {
            let deed = Deed { what, by: Some(colour(by)), ply, square, to: Some(to), at: touched + at, until: 0 };
            let tidied = down + some_of(&mut self.rng, tempo.usual().tidy, person.hand);
            self.leave(crowd, deed, Bitboard::from(to), vec![(tidied, Act::Lift(to))]);
        }
        let busy = how.stays().fold(adjusted, |all, stay| all.with(stay.square));
        let last = index + 1 == self.moves.len();
        let unpressed = if over { person.unpressed_mate } else { person.unpressed_last };
        let pressed = (!(last && self.chance(unpressed))).then(|| self.person_presses(&person, &mut how, down, delay));
        if let Some(at) = pressed {
            self.act(at, Act::Press { by: colour(by), ply: Some(ply) });
        } else {
            how.pressed = Pressed::Not;
        }
        self.truth.plies.push(PlyTruth {
            ply,
            by: colour(by),
            uci: m.to_uci(self.game.mode).to_string(),
            san,
            legal: true,
            last_down: down,
            press: pressed,
            clock: None,
            how: Some(how),
        });
        let until = pressed.unwrap_or(down);
        self.besides(crowd, index, &before, (down, until), busy);
        self.spend(by, until);
        self.stood_since = down;
        self.turn_since = until.max(down).max(self.turn_since);
    }
}
