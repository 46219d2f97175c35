//! How fast three kinds of hands are, and how often they do what. Ranges are milliseconds, both ends included; odds are per occasion.
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

/// Kinds of hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Kind {
    /// Every piece is lifted, carried and put down so slowly that each scan sees it.
    Clean,
    /// As people play a long game: slides, adjusted pieces, changed minds, every order of capturing and castling.
    #[default]
    Human,
    /// A move every 0.15–0.9 s, both hands over the board at once.
    Blitz,
}

/// The figures of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) kind: Kind,
    /// Times of a range are drawn by their ratio and not by their difference.
    pub(crate) by_ratio: bool,
    /// A piece through the air.
    pub(crate) carry: (u64, u64),
    /// From one piece to the next.
    pub(crate) reach: (u64, u64),
    /// From the last piece down to the press.
    pub(crate) press: (u64, u64),
    /// A square touched in a slide.
    pub(crate) touch: (u64, u64),
    /// A pause in a slide, a piece put on another square first, a rook that comes late.
    pub(crate) doubt: (u64, u64),
    /// A piece held in the air.
    pub(crate) holding: (u64, u64),
    /// A piece fetched from beside the board.
    pub(crate) fetch: (u64, u64),
    /// An own piece lifted and put back.
    pub(crate) adjusting: (u64, u64),
    /// Odds that a long move is a slide.
    pub(crate) slide: f64,
    /// Odds that a slide pauses.
    pub(crate) pause: f64,
    /// Odds that the piece is put on another square first.
    pub(crate) change_mind: f64,
    /// Odds that the moving piece is seen over a square beside its way.
    pub(crate) glimpse: f64,
    /// Odds that the piece is held in the air.
    pub(crate) hold: f64,
    /// Odds that a piece is adjusted before the move.
    pub(crate) adjust: f64,
    /// Odds that the answer comes at once, the other hand still over the board.
    pub(crate) at_once: f64,
    /// Odds that the answer's piece is lifted before the press.
    pub(crate) pre_lift: f64,
    /// Odds that the move that ends the game is not pressed.
    pub(crate) no_last_press: f64,
}

impl Pace {
    /// The same hands, slipping more or less often.
    pub(crate) fn with_noise(self, noise: f64) -> Self {
        let odds = |p: f64| (p * noise).clamp(0.0, 1.0);
        Self {
            slide: odds(self.slide),
            pause: odds(self.pause),
            change_mind: odds(self.change_mind),
            hold: odds(self.hold),
            adjust: odds(self.adjust),
            at_once: odds(self.at_once),
            pre_lift: odds(self.pre_lift),
            ..self
        }
    }
}

impl Kind {
    pub(crate) const fn pace(self) -> Pace {
        match self {
            Self::Clean => Pace {
                kind: self,
                by_ratio: false,
                carry: (450, 700),
                reach: (450, 700),
                press: (450, 700),
                touch: (0, 0),
                doubt: (0, 0),
                holding: (0, 0),
                fetch: (600, 1200),
                adjusting: (0, 0),
                slide: 0.0,
                pause: 0.0,
                change_mind: 0.0,
                glimpse: 0.0,
                hold: 0.0,
                adjust: 0.0,
                at_once: 0.0,
                pre_lift: 0.0,
                no_last_press: 0.0,
            },
            Self::Human => Pace {
                kind: self,
                by_ratio: false,
                carry: (200, 800),
                reach: (150, 600),
                press: (80, 600),
                touch: (30, 250),
                doubt: (500, 2800),
                holding: (1000, 6000),
                fetch: (700, 4000),
                adjusting: (150, 900),
                slide: 0.3,
                pause: 0.12,
                change_mind: 0.02,
                glimpse: 0.0,
                hold: 0.03,
                adjust: 0.04,
                at_once: 0.08,
                pre_lift: 0.0,
                no_last_press: 0.5,
            },
            Self::Blitz => Pace {
                kind: self,
                by_ratio: false,
                carry: (40, 160),
                reach: (40, 140),
                press: (30, 150),
                touch: (15, 70),
                doubt: (80, 250),
                holding: (100, 400),
                fetch: (200, 500),
                adjusting: (60, 200),
                slide: 0.35,
                pause: 0.05,
                change_mind: 0.004,
                glimpse: 0.0,
                hold: 0.0,
                adjust: 0.004,
                at_once: 0.15,
                pre_lift: 0.12,
                no_last_press: 0.5,
            },
        }
    }
}

/// Some milliseconds of this range: each ratio is as likely as any other.
pub(crate) fn log_uniform(rng: &mut ChaCha8Rng, (low, high): (u64, u64)) -> u64 {
    let (low, high) = (low.max(1) as f64, high.max(1) as f64);
    (low * (high / low).powf(rng.random::<f64>())).round() as u64
}
