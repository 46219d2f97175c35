//! Words that may come from another version: what is known is typed, what is not is kept and written again as it was.
use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A closed list of words.
pub trait Listed: Copy + 'static {
    /// As events write it.
    fn as_str(self) -> &'static str;
    /// From how events write it.
    fn named(text: &str) -> Option<Self>;
}

/// A word of a list, or one that this version does not know.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Word<T> {
    /// Of the list.
    Known(T),
    /// Of another version.
    Other(String),
}

impl<T: Listed> Word<T> {
    /// As events write it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(word) => word.as_str(),
            Self::Other(text) => text,
        }
    }

    /// The word, where this version knows it.
    pub const fn known(&self) -> Option<T> {
        match self {
            Self::Known(word) => Some(*word),
            Self::Other(_) => None,
        }
    }
}

impl<T> From<T> for Word<T> {
    fn from(word: T) -> Self {
        Self::Known(word)
    }
}

impl<T: Listed> Word<T> {
    /// From how it is written.
    pub fn read(text: impl Into<String>) -> Self {
        let text = text.into();
        T::named(&text).map_or(Self::Other(text), Self::Known)
    }
}

impl<T: PartialEq> PartialEq<T> for Word<T> {
    fn eq(&self, other: &T) -> bool {
        matches!(self, Self::Known(word) if word == other)
    }
}

impl<T: Listed> fmt::Display for Word<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<T: Listed> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de, T: Listed> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::read)
    }
}

/// Lists the words of a type that says them with `as_str`.
macro_rules! listed {
    ($($name:ty: $all:expr),* $(,)?) => {
        $(impl Listed for $name {
            fn as_str(self) -> &'static str {
                Self::as_str(self)
            }
            fn named(text: &str) -> Option<Self> {
                $all.iter().copied().find(|word| Self::as_str(*word) == text)
            }
        })*
    };
}

listed! {
    crate::BoardKind: [Self::Dgt, Self::Occupancy, Self::Pegasus],
    crate::Rules: [Self::Fide2018, Self::Fide2023, Self::Fide1997, Self::Russia116],
    crate::Play: [Self::Standard, Self::Rapid, Self::Blitz],
    crate::Key: Self::ALL,
    crate::AlarmKey: Self::ALL,
}

impl Listed for crate::Square {
    fn as_str(self) -> &'static str {
        Self::as_str(self)
    }
    fn named(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Listed, Word};
    use crate::{AlarmKey, BoardKind, Key, Play, Rules, Square};

    fn round<T: Listed + PartialEq + core::fmt::Debug>(text: &str) -> Word<T> {
        let json = serde_json::to_string(text).unwrap();
        let word: Word<T> = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&word).unwrap(), json);
        word
    }

    #[test]
    fn a_word_of_another_version_is_written_again_as_it_was() {
        assert!(round::<BoardKind>("pegasus") == BoardKind::Pegasus && round::<BoardKind>("glass").known().is_none());
        assert!(round::<Rules>("russia-1.16") == Rules::Russia116 && round::<Rules>("fide-2031").known().is_none());
        assert!(round::<Play>("blitz") == Play::Blitz && round::<Play>("Blitz").known().is_none());
        assert!(round::<Key>("two-hands") == Key::TwoHands && round::<Key>("").known().is_none());
        assert!(round::<AlarmKey>("unsure") == AlarmKey::Unsure && round::<AlarmKey>("board-wet").known().is_none());
        assert!(AlarmKey::ALL.iter().all(|key| round::<AlarmKey>(key.as_str()) == *key));
    }

    #[test]
    fn every_square_has_its_name_and_nothing_else_is_one() {
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            let json = serde_json::to_string(&square).unwrap();
            assert_eq!((square.index(), serde_json::from_str::<Square>(&json).unwrap()), (index, square));
        }
        assert_eq!((Square::new(0).unwrap().as_str(), Square::new(12).unwrap().as_str()), ("a1", "e2"));
        assert!(Square::new(64).is_none());
        for text in ["", "e", "e9", "i1", "E4", "e44", "é"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }
}
