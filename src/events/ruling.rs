//! What an arbiter or operator entered, as the stream echoes it.
use crate::{Entry, Facts, Order, Undone};
use alloc::string::String;
use alloc::string::ToString as _;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// An entry that was taken, echoed. Its game stands in the event.
///
/// What was written by another version may say more: it is kept, and written again as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    said: Said,
    /// The finding that a report raised.
    finding: Option<u64>,
    /// Fields that no entry has here.
    more: Facts,
}

#[derive(Clone, Debug, PartialEq)]
enum Said {
    Entry(Entry),
    /// An order that is not known here, or says what it cannot say here.
    Other(String),
}

impl Ruling {
    /// The echo of an entry.
    pub fn of(mut entry: Entry) -> Self {
        if let Order::Result { game, .. } = &mut entry.order {
            *game = None;
        }
        Self { said: Said::Entry(entry), finding: None, more: Facts::new() }
    }

    /// The same, of a report that raised this finding.
    pub fn raising(mut self, finding: u64) -> Self {
        self.finding = Some(finding);
        self
    }

    /// The same, of an undo: what it takes back, and by which events.
    pub fn undoing(mut self, undone: &Undone) -> Self {
        if let Ok(Value::Object(mut fields)) = serde_json::to_value(undone) {
            self.more.append(&mut fields);
        }
        self
    }

    /// What an undo takes back; `None` where this is no undo.
    pub fn undone(&self) -> Option<Undone> {
        let Some(Order::Undo { .. }) = self.order() else { return None };
        serde_json::from_value(Value::Object(self.more.clone())).ok()
    }

    /// What was entered; `None` where it is not known here.
    pub const fn entry(&self) -> Option<&Entry> {
        match &self.said {
            Said::Entry(entry) => Some(entry),
            Said::Other(_) => None,
        }
    }

    /// What is to be done; `None` where it is not known here.
    pub const fn order(&self) -> Option<&Order> {
        match &self.said {
            Said::Entry(entry) => Some(&entry.order),
            Said::Other(_) => None,
        }
    }

    /// The finding that it is about: that is ruled on, or that a report raised.
    pub const fn finding(&self) -> Option<u64> {
        match self.order() {
            Some(Order::Rule { finding, .. }) => Some(*finding),
            _ => self.finding,
        }
    }

    /// The position that it sets, FEN.
    pub fn sets_position(&self) -> Option<&str> {
        match self.order() {
            Some(Order::SetPosition { fen }) => Some(fen),
            _ => None,
        }
    }

    /// What is to be done, known here or not.
    pub fn name(&self) -> &str {
        match &self.said {
            Said::Entry(entry) => entry.order.name(),
            Said::Other(order) => order,
        }
    }

    /// Who says so.
    pub fn who(&self) -> Option<&str> {
        self.entry().map_or_else(|| self.text("who"), |entry| entry.who.as_deref())
    }

    /// What the arbiter noted.
    pub fn note(&self) -> Option<&str> {
        self.entry().map_or_else(|| self.text("note"), |entry| entry.note.as_deref())
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.more.get(name).and_then(Value::as_str)
    }

    /// All other fields by name, as they are written.
    pub fn fields(&self) -> Facts {
        let mut fields = self.more.clone();
        if let Some(finding) = self.finding {
            fields.insert(String::from("finding"), finding.into());
        }
        if let Said::Entry(entry) = &self.said {
            let mut own = whole(entry);
            own.remove("do");
            fields.append(&mut own);
        }
        fields
    }

    /// From how it is written.
    fn read(mut fields: Facts) -> Option<Self> {
        let order = fields.get("do")?.as_str()?.to_string();
        if let Ok(entry) = serde_json::from_value::<Entry>(Value::Object(fields.clone())) {
            let own = whole(&entry);
            // Nothing is left out and nothing is read as something else.
            if own.iter().all(|(name, value)| fields.get(name) == Some(value)) {
                fields.retain(|name, _| !own.contains_key(name));
                let finding = fields.get("finding").and_then(Value::as_u64);
                if finding.is_some() {
                    fields.remove("finding");
                }
                return Some(Self { said: Said::Entry(entry), finding, more: fields });
            }
        }
        fields.remove("do");
        Some(Self { said: Said::Other(order), finding: None, more: fields })
    }
}

fn whole(entry: &Entry) -> Facts {
    match serde_json::to_value(entry) {
        Ok(Value::Object(fields)) => fields,
        _ => Facts::new(),
    }
}

impl Serialize for Ruling {
    /// What is to be done first, then the other fields in the order of their names.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.fields();
        let mut map = serializer.serialize_map(Some(fields.len() + 1))?;
        map.serialize_entry("do", self.name())?;
        fields.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Ruling {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(Facts::deserialize(deserializer)?).ok_or_else(|| serde::de::Error::missing_field("do"))
    }
}

/// An entry that is described, or an order of another version: a reader refuses neither.
#[cfg(feature = "openapi")]
mod described {
    use super::{Entry, Ruling};
    use alloc::borrow::Cow;
    use alloc::string::String;
    use alloc::vec::Vec;
    use utoipa::PartialSchema as _;
    use utoipa::openapi::schema::{AdditionalProperties, AnyOfBuilder, Object, ObjectBuilder, Type};
    use utoipa::openapi::{Ref, RefOr, Schema};

    impl utoipa::PartialSchema for Ruling {
        fn schema() -> RefOr<Schema> {
            let word = Object::with_type(Type::String);
            let other = ObjectBuilder::new()
                .property("do", ObjectBuilder::from(word).description(Some("What to do; another version may know other words.")))
                .required("do")
                .additional_properties(Some(AdditionalProperties::FreeForm(true)))
                .description(Some("An entry of another version, with fields of its own."));
            AnyOfBuilder::new().item(Ref::from_schema_name(<Entry as utoipa::ToSchema>::name())).item(other).into()
        }
    }

    impl utoipa::ToSchema for Ruling {
        fn name() -> Cow<'static, str> {
            Cow::Borrowed("Ruling")
        }

        fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            schemas.push((String::from(<Entry as utoipa::ToSchema>::name()), Entry::schema()));
            <Entry as utoipa::ToSchema>::schemas(schemas);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Body, Event, Key, Order};

    fn line(ruling: &str) -> String {
        format!(r#"{{"seq":9,"t":5,"at":"2026-01-01T10:00:00Z","board":"1","game":1,"type":"ruling",{ruling}}}"#)
    }

    fn read(ruling: &str) -> super::Ruling {
        let event: Event = serde_json::from_str(&line(ruling)).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), line(ruling));
        let Body::Ruling(ruling) = event.body else { panic!("{event:?}") };
        *ruling
    }

    #[test]
    fn a_report_names_the_finding_that_it_raised() {
        let ruling = read(r#""do":"report","by":"black","finding":4,"key":"two-hands","note":"seen","who":"Olga""#);
        assert_eq!(ruling.finding(), Some(4));
        assert!(matches!(ruling.order(), Some(Order::Report { key, .. }) if *key == Key::TwoHands), "{ruling:?}");
        assert_eq!(ruling.entry().unwrap().who.as_deref(), Some("Olga"));
    }

    #[test]
    fn an_undo_says_what_it_takes_back_and_by_which_events() {
        let undo = read(r#""do":"undo","by_events":[14,17],"ruling":9,"undid":"report","undone":[[8,11],[13,13]],"who":"Olga""#);
        let undone = undo.undone().unwrap();
        assert_eq!((undone.undid.as_str(), undone.by_events), ("report", Some([14, 17])));
        assert!([8, 11, 13].into_iter().all(|seq| undone.took_back(seq)) && ![7, 12, 14].into_iter().any(|seq| undone.took_back(seq)));
        assert!([14, 17].into_iter().all(|seq| undone.took_back_by(seq)) && !undone.took_back_by(18));
        assert_eq!(read(r#""do":"new-game""#).undone(), None);
    }

    #[test]
    fn what_another_version_says_is_written_again_as_it_was() {
        let more = read(
            r#""do":"rule","clock":{"black_ms":1000,"run":"black","white_ms":2000},"decision":"amend","finding":3,"later":[1,{"x":2.5}]"#,
        );
        assert!(more.finding() == Some(3) && more.entry().is_some());
        for unknown in [
            r#""do":"adjourn","sealed":"Nf3""#,
            r#""do":"rule","decision":"ponder","finding":3"#,
            r#""do":"set-clock","clock":{"black_ms":1,"delay_ms":5,"run":"black","white_ms":2}"#,
            r#""do":"swap","boards":["1","2"]"#,
        ] {
            assert!(read(unknown).entry().is_none(), "{unknown}");
        }
    }
}
