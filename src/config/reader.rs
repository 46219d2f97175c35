//! What reads values out of TOML and collects the mistakes, each with its line.
use std::fmt;
use std::net::SocketAddr;
use std::ops::Range;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One mistake in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// From 1.
    pub line: usize,
    /// The key with its table, `web.listen`; empty for a syntax error.
    pub key: String,
    /// What is wrong, what was expected, and an example.
    pub text: String,
}

/// A configuration with mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file's name as given.
    pub file: String,
    /// In the order of their lines; never empty.
    pub mistakes: Vec<Mistake>,
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    /// One line a mistake: `FILE:LINE: KEY: what, what was expected, example`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Mistake { line, key, text }) in self.mistakes.iter().enumerate() {
            let (end, colon) = (if i > 0 { "\n" } else { "" }, if key.is_empty() { "" } else { ": " });
            write!(f, "{end}{}:{line}: {key}{colon}{text}", self.file)?;
        }
        Ok(())
    }
}

pub(super) struct Reader<'t> {
    text: &'t str,
    mistakes: Vec<Mistake>,
}

impl<'t> Reader<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, mistakes: Vec::new() }
    }

    /// The mistakes in the order of their lines.
    pub(super) fn into_mistakes(mut self) -> Vec<Mistake> {
        self.mistakes.sort_by_key(|m| m.line);
        self.mistakes
    }
}

impl Reader<'_> {
    pub(super) fn line(&self, at: usize) -> usize {
        1 + self.text.as_bytes().iter().take(at).filter(|b| **b == b'\n').count()
    }

    /// How many mistakes were found so far.
    pub(super) const fn mistakes(&self) -> usize {
        self.mistakes.len()
    }

    pub(super) fn mistake(&mut self, span: Range<usize>, key: &str, text: impl Into<String>) {
        let line = self.line(span.start);
        self.mistakes.push(Mistake { line, key: String::from(key), text: text.into() });
    }

    /// Whether this was said of this place already.
    pub(super) fn told(&self, span: &Range<usize>, text: &str) -> bool {
        let line = self.line(span.start);
        self.mistakes.iter().any(|mistake| mistake.line == line && mistake.text == text)
    }

    /// A table of a fixed set of keys.
    pub(super) fn section(
        &mut self,
        section: &str,
        value: &Spanned<DeValue<'_>>,
        known: &[&str],
        mut each: impl FnMut(&mut Self, &str, &str, &Spanned<DeValue<'_>>),
    ) {
        let DeValue::Table(table) = value.get_ref() else {
            return self.mistake(value.span(), section, format!("expected a table; write [{section}] on a line of its own"));
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let full = format!("{section}.{name}");
            if known.contains(&name) {
                each(self, name, &full, value);
            } else {
                self.unknown(key.span(), &full, name, known.iter().copied());
            }
        }
    }

    /// `[name]` once or `[[name]]` any number of times, each with its place in the text.
    pub(super) fn tables<'v, 't>(&mut self, name: &str, value: &'v Spanned<DeValue<'t>>) -> Vec<(Range<usize>, &'v DeTable<'t>)> {
        let items: Vec<_> = match value.get_ref() {
            DeValue::Table(table) => return vec![(value.span(), table)],
            DeValue::Array(array) => array.iter().collect(),
            _ => vec![value],
        };
        let mut tables = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::Table(table) => tables.push((item.span(), table)),
                _ => self.mistake(item.span(), name, format!("expected a table; write [{name}], or [[{name}]] before each of several")),
            }
        }
        tables
    }

    pub(super) fn twice(&mut self, earlier: Option<usize>, value: &Spanned<DeValue<'_>>, key: &str, remedy: &str) {
        if let Some(line) = earlier {
            self.mistake(value.span(), key, format!("{} is already in line {line}; {remedy}", shown(value)));
        }
    }

    pub(super) fn unknown<'k>(&mut self, span: Range<usize>, full: &str, name: &str, known: impl Iterator<Item = &'k str>) {
        let known: Vec<_> = known.collect();
        let plain = name.replace('-', "_").to_lowercase();
        let hint = match known.iter().find(|k| **k == plain || k.starts_with(&plain) || plain.starts_with(**k)) {
            Some(near) => format!("perhaps {near} is meant"),
            None => format!("expected one of {}", known.join(", ")),
        };
        self.mistake(span, full, format!("there is no such key; {hint}"));
    }

    pub(super) fn path(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<PathBuf> {
        let path = value.get_ref().as_str().filter(|s| !s.is_empty()).map(PathBuf::from);
        if path.is_none() {
            self.mistake(value.span(), key, format!("{} is no folder; for example {key} = \"/var/lib/flagfall\"", shown(value)));
        }
        path
    }

    pub(super) fn address(&mut self, key: &str, value: &Spanned<DeValue<'_>>, example: &str) -> Option<SocketAddr> {
        let address = value.get_ref().as_str().and_then(|s| s.parse().ok());
        if address.is_none() {
            self.mistake(value.span(), key, format!("{} is no address with a port; for example listen = \"{example}\"", shown(value)));
        }
        address
    }

    pub(super) fn flag(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            let name = key.rsplit('.').next().unwrap_or(key);
            self.mistake(value.span(), key, format!("{} is not true or false; for example {name} = true", shown(value)));
        }
        flag
    }
}

/// A value as the file has it, or what kind of thing it is.
pub(super) fn shown(value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        DeValue::String(s) => format!("{s:?}"),
        DeValue::Integer(n) => n.to_string(),
        DeValue::Float(n) => n.to_string(),
        DeValue::Boolean(b) => b.to_string(),
        DeValue::Datetime(d) => d.to_string(),
        DeValue::Array(_) => String::from("a list"),
        DeValue::Table(_) => String::from("a table"),
    }
}
