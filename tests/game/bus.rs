//! Boards on a line in bus mode: what was played is read to the last ply, through a cable that is cut for half a minute, too.
#![allow(clippy::unwrap_used, reason = "a test may")]
use crate::hosted::{Hosted, Tally, address};
use dgt_protocol::bus::host::HostOutput;
use flagfall_simulator::bus_line::LineFault;
use flagfall_simulator::people::Tempo;

#[test]
fn quick_games_are_read_to_the_last_ply_from_the_boards_logs() {
    let mut hosted = Hosted::new(4, Tempo::Blitz, 3, 1);
    hosted.run(60_000);
    hosted.run.fail(LineFault::Cut(2));
    hosted.run(90_000);
    hosted.run.mend();
    hosted.finish();
    let down =
        |who| move |(t, output): &(u64, HostOutput)| *t > 60_000 && matches!(output, HostOutput::Down { address, .. } if *address == who);
    let (fell, _) = hosted.outputs.iter().find(|output| down(address(2))(output)).unwrap();
    assert!(*fell <= 65_000, "named after {} ms", fell - 60_000);
    assert!(!hosted.outputs.iter().any(|output| down(address(0))(output) || down(address(1))(output)), "the others were disturbed");
    let mut tally = Tally::default();
    tally.add(&hosted);
    assert!(tally.plies > 150 && tally.right == tally.plies, "{tally}");
    assert_eq!((tally.exact, tally.games), (4, 4), "{tally}");
}
