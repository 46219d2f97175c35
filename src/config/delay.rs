//! `delay`, `until`, `lan_public`: how far everything public is behind, and whether there is anything public at all.
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use flagfall_events::duration;
use std::ops::Range;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Nothing is held longer, seconds.
pub(super) const LONGEST_S: u64 = 4 * 3600;

/// How far everything public is behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delay {
    /// What is public stood so on the boards this long ago.
    pub by: Duration,
    /// A game appears as a whole, this long after its result.
    pub until_end: bool,
}

impl Delay {
    /// Whether anything is held at all.
    pub const fn is_on(&self) -> bool {
        self.until_end || !self.by.is_zero()
    }

    /// Milliseconds.
    pub fn millis(&self) -> u64 {
        u64::try_from(self.by.as_millis()).unwrap_or(u64::MAX)
    }
}

/// An outlet's own delay beside the general one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct OwnDelay {
    /// What goes out stood so on the boards this long ago.
    pub by: Duration,
    /// It may be ahead of what is public otherwise.
    pub early: bool,
    /// How far what it is made of is behind already; the rest is held on top.
    pub behind: Duration,
    /// What it is made of is not what is public, but what is so on the boards now.
    pub live: bool,
}

impl OwnDelay {
    /// How long is held on top.
    pub const fn held(&self) -> Duration {
        self.by.saturating_sub(self.behind)
    }

    /// The outlet's delay as it was given, beside the general one; a mistake where it is shorter and nobody said that it may be.
    pub(super) fn of(
        reader: &mut Reader<'_>,
        general: Delay,
        (given, early): (Option<Duration>, bool),
        (span, key): (Range<usize>, &str),
    ) -> Self {
        let by = given.unwrap_or(general.by);
        let shorter = by < general.by;
        if shorter && !early {
            let (own, all) = (duration::print(by), duration::print(general.by));
            let text = format!(
                "\"{own}\" is shorter than delay = \"{all}\" at the head of the file, which holds for everything public; leave it out, or add early = true here if this may be seen earlier"
            );
            reader.mistake(span, key, text);
        }
        let live = early && (shorter || general.until_end);
        Self { by, early, behind: if live { Duration::ZERO } else { general.by.min(by) }, live }
    }

    pub(super) fn print(&self, out: &mut String) {
        line(out, "delay", quoted(&duration::print(self.by)));
        if self.early {
            line(out, "early", true);
        }
    }
}

/// The head's `delay` and `until`, before everything that is compared with them.
pub(super) fn read(reader: &mut Reader<'_>, table: &DeTable<'_>) -> Delay {
    let mut delay = Delay::default();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "delay" => delay.by = time(reader, "delay", value).unwrap_or_default(),
            "until" => match value.get_ref().as_str() {
                Some("end") => delay.until_end = true,
                _ => {
                    let text = format!("{} is not \"end\", after which the whole game appears; leave it out otherwise", shown(value));
                    reader.mistake(value.span(), "until", text);
                }
            },
            _ => {}
        }
    }
    delay
}

fn time(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Duration> {
    let read = value.get_ref().as_str().and_then(duration::parse).filter(|time| time.as_secs() <= LONGEST_S);
    if read.is_none() {
        let text = format!("expected a duration with its unit, at most 4h, not {}; for example delay = \"15m\"", shown(value));
        reader.mistake(value.span(), key, text);
    }
    read
}

pub(super) fn print(out: &mut String, delay: &Delay, lan_public: bool) {
    line(out, "delay", quoted(&duration::print(delay.by)));
    if delay.until_end {
        line(out, "until", quoted("end"));
    }
    line(out, "lan_public", lan_public);
}

#[cfg(test)]
mod tests {
    use crate::Config;
    use crate::lichess::Lichess;
    use std::time::Duration;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse("f", text).map_err(|error| error.to_string())
    }

    #[test]
    fn an_outlet_takes_the_general_delay_or_its_own() {
        let round = "[lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\n";
        let own = |text: &str| {
            let config = parse(text).unwrap();
            assert_eq!(parse(&config.to_toml()).unwrap(), config, "{text}");
            let [Lichess::Push(push)] = &config.lichess[..] else { panic!("{text}") };
            push.delay
        };
        let minutes = |n: u64| Duration::from_secs(60 * n);
        let general = own(&format!("delay = \"15m\"\n{round}"));
        assert_eq!((general.by, general.held(), general.live), (minutes(15), minutes(0), false));
        let longer = own(&format!("delay = \"15m\"\n{round}delay = \"20m\"\n"));
        assert_eq!((longer.by, longer.held(), longer.live), (minutes(20), minutes(5), false));
        let early = own(&format!("delay = \"15m\"\n{round}delay = \"5m\"\nearly = true\n"));
        assert_eq!((early.by, early.held(), early.live), (minutes(5), minutes(5), true));
        let alone = own(&format!("{round}delay = \"5m\"\n"));
        assert_eq!((alone.by, alone.held(), alone.live), (minutes(5), minutes(5), false));
    }

    #[test]
    fn what_would_come_earlier_than_the_rest_is_refused_with_its_line_unless_it_is_wanted() {
        for (section, line) in [
            ("[lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\ndelay = \"0s\"\n", 5),
            ("[[upload]]\nkind = \"fs\"\npath = \"/x\"\ndelay = \"1m\"\n", 5),
        ] {
            let text = format!("delay = \"15m\"\n{section}");
            let error = parse(&text).unwrap_err();
            assert!(error.starts_with(&format!("f:{line}: ")) && error.contains("early = true"), "{error}");
            let config = parse(&format!("{text}early = true\n")).unwrap();
            assert!(config.advice().iter().any(|text| text.contains("before")), "{:?}", config.advice());
        }
        let config = parse("delay = \"15m\"\n[[upload]]\nkind = \"fs\"\npath = \"/x\"\n").unwrap();
        assert!(!config.advice().iter().any(|text| text.contains("before")), "{:?}", config.advice());
    }

    #[test]
    fn the_head_says_how_far_behind_the_public_is() {
        let config = parse("delay = \"15m\"\nuntil = \"end\"\nlan_public = false\n").unwrap();
        assert_eq!((config.delay.by, config.delay.until_end, config.lan_public), (Duration::from_secs(900), true, false));
        assert_eq!(parse(&config.to_toml()).unwrap(), config);
        assert!(!parse("").unwrap().delay.is_on());
        for (text, word) in
            [("delay = 15", "15m"), ("delay = \"5h\"", "at most 4h"), ("until = \"now\"", "\"end\""), ("lan_public = 1", "true")]
        {
            let error = parse(&format!("play = \"blitz\"\n{text}\n")).unwrap_err();
            assert!(error.starts_with("f:2: ") && error.contains(word), "{error}");
        }
    }
}
