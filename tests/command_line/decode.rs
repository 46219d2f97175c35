//! `flagfall decode`: every form of input, damage where it happened, totals on stderr.
use super::{file, flagfall, run, short_game};

/// Decodes standard input: exit code, output, totals.
fn decode(args: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let output = flagfall().arg("decode").args(args).arg("-").write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_capture_shows_both_directions_with_their_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "a.cap", short_game() + "20000 > 4d 45\n20001 ! {\"do\":\"stop\"}\n");
    let (code, out, err) = run(&["decode", path.to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    for line in [
        "        0 = link up",
        "      100 < board dump rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "     3000 < field update e4 P",
        "    20000 > send version",
        "    20001 ! {\"do\":\"stop\"}",
    ] {
        assert!(out.lines().any(|l| l == line), "{line}: {out}");
    }
    assert!(err.contains("messages: 11 ") && err.contains("commands: 2;"), "{err}");
}

#[test]
fn the_same_bytes_say_the_same_in_every_form() {
    let expected = "field update e2 empty\nfield update e4 P\n";
    let raw = [0x8E, 0x00, 0x05, 0x34, 0x00, 0x8E, 0x00, 0x05, 0x24, 0x01];
    for input in
        [&raw[..], b"8e 00 05 34 00  # lifted\n8E00052401\n", b"# a log\n8e 00 05 34 00 8e\n00 05 24 01\n", b"jgAFNAA=\njgAFJAE=\n"]
    {
        let (code, out, _) = decode(&[], input);
        assert_eq!((code, out.as_str()), (Some(0), expected), "{:?}", String::from_utf8_lossy(input));
    }
}

#[test]
fn the_form_can_be_forced_and_bytes_to_the_board_are_commands() {
    assert_eq!(decode(&["--to-board", "--form", "raw"], b"MEK").1, "send version\nsend serial number\nsend updates, nice\n");
    let (code, _, err) = decode(&["--to-board"], short_game().as_bytes());
    assert_eq!(code, Some(64), "{err}");
}

#[test]
fn damage_stands_where_it_happened_and_is_counted() {
    let (code, out, err) = decode(&[], b"8e 00 05 34  8e 00 05 24 01  11 22  8e 00");
    assert_eq!(code, Some(0));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.len(), 4, "{out}");
    assert!(lines[0].starts_with("damage: ") && lines[1] == "field update e4 P" && lines[2].starts_with("damage: "), "{out}");
    assert!(lines[3].starts_with("damage: "), "{out}");
    assert!(err.contains("messages: 1 ") && err.contains("bytes dropped 8, cut short 2"), "{err}");
}

#[test]
fn a_frame_that_stays_unfinished_is_given_up_when_the_receiver_would() {
    let capture = "# flagfall-capture 1\n0 < 8e 00 05\n900 < 34\n5000 < 00\n6000 < 8e 00 05 24 01\n";
    let (_, out, err) = decode(&[], capture.as_bytes());
    assert!(out.lines().any(|l| l.starts_with("     1900 < damage: ")), "{out}");
    assert!(out.lines().any(|l| l == "     6000 < field update e4 P"), "{out}");
    assert!(err.contains("messages: 1 "), "{err}");
}

#[test]
fn a_malformed_line_ends_it_after_what_came_before() {
    let (code, out, err) = decode(&[], b"# flagfall-capture 1\n5 < 8e 00 05 24 01\n6 < zz\n7 < 8e 00 05 24 01\n");
    assert_eq!((code, out.as_str()), (Some(65), "        5 < field update e4 P\n"));
    assert!(err.contains("-:3: "), "{err}");
    assert_eq!(decode(&["--form", "hex"], b"8e 00\nxyz\n").0, Some(65));
}
