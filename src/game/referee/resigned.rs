//! A resignation where the opponent cannot mate is a draw (5.1.2 of 2023): the result stands as it was entered, and the operator is told.
use crate::questions::Purpose;
use crate::referee::hearing::Hearing;
use crate::referee::state::{Referee, Resigned};
use flagfall_events::{AlarmKey, AlarmState, Body, Colour, GameResult};
use flagfall_laws::Edition;
use flagfall_laws::situation::Verdict;

/// The alarm: the result that stands is a win by resignation, and the winner cannot mate by any series of legal moves.
const ALARM: AlarmKey = AlarmKey::ResignationUnwinnable;

/// Whether the reason that was entered with a result says that a player resigned, in English or Russian.
pub(crate) fn says_so(reason: &str) -> bool {
    let reason = reason.to_lowercase();
    ["resign", "сдал", "сдач"].iter().any(|word| reason.contains(word))
}

impl Referee {
    /// Nobody knows yet whether it was one that draws.
    pub(crate) fn asks_of_a_resignation(&self) -> bool {
        let Some(Resigned { fen, winner, told: false }) = &self.resigned else { return false };
        matches!(self.questions.verdict_on(fen, *winner), Verdict::Pending)
    }
}

impl Hearing<'_> {
    /// Asks about a result by resignation, where the edition in use does; any other result settles the question.
    pub(crate) fn result_by(&mut self, result: GameResult, resigned: bool) {
        if self.own.resigned.take().is_some_and(|earlier| earlier.told) {
            self.say(Body::alarm(ALARM, AlarmState::Cleared));
        }
        let winner = match result {
            GameResult::WhiteWins => Colour::White,
            GameResult::BlackWins => Colour::Black,
            GameResult::Draw | GameResult::Open => return,
        };
        let asks = resigned && Edition::of(self.scene.settings.rules).resignation_may_draw;
        let Some(fen) = self.scene.play.filter(|_| asks).map(|play| play.top().position.fen()) else { return };
        self.ask(&fen, winner, Purpose::Resignation);
        self.own.resigned = Some(Resigned { fen, winner, told: false });
        self.resignation_decided();
    }

    /// The solver may have answered.
    pub(crate) fn resignation_decided(&mut self) {
        let Some(Resigned { fen, winner, told: false }) = &self.own.resigned else { return };
        if let Verdict::Unwinnable(_) = self.own.questions.verdict_on(fen, *winner) {
            if let Some(resigned) = &mut self.own.resigned {
                resigned.told = true;
            }
            self.say(Body::alarm(ALARM, AlarmState::Raised));
        }
    }
}
