//! The plies of a game, first first: the one place that knows what a ply made again and a take-back do to those that are there.
use alloc::vec::{self, Vec};
use core::ops::{Deref, DerefMut};

/// Something that is kept of each ply.
pub(crate) trait Numbered {
    /// Which ply, from 1 at the game's first move.
    fn ply(&self) -> u32;
}

/// What is kept of each ply, in their order; numbers may be missing, none is there twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plies<T>(Vec<T>);

/// Where a ply went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Put<T> {
    /// On top of all others.
    OnTop,
    /// Among them.
    Between,
    /// In the place of what was known of it.
    Over(T),
}

impl<T> Default for Plies<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Numbered> Plies<T> {
    /// Where a ply is, or would be.
    pub(crate) fn place(&self, ply: u32) -> usize {
        self.0.partition_point(|known| known.ply() < ply)
    }

    /// What is known of a ply.
    pub(crate) fn of(&self, ply: u32) -> Option<&T> {
        self.0.get(self.place(ply)).filter(|known| known.ply() == ply)
    }

    /// The same, to be changed; its number stays.
    pub(crate) fn of_mut(&mut self, ply: u32) -> Option<&mut T> {
        let place = self.place(ply);
        self.0.get_mut(place).filter(|known| known.ply() == ply)
    }

    /// Puts a ply where it belongs: on top, or over what was there. Later ones stay.
    pub(crate) fn put(&mut self, ply: T) -> Put<T> {
        let place = self.place(ply.ply());
        match self.0.get_mut(place) {
            None => {
                self.0.push(ply);
                Put::OnTop
            }
            Some(there) if there.ply() == ply.ply() => Put::Over(core::mem::replace(there, ply)),
            Some(_) => {
                self.0.insert(place, ply);
                Put::Between
            }
        }
    }

    /// Takes back this ply and every later one; those, first first.
    pub(crate) fn take_back(&mut self, ply: u32) -> vec::Drain<'_, T> {
        let place = self.place(ply);
        self.0.drain(place..)
    }

    /// Another game begins.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

impl<T> Deref for Plies<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Plies<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Numbered for (u32, char) {
        fn ply(&self) -> u32 {
            self.0
        }
    }

    #[test]
    fn a_ply_goes_where_it_belongs_and_a_take_back_takes_all_above() {
        let mut plies = Plies::default();
        assert_eq!(plies.put((1, 'a')), Put::OnTop);
        assert_eq!(plies.put((3, 'c')), Put::OnTop);
        assert_eq!(plies.put((2, 'b')), Put::Between);
        assert_eq!(plies.put((2, 'd')), Put::Over((2, 'b')));
        assert_eq!((plies.of(2), plies.of(4)), (Some(&(2, 'd')), None));
        assert_eq!(plies.take_back(2).collect::<Vec<_>>(), [(2, 'd'), (3, 'c')]);
        assert_eq!(plies.take_back(2).count(), 0, "what is gone cannot go");
        assert_eq!(*plies, [(1, 'a')]);
    }
}
