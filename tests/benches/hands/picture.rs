//! The calibration as a picture: the share of wrong plies by the lead that they had at the press.
use crate::calibration::{Calibration, MOST, Tally};
use std::fmt::Write as _;

/// The picture, and where its axes are, in pixels.
const SIZE: (f64, f64) = (640.0, 420.0);
const LEFT: f64 = 78.0;
const RIGHT: f64 = 624.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 362.0;
/// Powers of ten at the ends of the vertical axis.
const POWERS: (i32, i32) = (-6, 0);
/// What a share lies above or below with a probability of five percent each.
const TAIL: f64 = 0.05;

/// Boards that most halls have, and the others.
const USUAL: &str = "#1f5fa8";
const OTHERS: &str = "#c9701a";

/// The picture as SVG.
pub(crate) fn svg(calibration: &Calibration) -> String {
    let (usual, others) = calibration.by_board();
    let plies: u64 = usual.values().chain(others.values()).map(|tally| tally.plies).sum();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        SIZE.0, SIZE.1
    );
    label(
        &mut svg,
        (LEFT, 20.0),
        "start",
        &format!("How often the ply that leads at the press is another one ({} plies)", thousands(plies)),
    );
    axes(&mut svg);
    let mut line = String::new();
    for step in 0..=MOST * 4 {
        let lead = f64::from(step) / 4.0;
        let share = 1.0 / (1.0 + lead.exp());
        if share >= 10f64.powi(POWERS.0) {
            let _ = write!(line, "{:.1},{:.1} ", x(lead), y(share));
        }
    }
    let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"#888\" stroke-dasharray=\"5 4\"/>", line.trim_end());
    others.iter().for_each(|(bin, tally)| point(&mut svg, f64::from(*bin) + 0.62, *tally, OTHERS));
    usual.iter().for_each(|(bin, tally)| point(&mut svg, f64::from(*bin) + 0.38, *tally, USUAL));
    key(&mut svg);
    svg.push_str("</svg>\n");
    svg
}

fn x(lead: f64) -> f64 {
    LEFT + (RIGHT - LEFT) * lead / f64::from(MOST + 1)
}

fn y(share: f64) -> f64 {
    let part = (share.log10() - f64::from(POWERS.0)) / f64::from(POWERS.1 - POWERS.0);
    BOTTOM - (BOTTOM - TOP) * part.clamp(0.0, 1.0)
}

fn label(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

fn stroke(svg: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
    let _ = writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>");
}

fn axes(svg: &mut String) {
    for power in POWERS.0..=POWERS.1 {
        let at = y(10f64.powi(power));
        stroke(svg, (LEFT, at), (RIGHT, at), "#ddd");
        let digits = usize::try_from(-power - 2).unwrap_or(0);
        label(svg, (LEFT - 8.0, at + 4.5), "end", &format!("{:.digits$} %", 10f64.powi(power + 2)));
    }
    for lead in (0..=MOST).step_by(2) {
        stroke(svg, (x(f64::from(lead)), BOTTOM), (x(f64::from(lead)), BOTTOM + 5.0), "#222");
        label(svg, (x(f64::from(lead)), BOTTOM + 20.0), "middle", &lead.to_string());
    }
    stroke(svg, (LEFT, BOTTOM), (RIGHT, BOTTOM), "#222");
    stroke(svg, (LEFT, BOTTOM), (LEFT, TOP), "#222");
    label(svg, ((LEFT + RIGHT) / 2.0, BOTTOM + 42.0), "middle", &format!("lead at the press, nats (the last bin: {MOST} and more)"));
    label(svg, (LEFT, TOP - 9.0), "start", "share of wrong plies");
}

/// One bin: its share with the bar in which it lies; without a wrong ply there is only the bound.
fn point(svg: &mut String, lead: f64, tally: Tally, colour: &str) {
    let (at, plies) = (x(lead), tally.plies as f64);
    let (least, most) = bounds(tally.wrong);
    stroke(svg, (at - 4.0, y(most / plies)), (at + 4.0, y(most / plies)), colour);
    if tally.wrong == 0 {
        // An arrow down from the bound.
        let below = y(most / plies) + 12.0;
        stroke(svg, (at, y(most / plies)), (at, below), colour);
        stroke(svg, (at - 3.0, below - 4.0), (at, below), colour);
        stroke(svg, (at + 3.0, below - 4.0), (at, below), colour);
    } else {
        stroke(svg, (at, y(least / plies)), (at, y(most / plies)), colour);
        stroke(svg, (at - 4.0, y(least / plies)), (at + 4.0, y(least / plies)), colour);
        dot(svg, (at, y(tally.wrong as f64 / plies)), colour);
    }
}

fn dot(svg: &mut String, (x, y): (f64, f64), colour: &str) {
    let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>");
}

fn key(svg: &mut String) {
    let (left, top) = (RIGHT - 300.0, TOP + 6.0);
    let _ = writeln!(svg, "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"300\" height=\"84\" fill=\"#fff\" stroke=\"#ddd\"/>");
    for (n, colour, text) in [(0.0, USUAL, "usual boards, 90 % interval (Poisson)"), (1.0, OTHERS, "scan of 440 ms, or occupancy only")] {
        let at = top + 14.0 + 19.0 * n;
        dot(svg, (left + 20.0, at), colour);
        stroke(svg, (left + 20.0, at - 8.0), (left + 20.0, at + 8.0), colour);
        label(svg, (left + 40.0, at + 4.5), "start", text);
    }
    label(svg, (left + 13.0, top + 56.0), "start", "↓");
    label(svg, (left + 40.0, top + 56.5), "start", "no wrong ply: below");
    let at = top + 70.0;
    let (from, to) = (left + 6.0, left + 34.0);
    let _ = writeln!(svg, "<path d=\"M{from:.1} {at:.1}H{to:.1}\" stroke=\"#888\" stroke-dasharray=\"5 4\"/>");
    label(svg, (left + 40.0, at + 4.5), "start", "the lead as odds: 1 / (1 + e^lead)");
}

/// Between these lies the number that is expected where so many were counted, but for [`TAIL`] at each end.
fn bounds(counted: u64) -> (f64, f64) {
    let least = if counted == 0 { 0.0 } else { solve(|expected| 1.0 - at_most(counted - 1, expected) < TAIL) };
    (least, solve(|expected| at_most(counted, expected) > TAIL))
}

/// The probability that no more than so many are counted where this number is expected.
fn at_most(counted: u64, expected: f64) -> f64 {
    let mut log = -expected;
    let mut sum = 0.0;
    for n in 0..=counted {
        if n > 0 {
            log += expected.ln() - (n as f64).ln();
        }
        sum += log.exp();
    }
    sum
}

/// The largest number for which it holds.
fn solve(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while holds(high) {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}
