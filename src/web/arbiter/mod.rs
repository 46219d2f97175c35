//! Arbiters and operators: rulings in, findings out; who may do what.
//!
//! | to change | go to |
//! |---|---|
//! | who is asking, and what that role may | [`door`], asked by every route through `visitor`; accounts and sessions, as they come and go [`members`]: sessions `session`, passwords and tokens [`accounts`] |
//! | accounts, changed by the machine's own socket | `machine` |
//! | the link that lets arbiters in where there are no accounts | `links`; its routes: `link` |
//! | login and logout | `login`; in which order passwords are tried, and how often: `attempts`, `turns`; devices that came in before: `devices`; the memory of checks: `passwords` |
//! | boards, streams and entries over HTTP; the entries with paths of their own | `routes`, `orders`; how each is handed to its board: `entering` |
//! | who goes to a board whose finding rings | `going` |
//! | lines of the journal, films, incident reports over HTTP | `evidence`; read in the journals: `shelf`; why a move was read so: `explain` |
//! | what only a board's own machine has or does | `asked` |
//! | what all routes share | `shared` |
//! | what becomes of an entry, as its author reads it | `answers` |
//! | the description of it all, made with the feature `openapi` | `openapi` |
//! | bodies that are given, answers that refuse | `given` |
//! | the console's files | `page/`, sent by `console` |
pub mod accounts;
mod answers;
mod asked;
mod attempts;
mod console;
mod counts;
mod devices;
pub mod door;
mod entering;
mod evidence;
mod explain;
pub mod given;
mod going;
mod link;
mod links;
mod login;
mod machine;
pub mod members;
#[cfg(feature = "openapi")]
pub mod openapi;
mod orders;
mod passwords;
mod routes;
mod session;
mod shared;
mod shelf;
mod turns;
mod visitor;

use crate::boards::Boards;
use crate::boards::asked::{Answering, Reply, Unanswered};
use crate::hub::Hub;
use axum::{Router, middleware};
use counts::Counts;
use door::Door;
use flagfall_journal::Journal;
use shared::Shared;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};
use std::time::Duration;
use turns::Turns;
pub use visitor::Who;

/// What the routes are made of.
pub struct Office {
    /// Where events go.
    pub hub: Arc<Hub>,
    /// Where entries go.
    pub boards: Boards,
    /// Who may come in.
    pub door: Door,
    /// Where evidence is, if it is kept.
    pub journal: Option<Arc<Journal>>,
    /// This very program, to explain moves beside it; without it nothing is explained here.
    pub program: Option<PathBuf>,
    /// Routes of other rooms for operators; nobody without an account comes to them.
    pub operators: Router,
    /// Routes of other rooms for arbiters; they find [`Who`] in the request.
    pub arbiters: Router,
    /// Routes that tell of boards for everybody …
    pub guests: Router,
    /// … while this says so; else only who has an account may see any.
    pub open: Arc<AtomicBool>,
}

/// Everything below `/api/v1/arbiter`, the console, and what guests may see. The event streams end with the door.
pub fn router(office: Office) -> Router {
    let Office { hub, boards, door, journal, program, operators, arbiters, guests, open } = office;
    let counts = Counts::new(hub.metrics());
    let shared = Arc::new(Shared { open, hub, boards, door, turns: Turns::new(), counts, journal, reading: shelf::turns(), program });
    tokio::spawn(sweep(Arc::downgrade(&shared)));
    shared.boards.answer_here(answering(&shared));
    let guard = middleware::from_fn_with_state(shared.clone(), visitor::officials_only);
    let operators = if operators.has_routes() { operators.route_layer(guard) } else { operators };
    let guard = middleware::from_fn_with_state(shared.clone(), visitor::arbiters_only);
    let arbiters = if arbiters.has_routes() { arbiters.route_layer(guard) } else { arbiters };
    let known = middleware::from_fn_with_state(shared.clone(), visitor::officials_or_organiser);
    let guests = if guests.has_routes() { guests.route_layer(known) } else { guests };
    routes::routes(shared, operators.merge(arbiters)).merge(guests)
}

/// Answers a hall's questions, while anybody serves arbiters here.
fn answering(shared: &Arc<Shared>) -> Answering {
    let shared = Arc::downgrade(shared);
    Arc::new(move |board, question| {
        let shared = shared.upgrade();
        Box::pin(async move {
            let ends = || Unanswered { reason: String::from("flagfall is about to end"), hint: String::from("ask again in a moment") };
            let shared = shared.ok_or_else(ends)?;
            Ok(Reply::of(asked::here(&shared, board, question).await).await)
        })
    })
}

/// Ends sessions that are too old, and their streams, and gives back the memory of passwords, while anybody serves them.
async fn sweep(shared: Weak<Shared>) {
    loop {
        tokio::time::sleep(Duration::from_secs(60)).await;
        let Some(shared) = shared.upgrade() else { return };
        shared.door.members().sessions().sweep();
        shared.door.members().accounts().sweep();
    }
}
