//! Readers that poll: files are whole at every moment, tags tell what changed.
use super::hall::Hall;
use super::reading::games;
use crate::http::{Answer, call};
use axum::Router;
use flagfall::feeds::tree::http::router;
use flagfall::feeds::tree::writer::Writer;
use serde_json::json;
use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// `REWRITES=10000 cargo test --test feeds rewrites -- --show-output` is the whole measurement.
fn rewrites() -> usize {
    std::env::var("REWRITES").map_or(500, |n| n.parse().unwrap())
}

#[test]
fn rewrites_are_never_seen_half_done() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut hall = Hall::new(&["1", "2"]);
    hall.game("1", &["e2e4", "e7e5", "g1f3", "b8c6"], "*");
    hall.game("2", &["d2d4"], "*");
    let mut writer = Writer::new(folder.path(), "pgn/", "");
    writer.write(&hall.documents.now()).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let poll = || {
            let round = folder.path().join("round-1");
            let mut reads = 0_usize;
            let clock = |text: &str| games(text)[0].tag("WhiteClock").map(String::from);
            while !done.load(Ordering::Relaxed) {
                // The combined file first: what a game file says afterwards is never older.
                let together = fs::read_to_string(round.join("games.pgn")).unwrap();
                let alone = fs::read_to_string(round.join("game-1.pgn")).unwrap();
                assert!(together.ends_with(" *\n\n") && alone.ends_with(" *\n\n"), "{alone}");
                assert_eq!((games(&together).len(), games(&alone).len()), (2, 1));
                if let (Some(alone), Some(together)) = (clock(&alone), clock(&together)) {
                    assert!(alone <= together, "the clock runs down: {alone} {together}");
                }
                for entry in fs::read_dir(&round).unwrap() {
                    let name = entry.unwrap().file_name().into_string().unwrap();
                    assert!(name.ends_with(".part") || !name.starts_with('.'), "{name}");
                    assert!(!(name.contains("part") && (name.ends_with(".pgn") || name.ends_with(".json"))), "{name}");
                }
                let index = fs::read(round.join("index.json")).unwrap();
                assert_eq!(serde_json::from_slice::<serde_json::Value>(&index).unwrap()["pairings"].as_array().unwrap().len(), 2);
                reads += 1;
            }
            reads
        };
        let pollers: Vec<_> = (0..2).map(|_| scope.spawn(poll)).collect();
        let count = rewrites();
        for i in 0..count {
            let white_ms = 1000 * i64::try_from(count - i).unwrap();
            hall.event("1", json!({"type": "clock", "white_ms": white_ms, "black_ms": 900_000, "running": "white", "flag": null, "source": "device", "uncertainty_ms": 500}));
            writer.write(&hall.documents.now()).unwrap();
        }
        done.store(true, Ordering::Relaxed);
        let reads: usize = pollers.into_iter().map(|p| p.join().unwrap()).sum();
        println!("{count} rewrites, {reads} looks at three files each, none partial");
        assert!(reads > 0);
    });
}

#[test]
fn files_are_readable_by_others_and_nothing_is_left_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut hall = Hall::new(&["1", "2"]);
    hall.game("1", &["e2e4"], "*");
    fs::create_dir_all(folder.path().join("sub/round-1")).unwrap();
    fs::write(folder.path().join("sub/round-1/.flagfall-game-1.pgn.part"), "half").unwrap();
    for (prefix, keep) in [("pgn/", ""), ("get/", "get/")] {
        Writer::new(&folder.path().join("sub"), prefix, keep).write(&hall.documents.now()).unwrap();
    }
    let round = folder.path().join("sub/round-1");
    let mut names: Vec<String> = fs::read_dir(&round).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["game-1.pgn", "game-2.pgn", "games.pgn", "index.json"]);
    assert_eq!(fs::metadata(round.join("games.pgn")).unwrap().permissions().mode() & 0o777, 0o644);
    let uuid = hall.event_now().uuid;
    let cloud = folder.path().join("sub/get").join(uuid);
    assert!(cloud.join("round-1/game-1.json").exists() && cloud.join("tournament.json").exists());
    assert_eq!(fs::metadata(cloud.join("round-1")).unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_mended() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("pgn");
    fs::write(&blocked, "a file where the folder should be").unwrap();
    let mut hall = Hall::new(&["1"]);
    hall.game("1", &["e2e4"], "*");
    let mut writer = Writer::new(&blocked, "pgn/", "");
    let told = writer.write(&hall.documents.now()).unwrap_err();
    assert!(told.contains("pgn"), "{told}");
    fs::remove_file(&blocked).unwrap();
    writer.write(&hall.documents.now()).unwrap();
    assert_eq!(fs::read_to_string(blocked.join("round-1/games.pgn")).unwrap(), hall.tree("round-1/games.pgn"));
}

/// The routes on a port of their own.
struct Served {
    address: SocketAddr,
    _runtime: tokio::runtime::Runtime,
}

impl Served {
    fn new(app: Router) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self { address, _runtime: runtime }
    }

    fn call(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        call(self.address, method, path, headers)
    }
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> &'a str {
    headers.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value.as_str())
}

#[test]
fn the_whole_round_over_http_with_tags_that_say_what_changed() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.game("2", &["e2e4"], "*");
    let served = Served::new(router(hall.documents.clone()));
    let path = "/pgn/round-1/games.pgn";
    let (status, headers, body) = served.call("GET", path, &[]);
    assert_eq!((status, body.as_str()), (200, hall.tree("round-1/games.pgn").as_str()));
    assert_eq!(header(&headers, "content-type"), "application/x-chess-pgn; charset=utf-8");
    assert_eq!(header(&headers, "access-control-allow-origin"), "*");
    let etag = String::from(header(&headers, "etag"));
    assert!(etag.starts_with('"') && etag.ends_with('"') && etag.len() > 10, "{etag}");
    let plain = etag.trim_matches('"');
    for sent in [etag.as_str(), plain, &format!("W/{etag}"), &format!("\"x\", {etag}"), &format!("x,{plain}"), "*"] {
        let (status, headers, body) = served.call("GET", path, &[("if-none-match", sent)]);
        assert_eq!((status, body.as_str(), header(&headers, "etag")), (304, "", etag.as_str()), "{sent}");
    }
    assert_eq!(served.call("GET", path, &[("if-none-match", "\"other\"")]).0, 200);
    hall.event("2", json!({"type": "move-completed", "ply": 2, "by": "black", "uci": "e7e5", "legal": true, "how": "press"}));
    let (status, headers, _) = served.call("GET", path, &[("if-none-match", &etag)]);
    assert_eq!(status, 200);
    assert_ne!(header(&headers, "etag"), etag);
    let (_, headers, body) = served.call("HEAD", "/pgn/round-1/game-2.pgn?poll", &[]);
    assert_eq!((body.len(), header(&headers, "content-length").parse().unwrap_or(0)), (0, hall.tree("round-1/game-2.pgn").len()));
    let (status, headers, _) = served.call("OPTIONS", path, &[("origin", "https://example.org"), ("access-control-request-method", "GET")]);
    assert_eq!((status, header(&headers, "access-control-allow-headers")), (204, "*"));
}

#[test]
fn the_cloud_under_our_own_host() {
    let mut hall = Hall::new(&["1"]);
    hall.game("1", &["e2e4"], "*");
    let served = Served::new(router(hall.documents.clone()));
    let base = format!("/get/{}", hall.event_now().uuid);
    for document in ["tournament.json", "round-1/index.json", "round-1/game-1.json?poll"] {
        let (status, headers, body) = served.call("GET", &format!("{base}/{document}"), &[]);
        assert_eq!((status, header(&headers, "content-type")), (200, "application/json"), "{document}");
        assert!(serde_json::from_str::<serde_json::Value>(&body).is_ok());
        assert!(header(&headers, "cache-control").starts_with("public, max-age="), "{headers:?}");
    }
    for path in ["/get/other/tournament.json", "/pgn/round-9/games.pgn", "/pgn/../Cargo.toml", "/pgn/%2e%2e/Cargo.toml"] {
        let (status, _, body) = served.call("GET", path, &[]);
        assert_eq!(status, 404, "{path} {body}");
    }
}

#[test]
fn all_documents_of_one_moment_agree() {
    let mut hall = Hall::new(&["1", "2", "3"]);
    for board in ["1", "3"] {
        hall.game(board, &["e2e4", "e7e5"], "1-0");
    }
    let snapshot = hall.documents.now();
    let text = |path: &str| String::from_utf8(snapshot.get(path).unwrap().bytes.to_vec()).unwrap();
    let alone: String = (1..=3)
        .map(|m| text(&format!("pgn/round-1/game-{m}.pgn")))
        .enumerate()
        .map(|(i, game)| if i == 0 { game } else { game.split_once('\n').unwrap().1.to_owned() })
        .collect();
    assert_eq!(alone, text("pgn/round-1/games.pgn"));
    let order: Vec<&str> = snapshot.under("pgn/").map(|d| d.path.as_str()).collect();
    let wanted = [
        "pgn/round-1/game-1.pgn",
        "pgn/round-1/game-2.pgn",
        "pgn/round-1/game-3.pgn",
        "pgn/round-1/games.pgn",
        "pgn/round-1/index.json",
        "pgn/tournament.json",
    ];
    assert_eq!(order, wanted);
    // What did not change is the same document, with the same version.
    hall.game("2", &["d2d4"], "*");
    let next = hall.documents.now();
    assert!(std::sync::Arc::ptr_eq(next.get("pgn/round-1/game-1.pgn").unwrap(), snapshot.get("pgn/round-1/game-1.pgn").unwrap()));
    assert!(next.get("pgn/round-1/games.pgn").unwrap().version > snapshot.version);
}
