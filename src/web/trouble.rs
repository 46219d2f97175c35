//! Alarms that are about no single board's game: a feed that fails, a target that is dead, a disk that is full.
use flagfall_events::Wall;
use serde::Serialize;
use std::collections::BTreeMap;

/// Alarms kept at most; a hall with more has one trouble that explains them.
const MOST: usize = 256;

/// One alarm that stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Trouble {
    /// Its kind: `feed-failing`, `journal-failing` …
    pub key: String,
    /// What fails.
    pub about: String,
    /// What is wrong and what to do.
    pub text: String,
    /// Since when.
    pub since: Wall,
}

/// All that stand, as the hall object.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Troubles {
    #[serde(serialize_with = "values")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Trouble>))]
    alarms: BTreeMap<(String, String), Trouble>,
}

fn values<S: serde::Serializer>(alarms: &BTreeMap<(String, String), Trouble>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(alarms.values())
}

impl Troubles {
    /// Kind and subject of all that stand.
    pub(crate) fn names(&self) -> Vec<(String, String)> {
        self.alarms.keys().cloned().collect()
    }

    /// What one says that stands.
    pub(crate) fn text(&self, key: &str, about: &str) -> Option<&str> {
        self.alarms.get(&(String::from(key), String::from(about))).map(|trouble| trouble.text.as_str())
    }

    /// Raises or clears one; whether that changed anything.
    pub(crate) fn set(&mut self, key: &str, about: &str, text: Option<String>) -> bool {
        let id = (String::from(key), String::from(about));
        let Some(text) = text else { return self.alarms.remove(&id).is_some() };
        if let Some(standing) = self.alarms.get_mut(&id) {
            let changed = standing.text != text;
            standing.text = text;
            return changed;
        }
        if self.alarms.len() >= MOST {
            return false;
        }
        let (key, about) = id.clone();
        self.alarms.insert(id, Trouble { key, about, text, since: flagfall_time::now() });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_stands_from_its_first_raising_until_it_is_cleared() {
        let mut troubles = Troubles::default();
        assert!(troubles.set("feed-failing", "a", Some(String::from("refused"))));
        assert!(!troubles.set("feed-failing", "a", Some(String::from("refused"))), "the same again is no news");
        assert!(troubles.set("feed-failing", "a", Some(String::from("no route"))));
        assert!(troubles.set("feed-failing", "b", Some(String::from("refused"))));
        assert!(troubles.set("feed-failing", "a", None));
        assert!(!troubles.set("feed-failing", "a", None));
        let json = serde_json::to_value(&troubles).unwrap();
        assert_eq!((&json["alarms"][0]["about"], json["alarms"].as_array().unwrap().len()), (&serde_json::json!("b"), 1));
    }

    #[test]
    fn their_number_is_bounded() {
        let mut troubles = Troubles::default();
        (0..MOST + 10).for_each(|n| _ = troubles.set("x", &n.to_string(), Some(String::new())));
        assert_eq!(troubles.alarms.len(), MOST);
    }
}
