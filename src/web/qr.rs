//! QR codes: as a picture for pages, as text for terminals.
use qrcode::{Color, EcLevel, QrCode};
use std::fmt::Write as _;

/// A text that is longer makes a code that no phone reads from a screen, bytes.
const LONGEST: usize = 1000;
/// Readers want so many empty modules around a code.
const QUIET: usize = 4;

/// The modules of a code, row by row; true: dark.
struct Modules {
    dark: Vec<bool>,
    width: usize,
}

impl Modules {
    /// `None` where the text is empty or too long.
    fn of(text: &str) -> Option<Self> {
        if text.is_empty() || text.len() > LONGEST {
            return None;
        }
        let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
        let dark = code.to_colors().into_iter().map(|colour| colour == Color::Dark).collect();
        Some(Self { dark, width: code.width() })
    }

    /// Counted with the empty modules around the code.
    fn is_dark(&self, x: usize, y: usize) -> bool {
        let inside = |at: usize| at.checked_sub(QUIET).filter(|at| *at < self.width);
        let (Some(x), Some(y)) = (inside(x), inside(y)) else { return false };
        self.dark.get(y * self.width + x).copied().unwrap_or(false)
    }

    const fn side(&self) -> usize {
        self.width + 2 * QUIET
    }
}

/// A picture, black on white whatever the page's colours are; `None` where the text is empty or longer than 1,000 bytes.
pub fn svg(text: &str) -> Option<String> {
    let modules = Modules::of(text)?;
    let side = modules.side();
    let mut path = String::new();
    for y in 0..side {
        for x in (0..side).filter(|x| modules.is_dark(*x, y)) {
            // Writing to a String cannot fail.
            let _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
<rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/><path d=\"{path}\" fill=\"#000\"/></svg>\n"
    ))
}

/// Lines for a terminal, two rows of modules in each: black on white by its own colours, so that it is read on dark terminals, too.
pub fn terminal(text: &str) -> Option<String> {
    let modules = Modules::of(text)?;
    let side = modules.side();
    let mut lines = String::new();
    for y in (0..side).step_by(2) {
        lines.push_str("\x1b[30;107m");
        for x in 0..side {
            lines.push(match (modules.is_dark(x, y), modules.is_dark(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        lines.push_str("\x1b[0m\n");
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_and_lines_show_the_same_modules() {
        let modules = Modules::of("https://boards.club.example/").unwrap();
        let dark = modules.dark.iter().filter(|dark| **dark).count();
        assert!(dark > 200);
        assert_eq!(svg("https://boards.club.example/").unwrap().matches("h1v1h-1z").count(), dark);
        let lines = terminal("https://boards.club.example/").unwrap();
        let count = |wanted: char| lines.chars().filter(|c| *c == wanted).count();
        assert_eq!(2 * count('█') + count('▀') + count('▄'), dark);
        assert_eq!(lines.lines().count(), modules.side().div_ceil(2));
    }

    #[test]
    fn the_quiet_zone_is_quiet_and_the_finder_is_where_readers_look() {
        let modules = Modules::of("x").unwrap();
        assert!((0..modules.side()).all(|i| !modules.is_dark(i, QUIET - 1) && !modules.is_dark(QUIET - 1, i)));
        assert!((0..7).all(|i| modules.is_dark(QUIET + i, QUIET) && modules.is_dark(QUIET, QUIET + i)));
    }

    #[test]
    fn what_no_phone_reads_is_no_code() {
        assert!(svg("").is_none() && terminal("").is_none());
        assert!(svg(&"x".repeat(LONGEST)).is_some());
        assert!(svg(&"x".repeat(LONGEST + 1)).is_none());
    }
}
