//! How one target is doing, as the operator sees it.
use flagfall_events::Wall;
use serde::Serialize;

/// How one target is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = UploadStatus))]
pub struct Status {
    /// As the configuration names it.
    pub name: String,
    /// `ftp`, `sftp`, `s3` or `fs`.
    pub kind: String,
    /// When something arrived last.
    pub sent_at: Option<Wall>,
    /// Files that arrived.
    pub taken: u64,
    /// Files that did not.
    pub failed: u64,
    /// Files that it is to have.
    pub files: usize,
    /// Those whose newest version has not arrived.
    pub waiting: usize,
    /// Why nothing arrives.
    pub failing: Option<String>,
}
