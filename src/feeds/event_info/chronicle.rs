//! The course of the event: which game belongs to which pairing, and when the next round begins. No files, no sockets, no clocks.
//!
//! A board plays one game after another. Each belongs to the round that was being played when it began; a game that begins where the round's game has
//! its result already waits for the next round. A finished game is never replaced.
use super::held::Held;
use super::seating;
use super::seats::{Kept, KeptRound, Seat};
use super::{Pairing, Played, Round, Tournament, uuid};
use crate::pairings::scored::Scored;
use crate::pairings::trf::Report;
use crate::players::Player;
use flagfall_config::country;
use flagfall_config::event::About;
use flagfall_events::{Body, Event, GameResult, Wall};
use flagfall_score::board::BoardState;
use flagfall_score::kept::GameRecord;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What an event is called that nobody named.
const UNNAMED: &str = "Chess event";

/// The event, its rounds, and the game on every board.
#[derive(Clone, Debug)]
pub struct Chronicle {
    pub(super) kept: Kept,
    pub(super) about: About,
    report: Option<Report>,
    /// Points as the last report has them.
    pub(super) scores: Arc<Vec<Scored>>,
    /// In the order of the hall.
    pub(super) boards: Vec<Arc<str>>,
    pub(super) serials: BTreeMap<Arc<str>, String>,
    live: HashMap<Arc<str>, OnBoard>,
    /// What lists say of games that have begun, and what was not followed.
    pub(super) held: Vec<Held>,
}

#[derive(Clone, Debug)]
struct OnBoard {
    game: BoardState,
    /// The round it belongs to, once it has a seat there.
    round: Option<u32>,
    dirty: bool,
    /// Games, by their beginning, that were over before this numbering, and on which nobody has ruled in it: what it does not know of them is not
    /// taken away.
    ended: Vec<Wall>,
    /// The game after which it was asked to begin anew.
    asked: Option<Wall>,
}

impl Chronicle {
    /// The event that the configuration names, going on from what was kept, if that is the same event.
    pub fn new(about: About, kept: Option<Kept>) -> Self {
        let mut chronicle = Self {
            kept: Kept::default(),
            about,
            report: None,
            scores: Arc::default(),
            boards: Vec::new(),
            serials: BTreeMap::new(),
            live: HashMap::new(),
            held: Vec::new(),
        };
        chronicle.name(None, None);
        if let Some(kept) = kept.filter(|kept| kept.uuid == chronicle.kept.uuid || chronicle.about.name.is_none()) {
            chronicle.kept = kept;
        }
        let first = chronicle.kept.current.max(1);
        // The event may have gone on since the file was written.
        chronicle.kept.current = chronicle.about.round.map_or(first, |round| round.max(first));
        chronicle
    }

    /// The configuration calls the event something else, or says more of it. Rounds and games stay.
    pub fn announce(&mut self, about: About) {
        self.about = about;
        self.name(None, None);
        if let Some(round) = self.about.round {
            self.kept.current = self.kept.current.max(round);
        }
        self.seat_boards();
    }

    /// The rounds of before, where nothing was known of them; the games on the boards find their places anew.
    pub fn go_on(&mut self, kept: Kept) {
        if kept.uuid != self.kept.uuid && self.about.name.is_some() {
            return;
        }
        self.kept = kept;
        for on_board in self.live.values_mut() {
            (on_board.round, on_board.dirty) = (None, true);
        }
    }

    /// What survives a restart.
    pub const fn kept(&self) -> &Kept {
        &self.kept
    }

    /// The round now playing.
    pub const fn current(&self) -> u32 {
        self.kept.current
    }

    /// Takes name and place from a list or report where the configuration names none.
    pub(super) fn name(&mut self, event: Option<&str>, site: Option<&str>) {
        let known = |text: Option<&str>| text.map(str::trim).filter(|t| !t.is_empty() && *t != "?").map(String::from);
        if self.kept.name.is_empty() || self.about.name.is_some() || event.is_some() {
            let kept = Some(self.kept.name.clone()).filter(|n| !n.is_empty());
            self.kept.name = self.about.name.clone().or_else(|| known(event)).or(kept).unwrap_or_else(|| String::from(UNNAMED));
        }
        let configured = self.about.city.is_some() || self.about.country.is_some();
        if configured || self.kept.place.is_empty() || known(site).is_some() {
            let of_config = || {
                let country =
                    self.about.country.as_deref().map(|c| country::find(c).map_or_else(|| String::from(c), |(_, name)| String::from(name)));
                let parts: Vec<String> = [self.about.city.clone(), country].into_iter().flatten().collect();
                parts.join(", ")
            };
            self.kept.place = if configured { of_config() } else { known(site).unwrap_or_else(|| String::from("?")) };
        }
        // Not the place: it may be known only later.
        let parts = [Some(&self.kept.name), self.about.city.as_ref(), self.about.country.as_ref(), self.about.date.as_ref()];
        let parts: Vec<&str> = parts.into_iter().map(|part| part.map_or("", String::as_str)).collect();
        self.kept.uuid = self.about.uuid.clone().unwrap_or_else(|| uuid(&parts));
    }

    /// Makes boards known, in the order of the hall. `state` gives what is on a board already.
    pub fn boards(&mut self, names: &[Arc<str>], state: impl Fn(&str) -> Option<BoardState>) {
        for name in names {
            self.live.entry(name.clone()).or_insert_with(|| {
                let game = state(name).unwrap_or_else(|| BoardState::new(name.clone()));
                OnBoard { game, round: None, dirty: true, ended: Vec::new(), asked: None }
            });
        }
        if self.boards != names {
            self.boards = names.to_vec();
            self.seat_boards();
        }
    }

    /// Whether a board was made known.
    pub fn knows(&self, board: &str) -> bool {
        self.live.contains_key(board)
    }

    /// Takes the next event of a board; every kind of event, in the journal's order.
    pub fn take(&mut self, event: &Event) {
        let Some(on_board) = self.live.get_mut(&event.board) else { return };
        if !on_board.game.is_news(event) {
            return;
        }
        if matches!(event.body, Body::GameStart { .. }) {
            // The end of the old game must not be lost in the new one.
            self.enter(&event.board.clone());
            if let Some(on_board) = self.live.get_mut(&event.board) {
                on_board.round = None;
            }
        }
        let Some(on_board) = self.live.get_mut(&event.board) else { return };
        let of_another = event.is_of_another(on_board.game.game().number);
        on_board.game.apply(event);
        if of_another && !matches!(event.body, Body::GameStart { .. }) {
            self.correct(event);
            return;
        }
        match &event.body {
            Body::Identity { serial: Some(serial), .. } => {
                self.serials.insert(event.board.clone(), serial.clone());
            }
            Body::Placement { .. } | Body::Press { .. } | Body::Finding(_) | Body::FindingUpdate(_) | Body::Link { .. } => {}
            Body::Ruling(_) => {
                let ruled = on_board.game.game().started_at;
                on_board.ended.retain(|began| Some(*began) != ruled);
                on_board.dirty = true;
            }
            _ => on_board.dirty = true,
        }
    }

    /// Events of a board were not told: it stands so now. The game before, where another one is on, is left as it was told last; whoever knows how that
    /// one ended says so first, in the same way.
    pub fn again(&mut self, state: BoardState) {
        let Some(on_board) = self.live.get(state.board()).filter(|on| on.game.seq() < state.seq()) else { return };
        let other = on_board.game.game().started_at != state.game().started_at;
        let board = state.board().clone();
        if other {
            self.enter(&board);
        }
        if let Some(serial) = state.identity().and_then(|identity| identity.serial.clone()) {
            self.serials.insert(board.clone(), serial);
        }
        if let Some(on_board) = self.live.get_mut(&board) {
            (on_board.game, on_board.dirty) = (state, true);
            on_board.round = on_board.round.filter(|_| !other);
        }
    }

    /// A result that was entered for an earlier game of a board: that game has it now, wherever it is kept.
    fn correct(&mut self, event: &Event) {
        let Body::Result { result, reason, source, .. } = &event.body else { return };
        let seats = self.kept.rounds.values_mut().flat_map(|round| &mut round.seats);
        let games = seats.flat_map(|seat| &mut seat.games).filter(|game| *game.board == *event.board && game.game == event.game);
        // Where numbers began anew with new evidence it is the newest one.
        if let Some(game) = games.max_by_key(|game| game.started_at) {
            let corrected = GameRecord { result: *result, reason: Some(reason.clone()), source: Some(*source), ..GameRecord::clone(game) };
            *game = Arc::new(corrected);
        }
    }

    /// A board's numbering begins anew; its game stays as it was until another one begins.
    pub fn anew(&mut self, board: &Arc<str>) {
        self.enter(board);
        if let Some(on_board) = self.live.get_mut(board) {
            let games = self.kept.rounds.values().flat_map(|round| &round.seats).flat_map(|seat| &seat.games);
            let ended = games.filter(|game| *game.board == **board && game.is_over()).filter_map(|game| game.started_at).collect();
            *on_board = OnBoard { game: BoardState::new(board.clone()), round: None, dirty: true, ended, asked: None };
        }
    }

    /// Brings the rounds up to date with the boards. Gives the boards that a new round wants to begin anew.
    pub fn settle(&mut self) -> Vec<Arc<str>> {
        let dirty: Vec<Arc<str>> = self.live.iter().filter(|(_, on)| on.dirty).map(|(name, _)| name.clone()).collect();
        for board in &dirty {
            self.enter(board);
        }
        while self.next_is_due() {
            self.start_round(self.kept.current + 1);
        }
        self.idle()
    }

    /// Puts the game on a board where it belongs.
    fn enter(&mut self, board: &Arc<str>) {
        let Some(on_board) = self.live.get_mut(board).filter(|on| on.dirty) else { return };
        on_board.dirty = false;
        if on_board.game.game().started_at.is_none() {
            return;
        }
        let record = Arc::new(on_board.game.record());
        if record.started_at.as_ref() == self.kept.left.get(board) {
            return;
        }
        let current = self.kept.current;
        let round = on_board.round.or_else(|| {
            // After a restart: the round that knows this game.
            let knows = |round: &KeptRound| {
                round.seats.iter().any(|s| s.games.iter().any(|g| g.board == record.board && g.started_at == record.started_at))
            };
            self.kept.rounds.iter().find(|(_, round)| knows(round)).map(|(number, _)| *number)
        });
        let number = round.unwrap_or(current);
        let kept = self.kept.rounds.entry(number).or_default();
        let seat = match kept.seats.iter_mut().find(|seat| seat.board.as_ref() == Some(board)) {
            Some(seat) => seat,
            // A board that nobody paired is shown from its first move on.
            None if !record.has_begun() => return,
            None => {
                kept.seats.push(Seat::new(board, Some(board.clone())));
                let last = kept.seats.len() - 1;
                &mut kept.seats[last]
            }
        };
        on_board.round = Some(number);
        match seat.games.iter_mut().find(|game| game.started_at == record.started_at && game.board == record.board) {
            Some(game) if **game == *record => {}
            // A machine that was away comes back with what it had of a game that ended meanwhile.
            Some(_) if !record.is_over() && record.started_at.is_some_and(|began| on_board.ended.contains(&began)) => {}
            Some(game) => *game = record,
            None => {
                seat.add(record, kept.listed);
            }
        }
    }

    /// Boards of the round now playing whose last game was of an earlier round and is over. Each is named once.
    fn idle(&mut self) -> Vec<Arc<str>> {
        let current = self.kept.current;
        let Some(round) = self.kept.rounds.get(&current).filter(|round| round.listed) else { return Vec::new() };
        let mut idle = Vec::new();
        for board in round.seats.iter().filter(|seat| seat.games.is_empty()).filter_map(|seat| seat.board.as_ref()) {
            let Some(on_board) = self.live.get_mut(board) else { continue };
            let (game, over) = (on_board.game.game(), on_board.game.is_over());
            let earlier = on_board.round.is_some_and(|of| of < current) || (game.started_at.as_ref() == self.kept.left.get(board));
            if over && earlier && on_board.asked != game.started_at {
                on_board.asked = game.started_at;
                idle.push(board.clone());
            }
        }
        idle
    }

    fn next_is_due(&self) -> bool {
        let rounds = &self.kept.rounds;
        let (Some(now), Some(next)) = (rounds.get(&self.kept.current), rounds.get(&(self.kept.current + 1))) else { return false };
        if !now.listed || !next.listed {
            return false;
        }
        let seated = |seat: &&Seat| seat.board.is_some();
        let waits = |seat: &Seat| !seat.is_over() && (seat.has_begun() || !next.due);
        let any = now.seats.iter().any(Seat::is_over);
        if now.seats.iter().any(|seat| seated(&seat)) {
            any && !now.seats.iter().filter(seated).any(waits)
        } else {
            any && !now.seats.iter().any(waits)
        }
    }

    /// Which games of the round now playing keep the next one from beginning, by label.
    pub fn waiting_for(&self) -> Vec<String> {
        let waits = |seat: &&Seat| seat.board.is_some() && seat.has_begun() && !seat.is_over();
        self.kept
            .rounds
            .get(&self.kept.current)
            .map_or_else(Vec::new, |now| now.seats.iter().filter(waits).map(|s| s.label.clone()).collect())
    }

    /// A round that is loaded and waits for these boards.
    pub fn waiting_round(&self) -> Option<(u32, Vec<String>)> {
        let next = self.kept.current + 1;
        self.kept.rounds.get(&next).filter(|round| round.due)?;
        Some((next, self.waiting_for())).filter(|(_, boards)| !boards.is_empty())
    }

    /// Begins round `number`, whatever became of the games before it; games that waited for it move there.
    pub fn start_round(&mut self, number: u32) {
        let before = std::mem::replace(&mut self.kept.current, number);
        if before == number {
            return;
        }
        let mut later = Vec::new();
        if let Some(old) = self.kept.rounds.get_mut(&before) {
            for seat in &mut old.seats {
                let games = seat.take_later();
                if let Some(board) = seat.board.clone().filter(|_| !games.is_empty()) {
                    later.push((board, games));
                }
            }
        }
        self.kept.rounds.entry(number).or_default();
        self.seat_boards();
        for (board, games) in later {
            if let Some(on_board) = self.live.get_mut(&board) {
                on_board.round = None;
                on_board.dirty = true;
            }
            let new = self.kept.rounds.entry(number).or_default();
            if let Some(seat) = new.seats.iter_mut().find(|seat| seat.board.as_ref() == Some(&board)) {
                seat.games = games;
            }
        }
        let boards = self.boards.clone();
        for board in &boards {
            self.enter(board);
        }
    }

    /// The configuration names the event.
    pub(super) const fn is_named(&self) -> bool {
        self.about.name.is_some()
    }

    /// The finished games that are still on their boards belong to nothing from now on.
    pub(super) fn leave_finished(&mut self) {
        let over = |on: &OnBoard| Some(&on.game).filter(|state| state.is_over()).and_then(|state| state.game().started_at);
        self.kept.left = self.live.iter().filter_map(|(board, on)| Some((board.clone(), over(on)?))).collect();
        let left = &self.kept.left;
        for seat in self.kept.rounds.values_mut().flat_map(|round| &mut round.seats) {
            seat.games.retain(|game| game.started_at.is_none() || game.started_at.as_ref() != left.get(game.board.as_str()));
        }
    }

    /// A game that has begun on a board goes on.
    pub(super) fn is_played(&self) -> bool {
        self.live.values().any(|on| {
            let state = &on.game;
            !state.is_over() && state.moves().iter().any(|m| m.completed)
        })
    }

    /// Which round the games on the boards belong to is to be found anew.
    pub(super) fn forget_rounds(&mut self) {
        for on_board in self.live.values_mut() {
            on_board.round = None;
            on_board.dirty = true;
        }
    }

    /// Gives every pairing of the round now playing its board, and every board a pairing where nothing is listed.
    pub(super) fn seat_boards(&mut self) {
        let current = self.kept.current;
        let round = self.kept.rounds.entry(current).or_default();
        if round.listed {
            seating::seat(&mut round.seats, &self.boards, &self.about.seating);
        } else {
            for board in &self.boards {
                if !round.seats.iter().any(|seat| seat.board.as_ref() == Some(board)) {
                    let place =
                        round.seats.iter().filter(|seat| seat.board.as_ref().is_some_and(|b| before(b, board, &self.boards))).count();
                    let at = if round.has_begun() { round.seats.len() } else { place };
                    round.seats.insert(at, Seat::new(board, Some(board.clone())));
                }
            }
        }
        for on_board in self.live.values_mut() {
            on_board.dirty = true;
        }
    }

    /// Takes a tournament report: it names, and adds what is known of the players.
    pub fn report(&mut self, report: Report) {
        // A list or a configuration names it first; and what identifies a game does not change while it is played.
        if !self.in_progress() {
            let name = report.name.as_deref().filter(|_| self.kept.name == UNNAMED);
            self.name(name, report.city.as_deref().filter(|_| self.kept.place == "?"));
        }
        self.scores = Arc::new(report.scores());
        self.report = Some(report);
    }

    /// The round now playing has begun and is not over.
    pub(super) fn in_progress(&self) -> bool {
        let waits = |seat: &Seat| seat.board.is_some() && !seat.is_over();
        self.kept.rounds.get(&self.kept.current).is_some_and(|now| now.listed && now.has_begun() && now.seats.iter().any(waits))
    }

    /// What readers see.
    pub fn tournament(&self) -> Tournament {
        let (about, report) = (&self.about, self.report.as_ref());
        let last = self.kept.rounds.keys().last().copied().unwrap_or(1).max(self.kept.current);
        let planned = about.rounds.or_else(|| report.and_then(|r| r.rounds)).unwrap_or(1);
        let place = self.kept.place.rsplit_once(',').map(|(city, country)| (city.trim(), country::find(country)));
        let city = match place {
            Some((city, Some(_))) => Some(String::from(city)),
            _ if self.kept.place == "?" => None,
            _ => about.city.clone().or_else(|| about.country.is_none().then(|| self.kept.place.clone())),
        };
        let country = about.country.as_deref().and_then(country::find).or_else(|| place.and_then(|(_, country)| country));
        Tournament {
            uuid: self.kept.uuid.clone(),
            id: about.id.clone().unwrap_or_else(|| self.kept.name.clone()),
            name: self.kept.name.clone(),
            city,
            country: country.map(|(code, _)| String::from(code)),
            site: self.kept.place.clone(),
            website: about.website.clone(),
            time_control: about.time_control.clone().or_else(|| report.and_then(|r| r.time_control.clone())),
            control: report.and_then(|r| r.control.as_ref()).map(ToString::to_string),
            rounds: (1..=last.max(planned)).map(|number| self.round(number)).collect(),
            current: self.kept.current,
            serials: self.serials.clone(),
            games: self.games(),
            scores: self.scores.clone(),
        }
    }

    /// Every game that is kept, by its board, in the order in which they were played.
    fn games(&self) -> BTreeMap<Arc<str>, Vec<Played>> {
        let mut games: BTreeMap<Arc<str>, Vec<Played>> = BTreeMap::new();
        for (round, kept) in &self.kept.rounds {
            for (seat, pairing) in kept.seats.iter().zip(1..) {
                for game in seat.games.iter().filter(|game| game.has_begun()) {
                    let played = Played { round: *round, pairing, game: game.clone() };
                    games.entry(game.board.as_str().into()).or_default().push(played);
                }
            }
        }
        games.values_mut().for_each(|games| games.sort_by_key(|played| played.game.started_at));
        games
    }

    fn round(&self, number: u32) -> Round {
        let report = self.report.as_ref();
        let day = |n: u32| report.and_then(|r| r.dates.get(usize::try_from(n).ok()?.checked_sub(1)?).cloned());
        let first = || if number == 1 { self.about.date.clone() } else { None };
        let Some(kept) = self.kept.rounds.get(&number) else {
            return Round { number, date: day(number).or_else(first), pairings: Vec::new() };
        };
        let pairings = kept.seats.iter().zip(1..).map(|(seat, place)| self.pairing(number, place, kept.listed, seat)).collect();
        Round { number, date: kept.date.clone().or_else(|| day(number)).or_else(first), pairings }
    }

    fn pairing(&self, round: u32, number: u32, listed: bool, seat: &Seat) -> Pairing {
        let game = seat.shown(listed);
        let player = |given: &Option<Player>, side: &str| {
            let mut player = given.clone().unwrap_or_else(|| Player::of_board(&seat.label, side));
            if let Some(known) = given.as_ref().and_then(|p| self.report.as_ref()?.find(p)) {
                player.enrich(known);
            }
            player
        };
        let own = game.map_or(GameResult::Open, |g| g.result);
        // What the list says counts where we saw no game, and once the round is past.
        let listed_counts = game.is_none_or(|g| !g.has_begun()) || round < self.kept.current;
        let result = if own == GameResult::Open && listed_counts { seat.result } else { own };
        Pairing {
            number,
            uuid: uuid(&["pairing", &self.kept.uuid, &round.to_string(), &number.to_string()]),
            label: seat.label.clone(),
            board: seat.board.clone(),
            white: player(&seat.white, "White"),
            black: player(&seat.black, "Black"),
            result,
            live: round == self.kept.current && result == GameResult::Open && game.is_some_and(|g| g.is_live()),
            game: game.cloned(),
        }
    }
}

/// Whether `one` comes before `two` in the hall.
fn before(one: &Arc<str>, two: &Arc<str>, hall: &[Arc<str>]) -> bool {
    let place = |board: &Arc<str>| hall.iter().position(|b| b == board).unwrap_or(usize::MAX);
    place(one) < place(two)
}
