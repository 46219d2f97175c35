//! Makes constants of the table of habits: prices in 1/1024 nat.
use std::fmt::Write as _;
use std::path::Path;
use toml::{Table, Value};

const KINDS: [&str; 12] =
    ["held", "held-other", "held-early", "on-way", "castling", "astray", "astray-other", "stale", "extra", "parked", "wrong", "pawn"];
const HOWS: [&str; 6] = ["seen", "unseen", "swapped", "revised", "missed", "lost"];
const OWINGS: [&str; 5] = ["in-hand", "on-way", "castling", "astray", "rests"];

fn main() {
    println!("cargo::rerun-if-changed=habits.toml");
    let text = std::fs::read_to_string("habits.toml").expect("habits.toml is there");
    let table: Table = text.parse().expect("habits.toml is TOML");
    let under = |group: &str, name: &str| -> Table {
        let one = table.get(group).and_then(|group| group.get(name)).and_then(Value::as_table);
        one.unwrap_or_else(|| panic!("habits.toml has no [{group}.{name}]")).clone()
    };
    let top = |name: &str| -> Table {
        table.get(name).and_then(Value::as_table).unwrap_or_else(|| panic!("habits.toml has no [{name}]")).clone()
    };
    let mut out = String::new();
    let mut list = |name: &str, of: &str, prices: Vec<i64>| {
        writeln!(out, "const {name}: [Nats; {of}] = {prices:?};").expect("text");
    };
    list(
        "ONSET",
        "KINDS",
        KINDS.map(|kind| price(&under("disagrees", kind), "nats") + price(&under("disagrees", kind), "places")).to_vec(),
    );
    list("HOW", "HOWS", HOWS.map(|how| price(&under("made", how), "nats")).to_vec());
    list("OWING", "OWINGS", OWINGS.map(|owing| price(&under("owing", owing), "nats")).to_vec());
    let curves: Vec<String> = KINDS.iter().map(|kind| format!("&{:?}", curve(&under("disagrees", kind)))).collect();
    writeln!(out, "const LASTS: [&[(u32, Nats)]; KINDS] = [{}];", curves.join(", ")).expect("text");
    for (name, what) in [
        ("owed", "Pressed, and the move is not there."),
        ("haste", "A move stands on one that was not pressed."),
        ("waits", "A move was made and not pressed."),
    ] {
        let constant = name.to_uppercase();
        writeln!(out, "/// {what}\npub(crate) const {constant}: Curve<'_> = Curve(&{:?});", curve(&top(name))).expect("text");
    }
    let stated = top("stated");
    let single = [
        ("PLY", price(&stated, "ply"), "A ply was played."),
        ("FORGOTTEN", price(&stated, "forgotten"), "A ply was never pressed."),
        ("FORGETFUL", price(&stated, "forgetful"), "A ply was played on two that were not pressed."),
        ("SKIPPED", price(&stated, "skipped"), "Plies were never pressed, and the next one was."),
        ("SEEN_TAKEN", price(&stated, "seen-taken"), "A taken piece was seen to leave, by a board that does not know its pieces."),
        ("UNSEEN_TAKEN", price(&stated, "unseen-taken"), "The same, and it was not seen."),
        ("UNDERPROMOTION", price(&top("underpromotion"), "nats"), "A promotion to another piece than a queen."),
        ("HASTY", price(&top("haste"), "nats"), "A ply was played on one that was not pressed."),
        ("IDLE_PRESS", price(&top("idle-press"), "nats"), "A press that was not that player's turn."),
    ];
    for (name, price, what) in single {
        writeln!(out, "/// {what}\npub(crate) const {name}: Nats = {price};").expect("text");
    }
    let folder = std::env::var("OUT_DIR").expect("cargo says where");
    std::fs::write(Path::new(&folder).join("habits.rs"), out).expect("the constants are written");
}

/// Nats as 1/1024 nat.
fn units(value: &Value) -> i64 {
    let nats = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64)).expect("a price is a number");
    (nats * 1024.0).round() as i64
}

fn price(table: &Table, name: &str) -> i64 {
    units(table.get(name).unwrap_or_else(|| panic!("a price `{name}` is missing in habits.toml")))
}

/// Points of (milliseconds, price).
fn curve(table: &Table) -> Vec<(i64, i64)> {
    let points = table.get("lasts").and_then(Value::as_array).expect("a curve has points");
    let point = |point: &Value| {
        let pair = point.as_array().expect("a point is a pair");
        (pair[0].as_integer().expect("an age is whole milliseconds"), units(&pair[1]))
    };
    points.iter().map(point).collect()
}
