use super::*;

fn chess(fen: &str) -> Chess {
    position(setup(fen).unwrap()).unwrap()
}

#[test]
fn castling_letters_come_in_any_order_and_rights_that_cannot_be_are_dropped() {
    let usual = chess("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for letters in ["QKqk", "qkQK", "kqKQ", "HAha", "KQkq"] {
        let other = chess(&format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {letters} - 0 1"));
        assert_eq!(other.castles().castling_rights(), usual.castles().castling_rights(), "{letters}");
    }
    let moved = chess("rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(moved.castles().castling_rights().count(), 2);
}

#[test]
fn squares_are_compared_whatever_the_runs_of_empty_ones() {
    assert_eq!(squares_between("8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8"), 0);
    assert_eq!(squares_between("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"), 2);
    assert_eq!(squares("4k3/8/8/8/8/8/8/4K3").count(), 64);
}

/// A game of 1. e4 e5, fed as the API is.
fn played() -> ScoreSheet {
    let mut line = ScoreSheet::default();
    takes(
        &mut line,
        serde_json::json!({"type": "game-start", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}),
    );
    for (ply, uci) in [(1, "e2e4"), (2, "e7e5")] {
        takes(&mut line, completed(ply, uci));
    }
    line
}

fn completed(ply: u32, uci: &str) -> serde_json::Value {
    let by = if ply % 2 == 1 { "white" } else { "black" };
    serde_json::json!({"type": "move-completed", "ply": ply, "by": by, "uci": uci, "san": "x", "legal": true, "how": "recovered"})
}

fn takes(line: &mut ScoreSheet, body: serde_json::Value) {
    let mut event = serde_json::json!({"seq": 1, "t": 0, "at": "2026-01-02T03:04:05Z", "board": "1"});
    event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
    line.take(&serde_json::from_value(event).unwrap());
}

fn sans(line: &ScoreSheet) -> Vec<String> {
    line.line(0).into_iter().map(|(san, _)| san.to_string()).collect()
}

#[test]
fn plies_that_lead_to_a_position_that_was_set_are_played_and_what_follows_as_well() {
    let mut line = played();
    takes(
        &mut line,
        serde_json::json!({"type": "ruling", "do": "set-position", "fen": "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"}),
    );
    takes(&mut line, completed(3, "g1f3"));
    takes(&mut line, completed(4, "b8c6"));
    takes(
        &mut line,
        serde_json::json!({"type": "placement", "placement": "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R", "settled": true}),
    );
    takes(&mut line, completed(5, "f1b5"));
    assert_eq!((sans(&line), line.is_cut()), (["e4", "e5", "Nf3", "Nc6", "Bb5"].map(String::from).to_vec(), false));
}

#[test]
fn after_a_position_that_no_play_leads_to_the_moves_end_and_nothing_is_illegal() {
    let mut line = played();
    takes(
        &mut line,
        serde_json::json!({"type": "ruling", "do": "set-position", "fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 3"}),
    );
    takes(
        &mut line,
        serde_json::json!({"type": "placement", "placement": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR", "settled": true}),
    );
    takes(&mut line, completed(3, "g1f3"));
    assert_eq!((sans(&line), line.is_cut()), (["e4", "e5"].map(String::from).to_vec(), false));
    assert_eq!(line.expected().as_deref(), Some("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNB1KB1R"));
}
