//! What pairing lists, reports and names change once they are read, whichever way they came.
use super::Keeper;
use crate::pairings::{self, files::FoundFile};
use flagfall_config::Config;
use std::path::PathBuf;

impl Keeper {
    pub(super) fn found(&mut self, found: FoundFile) {
        match found {
            FoundFile::Pairings(path, Ok(list)) => {
                let notes = list.notes.iter().map(|note| format!("{}: {note}", path.display()));
                let told: Vec<String> = notes.collect::<Vec<_>>().into_iter().chain(self.chronicle.list(&list)).collect();
                told.iter().for_each(|text| tracing::warn!("{text}"));
                tracing::info!("{}: {} pairings", path.display(), list.pairings.len());
                self.tell("pairings-failing", &path, None);
                self.tell("pairings-doubtful", &path, Some(told.join("; ")).filter(|t| !t.is_empty()));
            }
            FoundFile::Players(path, Ok(report)) => {
                tracing::info!("{}: {} players", path.display(), report.players.len());
                self.chronicle.report(report);
                self.tell("pairings-failing", &path, None);
            }
            FoundFile::Pairings(path, Err(why)) | FoundFile::Players(path, Err(why)) => {
                why.iter().for_each(|text| tracing::error!("{}: {text}", path.display()));
                let text = format!("{}; what was read before still holds, mend the file", why.join("; "));
                self.tell("pairings-failing", &path, Some(text));
            }
        }
    }

    /// A pairing list that came another way than as a file.
    pub(super) fn given(&mut self, about: String, round: u32, text: &str) {
        let read = pairings::read(text.as_bytes()).map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect());
        let numbered = read.map(|mut list| {
            list.pairings.iter_mut().for_each(|pairing| _ = pairing.round.get_or_insert(round));
            list
        });
        self.found(FoundFile::Pairings(PathBuf::from(about), numbered));
    }

    /// What the event is called, from elsewhere. Files that it may name are other machines' and count for nothing here.
    pub(super) fn rename(&mut self, about: &str, text: &str) {
        let text = if text.trim_start().starts_with('[') { text.to_owned() } else { format!("[event]\n{text}") };
        let wrong = match Config::parse(about, &text) {
            Ok(config) => {
                self.chronicle.announce(config.event.about);
                None
            }
            Err(error) => {
                tracing::error!("{error}");
                Some(format!("{error}; what was said before still holds, mend it where it was set"))
            }
        };
        self.hub.alarm("pairings-failing", "event", wrong);
    }
}
