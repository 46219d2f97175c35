//! `flagfall hall`: the same pages and publishers over all boards of an event.
use super::ExitError;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Arguments of `hall`.
#[derive(Debug, clap::Args)]
#[command(after_help = "The configuration needs [nats]; docs/hall.md says how a hall is set up, and what happens when a part of it fails.")]
pub struct Args {
    /// The configuration; without it /etc/flagfall/flagfall.toml where there is one
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Where the page and the HTTP API listen, over the configuration; port 0 picks a free one
    #[arg(long, value_name = "ADDR")]
    pub(super) listen: Option<SocketAddr>,
    /// Where the hall keeps what outlives it, over the configuration: the event's rounds, its certificate
    #[arg(long, value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
}

/// Runs until SIGTERM or SIGINT.
#[cfg(feature = "nats")]
pub fn run(args: Args) -> Result<(), ExitError> {
    use super::{check, output, run};
    use crate::config::default_data_dir;
    use crate::{daemon, hall};

    let (_, mut config) = check::load(args.config.as_deref())?;
    for advice in config.advice() {
        output::complain(&format!("unwise: {advice}"));
    }
    config.web = args.listen.unwrap_or(config.web);
    config.data_dir = args.data_dir.or(config.data_dir).or_else(|| default_data_dir(|name| std::env::var_os(name)));
    run::log();
    daemon::block_on(|token| hall::run(config, token))
}

/// This build cannot.
#[cfg(not(feature = "nats"))]
pub fn run(_: Args) -> Result<(), ExitError> {
    Err(ExitError::unavailable("this flagfall was built without NATS, and a hall needs it; build it with `--features nats`"))
}
