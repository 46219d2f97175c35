//! The report on one finding, as the daemon serves it.
use super::made::{Report, Style};
use super::page::page;
use super::{Lang, Local, Seating, Source, cases};
use crate::{JournalError, film};
use flagfall_score::moment::Subject;
use std::path::Path;

/// The report on this finding, from the journal that has it; `None` where none has, or it asked for no arbiter. Blocks.
///
/// # Errors
/// A journal that cannot be read.
pub fn served(data_dir: &Path, board: &str, finding: u64, lang: Lang) -> Result<Option<String>, JournalError> {
    let Some(path) = film::journal(data_dir, board, Subject::Finding(finding))? else { return Ok(None) };
    let bytes = std::fs::read(&path).map_err(|error| JournalError::Io(path.clone(), error))?;
    let (source, events) = Source::of_journal(&path, &bytes);
    let mut cases = cases(&events);
    cases.retain(|case| case.finding.id == finding);
    let (seating, local) = (Seating::of(data_dir), Local::system());
    let report = Report {
        source: &source,
        events: &events,
        cases: &cases,
        seating: &seating,
        lang,
        local: &local,
        annex: true,
        style: Style::Served,
    };
    Ok((!cases.is_empty()).then(|| page(&report)))
}
