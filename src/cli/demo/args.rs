//! What `flagfall demo` is asked for.
use crate::cli::watch::Lang;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Ctrl-C ends it. --speed shortens the players' thinking, never their hands, the sensors or the clock.")]
pub struct Args {
    /// How many boards
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) boards: u16,
    /// A broker, several machines and a hall over all boards; needs nats-server
    #[arg(long)]
    pub(super) hall: bool,
    /// The players think this many times as fast
    #[arg(long, value_name = "X", default_value = "4", value_parser = speed)]
    pub(super) speed: f64,
    /// Address of the page; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8064")]
    pub(super) listen: SocketAddr,
    /// Where journals are kept [default: a folder that is removed at the end]
    #[arg(long, value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
    /// Record what the boards say, one capture a board, in this folder
    #[arg(long, value_name = "DIR")]
    pub(super) capture: Option<PathBuf>,
    /// Share of games in which something goes wrong on purpose: an illegal move, a press without one, pieces knocked over and the like; `off`:
    /// in none, not even the illegal move on board 1 that the demo begins with
    #[arg(long, value_name = "SHARE|off", default_value = "0.2", value_parser = share)]
    pub(super) incidents: f64,
    /// Write what was really played, one JSON line a game
    #[arg(long, value_name = "FILE", conflicts_with = "hall")]
    pub(super) played: Option<PathBuf>,
    /// Language of what is said here
    #[arg(long, value_enum, default_value_t = Lang::En)]
    pub(super) lang: Lang,
}

impl Args {
    /// Whether board 1 begins with an illegal move, for everybody to see what happens then.
    pub(super) fn shows_one(&self) -> bool {
        self.incidents > 0.0
    }
}

fn share(text: &str) -> Result<f64, String> {
    if text == "off" {
        return Ok(0.0);
    }
    let share = text.parse().ok().filter(|x| (0.0..=1.0).contains(x));
    share.ok_or_else(|| String::from("a share from 0 to 1 is expected, for example 0.2, or off"))
}

fn speed(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x| (0.01..=1000.0).contains(x))
        .ok_or_else(|| String::from("a number from 0.01 to 1000 is expected, for example 10"))
}
