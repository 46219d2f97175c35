//! `flagfall run`: the daemon.
use super::{ExitError, check, output};
use crate::config::default_data_dir;
use crate::daemon::{self, Options};
use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::{env, io};
use tracing_subscriber::EnvFilter;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The configuration; without it /etc/flagfall/flagfall.toml where there is one, else the defaults
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where the page and the HTTP API listen, over the configuration; port 0 picks a free one
    #[arg(long, value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// Where journals are kept, over the configuration
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Record what the boards say, one capture a board, in this folder
    #[arg(long, value_name = "DIR")]
    capture: Option<PathBuf>,
    /// Another folder of devices
    #[arg(long, value_name = "DIR", hide = true, default_value = "/dev")]
    dev_dir: PathBuf,
}

/// Runs until SIGTERM or SIGINT.
pub fn run(args: Args) -> Result<(), ExitError> {
    let (_, mut config) = check::load(args.config.as_deref())?;
    for advice in config.advice() {
        output::complain(&format!("unwise: {advice}"));
    }
    config.web = args.listen.unwrap_or(config.web);
    config.data_dir = args.data_dir.or(config.data_dir).or_else(|| default_data_dir(|name| env::var_os(name)));
    config.capture = args.capture.or(config.capture);
    log();
    let options = Options { dev: args.dev_dir, ..Options::default() };
    daemon::block_on(|token| daemon::run(config, options, token))
}

/// Log lines on stderr: warnings and errors, more with `FLAGFALL_LOG=info` or `debug`.
pub(super) fn log() {
    let filter = EnvFilter::try_from_env("FLAGFALL_LOG").unwrap_or_else(|_| EnvFilter::new("flagfall=warn"));
    let format = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_target(false);
    let format = format.with_ansi(io::stderr().is_terminal());
    // systemd's journal has its own stamps.
    let done = if env::var_os("JOURNAL_STREAM").is_some() { format.without_time().try_init() } else { format.try_init() };
    // A second call in one process changes nothing.
    drop(done);
}
