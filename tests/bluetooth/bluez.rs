//! A fake `org.bluez`: adapter, devices, services and characteristics as the real one shows them, and its errors by their names.
use super::board::Board;
use super::bus::Bus;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use zbus::{Connection, OwnedVariant, Variant, interface};

const ADAPTER: &str = "/org/bluez/hci0";
const SERVICE: &str = "6e400001-b5a3-f393-e0a9-e50e24dcca9e";

#[derive(Debug, zbus::DBusError)]
#[zbus(prefix = "org.bluez.Error")]
enum Refused {
    #[zbus(error)]
    ZBus(zbus::Error),
    Failed(String),
    InProgress(String),
    AuthenticationFailed(String),
}

/// What the adapter is like.
#[derive(Default)]
pub(crate) struct Adapter {
    pub(crate) powered: AtomicBool,
    /// It cannot be switched on: rfkill.
    pub(crate) blocked: AtomicBool,
    pub(crate) discovering: AtomicBool,
    pub(crate) scans: AtomicU32,
}

/// The fake.
pub(crate) struct BlueZ {
    pub(crate) bus: Connection,
    pub(crate) adapter: Arc<Adapter>,
    pub(crate) agent: Arc<Agent>,
    boards: Arc<Mutex<Vec<Arc<Board>>>>,
    tasks: Mutex<Vec<tokio::task::JoinHandle<()>>>,
}

/// What the pairing agent of somebody was asked and answered.
#[derive(Default)]
pub(crate) struct Agent {
    owner: Mutex<Option<(String, String)>>,
    pub(crate) answers: Mutex<Vec<String>>,
    /// The PIN that is right.
    pub(crate) pin: Mutex<String>,
}

impl BlueZ {
    /// `org.bluez` with an adapter that is switched off, as after a boot.
    pub(crate) async fn start(bus: &Bus) -> Self {
        let fake = Self::without_adapter(bus).await;
        fake.plug_in().await;
        fake
    }

    pub(crate) async fn without_adapter(bus: &Bus) -> Self {
        let agent = Arc::new(Agent { pin: Mutex::new(String::from("0000")), ..Agent::default() });
        let connection = zbus::connection::Builder::address(bus.address().as_str())
            .serve_at("/", zbus::fdo::ObjectManager)
            .serve_at("/org/bluez", AgentManager(agent.clone()))
            .name("org.bluez")
            .build()
            .await
            .unwrap();
        Self { bus: connection, adapter: Arc::default(), agent, boards: Arc::default(), tasks: Mutex::default() }
    }

    pub(crate) async fn plug_in(&self) {
        let object = AdapterObject { adapter: self.adapter.clone(), boards: self.boards.clone(), bus: self.bus.clone() };
        self.bus.object_server().at(ADAPTER, object).await.unwrap();
    }

    /// The adapter is pulled out.
    pub(crate) async fn unplug(&self) {
        let boards = self.boards.lock().unwrap().clone();
        for board in &boards {
            break_link(&self.bus, board).await;
            forget(&self.bus, board).await;
        }
        self.adapter.discovering.store(false, Ordering::SeqCst);
        self.adapter.powered.store(false, Ordering::SeqCst);
        self.bus.object_server().remove::<AdapterObject, _>(ADAPTER).await.unwrap();
    }

    /// A board comes into reach.
    pub(crate) fn add(&self, board: Board) -> Arc<Board> {
        let board = Arc::new(board);
        self.boards.lock().unwrap().push(board.clone());
        let (bus, adapter, mine) = (self.bus.clone(), self.adapter.clone(), board.clone());
        self.tasks.lock().unwrap().push(tokio::spawn(async move { live(&bus, &adapter, &mine).await }));
        board
    }

    /// The radio link breaks.
    pub(crate) async fn hang_up(&self, board: &Arc<Board>) {
        break_link(&self.bus, board).await;
    }

    /// BlueZ forgets a device that it was never paired with, and tells nobody.
    pub(crate) async fn forget(&self, board: &Arc<Board>) {
        forget(&self.bus, board).await;
    }

    /// bluetoothd stops; its objects and links are gone.
    pub(crate) async fn die(&self) {
        let boards = self.boards.lock().unwrap().clone();
        self.bus.release_name("org.bluez").await.unwrap();
        for board in &boards {
            {
                let mut state = board.state();
                (state.connected, state.resolved, state.notifies) = (false, false, false);
                state.pegasus.hang_up();
            }
            forget(&self.bus, board).await;
        }
        self.adapter.discovering.store(false, Ordering::SeqCst);
    }

    /// And starts again.
    pub(crate) async fn rise(&self) {
        self.bus.request_name("org.bluez").await.unwrap();
    }
}

impl Drop for BlueZ {
    fn drop(&mut self) {
        self.tasks.lock().unwrap().iter().for_each(tokio::task::JoinHandle::abort);
    }
}

/// One board's life: it advertises while somebody looks, moves its pieces, and notifies.
async fn live(bus: &Connection, adapter: &Adapter, board: &Arc<Board>) {
    let mut adverts = tokio::time::interval(Duration::from_millis(200));
    loop {
        let wake = board.state().pegasus.deadline().map(|t| board.stopwatch.instant(t));
        let alarm = async {
            match wake {
                Some(at) => tokio::time::sleep_until(at.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = alarm => {}
            () = board.woken.notified() => {}
            _ = adverts.tick() => {
                let heard = { let s = board.state(); s.habits.advertises && !s.connected };
                if heard && adapter.discovering.load(Ordering::SeqCst) {
                    advertise(bus, board).await;
                }
            }
        }
        board.step();
        loop {
            let Some(note) = board.state().outbox.pop_front() else { break };
            let breaks = {
                let mut state = board.state();
                let left = state.breaks_after.as_mut().map(|left| {
                    *left = left.saturating_sub(1);
                    *left
                });
                left == Some(0)
            };
            notify(bus, &format!("{}/service000a/char000d", board.path(ADAPTER)), &note).await;
            if breaks {
                board.state().breaks_after = None;
                break_link(bus, board).await;
            }
            let delay = board.state().habits.delay;
            if delay > 0 {
                tokio::time::sleep(Duration::from_millis(delay)).await;
            }
        }
    }
}

async fn advertise(bus: &Connection, board: &Arc<Board>) {
    let path = board.path(ADAPTER);
    let known = std::mem::replace(&mut board.state().known, true);
    if !known {
        bus.object_server().at(path.as_str(), DeviceObject { board: board.clone(), bus: bus.clone() }).await.unwrap();
        return;
    }
    changed(bus, &path, "org.bluez.Device1", "RSSI", Variant::from(-60_i16)).await;
}

/// A raw signal: it keeps its order, and equal values are not merged.
async fn changed(bus: &Connection, path: &str, interface: &str, name: &str, value: Variant<'_>) {
    let values = HashMap::from([(name, value)]);
    let gone: &[&str] = &[];
    // A bus that is gone hears nothing.
    let _ = bus.emit_signal(None::<&str>, path, "org.freedesktop.DBus.Properties", "PropertiesChanged", &(interface, values, gone)).await;
}

async fn notify(bus: &Connection, path: &str, bytes: &[u8]) {
    changed(bus, path, "org.bluez.GattCharacteristic1", "Value", Variant::from(bytes.to_vec())).await;
}

async fn break_link(bus: &Connection, board: &Arc<Board>) {
    let path = board.path(ADAPTER);
    {
        let mut state = board.state();
        if !state.connected {
            return;
        }
        (state.connected, state.resolved) = (false, false);
        state.notifies &= state.habits.resumes;
        state.outbox.clear();
        state.pegasus.hang_up();
    }
    changed(bus, &path, "org.bluez.Device1", "ServicesResolved", Variant::from(false)).await;
    changed(bus, &path, "org.bluez.Device1", "Connected", Variant::from(false)).await;
}

async fn forget(bus: &Connection, board: &Arc<Board>) {
    let path = board.path(ADAPTER);
    if !std::mem::take(&mut board.state().known) {
        return;
    }
    board.state().notifies = false;
    let server = bus.object_server();
    for place in ["/service000a/char000b", "/service000a/char000d"] {
        let _ = server.remove::<Characteristic, _>(format!("{path}{place}")).await;
    }
    let _ = server.remove::<Service, _>(format!("{path}/service000a")).await;
    let _ = server.remove::<DeviceObject, _>(path.as_str()).await;
}

struct AdapterObject {
    adapter: Arc<Adapter>,
    boards: Arc<Mutex<Vec<Arc<Board>>>>,
    bus: Connection,
}

#[interface(name = "org.bluez.Adapter1")]
impl AdapterObject {
    fn set_discovery_filter(&self, _filter: HashMap<String, OwnedVariant>) {}

    fn start_discovery(&self) -> Result<(), Refused> {
        if !self.adapter.powered.load(Ordering::SeqCst) {
            return Err(Refused::Failed(String::from("Failed")));
        }
        if self.adapter.discovering.swap(true, Ordering::SeqCst) {
            return Err(Refused::InProgress(String::from("Operation already in progress")));
        }
        self.adapter.scans.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn stop_discovery(&self) -> Result<(), Refused> {
        if self.adapter.discovering.swap(false, Ordering::SeqCst) {
            return Ok(());
        }
        Err(Refused::Failed(String::from("No discovery started")))
    }

    #[zbus(property)]
    fn address(&self) -> String {
        String::from("00:11:22:33:44:55")
    }
    #[zbus(property)]
    fn address_type(&self) -> String {
        String::from("public")
    }
    #[zbus(property)]
    fn name(&self) -> String {
        String::from("fake")
    }
    #[zbus(property)]
    fn alias(&self) -> String {
        String::from("fake")
    }
    #[zbus(property)]
    fn modalias(&self) -> String {
        String::from("usb:v1D6Bp0246d0542")
    }
    #[zbus(property)]
    fn powered(&self) -> bool {
        self.adapter.powered.load(Ordering::SeqCst)
    }
    #[zbus(property)]
    async fn set_powered(&self, on: bool) -> zbus::Result<()> {
        if on && self.adapter.blocked.load(Ordering::SeqCst) {
            return Err(zbus::Error::Failure(String::from("Failed")));
        }
        self.adapter.powered.store(on, Ordering::SeqCst);
        if !on {
            let boards = self.boards.lock().unwrap().clone();
            for board in &boards {
                break_link(&self.bus, board).await;
            }
        }
        Ok(())
    }
    #[zbus(property)]
    fn discovering(&self) -> bool {
        self.adapter.discovering.load(Ordering::SeqCst)
    }
}

struct DeviceObject {
    board: Arc<Board>,
    bus: Connection,
}

#[interface(name = "org.bluez.Device1")]
impl DeviceObject {
    async fn connect(&self) -> Result<(), Refused> {
        {
            let mut state = self.board.state();
            if state.connecting {
                return Err(Refused::InProgress(String::from("Operation already in progress")));
            }
            state.connects += 1;
            if state.connected {
                return Ok(());
            }
            state.connecting = true;
        }
        // A silent board: BlueZ tries on until it is told to stop, or the board wakes.
        loop {
            {
                let mut state = self.board.state();
                if !state.connecting {
                    return Err(Refused::Failed(String::from("le-connection-abort-by-local")));
                }
                if !state.habits.hangs {
                    (state.connecting, state.connected) = (false, true);
                    break;
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let path = self.board.path(ADAPTER);
        changed(&self.bus, &path, "org.bluez.Device1", "Connected", Variant::from(true)).await;
        let (board, bus) = (self.board.clone(), self.bus.clone());
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            if !board.state().habits.resolves {
                return;
            }
            let server = bus.object_server();
            let _ = server.at(format!("{path}/service000a"), Service).await;
            for (place, host_writes) in [("char000b", true), ("char000d", false)] {
                let object = Characteristic { board: board.clone(), host_writes };
                let _ = server.at(format!("{path}/service000a/{place}"), object).await;
            }
            board.state().resolved = true;
            changed(&bus, &path, "org.bluez.Device1", "ServicesResolved", Variant::from(true)).await;
        });
        Ok(())
    }

    async fn disconnect(&self) {
        {
            let mut state = self.board.state();
            state.disconnects += 1;
            state.connecting = false;
            state.notifies = false;
        }
        break_link(&self.bus, &self.board).await;
    }

    async fn pair(&self, #[zbus(connection)] bus: &Connection) -> Result<(), Refused> {
        // Found by its owner's agent, which the test's fake keeps in a well-known place.
        let Some(agent) = AGENT.lock().unwrap().clone() else { return Err(Refused::AuthenticationFailed(String::from("no agent"))) };
        let Some((owner, path)) = agent.owner.lock().unwrap().clone() else {
            return Err(Refused::AuthenticationFailed(String::from("no agent")));
        };
        let device = zbus::ObjectPath::try_from(self.board.path(ADAPTER)).unwrap();
        let reply = bus.call_method(Some(owner.as_str()), path.as_str(), Some("org.bluez.Agent1"), "RequestPinCode", &device).await;
        let pin: String = reply.and_then(|reply| reply.body().deserialize()).unwrap_or_default();
        agent.answers.lock().unwrap().push(pin.clone());
        if pin != *agent.pin.lock().unwrap() {
            return Err(Refused::AuthenticationFailed(String::from("Authentication Failed")));
        }
        self.board.state().paired = true;
        Ok(())
    }

    fn cancel_pairing(&self) {}

    #[zbus(property)]
    fn address(&self) -> String {
        self.board.address.clone()
    }
    #[zbus(property)]
    fn address_type(&self) -> String {
        String::from("random")
    }
    #[zbus(property)]
    fn name(&self) -> String {
        self.board.state().name.clone()
    }
    #[zbus(property)]
    fn alias(&self) -> String {
        self.board.state().name.clone()
    }
    #[zbus(property)]
    fn paired(&self) -> bool {
        self.board.state().paired
    }
    #[zbus(property)]
    fn connected(&self) -> bool {
        self.board.state().connected
    }
    #[zbus(property)]
    fn services_resolved(&self) -> bool {
        self.board.state().resolved
    }
    #[zbus(property)]
    fn trusted(&self) -> bool {
        false
    }
    #[zbus(property)]
    fn set_trusted(&self, _trusted: bool) {}
    #[zbus(property)]
    fn blocked(&self) -> bool {
        false
    }
    #[zbus(property)]
    fn legacy_pairing(&self) -> bool {
        true
    }
    #[zbus(property, name = "UUIDs")]
    fn uuids(&self) -> Vec<String> {
        if self.board.state().habits.offers { vec![String::from(SERVICE)] } else { Vec::new() }
    }
    #[zbus(property, name = "RSSI")]
    fn rssi(&self) -> i16 {
        -60
    }
}

struct Service;

#[interface(name = "org.bluez.GattService1")]
impl Service {
    #[zbus(property, name = "UUID")]
    fn uuid(&self) -> String {
        String::from(SERVICE)
    }
    #[zbus(property)]
    fn primary(&self) -> bool {
        true
    }
}

struct Characteristic {
    board: Arc<Board>,
    host_writes: bool,
}

#[interface(name = "org.bluez.GattCharacteristic1")]
impl Characteristic {
    fn start_notify(&self) -> Result<(), Refused> {
        let mut state = self.board.state();
        if !state.connected {
            return Err(Refused::InProgress(String::from("In Progress")));
        }
        state.notifies = true;
        Ok(())
    }

    fn stop_notify(&self) {
        self.board.state().notifies = false;
    }

    fn write_value(&self, value: Vec<u8>, _options: HashMap<String, OwnedVariant>) -> Result<(), Refused> {
        if !self.board.state().connected {
            return Err(Refused::Failed(String::from("Not connected")));
        }
        self.board.write(&value);
        Ok(())
    }

    #[zbus(property, name = "UUID")]
    fn uuid(&self) -> String {
        SERVICE.replace("6e400001", if self.host_writes { "6e400002" } else { "6e400003" })
    }
    #[zbus(property)]
    fn flags(&self) -> Vec<String> {
        let flags: &[&str] = if self.host_writes { &["write", "write-without-response"] } else { &["notify"] };
        flags.iter().map(|flag| String::from(*flag)).collect()
    }
}

/// The agent of the test that is running; tests of pairing are one.
pub(crate) static AGENT: Mutex<Option<Arc<Agent>>> = Mutex::new(None);

struct AgentManager(Arc<Agent>);

#[interface(name = "org.bluez.AgentManager1")]
impl AgentManager {
    fn register_agent(&self, agent: zbus::OwnedObjectPath, _capability: String, #[zbus(header)] header: zbus::message::Header<'_>) {
        let owner = header.sender().map(ToString::to_string).unwrap_or_default();
        *self.0.owner.lock().unwrap() = Some((owner, agent.to_string()));
    }
    fn request_default_agent(&self, _agent: zbus::OwnedObjectPath) {}
    fn unregister_agent(&self, _agent: zbus::OwnedObjectPath) {
        *self.0.owner.lock().unwrap() = None;
    }
}
