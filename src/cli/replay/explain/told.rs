//! The explanation as it is told; as JSON it is printed so.
use super::decided::Decided;
use super::found::{Found, Moment};
use super::readings::Readings;
use super::words::{nat_is, unestimated};
use crate::cli::watch::Lang;
use flagfall_events::{Colour, How, Mono};
use serde::Serialize;
use std::path::Path;

/// Why a ply is what it is.
#[derive(Debug, Serialize)]
pub(super) struct Told {
    pub(super) file: String,
    pub(super) game: u32,
    pub(super) ply: u32,
    pub(super) by: Colour,
    pub(super) uci: String,
    pub(super) san: Option<String>,
    pub(super) legal: bool,
    pub(super) made: Stamp,
    pub(super) pressed: Option<Stamp>,
    pub(super) completed: Option<Completed>,
    pub(super) corrected: Option<Corrected>,
    pub(super) withdrawn: Option<Stamp>,
    pub(super) decided_by: &'static str,
    pub(super) why: String,
    pub(super) moments: Vec<MomentTold>,
    /// From this line of the journal on its events are not those of the replay.
    pub(super) differs_from_line: Option<u64>,
    pub(super) nat: &'static str,
}

/// When, and which event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Stamp {
    pub(super) t: Mono,
    pub(super) seq: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct Completed {
    #[serde(flatten)]
    pub(super) at: Stamp,
    pub(super) how: How,
    pub(super) assumed: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct Corrected {
    #[serde(flatten)]
    pub(super) at: Stamp,
    /// UCI.
    pub(super) was: String,
}

/// What was believed at a moment.
#[derive(Debug, Serialize)]
pub(super) struct MomentTold {
    /// What happened then: `made`, `press`, `decision`, `correction`.
    pub(super) of: Vec<&'static str>,
    #[serde(flatten)]
    pub(super) at: Stamp,
    pub(super) estimate: Option<Readings>,
    /// Why there is none: a word, for people in `why_none`.
    pub(super) no_estimate: Option<&'static str>,
    pub(super) why_none: Option<&'static str>,
}

impl From<&Moment> for Stamp {
    fn from(moment: &Moment) -> Self {
        Self { t: moment.t, seq: moment.seq }
    }
}

impl Told {
    pub(super) fn new(path: &Path, found: &Found, decided: &Decided, differs: Option<u64>, lang: Lang) -> Self {
        let completed = found.completed.as_ref();
        let mut moments: Vec<(Vec<&'static str>, &Moment)> = Vec::new();
        // Without a completion there is no decision to look at.
        let made = completed.is_none().then_some(&found.made);
        let all = [("made", made), ("press", found.press.as_ref()), ("decision", completed.map(|completion| &completion.at))];
        for (name, moment) in all.into_iter().chain([("correction", found.corrected.as_ref().map(|(_, at)| at))]) {
            let Some(moment) = moment else { continue };
            match moments.iter_mut().find(|(_, told)| told.t == moment.t && told.believed == moment.believed) {
                Some((names, _)) => names.push(name),
                None => moments.push((Vec::from([name]), moment)),
            }
        }
        Self {
            file: path.display().to_string(),
            game: found.game,
            ply: found.ply,
            by: found.by,
            uci: found.uci.clone(),
            san: found.san.clone(),
            legal: found.legal,
            made: Stamp::from(&found.made),
            pressed: found.press.as_ref().map(Stamp::from),
            completed: completed.map(|one| Completed { at: Stamp::from(&one.at), how: one.how, assumed: one.assumed }),
            corrected: found.corrected.as_ref().map(|(was, at)| Corrected { at: Stamp::from(at), was: was.clone() }),
            withdrawn: found.withdrawn.map(|(t, seq)| Stamp { t, seq }),
            decided_by: decided.by,
            why: decided.sentence.clone(),
            moments: moments.into_iter().map(|(names, moment)| MomentTold::new(names, moment, found, lang)).collect(),
            differs_from_line: differs,
            nat: nat_is(lang),
        }
    }
}

impl MomentTold {
    fn new(of: Vec<&'static str>, moment: &Moment, found: &Found, lang: Lang) -> Self {
        let none = moment.believed.as_ref().err();
        Self {
            of,
            at: Stamp::from(moment),
            estimate: moment.believed.as_ref().ok().map(|believed| Readings::of(believed, found, lang)),
            no_estimate: none.map(|why| why.as_str()),
            why_none: none.map(|why| unestimated(*why, lang)),
        }
    }
}
