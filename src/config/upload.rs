//! `[[upload]]`: servers that get the PGN tree and the JSON as files.
use super::delay::{Delay, LONGEST_S, OwnDelay};
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use super::{secret, source_url};
use flagfall_events::duration;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use url::Url;

const KEYS: [&str; 15] = [
    "kind",
    "name",
    "path",
    "url",
    "bucket",
    "region",
    "user",
    "password_file",
    "key_file",
    "known_hosts",
    "what",
    "prefix",
    "delay",
    "early",
    "interval",
];

/// One target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// What alarms call it; unique.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// The PGN tree goes there.
    pub pgn: bool,
    /// The JSON goes there.
    pub json: bool,
    /// The archive goes there, in `archive/`.
    pub archive: bool,
    /// Before every path; empty, or ends with a slash.
    pub prefix: String,
    /// What goes out stood so on the boards this long ago.
    pub delay: OwnDelay,
    /// The same file goes out at most this often.
    pub interval: Duration,
}

/// Where files go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A folder of this machine.
    Fs {
        /// Absolute.
        path: PathBuf,
    },
    /// An S3-compatible bucket.
    S3 {
        /// The service's address; Amazon's without it.
        url: Option<String>,
        /// The bucket.
        bucket: String,
        /// `auto` where the service knows none.
        region: String,
        /// Access key id.
        user: Option<String>,
        /// File with the secret access key.
        password_file: Option<PathBuf>,
    },
    /// FTP, or FTP over TLS.
    Ftp {
        /// `ftp://HOST[:PORT][/FOLDER]` or `ftps://…`.
        url: String,
        /// Without it nobody logs in.
        user: Option<String>,
        /// File with the password.
        password_file: Option<PathBuf>,
    },
    /// SFTP, through the system's `ssh`.
    Sftp {
        /// `sftp://HOST[:PORT][/FOLDER]`.
        url: String,
        /// Log-in name.
        user: Option<String>,
        /// Private key; ssh's own choice without it.
        key_file: Option<PathBuf>,
        /// `strict` or `add`.
        known_hosts: String,
    },
}

impl Place {
    /// The word in the configuration.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Fs { .. } => "fs",
            Self::S3 { .. } => "s3",
            Self::Ftp { .. } => "ftp",
            Self::Sftp { .. } => "sftp",
        }
    }

    /// The file with its secret.
    pub fn secret(&self) -> Option<&Path> {
        match self {
            Self::Fs { .. } => None,
            Self::S3 { password_file, .. } | Self::Ftp { password_file, .. } => password_file.as_deref(),
            Self::Sftp { key_file, .. } => key_file.as_deref(),
        }
    }
}

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>, general: Delay) -> Vec<Upload> {
    let mut found: Vec<Upload> = Vec::new();
    for (span, table) in reader.tables("upload", value) {
        let before = reader.mistakes();
        let Some(one) = one(reader, span.clone(), table, found.len() + 1, general) else { continue };
        if reader.mistakes() > before {
            continue;
        }
        if found.iter().any(|earlier| earlier.name == one.name) {
            reader.mistake(span, "upload.name", format!("\"{}\" is there twice; give each target a name of its own", one.name));
        }
        found.push(one);
    }
    found
}

/// The strings of one table, and what is wrong with those that are not.
struct Fields<'a, 'b, 't> {
    reader: &'a mut Reader<'b>,
    span: Range<usize>,
    table: &'a DeTable<'t>,
}

impl Fields<'_, '_, '_> {
    fn wrong(&mut self, name: &str, expected: &str) {
        let value = self.table.iter().find(|(key, _)| key.get_ref() == name);
        let (span, said) = match value {
            Some((_, value)) => (value.span(), format!("expected {expected}, not {}", shown(value))),
            None => (self.span.clone(), format!("is missing; expected {expected}")),
        };
        self.reader.mistake(span, &format!("upload.{name}"), said);
    }

    /// A string, if the key is there.
    fn text(&mut self, name: &str, expected: &str) -> Option<String> {
        let (_, value) = self.table.iter().find(|(key, _)| key.get_ref() == name)?;
        let text = value.get_ref().as_str().map(str::trim).filter(|s| !s.is_empty() && !s.chars().any(char::is_control));
        if text.is_none() {
            self.wrong(name, expected);
        }
        text.map(String::from)
    }

    fn file(&mut self, name: &str, example: &str) -> Option<PathBuf> {
        self.text(name, &format!("a file, for example {name} = \"{example}\"")).map(PathBuf::from)
    }

    fn flag(&mut self, name: &str) -> bool {
        let value = self.table.iter().find(|(key, _)| key.get_ref() == name);
        value.and_then(|(_, value)| self.reader.flag(&format!("upload.{name}"), value)).unwrap_or_default()
    }

    /// Where a key stands; the table where it does not.
    fn span(&self, name: &str) -> Range<usize> {
        self.table.iter().find(|(key, _)| key.get_ref() == name).map_or_else(|| self.span.clone(), |(_, value)| value.span())
    }

    fn time(&mut self, name: &str, example: &str, range: Range<u64>) -> Option<Duration> {
        let expected = format!("a duration with its unit, for example {name} = \"{example}\"");
        let text = self.text(name, &expected)?;
        let time = duration::parse(&text).filter(|d| range.contains(&d.as_secs()));
        if time.is_none() {
            self.wrong(name, &expected);
        }
        time
    }

    /// An address with one of these schemes and a host, no secrets in it.
    fn url(&mut self, schemes: &[&str], example: &str, needed: bool) -> Option<String> {
        let expected = format!("an address without user and password, for example url = \"{example}\"");
        let Some(text) = self.text("url", &expected) else {
            if needed && !self.has("url") {
                self.wrong("url", &expected);
            }
            return None;
        };
        let fits = |url: &Url| schemes.contains(&url.scheme()) && url.has_host() && url.username().is_empty() && url.password().is_none();
        if !Url::parse(&text).is_ok_and(|url| fits(&url)) {
            self.wrong("url", &expected);
            return None;
        }
        Some(text)
    }

    fn has(&self, name: &str) -> bool {
        self.table.iter().any(|(key, _)| key.get_ref() == name)
    }

    /// PGN, JSON, the archive.
    fn what(&mut self) -> [bool; 3] {
        const EXPECTED: &str = "a list of pgn, json and archive, for example what = [\"pgn\", \"json\"]";
        let Some((_, value)) = self.table.iter().find(|(key, _)| key.get_ref() == "what") else { return [true, true, false] };
        let words: Option<Vec<_>> = match value.get_ref() {
            DeValue::Array(array) => array.iter().map(|word| word.get_ref().as_str()).collect(),
            other => other.as_str().map(|word| vec![word]),
        };
        let words = words.unwrap_or_default();
        if words.is_empty() || words.iter().any(|word| !["pgn", "json", "archive"].contains(word)) {
            self.wrong("what", EXPECTED);
        }
        ["pgn", "json", "archive"].map(|word| words.contains(&word))
    }
}

fn one(reader: &mut Reader<'_>, span: Range<usize>, table: &DeTable<'_>, number: usize, general: Delay) -> Option<Upload> {
    for (key, _) in table {
        let name = key.get_ref().as_ref();
        if !KEYS.contains(&name) {
            reader.unknown(key.span(), &format!("upload.{name}"), name, KEYS.into_iter());
        }
    }
    let mut fields = Fields { reader, span, table };
    let kind = fields.text("kind", "fs, s3, ftp or sftp").unwrap_or_default();
    let (user, password_file) =
        (fields.text("user", "a name, for example user = \"chess\""), fields.file("password_file", "/etc/flagfall/upload.password"));
    let (place, own): (Option<Place>, &[&str]) = match kind.as_str() {
        "fs" => {
            let expected = "a folder from the root on, for example path = \"/srv/www/chess\"";
            let path = fields.text("path", expected).map(PathBuf::from).filter(|path| path.is_absolute());
            if path.is_none() {
                fields.wrong("path", expected);
            }
            (path.map(|path| Place::Fs { path }), &["path"])
        }
        "s3" => {
            let url = fields.url(&["http", "https"], "https://s3.eu-central-1.amazonaws.com", false);
            let region = fields.text("region", "a region, for example region = \"eu-central-1\"").unwrap_or_else(|| String::from("auto"));
            let bucket = fields.text("bucket", "the bucket's name, for example bucket = \"chess\"");
            if bucket.is_none() && !fields.has("bucket") {
                fields.wrong("bucket", "the bucket's name, for example bucket = \"chess\"");
            }
            (
                bucket.map(|bucket| Place::S3 { url, bucket, region, user, password_file }),
                &["url", "bucket", "region", "user", "password_file"],
            )
        }
        "ftp" => {
            let url = fields.url(&["ftp", "ftps"], "ftp://ftp.example.org/live", true);
            (url.map(|url| Place::Ftp { url, user, password_file }), &["url", "user", "password_file"])
        }
        "sftp" => {
            let url = fields.url(&["sftp"], "sftp://files.example.org/srv/chess", true);
            let key_file = fields.file("key_file", "/etc/flagfall/upload.key");
            let known_hosts = fields.text("known_hosts", "strict or add").unwrap_or_else(|| String::from("strict"));
            if !["strict", "add"].contains(&known_hosts.as_str()) {
                fields.wrong("known_hosts", "strict (the host is in known_hosts) or add (the first time it is believed)");
            }
            (url.map(|url| Place::Sftp { url, user, key_file, known_hosts }), &["url", "user", "key_file", "known_hosts"])
        }
        _ => {
            fields.wrong("kind", "fs, s3, ftp or sftp");
            return None;
        }
    };
    let common = ["kind", "name", "what", "prefix", "delay", "early", "interval"];
    for (key, _) in table {
        let name = key.get_ref().as_ref();
        if KEYS.contains(&name) && !common.contains(&name) && !own.contains(&name) {
            let text = format!("means nothing for kind = \"{kind}\", which knows {}", own.join(", "));
            fields.reader.mistake(key.span(), &format!("upload.{name}"), text);
        }
    }
    let name = fields.text("name", "a short name, for example name = \"chess.com\"").unwrap_or_else(|| format!("{kind} {number}"));
    let prefix = fields.text("prefix", "a folder, for example prefix = \"open-2026\"").unwrap_or_default();
    if prefix.split('/').any(|part| part == "..") {
        fields.wrong("prefix", "a folder without .., for example prefix = \"open-2026\"");
    }
    let prefix = prefix.trim_matches('/');
    let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
    let [pgn, json, archive] = fields.what();
    let (delay, early) = (fields.time("delay", "15m", 0..LONGEST_S + 1), fields.flag("early"));
    let delay_at = fields.span("delay");
    let delay = OwnDelay::of(fields.reader, general, (delay, early), (delay_at, "upload.delay"));
    let interval = fields.time("interval", "1s", 0..3601).unwrap_or(Duration::from_secs(1));
    Some(Upload { name, place: place?, pgn, json, archive, prefix, delay, interval })
}

pub(super) fn print(out: &mut String, uploads: &[Upload]) {
    for upload in uploads {
        out.push_str("\n[[upload]]\n");
        let mut text = |key: &str, value: &str| line(out, key, quoted(value));
        text("kind", upload.place.kind());
        text("name", &upload.name);
        let file = |path: &Path| path.display().to_string();
        match &upload.place {
            Place::Fs { path } => text("path", &file(path)),
            Place::S3 { url, bucket, region, .. } => {
                text("bucket", bucket);
                text("region", region);
                url.iter().for_each(|url| text("url", url));
            }
            Place::Ftp { url, .. } => text("url", url),
            Place::Sftp { url, known_hosts, .. } => {
                text("url", url);
                text("known_hosts", known_hosts);
            }
        }
        if let Place::S3 { user: Some(user), .. } | Place::Ftp { user: Some(user), .. } | Place::Sftp { user: Some(user), .. } =
            &upload.place
        {
            text("user", user);
        }
        let key = if matches!(upload.place, Place::Sftp { .. }) { "key_file" } else { "password_file" };
        upload.place.secret().into_iter().for_each(|path| text(key, &file(path)));
        if !upload.prefix.is_empty() {
            text("prefix", upload.prefix.trim_end_matches('/'));
        }
        text("interval", &duration::print(upload.interval));
        upload.delay.print(out);
        let words = [("pgn", upload.pgn), ("json", upload.json), ("archive", upload.archive)];
        let what: Vec<_> = words.iter().filter(|(_, on)| *on).map(|(word, _)| quoted(word)).collect();
        line(out, "what", format!("[{}]", what.join(", ")));
    }
}

pub(super) fn advice(uploads: &[Upload]) -> Vec<String> {
    let mut advice = Vec::new();
    if cfg!(not(feature = "uploads")) && !uploads.is_empty() {
        advice.push(String::from(
            "[[upload]]: this flagfall was built without uploads; the section does nothing, install the package with it",
        ));
    }
    for upload in uploads {
        let name = &upload.name;
        if let Some(text) = upload.place.secret().and_then(secret::advice) {
            advice.push(format!("upload {name}: {text}"));
        }
        if let Place::Ftp { url, password_file: Some(_), .. } = &upload.place
            && url.starts_with("ftp://")
            && !Url::parse(url).is_ok_and(|url| source_url::is_here(&url))
        {
            advice.push(format!(
                "upload {name}: with ftp the password goes over the network in plain text; use ftps:// where the server has it"
            ));
        }
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::super::Config;

    const ALL: &str = "[[upload]]\nkind = \"fs\"\npath = \"/srv/www\"\n\
        [[upload]]\nkind = \"s3\"\nname = \"cdn\"\nbucket = \"chess\"\nregion = \"eu-central-1\"\nurl = \"https://s3.example.org\"\nuser = \"AK\"\npassword_file = \"/p\"\nwhat = [\"json\", \"archive\"]\nprefix = \"/open/2026/\"\ndelay = \"15m\"\n\
        [[upload]]\nkind = \"ftp\"\nurl = \"ftps://ftp.example.org:2121/live\"\nuser = \"u\"\npassword_file = \"/p\"\nwhat = \"pgn\"\ninterval = \"5s\"\n\
        [[upload]]\nkind = \"sftp\"\nurl = \"sftp://files.example.org/srv\"\nuser = \"u\"\nkey_file = \"/k\"\nknown_hosts = \"add\"\n";

    #[test]
    fn every_kind_comes_back_as_it_was_printed() {
        let config = Config::parse("f.toml", ALL).unwrap();
        assert_eq!(config.uploads.len(), 4);
        assert_eq!((config.uploads[1].prefix.as_str(), config.uploads[1].pgn, config.uploads[1].json), ("open/2026/", false, true));
        assert!(config.uploads[1].archive && !config.uploads[0].archive);
        assert_eq!((config.uploads[0].name.as_str(), config.uploads[2].pgn, config.uploads[2].json), ("fs 1", true, false));
        assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
    }

    #[test]
    fn mistakes_say_what_was_expected() {
        for (text, word) in [
            ("path = \"/x\"", "upload.kind: is missing; expected fs, s3, ftp or sftp"),
            ("kind = \"rsync\"", "upload.kind: expected fs, s3, ftp or sftp, not \"rsync\""),
            ("kind = \"fs\"", "upload.path: is missing; expected a folder"),
            ("kind = \"fs\"\npath = \"www\"", "upload.path: expected a folder from the root on"),
            ("kind = \"fs\"\npath = \"/x\"\nuser = \"me\"", "upload.user: means nothing for kind = \"fs\""),
            ("kind = \"s3\"", "upload.bucket: is missing"),
            ("kind = \"ftp\"", "upload.url: is missing"),
            ("kind = \"ftp\"\nurl = \"ftp://me:secret@h/\"", "upload.url: expected an address without user"),
            ("kind = \"ftp\"\nurl = \"http://h/\"", "upload.url: expected"),
            ("kind = \"sftp\"\nurl = \"sftp://h/\"\nknown_hosts = \"accept\"", "upload.known_hosts: expected strict"),
            ("kind = \"fs\"\npath = \"/x\"\nwhat = [\"html\"]", "upload.what: expected a list of pgn, json and archive"),
            ("kind = \"fs\"\npath = \"/x\"\ndelay = \"5\"", "upload.delay: expected a duration"),
            ("kind = \"fs\"\npath = \"/x\"\nprefix = \"../y\"", "upload.prefix: expected a folder without .."),
            ("kind = \"fs\"\npath = \"/x\"\npassword = \"y\"", "upload.password: there is no such key; perhaps password_file"),
        ] {
            let error = Config::parse("f.toml", &format!("[[upload]]\n{text}\n")).unwrap_err();
            let found: Vec<_> = error.mistakes.iter().map(|m| format!("{}: {}", m.key, m.text)).collect();
            assert!(found.len() == 1 && found[0].contains(word), "{word}: {found:?}");
        }
    }

    #[test]
    fn a_password_in_plain_text_is_told() {
        let text = "[[upload]]\nkind = \"ftp\"\nurl = \"ftp://ftp.example.org/\"\nuser = \"u\"\npassword_file = \"/p\"\n";
        assert!(Config::parse("f.toml", text).unwrap().advice().iter().any(|text| text.contains("plain text")));
    }
}
