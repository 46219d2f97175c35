use super::*;
use flagfall_events::{Body, Colour, Event, Mono, Wall};
use flagfall_journal::Chain;
use flagfall_journal::header::{FORMAT, Open};
use flagfall_journal::store;
use flagfall_journal::what::What;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc;

fn said(board: &str, seq: u64) -> Said {
    let (t, body) = (Mono::from_millis(seq), Body::Press { by: Colour::White });
    Said::of(Arc::new(Event { seq, t, at: Wall::EPOCH.after(t), board: board.into(), game: None, body }))
}

/// A publisher that sends the numbers it publishes.
fn published(outbox: &Outbox) -> (JoinHandle<()>, mpsc::Receiver<u64>) {
    let (sender, seqs) = mpsc::channel();
    (outbox.publish(None, move |said: &Said, _: u64| sender.send(said.event.seq).unwrap()).unwrap(), seqs)
}

/// A journal of board 1 with events 1 to `last`.
fn journal(data_dir: &Path, last: u64) {
    let open = Open {
        raised: Vec::new(),
        format: FORMAT,
        log: None,
        flagfall: String::from("0"),
        recognition: None,
        board: String::from("1"),
        day: String::from("2026-11-21"),
        recorded_at: Wall::EPOCH,
        seq: 0,
        settings: BTreeMap::new(),
        keep: String::new(),
        key: String::new(),
        public: 0,
        games: 0,
        stands: None,
        before: None,
    };
    let (mut chain, mut bytes) = (Chain::default(), Vec::new());
    chain.write(&mut bytes, Mono::ZERO, &What::Open(Box::new(open)));
    (1..=last).for_each(|seq| chain.write(&mut bytes, Mono::from_millis(seq), &What::Event(said("1", seq).event)));
    let folder = store::folder(data_dir, "1");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("2026-11-21.journal"), bytes).unwrap();
}

#[test]
fn nothing_is_published_before_it_is_safe_and_an_answer_comes_behind_what_it_is_about() {
    let outbox = Outbox::new("1", 4);
    let (publisher, seqs) = published(&outbox);
    (5..=9).for_each(|seq| outbox.say(said("1", seq)));
    outbox.safe(7);
    let (answer, answered) = mpsc::channel();
    outbox.call(move || answer.send(()).unwrap());
    answered.recv().unwrap();
    assert_eq!(seqs.try_iter().collect::<Vec<_>>(), [5, 6, 7]);
    outbox.end();
    publisher.join().unwrap();
    assert_eq!((seqs.iter().count(), outbox.len()), (0, 2), "what is not safe is never published");
}

#[test]
fn a_publisher_that_hangs_delays_no_other_board_and_what_does_not_fit_is_read_again() {
    const LAST: u64 = 3 * WAITING as u64;
    let folder = tempfile::tempdir().unwrap();
    journal(folder.path(), LAST);
    let (hangs, others) = (Outbox::new("1", 0), Outbox::new("2", 0));
    let ((go_on, held), (sender, seqs)) = (mpsc::channel::<()>(), mpsc::channel());
    let held = Mutex::new(Some(held));
    let hung = hangs.publish(Some(folder.path().to_owned()), move |said: &Said, _: u64| {
        // The first event keeps it until the test lets it go.
        if let Some(held) = held.lock().unwrap().take() {
            held.recv().unwrap();
        }
        sender.send((said.event.seq, said.json.clone())).unwrap();
    });
    let (other, other_seqs) = published(&others);
    for seq in 1..=LAST {
        hangs.say(said("1", seq));
        hangs.safe(seq);
        others.say(said("2", seq));
        others.safe(seq);
        assert_eq!(other_seqs.recv(), Ok(seq));
        assert!(hangs.len() <= WAITING);
    }
    go_on.send(()).unwrap();
    for seq in 1..=LAST {
        let (published, json) = seqs.recv().unwrap();
        assert_eq!((published, &json), (seq, &said("1", seq).json), "each once, in order, from memory or from disk");
    }
    hangs.end();
    others.end();
    hung.unwrap().join().unwrap();
    other.join().unwrap();
}

#[test]
fn a_mistake_in_a_publisher_costs_one_event() {
    let outbox = Outbox::new("1", 0);
    let (sender, seqs) = mpsc::channel();
    let publisher = outbox.publish(None, move |said: &Said, _: u64| {
        assert!(said.event.seq != 2, "made to fail once");
        sender.send(said.event.seq).unwrap();
    });
    (1..=3).for_each(|seq| outbox.say(said("1", seq)));
    outbox.safe(3);
    outbox.end();
    publisher.unwrap().join().unwrap();
    assert_eq!(seqs.iter().collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn a_later_way_hands_on_what_is_old_enough_from_the_journal_and_never_more() {
    let folder = tempfile::tempdir().unwrap();
    journal(folder.path(), 1_000);
    let (stopwatch, hand) = Stopwatch::simulated(Wall::EPOCH);
    let delay = Delay { by: Duration::from_secs(60), until_end: false };
    let start = Start { shown: 4, journaled: 4, held: Held::new(delay, 4), anchors: Anchors::default() };
    let later = Outbox::held("1", start, stopwatch, Some(9_000), true);
    let outbox = Outbox::before("1", 4, Some(later.clone()));
    let (publisher, seqs) = published(&outbox);
    let (sender, shown) = mpsc::channel();
    let showing = later.publish(Some(folder.path().to_owned()), move |said: &Said, _: u64| sender.send(said.event.seq).unwrap()).unwrap();
    for seq in 5..=1_000 {
        hand.set(Mono::from_millis(50 * seq));
        outbox.say(said("1", seq));
        outbox.safe(seq);
    }
    assert_eq!(seqs.iter().take(996).collect::<Vec<_>>(), (5..=1_000).collect::<Vec<_>>(), "at once for arbiters");
    // Event 400 was recorded at 20 s.
    for (at, upto) in [(79_950, 398), (80_000, 400), (80_100, 402)] {
        hand.set(Mono::from_millis(at));
        // Whatever wakes it: nothing but its age counts.
        outbox.safe(1_000);
        while later.shown().0 < upto {
            thread::yield_now();
        }
        assert_eq!(later.shown().0, upto);
    }
    assert!(later.len() <= HELD, "the rest is in the journal");
    let (_, anchors) = later.shown();
    assert!((130_000..=135_000).contains(&anchors.age(500, Mono::from_millis(500), 9_000 + 160_000)));
    outbox.end();
    publisher.join().unwrap();
    showing.join().unwrap();
    assert_eq!(shown.iter().collect::<Vec<_>>(), (5..=402).collect::<Vec<_>>(), "in order, each once, and what is not due is never shown");
}
