//! What needs no search: play that is over, material, moves that are the only ones.
use super::answer::{Answer, Proof, Winner, mated_by};
use super::line;
use super::packed::Packed;
use alloc::vec::Vec;
use shakmaty::{Chess, Color, Move, Position as _};

/// Whether the material of those asked about can never mate, whatever is played; only where play is not over.
///
/// Facts, exact and one-sided: a bare king; king and knight where the opponent has nothing but king and queens; king and bishops of one
/// square colour where the opponent has no pawn, no knight and no bishop of the other colour. Anything else of the opponent's may take its
/// own king's last square.
pub fn material_cannot_mate(position: &Chess, winner: Winner) -> bool {
    Color::ALL.into_iter().all(|color| !winner.is(color) || position.has_insufficient_material(color))
}

/// The answer where none has to be searched for: play is over, material never mates, or the only moves lead there.
///
/// Play that is over comes first: what stands may be mate with material that could not give it.
pub fn settled(root: &Chess, winner: Winner) -> Option<Answer> {
    let mut position = root.clone();
    let mut forced: Vec<Move> = Vec::new();
    let mut seen: Vec<Packed> = Vec::new();
    loop {
        let moves = position.legal_moves();
        let unwinnable = |proof| {
            let proof = if forced.is_empty() { proof } else { Proof::Forced };
            Some(Answer::Unwinnable { proof, positions: forced.len() as u64 + 1 })
        };
        if moves.is_empty() {
            return match mated_by(&position) {
                Some(color) if winner.is(color) => Some(Answer::Winnable { line: line::uci(root, &forced) }),
                _ => unwinnable(Proof::Terminal),
            };
        }
        if material_cannot_mate(&position, winner) {
            return unwinnable(Proof::Material);
        }
        let [only] = moves.as_slice() else { return None };
        let packed = Packed::of(&position);
        if seen.contains(&packed) {
            return Some(Answer::Unwinnable { proof: Proof::Forced, positions: seen.len() as u64 });
        }
        seen.push(packed);
        forced.push(*only);
        position.play_unchecked(*only);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled_in(fen: &str, winner: Winner) -> Option<Answer> {
        settled(&super::super::position(fen, false).unwrap(), winner)
    }

    fn unwinnable(proof: Proof, positions: u64) -> Option<Answer> {
        Some(Answer::Unwinnable { proof, positions })
    }

    #[test]
    fn mate_on_the_board_comes_before_material() {
        // Two bishops of one colour have mated; no material rule may deny it.
        let fen = "8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1";
        assert_eq!(settled_in(fen, Winner::Black), Some(Answer::Winnable { line: Vec::new() }));
        assert_eq!(settled_in(fen, Winner::White), unwinnable(Proof::Terminal, 1));
        assert_eq!(settled_in(fen, Winner::Either), Some(Answer::Winnable { line: Vec::new() }));
    }

    #[test]
    fn stalemate_is_nobodys_mate() {
        assert_eq!(settled_in("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Winner::White), unwinnable(Proof::Terminal, 1));
    }

    #[test]
    fn material_is_asked_of_one_side() {
        // King and knight against king and rook: the rook can take its own king's square.
        assert_eq!(settled_in("8/8/4k3/8/8/2N5/8/K6r w - - 0 1", Winner::White), None);
        for (fen, winner) in [
            ("8/8/4k3/7q/8/2N5/8/1K6 w - - 0 1", Winner::White),
            ("8/8/4k3/7q/8/2B5/8/1K6 w - - 0 1", Winner::White),
            ("8/8/4k3/7r/8/8/8/1K6 w - - 0 1", Winner::White),
            ("8/8/4k3/8/8/2N5/8/1K6 w - - 0 1", Winner::Either),
        ] {
            assert_eq!(settled_in(fen, winner), unwinnable(Proof::Material, 1), "{fen}");
        }
        // A pawn, a knight or a bishop of the other colour breaks it.
        for fen in ["8/8/4k3/7p/8/2B5/8/1K6 w - - 0 1", "8/8/4k3/7n/8/2B5/8/1K6 w - - 0 1", "8/8/4k3/8/6b1/2B5/8/1KB5 w - - 0 1"] {
            assert_eq!(settled_in(fen, Winner::White), None, "{fen}");
        }
    }

    #[test]
    fn a_rook_that_has_to_be_taken_cannot_mate() {
        // The king in the corner has one legal move: it takes the rook.
        let fen = "k7/1R6/8/8/8/8/8/1K6 b - - 0 1";
        assert_eq!(settled_in(fen, Winner::Either), unwinnable(Proof::Forced, 2));
    }
}
