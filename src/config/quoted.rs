//! Lines and texts of TOML.
use std::fmt::{Display, Write as _};

pub(super) fn line(out: &mut String, key: &str, value: impl Display) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{key} = {value}");
}

pub(super) fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
