//! What Lichess answered, and what that means in plain words.
use super::line::Line;
use flagfall_events::Words;
use serde::Deserialize;

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was taken. For a push: an entry for each game, in the order they were sent.
    Taken(Vec<GameAnswer>),
    /// 429; it may say how many seconds to stay away.
    TooMany(Option<u64>),
    /// 413.
    TooLarge,
    /// It will be refused again until somebody does something.
    Refused(Refusal),
    /// It may go better next time.
    Failed(Failure),
    /// The round's own delay, seconds.
    Delay(u64),
    /// The round as viewers see it.
    Round(Vec<Line>),
}

/// What became of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameAnswer {
    /// Moves that Lichess has now.
    pub moves: Option<u64>,
    /// Why the game was not updated.
    pub error: Option<String>,
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The token file, and why it cannot be read.
    NoToken(String),
    /// 401.
    BadToken,
    /// 403.
    NotAllowed,
    /// 404.
    NoSuchRound,
    /// The round gets its games from an address.
    SourceUrl,
    /// 3xx: where to.
    Redirected(String),
    /// Another 4xx: the status and what was said.
    Other(u16, String),
}

/// Why a request came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No answer in time.
    TimedOut,
    /// No connection, or a broken one; in the system's words.
    Network(String),
    /// 5xx.
    Server(u16),
    /// 200 with something else than Lichess's answer.
    Garbled,
}

#[derive(Deserialize)]
struct RoundInfo {
    round: RoundSettings,
}

#[derive(Deserialize)]
struct RoundSettings {
    #[serde(default)]
    delay: Option<u64>,
}

#[derive(Deserialize)]
struct Pushed {
    games: Vec<PushedGame>,
}

#[derive(Deserialize)]
struct PushedGame {
    #[serde(default)]
    moves: Option<u64>,
    #[serde(default)]
    error: Option<String>,
}

/// How much of a text by others is passed on, in characters.
const QUOTED: usize = 200;

impl Outcome {
    /// Reads an answer to a push; `retry_after` and `location` are headers.
    pub fn of_push(status: u16, retry_after: Option<&str>, location: Option<&str>, body: &[u8]) -> Self {
        let rest = || Self::of_status(status, retry_after, location, body);
        if status != 200 {
            return rest();
        }
        let Ok(pushed) = serde_json::from_slice::<Pushed>(body) else { return Self::Failed(Failure::Garbled) };
        let has_source = |game: &PushedGame| game.error.as_deref().is_some_and(|e| e.to_lowercase().contains("upstream url"));
        if pushed.games.iter().any(has_source) {
            return Self::Refused(Refusal::SourceUrl);
        }
        Self::Taken(pushed.games.into_iter().map(|game| GameAnswer { moves: game.moves, error: game.error.map(|e| quoted(&e)) }).collect())
    }

    /// Reads what Lichess says of a round: JSON with `round.delay`, in seconds.
    pub fn of_info(status: u16, retry_after: Option<&str>, location: Option<&str>, body: &[u8]) -> Self {
        match Self::of_status(status, retry_after, location, body) {
            Self::Taken(_) => serde_json::from_slice::<RoundInfo>(body)
                .map_or(Self::Failed(Failure::Garbled), |info| Self::Delay(info.round.delay.unwrap_or(0))),
            other => other,
        }
    }

    /// Reads a round as PGN; `content_type` tells it from a page.
    pub fn of_round(status: u16, retry_after: Option<&str>, location: Option<&str>, content_type: Option<&str>, body: &[u8]) -> Self {
        match Self::of_status(status, retry_after, location, body) {
            Self::Taken(_) if content_type.is_some_and(|kind| kind.contains("pgn")) => {
                Self::Round(Line::read(&String::from_utf8_lossy(body)))
            }
            Self::Taken(_) => Self::Failed(Failure::Garbled),
            other => other,
        }
    }

    /// Reads an answer to anything else.
    pub fn of_status(status: u16, retry_after: Option<&str>, location: Option<&str>, body: &[u8]) -> Self {
        match status {
            200..300 => Self::Taken(Vec::new()),
            300..400 => Self::Refused(Refusal::Redirected(quoted(location.unwrap_or("?")))),
            401 => Self::Refused(Refusal::BadToken),
            403 => Self::Refused(Refusal::NotAllowed),
            404 => Self::Refused(Refusal::NoSuchRound),
            413 => Self::TooLarge,
            429 => Self::TooMany(retry_after.and_then(|s| s.trim().parse().ok())),
            400..500 => Self::Refused(Refusal::Other(status, quoted(&said(body)))),
            _ => Self::Failed(Failure::Server(status)),
        }
    }
}

/// `{"error": "…"}`, or the text itself.
fn said(body: &[u8]) -> String {
    let value: Option<serde_json::Value> = serde_json::from_slice(body).ok();
    let error = value.as_ref().and_then(|v| v.get("error")?.as_str());
    error.map_or_else(|| String::from_utf8_lossy(body).into_owned(), String::from)
}

fn quoted(text: &str) -> String {
    text.chars().take(QUOTED).map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

impl Refusal {
    /// What is so, and what to do.
    pub fn text(&self) -> Words {
        let say = |en: &str, ru: &str| Words { en: String::from(en), ru: String::from(ru) };
        match self {
            Self::NoToken(why) => Words {
                en: format!("{why}; make a token on lichess.org/account/oauth/token with the scope study:write and put it there"),
                ru: format!("{why}; создайте токен на lichess.org/account/oauth/token с правом study:write и запишите его туда"),
            },
            Self::BadToken => say(
                "Lichess does not know the token (401): make a new one with the scope study:write and put it into the token file",
                "Lichess не знает токен (401): создайте новый с правом study:write и запишите его в файл токена",
            ),
            Self::NotAllowed => say(
                "Lichess does not let this account write to the round (403): make it a contributor of the broadcast, or use a token of its owner with the scope study:write",
                "Lichess не разрешает этой учётной записи писать в тур (403): сделайте её участником трансляции или возьмите токен владельца с правом study:write",
            ),
            Self::NoSuchRound => say(
                "Lichess has no such round (404): copy the eight characters at the end of the round's address into `round`",
                "Такого тура на Lichess нет (404): перенесите в `round` восемь знаков из конца адреса тура",
            ),
            Self::SourceUrl => say(
                "the round on Lichess has a source address of its own and takes no pushes: edit the round there, choose as source \"Push\" or leave the address empty",
                "у тура на Lichess задан свой адрес источника, поэтому партии не принимаются: измените тур там, выберите источник «Push» или очистите адрес",
            ),
            Self::Redirected(to) => Words {
                en: format!(
                    "the address answers with a redirection to {to}: check `base_url`, and that no log-in page of the network stands in between"
                ),
                ru: format!("адрес перенаправляет на {to}: проверьте `base_url` и не мешает ли страница входа в сеть"),
            },
            Self::Other(status, said) => Words {
                en: format!("Lichess refuses the push ({status}): {said}; docs/lichess.md lists what it may say"),
                ru: format!("Lichess отклоняет отправку ({status}): {said}; см. docs/lichess.md"),
            },
        }
    }
}

impl Failure {
    /// What is so, and what to do.
    pub fn text(&self) -> Words {
        match self {
            Self::TimedOut => Words {
                en: String::from("Lichess does not answer in time; flagfall tries again by itself"),
                ru: String::from("Lichess не отвечает вовремя; flagfall повторит сам"),
            },
            Self::Network(why) => Words {
                en: format!("Lichess cannot be reached ({why}); check the internet connection, flagfall tries again by itself"),
                ru: format!("Lichess недоступен ({why}); проверьте интернет, flagfall повторит сам"),
            },
            Self::Server(status) => Words {
                en: format!("Lichess has trouble of its own ({status}); flagfall tries again by itself"),
                ru: format!("на Lichess неполадки ({status}); flagfall повторит сам"),
            },
            Self::Garbled => Words {
                en: String::from(
                    "something else than Lichess answers; check that the network needs no log-in page; flagfall tries again by itself",
                ),
                ru: String::from("отвечает не Lichess; проверьте, не требует ли сеть входа через страницу; flagfall повторит сам"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(status: u16, body: &str) -> Outcome {
        Outcome::of_push(status, None, None, body.as_bytes())
    }

    #[test]
    fn errors_of_single_games_stay_with_their_games() {
        let answer = r#"{"games":[{"tags":{"White":"A"},"moves":2},{"tags":{},"error":"Cannot move"}]}"#;
        let entries = [GameAnswer { moves: Some(2), error: None }, GameAnswer { moves: None, error: Some(String::from("Cannot move")) }];
        assert_eq!(push(200, answer), Outcome::Taken(entries.to_vec()));
    }

    #[test]
    fn a_round_with_a_source_address_takes_nothing() {
        let answer = r#"{"games":[{"tags":{},"error":"The relay has an upstream URL, and cannot be pushed to."}]}"#;
        assert_eq!(push(200, answer), Outcome::Refused(Refusal::SourceUrl));
    }

    #[test]
    fn each_status_means_what_it_means() {
        assert_eq!(push(200, "<html>log in</html>"), Outcome::Failed(Failure::Garbled));
        assert_eq!(push(401, ""), Outcome::Refused(Refusal::BadToken));
        assert_eq!(push(403, r#"{"error":"no"}"#), Outcome::Refused(Refusal::NotAllowed));
        assert_eq!(push(404, ""), Outcome::Refused(Refusal::NoSuchRound));
        assert_eq!(push(413, ""), Outcome::TooLarge);
        assert_eq!(push(429, ""), Outcome::TooMany(None));
        assert_eq!(Outcome::of_push(429, Some("120"), None, b""), Outcome::TooMany(Some(120)));
        assert_eq!(push(400, r#"{"error":"bad\npgn"}"#), Outcome::Refused(Refusal::Other(400, String::from("bad pgn"))));
        assert_eq!(push(502, "x"), Outcome::Failed(Failure::Server(502)));
        let to = Outcome::of_push(302, None, Some("http://portal/"), b"");
        assert_eq!(to, Outcome::Refused(Refusal::Redirected(String::from("http://portal/"))));
        assert_eq!(Outcome::of_status(200, None, None, b"{\"ok\":true}"), Outcome::Taken(Vec::new()));
    }
}
