//! Two players while they play: what they know, have done and still have to do. What they do stands above.
use super::games::PgnGame;
use super::habits::Ended;
use super::hands::Hands;
use super::incident::When;
use super::pace::Pace;
use super::script::{Act, Squares, TimedAct, Truth, squares_of};
use dgt_protocol::square::PieceCode;
use flagfall_events::BonusKind;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position as _, Square};

/// Pieces that stand wrong, until this ply.
#[derive(Clone, Debug)]
pub(super) struct Disturbed {
    pub(super) until: u32,
    /// Squares, and what should stand there.
    pub(super) squares: Vec<(Square, PieceCode)>,
}

/// The two of them.
pub(super) struct Players<'a> {
    pub(super) hands: &'a Hands,
    pub(super) game: &'a PgnGame,
    pub(super) moves: &'a [Move],
    pub(super) rng: ChaCha8Rng,
    pub(super) pace: Pace,
    pub(super) position: Chess,
    pub(super) steps: Vec<TimedAct>,
    pub(super) truth: Truth,
    pub(super) before: Squares,
    /// When the last ply was pressed, or stood where nobody presses.
    pub(super) turn_since: u64,
    /// When the last piece of the last ply was put down.
    pub(super) stood_since: u64,
    /// What each player may still think, milliseconds: White, Black.
    pub(super) budget: [i64; 2],
    /// Bits of incidents that wait for a later ply.
    pub(super) rook_first: bool,
    pub(super) pawn_left: bool,
    pub(super) rook_is_late: bool,
    /// Pieces that stand wrong for a while.
    pub(super) disturbed: Option<Disturbed>,
    pub(super) replug_after: Option<u32>,
    /// When the clock is started.
    pub(super) clock_started: u64,
    /// Whose presses spring back: White's, Black's.
    pub(super) stiff: [bool; 2],
    /// Nobody presses up to this ply.
    pub(super) unpressed_until: u32,
}

impl<'a> Players<'a> {
    /// Before anything is done.
    pub(super) fn new(hands: &'a Hands, game: &'a PgnGame) -> Self {
        let ends_at = hands.incidents.iter().filter_map(|i| match i.when {
            When::Ply(ply) if i.kind.ends_the_game() => Some(ply as usize),
            _ => None,
        });
        let moves = &game.moves[..ends_at.min().unwrap_or(usize::MAX).min(game.moves.len())];
        let start = squares_of(game.start.board());
        let first = hands.control.periods()[0];
        let granted = if first.kind == BonusKind::Fischer { first.bonus_s } else { 0 };
        let budget = [i64::from(first.base_s + granted) * 1000; 2];
        Self {
            hands,
            game,
            moves,
            rng: ChaCha8Rng::seed_from_u64(hands.seed),
            pace: hands.kind.pace().with_noise(hands.noise),
            position: game.start.clone(),
            steps: Vec::with_capacity(moves.len() * 5),
            truth: Truth {
                plies: Vec::with_capacity(moves.len()),
                result: game.result,
                kings_shown: false,
                ended: Ended::Stopped,
                around: Vec::new(),
                incidents: hands.incidents.clone(),
                began: 0,
                over: 0,
                people: None,
                deeds: Vec::new(),
            },
            before: hands.set_up_from.unwrap_or(start),
            turn_since: 0,
            stood_since: 0,
            budget,
            rook_first: false,
            pawn_left: false,
            rook_is_late: false,
            disturbed: None,
            replug_after: None,
            clock_started: 0,
            stiff: [false; 2],
            unpressed_until: 0,
        }
    }

    pub(super) fn act(&mut self, at: u64, act: Act) {
        self.steps.push(TimedAct { at, act });
    }

    /// Some milliseconds of this range.
    pub(super) fn some(&mut self, range: (u64, u64)) -> u64 {
        self.rng.random_range(range.0..=range.1)
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.rng.random_bool(probability)
    }
}
