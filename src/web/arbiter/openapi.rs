//! The interface's own description, made from the code; `docs/openapi.json` is the same text, and the one that is served.
use super::answers::{Conflict, Taken, Waits};
use super::{evidence, going, link, login, machine, orders, routes};
use crate::boards::preview::Preview;
use crate::boards::ruled::Happened;
use crate::operator;
use crate::public as web;
use utoipa::openapi::RefOr;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

#[derive(OpenApi)]
#[openapi(
    info(title = "flagfall", description = "Boards, findings and rulings. Fields and types that a reader does not know must be ignored."),
    paths(
        web::boards, web::board, web::board_events, web::all_events, web::board_pgn, web::health, web::metrics,
        login::login, login::logout, login::me, link::login_by_link, link::make_link, machine::list, machine::set, machine::remove,
        routes::hall, routes::boards, routes::board, routes::all_events, routes::board_events, routes::findings, routes::finding,
        routes::claims, routes::touched, routes::clock_sheet, routes::entries, routes::preview,
        evidence::evidence, evidence::finding_film, evidence::ply_film, evidence::report, evidence::explanation, going::going,
        orders::rule, orders::report, orders::set_clock, orders::set_position, orders::result, orders::moves, orders::new_game, orders::withdraw,
        web::all_metrics, web::whole_health, operator::boards::list, operator::share::addresses, operator::share::qr,
    ),
    components(schemas(flagfall_events::Event, Conflict, Happened, Preview, Taken, Waits)),
    tags(
        (name = "public", description = "Everybody's"),
        (name = "accounts", description = "Coming and going"),
        (name = "boards", description = "What arbiters and operators see"),
        (name = "rulings", description = "What arbiters enter"),
        (name = "broadcast", description = "Operators' hand on alarms, rounds and feeds"),
        (name = "results", description = "What operators may enter, too"),
    ),
    modifiers(&Locks)
)]
struct Interface;

/// How a caller shows who it is.
struct Locks;

impl Modify for Locks {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        document.info.license = None;
        let components = document.components.get_or_insert_default();
        let cookie = ApiKey::Cookie(ApiKeyValue::new(super::door::COOKIE));
        components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
        components.add_security_scheme("token", SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build()));
    }
}

/// Says of every answer what it means: OpenAPI wants it, and most say the same.
struct Described;

impl Modify for Described {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        for item in document.paths.paths.values_mut() {
            for operation in [&mut item.get, &mut item.post, &mut item.put, &mut item.delete].into_iter().flatten() {
                let asked = operation.summary.clone().unwrap_or_default();
                for (status, answer) in &mut operation.responses.responses {
                    if let RefOr::T(answer) = answer
                        && answer.description.is_empty()
                    {
                        answer.description = meaning(status).map_or_else(|| asked.clone(), String::from);
                    }
                }
            }
        }
    }
}

/// What a status means everywhere; `None`: what was asked for.
fn meaning(status: &str) -> Option<&'static str> {
    Some(match status {
        "202" => "It was taken and is not carried out yet.",
        "204" => "It is done.",
        "400" => "The body is no JSON, or not what is wanted here.",
        "401" => "Nobody is logged in.",
        "403" => "This role may not.",
        "404" => "There is no such thing.",
        "409" => "Something else happened meanwhile; nothing was changed.",
        "413" => "The body is too large.",
        "415" => "The body is not declared as JSON.",
        "422" => "It cannot be carried out; nothing was changed.",
        "429" => "Too often; try again later.",
        "503" => "The board, or whoever has to carry it out, does not answer now.",
        _ => return None,
    })
}

/// The description as JSON, ending with a line break; `more` describes routes of other rooms.
pub fn text(more: utoipa::openapi::OpenApi) -> String {
    let mut whole = Interface::openapi();
    whole.merge(more);
    Described.modify(&mut whole);
    // Made of our own types at compile time; serde_json cannot refuse it.
    whole.to_pretty_json().unwrap_or_default() + "\n"
}
