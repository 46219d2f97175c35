//! What hands do after the last move: the result with the kings, analysis, and setting up the next game.
use super::gesture::Gesture;
use super::hands::Players;
use super::incident::IncidentKind;
use super::pace::Kind;
use super::script::{Act, Squares, code, squares_of};
use crate::game::event::GameResult;
use dgt_protocol::square::PieceCode;
use rand::Rng as _;
use shakmaty::{Color, Position as _, Square};

impl Players<'_> {
    /// All that was asked for after the last move; returns when the last of it is done.
    pub(super) fn after_the_end(&mut self, from: u64) -> u64 {
        let asked: Vec<IncidentKind> = self.hands.incidents.iter().map(|i| i.kind).filter(|kind| kind.ends_the_game()).collect();
        let start = squares_of(self.game.start.board());
        let mut pieces = squares_of(self.position.board());
        let mut at = from;
        if asked.contains(&IncidentKind::OneKing) {
            at = self.one_king(at, &pieces);
        }
        if asked.contains(&IncidentKind::KingsInSetUp) {
            // Half of the pieces are back when the kings come to the centre.
            let mut half = start;
            half[32..].copy_from_slice(&pieces[32..]);
            for square in Square::ALL {
                if matches!(half[square.to_usize()], PieceCode::WhiteKing | PieceCode::BlackKing) {
                    half[square.to_usize()] = PieceCode::Empty;
                }
            }
            for by in [Color::White, Color::Black] {
                if let Some(king) = self.position.board().king_of(by) {
                    half[king.to_usize()] = code(by.king());
                }
            }
            at = self.arrange(at, &pieces, &half);
            (pieces, at) = self.show_kings(at + 500, &half);
        } else if asked.contains(&IncidentKind::Kings) || self.hands.show_result {
            (pieces, at) = self.show_kings(at, &pieces);
        }
        if asked.contains(&IncidentKind::Analysis) {
            if self.truth.kings_shown {
                let board = squares_of(self.position.board());
                at = self.arrange(at + 2000, &pieces, &board);
            }
            at = self.analyse(at + 2000);
            pieces = squares_of(self.position.board());
        }
        if asked.contains(&IncidentKind::SetUp) || asked.contains(&IncidentKind::KingsInSetUp) {
            at = self.arrange(at + 3000, &pieces, &start) + 500;
        }
        at
    }

    /// Both kings go to the centre squares that tell the result; returns what stands then, and when.
    fn show_kings(&mut self, from: u64, before: &Squares) -> (Squares, u64) {
        let mut pieces = *before;
        let (white, black) = match self.truth.result {
            GameResult::WhiteWins => (Square::E4, Square::D5),
            GameResult::BlackWins => (Square::D4, Square::E5),
            GameResult::Draw => (Square::E4, Square::E5),
            GameResult::Open => return (pieces, from),
        };
        let mut at = from;
        for (by, target) in [(Color::White, white), (Color::Black, black)] {
            let king = code(by.king());
            if pieces[target.to_usize()] == king {
                continue;
            }
            if let Some(from) = Square::ALL.into_iter().find(|s| pieces[s.to_usize()] == king) {
                self.act(at, Act::Lift(from));
                pieces[from.to_usize()] = PieceCode::Empty;
            }
            at += self.some((200, 600));
            if pieces[target.to_usize()] != PieceCode::Empty {
                self.act(at, Act::Lift(target));
                at += self.some((200, 500));
            }
            self.act(at, Act::Put(target, king));
            pieces[target.to_usize()] = king;
            at += self.some((100, 700));
        }
        self.truth.kings_shown = true;
        (pieces, at)
    }

    /// The white king goes to a free centre square and comes back.
    fn one_king(&mut self, from: u64, pieces: &Squares) -> u64 {
        let free = [Square::E4, Square::D5, Square::D4, Square::E5].into_iter().find(|s| pieces[s.to_usize()] == PieceCode::Empty);
        let (Some(king), Some(centre)) = (self.position.board().king_of(Color::White), free) else { return from };
        let piece = code(Color::White.king());
        let mut at = from;
        for (from, to) in [(king, centre), (centre, king)] {
            self.act(at, Act::Lift(from));
            at += self.some((300, 700));
            self.act(at, Act::Put(to, piece));
            at += self.some((1500, 3000));
        }
        at
    }

    /// Some moves are tried out, nobody presses.
    fn analyse(&mut self, from: u64) -> u64 {
        let mut at = from;
        let mut position = self.position.clone();
        for _ in 0..self.rng.random_range(3..8) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[self.rng.random_range(0..moves.len())];
            let mut hand = Gesture::new(&mut self.rng, Kind::Human.pace());
            hand.play(&position, m);
            let (acts, length) = (std::mem::take(&mut hand.acts), hand.now);
            for (offset, act) in acts {
                self.act(at + offset, act);
            }
            position.play_unchecked(m);
            at += length + self.some((400, 2500));
        }
        self.position = position;
        at
    }

    /// The clock is set back, the pieces are set up; returns when all is ready.
    pub(super) fn next_game(&mut self, before: &Squares, start: &Squares) -> u64 {
        let at = self.some((2000, 4000));
        self.act(at, Act::ResetClock);
        self.arrange(at, before, start) + 1000
    }

    /// Takes away what stands wrong and puts down what is missing, piece by piece.
    fn arrange(&mut self, from: u64, before: &Squares, wanted: &Squares) -> u64 {
        let mut at = from;
        let wrong = || Square::ALL.into_iter().filter(|s| before[s.to_usize()] != wanted[s.to_usize()]);
        for square in wrong().filter(|s| before[s.to_usize()] != PieceCode::Empty) {
            at += self.some((60, 200));
            self.act(at, Act::Lift(square));
        }
        for square in wrong().filter(|s| wanted[s.to_usize()] != PieceCode::Empty) {
            at += self.some((120, 350));
            self.act(at, Act::Put(square, wanted[square.to_usize()]));
        }
        at
    }
}
