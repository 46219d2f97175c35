//! Checks of passwords: each takes 19 MiB, so few run at once ([`super::attempts`] sees to it), in memory that is used again and goes back to the
//! system when nobody has signed in for a while.
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use subtle::ConstantTimeEq as _;

/// glibc gives an allocation above this straight back when it is freed, wherever it was made; smaller ones may stay in the heaps of the threads
/// that made them, for ever. Bytes: its `DEFAULT_MMAP_THRESHOLD_MAX`. What is reserved beyond what is written to costs nothing.
const GIVEN_BACK: usize = 32 * 1024 * 1024;

/// The memory of checks that run, or ran lately.
#[derive(Default)]
pub(super) struct Memory {
    free: Mutex<Vec<Vec<Block>>>,
    used: AtomicBool,
}

impl Memory {
    /// Whether `password` is the one of this hash, in PHC notation. Without a hash it takes as long and is wrong.
    pub(super) fn verify(&self, password: &[u8], hash: Option<&str>) -> bool {
        let known = hash.and_then(Known::read);
        let (argon2, salt, expected) = match &known {
            Some(known) => (&known.argon2, known.salt.as_slice(), known.output.as_slice()),
            None => (&Argon2::default(), [0; 16].as_slice(), [0; 32].as_slice()),
        };
        let mut output = vec![0; expected.len()];
        let made =
            self.with(argon2.params().block_count(), |blocks| argon2.hash_password_into_with_memory(password, salt, &mut output, blocks));
        made.is_ok() && bool::from(output.ct_eq(expected)) && known.is_some()
    }

    /// Gives back what nobody used since the last time.
    pub(super) fn sweep(&self) {
        if !self.used.swap(false, Ordering::Relaxed) {
            self.lock().clear();
        }
    }

    fn with<T>(&self, blocks: usize, work: impl FnOnce(&mut [Block]) -> T) -> T {
        self.used.store(true, Ordering::Relaxed);
        let mut memory = self.lock().pop().unwrap_or_default();
        if memory.capacity() < blocks {
            memory = Vec::with_capacity(blocks.max(GIVEN_BACK / Block::SIZE + 1));
        }
        if memory.len() < blocks {
            memory.resize(blocks, Block::new());
        }
        let done = work(memory.get_mut(..blocks).unwrap_or_default());
        self.lock().push(memory);
        done
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<Block>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("free", &self.lock().len()).finish_non_exhaustive()
    }
}

/// What a hash says.
struct Known {
    argon2: Argon2<'static>,
    salt: Vec<u8>,
    output: Vec<u8>,
}

impl Known {
    fn read(hash: &str) -> Option<Self> {
        let hash = PasswordHash::new(hash).ok()?;
        let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
        let version = hash.version.map_or_else(|| Ok(Version::default()), Version::try_from).ok()?;
        let params = Params::try_from(&hash).ok()?;
        Some(Self { argon2: Argon2::new(algorithm, version, params), salt: hash.salt?.to_vec(), output: hash.hash?.as_bytes().to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::accounts;

    #[test]
    fn a_check_agrees_with_the_hash_and_its_memory_is_used_again_and_given_back() {
        let memory = Memory::default();
        let hash = accounts::hash("right").unwrap();
        assert!(memory.verify(b"right", Some(&hash)) && !memory.verify(b"wrong", Some(&hash)) && !memory.verify(b"", None));
        // Another cost, another length: as an administrator may have made it elsewhere.
        let other = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$c29tZWhhc2hzb21laGFzaA";
        assert!(!memory.verify(b"right", Some(other)) && !memory.verify(b"right", Some("nonsense")));
        assert_eq!(memory.lock().len(), 1, "one after the other they share it");
        memory.sweep();
        assert_eq!(memory.lock().len(), 1, "it was used a moment ago");
        memory.sweep();
        assert!(memory.lock().is_empty());
    }
}
