//! Which piece a pawn became, on a board that does not tell: what was asked and assumed.
use alloc::vec::Vec;
use flagfall_events::{Mono, PromotedTo};
use shakmaty::{Role, Square};

/// What is known of promotions in one game; plies are indexes of the record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Promotions {
    /// The ply that is asked about, its square, and since when.
    pub(crate) asked: Option<(usize, Square, Mono)>,
    /// Queens that nobody confirmed.
    pub(crate) assumed: Vec<usize>,
}

pub(crate) const fn role(piece: PromotedTo) -> Role {
    match piece {
        PromotedTo::Queen => Role::Queen,
        PromotedTo::Rook => Role::Rook,
        PromotedTo::Bishop => Role::Bishop,
        PromotedTo::Knight => Role::Knight,
    }
}

pub(crate) const fn promoted_to(role: Role) -> PromotedTo {
    match role {
        Role::Rook => PromotedTo::Rook,
        Role::Bishop => PromotedTo::Bishop,
        Role::Knight => PromotedTo::Knight,
        Role::Queen | Role::King | Role::Pawn => PromotedTo::Queen,
    }
}
