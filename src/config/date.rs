//! Days as people write them.

/// `YYYY-MM-DD` from `2026.11.21`, `2026-11-21`, `2026/11/21`, `21.11.2026`, `26/11/21`.
pub fn date(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.trim().split(['.', '-', '/']).map(str::trim).collect();
    let [a, b, c] = parts[..] else { return None };
    let number = |s: &str| s.parse::<i16>().ok();
    let (year, month, day) = match (a.len(), c.len()) {
        (4, _) => (number(a)?, number(b)?, number(c)?),
        (_, 4) => (number(c)?, number(b)?, number(a)?),
        (2, _) => (2000 + number(a)?, number(b)?, number(c)?),
        _ => return None,
    };
    let date = jiff::civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    Some(date.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_the_orders_that_occur() {
        for text in ["2026.11.21", "2026-11-21", "2026/11/21", "21.11.2026", "26/11/21", "21. 11. 2026"] {
            assert_eq!(date(text).as_deref(), Some("2026-11-21"), "{text}");
        }
        for text in ["????.??.??", "Jun 26, 2020", "2026.13.01", ""] {
            assert_eq!(date(text), None, "{text}");
        }
    }
}
