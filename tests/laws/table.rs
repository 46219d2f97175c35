//! A board, a clock and hands: a capture as it is made, in simulated time.
use super::device::{AtZero, Bonus, Device};
use super::story::Story;
use std::fmt::Write as _;
use std::rc::Rc;

pub(super) use Colour::{Black, White};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    White,
    Black,
}

impl Colour {
    pub(super) const fn other(self) -> Self {
        match self {
            White => Black,
            Black => White,
        }
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            White => "white",
            Black => "black",
        }
    }
}

/// How the board lies on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lie {
    Usual,
    Half,
    /// White's pieces along the wire's h file.
    Quarter,
}

/// One pass of the scanner over the 64 squares.
const SCAN_MS: u64 = 200;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Wire codes 1 to 12.
const CODES: &str = "PRNBKQprnbkq";

pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) edition: String,
    /// A host is at the line: the board says who it is, and a dump follows every press. Else only what it says unasked.
    dumps: bool,
    pub(super) header: Vec<String>,
    pub(super) lines: String,
    pub(super) now: u64,
    began: bool,
    /// What stands on a1, b1 … h8; `'.'` for nothing.
    squares: [char; 64],
    lie: Lie,
    /// By wire square: what was last said of it, and when the scanner comes to it next.
    said: [char; 64],
    due: [Option<u64>; 64],
    dump_due: Option<u64>,
    plugged: bool,
    device: Option<Device>,
    /// Between a player's thought, lift, drop and press.
    pub(super) think: u64,
    pub(super) hand: u64,
    pub(super) story: Option<Rc<Story>>,
    /// A line is meant to be malformed.
    pub(super) may_be_refused: bool,
}

/// The index of a square, a1 = 0.
fn index(name: &str) -> usize {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = name.as_bytes() else { panic!("{name:?} is no square") };
    usize::from(rank - b'1') * 8 + usize::from(file - b'a')
}

fn pieces(fen: &str) -> [char; 64] {
    let mut squares = ['.'; 64];
    for (row, rank) in fen.split(' ').next().unwrap().split('/').enumerate() {
        let mut file = 0;
        for letter in rank.chars() {
            if let Some(gap) = letter.to_digit(10) {
                file += gap as usize;
            } else {
                squares[(7 - row) * 8 + file] = letter;
                file += 1;
            }
        }
        assert_eq!(file, 8, "{fen}");
    }
    squares
}

fn code(piece: char) -> usize {
    match piece {
        // A piece that lies upside down or is none of the set.
        '?' => 13,
        _ => CODES.find(piece).map_or(0, |i| i + 1),
    }
}

/// `"1:02:03"`, `"54:40"` or `"90"` in milliseconds.
pub(super) fn ms(time: &str) -> i64 {
    time.split(':').fold(0, |sum, part| sum * 60 + part.parse::<i64>().unwrap()) * 1000
}

impl Table {
    pub(super) fn new(name: &'static str, edition: &str, dumps: bool) -> Self {
        Self {
            name,
            edition: String::from(edition),
            dumps,
            header: vec![format!("rules: {edition}")],
            lines: String::new(),
            now: 0,
            began: false,
            squares: pieces(START),
            lie: Lie::Usual,
            said: ['.'; 64],
            due: [None; 64],
            dump_due: None,
            plugged: true,
            device: Some(Device::new(300_000, Bonus::Fischer(3000))),
            think: 3000,
            hand: std::env::var("HAND").map_or(350, |ms| ms.parse().unwrap()),
            story: None,
            may_be_refused: false,
        }
    }

    // What is fixed before the game.

    /// A header line, `key: value`.
    pub(super) fn header(&mut self, line: &str) -> &mut Self {
        assert!(!self.began, "the header comes first");
        self.header.push(String::from(line));
        self
    }

    /// The time control agreed, and a clock that is set to it (its first period).
    pub(super) fn time(&mut self, control: &str) -> &mut Self {
        self.header(&format!("time-control: {control}"));
        let mut periods = control.split(':');
        let first = periods.next().unwrap();
        let (moves, first) = first.split_once('/').map_or((None, first), |(moves, rest)| (Some(moves.parse().unwrap()), rest));
        let (base, bonus) = first.split_once('+').unwrap_or((first, "0"));
        let each = |digits: &str| digits.parse::<i64>().unwrap() * 1000;
        let bonus = match bonus.as_bytes()[0] {
            b'd' => Bonus::Delay(each(&bonus[1..])),
            b'b' => Bonus::Bronstein(each(&bonus[1..])),
            _ => Bonus::Fischer(each(bonus)),
        };
        let mut device = Device::new(each(base), bonus);
        if let (Some(moves), Some(next)) = (moves, periods.next()) {
            let next = next.rsplit('/').next().unwrap();
            device.period = Some((moves, each(next.split('+').next().unwrap())));
        }
        self.device = Some(device);
        self
    }

    /// The clock itself, to set it wrong or break it.
    pub(super) fn device(&mut self) -> &mut Device {
        self.device.as_mut().expect("there is a clock")
    }

    pub(super) fn at_zero(&mut self, what: AtZero) -> &mut Self {
        self.device().at_zero = what;
        self
    }

    /// The game starts from here, as agreed, and the clock has the side to move up.
    pub(super) fn from(&mut self, fen: &str) -> &mut Self {
        self.header(&format!("start-fen: {fen}"));
        self.stands(fen);
        if fen.contains(" b ") {
            self.device().up = Black;
        }
        self
    }

    /// These pieces stand there at first, whatever was agreed.
    pub(super) fn stands(&mut self, fen: &str) -> &mut Self {
        self.squares = pieces(fen);
        self
    }

    pub(super) fn lies(&mut self, lie: Lie) -> &mut Self {
        self.lie = lie;
        self
    }

    // Time and the wire.

    pub(super) const fn now(&self) -> u64 {
        self.now
    }

    fn wire(&self, square: usize) -> usize {
        let (x, y) = (square % 8, square / 8);
        let (file, rank) = match self.lie {
            Lie::Usual => (x, y),
            Lie::Half => (7 - x, 7 - y),
            Lie::Quarter => (7 - y, x),
        };
        (7 - rank) * 8 + file
    }

    fn on_the_wire(&self) -> [char; 64] {
        let mut wire = ['.'; 64];
        for (square, piece) in self.squares.iter().enumerate() {
            wire[self.wire(square)] = *piece;
        }
        wire
    }

    fn dump(&mut self) -> String {
        self.said = self.on_the_wire();
        self.due = [None; 64];
        self.said.iter().fold(String::from("86 00 43"), |bytes, piece| bytes + &format!(" {:02x}", code(*piece)))
    }

    pub(super) fn line(&mut self, t: u64, what: &str) {
        writeln!(self.lines, "{t} {what}").unwrap();
        self.story = None;
    }

    fn board_says(&mut self, t: u64, bytes: &str) {
        if self.plugged {
            self.line(t, &format!("< {bytes}"));
        }
    }

    pub(super) fn begin(&mut self) {
        if self.began {
            return;
        }
        self.began = true;
        if self.dumps {
            self.line(0, "= up");
            self.board_says(20, "93 00 05 01 08");
        }
        let dump = self.dump();
        self.board_says(100, &dump);
        if let Some(device) = &self.device {
            let report = device.report();
            self.board_says(200, &report);
        }
        self.now = 1000;
    }

    /// Takes time: the scanner goes round, the clock runs.
    pub(super) fn wait(&mut self, ms: u64) -> &mut Self {
        self.begin();
        let end = self.now + ms;
        let mut said: Vec<(u64, String)> = Vec::new();
        if let Some(device) = &mut self.device {
            said.extend(device.pass(ms).into_iter().map(|(after, report)| (self.now + after, report)));
        }
        let wire = self.on_the_wire();
        for (square, piece) in wire.into_iter().enumerate() {
            let Some(due) = self.due[square].filter(|due| *due <= end) else { continue };
            self.due[square] = None;
            if self.said[square] != piece {
                self.said[square] = piece;
                said.push((due, format!("8e 00 05 {square:02x} {:02x}", code(piece))));
            }
        }
        if let Some(due) = self.dump_due.filter(|due| *due <= end) {
            self.dump_due = None;
            // What is not scanned yet is in no dump either.
            let seen: String = self.said.iter().map(|piece| format!(" {:02x}", code(*piece))).collect();
            said.push((due, format!("86 00 43{seen}")));
        }
        said.sort_by_key(|(t, _)| *t);
        for (t, bytes) in said {
            self.board_says(t, &bytes);
        }
        self.now = end;
        self
    }

    pub(super) fn secs(&mut self, seconds: u64) -> &mut Self {
        self.wait(seconds * 1000)
    }

    /// Waits until this side's display comes to this time.
    pub(super) fn until(&mut self, side: Colour, time: &str) -> &mut Self {
        self.begin();
        let wanted = ms(time) / 1000;
        assert!(self.device().running && self.device().shown(side) >= wanted, "{} shows {} s", side.word(), self.device().shown(side));
        while self.device().shown(side) > wanted {
            let far = self.device().shown(side) - wanted > 2;
            self.wait(if far { 1000 } else { 20 });
        }
        self
    }

    // Hands.

    fn change(&mut self, at: &str, piece: char) -> &mut Self {
        self.begin();
        self.wait(self.hand);
        self.squares[index(at)] = piece;
        let wire = self.wire(index(at));
        let phase = wire as u64 * SCAN_MS / 64;
        let from = self.now + 5;
        self.due[wire] = Some(from + (phase + SCAN_MS - from % SCAN_MS) % SCAN_MS);
        self
    }

    pub(super) fn lift(&mut self, at: &str) -> &mut Self {
        assert_ne!(self.squares[index(at)], '.', "nothing stands on {at}");
        self.change(at, '.')
    }

    pub(super) fn put(&mut self, at: &str, piece: char) -> &mut Self {
        self.change(at, piece)
    }

    pub(super) fn carry(&mut self, from: &str, to: &str) -> &mut Self {
        let piece = self.squares[index(from)];
        self.lift(from).put(to, piece)
    }

    /// After a thought: one move or what looks like one, without a press; what stands on its target is taken off first. Castling, en passant and
    /// promotions where the pieces say so.
    pub(super) fn hand(&mut self, uci: &str) -> &mut Self {
        self.wait(self.think);
        let (from, to) = (&uci[..2], &uci[2..4]);
        let piece = self.squares[index(from)];
        if self.squares[index(to)] != '.' {
            self.lift(to);
        } else if piece.eq_ignore_ascii_case(&'p') && from[..1] != to[..1] {
            self.lift(&format!("{}{}", &to[..1], &from[1..]));
        }
        if let Some(wanted) = uci.chars().nth(4) {
            let wanted = if piece == 'P' { wanted.to_ascii_uppercase() } else { wanted };
            return self.lift(from).put(to, wanted);
        }
        self.carry(from, to);
        match (piece.eq_ignore_ascii_case(&'k'), uci) {
            (true, "e1g1") => self.carry("h1", "f1"),
            (true, "e1c1") => self.carry("a1", "d1"),
            (true, "e8g8") => self.carry("h8", "f8"),
            (true, "e8c8") => self.carry("a8", "d8"),
            _ => self,
        }
    }

    /// The side that is up goes down.
    pub(super) fn press(&mut self) -> &mut Self {
        self.begin();
        self.wait(self.hand);
        self.press_at_once()
    }

    /// The same without time for the hand to come over.
    pub(super) fn press_at_once(&mut self) -> &mut Self {
        self.device().press();
        self.report();
        if self.dumps {
            self.dump_due = Some(self.now + 430);
        }
        self
    }

    fn report(&mut self) {
        let report = self.device().report();
        self.board_says(self.now, &report);
    }

    /// Moves with their presses.
    pub(super) fn play(&mut self, moves: &str) -> &mut Self {
        for uci in moves.split_whitespace() {
            self.hand(uci);
            if self.device.is_some() {
                self.press();
            }
        }
        self
    }

    /// Starts the clock, the side that is up running.
    pub(super) fn start(&mut self) -> &mut Self {
        self.begin();
        self.device().running = true;
        self.report();
        self
    }

    /// Stops the clock.
    pub(super) fn stop(&mut self) -> &mut Self {
        self.begin();
        self.device().running = false;
        self.report();
        self
    }

    /// The arbiter's hands on the stopped clock.
    pub(super) fn set(&mut self, white: &str, black: &str, up: Colour) -> &mut Self {
        self.secs(4);
        self.device().set(ms(white), ms(black), up);
        self.report();
        self
    }

    /// One report after a change of the device by hand.
    pub(super) fn shows(&mut self) -> &mut Self {
        self.begin();
        self.report();
        self
    }

    /// The board says that there is no clock, for so many seconds; it runs on meanwhile.
    pub(super) fn no_clock_for(&mut self, seconds: u64) -> &mut Self {
        self.board_says(self.now, "8d 00 0a 00 00 00 00 00 00 20");
        for _ in 0..seconds {
            self.device().pass(1000);
            self.now += 1000;
        }
        self.report();
        self
    }

    pub(super) fn unplug(&mut self) -> &mut Self {
        self.begin();
        self.line(self.now, "= down");
        self.plugged = false;
        self
    }

    pub(super) fn plug(&mut self) -> &mut Self {
        self.line(self.now, "= up");
        self.plugged = true;
        let dump = self.dump();
        self.board_says(self.now, &dump);
        if self.device.is_some() {
            self.report();
        }
        self
    }
}
