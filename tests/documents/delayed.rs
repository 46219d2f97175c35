//! Outlets with a delay: whoever counts from a time in them sees what the clock showed a delay ago.
use super::hall::Hall;
use super::reading::game;
use flagfall::config::Config;
use flagfall::feeds::delay::Lag;
use flagfall::feeds::event_info::EventInfo;
use flagfall::feeds::push::Push;
use flagfall::feeds::running;
use flagfall::feeds::tree::Broadcast;
use flagfall::feeds::tree::documents::Documents;
use flagfall::web::hub::Hub;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The moments that viewers count from, milliseconds since 1970: ReferenceTime, `clock.time`, `firstMove`.
fn moments(pgn: &str, cloud: &str) -> [i64; 3] {
    let read = game(pgn);
    let reference: jiff::Timestamp = read.tag("ReferenceTime").unwrap().split_once('/').unwrap().1.parse().unwrap();
    let cloud: Value = serde_json::from_str(cloud).unwrap();
    let number = |value: &Value| value.as_i64().unwrap_or_else(|| panic!("{cloud}"));
    [reference.as_millisecond(), number(&cloud["clock"]["time"]), number(&cloud["firstMove"])]
}

/// The file below `root`, once it is there.
async fn arrives(root: &Path, path: &str) -> String {
    for _ in 0..600 {
        if let Ok(text) = tokio::fs::read_to_string(root.join(path)).await {
            return text;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{path} never arrived");
}

#[test]
fn a_countdown_shows_what_the_clock_showed_a_delay_ago() {
    let mut hall = Hall::new(&["1"]);
    hall.game("1", &["e2e4", "e7e5", "g1f3"], "*");
    let reading = json!({"type": "clock", "white_ms": 895_000, "black_ms": 890_000, "running": "black", "flag": null, "source": "device", "uncertainty_ms": 100});
    hall.event("1", reading);
    let read = moments(&hall.tree("round-1/game-1.pgn"), &hall.cloud("round-1/game-1.json").to_string());

    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let config = [("now", "0s"), ("late", "2s"), ("later", "3s")].map(|(name, delay)| {
        format!("[[upload]]\nkind = \"fs\"\nname = \"{name}\"\npath = \"{}\"\ndelay = \"{delay}\"\n", place(name).display())
    });
    let config = Config::parse("test", &config.concat()).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let token = CancellationToken::new();
        let event = EventInfo::new(hall.event_now());
        let json = format!("get/{}/round-1/game-1.json", event.now().uuid);
        let broadcast = Broadcast { event, documents: hall.documents.clone() };
        let _feeds = running::start(&config, (&broadcast, &broadcast), &Hub::new(), &Push::open(None, std::sync::Arc::new(|_| true)), &token);
        for (name, later) in [("now", 0), ("late", 2_000), ("later", 3_000)] {
            let (pgn, json) = (arrives(&place(name), "round-1/game-1.pgn").await, arrives(&place(name), &json).await);
            assert_eq!(moments(&pgn, &json).map(|at| at - read[0]), read.map(|at| at - read[0] + later), "{name}: {pgn}");
            // What the clock showed does not change, only since when.
            assert!(pgn.contains("[WhiteClock \"00:14:55\"]\n[BlackClock \"00:14:50\"]"), "{pgn}");
            assert_eq!(arrives(&place(name), "round-1/games.pgn").await, pgn, "both files agree");
        }
        // One that may be early is made of what is so on the boards now, everything else of what is public.
        let early = "delay = \"1h\"\n[[upload]]\nkind = \"fs\"\nname = \"early\"\ndelay = \"0s\"\nearly = true\n[[upload]]\nkind = \"fs\"\nname = \"public\"\n";
        let early = early.lines().map(|line| match line.strip_prefix("name = ") {
            Some(name) => format!("{line}\npath = \"{}\"\n", place(name.trim_matches('"')).display()),
            None => format!("{line}\n"),
        });
        let config = Config::parse("test", &early.collect::<String>()).unwrap();
        let world = Broadcast { event: EventInfo::new(Default::default()), documents: Documents::delayed(Lag::of(Duration::from_secs(3_600))) };
        world.documents.make(world.event.now());
        let _more = running::start(&config, (&world, &broadcast), &Hub::new(), &Push::open(None, std::sync::Arc::new(|_| true)), &token);
        assert!(arrives(&place("early"), "round-1/game-1.pgn").await.contains("[WhiteClock"));
        arrives(&place("public"), "tournament.json").await;
        assert!(!place("public").join("round-1").exists());
        token.cancel();
    });
}
