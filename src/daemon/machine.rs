//! The machine under the daemon: its power supply, its temperature, room on the disk, and whether it knows the time of day.
//!
//! A Raspberry Pi has no clock of its own: after a start without network its time of day is that of the last shutdown. Games do not mind (their time is
//! monotonic); what is wrong meanwhile is what people read. It is said, and what a time server changes later is recorded in every journal.
use crate::time::Stopwatch;
use crate::web::hub::Hub;
use flagfall_events::{Mono, Wall};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A time server that is followed changes the clock by less at once, milliseconds.
pub(super) const WALL_JUMP: u64 = 2_000;
/// How often it is looked.
const LOOK: Duration = Duration::from_secs(5);
/// The supply was too weak a moment ago: the alarm stands for so long after, milliseconds.
const WEAK: u64 = 60_000;
/// Thousandths of a degree Celsius: a Pi slows down at 80, and is all right again below 75.
const HOT: i64 = 80_000;
const COOL: i64 = 75_000;
/// Bytes: with less room evidence is in danger …
const SCARCE: u64 = 100 << 20;
/// … and with this much it is not.
const ENOUGH: u64 = 150 << 20;

/// Why the time of day cannot be believed.
const BEHIND: &str = "the clock is behind the day on which flagfall was made";
const UNASKED: &str = "no time server has answered since the start, and the machine has no clock with a battery";

/// What the alarms are about.
const ABOUT: &str = "this machine";

/// Whether the time of day can be believed. Clones tell the same.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeOfDay(Arc<AtomicBool>);

impl TimeOfDay {
    /// A time server or a clock with a battery has set it.
    pub(super) fn is_known(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where the machine tells about itself.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// `/sys`.
    pub(super) sys: PathBuf,
    /// `/run`.
    pub(super) run: PathBuf,
    /// Where journals are kept.
    pub(super) data: Option<PathBuf>,
}

/// What was seen last; `None`: this machine does not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Sensors with thousandths of a degree Celsius.
    pub(super) temperatures: Vec<(String, i64)>,
    /// The supply is too weak now, or was since the last look.
    pub(super) undervoltage: Option<bool>,
    /// Why the time of day cannot be believed; `None`: it can.
    pub(super) time_unknown: Option<&'static str>,
    /// Bytes of room on the disk of the journals.
    pub(super) free: Option<u64>,
    /// How often the clock was set while the daemon ran.
    pub(super) clock_set: u64,
}

/// The machine as it was seen last; clones lead to the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    seen: Arc<Mutex<Seen>>,
    pub(super) time_of_day: TimeOfDay,
}

impl Machine {
    pub(super) fn seen(&self) -> Seen {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Looks once, then again and again until `token` is cancelled; what an operator must know becomes an alarm.
    pub(super) fn start(places: Places, hub: &Arc<Hub>, stopwatch: Stopwatch, token: CancellationToken) -> Self {
        let machine = Self::default();
        let mut watch = Watch::new(stopwatch);
        machine.take(look(&places), &mut watch, hub, stopwatch);
        let (there, hub) = (machine.clone(), hub.clone());
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(LOOK);
            loop {
                tokio::select! {
                    () = token.cancelled() => return,
                    _ = ticks.tick() => {}
                }
                let places = places.clone();
                // A dead disk answers late or never, and then nobody else waits for it.
                let Ok(seen) = tokio::task::spawn_blocking(move || look(&places)).await else { continue };
                there.take(seen, &mut watch, &hub, stopwatch);
            }
        });
        machine
    }

    fn take(&self, mut seen: Seen, watch: &mut Watch, hub: &Hub, stopwatch: Stopwatch) {
        let now = stopwatch.now();
        if let Some(by) = watch.clock_set(now, crate::time::now()) {
            tracing::warn!("the machine's clock was set by {} s; games go on in their own time, journals say where", by / 1_000);
        }
        // Whoever set it since, by hand perhaps, knew the time.
        seen.time_unknown = seen.time_unknown.filter(|why| watch.sets == 0 || *why == BEHIND);
        for (key, raised) in watch.take(&seen, now) {
            let text = raised.then(|| words(key, &seen));
            match &text {
                Some(text) => tracing::warn!("{text}"),
                None => tracing::info!("{key}: over"),
            }
            hub.alarm(key, ABOUT, text);
        }
        self.time_of_day.0.store(seen.time_unknown.is_none(), Ordering::Relaxed);
        seen.clock_set = watch.sets;
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }
}

/// What stands, and since when.
#[derive(Debug)]
struct Watch {
    /// The wall time of the stopwatch's millisecond 0.
    opened_at: Wall,
    sets: u64,
    weak: Option<Mono>,
    hot: bool,
    scarce: bool,
    unknown: bool,
    standing: Vec<&'static str>,
}

impl Watch {
    fn new(stopwatch: Stopwatch) -> Self {
        let (opened_at, sets) = (stopwatch.opened_at(), 0);
        Self { opened_at, sets, weak: None, hot: false, scarce: false, unknown: false, standing: Vec::new() }
    }

    /// Alarms that change, raised or cleared.
    fn take(&mut self, seen: &Seen, now: Mono) -> Vec<(&'static str, bool)> {
        if seen.undervoltage == Some(true) {
            self.weak = Some(now);
        }
        self.weak = self.weak.filter(|at| now.since(*at) < WEAK);
        let hottest = seen.temperatures.iter().map(|(_, degrees)| *degrees).max();
        self.hot = hottest.is_some_and(|degrees| degrees >= if self.hot { COOL } else { HOT });
        self.scarce = seen.free.is_some_and(|free| free < if self.scarce { ENOUGH } else { SCARCE });
        self.unknown = seen.time_unknown.is_some();
        let standing: Vec<&'static str> = [
            ("undervoltage", self.weak.is_some()),
            ("machine-hot", self.hot),
            ("disk-nearly-full", self.scarce),
            ("time-unknown", self.unknown),
        ]
        .into_iter()
        .filter_map(|(key, stands)| stands.then_some(key))
        .collect();
        let before = std::mem::replace(&mut self.standing, standing);
        let raised = self.standing.iter().filter(|key| !before.contains(key)).map(|key| (*key, true));
        let cleared = before.iter().filter(|key| !self.standing.contains(key)).map(|key| (*key, false));
        raised.chain(cleared).collect()
    }

    /// Milliseconds by which the clock was set since the last look, if it was.
    fn clock_set(&mut self, now: Mono, wall: Wall) -> Option<i64> {
        let by = wall.differs(self.opened_at.after(now));
        if by.unsigned_abs() < WALL_JUMP {
            return None;
        }
        self.opened_at = wall.before(now);
        self.sets = self.sets.saturating_add(1);
        Some(by)
    }
}

fn words(key: &str, seen: &Seen) -> String {
    match key {
        "undervoltage" => {
            String::from("the power supply is too weak, the machine may fail: use the supply that was made for it, and a short cable")
        }
        "machine-hot" => {
            let hottest = seen.temperatures.iter().map(|(_, degrees)| *degrees).max().unwrap_or(0);
            format!("the machine has {} °C and slows down: out of the sun, lid off, or a fan", hottest / 1_000)
        }
        "disk-nearly-full" => {
            format!("{} MB are left for evidence: remove what is not needed, or move data_dir", seen.free.unwrap_or(0) >> 20)
        }
        _ => format!(
            "the time of day is not known: {}. Games and clocks are right; dates and times of day are not yet",
            seen.time_unknown.unwrap_or("")
        ),
    }
}

fn look(places: &Places) -> Seen {
    Seen {
        temperatures: temperatures(&places.sys),
        undervoltage: undervoltage(&places.sys),
        time_unknown: time_unknown(&places.sys, &places.run, crate::time::now()),
        free: places.data.as_deref().and_then(free),
        clock_set: 0,
    }
}

/// The files below `folder` in the order of their names; none where it is missing.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    found
}

fn word(path: &Path) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}

fn temperatures(sys: &Path) -> Vec<(String, i64)> {
    let zones = below(&sys.join("class/thermal")).into_iter();
    let zone = |zone: PathBuf| {
        let name = zone.file_name()?.to_str()?.strip_prefix("thermal_zone")?.to_owned();
        let degrees = word(&zone.join("temp"))?.parse().ok()?;
        Some((word(&zone.join("type")).map_or_else(|| name.clone(), |kind| format!("{kind} {name}")), degrees))
    };
    zones.filter_map(zone).collect()
}

/// The Pi's driver has an alarm that says whether the supply was too weak since the last look; older kernels have the firmware's word, in which
/// bit 0 is "now".
fn undervoltage(sys: &Path) -> Option<bool> {
    let driver = below(&sys.join("class/hwmon")).into_iter().find(|place| word(&place.join("name")).as_deref() == Some("rpi_volt"));
    if let Some(alarm) = driver.and_then(|place| word(&place.join("in0_lcrit_alarm"))) {
        return Some(alarm != "0");
    }
    let throttled = word(&sys.join("devices/platform/soc/soc:firmware/get_throttled"))?;
    u32::from_str_radix(throttled.trim_start_matches("0x"), 16).ok().map(|bits| bits & 1 == 1)
}

/// Why the time of day cannot be believed, if it cannot.
fn time_unknown(sys: &Path, run: &Path, now: Wall) -> Option<&'static str> {
    if made().is_some_and(|made| now.timestamp() < made) {
        return Some(BEHIND);
    }
    let timesync = run.join("systemd/timesync");
    let battery = below(&sys.join("class/rtc")).into_iter().any(|clock| word(&clock.join("hctosys")).as_deref() == Some("1"));
    // Where systemd's time service does not run, somebody else keeps the time, and nothing can be said.
    let waits = timesync.exists() && !timesync.join("synchronized").exists() && !battery;
    waits.then_some(UNASKED)
}

/// When this program was made: its own file says so.
fn made() -> Option<jiff::Timestamp> {
    let file = fs::metadata(std::env::current_exe().ok()?).ok()?;
    jiff::Timestamp::try_from(file.modified().ok()?).ok()
}

fn free(data: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(data).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_pi_tells_its_temperature_and_that_its_supply_is_weak() {
        let root = tempfile::tempdir().unwrap();
        let sys = root.path();
        assert_eq!((temperatures(sys), undervoltage(sys)), (Vec::new(), None), "a machine that does not tell");
        put(sys, "class/thermal/thermal_zone0/temp", "48312\n");
        put(sys, "class/thermal/thermal_zone0/type", "cpu-thermal\n");
        put(sys, "class/thermal/cooling_device0/type", "fan\n");
        put(sys, "devices/platform/soc/soc:firmware/get_throttled", "50005\n");
        assert_eq!(temperatures(sys), [(String::from("cpu-thermal 0"), 48_312)]);
        assert_eq!(undervoltage(sys), Some(true));
        put(sys, "devices/platform/soc/soc:firmware/get_throttled", "0x50000\n");
        assert_eq!(undervoltage(sys), Some(false), "it was weak once, and is not now");
        put(sys, "class/hwmon/hwmon1/name", "rpi_volt\n");
        put(sys, "class/hwmon/hwmon1/in0_lcrit_alarm", "1\n");
        assert_eq!(undervoltage(sys), Some(true));
    }

    #[test]
    fn the_time_of_day_is_unknown_until_a_time_server_has_answered_or_a_battery_kept_it() {
        let root = tempfile::tempdir().unwrap();
        let (sys, run) = (root.path().join("sys"), root.path().join("run"));
        let now = crate::time::now();
        assert_eq!(time_unknown(&sys, &run, now), None, "somebody else keeps the time");
        fs::create_dir_all(run.join("systemd/timesync")).unwrap();
        assert!(time_unknown(&sys, &run, now).is_some());
        put(&sys, "class/rtc/rtc0/hctosys", "1\n");
        assert_eq!(time_unknown(&sys, &run, now), None);
        fs::remove_dir_all(sys.join("class/rtc")).unwrap();
        put(&run, "systemd/timesync/synchronized", "");
        assert_eq!(time_unknown(&sys, &run, now), None);
        assert!(time_unknown(&sys, &run, Wall::EPOCH).is_some(), "1970 is never right");
    }

    #[test]
    fn alarms_stand_as_long_as_they_mean_something_and_do_not_flap() {
        let mut watch = Watch::new(Stopwatch::start());
        let at = Mono::from_millis;
        let hot = |degrees| Seen { temperatures: vec![(String::from("0"), degrees)], ..Seen::default() };
        let weak = |weak| Seen { undervoltage: Some(weak), ..Seen::default() };
        assert_eq!(watch.take(&Seen::default(), at(0)), []);
        assert_eq!(watch.take(&hot(81_000), at(5_000)), [("machine-hot", true)]);
        assert_eq!(watch.take(&hot(77_000), at(10_000)), []);
        assert_eq!(watch.take(&hot(74_000), at(15_000)), [("machine-hot", false)]);
        assert_eq!(watch.take(&weak(true), at(20_000)), [("undervoltage", true)]);
        assert_eq!(watch.take(&weak(false), at(25_000)), []);
        assert_eq!(watch.take(&weak(false), at(85_000)), [("undervoltage", false)]);
        assert_eq!(watch.take(&Seen { free: Some(99 << 20), ..Seen::default() }, at(90_000)), [("disk-nearly-full", true)]);
        assert_eq!(watch.take(&Seen { free: Some(120 << 20), ..Seen::default() }, at(95_000)), []);
        assert_eq!(
            watch.take(&Seen { time_unknown: Some(BEHIND), ..Seen::default() }, at(99_000)),
            [("time-unknown", true), ("disk-nearly-full", false)]
        );
    }

    #[test]
    fn a_clock_that_was_set_is_noticed_once_and_one_that_is_followed_never() {
        let mut watch = Watch::new(Stopwatch::start());
        let (t, opened) = (Mono::from_millis, watch.opened_at);
        assert_eq!(watch.clock_set(t(60_000), opened.after(t(60_400))), None);
        assert_eq!(watch.clock_set(t(65_000), opened.after(t(7_265_000))), Some(7_200_000));
        assert_eq!(watch.clock_set(t(70_000), opened.after(t(7_270_000))), None);
        assert_eq!(watch.clock_set(t(75_000), opened.after(t(75_000))), Some(-7_200_000));
        assert_eq!(watch.sets, 2);
    }
}
