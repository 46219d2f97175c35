//! `flagfall watch`: boards and findings live in a terminal: a table on the whole screen, or one line for each event that matters to an arbiter.
//!
//! | to change | go to |
//! |---|---|
//! | the lines: what is printed where nobody sits in front of it | `watch/lines.rs` |
//! | their words and figures; sentences for people | `watch/words.rs`, `watch/sentences.rs` |
//! | what is known of a board | `watch/boards.rs` |
//! | the table: what it shows; what a key does | `watch/table.rs`, `watch/keys.rs` |
//! | who listens, what is entered, what ends it | `watch/live.rs` |
//! | what it looks like | `watch/draw.rs` |
//! | taking the terminal, and giving it back whatever happens | `watch/screen.rs` |
mod boards;
mod draw;
mod keys;
mod lines;
mod live;
mod screen;
mod sentences;
mod table;
mod words;

pub use words::Lang;

use super::remote::{Remote, RemoteSession};
use super::{ExitError, output};
use crate::daemon;
use lines::Lines;
use live::RETRY;
use std::io::IsTerminal as _;
use tokio_util::sync::CancellationToken;

/// Arguments of `watch`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
In a terminal it is a table on the whole screen: arrows choose a board, Enter shows what was found there, c confirms and d dismisses, after a
question; q ends it. In a pipe, or with --plain, it is one line for each event that matters; quiet boards say nothing. Everything else is
entered with `flagfall rule`. Exit codes: 69 no daemon there, 77 not allowed.")]
pub struct Args {
    #[command(flatten)]
    remote: Remote,
    /// This board only
    #[arg(long, value_name = "NAME")]
    board: Option<String>,
    /// Language of the sentences
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// Completed moves and notes, too
    #[arg(long)]
    all: bool,
    /// Lines in a terminal, too
    #[arg(long)]
    plain: bool,
}

/// Watches until it is interrupted; a daemon that goes away is waited for.
pub fn run(args: Args) -> Result<(), ExitError> {
    daemon::block_on(|stop| async move {
        // A password is asked for before the screen is taken.
        let session = args.remote.open().await?;
        let lines = Lines::new(args.lang, args.all, args.board.clone(), std::io::stdout().is_terminal());
        if args.plain || !screen::can_be_taken() { plain(&session, &lines, &stop).await } else { live::show(session, lines, &stop).await }
    })
}

/// Lines, one after another.
async fn plain(session: &RemoteSession, lines: &Lines, stop: &CancellationToken) -> Result<(), ExitError> {
    loop {
        let listening = session.listen("arbiter/events", |kind, event| lines.print(kind, event));
        let ended = tokio::select! {
            ended = listening => ended,
            () = stop.cancelled() => return Ok(()),
        };
        match ended {
            Err(error) if error.code() != super::Exit::Unavailable => return Err(error),
            _ => output::complain(lines.lang.pick("connection lost; trying again", "связь потеряна; пробуем снова")),
        }
        tokio::select! {
            () = tokio::time::sleep(RETRY) => {}
            () = stop.cancelled() => return Ok(()),
        }
    }
}
