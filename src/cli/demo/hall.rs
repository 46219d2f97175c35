//! `flagfall demo --hall`: a broker, several daemons with simulated boards and a hall over all of them, on one machine.
use super::args::Args;
use super::boards::{Folder, board};
use super::guide;
use crate::cli::watch::Lang;
use crate::cli::{ExitError, output};
use crate::config::nats::Nats;
use crate::config::{Config, Discovery, LiveChess};
use crate::{daemon, hall};
use std::env;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Boards of one simulated machine.
const OF_ONE: u16 = 16;
/// The broker's program, as its packages call it.
const SERVER: &str = "nats-server";

/// A server of our own; ends when dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Plays until it is interrupted.
pub(super) fn run(args: &Args) -> Result<(), ExitError> {
    let Some(program) = find(SERVER) else {
        return Err(ExitError::unavailable(format_args!(
            "`flagfall demo --hall` needs {SERVER}, and there is none in PATH; on Debian: apt install {SERVER}. `flagfall demo` shows one machine without it"
        )));
    };
    let folder = Folder::create()?;
    let (server, port) = serve(&program, &folder.0)?;
    let done = daemon::block_on(|stop| play(args, &folder.0, port, stop));
    drop(server);
    done
}

fn find(program: &str) -> Option<PathBuf> {
    // Where Debian puts it is not in everybody's PATH.
    let mut places: Vec<PathBuf> = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
    places.push(PathBuf::from("/usr/sbin"));
    places.into_iter().map(|place| place.join(program)).find(|path| path.is_file())
}

/// Starts the broker on a free port of this machine.
fn serve(program: &Path, folder: &Path) -> Result<(Server, u16), ExitError> {
    let cannot = |what: &str, error: std::io::Error| ExitError::unavailable(format_args!("{SERVER}: {what}: {error}"));
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    let port = free.map_err(|error| cannot("no free port", error))?.port();
    let (file, store) = (folder.join("nats.conf"), folder.join("broker"));
    let text = format!("listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{}\" }}\n", store.display());
    fs::write(&file, text).map_err(|error| ExitError::writing(&file, &error))?;
    let log = folder.join("broker.log");
    let mut command = Command::new(program);
    command.arg("-c").arg(&file).arg("-l").arg(&log).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let server = Server(command.spawn().map_err(|error| cannot("cannot be started", error))?);
    for _ in 0..100 {
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok((server, port));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let said = fs::read_to_string(&log).unwrap_or_default();
    let last = said.lines().last().unwrap_or("it says nothing").to_owned();
    Err(ExitError::unavailable(format_args!("{SERVER} does not listen on port {port}: {last}")))
}

async fn play(args: &Args, folder: &Path, port: u16, stop: CancellationToken) -> Result<(), ExitError> {
    let nats = Nats {
        servers: vec![format!("nats://127.0.0.1:{port}")],
        event: String::from("demo"),
        name: Some(String::from("hall")),
        user: None,
        password_file: None,
        nkey_file: None,
        tls_ca: None,
        replicas: 1,
    };
    // The boards outlive the daemons, so that no hang-up is the last thing they see.
    let ended = CancellationToken::new();
    let (mut pis, mut boards) = (Vec::new(), Vec::new());
    for number in 1..=args.boards {
        if (number - 1) % OF_ONE == 0 {
            let name = format!("pi-{}", pis.len() + 1);
            pis.push(Config {
                web: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
                livechess: LiveChess { enabled: false, ..LiveChess::default() },
                discovery: Discovery { serial: false, ble: false },
                data_dir: Some(args.data_dir.clone().unwrap_or_else(|| folder.join("data")).join(&name)),
                nats: Some(Nats { name: Some(name), ..nats.clone() }),
                ..Config::default()
            });
        }
        let (config, handle) = board(folder, number, args, ended.clone())?;
        if let Some(pi) = pis.last_mut() {
            pi.boards.push(config);
        }
        boards.push(handle);
    }
    let config = Config {
        web: args.listen,
        discovery: Discovery { serial: false, ble: false },
        data_dir: Some(args.data_dir.clone().unwrap_or_else(|| folder.join("data")).join("hall")),
        nats: Some(nats),
        ..Config::default()
    };
    output::complain(&guide::opening(args));
    let machines = pis.len();
    output::complain(&match args.lang {
        Lang::En => format!(
            "machines: {machines}, each with {OF_ONE} boards or fewer, and a broker on port {port}; the first address is the hall's page, the others are the machines' own"
        ),
        Lang::Ru => format!(
            "машин: {machines}, досок на каждой не больше {OF_ONE}; брокер на порту {port}; первый адрес — страница зала, остальные — страницы самих машин"
        ),
    });
    let hall = async {
        let (tell, found_at) = mpsc::unbounded_channel();
        let options = daemon::Options { found_at: Some(tell), ..daemon::Options::default() };
        let done = guide::guided(args, found_at, hall::run(config, options, stop.clone())).await;
        // A hall that cannot start has nothing to show.
        stop.cancel();
        done
    };
    let pis = async {
        // The hall's page is the first address that is said.
        tokio::time::sleep(Duration::from_millis(500)).await;
        futures_util::future::join_all(pis.into_iter().map(|pi| daemon::run(pi, daemon::Options::default(), stop.clone()))).await
    };
    let (hall, pis) = tokio::join!(hall, pis);
    ended.cancel();
    for board in boards {
        board.join().await;
    }
    let pis: Result<(), ExitError> = pis.into_iter().collect();
    hall.and(pis)
}
