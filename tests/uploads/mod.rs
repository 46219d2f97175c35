//! Uploads to real servers on loopback, killed and restarted while a round is played: nothing is lost, nobody sees half a file.
#![allow(clippy::unwrap_used, reason = "a test may")]
mod daemon;
mod endless;
mod servers;

use flagfall::config::Config;
use flagfall::feeds::upload::{self, File, Files, Teller};
use flagfall::web::voice::Voice;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What the operator was told, about what.
type Said = Vec<(String, Option<String>)>;

/// Uploads that run until dropped.
struct Uploads {
    files: watch::Sender<Files>,
    told: Arc<Mutex<Said>>,
    token: CancellationToken,
    runtime: Runtime,
}

impl Uploads {
    fn new(config: &str) -> Self {
        let config = Config::parse("test", config).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let files = watch::Sender::new(Files::default());
        let told: Arc<Mutex<Said>> = Arc::default();
        let said = told.clone();
        let tell: Teller = Arc::new(move |about, text| said.lock().unwrap().push((about.to_owned(), text)));
        let (token, count) = (CancellationToken::new(), Arc::new(|_: &str, _: Option<bool>| ()) as flagfall::feeds::Counter);
        {
            let _inside = runtime.enter();
            upload::start(&config.uploads, &|_| Some(files.subscribe()), &tell, &count, &Voice::always(), &TaskTracker::new(), &token);
        }
        Self { files, told, token, runtime }
    }

    fn told(&self) -> Said {
        self.told.lock().unwrap().clone()
    }
}

impl Drop for Uploads {
    fn drop(&mut self) {
        self.token.cancel();
        // The tasks end with their runtime.
        _ = &self.runtime;
    }
}

/// The last line of every file: where it is missing the file is not whole.
const END: &str = "; the end\n";

fn content(path: &str, version: usize) -> String {
    format!("{path} {version}\n{}{END}", "x".repeat(version * 37 % 5000))
}

/// Four boards after some moves each, as the tree and the JSON have them.
fn state(plies: &[usize; 4]) -> Files {
    let round: usize = plies.iter().sum();
    let mut versions: Vec<(String, usize)> = Vec::new();
    for (i, n) in plies.iter().enumerate() {
        versions.push((format!("pgn/round-1/game-{}.pgn", i + 1), *n));
        versions.push((format!("get/abc/round-1/game-{}.json", i + 1), *n));
    }
    versions.push((String::from("pgn/round-1/games.pgn"), round));
    versions.push((String::from("pgn/tournament.json"), 0));
    let file = |(path, version): (String, usize)| File {
        bytes: content(&path, version).into(),
        content_type: if path.ends_with("pgn") { "application/x-chess-pgn; charset=utf-8" } else { "application/json" },
        path: path.into(),
        max_age_s: 2,
        version: version as u64,
    };
    Arc::new(versions.into_iter().map(file).collect())
}

/// What must be on a target that gets everything.
fn expected(plies: &[usize; 4]) -> BTreeMap<String, String> {
    let text = |file: &File| (file.path.trim_start_matches("pgn/").to_owned(), String::from_utf8(file.bytes.to_vec()).unwrap());
    state(plies).iter().map(text).collect()
}

/// Plays until `plies` moves were made, one every 50 ms; `at` is called before each.
fn play(uploads: &Uploads, plies: usize, mut at: impl FnMut(usize)) -> [usize; 4] {
    let mut boards = [1; 4];
    for ply in 0..plies {
        at(ply);
        boards[ply * 7 % 4] += 1;
        uploads.files.send_replace(state(&boards));
        thread::sleep(Duration::from_millis(50));
    }
    boards
}

/// The files below a folder.
fn below(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.insert(path.strip_prefix(root).unwrap().display().to_string(), text);
            }
        }
    }
    found
}

/// Waits until what is there is what should be; what is written aside does not count.
fn arrives(what: &str, expected: &BTreeMap<String, String>, there: impl Fn() -> BTreeMap<String, String>) {
    let mut last = BTreeMap::new();
    for _ in 0..1_800 {
        last = there();
        last.retain(|path, _| path.ends_with(".pgn") || path.ends_with(".json"));
        if last == *expected {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    let wrong: Vec<_> = expected.keys().filter(|path| last.get(*path) != expected.get(*path)).collect();
    panic!("{what}: after three minutes these are missing or old: {wrong:?}");
}

/// Reads every file with its final name over and over: none is ever half.
struct Watcher {
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<usize>>,
}

impl Watcher {
    fn new(root: PathBuf) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let ended = stop.clone();
        let thread = thread::spawn(move || {
            let mut read = 0;
            while !ended.load(Ordering::Relaxed) {
                for (path, text) in below(&root) {
                    let named = path.ends_with(".pgn") || path.ends_with(".json");
                    assert!(!named || text.ends_with(END), "half of {path} was seen");
                    read += 1;
                }
                thread::sleep(Duration::from_millis(2));
            }
            read
        });
        Self { stop, thread: Some(thread) }
    }

    fn end(mut self) {
        self.stop.store(true, Ordering::Relaxed);
        assert!(self.thread.take().unwrap().join().unwrap() > 100, "it has seen nothing");
    }
}

#[test]
fn ftp_through_a_dead_server_nothing_is_lost_and_nobody_sees_half_a_file() {
    let home = tempfile::tempdir().unwrap();
    let Some(mut server) = servers::ftp(home.path()) else { return };
    let secret = home.path().parent().unwrap().join(format!("flagfall-test-{}", server.port));
    fs::write(&secret, "secret\n").unwrap();
    let uploads = Uploads::new(&format!(
        "[[upload]]\nkind = \"ftp\"\nname = \"chess.com\"\nurl = \"ftp://127.0.0.1:{}/live\"\nuser = \"chess\"\npassword_file = \"{}\"\n",
        server.port,
        secret.display()
    ));
    let watcher = Watcher::new(home.path().to_owned());
    let mut down = 0;
    let boards = play(&uploads, 120, |ply| match ply {
        40 => server.kill(),
        90 => {
            down = uploads.told().len();
            server.start();
        }
        _ => {}
    });
    arrives("ftp", &expected(&boards), || below(&home.path().join("live")));
    watcher.end();
    assert!(down >= 1, "the operator was not told while the server was down");
    let told = uploads.told();
    assert_eq!(told.last().unwrap(), &(String::from("upload chess.com"), None), "{told:?}");
    fs::remove_file(secret).unwrap();
}

/// An object of the fake S3, its content type and its lifetime.
fn object(port: u16, path: &str) -> Option<(String, String, String)> {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    // moto wants a signature, but does not check it.
    let signed = "AWS4-HMAC-SHA256 Credential=AKIATEST/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0";
    let mut answer = agent.get(format!("http://127.0.0.1:{port}/chess/open/{path}")).header("authorization", signed).call().ok()?;
    let header = |name: &str| answer.headers().get(name).map(|v| v.to_str().unwrap().to_owned()).unwrap_or_default();
    let (kind, lifetime) = (header("content-type"), header("cache-control"));
    (answer.status() == 200).then(|| (answer.body_mut().read_to_string().unwrap(), kind, lifetime))
}

#[test]
fn s3_that_loses_all_it_had_gets_everything_again_with_types_and_lifetimes() {
    let Some(mut server) = servers::s3() else { return };
    let port = server.port;
    let bucket = move || ureq::put(format!("http://127.0.0.1:{port}/chess")).send_empty().unwrap();
    bucket();
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "secret\n").unwrap();
    let uploads = Uploads::new(&format!(
        "[[upload]]\nkind = \"s3\"\nurl = \"http://127.0.0.1:{port}\"\nbucket = \"chess\"\nregion = \"us-east-1\"\nuser = \"AKIATEST\"\npassword_file = \"{}\"\nprefix = \"open\"\n",
        secret.display()
    ));
    let boards = play(&uploads, 100, |ply| match ply {
        30 => server.kill(),
        70 => {
            server.start();
            bucket();
        }
        _ => {}
    });
    let all = expected(&boards);
    let there = || all.keys().filter_map(|path| Some((path.clone(), object(port, path)?.0))).collect();
    arrives("s3", &all, there);
    let (_, kind, lifetime) = object(port, "round-1/games.pgn").unwrap();
    assert_eq!((kind.as_str(), lifetime.as_str()), ("application/x-chess-pgn; charset=utf-8", "public, max-age=2"));
    assert_eq!(uploads.told().last().unwrap().1, None);
}

#[test]
fn sftp_through_a_dead_server_nothing_is_lost_and_nobody_sees_half_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let Some((mut server, key)) = servers::sftp(folder.path()) else { return };
    let home = folder.path().join("www");
    fs::create_dir(&home).unwrap();
    let user = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    let uploads = Uploads::new(&format!(
        "[[upload]]\nkind = \"sftp\"\nurl = \"sftp://127.0.0.1:{}{}\"\nuser = \"{}\"\nkey_file = \"{}\"\nknown_hosts = \"add\"\nwhat = [\"pgn\"]\n",
        server.port,
        home.display(),
        user.trim(),
        key.display()
    ));
    let watcher = Watcher::new(home.clone());
    let boards = play(&uploads, 100, |ply| match ply {
        40 => server.kill(),
        70 => server.start(),
        _ => {}
    });
    let mut all = expected(&boards);
    all.retain(|path, _| !path.starts_with("get/"));
    arrives("sftp", &all, || below(&home));
    watcher.end();
}

#[test]
fn a_dead_target_delays_nobody_and_what_did_not_change_is_not_written_again() {
    // Takes connections and never says a word.
    let mute = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let uploads = Uploads::new(&format!(
        "[[upload]]\nkind = \"ftp\"\nurl = \"ftp://{}/\"\n[[upload]]\nkind = \"fs\"\npath = \"{}\"\nname = \"tree\"\nwhat = [\"pgn\"]\n\
         [[upload]]\nkind = \"fs\"\npath = \"{}\"\nname = \"json\"\nwhat = [\"json\"]\nprefix = \"cdn\"\ndelay = \"2s\"\n",
        mute.local_addr().unwrap(),
        one.display(),
        two.display()
    ));
    let watcher = Watcher::new(one.clone());
    let boards = play(&uploads, 60, |_| {});
    let (mut tree, mut json) = (expected(&boards), BTreeMap::new());
    tree.retain(|path, text| {
        let is_json = path.starts_with("get/");
        if is_json {
            json.insert(format!("cdn/{path}"), text.clone());
        }
        !is_json
    });
    arrives("the tree", &tree, || below(&one));
    arrives("the JSON", &json, || below(&two));
    watcher.end();
    let stamp = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    let before = stamp(&one.join("round-1/game-1.pgn"));
    let mut next = boards;
    next[1] += 1;
    uploads.files.send_replace(state(&next));
    tree = expected(&next);
    tree.retain(|path, _| !path.starts_with("get/"));
    arrives("the next move", &tree, || below(&one));
    assert_eq!(stamp(&one.join("round-1/game-1.pgn")), before, "game 1 did not change");
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(fs::metadata(one.join("round-1/game-1.pgn")).unwrap().permissions().mode() & 0o777, 0o644);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_arrives_when_it_can() {
    let folder = tempfile::tempdir().unwrap();
    // A file stands where a folder must be.
    let place = folder.path().join("www");
    fs::write(&place, "").unwrap();
    let uploads =
        Uploads::new(&format!("[[upload]]\nkind = \"fs\"\nname = \"www\"\npath = \"{}\"\nwhat = [\"pgn\"]\n", place.join("x").display()));
    uploads.files.send_replace(state(&[1; 4]));
    for _ in 0..300 {
        if !uploads.told().is_empty() {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    assert!(matches!(&uploads.told()[0], (about, Some(_)) if about == "upload www"), "{:?}", uploads.told());
    fs::remove_file(&place).unwrap();
    let mut all = expected(&[1; 4]);
    all.retain(|path, _| !path.starts_with("get/"));
    arrives("the tree", &all, || below(&place.join("x")));
    for _ in 0..300 {
        if uploads.told().last().unwrap().1.is_none() {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("the alarm was not cleared");
}
