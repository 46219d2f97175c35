//! `flagfall demo`: the whole daemon on simulated boards, over real pseudo-terminals and the real protocol.
#[cfg(feature = "nats")]
mod hall;
mod played;

use super::{ExitError, output};
use crate::config::log::{Level, Log};
use crate::config::{BoardConfig, Config, Discovery, LinkAddress};
use crate::daemon::{self, logging};
use flagfall_game::settings::Settings;
use flagfall_simulator::pty::{self, Programme, PtyHandle};
use flagfall_simulator::tables::Table;
use played::Played;
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::{env, fs, process};
use tokio_util::sync::CancellationToken;

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Ctrl-C ends it. --speed shortens the players' thinking, never their hands, the sensors or the clock.")]
pub struct Args {
    /// How many boards
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    boards: u16,
    /// A broker, several machines and a hall over all boards; needs nats-server
    #[arg(long)]
    hall: bool,
    /// The players think this many times as fast
    #[arg(long, value_name = "X", default_value = "4", value_parser = speed)]
    speed: f64,
    /// Address of the page; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8064")]
    listen: SocketAddr,
    /// Where journals are kept [default: a folder that is removed at the end]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Record what the boards say, one capture a board, in this folder
    #[arg(long, value_name = "DIR")]
    capture: Option<PathBuf>,
    /// Share of games in which something goes wrong on purpose: an illegal move, a press without one, pieces knocked over and the like
    #[arg(long, value_name = "SHARE", default_value = "0.2", value_parser = share)]
    incidents: f64,
    /// Write what was really played, one JSON line a game
    #[arg(long, value_name = "FILE", conflicts_with = "hall")]
    played: Option<PathBuf>,
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x| (0.0..=1.0).contains(x)).ok_or_else(|| String::from("a share from 0 to 1 is expected, for example 0.2"))
}

fn speed(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x| (0.01..=1000.0).contains(x))
        .ok_or_else(|| String::from("a number from 0.01 to 1000 is expected, for example 10"))
}

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
        let boards_are =
            if args.boards == 1 { String::from("1 simulated board; its") } else { format!("{} simulated boards; their", args.boards) };
        output::complain(&format!("{boards_are} page is at the following address; Ctrl-C ends it"));
        let run = daemon::run(config, daemon::Options::default(), stop);
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

/// One simulated board at a link in `folder`, and what the daemon is told about it.
fn board(folder: &Path, number: u16, args: &Args, token: CancellationToken) -> Result<(BoardConfig, PtyHandle), ExitError> {
    let Table { games, options, play } = Table::new(number, args.speed, args.incidents);
    let link = LinkAddress::Serial(folder.join(format!("board-{number}")));
    let settings = Settings { play, link: link.to_string(), ..options.settings(&games[0]) };
    let play = Programme { games, repeat: true, options, link: Some(folder.join(format!("board-{number}"))) };
    let handle = pty::spawn(play, token)
        .map_err(|e| ExitError::unavailable(format_args!("board {number}: no pseudo-terminal: {e}; try fewer with --boards")))?;
    Ok((BoardConfig { name: number.to_string(), link, settings }, handle))
}

/// A folder of our own for the links; removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn create() -> Result<Self, ExitError> {
        let path = env::temp_dir().join(format!("flagfall-demo-{}", process::id()));
        // Never somebody else's folder: it must not exist, and only we may enter it.
        fs::DirBuilder::new().mode(0o700).create(&path).map_err(|e| ExitError::writing(&path, &e))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is a few links in a folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
