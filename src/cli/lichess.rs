//! `flagfall lichess`: how the rounds on Lichess are doing; send one again, or empty it first.
use super::remote::{Remote, encoded};
use super::{ExitError, output};
use crate::daemon;
use serde_json::Value;

/// Arguments of `lichess`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
flagfall lichess                     how each round is doing
flagfall lichess push xVEzYJHf       send the whole round now
flagfall lichess reset xVEzYJHf      empty the round on Lichess, then send it whole
Exit codes: 65 no such round here, 69 no daemon there, 77 not allowed.")]
pub struct Args {
    /// What to do
    #[arg(value_enum, requires = "round")]
    command: Option<Command>,
    /// The round's eight characters
    round: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Command {
    /// Send the whole round again
    Push,
    /// Empty it first
    Reset,
}

/// Asks the daemon, or tells it.
pub fn run(args: Args) -> Result<(), ExitError> {
    daemon::block_on(|_| async move {
        let session = args.remote.open().await?;
        let (Some(command), Some(round)) = (args.command, &args.round) else {
            return output::print(&table(&session.get("operator/lichess").await?));
        };
        let (word, done) = match command {
            Command::Push => ("push", "the whole round is sent again"),
            Command::Reset => ("reset", "the round is emptied, then sent whole"),
        };
        session.post(&format!("operator/lichess/{}/{word}", encoded(round)), &Value::Null).await?;
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
        text += &format!("{}  {state}, {} pushes taken, {} not ({})\n", word("round"), round["taken"], round["failed"], word("base_url"));
        if let Some(why) = round["failing"]["en"].as_str() {
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
        let text = table(&json!([one, two]));
        assert_eq!(
            text,
            "xVEzYJHf  up to date, 7 pushes taken, 1 not (https://lichess.org)\n\
             xVEzYJHf  waiting, 7 pushes taken, 1 not (https://lichess.org)\n          no such round\n"
        );
        assert!(table(&json!([])).contains("no round is pushed"));
    }
}
