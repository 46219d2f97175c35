//! Ends that were torn off, wherever: told by `verify`, cut at the next start, and the board goes on with everything before.
use crate::recording::{Recording, starts};
use flagfall::journal::keeping::Keeping;
use flagfall::journal::read::{Lines, events, readable};
use flagfall::journal::replay::Replay;
use flagfall::journal::store::folder;
use flagfall::journal::verify::verify;
use flagfall::journal::what::What;
use flagfall::journal::{Journal, Recovered};
use flagfall::time::Stopwatch;
use flagfall::web::hub::Hub;
use flagfall_events::Event;
use flagfall_score::board::BoardState;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn recovered(journal: &Journal, whole: &[u8], bytes: &[u8]) -> Recovered {
    let place = folder(journal.data_dir(), "1");
    fs::create_dir_all(&place).unwrap();
    for old in fs::read_dir(&place).unwrap() {
        fs::remove_file(old.unwrap().path()).unwrap();
    }
    fs::write(place.join(format!("{}.journal", flagfall::time::local_day(flagfall::time::now()))), bytes).unwrap();
    let Some(What::Open(open)) = Lines::new(whole).next().map(|line| line.unwrap().what().unwrap()) else { panic!("no header") };
    let settings = open.settings().unwrap();
    journal.recover_board("1", &settings).unwrap()
}

fn journal(data: &Path) -> Journal {
    Journal::start(data, Keeping::default(), Hub::new(), Stopwatch::start(), Arc::new(|_| {})).unwrap()
}

/// The events that the whole lines' inputs make.
fn made(bytes: &[u8]) -> Vec<Event> {
    let (mut replay, mut events) = (Replay::default(), Vec::new());
    let mut lines = Lines::new(bytes);
    while let Some(Ok(line)) = lines.next() {
        replay.line(&line, false, &mut |event| events.push(event.clone())).unwrap();
    }
    events
}

#[test]
fn an_end_torn_off_at_any_byte_is_told_and_cut_and_nothing_before_it_is_lost() {
    let data = tempfile::tempdir().unwrap();
    let journal = journal(data.path());
    let whole = Recording::of_game(data.path(), 3, 12);
    assert_eq!(verify(&whole, None).trouble, None);
    let starts = starts(&whole);
    let first = starts[starts.len() - 5];
    for end in first..=whole.len() {
        let torn = &whole[..end];
        let last = starts.iter().rposition(|start| *start <= end).unwrap();
        let (lines, rest) = (last as u64, end - starts[last]);
        let report = verify(torn, None);
        match rest {
            0 => assert_eq!((report.trouble, report.lines), (None, lines), "{end}"),
            _ => {
                let trouble = report.trouble.unwrap();
                assert_eq!((trouble.line, report.lines), (lines + 1, lines), "{end}: {trouble:?}");
                assert!(trouble.what.contains("in the middle of this line"), "{trouble:?}");
            }
        }
        let found = recovered(&journal, &whole, torn);
        let events = made(torn);
        assert_eq!(found.seq, events.last().unwrap().seq, "{end}");
        let all: Vec<Event> = found.events.iter().map(|event| (**event).clone()).chain(found.unseen.iter().cloned()).collect();
        let fold = |events: &[Event]| {
            let mut state = BoardState::new("1".into());
            events.iter().for_each(|event| _ = state.apply(event));
            format!("{state:?}")
        };
        assert!(fold(&all) == fold(&events), "{end}: the board is not as the whole lines say");
        assert!(all.iter().all(|event| events.contains(event)) && all.last() == events.last(), "{end}: nothing else was said");
        // What was cut off is named to the byte, before anything else is written.
        let Some((_, What::Cut(cut))) = found.first.first() else {
            assert_eq!((rest, found.first.len(), found.alarm), (0, 0, None), "{end}");
            continue;
        };
        let gone = &torn[starts[last]..];
        let data: String = gone.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((cut.bytes, cut.data.as_ref()), (gone.len() as u64, Some(&data)), "{end}");
        assert_eq!((rest > 0, found.first.len(), found.alarm), (true, 1, Some(flagfall_events::AlarmKey::JournalCut)), "{end}");
    }
}

#[test]
fn a_journal_damaged_in_its_middle_stays_and_its_readable_inputs_go_on() {
    let data = tempfile::tempdir().unwrap();
    let journal = journal(data.path());
    let whole = Recording::of_game(data.path(), 3, 12);
    let starts = starts(&whole);
    for line in [0, 1, 40, starts.len() / 2, starts.len() - 3] {
        let mut damaged = whole.clone();
        damaged[starts[line] + 12] ^= 4;
        let found = recovered(&journal, &whole, &damaged);
        let place = folder(data.path(), "1");
        assert_eq!(fs::read_dir(&place).unwrap().count(), 1);
        let path = fs::read_dir(&place).unwrap().next().unwrap().unwrap().path();
        assert!(fs::read(path).unwrap() == damaged, "it is evidence, and not touched");
        assert_eq!(found.alarm, Some(flagfall_events::AlarmKey::JournalDamaged), "{line}");
        assert_eq!(found.seq, events(&whole).last().unwrap().seq, "{line}: no number is used twice");
        let inputs = found.first.iter().filter(|(_, what)| What::is_input(what.key())).count();
        let all = readable(&damaged).iter().filter(|line| What::is_input(line.key)).count();
        assert_eq!(inputs, all, "{line}: all that can be read");
    }
}

#[test]
fn an_empty_journal_and_half_a_header_are_a_new_beginning() {
    let data = tempfile::tempdir().unwrap();
    let journal = journal(data.path());
    let whole = Recording::of_game(data.path(), 3, 5);
    for end in [0, 1, 20, starts(&whole)[1] - 1] {
        let found = recovered(&journal, &whole, &whole[..end]);
        assert!(found.seq == 0 && found.events.is_empty() && !found.continued, "{end}");
        let trouble = verify(&whole[..end], None).trouble.unwrap();
        let what = if end == 0 { "the file is empty" } else { "the file ends in the middle of this line" };
        assert_eq!((trouble.line, trouble.what.as_str()), (1, what), "{end}");
        assert_eq!(fs::read_dir(folder(data.path(), "1")).unwrap().count(), 1, "half a header is kept aside, and a file that is empty");
    }
}
