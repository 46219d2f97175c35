//! The configuration as a whole.
use super::ble::Ble;
use super::bus::Bus;
use super::livechess::LiveChess;
use super::{accounts, alerts, delay, event, hall, lichess, log, nats, upload, web, witness};
use dgt_protocol::bus::BusAddress;
use flagfall_game::settings::Settings;
use flagfall_journal::keeping::Keeping;
use flagfall_link::address::LinkAddress;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Everything the daemon is told before it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The boards that were named; discovery may find more.
    pub boards: Vec<BoardConfig>,
    /// Where the page and the HTTP API listen.
    pub web: SocketAddr,
    /// Under which conditions.
    pub web_access: web::WebAccess,
    /// Who may rule and who may enter results.
    pub accounts: Vec<accounts::Account>,
    /// Who is told at once.
    pub alerts: Vec<alerts::Alert>,
    /// Who is shown how the journals go on.
    pub witnesses: Vec<witness::Witness>,
    /// The LiveChess-compatible API.
    pub livechess: LiveChess,
    /// Rounds on Lichess.
    pub lichess: Vec<lichess::Lichess>,
    /// Servers that get files.
    pub uploads: Vec<upload::Upload>,
    /// The broker that joins the boards of many machines.
    pub nats: Option<nats::Nats>,
    /// Lines with several boards, those that only boards name included.
    pub buses: Vec<Bus>,
    /// Bluetooth LE boards.
    pub ble: Ble,
    /// What is looked for beyond the named boards.
    pub discovery: Discovery,
    /// Where journals are kept, if the file says so; see [`super::default_data_dir`].
    pub data_dir: Option<PathBuf>,
    /// How evidence is kept.
    pub journal: Keeping,
    /// How much the log says.
    pub log: log::Log,
    /// Folder in which every board's bytes are recorded as captures, if wanted.
    pub capture: Option<PathBuf>,
    /// How far everything public is behind.
    pub delay: delay::Delay,
    /// Whether there is anything public: without it only who has an account sees boards.
    pub lan_public: bool,
    /// A hall over many machines.
    pub hall: hall::HallConfig,
    /// The event: names, pairings, where its documents are written.
    pub event: event::EventConfig,
    /// What holds for boards that discovery finds.
    pub defaults: Settings,
}

impl Config {
    /// The boards of this line, in the order of the file, which is that of the cable.
    pub fn boards_on<'c>(&'c self, bus: &'c Bus) -> impl Iterator<Item = (&'c BoardConfig, BusAddress)> {
        let on = |board: &&BoardConfig| matches!(&board.link, LinkAddress::Bus(path) if *path == bus.path);
        self.boards.iter().filter(on).filter_map(|board| Some((board, board.address?)))
    }
}

/// One `[[board]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardConfig {
    /// The event's board number or any name; unique.
    pub name: String,
    /// Where it is plugged in; unique, but for lines with several boards.
    pub link: LinkAddress,
    /// Which of the boards on its line it is; unique over all lines.
    pub address: Option<BusAddress>,
    /// Its games; `settings.link` is `link` as text.
    pub settings: Settings,
}

/// `[discovery]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discovery {
    /// Probe serial ports that no `[[board]]` names.
    pub serial: bool,
    /// Look for Bluetooth LE boards.
    pub ble: bool,
}

impl Default for Config {
    /// The daemon without a configuration: probes serial ports, page on 127.0.0.1:8064, LiveChess API on 127.0.0.1:1982.
    fn default() -> Self {
        Self {
            boards: Vec::new(),
            web: SocketAddr::from((Ipv4Addr::LOCALHOST, 8064)),
            web_access: web::WebAccess::default(),
            accounts: Vec::new(),
            alerts: Vec::new(),
            witnesses: Vec::new(),
            livechess: LiveChess::default(),
            lichess: Vec::new(),
            uploads: Vec::new(),
            nats: None,
            buses: Vec::new(),
            ble: Ble::default(),
            discovery: Discovery { serial: true, ble: false },
            data_dir: None,
            journal: Keeping::default(),
            log: log::Log::default(),
            capture: None,
            delay: delay::Delay::default(),
            lan_public: true,
            hall: hall::HallConfig::default(),
            event: event::EventConfig::default(),
            defaults: Settings::default(),
        }
    }
}
