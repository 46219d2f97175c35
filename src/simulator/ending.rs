//! What hands do after the last move: the result with the kings, analysis, and setting up the next game.
use super::gesture::Gesture;
use super::habits::{Around, Ended};

use super::incident::IncidentKind;
use super::pace::Kind;
use super::players::Players;
use super::script::{Act, Squares, code, squares_of};
use dgt_protocol::square::PieceCode;
use flagfall_events::GameResult;
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
        } else if asked.contains(&IncidentKind::Kings) || self.truth.ended == Ended::Kings {
            (pieces, at) = self.show_kings(at, &pieces);
        }
        if let Some(held) = self.hands.habits.kings_ms.filter(|_| self.truth.kings_shown) {
            at += self.some(held);
            (pieces, at) = self.take_kings_back(at, &pieces);
        }
        // On a running clock nobody could tell it from play.
        let tries = if self.truth.ended == Ended::Left { 0.0 } else { self.hands.habits.analysis };
        if asked.contains(&IncidentKind::Analysis) || self.chance(tries) {
            if self.truth.kings_shown {
                let board = squares_of(self.position.board());
                at = self.arrange(at + 2000, &pieces, &board);
            }
            self.truth.around.push(Around::Analysis);
            let tried = self.rng.random_range(3..8);
            at = self.analyse(at + 2000, tried);
            pieces = squares_of(self.position.board());
        }
        if asked.contains(&IncidentKind::SetUp) || asked.contains(&IncidentKind::KingsInSetUp) {
            at = self.arrange(at + 3000, &pieces, &start) + 500;
        } else if self.chance(self.hands.habits.set_up) {
            self.truth.around.push(Around::SetUp);
            let begun = at + self.some((300, 3000));
            at = self.arrange(begun, &pieces, &start) + 500;
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
        (self.truth.kings_shown, self.truth.ended) = (true, Ended::Kings);
        (pieces, at)
    }

    /// The kings leave the centre for the squares on which they stand at a game's beginning; returns what stands then, and when.
    fn take_kings_back(&mut self, from: u64, before: &Squares) -> (Squares, u64) {
        let mut pieces = *before;
        let mut at = from;
        for by in [Color::White, Color::Black] {
            let king = code(by.king());
            let Some(home) = self.game.start.board().king_of(by) else { continue };
            if pieces[home.to_usize()] == king {
                continue;
            }
            for square in Square::ALL {
                // What stands on the king's square goes with him, aside.
                if pieces[square.to_usize()] == king || (square == home && pieces[square.to_usize()] != PieceCode::Empty) {
                    self.act(at, Act::Lift(square));
                    pieces[square.to_usize()] = PieceCode::Empty;
                }
            }
            at += self.some((200, 700));
            self.act(at, Act::Put(home, king));
            pieces[home.to_usize()] = king;
            at += self.some((100, 500));
        }
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
    fn analyse(&mut self, from: u64, moves: u32) -> u64 {
        let mut at = from;
        let mut position = self.position.clone();
        for _ in 0..moves {
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
        if !self.hands.habits.are_none() {
            return self.next_game_of_people(before, start);
        }
        let at = self.some((2000, 4000));
        self.act(at, Act::ResetClock);
        self.arrange(at, before, start) + 1000
    }

    /// The same as people do it: the clock is set before, while or after the pieces are; not all stand right at once, and moves are tried out.
    fn next_game_of_people(&mut self, before: &Squares, start: &Squares) -> u64 {
        let habits = self.hands.habits;
        let from = self.some((300, 4000));
        let left = if self.chance(habits.one_left) { self.one_in_the_middle(start) } else { None };
        let mut at = self.arrange(from, before, &left.unwrap_or(*start));
        if let Some(left) = left {
            self.truth.around.push(Around::OneLeft);
            let (set, right) = (self.some((500, 3000)), self.some((2000, 8000)));
            self.act(at + set, Act::ResetClock);
            at = self.arrange(at + set + right, &left, start);
        } else {
            let set = self.some((from, at + 2500));
            self.act(set, Act::ResetClock);
            at = at.max(set);
        }
        if self.chance(habits.opening) {
            self.truth.around.push(Around::Opening);
            let position = self.position.clone();
            let (wait, tried) = (self.some((1000, 4000)), self.rng.random_range(1..5));
            at = self.analyse(at + wait, tried);
            let tried = squares_of(self.position.board());
            at += self.some((500, 2500));
            at = self.arrange(at, &tried, start);
            self.position = position;
        }
        // A word before the clock is started.
        at + self.some((1000, 8000))
    }

    /// The start position with one of its pieces in the middle of the board instead.
    fn one_in_the_middle(&mut self, start: &Squares) -> Option<Squares> {
        let middle: Vec<usize> = (24..40).filter(|s| start[*s] == PieceCode::Empty).collect();
        let pieces: Vec<usize> = (0..64).filter(|s| start[*s] != PieceCode::Empty).collect();
        if middle.is_empty() || pieces.is_empty() {
            return None;
        }
        let (from, to) = (pieces[self.rng.random_range(0..pieces.len())], middle[self.rng.random_range(0..middle.len())]);
        let mut left = *start;
        left.swap(from, to);
        Some(left)
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
