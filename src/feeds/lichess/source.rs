//! From the event to the games of one round on Lichess.
use super::round::{Game, Round};
use crate::event_info::{self, Pairing, Tournament};
use crate::pgn::broadcast::{self, Style};
use flagfall_config::lichess::Push;
use flagfall_events::{GameResult, Words};
use flagfall_score::pgn::tag;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// At start: boards come back with their games first. A game with fewer moves than Lichess has would leave a stray line there.
const SETTLE: Duration = Duration::from_secs(3);
/// What changes together goes out together.
const GATHER: Duration = Duration::from_millis(200);

/// Which round of the event goes to one round on Lichess.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    fixed: Option<u32>,
    /// Once it has a move it stays: another round's games would get into its chapters.
    begun: Option<u32>,
}

impl Choice {
    pub(super) const fn new(setting: &Push) -> Self {
        Self { fixed: setting.event_round, begun: None }
    }

    /// The round to send. The second value: another one is playing now, and it is not sent.
    pub(super) fn of<'e>(&mut self, event: &'e Tournament) -> (Option<&'e event_info::Round>, Option<u32>) {
        let number = self.fixed.or(self.begun).unwrap_or(event.current);
        let round = event.round(number);
        let moved = |pairing: &Pairing| pairing.game.as_ref().is_some_and(|game| !game.moves.is_empty());
        if round.is_some_and(|round| round.pairings.iter().any(moved)) {
            self.begun = Some(number);
        }
        (round, (self.fixed.is_none() && number != event.current).then_some(event.current))
    }
}

/// Every board of the round that `setting` asks for, in board order, those that have not begun as well.
pub(super) fn games(event: &Tournament, round: &event_info::Round, setting: &Push) -> Vec<Game> {
    let wanted = |pairing: &&Pairing| {
        let names = [Some(pairing.label.clone()), Some(pairing.number.to_string()), pairing.board.as_deref().map(String::from)];
        setting.boards.as_ref().is_none_or(|boards| names.iter().flatten().any(|name| boards.has(name)))
    };
    let game = |pairing: &Pairing| Game {
        board: pairing.label.as_str().into(),
        pgn: pushed(event, round, pairing).into(),
        finished: pairing.result != GameResult::Open,
    };
    round.pairings.iter().filter(wanted).map(game).collect()
}

/// A game as Lichess is to have it: with federations, and with an id of its own, so that its chapter stays the same when a name is corrected.
fn pushed(event: &Tournament, round: &event_info::Round, pairing: &Pairing) -> String {
    // The line that names the writer is for files.
    let mut pgn = broadcast::game(event, round, pairing, Style::PUSH, false);
    let mut more = String::new();
    for (name, value) in [("WhiteFed", &pairing.white.federation), ("BlackFed", &pairing.black.federation)] {
        if let Some(value) = value {
            tag(&mut more, name, value);
        }
    }
    tag(&mut more, "GameId", &pairing.uuid);
    if let Some(end) = pgn.find("\n\n") {
        pgn.insert_str(end + 1, &more);
    }
    pgn
}

/// Hears that a round is over for Lichess (why, and what to do), or that it is not.
pub(super) type Told = Arc<dyn Fn(Option<Words>) + Send + Sync>;

/// Keeps `rounds` at what the event says until `token` is cancelled.
pub(super) async fn follow(
    setting: Push,
    mut event: watch::Receiver<Arc<Tournament>>,
    rounds: watch::Sender<Round>,
    tell: Told,
    token: CancellationToken,
) {
    let mut choice = Choice::new(&setting);
    let mut pause = SETTLE;
    loop {
        tokio::select! {
            () = token.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        pause = GATHER;
        let now = event.borrow_and_update().clone();
        let (round, other) = choice.of(&now);
        tell(other.map(|number| over(&setting.round, number)));
        let mut games = round.map(|round| games(&now, round, &setting)).unwrap_or_default();
        rounds.send_if_modified(|last| {
            // What did not change is shared: a delay holds many states.
            for (game, old) in games.iter_mut().zip(last.iter()) {
                if game == old {
                    game.clone_from(old);
                }
            }
            let news = **last != games;
            if news {
                *last = Arc::new(games);
            }
            news
        });
        tokio::select! {
            () = token.cancelled() => return,
            changed = event.changed() => if changed.is_err() { return },
        }
    }
}

fn over(lichess: &str, number: u32) -> Words {
    Words::new(
        format!(
            "round {number} is playing and is not sent to Lichess: {lichess} has an earlier one; make the round there and add a [[lichess]] with event_round = {number}, then restart flagfall"
        ),
        format!(
            "идёт тур {number}, но на Lichess он не отправляется: {lichess} занят предыдущим; создайте там тур, добавьте [[lichess]] с event_round = {number} и перезапустите flagfall"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_config::lichess::Boards;
    use flagfall_score::kept::GameRecord;

    fn setting(event_round: Option<u32>, boards: Option<&str>) -> Push {
        Push {
            round: String::from("xVEzYJHf"),
            token_file: "/t".into(),
            event_round,
            boards: boards.and_then(Boards::parse),
            base_url: String::from("https://lichess.org"),
            delay: flagfall_config::delay::OwnDelay::default(),
            interval: Duration::from_secs(1),
        }
    }

    fn record(moves: &str) -> Arc<GameRecord> {
        let moves: Vec<_> = moves
            .split_whitespace()
            .map(|san| serde_json::json!({ "by": "white", "san": san, "uci": "e2e4", "clk": 5400, "emt": 3 }))
            .collect();
        let record = serde_json::json!({ "board": "1", "chess960": false, "moves": moves, "result": "*" });
        Arc::new(serde_json::from_value(record).unwrap())
    }

    fn event(current: u32, begun: &[u32]) -> Tournament {
        let pairing = |round: u32, number: u32| Pairing {
            number,
            uuid: format!("{round}-{number}"),
            label: number.to_string(),
            board: Some(number.to_string().into()),
            white: crate::players::Player {
                federation: Some(String::from("NOR")),
                ..crate::players::Player::named("Carlsen, Magnus").unwrap()
            },
            black: crate::players::Player::named("Nepomniachtchi, Ian").unwrap(),
            result: GameResult::Open,
            live: begun.contains(&round),
            game: begun.contains(&round).then(|| record("e4")),
        };
        let round = |n: u32| event_info::Round { number: n, date: None, pairings: (1..=3).map(|m| pairing(n, m)).collect() };
        Tournament { name: String::from("Open"), rounds: (1..=3).map(round).collect(), current, ..Tournament::default() }
    }

    #[test]
    fn a_round_that_has_begun_stays_and_the_next_one_is_told() {
        let mut choice = Choice::new(&setting(None, None));
        let number = |choice: &mut Choice, event: &Tournament| {
            let (round, other) = choice.of(event);
            (round.map(|round| round.number), other)
        };
        assert_eq!(number(&mut choice, &event(1, &[])), (Some(1), None));
        assert_eq!(number(&mut choice, &event(2, &[])), (Some(2), None), "nothing was played in round 1");
        assert_eq!(number(&mut choice, &event(2, &[2])), (Some(2), None));
        assert_eq!(number(&mut choice, &event(3, &[2, 3])), (Some(2), Some(3)));
        let mut fixed = Choice::new(&setting(Some(1), None));
        assert_eq!(number(&mut fixed, &event(3, &[2, 3])), (Some(1), None));
    }

    #[test]
    fn every_board_in_order_without_thinking_times_or_broken_lines() {
        let event = event(1, &[1]);
        let games = games(&event, &event.rounds[0], &setting(None, None));
        let boards: Vec<_> = games.iter().map(|game| game.board.as_ref()).collect();
        assert_eq!(boards, ["1", "2", "3"]);
        for (game, n) in games.iter().zip(1..) {
            assert!(game.pgn.contains(&format!("[Round \"1.{n}\"]")) && game.pgn.contains("[White \"Carlsen, Magnus\"]"), "{}", game.pgn);
            assert!(game.pgn.contains(&format!("[WhiteFed \"NOR\"]\n[GameId \"1-{n}\"]\n\n")), "{}", game.pgn);
            assert!(!game.pgn.contains("%emt") && !game.pgn.contains("ePGN") && !game.pgn.contains("ReferenceTime"), "{}", game.pgn);
            assert!(game.pgn.contains("[WhiteClock \"01:30:00\"]") && !game.pgn.contains("BlackClock"), "{}", game.pgn);
            assert!(game.pgn.contains(" {[%clk 1:30:00]}") || game.pgn.contains(" {[%clk 01:30:00]}"), "{}", game.pgn);
        }
    }

    #[test]
    fn some_boards_only() {
        let event = event(1, &[1]);
        let games = games(&event, &event.rounds[0], &setting(None, Some("2-9")));
        assert_eq!(games.iter().map(|game| game.board.as_ref()).collect::<Vec<_>>(), ["2", "3"]);
    }
}
