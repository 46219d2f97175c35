//! The check after every move: did it end the game because nobody can mate any more (5.2.2)?
use flagfall_laws::mating::{Answer, Progress, Quick, Why, Winner, facts};
use shakmaty::{Chess, Position as _};

/// Positions between two looks whether to stop.
const SLICE: u32 = 1_024;

/// What closure makes of a position that the quick test calls dead: a proof, or a contradiction, for that test never errs. `None` where it is
/// too large.
pub(super) fn confirmed(root: &Chess, closure: &mut Quick, stop: &dyn Fn() -> bool) -> Option<Answer> {
    // With castling rights that the quick test does not know it may well find a mate.
    let is_exact = super::helpmate::is_exact(root);
    let answer = facts::settled(root, Winner::Either).or_else(|| {
        closure.start(root, Winner::Either);
        loop {
            match closure.run(SLICE) {
                _ if stop() => return None,
                Progress::Running => {}
                Progress::Mate(_) if !is_exact => return None,
                ended => return ended.answer(root),
            }
        }
    })?;
    match answer {
        Answer::Unwinnable { .. } => Some(answer),
        Answer::Winnable { line } if is_exact => {
            tracing::error!("{:?}: called dead, but {} mates; please report it", root.board(), line.join(" "));
            Some(Answer::Undecided { why: Why::Contradiction })
        }
        Answer::Winnable { .. } | Answer::Undecided { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_laws::mating::{Limits, Proof, position};

    #[test]
    fn a_dead_position_is_proved_by_whatever_proves_it() {
        let mut closure = Quick::new(Limits { slots: 1 << 17, waiting: 1 << 16, order: 0 });
        let mut proof = |fen: &str| confirmed(&position(fen, false).unwrap(), &mut closure, &|| false);
        assert_eq!(proof("k7/1R6/8/8/8/8/8/1K6 b - - 0 1"), Some(Answer::Unwinnable { proof: Proof::Forced, positions: 2 }));
        let walls = proof("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1");
        assert!(matches!(walls, Some(Answer::Unwinnable { proof: Proof::Closure, .. })), "{walls:?}");
        assert_eq!(proof("4k3/R7/8/8/8/8/8/4K3 w - - 0 1"), Some(Answer::Undecided { why: Why::Contradiction }));
    }
}
