//! The wire from the board to the host: one byte every 1.042 ms (9600 8N1), one frame after another, never interleaved.
//!
//! It can be damaged: a share of the frames is lost, doubled or has a byte changed. Times are microseconds.
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// One byte at 9600 baud: ten bits.
pub const BYTE: u64 = 1_042;

/// How the host's reads cut the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Split {
    /// A read gives a whole frame (of a long one, up to 64 bytes).
    #[default]
    Frames,
    /// A read ends anywhere.
    Anywhere,
    /// A read gives a single byte.
    Bytes,
}

/// The wire.
#[derive(Clone, Debug)]
pub struct Wire {
    free_at: u64,
    chunks: VecDeque<(u64, Vec<u8>)>,
    split: Split,
    damage: f64,
    exposed: bool,
    losses_only: bool,
    rng: ChaCha8Rng,
}

impl Wire {
    /// A free wire; `damage` is the share of frames that suffer, 0 to 1, once it is exposed.
    pub fn new(split: Split, damage: f64, seed: u64) -> Self {
        let damage = if damage.is_nan() { 0.0 } else { damage.clamp(0.0, 1.0) };
        Self {
            free_at: 0,
            chunks: VecDeque::new(),
            split,
            damage,
            exposed: false,
            losses_only: false,
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Frames that suffer are lost, or lose a byte, so that no decoder takes them.
    #[must_use]
    pub fn with_losses_only(self, losses_only: bool) -> Self {
        Self { losses_only, ..self }
    }

    /// From now on frames may be damaged.
    pub const fn expose(&mut self) {
        self.exposed = true;
    }

    /// Puts a frame on the wire behind those that are already there.
    pub fn send(&mut self, t: u64, mut frame: Vec<u8>) {
        if self.exposed && self.damage > 0.0 && self.rng.random_bool(self.damage) {
            match self.rng.random_range(0..3) {
                _ if self.losses_only => {
                    if frame.len() < 2 || self.rng.random_bool(0.5) {
                        return;
                    }
                    frame.remove(self.rng.random_range(0..frame.len()));
                }
                0 => return,
                1 => self.transmit(t, &frame),
                _ => {
                    let at = self.rng.random_range(0..frame.len().max(1));
                    if let Some(byte) = frame.get_mut(at) {
                        *byte ^= 1 << self.rng.random_range(0..8);
                    }
                }
            }
        }
        self.transmit(t, &frame);
    }

    fn transmit(&mut self, t: u64, frame: &[u8]) {
        let mut at = self.free_at.max(t);
        let mut rest = frame;
        while !rest.is_empty() {
            let most = rest.len().min(64);
            let length = match self.split {
                Split::Frames => most,
                Split::Anywhere => self.rng.random_range(1..=most),
                Split::Bytes => 1,
            };
            let (chunk, after) = rest.split_at(length);
            at += BYTE * chunk.len() as u64;
            self.chunks.push_back((at, chunk.to_vec()));
            rest = after;
        }
        self.free_at = at;
    }

    /// When the next bytes have arrived.
    pub fn deadline(&self) -> Option<u64> {
        self.chunks.front().map(|(at, _)| *at)
    }

    /// What has arrived by `t`, read by read.
    pub fn poll(&mut self, t: u64) -> Option<(u64, Vec<u8>)> {
        self.chunks.pop_front_if(|(at, _)| *at <= t)
    }

    /// The cable is out: what was under way is lost.
    pub fn cut(&mut self, t: u64) {
        self.chunks.clear();
        self.free_at = t;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_delays_the_update_behind_it() {
        let mut wire = Wire::new(Split::Frames, 0.0, 1);
        wire.send(0, vec![0x86; 67]);
        wire.send(10_000, vec![0x8E; 5]);
        assert_eq!(wire.poll(64 * BYTE - 1), None);
        let arrivals: Vec<_> = std::iter::from_fn(|| wire.poll(u64::MAX)).map(|(at, bytes)| (at, bytes.len())).collect();
        assert_eq!(arrivals, [(64 * BYTE, 64), (67 * BYTE, 3), (72 * BYTE, 5)]);
    }

    #[test]
    fn cut_anywhere_nothing_is_lost_and_nothing_overtakes() {
        for split in [Split::Anywhere, Split::Bytes] {
            let mut wire = Wire::new(split, 0.0, 1);
            let sent: Vec<u8> = (0..200).collect();
            wire.send(0, sent.clone());
            let got: Vec<u8> = std::iter::from_fn(|| wire.poll(u64::MAX)).flat_map(|(_, bytes)| bytes).collect();
            assert_eq!(got, sent);
        }
    }

    #[test]
    fn a_loss_is_understood_by_no_decoder() {
        use dgt_protocol::receiver::{Receiver, Single};
        let frames: [&[u8]; 3] = [&[0x8E, 0, 5, 36, 1], &[0x8E, 0, 5, 5, 7], &[0x8D, 0, 10, 0, 1, 2, 0x20, 3, 4, 9]];
        for seed in 0..300 {
            let mut wire = Wire::new(Split::Frames, 1.0, seed).with_losses_only(true);
            let mut receiver = Receiver::new(Single::Dgt);
            for frame in frames {
                wire.expose();
                wire.send(0, frame.to_vec());
                wire.exposed = false;
                wire.send(0, vec![0x8E, 0, 5, 1, 2]);
            }
            let bytes: Vec<u8> = std::iter::from_fn(|| wire.poll(u64::MAX)).flat_map(|(_, bytes)| bytes).collect();
            let understood: Vec<String> = receiver.feed(0, &bytes).flatten().map(|message| message.to_string()).collect();
            assert!(understood.len() == 3 && understood.iter().all(|message| *message == understood[0]), "{seed}: {understood:?}");
        }
    }

    #[test]
    fn damage_touches_its_share_of_frames() {
        let mut wire = Wire::new(Split::Frames, 0.1, 7);
        wire.expose();
        for _ in 0..1000 {
            wire.send(0, vec![0x8E, 0, 5, 36, 1]);
        }
        let whole = std::iter::from_fn(|| wire.poll(u64::MAX)).filter(|(_, bytes)| bytes == &[0x8E, 0, 5, 36, 1]).count();
        assert!((880..=980).contains(&whole), "{whole}");
    }
}
