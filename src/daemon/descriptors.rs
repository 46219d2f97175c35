//! How many files, devices and connections the process may have open at once.
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// So many are asked for: enough for a full hall's boards and journals, and for all places of all listeners.
const WANTED: u64 = 8_192;

/// Raises the process's own limit as far as the machine allows. Must come before the listeners, which share out what there is.
pub(crate) fn ask_for_enough() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(WANTED, |most| most.min(WANTED));
    if current.is_some_and(|now| now < wanted)
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum })
    {
        tracing::warn!("only {} descriptors for boards and connections: {error}", current.unwrap_or_default());
    }
}
