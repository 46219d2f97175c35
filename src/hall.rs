//! `flagfall hall`: publishers and console over all boards of an event, fed by the broker ([`crate::feeds::hall`]); wiring, signals, and the order in which
//! everything ends.
use crate::beats::Beats;
use crate::config::Config;
use crate::daemon::front::{Front, Needs};
use crate::daemon::reload::Following;
use crate::daemon::{self, listen};
use crate::exit::ExitError;
use crate::feeds::hall::{self, Hall};
use crate::time::Stopwatch;
use crate::web::boards::Boards;
use crate::web::health::HallState;
use crate::web::hub::Hub;
use crate::web::voice::Voice;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long the page may wait for the boards at start: a hall whose broker is away shows none, but it shows itself.
const PATIENCE: Duration = Duration::from_secs(20);

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
    let following = Following { config: config.clone(), reread: options.reread, feeds };
    let outlets = front.outlets.clone();
    let shown = outlets.clone();
    let hall = Hall::start(hall::Needs { config, nats, name, stopwatch, outlets, boards, state, voice, speaker }, &token);
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
    let livechess = std::mem::take(&mut back.livechess);
    // The thread only ends or has panicked; either way nothing more is sent.
    let _ = tokio::task::spawn_blocking(move || livechess.into_iter().map(std::thread::JoinHandle::join).for_each(drop)).await;
    back.end().await;
    Ok(())
}
