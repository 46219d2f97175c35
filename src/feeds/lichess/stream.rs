//! The stream of a round: what viewers see of each game, as it changes. It spares Lichess reading the whole round after each push.
use super::client::Client;
use super::line::Line;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Until it is opened again after it broke, doubled …
const AGAIN: Duration = Duration::from_secs(5);
/// … up to this.
const LONGEST: Duration = Duration::from_secs(300);
/// No game is longer.
const LONGEST_GAME: usize = 256 * 1024;
/// A game ends with its result and two empty lines.
const END: &str = "\n\n\n";

/// What the stream says.
#[derive(Debug)]
pub(super) enum Streamed {
    /// It is open, or not any more.
    Open(bool),
    /// Games as they stand now.
    Games(Vec<Line>),
}

/// Reads the stream until `token` is cancelled or nobody listens.
pub(super) async fn follow(client: Client, says: mpsc::Sender<Streamed>, token: CancellationToken) {
    let mut pause = AGAIN;
    loop {
        let reading = async {
            let Some(mut answer) = client.stream().await else { return Some(false) };
            says.send(Streamed::Open(true)).await.ok()?;
            let mut games = Games::default();
            while let Ok(Some(bytes)) = answer.chunk().await {
                let Some(found) = games.take(&bytes) else { break };
                if !found.is_empty() {
                    says.send(Streamed::Games(found)).await.ok()?;
                }
            }
            says.send(Streamed::Open(false)).await.ok()?;
            Some(true)
        };
        let was_open = tokio::select! {
            () = token.cancelled() => return,
            read = reading => read,
        };
        match was_open {
            None => return,
            Some(true) => pause = AGAIN,
            Some(false) => pause = (pause * 2).min(LONGEST),
        }
        tokio::select! {
            () = token.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Puts the pieces of a stream together.
#[derive(Debug, Default)]
struct Games(Vec<u8>);

impl Games {
    /// The games that are whole now; `None`: this is no stream of games.
    fn take(&mut self, bytes: &[u8]) -> Option<Vec<Line>> {
        self.0.extend_from_slice(bytes);
        let end = self.0.windows(END.len()).rposition(|three| three == END.as_bytes());
        let found = end.map(|end| {
            let rest = self.0.split_off(end + END.len());
            let whole = std::mem::replace(&mut self.0, rest);
            Line::read(&String::from_utf8_lossy(&whole))
        });
        (self.0.len() <= LONGEST_GAME).then(|| found.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_whole_however_they_are_cut() {
        let text = "[White \"A1\"]\n\n1. e4 *\n\n\n[White \"B1\"]\n\n1. d4 d5 *\n\n\n \n[White \"C1\"]\n\n1. c4";
        for size in 1..text.len() {
            let mut games = Games::default();
            let found: Vec<Line> = text.as_bytes().chunks(size).flat_map(|piece| games.take(piece).unwrap()).collect();
            let said: Vec<_> = found.iter().map(|line| (line.tag("White").unwrap(), line.moves.len())).collect();
            assert_eq!(said, [("A1", 1), ("B1", 2)], "pieces of {size}");
        }
        assert!(Games::default().take(&vec![b'x'; LONGEST_GAME + 1]).is_none());
    }
}
