//! Simulated boards at links in a folder of their own.
use super::args::Args;
use crate::cli::ExitError;
use crate::config::{BoardConfig, LinkAddress};
use flagfall_game::settings::Settings;
use flagfall_simulator::pty::{self, Programme, PtyHandle};
use flagfall_simulator::tables::Table;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::{env, fs, process};
use tokio_util::sync::CancellationToken;

/// One simulated board at a link in `folder`, and what the daemon is told about it.
pub(super) fn board(folder: &Path, number: u16, args: &Args, token: CancellationToken) -> Result<(BoardConfig, PtyHandle), ExitError> {
    let table = Table::new(number, args.speed, args.incidents);
    let Table { games, options, play } = if number == 1 && args.shows_one() { table.with_an_illegal_move() } else { table };
    let link = LinkAddress::Serial(folder.join(format!("board-{number}")));
    let settings = Settings { play, link: link.to_string(), ..options.settings(&games[0]) };
    let play = Programme { games, repeat: true, options, link: Some(folder.join(format!("board-{number}"))) };
    let handle = pty::spawn(play, token)
        .map_err(|e| ExitError::unavailable(format_args!("board {number}: no pseudo-terminal: {e}; try fewer with --boards")))?;
    Ok((BoardConfig { name: number.to_string(), link, address: None, settings }, handle))
}

/// A folder of our own for the links; removed when dropped.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn create() -> Result<Self, ExitError> {
        let path = env::temp_dir().join(format!("flagfall-demo-{}", process::id()));
        // Never somebody else's folder: it must not exist, and only we may enter it.
        fs::DirBuilder::new().mode(0o700).create(&path).map_err(|e| ExitError::writing(&path, &e))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is a few links in a folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
