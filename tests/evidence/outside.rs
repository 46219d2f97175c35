//! Outside witnesses by the protocol of c2sp.org: one written in Python from the standard alone sees how a machine's journals go on.
use crate::rig::{Daemon, Rig, flagfall, until};
use flagfall::journal::checkpoint::{Checkpoint, verifier_key};
use flagfall::journal::key::Key;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A running witness; killed when dropped.
struct Witness {
    child: Child,
    folder: TempDir,
    url: String,
    key: String,
}

impl Witness {
    fn start(name: &str, logs: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/evidence/witness.py");
        let mut command = Command::new("python3");
        command.arg("-B").arg(program).arg(folder.path()).arg(name).args(logs).stdout(Stdio::piped());
        let mut child = command.spawn().expect("python3 is missing: apt-get install python3");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (url, key) = line.trim_end().split_once(' ').unwrap();
        Self { child, folder, url: String::from(url), key: String::from(key) }
    }

    fn config(&self) -> String {
        format!("[[witness]]\nurl = \"{}\"\nkey = \"{}\"\n", self.url, self.key)
    }

    /// The status of each answer so far.
    fn answers(&self) -> Vec<String> {
        fs::read_to_string(self.folder.path().join("answers")).unwrap_or_default().lines().map(String::from).collect()
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A data folder with a key, and that as a witness wants it.
fn machine() -> (TempDir, PathBuf, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let public = Key::of(&data).unwrap().key.public();
    let log = verifier_key(&public).unwrap();
    (folder, data, public, log)
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    let done = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(done.success());
}

/// How many entries the note that is kept of a witness is over.
fn seen(data: &Path) -> u64 {
    let note = fs::read_to_string(data.join("witnessed/witness.example%2fw1.cosigned")).unwrap_or_default();
    Checkpoint::read(&note).map_or(0, |(_, checkpoint)| checkpoint.size)
}

fn alarms(daemon: &Daemon) -> String {
    daemon.get("/api/v1/operator/alarms").to_string()
}

#[test]
fn an_older_copy_of_everything_that_a_machine_keeps_is_seen_at_its_start_and_by_verify() {
    let (folder, data, public, log) = machine();
    let witness = Witness::start("witness.example/w1", &[&log]);
    let rig = Rig::new(&witness.config());
    let daemon = rig.start(&data, &[]);
    until("the witness has seen the first checkpoint", || seen(&data) > 0);
    assert_eq!(daemon.terminate(), 0);
    let older = folder.path().join("older");
    copy(&data, &older);
    let first = seen(&data);
    let daemon = rig.start(&data, &[]);
    until("the witness has seen two more", || seen(&data) > first + 1);
    let said = alarms(&daemon);
    assert!(!said.contains("journal-rolled-back") && !said.contains("feed-failing"), "{said}");
    assert_eq!(daemon.terminate(), 0);
    assert!(witness.answers().iter().all(|answer| answer == "200"), "{:?}", witness.answers());
    let note = fs::read_to_string(data.join("witnessed/witness.example%2fw1.cosigned")).unwrap();
    assert_eq!(note.matches('\u{2014}').count(), 2, "signed, and cosigned: {note}");

    let honest = folder.path().join("honest");
    copy(&data, &honest);
    let verified = |witnessed: &Path, witness: &str, journals: &Path| {
        let (witnessed, journals) = (witnessed.join("witnessed"), journals.join("journals"));
        let args =
            ["verify", "--key", &public, "--witnessed", witnessed.to_str().unwrap(), "--witness", witness, journals.to_str().unwrap()];
        let (code, out, err) = flagfall(&args);
        (code, out + &err)
    };
    let (code, said) = verified(&honest, &witness.key, &honest);
    assert!(code == 0 && said.contains("the witness witness.example/w1 has seen"), "{code} {said}");
    let (code, said) = verified(&honest, &witness.key, &older);
    assert!(code == 65 && said.contains("were witnessed"), "{code} {said}");
    // Nothing in the older copy tells, its own notes included.
    assert_eq!(verified(&older, &witness.key, &older).0, 0);
    let another = Witness::start("witness.example/w1x", &[]);
    let (code, said) = verified(&honest, &another.key, &honest);
    assert!(code == 65 && said.contains("no note in it has a line of that witness"), "{code} {said}");

    let tells = |what: &str, words: &str| {
        let daemon = rig.start(&data, &[]);
        until(what, || alarms(&daemon).contains("journal-rolled-back"));
        until(what, || alarms(&daemon).contains(words));
        let seq = daemon.seq();
        until("the board goes on", || daemon.seq() > seq);
        daemon.kill();
    };
    copy(&older, &data);
    tells("the witness knows better", "an older copy was put back");
    // The journals alone: the list and the note of the witness are here.
    copy(&honest, &data);
    copy(&older.join("journals"), &data.join("journals"));
    tells("the list knows better", "lines that were seen elsewhere");
    // The list is written anew, as who has the key can.
    copy(&honest, &data);
    let place = data.join("witnessed/machine.list");
    let list = fs::read_to_string(&place).unwrap();
    let (root, other) = (list.lines().next().unwrap().rsplit_once(' ').unwrap().1, "qINS1GRFfWfa2wGsi2AHWABU0U3LVOz5Y2FeU1Iyrxw=");
    fs::write(&place, list.replacen(root, other, 1)).unwrap();
    let (code, said) = verified(&data, &witness.key, &data);
    assert!(code == 65 && said.contains("written anew"), "{code} {said}");
    tells("the note knows better", "it was written anew");
    fs::remove_file(data.join("witnessed/witness.example%2fw1.cosigned")).unwrap();
    tells("the witness remembers other entries", "other entries of this machine's list");
    // And has grown since: the proof that it goes on from what the witness has seen does not hold.
    let grown = format!("{}flagfall-journal/9/00aa 1 {other}\n", list.replacen(root, other, 1));
    fs::write(&place, grown).unwrap();
    tells("the proof does not hold", "other entries of this machine's list than stand in it");
    assert_eq!(witness.answers().last().unwrap(), "422");
}

#[test]
fn a_witness_that_does_not_answer_delays_nothing_and_is_told() {
    let (_folder, data, _, log) = machine();
    let witness = Witness::start("witness.example/w1", &[&log]);
    let hang = witness.folder.path().join("hang");
    fs::write(&hang, "").unwrap();
    let rig = Rig::new(&witness.config());
    let daemon = rig.start(&data, &[]);
    until("moves are completed meanwhile", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(4));
    assert!(witness.answers().is_empty());
    until("the operator is told", || alarms(&daemon).contains("no answer"));
    assert_eq!(daemon.journal(), "ok");
    fs::remove_file(&hang).unwrap();
    until("it has seen what came meanwhile", || seen(&data) > 0);
    until("the alarm is over", || !alarms(&daemon).contains("feed-failing"));
    fs::write(&hang, "").unwrap();
    assert_eq!(daemon.terminate(), 0, "it ends in time, too");
}

#[test]
fn a_witness_with_another_key_and_one_that_does_not_know_the_machine_are_named_in_words() {
    let (_folder, data, _, log) = machine();
    let (witness, stranger) = (Witness::start("witness.example/w1", &[&log]), Witness::start("witness.example/w2", &[]));
    let another = Witness::start("witness.example/w3", &[&log]);
    // The address of one, the key of another.
    let config = format!("{}{}", witness.config().replace(&witness.key, &another.key), stranger.config());
    let daemon = Rig::new(&config).start(&data, &[]);
    until("the key is named", || alarms(&daemon).contains("is not signed with the key of [[witness]]"));
    until("the machine's key is named", || {
        alarms(&daemon).contains(&format!(
            "it does not know this machine, or takes no checkpoints at this address; give whoever runs it this machine's key: {log}"
        ))
    });
    let kept = fs::read_dir(data.join("witnessed")).map_or(0, Iterator::count);
    assert_eq!(kept, 0, "what is not signed is not kept");
}
