//! How the program ends: the numbers of sysexits, and the one error type that knows its number.
use flagfall_web::tls::CertificateError;
use std::{error, fmt, io, path::Path, process};

/// Exit codes, as sysexits names them. Nothing else in the program knows the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Exit {
    /// All went well, or nobody reads the output any more.
    Ok = 0,
    /// `verify`: proved up to a line, and not from there on. `replay --against`: not every game is read as it was played.
    /// `pgn check`: times are missing or contradict each other. `fleet`: not everything is as the list says.
    InPart = 1,
    /// `verify`: whole, but signed with another key than the one given.
    OtherKey = 2,
    /// The command line is wrong.
    Usage = 64,
    /// A file that was given holds something else than it should.
    BadData = 65,
    /// A file that was given is not there.
    NoInput = 66,
    /// Something that is needed cannot be had: a port in use, no board, a missing program.
    Unavailable = 69,
    /// A mistake in flagfall itself.
    Bug = 70,
    /// Reading or writing failed.
    Io = 74,
    /// Not allowed.
    Permission = 77,
    /// The configuration is wrong.
    Config = 78,
}

impl From<Exit> for process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command ends early: a number for scripts, and for people what failed and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitError {
    code: Exit,
    message: String,
}

impl ExitError {
    fn new(code: Exit, message: impl fmt::Display) -> Self {
        Self { code, message: message.to_string() }
    }
    /// 64: the command line asks for something impossible.
    pub fn usage(message: impl fmt::Display) -> Self {
        Self::new(Exit::Usage, message)
    }
    /// 1: a journal is proved up to a line only.
    pub fn proved_in_part(message: impl fmt::Display) -> Self {
        Self::new(Exit::InPart, message)
    }
    /// 1: not every game is read as it was played. What differs is in the output.
    pub fn read_in_part(message: impl fmt::Display) -> Self {
        Self::new(Exit::InPart, message)
    }
    /// 1: clock times are missing or contradict each other. Which ones is in the output.
    pub fn missing_times(message: impl fmt::Display) -> Self {
        Self::new(Exit::InPart, message)
    }
    /// 1: what answers is not what the table list says. What differs is in the output.
    pub fn not_as_listed(message: impl fmt::Display) -> Self {
        Self::new(Exit::InPart, message)
    }
    /// 2: a journal is whole, but signed with another key.
    pub fn other_key(message: impl fmt::Display) -> Self {
        Self::new(Exit::OtherKey, message)
    }
    /// 65: a file holds something else than it should.
    pub fn bad_data(message: impl fmt::Display) -> Self {
        Self::new(Exit::BadData, message)
    }
    /// 66: a file is not there.
    pub fn no_input(message: impl fmt::Display) -> Self {
        Self::new(Exit::NoInput, message)
    }
    /// 69: something needed cannot be had.
    pub fn unavailable(message: impl fmt::Display) -> Self {
        Self::new(Exit::Unavailable, message)
    }
    /// 70: a mistake in flagfall itself.
    pub fn bug(message: impl fmt::Display) -> Self {
        Self::new(Exit::Bug, message)
    }
    /// 74: reading or writing failed.
    pub fn io(message: impl fmt::Display) -> Self {
        Self::new(Exit::Io, message)
    }
    /// 77: not allowed.
    pub fn permission(message: impl fmt::Display) -> Self {
        Self::new(Exit::Permission, message)
    }
    /// 78: the configuration is wrong.
    pub fn config(message: impl fmt::Display) -> Self {
        Self::new(Exit::Config, message)
    }
    /// A file could not be read: 66, 77 or 74, with the path and what to do.
    pub fn reading(path: &Path, error: &io::Error) -> Self {
        let path = path.display();
        match error.kind() {
            io::ErrorKind::NotFound => Self::no_input(format_args!("{path}: there is no such file; check the path")),
            io::ErrorKind::PermissionDenied => {
                Self::permission(format_args!("{path}: not allowed to read it; run as its owner or change its mode"))
            }
            _ => Self::io(format_args!("{path}: cannot be read: {error}")),
        }
    }
    /// A file could not be written: 77 or 74, with the path and what to do.
    pub fn writing(path: &Path, error: &io::Error) -> Self {
        let path = path.display();
        match error.kind() {
            io::ErrorKind::PermissionDenied => {
                Self::permission(format_args!("{path}: not allowed to write it; choose another place or change its mode"))
            }
            io::ErrorKind::NotFound => Self::io(format_args!("{path}: the folder it should go to does not exist; create it first")),
            _ => Self::io(format_args!("{path}: cannot be written: {error}")),
        }
    }
    /// The same exit, for an error that has been told already.
    pub fn already_told(&self) -> Self {
        Self::new(self.code, "")
    }
    /// The exit code.
    pub const fn code(&self) -> Exit {
        self.code
    }
}

impl fmt::Display for ExitError {
    /// What failed and what to do; empty when nobody reads any more, or it has been told.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl error::Error for ExitError {}

impl From<io::Error> for ExitError {
    /// For writing to standard output: a closed pipe is a quiet, good end; everything else is 74.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::new(Exit::Ok, ""),
            _ => Self::io(format_args!("cannot write the output: {error}")),
        }
    }
}

impl From<CertificateError> for ExitError {
    fn from(error: CertificateError) -> Self {
        match error {
            CertificateError::Read(path, error) => Self::reading(&path, &error),
            CertificateError::Write(path, error) => Self::writing(&path, &error),
            CertificateError::Unusable(_) => Self::config(error),
            CertificateError::NotMade(_) => Self::unavailable(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_a_good_end() {
        assert_eq!(ExitError::from(io::Error::from(io::ErrorKind::BrokenPipe)), ExitError::new(Exit::Ok, ""));
        assert_eq!(ExitError::from(io::Error::from(io::ErrorKind::StorageFull)).code(), Exit::Io);
    }
}
