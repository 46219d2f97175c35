//! One server, and how a file gets there so that nobody ever sees half of it.
//!
//! | kind | how a file becomes visible |
//! |---|---|
//! | s3 | the service shows an object when it is complete |
//! | fs, ftp, sftp | `NAME.part` beside it, renamed |
use super::answers::Answers;
use super::file::File;
use super::ftp::Ftp;
use flagfall_config::upload::Place;
use futures_util::TryStreamExt as _;
use opendal::services::{Fs, S3, Sftp};
use opendal::{HttpTransporter, OperationContext, Operator};
use reqwest::Url;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as _;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// For one file, connection included.
const PATIENCE: Duration = Duration::from_secs(60);
/// For a list of everything that is there.
const PATIENCE_LIST: Duration = Duration::from_secs(120);
/// A list goes no further: a folder that has more is not only ours.
const MOST_LISTED: usize = 50_000;

/// A server, ready to be written to. Made anew after a failure: a connection that was cut may be out of step.
#[derive(Clone, Debug)]
pub(super) struct Target {
    way: Way,
    place: Place,
}

#[derive(Clone, Debug)]
enum Way {
    Opendal(Operator),
    Ftp(Arc<Ftp>),
}

impl Target {
    /// How many files this kind of server takes at once.
    pub(super) const fn at_once(place: &Place) -> usize {
        match place {
            // Servers count connections, and some allow very few.
            Place::Ftp { .. } => 2,
            Place::Fs { .. } | Place::S3 { .. } | Place::Sftp { .. } => 4,
        }
    }

    /// How many requests this kind of server gets in a second at most, whatever the number of boards.
    pub(super) const fn a_second(place: &Place) -> usize {
        match place {
            Place::Ftp { .. } | Place::Sftp { .. } => 10,
            // Services charge for requests, and slow down whoever makes too many.
            Place::S3 { .. } => 50,
            Place::Fs { .. } => 200,
        }
    }

    pub(super) fn new(place: &Place) -> Result<Self, String> {
        crate::tls_provider();
        let operator = match place {
            Place::Fs { path } => Operator::new(Fs::default().root(&path.display().to_string())),
            Place::S3 { url, bucket, region, user, password_file } => {
                let mut s3 = S3::default().bucket(bucket).region(region).disable_ec2_metadata();
                if let Some(url) = url {
                    s3 = s3.endpoint(url);
                }
                if let Some(user) = user {
                    // Nothing of another service's environment mixes in.
                    s3 = s3.access_key_id(user).secret_access_key(&secret(password_file.as_deref())?).disable_config_load();
                }
                Operator::new(s3).and_then(|operator| {
                    let transport = HttpTransporter::new(Answers::new()?);
                    Ok(operator.with_context(OperationContext::new().with_http_transport(transport)))
                })
            }
            Place::Ftp { url, user, password_file } => {
                let url = Url::parse(url).map_err(|error| format!("{url}: {error}"))?;
                let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
                let password = || secret(password_file.as_deref());
                let user = user.clone().map(|user| Ok::<_, String>((user, password()?))).transpose()?;
                let ftp = Ftp::new(host, url.port().unwrap_or(21), url.scheme() == "ftps", url.path(), user);
                return Ok(Self { way: Way::Ftp(Arc::new(ftp)), place: place.clone() });
            }
            Place::Sftp { url, user, key_file, known_hosts } => {
                let (endpoint, root) = apart(url)?;
                let mut sftp = Sftp::default().endpoint(&endpoint.replacen("sftp://", "ssh://", 1)).known_hosts_strategy(known_hosts);
                if root != "/" {
                    sftp = sftp.root(&root);
                }
                if let Some(user) = user {
                    sftp = sftp.user(user);
                }
                if let Some(key_file) = key_file {
                    sftp = sftp.key(&key_file.display().to_string());
                }
                Operator::new(sftp)
            }
        };
        operator.map(|operator| Self { way: Way::Opendal(operator), place: place.clone() }).map_err(|error| words(&error))
    }

    /// Puts a file at `path`. Its error is in the service's words.
    pub(super) async fn put(&self, path: &str, file: &File) -> Result<(), String> {
        let put = async {
            match &self.way {
                Way::Ftp(ftp) => ftp.put(path, &file.bytes).await.map_err(|said| short(&said)),
                Way::Opendal(operator) => self.write(operator, path, file).await.map_err(|error| words(&error)),
            }
        };
        match tokio::time::timeout(PATIENCE, put).await {
            Ok(done) => done,
            Err(_) => Err(format!("no answer within {} s", PATIENCE.as_secs())),
        }
    }

    async fn write(&self, operator: &Operator, path: &str, file: &File) -> opendal::Result<()> {
        let bytes = file.bytes.clone();
        match &self.place {
            Place::S3 { .. } => {
                let lifetime = format!("public, max-age={}", file.max_age_s);
                operator.write_with(path, bytes).content_type(file.content_type).cache_control(&lifetime).await?;
            }
            Place::Fs { path: root } => {
                let aside = format!("{path}.part");
                operator.write(&aside, bytes).await?;
                readable(root, Path::new(&aside)).await.map_err(|error| {
                    opendal::Error::new(opendal::ErrorKind::Unexpected, "cannot be made readable for others").set_source(error)
                })?;
                operator.rename(&aside, path).await?;
            }
            Place::Ftp { .. } | Place::Sftp { .. } => {
                let aside = format!("{path}.part");
                operator.write(&aside, bytes).await?;
                operator.rename(&aside, path).await?;
            }
        }
        Ok(())
    }

    /// Sizes of the files below `prefix`, by path, at least of those among `wanted` that are there; `None` where the server does not tell.
    pub(super) async fn list(&self, prefix: &str, wanted: impl Iterator<Item = &str>) -> Option<BTreeMap<String, u64>> {
        let list = async {
            match &self.way {
                Way::Ftp(ftp) => {
                    let folder = |path: &str| path.rsplit_once('/').map_or_else(String::new, |(folder, _)| String::from(folder));
                    ftp.list(&wanted.map(folder).collect::<BTreeSet<_>>()).await
                }
                Way::Opendal(operator) => sizes(operator, prefix).await,
            }
        };
        tokio::time::timeout(PATIENCE_LIST, list).await.ok()?
    }
}

/// What a service lists below `prefix`.
async fn sizes(operator: &Operator, prefix: &str) -> Option<BTreeMap<String, u64>> {
    let prefix = if prefix.is_empty() { "/" } else { prefix };
    let said = |error: &opendal::Error| tracing::debug!("cannot be listed: {error}");
    let mut entries = operator.lister_with(prefix).recursive(true).await.inspect_err(said).ok()?;
    let mut found = BTreeMap::new();
    while let Some(entry) = entries.try_next().await.inspect_err(said).ok()? {
        if found.len() >= MOST_LISTED {
            tracing::debug!("cannot be listed: there are more than {MOST_LISTED} files");
            return None;
        }
        if entry.metadata().is_file() {
            found.insert(String::from(entry.path()), entry.metadata().content_length());
        }
    }
    Some(found)
}

/// A web server that runs as somebody else reads what the daemon writes with a strict mask.
async fn readable(root: &Path, file: &Path) -> std::io::Result<()> {
    tokio::fs::set_permissions(root.join(file), Permissions::from_mode(0o644)).await?;
    for folder in file.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
        let folder = root.join(folder);
        if tokio::fs::metadata(&folder).await?.permissions().mode() & 0o777 == 0o700 {
            tokio::fs::set_permissions(folder, Permissions::from_mode(0o755)).await?;
        }
    }
    Ok(())
}

/// `SCHEME://HOST[:PORT]` and the folder.
fn apart(url: &str) -> Result<(String, String), String> {
    let url = Url::parse(url).map_err(|error| format!("{url}: {error}"))?;
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Ok((format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or_default()), String::from(url.path())))
}

/// The first line of a file with a password.
fn secret(path: Option<&Path>) -> Result<String, String> {
    let Some(path) = path else { return Ok(String::new()) };
    let text = std::fs::read_to_string(path).map_err(|error| format!("the password file {} cannot be read: {error}", path.display()))?;
    Ok(String::from(text.lines().next().unwrap_or("").trim()))
}

/// What the service said, without opendal's wrapping: the innermost cause.
fn words(error: &opendal::Error) -> String {
    let mut said = error.message().to_owned();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        if !text.is_empty() {
            said = text;
        }
        cause = inner.source();
    }
    short(&said)
}

/// One line of it.
fn short(said: &str) -> String {
    said.split_whitespace().flat_map(|word| word.chars().chain([' '])).take(200).collect::<String>().trim_end().to_owned()
}
