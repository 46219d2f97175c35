//! What the arbiter saw and the sensors cannot: reports, assistants, counts of moves.
use crate::recogniser::record::number;
use crate::referee::facts::Ruled;
use crate::referee::hearing::Hearing;
use crate::referee::ruled::hangs;
use crate::referee::scene::Scene;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use flagfall_events::{Body, Colour, Key, PressCounter, Status};
use flagfall_laws::Irregularity;
use flagfall_laws::irregularity::{Before, Phase, Reported};
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode};

/// The echo of a report, naming the finding that it raised.
pub(crate) fn naming(ruling: Body, finding: Option<u64>) -> Body {
    match (ruling, finding) {
        (Body::Ruling(ruling), Some(id)) => Body::Ruling(Box::new(ruling.raising(id))),
        (ruling, _) => ruling,
    }
}

impl Scene<'_> {
    /// Moves completed by White and by Black.
    pub(crate) fn completed(&self) -> [u32; 2] {
        let plies = self.play.map_or(&[][..], |play| play.record.plies());
        [Colour::White, Colour::Black]
            .map(|by| u32::try_from(plies.iter().filter(|ply| ply.completed && ply.by == by).count()).unwrap_or(u32::MAX))
    }
}

impl Hearing<'_> {
    /// Raises a finding that is confirmed already, or by the verdict that its result needs: what the arbiter saw needs no second tap. `ruling` is
    /// the echo of his input.
    pub(crate) fn report(&mut self, key: Key, by: Option<Colour>, ruling: Body) -> Vec<Ruled> {
        if let (Key::DefaultTime, Some(by)) = (key, by) {
            self.absence_entered(by, ruling);
            return Vec::new();
        }
        let reported = self.reported(key, by);
        let id = self.find(Irregularity::Reported(reported), self.own.evidence_from);
        self.say(naming(ruling, id));
        let Some(found) = id.and_then(|id| self.own.findings.get(id)) else { return Vec::new() };
        let (id, proposal) = (found.id, found.judgement.proposal.as_ref());
        let hangs = hangs(proposal);
        self.judge_again();
        if hangs { self.wait_for_verdict(id, Status::Confirmed, None) } else { self.close_and_carry_out(id, Status::Confirmed, None, None) }
    }

    fn reported(&self, key: Key, by: Option<Colour>) -> Reported {
        let plies = self.scene.play.map_or(&[][..], |play| play.record.plies());
        let last = by.and_then(|by| plies.iter().rposition(|ply| ply.by == by));
        let before = last.map(|index| {
            let ply = &plies[index];
            let since = |by: Colour| i32::try_from(plies[index..].iter().filter(|p| p.by == by && p.pressed).count()).unwrap_or(i32::MAX);
            Before {
                fen: ply.before.fen(),
                immediate: true,
                at_press: ply.at_press.map(|displays| displays.pair),
                earned_ms: ply.earned_ms,
                later_moves: u32::try_from(plies.len() - index - 1).unwrap_or(u32::MAX),
                presses: PressCounter { white: since(Colour::White), black: since(Colour::Black) },
                ..Before::default()
            }
        });
        let phase = match self.scene.play {
            Some(play) if play.over => Phase::After,
            Some(play) if !play.record.plies().is_empty() => Phase::During,
            _ => Phase::BeforeMove1,
        };
        let fen = self.scene.play.map(|play| play.top().position.fen());
        Reported {
            key,
            by,
            last: last.map(|index| (number(index), plies[index].uci.clone())),
            before,
            fen: fen.unwrap_or_default(),
            start_fen: self.start_fen(),
            phase,
            completed: self.scene.completed(),
            last_period: self.is_last_period(),
        }
    }

    /// The start position agreed.
    pub(crate) fn start_fen(&self) -> String {
        self.scene.settings.start_fen.clone().unwrap_or_else(|| Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string())
    }

    /// Whether all moves that remain belong to the period that both players are in.
    fn is_last_period(&self) -> bool {
        let Some(control) = &self.scene.settings.time_control else { return true };
        let periods = control.periods();
        let needed: u32 = periods.iter().take(periods.len().saturating_sub(1)).filter_map(|period| period.moves).sum();
        self.scene.completed().into_iter().all(|moves| moves >= needed)
    }

    /// Russia 1.16.7: five moves of this player are counted from now.
    pub(crate) fn count_moves(&mut self, by: Colour) {
        self.withdraw(|irregularity| matches!(irregularity, Irregularity::FiveMoves { .. }));
        self.own.counted_from = self.scene.completed()[usize::from(by == Colour::Black)];
        self.find(Irregularity::FiveMoves { by, done: 0 }, self.voice.seq());
    }

    /// Counts on after a completed move.
    pub(crate) fn count_on(&mut self) {
        let counting = self.own.findings.open().find_map(|found| match found.irregularity {
            Irregularity::FiveMoves { by, done } => Some((found.id, by, done)),
            _ => None,
        });
        let Some((id, by, done)) = counting else { return };
        let now = self.scene.completed()[usize::from(by == Colour::Black)].saturating_sub(self.own.counted_from).min(5);
        if now != done {
            self.update_finding(id, |irregularity| *irregularity = Irregularity::FiveMoves { by, done: now });
        }
    }

    /// 6.2.6: an assistant presses the clock for this player.
    pub(crate) fn assist(&mut self, by: Colour) {
        if !self.own.assisted.contains(&by) {
            self.own.assisted.push(by);
        }
    }
}
