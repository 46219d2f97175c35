//! The helpmate library in a process of its own: the only way to stop it, and its memory and panics stay there.
//!
//! The child is this program with the hidden subcommand `solve`: one question a line in, one answer a line out, until its input ends.
use super::helpmate::{Asked, Said, contained};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::env;
use std::io::{self, BufRead, ErrorKind, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Child as Process, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "solve";

/// This very program, if it is `flagfall` and so has the subcommand. The path stays good when an update replaces the file.
pub fn program() -> Option<PathBuf> {
    let name = env::current_exe().ok()?.file_name()?.to_owned();
    let path = PathBuf::from("/proc/self/exe");
    (["flagfall", "flagfall (deleted)"].iter().any(|ours| name == *ours) && path.exists()).then_some(path)
}

/// Answers questions until `input` ends: what the child does.
///
/// # Errors
/// A line that cannot be read or written.
pub fn serve(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.lines() {
        let said = serde_json::from_str::<Asked>(&line?).ok().and_then(|asked| contained(|| asked.answer())).unwrap_or(Said::Unknown);
        let mut line = serde_json::to_vec(&said)?;
        line.push(b'\n');
        output.write_all(&line)?;
        output.flush()?;
    }
    Ok(())
}

/// A child, killed when it is dropped.
#[derive(Debug)]
pub struct Child {
    process: Process,
    to: ChildStdin,
    from: ChildStdout,
    read: Vec<u8>,
}

impl Child {
    /// Starts `program` with the subcommand.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(program: &Path) -> io::Result<Self> {
        let mut process =
            Command::new(program).arg(SUBCOMMAND).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        match (process.stdin.take(), process.stdout.take()) {
            (Some(to), Some(from)) => Ok(Self { process, to, from, read: Vec::new() }),
            _ => Err(io::Error::other("a child without pipes")),
        }
    }

    /// Sends a question.
    ///
    /// # Errors
    /// The child is gone.
    pub fn ask(&mut self, asked: &Asked) -> io::Result<()> {
        let mut line = serde_json::to_vec(asked)?;
        line.push(b'\n');
        self.to.write_all(&line)
    }

    /// Waits for the answer; `None` if it did not come in time.
    ///
    /// # Errors
    /// The child is gone.
    pub fn wait(&mut self, patience: Duration) -> io::Result<Option<Said>> {
        let patience = Timespec::try_from(patience).map_err(|_| io::Error::from(ErrorKind::InvalidInput))?;
        loop {
            if self.read.last() == Some(&b'\n') {
                let said = serde_json::from_slice(&self.read);
                self.read.clear();
                return Ok(Some(said?));
            }
            match poll(&mut [PollFd::new(&self.from, PollFlags::IN)], Some(&patience)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(None),
                Ok(_) => {}
                Err(error) => return Err(error.into()),
            }
            let mut chunk = [0; 4096];
            match self.from.read(&mut chunk)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                n => self.read.extend_from_slice(&chunk[..n]),
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may have ended by itself; a killed child is gone at once.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::super::helpmate::Effort;
    use super::*;
    use flagfall_laws::mating::Winner;

    #[test]
    fn a_line_in_is_a_line_out_whatever_it_says() {
        let asked = Asked { fen: "7k/5Q2/5K2/8/8/8/8/8 w - - 0 1".into(), winner: Winner::White, effort: Effort::Search };
        let input = format!("{}\nnonsense\n{{}}\n", serde_json::to_string(&asked).unwrap());
        let mut output = Vec::new();
        serve(input.as_bytes(), &mut output).unwrap();
        let said: Vec<Said> = output.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_slice(l).unwrap()).collect();
        assert!(matches!(&said[..], [Said::Mate(line), Said::Unknown, Said::Unknown] if !line.is_empty()), "{said:?}");
    }

    #[test]
    fn a_program_that_is_no_solver_is_an_error_and_none_is_left_behind() {
        assert!(Child::start(Path::new("/nonexistent")).is_err());
        let mut child = Child::start(Path::new("/bin/true")).unwrap();
        let asked = Asked { fen: String::new(), winner: Winner::White, effort: Effort::Quick };
        let _ = child.ask(&asked);
        assert!(child.wait(Duration::from_secs(10)).is_err());
    }
}
