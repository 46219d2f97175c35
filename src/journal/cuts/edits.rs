//! What somebody changes who is not a power cut: one thing before a signature, whatever he recomputes.
use super::super::UNSYNCED;
use crate::line::Chain;
use crate::read::Lines;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

type Loose = (flagfall_events::Mono, String, String);

/// The lines that stand, and where the first one begins that does not.
fn standing(bytes: &[u8]) -> (Vec<Loose>, usize) {
    let (mut lines, mut found) = (Lines::new(bytes), Vec::new());
    while let Some(Ok(line)) = lines.next() {
        found.push((line.t, String::from(line.key), String::from(line.value)));
    }
    (found, lines.offset() as usize)
}

fn chained(lines: &[Loose]) -> Vec<u8> {
    let (mut bytes, mut chain) = (Vec::new(), Chain::default());
    lines.iter().for_each(|(t, key, value)| chain.write_raw(&mut bytes, *t, key, value));
    bytes
}

/// The value with a digit changed, where it has one.
fn other_digit(value: &str, random: &mut ChaCha8Rng) -> Option<String> {
    let digits: Vec<usize> = value.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = *digits.get(random.random_range(0..digits.len().max(1)))?;
    let digit = (value.as_bytes()[at] - b'0' + random.random_range(1..=9)) % 10;
    let mut changed = String::from(value);
    changed.replace_range(at..=at, &digit.to_string());
    Some(changed)
}

/// A sector of zeros in line `at`, as if a power cut had left it, where more lines follow than ever wait for a sync.
fn zeroed(left: &[u8], lines: &[Loose], (at, signed): (usize, usize)) -> Option<Vec<u8>> {
    let starts: Vec<usize> =
        left.split_inclusive(|byte| *byte == b'\n').scan(0, |at, line| Some(std::mem::replace(at, *at + line.len()))).collect();
    let from = starts[at].next_multiple_of(512);
    let after = starts.iter().position(|start| *start > from + 512).filter(|after| *after < signed)?;
    if lines.last()?.0.since(lines[after + 1].0) <= UNSYNCED {
        return None;
    }
    let mut bytes = left.to_vec();
    bytes[from..from + 512].fill(0);
    Some(bytes)
}

/// A journal as a power cut left it, with one edit before its last checkpoint that stands; and the number of that. `None`: nothing of it is signed.
pub(super) fn edited(left: &[u8], random: &mut ChaCha8Rng) -> Option<(Vec<u8>, u64)> {
    let (lines, end) = standing(left);
    let signed = lines.iter().rposition(|(_, key, _)| key == "checkpoint").filter(|signed| *signed > 1)?;
    let at = random.random_range(1..signed);
    let mut changed = lines.clone();
    let kind = random.random_range(0..6);
    match kind {
        5 => return Some((zeroed(left, &lines, (at, signed))?, signed as u64 + 1)),
        0 => _ = changed.remove(at),
        1 => changed.insert(at, lines[random.random_range(1..lines.len())].clone()),
        2 => changed[at].0 = changed[at].0 + random.random_range(1..900),
        _ => changed[at].2 = other_digit(&changed[at].2, random)?,
    }
    if changed[..] == lines[..] {
        return None;
    }
    let mut bytes = match kind {
        // The line alone, with what follows as it was: neither its checksum nor the chain.
        4 => {
            let was = format!("\"{}\":{}", lines[at].1, lines[at].2);
            let is = format!("\"{}\":{}", changed[at].1, changed[at].2);
            let from: usize = left.split_inclusive(|byte| *byte == b'\n').take(at).map(<[u8]>::len).sum();
            let text = String::from_utf8_lossy(&left[from..end]).replacen(&was, &is, 1);
            [&left[..from], text.as_bytes()].concat()
        }
        _ => chained(&changed),
    };
    bytes.extend_from_slice(&left[end..]);
    Some((bytes, signed as u64 + 1))
}
