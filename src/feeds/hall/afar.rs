//! Questions about a board, carried to the machine that has it.
use super::house::House;
use super::orders::is_away;
use crate::nats::wire::{Answer, Inquiry};
use async_nats::client::Request;
use flagfall_web::boards::asked::{Answering, Question, Reply, Unanswered};
use flagfall_web::stage::json;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// A film is cut, or a report written, within this; a move is explained within twelve seconds.
const PATIENCE: Duration = Duration::from_secs(14);

/// Asks boards' machines as long as there is this house.
pub(super) fn asking(house: &Arc<House>) -> Answering {
    let house = Arc::downgrade(house);
    Arc::new(move |board, question| Box::pin(ask(house.clone(), board, question)))
}

async fn ask(house: Weak<House>, board: String, ask: Question) -> Result<Reply, Unanswered> {
    let away = |reason: &str| Unanswered { reason: String::from(reason), hint: String::from("try again when the board's Pi is heard") };
    let house = house.upgrade().ok_or_else(|| away("flagfall is about to end"))?;
    let broker = house.broker.borrow().clone().ok_or_else(|| away("the broker does not answer"))?;
    if is_away(&house, &board) {
        return Err(away("the board's Pi is away, and what was asked is there"));
    }
    let request = Request::new().payload(json(&Inquiry { ask }).into()).timeout(Some(PATIENCE));
    let answer = broker.client.send_request(house.names.order(&board), request).await;
    let answer = answer.map_err(|_| away("the board's Pi does not answer"))?;
    match serde_json::from_slice::<Answer>(&answer.payload) {
        Ok(Answer::Told(reply)) => Ok(*reply),
        Ok(Answer::Refused { reason, hint, .. }) => Err(Unanswered { reason, hint }),
        Ok(Answer::Later { reason }) => Err(away(&reason)),
        Ok(Answer::Taken { .. } | Answer::Previewed(_)) | Err(_) => Err(away("the board's Pi answers something else")),
    }
}
