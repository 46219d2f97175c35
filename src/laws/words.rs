//! Words that sentences of the rulebook share: players, pieces, times, numbers.
use alloc::format;
use alloc::string::String;
use flagfall_events::Colour;
use shakmaty::Role;

/// `White`.
pub(crate) const fn player_en(by: Colour) -> &'static str {
    match by {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// `Белые`, at the beginning of a sentence.
pub(crate) const fn player_ru_first(by: Colour) -> &'static str {
    match by {
        Colour::White => "Белые",
        Colour::Black => "Чёрные",
    }
}

/// `белых`: whose.
pub(crate) const fn of_player_ru(by: Colour) -> &'static str {
    match by {
        Colour::White => "белых",
        Colour::Black => "чёрных",
    }
}

/// `белым`: to whom.
pub(crate) const fn to_player_ru(by: Colour) -> &'static str {
    match by {
        Colour::White => "белым",
        Colour::Black => "чёрным",
    }
}

/// `rook`.
pub(crate) const fn piece_en(piece: Role) -> &'static str {
    match piece {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// `ладья`.
pub(crate) const fn piece_ru(piece: Role) -> &'static str {
    match piece {
        Role::Pawn => "пешка",
        Role::Knight => "конь",
        Role::Bishop => "слон",
        Role::Rook => "ладья",
        Role::Queen => "ферзь",
        Role::King => "король",
    }
}

/// A display, `42:10` or `1:02:10`.
pub(crate) fn display(ms: i64) -> String {
    let s = ms.max(0) / 1000;
    if s >= 3600 { format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60) } else { format!("{}:{:02}", s / 60, s % 60) }
}

/// Whole seconds, `1 second` or `20 seconds`.
pub(crate) fn seconds_en(ms: i64) -> String {
    let s = ms / 1000;
    if s == 1 { String::from("1 second") } else { format!("{s} seconds") }
}

/// Whole seconds, `20 с`.
pub(crate) fn seconds_ru(ms: i64) -> String {
    format!("{} с", ms / 1000)
}

/// Tenths of a second, `0.9 seconds`.
pub(crate) fn tenths_en(ms: u64) -> String {
    format!("{}.{} seconds", ms / 1000, ms / 100 % 10)
}

/// Tenths of a second, `0,9 с`.
pub(crate) fn tenths_ru(ms: u64) -> String {
    format!("{},{} с", ms / 1000, ms / 100 % 10)
}

/// `1 minute`, `3 minutes`.
pub(crate) fn minutes_en(n: u64) -> String {
    if n == 1 { String::from("1 minute") } else { format!("{n} minutes") }
}

/// `1 минуту`, `3 минуты`, `5 минут`: for how long.
pub(crate) fn minutes_ru(n: u64) -> String {
    format!("{n} {}", plural_ru(n, "минуту", "минуты", "минут"))
}

/// The form of a Russian noun that stands after this number.
pub(crate) const fn plural_ru(n: u64, one: &'static str, few: &'static str, many: &'static str) -> &'static str {
    match (n % 10, n % 100) {
        (_, 11..=14) => many,
        (1, _) => one,
        (2..=4, _) => few,
        _ => many,
    }
}

/// The number of a move; plies count from 1 at the game's first move.
pub(crate) const fn move_number(ply: u32, by: Colour) -> u32 {
    match by {
        Colour::White => ply / 2 + 1,
        Colour::Black => ply.div_ceil(2),
    }
}

/// `12. e2-e4` or `12… e7-e5`: a move with its number.
pub(crate) fn numbered(ply: u32, by: Colour, uci: &str) -> String {
    let dots = if by == Colour::White { "." } else { "…" };
    format!("{}{dots} {}", move_number(ply, by), dashed(uci))
}

/// `e2-e4`, `e7-e8Q`.
pub(crate) fn dashed(uci: &str) -> String {
    match (uci.get(..2), uci.get(2..4), uci.get(4..)) {
        (Some(from), Some(to), Some(rest)) => format!("{from}-{to}{}", rest.to_uppercase()),
        _ => String::from(uci),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn russian_numbers_take_the_right_form() {
        let form = |n| plural_ru(n, "поле", "поля", "полей");
        assert_eq!([1, 2, 5, 11, 21, 22, 112].map(form), ["поле", "поля", "полей", "полей", "поле", "поля", "полей"]);
    }

    #[test]
    fn times_read_as_on_a_clock() {
        assert_eq!(display(2_530_000), "42:10");
        assert_eq!(display(3_730_000), "1:02:10");
        assert_eq!(display(9_000), "0:09");
    }
}
