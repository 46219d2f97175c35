//! `flagfall fleet collect`: the journals of all Pis in one archive, each verified, with a list of what is in it.
use super::check::noted;
use super::list::{List, chosen, s};
use super::ssh::{self, as_root, failed};
use crate::cli::verify::{journals, judged};
use crate::cli::{Exit, ExitError, output};
use crate::config::fleet::{Fleet, Pi};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// The list in the archive.
const CONTENTS: &str = "CONTENTS.txt";
/// How tar ends when a file grew while it was read, as a journal does during play.
const GREW: i32 = 1;

/// Arguments of `fleet collect`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
It works during play, too. The archive has a folder for each Pi and CONTENTS.txt: every journal, its key and what is proved of it, with the\n\
keys that `flagfall fleet check` noted before. Private keys are not in it.\n\
Exit codes: 0 all is there and proved to the end; 1, 2 proved in part, or no key was noted; 65 changed; 69 a Pi did not answer.")]
pub(super) struct Args {
    #[command(flatten)]
    list: List,
    /// The archive: .tar, or packed as its name says, .tar.gz or .tar.zst
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// This Pi only; more than once for several
    #[arg(long, value_name = "PI")]
    only: Vec<String>,
}

/// A folder that is gone when this is.
struct Aside(PathBuf);

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is in the archive, and the worst of it.
#[derive(Default)]
struct Contents {
    text: String,
    worst: Option<ExitError>,
}

impl Contents {
    fn count(&mut self, error: ExitError) {
        // As `verify` has it; what is missing is as bad as what was changed.
        let rank = |error: &ExitError| match error.code() {
            Exit::InPart => 0,
            Exit::OtherKey => 1,
            Exit::BadData => 3,
            _ => 2,
        };
        if self.worst.as_ref().is_none_or(|worst| rank(worst) < rank(&error)) {
            self.worst = Some(error);
        }
    }
}

/// Fetches from all that answer.
pub(super) fn run(args: &Args) -> Result<(), ExitError> {
    let fleet = args.list.read()?;
    let pis = chosen(&fleet, &args.only)?;
    let keys = noted(&fleet, &args.list.dir());
    let name = args.output.file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = name.as_deref().and_then(|name| name.split(".tar").next().filter(|stem| name.contains(".tar") && !stem.is_empty()));
    let (Some(name), Some(stem)) = (name.as_deref(), stem) else {
        return Err(ExitError::usage(format_args!(
            "{}: name the archive so that it ends with .tar, .tar.gz or .tar.zst",
            args.output.display()
        )));
    };
    let aside = Aside(args.output.with_file_name(format!(".{name}.{}.part", std::process::id())));
    let root = aside.0.join(stem);
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(&root);
    made.map_err(|error| ExitError::writing(&root, &error))?;
    let mut contents = Contents { text: head(&fleet), worst: None };
    for pi in pis {
        one(pi, &root.join(&pi.name), keys.get(&pi.name).map(String::as_str), &mut contents)?;
    }
    if keys.is_empty() {
        output::complain("no key was noted before: run `flagfall fleet check` before the event, and keep its folder keys/");
    }
    let path = root.join(CONTENTS);
    fs::write(&path, &contents.text).map_err(|error| ExitError::writing(&path, &error))?;
    pack(&aside.0, stem, name, &args.output)?;
    output::complain(&format!("{}: what is in it is in its {stem}/{CONTENTS}", args.output.display()));
    contents.worst.map_or(Ok(()), |error| Err(error.already_told()))
}

fn head(fleet: &Fleet) -> String {
    let at = crate::time::now().timestamp();
    let version = env!("CARGO_PKG_VERSION");
    format!("Evidence of {}, fetched {at}, verified by flagfall {version}.\nCheck again: flagfall verify --key KEY FOLDER\n", fleet.event)
}

/// One Pi: fetched, verified, told. Only what cannot be written here ends everything.
fn one(pi: &Pi, folder: &Path, key: Option<&str>, contents: &mut Contents) -> Result<(), ExitError> {
    fs::create_dir_all(folder).map_err(|error| ExitError::writing(folder, &error))?;
    let name = &pi.name;
    // Writing to a String cannot fail.
    let _ = writeln!(contents.text, "\n{name}: key noted before: {}", key.unwrap_or("none"));
    if let Err(error) = fetch(pi, folder) {
        let _ = writeln!(contents.text, "  MISSING: {error}");
        output::fail(&error.to_string());
        contents.count(error);
        return Ok(());
    }
    let mut errors = Vec::new();
    let found = journals(folder, &mut |error| errors.push(error));
    let (mut sums, mut boards): (BTreeMap<String, usize>, BTreeSet<String>) = Default::default();
    for path in &found {
        let shown = path.strip_prefix(folder).unwrap_or(path).display();
        let bytes = match fs::symlink_metadata(path)
            .and_then(|file| if file.is_file() { fs::read(path) } else { Err(std::io::ErrorKind::InvalidData.into()) })
        {
            Ok(bytes) => bytes,
            Err(error) => {
                errors.push(ExitError::reading(path, &error));
                continue;
            }
        };
        let verdict = judged(path, &bytes, key);
        boards.extend(verdict.board);
        let signed = verdict.key.as_deref().unwrap_or("unknown");
        let _ = writeln!(contents.text, "  {shown}: {}; {} lines, {} bytes, key {signed}", verdict.told, verdict.lines, bytes.len());
        *sums.entry(verdict.told.split(" line").next().map(String::from).unwrap_or_default()).or_default() += 1;
        if let Some(why) = verdict.why {
            if why.code() == Exit::BadData {
                output::fail(&format!("{name}: {shown}: {}", verdict.told));
            }
            let _ = writeln!(contents.text, "    {}", reason(&why, folder));
            contents.count(why);
        }
    }
    for error in errors {
        let text = format!("{name}: {}", reason(&error, folder));
        let _ = writeln!(contents.text, "  MISSING: {text}");
        output::fail(&text);
        contents.count(error);
    }
    for board in pi.boards.iter().filter(|board| !boards.contains(&board.name)) {
        let _ = writeln!(contents.text, "  board {}: no journal here", board.name);
        output::complain(&format!("{name}: board {} has no journal here; was it never switched on, or at another Pi?", board.name));
    }
    let sums: Vec<String> = sums.iter().map(|(told, n)| format!("{n} {told}")).collect();
    output::print(&format!("{name}: {} journal{}: {}\n", found.len(), s(found.len()), sums.join(", ")))
}

/// An error in the words of the archive, whose folders lie elsewhere later.
fn reason(error: &ExitError, folder: &Path) -> String {
    error.to_string().replace(&format!("{}/", folder.display()), "").replace(&folder.display().to_string(), "")
}

/// The journals of one Pi into a folder.
fn fetch(pi: &Pi, folder: &Path) -> Result<(), ExitError> {
    let failing = |what: &str| ExitError::unavailable(format_args!("{}: {what}", pi.name));
    let mut ssh = ssh::start(pi, &as_root("tar -C /var/lib/flagfall --exclude=journal.key -c journals"))?;
    let input = ssh.stdout.take().map(Stdio::from).ok_or_else(|| ExitError::bug("ssh without an output"))?;
    let mut errors = ssh.stderr.take();
    let said = thread::spawn(move || {
        let mut said = Vec::new();
        let _ = errors.as_mut().map(|errors| errors.read_to_end(&mut said));
        said
    });
    // What a stolen Pi sends is no more than files in this folder: tar leaves out `/` and `..`.
    let unpacked = Command::new("tar").arg("-C").arg(folder).args(["--no-same-owner", "--no-same-permissions", "-x"]).stdin(input).output();
    let unpacked = unpacked.map_err(|error| failing(&format!("tar cannot be started: {error}; on Debian: apt install tar")))?;
    let status = ssh.wait().map_err(|error| failing(&error.to_string()))?;
    let stderr = said.join().unwrap_or_default();
    let done = Output { status, stdout: Vec::new(), stderr };
    let grew = done.status.code() == Some(GREW) && unpacked.status.success();
    if !done.status.success() && !grew {
        return Err(failed(pi, &done));
    }
    if !unpacked.status.success() {
        let said = String::from_utf8_lossy(&unpacked.stderr);
        return Err(failing(&format!("what it sent is no archive, or has no room here: {}", said.lines().next().unwrap_or("tar failed"))));
    }
    Ok(())
}

/// The archive, whole or not at all.
fn pack(aside: &Path, stem: &str, name: &str, output: &Path) -> Result<(), ExitError> {
    let whole = aside.join(name);
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(aside).args(["--owner=0", "--group=0", "--sort=name", "--force-local", "-c", "-a", "-f"]);
    // tar goes into the folder first, so the path has to be a whole one.
    let done = tar
        .arg(std::path::absolute(&whole).unwrap_or_else(|_| whole.clone()))
        .arg("--")
        .arg(stem)
        .output()
        .map_err(|error| ExitError::unavailable(format_args!("tar cannot be started: {error}")))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let why = said.lines().next().unwrap_or("tar failed");
        return Err(ExitError::io(format_args!("{}: {why}; is there room, and what packs it (gzip, zstd)?", output.display())));
    }
    fs::rename(&whole, output).map_err(|error| ExitError::writing(output, &error))
}
