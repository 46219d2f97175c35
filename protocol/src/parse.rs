//! The few nom parsers that every message is made of, and the error that says which byte was wrong.
use crate::frame::ContentError;
use crate::square::{PieceCode, WireSquare};
use nom::IResult;
use nom::error::{ErrorKind, ParseError};

/// Where a parser stopped: the offset is known only to the caller, who knows how long the frame was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Bytes left, the wrong one included.
    left: usize,
    value: Option<u8>,
    expected: &'static str,
}

pub(crate) type Step<'a, T> = IResult<&'a [u8], T, Fault>;

impl ParseError<&[u8]> for Fault {
    fn from_error_kind(input: &[u8], _: ErrorKind) -> Self {
        Self::at(input, "a byte")
    }
    fn append(_: &[u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl Fault {
    fn at(input: &[u8], expected: &'static str) -> Self {
        Self { left: input.len(), value: input.first().copied(), expected }
    }
}

/// One byte that `read` accepts.
pub(crate) fn one<T>(expected: &'static str, read: impl Fn(u8) -> Option<T>) -> impl Fn(&[u8]) -> Step<'_, T> {
    move |input| match input.split_first() {
        Some((&byte, rest)) => match read(byte) {
            Some(value) => Ok((rest, value)),
            None => Err(nom::Err::Error(Fault::at(input, expected))),
        },
        None => Err(nom::Err::Error(Fault::at(input, expected))),
    }
}

/// Any byte.
pub(crate) fn any(input: &[u8]) -> Step<'_, u8> {
    nom::number::complete::u8(input)
}

/// A field, 00–3F.
pub(crate) fn field(input: &[u8]) -> Step<'_, WireSquare> {
    one("a field 00..=3F", WireSquare::new)(input)
}

/// A piece in a dump, 00–0F.
pub(crate) fn piece(input: &[u8]) -> Step<'_, PieceCode> {
    one("a piece 00..=0F", |byte| (byte <= 0x0F).then(|| PieceCode::from_nibble(byte)))(input)
}

/// Minutes or seconds in BCD, 00–59.
pub(crate) fn sixtieth(input: &[u8]) -> Step<'_, u8> {
    one("BCD 00..=59", from_bcd)(input)
}

/// Two decimal digits, tens in D6–D4; `None` where a digit is above nine or the value above 59.
pub(crate) const fn from_bcd(byte: u8) -> Option<u8> {
    let (tens, ones) = (byte >> 4, byte & 0x0F);
    if tens <= 5 && ones <= 9 { Some(tens * 10 + ones) } else { None }
}

/// The inverse of [`from_bcd`]; values above 59 become 59.
pub(crate) const fn to_bcd(value: u8) -> u8 {
    let value = if value > 59 { 59 } else { value };
    ((value / 10) << 4) | (value % 10)
}

/// Ends a parse of `payload`, the part of a frame that begins at `first`: nothing may be left over.
pub(crate) fn finish<T>(payload: &[u8], first: usize, step: Step<'_, T>) -> Result<T, ContentError> {
    let fault = match step {
        Ok(([], value)) => return Ok(value),
        Ok((rest, _)) => Fault::at(rest, "the end of the frame"),
        Err(nom::Err::Error(fault) | nom::Err::Failure(fault)) => fault,
        Err(nom::Err::Incomplete(_)) => Fault::at(&[], "a byte"),
    };
    Err(ContentError { offset: first + payload.len().saturating_sub(fault.left), value: fault.value, expected: fault.expected })
}
