//! The same stream through the recogniser that the daemon uses.
use flagfall_capture::CaptureLine;
use flagfall_events::{Body, Grade, Mono, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_simulator::stream::Stream;

/// What became of it.
#[derive(Default)]
pub(crate) struct Read {
    pub(crate) moves: Vec<String>,
    /// Every ply that was ever completed as this move.
    completed: Vec<(u32, String)>,
    /// Findings that accuse somebody or ask for attention; nobody did anything.
    pub(crate) findings: usize,
    pub(crate) pressed: usize,
    pub(crate) at_once: usize,
    press: u64,
}

impl Read {
    /// Plies that were completed as moves that were not played.
    pub(crate) fn wrong(&self, truth: &[String]) -> usize {
        self.completed.iter().filter(|(ply, uci)| truth.get(*ply as usize - 1).is_some_and(|played| played != uci)).count()
    }

    fn take(&mut self, t: Mono, body: &Body) {
        match body {
            Body::Press { .. } => self.press = t.millis(),
            Body::MoveCompleted { ply, uci, .. } => {
                self.pressed += 1;
                self.at_once += usize::from(t.millis() <= self.press + 5);
                self.completed.push((*ply, uci.to_string()));
                self.moves.truncate(*ply as usize - 1);
                self.moves.push(uci.to_string());
            }
            Body::MoveRevised { ply, uci, .. } => {
                if let Some(place) = self.moves.get_mut(*ply as usize - 1) {
                    *place = uci.to_string();
                }
            }
            Body::MoveWithdrawn { ply, .. } => self.moves.truncate(*ply as usize - 1),
            Body::Finding(finding) if finding.grade != Grade::Note => self.findings += 1,
            _ => {}
        }
    }
}

pub(crate) fn read(stream: &Stream) -> Read {
    let (mut board, mut read) = (Board::new("bench", Wall::EPOCH, stream.settings.clone()), Read::default());
    for (t, line) in &stream.lines {
        run_until(&mut board, *t, &mut read);
        match line {
            CaptureLine::FromBoard(bytes) => board.bytes(*t, bytes),
            CaptureLine::Link(state) => board.link(*t, *state, None),
            _ => {}
        }
        drain(&mut board, *t, &mut read);
    }
    let end = stream.lines.last().map_or(Mono::ZERO, |(t, _)| *t + 10_000);
    run_until(&mut board, end, &mut read);
    read
}

fn run_until(board: &mut Board, end: Mono, read: &mut Read) {
    while let Some(deadline) = board.deadline().filter(|deadline| *deadline <= end) {
        board.timeout(deadline);
        drain(board, deadline, read);
    }
}

fn drain(board: &mut Board, _: Mono, read: &mut Read) {
    while let Some(output) = board.poll() {
        if let Output::Event(event) = output {
            read.take(event.t, &event.body);
        }
    }
}
