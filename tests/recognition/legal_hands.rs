//! Random legal games, played by hands that do each move in any order physics allows.
use super::rig::{Black, Hand, White};
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Piece, Position, Rank, Role, Square};

/// The usual start, and positions in which castling, en passant and promotions come up all the time (from the common perft suite).
const STARTS: [&str; 5] = [
    super::rig::START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
];

/// One thing a hand does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Lift(Square),
    /// A piece that stands there is replaced.
    Put(Square, Piece),
}

/// How one ply is chosen and made.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Which of the legal moves.
    mv: u16,
    /// Which order of touches.
    order: u16,
    /// Before each touch, milliseconds.
    gaps: [u64; 5],
    /// From the last touch to the press.
    press: u64,
}

/// A game to be played.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    start: usize,
    choices: Vec<Choice>,
}

/// Plans with at least `gap` milliseconds between the touches of one hand; up to `plies` plies.
pub(crate) fn plan(plies: usize, gap: u64) -> impl Strategy<Value = Plan> {
    plan_with_pauses(plies, gap, 5)
}

/// The same with at least `pause` milliseconds between a press (or the last touch, where there is no clock) and the next ply.
pub(crate) fn plan_with_pauses(plies: usize, gap: u64, pause: u64) -> impl Strategy<Value = Plan> {
    let touch = move || prop_oneof![gap..gap + 200, gap..2500_u64];
    let first = prop_oneof![pause..pause + 200, pause..3000_u64];
    let press = prop_oneof![5..400_u64, 5..4000_u64];
    let choice =
        (any::<u16>(), any::<u16>(), first, [touch(), touch(), touch(), touch()], press).prop_map(|(mv, order, first, rest, press)| {
            let gaps = [first, rest[0], rest[1], rest[2], rest[3]];
            Choice { mv, order, gaps, press }
        });
    (0..STARTS.len(), prop::collection::vec(choice, 1..=plies)).prop_map(|(start, choices)| Plan { start, choices })
}

/// Every order of touches that makes this move and that physics allows.
pub(crate) fn orders(position: &Chess, mv: Move) -> Vec<Vec<Touch>> {
    use Touch::{Lift, Put};
    let us = position.turn();
    let piece = |role: Role| Piece { color: us, role };
    match mv {
        Move::Normal { role, from, to, capture, promotion } => {
            let arrivals: Vec<Vec<Touch>> = match promotion {
                None => vec![vec![Put(to, piece(role))]],
                Some(new) => vec![
                    vec![Put(to, piece(new))],
                    vec![Put(to, piece(Role::Pawn)), Lift(to), Put(to, piece(new))],
                    vec![Put(to, piece(Role::Pawn)), Put(to, piece(new))],
                ],
            };
            let departures = if capture.is_some() {
                vec![vec![Lift(to), Lift(from)], vec![Lift(from), Lift(to)], vec![Lift(from)]]
            } else {
                vec![vec![Lift(from)]]
            };
            let mut all: Vec<Vec<Touch>> =
                departures.iter().flat_map(|d| arrivals.iter().map(move |a| d.iter().chain(a).copied().collect())).collect();
            if let (Some(new), None) = (promotion, capture) {
                all.push(vec![Put(to, piece(new)), Lift(from)]);
            }
            all
        }
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            let put = Put(to, piece(Role::Pawn));
            vec![vec![Lift(from), put, Lift(taken)], vec![Lift(from), Lift(taken), put], vec![Lift(taken), Lift(from), put]]
        }
        Move::Castle { king, rook } => {
            let (short, rank) = (rook > king, if us.is_white() { Rank::First } else { Rank::Eighth });
            let to = |file| Square::from_coords(file, rank);
            let king_to = to(if short { shakmaty::File::G } else { shakmaty::File::C });
            let rook_to = to(if short { shakmaty::File::F } else { shakmaty::File::D });
            let (lk, pk, lr, pr) = (Lift(king), Put(king_to, piece(Role::King)), Lift(rook), Put(rook_to, piece(Role::Rook)));
            vec![
                vec![lk, pk, lr, pr],
                vec![lr, pr, lk, pk],
                vec![lk, lr, pk, pr],
                vec![lk, lr, pr, pk],
                vec![lr, lk, pr, pk],
                vec![lr, lk, pk, pr],
            ]
        }
        Move::Put { .. } => unreachable!("not in chess"),
    }
}

/// A plan carried out.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) hand: Hand,
    /// What was played, as UCI.
    pub(crate) moves: String,
}

/// What may go on while a ply is made; the plain way to press is after it.
pub(crate) trait Manner {
    /// Called before each touch.
    fn before_touch(&mut self, _hand: &mut Hand, _ply: usize) {}
    /// Whether the reply's first touch comes before the press.
    fn reply_first(&mut self, _ply: usize) -> bool {
        false
    }
    /// Whether that touch may be of the very piece that just moved, captured before its player pressed.
    fn takes_before_the_press(&self) -> bool {
        false
    }
}

/// Nothing special.
pub(crate) struct Plain;
impl Manner for Plain {}

/// Plays a plan: every move is pressed, but one that ends the game.
pub(crate) fn play(plan: &Plan, manner: &mut impl Manner) -> Played {
    play_on(plan, manner, Hand::new)
}

/// Plays a plan without a clock.
pub(crate) fn play_without_clock(plan: &Plan) -> Played {
    play_on(plan, &mut Plain, Hand::without_clock)
}

fn play_on(plan: &Plan, manner: &mut impl Manner, table: impl Fn(&str) -> Hand) -> Played {
    let fen = STARTS[plan.start];
    let mut position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let mut hand = table(fen);
    let mut moves = Vec::new();
    let mut seen = vec![identity(&position)];
    // A press that is still owed when the reply's first touch came before it.
    let mut owed = None;
    for (ply, choice) in plan.choices.iter().enumerate() {
        let legal = position.legal_moves();
        let mv = legal[usize::from(choice.mv) % legal.len()];
        let orders = orders(&position, mv);
        let touches = &orders[usize::from(choice.order) % orders.len()];
        if let Some((by, after, to)) = owed
            && touches[0] == Touch::Lift(to)
            && !manner.takes_before_the_press()
        {
            hand.pace(after).press(by);
            owed = None;
        }
        for (touch, gap) in touches.iter().zip(choice.gaps) {
            hand.pace(gap);
            manner.before_touch(&mut hand, ply);
            match *touch {
                Touch::Lift(square) => hand.lift(&square.to_string()),
                Touch::Put(square, piece) => hand.put(&square.to_string(), piece.char()),
            };
            if let Some((by, after, _)) = owed.take() {
                hand.pace(after).press(by);
            }
        }
        let by = if position.turn().is_white() { White } else { Black };
        moves.push(mv.to_uci(CastlingMode::Standard).to_string());
        position.play_unchecked(mv);
        seen.push(identity(&position));
        let fivefold = seen.iter().filter(|s| *s == seen.last().unwrap()).count() >= 5;
        if position.is_game_over() || fivefold || position.halfmoves() >= 150 {
            break;
        }
        if ply + 1 < plan.choices.len() && manner.reply_first(ply) {
            owed = Some((by, choice.press.min(600), mv.to()));
        } else if hand.has_clock() {
            hand.pace(choice.press).press(by);
        } else {
            hand.wait(choice.press);
        }
    }
    Played { hand, moves: moves.join(" ") }
}

fn identity(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.rsplitn(3, ' ').nth(2).unwrap().to_owned()
}
