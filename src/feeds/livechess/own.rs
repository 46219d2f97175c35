//! A position that a client set up and that stands on the board, but does not belong to the game: it is played on from there for this one
//! feed, by the same recognition, without a clock. The board's own game never hears of it.
//!
//! Pure.
use dgt_protocol::message::Message;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Body, Entry, Event, LinkState, Mono, Order, Wall};
use flagfall_game::settings::{ClockWhite, Settings};
use flagfall_game::{Game, Input, Output};
use flagfall_score::livechess::squares;
use flagfall_score::sheet::ScoreSheet;
use std::fmt;
use std::sync::Arc;

/// Dumps that are handed on for one input at most.
const PATIENCE: usize = 8;

/// A game beside the game.
pub(crate) struct Own {
    game: Game,
    placement: Arc<str>,
    /// What was played.
    sheet: ScoreSheet,
    events: u64,
    last: Mono,
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Own").field("plies", &self.sheet.plies()).finish_non_exhaustive()
    }
}

impl Own {
    /// Begins at `fen`, which stands on the board: `placement`.
    pub(crate) fn new(t: Mono, fen: &str, placement: &Arc<str>) -> Self {
        let game = Game::new(Settings { clock_white: ClockWhite::None, ..Settings::default() });
        let mut own = Self { game, placement: placement.clone(), sheet: ScoreSheet::default(), events: 0, last: t };
        own.handle(t, Input::Link(LinkState::Up, None));
        let order = Order::SetPosition { fen: String::from(fen) };
        own.handle(t, Input::Entry(Entry::new(order)));
        own.dump(t);
        own
    }

    /// What stands on the board now.
    pub(crate) fn stands(&mut self, t: Mono, placement: &Arc<str>) {
        self.expire(t);
        if self.placement != *placement {
            self.placement = placement.clone();
            self.dump(t);
        }
    }

    /// When to call [`Own::expire`] if nothing else happens.
    pub(crate) fn deadline(&self) -> Option<Mono> {
        self.game.deadline()
    }

    /// Everything that waited for a moment up to `t`.
    pub(crate) fn expire(&mut self, t: Mono) {
        let t = t.max(self.last);
        let mut fired = None;
        while let Some(due) = self.game.deadline().filter(|due| *due <= t && fired < Some(*due)) {
            fired = Some(due);
            self.handle(due.max(self.last), Input::Timeout);
        }
        self.last = t;
    }

    /// What was played.
    pub(crate) const fn sheet(&self) -> &ScoreSheet {
        &self.sheet
    }

    /// What stands on the board.
    pub(crate) fn placement(&self) -> &str {
        &self.placement
    }

    fn dump(&mut self, t: Mono) {
        self.handle(t.max(self.last), Input::Message(Message::BoardDump(Box::new(fields(&self.placement)))));
    }

    fn handle(&mut self, t: Mono, input: Input) {
        self.last = t;
        let mut inputs = vec![input];
        for _ in 0..PATIENCE {
            let Some(input) = inputs.pop() else { return };
            self.game.handle(t, input);
            let mut asked = false;
            while let Some(output) = self.game.poll() {
                match output {
                    Output::Event { game, body, .. } => self.take(t, game, body),
                    Output::Command(command) => asked |= command == dgt_protocol::command::Command::SendBoard,
                    Output::Question(_) => {}
                }
            }
            if asked {
                inputs.push(Input::Message(Message::BoardDump(Box::new(fields(&self.placement)))));
            }
        }
    }

    fn take(&mut self, t: Mono, game: Option<u32>, body: Body) {
        self.events += 1;
        self.sheet.take(&Event { seq: self.events, t, at: Wall::EPOCH.after(t), board: Arc::from(""), game, body });
    }
}

/// The 64 fields as a board sends them: a8 first.
fn fields(placement: &str) -> [PieceCode; 64] {
    let mut fields = [PieceCode::Empty; 64];
    for (field, piece) in fields.iter_mut().zip(squares(placement)) {
        *field = match piece {
            'P' => PieceCode::WhitePawn,
            'N' => PieceCode::WhiteKnight,
            'B' => PieceCode::WhiteBishop,
            'R' => PieceCode::WhiteRook,
            'Q' => PieceCode::WhiteQueen,
            'K' => PieceCode::WhiteKing,
            'p' => PieceCode::BlackPawn,
            'n' => PieceCode::BlackKnight,
            'b' => PieceCode::BlackBishop,
            'r' => PieceCode::BlackRook,
            'q' => PieceCode::BlackQueen,
            'k' => PieceCode::BlackKing,
            _ => PieceCode::Empty,
        };
    }
    fields
}
