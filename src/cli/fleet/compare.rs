//! What the list says beside what Pis say of themselves. Pure.
use crate::config::fleet::Fleet;
use crate::feeds::nats::wire::{BoardPresence, Journals, Presence};
use flagfall_events::LinkState;
use std::collections::BTreeMap;

/// What was found: a line for each Pi, and what is not as listed, each with what to do.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) lines: Vec<String>,
    pub(super) wrong: Vec<String>,
}

/// `keys`: the public keys that were noted, by Pi.
pub(super) fn compare(fleet: &Fleet, heard: &[Presence], keys: &BTreeMap<String, String>) -> Found {
    let mut found = Found::default();
    let usual = usual_version(heard);
    for pi in &fleet.pis {
        let name = &pi.name;
        let Some(here) = heard.iter().find(|heard| heard.pi == *name) else {
            let boards: Vec<&str> = pi.boards.iter().map(|board| board.name.as_str()).collect();
            let text =
                format!("{name} is not heard (boards {}): look at its power, network and `systemctl status flagfall`", boards.join(", "));
            found.wrong.push(text);
            continue;
        };
        let up = here.boards.iter().filter(|board| board.link == LinkState::Up).count();
        found.lines.push(format!("{name}: {up} of {} boards answer, flagfall {}", pi.boards.len(), here.version));
        if here.version != usual {
            found.wrong.push(format!("{name} has flagfall {}, most have {usual}: flagfall fleet upgrade --only {name}", here.version));
        }
        match here.journal {
            Journals::Ok => {}
            Journals::Failing => found.wrong.push(format!("{name} cannot write its journals: look at its card and its room")),
            Journals::Off => found.wrong.push(format!("{name} records nothing: its data_dir is missing")),
        }
        if let (Some(noted), Some(key)) = (keys.get(name), &here.key)
            && noted != key
        {
            let text =
                format!("{name} signs with another key than was noted: a new card? `flagfall verify` tells; then remove keys/{name}");
            found.wrong.push(text);
        }
    }
    for pi in &fleet.pis {
        for board in &pi.boards {
            let places: Vec<(&Presence, &BoardPresence)> = heard
                .iter()
                .flat_map(|heard| heard.boards.iter().map(move |there| (heard, there)))
                .filter(|(_, there)| there.board == board.name)
                .collect();
            let (name, line) = (&board.name, board.line);
            for (other, _) in places.iter().filter(|(heard, _)| heard.pi != pi.name) {
                found.wrong.push(format!(
                    "board {name} is at {}, and listed at {} (line {line}): move its cable, or its line in the list",
                    other.pi, pi.name
                ));
            }
            let Some((_, here)) = places.iter().find(|(heard, _)| heard.pi == pi.name) else {
                if places.is_empty() && heard.iter().any(|heard| heard.pi == pi.name) {
                    let text = format!("board {name}: {} does not know it (line {line}): flagfall fleet push --only {0}", pi.name);
                    found.wrong.push(text);
                }
                continue;
            };
            found.wrong.extend(of_board(&pi.name, here, board.serial.as_deref(), line));
        }
    }
    strangers(fleet, heard, &mut found);
    found
}

/// What is wrong with a board that is at its Pi.
fn of_board(pi: &str, here: &BoardPresence, listed: Option<&str>, line: usize) -> Vec<String> {
    let (name, mut wrong) = (&here.board, Vec::new());
    if here.link != LinkState::Up {
        wrong.push(format!("board {name} does not answer {pi} (line {line}): look at its cable and switch it on"));
    }
    if let (Some(listed), Some(told)) = (listed, &here.serial)
        && listed != told
    {
        wrong.push(format!("board {name} at {pi} says serial number {told}, the list {listed} (line {line}): another board stands there"));
    }
    wrong.extend(here.exchanged.as_ref().map(|what| format!("board {name} at {pi}: {what}")));
    wrong.extend(here.trouble.as_ref().map(|why| format!("board {name} at {pi} does not publish: {why}")));
    wrong
}

/// Pis and boards that the list does not have.
fn strangers(fleet: &Fleet, heard: &[Presence], found: &mut Found) {
    for here in heard {
        let boards: Vec<&str> = here.boards.iter().map(|board| board.board.as_str()).collect();
        if !fleet.pis.iter().any(|pi| pi.name == here.pi) {
            let what = if boards.is_empty() { String::from("no boards") } else { format!("boards {}", boards.join(", ")) };
            found.wrong.push(format!("{} is heard and not in the list ({what}): add it, or switch it off", here.pi));
            continue;
        }
        let listed = |name: &str| fleet.pis.iter().any(|pi| pi.boards.iter().any(|board| board.name == name));
        for board in boards.into_iter().filter(|name| !listed(name)) {
            found.wrong.push(format!("board {board} at {} is not in the list: give it a line, or unplug it", here.pi));
        }
    }
}

/// What most of them have; of as many the newest by its text.
fn usual_version(heard: &[Presence]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for here in heard {
        *counts.entry(&here.version).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(version, _)| String::from(version)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::fleet;
    use flagfall_events::Wall;

    fn list() -> Fleet {
        let text = "event = \"cup\"\nservers = [\"a\"]\n\
                    [[pi]]\nname = \"pi-1\"\nboards = [\n{ name = \"1\", link = \"ble:a\", serial = \"25071\" },\n{ name = \"2\", link = \"ble:b\" }]\n\
                    [[pi]]\nname = \"pi-2\"\nboards = [{ name = \"3\", link = \"ble:c\" }]\n";
        fleet::parse("f", text).unwrap()
    }

    fn presence(pi: &str, version: &str, boards: &[(&str, LinkState, Option<&str>)]) -> Presence {
        let board = |(board, link, serial): &(&str, LinkState, Option<&str>)| BoardPresence {
            board: String::from(*board),
            epoch: String::new(),
            seq: 0,
            link: *link,
            serial: serial.map(String::from),
            sent_seq: 0,
            checkpoint: None,
            way: None,
            trouble: None,
            exchanged: None,
        };
        Presence {
            pi: String::from(pi),
            version: String::from(version),
            started_at: Wall::EPOCH,
            at: Wall::EPOCH,
            boards: boards.iter().map(board).collect(),
            journal: Journals::Ok,
            behind: 0,
            key: Some(String::from("aa")),
            temperature_c: None,
        }
    }

    const UP: LinkState = LinkState::Up;

    fn right() -> Vec<Presence> {
        vec![presence("pi-1", "1", &[("1", UP, Some("25071")), ("2", UP, None)]), presence("pi-2", "1", &[("3", UP, None)])]
    }

    fn wrong(heard: &[Presence]) -> Vec<String> {
        compare(&list(), heard, &BTreeMap::new()).wrong
    }

    #[test]
    fn what_is_as_listed_is_not_told() {
        let found = compare(&list(), &right(), &BTreeMap::from([(String::from("pi-1"), String::from("aa"))]));
        assert_eq!((found.lines.len(), found.wrong), (2, Vec::new()));
    }

    #[test]
    fn whatever_differs_is_told_once_with_its_names() {
        let mut heard = right();
        heard.pop();
        assert!(matches!(&wrong(&heard)[..], [one] if one.starts_with("pi-2 is not heard (boards 3)")), "{:?}", wrong(&heard));
        let mut heard = right();
        let moved = heard[0].boards.remove(1);
        heard[1].boards.push(moved);
        assert!(
            matches!(&wrong(&heard)[..], [one] if one.starts_with("board 2 is at pi-2, and listed at pi-1 (line 7)")),
            "{:?}",
            wrong(&heard)
        );
        let mut heard = right();
        heard[0].boards.pop();
        assert!(matches!(&wrong(&heard)[..], [one] if one.starts_with("board 2: pi-1 does not know it")), "{:?}", wrong(&heard));
        let mut heard = right();
        heard[0].boards[0].serial = Some(String::from("99999"));
        heard[0].boards[1].link = LinkState::Down;
        assert!(
            matches!(&wrong(&heard)[..], [a, b] if a.contains("99999") && a.contains("25071") && b.starts_with("board 2 does not answer pi-1")),
            "{:?}",
            wrong(&heard)
        );
        let mut heard = right();
        heard.push(presence("pi-9", "1", &[("9", UP, None)]));
        heard[1].boards.push(presence("x", "1", &[("8", UP, None)]).boards.remove(0));
        assert!(
            matches!(&wrong(&heard)[..], [a, b] if a.starts_with("board 8 at pi-2 is not in the list") && b.contains("pi-9 is heard and not in the list")),
            "{:?}",
            wrong(&heard)
        );
        let mut heard = right();
        heard.push(presence("pi-3", "1", &[]));
        heard[1].version = String::from("2");
        assert!(wrong(&heard)[0].starts_with("pi-2 has flagfall 2, most have 1"), "{:?}", wrong(&heard));
        let found = compare(&list(), &right(), &BTreeMap::from([(String::from("pi-1"), String::from("bb"))]));
        assert!(matches!(&found.wrong[..], [one] if one.starts_with("pi-1 signs with another key")), "{found:?}");
    }
}
