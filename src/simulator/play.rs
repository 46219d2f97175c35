//! A game from its beginning to its end, ply for ply: who moves, thinks and presses when.
use super::crowd::Crowd;
use super::games::PgnGame;
use super::gesture::Gesture;
use super::habits::{Ended, FLAG_WITHIN};
use super::hands::{Hands, Kind};
use super::incident::{IncidentKind, When};
use super::mishap::forced_gesture;
use super::players::Players;
use super::script::{Act, PlyTruth, Script, TimedAct, colour, squares_of};
use flagfall_events::GameResult;
use rand::Rng as _;
use shakmaty::{Color, Move, Position as _, san::SanPlus};

/// Nobody thinks longer than that about a move that he knows by heart, milliseconds.
const BY_HEART: u64 = 800;

impl Hands {
    /// What these hands do in this game.
    pub fn play(&self, game: &PgnGame) -> Script {
        let mut players = Players::new(self, game);
        players.begin();
        let last = players.moves.len();
        if let Some(tempo) = self.people {
            let mut crowd = Crowd::new(tempo, self.seed);
            players.truth.people = Some(Box::new(crowd.people.clone()));
            (0..last).for_each(|index| players.person_ply(&mut crowd, index));
            players.put_all_right(&mut crowd);
        } else {
            (0..last).for_each(|index| players.ply(index));
        }
        players.finish()
    }
}

impl Players<'_> {
    /// Sets the pieces up and starts the clock.
    fn begin(&mut self) {
        let start = squares_of(self.game.start.board());
        let ready = self.hands.set_up_from.map_or(0, |before| self.next_game(&before, &start));
        // Nobody reaches for his first move before the pieces stand.
        self.stood_since = ready;
        self.turn_since = ready + self.hands.lead_in;
        self.clock_started = self.turn_since;
        self.truth.began = self.turn_since;
        self.act(self.turn_since, Act::StartClock);
    }

    fn incidents_at(&self, index: usize) -> Vec<IncidentKind> {
        let here = |when| match when {
            When::Ply(ply) => ply as usize == index + 1,
            When::End => index + 1 == self.moves.len(),
        };
        self.hands.incidents.iter().filter(|i| here(i.when)).map(|i| i.kind).collect()
    }

    fn ply(&mut self, index: usize) {
        let m = self.moves[index];
        let by = self.position.turn();
        let incidents = self.incidents_at(index);
        let ply = u32::try_from(index + 1).unwrap_or(u32::MAX);
        self.before_the_move(&incidents, ply, by);

        self.rook_is_late |= incidents.contains(&IncidentKind::RookLate);
        let king_alone = self.rook_is_late && m.is_castle();
        let mut hand = Gesture::new(&mut self.rng, self.pace);
        let forced = forced_gesture(&mut hand, &incidents, &mut self.rook_first, &mut self.pawn_left, &self.position, m);
        if king_alone && let Move::Castle { king, rook } = m {
            hand.castle_king_only(by, king, rook);
        } else if !forced {
            hand.play(&self.position, m);
        }
        let (mut acts, length) = (std::mem::take(&mut hand.acts), hand.now);
        let press_delay = self.some(self.pace.press);
        let quick = incidents.contains(&IncidentKind::TwoMovesQuick) && index > 0;
        let touched = if quick { self.stood_since + 30 } else { self.first_touch(by, index, length + press_delay) };
        for act in &mut acts {
            act.0 += touched;
        }
        if !quick {
            self.lift_before_the_press(&mut acts, m);
        }
        let mut down = acts.last().map_or(touched, |act| act.0);
        for (at, act) in acts {
            self.act(at, act);
        }
        let mut san_position = self.position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut san_position, m).to_string();
        let over = san_position.is_game_over();
        self.position = san_position;
        if incidents.contains(&IncidentKind::PawnLeft) || self.pawn_left_now(m) {
            down = self.pawn_left_standing(ply, by, m, down);
        }
        if incidents.contains(&IncidentKind::Nudge) {
            self.nudge(ply, m, down);
        }
        let pressed = self.press_for(&incidents, ply, by, down, press_delay, over && index + 1 == self.moves.len());
        let pieces_down = self.rook_after_the_press(m, by, pressed.unwrap_or(down)).unwrap_or(down);
        self.truth.plies.push(PlyTruth {
            ply,
            by: colour(by),
            uci: m.to_uci(self.game.mode).to_string(),
            san,
            legal: true,
            last_down: pieces_down,
            press: pressed,
            clock: None,
            how: None,
        });
        self.spend(by, pressed.unwrap_or(down));
        self.stood_since = pieces_down;
        self.turn_since = pressed.unwrap_or(down).max(pieces_down).max(self.turn_since);
        self.after_the_move(ply);
    }

    fn press_for(&mut self, incidents: &[IncidentKind], ply: u32, by: Color, down: u64, delay: u64, over: bool) -> Option<u64> {
        if incidents.contains(&IncidentKind::Unpressed) || ply <= self.unpressed_until || (over && self.chance(self.pace.no_last_press)) {
            return None;
        }
        let late = if incidents.contains(&IncidentKind::LatePress) { self.some((3000, 8000)) } else { 0 };
        let at = (down + delay + late).max(self.turn_since + 40);
        self.act(at, Act::Press { by: colour(by), ply: Some(ply) });
        if self.stiff[usize::from(by.is_black())] {
            self.turn_since = self.press_again(by, at);
        }
        Some(at)
    }

    /// When the player touches the first piece; `busy` is what his hand needs from there to the press.
    fn first_touch(&mut self, by: Color, index: usize, busy: u64) -> u64 {
        if self.chance(self.pace.at_once) {
            return self.turn_since + self.some((20, 180));
        }
        let left = self.budget[usize::from(by.is_black())].max(0);
        let think = match self.hands.kind {
            Kind::Clean => self.some((1000, 4000)),
            Kind::Blitz => {
                let whole: f64 = self.rng.random();
                let whole = 150 + (whole * 750.0) as u64;
                whole.saturating_sub(busy)
            }
            Kind::Human => {
                let median = if index < 12 { 2500.0 } else { 6000.0 };
                (median * (1.1 * self.normal()).exp()) as u64
            }
        };
        let think = think.min(u64::try_from(left / 6).unwrap_or(0));
        let think = (think as f64 / self.hands.speed.max(0.001)) as u64;
        let think = if index < self.hands.by_heart as usize { think.min(BY_HEART) } else { think };
        let reaction = if self.hands.kind == Kind::Blitz { 20 } else { 150 };
        let mut touched = self.turn_since + think.max(reaction);
        if self.chance(self.pace.adjust) {
            touched = self.adjust_before(by, touched);
        }
        touched
    }

    /// Blitz: the answer's piece is in the air before the other side has pressed.
    fn lift_before_the_press(&mut self, acts: &mut [(u64, Act)], m: Move) {
        let own = matches!(acts.first(), Some((_, Act::Lift(square))) if Some(*square) == m.from());
        if own && self.turn_since > self.stood_since + 40 && self.chance(self.pace.pre_lift) {
            let early = self.rng.random_range(self.stood_since + 30..self.turn_since);
            // A piece that is in the hand already is not adjusted: it would stand twice.
            let stands_again = |step: &TimedAct| step.at >= early && matches!(step.act, Act::Put(square, _) if Some(square) == m.from());
            if !self.steps.iter().rev().take(4).any(stands_again) {
                acts[0].0 = early;
            }
        }
    }

    pub(super) fn spend(&mut self, by: Color, until: u64) {
        let bonus = self.hands.control.periods()[0].bonus_s;
        let spent = i64::try_from(until.saturating_sub(self.turn_since)).unwrap_or(i64::MAX);
        self.budget[usize::from(by.is_black())] += i64::from(bonus) * 1000 - spent;
    }

    /// How this game ends, by the players' habits; what the last move says needs nobody.
    fn ends_how(&mut self) -> Ended {
        let habits = self.hands.habits;
        if !self.chance(habits.unshown) {
            let shown = self.hands.show_result && self.truth.result != GameResult::Open;
            return if shown { Ended::Kings } else { Ended::Stopped };
        }
        let falls = self.hands.control.periods().len() == 1 && self.left() <= FLAG_WITHIN.unsigned_abs();
        if falls && !self.position.is_game_over() && self.chance(habits.flag) {
            Ended::Flag
        } else if self.chance(habits.clock_left) {
            Ended::Left
        } else {
            Ended::Stopped
        }
    }

    /// What the player to move has left, milliseconds.
    pub(super) fn left(&self) -> u64 {
        u64::try_from(self.budget[usize::from(self.position.turn().is_black())]).unwrap_or(0)
    }

    /// A draw of the normal distribution (Box and Muller).
    fn normal(&mut self) -> f64 {
        let (u, v): (f64, f64) = (self.rng.random(), self.rng.random());
        (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    fn finish(mut self) -> Script {
        self.put_right(u32::MAX);
        let mut now = self.turn_since + self.some((900, 2500));
        self.truth.ended = self.ends_how();
        match self.truth.ended {
            Ended::Kings | Ended::Stopped => self.act(now, Act::StopClock),
            Ended::Left => {}
            Ended::Flag => {
                now = self.turn_since + self.left() + self.some((2000, 6000));
                self.truth.result = if self.position.turn().is_white() { GameResult::BlackWins } else { GameResult::WhiteWins };
            }
        }
        self.truth.over = now;
        if self.replug_after.take().is_some() {
            self.act(now, Act::Replug);
        }
        now = self.after_the_end(now + 800);
        // Acts of two hands overlap; those of one moment keep the order in which they were thought of.
        self.steps.sort_by_key(|step| step.at);
        Script { before: self.before, steps: self.steps, truth: self.truth, end: now + 1500 }
    }
}
