//! The HTTP interface over a real socket, fed with hand-made events.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
use crate::http::{Answer, call};
use base64::Engine as _;
use flagfall::feeds::event_info::{EventInfo, Pairing, Played, Round, Tournament};
use flagfall::feeds::players::Player;
use flagfall::journal::JournalState;
use flagfall::web::hub::Hub;
use flagfall::web::public::{self, Listening, ServeInfo};
use flagfall_score::kept::GameRecord;
use serde_json::{Value, json};
use sha2::Digest as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

struct Served {
    hub: Arc<Hub>,
    address: SocketAddr,
    stop: CancellationToken,
    serving: Option<tokio::task::JoinHandle<std::io::Result<()>>>,
    runtime: tokio::runtime::Runtime,
}

impl Served {
    fn new() -> Self {
        Self::of(Tournament::default())
    }

    /// With what is known of an event.
    fn of(event: Tournament) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let hub = Hub::new();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let listening = Listening { name: String::from("web"), address: address.to_string() };
        let info = ServeInfo {
            listeners: vec![listening],
            event: Some(String::from("Club night")),
            now: Some(EventInfo::new(event)),
            ..ServeInfo::default()
        };
        let serving = Some(runtime.spawn(public::serve(listener, hub.clone(), info, stop.clone())));
        Self { hub, address, stop, serving, runtime }
    }

    fn publish(&self, board: &str, seq: u64, body: Value) {
        publish(&self.hub, board, seq, body);
    }

    fn call(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let answer = call(self.address, method, path, headers);
        crate::schema::answer(method, path, answer.0, &answer.2);
        answer
    }

    fn get(&self, path: &str) -> Value {
        let (status, _, body) = self.call("GET", path, &[]);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    fn stream(&self, path: &str, last_id: Option<&str>) -> Stream {
        Stream::open(self.address, path, last_id)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(serving) = self.serving.take() {
            _ = self.runtime.block_on(serving);
        }
    }
}

fn publish(hub: &Hub, board: &str, seq: u64, body: Value) {
    let mut event = json!({ "seq": seq, "t": seq * 10, "at": "2026-01-02T03:04:05Z", "board": board });
    event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
    hub.publish(Arc::new(serde_json::from_value(event).unwrap()));
}

/// One server-sent event.
#[derive(Debug)]
struct Sent {
    id: Option<String>,
    event: String,
    data: Value,
}

/// An open event stream.
struct Stream {
    reader: BufReader<Box<dyn Read>>,
    socket: TcpStream,
}

impl Stream {
    /// Speaks HTTP by hand: a listener that reads slowly needs its own socket.
    fn open(address: SocketAddr, path: &str, last_id: Option<&str>) -> Self {
        let mut socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let last_id = last_id.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        // HTTP/1.0 has no chunks: the body is the stream itself.
        write!(socket, "GET {path} HTTP/1.0\r\nHost: localhost\r\n{last_id}\r\n").unwrap();
        let mut reader: BufReader<Box<dyn Read>> = BufReader::new(Box::new(socket.try_clone().unwrap()));
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).unwrap() > 0, "the head ended early: {head}");
        }
        assert!(head.contains("text/event-stream"), "{head}");
        Self { reader, socket }
    }

    /// The next event; comments and settings are passed over. `None` at the end of the stream.
    fn next(&mut self) -> Option<Sent> {
        let (mut id, mut event, mut data) = (None, None, None);
        loop {
            let mut line = String::new();
            _ = self.reader.read_line(&mut line).unwrap();
            // Half a line is the end, too.
            if !line.ends_with('\n') {
                return None;
            }
            match line.trim_end_matches('\n').split_once(": ") {
                Some(("id", value)) => id = Some(value.to_owned()),
                Some(("event", value)) => event = Some(value.to_owned()),
                Some(("data", value)) => data = Some(serde_json::from_str(value).unwrap()),
                Some(_) => {}
                None => {
                    if let (Some(event), Some(data)) = (event.take(), data.take()) {
                        return Some(Sent { id, event, data });
                    }
                }
            }
        }
    }

    fn expect(&mut self, event: &str) -> Sent {
        let sent = self.next().expect("the stream goes on");
        assert_eq!(sent.event, event, "{sent:?}");
        sent
    }
}

fn up() -> Value {
    json!({"type": "link", "state": "up"})
}

fn start() -> Value {
    json!({"type": "game-start", "fen": USUAL_START, "rules": "fide-2023", "play": "blitz", "time_control": "180+2", "chess960": false})
}

fn made(ply: u32, uci: &str, san: &str) -> Value {
    let by = if ply % 2 == 1 { "white" } else { "black" };
    json!({"type": "move-made", "ply": ply, "by": by, "uci": uci, "san": san, "legal": true, "placement": "8/8/8/8/8/8/8/8", "provisional": true})
}

fn completed(ply: u32, uci: &str, san: &str) -> Value {
    let by = if ply % 2 == 1 { "white" } else { "black" };
    json!({"type": "move-completed", "ply": ply, "by": by, "uci": uci, "san": san, "legal": true, "how": "press",
        "clock": {"white_ms": 179_000, "black_ms": 180_000}})
}

fn clock() -> Value {
    json!({"type": "clock", "white_ms": 179_000, "black_ms": 180_000, "running": "black", "flag": null, "source": "device", "uncertainty_ms": 40})
}

#[test]
fn boards_are_listed_in_human_order_and_one_has_its_moves() {
    let served = Served::new();
    served.hub.register("10");
    served.publish("2", 1, up());
    served.publish("2", 2, start());
    served.publish("2", 3, made(1, "e2e4", "e4"));
    served.publish("2", 4, completed(1, "e2e4", "e4"));
    served.publish("2", 5, clock());
    let list = served.get("/api/v1/boards");
    assert_eq!(list[0]["board"], "2");
    assert_eq!(list[1]["board"], "10");
    assert_eq!(list[1]["link"], "down");
    assert!(list[0].get("moves").is_none());
    let board = served.get("/api/v1/boards/2");
    assert_eq!(board["moves"][0]["uci"], "e2e4");
    assert_eq!(board["last"]["completed"], true);
    assert_eq!(board["clock"]["running"], "black");
    assert!(board["clock"]["age_ms"].is_u64());
    assert_eq!(board["game"]["time_control"], "180+2");
    assert_eq!(board["seq"], 5);
}

#[test]
fn board_names_in_paths_are_percent_decoded() {
    let served = Served::new();
    served.publish("Стол 1/a", 1, up());
    assert_eq!(served.get("/api/v1/boards/%D0%A1%D1%82%D0%BE%D0%BB%201%2Fa")["board"], "Стол 1/a");
}

#[test]
fn a_stream_starts_with_a_snapshot_and_goes_on_live() {
    let served = Served::new();
    served.publish("1", 1, up());
    served.publish("1", 2, start());
    let mut stream = served.stream("/api/v1/boards/1/events", None);
    let snapshot = stream.expect("snapshot");
    assert_eq!(snapshot.data["seq"], 2);
    assert_eq!(snapshot.data["moves"], json!([]));
    assert!(snapshot.id.is_some());
    served.publish("2", 1, up());
    served.publish("1", 3, made(1, "e2e4", "e4"));
    let sent = stream.expect("move-made");
    assert_eq!((&sent.data["seq"], &sent.data["uci"], &sent.data["type"]), (&json!(3), &json!("e2e4"), &json!("move-made")));
    assert!(sent.id.is_some());
}

#[test]
fn who_returns_gets_exactly_what_was_missed() {
    let served = Served::new();
    served.publish("1", 1, up());
    let mut stream = served.stream("/api/v1/boards/1/events", None);
    stream.expect("snapshot");
    served.publish("1", 2, start());
    let seen = stream.expect("game-start").id.unwrap();
    drop(stream);
    served.publish("1", 3, made(1, "e2e4", "e4"));
    served.publish("2", 1, up());
    served.publish("1", 4, completed(1, "e2e4", "e4"));
    let mut stream = served.stream("/api/v1/boards/1/events", Some(&seen));
    assert_eq!(stream.expect("move-made").data["seq"], 3);
    let last = stream.expect("move-completed").id.unwrap();
    drop(stream);
    let mut stream = served.stream("/api/v1/boards/1/events", Some(&last));
    served.publish("1", 5, clock());
    assert_eq!(stream.expect("clock").data["seq"], 5, "nothing was missed, so nothing comes twice and no snapshot");
    let mut all = served.stream("/api/v1/events", Some(&seen));
    let boards: Vec<_> = (0..4).map(|_| all.next().unwrap().data["board"].as_str().unwrap().to_owned()).collect();
    assert_eq!(boards, ["1", "2", "1", "1"], "all boards, in the order of their events");
}

#[test]
fn who_returns_after_a_restart_or_with_nonsense_gets_a_snapshot() {
    let served = Served::new();
    served.publish("1", 1, up());
    let id = served.stream("/api/v1/boards/1/events", None).expect("snapshot").id.unwrap();
    let restarted = Served::new();
    restarted.publish("1", 1, up());
    for id in [id.as_str(), "0-0", "", "7", "zz-1", "-", "99999999999999999999-1"] {
        restarted.stream("/api/v1/boards/1/events", Some(id)).expect("snapshot");
    }
    let (epoch, _) = id.split_once('-').unwrap();
    let future = format!("{epoch}-1000000");
    served.stream("/api/v1/boards/1/events", Some(&future)).expect("snapshot");
}

#[test]
fn what_is_no_longer_kept_is_replaced_by_a_snapshot() {
    let served = Served::new();
    served.publish("1", 1, up());
    let id = served.stream("/api/v1/boards/1/events", None).expect("snapshot").id.unwrap();
    for seq in 2..6000 {
        served.publish("1", seq, clock());
    }
    assert_eq!(served.stream("/api/v1/boards/1/events", Some(&id)).expect("snapshot").data["seq"], 5999);
    assert_eq!(served.stream("/api/v1/events", Some(&id)).expect("snapshot").data["seq"], 5999);
}

#[test]
fn a_listener_that_does_not_read_delays_nobody_and_gets_a_snapshot() {
    let served = Served::new();
    served.publish("1", 1, up());
    let mut slow = served.stream("/api/v1/boards/1/events", None);
    // Far more than the buffers of both sockets hold, in as few events as fall behind.
    let (last, long) = (2_000, "x".repeat(8 * 1024));
    for seq in 2..=last {
        served.publish("1", seq, json!({"type": "identity", "kind": "usb", "serial": null, "firmware": null, "link": long}));
    }
    assert_eq!(served.get("/api/v1/boards/1")["seq"], last, "publishing did not wait");
    slow.expect("snapshot");
    let mut seen = 1;
    let (mut jumped, mut given_up) = (false, false);
    while seen < last {
        let Some(sent) = slow.next() else {
            // Where publishing took a busy machine longer than a reader may take nothing, it was given up, and comes back.
            assert!(!given_up, "the stream goes on");
            given_up = true;
            slow = served.stream("/api/v1/boards/1/events", None);
            continue;
        };
        let seq = sent.data["seq"].as_u64().unwrap();
        if sent.event == "snapshot" {
            assert!(seq > seen);
            jumped = true;
        } else {
            assert_eq!(seq, seen + 1, "without a snapshot there is no gap");
        }
        seen = seq;
    }
    assert!(jumped);
    let (_, _, metrics) = served.call("GET", "/metrics", &[]);
    let lagged = metrics.lines().any(|line| line.starts_with("flagfall_stream_lagged_total ") && !line.ends_with(" 0"));
    assert!(lagged || given_up, "{metrics}");
    drop(slow.socket);
}

#[test]
fn all_boards_come_on_one_stream_and_new_ones_are_announced() {
    let served = Served::new();
    served.publish("1", 1, up());
    served.publish("2", 1, up());
    let mut all = served.stream("/api/v1/events", None);
    let (first, second) = (all.expect("snapshot"), all.expect("snapshot"));
    assert_eq!((&first.data["board"], &second.data["board"]), (&json!("1"), &json!("2")));
    assert!(first.id.is_none(), "half of the snapshots must not look like all of them");
    assert!(second.id.is_some());
    assert!(first.data.get("moves").is_none());
    served.hub.register("3");
    assert_eq!(all.expect("snapshot").data["board"], "3");
    served.publish("3", 1, up());
    assert_eq!(all.expect("link").data["board"], "3");
}

#[test]
fn what_is_not_public_never_comes_out() {
    let served = Served::new();
    served.publish("1", 1, up());
    let mut stream = served.stream("/api/v1/boards/1/events", None);
    stream.expect("snapshot");
    served.publish("1", 2, json!({"type": "alarm", "key": "clock-lost", "state": "raised"}));
    served.publish("1", 3, json!({"type": "ruling", "do": "rule", "finding": 1, "who": "somebody"}));
    served.publish("1", 4, start());
    assert_eq!(stream.expect("game-start").data["seq"], 2, "no number tells of it either");
}

#[test]
fn a_game_comes_as_pgn() {
    let served = Served::new();
    served.hub.set_players("1", Some(String::from("Анна")), None);
    served.publish("1", 1, start());
    served.publish("1", 2, completed(1, "e2e4", "e4"));
    let (status, headers, body) = served.call("GET", "/api/v1/boards/1/pgn", &[]);
    assert_eq!(status, 200);
    assert!(headers.contains(&(String::from("content-type"), String::from("application/x-chess-pgn; charset=utf-8"))));
    assert!(body.contains("[Event \"Club night\"]") && body.contains("[White \"Анна\"]") && body.contains("[Board \"1\"]"), "{body}");
    assert!(body.contains("1. e4 {[%clk 0:02:59]} *"), "{body}");
}

#[test]
fn what_does_not_exist_is_said_in_json_with_a_hint() {
    let served = Served::new();
    for (method, path, expected) in [
        ("GET", "/api/v1/boards/9", 404),
        ("GET", "/api/v1/boards/9/events", 404),
        ("GET", "/api/v1/boards/9/pgn", 404),
        ("GET", "/api/v1/boards/%FF%C3/events", 404),
        ("GET", "/nothing", 404),
        ("GET", "/page/nothing.js", 404),
        ("GET", "/page/..%2F..%2Fweb.rs", 404),
        ("DELETE", "/api/v1/boards", 405),
    ] {
        let (status, _, body) = served.call(method, path, &[]);
        assert_eq!(status, expected, "{method} {path}");
        let body: Value = serde_json::from_str(&body).unwrap();
        assert!(body["error"].is_string() && body["hint"].is_string(), "{body}");
    }
}

#[test]
fn health_and_metrics_tell_how_it_is() {
    let served = Served::new();
    served.hub.register("2");
    served.publish("1", 1, up());
    let health = served.get("/healthz");
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(health["listeners"][0], json!({"name": "web", "address": served.address.to_string()}));
    assert_eq!((&health["boards"], &health["boards_up"]), (&json!(2), &json!(1)));
    assert_eq!(health["journal"]["state"], "off");
    served.hub.set_journal(JournalState::Failing { reason: String::from("disk full") });
    assert_eq!(served.get("/healthz")["journal"], json!({"state": "failing"}), "what fails is for operators");
    let (_, _, metrics) = served.call("GET", "/metrics", &[]);
    for line in ["flagfall_boards_up 1", "flagfall_events_total{type=\"link\"} 1", "# TYPE flagfall_events_total counter"] {
        assert!(metrics.lines().any(|l| l == line), "{line}: {metrics}");
    }
}

#[test]
fn the_page_is_all_our_own_and_unchanged_files_are_not_sent_again() {
    let served = Served::new();
    let (status, headers, body) = served.call("GET", "/", &[]);
    assert_eq!(status, 200);
    let header = |name: &str| headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone()).unwrap_or_default();
    assert!(header("content-security-policy").starts_with("default-src 'self'"));
    assert_eq!(header("x-content-type-options"), "nosniff");
    // Names of XML are addresses that nobody asks.
    let body = body.replace("http://www.w3.org/2000/svg", "");
    assert!(!body.contains("http://") && !body.contains("https://"), "no outside requests");
    let (status, _, body) = served.call("GET", "/", &[("If-None-Match", &header("etag"))]);
    assert_eq!((status, body.as_str()), (304, ""));
}

#[test]
fn streams_end_when_the_daemon_stops() {
    let mut served = Served::new();
    served.publish("1", 1, up());
    let mut stream = served.stream("/api/v1/events", None);
    stream.expect("snapshot");
    served.stop.cancel();
    assert!(stream.next().is_none());
    let serving = served.serving.take().unwrap();
    served.runtime.block_on(serving).unwrap().unwrap();
}

#[test]
fn an_earlier_game_of_a_board_is_asked_for_by_its_number() {
    let record = json!({"board": "7", "game": 1, "chess960": false, "started_at": "2026-01-02T03:04:05Z", "result": "1-0", "reason": "entered", "time_control": "180+2",
        "moves": [{"by": "white", "san": "e4", "uci": "e2e4", "clk": 180}, {"by": "black", "san": "e5", "uci": "e7e5"}, {"by": "white", "san": "Nf3", "uci": "g1f3", "clk": 3671}]});
    let record: Arc<GameRecord> = Arc::new(serde_json::from_value(record).unwrap());
    let pairing = Pairing {
        number: 3,
        uuid: String::from("u"),
        label: String::from("7"),
        board: Some("7".into()),
        white: Player::named("Carlsen, Magnus").unwrap(),
        black: Player::named("Giri, Anish").unwrap(),
        result: record.result,
        live: false,
        game: Some(record.clone()),
    };
    let played = Played { round: 1, pairing: 3, game: record };
    let event = Tournament {
        name: String::from("Open"),
        site: String::from("Bergen"),
        rounds: vec![Round { number: 1, date: None, pairings: vec![pairing] }],
        current: 1,
        games: [("7".into(), vec![played])].into(),
        ..Tournament::default()
    };
    let served = Served::of(event);
    let start = json!({"type": "game-start", "game": 2, "fen": USUAL_START, "rules": "fide-2023", "play": "blitz", "time_control": "180+2", "chess960": false});
    served.publish("7", 1, start);
    let completed =
        json!({"type": "move-completed", "game": 2, "ply": 1, "by": "white", "uci": "d2d4", "san": "d4", "legal": true, "how": "press"});
    served.publish("7", 2, completed);
    let pgn = |path: &str| {
        let (status, headers, body) = served.call("GET", path, &[]);
        let kind = headers.iter().find(|(name, _)| name == "content-type").map(|(_, value)| value.clone());
        (status, kind.unwrap_or_default(), body)
    };
    let kind = "application/x-chess-pgn; charset=utf-8";
    let (status, is, text) = pgn("/api/v1/boards/7/pgn?game=1");
    assert_eq!((status, is.as_str()), (200, kind));
    let wanted = "[Event \"Club night\"]\n[Site \"Bergen\"]\n[Date \"2026.01.02\"]\n[Round \"1.3\"]\n[White \"Carlsen, Magnus\"]\n[Black \"Giri, Anish\"]\n\
                  [Result \"1-0\"]\n[TimeControl \"180+2\"]\n[Board \"7\"]\n\n1. e4 {[%clk 0:03:00]} 1... e5 2. Nf3 {[%clk 1:01:11]} 1-0\n";
    assert_eq!(text, wanted);
    let now = pgn("/api/v1/boards/7/pgn");
    assert!(now.2.contains("1. d4") && !now.2.contains("e4"), "{now:?}");
    assert_eq!(pgn("/api/v1/boards/7/pgn?game=2"), now);
    for path in ["/api/v1/boards/7/pgn?game=3", "/api/v1/boards/7/pgn?game=0", "/api/v1/boards/7/pgn?game=x", "/api/v1/boards/8/pgn?game=1"]
    {
        assert_eq!(pgn(path).0, 404, "{path}");
    }
}

#[test]
fn a_wrong_address_gives_a_person_a_page_and_a_program_the_reason() {
    let served = Served::new();
    let person = ("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    for (headers, kind, says) in
        [(&[person][..], "text/html", "There is no page here"), (&[], "application/json", "there is nothing at /nowhere")]
    {
        let (status, head, body) = served.call("GET", "/nowhere", headers);
        assert_eq!(status, 404);
        assert!(head.iter().any(|(name, value)| name == "content-type" && value.starts_with(kind)), "{head:?}");
        assert!(body.contains(says), "{body}");
    }
}

#[test]
fn a_stream_of_some_boards_has_those_and_whatever_is_new() {
    let served = Served::new();
    for board in ["1", "2", "a, b"] {
        served.publish(board, 1, up());
    }
    let mut stream = served.stream("/api/v1/events?boards=1,a%2C+b,9", None);
    assert_eq!(stream.expect("snapshot").data["board"], "1");
    let last = stream.expect("snapshot");
    assert_eq!(last.data["board"], "a, b");
    served.publish("2", 2, start());
    served.publish("a, b", 2, start());
    assert_eq!(stream.expect("game-start").data["board"], "a, b");
    served.publish("2", 3, json!({"type": "link", "state": "down", "reason": "cable"}));
    // One that was asked for before it was there, and one that nobody knew of.
    for board in ["9", "3"] {
        served.publish(board, 1, up());
        assert_eq!(stream.expect("link").data["board"], board);
    }
    let mut stream = served.stream("/api/v1/events?boards=2", last.id.as_deref());
    assert_eq!(stream.expect("game-start").data["board"], "2", "what was missed of this board alone");
    assert_eq!(stream.expect("link").data["board"], "2");
}

#[test]
fn the_page_is_one_document_that_networks_squeeze_and_nothing_else_runs_in_it() {
    let served = Served::new();
    let (_, headers, index) = served.call("GET", "/", &[]);
    let script = index.split("<script type=\"module\">").nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
    let style = index.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).unwrap();
    assert!(!script.contains("\nimport ") && !script.contains("\nexport "), "one script");
    assert!(
        !index.contains("rel=\"stylesheet\"") && !index.contains("<script type=\"module\" src"),
        "nothing is waited for but the boards"
    );
    // The first boards are in it, whatever they are called; its tag is that of everything else.
    let tag = |headers: &[(String, String)]| headers.iter().find(|(name, _)| name == "etag").map(|(_, tag)| tag.clone());
    for n in 1..=9 {
        served.publish(&format!("{n}</script>"), 1, up());
    }
    let (_, later, page) = served.call("GET", "/", &[]);
    let first = page.split("id=\"first\">").nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
    let first: Value = serde_json::from_str(first).unwrap();
    assert_eq!((first.as_array().unwrap().len(), &first[7]["board"]), (8, &json!("8</script>")));
    assert_eq!(tag(&later), tag(&headers));
    let policy = headers.iter().find(|(name, _)| name == "content-security-policy").map(|(_, value)| value.clone()).unwrap();
    for (kind, text) in [("script-src", script), ("style-src", style)] {
        let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text));
        assert!(policy.contains(&format!("{kind} 'self' 'sha256-{hash}';")), "{policy}");
    }
    // What it loads later has a name of its own, which a browser keeps.
    let openings = script.split("'/page/openings-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap();
    let (status, headers, _) = served.call("GET", &format!("/page/openings-{openings}"), &[]);
    assert!(status == 200 && headers.iter().any(|(name, value)| name == "cache-control" && value.contains("immutable")), "{headers:?}");
    let gzip = std::process::Command::new("curl")
        .args(["-s", "-D-", "-o/dev/null", "-H", "Accept-Encoding: gzip", &format!("http://{}/", served.address)])
        .output();
    if let Ok(said) = gzip {
        assert!(String::from_utf8_lossy(&said.stdout).contains("content-encoding: gzip"));
    }
}

#[test]
fn only_what_is_made_for_it_is_framed_by_other_sites() {
    let served = Served::new();
    for path in ["/", "/tv", "/operator", "/page/main.js", "/screens/tv.js", "/operator/main.js", "/api/v1/boards", "/healthz", "/nothing"]
    {
        let (_, headers, _) = served.call("GET", path, &[]);
        let headers = format!("{headers:?}").to_lowercase();
        assert!(headers.contains("frame-ancestors 'none'") && headers.contains("x-frame-options"), "{path}: {headers}");
    }
    for path in ["/embed?board=1", "/embed?round"] {
        let (status, headers, _) = served.call("GET", path, &[]);
        let headers = format!("{headers:?}").to_lowercase();
        assert!(status == 200 && headers.contains("frame-ancestors *") && !headers.contains("x-frame-options"), "{path}: {headers}");
        assert!(headers.contains("script-src 'self'"), "{path}: {headers}");
    }
}
