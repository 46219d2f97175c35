//! The link that lets one browser in, where there are no accounts: made, taken once, too old after half a day.
use super::session::{LIFETIME, digest, secret};
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use std::sync::{Mutex, MutexGuard, PoisonError};
use subtle::ConstantTimeEq as _;

/// The link that stands, if one does.
#[derive(Debug)]
pub(super) struct Links {
    /// What the page is called: `http://127.0.0.1:8064`.
    root: String,
    stopwatch: Stopwatch,
    standing: Mutex<Option<([u8; 32], Mono)>>,
}

impl Links {
    pub(super) fn new(root: String) -> Self {
        Self { root, stopwatch: Stopwatch::start(), standing: Mutex::default() }
    }

    /// A new link; the one before is no use any more.
    pub(super) fn renew(&self) -> Result<String, getrandom::Error> {
        let key = secret()?;
        *self.lock() = Some((digest(&key), self.stopwatch.now()));
        // Behind a #: no server, no proxy and no log of one ever sees it.
        Ok(format!("{}/arbiter#key={key}", self.root))
    }

    /// Whether this is the key of the link that stands. It is used up by that, and it is no use after half a day.
    pub(super) fn take(&self, key: &str) -> bool {
        let now = self.stopwatch.now();
        self.take_at(key, now)
    }

    fn take_at(&self, key: &str, now: Mono) -> bool {
        let mut standing = self.lock();
        let Some((known, made)) = *standing else { return false };
        let right = bool::from(known.ct_eq(&digest(key))) && now.since(made) < LIFETIME;
        if right {
            *standing = None;
        }
        right
    }

    fn lock(&self) -> MutexGuard<'_, Option<([u8; 32], Mono)>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(link: &str) -> String {
        String::from(link.strip_prefix("http://h:1/arbiter#key=").unwrap())
    }

    #[test]
    fn a_link_lets_one_in_and_once() {
        let links = Links::new(String::from("http://h:1"));
        let first = key(&links.renew().unwrap());
        assert!(!links.take("") && !links.take(&first[1..]));
        assert!(links.take(&first) && !links.take(&first));
        let (second, third) = (key(&links.renew().unwrap()), key(&links.renew().unwrap()));
        assert!(!links.take(&second), "renewed");
        let made = links.lock().unwrap().1;
        assert!(!links.take_at(&third, made + LIFETIME) && links.take_at(&third, made + (LIFETIME - 1)));
    }
}
