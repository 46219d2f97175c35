//! Incidents happen as they are named, and the game goes on to the position it should.
use super::device::Device;
use super::incident::IncidentKind;
use super::pace::Kind;
use super::script::{Act, Script, Truth, squares_of};
use super::stream::{Options, stream};
use super::stream_tests::{final_position, game};
use dgt_protocol::square::PieceCode;
use flagfall_capture::CaptureLine;
use flagfall_events::LinkState;
use shakmaty::{Position as _, Square};

const GAME: &str = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 5.O-O f6 6.d4 exd4 7.Nxd4 c5 8.Nb3 Qxd1 9.Rxd1 Bd7 10.Bf4 O-O-O 1/2-1/2";
const PROMOTION: &str = "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1.a8=Q+ Kg7 2.Qa7+ Kg6 1-0";

fn options(incident: &str, seed: u64) -> Options {
    Options { incidents: vec![incident.parse().unwrap()], ..Options::new(Kind::Human, seed) }
}

fn script(pgn: &str, incident: &str, seed: u64) -> Script {
    options(incident, seed).players().play(&game(pgn))
}

/// What a device that nobody reads makes of it.
fn played(pgn: &str, incident: &str, seed: u64) -> Truth {
    let options = options(incident, seed);
    let config = super::device::DeviceConfig { wait_for_host: false, ..options.config() };
    let mut device = Device::new(config, options.players().play(&game(pgn)));
    while let Some(t) = device.deadline().filter(|_| !device.is_done()) {
        device.advance(t);
        while device.poll().is_some() {}
    }
    device.games()[0].clone()
}

fn ply(truth: &Truth, ply: u32) -> Vec<&super::script::PlyTruth> {
    truth.plies.iter().filter(|entry| entry.ply == ply).collect()
}

#[test]
fn whatever_happens_the_pieces_end_where_the_game_says() {
    for pgn in [GAME, PROMOTION] {
        let game = game(pgn);
        let end = squares_of(final_position(&game).board());
        for kind in IncidentKind::ALL.into_iter().filter(|kind| !kind.ends_the_game()) {
            for at in ["1", "2", "4", "end"] {
                for seed in 0..20 {
                    let script = script(pgn, &format!("{}@{at}", kind.name()), seed);
                    assert_eq!(script.after(), end, "{}@{at} {seed}", kind.name());
                    assert_eq!(script.truth.uci(), game.uci());
                }
            }
        }
    }
}

#[test]
fn an_incident_changes_what_hands_do() {
    for kind in IncidentKind::ALL {
        // Whatever only some moves can show is tried where it can: a slide, a castling, a promotion.
        let (pgn, at) = match kind {
            IncidentKind::RookFirst | IncidentKind::RookLate => (GAME, 9),
            IncidentKind::PawnLeft => (PROMOTION, 1),
            _ => (GAME, 5),
        };
        let quiet = Options::new(Kind::Human, 3).players().play(&game(pgn));
        assert_ne!(script(pgn, &format!("{}@{at}", kind.name()), 3).steps, quiet.steps, "{}", kind.name());
    }
}

#[test]
fn a_cable_pulled_in_mid_game_comes_back_with_moves_played_meanwhile() {
    let stream = stream(&game(GAME), &options("unplug@7", 1));
    let at =
        |state| stream.lines.iter().find(|(_, line)| *line == CaptureLine::Link(state)).map(|(t, _)| t.millis()).expect("the link changes");
    let (down, up) = (at(LinkState::Down), at(LinkState::Up));
    let meanwhile = stream.truth.plies.iter().filter(|ply| (down..up).contains(&ply.last_down)).count();
    assert_eq!(meanwhile, 2);
    assert!(stream.chunks().all(|(t, _)| !(down + 1..up).contains(&t.millis())), "a board without a cable says nothing");
    let dumps = stream.chunks().filter(|(_, bytes)| bytes[0] == 0x86).count();
    assert_eq!(dumps, 2, "the host asks again");
}

#[test]
fn a_forgotten_press_leaves_the_answer_without_one_too() {
    let truth = played(GAME, "unpressed@6", 1);
    assert_eq!((ply(&truth, 6)[0].press, ply(&truth, 7)[0].press), (None, None), "the other side is down already");
    assert!(ply(&truth, 8)[0].press.is_some());
}

#[test]
fn an_illegal_move_is_pressed_and_then_corrected() {
    let truth = played(GAME, "illegal@6", 1);
    let [wrong, right] = ply(&truth, 6)[..] else { panic!("two entries for the ply") };
    assert!(!wrong.legal && right.legal && wrong.press.is_some() && right.press > wrong.press);
    assert_eq!(truth.uci(), game(GAME).uci());
}

#[test]
fn a_pawn_left_on_the_last_rank_is_pressed_and_then_replaced() {
    let truth = played(PROMOTION, "pawn-left@1", 1);
    let [wrong, right] = ply(&truth, 1)[..] else { panic!("two entries for the ply") };
    assert_eq!((wrong.uci.as_str(), wrong.legal, right.uci.as_str()), ("a7a8", false, "a7a8q"));
}

#[test]
fn a_press_without_a_move_is_pressed_back() {
    let script = script(GAME, "press-without-move@6", 1);
    let presses = script.steps.iter().filter(|step| matches!(step.act, Act::Press { ply: None, .. })).count();
    assert_eq!(presses, 2);
}

#[test]
fn a_late_press_comes_seconds_after_the_move() {
    let entry = &played(GAME, "late-press@6", 1).plies[5];
    assert!(entry.press.expect("it is pressed") - entry.last_down >= 3000);
}

#[test]
fn castling_begins_with_the_rook_when_asked() {
    for incident in ["rook-first@9", "rook-first@2"] {
        let script = script(GAME, incident, 1);
        let rook = script.steps.iter().position(|step| step.act == Act::Put(Square::F1, PieceCode::WhiteRook)).expect("castles");
        let king = script.steps.iter().position(|step| step.act == Act::Put(Square::G1, PieceCode::WhiteKing)).expect("castles");
        assert!(rook < king);
    }
}

#[test]
fn several_pieces_fall_and_none_is_lost() {
    let script = script(GAME, "knock-over@6", 1);
    let mut standing = 32_i32;
    let mut fewest = standing;
    for step in script.steps.iter().take_while(|step| step.at <= script.truth.plies[5].last_down) {
        match step.act {
            Act::Lift(_) => standing -= 1,
            Act::Put(..) => standing += 1,
            _ => {}
        }
        fewest = fewest.min(standing);
    }
    assert!(fewest <= 30 && standing == 32, "{fewest} {standing}");
}

#[test]
fn the_kings_show_the_result_after_the_last_move() {
    for (result, white, black) in [("1-0", Square::E4, Square::D5), ("0-1", Square::D4, Square::E5), ("1/2-1/2", Square::E4, Square::E5)] {
        let script = script(&GAME.replace("1/2-1/2", result), "kings@end", 1);
        let after = script.after();
        assert!(script.truth.kings_shown);
        assert_eq!(after[white.to_usize()], PieceCode::WhiteKing, "{result}");
        assert_eq!(after[black.to_usize()], PieceCode::BlackKing, "{result}");
        assert_eq!(after.iter().filter(|piece| matches!(piece, PieceCode::WhiteKing | PieceCode::BlackKing)).count(), 2);
    }
    let early = script(GAME, "kings@10", 1);
    assert!(early.truth.plies.len() == 10 && early.truth.kings_shown);
}

#[test]
fn what_comes_after_the_end_adds_no_move() {
    let game = game(GAME);
    for incident in ["kings@end", "analysis@end", "set-up@end", "kings-in-set-up@end", "one-king@end"] {
        for seed in 0..20 {
            let script = script(GAME, incident, seed);
            assert_eq!(script.truth.uci(), game.uci(), "{incident}");
            let last = script.truth.plies.last().and_then(|ply| ply.press).expect("the last move is pressed");
            let later = |step: &&super::script::TimedAct| step.at > last && matches!(step.act, Act::Lift(_) | Act::Put(..));
            assert!(script.steps.iter().filter(later).count() >= 4, "{incident}");
            let start = squares_of(game.start.board());
            assert_eq!(script.after() == start, incident.contains("set-up"), "{incident}");
        }
    }
}

#[test]
fn a_missing_piece_comes_back_after_a_long_think() {
    let script = script(GAME, "missing-piece@6", 1);
    let away = script.steps.windows(2).map(|pair| pair[1].at - pair[0].at).max();
    assert!(away >= Some(8000));
}

#[test]
fn an_answer_may_stand_before_the_clock_is_pressed() {
    let truth = played(GAME, "two-moves-quick@6", 1);
    let (first, second) = (&truth.plies[4], &truth.plies[5]);
    assert!(second.press > first.press && second.last_down.saturating_sub(first.last_down) < 3000);
}

#[test]
fn the_final_position_is_the_one_of_the_moves() {
    assert_eq!(final_position(&game(PROMOTION)).board().queens().count(), 1);
}
