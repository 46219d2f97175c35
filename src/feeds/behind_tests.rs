//! A consumer for whom events did not fit shows the same as one that had them all, from the moment on at which it looked at the board anew.
use crate::delay::Lag;
use crate::event_info::chronicle::Chronicle;
use crate::livechess::picture::Picture;
use flagfall_config::event::About;
use flagfall_events::Touches;
use flagfall_events::{Event, Mono};
use flagfall_score::alarms::Watch;
use flagfall_score::board::BoardState;
use flagfall_score::public::PublicView;
use flagfall_web::audience::Audience;
use flagfall_web::office::OfficeBoard;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Recorded games: each one's events, and what of them is public.
fn recorded() -> Vec<(PathBuf, Vec<Event>, Vec<Event>)> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let one = |name: &str| {
        let path = root.join(name).with_extension("events");
        let read = |line: &str| Event { board: "1".into(), ..serde_json::from_str::<Event>(line).unwrap() };
        let events: Vec<Event> = std::fs::read_to_string(&path).unwrap().lines().map(read).collect();
        let mut view = PublicView::new(Touches::Public, 0);
        let public = events.iter().flat_map(|event| view.take(event)).collect();
        (path, events, public)
    };
    ["tests/captures/blitz-both-hands", "tests/captures/unplugged-in-mid-game", "tests/journals/three-lives-7"].map(one).into()
}

/// Every way to lose a third of them: where the gap begins and ends.
fn gaps(events: &[Event]) -> impl Iterator<Item = (usize, usize)> {
    let third = events.len() / 3;
    (1..12).map(move |n| (n * third / 6, n * third / 6 + third))
}

fn board(events: &[Event]) -> BoardState {
    let mut state = BoardState::new("1".into());
    events.iter().for_each(|event| _ = state.apply(event));
    state
}

#[test]
fn livechess_shows_the_same_after_a_gap() {
    for (path, _, events) in recorded() {
        for (from, to) in gaps(&events) {
            let (mut whole, mut gapped) = (Picture::new("1".into(), "x", Lag::NONE), Picture::new("1".into(), "x", Lag::NONE));
            events.iter().for_each(|event| _ = whole.apply(event));
            events[..from].iter().for_each(|event| _ = gapped.apply(event));
            gapped.again(&board(&events[..to]));
            // What was queued meanwhile is known already.
            events[to - 5..].iter().for_each(|event| _ = gapped.apply(event));
            let shown = |picture: &Picture| {
                let sans: Vec<String> = picture.sheet.line(0).iter().map(|(san, _)| san.to_string()).collect();
                let clock = picture.clock().map(|clock| (clock.white, clock.black, clock.run, clock.time));
                (picture.up, picture.placement.clone(), clock, picture.sheet.is_live(), picture.sheet.expected(), sans)
            };
            assert_eq!(shown(&gapped), shown(&whole), "{} without {from} to {to}", path.display());
        }
    }
}

#[test]
fn documents_say_the_same_after_a_gap() {
    for (path, _, events) in recorded() {
        for (from, to) in gaps(&events) {
            let chronicle = || {
                let mut chronicle = Chronicle::new(About { name: Some("Open".into()), ..About::default() }, None);
                chronicle.boards(&[Arc::from("1")], |_| None);
                chronicle
            };
            let (mut whole, mut gapped) = (chronicle(), chronicle());
            events.iter().for_each(|event| whole.take(event));
            events[..from].iter().for_each(|event| gapped.take(event));
            gapped.again(board(&events[..to]));
            events[to - 5..].iter().for_each(|event| gapped.take(event));
            [&mut whole, &mut gapped].into_iter().for_each(|chronicle| _ = chronicle.settle());
            assert_eq!(gapped.tournament(), whole.tournament(), "{} without {from} to {to}", path.display());
        }
    }
}

#[test]
fn the_same_alarms_stand_after_a_gap() {
    for (path, events, _) in recorded() {
        for (from, to) in gaps(&events) {
            let (mut whole, mut gapped) = (Watch::new(Mono::ZERO), Watch::new(Mono::ZERO));
            events.iter().for_each(|event| _ = whole.take(event, event.t));
            events[..from].iter().for_each(|event| _ = gapped.take(event, event.t));
            let mut office = <OfficeBoard as Audience>::new("1".into());
            events[..to].iter().for_each(|event| Audience::apply(&mut office, event));
            gapped.again(office.state(), events[to - 1].t);
            events[to - 5..].iter().for_each(|event| _ = gapped.take(event, event.t));
            let later = events[events.len() - 1].t + 200_000;
            [&mut whole, &mut gapped].into_iter().for_each(|watch| _ = watch.tick(later));
            let stand = |watch: &Watch| watch.raised().keys().cloned().collect::<Vec<_>>();
            assert_eq!(stand(&gapped), stand(&whole), "{} without {from} to {to}", path.display());
        }
    }
}
