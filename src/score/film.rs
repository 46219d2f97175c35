//! What the sensors showed around a moment, step by step: the film of a finding or of a move.
//!
//! Events are read twice: [`Seeker`](crate::moment::Seeker) finds the moment, [`Cutter`] cuts the film around it.
use crate::moment::{AFTER_MS, Moment};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use flagfall_events::{Body, ClockSource, ClockState, Colour, Event, LinkState, Mono, Square, Status, Wall};
use serde::Serialize;

/// Steps at most: a board that chatters says more than anybody looks at.
const MOST: usize = 4_000;

/// Both displays at a moment, milliseconds. A display shows a second until it is used up: divide, and round up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Displays {
    /// White's; null where it was not read.
    pub white_ms: Option<i64>,
    /// Black's.
    pub black_ms: Option<i64>,
    /// Whose time runs.
    pub running: Option<Colour>,
}

/// One thing that was sensed: a square that changed, a press, a reading of the clock that was not to be expected, or the link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Step {
    /// Milliseconds after the moment; before it they are negative.
    pub t_ms: i64,
    /// The square that changed, `e4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub square: Option<Square>,
    /// What stood there, FEN's letter; missing where it was empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<char>,
    /// What stands there now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<char>,
    /// Who pressed the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub press: Option<Colour>,
    /// The board was lost, or answers again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkState>,
    /// Both clocks then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Displays>,
}

/// What the sensors showed around a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Film {
    /// Which game of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    /// The ply that it is about, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// Of a film of a ply its move: SAN, or UCI where it is not legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The moment: when the finding was raised, or the move made or completed.
    pub at: Wall,
    /// When the film begins, milliseconds after the moment (it is negative).
    pub from_ms: i64,
    /// When it ends; less than 5000 while the rest is still to come.
    pub to_ms: i64,
    /// What stood on the board when it begins, FEN field 1, White at the bottom; missing where nothing was read yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Both clocks when it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Displays>,
    /// What was sensed, in order.
    pub steps: Vec<Step>,
}

/// Cuts a film out of a board's events.
#[derive(Clone, Debug)]
pub struct Cutter {
    moment: Moment,
    begun: bool,
    last: Mono,
    placement: Option<String>,
    squares: Option<[char; 64]>,
    reading: Option<(Mono, ClockState)>,
    /// What comes at the very moment of a ruling is wanted, not sensed.
    ruled: Option<Mono>,
    film: Film,
}

impl Cutter {
    /// Around this moment.
    pub fn new(moment: Moment) -> Self {
        let film = Film {
            game: moment.game,
            ply: moment.ply,
            name: moment.name.clone(),
            at: moment.at,
            from_ms: after(moment.from, moment.t),
            to_ms: i64::try_from(AFTER_MS).unwrap_or(i64::MAX),
            placement: None,
            clock: None,
            steps: Vec::new(),
        };
        Self { moment, begun: false, last: Mono::ZERO, placement: None, squares: None, reading: None, ruled: None, film }
    }

    /// Takes the next event, from before the film begins on; those after its end are passed over.
    pub fn take(&mut self, event: &Event) {
        if event.t < self.last {
            // A journal that counts anew: times before are none of this film's.
            (self.begun, self.reading, self.ruled) = (false, None, None);
            self.film.steps.clear();
        }
        self.last = event.t;
        if event.t > self.moment.to() {
            return;
        }
        if !self.begun && event.t >= self.moment.from {
            self.begin();
        }
        match &event.body {
            Body::Ruling(_) => self.ruled = Some(event.t),
            // What waited for a verdict is carried out with it.
            Body::FindingUpdate(update) if matches!(update.status, Status::Confirmed | Status::Amended) => self.ruled = Some(event.t),
            Body::Placement { placement, .. } if self.ruled != Some(event.t) => self.placed(event.t, placement),
            Body::Press { by } => self.step(event.t, |step| step.press = Some(*by)),
            Body::Link { state, .. } => self.step(event.t, |step| step.link = Some(*state)),
            Body::Clock(state) => self.clock(event.t, state),
            _ => {}
        }
    }

    /// The film.
    pub fn film(mut self) -> Film {
        if !self.begun {
            self.begin();
        }
        self.film
    }

    fn begin(&mut self) {
        self.begun = true;
        self.film.placement.clone_from(&self.placement);
        self.film.clock = self.displays(self.moment.from);
    }

    fn placed(&mut self, t: Mono, placement: &str) {
        let Some(squares) = read(placement) else { return };
        let before = self.squares.replace(squares);
        self.placement = Some(placement.to_string());
        let Some(before) = before else {
            // What was there from the first.
            if self.begun {
                self.film.placement.clone_from(&self.placement);
            }
            return;
        };
        let changed = (0_u8..64).zip(before.into_iter().zip(squares)).filter(|(_, (was, now))| was != now);
        for (at, (was, now)) in changed {
            let piece = |letter: char| (letter != '.').then_some(letter);
            self.step(t, |step| (step.square, step.was, step.now) = (name(at), piece(was), piece(now)));
        }
    }

    fn clock(&mut self, t: Mono, state: &ClockState) {
        let before = self.displays(t);
        self.reading = match state.source {
            ClockSource::None => None,
            // What was ruled is not what the clock shows.
            ClockSource::Arbiter => return,
            ClockSource::Device | ClockSource::Estimate => Some((t, *state)),
        };
        // One that says what everybody knows is no step.
        let shown = |of: Option<Displays>| of.map(|d| (seconds(d.white_ms), seconds(d.black_ms), d.running));
        if shown(before) != shown(self.displays(t)) {
            self.step(t, |_| ());
        }
    }

    fn displays(&self, t: Mono) -> Option<Displays> {
        let (read_at, state) = self.reading?;
        let gone = i64::try_from(t.since(read_at)).unwrap_or(i64::MAX);
        let of = |by: Colour, read: Option<i64>| read.map(|ms| if state.running == Some(by) { ms.saturating_sub(gone).max(0) } else { ms });
        Some(Displays { white_ms: of(Colour::White, state.white_ms), black_ms: of(Colour::Black, state.black_ms), running: state.running })
    }

    fn step(&mut self, t: Mono, fill: impl FnOnce(&mut Step)) {
        if !self.begun || self.film.steps.len() >= MOST {
            return;
        }
        let clock = self.displays(t);
        let mut step = Step { t_ms: after(t, self.moment.t), square: None, was: None, now: None, press: None, link: None, clock };
        fill(&mut step);
        self.film.steps.push(step);
    }
}

impl Film {
    /// What both clocks showed then.
    pub fn displays(&self, t_ms: i64) -> Option<Displays> {
        let last = self.steps.iter().rev().find(|step| step.t_ms <= t_ms);
        let (read_ms, clock) = last.map_or((self.from_ms, self.clock), |step| (step.t_ms, step.clock));
        let (clock, gone) = (clock?, t_ms.saturating_sub(read_ms).max(0));
        let of = |by: Colour, ms: Option<i64>| ms.map(|ms| if clock.running == Some(by) { ms.saturating_sub(gone).max(0) } else { ms });
        Some(Displays { white_ms: of(Colour::White, clock.white_ms), black_ms: of(Colour::Black, clock.black_ms), ..clock })
    }

    /// What stood on the board after everything up to `t_ms`: 64 letters from a8, `.` for an empty square.
    pub fn squares(&self, t_ms: i64) -> Option<[char; 64]> {
        let mut squares = read(self.placement.as_deref()?)?;
        for step in self.steps.iter().take_while(|step| step.t_ms <= t_ms) {
            if let Some(place) = step.square.and_then(|square| squares.get_mut(index(square))) {
                *place = step.now.unwrap_or('.');
            }
        }
        Some(squares)
    }
}

/// What a display shows of it.
fn seconds(ms: Option<i64>) -> Option<i64> {
    ms.map(|ms| ms.saturating_add(999).div_euclid(1000))
}

fn after(t: Mono, moment: Mono) -> i64 {
    let signed = |ms: u64| i64::try_from(ms).unwrap_or(i64::MAX);
    signed(t.millis()).saturating_sub(signed(moment.millis()))
}

/// 64 letters from a8, `.` for an empty square.
fn read(placement: &str) -> Option<[char; 64]> {
    let mut squares = ['.'; 64];
    let mut at = 0_usize;
    for letter in placement.chars().filter(|letter| *letter != '/') {
        match letter.to_digit(10) {
            Some(gap) => at = at.saturating_add(usize::try_from(gap).ok()?),
            None => {
                *squares.get_mut(at)? = letter;
                at = at.saturating_add(1);
            }
        }
    }
    (at == 64).then_some(squares)
}

/// Counted from a8 as placements are.
const fn name(at: u8) -> Option<Square> {
    Square::new(at ^ 56)
}

fn index(square: Square) -> usize {
    usize::from(square.index() ^ 56)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::{Seeker, Subject};
    use serde_json::Value;
    use serde_json::json;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    const LIFTED: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
    const MOVED: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";

    fn events(bodies: &[(u64, Value)]) -> Vec<Event> {
        let event = |(n, (t, body)): (u64, &(u64, Value))| {
            let mut event = json!({"seq": n, "t": t, "at": "2026-01-02T03:04:05Z", "board": "1"});
            event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
            serde_json::from_value(event).unwrap()
        };
        (1..).zip(bodies).map(event).collect()
    }

    fn cut(subject: Subject, events: &[Event]) -> Option<Film> {
        let mut seeker = Seeker::new(subject);
        events.iter().for_each(|event| seeker.take(event));
        let mut cutter = Cutter::new(seeker.found()?);
        events.iter().for_each(|event| cutter.take(event));
        Some(cutter.film())
    }

    fn placed(placement: &str) -> Value {
        json!({"type": "placement", "placement": placement, "settled": false})
    }

    fn clock(white_s: i64, black_s: i64, running: Option<&str>, source: &str) -> Value {
        json!({"type": "clock", "white_ms": white_s * 1000, "black_ms": black_s * 1000, "running": running, "flag": null, "source": source, "uncertainty_ms": 60})
    }

    fn finding(evidence: [u64; 2]) -> Value {
        json!({"type": "finding", "game": 1, "id": 3, "key": "illegal-move", "article": "7.5.1", "rules": "fide-2023", "by": "white", "grade": "ruling",
            "summary": {"en": "", "ru": ""}, "facts": {"ply": 1}, "evidence": evidence})
    }

    #[test]
    fn a_hand_a_press_and_both_clocks_are_seen_step_by_step() {
        let film = cut(
            Subject::Finding(3),
            &events(&[
                (0, placed(START)),
                (1_000, clock(60, 90, Some("white"), "device")),
                (30_000, placed(LIFTED)),
                (30_500, placed(MOVED)),
                (31_000, clock(30, 90, Some("black"), "device")),
                (31_000, json!({"type": "press", "by": "white"})),
                (31_200, finding([3, 6])),
                (33_000, clock(30, 88, Some("black"), "device")),
                (34_000, clock(30, 87, None, "device")),
                (36_201, placed(START)),
            ]),
        )
        .unwrap();
        assert_eq!((film.from_ms, film.to_ms, film.ply, film.game), (-10_000, 5_000, Some(1), Some(1)));
        assert_eq!(film.placement.as_deref(), Some(START));
        // 20.2 s after it was read.
        assert_eq!(film.clock, Some(Displays { white_ms: Some(39_800), black_ms: Some(90_000), running: Some(Colour::White) }));
        let told: Vec<Value> = film.steps.iter().map(|step| serde_json::to_value(step).unwrap()).collect();
        let black = |ms: i64| json!({"white_ms": 30_000, "black_ms": ms, "running": "black"});
        assert_eq!(
            told,
            [
                json!({"t_ms": -1_200, "square": "e2", "was": "P", "clock": {"white_ms": 31_000, "black_ms": 90_000, "running": "white"}}),
                json!({"t_ms": -700, "square": "e4", "now": "P", "clock": {"white_ms": 30_500, "black_ms": 90_000, "running": "white"}}),
                json!({"t_ms": -200, "clock": black(90_000)}),
                json!({"t_ms": -200, "press": "white", "clock": black(90_000)}),
                // The reading at 33 s said nothing new.
                json!({"t_ms": 2_800, "clock": {"white_ms": 30_000, "black_ms": 87_000, "running": null}}),
            ]
        );
        let at = |ms: i64| film.squares(ms).unwrap().iter().filter(|letter| **letter == 'P').count();
        assert_eq!((at(-1_201), at(-1_200), at(-700)), (8, 7, 8));
        let white = |ms: i64| film.displays(ms).and_then(|shown| shown.white_ms);
        assert_eq!((white(-10_000), white(-900), white(4_000)), (Some(39_800), Some(30_700), Some(30_000)));
    }

    #[test]
    fn what_a_ruling_wants_is_not_seen_and_what_rests_on_earlier_things_begins_earlier() {
        let ruling = json!({"type": "ruling", "game": 1, "do": "rule", "finding": 3, "decision": "confirm"});
        let film = cut(
            Subject::Finding(3),
            &events(&[
                (0, placed(START)),
                (10_000, placed(LIFTED)),
                (40_000, finding([2, 2])),
                (41_000, ruling),
                (41_000, placed(START)),
                (41_000, clock(60, 60, None, "arbiter")),
                (42_000, placed(START)),
            ]),
        )
        .unwrap();
        assert_eq!(film.from_ms, -32_000);
        let squares: Vec<_> = film.steps.iter().map(|step| (step.t_ms, step.square.map(Square::as_str), step.now)).collect();
        assert_eq!(squares, [(-30_000, Some("e2"), None), (2_000, Some("e2"), Some('P'))], "the board was put right a second later");
        assert!(film.clock.is_none() && film.steps.iter().all(|step| step.clock.is_none()));
    }

    #[test]
    fn a_ply_is_seen_as_it_was_made_last_in_its_game() {
        let made = |game: u32| json!({"type": "move-made", "game": game, "ply": 1, "by": "white", "uci": "e2e4", "legal": true, "placement": MOVED, "provisional": true});
        let completed = |game: u32, how: &str| json!({"type": "move-completed", "game": game, "ply": 1, "by": "white", "uci": "e2e4", "legal": true, "how": how});
        let all = events(&[
            (0, placed(START)),
            (20_000, made(1)),
            (32_000, completed(1, "press")),
            (40_000, made(2)),
            (50_000, json!({"type": "move-withdrawn", "game": 2, "ply": 1, "uci": "e2e4"})),
            (60_000, made(2)),
            (90_000, completed(2, "next-move")),
        ]);
        let film =
            |game: Option<u32>| cut(Subject::Ply { game, ply: 1 }, &all).map(|film| (film.game, film.from_ms, film.to_ms, film.name));
        // It was made twelve seconds before its press: the hand is seen.
        assert_eq!(film(Some(1)), Some((Some(1), -17_000, 5_000, Some(String::from("e2e4")))));
        assert_eq!(film(Some(2)), Some((Some(2), -10_000, 5_000, Some(String::from("e2e4")))));
        assert_eq!(film(None), film(Some(2)));
        assert_eq!((film(Some(3)), cut(Subject::Finding(9), &all)), (None, None));
        let mut seeker = Seeker::new(Subject::Ply { game: Some(2), ply: 1 });
        all.iter().for_each(|event| seeker.take(event));
        assert_eq!(seeker.found().unwrap().t, Mono::from_millis(60_000));
    }

    #[test]
    fn a_journal_that_counts_anew_brings_nothing_from_before() {
        let film = cut(
            Subject::Finding(3),
            &events(&[
                (5_000, placed(LIFTED)),
                (5_100, clock(60, 60, Some("white"), "device")),
                (5_200, placed(START)),
                (1_000, placed(MOVED)),
                (2_000, finding([4, 4])),
            ]),
        )
        .unwrap();
        let steps: Vec<_> = film.steps.iter().map(|step| (step.t_ms, step.square.map(Square::as_str), step.clock)).collect();
        assert_eq!((film.placement.as_deref(), steps), (Some(START), vec![(-1_000, Some("e4"), None), (-1_000, Some("e2"), None)]));
    }
}
