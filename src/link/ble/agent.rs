//! Pairing a classic Bluetooth board through an agent of our own: it answers the PIN, confirms what BlueZ asks, and nothing else.
use super::bluez::{self, ADAPTER, BLUEZ, DEVICE, Device, Hurdle};
use dbus::channel::{BusType, Channel};
use dbus::message::MessageType;
use dbus::strings::ErrorName;
use dbus::{Message, Path};
use std::fmt;
use std::time::Duration;

/// Our object on the bus.
const AGENT: &str = "/flagfall/agent";
const MANAGER: &str = "org.bluez.AgentManager1";
/// BlueZ answers at once or not at all.
const ANSWER: Duration = Duration::from_secs(5);
/// One look at what has come.
const STEP: Duration = Duration::from_millis(250);
/// Pairing goes over the air, and the board may take its time.
const PAIRING: u32 = 45_000;

/// Why a board is not paired. Its text says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairError {
    /// Bluetooth itself is not there.
    Hurdle(Hurdle),
    /// Nobody with this address was heard.
    NotHeard(String),
    /// Neither PIN was right.
    WrongPin,
    /// It was heard, but does not answer.
    NoAnswer,
    /// Anything else, in BlueZ's words.
    Failed(String),
}

impl fmt::Display for PairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hurdle(hurdle) => hurdle.fmt(f),
            Self::NotHeard(address) => write!(f, "{address} was not heard; switch the board on, bring it near and try again"),
            Self::WrongPin => {
                f.write_str("the board refuses the PIN; give the right one with --pin (DGT e-Boards 0000, Revelation II 1234)")
            }
            Self::NoAnswer => {
                f.write_str("the board does not answer; switch it off and on, bring it near and try again: the first attempt often fails")
            }
            Self::Failed(why) => write!(f, "pairing failed: {why}; try again, or by hand with bluetoothctl"),
        }
    }
}

impl std::error::Error for PairError {}

impl From<Hurdle> for PairError {
    fn from(hurdle: Hurdle) -> Self {
        Self::Hurdle(hurdle)
    }
}

/// A connection to the bus with our agent on it.
pub struct Agent {
    bus: Channel,
    adapter: String,
    pins: Vec<String>,
    /// The PIN to answer with, an index of `pins`.
    pin: usize,
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent").field("adapter", &self.adapter).finish_non_exhaustive()
    }
}

impl Agent {
    /// Registers the agent with BlueZ; blocks.
    ///
    /// # Errors
    /// What stands in the way of Bluetooth.
    pub fn register(adapter: Option<&str>) -> Result<Self, PairError> {
        let radio = bluez::look()?;
        let there = radio.adapters.iter().find(|a| a.whole && adapter.is_none_or(|name| name == a.name));
        let Some(there) = there else { return Err(radio.hurdle(adapter).unwrap_or(Hurdle::NoAdapter).into()) };
        let bus = Channel::get_private(BusType::System).map_err(|_| Hurdle::NoBus)?;
        let agent = Self { bus, adapter: format!("/org/bluez/{}", there.name), pins: Vec::new(), pin: 0 };
        if !there.powered {
            let on = dbus::arg::Variant(true);
            let power = call(&agent.adapter, "org.freedesktop.DBus.Properties", "Set").append3(ADAPTER, "Powered", on);
            agent.ask(power).map_err(|_| Hurdle::PoweredOff(there.name.clone()))?;
        }
        let path = Path::from(AGENT);
        agent.ask(call("/org/bluez", MANAGER, "RegisterAgent").append2(path.clone(), "KeyboardDisplay"))?;
        agent.ask(call("/org/bluez", MANAGER, "RequestDefaultAgent").append1(path))?;
        Ok(agent)
    }

    /// Listens for `seconds` and hands on what BlueZ knows after each; `until` says when it is enough. Devices that are paired already are
    /// not announced, but known.
    ///
    /// # Errors
    /// What stands in the way of Bluetooth.
    pub fn search(&mut self, seconds: u32, until: impl Fn(&[Device]) -> bool) -> Result<Vec<Device>, PairError> {
        let known = bluez::look()?.devices;
        if until(&known) {
            return Ok(known);
        }
        // It may be looking already, for somebody else.
        let _ = self.ask(call(&self.adapter, ADAPTER, "StartDiscovery"));
        let mut found = known;
        for _ in 0..seconds * 4 {
            self.serve(STEP)?;
            found = bluez::look()?.devices;
            if until(&found) {
                break;
            }
        }
        let _ = self.ask(call(&self.adapter, ADAPTER, "StopDiscovery"));
        Ok(found)
    }

    /// Pairs with `device`, trying these PINs one after the other, and trusts it from then on.
    ///
    /// # Errors
    /// Why it is not paired.
    pub fn pair(&mut self, device: &Device, pins: &[&str]) -> Result<(), PairError> {
        self.pins = pins.iter().map(|pin| String::from(*pin)).collect();
        let mut last = PairError::NoAnswer;
        for pin in 0..pins.len().max(1) {
            self.pin = pin;
            match self.pair_once(device) {
                Ok(()) => {
                    let trusted = call(&device.path, "org.freedesktop.DBus.Properties", "Set");
                    let done = self.ask(trusted.append3(DEVICE, "Trusted", dbus::arg::Variant(true)));
                    return done.map(drop).map_err(PairError::from);
                }
                Err(PairError::WrongPin) => last = PairError::WrongPin,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    fn pair_once(&self, device: &Device) -> Result<(), PairError> {
        if device.paired {
            return Ok(());
        }
        let request = call(&device.path, DEVICE, "Pair");
        let serial = self.bus.send(request).map_err(|()| Hurdle::NoBus)?;
        let mut left = PAIRING;
        while left > 0 {
            let Some(mut message) = self.next(STEP)? else {
                left = left.saturating_sub(u32::try_from(STEP.as_millis()).unwrap_or(left));
                continue;
            };
            if message.get_reply_serial() != Some(serial) {
                self.answer(&message);
                continue;
            }
            let Err(error) = message.as_result() else { return Ok(()) };
            let words = error.message().unwrap_or("no reason given").to_owned();
            return match error.name().unwrap_or_default().rsplit('.').next().unwrap_or_default() {
                "AlreadyExists" => Ok(()),
                "AuthenticationFailed" | "AuthenticationRejected" => Err(PairError::WrongPin),
                "ConnectionAttemptFailed" | "AuthenticationTimeout" | "NoReply" => Err(PairError::NoAnswer),
                "UnknownObject" | "UnknownMethod" => Err(PairError::NotHeard(device.address.clone())),
                "AccessDenied" | "NotAuthorized" => Err(Hurdle::NotPermitted.into()),
                _ => Err(PairError::Failed(words)),
            };
        }
        let _ = self.ask(call(&device.path, DEVICE, "CancelPairing"));
        Err(PairError::NoAnswer)
    }

    /// Answers what BlueZ asks for a while.
    fn serve(&self, patience: Duration) -> Result<(), PairError> {
        if let Some(message) = self.next(patience)? {
            self.answer(&message);
        }
        Ok(())
    }

    fn next(&self, patience: Duration) -> Result<Option<Message>, PairError> {
        self.bus.blocking_pop_message(patience).map_err(|_| Hurdle::NoBus.into())
    }

    /// One question of BlueZ's.
    fn answer(&self, message: &Message) {
        if message.msg_type() != MessageType::MethodCall {
            return;
        }
        let member = message.member().map(|member| member.to_string()).unwrap_or_default();
        let pin = self.pins.get(self.pin).map_or("0000", String::as_str);
        let reply = match member.as_str() {
            "RequestPinCode" => message.method_return().append1(pin),
            "RequestPasskey" => message.method_return().append1(pin.parse::<u32>().unwrap_or(0)),
            // We asked for this pairing ourselves; the board has no display to compare with.
            "RequestConfirmation"
            | "RequestAuthorization"
            | "AuthorizeService"
            | "DisplayPinCode"
            | "DisplayPasskey"
            | "Cancel"
            | "Release" => message.method_return(),
            _ => message.error(&ErrorName::from("org.freedesktop.DBus.Error.UnknownMethod"), c"not known here"),
        };
        // A bus that is gone is found at the next question.
        let _ = self.bus.send(reply);
        self.bus.flush();
    }

    fn ask(&self, request: Message) -> Result<Message, Hurdle> {
        self.bus.send_with_reply_and_block(request, ANSWER).map_err(|error| Hurdle::of(&error))
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.ask(call("/org/bluez", MANAGER, "UnregisterAgent").append1(Path::from(AGENT)));
    }
}

fn call(path: &str, interface: &str, method: &str) -> Message {
    Message::call_with_args(BLUEZ, Path::from(String::from(path)), interface, method, ())
}
