//! An incident report among what is verified: the page carries what proves it.
use super::proved::{Proof, Sum};
use crate::cli::ExitError;
use crate::journal::proof::{Checked, Proof as Lines};
use crate::journal::receipt::Receipt;
use flagfall_score::timeline;
use std::io;
use std::path::Path;

/// An incident report: what the proof in it proves, by the key or the receipt that was given.
pub(super) fn report(
    path: &Path,
    bytes: &[u8],
    (key, receipt): (Option<&str>, Option<Receipt>),
    sum: &mut Sum,
    out: &mut impl io::Write,
) -> Result<(), ExitError> {
    let shown = path.display();
    let text = String::from_utf8_lossy(bytes);
    let proofs = match Lines::all_in(&text) {
        Ok(proofs) if proofs.is_empty() => {
            Err(String::from("this page carries no proof: it was made of a capture, or by an older flagfall"))
        }
        other => other,
    };
    let checked = proofs.and_then(|proofs| {
        let check = |proof: &Lines| proof.check(key, receipt);
        let checked = proofs.iter().map(check).collect::<Result<Vec<_>, _>>()?;
        match proofs.iter().any(|proof| !proofs[0].begins_as(proof)) {
            true => Err(String::from("its proofs are of different lines: one of them belongs to another page")),
            false => Ok(checked),
        }
    });
    let checked = match checked {
        Ok(checked) => checked,
        Err(wrong) => {
            sum.take(&Proof::Changed);
            writeln!(out, "{shown}: changed")?;
            out.flush()?;
            sum.complain(ExitError::bad_data(format_args!("{shown}: {wrong}")));
            return Ok(());
        }
    };
    // The key proves all of it, by the first proof; words may stand for a later one, of fewer lines.
    let Some(whole) = checked.first() else { return Ok(()) };
    let received = if whole.received { Some(whole) } else { checked.iter().rfind(|proof| proof.received) };
    sum.received |= received.is_some();
    let proof = received.filter(|_| !whole.signed).unwrap_or(whole);
    let (given, Checked { log, journal, lines, size, beyond, signed, received, key, events }) = (key, proof);
    let last = lines.last().copied().unwrap_or(0);
    let verdict = match (signed, received, beyond) {
        (true, _, 0) | (_, true, 0) => Proof::ToTheEnd,
        (true, ..) => Proof::UpTo(last, format!("{beyond} lines of it were not signed yet when it was made: make it again")),
        (_, true, _) => Proof::UpTo(last, format!("{beyond} lines of it came after that: give the key, or a later receipt")),
        _ if given.is_none() => Proof::Whole(String::from("no key was given")),
        _ => Proof::Whole(format!("signed with the key {}, which is not the one given", key.as_deref().unwrap_or_default())),
    };
    sum.take(&verdict);
    writeln!(out, "{shown}: {}", verdict.told())?;
    writeln!(out, "  {} lines of {journal} ({log}) stand in its checkpoint over lines 1 to {size}", lines.len())?;
    writeln!(out, "  they say this; what else the page says is not proved by them:")?;
    for line in events.iter().filter_map(timeline::line) {
        writeln!(out, "  {line}")?;
    }
    out.flush()?;
    match verdict {
        Proof::ToTheEnd | Proof::Changed => {}
        Proof::UpTo(line, rest) => sum.complain(ExitError::proved_in_part(format_args!("{shown}: proved up to line {line}; {rest}"))),
        Proof::Whole(why) => sum.complain(ExitError::other_key(format_args!("{shown}: whole, but {why}"))),
    }
    Ok(())
}
