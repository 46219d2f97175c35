//! The daemon itself: lists that change while it runs, folders that follow, a restart.
use crate::started::{Started, until};
use std::fs;

#[test]
fn names_follow_the_list_and_a_broken_one_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let config = format!(
        "[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n[event]\nname = \"Test Open\"\ncity = \"Bergen\"\ncountry = \"NO\"\nrounds = 2\n\
         pairings = {:?}\n[tree]\nfolder = {:?}\n[cloud]\nfolder = {:?}\n[[board]]\nname = \"1\"\nlink = \"serial:{2}/none1\"\n[[board]]\nname = \"2\"\nlink = \"serial:{2}/none2\"\n",
        at("pairings.csv"),
        at("www/pgn"),
        home.path().join("www").to_str().unwrap(),
    );
    fs::write(at("flagfall.toml"), config).unwrap();
    let daemon = Started::at(home.path());
    let round = || daemon.get("/pgn/round-1/games.pgn");
    let file = || fs::read_to_string(at("www/pgn/round-1/games.pgn")).ok();
    let named = |text: Option<String>, name: &str| text.filter(|text| text.contains(&format!("[White \"{name}\"]")));
    until("placeholder names", || named(round(), "Board 2 White"));
    fs::write(at("pairings.csv"), "board,white,black\n1,\"Adams, Mary\",Clark\n2,Baker,Davis\n").unwrap();
    until("names", || named(round(), "Adams, Mary"));
    until("names in the folder", || named(file(), "Adams, Mary"));
    assert!(daemon.get("/api/v1/boards/1").unwrap().contains("Adams, Mary"), "the page has them, too");
    assert!(daemon.get("/api/v1/boards/2/pgn").unwrap().contains("[Round \"1.2\"]"));
    // A mistake: what was read before still holds; the mended file is read again, at once on SIGHUP.
    fs::write(at("pairings.csv"), "board,white,black\n1,Nobody\n1,Else,Where\n").unwrap();
    until("complaint", || fs::read_to_string(at("log")).unwrap().contains("line 3").then_some(()));
    assert!(named(round(), "Adams, Mary").is_some());
    fs::write(at("pairings.csv"), "board,white,black\n1,\"Adams, Mary\",Clark\n2,\"Baker, Jo\",Davis\n").unwrap();
    daemon.signal("-HUP");
    until("mended names", || named(round(), "Baker, Jo"));
    let tournament = daemon.get("/pgn/tournament.json").unwrap();
    let uuid = until("the cloud's folder", || fs::read_dir(at("www/get")).ok()?.next()?.ok()?.file_name().into_string().ok());
    assert!(daemon.get(&format!("/get/{uuid}/round-1/index.json")).unwrap().contains("\"fname\":\"Mary\""));
    // An operator may begin a round by hand.
    assert_eq!(daemon.post("/api/v1/operator/event/round", "{\"round\": 9}").0, 422);
    assert_eq!(daemon.post("/api/v1/operator/event/round", "{\"round\": 1}").0, 200);
    assert_eq!(daemon.post("/api/v1/operator/event/reload", "").0, 202);
    assert!(daemon.get("/api/v1/operator/event").unwrap().contains("\"round\":1"));
    daemon.end();
    assert!(named(file(), "Baker, Jo").is_some(), "what came last is in the folder");
    // After a restart everything is there before a list is read.
    fs::remove_file(at("pairings.csv")).unwrap();
    let again = Started::at(home.path());
    until("names", || named(again.get("/pgn/round-1/games.pgn"), "Baker, Jo"));
    assert_eq!(again.get("/pgn/tournament.json").unwrap(), tournament);
    assert!(again.get(&format!("/get/{uuid}/tournament.json")).is_some(), "the same uuid");
    again.end();
}
