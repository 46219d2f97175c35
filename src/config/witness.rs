//! `[[witness]]`: outside witnesses, which are shown how the machine's journals go on (c2sp.org/tlog-witness).
use super::alerts::is_url;
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use flagfall_journal::cosigner::Cosigner;
use std::collections::HashMap;
use toml::Spanned;
use toml::de::DeValue;

/// One witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Where it takes checkpoints: the part of the address before `/add-checkpoint`.
    pub url: String,
    /// Who it is.
    pub key: Cosigner,
}

const KEYS: [&str; 2] = ["url", "key"];
const URL: &str = "url = \"https://witness.example\"";
const KEY: &str = "key = \"witness.example/w1+e75f6532+BAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4\"";

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Vec<Witness> {
    let (mut witnesses, mut names) = (Vec::new(), HashMap::new());
    for (span, table) in reader.tables("witness", value) {
        let before = reader.mistakes();
        let (mut url, mut key) = (None, None);
        for (name, value) in table {
            let (span, name) = (name.span(), name.get_ref().as_ref());
            let full = format!("witness.{name}");
            let text = value.get_ref().as_str();
            match name {
                "url" => match text.filter(|url| is_url(url) && !url.contains(['?', '#'])) {
                    Some(text) => url = Some(String::from(text)),
                    None => reader.mistake(value.span(), &full, format!("{} is no address; for example {URL}", shown(value))),
                },
                "key" => match text.unwrap_or_default().parse::<Cosigner>() {
                    Ok(cosigner) => {
                        let line = reader.line(value.span().start);
                        let earlier = names.insert(String::from(cosigner.name()), line);
                        reader.twice(earlier, value, &full, "one [[witness]] for each name");
                        key = Some(cosigner);
                    }
                    Err(why) => {
                        let text = format!("{} is no key of a witness: {why}; for example {KEY}", shown(value));
                        reader.mistake(value.span(), &full, text);
                    }
                },
                _ => reader.unknown(span, &full, name, KEYS.into_iter()),
            }
        }
        for (name, example) in [("url", URL), ("key", KEY)] {
            if !table.iter().any(|(key, _)| key.get_ref() == name) {
                reader.mistake(span.clone(), &format!("witness.{name}"), format!("is missing; add for example {example}"));
            }
        }
        if let (Some(url), Some(key)) = (url, key)
            && reader.mistakes() == before
        {
            witnesses.push(Witness { url, key });
        }
    }
    witnesses
}

pub(super) fn print(out: &mut String, witnesses: &[Witness]) {
    for witness in witnesses {
        out.push_str("\n[[witness]]\n");
        line(out, "url", quoted(&witness.url));
        line(out, "key", quoted(&witness.key.to_string()));
    }
}

/// What is unwise about witnesses in a hall.
pub fn in_a_hall(witnesses: &[Witness]) -> Option<String> {
    let text = "[[witness]] has no use in a hall: it has no journals of its own; put it into the configuration of each machine with boards";
    (!witnesses.is_empty()).then(|| String::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[test]
    fn witnesses_read_and_print_back_the_same() {
        let text = format!("[[witness]]\n{URL}\n{KEY}\n");
        let config = Config::parse("f", &text).unwrap();
        assert_eq!((config.witnesses[0].url.as_str(), config.witnesses[0].key.name()), ("https://witness.example", "witness.example/w1"));
        assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
        assert_eq!(config.advice(), Vec::<String>::new());
        let hall = Config::parse("f", &format!("{text}[hall]\nname = \"a\"\n")).unwrap();
        assert!(hall.advice()[0].contains("no use in a hall"), "{:?}", hall.advice());
    }

    #[test]
    fn every_mistake_of_a_witness_is_named_with_its_line_and_an_example() {
        let other = KEY.replace("e75f6532", "e75f6533");
        let text = format!(
            "[[witness]]\nurl = \"ftp://x\"\n{other}\nname = 1\n[[witness]]\n{URL}\n[[witness]]\n{KEY}\nurl = 1\n[[witness]]\n{URL}\n{KEY}\n"
        );
        let error = Config::parse("f", &text).unwrap_err();
        assert_eq!(error.mistakes.iter().map(|m| m.line).collect::<Vec<_>>(), [2, 3, 4, 5, 9, 12], "{error}");
        for (n, word) in [(0, URL), (1, "a letter of it is wrong"), (3, KEY), (5, "already in line 8")] {
            assert!(error.mistakes[n].text.contains(word), "{word}: {error}");
        }
    }
}
