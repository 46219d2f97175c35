//! How squares disagree with a line.
use crate::habits::{Kind, Owing};
use crate::line::Line;
use crate::sensed::{EMPTY, Image, Reading, Readings, bit, each};
use crate::spot::Step;
use flagfall_events::{Colour, Mono};

/// What shows of the move that was just pressed for and that this line does not have.
pub(crate) fn owing(line: &Line, image: &Image, now: Mono) -> Owing {
    each(line.wrong).fold(Owing::InHand, |shows, square| {
        let fresh = now.since(image.since(square)) < image.scan();
        shows.max(match kind(line, &image.readings, true, square) {
            Kind::Castling => Owing::Castling,
            Kind::OnWay | Kind::Astray if !fresh => Owing::Rests,
            Kind::OnWay => Owing::OnWay,
            Kind::Astray => Owing::Astray,
            _ => Owing::InHand,
        })
    })
}

/// How this square, which does not read as the line says, disagrees.
pub(crate) fn kind(line: &Line, readings: &Readings, clock: bool, square: u8) -> Kind {
    let spot = &line.spot;
    let (mine, there) = (spot.readings.at(square), readings.at(square));
    let is_own = |square: u8| spot.own & bit(square) != 0;
    if there == EMPTY {
        return match is_own(square) {
            true => Kind::Held,
            false if line.plies > line.done && clock => Kind::HeldEarly,
            false => Kind::HeldOther,
        };
    }
    if mine != EMPTY {
        let (pawn, last_rank) = if spot.turn == Colour::White { (7, 0) } else { (1, 7) };
        return if there == pawn && square / 8 == last_rank { Kind::Pawn } else { Kind::Wrong };
    }
    let beside =
        |&(from, reading): &(u8, Reading)| reading == there && (from / 8).abs_diff(square / 8).max((from % 8).abs_diff(square % 8)) <= 1;
    if line.taken.iter().flatten().any(beside) {
        return Kind::Parked;
    }
    if line.left & bit(square) != 0 {
        return Kind::Stale;
    }
    // Pieces that read so and are not where they should be.
    let missing = || each(line.wrong).filter(|&other| spot.readings.at(other) == there && readings.at(other) != there);
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
    } else if missing().next().is_some() {
        Kind::AstrayOther
    } else {
        Kind::Extra
    }
}
