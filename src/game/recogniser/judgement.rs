//! The press is the segmenter: which move a press completes, at once or after one scan (6.2.1).
use crate::placement::is_exchanged;
use crate::placement::{Image, bit, colour, piece};
use crate::press::Press;
use crate::recogniser::lines::MOST_UNREAD;
use crate::recogniser::play::Play;
use crate::recognition::evidence;
use crate::recognition::likely::{Level, Ranked};
use crate::recognition::step::Step;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::Mono;

/// What a press comes to.
#[derive(Clone, Debug)]
pub(crate) enum Judgement {
    /// These plies stand, and all of the presser's among them are completed.
    Completes(Vec<Step>),
    /// The same, but some of the plies, a bit set for each, may have been others: all lead to what stands, and nothing that comes later tells.
    Untold(Vec<Step>, u64),
    /// Moves of the presser that were made before are completed; nothing new.
    Late,
    /// Wait; sensors lag by up to one scan.
    Wait(Mono),
    /// The image may be wrong: ask for a dump, then decide.
    Ask,
    /// The presser is not to move and nothing of his waits.
    Idle,
    /// It is the presser's turn, and what stands cannot be read.
    Nothing,
    /// These plies stand, the last one against Article 3, and the presser's are completed (7.5.1, 7.5.2).
    Illegal(Vec<Step>),
    /// The last of these plies shows in full, other squares are disturbed besides (7.4.1); without plies only those.
    Disturbed(Vec<Step>),
    /// It is the presser's turn, and nothing has moved (7.5.3).
    Unmoved,
    /// The lever went there and back, and nothing moved.
    Bounced,
}

/// How long an answer to a dump request may take.
const DUMP_MS: u64 = 400;

/// So long a dump is asked for again before anything is completed, where messages have been lost or may have been.
const VERIFY_MS: u64 = 3_000;
/// The same where none have been lost as far as is known.
const CHECK_MS: u64 = 1_000;

/// A lever that is back within this time was bounced, or tried.
const BOUNCE_MS: u64 = 1_000;
/// A king that went two squares waits so long for its rook.
const CASTLING_MS: u64 = 2_500;

/// The clock reports at least so often.
const REPORT_MS: u64 = 1_200;

/// A move that came after less thought than this is blitz: the sensors may not even have seen where the piece stands now.
const QUICK_MS: u64 = 1_500;
/// A line that costs more than this explains nothing.
const TOO_ODD: u32 = 90;
/// The same where the game's thread is not certain.
const ODD_IN_DISORDER: u32 = 45;
/// What a line may cost that no other comes near, and how near that is.
const ODDEST: u32 = 112;
/// What a line of several plies may cost more for each of them.
const ODD_A_PLY: u32 = 24;
const ALONE: u32 = 60;
/// By how much the best line must be better than the next.
const MARGIN: u32 = 6;
/// The same for moves made faster than the sensors see, or read together with those after them.
const CLEAR_LEAD: u32 = 10;
/// The same of one step and two of the same pawn.
const CLEAR_LEAD_OF_TWINS: u32 = 26;
/// The same of neighbouring squares, on one of which a captured piece may have been pushed aside.
const CLEAR_LEAD_OF_NEIGHBOURS: u32 = 36;
/// What it costs that the last of several moves is not seen yet, before the sensors have caught up.
const NOT_SEEN_YET: u32 = 16;
/// So long a press waits for what comes next, where two lines are close.
const HOLD_MS: u64 = 2_500;
/// The same where one square reads wrong for good, since a message was lost.
const CLEAR_MARGIN: u32 = 30;

/// How far the line to the board is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Nothing speaks against it, or no dump is to be had.
    Whole,
    /// Dumps are answered: what does not stand at once, and as legal play explains it, is checked against one.
    Checked,
    /// Messages have been lost before: everything is.
    Lossy,
}

/// Judges the oldest press that waits. `scan_ms` is how far the sensors may lag.
pub(crate) fn judge(play: &Play, press: &Press, image: &Image, now: Mono, scan_ms: u64, trust: Trust) -> Judgement {
    let judgement = weigh(play, press, image, now, scan_ms);
    let (plain, rests_on) = match &judgement {
        Judgement::Completes(line) | Judgement::Untold(line, _) => {
            (true, image.last_change_of(line.iter().fold(0, |set, s| set | s.touched)))
        }
        Judgement::Late => (true, press.at),
        Judgement::Illegal(_) | Judgement::Disturbed(_) | Judgement::Nothing | Judgement::Unmoved => (false, image.last_change()),
        _ => return judgement,
    };
    // A lever that a changed byte threw is back with the next report of the clock.
    if trust == Trust::Lossy && matches!(judgement, Judgement::Illegal(_)) {
        if is_back(play, press) {
            return Judgement::Bounced;
        }
        if now < press.at + REPORT_MS {
            return Judgement::Wait(press.at + REPORT_MS);
        }
    }
    // Nor does a piece that may be on its way yet count before the clock has confirmed the press.
    let goes_on = |line: &[Step]| play.may_go_on(line, line.len() - 1, image);
    if trust == Trust::Lossy
        && now < press.at + REPORT_MS
        && play.presses.len() == 1
        && matches!(&judgement, Judgement::Completes(line) if !line.is_empty() && goes_on(line))
    {
        return Judgement::Wait(press.at + REPORT_MS);
    }
    let checked = press.dumped.is_some_and(|at| at >= rests_on);
    if trust == Trust::Whole || checked || (plain && trust == Trust::Checked && now == press.at) {
        return judgement;
    }
    let until = press.at + if plain && trust == Trust::Checked { CHECK_MS } else { VERIFY_MS };
    match press.asked.filter(|asked| press.dumped.is_none_or(|at| at < *asked)) {
        _ if now >= until => judgement,
        Some(asked) if now < asked + DUMP_MS => Judgement::Wait(asked + DUMP_MS),
        // Not asked yet, too early, or the answer was lost as well.
        _ => Judgement::Ask,
    }
}

/// What the first press comes to, weighed together with as many of the presses after it as can be read.
fn weigh(play: &Play, press: &Press, image: &Image, now: Mono, scan_ms: u64) -> Judgement {
    // Until the sensors have caught up, the first press alone is looked at.
    let together = if now < press.at + scan_ms { 1 } else { play.presses.len() };
    let upto = (0..together).rev().find(|&upto| play.pressed_at(upto).len() <= MOST_UNREAD).unwrap_or(0);
    let levels = play.likely_levels(upto, image, now, scan_ms);
    for upto in (1..=upto).rev() {
        if let Some(judgement) = weigh_together(play, press, upto, &levels, image, now, scan_ms) {
            return judgement;
        }
    }
    let alone = weigh_alone(play, press, levels.get(play.pressed_at(0).len() - 1), image, now, scan_ms);
    match alone {
        Judgement::Nothing | Judgement::Illegal(_) | Judgement::Disturbed(_) if !play.occupancy() => {
            likeliest(play, upto, &levels).unwrap_or(alone)
        }
        alone => alone,
    }
}

/// Nothing more can be waited for: the likeliest legal line of several presses, none of it certain, where all that come near it lead to what stands.
fn likeliest(play: &Play, upto: usize, levels: &[Level]) -> Option<Judgement> {
    (1..=upto).rev().find_map(|upto| {
        let lines = &levels.get(play.pressed_at(upto).len() - 1)?.lines;
        let best = lines.first().filter(|best| best.cost.wrong == 0 && best.cost.total <= oddest(best))?;
        let end = play.shown_after(&best.line);
        let near = lines.iter().take_while(|r| r.cost.total < best.cost.total + CLEAR_LEAD);
        let same_end = near.map(|r| play.shown_after(&r.line)).all(|shown| shown == end);
        same_end.then(|| Judgement::Untold(best.line.clone(), (1 << best.line.len()) - 1))
    })
}

/// What a line of so many plies may cost that leads clearly.
fn oddest(line: &Ranked) -> u32 {
    ODDEST + ODD_A_PLY * u32::try_from(line.line.len().saturating_sub(1)).unwrap_or(0)
}

/// What the first press comes to, with the presses up to `upto` after it; `None`: they cannot be read together, or not yet.
fn weigh_together(play: &Play, press: &Press, upto: usize, levels: &[Level], image: &Image, now: Mono, scan_ms: u64) -> Option<Judgement> {
    let level = |upto: usize| levels.get(play.pressed_at(upto).len() - 1);
    let mut all = level(upto)?.clone();
    let plies = play.pressed_at(0).len();
    // The last move may not be seen at all yet.
    if now < play.presses.get(upto)?.at + scan_ms
        && let Some(shorter) = level(upto - 1)
    {
        all.lines.extend(shorter.lines.iter().cloned().map(|mut r| {
            r.cost.total += NOT_SEEN_YET;
            r
        }));
        all.lines.sort_by_key(|r| r.cost.total);
        all.cut = all.cut.min(shorter.cut.saturating_add(NOT_SEEN_YET));
    }
    let lines = &all.lines;
    let best = lines.first()?;
    let latest = play.presses.get(upto)?.at;
    if now >= latest + scan_ms
        && let Some(untold) = same_end(play, press, &all, plies)
    {
        return Some(untold);
    }
    let lead = lead_of(lines, plies).min(all.lead_of_cut());
    if !believable(play, press, best, lead) {
        return None;
    }
    let hold = || Judgement::Wait(if now < latest + scan_ms { latest + scan_ms } else { latest + HOLD_MS });
    let own = &best.line[plies - 1];
    let reads = image.placement().0[own.to()];
    let stands = reads == own.piece() || (reads != PieceCode::Empty && evidence::came_down(own, image).is_some());
    let other = lines.iter().find(|r| !same(&r.line[..plies.min(r.line.len())], &best.line[..plies]));
    let clear = other.and_then(|r| r.line.get(plies - 1)).map_or(CLEAR_LEAD, |rival| clear_lead(own, rival));
    // A piece that was never seen where it went, and is said to have been taken there, may move next.
    let unseen = evidence::came_down(own, image).is_none() && reads != own.piece();
    if unseen && upto < 2 {
        return (now < latest + HOLD_MS).then(hold);
    }
    // One that went on by itself from there may have stood elsewhere.
    let next = best.line[plies..].iter().position(|later| later.touched & bit(own.to()) != 0);
    if let Some(next) = next.filter(|next| unseen && lead >= clear && next % 2 == 1) {
        let last = plies + next;
        return Some(Judgement::Untold(best.line[..=last].to_vec(), 1 << (plies - 1) | 1 << last));
    }
    if lead >= clear && (stands || best.line[plies..].iter().any(|later| later.touched & bit(own.to()) != 0)) {
        return Some(Judgement::Completes(best.line[..plies].to_vec()));
    }
    (now < latest + HOLD_MS).then(hold)
}

/// All lines that may have been played lead to what stands: nothing that comes later tells them apart.
fn same_end(play: &Play, press: &Press, level: &Level, plies: usize) -> Option<Judgement> {
    let best = level.lines.first().filter(|_| !play.occupancy())?;
    let near = |r: &&Ranked| {
        let apart = r.line.iter().zip(&best.line).find(|(a, b)| a.mv != b.mv);
        r.cost.total < best.cost.total + apart.map_or(CLEAR_LEAD, |(a, b)| clear_lead(a, b))
    };
    let end = play.shown_after(&best.line);
    let ends_there = |r: &Ranked| r.line.len() == best.line.len() && play.shown_after(&r.line) == end;
    let (mut open, mut last) = (0_u64, plies);
    for rival in level.lines.iter().skip(1).filter(near) {
        if rival.cost.wrong != 0 || !ends_there(rival) {
            return None;
        }
        for (ply, (a, b)) in rival.line.iter().zip(&best.line).enumerate() {
            // A capture in passing may look like another one of the same pawn: by name they are the same.
            if a.name() != b.name() {
                open |= 1 << ply;
                last = last.max(ply + 1);
            }
        }
    }
    let close = level.lines.iter().take_while(|r| r.cost.total < best.cost.total + ALONE);
    let rivals = close.filter(|r| !ends_there(r));
    let lead = rivals.map(|r| r.cost.total - best.cost.total).min().unwrap_or(u32::MAX).min(level.lead_of_cut());
    let differ = open & ((1 << plies) - 1) != 0;
    let odd =
        best.cost.wrong != 0 || best.cost.total > oddest(best) || !(lead >= CLEAR_LEAD_OF_TWINS || believable(play, press, best, lead));
    (differ && lead >= CLEAR_LEAD && !odd).then(|| Judgement::Untold(best.line[..last].to_vec(), open))
}

/// By how much one of two plies must be better than the other.
fn clear_lead(a: &Step, b: &Step) -> u32 {
    match () {
        () if are_neighbours(a, b) => CLEAR_LEAD_OF_NEIGHBOURS,
        () if are_pawn_twins(a, b) => CLEAR_LEAD_OF_TWINS,
        () => CLEAR_LEAD,
    }
}

/// One step and two of the same pawn: where it is taken at once, hardly anything tells them apart.
fn are_pawn_twins(a: &Step, b: &Step) -> bool {
    a.mv.role() == shakmaty::Role::Pawn && a.from() == b.from() && a.to().abs_diff(b.to()) == 8
}

/// The same piece on squares side by side: what is seen on one may be the piece, or a captured one pushed there.
fn are_neighbours(a: &Step, b: &Step) -> bool {
    let apart = |x: usize, y: usize| (x % 8).abs_diff(y % 8).max((x / 8).abs_diff(y / 8));
    a.from() == b.from() && apart(a.to(), b.to()) == 1 && !are_pawn_twins(a, b)
}

/// How much more the best line costs that has another beginning of so many plies than the cheapest.
fn lead_of(lines: &[Ranked], plies: usize) -> u32 {
    let Some((best, rest)) = lines.split_first() else { return 0 };
    let begins = |r: &&Ranked| same(&r.line[..plies.min(r.line.len())], &best.line[..plies.min(best.line.len())]);
    rest.iter().find(|r| !begins(r)).map_or(u32::MAX, |r| r.cost.total - best.cost.total)
}

/// The first press alone; what cannot be read may be once the next moves are seen, where all goes fast.
fn weigh_alone(play: &Play, press: &Press, level: Option<&Level>, image: &Image, now: Mono, scan_ms: u64) -> Judgement {
    let judgement = weigh_first(play, press, level, image, now, scan_ms);
    let fast = play.presses.len() > 1 || press.spent_ms.is_some_and(|spent| spent < QUICK_MS);
    match judgement {
        Judgement::Nothing | Judgement::Disturbed(_) if fast && now < press.at + HOLD_MS => Judgement::Wait(press.at + HOLD_MS),
        judgement => judgement,
    }
}

fn weigh_first(play: &Play, press: &Press, level: Option<&Level>, image: &Image, now: Mono, scan_ms: u64) -> Judgement {
    let lag_is_over = now >= press.at + scan_ms;
    let mut lines = level.map_or_else(Vec::new, |level| level.lines.clone());
    let lead_of_cut = level.map_or(u32::MAX, Level::lead_of_cut);
    if let Some(line) = play.exact_line(image, scan_ms).and_then(|line| own_lines(play, press, line, image)) {
        let cost = play.cost_of(&line, image, scan_ms);
        lines.push(Ranked { line, cost, at_best: None });
        lines.sort_by_key(|r| r.cost.total);
    }
    // What came down later than the sensors may lag was not there when the clock was pressed.
    let in_time = |step: &Step| {
        let Some(down) = evidence::came_down(step, image) else { return true };
        // Seen there and gone again before the press: on its way elsewhere.
        let reads = image.placement().0[step.to()];
        let taken = piece(reads).is_some_and(|p| colour(p.color) != press.by);
        let gone = reads != step.piece() && !taken && image.last_change_of(bit(step.to())) <= press.at;
        !gone && down <= press.at + scan_ms
    };
    lines.retain(|r| r.line.last().is_some_and(in_time));
    let lead = match lines.as_slice() {
        [best, rest @ ..] => rest.iter().find(|r| !same(&r.line, &best.line)).map_or(u32::MAX, |r| r.cost.total - best.cost.total),
        [] => 0,
    };
    let lead = lead.min(lead_of_cut);
    let Some((best, own)) = lines.first().filter(|r| believable(play, press, r, lead)).and_then(|r| Some((r, r.line.last()?))) else {
        return match lines.first().filter(|best| one_square_was_lost(press, best, lead, now)) {
            Some(best) => Judgement::Completes(best.line.clone()),
            None => nothing_seen(play, press, image, now, scan_ms),
        };
    };
    let upto = best.line.len() - 1;
    let down = evidence::came_down(own, image);
    let reads = image.placement().0[own.to()];
    // A piece never seen where it went may have been taken there at once: its taker will show.
    let taken = reads != PieceCode::Empty && reads != play.ground().placement.0[own.to()];
    // One that was seen there and is gone may have gone on, and been taken there.
    let gone = down.is_some() && reads == PieceCode::Empty && now < press.at + HOLD_MS;
    let waits = taken && down.is_none() && reads != own.piece() && now < press.at + HOLD_MS;
    if waits && lag_is_over {
        return Judgement::Wait(press.at + HOLD_MS);
    }
    if gone || (down.is_none() && reads != own.piece() && !taken) {
        return if !lag_is_over || now >= press.at + HOLD_MS {
            // Where nothing was seen to come down, and nothing to take it, nothing is completed.
            nothing_seen(play, press, image, now, scan_ms)
        } else if press.asked.is_none() {
            Judgement::Ask
        } else {
            Judgement::Wait(press.at + HOLD_MS)
        };
    }
    let plain = image.placement().diff(&play.after(&best.line).placement) == 0;
    let quick = press.spent_ms.is_some_and(|spent| spent < QUICK_MS);
    // A piece that was seen to come down after the press stands where the press found it.
    let stands = lag_is_over
        || (!quick
            && down.is_some_and(|down| (down >= press.at && plain) || (now >= down + scan_ms || !play.may_go_on(&best.line, upto, image))));
    let down = down.unwrap_or(press.at);
    let rival = lines.iter().find(|r| r.line.len() == best.line.len() && !same(&r.line, &best.line)).and_then(|r| r.line.last());
    let margin = match (quick, rival) {
        (true, Some(rival)) if are_neighbours(own, rival) => CLEAR_LEAD_OF_NEIGHBOURS,
        (true, _) => CLEAR_LEAD,
        (false, _) => MARGIN,
    };
    match (stands && lead >= margin, lag_is_over) {
        (true, _) => Judgement::Completes(best.line.clone()),
        (false, false) => {
            Judgement::Wait(if stands || quick { press.at + scan_ms } else { (down + scan_ms).min(press.at + scan_ms) }.max(now + 1))
        }
        (false, true) if now < press.at + HOLD_MS => Judgement::Wait(press.at + HOLD_MS),
        (false, true) => nothing_seen(play, press, image, now, scan_ms),
    }
}

/// Whether a line explains the picture well enough; where an earlier press found no move, it takes more.
fn believable(play: &Play, press: &Press, best: &Ranked, lead: u32) -> bool {
    let certain = play.unanswered.is_empty() && play.ground().turn() == press.by;
    let odd = if certain { TOO_ODD } else { ODD_IN_DISORDER };
    let spare = oddest(best) - ODDEST;
    let alone =
        (best.cost.total <= oddest(best) && lead >= ALONE) || (certain && best.cost.total <= TOO_ODD + spare && lead >= CLEAR_MARGIN);
    best.cost.wrong == 0 && (best.cost.total <= odd || alone)
}

/// Where no dump came to help: one square reads wrong for good, and one line is clearly the best all the same.
fn one_square_was_lost(press: &Press, best: &Ranked, lead: u32, now: Mono) -> bool {
    let given_up = press.asked.is_some_and(|asked| now >= asked + DUMP_MS);
    given_up && best.cost.wrong.count_ones() == 1 && best.cost.total <= TOO_ODD && lead >= CLEAR_MARGIN
}

/// A line of three plies or more, cut behind the presser's last ply that was seen down before he pressed.
fn own_lines(play: &Play, press: &Press, mut line: Vec<Step>, image: &Image) -> Option<Vec<Step>> {
    let last = (0..line.len()).rev().find(|&i| {
        is_own(play, press, i) && line[..=i].iter().all(|step| evidence::came_down(step, image).is_some_and(|at| at <= press.at))
    })?;
    line.truncate(last + 1);
    (last >= 2).then_some(line)
}

/// Whether the ply with this index of the line is the presser's.
fn is_own(play: &Play, press: &Press, index: usize) -> bool {
    index.is_multiple_of(2) == (play.ground().turn() == press.by)
}

fn same(a: &[Step], b: &[Step]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.mv == b.mv)
}

fn nothing_seen(play: &Play, press: &Press, image: &Image, now: Mono, scan_ms: u64) -> Judgement {
    let waiting = play.waiting(press.by);
    let line_is_own = waiting.iter().any(|&i| i >= play.base());
    // A press that could not be read was the opponent's move all the same.
    let answers = play.unanswered.last().is_some_and(|earlier| earlier.by != press.by);
    if !line_is_own && (!answers || play.unanswered.len() >= MOST_UNREAD) && play.top().turn() != press.by {
        return if waiting.is_empty() { Judgement::Idle } else { Judgement::Late };
    }
    if now < press.at + scan_ms {
        return Judgement::Wait(press.at + scan_ms);
    }
    let Some(asked) = press.asked else { return Judgement::Ask };
    if now < asked + DUMP_MS {
        return Judgement::Wait(asked + DUMP_MS);
    }
    // The rest of the board may be in disorder; a move that stands as it was made counts, unless it was nudged there before his turn.
    let disturbed = disturbed(play, press, image, scan_ms);
    let own_stands = play.own_stands(press.by, image, disturbed.is_some());
    if own_stands || (!line_is_own && !waiting.is_empty()) {
        return Judgement::Late;
    }
    // A king waits for its rook.
    if now < press.at + CASTLING_MS && play.castles(press.by, image) {
        return Judgement::Wait(press.at + CASTLING_MS);
    }
    if let Some(line) = play.illegal_line(press, image) {
        let until = line.last().map_or(press.at, |last| image.last_change_of(last.touched) + scan_ms);
        // Never from one odd frame.
        return if now < until { Judgement::Wait(until) } else { Judgement::Illegal(line) };
    }
    if let Some(line) = disturbed {
        let still = image.last_change() + scan_ms;
        return if now < still.min(press.at + HOLD_MS) { Judgement::Wait(still) } else { Judgement::Disturbed(line) };
    }
    unmoved(play, press, image, now)
}

/// 7.4.1, 7.6: a legal move of the presser's among disturbed squares, or two exchanged pieces and no move.
fn disturbed(play: &Play, press: &Press, image: &Image, scan_ms: u64) -> Option<Vec<Step>> {
    let line = play.disturbed_line(press, image, scan_ms);
    line.or_else(|| (play.top().turn() == press.by && !play.occupancy() && is_exchanged(play.expected(), image)).then(Vec::new))
}

/// 7.5.3: nothing has moved, one scan and a dump after the press. A lever that is back at once was bounced.
fn unmoved(play: &Play, press: &Press, image: &Image, now: Mono) -> Judgement {
    let still = play.top().turn() == press.by && image.placement() == play.expected();
    if !still {
        return Judgement::Nothing;
    }
    match (is_back(play, press), now < press.at + BOUNCE_MS) {
        (true, _) => Judgement::Bounced,
        (false, true) => Judgement::Wait(press.at + BOUNCE_MS),
        (false, false) => Judgement::Unmoved,
    }
}

/// Whether the lever went back at once.
fn is_back(play: &Play, press: &Press) -> bool {
    play.presses.iter().any(|other| other.by != press.by && other.at >= press.at && other.at.since(press.at) <= BOUNCE_MS)
}
