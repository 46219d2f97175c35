//! `[ble]`: what Bluetooth LE boards need besides their `[[board]]`.
use super::quoted::{line, quoted};
use super::reader::Reader;
use dgt_protocol::pegasus::DeveloperKey;
use std::fs;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::DeValue;

const KEYS: [&str; 2] = ["key_file", "adapter"];

/// `[ble]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ble {
    /// A file that holds the developer key, so that neither this file nor what is printed of it gives it away.
    pub key_file: Option<PathBuf>,
    /// The adapter to use, `hci0`; without it the first.
    pub adapter: Option<String>,
}

impl Ble {
    /// The developer key, if there is a file.
    ///
    /// # Errors
    /// The file cannot be read or holds no key; what to do, without the key.
    pub fn key(&self) -> Result<Option<DeveloperKey>, String> {
        let Some(file) = &self.key_file else { return Ok(None) };
        let shown = file.display();
        let text = fs::read_to_string(file).map_err(|error| {
            format!(
                "ble.key_file: {shown}: {error}; put the six bytes of the key there as twelve hexadecimal digits, readable for this user"
            )
        })?;
        let key = text.parse().map_err(|error| format!("ble.key_file: {shown}: {error}, for example 0A1B2C3D4E5F"))?;
        Ok(Some(key))
    }
}

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Ble {
    let mut ble = Ble::default();
    reader.section("ble", value, &KEYS, |reader, name, key, value| match name {
        "key_file" => ble.key_file = reader.path(key, value),
        _ => {
            let fits = |s: &&str| s.strip_prefix("hci").is_some_and(|n| n.parse::<u16>().is_ok());
            ble.adapter = value.get_ref().as_str().filter(fits).map(String::from);
            if ble.adapter.is_none() {
                reader.mistake(
                    value.span(),
                    key,
                    "expected an adapter as `bluetoothctl list` numbers them; for example adapter = \"hci0\"",
                );
            }
        }
    });
    ble
}

pub(super) fn print(out: &mut String, ble: &Ble) {
    if *ble == Ble::default() {
        return;
    }
    out.push_str("\n[ble]\n");
    if let Some(file) = &ble.key_file {
        line(out, "key_file", quoted(&file.display().to_string()));
    }
    if let Some(adapter) = &ble.adapter {
        line(out, "adapter", quoted(adapter));
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn the_key_comes_from_its_file_and_is_printed_nowhere() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "0a1b 2c3d 4e5f\n").unwrap();
        let config = Config::parse("f", &format!("[ble]\nkey_file = \"{}\"\n", file.path().display())).unwrap();
        let key = config.ble.key().unwrap().unwrap();
        assert_eq!(key, "0A1B2C3D4E5F".parse().unwrap());
        let shown = format!("{} {config:?} {key:?}", config.to_toml()).to_lowercase();
        assert!(!shown.contains("1b") || !shown.contains("2c3d"), "{shown}");
        std::fs::write(file.path(), "0a1b").unwrap();
        assert!(config.ble.key().unwrap_err().contains("twelve hexadecimal digits"));
        drop(file);
        assert!(config.ble.key().unwrap_err().starts_with("ble.key_file: "));
        assert_eq!(Config::default().ble.key(), Ok(None));
    }

    #[test]
    fn mistakes_come_with_their_line() {
        let error = Config::parse("f", "[ble]\nadapter = \"usb\"\nkey = \"01\"\n").unwrap_err();
        let lines: Vec<_> = error.mistakes.iter().map(|m| m.line).collect();
        assert_eq!(lines, [2, 3], "{error}");
    }
}
