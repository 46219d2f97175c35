//! Rings as they arrive on somebody's telephone: a double of ntfy that keeps what it is sent.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may")]
pub(crate) mod double;
mod push;

use double::Double;
use flagfall::feeds::ringing::{self, Carry, Pace};
use flagfall::feeds::webhook::Alerting;
use flagfall::web::going::Going;
use flagfall::web::hub::Hub;
use flagfall_config::Config;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Rulings ring again at once, and tests wait for nothing else.
const PACE: Pace = Pace { look: Duration::from_millis(20), again_ms: 100 };

fn say(hub: &Hub, board: &str, seq: u64, body: &Value) {
    let mut event = json!({"seq": seq, "t": seq * 10, "at": "2026-01-02T03:04:05Z", "board": board});
    event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
    hub.publish(Arc::new(serde_json::from_value(event).unwrap()));
}

fn illegal(hub: &Hub, board: &str, seq: u64, facts: &Value) {
    let finding = json!({"type": "finding", "id": seq, "key": "illegal-move", "article": "7.5.1", "rules": "fide-2023", "by": "white", "grade": "ruling",
        "summary": {"en": "Ra3: the rook cannot pass a2.", "ru": "Лa3: ладья не может пройти a2."}, "facts": facts, "evidence": [1, 2]});
    say(hub, board, seq, &finding);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_topic_is_rung_again_until_somebody_goes_and_never_for_what_an_arbiter_entered() {
    let mut ntfy = Double::start().await;
    let stop = CancellationToken::new();
    let hub = Hub::new();
    hub.set_root(String::from("https://boards.example"));
    for board in ["7", "8"] {
        hub.register(board);
        hub.set_seated(board, Some(String::from("Ivanova, Olga")), Some(String::from("Petrov, Boris")));
    }
    let alerts = Alerting::default();
    let config = Config::parse("f", &format!("[[alert]]\nurl = \"{}/our-hall\"\nkind = \"ntfy\"\n", ntfy.root)).unwrap();
    alerts.follow(&config.alerts, &hub, &stop);
    let rung = alerts.clone();
    let carry: Carry = Arc::new(move |hub, ring| rung.ring(hub, ring));
    tokio::spawn(ringing::run(Arc::downgrade(&hub), carry, PACE, stop.clone()));

    illegal(&hub, "8", 1, &json!({"reported": true}));
    illegal(&hub, "7", 1, &json!({}));
    let first = ntfy.next().await;
    assert_eq!(first.path, "/our-hall");
    assert_eq!((first.header("title"), first.header("priority")), ("Board 7, Ivanova: illegal move", "5"));
    assert_eq!(first.header("click"), "https://boards.example/arbiter#/board/7/finding/1");
    assert_eq!(first.text(), "Ra3: the rook cannot pass a2. (article 7.5.1)");
    let [second, third] = [ntfy.next().await, ntfy.next().await];
    assert_eq!(second.text(), "Nobody is going yet. Ra3: the rook cannot pass a2. (article 7.5.1)");
    assert_ne!(second.header("x-flagfall-delivery"), third.header("x-flagfall-delivery"));

    let going = Going { finding: 1, who: Some(String::from("Anna")), at: flagfall::time::now() };
    assert!(hub.set_going("7", 1, Some(going.clone())) && !hub.set_going("8", 2, Some(going)));
    // From the next finding on all that comes is about that one.
    illegal(&hub, "8", 2, &json!({}));
    let about_8 = |title: &str| title.starts_with("Board 8");
    while !about_8(ntfy.next().await.header("title")) {}
    for _ in 0..3 {
        let again = ntfy.next().await;
        assert!(about_8(again.header("title")), "{again:?}");
    }
    stop.cancel();
}
