//! Moments as the clock in the hall had them.
use flagfall_events::Wall;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The time zone of the hall.
#[derive(Clone, Debug)]
pub struct Local(TimeZone);

impl Local {
    /// This machine's; UTC where it has none.
    pub fn system() -> Self {
        let zone = TimeZone::system();
        Self(if zone.iana_name().is_some_and(|name| name != "Etc/Unknown") { zone } else { TimeZone::UTC })
    }

    /// The one of this name, `Europe/Berlin`; `None` where there is no such zone.
    pub fn named(name: &str) -> Option<Self> {
        TimeZone::get(name).ok().map(Self)
    }

    fn format(&self, at: Timestamp, format: &str) -> String {
        at.to_zoned(self.0.clone()).strftime(format).to_string()
    }

    /// `18:32:44`.
    pub(super) fn hour(&self, at: Wall) -> String {
        self.format(at.timestamp(), "%H:%M:%S")
    }

    /// `18:32:44.7`, so many milliseconds later; before it they are negative.
    pub(super) fn tenth(&self, at: Wall, ms: i64) -> String {
        let at = at.timestamp().checked_add(jiff::SignedDuration::from_millis(ms)).unwrap_or_else(|_| at.timestamp());
        self.format(at, "%H:%M:%S%.1f")
    }

    /// `2026-11-21 18:32:44`.
    pub(super) fn moment(&self, at: Wall) -> String {
        self.format(at.timestamp(), "%Y-%m-%d %H:%M:%S")
    }

    /// `Europe/Berlin, UTC+01:00`, as it holds then.
    pub(super) fn zone(&self, at: Wall) -> String {
        let offset = self.format(at.timestamp(), "UTC%:z");
        match self.0.iana_name().filter(|name| !["UTC", "Etc/UTC"].contains(name)) {
            Some(name) => format!("{name}, {offset}"),
            None => String::from("UTC"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_hall() {
        let at = Wall::from_timestamp("2026-11-21T23:32:44.731Z".parse().unwrap());
        let berlin = Local::named("Europe/Berlin").unwrap();
        assert_eq!((berlin.moment(at), berlin.zone(at)), (String::from("2026-11-22 00:32:44"), String::from("Europe/Berlin, UTC+01:00")));
        assert_eq!((berlin.tenth(at, -800), berlin.hour(at)), (String::from("00:32:43.9"), String::from("00:32:44")));
        assert_eq!(Local::named("UTC").unwrap().zone(at), "UTC");
        assert!(Local::named("Europe/Nowhere").is_none());
    }
}
