//! The incident report: what an appeals committee reads, as one HTML file that needs nothing else.
//!
//! Out of a journal's or capture's events: what the sensors saw, position and times as found, the proposal and how it was revised, the
//! ruling and who made it, what was then set, and the lines of evidence. Events become incidents in `flagfall_score::incidents`. Knows nothing of files, sockets or clocks.
//!
//! | file | holds |
//! |---|---|
//! | `diagram.rs` | a position as SVG |
//! | `page.rs` | incidents to HTML |
//! | `source.rs` | where the events come from, in which language they are told |
//! | `words.rs` | English and Russian |
pub mod diagram;
mod markup;
mod page;
mod source;
mod words;

pub use flagfall_score::incidents::{Case, cases};
pub use page::page;
pub use source::{Lang, Source};
