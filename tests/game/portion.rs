//! A portion of the corpus, in seconds: the captures, the kept journals and a few games of each kind of simulated hands give the events that they
//! gave. `cargo bench --bench corpus` compares all of them; `tests/corpus/README.md` says what to do about a difference.
use crate::corpus::compare::{ADVICE, compare};
use crate::corpus::kept::{Digest, Kept};

/// Which of two hundred games are compared: others with another `FLAGFALL_CORPUS`.
fn portion() -> impl Fn(&str) -> bool {
    let seed: u64 = std::env::var("FLAGFALL_CORPUS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    move |name| match name.split_once('/') {
        Some(("captures" | "shared" | "journals", _)) => true,
        Some((hands, n)) if hands.ends_with("-row") => n.parse() == Ok(1 + seed % 25),
        Some((_, n)) => n.parse() == Ok(1 + seed % 200),
        None => false,
    }
}

#[test]
fn a_portion_of_the_corpus_gives_the_events_that_it_gave() {
    let Some(kept) = Kept::read() else {
        println!("skipped: tests/corpus/events.txt is not written yet; cargo bench --bench corpus -- --write");
        return;
    };
    let compared = compare(&kept, portion());
    compared.skipped.iter().for_each(|name| println!("skipped: {name} is not here"));
    assert!(compared.differing.is_empty(), "{}\n{ADVICE}", compared.differing.join("\n"));
    assert!(compared.same > 10, "{compared:?}");
}

#[test]
fn a_difference_is_found_where_it_is() {
    let digest = |events: &[String]| Digest::of("x", blake3::hash(b""), events);
    let events: Vec<String> = (0..95).map(|n| format!("{{\"seq\":{n}}}")).collect();
    let was = digest(&events);
    assert_eq!(was, digest(&events));
    for changed in [0, 9, 10, 57, 94] {
        let mut other = events.clone();
        other[changed].push(' ');
        let now = digest(&other);
        assert_ne!(was.whole, now.whole);
        assert!(was.differs_in(&now).contains(&changed), "{changed}: {:?}", was.differs_in(&now));
    }
    let longer = digest(&[events.clone(), vec![String::from("more")]].concat());
    assert!(was.differs_in(&longer).contains(&95));
    let shorter = digest(&events[..40]);
    assert!(was.differs_in(&shorter).end >= 40);
}
