//! Makes constants of the table of habits: prices in 1/1024 nat.
use std::fmt::Write as _;
use std::path::Path;
use toml::{Table, Value};

const KINDS: [&str; 15] = [
    "held",
    "held-also",
    "held-other",
    "held-early",
    "on-way",
    "castling",
    "astray",
    "astray-other",
    "reply",
    "nudged",
    "stale",
    "extra",
    "parked",
    "wrong",
    "pawn",
];
const HOWS: [&str; 6] = ["seen", "unseen", "swapped", "revised", "missed", "lost"];
/// Ages of a piece that stands, and times within which one goes on, as `habits.rs` has them.
const STANDS: usize = 11;
const WITHIN: usize = 10;

fn main() {
    println!("cargo::rerun-if-changed=habits.toml");
    let text = std::fs::read_to_string("habits.toml").expect("habits.toml is there");
    let table: Table = text.parse().expect("habits.toml is TOML");
    let slow = table.get("slow").and_then(Value::as_table).expect("habits.toml has no [slow]");
    let scans = [&table, slow];
    let under = |scan: &Table, group: &str, name: &str| -> Table {
        let one = scan.get(group).and_then(|group| group.get(name)).and_then(Value::as_table);
        one.unwrap_or_else(|| panic!("habits.toml has no [{group}.{name}]")).clone()
    };
    let top = |scan: &Table, name: &str| -> Table {
        scan.get(name).and_then(Value::as_table).unwrap_or_else(|| panic!("habits.toml has no [{name}]")).clone()
    };
    let mut out = String::new();
    let mut list = |name: &str, of: &str, prices: [Vec<i64>; 2]| {
        writeln!(out, "const {name}: [[Nats; {of}]; SCANS] = {prices:?};").expect("text");
    };
    let onset =
        |scan: &Table, kind: &str| price(&under(scan, "disagrees", kind), "nats") + price(&under(scan, "disagrees", kind), "places");
    list("ONSET", "KINDS", scans.map(|scan| KINDS.map(|kind| onset(scan, kind)).to_vec()));
    list("HOW", "HOWS", scans.map(|scan| HOWS.map(|how| price(&under(scan, "made", how), "nats")).to_vec()));
    list("STANDING", "STANDS.len()", scans.map(|scan| prices(&under(scan, "owing", "stands"), STANDS)));
    list("AGAIN", "WITHIN.len()", scans.map(|scan| prices(&top(scan, "again"), WITHIN)));
    let curves = scans.map(|scan| {
        let of: Vec<String> = KINDS.iter().map(|kind| format!("&{:?}", curve(&under(scan, "disagrees", kind)))).collect();
        format!("[{}]", of.join(", "))
    });
    writeln!(out, "const LASTS: [[&[(u32, Nats)]; KINDS]; SCANS] = [{}];", curves.join(", ")).expect("text");
    for name in ["owed", "haste", "waits"] {
        let curves = scans.map(|scan| format!("&{:?}", curve(&top(scan, name))));
        writeln!(out, "const {}: [&[(u32, Nats)]; SCANS] = [{}];", name.to_uppercase(), curves.join(", ")).expect("text");
    }
    for (name, owing) in [("IN_HAND", "in-hand"), ("CASTLING", "castling")] {
        let prices = scans.map(|scan| price(&under(scan, "owing", owing), "nats"));
        writeln!(out, "const {name}: [Nats; SCANS] = {prices:?};").expect("text");
    }
    let hasty = scans.map(|scan| price(&top(scan, "haste"), "nats"));
    writeln!(out, "const HASTY: [Nats; SCANS] = {hasty:?};").expect("text");
    let stated = top(&table, "stated");
    let single = [
        ("PLY", price(&stated, "ply"), "A ply was played."),
        ("FORGOTTEN", price(&stated, "forgotten"), "A ply was never pressed."),
        ("FORGETFUL", price(&stated, "forgetful"), "A ply was played on two that were not pressed."),
        ("UNNOTICED", price(&stated, "unnoticed"), "What the board said of a ply was lost, and nothing showed it."),
        ("SKIPPED", price(&stated, "skipped"), "Plies were never pressed, and the next one was."),
        ("SEEN_TAKEN", price(&stated, "seen-taken"), "A taken piece was seen to leave, by a board that does not know its pieces."),
        ("UNSEEN_TAKEN", price(&stated, "unseen-taken"), "The same, and it was not seen."),
        ("UNDERPROMOTION", price(&top(&table, "underpromotion"), "nats"), "A promotion to another piece than a queen."),
        ("IDLE_PRESS", price(&top(&table, "idle-press"), "nats"), "A press that was not that player's turn."),
    ];
    for (name, price, what) in single {
        writeln!(out, "/// {what}\npub(crate) const {name}: Nats = {price};").expect("text");
    }
    let folder = std::env::var("OUT_DIR").expect("cargo says where");
    writeln!(
        out,
        "/// All prices of the table as one number: another one is another recognition.\npub const TABLE: u64 = {:#x};",
        hash(&out)
    )
    .expect("text");
    std::fs::write(Path::new(&folder).join("habits.rs"), out).expect("the constants are written");
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Nats as 1/1024 nat.
fn units(value: &Value) -> i64 {
    let nats = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64)).expect("a price is a number");
    (nats * 1024.0).round() as i64
}

fn price(table: &Table, name: &str) -> i64 {
    units(table.get(name).unwrap_or_else(|| panic!("a price `{name}` is missing in habits.toml")))
}

/// So many prices, one for each age.
fn prices(table: &Table, ages: usize) -> Vec<i64> {
    let prices: Vec<i64> = table.get("nats").and_then(Value::as_array).expect("prices by age").iter().map(units).collect();
    assert_eq!(prices.len(), ages, "a price for each age");
    prices
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
