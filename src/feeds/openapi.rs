//! What operators can ask of the feeds, for the interface's description.
use crate::event_info::operator as event;
use crate::{alarms, lichess, ringing, sent, tree};
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    alarms::list,
    alarms::messages,
    event::show,
    event::round,
    event::reload,
    event::pairings,
    event::held,
    event::take_held,
    lichess::operator::status,
    lichess::operator::command,
    ringing::show,
    ringing::subscribe,
    ringing::unsubscribe,
    ringing::code,
    ringing::test,
    sent::list,
    tree::http::event,
    tree::http::round
))]
struct Interface;

/// These routes alone.
pub fn routes() -> utoipa::openapi::OpenApi {
    Interface::openapi()
}
