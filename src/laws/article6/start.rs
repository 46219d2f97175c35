//! 6.5 to 6.7: where the clock stands, how a game begins, who is late.
use crate::judgement::Judgement;
use crate::penalty::{choices, loss};
use crate::situation::{Situation, whole};
use crate::words::{minutes_en, minutes_ru, player_en, player_ru_first, plural_ru};
use alloc::format;
use alloc::string::String;
use flagfall_events::{Action, Alternative, ClockPair, Colour, Key, Proposal, SetClock, Words};
use serde_json::json;

/// 6.5 (1997: 6.4; Russia: 1.16.2, on White's left). The clock stands the other way round than configured.
pub(crate) fn clock_side(s: &Situation, white_is_left: bool) -> Option<Judgement> {
    let (set_en, set_ru, is_en, is_ru) = match white_is_left {
        true => ("left", "слева", "right", "справа"),
        false => ("right", "справа", "left", "слева"),
    };
    let summary = Words::new(
        format!("White's display should be on the {set_en}; by the presses it is on the {is_en}."),
        format!("Часы белых должны быть {set_ru}; судя по нажатиям, они {is_ru}."),
    );
    let facts = json!({ "set": set_en, "seen": is_en });
    Some(Judgement::new(s.edition(), Key::ClockSide, None, summary)?.facts(facts).proposing(Proposal::new(Action::Continue)))
}

/// 6.6 (1997: 6.5). Black's clock ran first: the time that ran is White's.
pub(crate) fn wrong_side_started(s: &Situation, ran_ms: i64) -> Option<Judgement> {
    let summary = Words::new("Black's clock was started first; White is to move.", "Первыми пущены часы чёрных, а ход белых.");
    let mut proposal = Proposal::new(Action::SetClock);
    if let Some(now) = s.clock {
        let ran = whole(ran_ms);
        let (white, black) = (whole(now.white_ms.saturating_sub(ran)), whole(now.black_ms.saturating_add(ran)));
        proposal.clock = Some(SetClock { white_ms: white, black_ms: black, run: s.turn });
        choices(&mut proposal, SetClock { white_ms: whole(now.white_ms), black_ms: whole(now.black_ms), run: s.turn });
    }
    Some(Judgement::new(s.edition(), Key::WrongSideStarted, None, summary)?.facts(json!({ "ran_ms": ran_ms })).proposing(proposal))
}

/// 6.6 (1997: 6.5). No clock ran a minute after the scheduled start. Nobody's fault; once it runs, White may be charged the minutes lost, unless
/// his time was `ruled` since then.
pub(crate) fn late_start(s: &Situation, late_ms: i64, started: Option<ClockPair>, ruled: bool) -> Option<Judgement> {
    let minutes = u64::try_from(late_ms.max(0) / 60_000).unwrap_or(0);
    let (en, ru) = (minutes_en(minutes), minutes_ru(minutes));
    let summary = match started {
        None => Words::new(
            format!("No clock runs {en} after the scheduled start."),
            format!("Через {ru} после назначенного начала часы ещё не пущены."),
        ),
        Some(_) => Words::new(format!("The game began {en} late."), format!("Партия началась с опозданием на {ru}.")),
    };
    let mut proposal = Proposal::new(if started.is_some() { Action::Continue } else { Action::None });
    if let Some(at) = started {
        let lost = late_ms.max(0) / 60_000 * 60_000;
        // Not the times of the start: what both have used since stays used.
        let now = s.clock.map_or(at, |now| ClockPair { white_ms: now.white_ms, black_ms: now.black_ms });
        let unchanged = SetClock { white_ms: whole(now.white_ms), black_ms: whole(now.black_ms), run: s.turn };
        let white_ms = whole(now.white_ms.saturating_sub(lost));
        if !ruled {
            proposal.alternatives.push(Alternative {
                label: format!("White's time less {en}"),
                label_ru: format!("время белых минус {ru}"),
                clock: SetClock { white_ms, ..unchanged },
            });
        }
        proposal.alternatives.push(Alternative {
            label: String::from("unchanged"),
            label_ru: String::from("без изменений"),
            clock: unchanged,
        });
    }
    let facts = json!({ "late_ms": late_ms, "minutes": minutes, "started": started.is_some(), "ruled": ruled });
    Some(Judgement::new(s.edition(), Key::LateStart, None, summary)?.facts(facts).proposing(proposal))
}

/// 6.7.1 (1997: 6.6, one hour). No move and no press by this player within the default time: he may be absent, or thinking. A hint that
/// proposes nothing, until the arbiter has `entered` that he is not there; arrivals are the arbiter's to enter too.
pub(crate) fn default_time(s: &Situation, by: Colour, default_ms: u64, absent_ms: u64, entered: bool) -> Option<Judgement> {
    let minutes = default_ms / 60_000;
    let judgement = |summary: Words| {
        let facts = json!({ "default_ms": default_ms, "absent_ms": absent_ms, "entered": entered });
        // What the arbiter saw has an article under every edition.
        let article = s.edition().article_reported(Key::DefaultTime);
        Judgement::reported(article, Key::DefaultTime, Some(by), summary).facts(facts)
    };
    if entered {
        let summary = Words::new(
            format!("{} is absent, and the default time is over.", player_en(by)),
            format!("{} отсутствуют, время допустимого опоздания истекло.", player_ru_first(by)),
        );
        let proposal = Proposal { result: Some(loss(by)), ..Proposal::new(Action::DeclareLoss) };
        return Some(judgement(summary).proposing(proposal));
    }
    let summary = Words::new(
        format!("{} may be absent: no move and no press, and the default time of {} is over.", player_en(by), minutes_en(minutes)),
        format!(
            "{}, возможно, отсутствуют: ни хода, ни нажатия часов, а время допустимого опоздания ({} {}) истекло.",
            player_ru_first(by),
            minutes,
            plural_ru(minutes, "минута", "минуты", "минут")
        ),
    );
    Some(judgement(summary).proposing(Proposal::new(Action::None)))
}

/// 6.7.2. Neither player was present at the start: White loses the time until he arrives, once.
pub(crate) fn neither_present(s: &Situation, lost_ms: i64, arrived: bool, ruled: bool) -> Option<Judgement> {
    let edition = s.edition();
    let lost = lost_ms.max(0) / 1000 * 1000;
    let minutes = u64::try_from(lost / 60_000).unwrap_or(0);
    let (en, ru) = (minutes_en(minutes), minutes_ru(minutes));
    let summary = if arrived {
        Words::new(
            format!("White arrived {en} after the start; neither player was there. White loses that time."),
            format!("Белые пришли через {ru} после начала; обоих игроков не было. Белые теряют это время."),
        )
    } else {
        Words::new(
            format!("Neither player may be present: White's clock is not running {en} after the start."),
            format!("Возможно, нет обоих игроков: через {ru} после начала часы белых не идут."),
        )
    };
    let mut proposal = Proposal::new(match (arrived, ruled) {
        (true, false) => Action::SetClock,
        (true, true) => Action::Continue,
        (false, _) => Action::None,
    });
    if let Some(now) = s.clock.filter(|_| arrived && !ruled) {
        let unchanged = SetClock { white_ms: whole(now.white_ms), black_ms: whole(now.black_ms), run: s.turn };
        proposal.clock = Some(SetClock { white_ms: whole(now.white_ms.saturating_sub(lost)), ..unchanged });
        choices(&mut proposal, unchanged);
    }
    let facts = json!({ "lost_ms": lost_ms, "arrived": arrived, "ruled": ruled });
    let judgement = Judgement::new(edition, Key::DefaultTime, Some(Colour::White), summary)?;
    Some(judgement.citing(edition.neither_present).facts(facts).proposing(proposal))
}
