//! The incident report: what an appeals committee reads, as one HTML file that needs nothing else. Two pages for an incident; the rest in an annex.
//!
//! Out of a journal's or capture's events: what the sensors saw, position and times as found, the proposal and how it was revised, the
//! ruling and who made it, what was then set, and the lines of evidence. Events become incidents in `flagfall_score::incidents`. Knows nothing of sockets or clocks.
//!
//! | file | holds |
//! |---|---|
//! | `about.rs` | event, round and players, from the event's state beside the journals |
//! | `annex.rs` | what is behind it: figures, moves, touches, lines of evidence |
//! | `diagram.rs` | a position as SVG |
//! | `local.rs` | moments in the hall's time zone |
//! | `made.rs` | what a report is made of |
//! | `page.rs` | incidents to HTML |
//! | `proof.rs` | what proves it |
//! | `served.rs` | the report on one finding, as the daemon serves it |
//! | `source.rs` | where the events come from, in which language they are told |
//! | `strip.rs` | four pictures of what happened |
//! | `times.rs` | the table of times |
//! | `words.rs` | English and Russian |
pub mod about;
mod annex;
pub mod diagram;
mod local;
mod made;
mod markup;
mod page;
mod proof;
mod served;
mod source;
mod strip;
mod times;
mod words;

pub use about::{About, Seating};
pub use flagfall_score::incidents::{Case, cases};
pub use local::Local;
pub use made::{Report, STYLE, Style};
pub use page::page;
pub use served::served;
pub use source::{Lang, Source};
