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
    config: Option<PathBuf>,
    /// Where the page and the HTTP API listen, over the configuration; port 0 picks a free one
    #[arg(long, value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// Where the hall keeps what outlives it, over the configuration: the event's rounds, its certificate
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// How much the log says, over the configuration: error, warn, info, debug, trace
    #[arg(long, value_name = "LEVEL")]
    log: Option<String>,
}

/// Runs until SIGTERM or SIGINT.
#[cfg(feature = "nats")]
pub fn run(args: Args) -> Result<(), ExitError> {
    use super::output;
    use crate::daemon::{self, Options, Reread, logging};
    use crate::hall;
    use flagfall_config::witness::in_a_hall;

    let config = args.configuration()?;
    let mut advice = config.advice();
    // With a section [hall] it is said already.
    let witnesses = in_a_hall(&config.witnesses).filter(|text| !advice.contains(text));
    advice.extend(witnesses);
    for advice in advice {
        output::complain(&format!("unwise: {advice}"));
    }
    for text in super::check::lichess_refusals(&config) {
        output::complain(&format!("lichess: {text}"));
    }
    logging::start(args.log.as_deref(), &config.log)?;
    let options = Options { reread: Some(Reread::new(move || args.configuration())), ..Options::default() };
    daemon::block_on(|token| hall::run(config, options, token))
}

#[cfg(feature = "nats")]
impl Args {
    /// The configuration as its file is now, with what the command line says over it.
    fn configuration(&self) -> Result<crate::config::Config, ExitError> {
        let (_, mut config) = super::check::load(self.config.as_deref())?;
        config.web = self.listen.unwrap_or(config.web);
        let place = self.data_dir.clone().or_else(|| config.data_dir.take());
        config.data_dir = place.or_else(|| crate::config::default_data_dir(|name| std::env::var_os(name)));
        Ok(config)
    }
}

/// This build cannot.
#[cfg(not(feature = "nats"))]
pub fn run(_: Args) -> Result<(), ExitError> {
    Err(ExitError::unavailable("this flagfall was built without NATS, and a hall needs it; build it with `--features nats`"))
}
