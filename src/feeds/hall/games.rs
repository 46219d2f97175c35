//! Games for machines that know none of their board: a Pi with an empty card, or another one in its place, asks which game the board has.
use super::house::House;
use crate::nats::takeover::WHO;
use crate::nats::wire::{self, GameAnswer, GameAsked};
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::{Client, HeaderMap, jetstream};
use flagfall_events::{Entry, Order, ResultSource, TakenResult};
use flagfall_score::board::BoardState;
use flagfall_score::pgn::pgn;
use flagfall_web::stage::json;
use futures_util::StreamExt as _;
use std::sync::Arc;
use std::time::Duration;

/// One of the halls answers.
const GROUP: &str = "halls";
/// How long the server may take to say what time it has.
const PATIENCE: Duration = Duration::from_secs(2);

/// Answers for as long as it can; why it ended.
pub(super) async fn run(house: Arc<House>, client: Client) -> String {
    let asked = client.queue_subscribe(house.names.game("*"), String::from(GROUP)).await;
    let mut asked = match asked {
        Ok(asked) => asked,
        Err(error) => return format!("what Pis ask: {error}"),
    };
    while let Some(message) = asked.next().await {
        let Some(reply) = message.reply.filter(|reply| house.names.is_answer(reply)) else { continue };
        let board = message.subject.strip_suffix(".game").and_then(|rest| wire::name(rest.rsplit('.').next()?));
        let (Some(board), Ok(GameAsked { number, pi })) = (board, serde_json::from_slice(&message.payload)) else { continue };
        let answer = answer(&house, &board, number, &pi);
        tracing::info!(
            "board {board}: its machine asks for its game: {}",
            if matches!(answer, GameAnswer::Game(_)) { "given" } else { "none, or later" }
        );
        // Who asked may be gone, and asks again.
        let mut headers = HeaderMap::new();
        if matches!(answer, GameAnswer::Game(_))
            && let Some(quiet_ms) = quiet_ms(&house, &client, &board).await
        {
            headers.insert(wire::QUIET, quiet_ms.to_string());
        }
        _ = client.publish_with_headers(reply, headers, json(&answer).into()).await;
    }
    String::from("what Pis ask: the subscription ended")
}

/// How long ago the stream had its last message of the board, milliseconds by the clock of a server that keeps it; `None` where it does not say. What it makes
/// has the time of now, and ends by itself.
async fn quiet_ms(house: &House, client: &Client, board: &str) -> Option<u64> {
    let published = house.known().boards.get(board)?.published;
    let config = pull::Config {
        deliver_policy: DeliverPolicy::New,
        ack_policy: AckPolicy::None,
        inactive_threshold: PATIENCE,
        memory_storage: true,
        ..pull::Config::default()
    };
    let jetstream = jetstream::new(client.clone());
    let made = jetstream.create_consumer_on_stream(config, house.names.stream());
    let consumer = tokio::time::timeout(PATIENCE, made).await.ok()?.ok()?;
    let now = i64::try_from(consumer.cached_info().created.unix_timestamp_nanos() / 1_000_000).ok()?;
    u64::try_from(now.saturating_sub(published)).ok()
}

fn answer(house: &House, board: &str, number: u64, pi: &str) -> GameAnswer {
    let now = house.stopwatch.now().millis();
    let from = {
        let known = house.known();
        // A machine that has the board may not have been heard yet.
        let early = now.saturating_sub(known.listens) < wire::PRESENCE_TTL_S * 1_000;
        let others = known.boards.get(board).is_some_and(|seat| *seat.pi != *pi);
        if known.position < number || !*house.caught_up.borrow() || (early && others) {
            return GameAnswer::Later {};
        }
        if let Some(by) = known.serves(board).filter(|by| &***by != pi) {
            let by = known.pis.get(by).map_or_else(|| String::from(&**by), |pi| String::from(&*pi.name));
            return GameAnswer::Served { by };
        }
        known.boards.get(board).map(|seat| wire::name(&seat.pi).unwrap_or_else(|| String::from(&*seat.pi))).unwrap_or_default()
    };
    let entry = house.hub().arbiters().look(board, |office| entry(office.state().board(), &from)).flatten();
    entry.map_or(GameAnswer::None {}, |entry| GameAnswer::Game(Box::new(entry)))
}

/// What takes a board's game over; `None`: it has none.
fn entry(state: &BoardState, from: &str) -> Option<Entry> {
    let game = state.game();
    let ended = state.is_over().then(|| TakenResult {
        result: game.result,
        reason: game.reason.clone().unwrap_or_default(),
        source: state.ended().unwrap_or(ResultSource::Operator),
    });
    let order = Order::TakeOver { game: game.number?, began: game.started_at, pgn: pgn(state, &[]), ended };
    let note = format!("as {from} published it; there was no journal of this board here");
    Some(Entry { who: Some(String::from(WHO)), note: Some(note), ..Entry::new(order) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_events::{Colour, Event, GameResult, Mono, Wall};
    use serde_json::json;

    fn event(seq: u64, body: serde_json::Value) -> Event {
        let mut whole = json!({"seq": seq, "t": seq, "at": Wall::EPOCH.after(Mono::from_millis(seq)), "board": "1", "game": 4});
        whole.as_object_mut().unwrap().append(body.as_object().cloned().as_mut().unwrap());
        serde_json::from_value(whole).unwrap()
    }

    #[test]
    fn a_board_without_a_game_has_none_and_one_with_a_game_gives_its_plies_with_their_clocks() {
        let mut state = BoardState::new("1".into());
        assert_eq!(entry(&state, "pi-3"), None);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        state.apply(&event(
            1,
            json!({"type": "game-start", "fen": start, "rules": "fide-2023", "play": "rapid", "time_control": "900+10", "chess960": false}),
        ));
        let by = Colour::White;
        state.apply(&event(
            2,
            json!({"type": "move-made", "ply": 1, "by": by, "uci": "e2e4", "san": "e4", "legal": true, "provisional": true,
            "placement": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"}),
        ));
        let clock = json!({"white_ms": 905_000, "black_ms": 900_000});
        state.apply(&event(3, json!({"type": "move-completed", "ply": 1, "by": by, "uci": "e2e4", "san": "e4", "legal": true, "how": "press", "clock": clock})));
        let Order::TakeOver { game, began, pgn, ended } = entry(&state, "pi-3").unwrap().order else { panic!("another order") };
        assert_eq!((game, began, ended), (4, Some(Wall::EPOCH.after(Mono::from_millis(1))), None));
        assert!(pgn.contains("1. e4 {[%clk 0:15:05]}"), "{pgn}");
        state.apply(&event(4, json!({"type": "result", "result": "1-0", "reason": "resigns", "source": "operator"})));
        let Order::TakeOver { ended, .. } = entry(&state, "pi-3").unwrap().order else { panic!("another order") };
        assert_eq!(ended.map(|ended| ended.result), Some(GameResult::WhiteWins));
    }
}
