//! What the last journal of a board holds when the program starts: a torn tail is cut off, the inputs are played through the board.
use super::begin::Begin;
use super::day::differ;
use super::digest::Digest;
use super::disk::Slot;
use super::header::{Before, Open};
use super::hex::hex;
use super::line::{Chain, Wrong, seems_to_hold};
use super::proved::Proved;
use super::read::{self, Bad, Lines};
use super::receipt;
use super::recovered::{Recovered, begun, key_change};
use super::refused;
use super::repair::{From, repaired};
use super::replay::Replay;
use super::torn::is_torn;
use super::vouched::Earlier;
use super::what::{Cut, What};
use super::{JournalError, store};
use flagfall_events::Touches;
use flagfall_events::{AlarmKey, Event, Mono, ReceiptAfter, Wall};
use flagfall_game::RECOGNITION;
use flagfall_game::played::Played;
use flagfall_game::settings::Settings;
use flagfall_score::progress::Progress;
use flagfall_score::public::PublicView;
use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// It is told that recovery goes on after so many lines.
const AT_WORK: u64 = 256;
/// Bytes of a cut tail that are kept in the line that tells of it.
const KEPT: usize = 4_096;

/// The board's state after its last journal; a new journal where there is none, or where the last one is not to go on.
pub(super) fn recover(data_dir: &Path, open: Open, settings: &Settings, now: Wall, at_work: &dyn Fn()) -> Result<Recovered, JournalError> {
    let folder = store::folder(data_dir, &open.board);
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| JournalError::Io(path, error)
    };
    let mut files = store::journals(data_dir, &open.board).map_err(failed(&folder))?;
    for other in store::others(data_dir, &open.board) {
        tracing::warn!("{}: named like a journal, but it is no file; it is left alone, move it away", other.display());
    }
    let earlier = Earlier::of(data_dir, &open.key);
    let mut lost = Vec::new();
    let mut recovered = loop {
        let Some(path) = files.pop() else { break begun(open, settings, &folder) };
        match found(&path, files.last(), (&open.board, &open.key, &earlier), at_work).map_err(failed(&path))? {
            LastJournal::Nothing => lost.push(set_aside(&path).map_err(failed(&path))?),
            LastJournal::Good(found) => {
                let game_before = match files.last() {
                    Some(before) if found.began_between_games() => last_game(before, at_work).map_err(failed(before))?,
                    _ => Vec::new(),
                };
                let mut recovered = go_on(*found, (open, &earlier), settings, &folder, now);
                recovered.events.splice(..0, game_before);
                break recovered;
            }
            LastJournal::Damaged { bad, lines } => {
                let bytes = std::fs::read(&path).map_err(failed(&path))?;
                break repaired(&From::damaged(&path, &bytes, &bad, lines), (open, &earlier), settings, &folder);
            }
            LastJournal::Refused { why, line, proved } => {
                let path = refused::set_aside(&path, line, &why).map_err(failed(&path))?;
                // Nothing of it is this board's, or this machine's: the journal before it counts.
                let Some(proved) = proved else { continue };
                let bytes = std::fs::read(&path).map_err(failed(&path))?;
                break repaired(&From::refused(&path, &bytes, (line, &why), proved), (open, &earlier), settings, &folder);
            }
        }
    };
    recovered.refused = refused::in_folder(&folder);
    let last = recovered.last;
    for (cut, told) in lost {
        recovered.first.push((last, What::Cut(cut)));
        recovered.lost.push(told);
    }
    Ok(recovered)
}

/// A file without its first line, as a power cut may leave it: what it held is gone. It is kept, under a name that is no journal's.
fn set_aside(path: &Path) -> io::Result<(Cut, String)> {
    let written = std::fs::metadata(path).and_then(|file| file.modified()).ok().and_then(|at| jiff::Timestamp::try_from(at).ok());
    let written = written.map_or_else(String::new, |at| format!(", written last at {at:.0}"));
    let Rest { bytes, zeros, blake3, .. } = rest(path, 0)?;
    let holds = match bytes {
        0 => String::from("is empty"),
        n if zeros => format!("holds {n} zeros"),
        n => format!("holds {n} bytes, and its first line is not among them"),
    };
    let name = |n: u32| path.with_extension(if n == 1 { String::from("lost") } else { format!("lost-{n}") });
    let kept = (1..1_000).map(name).find(|aside| !aside.exists());
    let kept = kept.filter(|aside| std::fs::rename(path, aside).is_ok());
    let kept = kept.map_or_else(String::new, |aside| format!("; it is kept as {}", aside.display()));
    let why = format!("{} {holds}{written}", path.display());
    tracing::error!("{why}: what it recorded is lost{kept}. The journal before it counts; compare the moves with the score sheets");
    let held = String::from("nothing that can be read");
    let told = format!("{why}: what it recorded is lost{kept}");
    Ok((Cut { bytes, held, why, blake3, data: None }, told))
}

/// Bytes up to a file's end.
struct Rest {
    bytes: u64,
    zeros: bool,
    blake3: String,
    /// The bytes themselves, where they are few.
    kept: Option<Vec<u8>>,
}

fn rest(path: &Path, offset: u64) -> io::Result<Rest> {
    let mut file = read::open_at(path, offset)?;
    let (mut hash, mut kept, mut bytes, mut zeros) = (blake3::Hasher::new(), Some(Vec::new()), 0, true);
    loop {
        let some = file.fill_buf()?;
        if some.is_empty() {
            return Ok(Rest { bytes, zeros, blake3: hash.finalize().to_hex().to_string(), kept });
        }
        hash.update(some);
        zeros &= some.iter().all(|byte| *byte == 0);
        bytes += some.len() as u64;
        kept = kept.filter(|kept: &Vec<u8>| kept.len() + some.len() <= KEPT).map(|mut kept| {
            kept.extend_from_slice(some);
            kept
        });
        let taken = some.len();
        file.consume(taken);
    }
}

enum LastJournal {
    /// Not even a header, and nothing after it that was synced.
    Nothing,
    Good(Box<Good>),
    /// Lines stand after one that does not, and no power cut left them so.
    Damaged {
        bad: Bad,
        lines: Chain,
    },
    /// This machine cannot have written it so: up to where it did, and the first line after that which it did not.
    Refused {
        why: String,
        line: u64,
        proved: Option<Chain>,
    },
}

struct Good {
    path: PathBuf,
    open: Open,
    settings: Settings,
    chain: Chain,
    offset: u64,
    replay: Replay,
    progress: Progress,
    public: PublicView,
    events: Digest,
    cut: Option<Cut>,
    /// How far it is signed, and by whom last.
    proved: Proved,
    /// What the program recognised by that wrote the last lines.
    recognition: Option<u32>,
    /// The last game as it was published.
    played: Option<Played>,
    /// Results and rulings without a receipt.
    wanted: Vec<(u64, ReceiptAfter)>,
}

impl Good {
    /// It began between two games: the world looks at the first until the second one has a move, and what is public of the second begins there.
    const fn began_between_games(&self) -> bool {
        self.open.stands.is_some()
    }
}

/// The events of the journal before, which holds the game that the world still looks at. They are not replayed: they are what was published.
pub(crate) fn last_game(path: &Path, at_work: &dyn Fn()) -> io::Result<Vec<Arc<Event>>> {
    let mut events = Digest::default();
    read::each_readable(read::open(path)?, |line| {
        if let Some(event) = (line.key == "event").then(|| serde_json::from_str(line.value).ok()).flatten() {
            events.take(event);
        }
        if line.number.is_multiple_of(AT_WORK) {
            at_work();
        }
    })?;
    Ok(events.into_events())
}

/// What is public before a journal's first event: the last game of the one before it is still seen, and numbers go on.
pub(crate) fn public_before(open: &Open, touches: Touches, before: Option<&PathBuf>, at_work: &dyn Fn()) -> io::Result<PublicView> {
    let events = before.map_or_else(|| Ok(Vec::new()), |before| last_game(before, at_work))?;
    Ok(PublicView::restored(touches, &events, open.public).0)
}

/// Reads a journal as a stream: what it costs in memory follows the game that is in it. `before` is the one before it; `at_work` is called again and again.
fn found(
    path: &Path,
    before: Option<&PathBuf>,
    (board, own, earlier): (&str, &str, &Earlier),
    at_work: &dyn Fn(),
) -> io::Result<LastJournal> {
    let mut lines = Lines::new(read::open(path)?);
    let (mut replay, mut progress, mut events, mut header) = (Replay::default(), Progress::default(), Digest::default(), None);
    let skips = read::skips(read::open(path)?)?;
    let mut public = PublicView::default();
    let mut bad = None;
    let mut stands = (0, Chain::default());
    let mut proved = Proved::default();
    let (mut recognition, mut played, mut wanted) = (None, None, Vec::new());
    loop {
        let before_it = lines.so_far();
        let Some(next) = lines.next() else { break };
        let line = match next {
            Ok(line) => line,
            Err(wrong) => {
                bad = Some(wrong);
                break;
            }
        };
        let number = line.number;
        let shape = |held| Bad { line: number, wrong: Wrong::Shape, held, offset: stands.0 };
        if header.is_none() {
            match line.what() {
                Ok(What::Open(open)) => {
                    public = public_before(&open, open.touches(), before, at_work)?;
                    proved = match Proved::new(&open, board, (own, earlier)) {
                        Ok(proved) => proved,
                        Err(why) => return Ok(LastJournal::Refused { why, line: 1, proved: None }),
                    };
                    recognition = open.recognition;
                    header = Some(*open);
                }
                _ => {
                    bad = Some(shape(seems_to_hold(line.text.as_bytes())));
                    break;
                }
            }
        }
        if let ("restart", Ok(What::Restart(restart))) = (line.key, line.what()) {
            recognition = restart.recognition;
        }
        if let ("lost", Ok(What::Lost(lost))) = (line.key, line.what()) {
            public.count_from(lost.last_seq.unwrap_or(0));
        }
        let own = proved.line(&line, &before_it);
        match replay.line(&line, skips.contains(&number), &mut |_| {}) {
            Ok(event) => {
                if let Some(event) = event {
                    progress.take(&event);
                    public.take(&event);
                    Played::take(&mut played, &event);
                    receipt::wanting(&mut wanted, &event);
                    events.take(event);
                }
            }
            Err(why) => {
                tracing::error!("{}:{number}: {why}", path.display());
                bad = Some(shape(why));
                break;
            }
        }
        match own {
            Err(why) => return Ok(LastJournal::Refused { why, line: number, proved: proved.so_far }),
            Ok(own) => {
                stands = (lines.offset(), lines.so_far());
                proved.so_far = if own { Some(stands.1) } else { proved.so_far };
            }
        }
        if number.is_multiple_of(AT_WORK) {
            at_work();
        }
    }
    if let Some(error) = lines.failed() {
        return Err(error);
    }
    let (offset, chain) = stands;
    let is_torn = bad.is_none() || is_torn(path, offset)?;
    let settings = header.as_ref().and_then(|open: &Open| open.settings().ok());
    let (Some(open), Some(settings)) = (header, settings) else {
        return Ok(match bad.filter(|_| !is_torn) {
            Some(bad) => LastJournal::Damaged { bad, lines: chain },
            None => LastJournal::Nothing,
        });
    };
    let cut = match bad {
        None => None,
        Some(bad) if !is_torn || bad.wrong == Wrong::Shape => return Ok(LastJournal::Damaged { bad, lines: chain }),
        Some(bad) => Some(cut(path, offset, &bad)?),
    };
    if let Some(differs) =
        replay.differs().filter(|differs| differs.line > proved.signed && recognition == Some(RECOGNITION) && proved.is_own(&open))
    {
        let why = format!("it is not signed, and a replay of the inputs differs: {}", differs.text);
        return Ok(LastJournal::Refused { why, line: differs.line, proved: proved.so_far });
    }
    if let Some(differs) = replay.differs() {
        tracing::error!("{}:{}: a replay differs: {}", path.display(), differs.line, differs.text);
    }
    let good = Good {
        path: path.to_owned(),
        open,
        settings,
        chain,
        offset,
        replay,
        progress,
        public,
        events,
        cut,
        proved,
        recognition,
        played,
        wanted,
    };
    Ok(LastJournal::Good(Box::new(good)))
}

/// What stands after the last good line.
fn cut(path: &Path, offset: u64, bad: &Bad) -> io::Result<Cut> {
    let Rest { bytes, blake3, kept, .. } = rest(path, offset)?;
    let data = kept.map(|kept| {
        let mut text = Vec::new();
        hex(&mut text, &kept);
        String::from_utf8_lossy(&text).into_owned()
    });
    Ok(Cut { bytes, held: bad.held.clone(), why: format!("line {}: {}", bad.line, bad.wrong), blake3, data })
}

/// The journal is right up to its end, or up to a torn tail.
fn go_on(found: Good, (mut now, earlier_keys): (Open, &Earlier), settings: &Settings, folder: &Path, wall: Wall) -> Recovered {
    let Good {
        path,
        open,
        settings: earlier,
        chain,
        offset,
        replay,
        mut progress,
        public,
        events,
        cut,
        proved,
        recognition,
        played,
        wanted,
    } = found;
    let key = key_change(&proved.signer, &now, earlier_keys);
    let unsigned = proved.unsigned(chain.lines());
    if let Some(cut) = &cut {
        let (bytes, held, why) = (cut.bytes, &cut.held, &cut.why);
        tracing::error!("{}: {why}; {bytes} bytes were cut off, which held {held}; all before them stands", path.display());
        if cut.data.is_none() {
            keep_aside(&path, offset);
        }
    }
    let unseen = replay.missing().cloned().collect::<Vec<_>>();
    unseen.iter().for_each(|event| progress.take(event));
    let written = events.seq().max(open.seq);
    // A replay that differs has numbers of its own.
    let seq = if replay.differs().is_none() { replay.seq().max(written) } else { written };
    let played = played.filter(|_| recognition != Some(RECOGNITION) && replay.differs().is_some());
    let published = unseen.first().map_or(seq, |event| event.seq.saturating_sub(1));
    let events = events.into_events();
    let last = replay.last();
    let at = Mono::from_millis(wall.since(replay.opened_at())).max(last);
    // What nobody has seen yet is still to be said in this one.
    if (now.day != open.day || differ(&open, &now)) && progress.is_over(at) && unseen.is_empty() {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let damaged = cut.as_ref().filter(|_| !is_cut_off(&path, offset)).map(|cut| cut.why.clone());
        now.before = Some(Before { file, lines: chain.lines(), chain: chain.hex(), damaged });
        now.seq = seq;
        if let Some((board, _)) = replay.into_board() {
            (now.games, now.raised) = (board.games(), board.raised());
        }
        now.public = public.number();
        let alarm = cut.as_ref().map(|_| AlarmKey::JournalCut);
        let first = key.into_iter().chain(cut.map(What::Cut)).map(|what| (Mono::ZERO, what)).collect();
        return Recovered { events, continued: true, fresh: true, alarm, first, public, ..begun(now, settings, folder) };
    }
    let (opened_at, wall) = (open.recorded_at, replay.opened_at());
    let begins_after = open.games;
    let fresh = || (open.begin(earlier.clone()).numbered_after(seq), Vec::new());
    let (board, questions) = replay.into_board().unwrap_or_else(fresh);
    let alarm = cut.as_ref().map(|_| AlarmKey::JournalCut);
    let slot = Slot::existing(folder.to_owned(), open.day.clone(), path);
    Recovered {
        board,
        settings: earlier,
        opened_at,
        wall,
        last,
        seq,
        questions,
        progress,
        events,
        unseen,
        first: key.into_iter().chain(cut.map(What::Cut)).map(|what| (last, what)).collect(),
        continued: true,
        fresh: false,
        alarm,
        lost: Vec::new(),
        refused: Vec::new(),
        public,
        games: begins_after,
        played,
        begin: Begin::Continue { slot, open, chain: Box::new(chain), offset, last, seq: published, unsigned, wanted },
    }
}

/// What is too long for a line is kept in a file of its own.
fn keep_aside(path: &Path, offset: u64) {
    let aside = path.with_extension("cut");
    let keep = |mut rest| {
        let mut file = std::fs::File::create(&aside)?;
        io::copy(&mut rest, &mut file)?;
        file.sync_all()
    };
    match read::open_at(path, offset).and_then(keep) {
        Ok(()) => tracing::warn!("what was cut off is kept in {}", aside.display()),
        Err(error) => tracing::error!("{}: what was cut off cannot be kept: {error}", aside.display()),
    }
}

/// Ends a journal that another one follows where its last good line ends: nobody is to take for a change what a power cut left.
fn is_cut_off(path: &Path, offset: u64) -> bool {
    let cut = std::fs::File::options().write(true).open(path).and_then(|file| file.set_len(offset).and_then(|()| file.sync_all()));
    cut.inspect_err(|error| tracing::error!("{}: what was torn cannot be cut off: {error}", path.display())).is_ok()
}
