//! Opening a listener, with what to do where it cannot be opened.
use crate::config::LiveChess as Config;
use crate::exit::ExitError;
use crate::feeds::event_info::EventInfo;
use crate::feeds::livechess::{LiveChess, Terms, Thread};
use crate::output;
use crate::time::Stopwatch;
use crate::web::hub::Hub;
use crate::web::public::{Listening, ServeInfo};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Listens; the address is the one that was bound.
pub(crate) async fn listen(what: &str, address: SocketAddr) -> Result<(TcpListener, SocketAddr), ExitError> {
    let bound = match TcpListener::bind(address).await {
        Ok(listener) => listener.local_addr().map(|address| (listener, address)),
        Err(error) => Err(error),
    };
    bound.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => ExitError::unavailable(format_args!(
            "{what}: {address} is in use; is flagfall running already? Stop that program, or choose another port with --listen (port 0 picks a free one)"
        )),
        ErrorKind::PermissionDenied => {
            ExitError::permission(format_args!("{what}: not allowed to listen on {address}; choose a port above 1023 with --listen"))
        }
        ErrorKind::AddrNotAvailable => ExitError::unavailable(format_args!(
            "{what}: this machine has no address {}; 127.0.0.1 serves this machine only, 0.0.0.0 everybody on its networks",
            address.ip()
        )),
        _ => ExitError::unavailable(format_args!("{what}: cannot listen on {address}: {error}; choose another address with --listen")),
    })
}

/// Starts the API for broadcast software, and says where it listens. Where it cannot, the boards are read all the same.
/// `shown` is what it shows; `hub` hears what operators are to know.
pub(super) fn livechess(
    config: &Config,
    terms: Terms,
    (stopwatch, token): (Stopwatch, &CancellationToken),
    (hub, shown): (&Arc<Hub>, &Arc<Hub>),
    event: Arc<EventInfo>,
    info: &mut ServeInfo,
) -> Result<(LiveChess, Thread), ExitError> {
    let cannot = |error| ExitError::unavailable(format_args!("livechess: cannot start: {error}; is the system out of memory or files?"));
    let (told, about) = (hub.clone(), format!("livechess {}", config.listen));
    let tell = move |trouble: Option<String>| {
        trouble.iter().for_each(|trouble| output::complain(&format!("livechess: {trouble}")));
        told.alarm("feed-failing", &about, trouble);
    };
    let public = shown.clone();
    let stands = move |board: &str| public.board(board);
    let (livechess, thread) = LiveChess::start_on(config, terms, stopwatch, token.clone(), event, stands, tell).map_err(cannot)?;
    for address in livechess.addresses() {
        output::complain(&format!("livechess: ws://{address}/api/v1.0"));
        info.listeners.push(Listening { name: String::from("livechess"), address: address.to_string() });
    }
    Ok((livechess, thread))
}
