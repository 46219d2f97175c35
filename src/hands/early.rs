//! How often each player's press comes before his ply is seen: some press while the piece comes down, and do so again.
use crate::habits::{Owing, Scan};
use crate::price::{NAT, Nats};
use flagfall_events::Colour;

/// Presses that what was counted of all players weighs as much as, before a player has shown his own way.
const ALL: u32 = 12;
/// Presses that are remembered at most: players tire and hurry.
const MOST: u32 = 40;

/// Presses of each player, and those of them whose ply was not seen yet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Early {
    presses: [u32; 2],
    early: [u32; 2],
}

impl Early {
    /// A press of this player, and whether his ply was there.
    pub(crate) const fn pressed(&mut self, by: Colour, early: bool) {
        let (presses, early_ones) = (&mut self.presses[by as usize], &mut self.early[by as usize]);
        if *presses >= MOST {
            (*presses, *early_ones) = (*presses / 2, *early_ones / 2);
        }
        *presses += 1;
        *early_ones += early as u32;
    }

    /// What it costs that this player's piece is in his hand at a press: the less, the oftener it was.
    pub(crate) fn price(&self, by: Colour, scan: Scan) -> Nats {
        let counted = Owing::InHand.price(scan);
        let (presses, early) = (self.presses[by as usize], self.early[by as usize]);
        // In 1/1024 presses: the share that was counted, of so many presses, and his own.
        let of_all = ALL * 1024 * 1024 / exp(counted);
        ln((presses + ALL) * 1024) - ln(of_all + early * 1024)
    }
}

/// The natural logarithm in 1/1024 nat, by straight lines between powers of two: to a sixteenth of a nat.
const fn ln(x: u32) -> Nats {
    let x = if x == 0 { 1 } else { x };
    let whole = x.ilog2();
    let over = (((x as u64 - (1 << whole)) * 1024) >> whole) as Nats;
    (whole as Nats * 1024 + over) * 710 / NAT
}

/// Its inverse, times 1024.
const fn exp(nats: Nats) -> u32 {
    let halves = nats * NAT / 710;
    let (whole, over) = (halves / 1024, halves % 1024);
    ((1024 + over) as u32) << if whole > 20 { 20 } else { whole as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_presses_early_is_expected_to() {
        let mut early = Early::default();
        let at_first = early.price(Colour::White, Scan::Usual);
        assert!(at_first.abs_diff(Owing::InHand.price(Scan::Usual)) < 64, "{at_first}");
        (0..20).for_each(|_| early.pressed(Colour::White, true));
        assert!(early.price(Colour::White, Scan::Usual) < at_first / 2);
        assert_eq!(early.price(Colour::Black, Scan::Usual), at_first);
        (0..20).for_each(|_| early.pressed(Colour::Black, false));
        assert!(early.price(Colour::Black, Scan::Usual) > at_first);
    }
}
