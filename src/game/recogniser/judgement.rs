//! What a press comes to that completes no legal move: an illegal one, none at all, or one that cannot be read yet (6.2.1, 7.5).
use crate::placement::{Image, bit, colour, is_exchanged, piece};
use crate::press::Press;
use crate::recogniser::play::Play;
use crate::recognition::step::Step;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::Mono;

/// What a press comes to.
#[derive(Clone, Debug)]
pub(crate) enum Judgement {
    /// These plies stand, and all of the presser's among them are completed.
    Completes(Vec<Step>),
    /// The same, and nothing tells that they were not others.
    Assumed(Vec<Step>),
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
/// So long a press waits for what comes next.
const HOLD_MS: u64 = 2_500;
/// Presses in a row that no move was found for.
const MOST_UNREAD: usize = 6;

/// How far the line to the board is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Nothing speaks against it, or no dump is to be had.
    Whole,
    /// Dumps are answered: what does not stand at once is checked against one.
    Checked,
    /// Messages have been lost before: everything is.
    Lossy,
}

/// Judges the oldest press that waits, where no legal move is known of it. `scan_ms` is how far the sensors may lag.
pub(crate) fn judge(play: &Play, press: &Press, image: &Image, now: Mono, scan_ms: u64, trust: Trust) -> Judgement {
    let judgement = nothing_seen(play, press, image, now, scan_ms);
    let (plain, rests_on) = match &judgement {
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
        // Never from one odd frame, nor from where a hand comes by that goes on after the press.
        let came = line.last().map_or(press.at, |last| image.last_change_of(last.touched));
        let at_work = line.last().is_some_and(|last| answers_already(play, press, image, last.touched));
        let until = came + if came > press.at + scan_ms || at_work { HOLD_MS } else { scan_ms };
        return if now < until { Judgement::Wait(until) } else { Judgement::Illegal(line) };
    }
    if let Some(line) = disturbed {
        let still = image.last_change() + scan_ms;
        return if now < still.min(press.at + HOLD_MS) { Judgement::Wait(still) } else { Judgement::Disturbed(line) };
    }
    unmoved(play, press, image, now)
}

/// Whether the opponent has taken up a piece since the press: what he takes with it may stand about for a moment.
fn answers_already(play: &Play, press: &Press, image: &Image, touched: u64) -> bool {
    let is_his = |square: usize| piece(play.expected().0[square]).is_some_and(|piece| colour(piece.color) == press.by.other());
    let taken_up = |square: usize| image.placement().0[square] == PieceCode::Empty && image.last_change_of(bit(square)) > press.at;
    (0..64).any(|square| touched & bit(square) == 0 && is_his(square) && taken_up(square))
}

/// 7.4.1, 7.6: a legal move of the presser's among disturbed squares, or two exchanged pieces and no move.
fn disturbed(play: &Play, press: &Press, image: &Image, scan_ms: u64) -> Option<Vec<Step>> {
    let line = play.disturbed_line(press, image, scan_ms);
    line.or_else(|| (play.top().turn() == press.by && !play.occupancy() && is_exchanged(play.expected(), image)).then(Vec::new))
}

/// 7.5.3: nothing has moved, one scan and a dump after the press. A lever that is back at once was bounced. Who presses while his opponent's move
/// is not completed gives him back the time to press (6.2.1.1).
fn unmoved(play: &Play, press: &Press, image: &Image, now: Mono) -> Judgement {
    let still = play.top().turn() == press.by && image.placement() == play.expected();
    if !still {
        return Judgement::Nothing;
    }
    if !play.waiting(press.by.other()).is_empty() {
        return Judgement::Idle;
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
