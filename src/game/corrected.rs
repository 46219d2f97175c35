//! A completed move that was read wrong, as a later dump shows: corrected by an event of its own, and said aloud.
use super::Game;
use super::placement::{Squares, bit};
use super::recognition::step::Ground;
use super::recognition::{search, step::Step};

impl Game {
    /// A dump contradicts what the messages said of these squares, so one of them was changed on its way. The move completed last may rest on
    /// it: another move of the same piece that explains what stands takes its place.
    pub(super) fn correct_by_dump(&mut self, contradicted: Squares) {
        let Some((index, step)) = self.misread_last_move(contradicted) else { return };
        let mut said = Vec::new();
        if let Some(play) = self.play.as_mut() {
            play.revise(index, step.mv, &mut |body| said.push(body));
        }
        self.image.forget(|change| contradicted & bit(change.square) == 0);
        self.say_all(said);
        self.be_unsure(true);
        self.recount_later_moves();
    }

    fn misread_last_move(&self, contradicted: Squares) -> Option<(usize, Step)> {
        let play = self.play.as_ref().filter(|p| !p.over && p.lattice.is_none() && p.line().is_empty())?;
        let last = play.record.plies().last().filter(|ply| ply.completed)?;
        let before = Ground::new(last.before.clone(), play.occupancy());
        let sensed = self.image.placement();
        let stands = |ground: &Ground| ground.placement == *sensed || search::under_way(ground, &play.view(&self.image)).next().is_some();
        if contradicted & bit(last.mv.to().to_usize()) == 0 || stands(play.ground()) {
            return None;
        }
        let same_piece = |step: &&Step| last.mv.from().is_some_and(|from| step.from() == from.to_usize()) && step.mv != last.mv;
        let mut others = before.steps.iter().filter(same_piece).filter(|step| {
            contradicted & bit(step.to()) != 0 && sensed.0[step.to()] == step.piece() && stands(&before.next(step, play.occupancy()))
        });
        let only = *others.next()?;
        others.next().is_none().then_some((play.record.plies().len() - 1, only))
    }
}
