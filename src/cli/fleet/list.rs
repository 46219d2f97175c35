//! The list that was named, and the folder of what was made of it.
use crate::cli::ExitError;
use crate::config::fleet::{self, Fleet, Pi};
use std::fs;
use std::path::{Path, PathBuf};

/// The list, and what was made of it.
#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// The table list (TOML)
    pub(super) list: PathBuf,
    /// The folder with what was made of it [default: beside the list, without its .toml]
    #[arg(long, visible_alias = "into", value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl List {
    pub(super) fn read(&self) -> Result<Fleet, ExitError> {
        let path = &self.list;
        let text = fs::read(path).map_err(|error| ExitError::reading(path, &error))?;
        let name = path.display().to_string();
        let text = String::from_utf8(text)
            .map_err(|_| ExitError::config(format_args!("{name}: is not a text file (UTF-8); docs/fleet.md has an example")))?;
        fleet::parse(&name, &text).map_err(ExitError::config)
    }

    pub(super) fn dir(&self) -> PathBuf {
        self.dir.clone().unwrap_or_else(|| {
            let stem = self.list.with_extension("");
            // A list without an extension cannot have a folder of its own name beside it.
            if stem == self.list { self.list.with_extension("made") } else { stem }
        })
    }

    /// Where a path of the list leads: beside the list.
    pub(super) fn beside(&self, path: &Path) -> PathBuf {
        self.list.parent().map_or_else(|| path.to_owned(), |folder| folder.join(path))
    }
}

/// The Pis that were named, or all.
pub(super) fn chosen<'f>(fleet: &'f Fleet, only: &[String]) -> Result<Vec<&'f Pi>, ExitError> {
    if let Some(unknown) = only.iter().find(|name| !fleet.pis.iter().any(|pi| pi.name == **name)) {
        let all: Vec<&str> = fleet.pis.iter().map(|pi| pi.name.as_str()).collect();
        return Err(ExitError::usage(format_args!("--only {unknown}: the list has no such Pi; it has {}", all.join(", "))));
    }
    Ok(fleet.pis.iter().filter(|pi| only.is_empty() || only.contains(&pi.name)).collect())
}

pub(super) fn s(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
