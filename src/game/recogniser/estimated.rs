//! The record beside the estimate of the game.
use crate::clock::Side;
use crate::placement::Image;
use crate::recogniser::follows::{self, Follows};
use crate::recogniser::play::Play;
use crate::recognition::step::Step;
use alloc::vec::Vec;
use flagfall_events::Mono;
use flagfall_hands::price::Nats;

impl Play {
    /// Brings the estimate up to this moment; begins it anew, from the certain position on, where somebody else has changed the record. There is
    /// none yet.
    pub(crate) fn estimate(&mut self, (white, turned): (Side, Nats), slow: bool, image: &Image, waited: bool, now: Mono) {
        let mut follows = self.follows.take();
        let stays = follows.as_mut().is_some_and(|follows| {
            let recorded = self.record.plies().get(follows.base()..).map(|plies| plies.iter().map(|ply| ply.mv).collect());
            follows.stays(recorded, self.base())
        });
        if stays {
            if let Some(follows) = follows.as_mut() {
                follows.turn_to(white);
                follows.look(image, waited, now);
            }
        } else {
            follows = self.estimate_anew((white, turned), slow, image, waited, now);
        }
        self.follows = follows;
    }

    fn estimate_anew(&self, (white, turned): (Side, Nats), slow: bool, image: &Image, waited: bool, now: Mono) -> Option<Follows> {
        let ground = self.ground();
        let now = if waited { follows::first_waited(now) } else { now };
        let either_way = self.record.plies().is_empty();
        let mut follows = match self.occupancy() {
            true => Follows::blind(&ground.position, &ground.placement, self.base(), either_way, (white, turned), now),
            false => Follows::new(&ground.position, &ground.placement, self.base(), (white, turned), now),
        };
        if slow {
            follows.is_slow();
        }
        follows.look(image, waited, now);
        for press in &self.presses {
            follows.press(*press, waited, now);
        }
        follows.stays(Some(self.record.plies().iter().skip(self.base()).map(|ply| ply.mv).collect()), self.base());
        Some(follows)
    }

    /// The plies behind the certain ones as they are believed, up to `upto` of the record. `None`: they cannot follow each other from there.
    pub(crate) fn believed_line(&self, upto: usize) -> Option<Vec<Step>> {
        let follows = self.follows.as_ref()?;
        let mut line: Vec<Step> = Vec::new();
        let mut ground = self.ground().clone();
        for index in self.base()..upto {
            let Some(mv) = follows.ply(index) else { break };
            let step = *ground.steps.iter().find(|step| step.mv == *mv)?;
            ground = ground.next(&step, self.occupancy());
            line.push(step);
        }
        Some(line)
    }

    /// The first of the certain plies of the record that is believed to be another one.
    pub(crate) fn first_disbelieved(&self) -> Option<usize> {
        let follows = self.follows.as_ref()?;
        let plies = self.record.plies();
        (follows.base()..self.base()).find(|&index| follows.ply(index) != plies.get(index).map(|ply| &ply.mv))
    }
}
