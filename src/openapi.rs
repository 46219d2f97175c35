//! The interface's own description, made from the code of every room; `docs/openapi.json` is the same text, and the one that is served.

/// The description as JSON, ending with a line break.
pub fn text() -> String {
    crate::web::arbiter::openapi::text(crate::feeds::openapi::routes())
}
