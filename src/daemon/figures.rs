//! Figures that are looked up when somebody asks for `/metrics`: games, alarms, queues, the process itself.
use super::hall::PlayingHall;
use super::machine::Seen;
use crate::feeds::alarms::TABLE;
use crate::web::hub::Hub;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Weak};

/// What the boards' tasks are doing, and what tells of alarms; names begin with `flagfall_`.
struct OfHall(Weak<PlayingHall>);

/// What everybody may know of boards and machine.
struct Public(Weak<PlayingHall>);

/// What everybody may know where that is behind.
struct OfShown(Weak<Hub>);

/// What the operating system says of this process; the names are those of every Prometheus client.
#[derive(Debug)]
struct OfProcess {
    /// With what was written: it grows with every finding.
    whole: bool,
}

/// Shows the figures with the others.
pub(super) fn register(hall: &Arc<PlayingHall>) {
    let metrics = hall.outlets.hub.metrics();
    metrics.register_public(|registry| registry.register_collector(Box::new(Public(Arc::downgrade(hall)))));
    if let Some(later) = &hall.outlets.later {
        let shown = &later.shown().hub;
        // What the machine does as a whole would tell how busy its boards are.
        shown.metrics().register_public(|registry| registry.register_collector(Box::new(OfShown(Arc::downgrade(shown)))));
    }
    metrics.register(|registry| registry.register_collector(Box::new(OfHall(Arc::downgrade(hall)))));
    metrics.register_bare(|registry, whole| registry.register_collector(Box::new(OfProcess { whole })));
}

impl fmt::Debug for OfHall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OfHall").finish_non_exhaustive()
    }
}

impl fmt::Debug for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Public").finish_non_exhaustive()
    }
}

impl fmt::Debug for OfShown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OfShown").finish_non_exhaustive()
    }
}

impl Collector for OfShown {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(hub) = self.0.upgrade() else { return Ok(()) };
        boards(&mut encoder, &hub)
    }
}

/// Boards and their games.
fn boards(encoder: &mut DescriptorEncoder<'_>, hub: &Hub) -> fmt::Result {
    gauge(encoder, "boards", "Boards that are known", hub.boards_up().0)?;
    gauge(encoder, "games_on", "Games that have begun and have no result", hub.games_on())
}

impl Public {
    /// The machine's own figures, as far as it tells.
    fn machine(&self, encoder: &mut DescriptorEncoder<'_>, seen: &Seen) -> fmt::Result {
        if !seen.temperatures.is_empty() {
            let mut family = encoder.encode_descriptor("temperature_celsius", "Temperatures of the machine", None, MetricType::Gauge)?;
            for (sensor, degrees) in &seen.temperatures {
                let value = *degrees as f64 / 1_000.0;
                ConstGauge::new(value).encode(family.encode_family(&[("sensor", sensor.as_str())])?)?;
            }
        }
        if let Some(weak) = seen.undervoltage {
            gauge(encoder, "undervoltage", "1 while the power supply is too weak", u64::from(weak))?;
        }
        gauge(encoder, "time_known", "1 while the time of day can be believed", u64::from(seen.time_unknown.is_none()))?;
        counter(encoder, "clock_sets", "Times the machine's clock was set while flagfall ran", seen.clock_set)
    }
}

impl Collector for OfHall {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(hall) = self.0.upgrade() else { return Ok(()) };
        let standing = hall.outlets.alarms.list();
        // Every kind is there, also where none stands.
        let mut alarms: BTreeMap<&str, u64> = TABLE.iter().map(|meaning| (meaning.key, 0)).collect();
        for key in standing.iter().filter_map(|alarm| alarm["key"].as_str()) {
            *alarms.entry(key).or_default() += 1;
        }
        labelled(&mut encoder, "alarms", "Alarms that stand, by kind", "key", alarms)?;
        if let Some(free) = hall.machine.seen().free {
            gauge(&mut encoder, "journal_free_bytes", "Room on the disk of the journals", free)?;
        }
        let mut queues: BTreeMap<String, u64> = hall.waiting();
        queues.extend(hall.outlets.hub.alerts_waiting());
        labelled(&mut encoder, "queue_length", "What waits, by who has to take it", "queue", queues)
    }
}

impl Collector for Public {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(hall) = self.0.upgrade() else { return Ok(()) };
        boards(&mut encoder, &hall.outlets.hub)?;
        gauge(
            &mut encoder,
            "loops_stuck",
            "Tasks and threads that do not turn; while there is one, systemd is not fed",
            hall.beats.stuck().len(),
        )?;
        self.machine(&mut encoder, &hall.machine.seen())
    }
}

impl Collector for OfProcess {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let process = Process::now();
        if let Some(bytes) = process.resident {
            gauge(&mut encoder, "process_resident_memory_bytes", "Memory in use (resident)", bytes)?;
        }
        if let Some(files) = process.files {
            gauge(&mut encoder, "process_open_fds", "Open files, sockets and ports", files)?;
        }
        if let Some(threads) = process.threads {
            gauge(&mut encoder, "process_threads", "Threads", threads)?;
        }
        if let Some(bytes) = process.written.filter(|_| self.whole) {
            counter(&mut encoder, "process_written_bytes", "Bytes that this process caused to be written to disks", bytes)?;
        }
        if let Some(seconds) = process.cpu_seconds {
            let counter = ConstCounter::new(seconds);
            let family =
                encoder.encode_descriptor("process_cpu_seconds", "Processor time, user and system", None, counter.metric_type())?;
            counter.encode(family)?;
        }
        Ok(())
    }
}

/// What `/proc/self` says; `None`: nothing.
#[derive(Debug, Default)]
struct Process {
    resident: Option<u64>,
    files: Option<u64>,
    threads: Option<u64>,
    written: Option<u64>,
    cpu_seconds: Option<f64>,
}

impl Process {
    fn now() -> Self {
        let read = |name: &str| std::fs::read_to_string(format!("/proc/self/{name}")).unwrap_or_default();
        let field = |text: &str, name: &str| -> Option<u64> {
            text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
        };
        let status = read("status");
        // After the program's name, which may hold anything: fields 14 and 15 are ticks of a hundredth of a second in user and system mode.
        let stat = read("stat");
        let ticks: Option<Vec<u64>> =
            stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().map(|n| n.parse().unwrap_or(0)).collect());
        let cpu = ticks.and_then(|fields| Some(fields.get(11)?.saturating_add(*fields.get(12)?)));
        Self {
            resident: field(&status, "VmRSS:").map(|kilobytes| kilobytes.saturating_mul(1024)),
            files: std::fs::read_dir("/proc/self/fd").ok().map(|open| open.count() as u64),
            threads: field(&status, "Threads:"),
            written: field(&read("io"), "write_bytes:"),
            cpu_seconds: cpu.map(|ticks| ticks as f64 / 100.0),
        }
    }
}

fn gauge(encoder: &mut DescriptorEncoder<'_>, name: &str, help: &str, value: impl TryInto<i64>) -> fmt::Result {
    let gauge = ConstGauge::new(value.try_into().unwrap_or(i64::MAX));
    let family = encoder.encode_descriptor(name, help, None, gauge.metric_type())?;
    gauge.encode(family)
}

fn counter(encoder: &mut DescriptorEncoder<'_>, name: &str, help: &str, value: u64) -> fmt::Result {
    let counter = ConstCounter::new(value);
    let family = encoder.encode_descriptor(name, help, None, counter.metric_type())?;
    counter.encode(family)
}

fn labelled(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    label: &str,
    values: BTreeMap<impl AsRef<str>, u64>,
) -> fmt::Result {
    let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for (key, value) in values {
        ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX)).encode(family.encode_family(&[(label, key.as_ref())])?)?;
    }
    Ok(())
}
