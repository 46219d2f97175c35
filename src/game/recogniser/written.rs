//! The record beside one that was written down.
use crate::pgn::Written;
use crate::recogniser::play::Play;
use flagfall_hands::position::Position;

impl Play {
    /// How many plies of the record stand as written, each played where it is written to be; `None`: it began in another position.
    pub(crate) fn standing(&self, written: &Written) -> Option<usize> {
        let plies = self.record.plies();
        let at = |index: usize| plies.get(index).map_or_else(|| &self.top().position, |ply| &ply.before);
        let wanted = |index: usize| written.plies.get(index).map_or(&written.end, |ply| &ply.before);
        if !is_same(at(0), &written.start) || self.chess960 != written.chess960 {
            return None;
        }
        let stands = |index: &usize| {
            let (Some(ply), Some(other)) = (plies.get(*index), written.plies.get(*index)) else { return false };
            ply.legal && ply.uci == other.uci && is_same(&ply.before, &other.before)
        };
        let kept = (0..plies.len()).take_while(stands).count();
        // A position that was set after them goes with the ply before it.
        if is_same(at(kept), wanted(kept)) { Some(kept) } else { kept.checked_sub(1) }
    }
}

/// The same pieces stand, the same player is to move and may castle as well.
fn is_same(one: &Position, other: &Position) -> bool {
    one.board() == other.board() && one.turn() == other.turn() && one.castling_rights() == other.castling_rights()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;

    fn play(ucis: &[&str]) -> Play {
        let mut play = Play::new(Position::default(), false, false);
        for uci in ucis {
            let found = play.top().steps.iter().find(|step| crate::recognition::step::uci(step.mv, false) == *uci).copied();
            play.announce(&[found.unwrap()], &mut |_| {});
            let top = play.top().position.clone();
            play.set_position(top);
        }
        play
    }

    #[test]
    fn plies_stand_as_far_as_they_are_written_where_they_were_played() {
        let written = pgn::read("1. e4 e5 2. Nf3 Nc6").unwrap();
        assert_eq!(play(&[]).standing(&written), Some(0));
        assert_eq!(play(&["e2e4", "e7e5", "g1f3"]).standing(&written), Some(3));
        assert_eq!(play(&["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]).standing(&written), Some(4));
        assert_eq!(play(&["e2e4", "c7c5", "g1f3"]).standing(&written), Some(1));
        let mut set = play(&["e2e4", "e7e5"]);
        set.set_position(Position::default());
        assert_eq!(set.standing(&written), Some(1), "what was set after the second ply goes with it");
        let elsewhere = pgn::read("[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n1. Ra8+").unwrap();
        assert_eq!(play(&["e2e4"]).standing(&elsewhere), None);
    }
}
