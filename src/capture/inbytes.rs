//! Recordings of one base64 string a line, each one board message, without times: converted to a capture with invented times.
//!
//! The rule: it starts at 0; 1000 ms pass before a time message in which a shown time went down by one second, 10 ms before any other
//! message. So times never decrease and think times come out in whole seconds.
use super::line;
use super::reader::CaptureError;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use dgt_protocol::clock::ClockReport;
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};

/// Whether `bytes` look like this form: the first line is base64 of one whole board message.
pub fn recognise(bytes: &[u8]) -> bool {
    bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).find(|l| !l.is_empty()).is_some_and(|first| decode(first).is_some())
}

/// The capture. `header` are further header lines, key and value (`time-control`, `300+5`); the recording itself says nothing of the kind.
pub fn to_capture(bytes: &[u8], header: &[(&str, &str)]) -> Result<String, CaptureError> {
    let mut out = String::from("# flagfall-capture 1\n");
    for (key, value) in header {
        out.push_str(&format!("# {key}: {value}\n"));
    }
    out.push_str("# Converted from one base64 message a line. The times are invented.\n");
    let (mut t, mut shown): (u64, Option<[u32; 2]>) = (0, None);
    for (i, text) in bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).enumerate() {
        if text.is_empty() {
            continue;
        }
        let Some((chunk, message)) = decode(text) else {
            let text = String::from("not the base64 of one whole board message; is it a recording of this form, and whole?");
            return Err(CaptureError { line: i + 1, text });
        };
        let mut pause = if i == 0 { 0 } else { 10 };
        if let Message::Clock(ClockReport::Time(times)) = message {
            let now = [times.right.total_seconds(), times.left.total_seconds()];
            if shown.is_some_and(|before| before.iter().zip(now).any(|(before, now)| *before == now + 1)) {
                pause = 1000;
            }
            shown = Some(now);
        }
        t += pause;
        line::chunk(&mut out, t, '<', &chunk);
    }
    Ok(out)
}

/// The bytes of one line and the one message they are.
fn decode(text: &[u8]) -> Option<(Vec<u8>, Message)> {
    let bytes = STANDARD.decode(text).ok()?;
    let mut receiver = Receiver::new(Single::Dgt);
    let message = receiver.feed(0, &bytes).next()?.ok()?;
    receiver.next().is_none().then_some((bytes, message))
}

/// The bytes of a file as a capture: other forms of recording that are known are converted, everything else is left as it is.
pub fn convert(bytes: Vec<u8>) -> Result<Vec<u8>, CaptureError> {
    if recognise(&bytes) { to_capture(&bytes, &[]).map(String::into_bytes) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Capture, CaptureLine};

    fn recording(messages: &[&[u8]]) -> String {
        messages.iter().map(|m| STANDARD.encode(m) + "\n").collect()
    }

    #[test]
    fn times_are_invented_by_the_rule() {
        let clock = |left: u8| [0x8D, 0x00, 0x0A, 0x20, 0x03, 0x02, 0x20, 0x03, left, 0x09];
        let lift = [0x8E, 0x00, 0x05, 0x34, 0x00];
        let text = recording(&[&clock(2), &clock(1), &lift, &clock(0), &clock(2), &lift]);
        assert!(recognise(text.as_bytes()));
        let capture = to_capture(text.as_bytes(), &[("time-control", "180+2")]).unwrap();
        let capture = Capture::open(capture.as_bytes()).unwrap();
        assert_eq!(capture.header().settings.time_control.as_ref().unwrap().to_string(), "180+2");
        let lines: Vec<_> = capture.map(Result::unwrap).collect();
        assert_eq!(lines.iter().map(|l| l.0.millis()).collect::<Vec<_>>(), [0, 1000, 1010, 2010, 2020, 2030]);
        assert_eq!(lines[2].1, CaptureLine::FromBoard(lift.to_vec()));
    }

    #[test]
    fn other_files_are_not_taken_for_it() {
        for text in ["", "# flagfall-capture 1\n", "8e 00 05 34 00\n", "jgAFNA==\n", "hello\n"] {
            assert!(!recognise(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn a_damaged_line_is_named() {
        let text = recording(&[&[0x8E, 0x00, 0x05, 0x34, 0x00]]) + "\nrubbish!\n";
        assert_eq!(to_capture(text.as_bytes(), &[]).unwrap_err().line, 3);
    }
}
