//! Hypotheses as they are told: what each costs, part by part, and what it says.
use super::found::Found;
use super::words::{kind, letter, nats, odd, player, san, square, uci};
use crate::cli::watch::Lang;
use flagfall_game::believed::Believed;
use flagfall_game::believed::hands::{Hypothesis, Lead, Part, Press};
use serde::Serialize;
use std::collections::BTreeMap;

/// Hypotheses that are told.
const MOST: usize = 8;

/// What was believed at one moment.
#[derive(Debug, Serialize)]
pub(super) struct Readings {
    /// The estimate began behind so many plies.
    pub(super) plies_before: u32,
    /// All that is told with the first one's side of the clock has the same plies up to this one.
    pub(super) same_up_to: u32,
    /// The last one of them.
    pub(super) after: Option<String>,
    /// The cheapest first.
    pub(super) readings: Vec<Told>,
    /// So many more are believed less.
    pub(super) more: usize,
    /// The last ply first.
    pub(super) leads: Vec<LeadTold>,
    /// A lead is never more.
    pub(super) lead_at_most: f64,
}

/// One hypothesis.
#[derive(Debug, Serialize)]
pub(super) struct Told {
    /// By how many nats it is dearer than the first.
    pub(super) dearer: f64,
    /// The same by part.
    pub(super) dearer_by_part: BTreeMap<&'static str, f64>,
    /// What it has cost since the estimate began.
    pub(super) cost: f64,
    pub(super) cost_by_part: BTreeMap<&'static str, f64>,
    /// The cheapest one that has another ply, or none, where the first has the one that is explained.
    pub(super) rival: bool,
    /// The plies that not all have, in order; more of them where it is another line from earlier on.
    pub(super) plies: Vec<PlyTold>,
    /// Presses whose ply is not seen.
    pub(super) owed: u32,
    /// White's side of the clock.
    pub(super) white_clock: &'static str,
    /// Squares that read otherwise than it has them.
    pub(super) disagrees: Vec<OddTold>,
}

/// A ply of a hypothesis.
#[derive(Debug, Serialize)]
pub(super) struct PlyTold {
    pub(super) ply: u32,
    #[serde(skip)]
    pub(super) white: bool,
    pub(super) uci: String,
    pub(super) san: String,
    pub(super) pressed: bool,
}

/// A square that reads otherwise.
#[derive(Debug, Serialize)]
pub(super) struct OddTold {
    square: String,
    kind: &'static str,
    is: Option<char>,
    should: Option<char>,
    #[serde(skip)]
    pub(super) words: String,
}

/// How firmly a ply is believed.
#[derive(Debug, Serialize)]
pub(super) struct LeadTold {
    pub(super) ply: u32,
    #[serde(skip)]
    pub(super) white: bool,
    uci: String,
    pub(super) san: String,
    pub(super) lead: f64,
    pub(super) enough: f64,
    pub(super) certain: bool,
    pressed: bool,
}

impl Readings {
    /// As seen by who asks for this ply.
    pub(super) fn of(believed: &Believed, found: &Found, lang: Lang) -> Self {
        let Believed { before, snapshot } = believed;
        let asked = found.ply.saturating_sub(*before);
        let rival = snapshot.rival(asked);
        let first = snapshot.hypotheses.first();
        let near = |one: &Hypothesis| first.is_some_and(|first| one.cost - first.cost < i64::from(snapshot.most));
        // Of the clock the other way round the best one will do.
        let turned = snapshot.hypotheses.iter().position(|one| first.is_some_and(|first| one.white != first.white));
        let shown: Vec<(bool, &Hypothesis)> = snapshot
            .hypotheses
            .iter()
            .enumerate()
            .filter(|(place, one)| *place < MOST && near(one) || [rival, turned].contains(&Some(*place)))
            .map(|(place, one)| (Some(place) == rival, one))
            .collect();
        let Some((_, best)) = shown.first().copied() else {
            return Self {
                plies_before: *before,
                same_up_to: *before,
                after: None,
                readings: Vec::new(),
                more: 0,
                leads: Vec::new(),
                lead_at_most: nats(i64::from(snapshot.most)),
            };
        };
        let alike = |one: &Hypothesis| one.moves.iter().zip(&best.moves).take_while(|(a, b)| a == b).count();
        // With the clock the other way round everything may be another line from long ago.
        let same = shown.iter().filter(|(_, one)| one.white == best.white).map(|(_, one)| alike(one)).min().unwrap_or(0);
        // What is asked for is told in every case.
        let same = if asked == 0 { same } else { same.min(asked as usize - 1) };
        let words = san(believed, &best.moves);
        let white = |ply: u32| player(found.ply, found.by, ply) == flagfall_events::Colour::White;
        let leads = snapshot.leads.iter().map(|lead| lead_told(lead, *before, &words, white(before + lead.ply)));
        Self {
            plies_before: *before,
            same_up_to: before + same as u32,
            after: same.checked_sub(1).and_then(|last| words.get(last)).cloned(),
            more: snapshot.hypotheses.len() - shown.len(),
            readings: shown.iter().map(|(rival, one)| told(believed, best, one, (*rival, lang), alike(one).min(same), &white)).collect(),
            leads: leads.collect(),
            lead_at_most: nats(i64::from(snapshot.most)),
        }
    }
}

fn lead_told(lead: &Lead, before: u32, words: &[String], white: bool) -> LeadTold {
    LeadTold {
        ply: before + lead.ply,
        white,
        uci: uci(lead.mv),
        san: words.get(lead.ply as usize - 1).cloned().unwrap_or_default(),
        lead: nats(i64::from(lead.lead)),
        enough: nats(i64::from(lead.enough)),
        certain: lead.certain,
        pressed: lead.pressed,
    }
}

fn told(
    believed: &Believed,
    best: &Hypothesis,
    one: &Hypothesis,
    (rival, lang): (bool, Lang),
    same: usize,
    white: &impl Fn(u32) -> bool,
) -> Told {
    let by_part = |of: &dyn Fn(usize) -> i64| Part::ALL.iter().map(|(part, name)| (*name, nats(of(*part as usize)))).collect();
    let words = san(believed, &one.moves);
    let plies = (1..).zip(one.moves.iter().zip(words)).skip(same).map(|(ply, (mv, san))| {
        let number = believed.before + ply;
        PlyTold { ply: number, white: white(number), uci: uci(*mv), san, pressed: ply <= one.pressed }
    });
    Told {
        dearer: nats(one.cost - best.cost),
        dearer_by_part: by_part(&|part| one.parts[part] - best.parts[part]),
        cost: nats(one.cost),
        cost_by_part: by_part(&|part| one.parts[part]),
        rival,
        plies: plies.collect(),
        owed: one.pressed.saturating_sub(one.moves.len() as u32),
        white_clock: match one.white {
            Press::Left => "left",
            Press::Right => "right",
        },
        disagrees: one
            .odd
            .iter()
            .map(|one| OddTold {
                square: square(one.square),
                kind: kind(one.kind),
                is: letter(one.is, believed.snapshot.eyes),
                should: letter(one.should, believed.snapshot.eyes),
                words: odd(one, believed.snapshot.eyes, lang),
            })
            .collect(),
    }
}
