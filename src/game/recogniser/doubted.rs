//! What is believed of a board that does not know its pieces: how much of it is certain, and what waits for later play.
use crate::press::Press;
use crate::recogniser::follows::{Follows, MADE};
use crate::recogniser::play::Play;
use crate::recognition::step::Step;
use alloc::vec::Vec;
use flagfall_events::Mono;
use flagfall_hands::Lead;

/// A press that later play has not told by then is taken for the likeliest move, milliseconds.
pub(crate) const WAITS_MS: u64 = 10_000;
/// Or one on which so many plies stand: hardly anything will tell it.
const BURIED: usize = 3;
/// The same of plies that nobody pressed.
const UNPRESSED: usize = 10;

/// A ply that is certain or likely.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) step: Step,
    pub(crate) press: Option<Press>,
    /// Nothing that came down or went shows it; only a press or a reply can.
    pub(crate) unseen: bool,
    /// Nine times as likely as anything else.
    pub(crate) made: bool,
}

/// The likeliest line.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    pub(crate) links: Vec<Link>,
    /// So many of its plies are certain.
    pub(crate) certain: usize,
    /// The same, if pawns became what the likeliest line says.
    pub(crate) but_promotions: usize,
    /// Its last ply may as well be another one.
    pub(crate) rivals: bool,
}

impl Play {
    /// The likeliest line behind the certain plies. `None`: there is no estimate, or one of those was another move.
    pub(crate) fn doubted(&self) -> Option<Lines> {
        let follows = self.follows.as_ref().filter(|_| self.first_disbelieved().is_none())?;
        let base = self.base();
        let line = self.believed_line(follows.plies())?;
        let links = (base..).zip(&line).map(|(index, step)| {
            let lead = follows.lead(index);
            Link {
                step: *step,
                press: follows.press_of(index),
                unseen: lead.is_some_and(|lead| !lead.shown),
                made: lead.is_none_or(|lead| lead.but_piece >= MADE),
            }
        });
        let links: Vec<Link> = links.collect();
        // Both ways round explain 1. e4 e5, the other way as 1. d4 d5: nothing is certain, but the likelier can be shown.
        let round = follows.is_the_way_round();
        let upto = |enough: fn(&Lead) -> bool| {
            let is = |index: usize| follows.lead(index).is_none_or(enough);
            (0..links.len()).take_while(|at| round && is(base + at)).count()
        };
        let certain = upto(|lead| lead.certain);
        let but_promotions = upto(|lead| lead.but_piece >= lead.enough);
        let rivals = links.last().is_some_and(|last| !last.made);
        Some(Lines { links, certain, but_promotions, rivals })
    }

    /// Whether the ply with this index of the record is to be taken for what it most likely is: nothing that comes can tell, or has told so long.
    pub(crate) fn is_assumable(&self, index: usize, links: usize, now: Mono, promotes: bool) -> bool {
        let Some((follows, lead)) = self.follows.as_ref().and_then(|follows| Some((follows, follows.lead(index)?))) else { return false };
        if !follows.is_the_way_round() {
            return false;
        }
        let waited = follows.press_of(index).is_some_and(|press| now >= press.at + WAITS_MS);
        // Where nobody presses nobody waits for it either.
        let buried = index + if follows.press_of(index).is_some() { BURIED } else { UNPRESSED } < self.base() + links;
        let told = |follows: &Follows| follows.belief().wrong == 0 && lead.open >= lead.enough;
        // Which piece a pawn became is asked.
        (!promotes && (waited || buried)) || told(follows)
    }

    /// When the next press has waited for so long.
    pub(crate) fn next_assumed(&self, now: Mono) -> Option<Mono> {
        let follows = self.follows.as_ref()?;
        let open = (self.base()..follows.plies()).filter_map(|index| follows.press_of(index));
        open.map(|press| press.at + WAITS_MS).find(|at| *at > now)
    }
}
