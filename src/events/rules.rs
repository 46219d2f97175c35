//! What is fixed before a game: edition of the Laws, kind of play, supervision.
use serde::{Deserialize, Serialize};

/// Edition of the Laws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Rules {
    /// FIDE Laws from 1 January 2018.
    #[serde(rename = "fide-2018")]
    Fide2018,
    /// FIDE Laws from 1 January 2023: the default.
    #[default]
    #[serde(rename = "fide-2023")]
    Fide2023,
    /// FIDE Laws of 1 July 1997.
    #[serde(rename = "fide-1997")]
    Fide1997,
    /// Russian sports rules, section 1.16, rapid and blitz.
    #[serde(rename = "russia-1.16")]
    Russia116,
}

impl Rules {
    /// As the configuration and events write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fide2018 => "fide-2018",
            Self::Fide2023 => "fide-2023",
            Self::Fide1997 => "fide-1997",
            Self::Russia116 => "russia-1.16",
        }
    }
}

/// Kind of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Play {
    /// Standard.
    #[default]
    Standard,
    /// Rapid.
    Rapid,
    /// Blitz.
    Blitz,
}

impl Play {
    /// As the configuration and events write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Rapid => "rapid",
            Self::Blitz => "blitz",
        }
    }
}

/// Supervision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Supervision {
    /// One arbiter a game, or nearly.
    #[default]
    Full,
    /// Less.
    Partial,
}
