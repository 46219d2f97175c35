//! What a pairing list changes: rounds, seats and names; never by itself who plays a game that has begun, never the number of a board in a round that has.
use super::chronicle::Chronicle;
use super::held::{Doubt, Follow, Held, Stands};
use super::seating;
use super::seats::{KeptRound, Seat};
use crate::pairings::{List, Listed};
use crate::players::Player;
use flagfall_config::event::Seating;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

impl Chronicle {
    /// Takes a pairing list. Gives what the operator should know: what was kept although the list says otherwise, which round waits.
    pub fn list(&mut self, list: &List) -> Vec<String> {
        let told = self.follow(list, Follow::Quiet);
        told.into_iter().map(|doubt| doubt.text).chain(self.held.iter().map(|held| held.text.clone())).collect()
    }

    /// Takes a pairing list. Gives what the operator should know beside what is held.
    ///
    /// A list without round numbers is about the round now playing, or, once all its games are over and the pairs are others, about the next.
    pub fn follow(&mut self, list: &List, follow: Follow) -> Vec<Doubt> {
        let mut told = Vec::new();
        self.rename(list, &mut told);
        if !list.scores.is_empty() {
            self.scores = Arc::new(list.scores.clone());
        }
        let mut rounds: BTreeMap<u32, Vec<&Listed>> = BTreeMap::new();
        let unnumbered: Vec<&Listed> = list.pairings.iter().filter(|p| p.round.is_none()).collect();
        if !unnumbered.is_empty() {
            rounds.insert(self.round_of(&unnumbered), unnumbered);
        }
        for pairing in list.pairings.iter().filter(|p| p.round.is_some()) {
            rounds.entry(pairing.round.unwrap_or_default()).or_default().push(pairing);
        }
        let Some(first) = rounds.keys().next().copied() else { return told };
        let now_listed = self.kept.rounds.get(&self.kept.current).is_some_and(|now| now.listed);
        if !now_listed && !self.is_played() {
            // Boards were tried out before the first list came.
            self.leave_finished();
        }
        if !now_listed && !rounds.contains_key(&self.kept.current) {
            self.begin_listing(first);
        }
        let playing = self.kept.rounds.get(&self.kept.current).is_some_and(KeptRound::has_begun);
        for (number, pairings) in rounds {
            let current = self.kept.current;
            let round = self.kept.rounds.entry(number).or_default();
            if number == current + 1 && !round.listed && playing {
                round.due = true;
            }
            round.date = pairings.iter().find_map(|p| p.date.clone()).or_else(|| round.date.take());
            self.held.retain(|held| held.round != number);
            let hall = Hall { boards: &self.boards, seating: &self.about.seating, follow };
            self.held.extend(merge(number, round, &pairings, &hall, &mut told));
        }
        self.seat_boards();
        let (current, next) = (self.kept.current, self.kept.rounds.get(&(self.kept.current + 1)));
        let waiting = self.waiting_for();
        if next.is_some_and(|next| next.due) && !waiting.is_empty() {
            let boards = waiting.join(", ");
            let text =
                format!("round {} waits: board {boards} of round {current} has no result yet; enter it, and the round begins", current + 1);
            told.push(Doubt { text, stands: Stands::Waiting(current + 1) });
        }
        told
    }

    /// Whether what the operator was told is still so.
    pub fn stands(&self, doubt: &Doubt) -> bool {
        match doubt.stands {
            Stands::Waiting(round) => self.waiting_round().is_some_and(|(waiting, _)| waiting == round),
            Stands::Playing => self.in_progress(),
            Stands::Round(round) => self.kept.current == round && self.in_progress(),
        }
    }

    /// What the last lists say of games that have begun, and what is not followed by itself.
    pub fn held(&self) -> &[Held] {
        &self.held
    }

    /// Follows what was held: the names move, the games stay on their boards.
    pub fn take_held(&mut self, held: Vec<Held>) {
        self.held.clear();
        for Held { round, listed, .. } in held {
            let round = self.kept.rounds.entry(round).or_default();
            match round.seats.iter_mut().find(|seat| seat.label == listed.label) {
                Some(seat) => seat.fill(&listed),
                None => round.seats.push(Seat::listed(&listed)),
            }
        }
        self.seat_boards();
    }

    /// A list that names another event begins a new one, unless a round is being played.
    fn rename(&mut self, list: &List, told: &mut Vec<Doubt>) {
        let before = self.kept.uuid.clone();
        let in_play = self.in_progress();
        if in_play {
            let other = list.event.as_deref().filter(|event| *event != self.kept.name);
            if let Some(event) = other.filter(|_| !self.is_named()) {
                let text = format!("the list names the event {event:?}; it stays {:?} until the round is over", self.kept.name);
                told.push(Doubt { text, stands: Stands::Playing });
            }
            return;
        }
        self.name(list.event.as_deref(), list.site.as_deref());
        let listed = self.kept.rounds.values().any(|round| round.listed);
        if self.kept.uuid != before && listed {
            self.kept.rounds.clear();
            self.held.clear();
            self.kept.current = 1;
            self.leave_finished();
            self.forget_rounds();
        }
    }

    /// The games that are on the boards were not listed so far: they belong to the first round that is.
    fn begin_listing(&mut self, first: u32) {
        let unlisted = self.kept.rounds.remove(&self.kept.current);
        self.kept.current = first;
        if let Some(mut round) = unlisted {
            round.seats.retain(|seat| seat.games.last().is_some_and(|game| !game.stands()));
            for seat in &mut round.seats {
                seat.games.drain(..seat.games.len() - 1);
            }
            self.kept.rounds.insert(first, round);
        }
        self.forget_rounds();
    }

    /// The round of this list's lines that name none; `None` where all do.
    pub(super) fn round_meant(&self, list: &List) -> Option<u32> {
        let unnumbered: Vec<&Listed> = list.pairings.iter().filter(|p| p.round.is_none()).collect();
        (!unnumbered.is_empty()).then(|| self.round_of(&unnumbered))
    }

    /// The round that a list without round numbers is about.
    fn round_of(&self, pairings: &[&Listed]) -> u32 {
        let current = self.kept.current;
        let Some(now) = self.kept.rounds.get(&current).filter(|now| now.listed && now.has_begun()) else { return current };
        let same = pairings.iter().filter(|p| now.seats.iter().any(|seat| corrects(seat, p))).count();
        if 2 * same >= pairings.len() { current } else { current + 1 }
    }
}

fn same_player(one: Option<&Player>, two: Option<&Player>) -> bool {
    match (one, two) {
        (Some(one), Some(two)) => one.same_name(two),
        (None, None) => true,
        _ => false,
    }
}

/// The same players with the same colours.
fn same_pair(seat: &Seat, listed: &Listed) -> bool {
    same_player(seat.white.as_ref(), listed.white.as_ref()) && same_player(seat.black.as_ref(), listed.black.as_ref())
}

/// Whether this may be the same game with a name corrected: one player is the same, at the same board with the same colour.
fn corrects(seat: &Seat, listed: &Listed) -> bool {
    let same = |one: &Option<Player>, two: &Option<Player>| one.is_some() && same_player(one.as_ref(), two.as_ref());
    same_pair(seat, listed) || (seat.label == listed.label && (same(&seat.white, &listed.white) || same(&seat.black, &listed.black)))
}

/// Where pairings can be played.
struct Hall<'a> {
    boards: &'a [Arc<str>],
    seating: &'a Seating,
    follow: Follow,
}

/// Brings a round up to what the list says; gives what is held.
fn merge(number: u32, round: &mut KeptRound, pairings: &[&Listed], hall: &Hall<'_>, told: &mut Vec<Doubt>) -> Vec<Held> {
    let begun = round.has_begun() && round.listed;
    let mut seats = std::mem::take(&mut round.seats);
    if !round.listed {
        // Boards that play already keep their games; the list gives them numbers and names.
        let mut listed: Vec<Seat> = pairings.iter().map(|p| Seat::listed(p)).collect();
        let mut old: Vec<Option<Seat>> = seats.drain(..).map(Some).collect();
        if !old.is_empty() {
            seating::seat(&mut listed, hall.boards, hall.seating);
        }
        for seat in listed.iter_mut().filter(|seat| seat.board.is_some()) {
            let before = old.iter().position(|old| old.as_ref().is_some_and(|old| old.board == seat.board));
            seat.games = before.and_then(|i| old.get_mut(i)?.take()).map(|old| old.games).unwrap_or_default();
        }
        // A board that plays without a pairing is not dropped.
        listed.extend(old.into_iter().flatten().filter(Seat::has_begun));
        round.seats = listed;
        round.listed = true;
        return Vec::new();
    }
    if !begun {
        round.seats = pairings.iter().map(|p| Seat::listed(p)).collect();
        return Vec::new();
    }
    let kept = match hall.follow {
        Follow::Quiet => contradicted(&seats, pairings),
        Follow::OverGames => BTreeSet::new(),
    };
    let mut held = Vec::new();
    for (i, p) in pairings.iter().enumerate() {
        match seats.iter_mut().find(|seat| seat.label == p.label) {
            seat if kept.contains(&i) => held.push(Held::new(number, seat.as_deref(), p)),
            Some(seat) => seat.fill(p),
            None => seats.push(Seat::listed(p)),
        }
    }
    for seat in seats.iter_mut().filter(|seat| seat.is_named() && !pairings.iter().any(|p| p.label == seat.label)) {
        // Nobody waits for a game that is not to be.
        seat.forfeit |= !seat.has_begun();
        let text = format!("round {number}, board {} is no longer in the list; it stays, since the round has begun", seat.label);
        told.push(Doubt { text, stands: Stands::Round(number) });
    }
    round.seats = seats;
    held
}

/// Which lines cannot be followed without another name on a game that has begun, and which hang on those because they have the same players.
fn contradicted(seats: &[Seat], pairings: &[&Listed]) -> BTreeSet<usize> {
    let here: HashMap<&str, &Seat> = seats.iter().map(|seat| (seat.label.as_str(), seat)).collect();
    let seat = |p: &Listed| here.get(p.label.as_str()).copied();
    let mut held: BTreeSet<usize> = BTreeSet::new();
    let mut stay: Vec<&Player> = Vec::new();
    // Somebody with nearly the same name, who sits elsewhere in the list.
    let elsewhere = |seat: &Seat| {
        let mut here = [&seat.white, &seat.black].into_iter().flatten();
        here.any(|player| {
            pairings
                .iter()
                .any(|p| p.label != seat.label && [&p.white, &p.black].into_iter().flatten().any(|other| other.same_name(player)))
        })
    };
    let others = |seat: &Seat, p: &Listed| !same_pair(seat, p) && (!seat.may_be(p) || elsewhere(seat));
    let mut news: Vec<usize> =
        (0..pairings.len()).filter(|i| seat(pairings[*i]).is_some_and(|seat| seat.has_begun() && others(seat, pairings[*i]))).collect();
    while !news.is_empty() {
        for i in news.drain(..) {
            held.insert(i);
            stay.extend(seat(pairings[i]).into_iter().flat_map(|seat| [&seat.white, &seat.black]).flatten());
        }
        for (i, p) in pairings.iter().enumerate().filter(|(i, _)| !held.contains(i)) {
            let comes = [&p.white, &p.black].into_iter().flatten().any(|player| stay.iter().any(|other| other.same_name(player)));
            if comes && seat(p).is_none_or(|seat| !same_pair(seat, p)) {
                news.push(i);
            }
        }
    }
    held
}
