//! How far a journal that is found at a start is proved by this machine's key, and what may follow that.
use super::checkpoint;
use super::file::{SIGN_AFTER, Unsigned};
use super::header::Open;
use super::key;
use super::line::{Chain, Line};
use super::verify::stands;
use super::vouched::Earlier;
use super::what::What;
use flagfall_events::Mono;
use flagfall_game::RECOGNITION;

/// What the checkpoints of a journal prove, line by line.
#[derive(Debug, Default)]
pub(super) struct Proved {
    /// The public key of this machine.
    own: String,
    /// Those that signed before it, as it is vouched for.
    earlier: Earlier,
    log: Option<String>,
    board: String,
    /// Who signs.
    pub(super) signer: String,
    /// The lines up to which this machine's own key has signed.
    pub(super) so_far: Option<Chain>,
    /// How many lines the last checkpoint covers, whoever signed it.
    pub(super) signed: u64,
    /// The first line that is not signed, and when it and the last of them were.
    unsigned: Option<(u64, Mono, Mono)>,
}

impl Proved {
    /// A journal with this header, which is to be `board`'s, as the owner of `own` finds it.
    ///
    /// # Errors
    /// It is another board's.
    pub(super) fn new(open: &Open, board: &str, (own, earlier): (&str, &Earlier)) -> Result<Self, String> {
        if open.board != board {
            return Err(format!("it is the journal of board {}, and lies where those of board {board} are", open.board));
        }
        let (own, board, signer) = (String::from(own), String::from(board), open.key.clone());
        Ok(Self { own, earlier: earlier.clone(), log: checkpoint::origin(open), board, signer, ..Self::default() })
    }

    /// Takes a line that stands in the chain; `before` is the chain before it. Whether that is signed by it, with this machine's own key.
    ///
    /// # Errors
    /// It cannot be what this machine wrote.
    pub(super) fn line(&mut self, line: &Line<'_>, before: &Chain) -> Result<bool, String> {
        let signs = match line.key {
            "checkpoint" | "sign" | "key" => line.what()?,
            _ => {
                let (first, from, to) = self.unsigned.unwrap_or((line.number, line.t, line.t));
                self.unsigned = Some((first, from, to.max(line.t)));
                return self.not_too_long().map(|()| false);
            }
        };
        match signs {
            What::Key(change) => {
                if change.lost == self.own && change.public != self.own {
                    return Err(String::from("it says that this machine's key was lost, and this machine has it"));
                }
                self.signer = change.public;
                return Ok(false);
            }
            What::Checkpoint(checkpoint) => {
                let log = self.log.as_deref().ok_or("a checkpoint in a journal without a number")?;
                stands(checkpoint.is_of(before.lines(), &before.root()), checkpoint.is_signed_by(log, &self.signer))?;
            }
            What::Sign(sign) => {
                let is_of = sign.lines == before.lines() && sign.chain == before.hex();
                stands(is_of, key::holds(&self.signer, &self.board, &sign))?;
            }
            _ => {}
        }
        (self.unsigned, self.signed) = (None, before.lines());
        Ok(self.signer == self.own || self.earlier.has(&self.signer))
    }

    /// No kill and no power cut leaves more than this: a line so much later comes after a checkpoint.
    fn not_too_long(&self) -> Result<(), String> {
        match self.unsigned.filter(|_| self.log.is_some()) {
            Some((first, from, to)) if to.since(from) >= SIGN_AFTER => Err(format!(
                "lines {first} and on are not signed over {} s, and flagfall signs before {} s are over: the signatures were taken away",
                to.since(from) / 1_000,
                SIGN_AFTER / 1_000
            )),
            _ => Ok(()),
        }
    }

    /// Whether its events are those of this program: numbered as a log, and recognised as it does.
    pub(super) fn is_own(&self, open: &Open) -> bool {
        self.log.is_some() && open.recognition == Some(RECOGNITION)
    }

    /// What the next checkpoint says of lines that stand up to `last` and that no checkpoint covers.
    pub(super) fn unsigned(&self, last: u64) -> Option<Unsigned> {
        let (first, from, to) = self.unsigned?;
        let seconds = to.since(from).div_ceil(1_000);
        let note =
            format!("found {first}-{last}: {} lines of {seconds} s that no checkpoint covered when flagfall was started", last + 1 - first);
        Some(Unsigned { since: from, note })
    }
}
