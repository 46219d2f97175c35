//! How well a line of plies explains everything that was sensed since the certain position: not the last picture alone.
//!
//! The unit is a tenth of "a hand did something odd". What a ply needs is free; what it does not explain costs.
use super::step::{Ground, Step};
use crate::game::placement::{Image, Squares, bit, each};
use crate::time::Mono;
use dgt_protocol::square::PieceCode;

/// A ply of the line nobody has to have made.
const PLY: u32 = 4;
/// A ply under way at the end of the line.
const UNDER_WAY: u32 = 12;
/// A piece of its own put back where it stood.
const ADJUSTED: u32 = 5;
/// A captured piece that stands beside the square it was taken on.
const ASIDE: u32 = 8;
/// A piece put down where no ply of the line brings it.
const ASTRAY: u32 = 40;
/// A piece lifted that no ply of the line lifts.
const LIFTED: u32 = 12;
/// A square that reads wrong at the end.
const WRONG: u32 = 60;
/// A piece that was never seen to come down where its ply ends.
const UNSEEN: u32 = 50;
/// The same, where nothing else has come down there since.
const UNSEEN_AND_EMPTY: u32 = 60;
/// The same, of a promotion to anything but a queen.
const UNSEEN_UNDERPROMOTION: u32 = 10;
/// Two plies whose pieces came down in the other order.
const DISORDER: u32 = 10;
/// A reply begun long before the move it replies to was done.
const HASTE: u32 = 30;
/// A piece that still stands where it moves from, and was never lifted there.
const NOT_LIFTED: u32 = 60;
/// A reply begun before the press.
const BEFORE_PRESS: u32 = 10;
/// The presser's piece came down this many milliseconds after his press, for each unit.
const LATE_MS: u64 = 20;

/// What one line leaves unexplained, and how much that costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) total: u32,
    /// Squares that read neither as the line leaves them nor as a captured piece put aside.
    pub(crate) wrong: Squares,
}

/// What lines are weighed against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// The position that is certain.
    pub(crate) root: &'a Ground,
    /// What was sensed since.
    pub(crate) image: &'a Image,
    /// How far the sensors may lag.
    pub(crate) scan_ms: u64,
    /// The press that completes the last ply made, if one does.
    pub(crate) press: Option<Mono>,
}

/// The cost of a line from the root: `made` plies that stand, and plies `under_way` after them.
pub(crate) fn cost(seen: &Seen<'_>, made: &[Step], under_way: &[Step]) -> Cost {
    let Seen { root, image, scan_ms, press } = *seen;
    let start = &root.placement;
    let (mut end, mut expected, mut aside, mut taken) = (*start, 0, 0, Vec::new());
    let mut stands = *start;
    for (index, step) in made.iter().chain(under_way).enumerate() {
        for square in each(step.touched) {
            let before = end.0[square];
            if before != PieceCode::Empty && !step.moves_from(square) {
                taken.push(before);
                aside |= around(square);
            }
        }
        end = step.play(&end);
        expected |= step.touched;
        if index + 1 == made.len() {
            stands = end;
        }
    }
    let is_aside = |square: usize, piece: PieceCode| aside & bit(square) != 0 && taken.contains(&piece);
    let mut total = PLY * count(made.len());
    let mut strays: Squares = 0;
    for change in image.changes() {
        let here = bit(change.square);
        if change.now == PieceCode::Empty {
            if expected & here == 0 && strays & here == 0 {
                total += LIFTED;
            }
            strays &= !here;
            continue;
        }
        // A piece that has come down where its ply ends does not go on from there.
        let done = |step: &Step| change.square != step.to() && came_down(step, image).is_some_and(|at| at < change.at);
        let shows = |step: &Step| step.may_show(change.square, change.now);
        if made.iter().any(|step| shows(step) && (step.is_compound() || !done(step))) || under_way.iter().any(shows) {
            strays |= here & !expected;
        } else if change.now == start.0[change.square] {
            total += ADJUSTED;
        } else {
            total += if is_aside(change.square, change.now) { ASIDE } else { ASTRAY };
            strays |= here;
        }
    }
    let sensed = image.placement();
    let mut wrong = stands.diff(sensed);
    let mut before = stands;
    for (index, step) in under_way.iter().enumerate() {
        wrong &= !step.explains(&before, sensed, wrong);
        before = step.play(&before);
        total += if step.after().all(|(s, p)| sensed.0[s] == p) { PLY } else { UNDER_WAY };
        // Taken before it was seen to arrive.
        if under_way.get(index + 1).is_some_and(|next| next.to() == step.to() && sensed.0[step.to()] == next.piece())
            && came_down(step, image).is_none()
        {
            total += UNSEEN;
        }
    }
    for square in each(wrong) {
        if is_aside(square, sensed.0[square]) {
            wrong &= !bit(square);
        }
    }
    let plies: Vec<&Step> = made.iter().chain(under_way).collect();
    total += disorder(&plies, image, scan_ms);
    for step in made.iter().filter(|step| came_down(step, image).is_none() && sensed.0[step.to()] != step.piece()) {
        // A square that still reads empty is no capture seen yet either.
        total += if sensed.0[step.to()] == PieceCode::Empty { UNSEEN_AND_EMPTY } else { UNSEEN };
        total += if step.is_underpromotion() { UNSEEN_UNDERPROMOTION } else { 0 };
    }
    for step in made {
        if came_down(step, image).is_none() && lifted(step, image).is_none() && sensed.0[step.from()] == start.0[step.from()] {
            total += NOT_LIFTED;
        }
    }
    if let (Some(press), Some(last)) = (press, made.last()) {
        // What a reply under way changed is its own.
        let replies = under_way.iter().fold(0, |set, step| set | step.touched);
        let acted = image.last_change_of(last.touched & !replies);
        total += u32::try_from(acted.since(press) / LATE_MS).unwrap_or(u32::MAX / 1_000);
        if under_way.first().and_then(|reply| lifted(reply, image)).is_some_and(|at| at <= press) {
            total += BEFORE_PRESS;
        }
    }
    Cost { total: total + WRONG * wrong.count_ones(), wrong }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX / 1_000)
}

/// Pieces that came down, or were lifted for the next ply, in another order than their plies: by less than a scan the sensors may have it
/// wrong, by more they cannot.
fn disorder(plies: &[&Step], image: &Image, scan_ms: u64) -> u32 {
    let mut total = 0;
    for pair in plies.windows(2) {
        let Some(down) = came_down(pair[0], image) else { continue };
        total += match came_down(pair[1], image).map_or(0, |next| down.since(next)) {
            0 => 0,
            ms if ms < scan_ms => DISORDER,
            _ => WRONG,
        };
        if lifted(pair[1], image).is_some_and(|next| down.since(next) > scan_ms) {
            total += HASTE;
        }
    }
    total
}

/// When the piece was last seen to leave its square.
pub(crate) fn lifted(step: &Step, image: &Image) -> Option<Mono> {
    image.changes().iter().rev().find(|c| c.square == step.from() && c.was != PieceCode::Empty).map(|c| c.at)
}

/// When the moved piece was last seen to come down on its square.
pub(crate) fn came_down(step: &Step, image: &Image) -> Option<Mono> {
    let (to, piece) = (step.to(), step.piece());
    image.changes().iter().rev().find(|c| c.square == to && c.now == piece).map(|c| c.at)
}

/// The squares around one.
fn around(square: usize) -> Squares {
    let (file, rank) = (square % 8, square / 8);
    let near = |a: usize, b: usize| a.abs_diff(b) <= 1;
    (0..64).filter(|&s| s != square && near(s % 8, file) && near(s / 8, rank)).fold(0, |set, s| set | bit(s))
}
