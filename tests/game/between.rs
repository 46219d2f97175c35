//! A journal that begins where the pieces of another game stand alters nothing of what is told of the board.
use crate::rig::{Jack, Rig};
use flagfall_events::{AlarmState, Body, Mono};
use flagfall_simulator::games::read_games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::Options;
use std::collections::BTreeSet;

/// Around the moment at which it begins, milliseconds.
const AROUND: [i64; 7] = [-9_000, -1_600, -1_400, -100, 0, 300, 2_000];

const GAMES: &[u8] = b"1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6 4.Qxf7# 1-0\n\n1.d4 d5 2.c4 e6 3.Nc3 Nf6 4.Bg5 Be7 1/2-1/2\n\n\
    1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 1-0";

/// What is done at the table, and when.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    Nothing,
    /// The clock's cable is out.
    Clock(u64, u64),
    /// The clock's battery is low.
    Battery(u64, u64),
}

/// What was told, and when journals began.
fn told(anew: bool, mishap: Mishap) -> (Vec<String>, Vec<u64>) {
    let (games, options) = (read_games(GAMES).expect("games"), Options { show_result: true, ..Options::new(Kind::Human, 5) });
    let settings = options.settings(&games[0]);
    let mut rig = Rig::of_row(&games, &options);
    let (mut begun, mut done, mut moments) = (0, 0, Vec::new());
    if let Mishap::Battery(from, until) = mishap {
        rig.jack = Jack::Weak(Mono::from_millis(from), Mono::from_millis(until));
    }
    while rig.step() {
        if let Mishap::Clock(from, until) = mishap {
            let now = rig.now;
            if done == 0 && now.millis() >= from {
                rig.device.unplug_clock(now);
                done = 1;
            } else if done == 1 && now.millis() >= until {
                rig.device.plug_clock(now);
                done = 2;
            }
        }
        if anew && rig.board.is_between_games() && rig.board.games() > begun {
            begun = rig.board.games();
            moments.push(rig.now.millis());
            rig.next_journal(&settings);
        }
    }
    let words = |body: &Body| match body {
        Body::Alarm { key, state, .. } => Some(format!("{key} {}", if *state == AlarmState::Raised { "raised" } else { "cleared" })),
        Body::MoveCompleted { ply, uci, .. } => Some(format!("{ply} {uci}")),
        Body::Result { result, reason, .. } => Some(format!("{} {reason}", result.as_str())),
        Body::GameStart { .. } => Some(String::from("begins")),
        Body::Finding(finding) => Some(finding.key.to_string()),
        _ => None,
    };
    let told = rig.events.iter().filter_map(|event| Some(format!("{:?} {}", event.game, words(&event.body)?))).collect();
    (told, moments)
}

#[test]
fn what_is_wrong_with_the_clock_between_two_games_is_told_and_told_to_be_over() {
    let (whole, moments) = told(true, Mishap::Nothing);
    assert_eq!((&whole, moments.len()), (&told(false, Mishap::Nothing).0, 2));
    for moment in moments {
        for (from, lasts) in AROUND.iter().flat_map(|around| [4_000, 15_000].map(|lasts| (moment.saturating_add_signed(*around), lasts))) {
            let mishap = Mishap::Clock(from, from + lasts);
            // It is asked once more where a journal begins, so its reports come at other moments.
            let [anew, on] = [true, false].map(|anew| BTreeSet::from_iter(told(anew, mishap).0));
            assert_eq!(anew, on, "{mishap:?}, the journal begins at {moment}");
            let weak = told(true, Mishap::Battery(from, from + lasts)).0;
            let (alarms, rest): (Vec<_>, Vec<_>) = weak.into_iter().partition(|told| told.contains("battery-low"));
            let each = ["None battery-low raised", "None battery-low cleared"];
            assert!(alarms == each || alarms.is_empty(), "{alarms:?}, low from {from} for {lasts}, the journal begins at {moment}");
            assert_eq!(rest, whole);
        }
    }
}
