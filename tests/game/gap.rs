//! The link was down and the players went on: what was played meanwhile is found, and the game goes on.
#![allow(clippy::unwrap_used, reason = "a test may")]
use flagfall_capture::{Capture, drive};
use flagfall_events::{Body, How};
use std::convert::Infallible;

const START: &str = "< 86 00 43 08 09 0a 0c 0b 0a 09 08 07 07 07 07 07 07 07 07 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 01 01 01 01 01 01 01 02 03 04 06 05 04 03 02";

/// Every completed move with the way it was completed.
fn moves(lines: &[&str]) -> Vec<(String, How)> {
    let text = format!("# flagfall-capture 1\n{}\n", lines.join("\n"));
    let mut moves = Vec::new();
    let ended = drive("1", Capture::open(text.as_bytes()).unwrap(), flagfall_solver::answers(), |event| {
        if let Body::MoveCompleted { uci, how, .. } = event.body {
            moves.push((uci, how));
        }
        Ok::<_, Infallible>(())
    });
    assert_eq!(ended, Ok(None));
    moves
}

fn start() -> Vec<String> {
    let first = [
        "0 = up",
        &format!("10 {START}"),
        "20 < 8d 00 0a 00 05 00 00 05 00 08",
        "1000 < 8d 00 0a 00 05 00 00 05 00 09",
        // 1. e4 e5, both pressed.
        "2000 < 8e 00 05 34 00 8e 00 05 24 01",
        "3000 < 8d 00 0a 00 05 00 00 04 58 13",
        "4000 < 8e 00 05 0c 00 8e 00 05 1c 07",
        "5000 < 8d 00 0a 00 04 58 00 04 58 09",
        "6000 = down",
        "20000 = up",
    ];
    first.map(String::from).to_vec()
}

/// After 2. Nf3 Nc6, with White's bishop from f1 on its square or in the air.
fn dump(bishop: &str) -> String {
    format!(
        "< 86 00 43 08 00 0a 0c 0b 0a 09 08 07 07 07 07 00 07 07 07 00 00 09 00 00 00 00 00 00 00 00 00 07 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 03 00 00 01 01 01 01 00 01 01 01 02 03 04 06 05 {bishop} 00 02"
    )
}

#[test]
fn moves_made_while_the_link_was_down_are_recovered() {
    let mut lines = start();
    lines.push(format!("21000 {}", dump("04")));
    lines.push(String::from("21100 < 8d 00 0a 00 04 50 00 04 50 09"));
    lines.push(String::from("23000 < 8e 00 05 3d 00 8e 00 05 19 04"));
    lines.push(String::from("24000 < 8d 00 0a 00 04 50 00 04 48 13"));
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let expected = [("e2e4", How::Press), ("e7e5", How::Press), ("g1f3", How::Recovered), ("b8c6", How::Recovered), ("f1b5", How::Press)];
    assert_eq!(moves(&lines), expected.map(|(uci, how)| (String::from(uci), how)));
}

#[test]
fn a_piece_in_the_hand_at_the_moment_of_the_return_does_not_end_the_game() {
    let mut lines = start();
    lines.push(format!("21000 {}", dump("00")));
    lines.push(String::from("21100 < 8d 00 0a 00 04 50 00 04 50 09"));
    lines.push(String::from("22000 < 8e 00 05 19 04"));
    lines.push(String::from("23000 < 8d 00 0a 00 04 50 00 04 48 13"));
    lines.push(String::from("25000 < 8e 00 05 08 00 8e 00 05 10 07"));
    lines.push(String::from("26000 < 8d 00 0a 00 04 47 00 04 48 09"));
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let found = moves(&lines);
    let uci: Vec<_> = found.iter().map(|(uci, _)| uci.as_str()).collect();
    assert_eq!(uci, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]);
    assert_eq!(found.iter().map(|(_, how)| *how).filter(|how| *how == How::Recovered).count(), 2, "{found:?}");
}
