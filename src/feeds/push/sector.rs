//! Which boards are an arbiter's: `1-8, 12`. The page reads it in the same way.

/// Whether a board is one of these; nothing written means all.
pub(super) fn has(sector: &str, board: &str) -> bool {
    let number: Option<u64> = board.parse().ok();
    let mut parts = sector.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).peekable();
    parts.peek().is_none()
        || parts.any(|part| {
            let range = part.split_once(['-', '–', '—']).and_then(|(from, to)| Some((from.trim().parse().ok()?, to.trim().parse().ok()?)));
            match (range, number) {
                (Some((from, to)), Some(number)) => (from..=to).contains(&number),
                _ => part == board || number.is_some() && part.parse().ok() == number,
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_numbers_and_names() {
        let among = |sector: &str| ["1", "8", "9", "12", "A-2"].into_iter().filter(|board| has(sector, board)).collect::<Vec<_>>();
        assert_eq!(among(""), ["1", "8", "9", "12", "A-2"]);
        assert_eq!(among("1-8, 12"), ["1", "8", "12"]);
        assert_eq!(among("A-2; 09"), ["9", "A-2"]);
        assert_eq!(among("8–9"), ["8", "9"]);
        assert_eq!(among("x"), Vec::<&str>::new());
    }
}
