//! `flagfall run`: the daemon.
use super::{ExitError, check, output};
use crate::config::{Config, default_data_dir};
use crate::daemon::{self, Options, Reread, logging};
use std::env;
use std::net::SocketAddr;
use std::path::PathBuf;

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
    /// What the log says: error, warn, info, debug, trace, or directives as RUST_LOG has them; over log.level of the configuration
    #[arg(long, value_name = "LEVEL")]
    log: Option<String>,
    /// Another folder of devices
    #[arg(long, value_name = "DIR", hide = true, default_value = "/dev")]
    dev_dir: PathBuf,
    /// Another folder in which the kernel tells about devices
    #[arg(long, value_name = "DIR", hide = true, default_value = "/sys")]
    sys_dir: PathBuf,
    /// Another folder in which running services tell about themselves
    #[arg(long, value_name = "DIR", hide = true, default_value = "/run")]
    run_dir: PathBuf,
}

/// Runs until SIGTERM or SIGINT.
pub fn run(args: Args) -> Result<(), ExitError> {
    let config = args.configuration()?;
    for advice in config.advice() {
        output::complain(&format!("unwise: {advice}"));
    }
    // Boards and arbiters need the daemon all the same.
    for text in check::lichess_refusals(&config) {
        output::complain(&format!("lichess: {text}"));
    }
    logging::start(args.log.as_deref(), &config.log)?;
    let dev = args.dev_dir.clone();
    let options = Options {
        dev,
        sys: args.sys_dir.clone(),
        run: args.run_dir.clone(),
        reread: Some(Reread::new(move || args.configuration())),
        found_at: None,
    };
    daemon::block_on(|token| daemon::run(config, options, token))
}

impl Args {
    /// The configuration as its file is now, with what the command line says over it.
    fn configuration(&self) -> Result<Config, ExitError> {
        let (_, mut config) = check::load(self.config.as_deref())?;
        config.web = self.listen.unwrap_or(config.web);
        let place = self.data_dir.clone().or_else(|| config.data_dir.take());
        config.data_dir = place.or_else(|| default_data_dir(|name| env::var_os(name)));
        config.capture = self.capture.clone().or_else(|| config.capture.take());
        Ok(config)
    }
}
