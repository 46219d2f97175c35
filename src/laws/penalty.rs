//! The penalty for illegal moves, and which times it leads to.
use super::irregularity::Before;
use super::situation::{Question, Situation, Verdict, runs, set, shown, shown_at};
use super::words::{player_en, seconds_en, seconds_ru, to_player_ru};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use flagfall_events::{Action, Alternative, BonusKind, Colour, GameResult, Key, Period, PressCounter, Proposal, SetClock, TimeControl};

/// What is done about an offence that does not lose the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The move is taken back, with the time and the count of its press.
    TakenBack(Action),
    /// The move stands, with the time and the count of its press.
    Stands(Action),
    /// A remark; nothing is set.
    Remark,
}

/// The result when this player loses.
pub(crate) const fn loss(by: Colour) -> GameResult {
    match by {
        Colour::White => GameResult::BlackWins,
        Colour::Black => GameResult::WhiteWins,
    }
}

/// 7.5.5 (2018, 2023), 1.16.4 first (Russia): a counted offence.
///
/// `fen` is the position after the measure: where the next offence would lose, it decides between loss and draw.
pub(crate) fn offence(s: &Situation, key: Key, by: Colour, measure: Measure, before: &Before, fen: &str) -> (Proposal, Option<Question>) {
    let penalties = &s.edition().penalties;
    let action = match measure {
        Measure::TakenBack(action) | Measure::Stands(action) => action,
        Measure::Remark => Action::Warn,
    };
    let limit = penalties.loses_at.filter(|_| penalties.counted.contains(&key));
    // Two faults in one move count once.
    let counted = s.same_move_counted && limit.is_some();
    let number = s.offences.of(by).saturating_add(u32::from(!counted));
    let article = limit.and(penalties.article).map(String::from);
    let restore_fen = (action == Action::RestorePosition).then(|| before.fen.clone());
    let numbered = Proposal { restore_fen, offence: limit.map(|_| number), article, ..Proposal::new(action) };
    if counted && matches!(measure, Measure::Stands(Action::SetClock) | Measure::Remark) {
        return (Proposal { action: Action::Continue, ..numbered }, None);
    }
    if !counted && limit.is_some_and(|limit| number >= limit) {
        let (proposal, question) = lost(s, by, fen, penalties.draw_if_unmateable);
        let Proposal { restore_fen, offence, article, .. } = numbered;
        return (Proposal { restore_fen, offence, article, ..proposal }, question);
    }
    let mut proposal = numbered;
    if measure == Measure::Remark {
        return (proposal, None);
    }
    let wrong = wrong_presses(by, measure, before);
    if let Some(now) = s.clock {
        times(&mut proposal, s, by, measure, before, wrong, now);
    }
    proposal.press_counter = (!wrong.is_zero()).then(|| wrong.taken_back());
    (proposal, None)
}

/// Presses that the clock counted and that are taken back: all since the position that is restored; where nothing moved, those that no move
/// goes with.
fn wrong_presses(by: Colour, measure: Measure, before: &Before) -> PressCounter {
    let PressCounter { white, black } = before.presses;
    match measure {
        Measure::TakenBack(Action::RestorePosition) => before.presses,
        Measure::TakenBack(_) => {
            let served = before.served;
            let left = PressCounter { white: (white - served.white).max(0), black: (black - served.black).max(0) };
            if left.of_player(by) == 0 { PressCounter::of(by, 1) } else { left }
        }
        Measure::Stands(_) | Measure::Remark => PressCounter::default(),
    }
}

/// What every press adds, milliseconds; 0 where periods differ or nothing is added.
fn increment(s: &Situation) -> i64 {
    let Some(periods) = s.time_control.as_ref().map(TimeControl::periods) else { return 0 };
    let added = |p: &Period| if p.kind == BonusKind::Fischer { i64::from(p.bonus_s) * 1000 } else { 0 };
    let first = periods.first().map_or(0, added);
    if periods.iter().all(|p| added(p) == first) { first } else { 0 }
}

/// Both clocks after an offence that does not lose, and what else the arbiter may choose (7.1).
fn times(proposal: &mut Proposal, s: &Situation, by: Colour, measure: Measure, before: &Before, wrong: PressCounter, now: SetClock) {
    let penalties = &s.edition().penalties;
    let bonus = if s.same_move_counted { 0 } else { penalties.bonus(s.play) };
    let taken_back = matches!(measure, Measure::TakenBack(_));
    let restored = matches!(measure, Measure::TakenBack(Action::RestorePosition));
    // Who is to move once it is done: moves on top of it stand unless the position is restored.
    let next = if taken_back { by } else { by.other() };
    let run = runs(if restored || before.later_moves.is_multiple_of(2) { next } else { next.other() });
    // Found late: the clocks go back to the irregular press. Found at once: the opponent's time since then is used.
    let late = before.at_press.filter(|_| restored && before.later_moves > 0);
    let own = late.map_or_else(|| shown(now, by), |at| shown_at(at, by));
    let other = late.map_or_else(|| shown(now, by.other()), |at| shown_at(at, by.other()));
    // What presses added that are taken back: the irregular one, and those that answered it.
    let (mut earned, mut answered) = (0, 0);
    if taken_back && penalties.takes_increment_back {
        let each = if late.is_some() { 0 } else { increment(s) };
        earned = before.earned_ms + each * i64::from((wrong.of_player(by) - 1).max(0));
        answered = each * i64::from(wrong.of_player(by.other()));
    }
    let own = own.saturating_sub(earned);
    let other = other.saturating_sub(answered).saturating_add(bonus);
    let clock = set(by, own, other, run);
    proposal.clock = Some(clock);
    if let Some(at) = before.at_press.filter(|_| taken_back && before.later_moves == 0) {
        let given = set(by, own, shown_at(at, by.other()).saturating_add(bonus), run);
        let back = shown(given, by.other()) - shown(clock, by.other());
        if back > 0 {
            let to = by.other();
            proposal.alternatives.push(Alternative {
                label: format!("{} given back to {}", seconds_en(back), player_en(to)),
                label_ru: format!("вернуть {} {}", to_player_ru(to), seconds_ru(back)),
                clock: given,
            });
        }
    }
    choices(proposal, set(by, shown(now, by), shown(now, by.other()), run));
}

/// 7.1: the clocks may be left as they are, or set to any other times.
pub(crate) fn choices(proposal: &mut Proposal, unchanged: SetClock) {
    let Some(clock) = proposal.clock else { return };
    let custom = Alternative { label: String::from("custom"), label_ru: String::from("другое время"), clock };
    proposal
        .alternatives
        .push(Alternative { label: String::from("unchanged"), label_ru: String::from("без изменений"), clock: unchanged });
    proposal.alternatives.push(custom);
}

/// The game is lost by `by`; or drawn, where the edition asks whether the opponent can mate and he cannot.
pub(crate) fn lost(s: &Situation, by: Colour, fen: &str, may_draw: bool) -> (Proposal, Option<Question>) {
    let declared = |action, result| Proposal { result: Some(result), ..Proposal::new(action) };
    let open = |why: String| Proposal { undecided: Some(why), ..Proposal::new(Action::None) };
    let either = vec![loss(by), GameResult::Draw];
    if !may_draw {
        return (declared(Action::DeclareLoss, loss(by)), None);
    }
    let proposal = match &s.verdict {
        Verdict::Winnable(line) => Proposal { mate: Some(line.clone()), ..declared(Action::DeclareLoss, loss(by)) },
        Verdict::Unwinnable(_) => declared(Action::DeclareDraw, GameResult::Draw),
        Verdict::Pending => open(format!("whether {} can mate is being worked out", player_en(by.other()))),
        Verdict::Undecided(why) => Proposal { results: either, ..open(why.clone()) },
    };
    (proposal, Some(Question { fen: String::from(fen), winner: by.other() }))
}
