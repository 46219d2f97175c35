//! Each role at each route.
use super::daemon::{Daemon, PASSWORD};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

/// What operators may do below `/api/v1/arbiter`; all other paths there are for arbiters.
const FOR_OPERATORS: [&str; 10] = [
    "GET /api/v1/arbiter/hall",
    "GET /api/v1/arbiter/boards",
    "GET /api/v1/arbiter/boards/{board}",
    "GET /api/v1/arbiter/events",
    "GET /api/v1/arbiter/boards/{board}/events",
    "POST /api/v1/arbiter/boards/{board}/result",
    "POST /api/v1/arbiter/boards/{board}/moves",
    "POST /api/v1/arbiter/boards/{board}/new-game",
    // Which entries, is tested below.
    "POST /api/v1/arbiter/boards/{board}/entries",
    "POST /api/v1/arbiter/boards/{board}/preview",
];

/// A body that is well-formed wherever one is expected.
fn body(path: &str) -> Value {
    match path.rsplit('/').next().unwrap() {
        "ruling" => json!({"decision": "confirm"}),
        "reports" => json!({"key": "two-hands", "by": "white"}),
        "set-clock" => json!({"white_ms": 60000, "black_ms": 60000, "run": "stopped"}),
        "set-position" => json!({"fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}),
        "moves" => json!({"pgn": "1. e4 e5"}),
        "result" => json!({"result": "*"}),
        "entries" | "preview" => json!({"do": "new-game"}),
        _ => json!({}),
    }
}

#[test]
fn each_role_comes_as_far_as_it_may_at_each_route() {
    let daemon = Daemon::start();
    let cookie = |name: &str| daemon.login(name, PASSWORD).cookie().unwrap();
    let (olga, boris) = (cookie("Olga"), cookie("Boris"));
    let bearer = |token: &str| format!("Bearer {token}");
    let visitors: [(&str, Vec<(&str, String)>); 7] = [
        ("nobody", vec![]),
        ("nobody", vec![("Cookie", String::from("flagfall_session=0000000000000000000000000000000000000000000"))]),
        ("nobody", vec![("Authorization", bearer("fft_0000000000000000000000000000000000000000000"))]),
        ("operator", vec![("Cookie", boris)]),
        ("operator", vec![("Authorization", bearer(&daemon.operator_token))]),
        ("arbiter", vec![("Cookie", format!("other=1; {olga}"))]),
        ("arbiter", vec![("Authorization", bearer(&daemon.arbiter_token))]),
    ];
    let document = daemon.get("/api/v1/openapi.json", &[]).json();
    let mut checked = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys().map(|method| method.to_uppercase()) {
            if ["/api/v1/login", "/api/v1/logout"].contains(&path.as_str()) {
                continue;
            }
            // Films are the arbiters', beside what is everybody's of a board.
            let private = path.starts_with("/api/v1/arbiter/") || ["/evidence", "/explanation"].iter().any(|part| path.contains(part));
            let query = if path.ends_with("evidence") || path.ends_with("explanation") { "?from=1&to=2&ply=1" } else { "" };
            let target = path.replace("{board}", "1").replace("{id}", "1").replace("{finding}", "1") + query;
            for (role, headers) in &visitors {
                let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
                let answer = if method == "GET" { daemon.get(&target, &headers) } else { daemon.post(&target, &headers, &body(path)) };
                let officials = path == "/api/v1/me" || path.starts_with("/api/v1/operator/");
                let expected = match *role {
                    // By the machine's own socket only.
                    _ if path.starts_with("/api/v1/machine/") => Some(403),
                    "nobody" if officials || private => Some(401),
                    "operator" if private && !FOR_OPERATORS.contains(&format!("{method} {path}").as_str()) => Some(403),
                    _ => None,
                };
                match expected {
                    Some(status) => assert_eq!(answer.status, status, "{role}: {method} {path}: {}", answer.body),
                    None => assert!(![0, 401, 403, 500].contains(&answer.status), "{role}: {method} {path}: {answer:?}"),
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 150, "{checked}");
    for entry in ["stop", "restart"].map(|what| json!({ "do": what })).into_iter().chain([json!({"do": "flag", "by": "white"})]) {
        let authorization = bearer(&daemon.operator_token);
        let answer = daemon.post("/api/v1/arbiter/boards/1/entries", &[("Authorization", &authorization)], &entry);
        assert_eq!(answer.status, 403, "an operator: {entry}");
    }
    daemon.assert_sound();
}

/// Two arbiters at one board, of whom the second has not seen what the first one did.
#[test]
fn what_another_one_has_ruled_meanwhile_is_not_ruled_over_without_a_word() {
    let daemon = Daemon::start();
    let board = "/api/v1/arbiter/boards/1";
    let cookie = daemon.login("Olga", PASSWORD).cookie().unwrap();
    let token = format!("Bearer {}", daemon.arbiter_token);
    let (olga, second) = ([("Cookie", cookie.as_str())], [("Authorization", token.as_str())]);
    assert_eq!(daemon.post(&format!("{board}/entries"), &olga, &json!({"do": "flag", "by": "white"})).status, 200);
    let found = || daemon.get(board, &second).json()["findings"][0].clone();
    // Whether Black can mate is worked out beside, and revises the finding.
    let is_decided = || found()["proposal"]["undecided"].is_null();
    let decided = (0..600).any(|look| {
        thread::sleep(Duration::from_millis(if look == 0 { 0 } else { 50 }));
        is_decided()
    });
    assert!(decided, "nobody has worked it out");
    let (seen, id) = (found()["last_seq"].clone(), found()["id"].clone());
    let confirm = json!({"do": "rule", "finding": id, "decision": "dismiss", "seen": seen});

    // What it would do, and nothing is done.
    // The board itself may say something meanwhile.
    let said = || {
        let mut board = daemon.get(board, &second).json();
        ["findings", "rulings", "game", "moves"].map(|part| board[part].take())
    };
    let (before, foreseen) = (said(), daemon.post(&format!("{board}/preview"), &second, &confirm).json());
    assert_eq!((&foreseen["findings"][0]["finding"], &foreseen["findings"][0]["status"]), (&id, &json!("dismissed")), "{foreseen}");
    let result = daemon.post(&format!("{board}/preview"), &second, &json!({"do": "result", "result": "1-0"})).json();
    assert_eq!((&result["result"], &result["findings"][0]["status"]), (&json!("1-0"), &json!("withdrawn")), "{result}");
    let report = daemon.post(&format!("{board}/preview"), &second, &json!({"do": "report", "key": "two-hands", "by": "white"})).json();
    assert_eq!(
        (&report["findings"][0]["key"], &report["findings"][0]["proposal"]["offence"]),
        (&json!("two-hands"), &json!(1)),
        "{report}"
    );
    assert_eq!(said(), before, "nothing was said");
    let operator = format!("Bearer {}", daemon.operator_token);
    let asked = daemon.post(&format!("{board}/preview"), &[("Authorization", &operator)], &json!({"do": "result", "result": "1-0"}));
    assert!(asked.status == 200 && !asked.body.contains("finding-update"), "{asked:?}");

    // The board may have revised what she has seen a moment ago.
    let anew = || json!({"decision": "dismiss", "seen": found()["last_seq"]});
    let rules = || daemon.post(&format!("{board}/findings/{id}/ruling"), &olga, &anew()).status;
    assert!((0..5).any(|_| rules() == 200));
    for path in ["entries", "preview"] {
        let refused = daemon.post(&format!("{board}/{path}"), &second, &confirm);
        let told = refused.json();
        assert_eq!((refused.status, &told["meanwhile"][0]["who"]), (409, &json!("Olga")), "{refused:?}");
        assert_eq!(told["meanwhile"][0]["what"], "dismiss");
        assert!(told["error"].as_str().unwrap().contains("dismiss by Olga") && told["meanwhile"][0]["at"].is_string(), "{told}");
    }
    let rulings = daemon.get(board, &olga).json()["rulings"].clone();
    assert_eq!(rulings.as_array().unwrap().iter().filter(|ruling| ruling["do"] == "rule").count(), 1, "{rulings}");
    // Who has seen it may rule anew.
    let informed = json!({"do": "rule", "finding": id, "decision": "dismiss", "seen": found()["last_seq"]});
    assert_eq!(daemon.post(&format!("{board}/entries"), &second, &informed).status, 200);
    daemon.assert_sound();
}

#[test]
fn a_ruling_carries_the_sessions_name_and_the_public_never_hears_of_it() {
    let daemon = Daemon::start();
    let public = daemon.listen();
    let cookie = daemon.login("Olga", PASSWORD).cookie().unwrap();
    let headers = [("Cookie", cookie.as_str())];
    let board = "/api/v1/arbiter/boards/1";
    let entered = daemon.post(&format!("{board}/entries"), &headers, &json!({"do": "stop", "who": "Somebody Else"}));
    assert_eq!(entered.status, 200, "{entered:?}");
    let entered = daemon.post(&format!("{board}/reports"), &headers, &json!({"key": "two-hands", "by": "white", "note": "seen"}));
    assert_eq!(entered.status, 200, "{entered:?}");
    assert_eq!(daemon.post(&format!("{board}/result"), &headers, &json!({"result": "1/2-1/2"})).status, 200);
    let seen = daemon.get(board, &headers).json();
    assert!(seen["rulings"].as_array().unwrap().iter().all(|ruling| ruling["who"] == "Olga"), "{seen}");
    assert_eq!((&seen["findings"][0]["key"], &seen["findings"][0]["ruled"]["who"]), (&json!("two-hands"), &json!("Olga")));
    let lines = daemon.get(&format!("{board}/evidence?from=1&to=50"), &headers).json();
    assert!(lines.as_array().unwrap().iter().any(|line| line.as_str().unwrap().contains("two-hands")), "{lines}");
    let operator = format!("Bearer {}", daemon.operator_token);
    // The film of it is for arbiters, too.
    let film = |headers: &[(&str, &str)]| daemon.get("/api/v1/boards/1/evidence/1", headers);
    let told = film(&headers).json();
    assert_eq!((&told["board"], &told["finding"]), (&json!("1"), &json!(1)), "{told}");
    assert_eq!((film(&[("Authorization", &operator)]).status, film(&[]).status), (403, 401));
    let missing = ["evidence/99", "evidence?ply=400"].map(|path| daemon.get(&format!("/api/v1/boards/1/{path}"), &headers).status);
    assert_eq!((missing, daemon.get("/api/v1/boards/1/evidence", &headers).status), ([404, 404], 400));
    let operators = daemon.get(board, &[("Authorization", &operator)]).body;
    public.expect("event: result");
    let heard = public.end();
    let elsewhere =
        ["/api/v1/boards", "/api/v1/boards/1", "/api/v1/boards/1/pgn", "/metrics"].map(|path| daemon.get(path, &[]).body).join("\n");
    for told in [heard, elsewhere, operators] {
        for secret in ["two-hands", "Olga", "finding", "ruling", "touched", "claim"] {
            assert!(!told.contains(secret), "{secret}: {told}");
        }
    }
}

#[test]
fn whatever_arbiters_enter_no_public_byte_and_no_public_number_tells_of_it() {
    let daemon = Daemon::start();
    let public = daemon.listen();
    let arbiter = format!("Bearer {}", daemon.arbiter_token);
    let headers = [("Authorization", arbiter.as_str())];
    let outlets = || -> Vec<String> {
        let paths = ["/api/v1/boards", "/api/v1/boards/1", "/api/v1/boards/1/pgn", "/healthz", "/pgn/round-1/index.json", "/metrics"];
        // What the machine itself is doing changes all the time.
        let machine = |line: &&str| !["process_", "flagfall_temperature", "flagfall_stream"].iter().any(|own| line.contains(own));
        // So does the age of a reading.
        let ageless =
            |body: &str| body.split("\"age_ms\":").map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect::<String>();
        paths.map(|path| ageless(&daemon.get(path, &[]).body).lines().filter(machine).collect::<Vec<_>>().join("\n")).into()
    };
    let clock = || daemon.get("/api/v1/boards/1", &[]).json()["clock"].clone();
    public.expect("\"source\":\"device\"");
    let private = daemon.get("/api/v1/arbiter/boards/1", &headers).json()["seq"].as_u64().unwrap();
    let entered = |path: &str, body: Value| {
        let answer = daemon.post(&format!("/api/v1/arbiter/boards/1/{path}"), &headers, &body);
        assert_eq!(answer.status, 200, "{answer:?}");
    };
    entered("reports", json!({"key": "two-hands", "by": "white"}));
    entered("reports", json!({"key": "two-hands", "by": "black"}));
    // Ruled at once: the times are all that everybody sees of it.
    public.expect("\"source\":\"arbiter\"");
    assert_eq!(clock()["source"], "arbiter");
    // What was on its way has arrived when nothing has changed for a while.
    let mut before = outlets();
    for _ in 0..40 {
        thread::sleep(Duration::from_millis(250));
        let now = outlets();
        if now == before {
            break;
        }
        before = now;
    }
    entered("entries", json!({"do": "stop"}));
    entered("entries", json!({"do": "flag", "by": "white"}));
    assert!(daemon.get("/api/v1/arbiter/boards/1", &headers).json()["seq"].as_u64().unwrap() > private + 4, "arbiters are told");
    assert_eq!(outlets(), before);
    // The king's pawn is lifted and put back.
    daemon.board.say(&[0x8e, 0, 5, 52, 0]);
    daemon.board.say(&[0x8e, 0, 5, 52, 1]);
    public.expect("PPPP1PPP");
    entered("result", json!({"result": "1/2-1/2"}));
    public.expect("event: result");
    let heard = public.end();
    let numbers = heard.lines().filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok()?["seq"].as_u64());
    let numbers: Vec<u64> = numbers.collect();
    assert!(numbers.len() > 2 && numbers.windows(2).all(|two| two[1] == two[0] + 1 || two[1] == two[0]), "no gaps: {numbers:?}");
    let metrics = daemon.get("/metrics", &[]).body;
    for private in ["alarm", "journal", "entries", "logins", "queue", "publisher"] {
        assert!(!metrics.contains(private), "{private}: {metrics}");
    }
    let all = daemon.get("/api/v1/operator/metrics", &headers).body;
    assert!(all.contains("flagfall_alarms{") && all.contains("flagfall_entries_total"), "{all}");
}
