//! The rig of the other tests: a simulated device comes up behind a real link session, whatever kind of board it is.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use crate::rig::Rig;
use flagfall_simulator::games::read_games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{ClockSide, Options};
use flagfall_simulator::wire::Split;

#[test]
fn a_real_link_session_brings_the_device_up_and_the_game_is_played_to_its_end() {
    let game = read_games(b"1.e4 e5 2.Nf3 Nc6 *").unwrap().remove(0);
    for kind in [Kind::Clean, Kind::Human, Kind::Blitz] {
        let mut rig = Rig::of(&game, &Options::new(kind, 1));
        rig.run();
        assert!(rig.is_settled(), "{kind:?}");
        assert!(rig.device.is_done() && rig.device.games()[0].plies.iter().all(|ply| ply.press.is_some()));
        assert_eq!(rig.completed(), game.uci(), "{kind:?}");
    }
}

#[test]
fn every_kind_of_board_is_read_to_the_end_of_its_game() {
    let game = read_games(b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 *").unwrap().remove(0);
    let usual = Options::new(Kind::Human, 2);
    let kinds = [
        Options { turned: true, ..usual.clone() },
        Options { occupancy: true, ..usual.clone() },
        Options { clock_white: ClockSide::None, ..usual.clone() },
        Options { bluetooth: true, ..usual.clone() },
        Options { damage: 0.05, ..usual.clone() },
        Options { split: Split::Anywhere, ..usual.clone() },
        Options { noise: 5.0, ..usual },
    ];
    for options in kinds {
        let mut rig = Rig::of(&game, &options);
        rig.run();
        assert!(rig.device.is_done() && !rig.is_down() && !rig.events.is_empty(), "{options:?}");
    }
}

#[test]
fn a_pulled_cable_is_noticed_and_the_session_starts_again() {
    let game = read_games(b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 *").unwrap().remove(0);
    let incidents = vec!["unplug@3".parse().unwrap()];
    let mut rig = Rig::of(&game, &Options { incidents, ..Options::new(Kind::Human, 1) });
    let mut was_down = false;
    while rig.step() {
        was_down |= rig.is_down();
    }
    assert!(was_down && rig.is_settled());
}
