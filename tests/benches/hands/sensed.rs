//! What a board and its clock said, as the estimator takes it.
use dgt_protocol::clock::{ClockReport, Lever};
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};
use dgt_protocol::square::{PieceCode, WireSquare};
use flagfall_events::Mono;
use flagfall_hands::{Eyes, Press};
use flagfall_simulator::script::{Squares, squares_of};
use shakmaty::{Chess, Position as _};

/// Squares that may differ from the start position when a game begins.
const UNDER_WAY: usize = 2;

/// One thing that was said.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Said {
    Square(u8, PieceCode),
    Dump(Squares),
    Press(Press),
    Lost,
}

/// From the start position on.
#[derive(Default)]
pub(crate) struct Sensed {
    pub(crate) said: Vec<(Mono, Said)>,
    pub(crate) began: Option<Mono>,
    /// White sits at the board's other side.
    pub(crate) turned: bool,
    lever: Option<Lever>,
}

impl Sensed {
    /// From what the board said, read by read, with the milliseconds.
    pub(crate) fn of<'a>(chunks: impl Iterator<Item = (u64, &'a [u8])>, eyes: Eyes) -> Self {
        let (mut sensed, mut receiver) = (Self::default(), Receiver::new(Single::Dgt));
        for (ms, bytes) in chunks {
            for message in receiver.feed(ms, bytes) {
                sensed.take(Mono::from_millis(ms), message.ok(), eyes);
            }
        }
        sensed
    }

    fn take(&mut self, at: Mono, message: Option<Message>, eyes: Eyes) {
        match message {
            Some(Message::BoardDump(wire)) => self.dump(at, &wire, eyes),
            Some(Message::FieldUpdate { square, piece }) if self.began.is_some() => {
                self.said.push((at, Said::Square(chess_square(square, self.turned), piece)));
            }
            Some(Message::Clock(ClockReport::Time(times))) => {
                let before = self.lever.replace(times.lever);
                if self.began.is_some() && before.is_some_and(|before| before != times.lever) {
                    let side = if times.lever == Lever::RightHigh { Press::Left } else { Press::Right };
                    self.said.push((at, Said::Press(side)));
                }
            }
            None if self.began.is_some() => self.said.push((at, Said::Lost)),
            _ => {}
        }
    }

    fn dump(&mut self, at: Mono, wire: &[PieceCode; 64], eyes: Eyes) {
        let seen = |turned: bool| {
            let mut squares = [PieceCode::Empty; 64];
            for (n, piece) in (0..64).zip(wire) {
                let square = WireSquare::new(n).expect("64 of them");
                squares[usize::from(chess_square(square, turned))] = *piece;
            }
            squares
        };
        if self.began.is_some() {
            return self.said.push((at, Said::Dump(seen(self.turned))));
        }
        let start = squares_of(Chess::default().board());
        let differ = |turned: bool| {
            let is_other = |(a, b): &(&PieceCode, &PieceCode)| match eyes {
                Eyes::Pieces => a != b,
                Eyes::Occupancy => (**a == PieceCode::Empty) != (**b == PieceCode::Empty),
            };
            seen(turned).iter().zip(&start).filter(is_other).count()
        };
        // The first move may be under way, or made.
        if let Some(turned) = [false, true].into_iter().min_by_key(|turned| differ(*turned)).filter(|turned| differ(*turned) <= UNDER_WAY) {
            (self.turned, self.began) = (turned, Some(at));
            if differ(turned) > 0 {
                self.said.push((at, Said::Dump(seen(turned))));
            }
        }
    }
}

/// The chess square (a1 = 0) of a wire square.
fn chess_square(wire: WireSquare, turned: bool) -> u8 {
    let index = if turned { 63 - wire.index() } else { wire.index() };
    (7 - index / 8) * 8 + index % 8
}
