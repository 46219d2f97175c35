//! `flagfall demo`: the whole daemon on simulated boards, over real pseudo-terminals and the real protocol.
mod args;
mod boards;
mod guide;
#[cfg(feature = "nats")]
mod hall;
mod played;

pub use args::Args;

use super::{ExitError, output};
use crate::config::log::{Level, Log};
use crate::config::{Config, Discovery};
use crate::daemon::{self, logging};
use boards::{Folder, board};
use played::Played;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Plays until it is interrupted.
pub fn run(args: Args) -> Result<(), ExitError> {
    // Its players are clumsy on purpose: only what goes wrong is said.
    let log = Log { level: Level::Warn };
    if args.hall {
        #[cfg(feature = "nats")]
        {
            logging::start(None, &log)?;
            return hall::run(&args);
        }
        #[cfg(not(feature = "nats"))]
        return Err(ExitError::unavailable(
            "this flagfall was built without NATS, and a hall needs it; build it with `--features nats`. `flagfall demo` shows one machine",
        ));
    }
    let played = args.played.clone().map(Played::create).transpose()?;
    let folder = Folder::create()?;
    logging::start(None, &log)?;
    daemon::block_on(|stop| async move {
        // The boards outlive the daemon, so that no hang-up is the last thing it sees.
        let ended = CancellationToken::new();
        let mut config = Config {
            web: args.listen,
            discovery: Discovery { serial: false, ble: false },
            data_dir: Some(args.data_dir.clone().unwrap_or_else(|| folder.0.join("data"))),
            capture: args.capture.clone(),
            log,
            ..Config::default()
        };
        let mut boards = Vec::new();
        for number in 1..=args.boards {
            let (board, handle) = board(&folder.0, number, &args, ended.clone())?;
            config.boards.push(board);
            boards.push(handle);
        }
        output::complain(&guide::opening(&args));
        let (tell, found_at) = mpsc::unbounded_channel();
        let run = guide::guided(
            &args,
            found_at,
            daemon::run(config, daemon::Options { found_at: Some(tell), ..daemon::Options::default() }, stop),
        );
        let done = match played {
            Some(mut played) => {
                let told = CancellationToken::new();
                let (done, ()) = tokio::join!(
                    async {
                        let done = run.await;
                        told.cancel();
                        done
                    },
                    played.follow(&boards, &told)
                );
                played.close(&boards);
                done
            }
            None => run.await,
        };
        ended.cancel();
        for board in boards {
            board.join().await;
        }
        done
    })
}
