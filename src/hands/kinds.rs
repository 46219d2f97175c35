//! How squares disagree with a line.
use crate::habits::{Kind, Owing};
use crate::line::Line;
use crate::sensed::{EMPTY, Image, bit, colour, each};
use crate::spot::Step;
use flagfall_events::{Colour, Mono};
use shakmaty::{Role, Square};

/// What shows of the move that was just pressed for and that this line does not have.
pub(crate) fn owing(line: &Line, image: &Image, now: Mono) -> Owing {
    let (spot, readings) = (&line.spot, &image.readings);
    let is_castling = |square: u8| kind(line, image, true, square) == Kind::Castling;
    let stands_whole =
        |step: &&Step| line.wrong & bit(step.from) != 0 && step.changes().iter().all(|(square, reading)| readings.at(*square) == *reading);
    // When the last piece of a step came to stand; that its square of before is read later tells nothing.
    let stood = |step: &Step| {
        let stand = step.changes().iter().filter(|(_, reading)| *reading != EMPTY);
        stand.map(|(square, _)| image.since(*square)).max()
    };
    let castles = each(line.wrong).any(is_castling);
    let whole = spot.steps.iter().filter(stands_whole).filter(|step| step.castles || !castles).filter_map(stood).max();
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

/// How this square, which does not read as the line says, disagrees.
pub(crate) fn kind(line: &Line, image: &Image, clock: bool, square: u8) -> Kind {
    let (spot, readings) = (&line.spot, &image.readings);
    let (mine, there) = (spot.readings.at(square), readings.at(square));
    let is_own = |square: u8| spot.own & bit(square) != 0;
    if there == EMPTY {
        return match is_own(square) {
            true if is_second(line, image, square) => Kind::HeldAlso,
            true => Kind::Held,
            false if line.plies > line.done && clock => Kind::HeldEarly,
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
    let is_beside = |other: u8| (other / 8).abs_diff(square / 8).max((other % 8).abs_diff(square % 8)) <= 1;
    if line.taken.iter().flatten().any(|&(from, reading)| reading == there && is_beside(from)) {
        return Kind::Parked;
    }
    // Pieces that read so and are not where they should be.
    let missing = || each(line.wrong).filter(|&other| spot.readings.at(other) == there && readings.at(other) != there);
    // The piece that was taken up first is the one that is moved, and one that was just moved may go on; any other one beside its square was pushed.
    let unpressed = line.plies > line.done;
    let moves = |from: u8| {
        if is_own(from) {
            !is_second(line, image, from)
        } else {
            unpressed && line.fresh & bit(from) != 0 && !line.was_let_go(image, clock, from)
        }
    };
    if missing().any(|from| is_beside(from) && !moves(from)) {
        return Kind::Nudged;
    }
    if missing().any(is_own) {
        let castles = |step: &Step| step.castles && step.changes().contains(&(square, there));
        let goes_on = |step: &Step| step.way & bit(square) != 0 && line.wrong & bit(step.from) != 0 && spot.readings.at(step.from) == there;
        if spot.steps.iter().any(castles) {
            Kind::Castling
        } else if spot.steps.iter().any(goes_on) {
            Kind::OnWay
        } else {
            Kind::Astray
        }
    } else if missing().any(|from| may_reply(line, image, from, square)) {
        Kind::Reply
    } else if missing().next().is_some() {
        Kind::AstrayOther
    } else {
        Kind::Extra
    }
}

/// Whether a piece of the player who is not to move may have gone from one square to the other as the reply to a move that is under way: one that has
/// taken a piece up, or put one down whose old square has not been read since.
fn may_reply(line: &Line, image: &Image, from: u8, to: u8) -> bool {
    let (spot, readings) = (&line.spot, &image.readings);
    let is_under_way = |square: u8| {
        let (mine, there) = (spot.readings.at(square), readings.at(square));
        spot.own & bit(square) != 0 && there == EMPTY || square != to && mine == EMPTY && colour(there) == Some(spot.turn)
    };
    let board = spot.position.board();
    let goes = || board.attacks_from(Square::new(u32::from(from))).contains(Square::new(u32::from(to)));
    // A pawn takes as others go, and goes two squares at first; one that goes one square is beside it.
    let steps =
        || from % 8 == to % 8 && from.abs_diff(to) == 16 && matches!((from / 8, spot.turn), (1, Colour::Black) | (6, Colour::White));
    let is_pawn = board.role_at(Square::new(u32::from(from))) == Some(Role::Pawn);
    each(line.wrong).any(is_under_way) && if is_pawn { steps() } else { goes() }
}

/// The square from which the piece was pushed that stands here.
pub(crate) fn pushed_from(line: &Line, image: &Image, square: u8) -> Option<u8> {
    each(line.wrong)
        .find(|&from| line.spot.readings.at(from) == image.readings.at(square) && image.readings.at(from) != image.readings.at(square))
}

/// Whether another piece of this player has been missing for longer, and no castling takes up both.
fn is_second(line: &Line, image: &Image, square: u8) -> bool {
    let first = |other: &u8| image.readings.at(*other) == EMPTY && (image.since(*other), *other) < (image.since(square), square);
    let castles = |other: u8| line.spot.castle.contains(&(bit(square) | bit(other)));
    each(line.wrong & line.spot.own & !bit(square)).filter(first).any(|other| !castles(other))
}
