//! A small lattice of hypotheses over a board that knows only which squares are occupied.
//!
//! Each node is a position that may stand, with the ply that led to it, what was sensed since, and what is odd about all that. A picture that a
//! legal ply of a living node explains becomes a child of it; what explains the pictures far worse than the best dies. Nothing is decided here:
//! what all living hypotheses agree on is certain, and whoever asks may believe it.
//!
//! Work is bounded: at most [`MOST_ALIVE`] hypotheses live, each with a bounded memory of changes.

pub(crate) use super::circumstances::Table;
use super::hypothesis::Node;
use super::sense;
use super::step::{Ground, Step};
use super::weigh::{self, Blip, Ply};
use crate::placement::{Squares, bit, each};
use crate::press::Press;
use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;
use flagfall_events::Mono;
use shakmaty::Role;

/// Hypotheses that live at the same time.
const MOST_ALIVE: usize = 48;
/// By how much something else must be likelier than what was told.
const FIRM: u32 = 25;
/// Legal moves of the hypotheses that one picture may add: what it may cost.
const MOST_MOVES: usize = 6_000;
/// What explains the pictures worse than the best by more than this is dead.
const BEAM: u32 = 200;
/// By how much the best must lead for a doubt to be none.
const MARGIN: u32 = 40;
/// The same while a piece is in the air: it may be put back.
const MARGIN_AT_WORK: u32 = 95;
/// Plies after which a promotion that nothing contradicts was to the likeliest piece.
const PROMOTION_AGE: usize = 24;
/// What a pawn thrown away counts for.
const FOLLY: u32 = 3;
/// Without a clock: how long a move stands that could still go on.
const STANDS_MS: u64 = 3_500;

/// A ply that is certain or likely.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) step: Step,
    pub(crate) press: Option<Press>,
    /// Nothing that came down or went shows it; only a press or a reply can.
    pub(crate) unseen: bool,
}

/// The likeliest line.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    pub(crate) links: Vec<Link>,
    /// So many of its plies all hypotheses worth considering share.
    pub(crate) certain: usize,
    /// The same, if pawns became what the likeliest line says.
    pub(crate) but_promotions: usize,
    /// Its last ply may as well be another one.
    pub(crate) rivals: bool,
}

/// Scores and nodes, the best first.
type Ranking = Vec<(u32, usize)>;

/// The hypotheses.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    nodes: Vec<Node>,
    sensed: Squares,
    last_change: Mono,
    last_press: Mono,
    /// What [`Self::weigh`] found, until something changes.
    weighed: Option<(Table, Ranking)>,
}

impl Lattice {
    /// Hypotheses that begin here. `either_way`: the board may as well stand the other way round, if its squares do not tell.
    pub(crate) fn new(ground: &Ground, either_way: bool) -> Self {
        let mut nodes = vec![Node::new(ground.clone(), false)];
        if either_way && nodes[0].occupied == nodes[0].occupied.reverse_bits() {
            nodes.push(Node::new(ground.clone(), true));
        }
        let sensed = nodes[0].occupied;
        Self { nodes, sensed, last_change: Mono::ZERO, last_press: Mono::ZERO, weighed: None }
    }

    /// The board reads occupied on exactly these squares now. Unless the game is `in_play` no move is looked for.
    pub(crate) fn sensed(&mut self, table: &Table, squares: Squares, in_play: bool) {
        let changed = squares ^ self.sensed;
        if changed == 0 {
            return;
        }
        (self.sensed, self.last_change) = (squares, table.now);
        self.weighed = None;
        for node in self.nodes.iter_mut().filter(|n| n.alive) {
            for square in each(changed) {
                let on = squares & bit(square) != 0;
                let square = if node.half { 63 - square } else { square };
                node.note(Blip { square, on, at: table.now }, table.scan_ms);
            }
        }
        if in_play {
            self.grow(table);
        }
        self.prune(table);
    }

    /// A player pressed.
    pub(crate) fn pressed(&mut self, table: &Table, press: Press) {
        self.last_press = press.at;
        self.weighed = None;
        for node in self.nodes.iter_mut().filter(|n| n.alive) {
            if !node.owed.is_empty() || node.turn() == press.by {
                node.owed.push_back(press);
            } else if node.ply.is_some() && node.press.is_none() {
                let sensed = node.view(self.sensed);
                node.close(press, sensed, table);
            } else if node.ply.is_some() {
                node.cost += weigh::IDLE_PRESS;
            }
        }
        // Replies that were seen already come after the press now.
        self.grow(table);
        self.prune(table);
    }

    /// When to look again although nothing happened.
    pub(crate) fn wake(&self, table: &Table) -> Option<Mono> {
        let lag = [self.last_press + table.scan_ms, self.last_press + 2 * table.scan_ms, self.last_change + table.scan_ms];
        lag.into_iter().chain([self.last_change + STANDS_MS]).filter(|at| *at > table.now).min()
    }

    /// Nothing has changed for a scan.
    pub(crate) fn is_quiet(&self, table: &Table) -> bool {
        table.now.since(self.last_change) >= table.scan_ms && table.now.since(self.last_press) >= table.scan_ms
    }

    /// Every ply that explains the picture becomes a child of its node, those of the likeliest first.
    fn grow(&mut self, table: &Table) {
        let mut waiting: VecDeque<usize> = self.ranked(table).into_iter().map(|(_, index)| index).collect();
        let mut moves = 0;
        while let Some(index) = waiting.pop_front().filter(|_| moves < MOST_MOVES) {
            for child in self.children(index, table) {
                moves += child.plies.len();
                waiting.push_back(self.nodes.len());
                self.nodes.push(child);
            }
        }
        self.weighed = None;
    }

    fn children(&self, index: usize, table: &Table) -> Vec<Node> {
        let node = &self.nodes[index];
        let sensed = node.view(self.sensed);
        let deviates = node.occupied ^ sensed;
        let mut born = Vec::new();
        if deviates == 0 {
            return born;
        }
        for ply in &node.plies {
            let rest = ply.play(node.occupied) ^ sensed;
            // A reply may be under way already: something the ply leaves alone was lifted.
            let replied = rest != 0;
            // A piece pressed, and taken where it came down before the sensors saw it there.
            let unseen = rest & ply.to != 0 && node.owed.front().is_some_and(|p| p.by == node.turn());
            let agrees = rest & ply.touched & if unseen { !ply.to } else { !0 } == 0;
            let answered = || agrees && ply.from & deviates != 0 && rest.count_ones() <= 4 && rest & !sensed != 0;
            if replied && !answered() {
                continue;
            }
            // The same ply is born again where more is known of it.
            let seen = ply.captures_on != 0 && weigh::seen_to_capture(ply, &node.tail, table.scan_ms);
            let like = |n: &Node| n.after_press == node.press.is_some() && n.unseen <= unseen && !(n.blind && seen);
            let known = |n: &Node| n.parent == Some(index) && like(n);
            if self.nodes.iter().any(|n| known(n) && n.ply.as_ref().is_some_and(|p| p.step.mv == ply.step.mv)) {
                continue;
            }
            let ground = node.ground.next(&ply.step, true);
            let mut child = Node::new(ground, node.half);
            let answers = |reply: &Ply| {
                reply.is_begun(rest)
                    && rest & !reply.reaches() == 0
                    && (!unseen || (reply.captures_on == ply.to && (ply.captures_on | reply.from & rest) != 0))
            };
            if replied && !child.plies.iter().any(answers) {
                continue;
            }
            self.bear(&mut child, index, ply, rest, table);
            born.push(child);
        }
        born
    }

    /// Fills in how the child came about.
    fn bear(&self, child: &mut Node, index: usize, ply: &Ply, rest: Squares, table: &Table) {
        let node = &self.nodes[index];
        let own: Vec<Blip> = node.tail.iter().filter(|b| rest & bit(b.square) == 0).copied().collect();
        child.tail = node.tail.iter().filter(|b| rest & !ply.to & bit(b.square) != 0).copied().collect();
        (child.parent, child.born) = (Some(index), table.now);
        child.after_press = node.press.is_some();
        child.ply = Some(ply.clone());
        child.blind = ply.captures_on != 0 && !weigh::seen_to_capture(ply, &own, table.scan_ms);
        child.down = own.iter().rev().find(|b| b.on && bit(b.square) == ply.to).map(|b| b.at);
        child.folly = node.folly + FOLLY * sense::folly(&node.ground.position, ply.step.mv, &child.ground.position);
        child.owed = node.owed.clone();
        if child.owed.front().is_some_and(|p| p.by == node.turn()) {
            child.press = child.owed.pop_front();
        }
        child.cost =
            node.cost + weigh::visits(&node.stands(table), &own, !ply.reaches(), Some(ply)) + weigh::habit(ply, &child.ground, &node.plies);
        child.cost += if node.blind { weigh::BLIND } else { 0 };
        child.cost += weigh::disorder(ply, &own, table.scan_ms) + weigh::fidgets(ply, &own);
        if rest & ply.to != 0 {
            (child.unseen, child.blind, child.cost) = (true, false, child.cost + weigh::UNSEEN);
        }
        if rest != 0 {
            child.cost += weigh::OVERLAP;
        }
        if let Some(press) = child.press {
            let seen = own.iter().filter(|b| ply.touched & bit(b.square) != 0).map(|b| b.at).max().unwrap_or(press.at);
            child.cost += weigh::lateness(seen.since(press.at), table.scan_ms);
        }
        if table.clock && node.ply.is_some() && node.press.is_none() {
            child.cost += weigh::UNPRESSED;
        }
        if let Some(press) = node.press {
            child.cost += weigh::haste(ply, &own, press.at);
            // The ply after this one cannot have begun before the press of the one before it.
            let impossible = child.tail.iter().any(|b| b.at + weigh::LEVER_MS < press.at);
            child.cost += if impossible { weigh::IMPOSSIBLE } else { 0 };
        }
    }

    /// How badly a node explains everything up to now.
    fn score(&self, index: usize, table: &Table) -> u32 {
        let node = &self.nodes[index];
        let sensed = node.view(self.sensed);
        let mut deviates = node.occupied ^ sensed;
        let mut score = node.cost + if node.blind { weigh::BLIND } else { 0 };
        if let Some(own) = node.ply.as_ref().filter(|_| node.is_unfinished(table.now, table.scan_ms))
            && deviates & own.to != 0
        {
            deviates &= !own.to;
            score += weigh::UNFINISHED;
        }
        score += weigh::tail(&node.stands(table), deviates, &node.tail);
        // A ply of his stands here, whole: who has not made it has to explain why it stands.
        let shown = deviates != 0
            && self.nodes.iter().any(|n| {
                n.parent == Some(index)
                    && n.alive
                    && !n.blind
                    && n.occupied == sensed
                    && n.down.is_some_and(|at| table.now.since(at) >= table.scan_ms)
            });
        if table.over && deviates != 0 {
            score += weigh::LEFT_SO;
        }
        // A piece that left its square and shows nowhere may have been taken where it was put, before that was seen.
        let may_be_taken = deviates.count_ones() == 1 && deviates & node.occupied & !weigh::theirs(&node.ground) != 0;
        for press in &node.owed {
            if table.now >= press.at + if may_be_taken { 2 * table.scan_ms } else { table.scan_ms } {
                score += weigh::NOTHING;
            }
        }
        let ended = || self.nodes.iter().any(|n| n.parent == Some(index) && n.alive && n.occupied == sensed && n.plies.is_empty());
        if shown && table.now.since(self.last_change) >= STANDS_MS && (!table.clock || ended()) {
            score += weigh::NOTHING;
        }
        score
    }

    /// Everything is asked of the same table from here on, until something changes.
    pub(crate) fn weigh(&mut self, table: &Table) {
        self.weighed = Some((*table, self.ranked(table)));
    }

    /// The living and their scores, best first.
    fn ranked(&self, table: &Table) -> Ranking {
        if let Some((_, ranked)) = self.weighed.as_ref().filter(|(at, _)| at == table) {
            return ranked.clone();
        }
        let mut ranked: Ranking = (0..self.nodes.len()).filter(|&i| self.nodes[i].alive).map(|i| (self.score(i, table), i)).collect();
        // Of equals the one that went further.
        ranked.sort_by_key(|&(score, index)| (score, usize::MAX - index));
        ranked
    }

    fn prune(&mut self, table: &Table) {
        let ranked = self.ranked(table);
        let best = ranked.first().map_or(0, |r| r.0);
        for (rank, (score, index)) in ranked.into_iter().enumerate() {
            self.nodes[index].alive = rank < MOST_ALIVE && score <= best + BEAM;
        }
        self.weighed = None;
        self.settle_promotions(table);
        self.sweep();
    }

    /// A promotion that nothing has contradicted was to the piece of the best hypothesis, once it is long ago.
    fn settle_promotions(&mut self, table: &Table) {
        let Some((_, best)) = self.ranked(table).first().copied() else { return };
        let path = self.path(best);
        let found = (0..path.len()).find(|&at| at + PROMOTION_AGE < path.len() && self.has_rivals(path[at]));
        let Some(kept) = found.map(|at| path[at]) else { return };
        let rivals: Vec<usize> = (0..self.nodes.len()).filter(|&i| self.are_rivals(i, kept)).collect();
        for i in 0..self.nodes.len() {
            let of_a_rival = self.path(i).iter().any(|n| rivals.contains(n));
            self.nodes[i].alive &= !of_a_rival;
        }
        self.weighed = None;
    }

    /// Promotions of one pawn on one square to different pieces.
    fn are_rivals(&self, a: usize, b: usize) -> bool {
        a != b && self.is_promotion(a) && self.nodes[a].parent == self.nodes[b].parent && self.is_twin(a, b)
    }

    fn has_rivals(&self, index: usize) -> bool {
        self.is_promotion(index) && (0..self.nodes.len()).any(|i| self.are_rivals(i, index))
    }

    fn is_promotion(&self, index: usize) -> bool {
        self.nodes[index].ply.as_ref().is_some_and(|p| p.step.mv.is_promotion())
    }

    /// Forgets what is neither alive nor an ancestor of the living.
    fn sweep(&mut self) {
        let mut wanted = vec![false; self.nodes.len()];
        for index in (0..self.nodes.len()).filter(|&i| self.nodes[i].alive) {
            self.path(index).into_iter().for_each(|i| wanted[i] = true);
        }
        if wanted.iter().all(|w| *w) {
            return;
        }
        let mut place = vec![None; self.nodes.len()];
        let mut kept = Vec::with_capacity(self.nodes.len());
        // Parents come before their children.
        for (index, mut node) in core::mem::take(&mut self.nodes).into_iter().enumerate().filter(|(i, _)| wanted[*i]) {
            place[index] = Some(kept.len());
            node.parent = node.parent.and_then(|p| place[p]);
            kept.push(node);
        }
        self.nodes = kept;
        self.weighed = None;
    }

    /// From the root to this node.
    fn path(&self, index: usize) -> Vec<usize> {
        let mut path = vec![index];
        while let Some(parent) = path.last().and_then(|&i| self.nodes[i].parent) {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// The likeliest line and what of it is certain; `None` where not even the way the board stands is. What is `told` already stays the
    /// likeliest until something else is so clearly.
    pub(crate) fn lines(&self, table: &Table, told: &[Step]) -> Option<Lines> {
        let ranked = self.ranked(table);
        let best = ranked.first()?.0;
        let near = || ranked.iter().take_while(|(score, _)| *score < best + MARGIN).map(|&(score, index)| (score, index));
        let depth = self.path(ranked.first()?.1).len();
        let equals: Vec<(Vec<usize>, u32)> = near()
            .map(|(score, index)| (self.path(index), score + self.nodes[index].folly))
            .filter(|(path, _)| path.len() == depth)
            .collect();
        let (path, least) = equals.iter().min_by_key(|(_, score)| *score)?;
        let tells =
            |path: &[usize]| told.iter().zip(&path[1..]).all(|(step, &i)| self.nodes[i].ply.as_ref().is_some_and(|p| p.step.mv == step.mv));
        let kept = equals.iter().filter(|(path, score)| tells(path) && *score < least + FIRM).min_by_key(|(_, score)| *score);
        let path = kept.map_or(path, |(path, _)| path);
        let rivals = equals.iter().any(|(other, _)| !self.is_twin(other[depth - 1], path[depth - 1]));
        let (mut common, mut but_promotions) = (path.len(), path.len());
        // While hands are at work a doubt may look settled that is not.
        let first = &self.nodes[ranked.first()?.1];
        let revises = !tells(path) && !self.is_quiet(table);
        let wide = if first.occupied == first.view(self.sensed) && !revises { MARGIN } else { MARGIN_AT_WORK };
        for &(_, other) in ranked.iter().take_while(|(score, _)| *score < best + wide) {
            let other = self.path(other);
            common = common.min(other.iter().zip(path).take_while(|(a, b)| a == b).count());
            but_promotions = but_promotions.min(other.iter().zip(path).take_while(|(a, b)| self.is_twin(**a, **b)).count());
        }
        let links = path.iter().skip(1).filter_map(|&i| {
            let node = &self.nodes[i];
            let ply = node.ply.as_ref()?;
            Some(Link { step: ply.step, press: node.press, unseen: node.blind })
        });
        // Both ways round explain 1. e4 e5, the other way as 1. d4 d5: nothing is certain, but the likelier can be shown.
        let certain = common.checked_sub(1).or_else(|| path.first().is_some_and(|&root| !self.nodes[root].half).then_some(0))?;
        Some(Lines { links: links.collect(), certain, but_promotions: but_promotions.saturating_sub(1), rivals })
    }

    /// Whether two nodes differ at most in what a pawn became.
    fn is_twin(&self, a: usize, b: usize) -> bool {
        let squares = |i: usize| self.nodes[i].ply.as_ref().map(|p| (p.from, p.to, p.step.is_castling()));
        self.nodes[a].half == self.nodes[b].half && squares(a) == squares(b)
    }

    /// Whether some living hypothesis has a pawn become `role` in the ply with this index of its line.
    pub(crate) fn may_have_become(&self, index: usize, role: Role) -> bool {
        (0..self.nodes.len()).filter(|&i| self.nodes[i].alive).any(|i| self.promotion_at(&self.path(i), index) == Some(role))
    }

    /// The pawn of that ply became `role`: hypotheses that have it become something else are dead.
    pub(crate) fn became(&mut self, table: &Table, index: usize, role: Role) {
        for i in 0..self.nodes.len() {
            let other = self.promotion_at(&self.path(i), index).is_some_and(|became| became != role);
            self.nodes[i].alive &= !other;
        }
        self.weighed = None;
        self.prune(table);
    }

    fn promotion_at(&self, path: &[usize], index: usize) -> Option<Role> {
        let node = path.get(index + 1)?;
        self.nodes[*node].ply.as_ref()?.step.mv.promotion()
    }

    /// How badly the best hypothesis explains what was sensed since its last ply.
    pub(crate) fn trouble(&self, table: &Table) -> u32 {
        self.ranked(table).first().map_or(0, |&(score, index)| score.saturating_sub(self.nodes[index].cost))
    }

    /// Whether the best hypothesis has the board the other way round.
    pub(crate) fn is_half(&self) -> bool {
        self.nodes.iter().all(|n| n.half)
    }

    /// From now on squares are told the other way round.
    pub(crate) fn turn_round(&mut self) {
        self.sensed = self.sensed.reverse_bits();
        self.nodes.iter_mut().for_each(|n| n.half = !n.half);
        self.weighed = None;
    }

    /// These plies are certain: hypotheses that have them not are dead, and they are forgotten.
    pub(crate) fn settle(&mut self, table: &Table, line: &[Link]) {
        let begins = |path: &[usize]| {
            line.iter().zip(path.iter().skip(1)).all(|(link, i)| self.nodes[*i].ply.as_ref().is_some_and(|p| p.step.mv == link.step.mv))
        };
        let found = self.ranked(table).into_iter().map(|(_, i)| self.path(i)).find(|path| path.len() > line.len() && begins(path));
        let Some(root) = found.map(|path| path[line.len()]) else { return };
        let below: Vec<bool> = (0..self.nodes.len()).map(|i| self.path(i).contains(&root)).collect();
        for (index, node) in self.nodes.iter_mut().enumerate() {
            node.alive &= below[index];
        }
        let mut place = vec![None; self.nodes.len()];
        let mut kept = Vec::new();
        for (index, mut node) in core::mem::take(&mut self.nodes).into_iter().enumerate().filter(|(i, _)| below[*i]) {
            place[index] = Some(kept.len());
            node.parent = node.parent.and_then(|p| place[p]);
            kept.push(node);
        }
        self.nodes = kept;
        self.sweep();
        let least = self.nodes.iter().filter(|n| n.alive).map(|n| n.cost).min().unwrap_or(0);
        self.nodes.iter_mut().for_each(|n| n.cost = n.cost.saturating_sub(least));
        self.weighed = None;
    }
}
