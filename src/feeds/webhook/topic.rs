//! The topic at ntfy.sh of a machine whose configuration names none: drawn by lot, so that nobody guesses it, and kept.
use flagfall_config::alerts::Alert;
use flagfall_web::private;
use std::path::Path;
use std::sync::OnceLock;

/// It is kept in this file below the data folder.
const FILE: &str = "ntfy.topic";
/// Where it is.
const SERVER: &str = "https://ntfy.sh/";
/// What it begins with.
const PREFIX: &str = "flagfall-";
/// Bytes drawn by lot: more than anybody can try.
const DRAWN: usize = 12;

/// Where each alert goes.
pub(crate) fn with_topics(alerts: &[Alert], data_dir: Option<&Path>) -> Vec<Alert> {
    let own = || Some(format!("{SERVER}{}", topic(data_dir)));
    alerts.iter().map(|alert| Alert { url: alert.url.clone().or_else(own), ..alert.clone() }).collect()
}

/// This machine's topic; without a data folder it lasts as long as the process.
fn topic(data_dir: Option<&Path>) -> String {
    static UNKEPT: OnceLock<String> = OnceLock::new();
    let Some(path) = data_dir.map(|folder| folder.join(FILE)) else { return UNKEPT.get_or_init(drawn).clone() };
    let known = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).ok()?.trim();
        let fits = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        fits.then(|| String::from(text))
    };
    private::read(&path, known).unwrap_or_else(|| {
        let topic = UNKEPT.get_or_init(drawn).clone();
        if let Err(error) = private::write(&path, topic.as_bytes()) {
            tracing::error!("{}: {error}; after a restart the topic of ntfy is another one", path.display());
        }
        topic
    })
}

fn drawn() -> String {
    let mut bytes = [0; DRAWN];
    // Without randomness a topic that is known to all would tell everybody.
    getrandom::fill(&mut bytes).expect("the kernel gives randomness");
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{PREFIX}{hex}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_config::Config;

    #[test]
    fn a_topic_is_drawn_once_and_kept_and_an_address_of_ones_own_stays() {
        let folder = tempfile::tempdir().unwrap();
        let text = "[[alert]]\nkind = \"ntfy\"\n[[alert]]\nkind = \"ntfy\"\nurl = \"https://ntfy.example/hall\"\n";
        let config = Config::parse("f", text).unwrap();
        let urls =
            |folder: Option<&Path>| with_topics(&config.alerts, folder).into_iter().map(|alert| alert.url.unwrap()).collect::<Vec<_>>();
        let first = urls(Some(folder.path()));
        let topic = first[0].strip_prefix("https://ntfy.sh/flagfall-").unwrap();
        assert!(topic.len() == 2 * DRAWN && topic.chars().all(|c| c.is_ascii_hexdigit()), "{first:?}");
        assert_eq!(first[1], "https://ntfy.example/hall");
        assert_eq!(urls(Some(folder.path())), first);
        std::fs::write(folder.path().join(FILE), "our-hall\n").unwrap();
        assert_eq!(urls(Some(folder.path()))[0], "https://ntfy.sh/our-hall", "whoever wants another one writes it there");
        assert_eq!(urls(None), urls(None));
    }
}
