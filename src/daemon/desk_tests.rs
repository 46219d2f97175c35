use super::super::recorder::Recorder;
use super::*;
use crate::beats::tests::{counted, fed_while};
use crate::journal::Journal;
use crate::journal::keeping::Keeping;
use crate::journal::line::Chain;
use crate::journal::read::Lines;
use crate::journal::replay::Replay;
use crate::link::event::Up;
use crate::link::identity::Identity;
use crate::web::hub::Hub;
use dgt_protocol::clock::ClockReport;
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};
use dgt_protocol::square::PieceCode;
use flagfall_capture::{Capture, Header, drive};
use flagfall_events::{AlarmKey, Body, Event};
use flagfall_game::RECOGNITION;
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{Options, stream};
use std::convert::Infallible;
use std::path::Path;
use std::sync::Mutex;

type Said = Arc<Mutex<Vec<Event>>>;

/// What a link would say while this game is played.
fn game() -> (Settings, Vec<(Mono, LinkEvent)>) {
    let game = &games::bundled()[0];
    let played = stream(game, &Options::new(Kind::Human, 7));
    let events = played.lines.into_iter().filter_map(|(t, line)| {
        Some((
            t,
            match line {
                CaptureLine::FromBoard(bytes) => LinkEvent::Bytes(bytes.into()),
                CaptureLine::ToBoard(bytes) => LinkEvent::Sent(bytes.into()),
                CaptureLine::Link(_) | CaptureLine::Entry(_) => return None,
            },
        ))
    });
    (played.settings, events.collect())
}

fn up() -> (Up, mpsc::Receiver<Command>) {
    let (commands, sent) = mpsc::channel(64);
    (Up { port: "/dev/ttyUSB0".into(), identity: Identity::default(), commands, polled: false }, sent)
}

/// The way of a board that has said nothing; what is published is collected.
fn collect(said: &Said) -> Outbox {
    let (said, outbox) = (said.clone(), Outbox::new("1", 0));
    outbox.publish(None, move |one: &crate::journal::Said, _: u64| said.lock().unwrap().push((*one.event).clone())).unwrap();
    outbox
}

/// Waits until everything that is safe was published.
async fn caught_up(outbox: &Outbox) {
    let (tell, told) = tokio::sync::oneshot::channel();
    outbox.call(move || tell.send(()).unwrap());
    told.await.unwrap();
}

#[tokio::test]
async fn the_record_of_a_game_replays_to_the_events_that_were_published() {
    let folder = tempfile::tempdir().unwrap();
    let (settings, events) = game();
    let stopwatch = Stopwatch::start();
    let (recorder, thread) = Recorder::start(folder.path().to_owned(), stopwatch).unwrap();
    let header = Header { settings: settings.clone(), opened_at: stopwatch.opened_at(), ..Header::default() };
    let track = recorder.track("1", header);
    drop(recorder);

    let said = Said::default();
    let outbox = collect(&said);
    let desk = Desk::new("1", settings, stopwatch, outbox.clone(), Some(track));
    let (sender, inbox) = mpsc::channel(16);
    let desk = tokio::spawn(desk.run(inbox));
    let (up, _commands) = up();
    sender.send((Mono::ZERO, LinkEvent::Up(up))).await.unwrap();
    for event in events {
        sender.send(event).await.unwrap();
    }
    sender.send((Mono::ZERO, LinkEvent::Down(String::from("unplugged")))).await.unwrap();
    drop(sender);
    desk.await.unwrap();
    thread.join().unwrap();
    caught_up(&outbox).await;

    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::read(file).unwrap();
    let mut replayed = Vec::new();
    let keep = |event| {
        replayed.push(event);
        Ok::<_, Infallible>(())
    };
    assert_eq!(drive("1", Capture::open(&bytes).unwrap(), flagfall_solver::answers(), keep), Ok(None));
    let mut published = said.lock().unwrap().clone();
    // A capture knows neither the port nor why the link went down.
    for event in published.iter_mut().chain(&mut replayed) {
        match &mut event.body {
            Body::Identity { link, .. } => link.clear(),
            Body::Link { reason, .. } => *reason = None,
            _ => {}
        }
    }
    assert!(published.iter().filter(|event| matches!(event.body, Body::MoveCompleted { .. })).count() > 20);
    assert_eq!(published, replayed);
}

#[tokio::test]
async fn a_panic_restarts_the_board_and_its_events_count_on() {
    let (settings, events) = game();
    let said = Said::default();
    let outbox = collect(&said);
    let (sender, inbox) = mpsc::channel(16);
    let mut desk = Desk::new("1", settings, Stopwatch::start(), outbox.clone(), None);
    desk.trip = Some(50);
    let desk = tokio::spawn(desk.run(inbox));
    let (up, mut commands) = up();
    sender.send((Mono::ZERO, LinkEvent::Up(up))).await.unwrap();
    for event in events.into_iter().filter(|(_, event)| matches!(event, LinkEvent::Bytes(_))).take(200) {
        sender.send(event).await.unwrap();
    }
    drop(sender);
    desk.await.unwrap();
    caught_up(&outbox).await;
    let said = said.lock().unwrap().clone();
    let numbers: Vec<_> = said.iter().map(|event| event.seq).collect();
    assert!(numbers.contains(&4) && numbers.len() > 10, "{numbers:?}");
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
    let mut asked = Vec::new();
    while let Some(command) = commands.recv().await {
        asked.push(command);
    }
    assert!(asked.contains(&Command::SendBoard) && asked.contains(&Command::SendClock), "{asked:?}");
}

/// A desk whose journal is in `data`; what it publishes is collected.
fn journaled(data: &Path, settings: Settings, stopwatch: Stopwatch, said: &Said) -> (Journal, Desk) {
    let journal = Journal::start(data, Keeping::default(), Hub::new(), stopwatch, Arc::new(|_| {})).unwrap();
    let outbox = collect(said);
    let recovered = journal.recover_board("1", &settings).unwrap();
    let told = outbox.clone();
    let track = journal.track("1", Arc::new(move |seq| told.safe(seq)));
    (journal, Desk::new("1", settings, stopwatch, outbox, None).journaled(Some((recovered, track))))
}

/// Everything that a link said, to the end.
async fn run(desk: Desk, events: impl IntoIterator<Item = (Mono, LinkEvent)>) {
    let (sender, inbox) = mpsc::channel(16);
    let desk = tokio::spawn(desk.run(inbox));
    let (up, _commands) = up();
    sender.send((Mono::ZERO, LinkEvent::Up(up))).await.unwrap();
    for event in events {
        sender.send(event).await.unwrap();
    }
    drop(sender);
    desk.await.unwrap();
}

#[tokio::test]
async fn after_a_mistake_the_game_goes_on_from_its_journal() {
    let data = tempfile::tempdir().unwrap();
    let (settings, events) = game();
    let (said, stopwatch) = (Said::default(), Stopwatch::start());
    let (journal, mut desk) = journaled(data.path(), settings, stopwatch, &said);
    desk.trip = Some(150);
    let outbox = desk.outbox.clone();
    run(desk, events).await;
    journal.finish();
    caught_up(&outbox).await;

    let said = said.lock().unwrap().clone();
    assert!(said.iter().enumerate().all(|(n, event)| event.seq == n as u64 + 1), "numbers without a gap");
    assert_eq!(said.iter().filter(|event| matches!(event.body, Body::GameStart { .. })).count(), 1, "the game is the same one");
    assert!(said.iter().filter(|event| matches!(event.body, Body::MoveCompleted { .. })).count() > 20);
    let path = crate::journal::store::journals(data.path(), "1").unwrap().remove(0);
    let report = crate::journal::verify::verify(&std::fs::read(path).unwrap(), None);
    assert!(report.trouble.is_none() && report.ended, "{report:?}");
    assert!(report.mistakes.len() == 1 && report.mistakes[0].1.contains("left out"), "{report:?}");
    assert_eq!(report.events, Some((1, said.len() as u64)));
}

#[tokio::test]
async fn deadlines_fire_while_nothing_comes() {
    let (settings, events) = game();
    let said = Said::default();
    let stopwatch = Stopwatch::start();
    let (sender, inbox) = mpsc::channel(16);
    let desk = tokio::spawn(Desk::new("1", settings, stopwatch, collect(&said), None).run(inbox));
    let dump = events.into_iter().find_map(|(_, event)| match event {
        LinkEvent::Bytes(bytes) if bytes.first() == Some(&0x86) && bytes.len() >= 60 => Some(bytes),
        _ => None,
    });
    // The start of a dump, and then nothing: it is given up after a second, and a new dump is asked for.
    let dump = dump.unwrap();
    let (up, mut commands) = up();
    sender.send((stopwatch.now(), LinkEvent::Up(up))).await.unwrap();
    sender.send((stopwatch.now(), LinkEvent::Bytes(dump.slice(..40)))).await.unwrap();
    let asked = tokio::time::timeout(Duration::from_secs(30), commands.recv()).await.unwrap();
    assert_eq!(asked, Some(Command::SendBoard));
    drop(sender);
    desk.await.unwrap();
}

#[tokio::test]
async fn what_was_due_before_a_machine_stood_still_comes_first() {
    let data = tempfile::tempdir().unwrap();
    let (settings, events) = game();
    let (said, stopwatch) = (Said::default(), Stopwatch::start());
    let (journal, mut desk) = journaled(data.path(), settings, stopwatch, &said);
    let mut board = desk.begin().await;
    let (up, _commands) = up();
    desk.take(&mut board, Mono::ZERO, LinkEvent::Up(up)).await;
    let mut due = 0;
    for (t, event) in events.into_iter().filter(|(_, event)| matches!(event, LinkEvent::Bytes(_))).take(120) {
        // Where the next chunk came in time, nothing was due.
        let turned = desk.last + 400;
        if desk.last < t && board.deadline().is_some_and(|deadline| desk.last < deadline && deadline <= turned) {
            due += 1;
            desk.notice_still(&mut board, turned, turned + 3_000).await;
            desk.still = None;
        }
        desk.take(&mut board, t.max(desk.last), event).await;
    }
    assert!(due > 5, "{due}");
    journal.finish();
    let path = crate::journal::store::journals(data.path(), "1").unwrap().remove(0);
    let report = crate::journal::verify::verify(&std::fs::read(path).unwrap(), None);
    assert!(report.trouble.is_none(), "{report:?}");
}

#[tokio::test]
async fn a_dead_position_ends_the_game_when_the_solver_has_proved_it() {
    // Black's pawn closes the wall, and no king gets through.
    let pgn = b"[FEN \"4k3/8/p7/2p1p1p1/P1P1P1P1/8/8/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n1...a5 *\n";
    let played = stream(&games::read_games(pgn).unwrap().remove(0), &Options::new(Kind::Clean, 1));
    let said = Said::default();
    let worker = Arc::new(Worker::start(flagfall_solver::Settings::default(), None).unwrap());
    let (sender, inbox) = mpsc::channel(16);
    let desk = Desk::new("1", played.settings, Stopwatch::start(), collect(&said), None).asking(Some(worker));
    let desk = tokio::spawn(desk.run(inbox));
    let (up, _commands) = up();
    sender.send((Mono::ZERO, LinkEvent::Up(up))).await.unwrap();
    for (t, line) in played.lines {
        if let CaptureLine::FromBoard(bytes) = line {
            sender.send((t, LinkEvent::Bytes(bytes.into()))).await.unwrap();
        }
    }
    let ended = async {
        loop {
            let result = said
                .lock()
                .unwrap()
                .iter()
                .find_map(|e| if let Body::Result { reason, .. } = &e.body { Some(reason.clone()) } else { None });
            match result {
                Some(reason) => break reason,
                None => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
    };
    assert_eq!(tokio::time::timeout(Duration::from_mins(1), ended).await.unwrap(), "dead position");
    drop(sender);
    desk.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_board_keeps_systemd_fed_and_a_stuck_one_does_not() {
    let (beats, count) = counted(Duration::from_millis(600));
    let own = beats.join("the daemon");
    let (gate, opened) = std::sync::mpsc::channel::<()>();
    let desk = Desk::new("1", game().0, Stopwatch::start(), collect(&Said::default()), None).beating(beats.join("board 1"));
    let wanted = desk.wanted.clone();
    let (sender, inbox) = mpsc::channel(16);
    let desk = tokio::spawn(desk.run(inbox));
    assert!(fed_while(&[&own], &count, 20) > 2, "an idle board turns by itself");
    // With its first event the board asks for this, and is stuck until the gate is gone.
    let (holds, held) = std::sync::mpsc::channel();
    let holder = std::thread::spawn(move || {
        let wanted = wanted.lock().unwrap();
        holds.send(()).unwrap();
        _ = opened.recv();
        drop(wanted);
    });
    held.recv().unwrap();
    let (up, _commands) = up();
    sender.send((Mono::ZERO, LinkEvent::Up(up))).await.unwrap();
    // Its last stamp counts for a while.
    fed_while(&[&own], &count, 6);
    assert_eq!(fed_while(&[&own], &count, 10), 0, "nobody else feeds in its place");
    assert_eq!(beats.stuck(), ["board 1"]);
    drop(gate);
    assert!(fed_while(&[&own], &count, 20) > 2, "it turns again");
    holder.join().unwrap();
    drop(sender);
    desk.await.unwrap();
}

/// A desk whose journal was begun a day ago, so many hours after its last line.
fn a_day_later(desk: &mut Desk, hours: u64) {
    let yesterday = Wall::from_timestamp(crate::time::now().timestamp() - jiff::SignedDuration::from_hours(25));
    desk.times.set(yesterday, desk.last + hours * 3_600_000);
    (desk.wall, desk.looked) = (yesterday, Mono::ZERO);
}

#[tokio::test]
async fn after_midnight_a_new_journal_begins_but_never_in_the_middle_of_a_game() {
    let data = tempfile::tempdir().unwrap();
    let (settings, events) = game();
    let (said, stopwatch) = (Said::default(), Stopwatch::start());
    let (journal, mut desk) = journaled(data.path(), settings, stopwatch, &said);
    let mut board = desk.begin().await;
    let (up, _commands) = up();
    desk.take(&mut board, stopwatch.now(), LinkEvent::Up(up)).await;
    // The next journal names the one before, so that must be there.
    let (tell, told) = tokio::sync::oneshot::channel();
    desk.journal.as_ref().unwrap().then(move || tell.send(()).unwrap()).await;
    told.await.unwrap();
    a_day_later(&mut desk, 24);
    let bytes: Vec<_> = events.into_iter().filter(|(_, event)| matches!(event, LinkEvent::Bytes(_))).collect();
    let mut bytes = bytes.into_iter();
    // Nothing was played yesterday: the first input of the day begins a new one.
    let (_, first) = bytes.next().unwrap();
    desk.take(&mut board, stopwatch.now(), first).await;
    assert!(desk.last < Mono::from_millis(60_000), "its time begins anew");
    for (t, event) in bytes.by_ref().take(60) {
        desk.take(&mut board, t, event).await;
    }
    assert_ne!(desk.progress, Progress::default(), "a game is in progress");
    a_day_later(&mut desk, 1);
    desk.take(&mut board, stopwatch.now(), bytes.next().unwrap().1).await;
    assert!(desk.last > Mono::from_millis(60_000), "a game in progress stays where it is");
    journal.finish();
    let files = crate::journal::store::journals(data.path(), "1").unwrap();
    assert_eq!(files.len(), 2, "{files:?}");
    let mut next = 1;
    for (n, path) in files.iter().enumerate() {
        let bytes = std::fs::read(path).unwrap();
        let report = crate::journal::verify::verify(&bytes, None);
        assert!(report.trouble.is_none() && report.ended, "{report:?}");
        assert_eq!(report.open.unwrap().before.is_some(), n > 0, "the second names the first");
        for event in crate::journal::read::events(&bytes) {
            assert_eq!(event.seq, next, "numbers go on");
            next += 1;
        }
    }
}

/// What a wired board answers to whoever asks for its pieces and its clock after these bytes.
fn shown<'a>(chunks: impl Iterator<Item = &'a (Mono, LinkEvent)>) -> Vec<u8> {
    let (mut receiver, mut placement, mut clock) = (Receiver::new(Single::Dgt), [PieceCode::Empty; 64], Vec::new());
    for (t, event) in chunks {
        let LinkEvent::Bytes(bytes) = event else { continue };
        for message in receiver.feed(t.millis(), bytes).flatten() {
            match message {
                Message::BoardDump(dump) => placement = *dump,
                Message::FieldUpdate { square, piece } => placement[usize::from(square.index())] = piece,
                Message::Clock(ClockReport::Time(_)) => clock = message.encode(),
                _ => {}
            }
        }
    }
    [Message::BoardDump(Box::new(placement)).encode(), clock].concat()
}

/// The journal as a flagfall of another recognition would have written it, which took the first four plies in another order: of format 1, unsigned.
fn otherwise(journal: &[u8]) -> Vec<u8> {
    const ORDER: [(&str, &str); 4] = [("d2d4", "d4"), ("d7d5", "d5"), ("e2e4", "e4"), ("c7c6", "c6")];
    let (mut out, mut chain) = (Vec::new(), Chain::default());
    let mut lines = Lines::new(journal);
    while let Some(line) = lines.next() {
        let line = line.unwrap();
        let what = match line.what().unwrap() {
            What::Checkpoint(_) | What::End(_) => continue,
            What::Open(open) => {
                let recognition = Some(RECOGNITION - 1);
                What::Open(Box::new(crate::journal::header::Open { recognition, format: 1, log: None, ..*open }))
            }
            What::Event(event) => {
                let mut event = (*event).clone();
                if let Body::MoveMade { ply, uci, san, .. } | Body::MoveCompleted { ply, uci, san, .. } = &mut event.body
                    && let Some((other, name)) = ORDER.get(*ply as usize - 1)
                {
                    (*uci, *san) = (String::from(*other), Some(String::from(*name)));
                }
                What::Event(Arc::new(event))
            }
            other => other,
        };
        chain.write(&mut out, line.t, &what);
    }
    out
}

fn completed(said: &[Event]) -> Vec<(u32, String)> {
    let of = |event: &Event| if let Body::MoveCompleted { ply, uci, .. } = &event.body { Some((*ply, uci.clone())) } else { None };
    said.iter().filter_map(of).collect()
}

#[tokio::test]
async fn a_newer_build_takes_the_completed_plies_of_an_older_one_as_facts() {
    let data = tempfile::tempdir().unwrap();
    let (settings, events) = game();
    let mut events: Vec<_> = events.into_iter().filter(|(_, event)| matches!(event, LinkEvent::Bytes(_))).collect();
    // Up to a quiet moment: the eleventh ply is not under way.
    let is_update = |event: &LinkEvent| matches!(event, LinkEvent::Bytes(bytes) if bytes.first() == Some(&0x8E));
    let updates: Vec<usize> = (0..events.len()).filter(|&i| is_update(&events[i].1)).collect();
    let quiet = |pair: &&[usize]| events[pair[1]].0.since(events[pair[0]].0) > 600;
    let cut = updates.windows(2).skip(20).find(quiet).unwrap()[1];
    let rest = events.split_off(cut);
    let stands = shown(events.iter());

    let (said, before) = (Said::default(), Said::default());
    let (journal, desk) = journaled(data.path(), settings.clone(), Stopwatch::start(), &before);
    run(desk, events).await;
    journal.finish();
    drop(journal);
    let path = crate::journal::store::journals(data.path(), "1").unwrap().remove(0);
    std::fs::write(&path, otherwise(&std::fs::read(&path).unwrap())).unwrap();
    let published =
        completed(&crate::journal::read::events(&std::fs::read(&path).unwrap()).iter().map(|e| (**e).clone()).collect::<Vec<_>>());
    assert!(published.len() >= 8 && published[0].1 == "d2d4", "{published:?}");

    // It reads the same inputs in the order in which they came, and yet says nothing of these plies.
    let (journal, desk) = journaled(data.path(), settings, Stopwatch::start(), &said);
    let outbox = desk.outbox.clone();
    let since = rest[0].0.millis() - 1_000;
    let rest = rest.into_iter().map(|(t, event)| (Mono::from_millis(t.millis() - since), event));
    run(desk, [(Mono::ZERO, LinkEvent::Bytes(stands.into()))].into_iter().chain(rest)).await;
    journal.finish();
    caught_up(&outbox).await;
    let said = said.lock().unwrap().clone();
    let goes_on = completed(&said);
    let plies = u32::try_from(published.len()).unwrap();
    assert!(goes_on.len() > 20 && goes_on[0].0 == plies + 1, "{goes_on:?}");
    assert!(goes_on.iter().zip(plies + 1..).all(|((ply, _), n)| *ply == n), "{goes_on:?}");
    let again = |event: &&Event| match &event.body {
        Body::GameStart { .. } => true,
        Body::MoveMade { ply, .. } | Body::MoveRevised { ply, .. } | Body::MoveWithdrawn { ply, .. } => *ply <= plies,
        Body::Alarm { key, .. } => *key == AlarmKey::RecordBroken,
        _ => false,
    };
    assert_eq!(said.iter().find(again), None);
    let all = games::bundled()[0].uci();
    assert!(goes_on.iter().all(|(ply, uci)| *uci == all[*ply as usize - 1]), "{goes_on:?}");

    // What was taken stands in the journal, so its replay makes the same events from there on.
    let bytes = std::fs::read(&path).unwrap();
    let (mut replay, mut made, mut lines) = (Replay::default(), Vec::new(), Lines::new(&bytes[..]));
    let mut taken = None;
    while let Some(line) = lines.next() {
        let line = line.unwrap();
        if let What::Restart(restart) = line.what().unwrap() {
            made.clear();
            taken = restart.played;
        }
        replay.line(&line, false, &mut |event| made.push(event.clone())).unwrap();
    }
    let taken: Vec<_> = taken.unwrap().plies.into_iter().filter(|ply| ply.how.is_some()).map(|ply| ply.uci).collect();
    assert!(taken.iter().eq(published.iter().map(|(_, uci)| uci)), "{taken:?}");
    assert_eq!(made, said);
}

#[tokio::test]
async fn another_tables_board_on_the_cable_is_told_and_not_read_until_somebody_takes_it_in() {
    let (settings, events) = game();
    let (said, told, homes) = (Said::default(), Arc::new(Mutex::new(Vec::new())), Homes::default());
    assert_eq!((homes.plugged("1", "30017"), homes.plugged("2", "30018")), (None, None));
    homes.unplugged("2");
    let tell = told.clone();
    let mut desk = Desk::new("1", settings, Stopwatch::start(), collect(&said), None)
        .housed(homes.clone(), move |text| tell.lock().unwrap().push(text));
    let outbox = desk.outbox.clone();
    let mut board = desk.begin().await;
    let plugged = |serial: &str| {
        let (up, commands) = up();
        let identity = Identity { serial: Some(String::from(serial)), ..Identity::default() };
        (LinkEvent::Up(Up { identity, ..up }), commands)
    };
    let bytes: Vec<_> = events.into_iter().filter(|(_, event)| matches!(event, LinkEvent::Bytes(_))).collect();
    let mut bytes = bytes.into_iter();
    let (up, _commands) = plugged("30017");
    desk.take(&mut board, Mono::ZERO, up).await;
    for (t, event) in bytes.by_ref().take(200) {
        desk.take(&mut board, t.max(desk.last), event).await;
    }
    desk.take(&mut board, desk.last, LinkEvent::Down(String::from("unplugged"))).await;
    caught_up(&outbox).await;
    let known = said.lock().unwrap().len();
    assert!(known > 5 && told.lock().unwrap().is_empty());
    // The other table's board: whatever it says is nobody's move here.
    let (up, mut commands) = plugged("30018");
    desk.take(&mut board, desk.last, up).await;
    for (t, event) in bytes.by_ref().take(200) {
        desk.take(&mut board, t.max(desk.last), event).await;
    }
    caught_up(&outbox).await;
    assert_eq!(said.lock().unwrap().len(), known);
    assert!(told.lock().unwrap()[0].as_ref().unwrap().contains("the board of 2 is on the cable of 1"));
    // The right one again; then the other one, and an operator who says that it belongs here.
    desk.take(&mut board, desk.last, LinkEvent::Down(String::from("unplugged"))).await;
    assert_eq!(told.lock().unwrap().last(), Some(&None));
    let (up, _commands_of_its_own) = plugged("30017");
    desk.take(&mut board, desk.last, up).await;
    caught_up(&outbox).await;
    let links =
        |said: &Said| said.lock().unwrap().iter().filter(|event| matches!(event.body, Body::Link { state: LinkState::Up, .. })).count();
    assert_eq!(links(&said), 2);
    desk.take(&mut board, desk.last, LinkEvent::Down(String::from("unplugged"))).await;
    while commands.try_recv().is_ok() {}
    let (up, mut commands) = plugged("30018");
    desk.take(&mut board, desk.last, up).await;
    desk.take_in(&mut board, &Entry::new(Order::Stop {})).await;
    assert_eq!(links(&said), 2, "only a new game does");
    desk.take_in(&mut board, &Entry::new(Order::NewGame {})).await;
    caught_up(&outbox).await;
    assert_eq!((links(&said), told.lock().unwrap().last()), (3, Some(&None)));
    assert_eq!(commands.try_recv(), Ok(Command::SendSerialNumber));
    assert_eq!(homes.plugged("1", "30018"), None, "it is at home here");
}
