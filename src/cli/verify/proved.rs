//! What is proved of one journal, and what many come to.
use super::beside::lost_before;
use crate::cli::{ExitError, output};
use crate::exit::Exit;
use crate::journal::verify::{Report, Trouble, Unsigned};
use std::path::Path;

/// What is proved of a journal.
pub(super) enum Proof {
    ToTheEnd,
    /// And what follows.
    UpTo(u64, String),
    /// It is whole in itself; and why that proves nothing.
    Whole(String),
    Changed,
}

impl Proof {
    /// `receipt`: how many lines the receipt that was given stands for.
    pub(super) fn of(path: &Path, report: &Report, given: Option<&str>, receipt: Option<u64>) -> Self {
        let Some(open) = report.open.as_ref().filter(|_| report.trouble.is_none()) else { return Self::Changed };
        if let Some(lines) = receipt.filter(|lines| *lines > report.proved) {
            let all = report.unsigned.is_none() && report.signed == lines;
            let rest = || String::from("the receipt stands for no line after it; give the key, or a later receipt");
            return if all { Self::ToTheEnd } else { Self::UpTo(lines, rest()) };
        }
        let Some(given) = given else { return Self::Whole(String::from("no key was given")) };
        // The one that it vouches for in the end.
        let given = report.trusted.as_deref().unwrap_or(given);
        let lost = report.keys.iter().find(|(_, change)| change.lost.eq_ignore_ascii_case(given));
        if let Some((line, change)) = lost.filter(|_| report.proved > 0) {
            let public = &change.public;
            let rest = format!("the key that was given was lost; from line {line} on {public} signs, made on the same machine");
            return Self::UpTo(report.proved, rest);
        }
        if !report.signer().is_some_and(|key| key.eq_ignore_ascii_case(given)) {
            return Self::Whole(match lost_before(path, &open.key, given) {
                Some(place) => format!(
                    "signed with the key {}, an earlier key of this machine, which is lost: {place} says so, signed with the key given",
                    open.key
                ),
                None => format!("signed with the key {}, which is not the one given", open.key),
            });
        }
        match report.unsigned {
            None => Self::ToTheEnd,
            Some(Unsigned { lines, from, to }) => {
                let seconds = to.since(from).div_ceil(1_000);
                let why = if report.ended { "their signature is missing" } else { "flagfall still writes it, or was killed then" };
                Self::UpTo(report.proved, format!("the {lines} lines after it, of {seconds} s, are not signed: {why}"))
            }
        }
    }

    /// In a few words.
    pub(super) fn told(&self) -> String {
        match self {
            Self::ToTheEnd => String::from("proved to the end"),
            Self::UpTo(line, _) => format!("proved up to line {line}"),
            Self::Whole(_) => String::from("whole in itself"),
            Self::Changed => String::from("changed"),
        }
    }

    /// How it ends; nothing where it is proved.
    pub(super) fn error(&self, path: &Path, report: &Report) -> Option<ExitError> {
        let shown = path.display();
        match (self, &report.trouble) {
            (Self::ToTheEnd, _) => None,
            (Self::UpTo(line, rest), _) => Some(ExitError::proved_in_part(format_args!("{shown}: proved up to line {line}; {rest}"))),
            (Self::Whole(why), _) => Some(ExitError::other_key(format_args!("{shown}: whole, but {why}"))),
            (Self::Changed, Some(Trouble { line, what, held, .. })) => {
                Some(ExitError::bad_data(format_args!("{shown}:{line}: {what}; the line holds {held}")))
            }
            (Self::Changed, None) => Some(ExitError::bad_data(format_args!("{shown}: the header is missing"))),
        }
    }
}

/// What many journals come to: the worst of it is how the command ends.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) looked: usize,
    pub(super) proved: usize,
    pub(super) in_part: usize,
    pub(super) whole: usize,
    pub(super) changed: usize,
    /// One of them has what the receipt stands for.
    pub(super) received: bool,
    pub(super) worst: Option<ExitError>,
}

impl Sum {
    pub(super) fn complain(&mut self, error: ExitError) {
        output::fail(&error.to_string());
        self.count(error);
    }

    pub(super) fn count(&mut self, error: ExitError) {
        // A file that was changed, or cannot be read, is worse than one of which nobody knows who signed it.
        let rank = |error: &ExitError| match error.code() {
            Exit::InPart => 0,
            Exit::OtherKey => 1,
            _ => 2,
        };
        if self.worst.as_ref().is_none_or(|worst| rank(worst) < rank(&error)) {
            self.worst = Some(error);
        }
    }

    pub(super) fn take(&mut self, proof: &Proof) {
        self.looked += 1;
        *match proof {
            Proof::ToTheEnd => &mut self.proved,
            Proof::UpTo(..) => &mut self.in_part,
            Proof::Whole(_) => &mut self.whole,
            Proof::Changed => &mut self.changed,
        } += 1;
    }

    pub(super) fn told(&self) -> String {
        let parts = [
            (self.proved, "proved to the end"),
            (self.in_part, "proved in part"),
            (self.whole, "whole in themselves"),
            (self.changed, "changed"),
        ];
        let parts: Vec<_> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        format!("{} journals: {}", self.looked, parts.join(", "))
    }
}
