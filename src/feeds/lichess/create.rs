//! A broadcast and its rounds on Lichess, made from the event and its pairings. Pure: what is wanted and what exists become requests.
//!
//! What exists is found by its name and is never made twice; what differs is changed, and nothing else of it.
use super::round::MOST_GAMES;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Names on Lichess are no longer, in characters.
const LONGEST_NAME: usize = 80;
/// The longest delay that a round may have, seconds.
pub const LONGEST_DELAY_S: u64 = 3600;

/// Fields of a form, in their order.
pub type Form = Vec<(&'static str, String)>;

/// What is to be there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The broadcast's name.
    pub name: String,
    /// City and country.
    pub location: Option<String>,
    /// Time control in words.
    pub time_control: Option<String>,
    /// The event's page.
    pub website: Option<String>,
    /// How many rounds there are.
    pub rounds: u32,
    /// Games by round, as far as they are paired.
    pub games: BTreeMap<u32, usize>,
    /// There are teams.
    pub teams: bool,
    /// Who may see it: `public`, `unlisted`, `private`.
    pub visibility: Option<String>,
    /// Lichess's own delay, seconds; `None`: what is there stays.
    pub delay_s: Option<u64>,
}

/// What Lichess has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Existing {
    /// The broadcast.
    pub tour: Option<Tour>,
    /// Its rounds.
    pub rounds: Vec<Round>,
}

/// A broadcast as Lichess describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Tour {
    /// Eight characters.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its page.
    #[serde(default)]
    pub url: Option<String>,
    /// What is told of it.
    #[serde(default)]
    pub info: Info,
    /// There is a table of teams.
    #[serde(default, rename = "teamTable")]
    pub team_table: bool,
}

/// What is told of a broadcast.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Info {
    /// Where it is.
    #[serde(default)]
    pub location: Option<String>,
    /// Time control.
    #[serde(default)]
    pub tc: Option<String>,
    /// Its page.
    #[serde(default)]
    pub website: Option<String>,
}

/// A round as Lichess describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Round {
    /// Eight characters.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its page.
    #[serde(default)]
    pub url: Option<String>,
    /// Its own delay, seconds.
    #[serde(default)]
    pub delay: Option<u64>,
}

/// Which games go to one round there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The event's round, from 1.
    pub round: u32,
    /// Pairings from and to; `None`: all.
    pub boards: Option<(usize, usize)>,
    /// What it is called there.
    pub name: String,
}

/// One request, or none where nothing is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The broadcast is made.
    NewTour(Form),
    /// The broadcast is changed.
    EditTour(String, Form),
    /// A round is made in it.
    NewRound(Part, Form),
    /// A round is changed.
    EditRound(Part, String, Form),
    /// It is there already, and right.
    Found(Part, String),
}

/// The rounds that Lichess must have: one for each of ours, several where it has more than a hundred games.
pub fn parts(wanted: &Wanted) -> Vec<Part> {
    let mut parts = Vec::new();
    for round in 1..=wanted.rounds {
        let games = wanted.games.get(&round).copied().unwrap_or(0);
        if games <= MOST_GAMES {
            parts.push(Part { round, boards: None, name: format!("Round {round}") });
            continue;
        }
        for from in (1..=games).step_by(MOST_GAMES) {
            let to = (from + MOST_GAMES - 1).min(games);
            parts.push(Part { round, boards: Some((from, to)), name: format!("Round {round}, boards {from}-{to}") });
        }
    }
    parts
}

/// What is to do, in its order.
pub fn plan(wanted: &Wanted, existing: &Existing) -> Vec<Step> {
    let mut steps = Vec::new();
    match &existing.tour {
        None => {
            let mut form: Form = vec![("name", wanted.name()), ("showScores", String::from("true"))];
            form.extend(wanted.about().into_iter().filter_map(|(name, value)| Some((name, value?))));
            if wanted.teams {
                form.push(("teamTable", String::from("true")));
            }
            form.extend(wanted.visibility.clone().map(|value| ("visibility", value)));
            steps.push(Step::NewTour(form));
        }
        Some(tour) => {
            let there = [&tour.info.location, &tour.info.tc, &tour.info.website];
            let differs = wanted.about().into_iter().zip(there).filter(|((_, ours), theirs)| ours.is_some() && ours != *theirs);
            let mut form: Form = differs.filter_map(|((name, value), _)| Some((name, value?))).collect();
            if wanted.teams && !tour.team_table {
                form.push(("teamTable", String::from("true")));
            }
            if !form.is_empty() {
                form.insert(0, ("name", tour.name.clone()));
                steps.push(Step::EditTour(tour.id.clone(), form));
            }
        }
    }
    for part in parts(wanted) {
        let found = existing.rounds.iter().find(|round| same_name(&round.name, &part.name));
        let delay = wanted.delay_s.map(|seconds| ("delay", seconds.to_string()));
        steps.push(match found {
            None => {
                let mut form = vec![("name", part.name.clone()), ("syncSource", String::from("push"))];
                if part.round > 1 {
                    form.push(("startsAfterPrevious", String::from("true")));
                }
                form.extend(delay.filter(|(_, seconds)| seconds != "0"));
                Step::NewRound(part, form)
            }
            Some(round) if wanted.delay_s.is_some_and(|seconds| seconds != round.delay.unwrap_or(0)) => {
                Step::EditRound(part, round.id.clone(), std::iter::once(("name", round.name.clone())).chain(delay).collect())
            }
            Some(round) => Step::Found(part, round.id.clone()),
        });
    }
    steps
}

/// The same but for case and blanks.
fn same_name(one: &str, two: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().split_whitespace().collect::<String>();
    plain(one) == plain(two)
}

/// The broadcast of this name, where there is one; the second value: others of that name.
pub fn find<'t>(name: &str, tours: &'t [Tour]) -> (Option<&'t Tour>, usize) {
    let mut found: Vec<&Tour> = tours.iter().filter(|tour| same_name(&tour.name, &cut(name))).collect();
    found.dedup_by(|one, two| one.id == two.id);
    (found.first().copied(), found.len().saturating_sub(1))
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST_NAME).collect()
}

impl Wanted {
    fn name(&self) -> String {
        cut(&self.name)
    }

    fn about(&self) -> [(&'static str, Option<String>); 3] {
        let short = |text: &Option<String>| text.as_deref().map(cut);
        [("info.location", short(&self.location)), ("info.tc", short(&self.time_control)), ("info.website", self.website.clone())]
    }
}

impl Step {
    /// The request's path, where one is sent; `tour` is the broadcast's id.
    pub fn path(&self, tour: &str) -> Option<String> {
        match self {
            Self::NewTour(_) => Some(String::from("/broadcast/new")),
            // With `patch` what is not named stays as it is.
            Self::EditTour(id, _) => Some(format!("/broadcast/{id}/edit?patch=true")),
            Self::NewRound(..) => Some(format!("/broadcast/{tour}/new")),
            Self::EditRound(_, id, _) => Some(format!("/broadcast/round/{id}/edit?patch=true")),
            Self::Found(..) => None,
        }
    }

    /// The request's fields.
    pub fn form(&self) -> &[(&'static str, String)] {
        match self {
            Self::NewTour(form) | Self::EditTour(_, form) | Self::NewRound(_, form) | Self::EditRound(_, _, form) => form,
            Self::Found(..) => &[],
        }
    }

    /// The round that it is about, and its id where it has one.
    pub fn part(&self) -> Option<(&Part, Option<&str>)> {
        match self {
            Self::NewRound(part, _) => Some((part, None)),
            Self::EditRound(part, id, _) | Self::Found(part, id) => Some((part, Some(id))),
            Self::NewTour(_) | Self::EditTour(..) => None,
        }
    }

    /// What it does, in words.
    pub fn said(&self) -> String {
        let fields = |without: &str| {
            let named = |name: &&'static str| match *name {
                "info.location" => "place",
                "info.tc" => "time control",
                "info.website" => "page",
                "showScores" => "scores",
                "teamTable" => "table of teams",
                "syncSource" => "games by",
                "startsAfterPrevious" => "starts after the round before",
                "delay" => "delay in seconds",
                other => other,
            };
            let list = self.form().iter().filter(|(name, _)| *name != without).map(|(name, value)| format!("{} {value}", named(name)));
            let list = list.collect::<Vec<_>>().join(", ");
            list.replace(" true", "")
        };
        match self {
            Self::NewTour(form) => {
                let name = form.first().map_or("", |(_, name)| name.as_str());
                format!("make the broadcast \"{name}\": {}", fields("name"))
            }
            Self::EditTour(id, _) => format!("change the broadcast {id}: {}", fields("name")),
            Self::NewRound(part, _) => format!("make \"{}\": {}", part.name, fields("name")),
            Self::EditRound(part, id, _) => format!("change \"{}\" ({id}): {}", part.name, fields("name")),
            Self::Found(part, id) => format!("\"{}\" is there already ({id})", part.name),
        }
    }
}

/// What belongs into the configuration for these rounds.
pub fn configuration(rounds: &[(Part, String)], token_file: &str, base_url: Option<&str>) -> String {
    let mut out = String::new();
    for (part, id) in rounds {
        _ = write!(out, "[[lichess]]\nround = \"{id}\"\ntoken_file = \"{token_file}\"\nevent_round = {}\n", part.round);
        if let Some((from, to)) = part.boards {
            _ = writeln!(out, "boards = \"{from}-{to}\"");
        }
        if let Some(url) = base_url {
            _ = writeln!(out, "base_url = \"{url}\"");
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Wanted {
        Wanted {
            name: String::from("Open 2026"),
            location: Some(String::from("Wien, Austria")),
            time_control: Some(String::from("90 min + 30 s")),
            rounds: 3,
            games: BTreeMap::from([(1, 64), (2, 230)]),
            delay_s: Some(900),
            ..Wanted::default()
        }
    }

    /// A Lichess on which each request of `steps` has been carried out.
    fn done(existing: &mut Existing, steps: &[Step]) {
        for step in steps {
            let get = |name: &str| step.form().iter().find(|(n, _)| *n == name).map(|(_, value)| value.clone());
            match step {
                Step::NewTour(_) | Step::EditTour(..) => {
                    let tour = existing.tour.get_or_insert_with(|| Tour { id: String::from("tourtour"), ..Tour::default() });
                    tour.name = get("name").unwrap();
                    for (field, name) in [
                        (&mut tour.info.location, "info.location"),
                        (&mut tour.info.tc, "info.tc"),
                        (&mut tour.info.website, "info.website"),
                    ] {
                        if let Some(value) = get(name) {
                            *field = Some(value);
                        }
                    }
                    tour.team_table |= get("teamTable").is_some();
                }
                Step::NewRound(part, _) => {
                    let id = format!("round{:03}", existing.rounds.len());
                    let delay = get("delay").map(|s| s.parse().unwrap());
                    existing.rounds.push(Round { id, name: part.name.clone(), url: None, delay });
                }
                Step::EditRound(_, id, _) => {
                    let round = existing.rounds.iter_mut().find(|round| round.id == *id).unwrap();
                    round.delay = get("delay").map(|s| s.parse().unwrap());
                }
                Step::Found(..) => {}
            }
        }
    }

    #[test]
    fn everything_is_made_once_and_found_again() {
        let (mut wanted, mut existing) = (wanted(), Existing::default());
        let steps = plan(&wanted, &existing);
        let said: Vec<String> = steps.iter().map(Step::said).collect();
        assert_eq!(
            said,
            [
                "make the broadcast \"Open 2026\": scores, place Wien, Austria, time control 90 min + 30 s",
                "make \"Round 1\": games by push, delay in seconds 900",
                "make \"Round 2, boards 1-100\": games by push, starts after the round before, delay in seconds 900",
                "make \"Round 2, boards 101-200\": games by push, starts after the round before, delay in seconds 900",
                "make \"Round 2, boards 201-230\": games by push, starts after the round before, delay in seconds 900",
                "make \"Round 3\": games by push, starts after the round before, delay in seconds 900",
            ]
        );
        done(&mut existing, &steps);
        let again = plan(&wanted, &existing);
        assert!(again.iter().all(|step| matches!(step, Step::Found(..)) && step.path("x").is_none()), "{again:?}");
        // What changes is changed, and nothing else.
        (wanted.delay_s, wanted.location, wanted.teams) = (Some(0), Some(String::from("Graz")), true);
        let changes: Vec<Step> = plan(&wanted, &existing);
        assert_eq!(changes[0].said(), "change the broadcast tourtour: place Graz, table of teams");
        assert_eq!(changes[1].said(), "change \"Round 1\" (round000): delay in seconds 0");
        done(&mut existing, &changes);
        assert!(plan(&wanted, &existing).iter().all(|step| matches!(step, Step::Found(..))));
        wanted.delay_s = None;
        assert!(plan(&wanted, &existing).iter().all(|step| matches!(step, Step::Found(..))), "what is there stays");
    }

    #[test]
    fn names_are_found_whatever_their_case_and_two_of_one_name_are_counted() {
        let tour = |id: &str, name: &str| Tour { id: String::from(id), name: String::from(name), ..Tour::default() };
        let tours = [tour("a", "Open 2025"), tour("b", "open  2026"), tour("b", "open  2026"), tour("c", "Open 2026")];
        assert_eq!(find("Open 2026", &tours), (Some(&tours[1]), 1));
        assert_eq!(find("Blitz", &tours), (None, 0));
    }

    #[test]
    fn what_belongs_into_the_configuration() {
        let part = Part { round: 2, boards: Some((1, 100)), name: String::from("x") };
        let text = configuration(&[(part, String::from("abcdefgh"))], "/etc/flagfall/lichess.token", None);
        assert_eq!(
            text,
            "[[lichess]]\nround = \"abcdefgh\"\ntoken_file = \"/etc/flagfall/lichess.token\"\nevent_round = 2\nboards = \"1-100\"\n\n"
        );
    }
}
