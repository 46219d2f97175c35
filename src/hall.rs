//! `flagfall hall`: publishers and console over all boards of an event, fed by the broker ([`crate::feeds::hall`]); wiring, signals, and the order in which
//! everything ends.
use crate::beats::Beats;
use crate::config::Config;
use crate::daemon::front::{Front, Needs};
use crate::daemon::reload::Following;
use crate::daemon::{self, listen};
use crate::exit::ExitError;
use crate::feeds::arrivals::Arrivals;
use crate::feeds::hall::{self, Hall};
use crate::feeds::later::Later;
use crate::journal::store;
use crate::time::{Boot, Stopwatch};
use crate::web::boards::Boards;
use crate::web::health::HallState;
use crate::web::hub::Hub;
use crate::web::voice::Voice;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long the page may wait for the boards at start: a hall whose broker is away shows none, but it shows itself.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where it stands how far the world was told, and how old what waits is.
const FILE: &str = "shown-hall.json";
/// How often that is kept.
const KEEP: Duration = Duration::from_secs(5);

fn read(file: &Path) -> Option<Arrivals> {
    serde_json::from_slice(&store::read_small(file).ok()?).ok()
}

/// Keeps what the next process needs, until `token` is cancelled, and once more then.
async fn keep(later: Arc<Later>, file: PathBuf, token: CancellationToken) {
    let mut last = None;
    let mut ended = false;
    while !ended {
        tokio::select! {
            () = token.cancelled() => ended = true,
            () = tokio::time::sleep(KEEP) => {}
        }
        let arrivals = later.arrivals();
        if last.as_ref() == Some(&arrivals) {
            continue;
        }
        let (path, bytes) = (file.clone(), serde_json::to_vec(&arrivals).unwrap_or_default());
        let written = tokio::task::spawn_blocking(move || {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let aside = path.with_extension("new");
            std::fs::write(&aside, bytes)?;
            std::fs::rename(aside, path)
        });
        match written.await {
            Ok(Ok(())) => last = Some(arrivals),
            Ok(Err(error)) => tracing::warn!("{}: {error}; after a restart what is public now may be hidden for a delay", file.display()),
            Err(_) => {}
        }
    }
}

/// Runs a hall until `token` is cancelled.
///
/// # Errors
/// What keeps it from starting: no `[nats]` (78), an address that cannot be listened on (69, 77). A broker that is away is a state.
pub async fn run(config: Config, options: daemon::Options, token: CancellationToken) -> Result<(), ExitError> {
    let Some(nats) = config.nats.clone() else {
        return Err(ExitError::config(
            "a hall needs a broker; add [nats] with servers = [\"nats://HOST:4222\"] and event = \"NAME\" to the configuration",
        ));
    };
    daemon::descriptors::ask_for_enough();
    let hangups = daemon::hangups()?;
    let stopwatch = Stopwatch::start();
    let beats = Beats::of_systemd(stopwatch);
    let own = beats.join("the hall");
    let web = listen::listen("web", config.web).await?;
    let (voice, speaker) = Voice::held(stopwatch);
    let (hub, boards, state) = (Hub::speaking(voice.clone()), Boards::default(), Arc::new(HallState::default()));
    let name = config.hall.name.clone().unwrap_or_else(|| nats.pi());
    state.change(|health| (health.name, health.event) = (name.clone(), nats.event.clone()));
    let needs = Needs { hub: hub.clone(), stopwatch, boards: boards.clone(), journal: None, web, hall: Some(state.clone()) };
    let (front, feeds) = Front::start(&config, needs, &token)?;
    options.tell(&front.addresses);
    let following = Following { config: config.clone(), reread: options.reread, feeds, members: front.members.clone() };
    let outlets = front.outlets.clone();
    let shown = outlets.clone();
    let file = config.data_dir.as_deref().map(|folder| folder.join(FILE));
    let arrivals = outlets.later.as_ref().map(|_| Arrivals::new(file.as_deref().and_then(read), Boot::now(), stopwatch));
    let keeping = outlets.later.clone().zip(file).map(|(later, file)| tokio::spawn(keep(later, file, token.clone())));
    let hall = Hall::start(hall::Needs { config, nats, name, stopwatch, outlets, boards, state, voice, speaker, arrivals }, &token);
    // Whoever asks sees the boards as they are, not as they come back one by one.
    tokio::select! {
        () = hall.caught_up() => {}
        () = tokio::time::sleep(PATIENCE) => tracing::warn!("the stream is not read to its end yet; what is shown may be old"),
        () = token.cancelled() => {}
    }
    let mut back = front.serve(&token);
    let service = daemon::turn(&shown, |_| (), following, hangups, own, &token).await;
    service.stopping();
    hall.end().await;
    if let Some(keeping) = keeping {
        let _ = keeping.await;
    }
    let livechess = std::mem::take(&mut back.livechess);
    // The thread only ends or has panicked; either way nothing more is sent.
    let _ = tokio::task::spawn_blocking(move || livechess.into_iter().map(std::thread::JoinHandle::join).for_each(drop)).await;
    back.end().await;
    Ok(())
}
