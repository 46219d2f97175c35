//! What a report is made of.
use super::{Lang, Local, Seating, Source};
use flagfall_events::Event;
use flagfall_score::incidents::Case;

/// The report's style.
pub const STYLE: &str = include_str!("report.css");

/// Where the style is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// In the page.
    Inside,
    /// At `/arbiter/report.css` of the daemon that serves the page; it then links to the film and the card, too.
    Served,
}

/// What a report is made of.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Where the events come from.
    pub source: &'a Source,
    /// Everything the board said.
    pub events: &'a [Event],
    /// What is reported.
    pub cases: &'a [Case],
    /// Who sat where.
    pub seating: &'a Seating,
    /// In which language.
    pub lang: Lang,
    /// The hall's time zone.
    pub local: &'a Local,
    /// With the annex.
    pub annex: bool,
    /// Where the style is.
    pub style: Style,
}
