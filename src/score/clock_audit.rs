//! Before a game: whether the clock shows what the time control says. Articles 6.2.1 and 8.4 leave it to the arbiter to look; a hall has many clocks.
//!
//! Which side is White's is not known before the first press, and both sides show the same then.
use crate::board::BoardState;
use alloc::string::String;
use flagfall_events::{BonusKind, ClockSource, Colour, LinkState, TimeControl};
use serde::Serialize;

/// What a clock shows while the pieces stand for a game that has not begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClockAudit {
    /// The time control of the board, in PGN notation.
    pub time_control: String,
    /// How the clock stands to it.
    pub state: AuditState,
    /// How much more White's side shows than it should, milliseconds; negative: less. Absent where nothing is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white_off_ms: Option<i64>,
    /// The same of Black's side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black_off_ms: Option<i64>,
}

/// How a clock stands to the time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum AuditState {
    /// Both sides show the first period's time.
    Right,
    /// A side shows another time.
    Off,
    /// It runs already.
    Runs,
    /// No clock has answered.
    Unread,
}

/// The clock of a board that waits for its game; `None` while a game is played, while the pieces do not stand, or without a time control.
pub fn audit(board: &BoardState) -> Option<ClockAudit> {
    let text = board.game().time_control.as_ref()?;
    let control: TimeControl = text.parse().ok()?;
    let waits = board.link() == LinkState::Up && (board.plies() == 0 || board.is_over()) && board.placement().is_some_and(is_set_up);
    if !waits {
        return None;
    }
    let shown = board.clock().map(|reading| reading.state).filter(|state| state.source != ClockSource::None);
    let off = |shown: Option<i64>| shown.map(|shown| off(shown, &control));
    let (white_off_ms, black_off_ms) = (off(shown.and_then(|s| s.white_ms)), off(shown.and_then(|s| s.black_ms)));
    let running: Option<Colour> = shown.and_then(|state| state.running);
    let state = match (white_off_ms, black_off_ms) {
        (None, _) | (_, None) => AuditState::Unread,
        _ if running.is_some() => AuditState::Runs,
        (Some(0), Some(0)) => AuditState::Right,
        _ => AuditState::Off,
    };
    Some(ClockAudit { time_control: text.clone(), state, white_off_ms, black_off_ms })
}

/// The distance from what a clock shows at its start. With a bonus some show it before the first move and some do not.
fn off(shown: i64, control: &TimeControl) -> i64 {
    let Some(first) = control.periods().first() else { return 0 };
    let base = i64::from(first.base_s) * 1_000;
    let bonus = if first.kind == BonusKind::Bronstein { 0 } else { i64::from(first.bonus_s) * 1_000 };
    [shown - base, shown - base - bonus].into_iter().min_by_key(|off| off.abs()).unwrap_or(0)
}

/// Pawns and pieces stand as before a game, Chess960 included.
fn is_set_up(placement: &str) -> bool {
    let rank = |text: &str, is: fn(u8) -> bool| text.len() == 8 && text.bytes().all(is);
    let mut ranks = placement.split('/');
    ranks.next().is_some_and(|r| rank(r, |b| b.is_ascii_lowercase()))
        && ranks.next() == Some("pppppppp")
        && (0..4).all(|_| ranks.next() == Some("8"))
        && ranks.next() == Some("PPPPPPPP")
        && ranks.next().is_some_and(|r| rank(r, |b| b.is_ascii_uppercase()))
        && ranks.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::said::START;
    use alloc::vec::Vec;
    use flagfall_events::Event;
    use serde_json::json;

    fn clock(white: i64, black: i64, running: Option<&str>) -> serde_json::Value {
        json!({"type": "clock", "white_ms": white, "black_ms": black, "running": running, "flag": null, "source": "device", "uncertainty_ms": 1000})
    }

    fn audited(control: Option<&str>, more: &[serde_json::Value]) -> Option<(AuditState, Option<i64>, Option<i64>)> {
        let mut board = BoardState::new("1".into());
        let begin = [
            json!({"type": "link", "state": "up"}),
            json!({"type": "placement", "placement": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "settled": true}),
            json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "standard", "time_control": control, "chess960": false}),
        ];
        let said = begin.iter().chain(more).zip(1..).map(|(body, seq)| {
            let mut event = body.clone();
            (event["seq"], event["t"], event["board"]) = (seq.into(), seq.into(), "1".into());
            event["at"] = "2026-01-01T10:00:00Z".into();
            serde_json::from_value(event).unwrap()
        });
        said.collect::<Vec<Event>>().iter().for_each(|event| _ = board.apply(event));
        audit(&board).map(|audit| (audit.state, audit.white_off_ms, audit.black_off_ms))
    }

    #[test]
    fn a_clock_is_right_with_the_first_bonus_and_without() {
        use AuditState::{Off, Right, Runs, Unread};
        let control = Some("40/5400+30:1800+30");
        assert_eq!(audited(control, &[clock(5_400_000, 5_430_000, None)]), Some((Right, Some(0), Some(0))));
        assert_eq!(audited(control, &[clock(3_600_000, 5_400_000, None)]), Some((Off, Some(-1_800_000), Some(0))));
        assert_eq!(audited(control, &[clock(5_400_000, 5_460_000, None)]), Some((Off, Some(0), Some(30_000))));
        assert_eq!(audited(control, &[clock(5_400_000, 5_400_000, Some("white"))]), Some((Runs, Some(0), Some(0))));
        assert_eq!(audited(control, &[]), Some((Unread, None, None)));
        assert_eq!(audited(None, &[clock(5_400_000, 5_400_000, None)]), None, "nothing to compare with");
    }

    #[test]
    fn a_game_that_has_begun_is_not_audited_and_the_set_up_after_it_is() {
        let placement = |text: &str| json!({"type": "placement", "placement": text, "settled": true});
        let moved = json!({"type": "move-made", "game": 1, "ply": 1, "by": "white", "uci": "e2e4", "san": "e4", "legal": true,
            "placement": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "provisional": false});
        let result = json!({"type": "result", "game": 1, "result": "1-0", "reason": "entered", "source": "operator"});
        let (right, start) = (clock(600_000, 600_000, None), placement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
        let control = Some("600");
        assert_eq!(audited(control, &[right.clone(), moved.clone()]), None);
        assert_eq!(audited(control, &[clock(1_000, 2_000, None), moved.clone(), result.clone()]), None, "the pieces are not set up");
        let seen = audited(control, &[moved, result, right, start]);
        assert_eq!(seen.map(|seen| seen.0), Some(AuditState::Right));
        assert!(is_set_up("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR") && !is_set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1"));
    }
}
