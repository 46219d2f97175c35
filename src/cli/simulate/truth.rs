//! `flagfall simulate --truth FILE`: what was really played and how, one JSON line a game. Times are milliseconds of the capture.
use flagfall_events::ClockPair;
use flagfall_simulator::clock::Side;
use flagfall_simulator::deeds::{Deed, How, Stay, Touch};
use flagfall_simulator::person::Person;
use flagfall_simulator::script::{PlyTruth, Truth};
use flagfall_simulator::stream::{Options, Stream};
use serde_json::{Map, Value, json};
use std::io;

/// Writes every game.
pub(super) fn write(mut out: impl io::Write, stream: &Stream, options: &Options) -> io::Result<()> {
    for (index, truth) in stream.games.iter().enumerate() {
        writeln!(out, "{}", game(index + 1, truth, options))?;
    }
    out.flush()
}

fn game(number: usize, truth: &Truth, options: &Options) -> Value {
    let board = options.board().map(|board| {
        json!({
            "scan_ms": board.scan_ms,
            "order": board.order.as_str(),
            "clock_delay_ms": board.clock.usual_ms,
            "clock_late": round(board.clock.late),
        })
    });
    let side = options.side().map(|side| if side == Side::Left { "left" } else { "right" });
    json!({
        "game": number,
        "seed": options.seed,
        "people": options.people.map(|tempo| tempo.as_str()),
        "board": board,
        "turned": options.turned,
        "occupancy": options.occupancy,
        "clock_white": side,
        "time_control": side.map(|_| options.control().to_string()),
        "began": truth.began,
        "over": truth.over,
        "result": truth.result,
        "ended": truth.ended.as_str(),
        "kings": truth.kings_shown,
        "around": truth.around.iter().map(|around| around.as_str()).collect::<Vec<_>>(),
        "incidents": truth.incidents.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "moves": truth.uci(),
        "players": truth.people.as_deref().map(|players| players.each_ref().map(person)),
        "plies": truth.plies.iter().map(ply).collect::<Vec<_>>(),
        "deeds": truth.deeds.iter().map(deed).collect::<Vec<_>>(),
    })
}

/// Three digits are enough for odds.
fn round(odds: f64) -> f64 {
    (odds * 1000.0).round() / 1000.0
}

fn person(person: &Person) -> Value {
    json!({
        "think": round(person.think),
        "hand": round(person.hand),
        "slides": round(person.slides),
        "rests": round(person.rests),
        "holds": round(person.holds),
        "returns": round(person.returns),
        "revises": round(person.revises),
        "adjusts": round(person.adjusts),
        "adjusts_waiting": round(person.adjusts_waiting),
        "glimpses": round(person.glimpses),
        "taking": person.taking.map(round),
        "passing": person.passing.map(round),
        "castling": person.castling.map(round),
        "promoting": person.promoting.map(round),
        "knocks": round(person.knocks),
        "at_once": round(person.at_once),
        "before_press": round(person.before_press),
        "overlaps": round(person.overlaps),
        "together": round(person.together),
        "late": round(person.late),
        "unpressed_mate": round(person.unpressed_mate),
        "unpressed_last": round(person.unpressed_last),
    })
}

fn ply(ply: &PlyTruth) -> Value {
    let mut told = Map::new();
    let mut tell = |key: &str, value: Value| told.insert(key.to_owned(), value);
    tell("ply", json!(ply.ply));
    tell("by", json!(ply.by));
    tell("uci", json!(ply.uci));
    tell("san", json!(ply.san));
    tell("legal", json!(ply.legal));
    tell("down", json!(ply.last_down));
    tell("press", json!(ply.press));
    tell("clock", ply.clock.map_or(Value::Null, |ClockPair { white_ms, black_ms }| json!([white_ms, black_ms])));
    if let Some(made) = &ply.how {
        told.extend(how(made));
    }
    Value::Object(told)
}

/// What is empty is left out.
fn how(how: &How) -> Map<String, Value> {
    let mut told = Map::new();
    let mut tell = |key: &str, value: Value| told.insert(key.to_owned(), value);
    tell("lifted", json!(how.lifted));
    tell("dropped", json!(how.dropped));
    tell("begun", json!(how.begun.as_str()));
    tell("pressed", json!(how.pressed.as_str()));
    tell("touches", how.touches.iter().map(touch).collect());
    for (key, stays) in [("slid", &how.slid), ("rested", &how.rested), ("revised", &how.revised), ("glimpsed", &how.glimpsed)] {
        if !stays.is_empty() {
            tell(key, stays.iter().map(stay).collect());
        }
    }
    let ways = [
        ("taken", how.taken.map(|way| way.as_str())),
        ("passed", how.passed.map(|way| way.as_str())),
        ("castled", how.castled.map(|way| way.as_str())),
        ("promoted", how.promoted.map(|way| way.as_str())),
    ];
    for (key, way) in ways {
        way.map(|way| tell(key, json!(way)));
    }
    how.held.map(|ms| tell("held", json!(ms)));
    told
}

fn touch(touch: &Touch) -> Value {
    json!([touch.at, touch.square.to_string(), touch.piece.fen_char()])
}

fn stay(stay: &Stay) -> Value {
    json!([stay.square.to_string(), stay.from, stay.until])
}

fn deed(deed: &Deed) -> Value {
    json!({
        "what": deed.what.as_str(),
        "by": deed.by,
        "ply": deed.ply,
        "square": deed.square.to_string(),
        "to": deed.to.map(|square| square.to_string()),
        "at": deed.at,
        "until": deed.until,
    })
}
