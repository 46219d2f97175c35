//! A position as SVG, with the page's own pieces. Marks differ in form, not only in colour.
use std::fmt::Write as _;

/// The drawing of the pieces, as the page has it.
const PIECES: &str = include_str!("../../web/page/pieces.svg");
const UNIT: i32 = 64;

/// What to draw.
#[derive(Clone, Debug, Default)]
pub struct Diagram<'a> {
    /// FEN, of which the first field counts.
    pub fen: &'a str,
    /// Squares to frame, by name.
    pub marked: Vec<String>,
    /// A move to point at, UCI.
    pub arrow: Option<&'a str>,
    /// Read out instead of the picture.
    pub label: &'a str,
}

/// The shapes, to stand once in a document that has diagrams.
pub fn shapes() -> String {
    let from = PIECES.find("<defs>").unwrap_or_default();
    let to = PIECES.find("</defs>").map_or(PIECES.len(), |at| at + "</defs>".len());
    format!("<svg width=\"0\" height=\"0\" aria-hidden=\"true\">{}</svg>", PIECES.get(from..to).unwrap_or_default())
}

/// The picture; `None` where the first field is no placement.
pub fn svg(diagram: &Diagram<'_>) -> Option<String> {
    let squares = placement(diagram.fen)?;
    let mut out =
        format!("<svg viewBox=\"0 0 512 512\" class=\"board\" role=\"img\" aria-label=\"{}\">", super::markup::escaped(diagram.label));
    out.push_str("<rect width=\"512\" height=\"512\" class=\"light\"/><path class=\"dark\" d=\"");
    for at in (0..64).filter(|at| (at + at / 8) % 2 == 1) {
        _ = write!(out, "M{} {}h64v64h-64z", at % 8 * UNIT, at / 8 * UNIT);
    }
    out.push_str("\"/>");
    for n in 0..8 {
        let (rank, file) = (8 - n, char::from(b'a' + u8::try_from(n).unwrap_or(0)));
        _ = write!(
            out,
            "<text x=\"3\" y=\"{}\">{rank}</text><text x=\"{}\" y=\"509\" text-anchor=\"end\">{file}</text>",
            n * UNIT + 13,
            (n + 1) * UNIT - 3
        );
    }
    for at in diagram.marked.iter().filter_map(|name| square(name)) {
        let (x, y) = (at % 8 * UNIT, at / 8 * UNIT);
        _ = write!(out, "<rect x=\"{}\" y=\"{}\" width=\"58\" height=\"58\" rx=\"4\" class=\"mark\"/>", x + 3, y + 3);
    }
    for (at, piece) in (0..64).zip(squares) {
        if piece != '.' {
            let kind = piece.to_ascii_lowercase();
            let colour = if piece.is_ascii_uppercase() { 'w' } else { 'b' };
            // The page's pieces are drawn on 70 units with a border of 3 and 2.5.
            _ = write!(
                out,
                "<g transform=\"translate({},{}) scale(.914) translate(3,2.5)\"><use href=\"#shape-{kind}\" class=\"outline\"/><use href=\"#shape-{kind}\" class=\"{colour}\"/><use href=\"#lines-{kind}\" class=\"{colour}-lines\"/></g>",
                at % 8 * UNIT,
                at / 8 * UNIT
            );
        }
    }
    if let Some((from, to)) = diagram.arrow.and_then(|uci| Some((square(uci.get(..2)?)?, square(uci.get(2..4)?)?))) {
        out.push_str(&arrow(from, to));
    }
    out.push_str("</svg>");
    Some(out)
}

fn arrow(from: i32, to: i32) -> String {
    let middle = |at: i32| (f64::from(at % 8 * UNIT + UNIT / 2), f64::from(at / 8 * UNIT + UNIT / 2));
    let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
    let length = (x2 - x1).hypot(y2 - y1).max(1.0);
    let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
    let (bx, by) = (x2 - ux * 26.0, y2 - uy * 26.0);
    format!(
        "<path class=\"arrow\" d=\"M{:.1} {:.1}L{bx:.1} {by:.1}\"/><path class=\"head\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\"/>",
        x1 + ux * 14.0,
        y1 + uy * 14.0,
        x2 - ux * 4.0,
        y2 - uy * 4.0,
        bx - uy * 14.0,
        by + ux * 14.0,
        bx + uy * 14.0,
        by - ux * 14.0
    )
}

/// 64 letters from a8, `.` for an empty square.
pub fn placement(fen: &str) -> Option<[char; 64]> {
    let mut squares = ['.'; 64];
    let mut at = 0_usize;
    for letter in fen.split(' ').next()?.chars().filter(|letter| *letter != '/') {
        match letter.to_digit(10) {
            Some(gap) => at += usize::try_from(gap).ok()?,
            None if "pnbrqkPNBRQK".contains(letter) => {
                *squares.get_mut(at)? = letter;
                at += 1;
            }
            None => return None,
        }
    }
    (at == 64).then_some(squares)
}

/// The squares on which two placements differ, by name.
pub fn differing(a: &str, b: &str) -> Vec<String> {
    let (Some(a), Some(b)) = (placement(a), placement(b)) else { return Vec::new() };
    (0_u8..64).filter(|at| a[usize::from(*at)] != b[usize::from(*at)]).map(named).collect()
}

/// The name of a square counted from a8.
pub(super) fn named(at: u8) -> String {
    format!("{}{}", char::from(b'a' + at % 8), 8_u8.saturating_sub(at / 8))
}

/// Counted from a8.
fn square(name: &str) -> Option<i32> {
    match name.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(i32::from(b'8' - rank) * 8 + i32::from(file - b'a')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn every_piece_is_drawn_and_marks_are_where_they_belong() {
        let picture = svg(&Diagram { fen: START, marked: vec!["a3".into()], arrow: Some("a1a3"), label: "<found>" }).unwrap();
        assert_eq!(picture.matches("<g transform").count(), 32);
        assert!(picture.contains("<rect x=\"3\" y=\"323\"") && picture.contains("class=\"arrow\"") && picture.contains("&lt;found&gt;"));
        assert!(shapes().contains("shape-k") && shapes().contains("lines-p"));
    }

    #[test]
    fn what_is_no_placement_is_no_picture() {
        for fen in ["", "8/8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNRR", "x7/8/8/8/8/8/8/8", "9/8/8/8/8/8/8/8"] {
            assert!(svg(&Diagram { fen, ..Diagram::default() }).is_none(), "{fen}");
        }
        assert_eq!(differing("8/8/8/8/8/8/8/R7", "8/8/8/8/8/R7/8/8"), ["a3", "a1"]);
    }
}
