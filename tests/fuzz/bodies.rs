//! What must hold whatever a board shows: run by the fuzz target, and on the corpus by the ordinary tests.
//!
//! The bytes are a script of hands. Byte 0 chooses the table (clock, rules, start); then each pair is an act and its operand:
//!
//! | act, low three bits | does; the high five bits, times 30 ms, pass before it |
//! |---|---|
//! | 0 | lifts the piece on square `operand` |
//! | 1 | puts the piece lifted last on square `operand` (kept in hand: it may be put down again) |
//! | 2 | presses the clock |
//! | 3 | square `operand` reads the piece of the next byte |
//! | 4 | lets `operand` times 40 ms pass |
//! | 5 | a dump: of the board as it is, or of another one |
//! | 6 | a clock message of this and the next byte |
//! | 7 | the link, an entry, or rubbish on the wire |
use dgt_protocol::clock::{ClockReport, ClockTimes, Lever, SideTime};
use dgt_protocol::message::Message;
use dgt_protocol::square::{PieceCode, START_PLACEMENT, WireSquare};
use flagfall_events::{AlarmKey, AlarmState, BoardKind, Body, Entry, LinkState, Mono, Rules, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_game::settings::{ClockWhite, Settings};

/// No input may be answered with more.
const EVENTS_AT_MOST: usize = 120;
/// Nor may more deadlines come due in the ten seconds that one act may take.
const DEADLINES_AT_MOST: usize = 200;

const START_FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const QUEENS: &str = "QQQQk2q/QQQ4q/QQ5q/Q6q/6Qq/5QQq/4QQqq/3KQqqq w - - 0 1";

const ENTRIES: [&str; 9] = [
    r#"{"do":"new-game"}"#,
    r#"{"do":"result","result":"1/2-1/2"}"#,
    r#"{"do":"set-position","fen":"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"}"#,
    r#"{"do":"set-position","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}"#,
    r#"{"do":"stop"}"#,
    r#"{"do":"flag","by":"white"}"#,
    r#"{"do":"rule","finding":1,"decision":"confirm"}"#,
    r#"{"do":"rule","finding":2,"decision":"confirm"}"#,
    r#"{"do":"report","key":"illegal-move","by":"white"}"#,
];

struct Table<W> {
    board: Board,
    watch: W,
    wire: [PieceCode; 64],
    hand: PieceCode,
    clock: ClockTimes,
    now: u64,
    seq: u64,
    told_at: Mono,
    /// Whether each ply made stays: it is completed, and legal.
    plies: Vec<bool>,
    /// A ruling may take back and replace what was completed.
    ruled: bool,
    /// The alarm `unsure` stands.
    unsure: bool,
    /// A completed ply was corrected, and nothing has said so yet.
    corrected: bool,
}

/// Runs one script; `watch` gets each call of the board and makes it.
pub(crate) fn placements(data: &[u8], watch: impl FnMut(&mut dyn FnMut())) {
    let Some((&first, acts)) = data.split_first() else { return };
    let rules = [Rules::Fide2023, Rules::Fide1997, Rules::Russia116, Rules::Fide2018][usize::from(first & 3)];
    let settings = Settings {
        rules,
        clock_white: if first & 4 == 0 { ClockWhite::Auto } else { ClockWhite::None },
        kind: if first & 8 == 0 { BoardKind::Dgt } else { BoardKind::Occupancy },
        start_fen: match first >> 4 & 3 {
            0 | 1 => None,
            2 => Some(START_FEN.into()),
            _ => Some(QUEENS.into()),
        },
        ..Settings::default()
    };
    let wire = settings.start_fen.as_deref().map_or(START_PLACEMENT, pieces);
    let side = SideTime::from_seconds(300).unwrap_or_default();
    let mut table = Table {
        board: Board::new("1", Wall::EPOCH, settings),
        watch,
        wire,
        hand: PieceCode::Empty,
        clock: ClockTimes { right: side, left: side, running: true, lever: Lever::LeftHigh, battery_low: false, turn_bits: 8 },
        now: 0,
        seq: 0,
        told_at: Mono::ZERO,
        plies: Vec::new(),
        ruled: false,
        unsure: false,
        corrected: false,
    };
    table.say(&Message::BoardDump(Box::new(wire)));
    table.say(&Message::Clock(ClockReport::Time(table.clock)));
    let mut acts = acts.iter().copied();
    while let (Some(act), Some(operand)) = (acts.next(), acts.next()) {
        table.pass(u64::from(act >> 3) * 30);
        table.act(act & 7, operand, &mut acts);
    }
    table.pass(10_000);
}

/// The wire's image of a position.
fn pieces(fen: &str) -> [PieceCode; 64] {
    let mut wire = [PieceCode::Empty; 64];
    let mut square = 0;
    for letter in fen.chars().take_while(|c| *c != ' ').filter(|c| *c != '/') {
        match letter.to_digit(10) {
            Some(gap) => square += gap as usize,
            None => {
                wire[square] = PieceCode::from_fen_char(letter).unwrap_or_default();
                square += 1;
            }
        }
    }
    wire
}

impl<W: FnMut(&mut dyn FnMut())> Table<W> {
    fn act(&mut self, act: u8, operand: u8, more: &mut impl Iterator<Item = u8>) {
        match act {
            0 => {
                let square = operand % 64;
                if self.wire[usize::from(square)] != PieceCode::Empty {
                    self.hand = self.wire[usize::from(square)];
                    self.field(square, PieceCode::Empty);
                }
            }
            1 => self.field(operand % 64, self.hand),
            2 => {
                self.clock.lever = if self.clock.lever == Lever::LeftHigh { Lever::RightHigh } else { Lever::LeftHigh };
                self.say(&Message::Clock(ClockReport::Time(self.clock)));
            }
            3 => self.field(operand % 64, PieceCode::from_nibble(more.next().unwrap_or_default())),
            4 => self.pass(u64::from(operand) * 40),
            5 => {
                match operand % 8 {
                    0 => self.wire = START_PLACEMENT,
                    1 => self.wire.reverse(),
                    2 => self.wire = [PieceCode::Empty; 64],
                    3 => self.wire = pieces(START_FEN),
                    4 => self.wire.rotate_left(usize::from(operand / 8)),
                    5 => self.wire = [PieceCode::from_nibble(operand / 8); 64],
                    _ => {}
                }
                self.say(&Message::BoardDump(Box::new(self.wire)));
            }
            6 => {
                let next = more.next().unwrap_or_default();
                self.clock.running = operand & 1 != 0;
                self.clock.left =
                    SideTime { flag_blocked: operand & 2 != 0, ..SideTime::from_seconds(u32::from(next)).unwrap_or_default() };
                self.clock.right = SideTime { flag_shown: operand & 4 != 0, ..self.clock.right };
                let report = match operand >> 6 {
                    0 => ClockReport::NoClock,
                    1 => ClockReport::Null,
                    _ => ClockReport::Time(self.clock),
                };
                self.say(&Message::Clock(report));
            }
            _ => self.other(operand),
        }
    }

    fn other(&mut self, operand: u8) {
        let t = Mono::from_millis(self.now);
        match operand % 16 {
            0..=2 => self.call(|board| board.link(t, LinkState::Down, None)),
            3..=5 => {
                self.call(|board| board.link(t, LinkState::Up, None));
                self.say(&Message::BoardDump(Box::new(self.wire)));
            }
            n @ 6..=14 => {
                if let Ok(entry) = serde_json::from_str::<Entry>(ENTRIES[usize::from(n) - 6]) {
                    // A ruling may take back what was completed.
                    self.ruled = true;
                    self.call(|board| board.entry(t, Entry::clone(&entry)));
                }
            }
            _ => self.call(|board| board.bytes(t, &[operand | 0x80, 0, operand & 0x7F, 0x0A])),
        }
    }

    fn field(&mut self, square: u8, piece: PieceCode) {
        self.wire[usize::from(square)] = piece;
        if let Some(square) = WireSquare::new(square) {
            self.say(&Message::FieldUpdate { square, piece });
        }
    }

    fn say(&mut self, message: &Message) {
        let (t, bytes) = (Mono::from_millis(self.now), message.encode());
        self.call(|board| board.bytes(t, &bytes));
    }

    /// Lets time pass and fires every deadline in it.
    fn pass(&mut self, ms: u64) {
        let until = self.now + ms;
        let mut fired = 0;
        while let Some(at) = self.board.deadline().filter(|at| at.millis() <= until) {
            assert!(at.millis() > self.now, "a deadline at {} is answered at {}", at.millis(), self.now);
            self.now = at.millis();
            self.call(|board| board.timeout(at));
            fired += 1;
            assert!(fired <= DEADLINES_AT_MOST, "{fired} deadlines came due within {ms} ms");
        }
        self.now = until;
    }

    /// One call, and everything it gives.
    fn call(&mut self, mut call: impl FnMut(&mut Board)) {
        (self.watch)(&mut || call(&mut self.board));
        let mut events = 0;
        while let Some(output) = self.board.poll() {
            let Output::Event(event) = output else { continue };
            events += 1;
            self.seq += 1;
            assert_eq!(event.seq, self.seq);
            assert!(event.t >= self.told_at && event.t.millis() <= self.now);
            self.told_at = event.t;
            self.follow(&event.body);
        }
        assert!(!self.corrected, "a completed ply was corrected, and no alarm says so");
        assert!(events <= EVENTS_AT_MOST, "{events} events for one input");
        assert!(self.board.deadline().is_none_or(|at| at.millis() > self.now), "the deadline does not move on");
    }

    /// Plies count up by one, and one that was completed stays, or is corrected aloud.
    fn follow(&mut self, body: &Body) {
        let made = self.plies.len();
        match body {
            Body::GameStart { .. } => {
                self.plies.clear();
                self.ruled = false;
            }
            Body::MoveMade { ply, .. } => {
                assert_eq!(*ply as usize, made + 1);
                self.plies.push(false);
            }
            Body::MoveRevised { ply, uci, was, .. } => {
                assert!(*ply as usize <= made, "ply {ply} of {made} is revised");
                let last = *ply as usize == made && self.plies.last() == Some(&false);
                // The same move with other times: whose side of the clock is whose became known.
                self.corrected |= uci != was && !last && !self.ruled && !self.unsure;
            }
            Body::Alarm { key, state, .. } if *key == AlarmKey::Unsure => {
                self.unsure = *state == AlarmState::Raised;
                self.corrected &= !self.unsure;
            }
            Body::MoveWithdrawn { ply, .. } => {
                let stays = self.plies.pop();
                assert!(*ply as usize == made && (stays == Some(false) || self.ruled), "ply {ply} is withdrawn");
            }
            Body::MoveCompleted { ply, legal, .. } => match self.plies.get_mut(*ply as usize - 1) {
                // An illegal move may be put right by hand.
                Some(stays) => *stays = *legal,
                None => panic!("ply {ply} of {made} is completed"),
            },
            _ => {}
        }
    }
}
