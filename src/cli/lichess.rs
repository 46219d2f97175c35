//! `flagfall lichess`: how the rounds on Lichess are doing; send one again, or empty it first; make broadcast and rounds there.
mod create;

use super::remote::{Remote, encoded};
use super::{ExitError, output};
use crate::daemon;
use serde_json::Value;

/// Arguments of `lichess`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_help_heading = "Commands",
    after_help = "\
flagfall lichess                     how each round is doing
flagfall lichess push xVEzYJHf       send the whole round now
flagfall lichess reset xVEzYJHf      empty the round on Lichess, then send it whole
flagfall lichess create --dry-run    what it would make there for the pairings
Exit codes: 65 no such round here, 69 no daemon or no Lichess there, 77 not allowed."
)]
pub struct Args {
    /// What to do
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    remote: Remote,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Send the whole round again
    Push(OneRound),
    /// Empty it first
    Reset(OneRound),
    /// Make the broadcast and its rounds on Lichess from the configuration and the pairings; what exists is found again
    Create(create::Args),
}

#[derive(Debug, clap::Args)]
struct OneRound {
    /// The round's eight characters
    round: String,
    #[command(flatten)]
    remote: Remote,
}

/// Asks the daemon, or tells it.
pub fn run(args: Args) -> Result<(), ExitError> {
    let (one, word, done) = match args.command {
        Some(Command::Create(args)) => return create::run(args),
        None => {
            return daemon::block_on(|_| async move { output::print(&table(&args.remote.open().await?.get("operator/lichess").await?)) });
        }
        Some(Command::Push(one)) => (one, "push", "the whole round is sent again"),
        Some(Command::Reset(one)) => (one, "reset", "the round is emptied, then sent whole"),
    };
    daemon::block_on(|_| async move {
        let OneRound { round, remote } = one;
        remote.open().await?.post(&format!("operator/lichess/{}/{word}", encoded(&round)), &Value::Null).await?;
        output::print(&format!("{round}: {done}; `flagfall lichess` says when it has arrived\n"))
    })
}

/// One line a round, and one more where something stands in the way.
fn table(rounds: &Value) -> String {
    let rounds = rounds.as_array().map(Vec::as_slice).unwrap_or_default();
    if rounds.is_empty() {
        return String::from("no round is pushed to Lichess; docs/lichess.md says how\n");
    }
    let mut text = String::new();
    for round in rounds {
        let word = |key: &str| round[key].as_str().unwrap_or("?");
        let state = if round["up_to_date"] == true { "up to date" } else { "waiting" };
        let seen = match round["equal"].as_bool() {
            Some(true) => ", viewers see it",
            Some(false) => ", VIEWERS SEE SOMETHING ELSE",
            None => "",
        };
        text += &format!(
            "{}  {state}{seen}, {} requests taken, {} not ({})\n",
            word("round"),
            round["taken"],
            round["failed"],
            word("base_url")
        );
        let differs = round["differs"].as_array().into_iter().flatten().filter_map(|text| text["en"].as_str());
        for why in ["failing", "unread"].iter().filter_map(|key| round[key]["en"].as_str()).chain(differs) {
            text += &format!("          {why}\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_round_has_its_line_and_what_stands_in_its_way() {
        let one =
            json!({ "round": "xVEzYJHf", "base_url": "https://lichess.org", "up_to_date": true, "taken": 7, "failed": 1, "failing": null });
        let mut two = one.clone();
        two["up_to_date"] = json!(false);
        two["failing"] = json!({ "en": "no such round", "ru": "нет такого тура" });
        two["equal"] = json!(false);
        two["differs"] = json!([{ "en": "board 7: the moves differ", "ru": "доска 7: ходы расходятся" }]);
        let text = table(&json!([one, two]));
        assert_eq!(
            text,
            "xVEzYJHf  up to date, 7 requests taken, 1 not (https://lichess.org)\n\
             xVEzYJHf  waiting, VIEWERS SEE SOMETHING ELSE, 7 requests taken, 1 not (https://lichess.org)\n          no such round\n          board 7: the moves differ\n"
        );
        assert!(table(&json!([])).contains("no round is pushed"));
    }
}
