//! A board that does not know its pieces, and a doubt that later play may settle: how long it waits, and when somebody is told.
use crate::reading::view::Reading;
use crate::recogniser::doubted::Link;
use crate::recogniser::follows::BEYOND;

/// Presses since the record grew last.
const PATIENCE: usize = 12;
/// What is not understood must stand so long.
const TROUBLE_MS: u64 = 5_000;
/// Without a clock: how long nothing must happen before somebody is asked.
const SILENCE_MS: u64 = 9_000;

/// Whether anything is under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    /// Nothing has changed for so long, milliseconds.
    pub(crate) quiet: u64,
    /// Nothing has changed or been pressed for a scan.
    pub(crate) still: bool,
    /// Moves are pressed.
    pub(crate) clock: bool,
    /// The clocks stand, and nobody's hand is over the board any more.
    pub(crate) over: bool,
}

impl Reading<'_> {
    /// Players who go on pressing while no move is made are not understood, whatever is believed.
    pub(crate) fn watch_the_record(&mut self) {
        let asked = self.own.asked_square().is_some();
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over) else { return };
        let plies = play.record.plies().len();
        play.unrecorded = if asked || play.unrecorded.0 != plies { (plies, 0) } else { (plies, play.unrecorded.1 + 1) };
        if play.unrecorded.1 >= PATIENCE {
            self.be_unsure(true);
        }
    }

    /// How many plies of the line are certain or taken for what they most likely are.
    pub(crate) fn assume(&mut self, table: &Table, links: &[Link], certain: usize, but_promotions: usize) -> usize {
        let now = self.now;
        let Some(play) = self.own.play.as_mut() else { return certain };
        let base = play.base();
        let mut settled = certain;
        while let Some(link) = links.get(settled) {
            let index = base + settled;
            let is_certain = play.follows.as_ref().is_some_and(|follows| follows.is_certain(index) && follows.is_the_way_round());
            let promotes = settled < but_promotions && link.step.mv.is_promotion();
            let counts = link.press.is_some() || !table.clock;
            let told = counts && play.is_assumable(index, links.len(), now, promotes);
            if !is_certain && !told {
                break;
            }
            if !is_certain && !play.assumed.contains(&index) {
                play.assumed.push(index);
            }
            settled += 1;
        }
        settled
    }

    /// Says that something is open which somebody should look at, and that nothing is any more.
    pub(crate) fn ask_if_unsure(&mut self, table: &Table, open: &[Link], rivals: bool, but_promotions: bool) {
        // Without a clock nothing tells a piece in the air from one that has taken another, until it is answered.
        let silence = table.quiet >= SILENCE_MS;
        let counts = |l: &&Link| l.press.is_some() || (table.over && (table.clock || (silence && (rivals || !l.unseen))));
        // A promotion that is asked for, and will be a queen, is no doubt of its own.
        let asked = self.own.asked_square().is_some() && self.queen_wait().is_some() && but_promotions;
        let (waiting, open) = if asked { (0, 0) } else { (open.iter().filter(counts).count(), open.len()) };
        let Some(play) = self.own.play.as_ref() else { return };
        let Some(follows) = play.follows.as_ref() else { return };
        let assumed = play.assumed.iter().any(|&index| !follows.is_certain(index));
        let trouble = follows.belief().odd >= BEYOND;
        let unsure = if play.unsure {
            waiting > 0 || play.unrecorded.1 >= PATIENCE || trouble || (!table.clock && open > 0)
        } else {
            waiting.max(if table.clock { 0 } else { open }) >= PATIENCE
                || (waiting > 0 && table.over)
                || (trouble && table.quiet >= TROUBLE_MS)
        };
        self.be_unsure(unsure || assumed);
    }
}
