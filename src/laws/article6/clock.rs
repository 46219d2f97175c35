//! 6.1 and 6.10: defects and wrong settings of the clock; times that were ruled but not set.
use crate::irregularity::{Defect, WrongSetting};
use crate::judgement::Judgement;
use crate::penalty::choices;
use crate::situation::{Situation, whole};
use crate::words::{display, of_player_ru, player_en, seconds_en, seconds_ru};
use alloc::format;
use flagfall_events::{Action, ClockPair, Colour, Grade, Key, PressCounter, Proposal, Run, SetClock, Words};
use serde_json::{Value, json};

/// 6.1 and 6.10.1 (1997: 6.10). The clock does what no rule explains; it is replaced, with the last good reading less what ran since.
pub(crate) fn clock_defect(s: &Situation, defect: Defect, times: Option<ClockPair>, run: Run) -> Option<Judgement> {
    // Russia 1.16.4, second: the opponent's button and back is allowed, however often it is needed.
    if matches!(defect, Defect::Lever { by: Some(_) }) && s.edition().article(Key::LeverCheck).is_some() {
        return None;
    }
    let (what, summary, facts) = match defect {
        Defect::BothRun => ("both-run", Words::new("Both displays count at once.", "Идут часы обоих игроков одновременно."), json!({})),
        Defect::Frozen { by, for_ms } => (
            "frozen",
            Words::new(
                format!("{}'s display stands although the clock runs.", player_en(by)),
                format!("Показания часов {} не меняются, хотя часы идут.", of_player_ru(by)),
            ),
            json!({ "side": by, "for_ms": for_ms }),
        ),
        Defect::Jump { by, by_ms } => {
            let (more_en, more_ru) = if by_ms > 0 { ("more", "больше") } else { ("less", "меньше") };
            let size = by_ms.saturating_abs();
            (
                "jump",
                Words::new(
                    format!("{}'s display jumped: {} {more_en} than it should show.", player_en(by), seconds_en(size)),
                    format!("Показания часов {} скачком изменились: на {} {more_ru}, чем должно быть.", of_player_ru(by), seconds_ru(size)),
                ),
                json!({ "side": by, "by_ms": by_ms }),
            )
        }
        Defect::Drift { per_mille } => {
            let (pace_en, pace_ru) = if per_mille > 0 { ("fast", "спешат") } else { ("slow", "отстают") };
            let size = per_mille.unsigned_abs();
            let percent = if size.is_multiple_of(10) { format!("{}", size / 10) } else { format!("{}.{}", size / 10, size % 10) };
            (
                "drift",
                Words::new(format!("The clock runs {percent} % {pace_en}."), format!("Часы {pace_ru} на {} %.", percent.replace('.', ","))),
                json!({ "per_mille": per_mille }),
            )
        }
        Defect::Lever { by } => {
            let (who_en, who_ru) = by.map_or(("The lever", "Рычаг"), |by| match by {
                Colour::White => ("White's button", "Кнопка белых"),
                Colour::Black => ("Black's button", "Кнопка чёрных"),
            });
            (
                "lever",
                Words::new(
                    format!("{who_en} needs a second press before the clock takes it."),
                    format!("{who_ru} срабатывает только со второго нажатия."),
                ),
                json!({ "side": by }),
            )
        }
        Defect::NoReports { for_ms } => (
            "no-reports",
            Words::new("The clock does not answer although it should run.", "Часы не отвечают, хотя должны идти."),
            json!({ "for_ms": for_ms }),
        ),
    };
    let judgement = Judgement::new(s.edition(), Key::ClockDefect, None, summary)?;
    Some(judgement.facts(with(facts, "defect", what)).proposing(to_set(s, times, run, PressCounter::default())))
}

/// 6.10.2 and 6.3.2 (1997: 6.2; Russia: 1.16.1). The clock is not set as agreed: which part is wrong, and what it should show now; also one that
/// took another's place in the game. Where
/// neither side got the next period's time it is a note: many clocks add it at zero.
pub(crate) fn clock_setting(
    s: &Situation,
    setting: WrongSetting,
    times: Option<ClockPair>,
    run: Run,
    press_counter: PressCounter,
) -> Option<Judgement> {
    let (what, summary, facts) = match setting {
        WrongSetting::NoIncrement { should_ms } => (
            "no-increment",
            Words::new(
                format!("The clock adds no time; {} a move were agreed.", seconds_en(should_ms)),
                format!("Часы не добавляют время; по регламенту дополнительное время {} на ход.", seconds_ru(should_ms)),
            ),
            json!({ "should_ms": should_ms }),
        ),
        WrongSetting::Increment { is_ms, should_ms } => (
            "increment",
            Words::new(
                format!("The clock adds {} a move; {} were agreed.", seconds_en(is_ms), seconds_en(should_ms)),
                format!("Часы добавляют {} на ход; по регламенту {}.", seconds_ru(is_ms), seconds_ru(should_ms)),
            ),
            json!({ "is_ms": is_ms, "should_ms": should_ms }),
        ),
        WrongSetting::DelayForIncrement { should_ms } => (
            "delay-for-increment",
            Words::new(
                format!("The clock delays and does not add; an increment of {} was agreed.", seconds_en(should_ms)),
                format!("На часах задержка времени; по регламенту дополнительное время {} на ход.", seconds_ru(should_ms)),
            ),
            json!({ "should_ms": should_ms }),
        ),
        WrongSetting::IncrementForDelay { should_ms } => (
            "increment-for-delay",
            Words::new(
                format!("The clock adds time at every move; a delay of {} was agreed.", seconds_en(should_ms)),
                format!("Часы добавляют время за ход; по регламенту задержка времени {}.", seconds_ru(should_ms)),
            ),
            json!({ "should_ms": should_ms }),
        ),
        WrongSetting::OtherDelay { bronstein, should_ms } => {
            let (is, agreed) = if bronstein { ("Bronstein", "US delay") } else { ("US delay", "Bronstein") };
            (
                "other-delay",
                Words::new(
                    format!("The clock is set to {is}; {agreed} of {} was agreed.", seconds_en(should_ms)),
                    format!("Часы установлены на режим {is}; по регламенту {agreed}, {}.", seconds_ru(should_ms)),
                ),
                json!({ "bronstein": bronstein, "should_ms": should_ms }),
            )
        }
        WrongSetting::PeriodTime { by, is_ms, should_ms } => {
            let (who_en, who_ru) = whose(by);
            (
                "period-time",
                Words::new(
                    format!("{who_en} got {} for the next period; {} were agreed.", display(is_ms), display(should_ms)),
                    format!("На часы {who_ru} добавлено {} на следующий период; по регламенту {}.", display(is_ms), display(should_ms)),
                ),
                json!({ "side": by, "is_ms": is_ms, "should_ms": should_ms }),
            )
        }
        WrongSetting::Exchanged { before, shown } => {
            let [bw, bb, sw, sb] = [before.white_ms, before.black_ms, shown.white_ms, shown.black_ms].map(display);
            (
                "exchanged",
                Words::new(
                    format!("The clock was plugged in again and shows {sw} and {sb}; before it showed {bw} and {bb}."),
                    format!("Часы подключены снова и показывают {sw} и {sb}; до этого они показывали {bw} и {bb}."),
                ),
                json!({ "before": before, "shown": shown }),
            )
        }
        WrongSetting::Base { by, off_ms } => {
            let (more_en, more_ru) = if off_ms > 0 { ("too much", "больше") } else { ("too little", "меньше") };
            let size = off_ms.saturating_abs();
            let (who_en, who_ru) = whose(by);
            (
                "base",
                Words::new(
                    format!("{who_en} began with {} {more_en}.", seconds_en(size)),
                    format!("Начальное время {who_ru} на {} {more_ru} положенного.", seconds_ru(size)),
                ),
                json!({ "side": by, "off_ms": off_ms }),
            )
        }
        WrongSetting::Period { by, at_move, early, bonus_ms } => {
            let (who_en, who_ru) = whose(by);
            let time = display(bonus_ms);
            let summary = if early {
                Words::new(
                    format!("{who_en} got the {time} of the next period before move {at_move} was completed."),
                    format!("Время следующего периода ({time}) добавлено на часы {who_ru} до завершения {at_move}-го хода."),
                )
            } else {
                // A clock that adds at zero looks the same until then.
                let (or_en, or_ru) = match by {
                    Some(_) => ("", ""),
                    None => (" Some clocks add it only at 0:00.", " Некоторые часы добавляют его лишь при 0:00."),
                };
                Words::new(
                    format!("{who_en} did not get the {time} of the next period after move {at_move}.{or_en}"),
                    format!("После {at_move}-го хода на часы {who_ru} не добавлено время следующего периода ({time}).{or_ru}"),
                )
            };
            ("period", summary, json!({ "side": by, "at_move": at_move, "early": early, "bonus_ms": bonus_ms }))
        }
    };
    let mut judgement = Judgement::new(s.edition(), Key::ClockSetting, None, summary)?;
    if matches!(setting, WrongSetting::Period { by: None, early: false, .. }) {
        judgement.grade = Grade::Note;
    }
    let proposal = match setting {
        // 6.10.1: times of a replacement clock are set whenever it is replaced.
        WrongSetting::Exchanged { .. } => to_set(s, times, run, press_counter),
        _ => to_install(s, times, run, press_counter),
    };
    Some(judgement.facts(with(facts, "wrong", what)).proposing(proposal))
}

/// 6.10.2. The game has begun, and the clock shows 0:00 for both as it did from the start. Where no time control was agreed the clock may not
/// be in use: a note.
pub(crate) fn clock_unset(s: &Situation, times: Option<ClockPair>, run: Run) -> Option<Judgement> {
    let summary = Words::new("The clock is not set: both displays show 0:00.", "Часы не установлены: у обоих игроков 0:00.");
    let mut judgement = Judgement::new(s.edition(), Key::ClockSetting, None, summary)?.facts(json!({ "wrong": "unset" }));
    if times.is_none() {
        judgement.grade = Grade::Note;
        return Some(judgement);
    }
    Some(judgement.proposing(to_install(s, times, run, PressCounter::default())))
}

/// 6.10.2 with 7.1: the clock runs and shows other times than were ruled. A note.
pub(crate) fn ruled_time_not_set(s: &Situation, ruled: ClockPair, shown: ClockPair) -> Option<Judgement> {
    let (r, n) = (ruled, shown);
    let [rw, rb, nw, nb] = [r.white_ms, r.black_ms, n.white_ms, n.black_ms].map(display);
    let summary = Words::new(
        format!("Ruled were {rw} and {rb}; the clock shows {nw} and {nb}."),
        format!("Решено установить {rw} и {rb}; часы показывают {nw} и {nb}."),
    );
    let mut judgement = Judgement::new(s.edition(), Key::ClockSetting, None, summary)?.facts(json!({ "ruled": ruled, "shown": shown }));
    judgement.grade = Grade::Note;
    Some(judgement)
}

const fn whose(by: Option<Colour>) -> (&'static str, &'static str) {
    match by {
        Some(by) => (player_en(by), of_player_ru(by)),
        None => ("Both players", "обоих игроков"),
    }
}

fn with(mut facts: Value, name: &str, what: &str) -> Value {
    facts[name] = json!(what);
    facts
}

/// The setting to install (6.10.2), or, where it may not be changed any more, nothing.
fn to_install(s: &Situation, times: Option<ClockPair>, run: Run, press_counter: PressCounter) -> Proposal {
    if s.setting_stands() { Proposal::new(Action::Continue) } else { to_set(s, times, run, press_counter) }
}

/// Both displays to set, with what may be chosen instead.
fn to_set(s: &Situation, times: Option<ClockPair>, run: Run, press_counter: PressCounter) -> Proposal {
    let mut proposal = Proposal::new(Action::SetClock);
    proposal.press_counter = (!press_counter.is_zero()).then_some(press_counter);
    proposal.clock = times.map(|t| SetClock { white_ms: whole(t.white_ms), black_ms: whole(t.black_ms), run });
    if let Some(now) = s.clock {
        choices(&mut proposal, SetClock { white_ms: whole(now.white_ms), black_ms: whole(now.black_ms), run });
    }
    proposal
}
