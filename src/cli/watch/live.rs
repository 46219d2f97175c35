//! The table on the whole screen: it listens to the daemon, hears keys, enters what was asked for and draws what came of it.
use super::boards::Boards;
use super::draw::draw;
use super::keys::{Act, press};
use super::lines::Lines;
use super::screen::{Keys, Screen};
use super::table::{Answer, Ruling, Table};
use super::words::Lang;
use crate::cli::remote::RemoteSession;
use crate::cli::{Exit, ExitError};
use crate::time::Stopwatch;
use flagfall_events::{Decision, Entry, Order};
use ratatui::crossterm::event::Event;
use rustix::process::{Signal, getpid, kill_process};
use serde_json::Value;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// After a lost connection it is tried again this often.
pub(super) const RETRY: Duration = Duration::from_secs(3);
/// How often what changed is drawn, where no key was pressed.
const FRAME: Duration = Duration::from_millis(200);
/// What the listener tells.
enum News {
    Begun,
    Event(String, Value),
    Lost,
    /// It makes no sense to try again.
    Refused(ExitError),
}

/// Shows it until somebody has seen enough, or a signal comes.
pub(super) async fn show(session: RemoteSession, lines: Lines, stop: &CancellationToken) -> Result<(), ExitError> {
    let cannot = |error| ExitError::unavailable(format_args!("cannot listen to signals: {error}"));
    let (mut hangup, mut quit) = (signal(SignalKind::hangup()).map_err(cannot)?, signal(SignalKind::quit()).map_err(cannot)?);
    let mut suspend = signal(SignalKind::from_raw(Signal::TSTP.as_raw())).map_err(cannot)?;
    let session = Arc::new(session);
    let (tell, mut told) = mpsc::unbounded_channel();
    let listening = tokio::spawn(listen(session.clone(), tell)).abort_handle();
    let (mut table, stopwatch) = (Table::new(lines), Stopwatch::start());
    let (mut screen, mut keys) = (Screen::take()?, Keys::read());
    let mut frames = tokio::time::interval(FRAME);
    let mut entering: Option<JoinHandle<Answer>> = None;
    let ended = loop {
        let act = tokio::select! {
            () = stop.cancelled() => break Ok(()),
            _ = hangup.recv() => break Ok(()),
            _ = quit.recv() => break Ok(()),
            _ = suspend.recv() => Act::Suspend,
            news = told.recv() => {
                match news {
                    Some(News::Begun) => (table.is_connected, table.boards) = (true, Boards::default()),
                    Some(News::Event(kind, event)) => table.take(&kind, &event, stopwatch.now()),
                    Some(News::Lost) => table.is_connected = false,
                    Some(News::Refused(error)) => break Err(error),
                    None => break Err(ExitError::bug("the listener has ended")),
                }
                // Drawn with the next frame, whatever else there is.
                continue;
            }
            event = keys.events.recv() => match event {
                Some(Event::Key(key)) => press(&mut table, key),
                Some(_) => Act::Draw,
                // The terminal is gone.
                None => break Ok(()),
            },
            answer = answered(entering.as_mut()) => {
                (entering, table.answer) = (None, Some(answer));
                Act::Draw
            }
            _ = frames.tick() => Act::Draw,
        };
        match act {
            Act::Draw => {}
            Act::End => break Ok(()),
            Act::Anew => {
                drop(screen);
                screen = Screen::take()?;
            }
            Act::Suspend => {
                // Its keys are read on: a second reader would miss what the first one still takes.
                drop(screen);
                // Whoever started it has the terminal until it is told to go on.
                let _ = kill_process(getpid(), Signal::STOP);
                screen = Screen::take()?;
            }
            Act::Enter(ruling) if entering.is_none() => {
                let (session, lang) = (session.clone(), table.lang());
                entering = Some(tokio::spawn(async move { enter(&session, &ruling, lang).await }));
            }
            Act::Enter(_) => {}
        }
        screen.draw(|frame| draw(frame, &mut table, stopwatch.now()))?;
    };
    listening.abort();
    ended
}

/// Listens, and tries again, until that is no use.
async fn listen(session: Arc<RemoteSession>, tell: UnboundedSender<News>) {
    loop {
        let mut begun = false;
        let listening = session.listen("arbiter/events", |kind, event| {
            // Nobody who is not there is told.
            if !std::mem::replace(&mut begun, true) {
                let _ = tell.send(News::Begun);
            }
            let _ = tell.send(News::Event(String::from(kind), event.clone()));
            Ok(())
        });
        match listening.await {
            Err(error) if error.code() != Exit::Unavailable => {
                let _ = tell.send(News::Refused(error));
                return;
            }
            _ => {
                if tell.send(News::Lost).is_err() {
                    return;
                }
            }
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// What became of the entry that is on its way, if one is.
async fn answered(entering: Option<&mut JoinHandle<Answer>>) -> Answer {
    match entering {
        Some(entering) => entering.await.unwrap_or_else(|error| Answer::Refused(error.to_string())),
        None => pending().await,
    }
}

/// Enters a ruling, and says what became of it.
async fn enter(session: &RemoteSession, ruling: &Ruling, lang: Lang) -> Answer {
    let Ruling { board, finding, decision, seen, .. } = ruling;
    let order = Order::Rule { finding: *finding, decision: *decision, clock: None, result: None };
    let entry = Entry { who: session.who.clone(), seen: Some(*seen), ..Entry::new(order) };
    let taken = match serde_json::to_value(&entry) {
        Ok(entry) => session.enter(board, &entry).await,
        Err(error) => Err(ExitError::bug(error)),
    };
    match taken {
        Err(error) => Answer::Refused(error.to_string()),
        Ok(taken) if taken["state"] == "waiting" => Answer::Done(String::from(
            lang.pick("the board's machine is away; the ruling waits for it", "компьютер доски не на связи; решение ждёт его"),
        )),
        Ok(_) => {
            let done = match decision {
                Decision::Dismiss => lang.pick("dismissed", "отклонено"),
                _ => lang.pick("confirmed as proposed", "утверждено, как предложено"),
            };
            Answer::Done(format!("{} {board}: № {finding} {done}", lang.pick("board", "доска")))
        }
    }
}
