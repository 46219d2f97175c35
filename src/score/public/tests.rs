use super::PublicView;
use crate::board::BoardState;
use crate::position::placement_of;
use crate::said::{AFTER_D4, AFTER_E4, START, Said, begins, ends, makes, numbered, stands, written};
use alloc::sync::Arc;
use flagfall_events::{Body, Event, Mono, Touches};
use rand::Rng as _;
use serde_json::{Value, json};

fn seen(view: &mut PublicView, events: &[Event]) -> Vec<Event> {
    events.iter().flat_map(|event| view.take(event)).collect()
}

fn text(events: &[Event]) -> Vec<String> {
    events.iter().map(|event| serde_json::to_string(event).unwrap()).collect()
}

fn folded(events: &[Event]) -> BoardState {
    let mut state = BoardState::new("1".into());
    events.iter().for_each(|event| _ = state.apply(event));
    state
}

#[test]
fn nothing_that_is_not_public_shows_in_a_byte_or_a_number() {
    for (seed, touches) in (0..200).flat_map(|seed| [(seed, Touches::Public), (seed, Touches::Arbiter)]) {
        let mut said = Said::new(seed);
        said.start();
        for _ in 0..said.random.random_range(0..30) {
            said.play(true);
        }
        if seed % 2 == 0 {
            said.offend();
            (0..seed % 7).for_each(|_| said.go_on());
        }
        let with = seen(&mut PublicView::new(touches, 0), &numbered(&said.all));
        let without = seen(&mut PublicView::new(touches, 0), &numbered(&said.shown));
        assert!(said.all.len() > said.shown.len() || said.ply == 0);
        assert_eq!(text(&with), text(&without), "seed {seed}, {touches:?}");
        assert!(with.iter().enumerate().all(|(i, event)| event.seq == i as u64 + 1 && event.body.is_public()), "seed {seed}: no gaps");
        if touches == Touches::Public {
            assert_eq!(text(&with), text(&numbered(&said.shown)), "seed {seed}: what was public goes out as it is");
        }
    }
}

#[test]
fn with_the_arbiters_touches_a_placement_is_one_after_a_ply_or_one_that_was_set() {
    for seed in 0..100 {
        let mut said = Said::new(seed);
        said.start();
        for _ in 0..20 {
            said.play(true);
        }
        said.offend();
        let public = seen(&mut PublicView::new(Touches::Arbiter, 0), &numbered(&said.all));
        let mut last = None;
        for event in &public {
            if let Body::Placement { placement, .. } | Body::MoveMade { placement, .. } = &event.body {
                assert!(said.stood.contains(placement), "seed {seed}: {placement}");
                last = Some(placement.clone());
            }
        }
        assert_eq!(last.as_ref(), said.stood.last(), "seed {seed}");
    }
}

/// A game with an illegal ply at 11, and `rest` after it; what is public of that, and of everything.
fn ruled(touches: Touches, rest: impl FnOnce(&mut Said, u64)) -> (Vec<Event>, Vec<Event>) {
    let mut said = Said::new(11);
    said.start();
    (0..10).for_each(|_| said.play(false));
    let id = said.offend();
    let before = numbered(&said.all).len();
    rest(&mut said, id);
    let (mut view, events) = (PublicView::new(touches, 0), numbered(&said.all));
    seen(&mut view, &events[..before]);
    let mut public = seen(&mut view, &events[before..]);
    public.extend(view.pass(Mono::from_millis(u64::MAX)));
    (public, events)
}

fn types(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|event| event.body.kind()).collect()
}

#[test]
fn an_illegal_ply_that_stands_appears_with_all_that_was_played_on_it() {
    let (public, all) = ruled(Touches::Public, |said, id| {
        said.go_on();
        said.arbiters(json!({"type": "ruling", "do": "rule", "finding": id, "decision": "dismiss"}));
        said.update(id, "dismissed");
    });
    let (during, after) = public.split_at(3);
    assert_eq!(types(during), ["placement", "clock", "clock"]);
    assert_eq!(types(after), ["move-made", "move-completed", "move-made", "move-completed"]);
    let played = |board: &BoardState| board.moves().iter().map(|m| (m.ply, m.uci.clone(), m.legal, m.completed)).collect::<Vec<_>>();
    assert_eq!(played(&folded(&public)), played(&folded(&all))[10..]);
}

#[test]
fn an_illegal_ply_that_is_put_back_was_never_there() {
    // By the players, before anybody ruled.
    let (public, _) = ruled(Touches::Public, |said, id| {
        said.arbiters(json!({"type": "move-withdrawn", "ply": 11, "uci": "a1h8"}));
        said.update(id, "revised");
        said.play(false);
    });
    assert!(!types(&public).contains(&"move-withdrawn"), "{:?}", types(&public));
}

#[test]
fn what_is_ruled_leaves_the_record_that_arbiters_have() {
    for touches in [Touches::Public, Touches::Arbiter] {
        let stands = || folded(&numbered(&[])).moves().len();
        let (public, all) = ruled(touches, |said, id| {
            let restored = said.stood.last().unwrap().clone();
            let proposal = json!({"action": "restore-position", "restore_fen": format!("{restored} w - - 0 6"), "alternatives": []});
            said.go_on();
            said.arbiters(json!({"type": "finding-update", "id": id, "status": "revised", "proposal": proposal}));
            said.arbiters(json!({"type": "ruling", "do": "rule", "finding": id, "decision": "confirm"}));
            said.update(id, "confirmed");
            said.arbiters(json!({"type": "move-withdrawn", "ply": 12, "uci": "b7b6"}));
            said.arbiters(json!({"type": "move-withdrawn", "ply": 11, "uci": "a1h8"}));
            said.arbiters(json!({"type": "placement", "placement": restored, "settled": true}));
        });
        assert_eq!((folded(&public).moves().len(), folded(&all).moves().len()), (stands(), 10));
        let placement =
            |events: &[Event]| serde_json::to_value(folded(events).view(Default::default(), false)).unwrap()["placement"].clone();
        assert_eq!(placement(&public), placement(&all), "{touches:?}");
    }
}

#[test]
fn a_pawn_that_becomes_a_queen_by_ruling_is_one_in_public() {
    let (public, all) = ruled(Touches::Public, |said, id| {
        said.update(id, "confirmed");
        said.arbiters(json!({"type": "move-revised", "ply": 11, "uci": "e7e8q", "san": "e8=Q", "was": "a1h8"}));
    });
    assert_eq!(types(&public), ["move-made", "move-completed", "move-revised"]);
    assert_eq!(folded(&public).moves(), &folded(&all).moves()[10..]);
}

#[test]
fn sides_and_corrected_clocks_are_public_also_of_a_ply_that_is_hidden_still() {
    let clock = |white_ms: i64| json!({"white_ms": white_ms, "black_ms": 1_000});
    let sides = json!({"type": "sides", "white": "right", "from": 1, "orientation": "usual"});
    let retimed =
        |ply: u32, uci: &str| json!({"type": "move-revised", "ply": ply, "uci": uci, "was": uci, "clock": clock(7_000), "spent_ms": 3});
    let (public, all) = ruled(Touches::Arbiter, |said, id| {
        let tenth = folded(&numbered(&said.all)).moves()[9].uci.clone();
        said.everybody(sides.clone());
        said.everybody(json!({"san": "x", "type": "move-revised", "ply": 10, "uci": tenth, "was": tenth, "clock": clock(9_000)}));
        said.arbiters(retimed(11, "a1h8"));
        said.update(id, "dismissed");
    });
    assert_eq!(types(&public)[..2], ["sides", "move-revised"], "{:?}", types(&public));
    let read =
        |events: &[Event], ply: u32| folded(events).moves().iter().find(|m| m.ply == ply).and_then(|m| m.clock).map(|pair| pair.white_ms);
    assert_eq!((read(&all, 10), read(&all, 11)), (Some(9_000), Some(7_000)));
    assert_eq!(read(&public, 11), Some(7_000), "it is told as it is known now");
}

#[test]
fn a_ply_that_turns_out_illegal_is_taken_back_until_it_is_ruled() {
    let mut said = Said::new(3);
    said.start();
    (0..4).for_each(|_| said.play(false));
    let mut view = PublicView::new(Touches::Public, 0);
    let mut all = said.all.clone();
    seen(&mut view, &numbered(&all));
    all.push(said.stamped(json!({"type": "move-revised", "ply": 3, "uci": "a1h8", "was": "x"})));
    let events = numbered(&all);
    let facts = json!({"ply": 3, "uci": "a1h8"});
    let public = view.take(events.last().unwrap());
    // The edition makes nothing of it as far as is known, and the game went on: it stands, until a finding says otherwise.
    assert_eq!(types(&public), ["move-revised"]);
    said.all = all;
    let id = said.finding("illegal-move", "ruling", facts);
    said.update(id, "dismissed");
    let events = numbered(&said.all);
    let hidden = view.take(&events[events.len() - 2]);
    assert_eq!(types(&hidden), ["move-withdrawn", "move-withdrawn"]);
    let shown = view.take(&events[events.len() - 1]);
    assert_eq!(types(&shown).iter().filter(|kind| **kind == "move-made").count(), 2);
}

#[test]
fn folding_again_gives_the_same_numbers_from_wherever_it_began() {
    let mut said = Said::new(5);
    said.start();
    (0..20).for_each(|_| said.play(true));
    let events = numbered(&said.all);
    let mut one = PublicView::new(Touches::Public, 0);
    let first = seen(&mut one, &events);
    assert_eq!(seen(&mut one, &events), [], "what was taken is not taken again");
    // Without what the next one replaces.
    let kept = |event: &&Event| !matches!(event.body, Body::Placement { .. } | Body::Press { .. });
    let short: Vec<Arc<Event>> = events.iter().filter(kept).cloned().map(Arc::new).collect();
    let (restored, public) = PublicView::restored(Touches::Public, &short, one.number());
    assert!(public.len() < first.len() && (restored.number(), public.last().unwrap().seq) == (one.number(), one.number()));
    let (mut two, half) = (PublicView::new(Touches::Public, 0), events.len() / 2);
    let begun = seen(&mut two, &events[..half]);
    let mut three = PublicView::new(Touches::Public, two.number());
    let rest: Vec<u64> = seen(&mut three, &events[half..]).iter().map(|event| event.seq).collect();
    assert_eq!(rest, first[begun.len()..].iter().map(|event| event.seq).collect::<Vec<_>>());
}

#[test]
fn a_position_that_is_set_reaches_outlets_without_a_name_or_a_number() {
    let mut said = Said::new(5);
    said.start();
    said.arbiters(json!({"type": "ruling", "do": "set-position", "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "who": "Olga", "note": "x"}));
    said.arbiters(json!({"type": "placement", "placement": "4k3/8/8/8/8/8/8/4K3", "settled": true}));
    let mut view = PublicView::new(Touches::Arbiter, 0);
    let mut public = seen(&mut view, &numbered(&said.all));
    public.extend(view.pass(view.sure_at().unwrap()));
    let [.., before, set, placement] = &public[..] else { panic!("{public:?}") };
    let Body::Ruling(ruling) = &set.body else { panic!("{set:?}") };
    assert_eq!((ruling.fields().len(), set.seq, placement.seq), (1, before.seq, before.seq + 1));
}

fn shows(white_ms: i64, running: Option<&str>) -> Value {
    json!({"type": "clock", "white_ms": white_ms, "black_ms": 60_000, "running": running, "flag": null, "source": "device", "uncertainty_ms": 0})
}

const KINGS: &str = "8/8/8/3k4/4K3/8/8/8";

/// Game 1 to its end, some analysis, and the pieces and the clock set up for game 2.
fn between() -> Vec<Value> {
    vec![
        begins(1),
        shows(60_000, Some("white")),
        makes(1, 1, "e2e4", "e4", AFTER_E4),
        stands(AFTER_E4),
        ends(1, "1-0", "entered"),
        // The clock ran on until it was stopped.
        shows(59_000, Some("black")),
        shows(59_000, None),
        stands(KINGS),
        json!({"type": "ruling", "do": "set-position", "game": 1, "fen": START}),
        stands(placement_of(START).as_str()),
        shows(180_000, None),
        json!({"type": "press", "by": "white"}),
        begins(2),
        stands(AFTER_D4),
    ]
}

#[test]
fn the_finished_game_is_seen_until_the_next_one_has_a_move() {
    for touches in [Touches::Public, Touches::Arbiter] {
        let mut view = PublicView::new(touches, 0);
        let events = written(&between());
        let told = seen(&mut view, &events);
        let after_result: Vec<_> = types(&told).into_iter().skip_while(|kind| *kind != "result").collect();
        assert_eq!(after_result, ["result", "clock", "clock"], "{touches:?}");
        let board = folded(&told);
        assert_eq!((board.game().number, board.game().result.as_str(), board.moves().len()), (Some(1), "1-0", 1));
        let clock = board.clock().unwrap().state;
        assert_eq!((clock.white_ms, clock.running), (Some(59_000), None), "{touches:?}: what it showed when it was stopped");
        assert!(!text(&told).concat().contains(KINGS), "{told:?}");
        let mut all = between();
        all.push(makes(2, 1, "d2d4", "d4", AFTER_D4));
        let next = view.take(written(&all).last().unwrap());
        let wanted: &[&str] = match touches {
            Touches::Public => &["game-start", "clock", "placement", "move-made"],
            Touches::Arbiter => &["game-start", "placement", "clock", "move-made", "placement"],
        };
        assert_eq!(types(&next), wanted, "{touches:?}");
        let whole: Vec<Event> = told.into_iter().chain(next).collect();
        assert_eq!(whole.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..=whole.len() as u64).collect::<Vec<_>>());
        let board = folded(&whole);
        let shown =
            (board.game().number, board.game().result.as_str(), board.moves()[0].uci.as_str(), board.clock().unwrap().state.white_ms);
        assert_eq!(shown, (Some(2), "*", "d2d4", Some(180_000)));
        // A result for the game before is told, and is not this one's.
        all.push(ends(1, "0-1", "entered"));
        let late = view.take(written(&all).last().unwrap());
        assert_eq!((types(&late), late[0].game), (vec!["result"], Some(1)));
        all.push(stands(AFTER_E4));
        assert_eq!(view.take(written(&all).last().unwrap()).len(), usize::from(touches == Touches::Public), "game 2 goes on");
    }
}

#[test]
fn a_game_that_is_reopened_goes_on_with_what_stands_by_now() {
    let mut view = PublicView::new(Touches::Public, 0);
    let mut all = between();
    all.truncate(8);
    all.push(ends(1, "*", "reopened"));
    let told = seen(&mut view, &written(&all));
    let board = folded(&told);
    assert_eq!((board.game().result.as_str(), board.is_over(), board.moves().len()), ("*", false, 1));
    assert_eq!(types(&told).last(), Some(&"placement"), "{told:?}");
    all.push(stands(AFTER_E4));
    assert_eq!(view.take(written(&all).last().unwrap()).len(), 1);
}

#[test]
fn a_game_that_ends_before_its_first_move_begins_with_its_result() {
    let mut view = PublicView::new(Touches::Public, 0);
    let mut all = between();
    all.push(ends(2, "0-1", "default time"));
    let board = folded(&seen(&mut view, &written(&all)));
    assert_eq!((board.game().number, board.game().result.as_str(), board.moves().len()), (Some(2), "0-1", 0));
}

/// 1. e4, Black's clock runs.
fn one_move() -> Vec<Value> {
    vec![begins(1), shows(60_000, Some("white")), makes(1, 1, "e2e4", "e4", AFTER_E4), stands(AFTER_E4), shows(58_000, Some("black"))]
}

fn at(t: u64, mut body: Value) -> Value {
    body["t"] = t.into();
    body
}

fn entered(t: u64, order: Value) -> Value {
    let mut ruling = json!({"type": "ruling", "game": 1, "who": "Olga"});
    ruling.as_object_mut().unwrap().extend(order.as_object().unwrap().clone());
    at(t, ruling)
}

#[test]
fn what_is_entered_is_public_when_it_cannot_be_undone_any_more() {
    for touches in [Touches::Public, Touches::Arbiter] {
        let mut all = one_move();
        all.push(entered(1_000, json!({"do": "result", "result": "1-0"})));
        all.push(at(1_000, ends(1, "1-0", "entered")));
        all.push(at(3_000, shows(58_000, None)));
        all.push(at(4_000, stands(KINGS)));
        let mut view = PublicView::new(touches, 0);
        let told = seen(&mut view, &written(&all));
        assert!(!types(&told).contains(&"result") && !text(&told).concat().contains(KINGS), "{touches:?}: {told:?}");
        assert_eq!(told.last().unwrap().body.kind(), "clock", "it is seen to stop");
        assert_eq!(view.sure_at(), Some(Mono::from_millis(10_000)));
        // By an event that comes later, or by the time.
        for by_time in [false, true] {
            let mut view = view.clone();
            let late = if by_time {
                assert_eq!(view.pass(Mono::from_millis(9_999)), []);
                view.pass(Mono::from_millis(10_000))
            } else {
                let press = |t: u64| {
                    let mut all = all.clone();
                    all.push(at(t, json!({"type": "press", "by": "white"})));
                    view.clone().take(written(&all).last().unwrap())
                };
                assert_eq!(press(9_000), []);
                press(9_001)
            };
            let [result] = &late[..] else { panic!("{late:?}") };
            assert_eq!((result.body.kind(), result.t, result.seq), ("result", Mono::from_millis(1_000), told.last().unwrap().seq + 1));
            assert!(!by_time || view.sure_at().is_none());
        }
    }
}

#[test]
fn what_is_undone_was_never_there_and_what_waited_for_it_is_told() {
    for touches in [Touches::Public, Touches::Arbiter] {
        let mut all = one_move();
        let result = all.len() as u64 + 1;
        all.push(entered(1_000, json!({"do": "result", "result": "1-0"})));
        all.push(at(1_000, ends(1, "1-0", "entered")));
        all.push(at(2_000, stands(KINGS)));
        all.push(at(3_000, stands("8/8/8/8/8/8/8/8")));
        all.push(entered(4_000, json!({"do": "undo", "ruling": result, "undid": "result", "undone": [[result, result + 1]], "by_events": [result + 5, result + 5]})));
        all.push(at(4_000, ends(1, "*", "reopened")));
        all.push(at(4_000, makes(1, 2, "d7d5", "d5", AFTER_D4)));
        let told = seen(&mut PublicView::new(touches, 0), &written(&all));
        assert!(!text(&told).concat().contains("result\""), "{told:?}");
        let placements = told.iter().filter(|event| event.body.kind() == "placement").count();
        assert_eq!((placements, types(&told).iter().filter(|kind| **kind == "move-made").count()), (3, 2), "{touches:?}: {told:?}");
        assert!(told.iter().map(|event| event.seq).eq(1..=told.len() as u64));
    }
}

#[test]
fn play_and_clock_go_on_while_a_time_that_was_entered_waits() {
    let mut all = one_move();
    let set = json!({"type": "clock", "white_ms": 90_000, "black_ms": 90_000, "running": "black", "flag": null, "source": "arbiter", "uncertainty_ms": 0});
    all.push(entered(1_000, json!({"do": "set-clock", "clock": {"white_ms": 90_000, "black_ms": 90_000, "run": "black"}})));
    all.push(at(1_000, set));
    all.push(at(2_000, makes(1, 2, "d7d5", "d5", AFTER_D4)));
    let mut view = PublicView::new(Touches::Public, 0);
    let told = seen(&mut view, &written(&all));
    assert_eq!(types(&told).last(), Some(&"move-made"));
    assert!(!text(&told).concat().contains("90000"));
    let late = view.clone().pass(Mono::from_millis(60_000));
    assert_eq!(types(&late), ["clock"]);
    // Somebody set the clock: what was entered is out of date.
    all.push(at(3_000, shows(91_000, Some("black"))));
    assert_eq!(types(&view.take(written(&all).last().unwrap())), ["clock"]);
    assert_eq!(view.pass(Mono::from_millis(60_000)), []);
}

#[test]
fn entries_are_undone_one_by_one_and_each_is_public_in_its_own_time() {
    let mut all = one_move();
    all.push(entered(1_000, json!({"do": "result", "result": "1-0"})));
    all.push(at(1_000, ends(1, "1-0", "entered")));
    all.push(entered(5_000, json!({"do": "result", "result": "1/2-1/2"})));
    all.push(at(5_000, ends(1, "1/2-1/2", "entered")));
    let second = all.len() as u64 - 1;
    let mut view = PublicView::new(Touches::Public, 0);
    assert!(!types(&seen(&mut view, &written(&all))).contains(&"result"));
    let mut other = view.clone();
    assert_eq!(types(&other.pass(Mono::from_millis(10_000))), ["result"]);
    assert_eq!(types(&other.pass(Mono::from_millis(14_000))), ["result"]);
    let undo =
        json!({"do": "undo", "ruling": second, "undid": "result", "undone": [[second, second + 1]], "by_events": [second + 3, second + 3]});
    all.push(entered(6_000, undo));
    all.push(at(6_000, ends(1, "1-0", "entered")));
    let from = all.len() - 2;
    assert_eq!(seen(&mut view, &written(&all)[from..]), []);
    let late = view.pass(Mono::from_millis(10_000));
    let [Event { body: Body::Result { result, .. }, .. }] = &late[..] else { panic!("{late:?}") };
    assert_eq!((result.as_str(), view.sure_at()), ("1-0", None));
}
