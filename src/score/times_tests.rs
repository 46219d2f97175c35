#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]
use crate::sheet::{Move, ScoreSheet};
use flagfall_events::Event;
use serde_json::{Value, json};

/// A game whose moves are a knight's of each side, out and home.
struct Game {
    sheet: ScoreSheet,
    seq: u64,
    t: u64,
    ply: u32,
    /// How uncertain the moments of readings are, milliseconds.
    uncertainty_ms: u64,
}

impl Game {
    fn new(control: &str) -> Self {
        let mut game = Self { sheet: ScoreSheet::default(), seq: 0, t: 0, ply: 0, uncertainty_ms: 300 };
        game.say(json!({"type": "game-start", "game": 1, "fen": crate::said::START, "rules": "fide-2023", "play": "blitz", "time_control": control, "chess960": false}));
        game
    }

    fn say(&mut self, mut event: Value) -> bool {
        self.seq += 1;
        event["seq"] = self.seq.into();
        event["t"] = self.t.into();
        event["at"] = "2026-11-25T10:00:00Z".into();
        event["board"] = "1".into();
        self.sheet.take(&serde_json::from_value::<Event>(event).unwrap())
    }

    /// What the clock shows after some seconds.
    fn clock(&mut self, after_s: u64, white_s: i64, black_s: i64, running: Option<&str>) -> bool {
        self.t += after_s * 1000;
        self.reading(white_s, black_s, running, "device")
    }

    fn reading(&mut self, white_s: i64, black_s: i64, running: Option<&str>, source: &str) -> bool {
        self.say(json!({"type": "clock", "white_ms": white_s * 1000, "black_ms": black_s * 1000, "running": running, "flag": null, "source": source, "uncertainty_ms": self.uncertainty_ms}))
    }

    fn named(&self) -> (&'static str, &'static str, &'static str) {
        let by = if self.ply % 2 == 1 { "white" } else { "black" };
        let (uci, san) = [("g1f3", "Nf3"), ("g8f6", "Nf6"), ("f3g1", "Ng1"), ("f6g8", "Ng8")][(self.ply as usize - 1) % 4];
        (by, uci, san)
    }

    fn made(&mut self) {
        self.ply += 1;
        let (by, uci, san) = self.named();
        self.say(json!({"type": "move-made", "game": 1, "ply": self.ply, "by": by, "uci": uci, "san": san, "legal": true, "placement": "8/8/8/8/8/8/8/8", "provisional": true}));
    }

    fn completed(&mut self, ply: u32, how: &str, clock: Option<(i64, i64)>, spent_ms: Option<u64>) {
        let last = std::mem::replace(&mut self.ply, ply);
        let (by, uci, san) = self.named();
        self.ply = last;
        let mut event =
            json!({"type": "move-completed", "game": 1, "ply": ply, "by": by, "uci": uci, "san": san, "legal": true, "how": how});
        if let Some((white_s, black_s)) = clock {
            event["clock"] = json!({"white_ms": white_s * 1000, "black_ms": black_s * 1000});
        }
        if let Some(spent) = spent_ms {
            event["spent_ms"] = spent.into();
        }
        self.say(event);
    }

    /// A move and its press after so many seconds; what the clock shows then.
    fn plays(&mut self, after_s: u64, white_s: i64, black_s: i64) {
        self.t += after_s * 1000;
        self.made();
        let (by, ..) = self.named();
        let other = if by == "white" { "black" } else { "white" };
        self.say(json!({"type": "press", "by": by}));
        self.reading(white_s, black_s, Some(other), "device");
        self.completed(self.ply, "press", Some((white_s, black_s)), Some(after_s * 1000));
    }

    fn told(&self, ply: usize) -> (i64, i64, Option<u64>, bool) {
        let Move { clock, spent_ms, clock_within_ms, clock_corrected, .. } = &self.sheet.moves()[ply - 1];
        let clock = clock.unwrap();
        let own = if ply % 2 == 1 { clock.white_ms } else { clock.black_ms };
        (own / 1000, i64::try_from(spent_ms.unwrap()).unwrap() / 1000, *clock_within_ms, *clock_corrected)
    }
}

/// A game of six plies at 180+2, 5 seconds each.
fn played() -> Game {
    let mut game = Game::new("180+2");
    game.clock(0, 182, 182, Some("white"));
    for (white_s, black_s) in [(179, 182), (179, 179), (176, 179), (176, 176), (173, 176), (173, 173)] {
        game.plays(5, white_s, black_s);
    }
    game
}

#[test]
fn what_was_read_is_left_as_it_is() {
    let game = played();
    assert_eq!(game.told(5), (173, 5, None, false));
    assert_eq!(game.told(6), (173, 5, None, false));
}

#[test]
fn only_where_the_bonus_is_known_can_a_display_show_too_much() {
    for (control, stands) in [("?", true), ("100+30", true), ("100", false)] {
        let mut game = Game::new(control);
        // Reports a second apart, as of a board on a line with others.
        game.uncertainty_ms = 1_000;
        game.clock(0, 100, 100, Some("white"));
        for (white_s, black_s) in [(128, 100), (128, 128), (156, 128), (156, 156)] {
            game.plays(2, white_s, black_s);
        }
        assert_eq!(game.told(3).2.is_none(), stands, "{control}: {:?}", game.told(3));
    }
}

#[test]
fn two_presses_between_two_reports_are_reckoned_from_both_sides() {
    let mut game = played();
    // White answers after three seconds, Black after one; the next report is of White's time again.
    game.t += 3_000;
    game.made();
    game.t += 1_000;
    game.made();
    game.completed(7, "next-move", None, None);
    game.completed(8, "next-move", None, None);
    game.clock(1, 171, 174, Some("white"));
    assert_eq!(game.told(8).0, 174, "Black's display stands");
    game.plays(4, 169, 174);
    let (clk, emt, within, _) = game.told(7);
    assert_eq!((clk, emt), (172, 3), "his next turn tells it: 169 shown, 5 spent, 2 added");
    assert!(within.unwrap() <= 5_000, "{within:?}");
    let (clk, emt, ..) = game.told(9);
    assert!((172 + 2 - emt - clk).abs() <= 1, "what it lost is what was spent");
}

#[test]
fn a_stopped_clock_that_is_set_changes_the_last_ply_of_whose_it_is_before_the_next_move() {
    let mut game = played();
    assert!(!game.clock(4, 169, 173, None));
    assert!(game.clock(60, 169, 293, None), "two minutes for Black");
    assert_eq!(game.told(6), (293, 5, None, true));
    assert_eq!(game.told(5), (173, 5, None, false));
    game.clock(5, 169, 293, Some("white"));
    game.plays(2, 169, 293);
    game.plays(3, 169, 292);
    assert_eq!((game.told(7), game.told(8)), ((169, 2, None, false), (292, 3, None, false)));
}

#[test]
fn a_ruling_shows_before_the_clock_is_set() {
    let mut game = played();
    game.clock(4, 169, 173, None);
    assert!(game.reading(169, 293, None, "arbiter"));
    assert_eq!(game.told(6).0, 293);
    // The physical clock follows: nothing new.
    assert!(!game.clock(20, 169, 293, None));
    assert_eq!(game.told(6), (293, 5, None, true));
}

#[test]
fn the_next_period_that_comes_at_zero_is_added_to_the_last_ply() {
    let mut game = Game::new("2/20:600");
    game.clock(0, 20, 20, Some("white"));
    for (white_s, black_s) in [(15, 20), (15, 15), (5, 15), (5, 5)] {
        game.plays(5, white_s, black_s);
    }
    game.clock(4, 1, 5, Some("white"));
    assert!(game.clock(1, 600, 5, Some("white")));
    assert_eq!((game.told(3).0, game.told(3).3, game.told(4).3), (605, true, false));
}

#[test]
fn another_clock_that_shows_something_else_is_a_correction() {
    let mut game = played();
    game.say(
        json!({"type": "clock", "white_ms": null, "black_ms": null, "running": null, "flag": null, "source": "none", "uncertainty_ms": 0}),
    );
    game.clock(30, 200, 150, None);
    assert_eq!((game.told(5), game.told(6)), ((200, 5, None, true), (150, 5, None, true)));
}

#[test]
fn plies_that_were_recovered_lie_between_what_was_shown_before_and_after() {
    let mut game = played();
    game.say(json!({"type": "link", "state": "down"}));
    game.t += 40_000;
    game.say(json!({"type": "link", "state": "up"}));
    game.clock(1, 151, 159, Some("white"));
    for ply in 7..=10 {
        game.made();
        game.completed(ply, "recovered", None, None);
    }
    game.plays(6, 147, 159);
    let clks: Vec<i64> = (5..=11).map(|ply| game.told(ply).0).collect();
    assert!(clks[0] >= clks[2] - 2 && clks[2] + 2 >= clks[4] && clks[4] + 2 >= clks[6], "{clks:?}");
    assert_eq!(clks[5], 159, "Black's display stands");
    assert!((7..=10).all(|ply| game.told(ply).2.is_some()) && game.told(11).2.is_none());
    for ply in 7..=11 {
        let (clk, emt, ..) = game.told(ply);
        assert!((game.told(ply - 2).0 + 2 - emt - clk).abs() <= 1, "ply {ply}: {clks:?}");
    }
    assert!((clks[0] - clks[2] - clks[2] + clks[4]).abs() <= 1, "each took as long as the other: {clks:?}");
    assert!(!game.sheet.moves()[6..10].iter().any(|m| m.clock_corrected), "what passed unseen is no correction");
}

#[test]
fn sides_that_are_known_only_later_turn_the_record_round() {
    let mut game = Game::new("180+2");
    game.clock(0, 182, 182, Some("black"));
    // White's clock is taken for Black's.
    game.t += 40_000;
    game.made();
    game.say(json!({"type": "press", "by": "black"}));
    game.reading(182, 144, Some("white"), "device");
    game.completed(1, "press", Some((182, 144)), Some(40_000));
    assert!(game.clock(3, 144, 179, Some("black")));
    assert_eq!(game.told(1).0, 144);
    assert!(!game.told(1).3);
}

#[test]
fn without_a_clock_nothing_is_made_up() {
    let mut game = Game::new("180+2");
    for ply in 1..=4 {
        game.t += 5_000;
        game.made();
        game.completed(ply, "settled", None, None);
    }
    assert!(game.sheet.moves().iter().all(|m| m.clock.is_none() && m.spent_ms.is_none() && m.clock_within_ms.is_none()));
}

/// White's clock is at the other side than it was taken to be: four plies were told with the other player's time, White's being 60 s more.
fn told_with_the_other_side() -> Game {
    let mut game = Game::new("180+2");
    game.clock(0, 122, 182, Some("white"));
    for (white_s, black_s) in [(119, 182), (119, 179), (116, 179), (116, 176)] {
        game.plays(5, white_s, black_s);
    }
    game
}

fn sides(game: &mut Game, white: &str) {
    game.say(json!({"type": "sides", "game": 1, "white": white, "from": 1, "orientation": "usual"}));
}

fn retimed(game: &mut Game, ply: u32, white_s: i64, black_s: i64, spent_ms: u64) {
    let last = std::mem::replace(&mut game.ply, ply);
    let (_, uci, san) = game.named();
    game.ply = last;
    let clock = json!({"white_ms": white_s * 1000, "black_ms": black_s * 1000});
    game.say(
        json!({"type": "move-revised", "game": 1, "ply": ply, "uci": uci, "san": san, "was": uci, "clock": clock, "spent_ms": spent_ms}),
    );
}

#[test]
fn where_the_clock_turns_out_to_stand_the_other_way_round_the_plies_get_the_clocks_that_are_told_then() {
    let mut game = told_with_the_other_side();
    sides(&mut game, "left");
    let before: Vec<_> = (1..=4).map(|ply| game.told(ply)).collect();
    sides(&mut game, "left");
    assert_eq!((1..=4).map(|ply| game.told(ply)).collect::<Vec<_>>(), before, "what is told again turns nothing");
    sides(&mut game, "right");
    for (ply, white_s, black_s) in [(1, 179, 122), (2, 179, 119), (3, 176, 119), (4, 176, 116)] {
        retimed(&mut game, ply, white_s, black_s, 4_000);
    }
    game.clock(0, 176, 116, Some("white"));
    let told: Vec<_> = (1..=4).map(|ply| game.told(ply)).collect();
    assert_eq!(told, [(179, 4, None, false), (119, 4, None, false), (176, 4, None, false), (116, 4, None, false)]);
    // What nobody read after that is reckoned from them.
    game.t += 5_000;
    game.made();
    game.t += 5_000;
    game.made();
    game.completed(5, "next-move", None, None);
    game.clock(0, 173, 111, Some("black"));
    assert_eq!((game.told(5).0, game.told(5).3), (173, false));
}

#[test]
fn displays_that_change_places_turn_the_plies_only_where_no_side_was_told() {
    for (told, first) in [(false, 182), (true, 119)] {
        let mut game = told_with_the_other_side();
        if told {
            sides(&mut game, "left");
        }
        game.clock(1, 175, 116, Some("white"));
        assert_eq!(game.told(1).0, first, "sides told: {told}");
    }
}

#[test]
fn a_revision_of_times_alone_leaves_the_move_as_it_is() {
    let mut game = played();
    let before = game.sheet.moves()[2].clone();
    retimed(&mut game, 3, 170, 179, 9_000);
    let after = &game.sheet.moves()[2];
    assert_eq!((&after.uci, &after.san, after.legal, &after.stands), (&before.uci, &before.san, true, &before.stands));
    assert_eq!(game.told(3), (170, 9, None, false));
}
