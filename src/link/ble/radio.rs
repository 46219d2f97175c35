//! The adapter and everything heard with it: finds boards, gives each a talk of its own, and survives whatever becomes of BlueZ.
use super::bluez::{self, Hurdle};
use super::boards::Boards;
use super::candidate::{End, Wanted};
use super::connection::Device;
use super::scanner::Scanner;
use super::setup::Setup;
use super::talk::Talk;
use super::words;
use crate::back_off::BackOff;
use btleplug::api::{Central as _, CentralEvent, CentralState, Manager as _, Peripheral as _};
use btleplug::platform::{Adapter, Manager, PeripheralId};
use dgt_protocol::pegasus::SERVICE;
use futures_util::StreamExt as _;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What BlueZ does at once or not at all; its own time-out is 30 s, and a dead bus never answers.
const CALL: Duration = Duration::from_secs(5);
/// How often the adapter is asked whether it is still there, in ticks of a second.
const CHECK: u32 = 5;
/// Devices of other kinds that are remembered at most.
const FOREIGN: usize = 1_000;

/// Addresses of boards whose talk has ended, and how.
type Ends = (mpsc::UnboundedSender<(String, End)>, mpsc::UnboundedReceiver<(String, End)>);

/// Everything that outlives BlueZ.
pub(super) struct Radio {
    setup: Arc<Setup>,
    boards: Boards,
    scanner: Arc<Scanner>,
    manager: Option<Manager>,
    /// By BlueZ's object; a device keeps its object when it is forgotten and found again.
    devices: HashMap<PeripheralId, Arc<Device>>,
    foreign: HashSet<PeripheralId>,
    talks: TaskTracker,
    ends: Ends,
}

impl Radio {
    pub(super) fn new(setup: Setup) -> Self {
        Self {
            boards: Boards::new(&setup),
            setup: Arc::new(setup),
            scanner: Arc::default(),
            manager: None,
            devices: HashMap::new(),
            foreign: HashSet::new(),
            talks: TaskTracker::new(),
            ends: mpsc::unbounded_channel(),
        }
    }

    /// Runs until `token` is cancelled, then disconnects every board.
    pub(super) async fn run(mut self, token: &CancellationToken) {
        words::hush_the_library();
        let mut back_off = BackOff::new();
        let mut told = None;
        while !token.is_cancelled() {
            let listened = self.setup.stopwatch.now();
            let Err(hurdle) = self.listen(token, &mut told).await else { break };
            if self.setup.stopwatch.now().since(listened) > 10_000 {
                back_off = BackOff::new();
            }
            if told.as_ref() != Some(&hurdle) {
                tracing::warn!("Bluetooth: {hurdle}");
                self.boards.tell_all(&hurdle.to_string());
                told = Some(hurdle);
            }
            let pause = tokio::time::sleep(back_off.next());
            tokio::pin!(pause);
            loop {
                tokio::select! {
                    () = token.cancelled() => break,
                    () = &mut pause => break,
                    Some((address, end)) = self.ends.1.recv() => self.boards.ended(&address, end),
                }
            }
        }
        self.talks.close();
        self.talks.wait().await;
        let _ = self.scanner.want(false).await;
    }

    /// Uses the adapter as long as it is there. `Ok`: cancelled.
    async fn listen(&mut self, token: &CancellationToken, told: &mut Option<Hurdle>) -> Result<(), Hurdle> {
        let adapter = self.adapter().await?;
        let mut events = match timeout(CALL, adapter.events()).await {
            Ok(Ok(events)) => events,
            other => return Err(self.why(&failure(other)).await),
        };
        if let Err(error) = self.scanner.begin(&adapter).await {
            return Err(self.why(&error).await);
        }
        if told.take().is_some() {
            tracing::info!("Bluetooth: there again");
        }
        self.boards.search();
        let mut ticks = tokio::time::interval(Duration::from_secs(1));
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut since_check = 0;
        loop {
            tokio::select! {
                biased;
                () = token.cancelled() => return Ok(()),
                Some((address, end)) = self.ends.1.recv() => self.boards.ended(&address, end),
                event = events.next() => match event {
                    Some(CentralEvent::StateUpdate(CentralState::PoweredOff)) => since_check = CHECK,
                    Some(event) => self.event(&adapter, event, token).await,
                    None => return Err(self.why("the stream of events ended").await),
                },
                _ = ticks.tick() => {
                    since_check += 1;
                    self.talk_to_the_waiting(token);
                    self.boards.not_found();
                }
            }
            if since_check >= CHECK {
                since_check = 0;
                self.check(&adapter).await?;
            }
            if let Err(error) = self.scanner.want(self.boards.is_any_missing()).await {
                return Err(self.why(&error).await);
            }
        }
    }

    /// The adapter to use, over the bus connection that is kept as long as it answers.
    async fn adapter(&mut self) -> Result<Adapter, Hurdle> {
        let manager = match &self.manager {
            Some(manager) => manager.clone(),
            None => {
                // Connecting to the bus blocks.
                let runtime = tokio::runtime::Handle::current();
                let connecting = tokio::task::spawn_blocking(move || runtime.block_on(Manager::new()));
                match timeout(CALL, connecting).await {
                    Ok(Ok(Ok(manager))) => {
                        self.devices.clear();
                        self.manager.insert(manager).clone()
                    }
                    Ok(Ok(Err(error))) => return Err(self.why(&format!("{error:?}")).await),
                    _ => return Err(self.why("the system bus does not answer").await),
                }
            }
        };
        let adapters = match timeout(CALL, manager.adapters()).await {
            Ok(Ok(adapters)) => adapters,
            other => return Err(self.why(&failure(other)).await),
        };
        let mut first = None;
        for adapter in adapters {
            // "hci0 (usb:…)"
            let info = timeout(CALL, adapter.adapter_info()).await.ok().and_then(Result::ok).unwrap_or_default();
            let name = info.split(' ').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
            if self.setup.adapter.as_deref().is_none_or(|wanted| wanted == name) {
                first.get_or_insert(adapter);
            }
        }
        match first {
            Some(adapter) => Ok(adapter),
            None => Err(match self.setup.adapter.clone() {
                Some(wanted) => match self.why("").await {
                    Hurdle::Failed(_) => Hurdle::NotThatAdapter(wanted),
                    known => known,
                },
                None => Hurdle::NoAdapter,
            }),
        }
    }

    /// Whether the adapter is still there and on; switches it on if it can.
    async fn check(&mut self, adapter: &Adapter) -> Result<(), Hurdle> {
        match timeout(CALL, adapter.adapter_info()).await {
            Ok(Ok(_)) => {}
            other => return Err(self.why(&failure(other)).await),
        }
        let off = matches!(timeout(CALL, adapter.adapter_state()).await, Ok(Ok(CentralState::PoweredOff)));
        if off && !self.scanner.is_still() {
            // Looking for boards switches it on.
            if let Err(error) = self.scanner.begin(adapter).await {
                return Err(self.why(&error).await);
            }
        }
        Ok(())
    }

    /// What stands in the way, seen over a bus connection of its own. Where everything is well there, ours is not: it is made anew.
    async fn why(&mut self, error: &str) -> Hurdle {
        tracing::debug!("Bluetooth: {error}");
        let seen = timeout(CALL, tokio::task::spawn_blocking(bluez::look)).await;
        let hurdle = match seen {
            Ok(Ok(Ok(radio))) => radio.hurdle(self.setup.adapter.as_deref()).unwrap_or_else(|| Hurdle::Failed(String::from(error))),
            Ok(Ok(Err(hurdle))) => hurdle,
            Ok(Err(_)) => Hurdle::Failed(String::from(error)),
            Err(_) => Hurdle::Silent,
        };
        // After bluetoothd was away the old connection works again; after the bus was, it never does.
        if matches!(hurdle, Hurdle::NoBus | Hurdle::Silent | Hurdle::Failed(_)) {
            self.manager = None;
        }
        hurdle
    }

    async fn event(&mut self, adapter: &Adapter, event: CentralEvent, token: &CancellationToken) {
        let (id, heard) = match event {
            CentralEvent::DeviceDisconnected(id) => {
                if let Some(device) = self.devices.get(&id) {
                    device.hangups.send_modify(|times| *times = times.wrapping_add(1));
                }
                return;
            }
            CentralEvent::RssiUpdate { id, .. } | CentralEvent::ManufacturerDataAdvertisement { id, .. } => (id, true),
            CentralEvent::ServicesAdvertisement { id, .. } => {
                self.foreign.remove(&id);
                (id, false)
            }
            CentralEvent::DeviceDiscovered(id) | CentralEvent::DeviceUpdated(id) | CentralEvent::DeviceConnected(id) => (id, false),
            _ => return,
        };
        if self.foreign.contains(&id) || self.devices.get(&id).is_some_and(|device| self.boards.is_busy(&device.address)) {
            return;
        }
        if let Some(device) = self.devices.get(&id).filter(|_| heard) {
            self.boards.heard(&device.address);
        } else {
            self.look_at(adapter, &id).await;
        }
        self.talk_to_the_waiting(token);
    }

    /// Asks BlueZ what this device is, and whether it is here: what it remembers may be at home in a drawer.
    async fn look_at(&mut self, adapter: &Adapter, id: &PeripheralId) {
        let asked = timeout(CALL, async {
            let peripheral = adapter.peripheral(id).await.ok()?;
            let properties = peripheral.properties().await.ok()??;
            let connected = peripheral.is_connected().await.ok()?;
            Some((peripheral, properties, connected))
        });
        let Ok(Some((peripheral, properties, connected))) = asked.await else { return };
        let address = properties.address.to_string();
        let offers = properties.services.iter().any(|uuid| uuid.to_string() == SERVICE);
        let names = [properties.advertisement_name.as_deref(), properties.local_name.as_deref()];
        let Some(wanted) = self.boards.recognise(&address, names, offers) else {
            // Filters of all programs are one to BlueZ: others turn up, too.
            if !offers {
                if self.foreign.len() >= FOREIGN {
                    self.foreign.clear();
                }
                self.foreign.insert(id.clone());
            }
            return;
        };
        let device = self.devices.entry(id.clone()).or_insert_with(|| Arc::new(Device::new(peripheral, address.clone())));
        let trusted = matches!(wanted, Wanted::Named(_)) || names.into_iter().any(bluez::is_le_name);
        self.boards.seen(&address, wanted, device.clone(), trusted, properties.rssi.is_some() || connected);
    }

    fn talk_to_the_waiting(&mut self, token: &CancellationToken) {
        for (address, candidate) in self.boards.take_ready() {
            let talk = Talk { candidate, setup: self.setup.clone(), scanner: self.scanner.clone(), names: self.boards.names() };
            let (ended, token) = (self.ends.0.clone(), token.clone());
            self.talks.spawn(async move {
                // A panic in here must not leave the board busy for ever.
                let talking = tokio::spawn(async move { talk.run(&token).await });
                let end = talking.await.unwrap_or_else(|_| End::Unconnected(String::from("a mistake in flagfall; it is tried again")));
                // The radio outlives its talks, except when all ends.
                let _ = ended.send((address, end));
            });
        }
    }
}

/// Why a call gave nothing.
fn failure<T>(called: Result<btleplug::Result<T>, tokio::time::error::Elapsed>) -> String {
    match called {
        Ok(Ok(_)) => String::new(),
        Ok(Err(error)) => format!("{error:?}"),
        Err(_) => String::from("no answer in time"),
    }
}
