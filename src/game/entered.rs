//! What arbiters and operators enter.
use super::entry::{Entry, Order};
use super::event::{Body, ResultSource};
use super::placement::Placement;
use super::position::Position;
use super::ruled::Ruling;
use super::{Game, resigned};
use crate::rulebook::Key;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;

/// The reason of a result that was entered without one.
const ENTERED: &str = "entered";
/// The most that a clock shows, milliseconds.
const LONGEST_MS: i64 = 359_999_000;

impl Game {
    /// Why an entry cannot be carried out, if it cannot.
    pub fn refusal(&self, entry: &Entry) -> Option<String> {
        let clock = match &entry.order {
            Order::Rule { clock, .. } | Order::Penalty { clock, .. } => *clock,
            Order::SetClock { clock } => Some(*clock),
            _ => None,
        };
        let shown = 0..=LONGEST_MS;
        if clock.is_some_and(|clock| !shown.contains(&clock.white_ms) || !shown.contains(&clock.black_ms)) {
            return Some(format!("a clock shows 0 to {LONGEST_MS} milliseconds, 99:59:59"));
        }
        match &entry.order {
            Order::SetPosition { fen } if position_of(fen).is_none() => Some(format!("{fen:?} is no position in FEN")),
            Order::Rule { finding, .. } if !self.findings.is_known(*finding) => Some(format!("there is no finding {finding}")),
            Order::Rule { finding, decision, result, .. } => self.ruling_refusal(*finding, *decision, *result),
            Order::Report { key, by } => match key.parse::<Key>() {
                Err(unknown) => Some(unknown.to_string()),
                Ok(Key::ColoursReversed) => None,
                Ok(key) if by.is_none() => Some(format!("{key} wants \"by\": the offender, \"white\" or \"black\"")),
                Ok(_) => None,
            },
            Order::Promote { piece, ply } => self.promotion_refusal(*piece, *ply),
            Order::Result { game: Some(game), .. } if *game == 0 || *game > self.number => {
                Some(format!("there is no game {game} on this board: games count from 1, and the last one is {}", self.number))
            }
            _ => None,
        }
    }

    /// An arbiter or operator says so.
    pub(super) fn entered(&mut self, entry: &Entry) {
        if self.refusal(entry).is_some() {
            return;
        }
        let echo = match serde_json::to_value(entry) {
            Ok(serde_json::Value::Object(mut rest)) => {
                let name = rest.remove("do").and_then(|v| v.as_str().map(String::from)).unwrap_or_default();
                // The event itself says which game it is about.
                rest.remove("game");
                Some(Body::Ruling { r#do: name, rest })
            }
            _ => None,
        };
        let earlier = match entry.order {
            Order::Result { game, .. } => game.filter(|game| *game < self.number),
            _ => None,
        };
        if let Some(game) = earlier {
            echo.into_iter().for_each(|echo| self.say_of(game, echo));
            self.result_of_earlier(game, &entry.order);
            return;
        }
        if let (Order::Report { key, by }, Some(echo)) = (&entry.order, &echo) {
            if let Ok(key) = key.parse::<Key>() {
                self.report(key, *by, echo.clone());
            }
            return;
        }
        if !matches!(entry.order, Order::Stop {} | Order::Restart {} | Order::Arrived { .. }) {
            self.say_all(echo.into_iter().collect());
        }
        self.carry_out_order(&entry.order);
    }

    /// The result of a game after which another has begun: nothing of the game in progress is touched.
    fn result_of_earlier(&mut self, game: u32, order: &Order) {
        let Order::Result { result, reason, .. } = order else { return };
        let reason = reason.clone().unwrap_or_else(|| String::from(ENTERED));
        self.say_of(game, Body::Result { result: *result, reason, article: None, source: ResultSource::Operator });
    }

    fn carry_out_order(&mut self, order: &Order) {
        self.clock.entered(self.now, order);
        match order {
            // A result may be entered again to correct it.
            Order::Result { result, reason, .. } if self.play.is_some() => {
                let reason = reason.clone().unwrap_or_else(|| String::from(ENTERED));
                self.over(*result, &reason, None, ResultSource::Operator);
                self.result_by(*result, resigned::says_so(&reason));
            }
            Order::NewGame {} => {
                self.forget_the_unread();
                self.clear_away();
                self.try_start();
            }
            Order::SetPosition { fen } => self.set_position(fen),
            Order::Rule { finding, decision, clock, result } => {
                self.rule(*finding, &Ruling { decision: *decision, clock: *clock, result: *result });
            }
            Order::SetClock { clock } => {
                self.ruled_clock(*clock);
                self.judge_again();
            }
            Order::Penalty { clock, .. } => {
                if let Some(clock) = clock {
                    self.ruled_clock(*clock);
                }
                self.penalty_entered();
            }
            Order::Promote { piece, ply } => self.promotion_answered(*piece, *ply),
            Order::Assistant { by } => self.assist(*by),
            Order::Count { by } => self.count_moves(*by),
            Order::Flag { by } => self.flag_entered(*by),
            _ => {}
        }
    }

    pub(super) fn set_position(&mut self, fen: &str) {
        let Some((position, chess960)) = position_of(fen) else { return };
        let placement = Placement::of(position.board()).fen();
        // What was played in a gap is not looked for any more: the position is known.
        self.recovering = false;
        self.forget_the_unread();
        match self.play.as_mut().filter(|p| !p.over) {
            Some(play) => {
                play.set_position(position);
                self.image.look_at_all();
            }
            None => self.start(position, chess960),
        }
        self.say(Body::Placement { placement, settled: true });
        self.restoring = self.play.as_ref().is_some_and(|p| p.expected() != self.image.as_read());
        self.look();
    }
}

/// A position from FEN, whether it is legal chess or only stands; castling rights that only Chess960 knows make it Chess960.
pub(super) fn position_of(fen: &str) -> Option<(Position, bool)> {
    let setup = fen.parse::<Fen>().ok()?.into_setup();
    let chess960 = CastlingMode::detect(&setup) == CastlingMode::Chess960;
    Some((Position::of_setup(setup), chess960))
}
