//! `flagfall lichess create`: the broadcast and its rounds on Lichess, made of the configuration and the pairings.
use crate::cli::pairings::fetch;
use crate::cli::{ExitError, check, output};
use crate::config::lichess::{Lichess, Push};
use crate::config::list_source::ListSource;
use crate::daemon;
use crate::feeds::lichess::api::Api;
use crate::feeds::lichess::create::{self, Existing, LONGEST_DELAY_S, Part, Step, Wanted};
use crate::feeds::lichess::fits;
use crate::feeds::pairings::{self, List};
use flagfall_events::duration;
use std::path::PathBuf;

const LICHESS: &str = "https://lichess.org";
const TOKEN: &str = "/etc/flagfall/lichess.token";

/// Arguments of `lichess create`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The name, place, time control and page are those of [event]; the rounds those of the pairing list and of event.rounds.
A round with more than a hundred games becomes several. Nothing is made twice, and nothing on Lichess is deleted.
The token needs the scopes study:read and study:write.
On standard output: the [[lichess]] sections that belong into the configuration.
Exit codes: 65 something is missing or not taken, 69 Lichess cannot be reached.")]
pub(super) struct Args {
    /// Only say what would be done; Lichess is asked what exists, and nothing is changed
    #[arg(long)]
    dry_run: bool,
    /// The configuration; without it the one that `run` would read
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The broadcast's name instead of event.name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// A broadcast that exists under another name: the eight characters at the end of its address
    #[arg(long, value_name = "ID")]
    broadcast: Option<String>,
    /// How many rounds, instead of event.rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: Option<u32>,
    /// Lichess's own delay, at most 1h; leave it out where flagfall delays, or they add up
    #[arg(long, value_name = "TIME")]
    delay: Option<String>,
    /// Who may see a broadcast that is made: public, unlisted, private
    #[arg(long, value_name = "WHO", value_parser = ["public", "unlisted", "private"])]
    visibility: Option<String>,
    /// The token's file, instead of that of the first [[lichess]]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Another Lichess
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

/// Makes what is missing.
pub(super) fn run(args: Args) -> Result<(), ExitError> {
    let (_, config) = check::load(args.config.as_deref())?;
    let pushes: Vec<&Push> =
        config.lichess.iter().filter_map(|one| if let Lichess::Push(push) = one { Some(push) } else { None }).collect();
    let first = pushes.first();
    let token_file = args.token_file.clone().or_else(|| first.map(|push| push.token_file.clone())).unwrap_or_else(|| PathBuf::from(TOKEN));
    let base = args.base_url.clone().or_else(|| first.map(|push| push.base_url.clone())).unwrap_or_else(|| String::from(LICHESS));
    daemon::block_on(|_| async move {
        let list = match &config.event.pairings {
            Some(source) => Some(read_list(source).await?),
            None => None,
        };
        let wanted = wanted(&args, &config.event.about, list.as_ref())?;
        let mut api = Api::new(&base, &token_file).map_err(ExitError::unavailable)?;
        let existing = api.existing(&wanted.name, args.broadcast.as_deref()).await.map_err(ExitError::bad_data)?;
        if args.dry_run {
            return output::print(&dry(&wanted, &existing));
        }
        let made = api.carry_out(&wanted, &existing, |step| output::complain(&step.said())).await.map_err(ExitError::bad_data)?;
        if let Some(url) = &made.url {
            output::complain(&format!("the broadcast: {url}"));
        }
        let rounds: Vec<(Part, String)> = made.steps.into_iter().filter_map(|(step, id)| Some((step.part()?.0.clone(), id?))).collect();
        let known = |id: &str| pushes_has(&config.lichess, id);
        if rounds.iter().all(|(_, id)| known(id)) {
            output::complain("the configuration has every round already");
        } else {
            output::complain("into the configuration, instead of the [[lichess]] that it has; then `flagfall check` and a reload:");
        }
        let base = (base != LICHESS).then_some(base.as_str());
        output::print(&create::configuration(&rounds, &token_file.display().to_string(), base))
    })
}

fn pushes_has(settings: &[Lichess], id: &str) -> bool {
    settings.iter().any(|one| matches!(one, Lichess::Push(push) if push.round == id))
}

async fn read_list(source: &ListSource) -> Result<List, ExitError> {
    let bytes = fetch(source).await?;
    pairings::read(&bytes).map_err(|mistakes| {
        let first = mistakes.first().map(ToString::to_string).unwrap_or_default();
        ExitError::bad_data(format_args!("{source}: {first}; `flagfall pairings check` names every mistake"))
    })
}

fn wanted(args: &Args, about: &crate::config::event::About, list: Option<&List>) -> Result<Wanted, ExitError> {
    let name = args.name.clone().or_else(|| about.name.clone()).or_else(|| list.and_then(|list| list.event.clone()));
    let Some(name) = name.filter(|name| name.chars().count() >= 3) else {
        return Err(ExitError::bad_data(
            "the event has no name of three letters or more: write event.name into the configuration, or give --name",
        ));
    };
    let games = list.map(fits::boards).unwrap_or_default();
    let games: std::collections::BTreeMap<u32, usize> = games.into_iter().map(|(round, boards)| (round, boards.len())).collect();
    let paired = games.keys().last().copied();
    let rounds = args.rounds.or(about.rounds).max(paired);
    let Some(rounds) = rounds else {
        return Err(ExitError::bad_data(
            "it is not known how many rounds there are: write event.rounds or event.pairings into the configuration, or give --rounds",
        ));
    };
    let delay_s = match &args.delay {
        None => None,
        Some(text) => Some(
            duration::parse(text)
                .map(|delay| delay.as_secs())
                .filter(|s| *s <= LONGEST_DELAY_S)
                .ok_or_else(|| ExitError::usage(format_args!("--delay {text}: a duration with its unit, at most 1h, for example 15m")))?,
        ),
    };
    let place: Vec<&str> = [&about.city, &about.country].into_iter().flatten().map(String::as_str).collect();
    let location = if place.is_empty() { list.and_then(|list| list.site.clone()) } else { Some(place.join(", ")) };
    let teams = list.is_some_and(|list| list.pairings.iter().any(|p| [&p.white, &p.black].into_iter().flatten().any(|p| p.team.is_some())));
    Ok(Wanted {
        name,
        location,
        time_control: about.time_control.clone(),
        website: about.website.clone(),
        rounds,
        games,
        teams,
        visibility: args.visibility.clone(),
        delay_s,
    })
}

/// Each request in words.
fn dry(wanted: &Wanted, existing: &Existing) -> String {
    let mut text = match &existing.tour {
        Some(tour) => format!("\"{}\" is there already ({})\n", tour.name, tour.id),
        None => String::new(),
    };
    for step in create::plan(wanted, existing) {
        let would = if matches!(step, Step::Found(..)) { "" } else { "would " };
        text += &format!("{would}{}\n", step.said());
    }
    text + "nothing was changed\n"
}
