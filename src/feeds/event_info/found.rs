//! What pairing lists, reports and names change once they are read, whichever way they came.
use super::chronicle::Chronicle;
use crate::pairings::{self, files::FoundFile};
use flagfall_config::Config;
use flagfall_web::hub::Hub;
use std::path::{Path, PathBuf};

/// A file was read, or could not be.
pub(super) fn take(chronicle: &mut Chronicle, hub: &Hub, found: FoundFile) {
    match found {
        FoundFile::Pairings(path, Ok(list)) => {
            let notes = list.notes.iter().map(|note| format!("{}: {note}", path.display()));
            let told: Vec<String> = notes.collect::<Vec<_>>().into_iter().chain(chronicle.list(&list)).collect();
            told.iter().for_each(|text| tracing::warn!("{text}"));
            tracing::info!("{}: {} pairings", path.display(), list.pairings.len());
            tell(hub, "pairings-failing", &path, None);
            tell(hub, "pairings-doubtful", &path, Some(told.join("; ")).filter(|t| !t.is_empty()));
        }
        FoundFile::Players(path, Ok(report)) => {
            tracing::info!("{}: {} players", path.display(), report.players.len());
            chronicle.report(report);
            tell(hub, "pairings-failing", &path, None);
        }
        FoundFile::Pairings(path, Err(why)) | FoundFile::Players(path, Err(why)) => {
            why.iter().for_each(|text| tracing::error!("{}: {text}", path.display()));
            let text = format!("{}; what was read before still holds, mend the file", why.join("; "));
            tell(hub, "pairings-failing", &path, Some(text));
        }
    }
}

/// The same where it was told when it was read.
pub(super) fn again(chronicle: &mut Chronicle, found: FoundFile) {
    match found {
        FoundFile::Pairings(_, Ok(list)) => _ = chronicle.list(&list),
        FoundFile::Players(_, Ok(report)) => chronicle.report(report),
        FoundFile::Pairings(_, Err(_)) | FoundFile::Players(_, Err(_)) => {}
    }
}

/// A pairing list that came another way than as a file.
pub(super) fn given(chronicle: &mut Chronicle, hub: &Hub, about: String, round: u32, text: &str) {
    let read = pairings::read(text.as_bytes()).map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect());
    let numbered = read.map(|mut list| {
        list.pairings.iter_mut().for_each(|pairing| _ = pairing.round.get_or_insert(round));
        list
    });
    take(chronicle, hub, FoundFile::Pairings(PathBuf::from(about), numbered));
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

/// What the operator is to know of a list.
pub(super) fn tell(hub: &Hub, key: &str, path: &Path, text: Option<String>) {
    hub.alarm(key, &path.display().to_string(), text);
}
