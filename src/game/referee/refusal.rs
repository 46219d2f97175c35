//! Why an entry cannot be carried out.
use crate::pgn;
use crate::recogniser::choice::choice_refusal;
use crate::recogniser::play::Play;
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
            Order::Moves { pgn } => self.moves_refusal(pgn),
            Order::TakeOver { game, pgn, .. } => self.take_over_refusal(*game, pgn),
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

    /// Why a record cannot be restored from this PGN.
    fn moves_refusal(&self, pgn: &str) -> Option<String> {
        let written = match pgn::read(pgn) {
            Ok(written) => written,
            Err(why) => return Some(format!("the moves cannot be read: {why}")),
        };
        if self.unsaid && !self.supposed {
            return Some(String::from(
                "the pieces of another game are set up on this board; a record is restored while its own game stands there",
            ));
        }
        let elsewhere = |play: &&Play| play.over && play.standing(&written).is_none();
        self.play.filter(elsewhere).map(|_| {
            String::from("the game is over and began in another position; take its result back (result *), then enter the moves again")
        })
    }

    /// Why no other machine's game can go on here.
    fn take_over_refusal(&self, game: u32, pgn: &str) -> Option<String> {
        if let Some(known) = self.last_begun.filter(|known| game < *known) {
            return Some(format!("this board is at game {known} here, and games count on"));
        }
        if game == 0 {
            return Some(String::from("games count from 1"));
        }
        pgn::read_any(pgn).err().map(|why| format!("the moves cannot be read: {why}"))
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
