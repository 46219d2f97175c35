//! `flagfall lichess create` against a Lichess that keeps broadcasts and rounds as its public specification describes them.
use super::fake::decoded;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::process::Command;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

type Fields = BTreeMap<String, String>;

#[derive(Default)]
struct Studio {
    /// Each broadcast by its id, and its rounds with theirs.
    tours: BTreeMap<String, (Fields, Vec<(String, Fields)>)>,
    /// Requests that change something.
    changes: Vec<String>,
    /// The token may not read.
    unreadable: bool,
}

type Desk = Arc<Mutex<Studio>>;

fn fields(body: &Bytes) -> Fields {
    let body = String::from_utf8(body.to_vec()).unwrap();
    body.split('&').filter_map(|pair| pair.split_once('=')).map(|(name, value)| (decoded(name), decoded(value))).collect()
}

fn tour_json(id: &str, tour: &Fields) -> Value {
    let info = |name: &str| tour.get(&format!("info.{name}")).cloned();
    let mut json = json!({ "id": id, "name": tour["name"], "slug": "open", "createdAt": 0, "url": format!("https://lichess.org/broadcast/open/{id}"),
        "info": { "location": info("location"), "tc": info("tc"), "website": info("website") } });
    if tour.contains_key("teamTable") {
        json["teamTable"] = json!(true);
    }
    json
}

fn round_json(id: &str, round: &Fields) -> Value {
    let mut json = json!({ "id": id, "name": round["name"], "slug": "round", "createdAt": 0, "rated": true });
    if let Some(delay) = round.get("delay") {
        json["delay"] = json!(delay.parse::<u64>().unwrap());
    }
    json
}

async fn my_rounds(State(desk): State<Desk>, headers: HeaderMap) -> Response {
    assert_eq!(headers["authorization"], "Bearer lip_secret");
    let desk = desk.lock().unwrap();
    if desk.unreadable {
        return (StatusCode::FORBIDDEN, axum::Json(json!({ "error": "Missing scope: study:read" }))).into_response();
    }
    let mut lines = String::new();
    for (id, (tour, rounds)) in &desk.tours {
        for (round_id, round) in rounds {
            let line = json!({ "tour": tour_json(id, tour), "round": round_json(round_id, round), "study": { "writeable": true } });
            lines += &format!("{line}\n");
        }
    }
    ([("content-type", "application/x-ndjson")], lines).into_response()
}

async fn tour(State(desk): State<Desk>, Path(id): Path<String>) -> Response {
    let desk = desk.lock().unwrap();
    let Some((tour, rounds)) = desk.tours.get(&id) else { return StatusCode::NOT_FOUND.into_response() };
    let rounds: Vec<Value> = rounds.iter().map(|(id, round)| round_json(id, round)).collect();
    axum::Json(json!({ "tour": tour_json(&id, tour), "rounds": rounds })).into_response()
}

async fn new_tour(State(desk): State<Desk>, body: Bytes) -> Response {
    let (mut desk, tour) = (desk.lock().unwrap(), fields(&body));
    let id = format!("tour{:04}", desk.tours.len());
    desk.changes.push(format!("new {}", tour["name"]));
    let json = json!({ "tour": tour_json(&id, &tour), "rounds": [] });
    desk.tours.insert(id, (tour, Vec::new()));
    axum::Json(json).into_response()
}

async fn new_round(State(desk): State<Desk>, Path(tour): Path<String>, body: Bytes) -> Response {
    let (mut desk, round) = (desk.lock().unwrap(), fields(&body));
    let id = format!("rnd{:05}", desk.changes.len());
    desk.changes.push(format!("new {}", round["name"]));
    let (about, rounds) = desk.tours.get_mut(&tour).unwrap();
    let json = json!({ "round": round_json(&id, &round), "tour": tour_json(&tour, about), "study": { "writeable": true } });
    rounds.push((id, round));
    axum::Json(json).into_response()
}

/// With `patch` only the fields that are given.
fn patch(query: &HashMap<String, String>, old: &mut Fields, new: Fields) {
    assert_eq!(query.get("patch").map(String::as_str), Some("true"), "what is not named would be emptied");
    old.extend(new);
}

async fn edit_tour(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    body: Bytes,
) -> Response {
    let mut desk = desk.lock().unwrap();
    patch(&query, &mut desk.tours.get_mut(&id).unwrap().0, fields(&body));
    desk.changes.push(format!("edit {id}"));
    axum::Json(json!({ "ok": true })).into_response()
}

async fn edit_round(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    body: Bytes,
) -> Response {
    let mut desk = desk.lock().unwrap();
    let rounds = desk.tours.values_mut().flat_map(|(_, rounds)| rounds);
    patch(&query, &mut rounds.into_iter().find(|(round, _)| *round == id).unwrap().1, fields(&body));
    desk.changes.push(format!("edit {id}"));
    axum::Json(json!({ "ok": true })).into_response()
}

#[test]
fn broadcast_and_rounds_are_made_once_and_found_again_and_a_dry_run_changes_nothing() {
    let (runtime, desk) = (Runtime::new().unwrap(), Desk::default());
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let app = Router::new()
        .route("/api/broadcast/my-rounds", get(my_rounds))
        .route("/api/broadcast/{tour}", get(tour))
        .route("/broadcast/new", post(new_tour))
        .route("/broadcast/{tour}/new", post(new_round))
        .route("/broadcast/{tour}/edit", post(edit_tour))
        .route("/broadcast/round/{round}/edit", post(edit_round))
        .with_state(desk.clone());
    runtime.spawn(async move { axum::serve(listener, app).await });

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut list = String::from("round,board,white,black,whiteteam,blackteam\n");
    for board in 1..=130 {
        list += &format!("1,{board},White {board},Black {board},Cats,Dogs\n");
    }
    list += "2,1,Adams,Short,Cats,Dogs\n";
    std::fs::write(at("list.csv"), list).unwrap();
    std::fs::write(at("token"), "lip_secret\n").unwrap();
    let configuration = |more: &str| {
        format!("[event]\nname = \"Open & Friends\"\ncity = \"Wien\"\nrounds = 2\npairings = \"{}\"\n{more}", at("list.csv").display())
    };
    std::fs::write(at("f.toml"), configuration("")).unwrap();
    let create = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
        let command =
            command.args(["lichess", "create", "--base-url", &base, "--token-file"]).arg(at("token")).arg("--config").arg(at("f.toml"));
        let output = command.args(more).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code())
    };
    // A hundred and thirty games for one round are refused before the event.
    let one = format!("[[lichess]]\nround = \"xVEzYJHf\"\ntoken_file = \"{}\"\n", at("token").display());
    std::fs::write(at("one.toml"), configuration(&one)).unwrap();
    let check = Command::new(env!("CARGO_BIN_EXE_flagfall")).arg("check").arg(at("one.toml")).output().unwrap();
    let refused = String::from_utf8(check.stderr).unwrap();
    assert_eq!(check.status.code(), Some(65), "{refused}");
    assert!(refused.contains("lichess: round 1 has 130 games for the round xVEzYJHf on Lichess, which takes 100"), "{refused}");
    let changes = || std::mem::take(&mut desk.lock().unwrap().changes);

    let (said, complaints, _) = create(&["--dry-run", "--delay", "15m"]);
    for word in
        ["would make the broadcast \"Open & Friends\": scores, place Wien, table of teams", "would make \"Round 2\"", "nothing was changed"]
    {
        assert!(said.contains(word), "{word}: {said}{complaints}");
    }
    assert_eq!(changes(), Vec::<String>::new());

    let (made, complaints, code) = create(&["--delay", "15m"]);
    assert_eq!(code, Some(0), "{complaints}");
    assert_eq!(changes(), ["new Open & Friends", "new Round 1, boards 1-100", "new Round 1, boards 101-130", "new Round 2"]);
    assert!(made.contains("event_round = 1\nboards = \"101-130\"\nbase_url"), "{made}");
    // What it prints is a configuration, and every game has room in it.
    std::fs::write(at("f.toml"), configuration(&made)).unwrap();
    let check = Command::new(env!("CARGO_BIN_EXE_flagfall")).arg("check").arg(at("f.toml")).output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));

    let (again, complaints, _) = create(&["--delay", "15m"]);
    assert_eq!((changes(), again), (Vec::new(), made), "{complaints}");
    assert!(complaints.contains("\"Round 2\" is there already (rnd"), "{complaints}");
    assert!(complaints.contains("the configuration has every round already"), "{complaints}");

    create(&["--delay", "0s"]);
    assert_eq!(changes().len(), 3, "the three rounds");
    desk.lock().unwrap().unreadable = true;
    let (_, complaints, code) = create(&[]);
    assert!(code == Some(65) && complaints.contains("make one with the scopes study:read and study:write"), "{complaints}");
}
