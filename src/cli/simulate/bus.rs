//! `flagfall simulate --bus N`: a line with several boards on one pseudo-terminal.
use super::place::{no_port, stopped};
use crate::cli::{ExitError, output};
use flagfall_simulator::bus_line::LineFault;
use flagfall_simulator::bus_pty::{self, BusProgramme};
use std::str::FromStr;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A fault from one second on until another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Planned {
    fault: LineFault,
    from: u32,
    until: u32,
}

impl FromStr for Planned {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no fault with its time; write NAME@FROM-UNTIL in seconds, for example cut:4@60-90");
        let (name, span) = text.split_once('@').ok_or_else(wrong)?;
        let (from, until) = span.split_once('-').ok_or_else(wrong)?;
        let (from, until) = (from.parse().map_err(|_| wrong())?, until.parse().map_err(|_| wrong())?);
        let fault = name.parse().map_err(|error: flagfall_simulator::bus_line::LineFaultError| error.to_string())?;
        if until <= from { Err(wrong()) } else { Ok(Self { fault, from, until }) }
    }
}

/// Plays on a line; `plan` says what is wrong with it when.
pub(super) fn port(play: BusProgramme, plan: &[Planned], about: &str) -> Result<(), ExitError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
        ExitError::unavailable(format_args!("cannot start: {error}; the system may be out of memory or of file descriptors"))
    })?;
    let addresses: Vec<String> = play.boards.iter().map(|board| board.address.to_string()).collect();
    runtime.block_on(async {
        let token = CancellationToken::new();
        let mut line = bus_pty::spawn(play, token.clone()).map_err(no_port)?;
        output::print(&format!(
            "{about}\naddresses {} on a line at {}; each board begins when a program asks for its changes\n",
            addresses.join(" "),
            line.path().display()
        ))?;
        let stop = stopped();
        tokio::pin!(stop);
        let mut plan: Vec<(u32, Option<LineFault>)> =
            plan.iter().flat_map(|planned| [(planned.from, Some(planned.fault)), (planned.until, None)]).collect();
        plan.sort_by_key(|(at, _)| *at);
        let (mut plan, mut at, mut over) = (plan.into_iter().peekable(), 0, false);
        loop {
            let next = plan.peek().map(|(due, _)| Duration::from_secs(u64::from(due.saturating_sub(at))));
            tokio::select! {
                () = &mut stop => break,
                () = line.finished(), if !over => {
                    over = true;
                    output::complain("all games are over; the boards answer until Ctrl-C");
                }
                () = tokio::time::sleep(next.unwrap_or_default()), if next.is_some() => {
                    let Some((due, fault)) = plan.next() else { continue };
                    at = due;
                    match fault {
                        Some(fault) => line.fail(fault).await,
                        None => line.mend().await,
                    }
                    output::complain(&format!("after {due} s: {}", fault.map_or_else(|| String::from("nothing is wrong"), |fault| format!("{fault:?}"))));
                }
            }
        }
        token.cancel();
        line.join().await;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_a_name_and_a_time() {
        let planned: Planned = "cut:4@60-90".parse().unwrap();
        assert_eq!(planned, Planned { fault: LineFault::Cut(4), from: 60, until: 90 });
        for text in ["cut:4", "cut:4@60", "cut:4@90-60", "cut@1-2", "wet@1-2", "dead:0@1-2"] {
            assert!(text.parse::<Planned>().is_err(), "{text}");
        }
    }
}
