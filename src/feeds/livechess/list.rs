//! The moves of one feed since its `setup`: what was completed, and on a board without a clock what was made and has stood for a while
//! ([`flagfall_score::standing`]). What was sent is final: the list only grows, one frame a move. A later correction never shortens or changes
//! it; the list then waits until the truth is a continuation of what was sent, or the client sets up anew.
//!
//! Pure.
use super::own::Own;
use super::picture::Picture;
use flagfall_events::Mono;
use flagfall_score::livechess::{Anchor, Played, position, setup};
use flagfall_score::sheet::ScoreSheet;
use flagfall_score::standing::Standing;
use shakmaty::{Chess, Position as _};
use std::sync::Arc;

/// Where the moves come from.
#[derive(Debug)]
enum Origin {
    /// The position is neither on the board nor in the game.
    Nowhere,
    /// It occurred in the game.
    Game { epoch: u64, anchor: Anchor },
    /// It stands on the board, beside the game.
    Board(Box<Own>),
}

/// The list of one feed.
#[derive(Debug)]
pub(crate) struct List {
    /// The position as the client wrote it.
    pub(crate) start: Arc<str>,
    from: Chess,
    origin: Origin,
    sent: Vec<Arc<str>>,
    /// What stands on a board without a clock.
    standing: Standing,
    /// The game when it was last looked at; unchanged, it holds no news.
    seen: Arc<ScoreSheet>,
}

/// What is new in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct News {
    /// One list a frame, each a move longer; empty lists say that the position was found.
    pub(crate) lists: Vec<Vec<Arc<str>>>,
    /// The board shows the position after the last of them.
    pub(crate) matches: bool,
}

impl List {
    /// Begins a list at `fen`; `None` for what is no chess position.
    pub(crate) fn new(fen: &str, picture: &Picture, t: Mono) -> Option<Self> {
        let from = position(setup(fen)?)?;
        let (sent, standing, seen) = (Vec::new(), Standing::default(), picture.sheet.clone());
        let mut list = Self { start: fen.trim().into(), from, origin: Origin::Nowhere, sent, standing, seen };
        list.search(picture, t);
        list.settle(picture, t);
        list.sent = list.truth(picture).map(|played| played.sans).unwrap_or_default();
        Some(list)
    }

    /// The list as it was sent.
    pub(crate) fn sans(&self) -> &[Arc<str>] {
        &self.sent
    }

    /// Whether the board shows the position that the list leads to.
    pub(crate) fn matches(&self, picture: &Picture) -> bool {
        let Some(played) = self.truth(picture).filter(|played| played.sans == self.sent) else { return false };
        picture.placement.as_deref().is_some_and(|placement| played.position.board().to_string() == placement)
    }

    /// Looks at the board again.
    pub(crate) fn update(&mut self, picture: &Picture, t: Mono) -> Option<News> {
        if let (Origin::Board(own), Some(placement)) = (&mut self.origin, &picture.placement) {
            own.stands(t, placement);
        }
        let unchanged = Arc::ptr_eq(&self.seen, &picture.sheet);
        self.seen = picture.sheet.clone();
        let look = match &self.origin {
            Origin::Nowhere => true,
            Origin::Game { .. } if unchanged => false,
            Origin::Game { epoch, anchor } => *epoch != picture.sheet.epoch() || !picture.sheet.holds(*anchor, &self.from),
            // The game knows more than the board alone.
            Origin::Board(_) => !unchanged && picture.sheet.find(&self.from).is_some(),
        };
        let mut found = false;
        // As long as nothing was sent nothing was promised: another game, or a corrected one, may hold the position.
        if look && self.sent.is_empty() {
            let was = matches!(self.origin, Origin::Nowhere);
            self.search(picture, t);
            found = was && !matches!(self.origin, Origin::Nowhere);
        }
        let counted = self.standing.ply();
        self.settle(picture, t);
        // As long as neither changes there is nothing to compare.
        if unchanged && counted == self.standing.ply() && !found && matches!(self.origin, Origin::Game { .. }) {
            return None;
        }
        self.grow(picture, found)
    }

    /// When [`List::expire`] has something to do.
    pub(crate) fn deadline(&self) -> Option<Mono> {
        let own = if let Origin::Board(own) = &self.origin { own.deadline() } else { None };
        [own, self.standing.deadline()].into_iter().flatten().min()
    }

    /// Whether it follows a position of its own, beside the game.
    pub(crate) const fn is_beside(&self) -> bool {
        matches!(self.origin, Origin::Board(_))
    }

    /// A moment came.
    pub(crate) fn expire(&mut self, picture: &Picture, t: Mono) -> Option<News> {
        if let Origin::Board(own) = &mut self.origin {
            own.expire(t);
        }
        self.settle(picture, t);
        self.grow(picture, false)
    }

    /// Looks what stands on the board.
    fn settle(&mut self, picture: &Picture, t: Mono) {
        match &self.origin {
            Origin::Nowhere => self.standing = Standing::default(),
            Origin::Game { .. } => self.standing.look(&picture.sheet, picture.placement.as_deref(), picture.clock.is_some(), t),
            Origin::Board(own) => self.standing.look(own.sheet(), Some(own.placement()), false, t),
        }
    }

    fn grow(&mut self, picture: &Picture, found: bool) -> Option<News> {
        let truth = self.truth(picture).map(|played| played.sans).unwrap_or_default();
        let known = self.sent.len();
        if !truth.starts_with(&self.sent) || (truth.len() == known && !found) {
            return None;
        }
        let mut lists: Vec<_> = (known + 1..=truth.len()).map(|n| truth[..n].to_vec()).collect();
        if lists.is_empty() {
            lists.push(truth.clone());
        }
        self.sent = truth;
        Some(News { lists, matches: self.matches(picture) })
    }

    fn truth(&self, picture: &Picture) -> Option<Played> {
        match &self.origin {
            Origin::Nowhere => None,
            Origin::Game { epoch, anchor } => {
                let holds = *epoch == picture.sheet.epoch() && picture.sheet.holds(*anchor, &self.from);
                holds.then(|| picture.sheet.played(*anchor, &self.from, self.standing.ply()))
            }
            Origin::Board(own) => {
                let sheet = own.sheet();
                sheet.find(&self.from).map(|anchor| sheet.played(anchor, &self.from, self.standing.ply()))
            }
        }
    }

    fn search(&mut self, picture: &Picture, t: Mono) {
        self.origin = Origin::Nowhere;
        let Some(placement) = &picture.placement else { return };
        let in_game = picture.sheet.find(&self.from).filter(|_| picture.sheet.stands_on(placement));
        self.origin = match in_game {
            Some(anchor) => Origin::Game { epoch: picture.sheet.epoch(), anchor },
            None if self.from.board().to_string() == **placement => Origin::Board(Box::new(Own::new(t, &self.start, placement))),
            None => Origin::Nowhere,
        };
    }
}
