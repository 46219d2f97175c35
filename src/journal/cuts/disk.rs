//! A disk that loses its power: what was synced is there, of the rest any sectors, in any state they had, and any length.
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A file system gives out space in blocks of so many bytes: a length that it wrote before the data ends with one.
const BLOCK: usize = 4_096;

/// What a program did to a file and did not sync.
#[derive(Clone, Debug)]
enum Done {
    Write { offset: usize, bytes: Vec<u8> },
    Cut { length: usize },
}

#[derive(Clone, Debug, Default)]
struct Stored {
    synced: Vec<u8>,
    /// Its name in the folder is on disk.
    named: bool,
    done: Vec<Done>,
}

impl Done {
    fn to(&self, content: &mut Vec<u8>) {
        match self {
            Self::Write { offset, bytes } => {
                content.resize(content.len().max(offset + bytes.len()), 0);
                content[*offset..offset + bytes.len()].copy_from_slice(bytes);
            }
            Self::Cut { length } => content.truncate(*length),
        }
    }
}

impl Stored {
    /// What a power cut leaves: `None` where not even its name is on disk.
    fn left(&self, sector: usize, random: &mut ChaCha8Rng) -> Option<Vec<u8>> {
        if !self.named && random.random_ratio(1, 4) {
            return None;
        }
        if self.done.is_empty() {
            return Some(self.synced.clone());
        }
        let mut states = vec![self.synced.clone()];
        for done in &self.done {
            let mut next = states[states.len() - 1].clone();
            done.to(&mut next);
            states.push(next);
        }
        let lengths: Vec<usize> = states.iter().map(Vec::len).collect();
        let (shortest, longest) = (*lengths.iter().min()?, *lengths.iter().max()?);
        let length = match random.random_range(0..4) {
            0 => lengths[random.random_range(0..lengths.len())],
            1 => (random.random_range(shortest..=longest) / sector * sector).max(shortest),
            2 => longest.next_multiple_of(BLOCK) + BLOCK * random.random_range(0..2),
            _ => longest,
        };
        let (mode, last) = (random.random_range(0..4), states.len() - 1);
        let sectors = length.div_ceil(sector);
        let first = self.done.iter().map(|done| if let Done::Write { offset, .. } = done { *offset } else { 0 }).min()? / sector;
        let torn = random.random_range(first.min(sectors)..=sectors);
        let mut left = vec![0; length];
        for n in 0..sectors {
            let version = match mode {
                // In order, up to one of them.
                0 => {
                    if n < torn {
                        last
                    } else {
                        0
                    }
                }
                // The later ones first.
                1 => {
                    if n < torn {
                        0
                    } else {
                        last
                    }
                }
                // One of them only is missing.
                2 => {
                    if n == torn {
                        0
                    } else {
                        last
                    }
                }
                _ => random.random_range(0..=last),
            };
            let (from, to) = (n * sector, (n * sector + sector).min(length));
            let there = states[version].get(from..).unwrap_or_default();
            let there = &there[..there.len().min(to - from)];
            left[from..from + there.len()].copy_from_slice(there);
        }
        Some(left)
    }
}

/// The files on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk(BTreeMap<PathBuf, Stored>);

impl Disk {
    /// One with the files of a folder, all of them synced.
    pub(super) fn of(folder: &Path) -> Self {
        let mut disk = Self::default();
        for path in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            let synced = fs::read(&path).unwrap();
            disk.0.insert(path, Stored { synced, named: true, done: Vec::new() });
        }
        disk
    }

    pub(super) fn write(&mut self, path: &Path, offset: u64, bytes: Vec<u8>) {
        self.0.entry(path.to_owned()).or_default().done.push(Done::Write { offset: offset as usize, bytes });
    }

    pub(super) fn cut(&mut self, path: &Path, length: u64) {
        self.0.entry(path.to_owned()).or_default().done.push(Done::Cut { length: length as usize });
    }

    pub(super) fn sync(&mut self, path: &Path) {
        let stored = self.0.entry(path.to_owned()).or_default();
        for done in std::mem::take(&mut stored.done) {
            done.to(&mut stored.synced);
        }
        stored.named = true;
    }

    /// How many bytes are not synced.
    pub(super) fn unsynced(&self) -> usize {
        let of = |done: &Done| if let Done::Write { bytes, .. } = done { bytes.len() } else { 1 };
        self.0.values().flat_map(|stored| &stored.done).map(of).sum()
    }

    /// The power is cut: what is left of each file is put into a folder, under the name it had.
    pub(super) fn lose_power(&self, folder: &Path, sector: usize, random: &mut ChaCha8Rng) {
        fs::create_dir_all(folder).unwrap();
        for (path, stored) in &self.0 {
            if let Some(left) = stored.left(sector, random) {
                fs::write(folder.join(path.file_name().unwrap()), left).unwrap();
            }
        }
    }
}
