//! What whoever shows a board's state needs of its earlier events: everything but what later ones made pointless. Its size follows the game, not the bytes.
use flagfall_events::{Body, Colour, Event};
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

/// The events of a board, without what the next of its kind replaces.
#[derive(Debug, Default)]
pub(super) struct Digest {
    kept: Vec<Arc<Event>>,
    /// The last event; it is never left out, so that whoever counts knows how far the board is.
    last: Option<Event>,
}

/// A display that steps by less than this goes on, milliseconds.
const STEP_MS: i64 = 2_000;
/// Presses and readings between two events that do not pass; of more the oldest are left out.
const MOST_CLOCKS: usize = 256;

/// Each says all that the one before it said, but for what a clock shows at a press, a stop and a setting: moves take their times from it.
const fn is_passing(body: &Body) -> bool {
    matches!(body, Body::Placement { .. } | Body::Clock(_) | Body::Press { .. })
}

impl Digest {
    pub(super) fn take(&mut self, event: Event) {
        if let Some(before) = self.last.replace(event) {
            self.settle(before);
        }
    }

    fn settle(&mut self, event: Event) {
        if is_passing(&event.body) {
            self.pass(&event);
        } else if let Body::MoveWithdrawn { ply, .. } = event.body
            && self.unmake(ply)
        {
            return;
        }
        self.kept.push(Arc::new(event));
    }

    /// The last event taken, 0 before the first.
    pub(super) fn seq(&self) -> u64 {
        self.last.as_ref().map_or(0, |event| event.seq)
    }

    pub(super) fn into_events(mut self) -> Vec<Arc<Event>> {
        self.kept.extend(self.last.map(Arc::new));
        self.kept
    }

    /// Where what passes begins: after the last event that does not.
    fn passing(&self) -> usize {
        self.kept.iter().rposition(|event| !is_passing(&event.body)).map_or(0, |at| at + 1)
    }

    /// Leaves out what this one, which passes, makes pointless.
    fn pass(&mut self, event: &Event) {
        let from = self.passing();
        let is_clock = |body: &Body| matches!(body, Body::Clock(_) | Body::Press { .. });
        let clocks: Vec<usize> = (from..self.kept.len()).filter(|at| is_clock(&self.kept[*at].body)).collect();
        match &event.body {
            // Nothing was shown since.
            Body::Press { .. } => {
                if let Some(at) = clocks.last().filter(|at| self.kept[**at].body == event.body) {
                    self.kept.remove(*at);
                    return;
                }
            }
            // Of a display that goes on the first reading and the last say all.
            Body::Clock(_) => {
                if let [.., first, last] = clocks[..]
                    && goes_on(&self.kept[first], &self.kept[last])
                    && goes_on(&self.kept[first], event)
                    && goes_on(&self.kept[last], event)
                {
                    self.kept.remove(last);
                    return;
                }
            }
            _ => return self.forget(discriminant(&event.body)),
        }
        if clocks.len() >= MOST_CLOCKS {
            self.kept.remove(clocks[0]);
        }
    }

    /// Of what passes, the one of this kind is told anew.
    fn forget(&mut self, kind: Discriminant<Body>) {
        let from = self.passing();
        if let Some(at) = (from..self.kept.len()).find(|at| discriminant(&self.kept[*at].body) == kind) {
            self.kept.remove(at);
        }
    }

    /// A ply that was made last, and not completed, is taken back: nobody has to know.
    fn unmake(&mut self, withdrawn: u32) -> bool {
        let mut from = self.passing();
        let made = loop {
            let Some(at) = from.checked_sub(1) else { return false };
            match self.kept[at].body {
                Body::MoveMade { ply, .. } if ply == withdrawn => break at,
                // As it was revised it is gone as well.
                Body::MoveRevised { ply, .. } if ply == withdrawn => from = at,
                ref body if is_passing(body) => from = at,
                _ => return false,
            }
        };
        let later: Vec<_> = self.kept.drain(made..).filter(|event| is_passing(&event.body)).collect();
        for event in later {
            self.pass(&event);
            self.kept.push(event);
        }
        true
    }
}

/// Both are readings, and the later one shows what the earlier one comes to by then.
fn goes_on(earlier: &Event, later: &Event) -> bool {
    let (Body::Clock(was), Body::Clock(is)) = (&earlier.body, &later.body) else { return false };
    let elapsed = i64::try_from(later.t.since(earlier.t)).unwrap_or(i64::MAX);
    let shows = |was: Option<i64>, is: Option<i64>, runs: bool| match (was, is) {
        (Some(was), Some(is)) => was.saturating_sub(if runs { elapsed } else { 0 }).abs_diff(is) < STEP_MS.unsigned_abs(),
        (was, is) => was == is,
    };
    (was.running, was.flag, was.source) == (is.running, is.flag, is.source)
        && shows(was.white_ms, is.white_ms, was.running == Some(Colour::White))
        && shows(was.black_ms, is.black_ms, was.running == Some(Colour::Black))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_capture::Capture;
    use flagfall_events::{Mono, Wall};
    use flagfall_score::board::BoardState;
    use rand::{Rng as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;
    use serde_json::json;

    fn digested(bodies: &[serde_json::Value]) -> Vec<u64> {
        let mut digest = Digest::default();
        for (seq, body) in (1..).zip(bodies) {
            let mut event = json!({"seq": seq, "t": 0, "at": Wall::EPOCH, "board": "1"});
            event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
            digest.take(serde_json::from_value(event).unwrap());
        }
        assert_eq!(digest.seq(), bodies.len() as u64);
        digest.into_events().iter().map(|event| event.seq).collect()
    }

    fn made(ply: u32) -> serde_json::Value {
        json!({"type": "move-made", "ply": ply, "by": "white", "uci": "e2e4", "legal": true, "placement": "8", "provisional": true})
    }

    #[test]
    fn what_the_next_one_replaces_is_left_out_and_what_counts_is_not() {
        let placement = || json!({"type": "placement", "placement": "8", "settled": false});
        let press = || json!({"type": "press", "by": "white"});
        let withdrawn = |ply| json!({"type": "move-withdrawn", "ply": ply, "uci": "e2e4"});
        let completed = |ply| json!({"type": "move-completed", "ply": ply, "by": "white", "uci": "e2e4", "legal": true, "how": "press"});
        let link = || json!({"type": "link", "state": "up"});
        assert_eq!(digested(&[link(), placement(), press(), placement(), placement(), link(), placement()]), [1, 3, 5, 6, 7]);
        // Made and taken back a thousand times.
        let mut bodies = vec![link(), made(1), completed(1)];
        for _ in 0..1_000 {
            bodies.extend([made(2), placement(), made(3), press(), withdrawn(3), placement(), withdrawn(2)]);
        }
        let last = bodies.len() as u64;
        let kept = digested(&bodies);
        assert!(kept.len() < 12 && kept.starts_with(&[1, 2, 3]) && kept.ends_with(&[last]), "{kept:?}");
        // A completed one that is taken back stays.
        assert_eq!(digested(&[made(1), completed(1), withdrawn(1)]), [1, 2, 3]);
        assert_eq!(digested(&[withdrawn(1)]), [1]);
    }

    #[test]
    fn of_a_clock_the_first_and_the_last_reading_stay_between_presses_stops_and_settings() {
        let clock = |white_s: i64, running: Option<&str>| json!({"type": "clock", "white_ms": white_s * 1000, "black_ms": 180_000, "running": running, "flag": null, "source": "device", "uncertainty_ms": 0});
        let white = Some("white");
        let press = |by: &str| json!({"type": "press", "by": by});
        // All at one moment: a display that stands goes on.
        assert_eq!(digested(&[clock(90, white), clock(90, white), clock(89, white), clock(90, white)]), [1, 3, 4]);
        assert_eq!(digested(&[clock(90, white), clock(90, None), clock(90, None), clock(210, None), clock(210, None)]), [1, 2, 3, 4, 5]);
        let pressed = [press("white"), clock(90, white), press("black"), clock(90, white), clock(90, white), clock(90, white)];
        assert_eq!(digested(&pressed), [1, 2, 3, 4, 5, 6]);
        let many: Vec<_> = (0..500).map(|n| clock(n * 60, white)).collect();
        assert!(digested(&many).len() <= MOST_CLOCKS + 1);
    }

    #[test]
    fn a_game_reads_the_same_from_its_digest() {
        for name in ["human-mate", "blitz-both-hands", "unplugged-in-mid-game", "rook-first-castling"] {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/captures/{name}.cap"));
            let bytes = std::fs::read(path).unwrap();
            let (mut whole, mut digest, mut count) = (BoardState::new("x".into()), Digest::default(), 0);
            let told = flagfall_capture::drive("x", Capture::open(&bytes).unwrap(), flagfall_solver::answers(), |event| {
                whole.apply(&event);
                digest.take(event);
                count += 1;
                Ok::<_, std::convert::Infallible>(())
            });
            assert!(told.unwrap().is_none(), "{name}");
            let mut short = BoardState::new("x".into());
            let events = digest.into_events();
            events.iter().for_each(|event| _ = short.apply(event));
            assert_eq!(format!("{whole:?}"), format!("{short:?}"), "{name}");
            assert!(events.len() < count, "{name}: {} of {count}", events.len());
        }
    }

    /// A game as a board tells it that loses its link and its clock now and then: plies come late and all at once, presses belong to nothing, displays jump.
    fn told(seed: u64) -> Vec<Event> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut t, mut white, mut black, mut turn, mut events) = (1_000_u64, 300_000_i64, 300_000_i64, Colour::White, Vec::new());
        let mut waiting: Vec<(Colour, Option<serde_json::Value>)> = Vec::new();
        let (mut ply, mut away) = (0, false);
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
        events.push(json!({"type": "link", "state": "up"}));
        events.push(json!({"type": "game-start", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rules": "fide-2023", "play": "blitz", "time_control": if seed.is_multiple_of(2) { Some("300") } else { None }, "chess960": false}));
        let mut all = vec![];
        for _ in 0..400 {
            let spent = rng.random_range(10..1_500);
            t += spent;
            *(if turn == Colour::White { &mut white } else { &mut black }) -= i64::try_from(spent).unwrap();
            let clock = |jitter: i64| json!({"type": "clock", "white_ms": white + jitter, "black_ms": black - jitter, "running": turn, "flag": null, "source": "device", "uncertainty_ms": 0});
            match rng.random_range(0..20) {
                0..6 => events.push(clock(rng.random_range(-1_900..1_900))),
                6..12 => {
                    let pair = (!away).then(|| json!({"white_ms": white, "black_ms": black}));
                    waiting.push((turn, pair));
                    events.push(json!({"type": "press", "by": turn}));
                    turn = turn.other();
                }
                12 => events.push(json!({"type": "placement", "placement": "8/8/8/8/8/8/8/8", "settled": false})),
                13 => {
                    events.push(json!({"type": "clock", "white_ms": null, "black_ms": null, "running": null, "flag": null, "source": "device", "uncertainty_ms": 0}));
                    away = !away;
                }
                14 if seed.is_multiple_of(3) => {
                    events.push(json!({"type": "link", "state": if away { "up" } else { "down" }}));
                    away = !away;
                }
                15 => white += rng.random_range(-9_000..9_000),
                _ if rng.random_ratio(1, 2 + (seed % 40) as u32) => {
                    for (by, pair) in waiting.drain(..) {
                        let uci = moves[ply % 4];
                        ply += 1;
                        events.push(json!({"type": "move-made", "ply": ply, "by": by, "uci": uci, "legal": true, "placement": "8", "provisional": true}));
                        let how = if pair.is_some() { "press" } else { "recovered" };
                        events.push(
                            json!({"type": "move-completed", "ply": ply, "by": by, "uci": uci, "legal": true, "how": how, "clock": pair}),
                        );
                    }
                }
                _ => {}
            }
            all.extend(events.drain(..).map(|body| (t, body)));
        }
        let event = |(seq, (t, body)): (u64, (u64, serde_json::Value))| {
            let mut event = json!({"seq": seq, "t": t, "at": Wall::EPOCH, "board": "1", "game": 1});
            event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
            serde_json::from_value(event.clone()).unwrap_or_else(|error| panic!("{error}: {event}"))
        };
        (1..).zip(all).map(event).collect()
    }

    #[test]
    fn times_that_nobody_read_are_the_same_from_a_digest() {
        for seed in 0..120 {
            let (mut whole, mut short, mut digest) = (BoardState::new("x".into()), BoardState::new("x".into()), Digest::default());
            for event in told(seed) {
                whole.apply(&event);
                digest.take(event);
            }
            digest.into_events().iter().for_each(|event| _ = short.apply(event));
            let times = |state: &BoardState| format!("{:?}", state.moves());
            assert_eq!(times(&whole), times(&short), "seed {seed}");
        }
    }

    #[test]
    fn memory_follows_the_game_and_not_the_bytes() {
        let mut digest = Digest::default();
        for seq in 1..200_000 {
            let body = if seq % 2 == 0 {
                Body::Press { by: Colour::White }
            } else {
                Body::Placement { placement: String::from("8/8/8/8/8/8/8/8"), settled: false }
            };
            digest.take(Event { seq, t: Mono::ZERO, at: Wall::EPOCH, board: "1".into(), game: None, body });
        }
        assert_eq!(digest.into_events().len(), 3);
    }
}
