use super::*;

/// A game at 3 minutes and 2 seconds a move; `white` and `black` are what is shown.
struct Game {
    sheet: ClockSheet,
    t: u64,
}

impl Game {
    fn new(control: &str) -> Self {
        Self { sheet: ClockSheet::new(Some(control)), t: 0 }
    }

    fn read(&mut self, white_s: i64, black_s: i64, running: Option<Colour>, source: ClockSource) -> Row {
        let state =
            ClockState { white_ms: Some(white_s * 1000), black_ms: Some(black_s * 1000), running, flag: None, source, uncertainty_ms: 0 };
        self.sheet.read((Mono::from_millis(self.t), Wall::EPOCH), &state, 0);
        *self.sheet.rows().last().unwrap()
    }

    fn device(&mut self, white_s: i64, black_s: i64, running: Option<Colour>) -> Row {
        self.read(white_s, black_s, running, ClockSource::Device)
    }

    fn press(&mut self, by: Colour) {
        self.sheet.pressed(Mono::from_millis(self.t), by);
    }

    fn wait(&mut self, s: u64) {
        self.t += s * 1000;
    }
}

const WHITE: Option<Colour> = Some(Colour::White);
const BLACK: Option<Colour> = Some(Colour::Black);

#[test]
fn a_right_clock_leaves_nothing_over() {
    let mut game = Game::new("180+2");
    assert_eq!(game.device(182, 182, WHITE).occasion, Occasion::Start);
    game.wait(10);
    assert_eq!(game.device(172, 182, WHITE).residual_ms, 0);
    game.wait(5);
    game.press(Colour::White);
    let row = game.device(169, 182, BLACK);
    assert_eq!((row.occasion, row.residual_ms), (Occasion::Press, 0));
    game.wait(7);
    game.press(Colour::Black);
    assert_eq!(game.device(169, 177, WHITE).residual_ms, 0);
    // The clock is stopped for a minute.
    assert_eq!(game.device(169, 177, None).occasion, Occasion::Change);
    game.wait(60);
    assert_eq!(game.device(169, 177, WHITE).residual_ms, 0);
}

#[test]
fn an_increment_that_was_not_given_is_missing() {
    let mut game = Game::new("180+2");
    game.device(182, 182, WHITE);
    game.wait(10);
    game.press(Colour::White);
    assert_eq!(game.device(172, 182, BLACK).residual_ms, -2000);
}

#[test]
fn a_delay_gives_back_what_was_used_at_most() {
    for control in ["900+d10", "900+b10"] {
        let mut game = Game::new(control);
        game.device(900, 900, WHITE);
        game.wait(4);
        game.press(Colour::White);
        assert_eq!(game.device(900, 900, BLACK).residual_ms, 0, "{control}");
        game.wait(15);
        game.press(Colour::Black);
        assert_eq!(game.device(900, 895, WHITE).residual_ms, 0, "{control}");
    }
}

#[test]
fn a_period_is_expected_once_it_is_there() {
    let mut game = Game::new("1/60:1800");
    game.device(60, 60, WHITE);
    game.wait(60);
    assert_eq!(game.device(1800, 60, WHITE).residual_ms, 0);
    assert_eq!(game.device(1800, 1860, WHITE).residual_ms, 0);
    assert_eq!(game.device(1800, 3660, WHITE).residual_ms, 1_800_000, "there is no third");
}

#[test]
fn a_setting_begins_anew() {
    let mut game = Game::new("180+2");
    game.device(182, 182, WHITE);
    game.wait(10);
    let row = game.read(120, 60, WHITE, ClockSource::Arbiter);
    assert_eq!((row.occasion, row.residual_ms), (Occasion::Set, 0));
    game.wait(10);
    assert_eq!(game.device(110, 60, WHITE).residual_ms, 0);
}

#[test]
fn readings_between_presses_replace_each_other_and_rows_are_bounded() {
    let mut game = Game::new("180+2");
    game.device(182, 182, WHITE);
    for _ in 0..5 {
        game.wait(10);
        game.device(100, 100, WHITE);
    }
    assert_eq!(game.sheet.rows().len(), 2);
    for _ in 0..MOST + 10 {
        game.press(Colour::White);
        game.device(100, 100, WHITE);
    }
    assert_eq!(game.sheet.rows().len(), MOST);
}

#[test]
fn rows_read_with_the_other_side_are_turned_once_it_is_told() {
    let mut game = Game::new("180+2");
    game.sheet.turned(ClockSide::Left, 1);
    game.device(182, 182, WHITE);
    game.wait(5);
    game.press(Colour::White);
    game.device(179, 182, BLACK);
    game.sheet.turned(ClockSide::Left, 1);
    assert_eq!(game.sheet.rows()[1].white_ms, 179_000, "it is where it was");
    game.sheet.turned(ClockSide::Right, 1);
    let shown: Vec<_> = game.sheet.rows().iter().map(|row| (row.white_ms, row.black_ms, row.running)).collect();
    assert_eq!(shown, [(182_000, 182_000, BLACK), (182_000, 179_000, WHITE)]);
    game.wait(5);
    assert_eq!(game.device(177, 179, WHITE).residual_ms, 0, "White's time runs, and nothing is left over");
}
