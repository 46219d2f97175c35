#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]
use super::*;

fn check(text: &str) -> Checked {
    let mut all: Vec<Checked> = games(text.as_bytes(), 1).map(Result::unwrap).collect();
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0)
}

/// A game with these times of White's and Black's in turn, `%clk` and `%emt`.
fn times(tags: &str, times: &[(Option<i64>, Option<i64>)]) -> Checked {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let mut text = format!("{tags}\n\n");
    for (i, (clk, emt)) in times.iter().enumerate() {
        text += moves[i % 4];
        let hms = |s: i64| format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
        for (name, value) in [("clk", clk), ("emt", emt)] {
            text += &value.map_or_else(String::new, |s| format!(" {{[%{name} {}]}}", hms(s)));
        }
        text += " ";
    }
    check(&(text + "*\n"))
}

fn told(checked: &Checked) -> Vec<String> {
    checked.contradictions.iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_missing_is_named_by_its_move() {
    let checked = times("[TimeControl \"180+2\"]", &[(Some(182), Some(2)), (None, Some(1)), (Some(182), None)]);
    assert_eq!(checked.without_clk, [At { ply: 2, r#move: String::from("1... Nf6") }]);
    assert_eq!(checked.without_emt, [At { ply: 3, r#move: String::from("2. Ng1") }]);
    assert!(checked.contradictions.is_empty() && !checked.is_whole());
}

#[test]
fn a_game_without_any_clock_misses_nothing() {
    let checked = check("1. e4 e5 {good} 2. Nf3 *\n");
    assert!(checked.is_whole() && !checked.clock && checked.plies == 3);
}

#[test]
fn times_that_cannot_all_be_right_are_contradictions() {
    let ok = (Some(170), Some(5));
    let tags = "[TimeControl \"180+2\"]";
    let one = |clk, emt| told(&times(tags, &[(Some(100), Some(1)), ok, (Some(clk), Some(emt))]));
    assert_eq!(one(97, 5), [""; 0]);
    assert_eq!(one(97, 6), [""; 0], "a second apart is how displays round");
    assert_eq!(one(97, 7), ["2. Ng1: %emt 0:07, but by %clk it was 0:05"]);
    assert_eq!(one(104, 0), ["2. Ng1: %clk rises from 1:40 to 1:44"]);
    assert_eq!(told(&times(tags, &[(Some(190), Some(1))])), ["1. Nf3: %clk 3:10 is more than the clock can have (3:04)"]);
    assert_eq!(told(&times("[TimeControl \"180+d5\"]", &[(Some(100), Some(1)), ok, (Some(100), Some(4))])), [""; 0], "inside the delay");
    assert_eq!(
        told(&times("[TimeControl \"180+d5\"]", &[(Some(100), Some(1)), ok, (Some(90), Some(5))])),
        ["2. Ng1: %emt 0:05, but by %clk it was 0:15"]
    );
}

#[test]
fn a_hole_is_bridged_by_what_was_told_meanwhile() {
    let black = (Some(170), Some(5));
    let played = |last| {
        times("[TimeControl \"180+2\"]", &[(Some(100), Some(1)), black, (None, Some(10)), (Some(167), Some(5)), (Some(last), Some(4))])
    };
    assert_eq!(told(&played(90)), [""; 0]);
    assert_eq!(told(&played(80)), ["3. Nf3: %emt 0:14, but by %clk it was 0:24"]);
}

#[test]
fn a_period_comes_once_and_only_after_its_move() {
    let tags = "[TimeControl \"2/100:60\"]";
    let black = |n: i64| (Some(100 - n), Some(1));
    let white = [(Some(90), Some(10)), black(1), (Some(80), Some(10)), black(2), (Some(130), Some(10)), black(3), (Some(120), Some(10))];
    assert_eq!(told(&times(tags, &white)), [""; 0]);
    let mut early = white;
    (early[2].0, early[4].0, early[6].0) = (Some(140), Some(130), Some(120));
    assert_eq!(told(&times(tags, &early)), [""; 0], "at the press of the last move of the period");
    let mut twice = white;
    twice[6].0 = Some(180);
    assert_eq!(told(&times(tags, &twice)).len(), 1);
}

#[test]
fn a_correction_that_is_told_is_none() {
    let tags = "[TimeControl \"180+2\"]\n[ClockCorrected \"3\"]\n[ClockEstimated \"1-2\"]";
    let checked =
        times(tags, &[(Some(100), Some(1)), (Some(90), Some(1)), (Some(220), Some(5)), (Some(87), Some(5)), (Some(212), Some(10))]);
    assert_eq!((told(&checked), checked.estimated, checked.corrected), (Vec::new(), 2, 1));
}

#[test]
fn without_a_time_control_most_moves_say_what_one_adds() {
    let mut list = Vec::new();
    for n in 0..8 {
        list.push((Some(1000 - 5 * n), Some(7)));
    }
    assert_eq!(told(&times("[Event \"?\"]", &list)), [""; 0], "ten seconds off a turn of two, seven spent: minus three is no increment");
    let mut list: Vec<_> = (0..10).map(|n| (Some(1000 - 4 * (n / 2)), Some(14))).collect();
    list[6].1 = Some(60);
    assert_eq!(told(&times("[Event \"?\"]", &list)), ["4. Ng1: %emt 1:00, but by %clk it was 0:14"]);
}
