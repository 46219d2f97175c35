//! Lines of plies from the certain position that explain what the board shows, made or under way.
use crate::placement::{Image, bit, colour, each, piece};
use crate::press::Press;
use crate::recogniser::play::Play;
use crate::recognition::search::View;
use crate::recognition::step::{Ground, Step};
use crate::recognition::{disturbed, illegal, order, search};
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Mono};

/// Plies looked for on top of a known position in one go.
const PLIES_AHEAD: usize = 3;
/// After a lost link.
const PLIES_AFTER_A_GAP: usize = 6;

/// Paths of equal length that are weighed at most.
const MOST_PATHS: usize = 64;

impl Play {
    pub(crate) fn view<'a>(&self, image: &'a Image) -> View<'a> {
        View { sensed: image.placement(), touched: image.touched(), occupancy: self.occupancy(), budget: search::BUDGET }
    }

    /// The plies after the certain position that lead exactly to what the board shows, and were seen most plainly.
    pub(crate) fn exact_line(&self, image: &Image) -> Option<Vec<Step>> {
        self.exact_lines(image).into_iter().next()
    }

    /// All such plies that were found, the plainest first.
    fn exact_lines(&self, image: &Image) -> Vec<Vec<Step>> {
        let mut view = self.view(image);
        let lines = (0..=self.line().len()).rev().flat_map(|kept| {
            let most = if kept == self.line().len() { PLIES_AHEAD.saturating_sub(kept).max(2) } else { PLIES_AHEAD - kept.min(2) };
            let paths = search::exact(&self.grounds()[kept], &mut view, most);
            paths.into_iter().map(move |path| self.line()[..kept].iter().copied().chain(path).collect::<Vec<_>>())
        });
        let mut lines: Vec<Vec<Step>> = lines.take(MOST_PATHS).collect();
        lines.sort_by_cached_key(|line| self.oddities(line, image));
        lines
    }

    /// How much of what was sensed a line leaves odd.
    pub(crate) fn oddities(&self, line: &[Step], image: &Image) -> u32 {
        order::oddities(self.ground(), line, image)
    }

    /// Whether a ply of this line was never seen to end where it ends.
    pub(crate) fn has_unseen(&self, line: &[Step], image: &Image) -> bool {
        line.iter().any(|step| order::came_down(step, image).is_none())
    }

    /// The same after a lost link, looking further.
    pub(crate) fn recovered_line(&self, image: &Image) -> Option<Vec<Step>> {
        self.recovered_lines(image).into_iter().next()
    }

    /// All such lines that were found.
    fn recovered_lines(&self, image: &Image) -> Vec<Vec<Step>> {
        let mut lines = self.exact_lines(image);
        if lines.is_empty() {
            let mut view = View { budget: search::BUDGET_AFTER_A_GAP, ..self.view(image) };
            let paths = search::exact(self.top(), &mut view, PLIES_AFTER_A_GAP).into_iter().take(MOST_PATHS);
            lines = paths.map(|path| self.line().iter().copied().chain(path).collect()).collect();
            lines.sort_by_cached_key(|line| self.oddities(line, image));
        }
        lines
    }

    /// The likeliest line after a lost link, and a bit set for each of its plies that may have been another one: as many plies lead here in
    /// another order, or by other moves.
    pub(crate) fn recovered_as_one_of(&self, image: &Image) -> Option<(Vec<Step>, u64)> {
        as_one_of(self.lines_in_order(image).into_iter())
    }

    /// The likeliest of exactly so many plies after the certain position that lead to what the board shows, some of which nothing showed.
    pub(crate) fn lines_of(&self, plies: usize, image: &Image) -> Option<(Vec<Step>, u64)> {
        let mut lines: Vec<Vec<Step>> = Vec::new();
        for kept in (0..=self.line().len()).rev() {
            let mut view = View { touched: u64::MAX, budget: search::BUDGET_AFTER_A_GAP, ..self.view(image) };
            let Some(more) = plies.checked_sub(kept).filter(|more| *more > 0) else { continue };
            let paths = search::exactly(&self.grounds()[kept], &mut view, more);
            lines.extend(paths.into_iter().map(|path| self.line()[..kept].iter().copied().chain(path).collect::<Vec<_>>()));
            if !lines.is_empty() {
                break;
            }
        }
        lines.sort_by_cached_key(|line| self.oddities(line, image));
        as_one_of(lines.into_iter())
    }

    /// The same where one of these stood when the game ended: the shortest line to one of them.
    pub(crate) fn recovered_before(&self, images: &[Image]) -> Option<(Vec<Step>, u64)> {
        let mut lines: Vec<Vec<Step>> = images.iter().flat_map(|image| self.lines_in_order(image)).collect();
        lines.sort_by_key(Vec::len);
        as_one_of(lines.into_iter())
    }

    /// The same where a piece went on from a square that shows nothing of it.
    pub(crate) fn unseen_as_one_of(&self, image: &Image) -> Option<(Vec<Step>, u64)> {
        let mut view = View { budget: search::BUDGET_AFTER_A_GAP, ..self.view(image) };
        let paths = search::unseen(self.top(), &mut view, PLIES_AFTER_A_GAP);
        as_one_of(paths.into_iter().map(|path| self.line().iter().copied().chain(path).collect()))
    }

    /// All lines after a lost link: a ply on squares where nothing has changed since came before all that was seen.
    fn lines_in_order(&self, image: &Image) -> Vec<Vec<Step>> {
        let touched = image.touched();
        let in_order = |line: &Vec<Step>| line.is_sorted_by_key(|step| step.touched & touched != 0);
        self.recovered_lines(image).into_iter().filter(in_order).collect()
    }

    /// The plies up to an illegal move of the presser's that explains exactly what stands, an answer that is under way set aside.
    pub(crate) fn illegal_line(&self, press: &Press, image: &Image) -> Option<Vec<Step>> {
        let since = image.changes().iter().filter(|change| change.at > press.at && change.now == PieceCode::Empty);
        let answers = since.filter(|change| piece(change.was).is_some_and(|p| colour(p.color) != press.by));
        let lifted = answers.fold(0, |set, change| set | bit(change.square));
        (0..self.grounds().len()).rev().filter(|&kept| self.grounds()[kept].turn() == press.by).find_map(|kept| {
            let ground = &self.grounds()[kept];
            let sensed = illegal::without_answer(&ground.placement, image.placement(), lifted);
            let step = illegal::find(ground, &sensed, self.occupancy())?;
            Some(self.line()[..kept].iter().copied().chain([step]).collect())
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
        if self.occupancy() || self.presses.len() > 1 || !self.unanswered.is_empty() {
            return None;
        }
        (0..self.grounds().len()).rev().filter(|&kept| self.grounds()[kept].turn() == press.by).find_map(|kept| {
            let step = disturbed::find(&self.grounds()[kept], image, self.turn_began(kept), press.at + scan_ms)?;
            Some(self.line()[..kept].iter().copied().chain([*step]).collect())
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
        let came = |index: usize| order::came_down(&self.line()[index], image).is_none_or(|at| at > self.turn_began(index));
        (0..self.line().len()).any(|i| self.grounds()[i].turn() == by && stands(&self.line()[i]) && (!in_turn || came(i)))
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
    pub(crate) fn is_explained(&self, image: &Image) -> bool {
        self.exact_line(image).is_some() || self.is_under_way(image)
    }

    /// Whether a ply that is under way explains what the board shows, or two.
    pub(crate) fn is_under_way(&self, image: &Image) -> bool {
        self.grounds().iter().any(|ground| search::under_way(ground, &mut self.view(image)).next().is_some())
    }

    /// The position after these plies of a line, from the certain one.
    pub(crate) fn after(&self, line: &[Step]) -> Ground {
        let common = self.line().iter().zip(line).take_while(|(a, b)| a.mv == b.mv).count();
        line[common..].iter().fold(self.grounds()[common].clone(), |ground, step| ground.next(step, self.occupancy()))
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
}

/// The first of these lines, and a bit set for each of its plies that is another one in a line of as many.
fn as_one_of(mut lines: impl Iterator<Item = Vec<Step>>) -> Option<(Vec<Step>, u64)> {
    let best = lines.next()?;
    let differ = |line: &Vec<Step>| {
        let other = line.iter().zip(&best).enumerate().filter(|(_, (a, b))| a.name() != b.name());
        other.fold(0, |set, (ply, _)| set | bit(ply))
    };
    let open = lines.filter(|line| line.len() == best.len()).fold(0, |set, line| set | differ(&line));
    Some((best, open))
}
