//! A player who moves the piece of his ply before on, to where it could have gone at once: two slides at the same time look like four plies.
use crate::line::{Line, Past};
use crate::price::Nats;
use crate::spot::Step;
use crate::world::World;

impl World {
    /// The ply by which the piece of this step came to where it stands, if it could have gone by that ply where it goes now. `before`: the ply before.
    pub(crate) fn came_so_far(&self, step: &Step, before: u32) -> Option<&Past> {
        let own = self.pasts.get(self.pasts.get(before as usize)?.before as usize)?;
        let at_once = |other: &Step| other.from == own.step.from && other.to == step.to;
        let is_again = own.step.to == step.from && !own.step.castles && own.spot.steps().iter().any(at_once);
        is_again.then_some(own)
    }

    /// What it costs that it goes on so soon, unless a press has said that it had stopped: its player's, when it was read where it stood, or that of
    /// the reply.
    pub(crate) fn again(&self, line: &Line, step: &Step, before: u32) -> Nats {
        let own = self.came_so_far(step, before).filter(|own| own.ply > line.done || own.owed && own.ply == line.done);
        own.map_or(0, |own| self.image.pace().again(self.now.since(own.at)))
    }
}
