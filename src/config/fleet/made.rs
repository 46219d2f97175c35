//! From rows to the configuration of a machine; its mistakes are told where the list has them.
use super::super::Config;
use super::super::reader::{Mistake, Reader};
use super::whole::{CA, FOLDER, PASSWORD};
use toml::de::DeValue;
use toml::{Spanned, Table, Value};

pub(super) fn nats(event: &str, servers: &[String], has_ca: bool, name: &str, user: &str) -> Value {
    let mut nats = Table::new();
    let mut put = |key: &str, value: Value| _ = nats.insert(String::from(key), value);
    put("servers", Value::from(servers.to_vec()));
    put("event", Value::from(event));
    put("name", Value::from(name));
    put("user", Value::from(user));
    put("password_file", Value::from(format!("{FOLDER}/{PASSWORD}")));
    if has_ca {
        put("tls_ca", Value::from(format!("{FOLDER}/{CA}")));
    }
    if user == "hall" {
        put("replicas", Value::from(if servers.len() == 3 { 3 } else { 1 }));
    }
    Value::Table(nats)
}

/// What a Pi says of its own goes over what all say.
pub(super) fn merge(whole: &mut Table, own: Option<&Table>) {
    for (key, value) in own.into_iter().flatten() {
        match (whole.get_mut(key), value) {
            (Some(Value::Table(there)), Value::Table(own)) => merge(there, Some(own)),
            _ => _ = whole.insert(key.clone(), value.clone()),
        }
    }
}

/// The text of a configuration; its mistakes are told where the list has them. `parts`: what it was made of, the strongest first.
pub(super) fn checked(reader: &mut Reader<'_>, whole: &Table, parts: &[(&str, Option<&Spanned<DeValue<'_>>>)]) -> String {
    let text = match toml::to_string(whole) {
        Ok(text) => text,
        Err(error) => {
            reader.mistake(0..0, parts.first().map_or("", |part| part.0), format!("{error}; write it otherwise"));
            return String::new();
        }
    };
    let Err(error) = Config::parse("list", &text) else { return text };
    for Mistake { key, text, .. } in error.mistakes {
        let found = parts.iter().find_map(|(part, value)| Some((part, place((*value)?, &key)?)));
        let (part, span) = match found {
            Some((part, span)) => (*part, span),
            None => parts.iter().find_map(|(part, value)| Some((*part, value.as_ref()?.span()))).unwrap_or_default(),
        };
        let before = reader.told(&span, &text);
        if !before {
            reader.mistake(span, &format!("{part}.{key}"), text);
        }
    }
    String::new()
}

/// Where a key such as `web.listen` stands; of a table that is there without the key, the table's own place.
fn place(value: &Spanned<DeValue<'_>>, key: &str) -> Option<std::ops::Range<usize>> {
    let (mut at, mut found) = (value, None);
    for word in key.split('.') {
        let next = match at.get_ref() {
            DeValue::Table(table) => table.get(word),
            DeValue::Array(array) => array.iter().find_map(|item| item.get_ref().get(word)),
            _ => None,
        };
        let Some(next) = next else { break };
        at = next;
        found = Some(next.span());
    }
    found
}
