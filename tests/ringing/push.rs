//! A telephone whose screen is dark: a double of its browser's push service.
use super::double::{Double, Sent};
use super::{PACE, illegal};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flagfall::feeds::push::{BrowserKeys, IsArbiter, Push, Subscription};
use flagfall::feeds::ringing::{self, Carry};
use flagfall::web::going::Going;
use flagfall::web::hub::Hub;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use web_push_native::decrypt;
use web_push_native::p256::SecretKey;

/// The receiver of RFC 8291's example.
const SECRET: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
const P256DH: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

fn subscription(endpoint: String, boards: &str) -> Subscription {
    let keys = BrowserKeys { p256dh: String::from(P256DH), auth: String::from(AUTH) };
    Subscription { endpoint, keys, boards: String::from(boards), lang: String::from("en") }
}

/// What the browser reads.
fn opened(sent: &Sent) -> Value {
    let secret = SecretKey::from_slice(&URL_SAFE_NO_PAD.decode(SECRET).unwrap()).unwrap();
    let auth: [u8; 16] = URL_SAFE_NO_PAD.decode(AUTH).unwrap().try_into().unwrap();
    serde_json::from_slice(&decrypt(sent.body.to_vec(), &secret, &auth.into()).unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dark_telephone_is_rung_again_until_somebody_goes() {
    let mut service = Double::start().await;
    let folder = tempfile::tempdir().unwrap();
    let arbiters: IsArbiter = Arc::new(|name| matches!(name, Some("Anna" | "Boris")));
    let open = || Push::open(Some(folder.path()), arbiters.clone());
    let (hub, stop, push) = (Hub::new(), CancellationToken::new(), open());
    hub.set_root(String::from("https://boards.example"));
    for board in ["7", "12"] {
        hub.register(board);
        hub.set_seated(board, Some(String::from("Ivanova, Olga")), Some(String::from("Petrov, Boris")));
    }
    let at = |who: &str| format!("{}/{who}", service.root);
    assert!(!push.subscribe(None, subscription(String::from("http://push.example/x"), "")), "in clear text through the world");
    assert!(push.subscribe(Some(String::from("Anna")), subscription(at("anna"), "1-8")));
    assert!(push.subscribe(Some(String::from("Boris")), subscription(at("boris"), "12")));
    assert!(push.subscribe(Some(String::from("Gone")), subscription(at("gone"), "")));
    let (rung, key) = (push.clone(), push.key());
    let carry: Carry = Arc::new(move |hub, ring| rung.ring(hub, ring));
    tokio::spawn(ringing::run(Arc::downgrade(&hub), carry, PACE, stop.clone()));

    illegal(&hub, "7", 1, &json!({}));
    let first = service.next().await;
    assert_eq!(first.path, "/anna", "board 7 is hers, and who is no arbiter any more gets nothing");
    assert_eq!((first.header("content-encoding"), first.header("ttl"), first.header("urgency")), ("aes128gcm", "60", "high"));
    assert!(first.header("authorization").ends_with(&format!(", k={}", key.unwrap())), "{first:?}");
    let call = json!({"title": "Board 7, Ivanova: illegal move", "place": "/arbiter#/board/7/finding/1", "tag": "7-1", "again": false});
    assert_eq!(opened(&first), call);
    for _ in 0..2 {
        let again = service.next().await;
        assert_eq!((again.path.as_str(), &opened(&again)["again"]), ("/anna", &json!(true)));
    }
    hub.set_going("7", 1, Some(Going { finding: 1, who: Some(String::from("Anna")), at: flagfall::time::now() }));
    illegal(&hub, "12", 1, &json!({}));
    while service.next().await.path != "/boris" {}
    for _ in 0..2 {
        assert_eq!(service.next().await.path, "/boris", "nobody is rung where somebody goes");
    }

    // A browser that is gone is asked no more, nor by the next process.
    service.answer(410);
    while push.test(&hub, Some("Boris")) > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.cancel();
    let later = open();
    assert_eq!((later.key(), later.test(&hub, Some("Boris")), later.test(&hub, Some("Anna"))), (push.key(), 0, 1));
}
