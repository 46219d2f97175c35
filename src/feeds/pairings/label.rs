//! What a list calls a board: its number or name, or in team events match and board, `3.2`.
use std::fmt;

/// A board as a list calls it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label(String);

impl Label {
    /// `07` is board 7; `3.2`, `03-02`, `3/2` and `3:2` are board 2 of match 3.
    pub fn new(text: &str) -> Self {
        let text = text.trim();
        if let Ok(number) = text.parse::<u32>() {
            return Self(number.to_string());
        }
        Self(parts(text).map_or_else(|| String::from(text), |(of, board)| format!("{of}.{board}")))
    }

    /// Board `board` of match `of`.
    pub fn in_match(of: &str, board: &str) -> Self {
        Self::new(&format!("{}.{}", of.trim(), board.trim()))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Match and board of `3.2`, both from 1.
pub fn of_match(label: &str) -> Option<(u32, u32)> {
    parts(label)
}

fn parts(text: &str) -> Option<(u32, u32)> {
    let (of, board) = text.split_once(['.', '-', '/', ':'])?;
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| (1..=9999).contains(n));
    Some((number(of)?, number(board)?))
}

/// 2 before 10, 2.10 before 10.1, numbers before names.
pub(super) fn order(label: &str) -> (u32, u32, String) {
    let plain = label.parse::<u32>().ok().map(|n| (n, 0));
    plain.or_else(|| parts(label)).map_or_else(|| (u32::MAX, 0, label.to_lowercase()), |(of, board)| (of, board, String::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_boards_of_matches() {
        for (text, wanted, of) in [
            ("07", "7", None),
            (" 12 ", "12", None),
            ("3.2", "3.2", Some((3, 2))),
            ("03-02", "3.2", Some((3, 2))),
            ("3/2", "3.2", Some((3, 2))),
            ("3 : 2", "3.2", Some((3, 2))),
            ("A1", "A1", None),
            ("0.1", "0.1", None),
            ("3.2.1", "3.2.1", None),
        ] {
            let label = Label::new(text).to_string();
            assert_eq!((label.as_str(), of_match(&label)), (wanted, of), "{text}");
        }
    }

    #[test]
    fn they_are_put_in_order_by_number() {
        let mut labels = ["B", "10.1", "2.10", "10", "2", "2.9", "a"];
        labels.sort_by_key(|label| order(label));
        assert_eq!(labels, ["2", "2.9", "2.10", "10", "10.1", "a", "B"]);
    }
}
