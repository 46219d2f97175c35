//! Which promotion an answer is about, and whether it can be taken.
use crate::recogniser::follows::Follows;
use crate::recogniser::play::Play;
use crate::recogniser::promotions::role;
use alloc::string::String;
use flagfall_events::PromotedTo;

/// Why this answer cannot be taken, if it cannot.
pub(crate) fn promotion_refusal(play: Option<&Play>, piece: PromotedTo, ply: Option<u32>) -> Option<String> {
    let Some(play) = play else { return Some(String::from("no game is on this board")) };
    let Some(index) = promotion_meant(Some(play), ply) else {
        return Some(String::from("no promotion waits for an answer, and none was taken for a queen"));
    };
    let role = role(piece);
    let open = play.promotions.asked.is_some_and(|(asked, ..)| asked == index);
    let possible = |follows: &Follows| follows.may_have_become(index, role);
    (open && !play.follows.as_ref().is_some_and(possible))
        .then(|| String::from("what was played since contradicts that piece; set the position instead"))
}

/// The ply that is meant: the one that is named, the one that is asked about, or the newest queen that was assumed.
pub(crate) fn promotion_meant(play: Option<&Play>, ply: Option<u32>) -> Option<usize> {
    let promotions = &play?.promotions;
    let asked = promotions.asked.map(|(index, ..)| index);
    match ply {
        Some(ply) => {
            let index = (ply as usize).checked_sub(1)?;
            (asked == Some(index) || promotions.assumed.contains(&index)).then_some(index)
        }
        None => asked.or_else(|| promotions.assumed.last().copied()),
    }
}
