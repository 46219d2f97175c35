//! The estimate of what was played while nobody listened, from the board's own log: its pieces as they changed, and who pressed when.
use crate::clock::Side;
use crate::placement::{Image, Placement, bit, each};
use crate::press::Press;
use crate::recogniser::follows::Follows;
use crate::recogniser::kings;
use crate::recogniser::play::Play;
use crate::recogniser::relived::Said;
use crate::recognition::step::{Ground, Step};
use crate::recovery::found::Found;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::Mono;
use flagfall_hands::price::{HABIT, Nats};

/// Squares by which a picture differs from a position at most while a move is made.
pub(crate) const NEARLY: u32 = 3;
/// Plies that may stand on the board and wait for their press.
const UNPRESSED: usize = 2;
/// Squares that two hands at work leave otherwise than they should be.
const AT_WORK: u32 = 6;
/// Entries at the end of a log after which it is asked what it tells: putting a game's pieces away and setting up the next one are at most 96.
const LAST: usize = 256;

/// The estimate from the certain position on, along the log and what the board said since.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    follows: Follows,
    came: Mono,
    /// After so many certain plies.
    told: Option<(usize, Found)>,
}

impl Logged {
    /// Of the log that came now. `None`: the certain position is not in it, or the board does not know its pieces.
    pub(crate) fn read(
        said: &[Said],
        play: &Play,
        (sides, presses): ((Side, Nats), usize),
        (slow, thinks): (bool, u64),
        now: Mono,
    ) -> Option<Self> {
        if play.occupancy() {
            return None;
        }
        let ground = play.ground();
        let begin = begins_near(said, &ground.placement, presses)?;
        let entries = &said[begin..];
        // Who is to move thinks. No longer than time has passed.
        let takes = durations(entries, &ground.placement, thinks);
        let all = takes.iter().sum::<u64>().max(1);
        let span = all.min(now.millis());
        let mut at = now.millis() - span;
        let mut follows = Follows::new(&ground.position, &ground.placement, play.base(), sides, Mono::from_millis(at));
        if slow {
            follows.is_slow();
        }
        let mut logged = Self { follows, came: now, told: None };
        let (mut passed, last) = (0, entries.len().saturating_sub(LAST));
        for (index, (said, takes)) in entries.iter().zip(takes).enumerate() {
            passed += takes;
            at = at.max(now.millis() - span + passed * span / all);
            logged.follows.relive(said, sides.0, Mono::from_millis(at));
            // The pieces may have been put away since, and those of the next game set up.
            if index >= last {
                logged.follows.believe();
                logged.note(logged.tells(play), play);
            }
        }
        Some(logged)
    }

    /// Notes what it tells while it explains what stands: pieces that are put away later take nothing of it back.
    fn note(&mut self, found: Option<Found>, play: &Play) {
        let Some(found) = found else { return };
        let base = play.base();
        let doubted = |ply: &usize| !self.follows.is_certain(base + ply);
        let open = (0..found.line.len().min(64)).filter(doubted).fold(0, |open, ply| open | bit(ply));
        self.told = Some((base, Found { open, follows: None, ..found }));
    }

    /// What it told last while it explained what stood, after so many certain plies.
    pub(crate) const fn told(&self) -> Option<&(usize, Found)> {
        self.told.as_ref()
    }

    /// A player pressed since then.
    pub(crate) fn press(&mut self, press: &Press, now: Mono) {
        self.follows.press(*press, false, now);
    }

    /// The plies up to what stands, once every one that was pressed is certain and hands at work explain the rest.
    pub(crate) fn found(&mut self, play: &Play, image: &Image, scan_ms: u64, now: Mono) -> Option<Found> {
        self.follows.look(image, false, now);
        self.note(self.tells(play), play);
        if self.told.is_none() && kings::are_centred(image.placement()) {
            self.note(self.before_kings(play, image, now), play);
        }
        // The picture that was asked for behind the log.
        if now < self.came + scan_ms {
            return None;
        }
        let certain = |found: &Found| (0..found.completed()).all(|ply| self.follows.is_certain(play.base() + ply));
        self.likeliest(play).filter(certain)
    }

    /// What is likeliest, whatever else it may be.
    pub(crate) fn likeliest(&self, play: &Play) -> Option<Found> {
        let follows = Some(self.follows.clone()).filter(|follows| follows.base() == play.base());
        Some(Found { follows, ..self.tells(play)? })
    }

    /// The same without the estimate itself.
    fn tells(&self, play: &Play) -> Option<Found> {
        let base = self.follows.base();
        let plies = self.follows.belief().moves.len();
        // So many of its plies are certain since.
        let known = play.base().checked_sub(base)?;
        let since = play.record.plies().get(base..play.base())?;
        if !self.explains() || plies <= known || self.follows.moves().zip(since).any(|(mv, ply)| *mv != ply.mv) {
            return None;
        }
        let pressed = (self.follows.belief().pressed as usize).min(plies);
        // Presses may be missing in the log; then the plies tell of them.
        let pressed = Some(pressed).filter(|pressed| plies <= pressed + UNPRESSED);
        let made = pressed.unwrap_or(0);
        let made = made + (made..plies).take_while(|&ply| self.follows.is_made(base + ply)).count();
        let line = line(play.ground(), self.follows.moves().take(made).skip(known))?;
        Some(Found { pressed: pressed.map(|pressed| pressed.saturating_sub(known)), ..Found::of(line, true, 0) })
    }

    /// Where it most likely ends.
    pub(crate) fn ends(&self, play: &Play) -> Option<Placement> {
        let known = play.base().checked_sub(self.follows.base())?;
        let believed = line(play.ground(), self.follows.moves().skip(known))?;
        Some(believed.iter().fold(play.ground().clone(), |ground, step| ground.next(step, false)).placement)
    }

    /// The likeliest before both kings were put in the centre, where they show a result of it.
    pub(crate) fn before_kings(&self, play: &Play, image: &Image, now: Mono) -> Option<Found> {
        let expected = self.ends(play)?;
        let pictures = [false, true].into_iter().flat_map(|moved| kings::taken_back(image.placement(), &expected, moved));
        pictures.into_iter().find_map(|before| {
            let mut logged = self.clone();
            logged.follows.look(&image.renewed(before), false, now);
            logged.follows.rests();
            logged.likeliest(play).filter(|_| logged.follows.belief().wrong == 0)
        })
    }

    /// Whether legal play that is no dearer than a habit, and hands at work, explain what stands.
    pub(crate) fn explains(&self) -> bool {
        let belief = self.follows.belief();
        belief.explained < HABIT && belief.wrong.count_ones() <= AT_WORK
    }
}

/// So long a player usually thinks at the least, milliseconds; the log does not tell.
pub(crate) const fn thinks_ms(play: flagfall_events::Play) -> u64 {
    match play {
        flagfall_events::Play::Blitz => 800,
        flagfall_events::Play::Standard | flagfall_events::Play::Rapid => 2_000,
    }
}

/// How long each entry took, milliseconds: who is to move thinks before he lifts a piece.
fn durations(entries: &[Said], from: &Placement, thinks_ms: u64) -> Vec<u64> {
    let (mut stood, mut pressed) = (*from, false);
    let mut takes = |said: &Said| {
        let Some(placement) = said.placement() else {
            pressed = true;
            return said.takes();
        };
        let lifts = each(stood.diff(placement)).any(|square| placement.0[square] == PieceCode::Empty);
        stood = *placement;
        let thinks = lifts && !said.is_quick() && core::mem::take(&mut pressed);
        said.takes() + if thinks { thinks_ms } else { 0 }
    };
    entries.iter().map(&mut takes).collect()
}

/// These moves from there on; `None`: they cannot follow each other.
fn line<'a>(ground: &Ground, moves: impl Iterator<Item = &'a shakmaty::Move>) -> Option<Vec<Step>> {
    let (mut ground, mut line) = (ground.clone(), Vec::new());
    for mv in moves {
        let step = *ground.steps.iter().find(|step| step.mv == *mv)?;
        ground = ground.next(&step, false);
        line.push(step);
    }
    Some(line)
}

/// Where a position stood for the last time before so many presses in a row of entries, or nearly stood; before fewer, where the log has not so many.
fn begins_near(said: &[Said], position: &Placement, presses: usize) -> Option<usize> {
    let pressed = said.iter().rev().scan(0, |pressed, entry| {
        *pressed += usize::from(entry.placement().is_none());
        Some(*pressed)
    });
    let apart = |entry: &Said| entry.placement().map_or(u32::MAX, |picture| picture.diff(position).count_ones());
    let after = said.iter().enumerate().rev().zip(pressed).map(|((index, entry), pressed)| (index, apart(entry), pressed));
    let last =
        |least: usize, most: u32| after.clone().find(|(_, apart, pressed)| *apart <= most && *pressed >= least).map(|(index, ..)| index);
    last(presses, 0).or_else(|| last(0, 0)).or_else(|| last(presses, NEARLY)).or_else(|| last(0, NEARLY))
}
