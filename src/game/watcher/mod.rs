//! The watcher: what the board says of its squares, of itself and of its link. It keeps the image and says when that may be wrong.
pub(crate) mod orientation;
pub(crate) mod pace;

use crate::placement::{Image, Placement, Squares, bit, colour, piece as named};
use crate::settings::Settings;
use crate::timers::Timers;
use crate::watcher::orientation::{Found, Turn, find_start};
use crate::watcher::pace::Pace;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use dgt_protocol::message::Message;
use dgt_protocol::square::{PieceCode, WireSquare};
use flagfall_events::{BoardKind, Body, Colour, LinkState, Mono};

/// A dump is asked for at most once in this time.
const ASK_AGAIN_MS: u64 = 1_000;

/// So many dumps that did not come in a row: the board gives none.
const MISSED: u32 = 3;

/// What the board said of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Identity {
    serial: Option<String>,
    long_serial: Option<String>,
    firmware: Option<String>,
    told: bool,
}

/// One square that reads something else than before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) square: usize,
    pub(crate) was: PieceCode,
    pub(crate) now: PieceCode,
}

/// A whole image that came in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dumped {
    /// It differs from what was known, or is the first.
    pub(crate) changed: bool,
    pub(crate) seen: Vec<Seen>,
}

/// What is known of the board.
#[derive(Clone, Debug)]
pub(crate) struct Watcher {
    pub(crate) link: Option<LinkState>,
    identity: Identity,
    /// The image as the board numbers it; `None` until the first dump.
    pub(crate) wire: Option<[PieceCode; 64]>,
    pub(crate) turn: Turn,
    pub(crate) image: Image,
    /// The last picture, as the board numbers it, in which both kings stood in the centre for long enough to show a result; no game has begun since.
    pub(crate) centred: Option<[PieceCode; 64]>,
    pub(crate) pace: Pace,
    /// How far the sensors may lag behind the pieces.
    pub(crate) scan_ms: u64,
    asked_for_dump: Option<Mono>,
    /// Dumps that were asked for and did not come, since the last that did.
    missed_dumps: Option<u32>,
    /// Since when the image may be wrong.
    pub(crate) doubt: Option<Mono>,
    /// When a message was lost last, and how many were.
    pub(crate) damage: Option<(Mono, u32)>,
    /// When one was lost without a trace: only a dump told what it had said.
    lost: Option<Mono>,
    /// Squares that a dump told then, and no message of their own since.
    told_late: (Squares, Mono),
    pub(crate) timers: Timers,
}

impl Watcher {
    pub(crate) fn new(settings: &Settings) -> Self {
        let pace = Pace::of(&settings.link);
        Self {
            link: None,
            identity: Identity::default(),
            wire: None,
            turn: Turn::None,
            image: Image::new(Placement::EMPTY),
            centred: None,
            scan_ms: pace.lag_ms(),
            pace,
            asked_for_dump: None,
            missed_dumps: None,
            doubt: None,
            damage: None,
            lost: None,
            told_late: (0, Mono::ZERO),
            timers: Timers::default(),
        }
    }

    /// What the board says of itself: told once the firmware is known, and again only when something changes.
    pub(crate) fn identify(&mut self, message: &Message, settings: &Settings) -> Option<Body> {
        let text = |bytes: &[u8]| Some(bytes.iter().map(|&b| char::from(b)).collect());
        let before = self.identity.clone();
        match message {
            Message::Version { main, sub } => self.identity.firmware = Some(format!("{main}.{sub:02}")),
            Message::SerialNumber(digits) => self.identity.serial = text(digits),
            Message::LongSerialNumber(characters) => self.identity.long_serial = text(characters),
            _ => return None,
        }
        if self.identity.firmware.is_none() || (self.identity.told && self.identity == before) {
            return None;
        }
        self.identity.told = true;
        Some(Body::Identity {
            kind: settings.kind.into(),
            serial: self.identity.long_serial.clone().or_else(|| self.identity.serial.clone()),
            firmware: self.identity.firmware.clone(),
            link: settings.link.clone(),
        })
    }

    /// The link came up or went down; `false`: it is so already.
    pub(crate) fn link_changed(&mut self, state: LinkState) -> bool {
        if self.link == Some(state) {
            return false;
        }
        self.link = Some(state);
        self.asked_for_dump = None;
        true
    }

    /// Whether the whole image is to be asked for now, since the one kept may be wrong.
    pub(crate) fn asks(&mut self, now: Mono) -> bool {
        let asks = self.asked_for_dump.is_none_or(|at| now.since(at) >= ASK_AGAIN_MS);
        if asks {
            self.asked_for_dump = Some(now);
        }
        asks
    }

    /// Nothing was asked for that has not come.
    pub(crate) const fn is_answered(&self) -> bool {
        self.asked_for_dump.is_none()
    }

    /// The dump that was asked for did not come.
    pub(crate) fn missed_dump(&mut self) {
        self.asked_for_dump = None;
        self.missed_dumps = self.missed_dumps.map(|missed| missed.saturating_add(1));
    }

    /// Whether the board gives a dump when it is asked for one.
    pub(crate) fn gives_dumps(&self) -> bool {
        self.missed_dumps.is_some_and(|missed| missed < MISSED)
    }

    /// A message was lost: what it said is unknown until the next dump.
    pub(crate) fn damaged(&mut self, now: Mono) {
        self.doubt = Some(self.doubt.unwrap_or(now));
        self.damage = Some((now, self.damage.map_or(0, |(_, times)| times) + 1));
    }

    fn lost(&self) -> Option<Mono> {
        let (squares, at) = self.told_late;
        if squares == 0 { self.lost } else { Some(at) }
    }

    /// When a message was lost last, whether anything showed it or not.
    pub(crate) fn last_lost(&self) -> Option<Mono> {
        self.lost().max(self.damage.map(|(last, _)| last))
    }

    /// The image came whole, after the link was up all the time or, with `gap`, was not: then only the wire's image is kept, and returned in
    /// chess squares.
    pub(crate) fn dump(&mut self, now: Mono, dump: &[PieceCode; 64], gap: bool) -> Result<Dumped, Placement> {
        let first = self.wire.is_none();
        let asked = self.asked_for_dump.take().is_some_and(|at| now.since(at) < ASK_AGAIN_MS);
        if asked && !first {
            self.missed_dumps = Some(0);
        }
        self.wire = Some(*dump);
        let placement = self.turn.placement(dump);
        if gap {
            return Err(placement);
        }
        // What a lost message would have said happened when it was lost, not now.
        let since = self.doubt.take().unwrap_or(now);
        let (mut dumped, mut contradicted) = (Dumped { changed: first, ..Dumped::default() }, 0);
        for (square, &piece) in placement.0.iter().enumerate() {
            if self.update(since, square, piece, &mut dumped.seen) {
                dumped.changed = true;
                contradicted |= if first { 0 } else { bit(square) };
            }
        }
        self.lost = self.lost();
        self.told_late = (contradicted, now);
        Ok(dumped)
    }

    /// One square was read. `None`: no dump has come yet; else whether the image changed.
    pub(crate) fn field(&mut self, now: Mono, kind: BoardKind, square: WireSquare, piece: PieceCode, seen: &mut Vec<Seen>) -> Option<bool> {
        // The dump was quicker than the message.
        self.told_late.0 &= !bit(self.turn.square(square));
        let wire = self.wire.as_mut()?;
        let known = core::mem::replace(&mut wire[usize::from(square.index())], piece) == piece;
        if let Some(piece) = named(piece).filter(|_| !known && kind == BoardKind::Dgt) {
            self.pace.came_down(now, colour(piece.color));
        }
        Some(self.update(now, self.turn.square(square), piece, seen))
    }

    /// One square reads something else; `false` when it did already.
    fn update(&mut self, at: Mono, square: usize, now: PieceCode, seen: &mut Vec<Seen>) -> bool {
        let was = self.image.placement().0[square];
        let changed = self.image.update(at, square, now);
        if self.image.placement().0[square] != was {
            seen.push(Seen { square, was, now });
        }
        changed
    }

    /// How far the sensors lag, where that is known better now.
    pub(crate) fn lags_anew(&mut self) -> Option<u64> {
        let lag_ms = self.pace.lag_ms();
        (core::mem::replace(&mut self.scan_ms, lag_ms) != lag_ms).then_some(lag_ms)
    }

    /// The player pressed: what shows from now on tells how far the sensors lag.
    pub(crate) const fn pressed(&mut self, at: Mono, by: Colour) {
        self.pace.pressed(at, by);
    }

    /// The start position that stands on the board, whichever way round.
    pub(crate) fn find_start(&self, settings: &Settings) -> Option<Found> {
        let agreed = settings.start_fen.as_deref().and_then(flagfall_hands::position::position_of);
        find_start(self.wire.as_ref()?, agreed.as_ref(), settings.kind != BoardKind::Dgt)
    }

    /// The board stands this way round; what was sensed is forgotten.
    pub(crate) fn turn_to(&mut self, turn: Turn) {
        self.turn = turn;
        if let Some(wire) = &self.wire {
            self.image = Image::new(turn.placement(wire));
        }
    }
}
