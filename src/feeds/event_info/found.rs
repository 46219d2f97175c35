//! What pairing lists, reports and names change once they are read, whichever way they came, and what the operator is told of it.
use super::changes::{Change, changes};
use super::chronicle::Chronicle;
use super::held::{Doubt, Follow};
use super::seats::KeptRound;
use crate::pairings::files::{FoundFile, Role};
use crate::pairings::{self, List, Mistake};
use flagfall_config::Config;
use flagfall_time::Stopwatch;
use flagfall_web::hub::Hub;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// A change in the middle of a round stays with the operator so long.
const CHANGED: Duration = Duration::from_secs(600);
/// So many changes of one list are logged one by one.
const LOGGED: usize = 40;
/// What the alarms about the lists as a whole are about.
pub(super) const ABOUT: &str = "pairings";

/// What came of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// What is otherwise now, or would be.
    pub changes: Vec<String>,
    /// What is not followed because games have begun.
    pub held: Vec<String>,
    /// What else the operator should know.
    pub doubts: Vec<String>,
}

/// What was told so far, so that nothing is told twice.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// By where it comes from.
    said: HashMap<String, BTreeSet<String>>,
    /// Lists that came and cannot be read.
    unreadable: HashMap<String, String>,
    /// By where it comes from: what is wrong in the list itself, and what is not so any more some time.
    doubtful: HashMap<String, (Vec<String>, Vec<Doubt>)>,
    changed: Option<Stopwatch>,
    /// It was all said elsewhere.
    silent: bool,
}

impl Lists {
    /// Says everything once; nothing where it was said elsewhere.
    pub(super) fn new(silent: bool) -> Self {
        Self { silent, ..Self::default() }
    }

    /// A file or an address was read, or could not be.
    pub(super) fn take(&mut self, chronicle: &mut Chronicle, hub: &Hub, found: FoundFile) {
        match found {
            FoundFile::Pairings(about, Ok(list)) => {
                let (_, doubts) = self.follow(chronicle, hub, &list, Follow::Quiet);
                tracing::info!("{about}: {} pairings", list.pairings.len());
                let notes: Vec<String> = list.notes.iter().map(|note| format!("{about}: {note}")).collect();
                list.remarks.iter().for_each(|remark| self.say(&about, &format!("{about}: {remark}"), false));
                let texts = doubts.iter().map(|doubt| &doubt.text);
                notes.iter().chain(texts).for_each(|text| self.say(&about, text, true));
                self.readable(hub, &about);
                self.doubtful.insert(about, (notes, doubts));
                self.tell_doubts(chronicle, hub);
            }
            FoundFile::Players(about, Ok(report)) => {
                tracing::info!("{about}: {} players", report.players.len());
                chronicle.report(report);
                self.readable(hub, &about);
            }
            FoundFile::Pairings(about, Err(why)) | FoundFile::Players(about, Err(why)) => {
                why.iter().for_each(|text| self.say(&about, &format!("{about}: {text}"), true));
                let text = format!("{}; what was read before still holds, mend the list", why.join("; "));
                self.unreadable.insert(about.clone(), text.clone());
                hub.alarm("pairings-failing", &about, Some(text));
            }
        }
    }

    /// An address gives nothing.
    pub(super) fn failing(&mut self, hub: &Hub, about: &str, why: &str) {
        self.say(about, &format!("{about} {why}"), true);
        hub.alarm("pairings-failing", about, Some(format!("{about} {why}; it is asked again, and what was read before still holds")));
    }

    /// An address gives what it gave before.
    pub(super) fn back(&mut self, hub: &Hub, about: &str) {
        tracing::info!("{about}: can be read again");
        self.said.remove(about);
        hub.alarm("pairings-failing", about, self.unreadable.get(about).cloned());
    }

    /// A list that is not asked any more.
    pub(super) fn forget(&mut self, hub: &Hub, about: &str) {
        self.said.remove(about);
        self.unreadable.remove(about);
        self.doubtful.remove(about);
        ["pairings-failing", "pairings-doubtful"].iter().for_each(|key| hub.alarm(key, about, None));
    }

    /// A pairing list of a round that came another way than as a file.
    pub(super) fn given(&mut self, chronicle: &mut Chronicle, hub: &Hub, about: String, round: u32, text: &str) {
        let found = match Role::Pairings.read(about, Ok(text.as_bytes().to_vec())) {
            FoundFile::Pairings(about, Ok(list)) => FoundFile::Pairings(about, Ok(numbered(list, Some(round)))),
            other => other,
        };
        self.take(chronicle, hub, found);
    }

    /// An operator's list. With `dry` nothing is taken: it is what would be.
    pub(super) fn posted(&mut self, chronicle: &mut Chronicle, hub: &Hub, list: &List, (follow, dry): (Follow, bool)) -> Taken {
        let mut taken = if dry {
            compare(&mut chronicle.clone(), |chronicle| texts(&chronicle.follow(list, follow))).0
        } else {
            self.follow(chronicle, hub, list, follow).0
        };
        taken.doubts.splice(0..0, list.notes.iter().chain(&list.remarks).map(ToString::to_string));
        taken
    }

    /// What was held is followed.
    pub(super) fn take_held(&mut self, chronicle: &mut Chronicle, hub: &Hub) -> Taken {
        let (taken, changes) = compare(chronicle, |chronicle| {
            let held = chronicle.held().to_vec();
            chronicle.take_held(held);
            Vec::new()
        });
        self.tell(chronicle, hub, &changes);
        taken
    }

    /// What stands for a while only.
    pub(super) fn settle(&mut self, chronicle: &Chronicle, hub: &Hub) {
        if self.changed.as_ref().is_some_and(|since| Duration::from_millis(since.now().millis()) > CHANGED) {
            self.changed = None;
            hub.alarm("pairings-changed", ABOUT, None);
        }
        self.tell_doubts(chronicle, hub);
        let held: Vec<&str> = chronicle.held().iter().map(|held| held.text.as_str()).collect();
        let text = format!(
            "{}; if the list is right, flagfall pairings take follows it (names move, games stay on their boards), else mend the list",
            held.join("; ")
        );
        hub.alarm("pairings-doubtful", ABOUT, Some(text).filter(|_| !held.is_empty()));
    }

    fn follow(&mut self, chronicle: &mut Chronicle, hub: &Hub, list: &List, follow: Follow) -> (Taken, Vec<Doubt>) {
        let mut doubts = Vec::new();
        let (taken, changes) = compare(chronicle, |chronicle| {
            doubts = chronicle.follow(list, follow);
            texts(&doubts)
        });
        taken.held.iter().for_each(|text| self.say(ABOUT, text, true));
        self.tell(chronicle, hub, &changes);
        (taken, doubts)
    }

    /// What is not so any more is forgotten; what stays is told.
    fn tell_doubts(&mut self, chronicle: &Chronicle, hub: &Hub) {
        for (about, (notes, doubts)) in &mut self.doubtful {
            doubts.retain(|doubt| chronicle.stands(doubt));
            let text = notes.iter().cloned().chain(texts(doubts)).collect::<Vec<_>>().join("; ");
            hub.alarm("pairings-doubtful", about, Some(text).filter(|text| !text.is_empty()));
        }
    }

    /// The log has what changed; the operator, too, where others sit in a round that has begun.
    fn tell(&mut self, chronicle: &Chronicle, hub: &Hub, changes: &[Change]) {
        if self.silent {
            return;
        }
        changes.iter().take(LOGGED).for_each(|change| tracing::info!("pairings: {}", change.text));
        if changes.len() > LOGGED {
            tracing::info!("pairings: and {} changes more", changes.len() - LOGGED);
        }
        let begun = chronicle.kept().rounds.get(&chronicle.current()).is_some_and(KeptRound::has_begun);
        let persons: Vec<&str> = changes.iter().filter(|change| change.persons).map(|change| change.text.as_str()).collect();
        if begun && !persons.is_empty() {
            self.changed = Some(Stopwatch::start());
            hub.alarm("pairings-changed", ABOUT, Some(persons.join("; ")));
        }
    }

    fn readable(&mut self, hub: &Hub, about: &str) {
        self.unreadable.remove(about);
        hub.alarm("pairings-failing", about, None);
    }

    /// Each sentence once.
    fn say(&mut self, about: &str, text: &str, warn: bool) {
        if !self.silent && self.said.entry(String::from(about)).or_default().insert(String::from(text)) {
            if warn {
                tracing::warn!("{text}");
            } else {
                tracing::info!("{text}");
            }
        }
    }
}

fn texts(doubts: &[Doubt]) -> Vec<String> {
    doubts.iter().map(|doubt| doubt.text.clone()).collect()
}

/// The same where it was told when it was read.
pub(super) fn again(chronicle: &mut Chronicle, found: FoundFile) {
    match found {
        FoundFile::Pairings(_, Ok(list)) => _ = chronicle.list(&list),
        FoundFile::Players(_, Ok(report)) => chronicle.report(report),
        FoundFile::Pairings(_, Err(_)) | FoundFile::Players(_, Err(_)) => {}
    }
}

/// A list that an operator sends.
#[derive(Clone, Debug)]
pub struct Posted {
    /// The list, whichever kind it is.
    pub bytes: Vec<u8>,
    /// The round of lines that name none; `None`: the one that the list is about.
    pub round: Option<u32>,
    /// Only what would change is asked.
    pub dry: bool,
    /// Names move over games that have begun.
    pub over_games: bool,
}

impl Posted {
    /// What is in it.
    pub(super) fn read(&self) -> Result<List, Vec<Mistake>> {
        pairings::read(&self.bytes).map(|list| numbered(list, self.round))
    }

    /// How far it is followed.
    pub(super) const fn follow(&self) -> Follow {
        if self.over_games { Follow::OverGames } else { Follow::Quiet }
    }
}

fn numbered(mut list: List, round: Option<u32>) -> List {
    list.pairings.iter_mut().for_each(|pairing| pairing.round = pairing.round.or(round));
    list
}

/// What `change` changes.
fn compare(chronicle: &mut Chronicle, change: impl FnOnce(&mut Chronicle) -> Vec<String>) -> (Taken, Vec<Change>) {
    let before = chronicle.tournament();
    let doubts = change(chronicle);
    let changes = changes(&before, &chronicle.tournament());
    let held = chronicle.held().iter().map(|held| held.text.clone()).collect();
    (Taken { changes: changes.iter().map(|change| change.text.clone()).collect(), held, doubts }, changes)
}

/// What the event is called, from elsewhere. Files that it may name are other machines' and count for nothing here.
pub(super) fn rename(chronicle: &mut Chronicle, hub: &Hub, about: &str, text: &str) {
    let text = if text.trim_start().starts_with('[') { text.to_owned() } else { format!("[event]\n{text}") };
    let wrong = match Config::parse(about, &text) {
        Ok(config) => {
            chronicle.announce(config.event.about);
            None
        }
        Err(error) => {
            tracing::error!("{error}");
            Some(format!("{error}; what was said before still holds, mend it where it was set"))
        }
    };
    hub.alarm("pairings-failing", "event", wrong);
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_config::event::About;
    use std::sync::Arc;

    const LIST: &str = "round,board,white,black\n1,1,Adams,Clark\n1,2,Baker,Davis\n1,3,Evans,Frank\n";

    fn play(chronicle: &mut Chronicle, board: &str, seq: u64, result: Option<&str>) {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let bodies = match result {
            None => vec![
                serde_json::json!({"type": "game-start", "fen": start, "rules": "fide-2023", "play": "rapid", "chess960": false}),
                serde_json::json!({"type": "move-completed", "ply": 1, "by": "white", "uci": "e2e4", "san": "e4", "legal": true, "how": "press"}),
            ],
            Some(result) => vec![serde_json::json!({"type": "result", "result": result, "reason": "resigns", "source": "operator"})],
        };
        for (n, body) in (0..).zip(bodies) {
            let mut event = serde_json::json!({"seq": seq + n, "t": seq + n, "at": "2026-11-21T10:00:00Z", "board": board, "game": 1});
            event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
            chronicle.take(&serde_json::from_value(event).unwrap());
        }
        chronicle.settle();
    }

    #[test]
    fn a_doubt_goes_by_itself_when_what_raised_it_is_settled() {
        let (hub, mut lists) = (Hub::new(), Lists::new(false));
        let mut chronicle = Chronicle::new(About { name: Some("Open".into()), ..About::default() }, None);
        let boards: Vec<Arc<str>> = ["1", "2", "3"].map(Arc::from).into();
        chronicle.boards(&boards, |_| None);
        let doubtful = |hub: &Hub| String::from_utf8(hub.hall_json()).unwrap().matches("pairings-doubtful").count();
        let found = |text: &str| Role::Pairings.read(String::from("list.csv"), Ok(text.as_bytes().to_vec()));
        lists.take(&mut chronicle, &hub, found(LIST));
        for board in ["1", "3"] {
            play(&mut chronicle, board, 1, None);
        }
        // Board 2 is not in it any more, and the next round waits.
        let next = format!("{}2,1,Adams,Evans\n2,3,Clark,Frank\n", LIST.replace("1,2,Baker,Davis\n", ""));
        lists.take(&mut chronicle, &hub, found(&next));
        lists.settle(&chronicle, &hub);
        assert_eq!(doubtful(&hub), 1);
        play(&mut chronicle, "1", 10, Some("1-0"));
        lists.settle(&chronicle, &hub);
        assert_eq!(doubtful(&hub), 1, "a game is still being played");
        play(&mut chronicle, "3", 10, Some("1/2-1/2"));
        lists.settle(&chronicle, &hub);
        assert_eq!(doubtful(&hub), 0, "{:?}", lists.doubtful);
    }
}
