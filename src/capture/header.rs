//! The header of a capture: what is fixed before the game.
use flagfall_events::Wall;
use flagfall_game::setting;
use flagfall_game::settings::Settings;
use std::fmt;

/// What the `#` lines before the first chunk say.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// `rules`, `play`, `time-control`, `supervision`, `clock-white`, `start-fen`, `default-time`, `start-at`, `board`, `link`.
    pub settings: Settings,
    /// `recorded-at`: the wall time of millisecond 0.
    pub opened_at: Wall,
    /// `lang`: `en` or `ru`, in which language people are addressed.
    pub lang: Option<String>,
}

impl Default for Header {
    fn default() -> Self {
        Self { settings: Settings::default(), opened_at: Wall::EPOCH, lang: None }
    }
}

impl Header {
    /// Takes one comment line without its `#`. Keys that are not known are comments; a known key with a wrong value is an error.
    pub(super) fn read(&mut self, comment: &str) -> Result<(), String> {
        let Some((key, value)) = comment.split_once(':') else { return Ok(()) };
        let (key, value) = (key.trim(), value.trim());
        let name = match key {
            "board" => "kind",
            // The configuration's words that mean something else here, or nothing.
            "kind" => return Ok(()),
            _ if key.contains('_') => return Ok(()),
            _ => key,
        };
        match name {
            "link" => self.settings.link = String::from(value),
            "recorded-at" => self.opened_at = stamp(key, value)?,
            "lang" => match value {
                "en" | "ru" => self.lang = Some(String::from(value)),
                _ => return Err(format!("lang: {value:?} is not known; write en or ru")),
            },
            _ => {
                if let Some(Err(wrong)) = setting::apply(&mut self.settings, name, value) {
                    return Err(format!("{key}: expected {}, not {value:?}; for example `# {key}: {}`", wrong.expected, wrong.example));
                }
            }
        }
        Ok(())
    }
}

fn stamp(key: &str, value: &str) -> Result<Wall, String> {
    let wrong = |_| format!("{key}: {value:?} is no RFC 3339 time; for example `# {key}: 2026-11-21T15:00:00Z`");
    value.parse().map(Wall::from_timestamp).map_err(wrong)
}

impl fmt::Display for Header {
    /// As a capture begins; what has its default is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# flagfall-capture 1")?;
        let defaults = Settings::default();
        for name in setting::NAMES {
            let value = setting::value(&self.settings, name);
            if let Some(value) = value.filter(|value| Some(value) != setting::value(&defaults, name).as_ref()) {
                let key = if name == "kind" { String::from("board") } else { name.replace('_', "-") };
                writeln!(f, "# {key}: {value}")?;
            }
        }
        // How far the sensors lag depends on it.
        if self.settings.link != defaults.link {
            writeln!(f, "# link: {}", self.settings.link)?;
        }
        if self.opened_at != Wall::EPOCH {
            writeln!(f, "# recorded-at: {}", self.opened_at)?;
        }
        if let Some(lang) = &self.lang {
            writeln!(f, "# lang: {lang}")?;
        }
        Ok(())
    }
}
