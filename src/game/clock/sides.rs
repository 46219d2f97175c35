//! The clock's own two sides: it knows no colours.
use core::ops::{Index, IndexMut};

/// A side of the clock, seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sides<T>(pub(crate) [T; 2]);

impl<T> Index<Side> for Sides<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        &self.0[side as usize]
    }
}

impl<T> IndexMut<Side> for Sides<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side as usize]
    }
}

impl<T> Sides<T> {
    pub(crate) fn of(mut value: impl FnMut(Side) -> T) -> Self {
        Self([value(Side::Left), value(Side::Right)])
    }
}
