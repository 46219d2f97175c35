//! Lists at addresses: asked in tasks of their own, so that a network that hangs keeps no board's event waiting.
use crate::pairings::fetch;
use crate::pairings::files::Role;
use crate::pairings::polling::News;
use flagfall_config::event::EventConfig;
use flagfall_config::list_source::ListSource;
use std::sync::Arc;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

/// What waits to be read; a list that comes meanwhile waits at the other end.
const WAITING: usize = 2;

/// The addresses of a configuration, and what comes from them.
pub(super) struct Polled {
    news: mpsc::Receiver<(Role, String, News)>,
    tasks: Vec<JoinHandle<()>>,
    again: Vec<Arc<Notify>>,
}

impl Polled {
    /// Asks nobody.
    pub(super) fn idle() -> Self {
        Self { news: mpsc::channel(WAITING).1, tasks: Vec::new(), again: Vec::new() }
    }

    /// Begins to ask.
    pub(super) fn start(config: &EventConfig) -> Self {
        let (tell, news) = mpsc::channel(WAITING);
        let mut polled = Self { news, tasks: Vec::new(), again: Vec::new() };
        for (role, source) in [(Role::Players, &config.players), (Role::Pairings, &config.pairings)] {
            let Some(ListSource::Web(list)) = source.clone() else { continue };
            let (about, tell, again) = (list.to_string(), tell.clone(), Arc::new(Notify::new()));
            let (each, mut from) = mpsc::channel(1);
            polled.tasks.push(tokio::spawn(fetch::follow(list, again.clone(), each)));
            polled.tasks.push(tokio::spawn(async move {
                while let Some(news) = from.recv().await {
                    if tell.send((role, about.clone(), news)).await.is_err() {
                        return;
                    }
                }
            }));
            polled.again.push(again);
        }
        polled
    }

    /// Asks now; whatever comes is read.
    pub(super) fn again(&self) {
        self.again.iter().for_each(|again| again.notify_one());
    }

    /// What comes next; never, where no address is asked.
    pub(super) async fn next(&mut self) -> (Role, String, News) {
        match self.news.recv().await {
            Some(news) => news,
            None => std::future::pending().await,
        }
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}
