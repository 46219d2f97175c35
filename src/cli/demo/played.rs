//! `flagfall demo --played FILE`: what was really played, one JSON line a game, for whoever compares it with what came out.
use crate::cli::{ExitError, output};
use flagfall_events::{Mono, Wall};
use flagfall_simulator::pty::PtyHandle;
use flagfall_simulator::script::Truth;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often boards are asked whether a game is over.
const LOOKS: Duration = Duration::from_secs(2);

/// The file, and how many games of each board are in it.
pub(super) struct Played {
    path: PathBuf,
    file: File,
    told: Vec<usize>,
}

impl Played {
    pub(super) fn create(path: PathBuf) -> Result<Self, ExitError> {
        let file = File::create(&path).map_err(|error| ExitError::writing(&path, &error))?;
        Ok(Self { path, file, told: Vec::new() })
    }

    /// Writes each game when it is over, until `stop`; a file that cannot be written is said once.
    pub(super) async fn follow(&mut self, boards: &[PtyHandle], stop: &CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(LOOKS) => {}
            }
            if let Err(error) = self.tell(boards, false) {
                complain(&self.path, &error);
                return;
            }
        }
    }

    /// Writes what is left, games in progress too.
    pub(super) fn close(mut self, boards: &[PtyHandle]) {
        if let Err(error) = self.tell(boards, true) {
            complain(&self.path, &error);
        }
    }

    fn tell(&mut self, boards: &[PtyHandle], all: bool) -> io::Result<()> {
        self.told.resize(boards.len(), 0);
        for (number, (board, told)) in boards.iter().zip(&mut self.told).enumerate() {
            let games = board.games_from(*told);
            // The last one is being played.
            let over = if all { games.len() } else { games.len().saturating_sub(1) };
            for (n, game) in games.iter().take(over).enumerate() {
                let line = line(number + 1, *told + 1, game, board.opened_at(), n + 1 < games.len());
                writeln!(self.file, "{line}")?;
                *told += 1;
            }
        }
        Ok(())
    }
}

fn complain(path: &Path, error: &io::Error) {
    output::complain(&format!("flagfall: what was played: {}", ExitError::writing(path, error)));
}

/// One game; times are wall time, as events have it.
fn line(board: usize, game: usize, truth: &Truth, opened_at: Wall, whole: bool) -> Value {
    let at = |ms: u64| opened_at.after(Mono::from_millis(ms));
    let plies = truth.plies.iter().map(|ply| {
        json!({
            "ply": ply.ply, "uci": ply.uci, "legal": ply.legal, "down": at(ply.last_down), "press": ply.press.map(at),
        })
    });
    json!({
        "board": board.to_string(),
        "game": game,
        "whole": whole,
        "began": at(truth.began),
        "over": at(truth.over),
        "result": truth.result,
        "ended": truth.ended.as_str(),
        "around": truth.around.iter().map(|around| around.as_str()).collect::<Vec<_>>(),
        "incidents": truth.incidents.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "moves": truth.uci(),
        "plies": plies.collect::<Vec<_>>(),
    })
}
