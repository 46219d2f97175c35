//! What is not known since the link was down: the gap, what the picture tells of it, and what the board's own memory says.
//!
//! | file | holds |
//! |---|---|
//! | `memory.rs` | the board's own move memory, and where legal play leads along it |
//! | `found.rs` | what was found |
//! | `logged.rs` | the estimate of what it says |
//! | `shorter.rs` | what the picture told, which may be one ply too short |
pub(crate) mod found;
pub(crate) mod logged;
pub(crate) mod memory;
pub(crate) mod shorter;

use crate::clock::{LastHeard, Side};
use crate::placement::Image;
use crate::press::Press;
use crate::recogniser::kings;
use crate::recogniser::play::Play;
use crate::recognition::step::Step;
use crate::recovery::found::Found;
use crate::recovery::logged::Logged;
use crate::recovery::memory::{Memory, read};
use crate::recovery::shorter::Shorter;
use crate::settings::Settings;
use crate::timers::{Timer, Timers};
use crate::watcher::Watcher;
use alloc::boxed::Box;
use alloc::vec::Vec;
use flagfall_events::{BoardKind, Colour, GameResult, Mono};
use flagfall_hands::price::Nats;

/// After a gap a hand may still hold a piece: so long the image alone may explain itself.
pub(crate) const HAND_MS: u64 = 3_000;
/// A clock that is there is read so soon after the link came up.
const CLOCK_MS: u64 = 1_500;
/// How long the log may take: 8.3 s on the wire, and its limit.
const ANSWER_MS: u64 = 16_000;
/// What was played while the log was sent comes all at once behind it; so long it may take until the board is quiet with every piece down.
pub(crate) const CATCH_UP_MS: u64 = 20_000;
/// What stands may be two plies under way from what was known, and no farther: nothing that hands do now is read as play from there.
pub(crate) const FAR: u32 = 12;
/// A log that told nothing is asked for once more when the board has been quiet for so long, and no more often than that; so many times in all.
const QUIET_MS: u64 = 5_000;
const PAUSE_MS: u64 = 60_000;
const TRIES: u8 = 3;
/// A log that told nothing for so long is said to have told nothing.
pub(crate) const TOLD_MS: u64 = 5_000;

/// What is not known since the link was down.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recovery {
    /// The link was down: the next dump may show moves nobody saw.
    pub(crate) gap: bool,
    /// Which way round the board stands is told by the next picture: the game was taken over.
    pub(crate) turn_unknown: bool,
    /// What was played meanwhile is not found yet.
    pub(crate) recovering: bool,
    /// A game may have begun while nobody listened.
    pub(crate) unseen: bool,
    /// The clock may have been set meanwhile, and was not read since.
    pub(crate) unread: bool,
    /// The clock was heard since then, and since the log was asked for: the line is silent while a board sends it.
    pub(crate) hears_clock: bool,
    /// What the clock showed when it was heard last before the line fell silent, where it tells of the presses since then.
    pub(crate) last_heard: Option<LastHeard>,
    /// So many presses there were in the gap at the least, as the clock told since then.
    pub(crate) presses: usize,
    /// And so many at the most, where that is known.
    pub(crate) presses_at_most: Option<usize>,
    /// So long the picture waits for the clock to tell that.
    waits: Option<Mono>,
    /// What stands is far from everything that is known.
    far: bool,
    /// What the board's own log says of it.
    pub(crate) memory: Memory,
    /// What the picture alone tells while the log is waited for, and after how many certain plies.
    told: Option<(usize, Found)>,
    /// The last line that led exactly to a picture, and after how many certain plies.
    shown: Option<(usize, Vec<Step>)>,
    /// Who pressed last since the picture told it.
    pressed_by: Option<Colour>,
    /// How often it was asked for since the gap, and when last.
    tries: u8,
    asked: Mono,
    /// What the picture alone told, and the game before it, until somebody presses.
    pub(crate) shorter: Option<Shorter>,
    /// Whether the last ply was pressed is told by the next clock reading.
    pub(crate) gap_ply: Option<usize>,
    pub(crate) timers: Timers,
}

impl Recovery {
    /// The link went down.
    pub(crate) fn link_lost(&mut self) {
        // What the log has told stays known.
        if let Some(told) = self.logged().and_then(Logged::told) {
            self.told = Some(told.clone());
        }
        (self.gap, self.memory, self.tries, self.pressed_by) = (true, Memory::Unasked, 0, None);
        (self.presses, self.presses_at_most, self.waits, self.shorter, self.shown) = (0, None, None, None, None);
        self.wait(None);
    }

    /// What stands now, compared with what is known.
    pub(crate) fn sees(&mut self, play: &Play, image: &Image) {
        let near = play.grounds().iter().any(|ground| ground.placement.diff(image.placement()).count_ones() <= FAR);
        self.far = self.recovering && !near;
    }

    /// What was played while the link was down is not known yet: presses belong to it, and nothing is made on top of it.
    pub(crate) const fn is_catching_up(&self) -> bool {
        self.recovering && (self.far || !self.is_spent())
    }

    /// What stands may be the work of plies that nobody saw.
    pub(crate) const fn is_unknown(&self) -> bool {
        self.recovering || self.gap
    }

    /// The board's log is on its way.
    pub(crate) const fn is_asked(&self) -> bool {
        matches!(self.memory, Memory::Asked)
    }

    /// What is entered while the board sends its log is compared with the picture behind it: until then the line is silent, and the last one is old.
    pub(crate) const fn looks_behind_the_log(&mut self) -> bool {
        if self.is_asked() {
            (self.gap, self.recovering) = (true, true);
        }
        self.is_asked()
    }

    /// The board's log told what it could.
    pub(crate) const fn is_spent(&self) -> bool {
        matches!(self.memory, Memory::Spent)
    }

    /// What was played is not found yet, and the board's log is on its way, or was not understood yet.
    pub(crate) const fn awaits_log(&self) -> bool {
        self.recovering && matches!(self.memory, Memory::Asked | Memory::Read(..))
    }

    pub(crate) fn wait(&mut self, at: Option<Mono>) {
        self.timers.set(Timer::Memory, at);
    }

    /// The first picture after the gap was read, and told everything or not. Where several lines lead to it the log was asked for at once.
    pub(crate) fn looked(&mut self, now: Mono, told: bool) {
        self.recovering = !told;
        if matches!(self.memory, Memory::Unasked) {
            self.wait(self.waits.or_else(|| self.recovering.then(|| now + HAND_MS)));
        }
    }

    /// The first picture came; whether it shows all, the clock may tell in a moment.
    pub(crate) fn waits_for_clock(&mut self, now: Mono) {
        self.waits = self.last_heard.map(|_| now + CLOCK_MS);
    }

    /// It waits no longer; `true`: it did.
    pub(crate) const fn waited(&mut self) -> bool {
        self.waits.take().is_some()
    }

    /// Whether the clock may tell in a moment that more was played than this.
    pub(crate) const fn is_to_be_counted(&self) -> bool {
        self.waits.is_some()
    }

    /// Whether more was pressed than this has plies.
    pub(crate) const fn is_too_short(&self, found: &Found) -> bool {
        self.presses > found.line.len()
    }

    /// Whether it has more plies than were pressed, and one that waits for its press; so many were pressed before.
    pub(crate) fn is_too_long(&self, found: &Found, pressed: usize) -> bool {
        self.presses_at_most.is_some_and(|most| found.line.len() > pressed + most + 1)
    }

    /// The picture tells this, and the log may know better.
    pub(crate) fn keep(&mut self, base: usize, found: Found) {
        if self.told.as_ref().is_none_or(|(_, told)| told.line.len() != found.line.len()) {
            self.pressed_by = None;
        }
        if found.open == 0 && !found.roundabout {
            self.shown = Some((base, found.line.clone()));
        }
        self.told = Some((base, found));
    }

    /// Whether an earlier picture of this gap told another move in place of one that was answered by this.
    pub(crate) fn told_otherwise(&self, base: usize, found: &Found) -> bool {
        let Some((_, shown)) = self.shown.as_ref().filter(|(at, _)| *at == base) else { return false };
        let answered = found.line.len().saturating_sub(1);
        shown.iter().zip(&found.line[..answered]).any(|(shown, found)| shown.mv != found.mv)
    }

    /// What the picture told, where the log is not waited for any longer.
    pub(crate) fn kept(&mut self, play: &Play) -> Option<Found> {
        let (base, found) = self.told.take()?;
        (self.recovering && base == play.base() && found.goes_on(play.line())).then_some(found)
    }

    /// Who pressed last since then.
    pub(crate) const fn pressed_since(&mut self) -> Option<Colour> {
        self.pressed_by.take()
    }

    /// Whether the log is to be asked for now: once a gap, and a Pegasus keeps none.
    pub(crate) fn asks(&mut self, now: Mono, kind: BoardKind) -> bool {
        if kind == BoardKind::Pegasus {
            self.memory = Memory::Spent;
        } else if matches!(self.memory, Memory::Unasked) {
            (self.memory, self.asked, self.hears_clock) = (Memory::Asked, now, false);
            self.tries += 1;
            self.wait(Some(now + ANSWER_MS));
            return true;
        }
        false
    }

    /// It told nothing. What is written into it while it is sent comes with the next one: it is asked for again in the next quiet moment, while what
    /// stands is far from everything that is known.
    pub(crate) fn is_told_nothing(&mut self, now: Mono, last_change: Mono) {
        self.memory = Memory::Spent;
        if !self.far || self.tries >= TRIES {
            return;
        }
        let due = (last_change + QUIET_MS).max(self.asked + PAUSE_MS);
        if now < due {
            self.wait(Some(due));
        } else {
            self.memory = Memory::Unasked;
            self.wait(Some(now));
        }
    }

    /// What the log most likely tells, where no more will come of it.
    pub(crate) fn likeliest(&self, play: &Play) -> Option<Found> {
        self.logged()?.likeliest(play)
    }

    /// What the log told while it explained what stood.
    pub(crate) fn told_by_the_log(&self, play: &Play) -> Option<Found> {
        let (base, found) = self.logged()?.told()?;
        let found = found.since(play.record.plies(), *base, play.base())?;
        found.goes_on(play.line()).then_some(found)
    }

    /// When the log came, if it is not understood yet.
    pub(crate) const fn came(&self) -> Option<Mono> {
        match &self.memory {
            Memory::Read(came, _) if self.recovering => Some(*came),
            _ => None,
        }
    }

    /// When the log was asked for last.
    pub(crate) const fn asked(&self) -> Mono {
        self.asked
    }

    /// The same of a game whose result the kings show already.
    pub(crate) fn likeliest_before_kings(&self, play: &Play, image: &Image, now: Mono) -> Option<Found> {
        self.logged()?.before_kings(play, image, now)
    }

    /// The result that the kings show of a game whose last plies the log alone tells.
    pub(crate) fn kings_show(&self, play: &Play, image: &Image) -> Option<GameResult> {
        kings::are_centred(image.placement())
            .then(|| self.logged()?.ends(play))
            .flatten()
            .and_then(|ends| kings::shown(image.placement(), &ends))
    }

    fn logged(&self) -> Option<&Logged> {
        let Memory::Read(_, known) = &self.memory else { return None };
        known.logged.as_ref()
    }

    /// The log came; of a game that is over it tells nothing.
    pub(crate) fn log_came(&mut self, now: Mono, log: &[u8], settings: (&Settings, (Side, Nats)), play: Option<&Play>, watcher: &Watcher) {
        let (settings, sides) = settings;
        self.memory = Memory::Spent;
        if let Some(play) = play.filter(|play| !play.over && self.recovering) {
            self.memory = Memory::Read(now, Box::new(read(log, settings, play, watcher, (sides, self.presses), now)));
            self.wait(Some(now + watcher.scan_ms));
        }
    }

    /// A player pressed while what was played is looked for.
    pub(crate) fn pressed(&mut self, press: &Press, now: Mono) {
        self.pressed_by = Some(press.by);
        if let Memory::Read(_, known) = &mut self.memory
            && let Some(logged) = known.logged.as_mut()
        {
            logged.press(press, now);
        }
    }

    /// What was played, as far as the log, or else the picture, tells.
    pub(crate) fn found(&mut self, now: Mono, play: &Play, image: &Image, scan_ms: u64) -> Option<Found> {
        if let Memory::Read(_, known) = &mut self.memory {
            known.walks.iter_mut().for_each(|walk| walk.see(image.placement()));
            let estimated = known.logged.as_mut().and_then(|logged| logged.found(play, image, scan_ms, now));
            if estimated.is_some() || known.logged.as_ref().is_some_and(Logged::explains) {
                return estimated;
            }
        }
        let logged = self.walked_line(now, play, image, scan_ms);
        let is_read = match &self.memory {
            Memory::Read(came, known) => known.knows_it() || now < image.last_change().max(*came) + scan_ms,
            _ => false,
        };
        if logged.is_some() || is_read {
            return logged;
        }
        // The kings may show the result already.
        let before = |moved| {
            let pictures = kings::taken_back(image.placement(), play.expected(), moved);
            play.recovered_before(&pictures.into_iter().map(|before| image.renewed(before)).collect::<Vec<_>>())
        };
        let found = play.recovered_as_one_of(image).or_else(|| before(false)).or_else(|| before(true));
        if let Some((line, open)) = found {
            return Some(Found::of(line, false, open));
        }
        let (line, open) = play.unseen_as_one_of(image)?;
        Some(Found { roundabout: true, ..Found::of(line, false, open) })
    }

    /// The plies that the log and what the board said since then lead to, once the board is quiet and they lead exactly to what stands now.
    fn walked_line(&mut self, now: Mono, play: &Play, image: &Image, scan_ms: u64) -> Option<Found> {
        let Memory::Read(came, known) = &self.memory else { return None };
        let quiet = image.last_change().max(*came) + scan_ms;
        if now < quiet {
            let at = quiet.min(*came + CATCH_UP_MS);
            self.wait(Some(at));
            return None;
        }
        known.walks.iter().find_map(|walk| {
            let path = walk.arrived()?;
            // What was made in the meantime may not be what it began with.
            let kept = play.grounds().iter().position(|ground| ground.position == walk.root().position)?;
            let line: Vec<Step> = play.line()[..kept].iter().chain(path).copied().collect();
            (play.after(&line).placement == *image.placement()).then_some(Found::of(line, true, 0))
        })
    }
}
