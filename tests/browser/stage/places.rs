//! As many tests as there are processors drive browsers at once: a browser that starves looks like a page that hangs.
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Who has a place, and with how many browsers.
static TAKEN: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);

/// A test's place; it is free again when the last of the test's browsers has ended. Further browsers of the same test need none.
pub(crate) struct Place(String);

impl Place {
    /// Waits until one is free.
    pub(crate) async fn take(test: &str) -> Self {
        let places = std::thread::available_parallelism().map_or(1, usize::from);
        loop {
            {
                let mut taken = taken();
                let taken = taken.get_or_insert_default();
                if taken.len() < places || taken.contains_key(test) {
                    *taken.entry(test.to_owned()).or_default() += 1;
                    return Self(test.to_owned());
                }
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = taken();
        let taken = taken.get_or_insert_default();
        if let Some(browsers) = taken.get_mut(&self.0) {
            *browsers -= 1;
            if *browsers == 0 {
                taken.remove(&self.0);
            }
        }
    }
}

fn taken() -> MutexGuard<'static, Option<HashMap<String, u32>>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}
