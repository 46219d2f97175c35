//! Power cuts, simulated: the real writer's journal on a disk that keeps what was synced and of the rest whatever sectors it likes, then the real start on it.
//! `FLAGFALL_CUTS` says how many.
mod disk;
mod edits;
mod life;

use crate::header::{FORMAT, Open, named};
use crate::key::Key;
use crate::proof::{Sealed, sealed};
use crate::read::{Lines, readable};
use crate::receipt::Receipt;
use crate::recover::recover;
use crate::recovered::Recovered;
use crate::verify::verify;
use crate::what::What;
use crate::witness;
use crate::{begin::Begin, store};
use disk::Disk;
use edits::edited;
use flagfall_capture::CaptureLine;
use flagfall_events::{AlarmKey, Entry, LinkState, Mono, Wall};
use flagfall_game::RECOGNITION;
use flagfall_game::settings::Settings;
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{Options, stream};
use life::{Life, Promise};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::{Path, PathBuf};

/// Lives that power cuts end; each is cut again and again.
const LIVES: u64 = 4;
/// Inputs of a life's first game and of its second one.
const INPUTS: (usize, usize) = (280, 90);

/// After so long it is another day, and whatever was played is over; milliseconds.
const NIGHT: u64 = 12 * 3_600_000;

/// A machine with one board.
struct Machine {
    key: Key,
    settings: Settings,
    played: Vec<(Mono, CaptureLine)>,
}

impl Machine {
    fn open(&self, at: Wall) -> Open {
        Open {
            format: FORMAT,
            log: Some(format!("{:016x}", at.since(Wall::EPOCH))),
            flagfall: String::new(),
            recognition: Some(RECOGNITION),
            board: String::from("1"),
            day: String::from("2026-11-21"),
            recorded_at: at,
            seq: 0,
            settings: named(&self.settings),
            keep: String::from("90d"),
            key: self.key.public(),
            public: 0,
            games: 0,
            raised: Vec::new(),
            stands: None,
            before: None,
        }
    }

    /// Two games, each in a journal of its own, with reports and a result between the moves.
    fn lived(seed: u64, folder: &Path) -> (Self, Life) {
        // A key that is the same each time, as everything else that comes from the seed.
        fs::write(folder.join("journal.key"), format!("{:064x}", seed + 1)).unwrap();
        let key = Key::of(folder).unwrap().key;
        let kind = if seed.is_multiple_of(2) { Kind::Blitz } else { Kind::Human };
        let games = games::bundled();
        let played = stream(&games[seed as usize % games.len()], &Options::new(kind, seed));
        let machine = Self { key, settings: played.settings, played: played.lines };
        let place = store::folder(folder, "1");
        let mut life = Life::begun(&machine.open(Wall::EPOCH), &machine.key, &place, seed);
        machine.play(&mut life, Mono::ZERO, INPUTS.0);
        let result = r#"{"do":"result","result":"1-0","reason":"resignation"}"#;
        let end = life.now() + 700;
        life.played(end, CaptureLine::Entry(entry(result)));
        life.next(machine.open(Wall::EPOCH.after(end)), &place);
        machine.play(&mut life, Mono::ZERO, INPUTS.1);
        life.end();
        (machine, life)
    }

    fn play(&self, life: &mut Life, from: Mono, inputs: usize) {
        for (n, (t, line)) in self.played.iter().take(inputs).enumerate() {
            let t = from + t.millis();
            life.played(t, line.clone());
            if n % 60 == 59 {
                life.played(t, CaptureLine::Entry(entry(r#"{"do":"report","key":"two-hands","by":"white","who":"Olga"}"#)));
            }
        }
    }

    /// The program starts so many milliseconds after the first journal began.
    fn start(&self, data: &Path, gap: u64) -> Recovered {
        let now = Wall::EPOCH.after(Mono::from_millis(gap));
        let day = if gap < NIGHT { self.open(now).day } else { String::from("2026-11-22") };
        recover(data, Open { day, ..self.open(now) }, &self.settings, now, &|| ()).unwrap()
    }
}

fn entry(json: &str) -> Entry {
    serde_json::from_str(json).unwrap()
}

/// The journals of the board, oldest first.
fn journals(data: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    store::journals(data, "1").unwrap().into_iter().map(|path| (path.clone(), fs::read(&path).unwrap())).collect()
}

/// What came of the power cuts; each entry says of which.
#[derive(Debug, Default)]
struct Outcome {
    lost: Vec<String>,
    accused: Vec<String>,
    torn: usize,
    holes: usize,
    edits: usize,
    passed: Vec<String>,
}

impl Outcome {
    /// Whether every promise is in what the program found at its start and goes on from.
    fn keeps(&mut self, case: &str, data: &Path, promised: &[Promise], recovered: &Recovered) {
        let mut kept = journals(data);
        if let (Begin::Continue { offset, .. }, Some((_, last))) = (&recovered.begin, kept.last_mut()) {
            last.truncate(*offset as usize);
        }
        let values = |key: &'static str| -> Vec<String> {
            let of = |(_, bytes): &(PathBuf, Vec<u8>)| {
                readable(bytes).iter().filter(|line| line.key == key).map(|line| String::from(line.value)).collect::<Vec<_>>()
            };
            kept.iter().flat_map(of).collect()
        };
        let (events, entries) = (values("event"), values("entry"));
        let notes: String = promised
            .iter()
            .filter_map(|promise| if let Promise::Note(note) = promise { Some(format!("{note}\n")) } else { None })
            .collect();
        let seen = witness::read(&notes);
        let sealed: Vec<Sealed> = kept.iter().flat_map(|(_, bytes)| sealed(bytes)).collect();
        for promise in promised {
            let holds = match promise {
                Promise::Event(json) => events.contains(json),
                Promise::Entry(json) => entries.contains(json),
                Promise::Receipt(words) => sealed.iter().any(|sealed| Receipt::of_note(&sealed.note) == Receipt::read(words).ok()),
                Promise::Note(note) => sealed.iter().any(|sealed| sealed.note == *note),
            };
            if !holds {
                self.lost.push(format!("{case}: {promise:?}"));
            }
        }
        for (path, bytes) in &kept {
            self.accused.extend(witness::contradicted(bytes, &seen).map(|what| format!("{case}: {}: {what}", path.display())));
        }
    }

    /// Whether a start after a power cut calls that what it was.
    fn told(&mut self, case: &str, left: &[(PathBuf, Vec<u8>)], recovered: &Recovered) {
        let is_fair = matches!(recovered.alarm, None | Some(AlarmKey::JournalCut)) && recovered.refused.is_empty();
        if !is_fair {
            self.accused.push(format!("{case}: {:?} {:?}", recovered.alarm, recovered.refused));
        }
        let Some((_, last)) = left.iter().rfind(|(path, _)| path.exists()) else { return };
        let mut lines = Lines::new(&last[..]);
        while let Some(Ok(_)) = lines.next() {}
        let (stands, length) = (lines.offset(), last.len() as u64);
        let cuts = recovered.first.iter().filter_map(|(_, what)| if let What::Cut(cut) = what { Some(cut.bytes) } else { None });
        let cuts: Vec<u64> = cuts.collect();
        if stands < length {
            self.torn += 1;
            self.holes += usize::from(!readable(&last[stands as usize..]).is_empty());
            if !cuts.contains(&(length - stands)) || recovered.alarm != Some(AlarmKey::JournalCut) {
                self.accused.push(format!("{case}: {} bytes are cut and {cuts:?} named", length - stands));
            }
        }
    }

    /// What `verify` says of every journal in the end.
    fn verified(&mut self, case: &str, data: &Path, key: &Key) {
        let all = journals(data);
        let last = all.last().map(|(path, _)| path.clone()).unwrap();
        for (path, bytes) in all {
            let mut report = verify(&bytes, Some(&key.public()));
            if report.trouble.is_none() {
                report.trouble = report.follows(&path).err();
            }
            if let Some(trouble) = report.trouble {
                self.accused.push(format!("{case}: verify {}: {trouble:?}", path.display()));
            } else if path == last && (report.unsigned.is_some() || report.proved == 0) {
                self.accused.push(format!("{case}: verify {}: {} of {} lines are proved", path.display(), report.proved, report.lines));
            }
        }
    }

    /// The same disk where somebody was at work, too.
    fn edited(&mut self, case: &str, machine: &Machine, left: &Path, random: &mut ChaCha8Rng) {
        let data = tempfile::tempdir().unwrap();
        let place = store::folder(data.path(), "1");
        fs::create_dir_all(&place).unwrap();
        for (path, bytes) in journals(left) {
            fs::write(place.join(path.file_name().unwrap()), bytes).unwrap();
        }
        let Some((path, bytes)) = journals(data.path()).pop() else { return };
        let Some((forged, signed)) = edited(&bytes, random) else { return };
        fs::write(&path, &forged).unwrap();
        self.edits += 1;
        let trouble = verify(&forged, Some(&machine.key.public())).trouble;
        let recovered = machine.start(data.path(), 0);
        let is_found = !recovered.refused.is_empty() || recovered.alarm == Some(AlarmKey::JournalDamaged);
        if !is_found || trouble.as_ref().is_none_or(|trouble| trouble.line > signed + 1) {
            self.passed.push(format!("{case}: {trouble:?}, at the start {:?} {:?}", recovered.alarm, recovered.refused));
        }
    }
}

/// A moment at which something is not synced: of a few the one at which most is.
fn moment(life: &Life, random: &mut ChaCha8Rng) -> (Disk, Vec<Promise>) {
    let moments = (0..4).map(|_| life.after(random.random_range(0..=life.steps())));
    moments.max_by_key(|(disk, _)| disk.unsynced()).unwrap()
}

#[test]
fn a_power_cut_takes_nothing_that_was_promised_and_nobody_is_accused_of_it() {
    let count: u64 = std::env::var("FLAGFALL_CUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let lives: Vec<_> = (0..LIVES.min(count))
        .map(|seed| {
            let folder = tempfile::tempdir().unwrap();
            (Machine::lived(seed, folder.path()), folder)
        })
        .collect();
    let mut outcome = Outcome::default();
    for n in 0..count {
        let ((machine, life), _) = &lives[(n % LIVES) as usize];
        let mut random = ChaCha8Rng::seed_from_u64(n);
        let sector = if random.random() { 512 } else { 4_096 };
        let (disk, mut promised) = moment(life, &mut random);
        let mut data = tempfile::tempdir().unwrap();
        disk.lose_power(&store::folder(data.path(), "1"), sector, &mut random);
        let case = format!("power cut {n}");
        if n % 2 == 1 {
            outcome.edited(&case, machine, data.path(), &mut random);
        }
        let mut gap = 0;
        for again in [false, true] {
            let case = if again { format!("{case}, and another one after the start") } else { case.clone() };
            gap += if random.random_ratio(1, 4) { NIGHT } else { random.random_range(0..600_000) };
            let left = journals(data.path());
            let recovered = machine.start(data.path(), gap);
            outcome.keeps(&case, data.path(), &promised, &recovered);
            outcome.told(&case, &left, &recovered);
            let place = store::folder(data.path(), "1");
            let mut next = Life::going_on(recovered, &machine.key, &place, n);
            let from = next.now() + 2_000;
            next.played(from, CaptureLine::Link(LinkState::Up));
            machine.play(&mut next, from, 60);
            if again || n % 3 > 0 {
                next.end();
                outcome.verified(&case, data.path(), &machine.key);
                break;
            }
            let (disk, more) = moment(&next, &mut random);
            promised.extend(more);
            let other = tempfile::tempdir().unwrap();
            disk.lose_power(&store::folder(other.path(), "1"), sector, &mut random);
            data = other;
        }
    }
    let Outcome { lost, accused, torn, holes, edits, passed } = outcome;
    println!(
        "{count} power cuts ({torn} torn ends, {holes} with whole lines behind the hole): {} promised events lost, {} accusations; {edits} edits, {}",
        lost.len(),
        accused.len(),
        if passed.is_empty() { String::from("all found") } else { format!("{} not found", passed.len()) }
    );
    assert!(lost.is_empty() && accused.is_empty() && passed.is_empty(), "{lost:#?}\n{accused:#?}\n{passed:#?}");
    assert!(count < 60 || (torn > 20 && holes > 5 && edits > 20), "too few of each");
}
