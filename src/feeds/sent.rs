//! What each outlet that carries something away sent last, and whether viewers have it: one table for operators.
//!
//! `GET /api/v1/operator/outlets`; whoever merges the route checks the role first.
use crate::lichess::{self, Status as Round};
use crate::upload::{self, Status as Target};
use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use flagfall_events::{Wall, Words};
#[cfg(feature = "openapi")]
use flagfall_web::problem::Problem;
use serde::Serialize;

/// One outlet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Outlet {
    /// As alarms name it: `lichess xVEzYJHf`, `upload chess.com`.
    pub outlet: String,
    /// When something of it was taken last.
    pub sent_at: Option<Wall>,
    /// What was sent last, in numbers.
    pub sent: Sent,
    /// The newest state of the record has been taken.
    pub up_to_date: bool,
    /// What is seen there is what was sent, as far as it is due; null: it cannot be known. A round on Lichess is read back; a file counts
    /// as seen when the server has taken it.
    pub equal: Option<bool>,
    /// Where it differs.
    pub differs: Vec<Words>,
    /// What stands in the way, or why it cannot be read back.
    pub trouble: Option<Words>,
}

/// What was sent last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Sent {
    /// A round.
    Round {
        /// Games in it.
        games: usize,
        /// Plies of their main lines.
        plies: usize,
    },
    /// Files.
    Files {
        /// Files that the server is to have.
        files: usize,
        /// Those that it does not have in their newest version.
        waiting: usize,
    },
}

impl From<Round> for Outlet {
    fn from(round: Round) -> Self {
        Self {
            outlet: format!("lichess {}", round.round),
            sent_at: round.sent_at,
            sent: Sent::Round { games: round.games, plies: round.plies },
            up_to_date: round.up_to_date,
            equal: round.equal,
            differs: round.differs,
            trouble: round.failing.or(round.unread),
        }
    }
}

impl From<Target> for Outlet {
    fn from(target: Target) -> Self {
        let up_to_date = target.waiting == 0 && target.taken > 0;
        Self {
            outlet: format!("upload {}", target.name),
            sent_at: target.sent_at,
            sent: Sent::Files { files: target.files, waiting: target.waiting },
            up_to_date,
            equal: (target.taken > 0).then_some(target.waiting == 0),
            differs: Vec::new(),
            // The words are the server's.
            trouble: target.failing.map(|why| Words { en: why.clone(), ru: why }),
        }
    }
}

/// The route.
pub fn routes(rounds: lichess::Handle, targets: upload::Handle) -> Router {
    Router::new().route("/api/v1/operator/outlets", get(list)).with_state((rounds, targets))
}

/// What every outlet sent last, and whether that is what is seen there.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/api/v1/operator/outlets", tag = "broadcast", operation_id = "outlets",
    responses((status = 200, body = [Outlet]), (status = 401, body = Problem), (status = 403, body = Problem))))]
pub(crate) async fn list(State((rounds, targets)): State<(lichess::Handle, upload::Handle)>) -> Json<Vec<Outlet>> {
    let rounds = rounds.status().into_iter().map(Outlet::from);
    Json(rounds.chain(targets.status().into_iter().map(Outlet::from)).collect())
}
