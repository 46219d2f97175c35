//! One game in progress: the position that is certain, the plies made on top of it, and what to tell when that changes.
use crate::placement::{Change, Image, Placement, bit, colour, each, piece};
use crate::position::Position;
use crate::press::{Completion, Press};
use crate::recogniser::promotions::Promotions;
use crate::recogniser::record::{End, Ply, Record};
use crate::recognition::evidence::{Cost, Seen};
use crate::recognition::lattice::Lattice;
use crate::recognition::likely::{Level, Ranked};
use crate::recognition::search::View;
use crate::recognition::step::{Ground, Step};
use crate::recognition::{disturbed, evidence, illegal, likely, search};
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Body, Colour, GameResult, How, Mono, ResultSource};
use shakmaty::Move;

/// Plies looked for on top of a known position in one go.
const PLIES_AHEAD: usize = 3;
/// After a lost link.
const PLIES_AFTER_A_GAP: usize = 6;

/// Plies read together at most.
pub(crate) const MOST_UNREAD: usize = 6;
/// Paths of equal length that are weighed at most.
const MOST_PATHS: usize = 64;
/// What it costs to revise a move when more has been played on top of it.
const REVISED: u32 = 15;
/// A line that costs so much had its pieces come down in another order.
const DISORDERLY: u32 = 60;
/// By how much the best line must be better than the next.
const CLEAR: u32 = 6;

/// A game in progress or just ended.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    pub(crate) chess960: bool,
    occupancy: bool,
    /// The edition ends a game by repetition and by 75 moves (9.6).
    pub(crate) automatic_draws: bool,
    /// `grounds[0]` is certain; `grounds[i + 1]` follows after `line[i]`.
    grounds: Vec<Ground>,
    /// Plies made but not certain yet; the tail of the record.
    line: Vec<Step>,
    pub(crate) record: Record,
    pub(crate) presses: VecDeque<Press>,
    /// Presses that no move was found for, oldest first; moves of those players that are found next belong to them.
    pub(crate) unanswered: Vec<Press>,
    /// Since when presses could not be read.
    pub(crate) unread_since: Option<Mono>,
    pub(crate) over: bool,
    /// Its result, and by what.
    pub(crate) ended: Option<(GameResult, ResultSource)>,
    /// The finding whose ruling ended it.
    pub(crate) ended_by: Option<u64>,
    /// Plies when a result was taken back: the position that they lead to ends nothing.
    pub(crate) reopened_at: Option<usize>,
    /// It was said to have begun.
    pub(crate) said: bool,
    /// The position that it began in.
    pub(crate) start: String,
    /// Cancelled by a ruling: the next game begins when somebody says so.
    pub(crate) cancelled: bool,
    /// White had the first move.
    pub(crate) white_began: bool,
    /// Of a board without piece identities: the hypotheses that the line is chosen from.
    pub(crate) lattice: Option<Lattice>,
    /// It was said that what was played cannot be told.
    pub(crate) unsure: bool,
    /// Of a board without piece identities: plies in the record, and presses since there were as many.
    pub(crate) unrecorded: (usize, usize),
    /// Since when the clocks stand.
    pub(crate) stopped: Option<Mono>,
    /// Of a board without piece identities: which pieces pawns became.
    pub(crate) promotions: Promotions,
}

impl Play {
    pub(crate) fn new(start: Position, chess960: bool, occupancy: bool) -> Self {
        let (record, fen) = (Record::new(&start), start.fen());
        let white_began = start.turn() == Colour::White;
        Self {
            chess960,
            occupancy,
            automatic_draws: true,
            lattice: occupancy.then(|| Lattice::new(&Ground::new(start.clone(), true), true)),
            unrecorded: (0, 0),
            stopped: None,
            promotions: Promotions::default(),
            grounds: vec![Ground::new(start, occupancy)],
            line: Vec::new(),
            record,
            presses: VecDeque::new(),
            unanswered: Vec::new(),
            unread_since: None,
            unsure: false,
            over: false,
            ended: None,
            ended_by: None,
            reopened_at: None,
            said: false,
            start: fen,
            cancelled: false,
            white_began,
        }
    }

    /// The position that is certain.
    pub(crate) fn ground(&self) -> &Ground {
        &self.grounds[0]
    }

    /// The position after everything made.
    pub(crate) fn top(&self) -> &Ground {
        &self.grounds[self.line.len()]
    }

    /// The certain position, and the positions after each ply made on top of it.
    pub(crate) fn grounds(&self) -> &[Ground] {
        &self.grounds
    }

    /// The board reads pieces, but not which.
    pub(crate) const fn occupancy(&self) -> bool {
        self.occupancy
    }

    pub(crate) fn line(&self) -> &[Step] {
        &self.line
    }

    /// Whether these are exactly the plies made and not certain yet.
    pub(crate) fn is_line(&self, line: &[Step]) -> bool {
        line.len() == self.line.len() && self.begins_with(line)
    }

    /// Whether the plies made begin with these.
    pub(crate) fn begins_with(&self, line: &[Step]) -> bool {
        line.len() <= self.line.len() && self.line.iter().zip(line).all(|(a, b)| a.mv == b.mv)
    }

    pub(crate) fn view<'a>(&self, image: &'a Image) -> View<'a> {
        View {
            sensed: image.placement(),
            touched: image.touched(),
            occupancy: self.occupancy,
            budget: search::BUDGET,
            work: evidence::MOST_WORK,
        }
    }

    /// The plies after the certain position that lead exactly to what the board shows, and explain best how it came about.
    pub(crate) fn exact_line(&self, image: &Image, scan_ms: u64) -> Option<Vec<Step>> {
        self.exact_lines(image, scan_ms).into_iter().next()
    }

    /// All such plies that were found, the likeliest first.
    fn exact_lines(&self, image: &Image, scan_ms: u64) -> Vec<Vec<Step>> {
        let mut view = self.view(image);
        let lines = (0..=self.line.len()).rev().flat_map(|kept| {
            let most = if kept == self.line.len() { PLIES_AHEAD.saturating_sub(kept).max(2) } else { PLIES_AHEAD - kept.min(2) };
            let paths = search::exact(&self.grounds[kept], &mut view, most);
            paths.into_iter().map(move |path| self.line[..kept].iter().copied().chain(path).collect::<Vec<_>>())
        });
        let mut lines: Vec<Vec<Step>> = lines.take(MOST_PATHS).collect();
        let cost = |line: &Vec<Step>| evidence::cost(&self.seen(image, scan_ms), line, &[]).total;
        // What fewer plies explain only against the order of things may have been a piece that moved twice.
        if let Some(best) = lines.iter().min_by_key(|line| cost(line)).filter(|best| best.len() < PLIES_AHEAD && cost(best) >= DISORDERLY) {
            let plies = best.len() + 1;
            lines.extend(search::exactly(&self.grounds[0], &mut view, plies).into_iter().take(MOST_PATHS));
        }
        if lines.len() > 1 {
            lines.sort_by_cached_key(cost);
        }
        lines
    }

    /// Whether a ply of this line was never seen to end where it ends.
    pub(crate) fn has_unseen(&self, line: &[Step], image: &Image) -> bool {
        line.iter().any(|step| evidence::came_down(step, image).is_none())
    }

    /// The exact line, unless what was made explains the picture better with more under way.
    pub(crate) fn standing_line(&self, image: &Image, scan_ms: u64) -> Option<Vec<Step>> {
        let line = self.exact_line(image, scan_ms)?;
        if line.len() < 2 || self.is_line(&line) {
            return Some(line);
        }
        let goes_on = self.line.iter().zip(&line).all(|(a, b)| a.mv == b.mv);
        let revises = if goes_on { 0 } else { REVISED };
        (self.cost_as_is(image, scan_ms).total >= self.cost_of(&line, image, scan_ms).total + revises).then_some(line)
    }

    /// The same after a lost link, looking further.
    pub(crate) fn recovered_line(&self, image: &Image, scan_ms: u64) -> Option<Vec<Step>> {
        self.recovered_lines(image, scan_ms).into_iter().next()
    }

    /// All such lines that were found.
    fn recovered_lines(&self, image: &Image, scan_ms: u64) -> Vec<Vec<Step>> {
        let mut lines = self.exact_lines(image, scan_ms);
        if lines.is_empty() {
            let mut view = View { budget: search::BUDGET_AFTER_A_GAP, ..self.view(image) };
            let paths = search::exact(self.top(), &mut view, PLIES_AFTER_A_GAP).into_iter().take(MOST_PATHS);
            lines = paths.map(|path| self.line.iter().copied().chain(path).collect()).collect();
            lines.sort_by_cached_key(|line| self.cost_of(line, image, scan_ms).total);
        }
        lines
    }

    /// The likeliest line after a lost link, and a bit set for each of its plies that may have been another one: as many plies lead here in
    /// another order, or by other moves.
    pub(crate) fn recovered_as_one_of(&self, image: &Image, scan_ms: u64) -> Option<(Vec<Step>, u64)> {
        // A ply on squares where nothing has changed since came before all that was seen.
        let touched = image.touched();
        let in_order = |line: &Vec<Step>| line.is_sorted_by_key(|step| step.touched & touched != 0);
        let mut lines = self.recovered_lines(image, scan_ms).into_iter().filter(in_order);
        let best = lines.next()?;
        let differ = |line: &Vec<Step>| {
            let other = line.iter().zip(&best).enumerate().filter(|(_, (a, b))| a.name() != b.name());
            other.fold(0, |set, (ply, _)| set | bit(ply))
        };
        let open = lines.filter(|line| line.len() == best.len()).fold(0, |set, line| set | differ(&line));
        Some((best, open))
    }

    const fn seen<'a>(&'a self, image: &'a Image, scan_ms: u64) -> Seen<'a> {
        Seen { root: &self.grounds.as_slice()[0], image, scan_ms, presses: &[], now: image.last_change() }
    }

    /// When each ply from the certain position on was pressed, the last one by the press with this index; `None`: without a press.
    pub(crate) fn pressed_at(&self, upto: usize) -> Vec<Option<Mono>> {
        let mut turn = self.ground().turn();
        let mut plies = Vec::new();
        // Plies that earlier presses completed, but that could not be read, come first.
        for press in self.unanswered.iter().chain(self.presses.iter().take(upto + 1)) {
            if press.by != turn {
                plies.push(None);
            }
            plies.push(Some(press.at));
            turn = press.by.other();
        }
        plies
    }

    /// Lines that the presses up to this one, or fewer of them, may have completed: of one ply, of two, and so on.
    pub(crate) fn likely_levels(&self, upto: usize, image: &Image, now: Mono, scan_ms: u64) -> Vec<Level> {
        let presses = self.pressed_at(upto);
        if presses.is_empty() || presses.len() > MOST_UNREAD {
            return Vec::new();
        }
        let seen = Seen { presses: &presses, now, ..self.seen(image, scan_ms) };
        likely::levels(&seen, &mut self.view(image), presses.len())
    }

    /// The presses that plies from the certain position on belong to, in the order of [`Self::pressed_at`].
    pub(crate) fn presses_by_ply(&self) -> Vec<Option<Press>> {
        let mut turn = self.ground().turn();
        let mut plies = Vec::new();
        for press in self.unanswered.iter().chain(&self.presses) {
            if press.by != turn {
                plies.push(None);
            }
            plies.push(Some(*press));
            turn = press.by.other();
        }
        plies
    }

    /// What the board shows after these plies from the certain position.
    pub(crate) fn shown_after(&self, line: &[Step]) -> Placement {
        line.iter().fold(self.ground().placement, |placement, step| step.play(&placement))
    }

    /// The plies up to an illegal move of the presser's that explains exactly what stands, an answer that is under way set aside.
    pub(crate) fn illegal_line(&self, press: &Press, image: &Image) -> Option<Vec<Step>> {
        let since = image.changes().iter().filter(|change| change.at > press.at && change.now == PieceCode::Empty);
        let answers = since.filter(|change| piece(change.was).is_some_and(|p| colour(p.color) != press.by));
        let lifted = answers.fold(0, |set, change| set | bit(change.square));
        (0..self.grounds.len()).rev().filter(|&kept| self.grounds[kept].turn() == press.by).find_map(|kept| {
            let ground = &self.grounds[kept];
            let sensed = illegal::without_answer(&ground.placement, image.placement(), lifted);
            let step = illegal::find(ground, &sensed, self.occupancy)?;
            Some(self.line[..kept].iter().copied().chain([step]).collect())
        })
    }

    /// 4.4: whether this player's king stands where castling brings it, that castling under way, and nothing else of his is off its square.
    pub(crate) fn castles(&self, by: Colour, image: &Image) -> bool {
        let (top, sensed) = (self.top(), image.placement());
        let wrong = top.placement.diff(sensed);
        let own = |code: PieceCode| piece(code).is_some_and(|p| colour(p.color) == by);
        let is_it = |step: &Step| {
            let stands = step.is_castling() && step.from() != step.to() && sensed.0[step.to()] == step.mover();
            stands && each(wrong & !step.explains(&top.placement, sensed, wrong)).all(|s| !own(top.placement.0[s]) && !own(sensed.0[s]))
        };
        top.turn() == by && top.steps.iter().any(is_it)
    }

    /// The plies up to a legal move of the presser's that shows in full, whatever other squares read. Only where nothing before it is open.
    pub(crate) fn disturbed_line(&self, press: &Press, image: &Image, scan_ms: u64) -> Option<Vec<Step>> {
        if self.occupancy || self.presses.len() > 1 || !self.unanswered.is_empty() {
            return None;
        }
        (0..self.grounds.len()).rev().filter(|&kept| self.grounds[kept].turn() == press.by).find_map(|kept| {
            let step = disturbed::find(&self.grounds[kept], image, self.turn_began(kept), press.at + scan_ms)?;
            Some(self.line[..kept].iter().copied().chain([*step]).collect())
        })
    }

    /// When the ply before the one with this index of the line was pressed.
    fn turn_began(&self, index: usize) -> Mono {
        let before = (self.base() + index).checked_sub(1).and_then(|ply| self.record.plies().get(ply)?.pressed_at);
        before.unwrap_or(Mono::ZERO)
    }

    /// Whether a ply of this player's that was made stands as it was made; `in_turn`: only one that came down since the press before it.
    pub(crate) fn own_stands(&self, by: Colour, image: &Image, in_turn: bool) -> bool {
        let stands = |step: &Step| step.after().all(|(s, p)| image.placement().0[s] == p);
        let came = |index: usize| evidence::came_down(&self.line[index], image).is_none_or(|at| at > self.turn_began(index));
        (0..self.line.len()).any(|i| self.grounds[i].turn() == by && stands(&self.line[i]) && (!in_turn || came(i)))
    }

    /// Whether the board shows the position made last and one more legal move, whole.
    pub(crate) fn next_move(&self, image: &Image) -> bool {
        self.top().steps.iter().any(|step| step.play(&self.top().placement) == *image.placement())
    }

    /// Whether a press of this player takes back the one before it, which no move was found for: the board is as it was.
    pub(crate) fn takes_back(&self, by: Colour, image: &Image) -> bool {
        self.unanswered.last().is_some_and(|press| press.by == by.other()) && image.placement() == self.expected()
    }

    /// Whether legal plies, whole or under way, explain what the board shows.
    pub(crate) fn is_explained(&self, image: &Image, scan_ms: u64) -> bool {
        self.exact_line(image, scan_ms).is_some()
            || self.cost_as_is(image, scan_ms).wrong == 0
            || self.grounds.iter().any(|ground| search::under_way(ground, &mut self.view(image)).next().is_some())
    }

    /// The line with one ply more, which shows in full while the opponent's answer is under way already.
    pub(crate) fn answered_line(&self, image: &Image, scan_ms: u64) -> Option<Ranked> {
        let ranked = likely::extend(&self.seen(image, scan_ms), self.top(), &self.line, &mut self.view(image)).lines;
        let best = ranked.first().filter(|best| best.cost.wrong == 0)?;
        let last = best.line.last()?;
        let shown = last.after().all(|(square, piece)| image.placement().0[square] == piece);
        let clear = ranked.get(1).is_none_or(|next| next.cost.total >= best.cost.total + CLEAR);
        let better = best.cost.total <= self.cost_as_is(image, scan_ms).total;
        (shown && clear && better).then(|| best.clone())
    }

    /// What a line costs, every ply of it made.
    pub(crate) fn cost_of(&self, line: &[Step], image: &Image, scan_ms: u64) -> Cost {
        evidence::cost(&self.seen(image, scan_ms), line, &[])
    }

    /// What the plies made so far cost, more of them being under way.
    pub(crate) fn cost_as_is(&self, image: &Image, scan_ms: u64) -> Cost {
        likely::with_more_under_way(&self.seen(image, scan_ms), self.top(), &self.line, &mut self.view(image))
    }

    /// The position after these plies of a line, from the certain one.
    pub(crate) fn after(&self, line: &[Step]) -> Ground {
        let common = self.line.iter().zip(line).take_while(|(a, b)| a.mv == b.mv).count();
        line[common..].iter().fold(self.grounds[common].clone(), |ground, step| ground.next(step, self.occupancy))
    }

    /// Whether the piece that made the last ply of this line may still be on its way to another square.
    pub(crate) fn may_go_on(&self, line: &[Step], index: usize, image: &Image) -> bool {
        let before = self.after(&line[..index]);
        let mut view = self.view(image);
        search::under_way(&before, &mut view).any(|other| other.mv != line[index].mv)
    }

    /// The squares of the last ply, and those it crossed.
    pub(crate) fn age_of(step: &Step, image: &Image, now: Mono) -> u64 {
        now.since(image.last_change_of(step.touched))
    }

    /// Makes `line` the line, and says what changed.
    pub(crate) fn announce(&mut self, line: &[Step], say: &mut impl FnMut(Body)) {
        let common = self.line.iter().zip(line).take_while(|(a, b)| a.mv == b.mv).count();
        let base = self.record.plies().len() - self.line.len();
        let mut was = None;
        while self.line.len() > common {
            self.line.pop();
            self.grounds.pop();
            let Some(ply) = self.record.pop() else { break };
            if self.line.len() == common && line.len() > common {
                was = Some(ply.uci);
            } else {
                say(Body::MoveWithdrawn { ply: number(base + self.line.len()), uci: ply.uci });
            }
        }
        for step in &line[common..] {
            let before = self.top();
            let after = before.next(step, self.occupancy);
            let ply = Ply::new(&before.position, step, &after.position, self.chess960);
            let index = base + self.line.len();
            say(match was.take() {
                Some(was) => Body::MoveRevised { ply: number(index), uci: ply.uci.clone(), san: ply.san.clone(), was },
                None => Body::MoveMade {
                    ply: number(index),
                    by: ply.by,
                    uci: ply.uci.clone(),
                    san: ply.san.clone(),
                    legal: ply.legal,
                    placement: ply.placement.clone(),
                    provisional: true,
                },
            });
            self.record.push(ply);
            self.line.push(*step);
            self.grounds.push(after);
        }
    }

    /// Completes the ply with this index in the record, unless it is already.
    pub(crate) fn complete(&mut self, index: usize, completion: Completion, say: &mut impl FnMut(Body)) {
        let Some(ply) = self.record.get_mut(index).filter(|p| !p.completed) else { return };
        ply.completed = true;
        ply.pressed = completion.how == How::Press;
        ply.pressed_at = completion.pressed_at;
        (ply.at_press, ply.earned_ms) = (completion.clock, completion.earned_ms);
        if let Some(body) = self.completed_as(index, &completion) {
            say(body);
        }
    }

    /// The ply with this index counts, but which of two moves it was cannot be told: nothing is said of it, now or later.
    pub(crate) fn leave_open(&mut self, index: usize, completion: Completion) {
        self.complete(index, completion, &mut |_| {});
    }

    /// Index in the record of the first ply of the line.
    pub(crate) fn base(&self) -> usize {
        self.record.plies().len() - self.line.len()
    }

    /// Plies of `by` that wait to be completed, oldest first.
    pub(crate) fn waiting(&self, by: Colour) -> Vec<usize> {
        self.record.plies().iter().enumerate().filter(|(_, p)| p.by == by && !p.completed).map(|(i, _)| i).collect()
    }

    /// The first `plies` plies of the line are certain from now on; what was sensed of them is forgotten.
    pub(crate) fn freeze(&mut self, plies: usize, image: &mut Image) {
        self.freeze_pressed(plies, image, Mono::from_millis(u64::MAX), 0);
    }

    /// The same, of plies the last of which was pressed at `press`: what the sensors show later than they lag behind it is the doing of others,
    /// also where it looks alike, and what changed after it elsewhere may be.
    pub(crate) fn freeze_pressed(&mut self, plies: usize, image: &mut Image, press: Mono, scan_ms: u64) {
        let plies = plies.min(self.line.len());
        let Some(last) = plies.checked_sub(1) else { return };
        let mover = self.record.plies().get(self.base() + last).map(|p| p.by);
        let end = self.grounds[plies].placement;
        let squares = self.line[..plies].iter().fold(0, |set, step| set | step.touched);
        let until = Mono::from_millis(press.millis().saturating_add(scan_ms));
        let came = |c: &&Change, square: usize| c.square == square && c.now == end.0[square] && c.at <= until;
        let arrived = |square: usize| image.changes().iter().rfind(|c| came(c, square)).map(|c| c.at);
        let done = each(squares).filter_map(arrived).max().map(|done| done.min(press));
        let times: Vec<(usize, Option<Mono>)> = each(squares).map(|s| (s, arrived(s))).collect();
        self.line.drain(..plies);
        self.grounds.drain(..plies);
        image.forget(|change| {
            if let Some((_, Some(at))) = times.iter().find(|(s, _)| *s == change.square) {
                return change.at > *at;
            }
            // The opponent's hand may have begun before this one was done.
            let moved = if change.now == PieceCode::Empty { change.was } else { change.now };
            done.is_some_and(|done| change.at > done) || piece(moved).map(|p| colour(p.color)) != mover
        });
    }

    /// Nobody can mate any more (5.2.2).
    pub(crate) fn is_dead(&mut self) {
        let top = &self.grounds[self.line.len()].position;
        self.record.is_dead(top);
    }

    /// Whether the last ply made ended the game.
    pub(crate) fn end(&self) -> Option<End> {
        if self.reopened_at == Some(self.record.plies().len()) {
            return None;
        }
        self.record.end(&self.top().position, self.automatic_draws)
    }

    /// Takes back every ply from this index of the record on, the last one first; the position before it is certain then.
    pub(crate) fn take_back(&mut self, index: usize, say: &mut impl FnMut(Body)) {
        let Some(before) = self.record.plies().get(index).map(|ply| ply.before.clone()) else { return };
        while self.record.plies().len() > index {
            let Some(ply) = self.record.pop() else { break };
            say(Body::MoveWithdrawn { ply: number(self.record.plies().len()), uci: ply.uci });
        }
        self.set_position(before);
    }

    /// The ply with this index was another move; what was played on top of it stays, and all of it is certain.
    pub(crate) fn revise(&mut self, index: usize, mv: Move, say: &mut impl FnMut(Body)) {
        let Some(before) = self.record.plies().get(index).map(|ply| ply.before.clone()) else { return };
        let mut later = Vec::new();
        while self.record.plies().len() > index {
            later.extend(self.record.pop());
        }
        later.reverse();
        let mut ground = Ground::new(before, self.occupancy);
        for (n, was) in later.into_iter().enumerate() {
            let played = if n == 0 { mv } else { was.mv };
            let known = ground.steps.iter().find(|step| step.mv == played).copied();
            let step = known.unwrap_or_else(|| Step::illegal(&ground.position, played, self.occupancy));
            let next = ground.next(&step, self.occupancy);
            let mut ply = Ply::new(&ground.position, &step, &next.position, self.chess960);
            (ply.completed, ply.pressed, ply.pressed_at) = (was.completed, was.pressed, was.pressed_at);
            (ply.at_press, ply.earned_ms) = (was.at_press, was.earned_ms);
            if n == 0 {
                let (uci, san) = (ply.uci.clone(), ply.san.clone());
                say(Body::MoveRevised { ply: number(index), uci, san, was: was.uci });
            }
            self.record.push(ply);
            ground = next;
        }
        self.line.clear();
        self.grounds = vec![ground];
    }

    /// A position that an arbiter or operator set up; the plies before it stay in the record.
    pub(crate) fn set_position(&mut self, position: Position) {
        self.line.clear();
        self.grounds = vec![Ground::new(position, self.occupancy)];
        self.lattice = self.occupancy.then(|| Lattice::new(&self.grounds[0], false));
        self.presses.clear();
        self.unanswered.clear();
        self.unread_since = None;
    }

    /// The placement of the certain position, as the board reads it.
    pub(crate) fn expected(&self) -> &Placement {
        &self.top().placement
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}
