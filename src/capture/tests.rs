use super::*;
use flagfall_events::{Colour, Entry, GameResult, LinkState, Mono, Order};
use proptest::prelude::*;

const EXAMPLE: &str = "# flagfall-capture 1\r
# rules: fide-2018\r
# time-control: 40/5400+30:1800+30
# default-time: 30m
# clock-white: left
# recorded-at: 2026-11-21T15:00:00Z
# start-at: 2026-11-21T15:05:00Z
# board: occupancy
# lang: ru
# arena: main hall

# a comment without a colon
0 < 86 00 43 08 09 0a
0 > 4b

   1250 <\t8E00 05 34 00\r
# play: blitz is a comment here, the game has begun
60000 ! {\"do\":\"result\",\"result\":\"1-0\",\"who\":\"arbiter\"}
61000 = down";

fn all(text: &[u8]) -> (Vec<(u64, CaptureLine)>, Option<CaptureError>) {
    let mut lines = Vec::new();
    match Capture::open(text) {
        Err(error) => (lines, Some(error)),
        Ok(capture) => {
            for item in capture {
                match item {
                    Ok((t, line)) => lines.push((t.millis(), line)),
                    Err(error) => return (lines, Some(error)),
                }
            }
            (lines, None)
        }
    }
}

#[test]
fn the_example_reads_as_it_says() {
    let capture = Capture::open(EXAMPLE.as_bytes()).unwrap();
    let header = capture.header();
    assert_eq!(header.settings.rules.as_str(), "fide-2018");
    assert_eq!(header.settings.play.as_str(), "standard");
    assert_eq!(header.settings.kind.as_str(), "occupancy");
    assert_eq!(header.settings.time_control.as_ref().unwrap().to_string(), "40/5400+30:1800+30");
    assert_eq!(header.opened_at.to_string(), "2026-11-21T15:00:00Z");
    assert_eq!(header.settings.start_at.unwrap().to_string(), "2026-11-21T15:05:00Z");
    assert_eq!(header.lang.as_deref(), Some("ru"));
    let (lines, error) = all(EXAMPLE.as_bytes());
    assert_eq!(error, None);
    assert_eq!(lines[0], (0, CaptureLine::FromBoard(vec![0x86, 0x00, 0x43, 0x08, 0x09, 0x0a])));
    assert_eq!(lines[1], (0, CaptureLine::ToBoard(vec![0x4b])));
    assert_eq!(lines[2], (1250, CaptureLine::FromBoard(vec![0x8e, 0x00, 0x05, 0x34, 0x00])));
    let entry = Entry {
        who: Some(String::from("arbiter")),
        ..Entry::new(Order::Result { result: GameResult::WhiteWins, reason: None, game: None })
    };
    assert_eq!(lines[3], (60000, CaptureLine::Entry(entry)));
    assert_eq!(lines[4], (61000, CaptureLine::Link(LinkState::Down)));
    assert_eq!(lines.len(), 5);
}

#[test]
fn a_header_that_says_nothing_has_the_defaults() {
    assert_eq!(*Capture::open(b"# flagfall-capture 1\n").unwrap().header(), Header::default());
}

#[test]
fn every_malformed_line_is_named_with_its_number_and_a_remedy() {
    for (line, word) in [
        ("1000 < 8e 00 0g", "not hex"),
        ("1000 < 8e 0", "not hex"),
        ("1000 < 8e +1", "not hex"),
        ("1000 <", "no bytes"),
        ("1000 x 8e", "no direction"),
        ("1000", "too short"),
        ("-5 < 8e", "no time"),
        ("+5 < 8e", "no time"),
        ("1.5 < 8e", "no time"),
        ("99999999999999 < 8e", "three years"),
        ("99999999999999999999 < 8e", "three years"),
        ("99 < 8e", "never decrease"),
        ("1000 = sideways", "up or down"),
        ("1000 ! {\"do\":\"dance\"}", "unknown variant `dance`"),
        ("1000 ! {\"do\":\"flag\"}", "missing field `by`"),
        ("1000 ! {\"do\"", "not an entry"),
        ("1000 ! {\"do\":\"set-position\",\"fen\":\"rubbish\"}", "no position"),
        ("1000 ! {\"do\":\"set-clock\",\"clock\":{\"white_ms\":-1,\"black_ms\":0,\"run\":\"white\"}}", "what a clock shows"),
    ] {
        let text = format!("# flagfall-capture 1\n100 = up\n\n{line}\n2000 = down\n");
        let (lines, error) = all(text.as_bytes());
        assert_eq!(lines, [(100, CaptureLine::Link(LinkState::Up))], "{line}");
        let error = error.unwrap();
        assert_eq!(error.line, 4, "{line}");
        assert!(error.text.contains(word), "{line}: {error}");
    }
}

#[test]
fn nothing_comes_after_a_malformed_line() {
    let mut capture = Capture::open(b"# flagfall-capture 1\nrubbish here\n2000 = down\n").unwrap();
    assert!(capture.next().unwrap().is_err());
    assert!(capture.next().is_none());
}

#[test]
fn wrong_headers_are_named_with_their_line() {
    for (text, line, word) in [
        ("", 1, "# flagfall-capture 1"),
        ("0 < 86\n", 1, "# flagfall-capture 1"),
        ("\n# something else\n", 2, "# flagfall-capture 1"),
        ("# flagfall-capture 2\n", 1, "version \"2\""),
        ("# flagfall-capture 1\n# rules: house\n", 2, "fide-2018"),
        ("# flagfall-capture 1\n# time-control: long\n", 2, "40/5400+30:1800+30"),
        ("# flagfall-capture 1\n\n# recorded-at: yesterday\n", 3, "RFC 3339"),
        ("# flagfall-capture 1\n# board: wooden\n", 2, "board: expected dgt"),
        ("# flagfall-capture 1\n# lang: fr\n", 2, "en or ru"),
    ] {
        let error = all(text.as_bytes()).1.unwrap();
        assert_eq!(error.line, line, "{text:?}");
        assert!(error.text.contains(word), "{text:?}: {error}");
    }
}

#[test]
fn keys_of_the_configuration_mean_nothing_in_a_header() {
    for key in ["time_control: 300", "kind: pegasus", "name: 1"] {
        let text = format!("# flagfall-capture 1\n# {key}\n");
        assert_eq!(*Capture::open(text.as_bytes()).unwrap().header(), Header::default(), "{key}");
    }
}

#[test]
fn bytes_that_are_no_text_are_an_error_not_a_panic() {
    let (lines, error) = all(b"# flagfall-capture 1\n5 = up\n6 < \xff\xfe\n");
    assert_eq!((lines.len(), error.unwrap().line), (1, 3));
    assert_eq!(all(b"\x86\x00\x43").1.unwrap().line, 1);
}

#[test]
fn a_header_prints_and_reads_back_the_same() {
    let header = Capture::open(EXAMPLE.as_bytes()).unwrap().header().clone();
    let printed = header.to_string();
    assert_eq!(*Capture::open(printed.as_bytes()).unwrap().header(), header, "{printed}");
}

#[test]
fn a_capture_of_a_bluetooth_board_is_read_as_one_again() {
    let mut header = Header::default();
    assert!(!header.to_string().contains("link"));
    header.settings.link = String::from("rfcomm:00:06:66:12:34:56");
    let printed = header.to_string();
    assert_eq!(Capture::open(printed.as_bytes()).unwrap().header().settings.link, "rfcomm:00:06:66:12:34:56");
}

fn any_line() -> impl Strategy<Value = CaptureLine> {
    let bytes = || proptest::collection::vec(any::<u8>(), 1..80);
    let colour = prop_oneof![Just(Colour::White), Just(Colour::Black)];
    let note = proptest::option::of("[ -~\n\u{e9}]{0,20}");
    prop_oneof![
        bytes().prop_map(CaptureLine::FromBoard),
        bytes().prop_map(CaptureLine::ToBoard),
        Just(CaptureLine::Link(LinkState::Up)),
        Just(CaptureLine::Link(LinkState::Down)),
        (colour, note).prop_map(|(by, note)| CaptureLine::Entry(Entry { note, ..Entry::new(Order::Flag { by }) })),
    ]
}

proptest! {
    #[test]
    fn what_is_written_reads_back(lines in proptest::collection::vec((0_u64..5000, any_line()), 0..40)) {
        let mut writer = Writer::new(Vec::new(), &Header::default()).unwrap();
        let (mut t, mut expected) = (0, Vec::new());
        for (step, line) in lines {
            t += step;
            writer.line(Mono::from_millis(t), &line).unwrap();
            writer.comment("between\nlines").unwrap();
            expected.push((t, line));
        }
        prop_assert_eq!(all(&writer.into_inner()), (expected, None));
    }

    #[test]
    fn no_text_makes_it_panic(text in proptest::collection::vec(any::<u8>(), 0..300)) {
        all(&text);
        let mut with_head = b"# flagfall-capture 1\n".to_vec();
        with_head.extend(text);
        all(&with_head);
    }

    #[test]
    fn no_line_makes_it_panic(text in "[0-9<>!=a-f{}\": \t#-]{0,60}") {
        all(format!("# flagfall-capture 1\n{text}\n").as_bytes());
    }
}
