//! A journal made in simulated time: what a link would say of a game, through a board.
use flagfall::journal::checkpoint;
use flagfall::journal::header::{FORMAT, Open, named};
use flagfall::journal::key::Key;
use flagfall::journal::line::Chain;
use flagfall::journal::replay::Replay;
use flagfall::journal::what::{LinkChange, What};
use flagfall_capture::CaptureLine;
use flagfall_events::{Body, Event, Mono};
use flagfall_game::RECOGNITION;
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{Options, stream};
use std::path::Path;
use std::sync::Arc;

/// A journal under way.
pub(crate) struct Recording {
    bytes: Vec<u8>,
    chain: Chain,
    replay: Replay,
    key: Key,
    log: String,
    /// When the first line was that is not signed.
    since: Option<Mono>,
    /// Its events are those of a program that recognises otherwise.
    otherwise: bool,
}

impl Recording {
    /// A game's journal up to `share` hundredths of its inputs, signed every ten inputs with the key of `folder`.
    pub(crate) fn of_game(folder: &Path, seed: u64, share: usize) -> Vec<u8> {
        Self::made(folder, "1", (seed, share), RECOGNITION, false)
    }

    /// The beginning of a game on the board of this name.
    pub(crate) fn of_board(folder: &Path, board: &str) -> Vec<u8> {
        Self::made(folder, board, (3, 2), RECOGNITION, false)
    }

    /// The beginning of a game as a program that recognises otherwise would journal it, which calls its recognition by this number.
    pub(crate) fn otherwise(folder: &Path, recognition: u32) -> Vec<u8> {
        Self::made(folder, "1", (3, 12), recognition, true)
    }

    fn made(folder: &Path, board: &str, (seed, share): (u64, usize), recognition: u32, otherwise: bool) -> Vec<u8> {
        let game = &games::bundled()[0];
        let played = stream(game, &Options::new(Kind::Blitz, seed));
        let key = Key::of(folder).unwrap().key;
        let now = flagfall::time::now();
        let open = Open {
            raised: Vec::new(),
            format: FORMAT,
            log: Some(String::from("0123456789abcdef")),
            flagfall: String::from(env!("CARGO_PKG_VERSION")),
            recognition: Some(recognition),
            board: String::from(board),
            day: flagfall::time::local_day(now).to_string(),
            recorded_at: now,
            seq: 0,
            settings: named(&played.settings),
            keep: String::from("90d"),
            key: key.public(),
            public: 0,
            games: 0,
            stands: None,
            before: None,
        };
        let log = checkpoint::origin(&open).unwrap();
        let (bytes, chain, replay) = (Vec::new(), Chain::default(), Replay::default());
        let mut recording = Self { bytes, chain, replay, key, log, since: None, otherwise };
        recording.replay.open(&open).unwrap();
        recording.write(Mono::ZERO, &What::Open(Box::new(open)));
        let count = played.lines.len() * share / 100;
        for (n, (t, line)) in played.lines.into_iter().take(count).enumerate() {
            match line {
                CaptureLine::FromBoard(bytes) => recording.input(t, What::In(bytes)),
                CaptureLine::Link(state) => recording.input(t, What::Link(LinkChange { state, reason: None, port: None })),
                CaptureLine::Entry(entry) => recording.input(t, What::Entry(entry)),
                CaptureLine::ToBoard(bytes) => recording.write(t, &What::Out(bytes)),
            }
            if n % 10 == 9 {
                recording.sign(t);
            }
        }
        recording.bytes
    }

    fn input(&mut self, t: Mono, what: What) {
        let mut made = Vec::new();
        self.replay.expire(t, &mut |event| made.push(event.clone()));
        self.events(made);
        self.write(t, &what);
        let mut made = Vec::new();
        self.replay.input(t, what, &mut |event| made.push(event.clone()));
        self.events(made);
    }

    fn events(&mut self, made: Vec<Event>) {
        for mut event in made {
            if let Body::MoveMade { provisional, .. } = &mut event.body {
                *provisional ^= self.otherwise;
            }
            self.write(event.t, &What::Event(Arc::new(event)));
        }
    }

    fn sign(&mut self, t: Mono) {
        let checkpoint = What::Checkpoint(self.key.checkpoint(&self.log, &self.chain, Vec::new()));
        self.chain.write(&mut self.bytes, t, &checkpoint);
        self.since = None;
    }

    fn write(&mut self, t: Mono, what: &What) {
        // As the program does: nothing waits longer.
        if self.since.is_some_and(|since| t >= since + 10_000) {
            self.sign(t);
        }
        self.since.get_or_insert(t);
        self.chain.write(&mut self.bytes, t, what);
    }
}

/// Where each line begins, and the end of the last one.
pub(crate) fn starts(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1);
    std::iter::once(0).chain(ends).collect()
}
