//! What clients ask: one JSON object a frame, read leniently, answered strictly.
//!
//! Pure.
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// An id as the client wrote it, to be echoed letter by letter: `1`, `1.0` and `"1"` come back as they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Id {
    text: String,
    key: String,
}

impl Id {
    /// The id of a call that has none.
    pub(crate) fn null() -> Self {
        Self { text: String::from("null"), key: String::new() }
    }

    /// Numbers and strings only.
    fn read(raw: &RawValue) -> Option<Self> {
        let key = match serde_json::from_str(raw.get()).ok()? {
            Value::String(text) => format!("s{text}"),
            Value::Number(n) => match (n.as_i64(), n.as_u64(), n.as_f64()) {
                (Some(n), ..) => format!("n{n}"),
                (_, Some(n), _) => format!("n{n}"),
                // 2.0 names the same feed as 2.
                (.., Some(f)) => format!("n{f}"),
                _ => return None,
            },
            _ => return None,
        };
        Some(Self { text: raw.get().to_owned(), key })
    }

    /// JSON.
    pub(crate) fn as_json(&self) -> &str {
        &self.text
    }

    /// Whether both name the same feed.
    pub(crate) fn names(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// What a client wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    EBoards,
    Sources,
    Subscribe { feed: Id, serialnr: String },
    Unsubscribe { feed: Id },
    Setup { feed: Id, fen: String },
    Flip { feed: Id, flip: bool },
}

#[derive(Deserialize)]
struct Raw<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(default)]
    call: Value,
    #[serde(borrow, default)]
    param: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct FeedCall<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(default)]
    feed: Value,
    #[serde(default)]
    method: Value,
    #[serde(default)]
    param: Value,
}

/// Reads one frame: the id to answer with, and the call or what is wrong with it.
pub(crate) fn read(text: &str) -> (Id, Result<Call, String>) {
    if !text.trim_start().starts_with('{') {
        return (Id::null(), Err(String::from("expected a JSON object: {\"id\":1,\"call\":\"eboards\"}")));
    }
    let raw: Raw<'_> = match serde_json::from_str(text) {
        Ok(raw) => raw,
        Err(error) => return (Id::null(), Err(format!("cannot be read: {error}"))),
    };
    match raw.id.map(Id::read) {
        None => (Id::null(), call(&raw)),
        Some(Some(id)) => (id, call(&raw)),
        Some(None) => (Id::null(), Err(String::from("id must be a number or a string"))),
    }
}

fn call(raw: &Raw<'_>) -> Result<Call, String> {
    match raw.call.as_str() {
        Some("eboards") => Ok(Call::EBoards),
        Some("sources") => Ok(Call::Sources),
        Some("subscribe") => subscribe(&inner(raw, "subscribe")?),
        Some("unsubscribe") => Ok(Call::Unsubscribe { feed: feed_id(&inner(raw, "unsubscribe")?)? }),
        Some("call") => method(&inner(raw, "call")?),
        Some(other) => {
            let other: String = other.chars().take(40).collect();
            Err(format!("unknown call {other:?}; there are eboards, sources, subscribe, unsubscribe and call"))
        }
        None => Err(String::from("\"call\" must be one of eboards, sources, subscribe, unsubscribe, call")),
    }
}

fn inner<'a>(raw: &Raw<'a>, call: &str) -> Result<FeedCall<'a>, String> {
    let param = raw.param.map(RawValue::get).filter(|text| text.trim_start().starts_with('{'));
    let read = param.and_then(|text| serde_json::from_str(text).ok());
    read.ok_or_else(|| format!("{call} wants an object as param"))
}

fn feed_id(param: &FeedCall<'_>) -> Result<Id, String> {
    param.id.and_then(Id::read).ok_or_else(|| String::from("param.id must be the feed's id, a number or a string of your choice"))
}

fn subscribe(param: &FeedCall<'_>) -> Result<Call, String> {
    if param.feed.as_str() != Some("eboardevent") {
        return Err(String::from("param.feed must be \"eboardevent\""));
    }
    let feed = feed_id(param)?;
    let serialnr = match param.param.get("serialnr") {
        Some(Value::String(text)) => text.clone(),
        // Some home-made clients send digits.
        Some(Value::Number(n)) => n.to_string(),
        _ => return Err(String::from("param.param.serialnr must be the serial number of a board as eboards lists it")),
    };
    Ok(Call::Subscribe { feed, serialnr })
}

fn method(param: &FeedCall<'_>) -> Result<Call, String> {
    let feed = feed_id(param)?;
    match param.method.as_str() {
        Some("setup") => match param.param.get("fen").and_then(Value::as_str) {
            Some(fen) => Ok(Call::Setup { feed, fen: fen.trim().to_owned() }),
            None => Err(String::from("setup wants param.param.fen, a full FEN")),
        },
        Some("flip") => match param.param.get("flip").and_then(Value::as_bool) {
            Some(flip) => Ok(Call::Flip { feed, flip }),
            None => Err(String::from("flip wants param.param.flip, true or false")),
        },
        _ => Err(String::from("param.method must be setup or flip")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_as_they_were_written() {
        for text in ["0", "7", "-3", "1.0", "1e2", "18446744073709551615", "\"1\"", "\"a\\u00e9\\n\"", "123456789012345678901234567890"] {
            let (id, call) = read(&format!("{{\"id\": {text} ,\"call\":\"eboards\"}}"));
            assert_eq!(id.as_json(), text);
            assert_eq!(call, Ok(Call::EBoards));
        }
        for (text, id) in [("null", "null"), ("true", "null"), ("[1]", "null"), ("{}", "null")] {
            assert_eq!(read(&format!("{{\"id\":{text},\"call\":\"eboards\"}}")).0.as_json(), id);
        }
    }

    #[test]
    fn a_feed_is_named_by_value_not_by_spelling() {
        let id = |text: &str| Id::read(serde_json::from_str(text).unwrap()).unwrap();
        assert!(id("2").names(&id("2.0")));
        assert!(!id("2").names(&id("\"2\"")));
        assert!(!id("2").names(&id("3")));
    }

    #[test]
    fn what_home_made_clients_send_is_an_error_with_their_id() {
        for (text, word) in [
            (r#"{"id":5,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{}}}"#, "serialnr"),
            (r#"{"id":5,"call":"subscribe"}"#, "object"),
            (r#"{"id":5,"call":"feed","param":{"id":1}}"#, "unknown call"),
            (r#"{"id":5,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"board":true}}}"#, "serialnr"),
            (r#"{"id":5,"call":"call","param":{"id":1,"method":"setup","param":{"fen":7}}}"#, "FEN"),
            (r#"{"id":5,"call":"call","param":{"id":1,"method":"start"}}"#, "setup or flip"),
            (r#"{"id":5,"call":"unsubscribe","param":[1]}"#, "object"),
            (r#"{"id":5,"call":17}"#, "\"call\""),
            (r#"{"id":5}"#, "\"call\""),
        ] {
            let (id, call) = read(text);
            assert_eq!(id.as_json(), "5", "{text}");
            let message = call.unwrap_err();
            assert!(message.contains(word), "{text}: {message}");
        }
        for text in ["", "[]", "[1,\"eboards\"]", "nonsense", "{", "{\"id\":1,\"call\":\"eboards\"", "\"eboards\"", "null"] {
            let (id, call) = read(text);
            assert_eq!(id.as_json(), "null", "{text}");
            assert!(call.is_err(), "{text}");
        }
    }
}
