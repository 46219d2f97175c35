//! Events for people: one line each, without placements and clock reports, which nobody reads in a row.
use alloc::format;
use alloc::string::String;
use flagfall_events::{AlarmState, Body, ClockPair, Colour, Event, Flag, How, LinkState, Mono};

/// The line of one event, or nothing.
pub fn line(event: &Event) -> Option<String> {
    let text = match &event.body {
        Body::Placement { .. } => return None,
        Body::Clock(clock) => match clock.flag? {
            Flag::White => String::from("flag       White's flag is down"),
            Flag::Black => String::from("flag       Black's flag is down"),
            Flag::Both => String::from("flag       both flags are down"),
        },
        Body::Link { state, reason } => {
            let state = match state {
                LinkState::Up => "the board answers",
                LinkState::Down => "the board is lost",
            };
            format!("link       {state}{}", reason.as_ref().map(|r| format!(": {r}")).unwrap_or_default())
        }
        Body::Identity { kind, serial, firmware, link } => {
            let serial = serial.as_deref().unwrap_or("unknown");
            format!("identity   {kind}, serial number {serial}, firmware {}, {link}", firmware.as_deref().unwrap_or("unknown"))
        }
        Body::Press { by } => format!("press      {}", colour(*by)),
        Body::GameStart { fen, rules, play, time_control, chess960, .. } => {
            let chess960 = if *chess960 { ", Chess960" } else { "" };
            format!("game       {rules}, {play}, {}{chess960}, {fen}", time_control.as_deref().unwrap_or("time control unknown"))
        }
        Body::MoveMade { ply, by, uci, san, legal, .. } => {
            format!("made       {}", a_move(*ply, *by, san.as_deref().unwrap_or(uci), *legal))
        }
        Body::Sides { white, from, .. } => {
            let of = if *from > 1 { format!(" from ply {from} on") } else { String::new() };
            format!("sides      White's clock is the {} one{of}", word(white))
        }
        Body::MoveRevised { ply, uci, san, was, clock, .. } => {
            let name = san.as_deref().unwrap_or(uci);
            let clock = clock.map(|pair| format!("  {} {}", shown(pair.white_ms), shown(pair.black_ms))).unwrap_or_default();
            let instead = if uci == was { String::from(" with other times") } else { format!(" instead of {was}") };
            format!("revised    ply {ply}: {name}{instead}{clock}")
        }
        Body::MoveWithdrawn { ply, uci } => format!("withdrawn  ply {ply}: {uci}"),
        Body::MoveCompleted { ply, by, uci, san, legal, how, clock, spent_ms, assumed } => {
            let clock =
                clock.map(|ClockPair { white_ms, black_ms }| format!("  {} {}", shown(white_ms), shown(black_ms))).unwrap_or_default();
            let spent = spent_ms.map(|ms| format!("  after {}.{} s", ms / 1000, ms / 100 % 10)).unwrap_or_default();
            let how = match how {
                How::Press => "",
                How::NextMove => " (by the next move)",
                How::GameEnd => " (it ended the game)",
                How::Settled => " (settled)",
                How::Ruling => " (by a ruling)",
                How::Recovered => " (recovered)",
            };
            let assumed = if *assumed { " (assumed)" } else { "" };
            format!("completed  {}{assumed}{how}{clock}{spent}", a_move(*ply, *by, san.as_deref().unwrap_or(uci), *legal))
        }
        Body::Promotion { ply, square, state, piece } => {
            let piece = piece.map(|piece| format!(", {}", word(&piece))).unwrap_or_default();
            format!("promotion  ply {ply} on {square}: {}{piece}", word(state))
        }
        Body::Result { result, reason, article, .. } => {
            let article = article.as_ref().map(|a| format!(", article {a}")).unwrap_or_default();
            let game = event.game.map(|number| format!(", game {number}")).unwrap_or_default();
            format!("result     {} ({reason}{article}{game})", result.as_str())
        }
        Body::Ruling(ruling) => {
            format!("ruling     {} {}", ruling.name(), serde_json::Value::from(ruling.fields()))
        }
        Body::Finding(finding) => {
            let action = finding.proposal.as_ref().map(|p| format!(" [{}]", word(&p.action))).unwrap_or_default();
            format!("finding    {}: {} ({} {}){action}", finding.id, finding.summary.en, finding.rules.as_str(), finding.article)
        }
        Body::FindingUpdate(update) => format!("finding    {} is {}", update.id, word(&update.status)),
        Body::TouchedPiece(touched) => format!("touched    {} on {}, {} to move", touched.piece, touched.square, colour(touched.by)),
        Body::DrawClaim(claim) => format!("claim      {} may claim a draw: {}", colour(claim.by), word(&claim.rule)),
        Body::Receipt(receipt) => format!("receipt    {}", receipt.words),
        Body::Alarm { key, state, .. } => {
            let game = event.game.map(|number| format!(" (game {number})")).unwrap_or_default();
            match state {
                AlarmState::Raised => format!("alarm      {key}{game}"),
                AlarmState::Cleared => format!("alarm      {key} is over{game}"),
            }
        }
    };
    Some(format!("{:>12}  {text}", stamp(event.t)))
}

/// A word of the vocabulary as events write it.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(String::from)).unwrap_or_default()
}

const fn colour(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// `12. Nf3` or `12… Nf6`, numbered from the game's first move.
pub fn a_move(ply: u32, by: Colour, text: &str, legal: bool) -> String {
    let number = match by {
        Colour::White => format!("{}.", ply / 2 + 1),
        Colour::Black => format!("{}…", ply.div_ceil(2)),
    };
    format!("{number} {text}{}", if legal { "" } else { " (illegal)" })
}

/// `1:02:03.450`.
pub fn stamp(t: Mono) -> String {
    let ms = t.millis();
    format!("{}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}

/// A display in whole seconds.
fn shown(ms: i64) -> String {
    let s = ms / 1000;
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_one_game_names_it() {
        let told = |body: serde_json::Value| {
            let mut event = serde_json::json!({"seq": 1, "t": 0, "at": "2026-01-02T03:04:05Z", "board": "1", "game": 3});
            event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
            line(&serde_json::from_value(event).unwrap()).unwrap()
        };
        let alarm = told(serde_json::json!({"type": "alarm", "key": "record-broken", "state": "raised"}));
        assert!(alarm.ends_with("alarm      record-broken (game 3)"), "{alarm}");
        let result = told(serde_json::json!({"type": "result", "result": "*", "reason": "reopened", "source": "operator"}));
        assert!(result.ends_with("* (reopened, game 3)"), "{result}");
    }
}
