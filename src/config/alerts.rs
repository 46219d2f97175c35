//! `[[alert]]`: who is told at once of findings, alarms and results, by HTTP.
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use flagfall_events::Grade;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::DeValue;

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlertKind {
    /// JSON, for programs.
    Webhook,
    /// A line of text with title, priority and tags as headers, as ntfy takes it.
    Ntfy,
}

/// Where an alert goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    /// Where to; may hold a secret, is never logged whole. `None`, for ntfy alone: a topic at ntfy.sh that this machine draws by lot, once.
    pub url: Option<String>,
    /// What is sent.
    pub kind: AlertKind,
    /// Findings of these grades.
    pub grades: Vec<Grade>,
    /// Alarms, when they are raised and cleared.
    pub alarms: bool,
    /// Results.
    pub results: bool,
    /// The language of text for people: `en` or `ru`.
    pub russian: bool,
    /// File whose contents sign every request.
    pub secret_file: Option<PathBuf>,
}

const KEYS: [&str; 7] = ["url", "kind", "grades", "alarms", "results", "lang", "secret_file"];
const GRADES: [(&str, Grade); 3] = [("ruling", Grade::Ruling), ("attention", Grade::Attention), ("note", Grade::Note)];

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Vec<Alert> {
    let mut alerts = Vec::new();
    for (span, table) in reader.tables("alert", value) {
        let before = reader.mistakes();
        let mut alert = Alert {
            url: None,
            kind: AlertKind::Webhook,
            grades: vec![Grade::Ruling, Grade::Attention],
            alarms: true,
            results: true,
            russian: false,
            secret_file: None,
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let full = format!("alert.{name}");
            let text = value.get_ref().as_str();
            match name {
                "url" => match text.filter(|url| is_url(url)) {
                    Some(url) => alert.url = Some(String::from(url)),
                    None => reader.mistake(
                        value.span(),
                        &full,
                        format!("{} is no address; for example url = \"https://ntfy.sh/our-hall-7c2e\"", shown(value)),
                    ),
                },
                "kind" => match text {
                    Some("webhook") => alert.kind = AlertKind::Webhook,
                    Some("ntfy") => alert.kind = AlertKind::Ntfy,
                    _ => reader.mistake(
                        value.span(),
                        &full,
                        format!("expected webhook or ntfy, not {}; for example kind = \"ntfy\"", shown(value)),
                    ),
                },
                "grades" => alert.grades = grades(reader, &full, value),
                "alarms" => alert.alarms = reader.flag(&full, value).unwrap_or(true),
                "results" => alert.results = reader.flag(&full, value).unwrap_or(true),
                "lang" => match text {
                    Some("en") => alert.russian = false,
                    Some("ru") => alert.russian = true,
                    _ => reader.mistake(value.span(), &full, format!("expected en or ru, not {}; for example lang = \"ru\"", shown(value))),
                },
                "secret_file" => alert.secret_file = reader.path(&full, value),
                _ => reader.unknown(key.span(), &full, name, KEYS.into_iter()),
            }
        }
        if alert.kind == AlertKind::Webhook && !table.iter().any(|(key, _)| key.get_ref() == "url") {
            let text = "is missing; add for example url = \"https://club.example/alerts\", or kind = \"ntfy\", which draws a topic of its own at ntfy.sh";
            reader.mistake(span, "alert.url", text);
        }
        if reader.mistakes() == before {
            alerts.push(alert);
        }
    }
    alerts
}

pub(super) fn is_url(url: &str) -> bool {
    url.parse::<http::Uri>()
        .is_ok_and(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty()))
}

fn grades(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Vec<Grade> {
    let one = |text: &str| GRADES.iter().find(|(name, _)| *name == text).map(|(_, grade)| *grade);
    let list: Option<Vec<Grade>> =
        value.get_ref().as_array().and_then(|list| list.iter().map(|v| v.get_ref().as_str().and_then(one)).collect());
    if list.is_none() {
        reader.mistake(value.span(), key, "expected a list of ruling, attention, note; for example grades = [\"ruling\", \"attention\"]");
    }
    list.unwrap_or_default()
}

pub(super) fn print(out: &mut String, alerts: &[Alert]) {
    for alert in alerts {
        out.push_str("\n[[alert]]\n");
        if let Some(url) = &alert.url {
            line(out, "url", quoted(url));
        }
        line(out, "kind", quoted(if alert.kind == AlertKind::Ntfy { "ntfy" } else { "webhook" }));
        let names: Vec<_> = GRADES.iter().filter(|(_, grade)| alert.grades.contains(grade)).map(|(name, _)| *name).collect();
        line(out, "grades", toml::Value::from(names));
        line(out, "alarms", alert.alarms);
        line(out, "results", alert.results);
        line(out, "lang", quoted(if alert.russian { "ru" } else { "en" }));
        if let Some(file) = &alert.secret_file {
            line(out, "secret_file", quoted(&file.display().to_string()));
        }
    }
}

pub(super) fn advice(alerts: &[Alert]) -> Vec<String> {
    let is_open = |alert: &&Alert| {
        let url = alert.url.as_deref().unwrap_or_default();
        let uri: Option<http::Uri> = url.parse().ok();
        let host = uri.as_ref().and_then(|uri| uri.host()).unwrap_or_default().to_owned();
        let here = host == "localhost" || host.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
        url.starts_with("http:") && !here
    };
    alerts
        .iter()
        .filter(is_open)
        .map(|_| {
            String::from("alert.url begins with http: findings go through the network in clear text; use https where the receiver has it")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[test]
    fn alerts_read_and_print_back_the_same() {
        let text = "[[alert]]\nurl = \"https://ntfy.example/hall\"\nkind = \"ntfy\"\ngrades = [\"ruling\"]\nlang = \"ru\"\nresults = false\n\
                    [[alert]]\nurl = \"http://127.0.0.1:9/x\"\nsecret_file = \"/etc/flagfall/secret\"\n[[alert]]\nkind = \"ntfy\"\n";
        let config = Config::parse("f", text).unwrap();
        assert_eq!((config.alerts[0].kind, config.alerts[1].kind), (AlertKind::Ntfy, AlertKind::Webhook));
        assert_eq!(config.alerts[1].grades, [Grade::Ruling, Grade::Attention]);
        assert_eq!(config.alerts[2].url, None, "a topic is drawn by lot");
        assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
        assert_eq!(config.advice(), Vec::<String>::new());
    }

    #[test]
    fn every_mistake_of_an_alert_is_named_with_its_line() {
        let text =
            "[[alert]]\nurl = \"ftp://x\"\nkind = \"mail\"\ngrades = [\"loud\"]\nalarms = 1\nlang = \"de\"\nsecret = \"x\"\n[[alert]]\n";
        let error = Config::parse("f", text).unwrap_err();
        assert_eq!(error.mistakes.iter().map(|m| m.line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8], "{error}");
    }
}
