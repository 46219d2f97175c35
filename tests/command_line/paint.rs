//! What is only for terminals: colours and bars. What a pipe or a file gets has neither.
use super::screen::Terminal;
use super::{file, run, short_game};
use std::process::Command;

/// A shell that does this, where `$0` is the program.
fn shell(what: &str, no_colour: bool) -> Terminal {
    let mut command = Command::new("sh");
    command.args(["-c", what, env!("CARGO_BIN_EXE_flagfall")]).env_clear();
    command.envs([("PATH", "/usr/bin:/bin"), ("TERM", "xterm-256color")]).envs(no_colour.then_some(("NO_COLOR", "1")));
    Terminal::of(&command, (100, 24))
}

#[test]
fn what_went_wrong_is_red_where_colours_are_wanted() {
    for (no_colour, wanted) in [(false, vt100::Color::Idx(1)), (true, vt100::Color::Default)] {
        let terminal = shell("\"$0\" verify /nowhere/a.journal", no_colour);
        terminal.see("flagfall: /nowhere/a.journal");
        let colour = terminal.look(|screen| screen.cell(0, 0).unwrap().fgcolor());
        assert_eq!((terminal.ended().code(), colour), (Some(66), wanted));
    }
    let (_, _, err) = run(&["verify", "/nowhere/a.journal"]);
    assert!(err.starts_with("flagfall: "), "{err:?}");
}

#[test]
fn a_long_replay_has_a_bar_on_the_terminal_and_nothing_of_it_in_its_output() {
    let folder = tempfile::tempdir().unwrap();
    // A debug build needs a second for a tenth of it.
    let captures: Vec<String> = (0..60)
        .map(|n| file(folder.path(), &format!("{n:02}.cap"), include_str!("../captures/human-mate.cap")).to_str().unwrap().to_owned())
        .collect();
    let (out, place) = (folder.path().join("out"), folder.path().to_str().unwrap().to_owned());
    let terminal = shell(&format!("\"$0\" replay --jobs 1 --format pgn {place} > {}", out.display()), false);
    terminal.until("bar", |screen| {
        let text = screen.contents();
        text.contains("replay [") && text.contains(" %, ")
    });
    terminal.until("no bar", |screen| !screen.contents().contains("replay ["));
    assert!(terminal.ended().success());
    let args: Vec<&str> = ["replay", "--format", "pgn"].into_iter().chain(captures.iter().map(String::as_str)).collect();
    let (code, piped, err) = run(&args);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(piped.contains("[Capture "), "{piped}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), piped);
    // What is short has no bar.
    let short = file(folder.path(), "short/a.cap", short_game());
    let terminal = shell(&format!("\"$0\" replay --format pgn {} > {}; echo over", short.display(), out.display()), false);
    let text = terminal.see("over");
    assert_eq!(text.trim(), "over");
    assert!(terminal.ended().success());
}
