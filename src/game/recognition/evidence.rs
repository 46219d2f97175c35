//! How well a line of plies explains everything that was sensed since the certain position: not the last picture alone.
//!
//! The unit is a tenth of "a hand did something odd". What a ply needs is free; what it does not explain costs.
use crate::placement::{Change, Image, Squares, bit, each};
use crate::recognition::step::{Ground, Step};
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::Mono;

/// A ply of the line nobody has to have made.
const PLY: u32 = 4;
/// A capture en passant, where a capture that is less rare explains the same.
const EN_PASSANT: u32 = 4;
/// A ply under way at the end of the line.
pub(crate) const UNDER_WAY: u32 = 12;
/// A piece of its own put back where it stood.
const ADJUSTED: u32 = 5;
/// A captured piece that stands beside the square it was taken on.
const ASIDE: u32 = 8;
/// The same for each time so long that it was not taken away, up to so many.
const LEFT_ASIDE: u32 = 30;
const LEFT_ASIDE_MS: u64 = 900;
const MOST_LEFT_ASIDE: u32 = 4;
/// The same of a piece that was not seen on the square it was taken on.
const ASIDE_UNSEEN: u32 = 4;
/// The same sooner after the press than a hand gets there.
const ASIDE_AT_ONCE: u32 = 20;
const AT_ONCE_MS: u64 = 30;
/// A piece put down where no ply of the line brings it.
const ASTRAY: u32 = 40;
/// A piece lifted that no ply of the line lifts.
pub(crate) const LIFTED: u32 = 12;
/// A square that reads wrong at the end.
pub(crate) const WRONG: u32 = 60;
/// A piece that was never seen to come down where its ply ends.
const UNSEEN: u32 = 50;
/// The same, where nothing else has come down there since.
const UNSEEN_AND_EMPTY: u32 = 60;
/// The same, when every square was read since the press: unless it was taken at once, it never stood there.
pub(crate) const NOT_THERE: u32 = 80;
/// A piece taken, or gone on, before it was seen to arrive.
pub(crate) const SNATCHED: u32 = 14;
/// The same, of a promotion to anything but a queen.
const UNSEEN_UNDERPROMOTION: u32 = 10;
/// Two plies whose pieces came down in the other order.
const DISORDER: u32 = 10;
/// A reply begun long before the move it replies to was done.
const HASTE: u32 = 30;
/// A piece that still stands where it moves from, and was never lifted there.
const NOT_LIFTED: u32 = 60;
/// A square that was left and reached again, and whole scans in between never read it empty.
const NOT_VACATED: u32 = 40;
/// A reply begun before the press.
const BEFORE_PRESS: u32 = 10;
/// A reply done before the press.
const DONE_BEFORE_PRESS: u32 = 15;
/// A piece that had left its square again when its player pressed.
const GONE: u32 = 50;
/// The presser's piece came down this many milliseconds after his press, for each unit.
const LATE_MS: u64 = 20;

/// Plies times changes gone through that one look may weigh: three to five milliseconds.
pub(crate) const MOST_WORK: u32 = 1_000_000;

/// How often the changes are gone through for one ply of a line, about.
const PASSES: usize = 4;

/// When the piece of each ply of a line was last seen to leave its square, and to come down on its square.
struct Hands {
    ups: Vec<Option<Mono>>,
    downs: Vec<Option<Mono>>,
}

impl Hands {
    fn of(seen: &Seen<'_>, plies: &[&Step]) -> Self {
        Self {
            ups: plies.iter().enumerate().map(|(index, step)| seen.up(index, step)).collect(),
            downs: plies.iter().enumerate().map(|(index, step)| seen.down(index, step)).collect(),
        }
    }
}

/// What one line leaves unexplained, and how much that costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) total: u32,
    /// Squares that read neither as the line leaves them nor as a captured piece put aside.
    pub(crate) wrong: Squares,
    /// What of the total plies after the last press may explain yet.
    pub(crate) open: u32,
}

impl Cost {
    /// What it may come to at best, where plies after the last press explain what they may.
    pub(crate) const fn promise(&self) -> u32 {
        self.total.saturating_sub(self.open)
    }
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
    /// When each ply of a line was pressed, the first one first, as far as presses are known.
    pub(crate) presses: &'a [Option<Mono>],
    pub(crate) now: Mono,
}

impl Seen<'_> {
    /// What it takes to weigh so many plies.
    pub(crate) fn effort(&self, plies: usize) -> usize {
        plies * (PASSES * self.image.changes().len() + 16)
    }

    /// When the ply with this index was pressed.
    pub(crate) fn press(&self, ply: usize) -> Option<Mono> {
        self.presses.get(ply).copied().flatten()
    }

    /// Whether the sensors may have shown at `at` what the ply with this index did: not before its player had done his last one, and not
    /// later than they lag behind his press.
    fn in_time(&self, ply: usize, at: Mono) -> bool {
        let begun = ply.checked_sub(2).and_then(|before| self.press(before));
        begun.is_none_or(|begun| at > begun) && self.press(ply).is_none_or(|press| at <= press + self.scan_ms)
    }

    /// When the piece of the ply with this index was last seen to come down on its square.
    fn down(&self, ply: usize, step: &Step) -> Option<Mono> {
        let (to, piece, until) = (step.to(), step.piece(), self.press(ply).map(|press| press + self.scan_ms));
        let changes = self.image.changes_of(to).rev();
        changes.filter(|c| until.is_none_or(|until| c.at <= until)).find(|c| c.now == piece).map(|c| c.at)
    }

    /// Whether the piece of a ply had come down on its square then and left it again, for nowhere yet, before this moment.
    fn left_before(&self, down: Option<Mono>, step: &Step, at: Mono) -> bool {
        let Some(down) = down else { return false };
        let next = self.image.changes_of(step.to()).find(|c| c.at > down);
        next.is_some_and(|c| c.now == PieceCode::Empty && c.at < at)
    }

    /// When the piece that the ply with this index takes was last seen to leave the square it is taken on.
    fn taken_off(&self, ply: usize, step: &Step) -> Option<Mono> {
        let (to, until) = (step.to(), self.press(ply).map(|press| press + self.scan_ms));
        let gone = |c: &&Change| c.now == PieceCode::Empty && c.was != step.piece() && until.is_none_or(|until| c.at <= until);
        let last = self.image.changes_of(to).rev().find(gone).map(|c| c.at);
        last.filter(|_| step.mv.is_capture() && !step.is_en_passant())
    }

    /// Whether the piece of the ply with this index was seen to stand where it moves from after the sensors had caught up with the press.
    fn left_late(&self, plies: &[&Step], index: usize) -> bool {
        let (from, mover) = (plies[index].from(), plies[index].mover());
        let Some(press) = self.press(index).filter(|_| !plies[index].is_compound()) else { return false };
        let again = plies.iter().enumerate().any(|(other, step)| other != index && step.touched & bit(from) != 0);
        let first = self.image.changes_of(from).find(|c| c.was == mover);
        !again && first.is_some_and(|c| c.at > press + self.scan_ms)
    }

    /// Whether the square that the ply with this index left was reached again by one of the same code, so late that a scan must have read it
    /// empty in between, and none did.
    fn never_vacated(&self, plies: &[&Step], index: usize) -> bool {
        let (from, mover) = (plies[index].from(), plies[index].mover());
        let back = (index + 1..plies.len()).find(|&later| plies[later].touched & bit(from) != 0);
        let Some((press, again)) = self.press(index).zip(back.and_then(|later| self.press(later))) else { return false };
        let returned = back.is_some_and(|later| plies[later].to() == from && plies[later].piece() == mover);
        let empty = |c: &Change| c.now == PieceCode::Empty && c.at <= again + self.scan_ms;
        returned && again.since(press) > self.scan_ms && !self.image.changes_of(from).any(empty)
    }

    /// When it was last seen to leave its square.
    fn up(&self, ply: usize, step: &Step) -> Option<Mono> {
        let (from, until) = (step.from(), self.press(ply).map(|press| press + self.scan_ms));
        let changes = self.image.changes_of(from).rev();
        changes.filter(|c| until.is_none_or(|until| c.at <= until)).find(|c| c.was == step.mover()).map(|c| c.at)
    }
}

/// A piece that a ply of the line takes, and where it may be put aside.
struct Taken {
    piece: PieceCode,
    near: Squares,
    /// It was seen where it was taken.
    seen: bool,
    /// It stood where it was taken until then.
    after: Option<Mono>,
}

/// The cost of a line from the root: `made` plies that stand, and plies `under_way` after them.
pub(crate) fn cost(seen: &Seen<'_>, made: &[Step], under_way: &[Step]) -> Cost {
    let Seen { root, image, .. } = *seen;
    let start = &root.placement;
    let plies: Vec<&Step> = made.iter().chain(under_way).collect();
    let hands = Hands::of(seen, &plies);
    let downs = &hands.downs;
    let (mut end, mut expected, mut taken) = (*start, 0, Vec::new());
    let mut stands = *start;
    for (index, step) in plies.iter().enumerate() {
        for square in each(step.touched) {
            let piece = end.0[square];
            if piece != PieceCode::Empty && !step.moves_from(square) {
                let after = index.checked_sub(1).and_then(|before| seen.press(before));
                let unseen = |(i, before): (usize, &&Step)| before.to() == square && downs[i].is_none();
                let brought = plies[..index].iter().enumerate().rev().find(|(_, before)| before.touched & bit(square) != 0);
                taken.push(Taken { piece, near: around(square), seen: !brought.is_some_and(unseen), after });
            }
        }
        end = step.play(&end);
        expected |= step.touched;
        if index + 1 == made.len() {
            stands = end;
        }
    }
    let is_aside = |square: usize, piece: PieceCode, at: Mono| {
        taken.iter().any(|t| t.piece == piece && t.near & bit(square) != 0 && t.after.is_none_or(|after| at > after))
    };
    let mut total = PLY * count(made.len());
    total += EN_PASSANT * count(plies.iter().filter(|step| step.is_en_passant()).count());
    let mut strays: Squares = 0;
    let last_press = made.len().checked_sub(1).and_then(|last| seen.press(last)).unwrap_or(seen.now);
    let mut open = 0;
    for change in image.changes() {
        let here = bit(change.square);
        let shows = |(index, step): (usize, &&Step)| {
            // A piece that has come down where its ply ends does not go on from there.
            let done = || change.square != step.to() && downs[index].is_some_and(|at| at < change.at);
            step.may_show(change.square, change.now)
                && (index >= made.len() || step.is_compound() || !done())
                && seen.in_time(index, change.at)
        };
        let charge = if change.now == PieceCode::Empty {
            let lifted = expected & here == 0 && strays & here == 0;
            strays &= !here;
            if lifted { LIFTED } else { 0 }
        } else if plies.iter().enumerate().any(shows) {
            strays |= here & !expected;
            0
        } else if change.now == start.0[change.square] || change.now == stands.0[change.square] {
            ADJUSTED
        } else {
            let aside = change.was == PieceCode::Empty && is_aside(change.square, change.now, change.at);
            let at_once = aside && !is_aside(change.square, change.now, Mono::from_millis(change.at.millis().saturating_sub(AT_ONCE_MS)));
            let unseen = aside && !taken.iter().any(|t| t.seen && t.piece == change.now && t.near & here != 0);
            strays |= here;
            let base = if aside { ASIDE } else { ASTRAY };
            base + if at_once { ASIDE_AT_ONCE } else { 0 } + if unseen { ASIDE_UNSEEN } else { 0 }
        };
        total += charge;
        open += if change.at > last_press { charge } else { 0 };
    }
    let sensed = image.placement();
    let mut wrong = stands.diff(sensed);
    let mut before = stands;
    for (index, step) in under_way.iter().enumerate() {
        wrong &= !step.explains(&before, sensed, wrong);
        before = step.play(&before);
        total += if step.after().all(|(s, p)| sensed.0[s] == p) { PLY } else { UNDER_WAY };
        // Nobody has pressed for the ply before it yet.
        total += if index > 0 && !seen.presses.is_empty() { BEFORE_PRESS } else { 0 };
    }
    for square in each(wrong) {
        let since = image.last_change_of(bit(square));
        if end.0[square] == PieceCode::Empty && is_aside(square, sensed.0[square], since) {
            wrong &= !bit(square);
            // It is not left there for long.
            total += LEFT_ASIDE * u32::try_from(seen.now.since(since) / LEFT_ASIDE_MS).unwrap_or(u32::MAX).min(MOST_LEFT_ASIDE);
        }
    }
    total += disorder(seen, &hands);
    for (index, step) in plies.iter().enumerate() {
        let unseen = unseen(seen, &hands, &plies, index, made.len());
        total += unseen;
        // Who takes it may show later.
        let last = index + 1 == made.len() && under_way.is_empty() && image.last_change_of(bit(step.to())) > last_press;
        open += if last { unseen.saturating_sub(SNATCHED) } else { 0 };
    }
    for (index, step) in made.iter().enumerate() {
        if downs[index].is_none() && hands.ups[index].is_none() && sensed.0[step.from()] == start.0[step.from()] {
            total += NOT_LIFTED;
        }
        total += if seen.left_late(&plies, index) { NOT_LIFTED } else { 0 };
        total += if seen.never_vacated(&plies, index) { NOT_VACATED } else { 0 };
        let Some(press) = seen.press(index) else { continue };
        total += if !step.is_compound() && seen.left_before(downs[index], step, press) { GONE } else { 0 };
        // What later plies changed is their own.
        let later = plies[index + 1..].iter().fold(0, |set, step| set | step.touched);
        let acted = image.last_change_of(step.touched & !later);
        let late = u32::try_from(acted.since(press) / LATE_MS).unwrap_or(u32::MAX / 1_000);
        total += late;
        open += if index + 1 == made.len() && acted > press + seen.scan_ms { late } else { 0 };
        if index + 1 >= plies.len() {
            continue;
        }
        total += if hands.ups[index + 1].is_some_and(|at| at <= press) { BEFORE_PRESS } else { 0 };
        total += if downs[index + 1].is_some_and(|at| at <= press) { DONE_BEFORE_PRESS } else { 0 };
    }
    // Nobody goes on before the reply to his move is begun.
    if let [_, _] = under_way {
        let begun = |index: usize| [hands.ups[index], downs[index]].into_iter().flatten().min();
        let (first, second) = (begun(made.len()), begun(made.len() + 1));
        total += if second.is_some_and(|second| first.is_none_or(|first| second < first)) { HASTE } else { 0 };
    }
    for (index, step) in plies.iter().enumerate().skip(2) {
        let Some(press) = seen.press(index - 2) else { continue };
        let begun = [hands.ups[index], downs[index], seen.taken_off(index, step)].into_iter().flatten().any(|at| at <= press);
        total += if begun { WRONG } else { 0 };
    }
    // Nor does a piece stay for good where it was not seen: it was taken there, or goes on with its player's next ply.
    let unseen = made.iter().enumerate().rev().take(2).filter(|(index, _)| downs[*index].is_none());
    let later = unseen.fold(image.changed_after(last_press), |set, (_, step)| set | bit(step.to()));
    Cost { total: total + WRONG * wrong.count_ones(), wrong, open: open + WRONG * (wrong & later).count_ones() }
}

/// What it costs that the piece of this ply was never seen where it went; plies from `made` on are under way.
fn unseen(seen: &Seen<'_>, hands: &Hands, plies: &[&Step], index: usize, made: usize) -> u32 {
    let (image, step) = (seen.image, plies[index]);
    let (to, reads) = (step.to(), seen.image.placement().0[step.to()]);
    let leaver = (index + 1..plies.len()).find(|&later| plies[later].touched & bit(to) != 0);
    if hands.downs[index].is_some() {
        return 0;
    }
    if reads == step.piece() && leaver.is_none() {
        // It came down later than the sensors may lag.
        let late = seen.press(index).is_some_and(|press| index < made && image.last_change_of(bit(to)) > press + seen.scan_ms);
        return if late { NOT_THERE } else { 0 };
    }
    if index >= made {
        return if leaver.is_some() && reads != PieceCode::Empty { UNSEEN } else { 0 };
    }
    let under = if step.is_underpromotion() { UNSEEN_UNDERPROMOTION } else { 0 };
    let Some(press) = seen.press(index) else {
        // A square that still reads empty is no capture seen yet either.
        return under + if reads == PieceCode::Empty { UNSEEN_AND_EMPTY } else { UNSEEN };
    };
    let read_since = seen.now >= press + seen.scan_ms;
    under
        + match leaver {
            // It went on by itself, so it stood there until the opponent had moved.
            Some(later) if (later - index).is_multiple_of(2) => NOT_THERE,
            Some(_) => match image.changes_of(to).find(|c| c.at > press) {
                // Taken off at once, its taker came when it came.
                Some(gone) if gone.was == PieceCode::Empty => {
                    let late = gone.at.since(press + seen.scan_ms) / LATE_MS;
                    (SNATCHED + u32::try_from(late).unwrap_or(NOT_THERE)).min(NOT_THERE)
                }
                // A whole scan passed over it before it was gone.
                Some(gone) if gone.at > press + seen.scan_ms => NOT_THERE,
                None if reads != PieceCode::Empty && read_since => NOT_THERE,
                _ => SNATCHED,
            },
            None if read_since => NOT_THERE,
            None if reads == PieceCode::Empty => UNSEEN_AND_EMPTY,
            None => UNSEEN,
        }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX / 1_000)
}

/// Pieces that came down, or were lifted for the next ply, in another order than their plies: by less than a scan the sensors may have it
/// wrong, by more they cannot.
fn disorder(seen: &Seen<'_>, hands: &Hands) -> u32 {
    let out_of_order =
        |earlier: Option<Mono>, later: Option<Mono>| match earlier.zip(later).map_or(0, |(earlier, later)| earlier.since(later)) {
            0 => 0,
            ms if ms < seen.scan_ms => DISORDER,
            _ => WRONG,
        };
    let mut total = 0;
    for (ups, downs) in hands.ups.windows(2).zip(hands.downs.windows(2)) {
        let (up, next_up, down, next_down) = (ups[0], ups[1], downs[0], downs[1]);
        total += out_of_order(up, next_down) + out_of_order(down, next_down);
        if down.zip(next_up).is_some_and(|(down, up)| down.since(up) > seen.scan_ms) {
            total += HASTE;
        }
        // Both hands may be over the board, but who replies is not done lifting long before the other has begun.
        if up.zip(next_up).is_some_and(|(up, next)| up.since(next) > seen.scan_ms) {
            total += HASTE;
        }
    }
    total
}

/// When the piece was last seen to leave its square.
pub(crate) fn lifted(step: &Step, image: &Image) -> Option<Mono> {
    image.changes_of(step.from()).rev().find(|c| c.was != PieceCode::Empty).map(|c| c.at)
}

/// When the moved piece was last seen to come down on its square.
pub(crate) fn came_down(step: &Step, image: &Image) -> Option<Mono> {
    image.changes_of(step.to()).rev().find(|c| c.now == step.piece()).map(|c| c.at)
}

/// The squares around one.
pub(crate) fn around(square: usize) -> Squares {
    shakmaty::Square::try_from(square).map_or(0, |square| shakmaty::attacks::king_attacks(square).into())
}
