//! One player's times, move by move.
use super::control::Control;
use super::read::{Game, Ply};
use super::what::What;
use flagfall_events::BonusKind;
use std::collections::BTreeMap;

/// One player.
#[derive(Debug)]
pub(super) struct Side {
    within: i64,
    /// Moves so far.
    moves: u32,
    /// The last `%clk`, and what was told since.
    was: Option<i64>,
    since: Since,
    /// What all moves can have added.
    all: i64,
    /// Later periods whose time was seen.
    periods: usize,
    /// Somebody set the clock: how much it can have nobody knows any more.
    set: bool,
}

/// What was told since the last `%clk`.
#[derive(Clone, Copy, Debug, Default)]
struct Since {
    moves: i64,
    /// What the moves can have added.
    gains: i64,
    /// `None` where a move has no `%emt`.
    spent: Option<Spent>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    emt: i64,
    /// What the clock takes off for it.
    taken: i64,
}

impl Side {
    pub(super) const fn new(within: i64) -> Self {
        Self {
            within,
            moves: 0,
            was: None,
            since: Since { moves: 0, gains: 0, spent: Some(Spent { emt: 0, taken: 0 }) },
            all: 0,
            periods: 0,
            set: false,
        }
    }

    /// Takes the player's next move. `last`: the game ends with it, perhaps without a press; `base`: the control says how much time there was at the start.
    pub(super) fn take(&mut self, ply: &Ply, corrected: bool, last: bool, control: Option<&Control>, base: bool) -> Option<What> {
        self.moves += 1;
        self.since.moves += 1;
        let control = control?;
        let gain = control.gains(self.moves);
        (self.since.gains, self.all) = (self.since.gains + gain, self.all + gain);
        self.since.spent = self
            .since
            .spent
            .zip(ply.emt)
            .map(|(spent, emt)| Spent { emt: spent.emt + emt, taken: spent.taken + control.takes(self.moves, emt) });
        let clk = ply.clk?;
        let since = std::mem::replace(&mut self.since, Since { spent: Some(Spent::default()), ..Since::default() });
        let was = self.was.replace(clk);
        if corrected {
            self.set = true;
            return None;
        }
        let due = control.periods.iter().take_while(|(after, _)| *after <= self.moves);
        if base && !self.set {
            // The first increment may be there before the first move.
            let most = control.base + control.gains(1) + self.all + due.clone().map(|(_, time)| time).sum::<i64>();
            if clk > most + self.within {
                return Some(What::Beyond { clk_s: clk, most_s: most });
            }
        }
        let was = was?;
        let next = due.skip(self.periods).map(|(_, time)| *time).next();
        let within = self.within + since.moves - 1;
        let trouble = |added: i64| {
            if clk > was + since.gains + added + within {
                return Some(What::Rises { clk_s: clk, was_s: was });
            }
            let spent = since.spent?;
            let lost = was + added - clk;
            // In its delay a clock says nothing of how long it was.
            let apart = (lost - spent.taken).abs() > within;
            let clock = if control.kind == BonusKind::Fischer {
                spent.emt + lost - spent.taken
            } else {
                lost + control.bonus(self.moves) * since.moves
            };
            apart.then_some(What::Emt { emt_s: spent.emt, clock_s: clock })
        };
        let without = trouble(0)?;
        if last && trouble(-gain).is_none() {
            return None;
        }
        if let Some(time) = next
            && trouble(time).is_none()
        {
            self.periods += 1;
            return None;
        }
        Some(without)
    }
}

/// What moves add, as most of them say: for files without a time control.
pub(super) fn as_played(game: &Game) -> Option<Control> {
    let mut seen: BTreeMap<i64, usize> = BTreeMap::new();
    let mut all = 0;
    for (ply, before) in game.plies.iter().skip(2).zip(&game.plies) {
        if let (Some(clk), Some(was), Some(emt)) = (ply.clk, before.clk, ply.emt) {
            *seen.entry(clk - was + emt).or_default() += 1;
            all += 1;
        }
    }
    let around = |bonus: i64| [bonus - 1, bonus, bonus + 1].iter().filter_map(|b| seen.get(b)).sum::<usize>();
    let bonus = seen.keys().copied().filter(|bonus| *bonus >= 0).max_by_key(|bonus| (around(*bonus), seen[bonus]))?;
    (all >= 4 && around(bonus) * 2 > all).then_some(Control {
        base: 0,
        bonus,
        kind: BonusKind::Fischer,
        periods: Vec::new(),
        bonuses: Vec::new(),
    })
}
