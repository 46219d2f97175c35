//! The times proposed for a clock that is wrong, against the clock as it would be without the fault.
use super::measure::{Injected, fault_name};
use super::measure::{events_of, options, ply_of};
use flagfall_capture::CaptureLine;
use flagfall_events::{Body, Colour, Event, Key, Mono, Proposal, TimeControl};
use flagfall_simulator::clock::{ChessClock, PeriodChange, Side};
use flagfall_simulator::games::PgnGame;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::script::{Act, Script};
use flagfall_simulator::stream::{Options, Stream, stream};

/// A fault, with the time controls under which its times are compared.
pub(crate) struct Compared {
    pub(crate) incidents: &'static [&'static str],
    pub(crate) controls: &'static [&'static str],
}

/// From a change on the simulated clock to the board's report.
const LAG_MS: u64 = 40;
/// At so many moments of a game the arbiter stops the clock.
const STOPS: u64 = 3;

const FISCHER: &[&str] = &["5400+30", "900+10", "20/1800+30:900+30"];
const ANY: &[&str] = &["5400+30", "900+10", "3600", "900+d10", "900+b10", "20/1800+30:900+30", "20/1800+d10:900+d10", "20/1800:900"];

/// Every fault of the clock that leads to times.
pub(crate) const COMPARED: [Compared; 11] = [
    Compared { incidents: &["no-increment"], controls: &["5400+30", "900+10", "900+d10", "900+b10", "20/1800+30:900+30"] },
    Compared { incidents: &["wrong-increment"], controls: FISCHER },
    Compared { incidents: &["delay-instead"], controls: FISCHER },
    Compared { incidents: &["base-wrong"], controls: ANY },
    Compared {
        incidents: &["bonus-missing"],
        controls: &["20/3600+30:900+30", "20/1800:900", "20/900+d10:600+d10", "10/600+10:10/400+10:300+10"],
    },
    // Neither side gets it.
    Compared {
        incidents: &["bonus-missing@1", "bonus-missing@2"],
        controls: &["20/300+5:900+5", "20/240:60", "20/120+d10:60+d10", "20/240+b5:120+b5"],
    },
    Compared { incidents: &["drift"], controls: ANY },
    Compared { incidents: &["slow"], controls: ANY },
    Compared { incidents: &["freeze"], controls: ANY },
    Compared { incidents: &["jump"], controls: ANY },
    Compared { incidents: &["both-run"], controls: ANY },
];

/// The clock of this script without its faults, up to `until` milliseconds of the device; `stopped`: the arbiter stops it then.
fn without_fault(script: &Script, epoch: u64, control: &TimeControl, change: PeriodChange, until: u64) -> ChessClock {
    let mut clock = ChessClock::new(control.clone(), change, Side::Left);
    let side = |by| if by == Colour::White { Side::Left } else { Side::Right };
    for step in &script.steps {
        let at = (epoch + step.at) * 1000;
        if at > until * 1000 {
            break;
        }
        match step.act {
            Act::StartClock => clock.start(at),
            Act::StopClock => clock.stop(at),
            Act::Press { by, .. } => _ = clock.press(at, side(by)),
            Act::ResetClock => clock.reset(Side::Left),
            _ => {}
        }
    }
    clock.advance(until * 1000);
    clock
}

/// What was proposed too late, or wrong, in words.
pub(crate) fn compare(game: &PgnGame, compared: &Compared, control: &str, kind: Kind, seed: u64, wrong: &mut Vec<String>) -> usize {
    let named = |incident: &&'static str| {
        let fault = Injected { incident: incident.split('@').next().unwrap_or_default(), name: "", controls: &[] };
        let text = if incident.contains('@') { String::from(*incident) } else { format!("{incident}@{}", ply_of(&fault, seed)) };
        text.parse().expect("an incident")
    };
    let options = Options { incidents: compared.incidents.iter().map(named).collect(), ..options(control, None, kind, seed) };
    let script = options.players().play(game);
    let played = stream(game, &options);
    let (Some(first), Some(at)) = (script.truth.plies.first(), played.truth.plies.first()) else { return 0 };
    let epoch = at.last_down - first.last_down;
    let change = options.config().period_change;
    let right = |t: u64| {
        let clock = without_fault(&script, epoch, &options.control(), change, t);
        [Side::Left, Side::Right].map(|side| i64::from(clock.shown(side)))
    };
    let what = format!("{:?} {control} seed {seed} {kind:?}", compared.incidents);
    let mut events = events_of(&played);
    let over = |event: &Event| {
        matches!(&event.body, Body::Finding(f) if matches!(f.key, Key::FlagFall | Key::BothFlags))
            || matches!(event.body, Body::Result { .. })
    };
    if let Some(end) = events.iter().position(over) {
        events.truncate(end);
    }
    let mut compared_times = 0;
    let blocked = blocked_at(&played);
    // As the clock runs; the board hears of it a little later than it happens.
    let mut check = |at: u64, proposal: &Proposal, when: &str, wrong: &mut Vec<String>| {
        let Some(clock) = proposal.clock else { return };
        let (is, at) = ([clock.white_ms / 1000, clock.black_ms / 1000], at.min(blocked));
        let right = [0, LAG_MS, LAG_MS + 20].map(|lag| right(at.saturating_sub(lag)));
        compared_times += 1;
        let near = |should: &[i64; 2]| is.iter().zip(should).all(|(is, should)| is.abs_diff(*should) <= 1);
        if !right.iter().any(near) {
            wrong.push(format!("{what} at {at}, {when}: {is:?} proposed, right are {:?}", right[1]));
        }
    };
    let mut clock_findings = Vec::new();
    for event in &events {
        match &event.body {
            // A note that neither side got the next period's time is right only where the clock should have added it by now.
            Body::Finding(finding) if fault_name(event).is_some() => {
                clock_findings.push(finding.id);
                if let Some(proposal) = &finding.proposal {
                    check(event.t.millis(), proposal, "running", wrong);
                }
            }
            Body::FindingUpdate(update) if clock_findings.contains(&update.id) => {
                if let Some(proposal) = &update.proposal {
                    check(event.t.millis(), proposal, "revised", wrong);
                }
            }
            _ => {}
        }
    }
    // Stopped by the arbiter, at any moment.
    let Some(found) =
        events.iter().find(|event| clock_findings.first().is_some_and(|id| matches!(&event.body, Body::Finding(f) if f.id == *id)))
    else {
        return compared_times;
    };
    let last = events.last().map_or(0, |event| event.t.millis());
    let span = last.saturating_sub(found.t.millis() + 1);
    for n in 0..STOPS {
        let share = (seed.wrapping_mul(2_654_435_761).wrapping_add(n.wrapping_mul(40_503))) % 1000;
        let at = found.t.millis() + 1 + span * share / 1000;
        let Some(cut) = stopped_at(&played, at) else { continue };
        let proposal = last_proposal(&events_of(&cut), &clock_findings);
        if let Some(proposal) = proposal {
            check(at, &proposal, "stopped", wrong);
        }
    }
    compared_times
}

/// When a flag stopped the clock: the hands go on, its times do not.
fn blocked_at(stream: &Stream) -> u64 {
    let flags = |bytes: &[u8]| matches!(bytes, [0x8D, _, _, right, _, _, left, ..] if (right | left) & 0x10 != 0);
    let blocked = stream.lines.iter().find(|(_, line)| matches!(line, CaptureLine::FromBoard(bytes) if flags(bytes)));
    blocked.map_or(u64::MAX, |(t, _)| t.millis())
}

/// The same stream until `at`, where the clock is stopped and all is quiet for a while.
fn stopped_at(stream: &Stream, at: u64) -> Option<Stream> {
    let mut lines: Vec<_> = stream.lines.iter().take_while(|(t, _)| t.millis() <= at).cloned().collect();
    let report = lines.iter().rev().find_map(|(_, line)| match line {
        CaptureLine::FromBoard(bytes) if matches!(bytes[..], [0x8D, _, _, _, _, _, _, _, _, status] if status & 0x20 == 0) => {
            Some(bytes.clone())
        }
        _ => None,
    })?;
    let mut report = report;
    *report.last_mut()? &= !1;
    lines.push((Mono::from_millis(at), CaptureLine::FromBoard(report)));
    lines.push((Mono::from_millis(at + 2500), CaptureLine::ToBoard(vec![0x45])));
    Some(Stream { lines, ..stream.clone() })
}

/// The times of the first of these findings that is open at the end.
fn last_proposal(events: &[Event], ids: &[u64]) -> Option<Proposal> {
    events.iter().rev().find_map(|event| match &event.body {
        Body::FindingUpdate(update) if ids.contains(&update.id) => update.proposal.clone(),
        Body::Finding(finding) if ids.contains(&finding.id) => finding.proposal.clone(),
        _ => None,
    })
}
