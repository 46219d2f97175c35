//! An outside witness, as its verifier key names it, and whether it has seen a note (c2sp.org/tlog-cosignature, Ed25519).
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::str::FromStr;

/// What a cosigner's key is of in a signed note.
const KIND: u8 = 4;
/// A key that signs notes itself.
const NOTES: u8 = 1;

/// A witness: its name and key, read once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosigner {
    name: String,
    id: [u8; 4],
    key: VerifyingKey,
}

/// Why a text is no witness's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CosignerError {
    /// It is not of three parts.
    #[error("it is not NAME+ID+KEY: a name, eight hex digits and Base64, with + between")]
    Shape,
    /// It is a log's.
    #[error("it is a key that signs logs, not one of a witness: ask whoever runs the witness for its own")]
    Log,
    /// Another kind of signature.
    #[error("it is of kind {0}, and only Ed25519 (kind 4) is known here: ask whoever runs the witness for that key")]
    Kind(u8),
    /// The four bytes are not of name and key.
    #[error("its ID is not that of its name and key: a letter of it is wrong")]
    Id,
}

impl FromStr for Cosigner {
    type Err = CosignerError;

    fn from_str(text: &str) -> Result<Self, CosignerError> {
        // Base64 has a + of its own.
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else { return Err(CosignerError::Shape) };
        if name.is_empty() || name.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(CosignerError::Shape);
        }
        let key = STANDARD.decode(key).map_err(|_| CosignerError::Shape)?;
        let key = match key.split_first() {
            Some((&KIND, key)) => key,
            Some((&NOTES, _)) => return Err(CosignerError::Log),
            Some((kind, _)) => return Err(CosignerError::Kind(*kind)),
            None => return Err(CosignerError::Shape),
        };
        let key = <[u8; 32]>::try_from(key).ok().and_then(|key| VerifyingKey::from_bytes(&key).ok()).ok_or(CosignerError::Shape)?;
        let cosigner = Self { name: String::from(name), id: id_of(name, &key), key };
        let hex: String = cosigner.id.iter().map(|byte| format!("{byte:02x}")).collect();
        if id == hex { Ok(cosigner) } else { Err(CosignerError::Id) }
    }
}

impl fmt::Display for Cosigner {
    /// As it was read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.id;
        let key = STANDARD.encode([&[KIND], self.key.as_bytes().as_slice()].concat());
        write!(f, "{}+{a:02x}{b:02x}{c:02x}{d:02x}+{key}", self.name)
    }
}

fn id_of(name: &str, key: &VerifyingKey) -> [u8; 4] {
    let digest = Sha256::new().chain_update(name).chain_update([b'\n', KIND]).chain_update(key.as_bytes()).finalize();
    std::array::from_fn(|i| digest[i])
}

impl Cosigner {
    /// Of a key of ours (hex), which countersigns under its short name.
    #[cfg(test)]
    pub(super) fn of(public: &str) -> Self {
        let (name, key) = (super::checkpoint::fingerprint(public), super::checkpoint::public(public).unwrap());
        Self { id: id_of(&name, &key), name, key }
    }

    /// What the witness is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// When it has seen this note, seconds since 1970. `None`: no line of it stands under the note.
    pub fn saw(&self, note: &str) -> Option<u64> {
        let (_, lines) = note.split_once("\n\n")?;
        self.line_under(note, lines).map(|(_, seconds)| seconds)
    }

    /// The first of these signature lines that is its own, of this note, and when it was made. Those of others are passed over.
    pub fn line_under<'l>(&self, note: &str, lines: &'l str) -> Option<(&'l str, u64)> {
        let text = &note[..=note.find("\n\n")?];
        lines.split('\n').find_map(|line| Some((line, self.signed(text, line)?)))
    }

    fn signed(&self, text: &str, line: &str) -> Option<u64> {
        let signature = line.strip_prefix("\u{2014} ")?.strip_prefix(self.name.as_str())?.strip_prefix(' ')?;
        let bytes = STANDARD.decode(signature).ok()?;
        let (id, rest) = bytes.split_first_chunk::<4>()?;
        let (seconds, signature) = rest.split_first_chunk::<8>()?;
        let signature = Signature::from_bytes(signature.try_into().ok()?);
        let seconds = u64::from_be_bytes(*seconds);
        let signed = format!("cosignature/v1\ntime {seconds}\n{text}");
        // The standard has times below 2^63 only.
        let stands = *id == self.id && i64::try_from(seconds).is_ok() && self.key.verify_strict(signed.as_bytes(), &signature).is_ok();
        stands.then_some(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with another program's Ed25519, from the standard alone.
    const KEY: &str = "witness.example/w1+e75f6532+BAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
    const NOTE: &str =
        "flagfall/2f1c5a0b9d3e4f67\n3\nqINS1GRFfWfa2wGsi2AHWABU0U3LVOz5Y2FeU1Iyrxw=\n\n\u{2014} flagfall/2f1c5a0b9d3e4f67 AAAA\n";
    const LINE: &str = "\u{2014} witness.example/w1 519lMgAAAABq/YbA4I4kBqYQ4aRnjBVpzfAqoA+PkFq1NGn4zpY+q/kRu+EbfXQ8XcipRhUeKUQgogJVAhHnChQiv9IgC543WzmUDA==";

    #[test]
    fn a_cosignature_of_another_program_stands_and_a_changed_one_does_not() {
        let witness: Cosigner = KEY.parse().unwrap();
        assert_eq!((witness.name(), witness.to_string().as_str()), ("witness.example/w1", KEY));
        assert_eq!(witness.saw(NOTE), None);
        let answer = format!("\u{2014} another.example {}\n{LINE}\n", &LINE[LINE.len() - 104..]);
        assert_eq!(witness.line_under(NOTE, &answer), Some((LINE, 1_795_000_000)));
        let seen = format!("{NOTE}{LINE}\n");
        assert_eq!(witness.saw(&seen), Some(1_795_000_000));
        assert_eq!(witness.saw(&seen.replace("\n3\n", "\n4\n")), None, "another size");
        assert_eq!(witness.saw(&seen.replace("witness.example/w1", "witness.example/w2")), None, "another name");
        let last = LINE.len() - 10;
        let other = if &LINE[last..=last] == "A" { "B" } else { "A" };
        assert_eq!(witness.saw(&format!("{NOTE}{}{other}{}\n", &LINE[..last], &LINE[last + 1..])), None, "another signature");
        assert_eq!(witness.saw(""), None);
    }

    #[test]
    fn every_mistake_in_a_key_has_words_of_its_own() {
        let wrong = |text: &str| text.parse::<Cosigner>().unwrap_err();
        assert_eq!(wrong(""), CosignerError::Shape);
        assert_eq!(wrong("witness.example/w1"), CosignerError::Shape);
        assert_eq!(wrong(&KEY[..KEY.len() - 4]), CosignerError::Shape);
        assert_eq!(wrong(&KEY.replacen("w1", "w 1", 1)), CosignerError::Shape);
        assert_eq!(wrong(&KEY.replacen("w1", "w2", 1)), CosignerError::Id);
        let of_kind = |kind: u8| format!("w+00000000+{}", STANDARD.encode([[kind].as_slice(), &[7; 32]].concat()));
        assert_eq!((wrong(&of_kind(1)), wrong(&of_kind(6))), (CosignerError::Log, CosignerError::Kind(6)));
    }
}
