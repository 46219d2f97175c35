//! One file as it stands, and where it goes.
#[cfg(feature = "uploads")]
use crate::tree::{ARCHIVE, CLOUD, TREE};
use bytes::Bytes;
#[cfg(feature = "uploads")]
use flagfall_config::upload::Upload;
use std::sync::Arc;

/// One file as it stands.
#[derive(Clone, Debug)]
pub struct File {
    /// Below `pgn/` the tree, below `get/` the JSON, below `archive/` the archive; no slash in front.
    pub path: Arc<str>,
    /// Its content.
    pub bytes: Bytes,
    /// Media type.
    pub content_type: &'static str,
    /// Seconds for which a cache may keep it.
    pub max_age_s: u32,
    /// Another one as soon as the content is another.
    pub version: u64,
}

/// All files at one moment, in the order in which they are best written.
pub type Files = Arc<Vec<File>>;

/// Where a file goes on a target; `None`: it does not. The tree is the target's own root: whoever watches it expects `round-N` there.
#[cfg(feature = "uploads")]
pub(super) fn remote_path(setting: &Upload, path: &str) -> Option<String> {
    let below = match path.strip_prefix(TREE) {
        Some(below) => setting.pgn.then_some(below),
        None => (setting.json && path.starts_with(CLOUD) || setting.archive && path.starts_with(ARCHIVE)).then_some(path),
    };
    Some(format!("{}{}", setting.prefix, below?))
}
