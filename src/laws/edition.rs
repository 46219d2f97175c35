//! Editions of the Laws as data: which article speaks of a key, and what the edition does about it.
use flagfall_events::{Key, Play, Rules, Supervision};

/// What an edition does about illegal moves and other counted offences (7.5.5, 1.16.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Penalties {
    /// What a penalty rests on.
    pub article: Option<&'static str>,
    /// The offence that loses the game, if any does; without one, offences are not counted.
    pub loses_at: Option<u32>,
    /// What the opponent gets for an offence that does not lose: standard, rapid, blitz, milliseconds.
    pub bonus_ms: [i64; 3],
    /// The loss is a draw when the opponent cannot mate by any series of legal moves.
    pub draw_if_unmateable: bool,
    /// The increment that the offending press earned is taken back.
    pub takes_increment_back: bool,
    /// Which offences count towards the limit.
    pub counted: &'static [Key],
}

/// When an illegal move stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// Never.
    Never,
    /// In rapid and blitz without full supervision, once the opponent has made his next move.
    Unsupervised,
    /// Once the opponent has made his next move.
    Answered,
}

/// What happens when both flags are down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothFlagsPolicy {
    /// The flag that fell first decides; order unknown: the game goes on, in the last period it is a draw (III.3.1).
    FirstDecides,
    /// The flag that fell first decides; order unknown: the game goes on.
    GoesOn,
    /// A draw whatever the order.
    Draw,
}

/// What a flag fall costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagFallCost {
    /// The game, unless the opponent cannot mate.
    LossOrDraw,
    /// The game.
    Loss,
}

/// What a pawn left on the last rank leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnpromotedPawnPolicy {
    /// It becomes a queen, the move stands (7.5.2).
    Queen,
    /// The position before is restored.
    Restored,
}

/// One edition of the Laws.
#[derive(Debug, PartialEq, Eq)]
pub struct Edition {
    /// Which one.
    pub rules: Rules,
    /// Cited for keys that the text has no article of its own for.
    pub whole: &'static str,
    /// Keys that the text speaks of, with their article.
    pub articles: &'static [(Key, &'static str)],
    /// Displaced pieces that were found only later.
    pub displaced_found_later: &'static str,
    /// Nobody was there at the start.
    pub neither_present: &'static str,
    /// The clocks were stopped without a valid reason.
    pub stopped_without_reason: &'static str,
    /// Keys that are no irregularity under this text.
    pub silent: &'static [Key],
    /// The list of penalties for everything that is no illegal move (12.9, 13.4).
    pub other_penalties: &'static str,
    /// That list: article, English, Russian.
    pub penalty_list: &'static [(&'static str, &'static str, &'static str)],
    /// Penalties for illegal moves.
    pub penalties: Penalties,
    /// When an illegal move stands.
    pub stands: Stands,
    /// Both flags.
    pub both_flags: BothFlagsPolicy,
    /// One flag.
    pub flag_fall: FlagFallCost,
    /// A pawn on the last rank.
    pub unpromoted_pawn: UnpromotedPawnPolicy,
    /// A player's next move completes his previous one (6.2.1.2).
    pub next_move_completes: bool,
    /// A resignation is a draw when the opponent cannot mate (5.1.2 of 2023).
    pub resignation_may_draw: bool,
    /// Fivefold repetition and seventy-five moves end the game by themselves (9.6).
    pub automatic_draws: bool,
    /// A threefold repetition that the judge recorded is a draw without a claim (1.16.7).
    pub repetition_needs_no_claim: bool,
    /// The default time where none is stated, milliseconds.
    pub default_time_ms: u64,
    /// The default time counts from the scheduled start (1997: 6.6), not from the actual one.
    pub default_time_from_schedule: bool,
    /// The clock stands on White's left (1.16.2); else the arbiter decides where.
    pub clock_on_whites_left: bool,
    /// In rapid and blitz without full supervision the clock's setting and the set-up of board and pieces stand once each player has completed
    /// so many moves (Appendix A).
    pub setting_stands_after: Option<u32>,
    /// Until both have completed so many moves, reversed colours mean a new game (7.3).
    pub colours_until: u32,
}

impl Edition {
    /// The data of an edition.
    pub const fn of(rules: Rules) -> &'static Self {
        match rules {
            Rules::Fide2023 => &FIDE_2023,
            Rules::Fide2018 => &FIDE_2018,
            Rules::Fide1997 => &FIDE_1997,
            Rules::Russia116 => &RUSSIA_1_16,
        }
    }

    /// The article that a finding with this key cites; `None`: it is no irregularity under this edition.
    pub fn article(&self, key: Key) -> Option<&'static str> {
        if self.silent.contains(&key) {
            return None;
        }
        Some(self.articles.iter().find(|(k, _)| *k == key).map_or(self.whole, |(_, article)| article))
    }

    /// The article cited for what an arbiter reports: what he saw needs one, even where the text is silent.
    pub fn article_reported(&self, key: Key) -> &'static str {
        self.article(key).unwrap_or(self.whole)
    }

    /// Whether a completed illegal move stands once the opponent has made his next move.
    pub const fn illegal_move_stands(&self, play: Play, supervision: Supervision) -> bool {
        match self.stands {
            Stands::Never => false,
            Stands::Answered => true,
            Stands::Unsupervised => !matches!(play, Play::Standard) && matches!(supervision, Supervision::Partial),
        }
    }
}

impl Penalties {
    /// What the opponent gets for an offence that does not lose, milliseconds.
    pub const fn bonus(&self, play: Play) -> i64 {
        match play {
            Play::Standard => self.bonus_ms[0],
            Play::Rapid => self.bonus_ms[1],
            Play::Blitz => self.bonus_ms[2],
        }
    }
}

/// Articles 6 and 7 kept their numbers from 2018 to 2023.
const FIDE_ARTICLES: &[(Key, &str)] = &[
    (Key::IllegalMove, "7.5.1"),
    (Key::PressWithoutMove, "7.5.3"),
    (Key::UnpromotedPawn, "7.5.2"),
    (Key::FlagFall, "6.9"),
    (Key::BothFlags, "III.3.1"),
    (Key::WrongInitialPosition, "7.2.1"),
    (Key::ColoursReversed, "7.3"),
    (Key::TwoHands, "7.5.4"),
    (Key::DisplacedPieces, "7.4.1"),
    (Key::PressBeforeMove, "6.2.4"),
    (Key::TwoMovesInARow, "12.9"),
    (Key::ClockDefect, "6.10.1"),
    (Key::ClockSetting, "6.10.2"),
    (Key::ClockStopped, "6.11.2"),
    (Key::ClockSide, "6.5"),
    (Key::WrongSideStarted, "6.6"),
    (Key::LateStart, "6.6"),
    (Key::DefaultTime, "6.7.1"),
    (Key::BoardTurned, "7.2.2"),
    (Key::WrongHand, "6.2.3"),
    (Key::UnpressedMove, "6.2.1.2"),
    (Key::LatePress, "6.2.2"),
    (Key::AdjustedOutOfTurn, "6.2.5"),
    (Key::ClockRestarted, "6.11.3"),
];

/// What counts as an illegal move (7.5.1 to 7.5.4).
const ILLEGAL_MOVES: &[Key] = &[Key::IllegalMove, Key::PressWithoutMove, Key::UnpromotedPawn, Key::TwoHands];

/// 12.9: what an arbiter may choose from.
const FIDE_PENALTIES: &[(&str, &str, &str)] = &[
    ("12.9.1", "warning", "предупреждение"),
    ("12.9.2", "more time for the opponent", "добавить время сопернику"),
    ("12.9.3", "less time for the offender", "убавить время нарушителю"),
    (
        "12.9.4",
        "more points for the opponent, up to the maximum of the game",
        "повысить результат соперника, но не выше максимума за партию",
    ),
    ("12.9.5", "fewer points for the offender", "понизить результат нарушителя"),
    ("12.9.6", "loss of the game", "поражение в партии"),
    ("12.9.7", "a fine announced in advance", "штраф, объявленный заранее"),
    ("12.9.8", "exclusion from one or more rounds", "отстранение от одного или нескольких туров"),
    ("12.9.9", "expulsion from the event", "исключение из соревнования"),
];

static FIDE_2018: Edition = Edition {
    rules: Rules::Fide2018,
    whole: "12.9",
    articles: FIDE_ARTICLES,
    displaced_found_later: "7.6",
    neither_present: "6.7.2",
    stopped_without_reason: "6.11.4",
    silent: &[Key::MovedBeforeClock, Key::LeverCheck, Key::FiveMoves],
    other_penalties: "12.9",
    penalty_list: FIDE_PENALTIES,
    penalties: Penalties {
        article: Some("7.5.5"),
        loses_at: Some(2),
        bonus_ms: [120_000, 120_000, 60_000],
        draw_if_unmateable: true,
        takes_increment_back: true,
        counted: ILLEGAL_MOVES,
    },
    stands: Stands::Unsupervised,
    both_flags: BothFlagsPolicy::FirstDecides,
    flag_fall: FlagFallCost::LossOrDraw,
    unpromoted_pawn: UnpromotedPawnPolicy::Queen,
    next_move_completes: true,
    resignation_may_draw: false,
    automatic_draws: true,
    repetition_needs_no_claim: false,
    default_time_ms: 0,
    default_time_from_schedule: false,
    clock_on_whites_left: false,
    setting_stands_after: Some(10),
    colours_until: 10,
};

static FIDE_2023: Edition = Edition {
    rules: Rules::Fide2023,
    whole: "12.9",
    articles: FIDE_ARTICLES,
    displaced_found_later: "7.6",
    neither_present: "6.7.2",
    stopped_without_reason: "6.11.4",
    silent: &[Key::MovedBeforeClock, Key::LeverCheck, Key::FiveMoves],
    other_penalties: "12.9",
    penalty_list: FIDE_PENALTIES,
    penalties: Penalties {
        article: Some("7.5.5"),
        loses_at: Some(2),
        bonus_ms: [120_000, 60_000, 60_000],
        draw_if_unmateable: true,
        takes_increment_back: true,
        counted: ILLEGAL_MOVES,
    },
    stands: Stands::Unsupervised,
    both_flags: BothFlagsPolicy::FirstDecides,
    flag_fall: FlagFallCost::LossOrDraw,
    unpromoted_pawn: UnpromotedPawnPolicy::Queen,
    next_move_completes: true,
    resignation_may_draw: true,
    automatic_draws: true,
    repetition_needs_no_claim: false,
    default_time_ms: 0,
    default_time_from_schedule: false,
    clock_on_whites_left: false,
    setting_stands_after: Some(10),
    colours_until: 10,
};

static FIDE_1997: Edition = Edition {
    rules: Rules::Fide1997,
    whole: "6.13",
    articles: &[
        (Key::IllegalMove, "6.13"),
        (Key::UnpromotedPawn, "6.13"),
        (Key::DisplacedPieces, "6.13"),
        (Key::FlagFall, "6.9"),
        (Key::BothFlags, "6.11"),
        (Key::WrongInitialPosition, "6.13"),
        (Key::ColoursReversed, "6.13"),
        (Key::BoardTurned, "6.13"),
        (Key::TwoMovesInARow, "13.4"),
        (Key::ClockDefect, "6.10"),
        (Key::ClockSetting, "6.2"),
        (Key::ClockStopped, "6.12b"),
        (Key::ClockSide, "6.4"),
        (Key::WrongSideStarted, "6.5"),
        (Key::LateStart, "6.5"),
        (Key::DefaultTime, "6.6"),
        (Key::WrongHand, "6.7b"),
        (Key::LatePress, "6.7a"),
        (Key::ClockRestarted, "6.12c"),
    ],
    displaced_found_later: "6.13",
    neither_present: "6.6",
    stopped_without_reason: "6.12b",
    // Nothing in this text speaks of them.
    silent: &[
        Key::PressWithoutMove,
        Key::PressBeforeMove,
        Key::TwoHands,
        Key::MovedBeforeClock,
        Key::FiveMoves,
        Key::AdjustedOutOfTurn,
        Key::UnpressedMove,
        Key::LeverCheck,
    ],
    other_penalties: "13.4",
    penalty_list: &[
        ("13.4", "warning", "предупреждение"),
        ("13.4", "more time for the opponent", "добавить время сопернику"),
        ("13.4", "less time for the offender", "убавить время нарушителю"),
        ("13.4", "loss of the game", "поражение в партии"),
        ("13.4", "expulsion from the event", "исключение из соревнования"),
    ],
    penalties: Penalties {
        article: None,
        loses_at: None,
        bonus_ms: [0, 0, 0],
        draw_if_unmateable: true,
        takes_increment_back: true,
        counted: &[],
    },
    stands: Stands::Never,
    both_flags: BothFlagsPolicy::GoesOn,
    flag_fall: FlagFallCost::LossOrDraw,
    unpromoted_pawn: UnpromotedPawnPolicy::Restored,
    next_move_completes: false,
    resignation_may_draw: false,
    automatic_draws: false,
    repetition_needs_no_claim: false,
    default_time_ms: 3_600_000,
    default_time_from_schedule: true,
    clock_on_whites_left: false,
    setting_stands_after: None,
    colours_until: 10,
};

static RUSSIA_1_16: Edition = Edition {
    rules: Rules::Russia116,
    whole: "1.16",
    articles: &[
        (Key::IllegalMove, "1.16.3"),
        (Key::PressWithoutMove, "1.16.3"),
        (Key::UnpromotedPawn, "1.16.3"),
        (Key::DisplacedPieces, "1.16.3"),
        (Key::TwoMovesInARow, "1.16.3"),
        (Key::PressBeforeMove, "1.16.2"),
        (Key::TwoHands, "1.16.2"),
        (Key::WrongHand, "1.16.2"),
        (Key::LatePress, "1.16.2"),
        (Key::MovedBeforeClock, "1.16.2"),
        (Key::ClockSide, "1.16.2"),
        (Key::LeverCheck, "1.16.4"),
        (Key::ClockDefect, "1.16.4"),
        (Key::ClockSetting, "1.16.1"),
        (Key::FlagFall, "1.16.8"),
        (Key::BothFlags, "1.16.7"),
        (Key::FiveMoves, "1.16.7"),
    ],
    displaced_found_later: "1.16.3",
    neither_present: "1.16",
    stopped_without_reason: "1.16.4",
    // Only the press completes a move; this text knows no adjusting.
    silent: &[Key::UnpressedMove, Key::AdjustedOutOfTurn],
    other_penalties: "1.16.4",
    penalty_list: &[
        ("1.16.4", "remark", "замечание"),
        ("1.16.4", "warning", "предупреждение"),
        ("1.16.4", "loss of the game", "поражение в партии"),
        ("1.16.4", "other sanctions, up to exclusion from the event", "другие санкции, вплоть до исключения из соревнования"),
    ],
    penalties: Penalties {
        article: Some("1.16.4"),
        loses_at: Some(3),
        bonus_ms: [0, 0, 0],
        draw_if_unmateable: false,
        takes_increment_back: false,
        counted: &[
            Key::IllegalMove,
            Key::PressWithoutMove,
            Key::UnpromotedPawn,
            Key::TwoHands,
            Key::WrongHand,
            Key::PressBeforeMove,
            Key::TwoMovesInARow,
            Key::MovedBeforeClock,
        ],
    },
    stands: Stands::Answered,
    both_flags: BothFlagsPolicy::Draw,
    flag_fall: FlagFallCost::Loss,
    unpromoted_pawn: UnpromotedPawnPolicy::Restored,
    next_move_completes: false,
    resignation_may_draw: false,
    automatic_draws: false,
    repetition_needs_no_claim: true,
    default_time_ms: 0,
    default_time_from_schedule: false,
    clock_on_whites_left: true,
    setting_stands_after: None,
    colours_until: 10,
};
