//! What people see and say: pages, streams and HTTP; the arbiters' and operators' interface, accounts, the hall's console. A reader here never delays a board.
//!
//! | to change | go to |
//! |---|---|
//! | which audience gets which event | [`hub`] |
//! | what is public of each board | `views` |
//! | who is told, and of which boards | [`audience`] |
//! | what is kept for those who come back, who listens | [`stage`] |
//! | what a reader knows of a board after an event | [`flagfall_score::board`]; an arbiter: [`office`], over [`flagfall_score::office`] |
//! | what of a board's events is public, and how that is numbered | [`flagfall_score::public`] |
//! | alarms that belong to no board's game | [`trouble`]; what was raised and cleared lately: [`messages`] |
//! | who goes to a board whose finding rings; what rings | [`going`] |
//! | orders that wait for a board of another machine | [`waiting`] |
//! | how events come here from a board and its journal | [`outbox`]; how many are handed on at once: `gate` |
//! | the queues of those who have a task of their own, and what happens when one is full | [`queue`] |
//! | whether this process speaks to others at all | [`voice`] |
//! | counters and gauges | [`metrics`] |
//! | the public interface and the page | [`public`]; what answers have in common `answer`; how they are served [`serve`]; event streams `stream`, the page's files `page/`, sent by `assets`, its modules as one file: `bundle` |
//! | the hall's screens, boards in other sites' frames | `screens` |
//! | what browsers may do with a page | `policy` |
//! | encryption, the machine's own socket | [`tls`], [`local`] |
//! | how many connections there are at once, who makes room, how long they may idle | [`places`], `connection` |
//! | what no request may do | [`guard`] |
//! | small files of ours that nobody else may read | [`private`] |
//! | the body of every refusal | [`problem`] |
//! | what waits until it is old enough to be public | [`held`] |
//! | how hall and broker are doing | [`health`] |
//! | arbiters and operators: who may come in, what they enter | [`arbiter`] |
//! | the operator's page | [`operator`] |
//! | QR codes | [`qr`] |
//! | how entries reach a board, what they would do, what was ruled meanwhile | [`boards`] |
pub mod answer;
pub mod arbiter;
pub mod assets;
pub mod audience;
pub mod boards;
pub(crate) mod bundle;
mod connection;
mod gate;
pub mod going;
pub mod guard;
pub mod health;
pub mod held;
pub mod hub;
pub mod local;
pub mod messages;
pub mod metrics;
pub mod office;
pub mod operator;
pub mod outbox;
pub mod places;
pub(crate) mod policy;
pub mod private;
pub mod problem;
pub mod public;
pub mod qr;
pub mod queue;
pub mod reading;
pub(crate) mod screens;
pub mod serve;
pub mod stage;
pub(crate) mod stream;
pub mod tls;
pub mod trouble;
pub(crate) mod views;
pub mod voice;
pub mod waiting;

pub use connection::{Caller, Peer};
