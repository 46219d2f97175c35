//! A player as broadcast software knows him, and his name in the forms in which pairing programs write it.
use serde::{Deserialize, Serialize};

/// A player. What is not known is `None`; a name is always there ([`Player::of_board`] where nobody gave one).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// First name.
    pub fname: Option<String>,
    /// Middle names.
    pub mname: Option<String>,
    /// Last name, or the whole name where it cannot be told apart.
    pub lname: Option<String>,
    /// `GM`, `WIM` …
    pub title: Option<String>,
    /// FIDE's three letters.
    pub federation: Option<String>,
    /// `M` or `F`.
    pub gender: Option<String>,
    /// FIDE number.
    pub fideid: Option<u32>,
    /// Rating.
    pub elo: Option<u16>,
    /// The team that this player plays for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
}

/// Titles FIDE gives, and the single letters of older reports.
const TITLES: [&str; 8] = ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"];

impl Player {
    /// From `Last, First Middle`, or any other name as a whole. `None` where it is no name: empty, `?`, `N.N.`, one letter (which
    /// consumers drop together with the game).
    pub fn named(text: &str) -> Option<Self> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = text.to_lowercase();
        let plain = plain.trim_matches(|c: char| c.is_ascii_punctuation());
        if plain.chars().count() < 2 || ["unknown", "n.n", "nn"].contains(&plain) {
            return None;
        }
        let mut player = Self::default();
        match text.split_once(',').map(|(last, rest)| (last.trim(), rest.trim_matches([' ', ',']))) {
            Some((last, rest)) if !last.is_empty() && !rest.is_empty() => {
                player.lname = Some(String::from(last));
                let (first, middle) = rest.split_once(' ').map_or((rest, None), |(first, middle)| (first, Some(middle)));
                player.fname = Some(String::from(first));
                player.mname = middle.map(String::from);
            }
            _ => player.lname = Some(String::from(text.trim_matches([' ', ',']))),
        }
        Some(player)
    }

    /// Who plays where nobody said who does: `Board 7 White`.
    pub fn of_board(label: &str, side: &str) -> Self {
        Self { lname: Some(format!("Board {label} {side}")), ..Self::default() }
    }

    /// Nobody was named: it is [`Player::of_board`].
    pub fn is_of_board(&self) -> bool {
        self.lname.as_deref().is_none_or(is_placeholder)
    }

    /// `Last, First Middle`, as PGN writes it.
    pub fn pgn_name(&self) -> String {
        let given: Vec<&str> = [&self.fname, &self.mname].into_iter().flatten().map(String::as_str).collect();
        match (&self.lname, given.is_empty()) {
            (Some(last), true) => last.clone(),
            (Some(last), false) => format!("{last}, {}", given.join(" ")),
            (None, _) => given.join(" "),
        }
    }

    /// Whether both names are the same person's: order of the names, commas and case do not count.
    pub fn same_name(&self, other: &Self) -> bool {
        if let (Some(one), Some(two)) = (self.fideid, other.fideid) {
            return one == two;
        }
        self.key() == other.key()
    }

    /// Whether both may be the same person, written otherwise: a slip in the name, a given name more, another order.
    pub fn may_be(&self, other: &Self) -> bool {
        if self.fideid.is_some() && other.fideid.is_some() {
            return self.fideid == other.fideid;
        }
        if self.same_name(other) {
            return true;
        }
        // The last name, where it is told apart.
        let words = |player: &Self| {
            let name = player.lname.clone().filter(|_| player.fname.is_some()).unwrap_or_else(|| player.pgn_name());
            let words = name.to_lowercase();
            words.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2).map(String::from).collect::<Vec<_>>()
        };
        let close = |one: &String, two: &String| {
            let slips = one.chars().count().min(two.chars().count()) / 5;
            // A number is never a slip: Board 1 is not Board 2.
            let numbered = one.chars().chain(two.chars()).any(|c| c.is_ascii_digit());
            one == two || !numbered && strsim::damerau_levenshtein(one, two) <= slips.min(2)
        };
        words(self).iter().any(|one| words(other).iter().any(|two| close(one, two)))
    }

    /// The name's words in alphabetical order, in lower case.
    pub(crate) fn key(&self) -> String {
        let name = self.pgn_name().to_lowercase();
        let mut words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        words.sort_unstable();
        words.join(" ")
    }

    /// Adds what `known` knows and this player lacks; a name with its parts told apart replaces one without.
    pub fn enrich(&mut self, known: &Self) {
        if self.fname.is_none() && known.fname.is_some() {
            (self.fname, self.mname, self.lname) = (known.fname.clone(), known.mname.clone(), known.lname.clone());
        }
        let fill = |mine: &mut Option<String>, theirs: &Option<String>| {
            if mine.is_none() {
                mine.clone_from(theirs);
            }
        };
        fill(&mut self.title, &known.title);
        fill(&mut self.federation, &known.federation);
        fill(&mut self.gender, &known.gender);
        fill(&mut self.team, &known.team);
        self.fideid = self.fideid.or(known.fideid);
        self.elo = self.elo.or(known.elo);
    }
}

/// How we call a player whom nobody named; it comes back where a list is made of what we published.
pub(crate) fn is_placeholder(name: &str) -> bool {
    name.strip_prefix("Board ").is_some_and(|rest| rest.ends_with(" White") || rest.ends_with(" Black"))
}

/// A title as FIDE writes it; also the single letters of older reports. `None` for anything else.
pub(crate) fn title(text: &str, woman: bool) -> Option<String> {
    let upper = text.trim().to_uppercase();
    let long = match upper.as_str() {
        "G" => "GM",
        "M" | "I" => "IM",
        "F" => "FM",
        "C" => "CM",
        "WG" => "WGM",
        "WM" | "WI" => "WIM",
        "WF" => "WFM",
        "WC" => "WCM",
        other => other,
    };
    // In the older reports a woman's `m` is the women's title.
    let long = if woman && text.trim().chars().all(char::is_lowercase) {
        format!("W{}", long.trim_start_matches('W'))
    } else {
        String::from(long)
    };
    TITLES.contains(&long.as_str()).then_some(long)
}

/// A positive number in `text`; blanks around it do not count.
pub(crate) fn number<T: std::str::FromStr + PartialEq + Default>(text: &str) -> Option<T> {
    text.trim().parse().ok().filter(|n| *n != T::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_at_the_comma_and_print_back_the_same() {
        let nunn = Player::named("Nunn, John D M").unwrap();
        assert_eq!((nunn.fname.as_deref(), nunn.mname.as_deref(), nunn.lname.as_deref()), (Some("John"), Some("D M"), Some("Nunn")));
        assert_eq!(nunn.pgn_name(), "Nunn, John D M");
        assert_eq!(Player::named("Vasquez,Rodrigo").unwrap().pgn_name(), "Vasquez, Rodrigo");
        assert_eq!(Player::named("Mirzoev  Azer").unwrap().pgn_name(), "Mirzoev Azer");
        assert_eq!(Player::named("Adams,").unwrap().pgn_name(), "Adams");
    }

    #[test]
    fn what_consumers_drop_is_no_name() {
        for text in ["", " ", "?", "-", "N.N.", "NN", "A", "Unknown"] {
            assert_eq!(Player::named(text), None, "{text:?}");
        }
        assert_eq!(Player::of_board("7", "White").pgn_name(), "Board 7 White");
    }

    #[test]
    fn the_same_person_under_other_spellings() {
        let a = Player::named("Adams, Mary Ann").unwrap();
        assert!(a.same_name(&Player::named("mary ann ADAMS").unwrap()));
        assert!(!a.same_name(&Player::named("Adams, Mary").unwrap()));
        let with = |name, id| Player { fideid: Some(id), ..Player::named(name).unwrap() };
        assert!(with("Adams, M", 5).same_name(&with("Adams, Mary Ann", 5)));
        assert!(!with("Adams, M", 5).same_name(&with("Adams, M", 6)));
    }

    #[test]
    fn a_correction_is_told_from_another_player() {
        for (one, two, wanted) in [
            ("Clark", "Clarke", true),
            ("Davis", "Davies", true),
            ("Adams, Mary", "Adams, Mary Ann", true),
            ("Polgar, Judith", "Judith Polgár", true),
            ("Nepomniachtchi, Ian", "Nepomniashchi, Ian", true),
            ("Ivanov, Ivan", "Petrov, Ivan", false),
            ("Baker", "Davis", false),
            ("Wang", "Yang", false),
            ("Li, Na", "Lu, Na", false),
        ] {
            let (one, two) = (Player::named(one).unwrap(), Player::named(two).unwrap());
            assert_eq!((one.may_be(&two), two.may_be(&one)), (wanted, wanted), "{one:?} {two:?}");
        }
        let with = |name, id| Player { fideid: Some(id), ..Player::named(name).unwrap() };
        assert!(!with("Wang", 5).may_be(&with("Yang", 6)) && with("Wang", 5).may_be(&with("Hoyt", 5)));
    }

    #[test]
    fn titles_old_and_new() {
        for (text, woman, wanted) in [
            ("GM", false, "GM"),
            ("g", false, "GM"),
            ("m", false, "IM"),
            ("m", true, "WIM"),
            ("f", true, "WFM"),
            ("wim", true, "WIM"),
            ("GM", true, "GM"),
        ] {
            assert_eq!(title(text, woman).as_deref(), Some(wanted), "{text}");
        }
        assert_eq!(title("NM", false), None);
        assert_eq!(title("", true), None);
    }
}
