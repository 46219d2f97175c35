//! What the simulated boards want.
use super::daemon::KEY;
use flagfall::simulator::pegasus::Quirks;

pub(crate) fn quirks() -> Quirks {
    Quirks { key: Some(KEY.parse().unwrap()), ..Quirks::default() }
}
