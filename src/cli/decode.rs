//! `flagfall decode`: bytes to messages, one a line, with names. Damage stands where it happened; the totals go to stderr.
use super::{ExitError, output};
use dgt_protocol::command::CommandDecoder;
use dgt_protocol::frame::FrameError;
use dgt_protocol::receiver::{Receiver, Single};
use flagfall_capture::{Capture, CaptureError, CaptureLine, inbytes, line};
use flagfall_events::{LinkState, Mono};
use std::fmt::Display;
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::PathBuf;

/// Arguments of `decode`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Captures show both directions with their milliseconds: < from the board, > to the board, ! an entry, = the link.\n\
                        Hex text is pairs of digits, with or without blanks, and # before comments; it and raw bytes are read as a board's\n\
                        unless --to-board is given. Without --form the file's beginning tells which it is."
)]
pub struct Args {
    /// The file, or - for standard input
    file: PathBuf,
    /// What the file holds [default: found out]
    #[arg(long, value_enum)]
    form: Option<Form>,
    /// The bytes went to the board: decode commands (raw and hex only)
    #[arg(long)]
    to_board: bool,
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// A capture file, `# flagfall-capture 1`
    Capture,
    /// Bytes as they came
    Raw,
    /// Bytes as hex text
    Hex,
    /// One base64 string a line, each one message
    Base64,
}

/// Prints every message; what came before a malformed line is printed too.
pub fn run(args: Args) -> Result<(), ExitError> {
    let mut bytes = Vec::new();
    if args.file.as_os_str() == "-" {
        io::stdin().lock().read_to_end(&mut bytes).map_err(|e| ExitError::io(format_args!("cannot read standard input: {e}")))?;
    } else {
        bytes = fs::read(&args.file).map_err(|e| ExitError::reading(&args.file, &e))?;
    }
    let form = args.form.unwrap_or_else(|| detect(&bytes));
    if args.to_board && !matches!(form, Form::Raw | Form::Hex) {
        return Err(ExitError::usage("--to-board is for raw bytes and hex; a capture says itself which way its bytes went"));
    }
    let direction = if args.to_board { '>' } else { '<' };
    let malformed = |e: CaptureError| ExitError::bad_data(format_args!("{}:{}: {}", args.file.display(), e.line, e.text));
    let mut out = output::stdout();
    let mut show = Show::new(&mut out);
    let broken = match form {
        Form::Capture => show.capture(&bytes, true)?,
        Form::Base64 => match inbytes::to_capture(&bytes, &[]) {
            Ok(text) => show.capture(text.as_bytes(), false)?,
            Err(error) => Some(error),
        },
        Form::Raw => {
            show.chunk(None, direction, &bytes)?;
            None
        }
        Form::Hex => show.hex(direction, &bytes)?,
    };
    show.end()?;
    broken.map_or(Ok(()), |e| Err(malformed(e)))
}

/// What a file holds, from its beginning.
fn detect(bytes: &[u8]) -> Form {
    let first = bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).find(|l| !l.is_empty()).unwrap_or_default();
    let first = first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first);
    let digits = first.split(|b| *b == b'#').next().unwrap_or_default();
    if first.strip_prefix(b"#").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"flagfall-capture")) {
        Form::Capture
    } else if inbytes::recognise(bytes) {
        Form::Base64
    } else if !first.is_empty() && digits.iter().all(|b| b.is_ascii_hexdigit() || b" \t".contains(b)) {
        Form::Hex
    } else {
        Form::Raw
    }
}

/// Prints messages as they are decoded.
struct Show<'a, W: Write> {
    out: &'a mut W,
    board: Receiver,
    host: CommandDecoder,
    commands: u64,
}

impl<'a, W: Write> Show<'a, W> {
    fn new(out: &'a mut W) -> Self {
        Self { out, board: Receiver::new(Single::Dgt), host: CommandDecoder::new(), commands: 0 }
    }

    /// Every line of a capture; the malformed one that ended it, if one did.
    fn capture(&mut self, bytes: &[u8], timed: bool) -> Result<Option<CaptureError>, ExitError> {
        let capture = match Capture::open(bytes) {
            Ok(capture) => capture,
            Err(error) => return Ok(Some(error)),
        };
        for item in capture {
            let (t, line) = match item {
                Ok(item) => item,
                Err(error) => return Ok(Some(error)),
            };
            match line {
                CaptureLine::FromBoard(bytes) => self.chunk(timed.then_some(t), '<', &bytes)?,
                CaptureLine::ToBoard(bytes) => self.chunk(Some(t), '>', &bytes)?,
                CaptureLine::Entry(entry) => self.line(Some(t), '!', serde_json::to_string(&entry).map_err(ExitError::bug)?)?,
                CaptureLine::Link(state) => {
                    // What was unfinished at a hang-up stays so.
                    self.give_up(Some(t))?;
                    self.host.clear();
                    let state = match state {
                        LinkState::Up => "link up",
                        LinkState::Down => "link down",
                    };
                    self.line(Some(t), '=', state)?;
                }
            }
        }
        Ok(None)
    }

    /// Hex text; the malformed line that ended it, if one did.
    fn hex(&mut self, direction: char, text: &[u8]) -> Result<Option<CaptureError>, ExitError> {
        for (i, line) in text.split(|b| *b == b'\n').enumerate() {
            let digits = line.split(|b| *b == b'#').next().unwrap_or_default();
            let bytes = match std::str::from_utf8(digits).map_err(|_| String::from("not text")).and_then(line::hex) {
                Ok(bytes) => bytes,
                Err(text) => return Ok(Some(CaptureError { line: i + 1, text })),
            };
            self.chunk(None, direction, &bytes)?;
        }
        Ok(None)
    }

    fn chunk(&mut self, t: Option<Mono>, direction: char, bytes: &[u8]) -> Result<(), ExitError> {
        if direction == '>' {
            self.host.feed(bytes);
            while let Some(command) = self.host.next() {
                self.commands += 1;
                self.line(t, '>', command)?;
            }
            return Ok(());
        }
        // Without times nothing is ever late.
        let ms = t.map_or(0, Mono::millis);
        if let Some(at) = self.board.deadline()
            && let Some(damage) = self.board.expire(ms)
        {
            self.damage(Some(Mono::from_millis(at)), damage)?;
        }
        self.board.feed(ms, bytes);
        while let Some(item) = self.board.next() {
            match item {
                Ok(message) => self.line(t, '<', message)?,
                Err(damage) => self.damage(t, damage)?,
            }
        }
        Ok(())
    }

    fn give_up(&mut self, t: Option<Mono>) -> Result<(), ExitError> {
        self.board.give_up().map_or(Ok(()), |damage| self.damage(t, damage))
    }

    fn damage(&mut self, t: Option<Mono>, damage: FrameError) -> Result<(), ExitError> {
        self.line(t, '<', format_args!("damage: {damage}"))
    }

    fn line(&mut self, t: Option<Mono>, direction: char, what: impl Display) -> Result<(), ExitError> {
        match t {
            Some(t) => writeln!(self.out, "{:>9} {direction} {what}", t.millis())?,
            None => writeln!(self.out, "{what}")?,
        }
        Ok(())
    }

    /// What was unfinished, and the totals on stderr.
    fn end(&mut self) -> Result<(), ExitError> {
        self.give_up(None)?;
        if self.host.is_mid_command() {
            self.line(None, '>', "damage: a command without its end")?;
        }
        self.out.flush()?;
        let c = self.board.counters();
        output::complain(&format!(
            "messages: {} (unknown {}, with extra bits {}); commands: {}; damage: bytes dropped {}, cut short {}, wrong lengths {}, impossible contents {}",
            c.frames_good, c.unknown_ids, c.extra_bits, self.commands, c.bytes_dropped, c.cut_short, c.wrong_lengths, c.failed_contents
        ));
        Ok(())
    }
}
