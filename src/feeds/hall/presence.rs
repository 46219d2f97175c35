//! Who is there and where the boards are, as a state: it follows from what each Pi said last and when that was. What is shown is compared with it again
//! and again, so nothing hangs on a change that was seen or missed. Pure, as [`Known`] is.
use super::known::{Known, Pi, Stand};
use crate::nats::wire::{self, Presence};
use flagfall_events::LinkState;
use std::sync::Arc;

/// A Pi that said nothing for so long is away, milliseconds.
const AWAY: u64 = wire::PRESENCE_TTL_S * 1_000;

/// What a Pi's word changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Heard {
    /// It was away, or never heard.
    pub(super) returned: bool,
    /// Boards that nobody has spoken of before.
    pub(super) new: Vec<Arc<str>>,
    /// Boards whose events do not go out, with the reason, or do again.
    pub(super) troubles: Vec<(Arc<str>, Option<String>)>,
}

impl Known {
    /// A Pi, known by its token, says that it is there.
    pub(super) fn hear(&mut self, token: &str, presence: &Presence, now: u64) -> Heard {
        let token: Arc<str> = token.into();
        let has = presence.boards.iter().map(|board| (Arc::from(board.board.as_str()), board.link)).collect();
        let pi = Pi { name: presence.pi.as_str().into(), heard: now, away: false, behind: presence.behind, has };
        let mut heard = Heard { returned: self.pis.insert(token.clone(), pi).is_none_or(|before| before.away), ..Heard::default() };
        for board in &presence.boards {
            let name: Arc<str> = board.board.as_str().into();
            if !self.boards.contains_key(&name) {
                self.boards.entry(name.clone()).or_default().pi = token.clone();
                heard.new.push(name.clone());
            }
            let seat = self.boards.entry(name.clone()).or_default();
            let before = seat.troubles.get(&token);
            if before != board.trouble.as_ref() {
                match &board.trouble {
                    Some(why) => _ = seat.troubles.insert(token.clone(), why.clone()),
                    None => _ = seat.troubles.remove(&token),
                }
                let text = seat.troubles.values().next().cloned();
                heard.troubles.push((name.clone(), text));
            }
            self.settle(&name);
        }
        // It says nothing any more of a board that it has under another name now, or no more.
        for (name, seat) in &mut self.boards {
            let named = presence.boards.iter().any(|board| *board.board == **name);
            if !named && seat.troubles.remove(&token).is_some() {
                heard.troubles.push((name.clone(), seat.troubles.values().next().cloned()));
            }
        }
        // What it had and has no more may be somewhere else.
        self.settle_those_at(&token);
        for (board, seat) in &mut self.boards {
            if seat.pi == token && self.pis[&token].has.contains_key(board) {
                seat.had = Some(now);
            }
        }
        heard
    }

    /// An event of the board came from this Pi just now; `link`: that is what it says.
    pub(super) fn spoke(&mut self, board: &Arc<str>, token: &str, link: Option<LinkState>) {
        let token: Arc<str> = token.into();
        if self.is_away(board) {
            self.boards.entry(board.clone()).or_default().pi = token.clone();
        }
        if let Some(pi) = self.pis.get_mut(&token).filter(|pi| !pi.away) {
            // It may have found the board since it last said what it has.
            let has = pi.has.entry(board.clone()).or_insert(LinkState::Up);
            *has = link.unwrap_or(*has);
            self.settle(board);
        }
    }

    /// Where a board is, of the Pis that are heard: where it is already if it answers there, else where it answers, else where it is plugged in.
    fn settle(&mut self, board: &Arc<str>) {
        let at = self.at(board);
        if at == Some(LinkState::Up) {
            return;
        }
        let of = |(token, pi): (&Arc<str>, &Pi)| {
            let up = *pi.has.get(board).filter(|_| !pi.away)? == LinkState::Up;
            (up || at.is_none()).then(|| (!up, token.clone()))
        };
        // The same one in every hall.
        let Some((_, token)) = self.pis.iter().filter_map(of).min() else { return };
        self.boards.entry(board.clone()).or_default().pi = token;
    }

    fn settle_those_at(&mut self, token: &str) {
        let there: Vec<Arc<str>> = self.boards.iter().filter(|(_, seat)| *seat.pi == *token).map(|(board, _)| board.clone()).collect();
        there.iter().for_each(|board| self.settle(board));
    }

    /// Whether the board answers the Pi that it is at; `None`: that is away, or does not have it.
    fn at(&self, board: &str) -> Option<LinkState> {
        let seat = self.boards.get(board)?;
        let pi = self.pis.get(&seat.pi).filter(|pi| !pi.away)?;
        pi.has.get(board).copied()
    }

    /// The machine that is heard and whose board answers it, where it publishes that one.
    pub(super) fn serves(&self, board: &str) -> Option<&Arc<str>> {
        self.boards.get(board).map(|seat| &seat.pi).filter(|_| self.at(board) == Some(LinkState::Up))
    }

    /// Whether nobody who is heard has the board.
    pub(super) fn is_away(&self, board: &str) -> bool {
        self.at(board).is_none()
    }

    /// Where a board is; `None`: nobody has spoken of it.
    pub(super) fn stand(&self, board: &str) -> Option<Stand> {
        Some(Stand { pi: self.boards.get(board)?.pi.clone(), away: self.is_away(board) })
    }

    /// The Pis that fell silent since this was last asked.
    pub(super) fn fell_silent(&mut self, now: u64) -> Vec<Arc<str>> {
        let mut gone = Vec::new();
        for (token, pi) in self.pis.iter_mut().filter(|(_, pi)| !pi.away && now.saturating_sub(pi.heard) > AWAY) {
            pi.away = true;
            gone.push((pi.name.clone(), token.clone()));
        }
        gone.sort();
        gone.iter().for_each(|(_, token)| self.settle_those_at(token));
        gone.into_iter().map(|(name, _)| name).collect()
    }

    /// The boards that are not shown as they stand.
    pub(super) fn to_show(&self) -> Vec<Arc<str>> {
        self.boards.iter().filter(|(board, seat)| seat.shown != self.stand(board)).map(|(board, _)| board.clone()).collect()
    }

    /// For how long nobody has said that he has the board, milliseconds.
    pub(super) fn silent_for(&self, board: &str, now: u64) -> u64 {
        let Some(seat) = self.boards.get(board) else { return 0 };
        match seat.had {
            Some(had) => now.saturating_sub(had),
            None => {
                let newest = self.boards.values().filter(|other| other.pi == seat.pi).map(|other| other.published).max();
                newest.map_or(0, |published| self.transit.ago(now, published))
            }
        }
    }
}

#[cfg(test)]
#[path = "presence_tests.rs"]
mod tests;
