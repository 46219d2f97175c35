//! One subscription: what this client was told of this board, and which frames tell it the rest.
//!
//! Pure.
use super::call::Id;
use super::list::{List, News};
use super::objects::{Clock, FeedParam};
use super::picture::Picture;
use flagfall_events::Mono;
use std::sync::Arc;

/// How the client named the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// By its serial number: the feed follows the e-board.
    Serial(Arc<str>),
    /// By its name: the feed follows the table.
    Table(Arc<str>),
}

impl Named {
    pub(crate) const fn as_written(&self) -> &Arc<str> {
        match self {
            Self::Serial(name) | Self::Table(name) => name,
        }
    }
}

/// One subscription.
#[derive(Debug)]
pub(crate) struct Feed {
    pub(crate) id: Id,
    pub(crate) named: Named,
    /// The last picture that was looked at.
    picture: Arc<Picture>,
    flipped: bool,
    board: Option<Arc<str>>,
    clock: Option<Clock>,
    list: Option<List>,
}

impl Feed {
    /// A new feed and its first frame: it has `board` and `clock` whatever is known of them, null where nothing is.
    pub(crate) fn new(id: Id, named: Named, picture: Arc<Picture>) -> (Self, FeedParam) {
        let mut feed = Self { id, named, flipped: false, board: picture.placement.clone(), clock: picture.clock(), list: None, picture };
        let first = feed.whole();
        (feed, first)
    }

    /// Everything there is to know of the board.
    fn whole(&mut self) -> FeedParam {
        self.board.clone_from(&self.picture.placement);
        self.clock = self.picture.clock();
        FeedParam { board: Some(self.view()), clock: Some(self.clock), ..self.frame() }
    }

    /// Whether this picture is about the board that the client asked for.
    pub(crate) fn is_about(&self, picture: &Picture) -> bool {
        match &self.named {
            Named::Serial(serialnr) => picture.serialnr == *serialnr,
            Named::Table(board) => picture.board == *board,
        }
    }

    /// The e-board stands at another table now.
    pub(crate) fn moved(&mut self, picture: Arc<Picture>) -> FeedParam {
        self.picture = picture;
        self.whole()
    }

    /// The table this feed looks at.
    pub(crate) fn table(&self) -> &Arc<str> {
        &self.picture.board
    }

    /// The frames that a new picture of the board makes.
    pub(crate) fn look(&mut self, picture: &Arc<Picture>, t: Mono) -> Vec<FeedParam> {
        let known = picture.board == self.picture.board && picture.version <= self.picture.version;
        if known || !self.is_about(picture) {
            return Vec::new();
        }
        self.picture = picture.clone();
        let mut frame = self.frame();
        if self.board != picture.placement {
            self.board.clone_from(&picture.placement);
            frame.board = Some(self.view());
        }
        if self.clock != picture.clock() {
            self.clock = picture.clock();
            frame.clock = Some(self.clock);
        }
        match self.list.as_mut().and_then(|list| list.update(picture, t)) {
            Some(news) => self.tell(&news),
            None if frame.board.is_none() && frame.clock.is_none() => Vec::new(),
            None => vec![frame],
        }
    }

    /// Begins a new list and says how it stands; `None` for what is no chess position.
    pub(crate) fn setup(&mut self, fen: &str, t: Mono) -> Option<FeedParam> {
        let list = List::new(fen, &self.picture, t)?;
        let mut frame = FeedParam { start: Some(list.start.clone()), r#match: Some(list.matches(&self.picture)), ..self.frame() };
        if !list.sans().is_empty() {
            frame.san = Some(list.sans().to_vec());
            frame.board = Some(self.view());
            frame.clock = self.clock.map(Some);
        }
        self.list = Some(list);
        Some(frame)
    }

    /// Turns this client's view of the board.
    pub(crate) fn flip(&mut self, flip: bool) -> Option<FeedParam> {
        let turned = self.flipped != flip;
        self.flipped = flip;
        turned.then(|| FeedParam { board: Some(self.view()), ..self.frame() })
    }

    /// When [`Feed::expire`] has something to do.
    pub(crate) fn deadline(&self) -> Option<Mono> {
        self.list.as_ref().and_then(List::deadline)
    }

    /// Whether it follows a position of its own, beside the game.
    pub(crate) fn is_beside(&self) -> bool {
        self.list.as_ref().is_some_and(List::is_beside)
    }

    /// A moment came.
    pub(crate) fn expire(&mut self, t: Mono) -> Vec<FeedParam> {
        let picture = self.picture.clone();
        let news = self.list.as_mut().and_then(|list| list.expire(&picture, t));
        news.map(|news| self.tell(&news)).unwrap_or_default()
    }

    /// One frame a move. Only after the last one the board can match.
    fn tell(&self, news: &News) -> Vec<FeedParam> {
        let last = news.lists.len().saturating_sub(1);
        let frame = |(i, sans): (usize, &Vec<Arc<str>>)| FeedParam {
            board: Some(self.view()),
            clock: self.clock.map(Some),
            start: self.list.as_ref().map(|list| list.start.clone()),
            san: (!sans.is_empty()).then(|| sans.clone()),
            r#match: Some(i == last && news.matches),
            ..self.frame()
        };
        news.lists.iter().enumerate().map(frame).collect()
    }

    fn frame(&self) -> FeedParam {
        FeedParam { serialnr: self.named.as_written().clone(), flipped: self.flipped, ..FeedParam::default() }
    }

    /// The board as this client sees it: turned by half, FEN field 1 reads backwards.
    fn view(&self) -> Option<Arc<str>> {
        let board = self.board.as_ref()?;
        Some(if self.flipped { board.chars().rev().collect::<String>().into() } else { board.clone() })
    }
}
