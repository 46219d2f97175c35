//! Without a clock no press says that a move is done. One that was made and has stood for a while counts for those who cannot wait until the
//! game says so: clients of the LiveChess API, where a remote player waits for it.
//!
//! Pure: time is an argument, any scale of milliseconds that never runs back.
use crate::sheet::ScoreSheet;
use alloc::string::String;
use flagfall_events::Mono;

/// A move that was made counts once it has stood so long, milliseconds. The game completes it after twice that; sooner, pieces are still put right.
pub const STANDS_MS: u64 = 1_500;

/// A ply of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Made {
    epoch: u64,
    ply: u32,
    uci: String,
}

impl Made {
    /// Whether it is still what was played.
    fn is_in(&self, sheet: &ScoreSheet) -> bool {
        self.epoch == sheet.epoch() && sheet.moves().iter().any(|m| m.ply == self.ply && m.legal && m.uci == self.uci)
    }
}

/// The moves of a board without a clock that were made and have stood.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The last move, made and not completed, that stands on the board, and since when.
    stands: Option<(Made, Mono)>,
    /// The last one that has stood long enough. What happens on the board above it changes nothing; only another move in its place does.
    counts: Option<Made>,
}

impl Standing {
    /// Looks at the board: what was played, what stands on it, whether it has a clock.
    pub fn look(&mut self, sheet: &ScoreSheet, placement: Option<&str>, clock: bool, now: Mono) {
        self.counts.take_if(|made| !made.is_in(sheet));
        let made = || {
            let last = sheet.moves().last().filter(|last| !clock && last.legal && !last.completed && !sheet.is_over())?;
            let stands = placement.is_some() && sheet.expected().as_deref() == placement;
            stands.then(|| Made { epoch: sheet.epoch(), ply: last.ply, uci: last.uci.clone() })
        };
        self.stands = made().map(|made| match self.stands.take() {
            Some((before, since)) if before == made => (made, since),
            _ => (made, now),
        });
        if let Some((made, _)) = self.stands.as_ref().filter(|(_, since)| now.since(*since) >= STANDS_MS) {
            self.counts = Some(made.clone());
        }
    }

    /// When to look again if nothing else happens.
    pub fn deadline(&self) -> Option<Mono> {
        let (made, since) = self.stands.as_ref()?;
        (self.counts.as_ref() != Some(made)).then(|| *since + STANDS_MS)
    }

    /// The last ply that has stood; 0 where none has.
    pub fn ply(&self) -> u32 {
        self.counts.as_ref().map_or(0, |made| made.ply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;
    use alloc::{vec, vec::Vec};

    /// A board without a clock: e2e4 is made, and stands or not.
    #[test]
    fn what_was_made_counts_once_it_has_stood_and_as_long_as_it_is_what_was_played() {
        const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        const LIFTED: &str = "rnbqkbnr/pppp1ppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        let mut line = ScoreSheet::default();
        let say = |line: &mut ScoreSheet, t: u64, body: serde_json::Value| {
            let mut event = serde_json::json!({ "seq": t, "t": t, "at": "2026-01-02T03:04:05Z", "board": "1" });
            event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
            line.take(&serde_json::from_value(event).unwrap());
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        say(
            &mut line,
            1,
            serde_json::json!({"type": "game-start", "fen": start, "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}),
        );
        let made = serde_json::json!({"type": "move-made", "ply": 1, "by": "white", "uci": "e2e4", "san": "e4", "legal": true, "placement": E4, "provisional": true});
        say(&mut line, 2, made.clone());
        let (mut standing, mut timed) = (Standing::default(), Standing::default());
        let at = Mono::from_millis;
        let told =
            |line: &ScoreSheet, standing: &Standing| line.line(standing.ply()).iter().map(|(san, _)| san.to_string()).collect::<Vec<_>>();
        for t in [0, 700, 1_499] {
            standing.look(&line, Some(E4), false, at(t));
            timed.look(&line, Some(E4), true, at(t));
            assert_eq!((standing.ply(), standing.deadline()), (0, Some(at(STANDS_MS))));
        }
        // A piece in the air before that begins the time anew.
        standing.look(&line, Some(LIFTED), false, at(1_499));
        assert_eq!(standing.deadline(), None);
        standing.look(&line, Some(E4), false, at(1_600));
        standing.look(&line, Some(E4), false, at(1_600 + STANDS_MS));
        timed.look(&line, Some(E4), true, at(1_600 + STANDS_MS));
        assert_eq!((told(&line, &standing), standing.deadline()), (vec![String::from("e4")], None));
        assert_eq!((timed.ply(), timed.deadline()), (0, None), "where there is a clock the press says it");
        // The answer begins: what counted counts.
        standing.look(&line, Some(LIFTED), false, at(4_000));
        assert_eq!(told(&line, &standing), ["e4"]);
        // It is taken back, and comes again.
        say(&mut line, 3, serde_json::json!({"type": "move-withdrawn", "ply": 1, "uci": "e2e4"}));
        standing.look(&line, Some(LIFTED), false, at(5_000));
        assert_eq!(told(&line, &standing), Vec::<String>::new());
        say(&mut line, 4, made);
        standing.look(&line, Some(E4), false, at(6_000));
        assert_eq!(standing.ply(), 0, "it has to stand again");
        say(
            &mut line,
            5,
            serde_json::json!({"type": "move-completed", "ply": 1, "by": "white", "uci": "e2e4", "san": "e4", "legal": true, "how": "settled"}),
        );
        standing.look(&line, Some(E4), false, at(6_100));
        assert_eq!((told(&line, &standing), standing.deadline()), (vec![String::from("e4")], None), "completed is completed");
    }
}
