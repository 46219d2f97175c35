use super::*;
use crate::link::event::{LinkEvent, Up};
use crate::link::identity::Identity;
use crate::time::Stopwatch;
use crate::web::outbox::Outbox;
use dgt_protocol::clock::ClockReport;
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};
use flagfall_capture::CaptureLine;
use flagfall_events::{AlarmKey, Body, Event};
use flagfall_game::settings::{ClockWhite, Settings};
use flagfall_simulator::clock::{ChessClock, PeriodChange, Side};
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{Options, stream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;

/// Everything stands still for so long.
const STANDS: Duration = Duration::from_secs(7);

/// The pieces are set up.
fn set_up() -> Vec<u8> {
    let mut receiver = Receiver::new(Single::Dgt);
    for (t, line) in stream(&games::bundled()[0], &Options::new(Kind::Clean, 1)).lines {
        let CaptureLine::FromBoard(bytes) = line else { continue };
        let messages: Vec<_> = receiver.feed(t.millis(), &bytes).flatten().collect();
        if let Some(dump) = messages.into_iter().find(|message| matches!(message, Message::BoardDump(_))) {
            return dump.encode();
        }
    }
    panic!("no picture");
}

/// What the clock shows at this moment.
fn shows(clock: &mut ChessClock, at: Mono) -> Vec<u8> {
    clock.advance(at.millis() * 1_000);
    Message::Clock(ClockReport::Time(clock.report())).encode()
}

/// The board's task is at work when its machine stands still, and what is due comes before what waits to be read.
#[tokio::test]
async fn a_clock_does_not_seem_to_stand_where_the_machine_stood_still_at_work() {
    let control = "5400+30";
    let settings = Settings { time_control: control.parse().ok(), clock_white: ClockWhite::Left, ..Settings::default() };
    let (said, stops, stopwatch) = (Arc::new(Mutex::new(Vec::<Event>::new())), Arc::new(AtomicBool::new(false)), Stopwatch::start());
    let (outbox, kept, stop) = (Outbox::new("1", 0), said.clone(), stops.clone());
    outbox.publish(None, move |one: &crate::journal::Said, _: u64| kept.lock().unwrap().push((*one.event).clone())).unwrap();
    let tell = move |_| {
        if stop.swap(false, Ordering::SeqCst) {
            std::thread::sleep(STANDS);
        }
    };
    let (sender, inbox) = mpsc::channel(16);
    let desk = tokio::spawn(Desk::new("1", settings, stopwatch, outbox, None).charged(tell).run(inbox));
    let (commands, _sent) = mpsc::channel(64);
    let up = Up { port: "/dev/ttyUSB0".into(), identity: Identity::default(), commands, polled: false };
    let say = async |event| {
        sender.send((stopwatch.now(), event)).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let mut clock = ChessClock::new(control.parse().unwrap(), PeriodChange::AtMove, Side::Left);
    say(LinkEvent::Up(up)).await;
    say(LinkEvent::Bytes(set_up().into())).await;
    say(LinkEvent::Bytes(shows(&mut clock, stopwatch.now()).into())).await;
    clock.start(stopwatch.now().millis() * 1_000);
    let began = stopwatch.now();
    say(LinkEvent::Bytes(shows(&mut clock, began).into())).await;
    stops.store(true, Ordering::SeqCst);
    say(LinkEvent::Battery(80)).await;
    assert!(said.lock().unwrap().iter().any(|event| matches!(event.body, Body::GameStart { .. })));
    assert!(!stops.load(Ordering::SeqCst), "it was at work");
    let waited: Vec<u8> = (1..=7).flat_map(|second| shows(&mut clock, began + second * 1_000)).collect();
    say(LinkEvent::Bytes(waited.into())).await;
    drop(sender);
    desk.await.unwrap();
    let is_wrong = |event: &Event| {
        matches!(&event.body, Body::Finding(_)) || matches!(&event.body, Body::Alarm { key, .. } if *key == AlarmKey::ClockStale)
    };
    assert_eq!(said.lock().unwrap().iter().find(|event| is_wrong(event)), None);
}
