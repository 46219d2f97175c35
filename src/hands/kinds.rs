//! How squares disagree with a line.
use crate::habits::{Kind, Owing};
use crate::line::{Disagreement, Line};
use crate::sensed::{EMPTY, Image, Squares, bit, colour, each};
use crate::spot::Step;
use alloc::vec::Vec;
use flagfall_events::{Colour, Mono};
use shakmaty::{Color, Square, attacks};

/// What shows of the move that was just pressed for and that this line does not have.
pub(crate) fn owing(line: &Line, image: &Image, now: Mono) -> Owing {
    let (spot, readings) = (&line.spot, &image.readings);
    let kinds = Kinds::of(line, image, true);
    let is_castling = |square: u8| kinds.at(square) == Kind::Castling;
    let stands_whole =
        |step: &&Step| line.wrong & bit(step.from) != 0 && step.changes().iter().all(|(square, reading)| readings.at(*square) == *reading);
    // When the last piece of a step came to stand; that its square of before is read later tells nothing.
    let stood = |step: &Step| {
        let stand = step.changes().iter().filter(|(_, reading)| *reading != EMPTY);
        stand.map(|(square, _)| image.since(*square)).max()
    };
    let castles = each(line.wrong).any(is_castling);
    let whole = spot.steps().iter().filter(stands_whole).filter(|step| step.castles || !castles).filter_map(stood).max();
    if let Some(since) = whole {
        return Owing::Stands(now.since(since));
    }
    if castles {
        return Owing::Castling;
    }
    // With more than one piece missing, or out of place, nobody knows which of them is moved.
    let mut missing = each(line.wrong & spot.own).map(|square| spot.readings.at(square));
    let out_of_place = each(line.wrong).filter(|&square| readings.at(square) != EMPTY).count();
    let (Some(piece), None, ..=1) = (missing.next(), missing.next(), out_of_place) else { return Owing::InHand };
    let stands = each(line.wrong).filter(|&square| readings.at(square) == piece).map(|square| image.since(square)).max();
    stands.map_or(Owing::InHand, |since| Owing::Stands(now.since(since)))
}

/// How the squares of a line disagree: what all of them ask is looked at once.
struct Kinds<'a> {
    line: &'a Line,
    image: &'a Image,
    clock: bool,
    /// Squares that should read this and do not, by reading.
    missing: [Squares; READINGS],
    /// Pieces of the player to move before which another one of his was taken up that no castling takes up with it.
    second: Squares,
    /// What shows that a move is under way: a piece of its player is in the air, or stands where none should.
    under_way: Squares,
    /// Pieces that are missing after so many others that nobody has them in his hands.
    put_away: Squares,
}

/// Pieces that hands may hold at once: two players with two hands. Further ones are put away.
const IN_HANDS: usize = 4;

/// Readings that there are: nothing, twelve pieces, three markers.
const READINGS: usize = 16;

impl<'a> Kinds<'a> {
    /// Of this line.
    pub(crate) fn of(line: &'a Line, image: &'a Image, clock: bool) -> Self {
        let (spot, readings) = (&line.spot, &image.readings);
        let (mut missing, mut in_air, mut put) = ([0; READINGS], 0, 0);
        for square in each(line.wrong) {
            let (mine, there) = (spot.readings.at(square), readings.at(square));
            missing[usize::from(mine & 15)] |= bit(square);
            if there == EMPTY {
                in_air |= spot.own & bit(square);
            } else if mine == EMPTY && colour(there) == Some(spot.turn) {
                put |= bit(square);
            }
        }
        let mut second = 0;
        let taken_up = |square: &u8| (image.since(*square), *square);
        let first = each(in_air).min_by_key(taken_up);
        for square in each(line.wrong & spot.own) {
            let before = |other: &u8| taken_up(other) < taken_up(&square);
            let castles = |other: u8| spot.ways().castle.contains(&(bit(square) | bit(other)));
            // Mostly the first one tells.
            if first.is_some_and(|first| before(&first) && (!castles(first) || each(in_air).filter(before).any(|other| !castles(other)))) {
                second |= bit(square);
            }
        }
        Self { line, image, clock, missing, second, under_way: in_air | put, put_away: put_away(line, image) }
    }

    /// By which kind's prices this square's is paid: whose turn it is tells nothing of who clears the board.
    fn paid_as(&self, square: u8, kind: Kind) -> Kind {
        if self.put_away & bit(square) != 0 { Kind::HeldOther } else { kind }
    }

    /// How this square, which does not read as the line says, disagrees.
    pub(crate) fn at(&self, square: u8) -> Kind {
        let (line, spot) = (self.line, &self.line.spot);
        let (mine, there) = (spot.readings.at(square), self.image.readings.at(square));
        let is_own = |square: u8| spot.own & bit(square) != 0;
        let is_second = |square: u8| self.second & bit(square) != 0;
        if there == EMPTY {
            return match is_own(square) {
                true if is_second(square) => Kind::HeldAlso,
                true => Kind::Held,
                false if line.plies > line.done && self.clock => Kind::HeldEarly,
                false => Kind::HeldOther,
            };
        }
        if line.left & bit(square) != 0 {
            return Kind::Stale;
        }
        if mine != EMPTY {
            let (pawn, last_rank) = if spot.turn == Colour::White { (7, 0) } else { (1, 7) };
            return if there == pawn && square / 8 == last_rank { Kind::Pawn } else { Kind::Wrong };
        }
        let beside = beside(square);
        if line.taken.iter().flatten().any(|&(from, reading)| reading == there && beside & bit(from) != 0) {
            return Kind::Parked;
        }
        // Pieces that read so and are not where they should be.
        let missing = self.missing[usize::from(there & 15)];
        // The piece that was taken up first is the one that is moved, and one that was just moved may go on; any other one beside its square was pushed.
        let unpressed = line.plies > line.done;
        let moves = |from: u8| {
            if is_own(from) {
                !is_second(from)
            } else {
                unpressed && line.fresh & bit(from) != 0 && !line.was_let_go(self.image, self.clock, from)
            }
        };
        if each(missing & beside).any(|from| !moves(from)) {
            return Kind::Nudged;
        }
        if missing & spot.own != 0 {
            if spot.ways().castled.contains(&(square, there)) {
                Kind::Castling
            } else if spot.ways().passed.iter().any(|(from, way)| way & bit(square) != 0 && missing & bit(*from) != 0) {
                Kind::OnWay
            } else {
                Kind::Astray
            }
        } else if self.may_reply(missing, square) {
            Kind::Reply
        } else if missing != 0 {
            Kind::AstrayOther
        } else {
            Kind::Extra
        }
    }

    /// Whether one of these pieces of the player who is not to move may have gone here as the reply to a move that is under way.
    fn may_reply(&self, from: Squares, to: u8) -> bool {
        if from == 0 || self.under_way & !bit(to) == 0 {
            return false;
        }
        let spot = &self.line.spot;
        let board = spot.position.board();
        let (them, first_rank) = if spot.turn == Colour::Black { (Color::White, 1) } else { (Color::Black, 6) };
        let pawns = Squares::from(board.pawns());
        // A pawn takes as others go, and goes two squares at first; one that goes one square is beside it.
        let steps = |from: u8| from % 8 == to % 8 && from.abs_diff(to) == 16 && from / 8 == first_rank;
        let goes = || Squares::from(board.attacks_to(Square::new(u32::from(to)), them, board.occupied()));
        each(from & pawns).any(steps) || from & !pawns != 0 && from & !pawns & goes() != 0
    }
}

/// Of the pieces that are missing those that went after as many as hands may hold.
fn put_away(line: &Line, image: &Image) -> Squares {
    let gone = line.wrong & line.spot.occupied & !image.occupied;
    if gone.count_ones() as usize <= IN_HANDS {
        return 0;
    }
    let mut order: Vec<u8> = each(gone).collect();
    order.sort_unstable_by_key(|square| (image.since(*square), *square));
    order.into_iter().skip(IN_HANDS).fold(0, |set, square| set | bit(square))
}

/// The square itself, and those around it.
fn beside(square: u8) -> Squares {
    bit(square) | Squares::from(attacks::king_attacks(Square::new(u32::from(square & 63))))
}

/// How all squares of a line disagree now, with what was paid for those that did before.
pub(crate) fn disagreements(line: &Line, image: &Image, clock: bool) -> Vec<Disagreement> {
    let kinds = Kinds::of(line, image, clock);
    let mut before = line.disagrees.iter().peekable();
    let one = |square: u8| {
        while before.next_if(|one| one.square < square).is_some() {}
        let paid = before.next_if(|one| one.square == square).and_then(|one| one.paid);
        let kind = kinds.at(square);
        Disagreement { square, kind, paid_as: kinds.paid_as(square, kind), since: line.wrong_since(image, square), paid }
    };
    let mut all = Vec::with_capacity(line.wrong.count_ones() as usize);
    all.extend(each(line.wrong).map(one));
    all
}
