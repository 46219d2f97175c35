//! What `flagfall lichess create` asks of Lichess: one request at a time, a second apart, with patience where it asks for a pause.
use super::answer::{Outcome, Refusal};
use super::client::{Answer, answer, form};
use super::create::{Existing, Form, Round, Step, Tour, Wanted, find, plan};
use super::{said, token};
use crate::client;
use reqwest::header::{LOCATION, RETRY_AFTER};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);
/// Between two requests.
const PAUSE: Duration = Duration::from_secs(1);
/// Of an account's rounds so many are looked through.
const ROUNDS: usize = 1000;
const LONGEST_ANSWER: usize = 4 * 1024 * 1024;
/// A pause that Lichess asks for is kept so often.
const RESTS: u32 = 3;
/// After a 429 without a time.
const REST_S: u64 = 60;
/// No pause is longer.
const LONGEST_REST_S: u64 = 900;

/// A connection to Lichess with a token.
#[derive(Debug)]
pub struct Api {
    http: reqwest::Client,
    base: String,
    token_file: PathBuf,
    asked: bool,
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// The broadcast's page.
    pub url: Option<String>,
    /// The steps; for each round its id, where it has one.
    pub steps: Vec<(Step, Option<String>)>,
}

#[derive(Deserialize)]
struct Mine {
    tour: Tour,
    study: Rights,
}

#[derive(Deserialize)]
struct Rights {
    #[serde(default)]
    writeable: bool,
}

#[derive(Deserialize)]
struct TourWithRounds {
    tour: Tour,
    #[serde(default)]
    rounds: Vec<Round>,
}

#[derive(Deserialize)]
struct NewTour {
    tour: Tour,
}

#[derive(Deserialize)]
struct NewRound {
    round: Round,
}

impl Api {
    /// A connection to the Lichess at `base` with the token in this file.
    ///
    /// # Errors
    /// No connection can be made on this machine at all, in words.
    pub fn new(base: &str, token_file: &Path) -> Result<Self, String> {
        Ok(Self { http: client::new(PATIENCE)?, base: base.trim_end_matches('/').into(), token_file: token_file.into(), asked: false })
    }

    /// What Lichess has of the broadcast called `name`; `tour` is its id where it is known.
    ///
    /// # Errors
    /// Why it cannot be known, and what to do.
    pub async fn existing(&mut self, name: &str, tour: Option<&str>) -> Result<Existing, String> {
        let id = match tour {
            Some(id) => String::from(id),
            None => {
                let text = self.ask(&format!("/api/broadcast/my-rounds?nb={ROUNDS}"), None).await.map_err(|why| why.of_reading())?;
                let lines = text.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty());
                let mine = lines.map(serde_json::from_slice::<Mine>).collect::<Result<Vec<_>, _>>().map_err(|_| garbled())?;
                let tours: Vec<Tour> = mine.into_iter().filter(|one| one.study.writeable).map(|one| one.tour).collect();
                match find(name, &tours) {
                    (None, _) => return Ok(Existing::default()),
                    (Some(tour), 0) => tour.id.clone(),
                    (Some(_), others) => {
                        return Err(format!(
                            "{} broadcasts on Lichess are called {name:?}: say which with --broadcast and the eight characters at the end of its address",
                            others + 1
                        ));
                    }
                }
            }
        };
        let found: TourWithRounds = self.json(&format!("/api/broadcast/{id}"), None).await?;
        Ok(Existing { tour: Some(found.tour), rounds: found.rounds })
    }

    /// Does what `wanted` needs; `hear` is told each step before it is done.
    ///
    /// # Errors
    /// What could not be done, why, and what to do. What was done stays, and is found again.
    pub async fn carry_out(&mut self, wanted: &Wanted, existing: &Existing, mut hear: impl FnMut(&Step)) -> Result<Made, String> {
        let mut tour = existing.tour.clone();
        let mut made = Made::default();
        for step in plan(wanted, existing) {
            hear(&step);
            let id = tour.as_ref().map(|tour| tour.id.clone()).unwrap_or_default();
            let mut round = step.part().and_then(|(_, id)| id.map(String::from));
            if let Some(path) = step.path(&id) {
                let form = Some(step.form().to_vec());
                match &step {
                    Step::NewTour(_) => tour = Some(self.json::<NewTour>(&path, form).await?.tour),
                    Step::NewRound(..) => round = Some(self.json::<NewRound>(&path, form).await?.round.id),
                    _ => _ = self.ask(&path, form).await.map_err(|why| why.of_writing())?,
                }
            }
            made.steps.push((step, round));
        }
        made.url = tour.and_then(|tour| tour.url);
        Ok(made)
    }

    async fn json<T: DeserializeOwned>(&mut self, path: &str, form: Option<Form>) -> Result<T, String> {
        let writes = form.is_some();
        let body = self.ask(path, form).await.map_err(|why| if writes { why.of_writing() } else { why.of_reading() })?;
        serde_json::from_slice(&body).map_err(|_| garbled())
    }

    /// One request; with a form it changes something.
    async fn ask(&mut self, path: &str, fields: Option<Form>) -> Result<Vec<u8>, Why> {
        for _ in 0..=RESTS {
            if std::mem::replace(&mut self.asked, true) {
                tokio::time::sleep(PAUSE).await;
            }
            let token = token::read(&self.token_file).map_err(|why| Why(Outcome::Refused(Refusal::NoToken(why))))?;
            let url = format!("{}{path}", self.base);
            let request = match &fields {
                Some(fields) => {
                    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
                    self.http.post(url).header("Content-Type", "application/x-www-form-urlencoded").body(form(&fields))
                }
                None => self.http.get(url).header("Accept", "application/json, application/x-ndjson"),
            };
            let Answer { status, headers, body } = answer(request.header("Authorization", token), LONGEST_ANSWER).await.map_err(Why)?;
            let header = |name| headers.get(name).and_then(|value: &reqwest::header::HeaderValue| value.to_str().ok());
            match Outcome::of_status(status, header(RETRY_AFTER), header(LOCATION), &body) {
                Outcome::Taken(_) => return Ok(body),
                Outcome::TooMany(after) => {
                    tokio::time::sleep(Duration::from_secs(after.unwrap_or(REST_S).clamp(REST_S, LONGEST_REST_S))).await
                }
                other => return Err(Why(other)),
            }
        }
        Err(Why(Outcome::TooMany(None)))
    }
}

/// Why a request came to nothing.
struct Why(Outcome);

impl Why {
    fn of_reading(self) -> String {
        match self.0 {
            Outcome::Refused(Refusal::NotAllowed) => String::from(said::NOT_READABLE),
            Outcome::Refused(Refusal::NoSuchRound) => {
                String::from("Lichess has no such broadcast (404): --broadcast wants the eight characters at the end of its address")
            }
            other => Self(other).text(),
        }
    }

    fn of_writing(self) -> String {
        match self.0 {
            Outcome::Refused(Refusal::NotAllowed) => String::from(said::NOT_WRITABLE),
            Outcome::Refused(Refusal::NoSuchRound) => {
                String::from("Lichess does not know it any more (404): was it deleted meanwhile? Run this again")
            }
            Outcome::Refused(Refusal::Other(status, why)) => {
                format!(
                    "Lichess does not take this ({status}): {why}; correct it in [event] or in the pairings and run this again, what was made is found"
                )
            }
            other => Self(other).text(),
        }
    }

    fn text(self) -> String {
        match self.0 {
            Outcome::Refused(refusal) => refusal.text().en,
            Outcome::Failed(failure) => {
                failure.text().en.replace("flagfall tries again by itself", "run this again, what was made is found")
            }
            Outcome::TooMany(_) => {
                String::from("Lichess asks for a pause again and again (429): wait some minutes, and stop what else uses this token")
            }
            _ => garbled(),
        }
    }
}

fn garbled() -> String {
    String::from("something else than Lichess answers; check base_url, and that the network needs no log-in page")
}
