//! The events of all captures, kept journals and two hundred simulated games of each kind of hands, compared with what was kept.
//!
//! ```sh
//! cargo bench --bench corpus                          # compares all, names the first event of each source that differs
//! cargo bench --bench corpus -- --only human          # those whose names begin so
//! cargo bench --bench corpus -- --show human/17       # the events of one as they are now
//! cargo bench --bench corpus -- --write               # keeps what is made now
//! ```
#[path = "../corpus/mod.rs"]
mod corpus;
#[path = "../rig/mod.rs"]
mod rig;

use corpus::compare::{ADVICE, compare};
use corpus::in_parallel;
use corpus::kept::{Digest, Kept, path};
use corpus::source::sources;
use flagfall::time::Stopwatch;
use flagfall_game::RECOGNITION;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1)).cloned();
    let stopwatch = Stopwatch::start();
    if let Some(name) = value("--show") {
        let Some(source) = sources().into_iter().find(|source| source.name == name) else {
            eprintln!("{name} is no source; `human/17` is one");
            return ExitCode::FAILURE;
        };
        source.play().events.iter().for_each(|line| println!("{line}"));
        return ExitCode::SUCCESS;
    }
    if args.iter().any(|arg| arg == "--write") {
        let digests = in_parallel(&sources(), |source| {
            let given = source.play();
            Digest::of(&source.name, given.input, &given.events)
        });
        let events: usize = digests.iter().map(|digest| digest.events).sum();
        Kept::write(&digests);
        println!(
            "{}: recognition {RECOGNITION}, {} sources, {events} events, {} s",
            path().display(),
            digests.len(),
            stopwatch.now().millis() / 1000
        );
        return ExitCode::SUCCESS;
    }
    let Some(kept) = Kept::read() else {
        eprintln!("{} is not there; -- --write makes it", path().display());
        return ExitCode::FAILURE;
    };
    let only = value("--only").unwrap_or_default();
    let compared = compare(&kept, |name| name.starts_with(&only));
    compared.skipped.iter().for_each(|name| println!("skipped: {name} is not here"));
    // Some are enough to see what it is.
    compared.differing.iter().take(20).for_each(|text| println!("{text}"));
    println!(
        "{} sources as they were, {} not, {} skipped; {} s",
        compared.same,
        compared.differing.len(),
        compared.skipped.len(),
        stopwatch.now().millis() / 1000
    );
    if compared.differing.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("{ADVICE}");
    ExitCode::FAILURE
}
