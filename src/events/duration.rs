//! Durations as people write them: `30m`, `90s`, `1h30m`.
use alloc::format;
use alloc::string::String;
use core::time::Duration;

/// Hours, minutes and seconds, each at most once and in this order: `1h30m`, `90s`, `0s`. `None` for anything else, and above 1000 hours.
pub fn parse(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total = 0_u64;
    let mut parts = 0;
    for (unit, seconds) in [('h', 3600), ('m', 60), ('s', 1)] {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 && rest[digits..].starts_with(unit) {
            total += rest[..digits].parse::<u64>().ok().filter(|n| *n <= 3_600_000)? * seconds;
            rest = &rest[digits + 1..];
            parts += 1;
        }
    }
    (rest.is_empty() && parts > 0 && total <= 3_600_000).then(|| Duration::from_secs(total))
}

/// The shortest form that [`parse`] reads back; whole seconds.
pub fn print(duration: Duration) -> String {
    let s = duration.as_secs();
    let mut text = String::new();
    for (unit, n) in [('h', s / 3600), ('m', s / 60 % 60), ('s', s % 60)] {
        if n > 0 {
            text.push_str(&format!("{n}{unit}"));
        }
    }
    if text.is_empty() { String::from("0s") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_add_up_and_come_back() {
        for (text, seconds) in [("30m", 1800), ("90s", 90), ("1h30m", 5400), ("0s", 0), ("1h0m5s", 3605), ("2h", 7200)] {
            assert_eq!(parse(text), Some(Duration::from_secs(seconds)), "{text}");
            assert_eq!(parse(&print(Duration::from_secs(seconds))), Some(Duration::from_secs(seconds)));
        }
    }

    #[test]
    fn a_number_without_a_unit_is_refused() {
        for text in ["", "30", "m", "30 m", "m30", "5s3m", "-5m", "1.5h", "9999999999999999999s", "1001h", "3m3m"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
