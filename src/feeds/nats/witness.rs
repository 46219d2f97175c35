//! What a hall has seen of the journals: this machine's own are compared with it once, all are kept; and what shows the hall that they go on from there.
use super::station::Station;
use super::wire::{self, Setting, Way};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagfall_journal::checkpoint::Checkpoint;
use flagfall_journal::witness::{self, Missing};
use std::sync::Arc;

/// The hall has countersigned this.
pub(super) fn take(station: &Arc<Station>, token: &str, Setting { text: note, pi, .. }: &Setting) {
    let Some(board) = wire::name(token) else { return };
    let ours = pi.as_ref().is_some_and(|pi| *pi == station.pi);
    let Ok((log, checkpoint)) = Checkpoint::read(note) else {
        return tracing::warn!("nats: what the hall has witnessed of board {board} cannot be read; it is ignored");
    };
    station.witnessed.take(&board, (log, checkpoint.size), (note, ours));
    let (station, note) = (station.clone(), note.clone());
    station.clone().tasks.spawn_blocking(move || {
        if let Err(error) = witness::keep_latest(&station.data_dir, &board, &note) {
            tracing::warn!("nats: what the hall has witnessed of board {board} cannot be kept: {error}");
        }
        compare(&station);
    });
}

/// Compares the journals of this machine's boards with what the hall had seen of them when this process first heard of it. Blocks.
pub(super) fn compare(station: &Station) {
    for (board, _) in station.list() {
        let board = &*board.name;
        let Some((note, ours)) = station.witnessed.due(board) else { continue };
        let ours = || ours || witness::is_signed_by_own(&station.data_dir, &note, &station.journal.public_key());
        match witness::missing(&station.data_dir, board, &note) {
            // A journal that is not here and was never this machine's: another one had the board meanwhile.
            Ok(missing) => {
                let Some(Missing { why, .. }) = missing.filter(|missing| !missing.whole || ours()) else { continue };
                let text = format!("{why}. Compare its moves with the score sheets; what the hall has seen is the older truth");
                tracing::error!("board {board}: {text}");
                station.hub.alarm("journal-rolled-back", board, Some(text));
            }
            Err(error) => tracing::warn!("board {board}: its journals cannot be compared with what the hall has seen: {error}"),
        }
    }
}

/// The newest checkpoint of a board's journal, and what shows that it goes on from what the hall has seen. Blocks.
pub(super) fn shown(station: &Station, board: &str) -> (Option<String>, Option<Way>) {
    let Some(note) = station.journal.newest_checkpoint(board) else { return (None, None) };
    let way = Checkpoint::read(&note).ok().and_then(|(log, checkpoint)| {
        let seen = station.witnessed.of(board, &log).filter(|seen| *seen < checkpoint.size)?;
        let way = station.ways.on(&station.data_dir, (board, &log), seen, checkpoint.size)?;
        Some(Way { from: seen, hashes: way.iter().map(|hash| STANDARD.encode(hash)).collect() })
    });
    (Some(note), way)
}
