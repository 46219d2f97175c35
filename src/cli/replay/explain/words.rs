//! Moves, pieces and numbers in words.
use crate::cli::watch::Lang;
use flagfall_events::{Colour, Mono};
use flagfall_game::believed::hands::habits::Kind;
use flagfall_game::believed::hands::price::NAT;
use flagfall_game::believed::hands::{Eyes, Odd, Reading};
use flagfall_game::believed::{Believed, Unestimated};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Move, Square};

/// What a nat is.
pub(super) const fn nat_is(lang: Lang) -> &'static str {
    lang.pick(
        "A nat is a factor of 2.7 in likelihood: a reading that is 7 nats dearer than another is about 1,100 times less likely.",
        "Нат — множитель 2.7 в вероятности: прочтение, которое на 7 натов дороже другого, примерно в 1100 раз менее вероятно.",
    )
}

/// 1/1024 nat as nats; exact.
pub(super) fn nats(price: i64) -> f64 {
    // Prices are far below 2^53.
    price as f64 / f64::from(NAT)
}

/// With one decimal, from a thousand on with none, and never `-0.0`.
pub(super) fn tenths(nats: f64, signed: bool) -> String {
    let rounded = (nats * 10.0).round() / 10.0;
    match rounded == 0.0 {
        true => String::from("0.0"),
        false if signed && rounded.abs() >= 1000.0 => format!("{rounded:+.0}"),
        false if signed => format!("{rounded:+.1}"),
        false => format!("{rounded:.1}"),
    }
}

/// Milliseconds as seconds, as short as they are exact.
pub(super) fn seconds(ms: u64, lang: Lang) -> String {
    let text = format!("{}.{:03}", ms / 1000, ms % 1000);
    format!("{} {}", text.trim_end_matches('0').trim_end_matches('.'), lang.pick("s", "с"))
}

/// UCI, castling by the king's step.
pub(super) fn uci(mv: Move) -> String {
    mv.to_uci(CastlingMode::Standard).to_string()
}

/// Moves from the beginning of an estimate in SAN; where one is not legal there, and after it, in UCI.
pub(super) fn san(believed: &Believed, moves: &[Move]) -> Vec<String> {
    let mut position = believed.snapshot.start.legal().cloned();
    let word = |mv: &Move| match position.take().filter(|position| shakmaty::Position::is_legal(position, *mv)) {
        Some(mut now) => {
            let text = SanPlus::from_move_and_play_unchecked(&mut now, *mv).to_string();
            position = Some(now);
            text
        }
        None => uci(*mv),
    };
    moves.iter().map(word).collect()
}

/// Who plays a ply where `by` plays the ply `known`.
pub(super) const fn player(known: u32, by: Colour, ply: u32) -> Colour {
    if known.abs_diff(ply).is_multiple_of(2) { by } else { by.other() }
}

/// `h8` of 63.
pub(super) fn square(index: u8) -> String {
    Square::new(u32::from(index & 63)).to_string()
}

/// FEN's letter of what stands on a square, `?` on a board that does not tell; `None`: nothing, or no piece.
pub(super) fn letter(reading: Reading, eyes: Eyes) -> Option<char> {
    if eyes == Eyes::Occupancy {
        return (reading != 0).then_some('?');
    }
    // In the order of the wire's codes.
    b"PRNBKQprnbkq".get(usize::from(reading).checked_sub(1)?).map(|letter| char::from(*letter))
}

fn piece(reading: Reading, eyes: Eyes, lang: Lang) -> String {
    let Some(letter) = letter(reading, eyes) else {
        return String::from(if reading == 0 { lang.pick("nothing", "ничего") } else { lang.pick("something", "что-то") });
    };
    if letter == '?' {
        return String::from(lang.pick("a piece", "фигура"));
    }
    let (en, ru, she) = match letter.to_ascii_lowercase() {
        'p' => ("pawn", "пешка", true),
        'r' => ("rook", "ладья", true),
        'n' => ("knight", "конь", false),
        'b' => ("bishop", "слон", false),
        'k' => ("king", "король", false),
        _ => ("queen", "ферзь", false),
    };
    let colour = match (letter.is_ascii_uppercase(), she) {
        (true, true) => lang.pick("white", "белая"),
        (true, false) => lang.pick("white", "белый"),
        (false, true) => lang.pick("black", "чёрная"),
        (false, false) => lang.pick("black", "чёрный"),
    };
    format!("{colour} {}", lang.pick(en, ru))
}

/// The word of JSON.
pub(super) fn kind(kind: Kind) -> &'static str {
    Kind::ALL.iter().find(|(known, _)| *known == kind).map_or("", |(_, name)| name)
}

/// How a square disagrees.
pub(super) fn odd(odd: &Odd, eyes: Eyes, lang: Lang) -> String {
    let (is, should) = (piece(odd.is, eyes, lang), piece(odd.should, eyes, lang));
    let what = lang.pick(en as fn(Kind, &str, &str) -> String, ru)(odd.kind, &is, &should);
    format!("{} {what}", square(odd.square))
}

/// As it reads, and as it should.
fn en(kind: Kind, is: &str, should: &str) -> String {
    match kind {
        Kind::Held => format!("{should} missing"),
        Kind::HeldAlso => format!("{should} missing as well"),
        Kind::HeldOther => format!("{should} missing out of turn"),
        Kind::HeldEarly => format!("{should} missing again before the press"),
        Kind::OnWay => format!("{is} on its way"),
        Kind::Castling => format!("{is}, the other piece of the castling not yet"),
        Kind::Astray => format!("{is} put there, not yet as a move"),
        Kind::AstrayOther => format!("{is} put there out of turn"),
        Kind::Reply => format!("{is} put there, before the move that it may answer is seen"),
        Kind::Nudged => format!("{is} pushed there"),
        Kind::Stale => format!("{is} still read, which the last ply took away"),
        Kind::Extra => format!("{is} where nothing should stand"),
        Kind::Parked => format!("{is}, taken and put down beside its square"),
        Kind::Wrong => format!("{is} instead of {should}"),
        Kind::Pawn => format!("{is} on its last rank instead of {should}"),
    }
}

fn ru(kind: Kind, is: &str, should: &str) -> String {
    match kind {
        Kind::Held => format!("не на месте {should}"),
        Kind::HeldAlso => format!("тоже не на месте {should}"),
        Kind::HeldOther => format!("не в свой ход не на месте {should}"),
        Kind::HeldEarly => format!("до нажатия снова не на месте {should}"),
        Kind::OnWay => format!("{is} в пути"),
        Kind::Castling => format!("{is}, второй фигуры рокировки ещё нет"),
        Kind::Astray => format!("{is} здесь, но ещё не как ход"),
        Kind::AstrayOther => format!("{is} здесь не в свой ход"),
        Kind::Reply => format!("{is} здесь раньше, чем виден ход, на который это может быть ответ"),
        Kind::Nudged => format!("{is} здесь от толчка"),
        Kind::Stale => format!("{is} ещё читается, хотя после последнего хода здесь пусто"),
        Kind::Extra => format!("{is} там, где ничего не должно стоять"),
        Kind::Parked => format!("{is} рядом со своим полем после взятия"),
        Kind::Wrong => format!("{is}, а ожидается {should}"),
        Kind::Pawn => format!("{is} на последней горизонтали, а ожидается {should}"),
    }
}

/// Why there is no estimate.
pub(super) const fn unestimated(why: Unestimated, lang: Lang) -> &'static str {
    match why {
        Unestimated::NoGame => lang.pick("no game is on", "партия не идёт"),
        Unestimated::Over => lang.pick("the game is over", "партия окончена"),
        Unestimated::Displaced => {
            lang.pick("pieces stand where no legal play puts them", "фигуры стоят так, как их не поставят никакие возможные ходы")
        }
        Unestimated::AfterGap => lang.pick(
            "the link was down, and what was played meanwhile is being looked for",
            "связи с доской не было, и ищется, что за это время сыграно",
        ),
        Unestimated::NotYet => {
            lang.pick("it begins anew with what the board says next", "она начнётся заново со следующего сообщения доски")
        }
    }
}

/// `1:02:03.450`.
pub(super) fn stamp(t: Mono) -> String {
    flagfall_score::timeline::stamp(t)
}
