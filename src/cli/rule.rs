//! `flagfall rule`: rule on a finding, report what sensors cannot see, enter a result or what stands on board and clock.
use super::remote::{Remote, encoded};
use super::{ExitError, output};
use crate::daemon;
use clap::ValueEnum as _;
use flagfall_events::{Colour, Decision, Entry, GameResult, Order, Run, SetClock, Word};
use serde_json::Value;

/// Arguments of `rule`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
flagfall rule 7 3 confirm                                   as proposed
flagfall rule 7 3 amend --white 0:42:10 --black 0:57:00 --run white
flagfall rule 7 3 dismiss --note \"the piece had only slipped\"
flagfall rule 7 report two-hands --by white                 what sensors cannot see; `flagfall laws` lists the keys
flagfall rule 7 result 1/2-1/2 --reason agreed
flagfall rule 7 result 1-0 --game 3                          of an earlier game; `*` takes the last one's back
flagfall rule 7 set-clock --white 1:02:03 --black 0:59:00 --run black
flagfall rule 7 moves GAME.pgn                               the whole record is this one: plies that differ are taken back
flagfall rule 7 set-position FEN      flagfall rule 7 new-game, stop, restart
flagfall rule 7 flag --by white       also arrived, assistant, count
flagfall rule 7 penalty 12.9.2 --by white
flagfall rule 7 undo                                         your newest entry, within eight seconds; undo 134: the one that was event 134
flagfall rule 7 choose c6d4 --ply 46                         where sensors could not tell; the alarm names what it may have been
Exit codes: 65 refused by the board, 69 no daemon there, 77 not allowed.")]
pub struct Args {
    /// The board's name
    board: String,
    /// A finding's number, or what to enter: report, result, moves, set-clock, set-position, new-game, stop, restart, flag, arrived, assistant, count, penalty, choose, undo
    what: String,
    /// confirm, dismiss or amend; the key of a report; a result; a PGN file; a FEN; an article; a move in UCI; the event to undo
    value: Option<String>,
    /// White's display, H:MM:SS
    #[arg(long, value_name = "H:MM:SS", value_parser = time)]
    white: Option<i64>,
    /// Black's display
    #[arg(long, value_name = "H:MM:SS", value_parser = time)]
    black: Option<i64>,
    /// Whose time runs then
    #[arg(long, value_enum)]
    run: Option<Runs>,
    /// The player: who broke the rule, whose flag fell, who arrived
    #[arg(long, value_enum)]
    by: Option<Side>,
    /// Why, for a result
    #[arg(long)]
    reason: Option<String>,
    /// Which game of the board, for a result; without it the one in progress, or that was played last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Which ply, for choose
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    ply: Option<u32>,
    /// Kept with the ruling
    #[arg(long)]
    note: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Runs {
    White,
    Black,
    Stopped,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Side {
    White,
    Black,
}

impl From<Side> for Colour {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// `1:02:03` or `42:10` in milliseconds.
fn time(text: &str) -> Result<i64, String> {
    let bad = || format!("{text:?} is no time; write H:MM:SS, for example 0:42:10");
    let parts: Vec<&str> = text.split(':').collect();
    let number = |part: &str, most: i64| {
        let digits = !part.is_empty() && part.len() <= 3 && part.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| part.parse::<i64>().ok()).flatten().filter(|n| *n <= most).ok_or_else(bad)
    };
    let (h, m, s) = match parts[..] {
        [h, m, s] => (number(h, 99)?, number(m, 59)?, number(s, 59)?),
        [m, s] => (0, number(m, 999)?, number(s, 59)?),
        _ => return Err(bad()),
    };
    Ok(((h * 60 + m) * 60 + s) * 1000)
}

/// Enters it, and says so once it is in the journal.
pub fn run(args: Args) -> Result<(), ExitError> {
    let order = if args.what == "undo" && args.value.is_none() { None } else { Some(order(&args)?) };
    daemon::block_on(|stop| async move {
        let work = async {
            let session = args.remote.open().await?;
            let order = match order {
                Some(order) => order,
                None => {
                    let board = session.get(&format!("arbiter/boards/{}", encoded(&args.board))).await?;
                    newest(&args.board, &board, session.who.as_deref())?
                }
            };
            let done = done(&order);
            let entry = Entry { who: session.who.clone(), note: args.note.clone(), ..Entry::new(order) };
            let entry = serde_json::to_value(&entry).map_err(ExitError::bug)?;
            let taken = session.enter(&args.board, &entry).await?;
            let plies = taken["recovered"].as_array().into_iter().flatten();
            let recovered: Vec<String> = plies.map(|ply| format!("{} {}", ply["ply"], ply["uci"].as_str().unwrap_or_default())).collect();
            let played = if recovered.is_empty() { String::new() } else { format!("; plies recovered: {}", recovered.join(", ")) };
            // A hall keeps it for a machine that is away.
            let entered = if taken["state"] == "waiting" {
                String::from("its machine is away; it waits there and is sent when that returns")
            } else {
                format!("entered, event {}{played}", taken["seq"])
            };
            output::print(&format!("board {}: {done}; {entered}\n", args.board))
        };
        tokio::select! {
            done = work => done,
            () = stop.cancelled() => Err(ExitError::unavailable("interrupted; look at the board whether it was entered")),
        }
    })
}

/// The undo of the newest entry of this person; without accounts, of anybody.
fn newest(name: &str, board: &Value, who: Option<&str>) -> Result<Order, ExitError> {
    let rulings = board["rulings"].as_array().map_or(&[][..], Vec::as_slice);
    let open = |ruling: &&Value| ruling["do"] != "undo" && ruling["taken_back"] != true && (who.is_none() || ruling["who"].as_str() == who);
    let ruling = rulings.iter().rev().find(open).and_then(|ruling| ruling["seq"].as_u64());
    let ruling =
        ruling.ok_or_else(|| ExitError::bad_data(format_args!("you have entered nothing on board {name} that could be undone")))?;
    Ok(Order::Undo { ruling })
}

/// What was done, for whoever did it.
fn done(order: &Order) -> String {
    let by = |by: &Colour| if *by == Colour::White { "White" } else { "Black" };
    match order {
        Order::Rule { finding, decision: Decision::Confirm, .. } => format!("№ {finding} is confirmed as proposed"),
        Order::Rule { finding, decision: Decision::Dismiss, .. } => format!("№ {finding} is dismissed; nothing changes"),
        Order::Rule { finding, .. } => format!("№ {finding} is ruled with your times; set the clock to them"),
        Order::Report { .. } => String::from("reported; what is proposed stands on the arbiter's page and in `flagfall watch`"),
        Order::Result { result: GameResult::Open, .. } => String::from("the result is taken back"),
        Order::Result { result, .. } => format!("the result is {}", result.as_str()),
        Order::SetPosition { .. } => String::from("this position stands on the board from now on"),
        Order::Moves { pgn } => {
            let plies = flagfall_game::pgn::plies(pgn).unwrap_or_default();
            format!("the record is the {plies} plies of the PGN, and what stands on the board beyond them")
        }
        Order::SetClock { .. } => String::from("these times are on the clock from now on"),
        Order::NewGame {} => String::from("a new game begins"),
        Order::Stop {} => String::from("noted: you have stopped the clock"),
        Order::Restart {} => String::from("noted: the clock runs again"),
        Order::Flag { by: side } => format!("{}'s flag is down; confirm the finding to give the result", by(side)),
        Order::Arrived { by: side } => format!("{} has arrived", by(side)),
        Order::Penalty { article, .. } => format!("the penalty of Article {article} is recorded"),
        Order::Choose { ply, uci } => format!("ply {ply} was {uci}"),
        Order::Undo { .. } => String::from("what was entered last is taken back"),
        _ => String::from("done"),
    }
}

fn order(args: &Args) -> Result<Order, ExitError> {
    let value = |what: &str| {
        args.value.clone().ok_or_else(|| ExitError::usage(format_args!("`flagfall rule {} {}` wants {what}", args.board, args.what)))
    };
    let by = || -> Result<Colour, ExitError> {
        args.by.map(Colour::from).ok_or_else(|| ExitError::usage(format_args!("{} wants the player: --by white or --by black", args.what)))
    };
    if args.game.is_some() && args.what != "result" {
        return Err(ExitError::usage("--game names the game of a result: flagfall rule BOARD result 1-0 --game 3"));
    }
    if let Ok(finding) = args.what.parse() {
        let decision = match value("confirm, dismiss or amend")?.as_str() {
            "confirm" => Decision::Confirm,
            "dismiss" => Decision::Dismiss,
            "amend" => Decision::Amend,
            other => return Err(ExitError::usage(format_args!("{other:?} is no ruling; confirm, dismiss or amend"))),
        };
        let clock = clock(args)?;
        if clock.is_some() != (decision == Decision::Amend) {
            let text = "amend wants the times, and only amend takes them: --white H:MM:SS --black H:MM:SS --run white|black|stopped";
            return Err(ExitError::usage(text));
        }
        return Ok(Order::Rule { finding, decision, clock, result: None });
    }
    Ok(match args.what.as_str() {
        "report" => Order::Report { key: Word::read(value("a key; `flagfall laws` lists them")?), by: args.by.map(Colour::from) },
        "result" => Order::Result { result: result(&value("1-0, 0-1, 1/2-1/2 or *")?)?, reason: args.reason.clone(), game: args.game },
        "set-position" => Order::SetPosition { fen: value("a FEN")? },
        "moves" => Order::Moves { pgn: moves(&value("the PGN of one game")?)? },
        "set-clock" => {
            let clock = clock(args)?.ok_or_else(|| ExitError::usage("set-clock wants --white, --black and --run"))?;
            Order::SetClock { clock }
        }
        "new-game" => Order::NewGame {},
        "stop" => Order::Stop {},
        "restart" => Order::Restart {},
        "flag" => Order::Flag { by: by()? },
        "arrived" => Order::Arrived { by: by()? },
        "assistant" => Order::Assistant { by: by()? },
        "count" => Order::Count { by: by()? },
        "penalty" => Order::Penalty { by: by()?, article: value("an article, for example 12.9.2")?, clock: clock(args)? },
        "undo" => {
            let event = value("the event's number, or none for your newest entry")?;
            let ruling = event
                .parse()
                .map_err(|_| ExitError::usage(format_args!("{event:?} is no event's number; flagfall rule BOARD undo 134")))?;
            Order::Undo { ruling }
        }
        "choose" => {
            let ply = args.ply.ok_or_else(|| ExitError::usage("choose wants the ply that the alarm names: --ply N"))?;
            Order::Choose { ply, uci: value("a move in UCI, for example g1f3")? }
        }
        other => {
            return Err(ExitError::usage(format_args!(
                "{other:?} is neither a finding's number nor something to enter; see flagfall rule --help"
            )));
        }
    })
}

/// The PGN of one game, from a file or standard input. What is in it is looked at before it is sent.
fn moves(path: &str) -> Result<String, ExitError> {
    let read = if path == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(path) };
    let pgn = read.map_err(|error| ExitError::reading(std::path::Path::new(path), &error))?;
    match flagfall_game::pgn::plies(&pgn) {
        Ok(_) => Ok(pgn),
        Err(why) => Err(ExitError::bad_data(format_args!("{path}: {why}"))),
    }
}

/// All three or none.
fn clock(args: &Args) -> Result<Option<SetClock>, ExitError> {
    match (args.white, args.black, args.run) {
        (None, None, None) => Ok(None),
        (Some(white_ms), Some(black_ms), Some(run)) => {
            let run = match run {
                Runs::White => Run::White,
                Runs::Black => Run::Black,
                Runs::Stopped => Run::Stopped,
            };
            Ok(Some(SetClock { white_ms, black_ms, run }))
        }
        _ => {
            let runs: Vec<String> =
                Runs::value_variants().iter().filter_map(|r| Some(r.to_possible_value()?.get_name().to_owned())).collect();
            Err(ExitError::usage(format_args!("times are --white, --black and --run ({}) together", runs.join(", "))))
        }
    }
}

fn result(text: &str) -> Result<GameResult, ExitError> {
    Ok(match text {
        "1-0" => GameResult::WhiteWins,
        "0-1" => GameResult::BlackWins,
        "1/2-1/2" | "½-½" => GameResult::Draw,
        "*" => GameResult::Open,
        _ => return Err(ExitError::usage(format_args!("{text:?} is no result; 1-0, 0-1, 1/2-1/2 or *"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        args: Args,
    }

    fn entry(line: &str) -> Result<String, String> {
        let parsed = CommandLine::try_parse_from(["rule"].into_iter().chain(line.split(' '))).map_err(|e| e.to_string())?;
        order(&parsed.args).map(|order| serde_json::to_string(&order).unwrap()).map_err(|e| e.to_string())
    }

    #[test]
    fn the_command_line_becomes_the_entry_of_the_contract() {
        assert_eq!(entry("7 3 confirm").unwrap(), r#"{"do":"rule","finding":3,"decision":"confirm"}"#);
        assert_eq!(
            entry("7 3 amend --white 0:42:10 --black 57:00 --run white").unwrap(),
            r#"{"do":"rule","finding":3,"decision":"amend","clock":{"white_ms":2530000,"black_ms":3420000,"run":"white"}}"#
        );
        assert_eq!(entry("7 report two-hands --by white").unwrap(), r#"{"do":"report","key":"two-hands","by":"white"}"#);
        assert_eq!(entry("7 result 1/2-1/2 --reason agreed").unwrap(), r#"{"do":"result","result":"1/2-1/2","reason":"agreed"}"#);
        assert_eq!(entry("7 result 1-0 --game 2").unwrap(), r#"{"do":"result","result":"1-0","game":2}"#);
        assert_eq!(entry("7 penalty 12.9.3 --by black").unwrap(), r#"{"do":"penalty","by":"black","article":"12.9.3"}"#);
        assert_eq!(entry("7 new-game").unwrap(), r#"{"do":"new-game"}"#);
        assert_eq!(entry("7 undo 134").unwrap(), r#"{"do":"undo","ruling":134}"#);
    }

    #[test]
    fn undo_means_ones_own_newest_entry() {
        let board = serde_json::json!({"rulings": [{"do": "report", "seq": 3, "who": "Olga"}, {"do": "result", "seq": 8, "who": "Ivan"},
            {"do": "flag", "seq": 9, "who": "Olga", "taken_back": true}, {"do": "undo", "ruling": 9, "seq": 11, "who": "Olga"}]});
        let of = |who: Option<&str>| newest("7", &board, who).map(|order| serde_json::to_string(&order).unwrap()).ok();
        assert_eq!(of(Some("Olga")).as_deref(), Some(r#"{"do":"undo","ruling":3}"#));
        assert_eq!(of(None).as_deref(), Some(r#"{"do":"undo","ruling":8}"#));
        assert_eq!(of(Some("Nina")), None);
    }

    #[test]
    fn what_is_half_said_is_refused_before_it_is_sent() {
        for line in [
            "7 3 amend",
            "7 3 confirm --white 0:01 --black 0:01 --run white",
            "7 3 maybe",
            "7 flag",
            "7 set-clock --white 0:10",
            "7 dance",
            "7 undo that",
            "7 result 2-0",
            "7 result 1-0 --game 0",
            "7 new-game --game 2",
            "7 set-clock --white 1:60:00 --black 0:01 --run white",
        ] {
            assert!(entry(line).is_err(), "{line}");
        }
    }
}
