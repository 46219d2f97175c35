//! `flagfall pairings`: who plays whom, what a list would change before it is taken, and the next round.
use super::remote::{Remote, RemoteSession};
use super::{ExitError, check, output};
use crate::config::Config;
use crate::config::list_source::ListSource;
use crate::daemon;
use crate::feeds::event_info::chronicle::Chronicle;
use crate::feeds::pairings::{self, List};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `pairings`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
flagfall pairings check round3.csv      what is wrong in it, and which e-board each pairing gets; no daemon is asked
flagfall pairings diff round3.csv       what it would change, and for whom; nothing is taken
flagfall pairings take round3.csv       take it
flagfall pairings take                  follow what is held because games have begun: names move, games stay
flagfall pairings next                  the next round, and what it waits for; --begin begins it
A list is CSV, PGN, TRF or JSON, in a file, at an address, or - for standard input.
Exit codes: 65 mistakes in the list, 66 no such list, 69 no daemon there, 77 not allowed.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Who plays whom, where, and how it stands
    Show {
        /// Another round than the one that is played
        #[arg(long, value_name = "NUMBER")]
        round: Option<u32>,
        #[command(flatten)]
        remote: Remote,
    },
    /// Every mistake and doubt in a list, with its line, and which e-board each pairing gets
    Check {
        /// A file or an address; without it the list of the configuration
        list: Option<String>,
        /// The configuration whose boards are meant; without it the one that `run` would read
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// What a list would change, and for whom; nothing is taken
    Diff {
        /// A file or an address; without it what is held because games have begun
        list: Option<String>,
        #[command(flatten)]
        how: How,
        #[command(flatten)]
        remote: Remote,
    },
    /// Take a list, and say what it changed; without one follow what is held
    Take {
        /// A file or an address; without it what is held because games have begun
        list: Option<String>,
        #[command(flatten)]
        how: How,
        #[command(flatten)]
        remote: Remote,
    },
    /// The next round, and what it waits for
    Next {
        /// Begin it, whatever became of the games
        #[arg(long)]
        begin: bool,
        #[command(flatten)]
        remote: Remote,
    },
}

#[derive(Debug, clap::Args)]
struct How {
    /// The round of lines that name none
    #[arg(long, value_name = "NUMBER", requires = "list", value_parser = clap::value_parser!(u32).range(1..=999))]
    round: Option<u32>,
    /// Also where games have begun: names move, games stay on their boards
    #[arg(long, requires = "list")]
    over_games: bool,
}

/// Does what is asked.
pub fn run(args: Args) -> Result<(), ExitError> {
    daemon::block_on(|_| async move {
        match args.command {
            Command::Show { round, remote } => show(&remote.open().await?, round).await,
            Command::Check { list, config } => look(list, config).await,
            Command::Diff { list, how, remote } => send(&remote.open().await?, list, &how, true).await,
            Command::Take { list, how, remote } => send(&remote.open().await?, list, &how, false).await,
            Command::Next { begin, remote } => next(&remote.open().await?, begin).await,
        }
    })
}

async fn show(session: &RemoteSession, round: Option<u32>) -> Result<(), ExitError> {
    let event = session.get("operator/event").await?;
    let number = round.map(u64::from).or_else(|| event["round"].as_u64()).unwrap_or(1);
    let Some(found) = round_of(&event, number) else {
        return Err(ExitError::bad_data(format_args!("there is no round {number}; flagfall pairings show has the one that is played")));
    };
    output::print(&(format!("{}, round {number}\n", event["name"].as_str().unwrap_or_default()) + &table(found)))?;
    let held = session.get("operator/event/held").await?;
    output::print(&taken(&held, false))
}

fn round_of(event: &Value, number: u64) -> Option<&Value> {
    event["rounds"].as_array()?.iter().find(|round| round["number"] == number)
}

/// One line a pairing.
fn table(round: &Value) -> String {
    let pairings = round["pairings"].as_array().map(Vec::as_slice).unwrap_or_default();
    if pairings.is_empty() {
        return String::from("no pairings yet\n");
    }
    let player = |player: &Value| {
        let given: Vec<&str> = ["fname", "mname"].into_iter().filter_map(|key| player[key].as_str()).collect();
        let last = player["lname"].as_str().unwrap_or_default();
        let name = if given.is_empty() { String::from(last) } else { format!("{last}, {}", given.join(" ")) };
        let title = player["title"].as_str().map_or_else(String::new, |title| format!("{title} "));
        let team = player["team"].as_str().map_or_else(String::new, |team| format!(" ({team})"));
        format!("{title}{name}{team}")
    };
    let rows: Vec<[String; 5]> = pairings
        .iter()
        .map(|pairing| {
            let label = pairing["label"].as_str().unwrap_or("?");
            let board = match pairing["board"].as_str() {
                Some(board) if board == label => String::new(),
                Some(board) => format!("e-board {board}"),
                None => String::from("no e-board"),
            };
            let state = match (pairing["result"].as_str().unwrap_or("*"), pairing["live"] == true) {
                ("*", true) => "is played",
                ("*", false) => "",
                (result, _) => result,
            };
            [String::from(label), board, player(&pairing["white"]), player(&pairing["black"]), String::from(state)]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let [label, board, white, black] = [0, 1, 2, 3].map(width);
    let mut text = String::new();
    for row in &rows {
        let line = format!("{:>label$}  {:board$}  {:white$}  -  {:black$}  {}", row[0], row[1], row[2], row[3], row[4]);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A list's bytes, wherever it is.
pub(super) async fn fetch(source: &ListSource) -> Result<Vec<u8>, ExitError> {
    match source {
        ListSource::File(path) if path.as_os_str() == "-" => {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)?;
            Ok(bytes)
        }
        ListSource::File(path) => std::fs::read(path).map_err(|error| ExitError::reading(path, &error)),
        ListSource::Web(web) => {
            let client = pairings::fetch::Client::new()
                .map_err(|error| ExitError::unavailable(format_args!("cannot speak HTTPS: {error}; install ca-certificates")))?;
            client.once(web).await.map_err(|why| ExitError::unavailable(format_args!("{web} {why}")))
        }
    }
}

fn source(text: &str) -> Result<ListSource, ExitError> {
    ListSource::parse(text).map_err(|why| ExitError::usage(format_args!("{text:?}: {why}")))
}

async fn look(list: Option<String>, config: Option<PathBuf>) -> Result<(), ExitError> {
    let (_, config) = check::load(config.as_deref())?;
    let source = match (list, &config.event.pairings) {
        (Some(text), _) => source(&text)?,
        (None, Some(source)) => source.clone(),
        (None, None) => return Err(ExitError::usage("say which list: flagfall pairings check round3.csv (the configuration names none)")),
    };
    let bytes = fetch(&source).await?;
    match pairings::read(&bytes) {
        Ok(list) => output::print(&read_well(&source, &list, &config)),
        Err(mistakes) => {
            for mistake in &mistakes {
                output::complain(&format!("{source}: {mistake}"));
            }
            let many = if mistakes.len() == 1 { "one mistake" } else { "mistakes" };
            Err(ExitError::bad_data(format_args!("{many} in {source}; nothing of it would be taken")))
        }
    }
}

/// What a good list comes to on the boards of a configuration.
fn read_well(source: &ListSource, list: &List, config: &Config) -> String {
    let rounds: BTreeSet<Option<u32>> = list.pairings.iter().map(|pairing| pairing.round).collect();
    let named: Vec<String> = rounds.iter().flatten().map(ToString::to_string).collect();
    let of = if named.is_empty() { String::new() } else { format!(" of round {}", named.join(", ")) };
    let mut text = format!("{source}: {} pairings{of}", list.pairings.len());
    let teams: BTreeSet<&str> = list
        .pairings
        .iter()
        .flat_map(|pairing| [&pairing.white, &pairing.black])
        .filter_map(|player| player.as_ref()?.team.as_deref())
        .collect();
    if !teams.is_empty() {
        let _ = write!(text, ", {} teams", teams.len());
    }
    text.push('\n');
    for bye in &list.byes {
        let round = bye.round.map_or_else(String::new, |round| format!(" in round {round}"));
        let _ = writeln!(text, "line {}: {} does not play{round}", bye.line, bye.player.pgn_name());
    }
    for note in list.notes.iter().chain(&list.remarks) {
        let _ = writeln!(text, "{note}");
    }
    let boards: Vec<Arc<str>> = config.boards.iter().map(|board| Arc::from(board.name.as_str())).collect();
    if boards.is_empty() {
        return text + "which e-board each pairing gets is known where the configuration names boards, or in flagfall pairings diff\n";
    }
    let mut chronicle = Chronicle::new(config.event.about.clone(), None);
    chronicle.boards(&boards, |_| None);
    for told in chronicle.list(list) {
        let _ = writeln!(text, "{told}");
    }
    let event = chronicle.tournament();
    if let Some(round) = event.now_playing() {
        for pairing in &round.pairings {
            let board = pairing.board.as_deref().map_or_else(|| String::from("no e-board"), |board| format!("e-board {board}"));
            let _ = writeln!(text, "{}: {board}, {} - {}", pairing.label, pairing.white.pgn_name(), pairing.black.pgn_name());
        }
    }
    text
}

async fn send(session: &RemoteSession, list: Option<String>, how: &How, dry: bool) -> Result<(), ExitError> {
    let answer = match list {
        None if dry => session.get("operator/event/held").await?,
        None => session.post("operator/event/held", &Value::Null).await?,
        Some(list) => {
            let bytes = fetch(&source(&list)?).await?;
            let round = how.round.map_or_else(String::new, |round| format!("&round={round}"));
            session.post_list(&format!("operator/event/pairings?dry_run={dry}&over_games={}{round}", how.over_games), bytes).await?
        }
    };
    output::print(&taken(&answer, true))
}

/// What a list changed, or would.
fn taken(answer: &Value, complete: bool) -> String {
    let lines =
        |key: &str| answer[key].as_array().map(Vec::as_slice).unwrap_or_default().iter().filter_map(Value::as_str).collect::<Vec<_>>();
    let (changes, held, doubts) = (lines("changes"), lines("held"), lines("doubts"));
    let mut text = String::new();
    for change in &changes {
        let _ = writeln!(text, "{change}");
    }
    for doubt in doubts {
        let _ = writeln!(text, "doubtful: {doubt}");
    }
    for line in &held {
        let _ = writeln!(text, "held: {line}");
    }
    if !held.is_empty() {
        text += "if the list is right: flagfall pairings take (names move, games stay on their boards); else mend the list\n";
    } else if complete && changes.is_empty() {
        text += "nothing changes: the list says what is known already\n";
    }
    text
}

async fn next(session: &RemoteSession, begin: bool) -> Result<(), ExitError> {
    let event = session.get("operator/event").await?;
    let number = event["round"].as_u64().unwrap_or(1) + 1;
    if begin {
        session.post("operator/event/round", &json!({ "round": number })).await?;
        return output::print(&format!("round {number} is played now\n"));
    }
    let round = round_of(&event, number).map_or_else(|| String::from("no pairings yet\n"), table);
    let open = round_of(&event, number - 1).and_then(|round| round["pairings"].as_array()).map_or_else(Vec::new, |pairings| {
        let waits = pairings.iter().filter(|pairing| pairing["live"] == true);
        waits.filter_map(|pairing| pairing["label"].as_str()).collect()
    });
    let waits = match &open[..] {
        [] => String::from("no game of the round before is still played; begin it with: flagfall pairings next --begin\n"),
        boards => format!("still played in round {}: board {}\n", number - 1, boards.join(", ")),
    };
    output::print(&(format!("round {number}\n") + &round + &waits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_a_table() {
        let player = |last: &str, team: &str| json!({"lname": last, "fname": "Jo", "title": "GM", "team": team});
        let one = json!({"label": "3.2", "board": "10", "white": player("Adams", "Rooks"), "black": {"lname": "Clark"}, "result": "*", "live": true});
        let two =
            json!({"label": "12", "board": "12", "white": {"lname": "Baker"}, "black": {"lname": "Davis"}, "result": "1-0", "live": false});
        assert_eq!(
            table(&json!({"pairings": [one, two]})),
            "3.2  e-board 10  GM Adams, Jo (Rooks)  -  Clark  is played\n 12              Baker                 -  Davis  1-0\n"
        );
        assert_eq!(table(&json!({"pairings": []})), "no pairings yet\n");
    }

    #[test]
    fn what_is_held_says_how_to_go_on() {
        let text = taken(&json!({"changes": ["a"], "held": ["b"], "doubts": ["c"]}), true);
        assert!(text.starts_with("a\ndoubtful: c\nheld: b\n") && text.contains("flagfall pairings take"), "{text}");
        assert_eq!(
            taken(&json!({"changes": [], "held": [], "doubts": []}), true),
            "nothing changes: the list says what is known already\n"
        );
    }

    #[test]
    fn a_good_list_says_who_sits_where() {
        let list = pairings::read(b"board,white,black,whiteteam\n1.1,Adams,Clark,A\n2.1,Baker,Davis,B\n,Evans,bye,\n").unwrap();
        let config =
            Config::parse("f", "[[board]]\nname = \"1\"\nlink = \"serial:/dev/x\"\n[[board]]\nname = \"2\"\nlink = \"serial:/dev/y\"\n")
                .unwrap();
        let text = read_well(&source("p.csv").unwrap(), &list, &config);
        assert_eq!(
            text,
            "p.csv: 2 pairings, 2 teams\nline 4: Evans does not play\n1.1: e-board 1, Adams - Clark\n2.1: e-board 2, Baker - Davis\n"
        );
    }
}
