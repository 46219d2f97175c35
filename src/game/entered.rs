//! What arbiters and operators enter.
use super::Game;
use super::entry::{Entry, Order};
use super::event::{Body, ResultSource};
use super::placement::Placement;
use super::position::Position;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;

impl Game {
    /// Why an entry cannot be carried out, if it cannot.
    pub fn refusal(&self, entry: &Entry) -> Option<String> {
        match &entry.order {
            Order::SetPosition { fen } if position_of(fen).is_none() => Some(format!("{fen:?} is no position in FEN")),
            Order::Rule { finding, .. } if !self.findings.is_known(*finding) => Some(format!("there is no finding {finding}")),
            _ => None,
        }
    }

    /// An arbiter or operator says so.
    pub(super) fn entered(&mut self, entry: &Entry) {
        if self.refusal(entry).is_some() {
            return;
        }
        if let Ok(serde_json::Value::Object(mut rest)) = serde_json::to_value(entry) {
            let name = rest.remove("do").and_then(|v| v.as_str().map(String::from)).unwrap_or_default();
            if !matches!(entry.order, Order::Stop {} | Order::Restart {} | Order::Arrived { .. }) {
                self.say(Body::Ruling { r#do: name, rest });
            }
        }
        match &entry.order {
            Order::Result { result, reason } if self.play.as_ref().is_some_and(|p| !p.over) => {
                let reason = reason.clone().unwrap_or_else(|| String::from("entered"));
                self.over(*result, &reason, None, ResultSource::Operator);
            }
            Order::NewGame {} => {
                self.play = None;
                self.try_start();
            }
            Order::SetPosition { fen } => self.set_position(fen),
            Order::Rule { finding, decision, clock } => self.rule(*finding, *decision, *clock),
            Order::SetClock { clock } => {
                self.ruled_clock(*clock);
                self.judge_again();
            }
            Order::Penalty { clock: Some(clock), .. } => self.ruled_clock(*clock),
            _ => {}
        }
    }

    pub(super) fn set_position(&mut self, fen: &str) {
        let Some((position, chess960)) = position_of(fen) else { return };
        let placement = Placement::of(position.board()).fen();
        // What was played in a gap is not looked for any more: the position is known.
        self.recovering = false;
        match self.play.as_mut().filter(|p| !p.over) {
            Some(play) => play.set_position(position),
            None => self.start(position, chess960),
        }
        self.say(Body::Placement { placement, settled: true });
        self.look();
    }
}

/// A position from FEN, whether it is legal chess or only stands; castling rights that only Chess960 knows make it Chess960.
pub(super) fn position_of(fen: &str) -> Option<(Position, bool)> {
    let setup = fen.parse::<Fen>().ok()?.into_setup();
    let chess960 = CastlingMode::detect(&setup) == CastlingMode::Chess960;
    Some((Position::of_setup(setup), chess960))
}
