//! A game played by two of many people, ply for ply: who thinks, moves and presses when.
use super::deeds::{Begun, Deed, How, Pressed, Touch, What};
use super::gesture::{Gesture, Note, castled};
use super::people::Tempo;
use super::person::{Person, some_of};
use super::players::Players;
use super::script::{Act, PlyTruth, colour};
use dgt_protocol::square::PieceCode;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Move, Position as _, Square, attacks, san::SanPlus};

/// A piece is in the air at most so long before the opponent's stands, milliseconds.
const OVERLAP: u64 = 250;

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
        let [slid, rested, revised, glimpsed] = [Note::Slid, Note::Rested, Note::Revised, Note::Glimpsed].map(|note| hand.stays(note));
        let stays = [&slid, &rested, &revised, &glimpsed].into_iter().flatten();
        let busy = stays.fold(Bitboard::EMPTY, |all, stay| all.with(stay.square));
        let (acts, held) = (std::mem::take(&mut hand.acts), hand.held);
        hand.now = 0;
        hand.wait(figures.press);
        let mut delay = hand.now;
        let length = acts.iter().map(|act| act.0).max().unwrap_or(0);
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
        let touches: Vec<Touch> = (acts.iter())
            .filter_map(|(at, act)| match *act {
                Act::Lift(square) => Some(Touch { at: *at, square, piece: PieceCode::Empty }),
                Act::Put(square, piece) => Some(Touch { at: *at, square, piece }),
                _ => None,
            })
            .collect();
        let own = |touch: &&Touch| touch.piece == PieceCode::Empty && leaves(m, touch.square);
        let lifted = touches.iter().find(own).map_or(0, |touch| touch.at);
        let down = touched + length;
        let mut how = How {
            touches,
            lifted,
            dropped: length,
            slid,
            rested,
            revised,
            glimpsed,
            held,
            taken: manner.taken,
            passed: manner.passed,
            castled: manner.castled,
            promoted: manner.promoted,
            begun,
            pressed: if late { Pressed::Late } else { Pressed::Usual },
        };
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
        if let Some(left) = manner.left {
            let deed = Deed {
                what: left.what,
                by: Some(colour(by)),
                ply,
                square: left.square,
                to: Some(left.to),
                at: touched + left.at,
                until: 0,
            };
            let tidied = down + some_of(&mut self.rng, tempo.usual().tidy, person.hand);
            self.leave(crowd, deed, Bitboard::from(left.to), vec![(tidied, Act::Lift(left.to))]);
        }
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
        self.besides(crowd, index, &before, (down, until), busy | adjusted);
        self.spend(by, until);
        self.stood_since = down;
        self.turn_since = until.max(down).max(self.turn_since);
    }

    /// When the player to move has pressed his last move, or made it where nobody presses.
    fn hand_free(&self) -> u64 {
        let before = self.truth.plies.len().checked_sub(2).map(|index| &self.truth.plies[index]);
        before.map_or(0, |ply| ply.press.unwrap_or(0).max(ply.last_down))
    }

    /// When the player touches the first piece of his move; `busy` is what his hand needs from there to the press.
    fn person_touches(&mut self, person: &Person, tempo: Tempo, index: usize, busy: u64) -> (Begun, u64) {
        let free = self.hand_free().max(self.stood_since) + 20;
        if index > 0 && self.turn_since > free + 20 && self.chance(person.before_press) {
            return (Begun::BeforeThePress, self.rng.random_range(free..self.turn_since));
        }
        if self.chance(person.at_once) {
            return (Begun::AtOnce, self.turn_since + self.some((20, 180)));
        }
        let whole = person.move_time(tempo, &mut self.rng).min(self.left() / 6);
        let whole = (whole as f64 / self.hands.speed.max(0.001)) as u64;
        let reaction = self.some((100, 250));
        (Begun::Thought, self.turn_since + whole.saturating_sub(busy).max(reaction))
    }

    /// Now and then his piece is in the air before the opponent's stands.
    fn overlap(&mut self, crowd: &Crowd, person: &Person, m: Move, how: &mut How) {
        let free = m.from().filter(|from| !crowd.reserved().contains(*from));
        let first = how.touches.first_mut().filter(|touch| free == Some(touch.square) && touch.piece == PieceCode::Empty);
        let Some(first) = first.filter(|_| how.begun == Begun::BeforeThePress) else { return };
        let opponents = self.truth.plies.last().and_then(|ply| ply.how.as_ref()).map_or(u64::MAX, |before| before.lifted);
        let begun = self.hand_free().max(opponents).saturating_add(10);
        if self.rng.random_bool(person.overlaps) && begun < self.stood_since {
            first.at = self.stood_since.saturating_sub(self.rng.random_range(10..OVERLAP)).max(begun);
            (how.lifted, how.begun) = (first.at, Begun::BeforeTheMove);
        }
    }

    /// When he presses; in the same moment as the opponent, if he does that and can.
    fn person_presses(&mut self, person: &Person, how: &mut How, down: u64, delay: u64) -> u64 {
        if matches!(how.begun, Begun::BeforeThePress | Begun::BeforeTheMove) && down < self.turn_since && self.chance(person.together) {
            how.pressed = Pressed::Together;
            return self.turn_since + self.some((0, 30));
        }
        (down + delay).max(self.turn_since + 40)
    }

    /// What a player lifts and puts back before his move; returns when the move can begin, and the squares.
    fn before_touching(&mut self, crowd: &Crowd, person: &Person, ply: u32, m: Move, begun: Begun, touched: u64) -> (u64, Bitboard) {
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
            let Some(piece) = self.position.board().piece_at(square).map(super::script::code) else { continue };
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

/// Whether a move takes its piece from this square.
pub(super) fn leaves(m: Move, square: Square) -> bool {
    match m {
        Move::Castle { king, rook } => square == king || square == rook,
        _ => m.from() == Some(square),
    }
}
