//! What may have been played where sensors cannot tell, for people to choose from.
use crate::recogniser::follows::Follows;
use crate::recogniser::play::Play;
use crate::recognition::step::uci;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{PossibleLine, Share};
use flagfall_hands::price::weight;
use shakmaty::Move;

/// Lines that are named at most.
const MOST: usize = 6;
/// One is not named that is less likely, in ten-thousandths.
const LEAST: u64 = 1;
/// So many plies may be open.
const BACK: usize = 8;

impl Play {
    /// The first ply that may have been one of several, counted from 1, and what may have been played from it on, the likeliest first. `None`:
    /// nothing is open, or nobody knows what to choose from.
    pub(crate) fn readings(&self) -> Option<(u32, Vec<PossibleLine>)> {
        let follows = self.follows.as_ref()?;
        let open = (follows.plies().saturating_sub(BACK).max(follows.base())..follows.plies()).find(|&index| !follows.is_certain(index))?;
        let lines = follows.lines_from(open);
        let all: u64 = lines.iter().map(|(_, price)| weight(*price)).sum();
        let share = |price: i32| weight(price) * 10_000 / all.max(1);
        let named: Vec<_> = lines.iter().filter(|(_, price)| share(*price) >= LEAST).take(MOST).collect();
        let same = |at: usize| named.iter().all(|(moves, _)| moves.get(at).is_some() && moves.get(at) == named[0].0.get(at));
        let common = (0..BACK).take_while(|at| named.len() > 1 && same(*at)).count();
        if named.len() < 2 {
            return None;
        }
        let told = |(moves, price): &&(Vec<Move>, i32)| PossibleLine {
            line: moves[common..].iter().map(|mv| uci(*mv, self.chess960)).collect(),
            share: Share(u16::try_from(share(*price)).unwrap_or(u16::MAX)),
        };
        Some((u32::try_from(open + common + 1).ok()?, named.iter().map(told).collect()))
    }

    /// The ply that is meant by somebody who chooses, by its index, and its move.
    fn chosen(&self, ply: u32, wanted: &str) -> Option<(usize, Move)> {
        let index = (ply as usize).checked_sub(1)?;
        let follows = self.follows.as_ref().filter(|follows| index >= follows.base())?;
        let lines = follows.lines_from(index);
        let mv = lines.iter().filter_map(|(moves, _)| moves.first()).find(|mv| uci(**mv, self.chess960) == wanted)?;
        follows.may_have_been(index, mv).then_some((index, *mv))
    }

    /// That ply was this move: what says otherwise is forgotten. `false`: it cannot have been.
    pub(crate) fn choose(&mut self, ply: u32, wanted: &str) -> bool {
        let Some((index, mv)) = self.chosen(ply, wanted) else { return false };
        self.assumed.retain(|known| *known != index);
        self.follows.as_mut().is_some_and(|follows| follows.was(index, &mv))
    }
}

/// Why nobody can choose this move for this ply, if nobody can.
pub(crate) fn choice_refusal(play: Option<&Play>, ply: u32, wanted: &str) -> Option<String> {
    let Some(play) = play else { return Some(String::from("no game is on this board")) };
    if play.chosen(ply, wanted).is_some() {
        return None;
    }
    let index = (ply as usize).checked_sub(1);
    let known = |follows: &Follows| -> Option<Vec<String>> {
        let index = index.filter(|index| (follows.base()..follows.plies()).contains(index))?;
        let mut moves: Vec<String> = Vec::new();
        for mv in follows.lines_from(index).iter().filter_map(|(moves, _)| moves.first()) {
            let mv = uci(*mv, play.chess960);
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        Some(moves)
    };
    Some(match play.follows.as_ref().and_then(known).filter(|moves| moves.len() > 1) {
        Some(moves) => format!("ply {ply} may have been {}; for anything else enter the position that stands", moves.join(" or ")),
        None => format!("what was played at ply {ply} is not open; if the record is wrong, enter the position that stands"),
    })
}
