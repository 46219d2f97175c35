//! A physical board with pieces and a clock, worked by hand; no scanner: what changes is sensed at once.
//!
//! Written independently of `src/simulator`, and on purpose: recognition that was fitted to the simulator's hands and clock must also hold on
//! others. Here a test says each act itself, also what no simulated player does, and the wire's order of squares, the clock (`dgt_clock.rs`) and
//! what must hold in the events (`referee.rs`) are worked out anew. Only the messages' encoding is shared, `dgt-protocol`.
use super::dgt_clock::DgtClock;
use super::report::Report;
use super::table::Table;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Entry};
use flagfall_game::settings::{ClockWhite, Settings};

pub(crate) use flagfall_events::{Colour::Black, Colour::White};

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// How the board lies on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    Usual,
    Half,
    /// White's pieces along the wire's h file.
    Quarter,
    /// White's pieces along the wire's a file.
    OtherQuarter,
}

impl Lie {
    /// Wire index (0 = a8, 63 = h1) of a chess square: a rotation of the board, worked out by hand.
    pub(crate) fn wire(self, square: usize) -> usize {
        let (x, y) = (square % 8, square / 8);
        let (file, rank) = match self {
            Self::Usual => (x, y),
            Self::Half => (7 - x, 7 - y),
            Self::Quarter => (7 - y, x),
            Self::OtherQuarter => (y, 7 - x),
        };
        (7 - rank) * 8 + file
    }
}

/// What becomes of the message about a changed square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Sent,
    Lost,
    CutShort,
}

#[derive(Clone, Debug)]
pub(crate) enum Act {
    Square(usize, PieceCode, Fate),
    Clock(Vec<u8>),
    Raw(Vec<u8>),
    Entry(Entry),
    Unplug,
    Plug { clock: bool },
}

/// How the same acts are handed to the reader.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// Bytes come in portions that this number decides.
    pub(crate) cut: Option<u64>,
    /// `timeout` is called this often, milliseconds, and every call is repeated.
    pub(crate) nudge: Option<u64>,
}

/// The hands of both players, and the table between them.
#[derive(Clone, Debug)]
pub(crate) struct Hand {
    pub(crate) settings: Settings,
    squares: [PieceCode; 64],
    pub(crate) first: [PieceCode; 64],
    pub(crate) lie: Lie,
    clock: Option<DgtClock>,
    white_is_left: bool,
    turn: Colour,
    now: u64,
    pace: u64,
    fate: Fate,
    pub(crate) dumb: bool,
    script: Vec<(u64, Act)>,
}

/// The index of a chess square, a1 = 0.
pub(crate) fn square(name: &str) -> usize {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = name.as_bytes() else { panic!("{name:?} is no square") };
    usize::from(rank - b'1') * 8 + usize::from(file - b'a')
}

fn pieces(fen: &str) -> [PieceCode; 64] {
    let mut squares = [PieceCode::Empty; 64];
    for (row, rank) in fen.split(' ').next().unwrap().split('/').enumerate() {
        let mut file = 0;
        for letter in rank.chars() {
            if let Some(gap) = letter.to_digit(10) {
                file += gap as usize;
            } else {
                squares[(7 - row) * 8 + file] = PieceCode::from_fen_char(letter).unwrap();
                file += 1;
            }
        }
        assert_eq!(file, 8, "{fen}");
    }
    squares
}

impl Hand {
    /// A board with these pieces and a clock set to 5 minutes and 2 seconds a move, which has just been started.
    pub(crate) fn new(fen: &str) -> Self {
        let mut hand = Self::before(fen);
        hand.start_clock();
        hand
    }

    /// The same, the clock not started yet.
    pub(crate) fn before(fen: &str) -> Self {
        Self::table(fen, Lie::Usual, Some(true))
    }

    /// No clock at all.
    pub(crate) fn without_clock(fen: &str) -> Self {
        Self::table(fen, Lie::Usual, None)
    }

    /// A board that lies this way, its clock with White on this side.
    pub(crate) fn table(fen: &str, lie: Lie, white_is_left: Option<bool>) -> Self {
        let turn = if fen.split(' ').nth(1) == Some("b") { Black } else { White };
        let settings = Settings { start_fen: (fen != START).then(|| fen.to_owned()), ..Settings::default() };
        let clock = white_is_left.map(|left| DgtClock::new(300, 2, (turn == White) == left));
        let mut hand = Self {
            settings,
            squares: pieces(fen),
            first: pieces(fen),
            lie,
            clock,
            white_is_left: white_is_left.unwrap_or(true),
            turn,
            now: 0,
            pace: 400,
            fate: Fate::Sent,
            dumb: false,
            script: Vec::new(),
        };
        hand.script.push((0, Act::Plug { clock: true }));
        hand.now = 100;
        if let Some(clock) = &hand.clock {
            hand.script.push((100, Act::Clock(clock.message())));
        } else {
            hand.settings.clock_white = ClockWhite::None;
        }
        hand.now = 1000;
        hand
    }

    /// The same position, its game found by itself.
    pub(crate) fn unannounced(mut self) -> Self {
        self.settings.start_fen = None;
        self
    }

    /// Takes time; the clock runs.
    pub(crate) fn wait(&mut self, ms: u64) -> &mut Self {
        for (after, message) in self.clock.as_mut().map(|clock| clock.pass(ms)).unwrap_or_default() {
            self.script.push((self.now + after, Act::Clock(message)));
        }
        self.now += ms;
        self
    }

    pub(crate) const fn has_clock(&self) -> bool {
        self.clock.is_some()
    }

    /// Every act from now on takes this long.
    pub(crate) fn pace(&mut self, ms: u64) -> &mut Self {
        self.pace = ms;
        self
    }

    fn act(&mut self, act: Act) -> &mut Self {
        self.wait(self.pace);
        self.script.push((self.now, act));
        self
    }

    fn change(&mut self, at: &str, piece: PieceCode) -> &mut Self {
        self.squares[square(at)] = piece;
        let fate = std::mem::replace(&mut self.fate, Fate::Sent);
        self.act(Act::Square(square(at), piece, fate))
    }

    /// Takes a piece off its square.
    pub(crate) fn lift(&mut self, at: &str) -> &mut Self {
        assert!(!self.squares[square(at)].is_empty(), "nothing stands on {at}");
        self.change(at, PieceCode::Empty)
    }

    /// Puts a piece down; one that stands there is replaced without an empty reading.
    pub(crate) fn put(&mut self, at: &str, piece: char) -> &mut Self {
        self.change(at, PieceCode::from_fen_char(piece).unwrap())
    }

    /// Lifts and puts a piece.
    pub(crate) fn carry(&mut self, from: &str, to: &str) -> &mut Self {
        let piece = self.squares[square(from)];
        self.lift(from).put(to, piece.fen_char().unwrap())
    }

    /// A piece that touches these squares one after another, the first being the one it leaves.
    pub(crate) fn slide(&mut self, squares: &[&str]) -> &mut Self {
        for pair in squares.windows(2) {
            self.carry(pair[0], pair[1]);
        }
        self
    }

    /// Presses the clock.
    pub(crate) fn press(&mut self, by: Colour) -> &mut Self {
        self.wait(self.pace);
        let left = (by == White) == self.white_is_left;
        let message = self.clock.as_mut().expect("there is a clock").press(left);
        self.script.push((self.now, Act::Clock(message)));
        self.turn = by.other();
        self
    }

    /// Starts the clock.
    pub(crate) fn start_clock(&mut self) -> &mut Self {
        let message = self.clock.as_mut().expect("there is a clock").start();
        self.act(Act::Clock(message))
    }

    /// Stops the clock, sets it to 5 minutes and 2 seconds a move again, with this player's side up.
    pub(crate) fn reset_clock(&mut self, up: Colour) -> &mut Self {
        let stopped = self.clock.as_mut().expect("there is a clock").stop();
        self.act(Act::Clock(stopped));
        let clock = DgtClock::new(300, 2, (up == White) == self.white_is_left);
        let message = clock.message();
        self.clock = Some(clock);
        self.turn = up;
        self.act(Act::Clock(message))
    }

    /// Stops the clock.
    pub(crate) fn stop_clock(&mut self) -> &mut Self {
        let message = self.clock.as_mut().expect("there is a clock").stop();
        self.act(Act::Clock(message))
    }

    /// Plain moves and captures, captured piece first; with a clock each is pressed.
    pub(crate) fn moves(&mut self, moves: &str) -> &mut Self {
        for uci in moves.split_whitespace() {
            self.one(uci);
            let by = self.turn;
            if self.clock.is_some() {
                self.press(by);
            }
            self.turn = by.other();
        }
        self
    }

    /// One plain move or capture without its press.
    pub(crate) fn one(&mut self, uci: &str) -> &mut Self {
        let (from, to) = (&uci[..2], &uci[2..4]);
        if !self.squares[square(to)].is_empty() {
            self.lift(to);
        }
        self.carry(from, to)
    }

    /// Castling, king first.
    pub(crate) fn castle(&mut self, king: [&str; 2], rook: [&str; 2]) -> &mut Self {
        self.carry(king[0], king[1]).carry(rook[0], rook[1])
    }

    /// Everything off but kept in the hand, then this position, one square after another.
    pub(crate) fn set_up(&mut self, fen: &str) -> &mut Self {
        let wanted = pieces(fen);
        let name = |i: usize| format!("{}{}", char::from(b'a' + (i % 8) as u8), i / 8 + 1);
        for (i, piece) in wanted.iter().enumerate() {
            if self.squares[i] != *piece && !self.squares[i].is_empty() {
                self.lift(&name(i));
            }
        }
        for (i, piece) in wanted.iter().enumerate() {
            if self.squares[i] != *piece {
                self.put(&name(i), piece.fen_char().unwrap());
            }
        }
        self
    }

    /// The message about the next change of a square is lost on the wire.
    pub(crate) fn losing_it(&mut self) -> &mut Self {
        self.fate = Fate::Lost;
        self
    }

    /// The message about the next change of a square loses its last byte.
    pub(crate) fn cutting_it(&mut self) -> &mut Self {
        self.fate = Fate::CutShort;
        self
    }

    /// The board answers no dump request.
    pub(crate) fn dumb(&mut self) -> &mut Self {
        self.dumb = true;
        self
    }

    /// Bytes on the wire.
    pub(crate) fn noise(&mut self, bytes: &[u8]) -> &mut Self {
        self.act(Act::Raw(bytes.to_vec()))
    }

    /// The cable comes off; hands and clock go on.
    pub(crate) fn unplug(&mut self) -> &mut Self {
        self.act(Act::Unplug)
    }

    /// And on again.
    pub(crate) fn plug(&mut self) -> &mut Self {
        self.act(Act::Plug { clock: true })
    }

    /// The same, and the clock is not heard again.
    pub(crate) fn plug_before_the_clock(&mut self) -> &mut Self {
        self.act(Act::Plug { clock: false })
    }

    /// An arbiter's or operator's input.
    pub(crate) fn enter(&mut self, json: &str) -> &mut Self {
        self.act(Act::Entry(serde_json::from_str(json).unwrap()))
    }

    /// Why this entry would not be taken then.
    pub(crate) fn refusal(&self, json: &str) -> Option<String> {
        self.play_out(Style::default()).board.refusal(&serde_json::from_str(json).unwrap())
    }

    /// Lets ten seconds pass and tells what flagfall made of it all.
    pub(crate) fn report(&self) -> Report {
        self.report_with(Style::default())
    }

    /// The same, handed over in this style.
    pub(crate) fn report_with(&self, style: Style) -> Report {
        self.play_out(style).finish()
    }

    /// The same of hands that break the rules of play, which the referee does not know.
    pub(crate) fn report_of_illegal_play(&self) -> Report {
        self.play_out(Style::default()).report()
    }

    fn play_out(&self, style: Style) -> Table {
        let mut script = self.clone();
        script.wait(10_000);
        let mut table = Table::new(self, style);
        for (t, act) in &script.script {
            table.go_on_until(*t);
            table.act(*t, act);
        }
        table.go_on_until(script.now);
        table
    }
}
