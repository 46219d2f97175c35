//! Why an entry cannot be carried out.
use crate::recogniser::choice::choice_refusal;
use crate::recogniser::promoted::promotion_refusal;
use crate::referee::scene::Scene;
use crate::referee::state::Referee;
use alloc::format;
use alloc::string::{String, ToString};
use flagfall_events::{Entry, Key, Order};
use flagfall_hands::position::{has_two_kings, position_of};

/// The most that a clock shows, milliseconds.
const LONGEST_MS: i64 = 359_999_000;

impl Scene<'_> {
    /// Why an entry cannot be carried out, if it cannot.
    pub(crate) fn refusal(&self, referee: &Referee, entry: &Entry) -> Option<String> {
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
            Order::SetPosition { fen } => match position_of(fen) {
                None => Some(format!("{fen:?} is no position in FEN")),
                Some((position, _)) if !has_two_kings(&position) => {
                    Some(String::from("a position has two kings, a white one and a black one; put both into the FEN"))
                }
                Some(_) => None,
            },
            Order::Rule { finding, .. } if !referee.findings.is_known(*finding) => Some(format!("there is no finding {finding}")),
            Order::Rule { finding, decision, result, .. } => self.ruling_refusal(referee, *finding, *decision, *result),
            Order::Report { key, by } => match key.as_str().parse::<Key>() {
                Err(unknown) => Some(unknown.to_string()),
                Ok(Key::ColoursReversed) => None,
                Ok(key) if by.is_none() => Some(format!("{key} wants \"by\": the offender, \"white\" or \"black\"")),
                Ok(_) => None,
            },
            Order::Promote { piece, ply } => promotion_refusal(self.play, *piece, *ply),
            Order::Choose { ply, uci } => choice_refusal(self.play, *ply, uci),
            Order::Result { game, .. } => self.no_such_game(*game),
            _ => None,
        }
    }

    /// Why there is no game of this number, if there is none.
    fn no_such_game(&self, game: Option<u32>) -> Option<String> {
        let (standing, last) = (self.play.map(|_| self.spoken_of), self.last_begun);
        let newest = standing.max(last);
        let game = game?;
        match newest {
            None => Some(format!("there is no game {game} on this board: none has begun yet")),
            Some(newest) if game == 0 || game > newest => {
                Some(format!("there is no game {game} on this board: games count from 1, and the last one is {newest}"))
            }
            Some(_) => None,
        }
    }
}
