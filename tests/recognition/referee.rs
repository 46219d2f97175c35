//! What must hold in every stream of events, whatever was on the board.
use flagfall_events::{Body, Colour, Event};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position, san::SanPlus};

struct Made {
    uci: String,
    completed: bool,
}

/// Follows a stream of events with a game of its own.
#[derive(Default)]
pub(crate) struct Referee {
    chess960: bool,
    /// The position before the first ply and after each.
    positions: Vec<Chess>,
    made: Vec<Made>,
    over: bool,
}

impl Referee {
    /// The first thing that is wrong.
    pub(crate) fn judge(events: &[Event]) -> Result<(), String> {
        let mut referee = Self::default();
        let mut t = 0;
        for (i, event) in events.iter().enumerate() {
            if event.seq != i as u64 + 1 {
                return Err(format!("seq {} where {} is due", event.seq, i + 1));
            }
            if event.t.millis() < t {
                return Err(format!("seq {}: time goes back from {t} to {}", event.seq, event.t.millis()));
            }
            t = event.t.millis();
            referee.follow(&event.body).map_err(|wrong| format!("seq {}: {wrong}", event.seq))?;
        }
        Ok(())
    }

    fn follow(&mut self, body: &Body) -> Result<(), String> {
        match body {
            Body::GameStart { fen, chess960, .. } => {
                self.chess960 = *chess960;
                self.positions = vec![self.position(fen)?];
                (self.made, self.over) = (Vec::new(), false);
            }
            Body::Ruling(ruling) => {
                let Some(fen) = ruling.sets_position() else { return Ok(()) };
                let position = self.position(fen)?;
                if let Some(top) = self.positions.last_mut() {
                    *top = position;
                }
            }
            Body::MoveMade { ply, by, uci, san, legal: true, placement, .. } => {
                self.is_next(*ply)?;
                let wanted = self.play(uci, san.as_deref())?;
                self.made.push(Made { uci: uci.clone(), completed: false });
                if wanted.0 != *placement || wanted.1 != *by {
                    return Err(format!("{uci} is {:?}'s and leads to {}, not {by:?}'s to {placement}", wanted.1, wanted.0));
                }
            }
            Body::MoveRevised { uci, was, .. } if uci == was => {}
            Body::MoveRevised { ply, uci, was, san, .. } => {
                self.take_back(*ply, was)?;
                self.play(uci, san.as_deref())?;
                self.made.push(Made { uci: uci.clone(), completed: false });
            }
            Body::MoveWithdrawn { ply, uci } => self.take_back(*ply, uci)?,
            Body::MoveCompleted { ply, uci, legal: true, .. } => {
                let made = self.made.get_mut(*ply as usize - 1).filter(|made| made.uci == *uci && !made.completed);
                let Some(made) = made else { return Err(format!("ply {ply} {uci} is completed but was not made, or twice")) };
                made.completed = true;
                if self.over {
                    return Err(format!("ply {ply} {uci} is completed after the result"));
                }
            }
            Body::MoveMade { uci, .. } | Body::MoveCompleted { uci, .. } => return Err(format!("{uci} is called illegal")),
            Body::Result { .. } if self.over => return Err(String::from("a second result")),
            Body::Result { .. } => self.over = true,
            _ => {}
        }
        Ok(())
    }

    fn position(&self, fen: &str) -> Result<Chess, String> {
        let mode = if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let fen: Fen = fen.parse().map_err(|_| format!("{fen} is no fen"))?;
        fen.into_position(mode).map_err(|error| format!("{error}"))
    }

    fn is_next(&self, ply: u32) -> Result<(), String> {
        if self.over {
            return Err(format!("ply {ply} is made after the result"));
        }
        let due = self.made.len() + 1;
        if ply as usize == due { Ok(()) } else { Err(format!("ply {ply} is made where {due} is due")) }
    }

    /// The placement after the move, and whose move it was.
    fn play(&mut self, uci: &str, san: Option<&str>) -> Result<(String, Colour), String> {
        let before = self.positions.last().ok_or("a move without a game")?;
        let parsed: UciMove = uci.parse().map_err(|_| format!("{uci} is no move"))?;
        let mv = parsed.to_move(before).map_err(|_| format!("{uci} is not legal"))?;
        let mode = if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        if mv.to_uci(mode).to_string() != uci {
            return Err(format!("{uci} is written another way"));
        }
        let by = if before.turn().is_white() { Colour::White } else { Colour::Black };
        let wanted = SanPlus::from_move(before.clone(), mv).to_string();
        if san != Some(wanted.as_str()) {
            return Err(format!("{uci} is {wanted}, not {san:?}"));
        }
        let mut after = before.clone();
        after.play_unchecked(mv);
        let placement = after.board().to_string();
        self.positions.push(after);
        Ok((placement, by))
    }

    fn take_back(&mut self, ply: u32, uci: &str) -> Result<(), String> {
        let last = self.made.pop().ok_or("there is no move to change")?;
        if self.made.len() + 1 != ply as usize || last.uci != uci {
            return Err(format!("ply {ply} {uci} is changed, the last one is {}", last.uci));
        }
        if last.completed {
            return Err(format!("ply {ply} {uci} was completed and is changed"));
        }
        if self.over {
            return Err(format!("ply {ply} {uci} is changed after the result"));
        }
        self.positions.pop();
        Ok(())
    }
}

#[test]
fn the_referee_sees_what_is_wrong() {
    let events = super::rig::Hand::new(super::rig::START).moves("e2e4 e7e5").report().events;
    assert_eq!(Referee::judge(&events), Ok(()));
    let spoilt = |spoil: &dyn Fn(&mut Event)| {
        let mut events = events.clone();
        events.iter_mut().for_each(spoil);
        Referee::judge(&events).is_err()
    };
    assert!(spoilt(&|event| event.seq += 1));
    assert!(spoilt(&|event| event.t = flagfall_events::Mono::from_millis(10_000 - event.t.millis().min(10_000))));
    let on_ply_2 = |body: &mut Body, becomes: Body| {
        if matches!(body, Body::MoveCompleted { ply: 2, .. }) {
            *body = becomes;
        }
    };
    let (uci, was) = (String::from("e7e6"), String::from("e7e5"));
    // Another move than the one made, a revision that leads to no legal move's name, and a withdrawal of a completed move.
    assert!(spoilt(&|event| {
        if let Body::MoveCompleted { ply: 2, uci, .. } = &mut event.body {
            *uci = String::from("e7e6");
        }
    }));
    assert!(spoilt(&|event| {
        if let Body::MoveMade { ply: 2, uci, .. } = &mut event.body {
            *uci = String::from("e7e4");
        }
    }));
    let (uci, was) = (uci.clone(), was.clone());
    let revised = Body::MoveRevised { ply: 2, uci, was, san: None, clock: None, spent_ms: None };
    assert!(spoilt(&|event| on_ply_2(&mut event.body, revised.clone())));
    assert!(spoilt(&|event| on_ply_2(&mut event.body, Body::MoveWithdrawn { ply: 1, uci: String::from("e2e4") })));
}
