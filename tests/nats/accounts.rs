//! Who may read and write what, tried with real credentials: every way that the protocol offers, none of which may work.
use super::compare;
use super::server::{Broker, EVENT};
use super::table::{Room, names};
use async_nats::{Client, HeaderMap};
use flagfall::feeds::nats::wire::{self, Kind};
use futures_util::StreamExt as _;
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SECRET: &str = "SECRET-FINDING";
const PLAIN: &str = "PLAIN-MOVE";
const FORGED: &str = "FORGED-EVENT";

/// Everything that reaches an account, wherever it listens.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Heard {
    async fn on(&self, client: &Client, subject: &str) {
        let Ok(mut messages) = client.subscribe(subject.to_owned()).await else { return };
        let heard = self.clone();
        tokio::spawn(async move {
            while let Some(message) = messages.next().await {
                let text = format!("{} {:?} {}", message.subject, message.headers, String::from_utf8_lossy(&message.payload));
                heard.0.lock().unwrap().push(text);
            }
        });
    }

    fn any(&self, word: &str) -> Option<String> {
        self.0.lock().unwrap().iter().find(|text| text.contains(word)).cloned()
    }
}

/// Subjects that a curious client listens on.
fn subjects() -> Vec<String> {
    let event = format!("flagfall.v1.{EVENT}");
    let mut subjects: Vec<String> = [
        ">",
        "*",
        "flagfall.>",
        "flagfall.v1.>",
        "flagfall.*.*.*.*",
        "*.*.*.*.*",
        "flagfall.v1.*.*.arbiter",
        "$KV.>",
        "$JS.>",
        "$SYS.>",
        "_INBOX.>",
    ]
    .map(String::from)
    .into();
    for tail in [">", "*.arbiter", "1.arbiter", "1.*", "1.>", "*.*", "*.order", "1.order"] {
        subjects.push(format!("{event}.{tail}"));
    }
    subjects
}

/// Requests that read, copy or deliver what a stream holds, answers to `reply`.
fn requests(reply: &str) -> Vec<(String, String)> {
    let names = names();
    let (stream, orders) = (names.stream(), wire::bucket_stream(&names.orders()));
    let secret = names.subject("1", Kind::Arbiter);
    let consumer = json!({"stream_name": stream, "config": {"deliver_policy": "all", "ack_policy": "none", "deliver_subject": reply, "name": "spy", "durable_name": "spy"}});
    let ephemeral = json!({"stream_name": stream, "config": {"deliver_policy": "all", "ack_policy": "none", "deliver_subject": reply}});
    let mut requests: Vec<(String, serde_json::Value)> = vec![
        ("$JS.API.INFO".into(), json!({})),
        ("$JS.API.STREAM.NAMES".into(), json!({})),
        ("$JS.API.STREAM.LIST".into(), json!({})),
        (format!("$JS.API.CONSUMER.DURABLE.CREATE.{stream}.spy"), consumer.clone()),
        (format!("$JS.API.CONSUMER.CREATE.{stream}.spy"), consumer.clone()),
        (format!("$JS.API.CONSUMER.CREATE.{stream}.spy.{secret}"), consumer),
        (format!("$JS.API.CONSUMER.CREATE.{stream}"), ephemeral),
        (format!("$JS.API.CONSUMER.NAMES.{stream}"), json!({})),
        (format!("$JS.API.CONSUMER.LIST.{stream}"), json!({})),
        (format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.hall"), json!({"batch": 10})),
        (
            "$JS.API.STREAM.CREATE.SPY".into(),
            json!({"name": "SPY", "subjects": ["spy"], "sources": [{"name": stream}], "storage": "memory", "num_replicas": 1, "retention": "limits", "max_consumers": -1}),
        ),
        (
            format!("$JS.API.STREAM.UPDATE.{stream}"),
            json!({"name": stream, "subjects": names.stream_subjects(), "republish": {"src": ">", "dest": reply}}),
        ),
        (format!("$JS.API.STREAM.SNAPSHOT.{stream}"), json!({"deliver_subject": reply})),
        (format!("$JS.API.STREAM.PURGE.{stream}"), json!({})),
        (format!("$JS.API.STREAM.DELETE.{stream}"), json!({})),
        ("$SYS.REQ.SERVER.PING".into(), json!({})),
        (names.order("1"), json!({"key": "spy", "sent_at": "2026-11-21T15:00:00Z", "entry": {"do": "stop"}})),
    ];
    for name in [&stream, &orders] {
        requests.push((format!("$JS.API.STREAM.INFO.{name}"), json!({"subjects_filter": ">"})));
        for how in [json!({"seq": 1}), json!({"seq": 2}), json!({"last_by_subj": secret}), json!({"seq": 1, "next_by_subj": ">"})] {
            requests.push((format!("$JS.API.STREAM.MSG.GET.{name}"), how.clone()));
            requests.push((format!("$JS.API.DIRECT.GET.{name}"), how.clone()));
            // What a Pi may ask for, asked otherwise.
            for tail in [&secret, &names.subject("5", Kind::Arbiter), &names.all(), &format!("flagfall.v1.{EVENT}.*.arbiter")] {
                requests.push((format!("$JS.API.DIRECT.GET.{name}.{tail}"), how.clone()));
            }
        }
        requests.push((format!("$JS.API.DIRECT.GET.{name}.{secret}"), serde_json::Value::Null));
        requests.push((format!("$JS.API.DIRECT.GET.{name}.flagfall.v1.{EVENT}.>"), serde_json::Value::Null));
    }
    // What a Pi may ask for, for it not to be answered with another's.
    requests.push((format!("$JS.API.DIRECT.GET.{}", wire::bucket_stream(&names.settings())), json!({"last_by_subj": secret})));
    requests.into_iter().map(|(subject, body)| (subject, if body.is_null() { String::new() } else { body.to_string() })).collect()
}

async fn say(client: &Client, subject: String, text: &str, seq: u64) {
    let mut headers = HeaderMap::new();
    headers.insert(wire::MSG_ID, wire::msg_id(&wire::board_of(&subject).unwrap().0, "0011223344556677", seq));
    headers.insert(wire::EPOCH, "0011223344556677");
    headers.insert(wire::SEQ, seq.to_string());
    client.publish_with_headers(subject, headers, text.to_owned().into()).await.unwrap();
    client.flush().await.unwrap();
}

#[test]
fn nobody_sees_a_finding_but_arbiters_and_halls_and_a_pi_speaks_for_its_boards_only() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"]), ("pi-2", &["5"])]) else { return };
    let room = Room::new();
    let hall = room.hall(&broker);
    let own = room.client(&broker, "pi-1");
    let (public, operator, other, arbiter) =
        (room.client(&broker, "public"), room.client(&broker, "operator"), room.client(&broker, "pi-2"), room.client(&broker, "arbiter"));
    let pause = || std::thread::sleep(Duration::from_millis(700));
    let heard: Vec<Heard> = room.runtime.block_on(async {
        say(&own, names().subject("1", Kind::Public), PLAIN, 1).await;
        say(&own, names().subject("1", Kind::Arbiter), SECRET, 2).await;
        say(&other, names().subject("5", Kind::Public), FORGED, 1).await;
        let mut all = Vec::new();
        for (client, inbox) in [
            (&public, "flagfall.v1.x.y.public"),
            (&operator, "flagfall.v1.x.y.public"),
            (&other, "_INBOX_pi-2.spy"),
            (&arbiter, "flagfall.v1.x.y.public"),
        ] {
            let heard = Heard::default();
            for subject in subjects().iter().map(String::as_str).chain([inbox, "flagfall.v1.*.*.public", "flagfall.v1.open-2026.*.public"])
            {
                heard.on(client, subject).await;
            }
            for (subject, body) in requests(inbox) {
                _ = client.publish_with_reply(subject, inbox.to_owned(), body.into()).await;
            }
            _ = client.flush().await;
            all.push(heard);
        }
        all
    });
    pause();
    room.runtime.block_on(async {
        // While all of them listen.
        say(&own, names().subject("1", Kind::Arbiter), SECRET, 3).await;
        say(&own, names().subject("1", Kind::Public), PLAIN, 4).await;
    });
    pause();
    let [public_heard, operator_heard, pi_heard, arbiter_heard] = &heard[..] else { panic!("four") };
    for (who, heard) in [("public", public_heard), ("operator", operator_heard), ("pi-2", pi_heard)] {
        assert_eq!(heard.any(SECRET), None, "{who} heard a finding");
        assert_eq!(heard.any("\"config\""), None, "{who} was told of a stream");
        assert_eq!(heard.any("taken"), None, "{who} gave an order");
    }
    // Those who may, do: the test can fail.
    assert!(public_heard.any(PLAIN).is_some() && operator_heard.any(PLAIN).is_some());
    assert!(arbiter_heard.any(SECRET).is_some() && arbiter_heard.any(PLAIN).is_some());
    assert_eq!(pi_heard.any(PLAIN), None, "a Pi reads nothing of others, not even what is public");

    // A Pi that was stolen speaks for another board: as itself, by an answer that it lets the server send there, as a hall.
    room.runtime.block_on(async {
        // What its own board holds in the stream is what such an answer says; without an id, by which it would be taken for a repetition.
        let mut headers = HeaderMap::new();
        headers.insert(wire::EPOCH, "0011223344556677");
        headers.insert(wire::SEQ, "2");
        other.publish_with_headers(names().subject("5", Kind::Arbiter), headers, FORGED.into()).await.unwrap();
        other.flush().await.unwrap();
        for subject in [names().subject("1", Kind::Public), names().subject("1", Kind::Arbiter)] {
            other.publish(subject.clone(), FORGED.into()).await.unwrap();
            for kind in [Kind::Public, Kind::Arbiter] {
                let read = format!("$JS.API.DIRECT.GET.{}.{}", names().stream(), names().subject("5", kind));
                other.publish_with_reply(read, subject.clone(), "".into()).await.unwrap();
            }
            let mut headers = HeaderMap::new();
            headers.insert(wire::EXPECTED, "99999");
            other.publish_with_reply_and_headers(names().subject("5", Kind::Public), subject, headers, FORGED.into()).await.unwrap();
        }
        for subject in [
            wire::bucket_subject(&names().presence(), "pi-1"),
            wire::bucket_subject(&names().lease(), wire::LEASE_KEY),
            wire::bucket_subject(&names().settings(), "event"),
            wire::bucket_subject(&names().orders(), "1.x"),
        ] {
            other.publish(subject, FORGED.into()).await.unwrap();
        }
        other.flush().await.unwrap();
    });
    for client in [&public, &operator, &arbiter] {
        room.runtime.block_on(async {
            _ = client.publish(names().subject("1", Kind::Public), FORGED.into()).await;
            _ = client.flush().await;
        });
    }
    pause();
    let sent = room.runtime.block_on(compare::raw(&hall, &names()));
    let on_board_1: Vec<_> = sent.iter().filter(|(subject, _, _)| subject.contains(".1.")).collect();
    // What the server was made to send there it marked, or it is no event and has no epoch; whoever reads the stream ignores both.
    let marked = |headers: &str| headers.contains(wire::FORGED);
    assert!(on_board_1.iter().any(|(_, headers, body)| marked(headers) && body == FORGED), "nothing was tried: {on_board_1:#?}");
    let believed: Vec<_> = on_board_1.iter().filter(|(_, headers, _)| headers.contains(wire::EPOCH) && !marked(headers)).collect();
    assert!(
        believed.len() == 2 && believed.iter().all(|(_, _, body)| body == SECRET),
        "only its own Pi's, and what is public is in no stream: {on_board_1:#?}"
    );
    for bucket in [names().presence(), names().lease(), names().settings(), names().orders()] {
        let mut stream = room.runtime.block_on(hall.get_stream(wire::bucket_stream(&bucket))).unwrap();
        assert_eq!(room.runtime.block_on(stream.info()).unwrap().state.messages, 0, "{bucket}");
    }
}

#[test]
fn nobody_comes_in_without_an_account() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"])]) else { return };
    let room = Room::new();
    let refused = |options: async_nats::ConnectOptions| room.runtime.block_on(options.connect(broker.servers())).is_err();
    assert!(refused(async_nats::ConnectOptions::new()));
    assert!(refused(async_nats::ConnectOptions::with_user_and_password("hall".into(), "change-me-hall".into())));
    assert!(refused(async_nats::ConnectOptions::with_user_and_password("pi-1".into(), broker.password("hall"))));
    assert!(!refused(async_nats::ConnectOptions::with_user_and_password("pi-1".into(), broker.password("pi-1"))));
}
