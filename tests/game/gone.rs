//! A clock whose cable is out for a while in a game that goes on: of what nobody could hear nothing is said.
use crate::rig::Rig;
use flagfall_events::Body;
use flagfall_simulator::games::read_games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::Options;

const GAME: &[u8] =
    b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 Nbd7 11.c4 c6 12.cxb5 axb5 *";

#[test]
fn presses_that_nobody_could_hear_are_not_missing() {
    let game = read_games(GAME).expect("a game").remove(0);
    let mut wrong = Vec::new();
    for seed in 0..8 {
        for (out, plies) in [(0, 1), (1, 1), (2, 3), (5, 2), (8, 6), (9, 5)] {
            for later_ms in [0, 300, 1_500] {
                let mut rig = Rig::of(&game, &Options::new(Kind::Human, seed));
                let now = |rig: &Rig| rig.now;
                rig.until_played(0, out);
                let at = now(&rig);
                rig.device.unplug_clock(at);
                rig.until_played(0, out + plies);
                let until = rig.now + later_ms;
                while rig.now < until && rig.step() {}
                let at = now(&rig);
                rig.device.plug_clock(at);
                rig.run();
                let keys = rig.events.iter().filter_map(|event| match &event.body {
                    // At its end nobody shows a result; of two hands these players may be suspected with any clock.
                    Body::Finding(finding) => {
                        Some(finding.key.to_string()).filter(|key| !["clock-stopped", "two-hands"].contains(&key.as_str()))
                    }
                    _ => None,
                });
                let keys: Vec<_> = keys.collect();
                let sides = rig.events.iter().filter(|event| matches!(event.body, Body::Sides { .. })).count();
                if rig.completed() != game.uci() || !keys.is_empty() || sides != 1 {
                    wrong.push(format!(
                        "seed {seed}, out after {out} plies for {plies} and {later_ms} ms: {keys:?}, sides told {sides} times"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
