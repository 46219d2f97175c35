//! Opening a serial port, and in words why it did not open.
use std::path::Path;
use std::{fmt, io};
use tokio_serial::{ClearBuffer, DataBits, ErrorKind, FlowControl, Parity, SerialPort as _, SerialStream, StopBits};

/// Why a port did not open. Its text says what to do, without the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// There is no such file.
    Missing,
    /// The user may not.
    Permission,
    /// Another program has it.
    InUse,
    /// A file, but no serial port.
    NotSerial,
    /// Anything else.
    Failed(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "not there; plug the board in, or see `flagfall doctor` for what is",
            Self::Permission => "no permission; add this user to the group dialout: sudo usermod -aG dialout $USER, then log in again",
            Self::InUse => "in use by another program; stop that one (`flagfall doctor` may know which)",
            Self::NotSerial => "not a serial port",
            Self::Failed(why) => why,
        })
    }
}

impl std::error::Error for OpenError {}

/// Opens `path` exclusively: 9600 8N1, no flow control, raw, DTR and RTS raised, what was pending thrown away.
pub(super) async fn open(path: &Path) -> Result<SerialStream, OpenError> {
    open_with(path, true, true).await
}

/// The same with DTR and RTS raised or lowered.
pub(super) async fn open_with(path: &Path, dtr: bool, rts: bool) -> Result<SerialStream, OpenError> {
    let path = path.to_owned();
    // Some drivers wait for the other side while opening.
    let opened = tokio::task::spawn_blocking(move || open_blocking(&path, dtr, rts)).await;
    opened.unwrap_or_else(|_| Err(OpenError::Failed(String::from("cannot be opened: flagfall is stopping"))))
}

fn open_blocking(path: &Path, dtr: bool, rts: bool) -> Result<SerialStream, OpenError> {
    match std::fs::metadata(path) {
        Err(error) => return Err(of_io(error.kind(), &error)),
        Ok(metadata) if !is_character_device(&metadata) => return Err(OpenError::NotSerial),
        Ok(_) => {}
    }
    let builder = tokio_serial::new(path.to_string_lossy(), 9600)
        .data_bits(DataBits::Eight)
        .parity(Parity::None)
        .stop_bits(StopBits::One)
        .flow_control(FlowControl::None)
        .exclusive(true);
    let mut port = SerialStream::open(&builder).map_err(|error| match error.kind {
        ErrorKind::NoDevice => OpenError::InUse,
        ErrorKind::Io(kind) => of_io(kind, &error),
        _ if error.description.contains("Inappropriate") || error.description.contains("Not a typewriter") => OpenError::NotSerial,
        _ => OpenError::Failed(format!("cannot be opened: {error}")),
    })?;
    // A pseudo-terminal has no modem lines, and a port that is gone already says so at the first read.
    let _ = port.write_data_terminal_ready(dtr);
    let _ = port.write_request_to_send(rts);
    let _ = port.clear(ClearBuffer::Input);
    Ok(port)
}

fn of_io(kind: io::ErrorKind, error: &dyn fmt::Display) -> OpenError {
    match kind {
        io::ErrorKind::NotFound => OpenError::Missing,
        io::ErrorKind::PermissionDenied => OpenError::Permission,
        io::ErrorKind::ResourceBusy => OpenError::InUse,
        _ => OpenError::Failed(format!("cannot be opened: {error}")),
    }
}

fn is_character_device(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    metadata.file_type().is_char_device()
}
