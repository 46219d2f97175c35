//! What of a board is public: everything its game says goes in, public events with numbers of their own come out. Every public outlet is fed from
//! here and from nowhere else: page, HTTP, streams, PGN, documents, the LiveChess API, Lichess, uploads, public subjects of a broker.
//!
//! Findings, alarms, touched pieces, claims, questions and rulings never come out, and no number tells of them. A ply that is illegal is held back,
//! and every ply on top of it, until its finding is closed: until then the record ends before it, as while a move cannot be read yet. Where touches are
//! the arbiter's, a placement is that after a ply, or one that was set or ruled. After its end a game stays as it is until the next one has a move.
//! What an entry did waits for as long as it can be undone, and was never there when it is.
//!
//! Pure: a fold over the board's events. The same events in the same order give the same public events with the same numbers.
//!
//! | file | holds |
//! |---|---|
//! | `fold.rs`, `fold/ended.rs` | what is public as the events stand; between a game's end and the first move of the next one |
//! | `view.rs` | its numbers, and what waits because it can still be undone |
mod fold;
mod view;

pub use view::PublicView;

#[cfg(test)]
mod tests;
