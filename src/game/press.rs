//! The press is the segmenter: which move a press completes, at once or after one scan (6.2.1).
use super::event::How;
use super::placement::{Image, bit};
use super::play::{Completion, Play, Press};
use super::recognition::search::Explanation;
use super::recognition::step::Step;
use crate::time::Mono;

/// What a press comes to.
#[derive(Clone, Debug)]
pub(crate) enum Judgement {
    /// These plies stand, and all of the presser's among them are completed.
    Completes(Vec<Step>),
    /// Moves of the presser that were made before are completed; nothing new.
    Late,
    /// Wait; sensors lag by up to one scan.
    Wait(Mono),
    /// The image may be wrong: ask for a dump, then decide.
    Ask,
    /// The presser is not to move and nothing of his waits.
    Idle,
    /// It is the presser's turn, and no move of his is to be seen.
    Nothing,
}

/// How long an answer to a dump request may take.
const DUMP_MS: u64 = 400;

/// Judges the oldest press that waits. `scan_ms` is how far the sensors may lag.
pub(crate) fn judge(play: &Play, press: &Press, image: &Image, now: Mono, scan_ms: u64) -> Judgement {
    let found = match play.exact_line(image) {
        Some(line) => last_of(play, press, &line, image).map(|upto| (line, upto)),
        None => sure_beginning(play, press, image).map(|line| {
            let upto = line.len() - 1;
            (line, upto)
        }),
    };
    let Some((mut line, upto)) = found else { return nothing_seen(play, press, image, now, scan_ms) };
    let age = Play::age_of(&line[upto], image, now);
    if age < scan_ms && now < press.at + scan_ms && play.may_go_on(&line, upto, image) {
        return Judgement::Wait((now + (scan_ms - age)).min(press.at + scan_ms));
    }
    line.truncate(upto + 1);
    Judgement::Completes(line)
}

/// Index in the line of the presser's last ply that this press can belong to.
fn last_of(play: &Play, press: &Press, line: &[Step], image: &Image) -> Option<usize> {
    let own: Vec<usize> = (0..line.len()).filter(|&i| is_own(play, press, i)).collect();
    // A later press of the same player has a move of its own.
    let later = play.presses.iter().skip(1).filter(|p| p.by == press.by).count();
    let most = own.len().saturating_sub(later).max(1);
    let began = |i: usize| image.changes().iter().any(|c| line[i].touched & bit(c.square) != 0 && c.at <= press.at);
    own.iter().copied().take(most).rev().find(|&i| began(i)).or_else(|| own.first().copied())
}

/// Whether the ply with this index of the line is the presser's.
fn is_own(play: &Play, press: &Press, index: usize) -> bool {
    (index % 2 == 0) == (play.ground().turn() == press.by)
}

/// Where the end of the picture is still in motion: the plies up to the presser's, if every short explanation shares them.
fn sure_beginning(play: &Play, press: &Press, image: &Image) -> Option<Vec<Step>> {
    let explanations = play.partial_lines(image);
    let plies = |e: &Explanation| e.made.len() + e.under_way;
    // A picture that needs fewer plies explains more.
    let fewest = explanations.iter().map(plies).min()?;
    let mut candidates: Vec<Vec<Step>> = Vec::new();
    for explanation in explanations.iter().filter(|e| plies(e) == fewest) {
        let line = match (0..explanation.made.len()).rev().find(|&i| is_own(play, press, i)) {
            Some(last) => &explanation.made[..=last],
            // The presser's own move may still be under way; then nothing is sure.
            None if is_own(play, press, explanation.made.len()) => return None,
            None => continue,
        };
        if !candidates.iter().any(|c| same(c, line)) {
            candidates.push(line.to_vec());
        }
    }
    (candidates.len() == 1).then(|| candidates.pop()).flatten()
}

fn same(a: &[Step], b: &[Step]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.mv == b.mv)
}

fn nothing_seen(play: &Play, press: &Press, image: &Image, now: Mono, scan_ms: u64) -> Judgement {
    let waiting = play.waiting(press.by);
    let line_is_own = waiting.iter().any(|&i| i >= play.base());
    if !line_is_own && play.top().turn() != press.by {
        return if waiting.is_empty() { Judgement::Idle } else { Judgement::Late };
    }
    if now < press.at + scan_ms {
        return Judgement::Wait(press.at + scan_ms);
    }
    let Some(asked) = press.asked else { return Judgement::Ask };
    if now < asked + DUMP_MS {
        return Judgement::Wait(asked + DUMP_MS);
    }
    // The rest of the board may be in disorder; a move that stands as it was made counts.
    let own_stands =
        play.line().iter().enumerate().any(|(i, step)| is_own(play, press, i) && step.after().all(|(s, p)| image.placement().0[s] == p));
    if own_stands || (!line_is_own && !waiting.is_empty()) { Judgement::Late } else { Judgement::Nothing }
}

/// Completes these plies by one press; only the last has its think time.
pub(crate) fn complete_all(play: &mut Play, plies: &[usize], press: &Press, say: &mut impl FnMut(super::event::Body)) {
    for (n, &index) in plies.iter().enumerate() {
        let completion = if n + 1 == plies.len() { Completion::pressed(press) } else { Completion::bare(How::Press) };
        play.complete(index, completion, say);
    }
}
