//! When an address is asked again, and what its answers come to. No sockets, no clocks.
use std::time::Duration;

/// Between two questions.
pub const PERIOD: Duration = Duration::from_secs(20);
/// A source that fails is asked less and less often, down to this.
const RAREST: Duration = Duration::from_secs(5 * 60);
/// Whoever asks for a pause gets it, up to this.
const LONGEST_PAUSE: Duration = Duration::from_secs(15 * 60);
/// Whoever is asked too often.
const TOO_OFTEN: Duration = Duration::from_secs(60);

/// What tells a server which list we have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub modified: Option<String>,
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A whole body.
    Body(Vec<u8>, Validators),
    /// 304.
    Unchanged,
    /// It is elsewhere, where we do not follow.
    Moved(String),
    /// Another status, and the pause that was asked for.
    Status(u16, Option<Duration>),
    /// More than a list can be.
    TooLong,
    /// No whole answer came in time.
    TimedOut,
    /// The innermost cause.
    Broken(String),
}

/// What is new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The list is another one.
    List(Vec<u8>),
    /// It cannot be had: why, and what to do.
    Failing(String),
    /// It can be had again, and is the one that was read last.
    Back,
}

/// One address.
#[derive(Debug, Default)]
pub struct Polling {
    validators: Validators,
    /// Of the body that was read last.
    read: Option<blake3::Hash>,
    /// In a row.
    failures: u32,
    /// It was said that it fails.
    told: bool,
}

impl Polling {
    /// What to send with the next question.
    pub const fn validators(&self) -> &Validators {
        &self.validators
    }

    /// Whatever comes next is news.
    pub fn again(&mut self) {
        (self.validators, self.read) = (Validators::default(), None);
    }

    /// What an answer changes, and how long to wait before the next question.
    pub fn answered(&mut self, answer: Answer) -> (Option<News>, Duration) {
        let (why, lasts, pause) = match answer {
            Answer::Unchanged => return (self.well(), PERIOD),
            Answer::Body(body, validators) => {
                let hash = blake3::hash(&body);
                self.validators = validators;
                if self.read.replace(hash) == Some(hash) {
                    return (self.well(), PERIOD);
                }
                (self.failures, self.told) = (0, false);
                return (Some(News::List(body)), PERIOD);
            }
            Answer::Moved(to) => {
                (format!("is now at {to}, and that is not followed; write the new address into the configuration"), true, None)
            }
            Answer::Status(status, pause) => {
                (refusal(status), !matches!(status, 408 | 425 | 429 | 500..), pause.or_else(|| (status == 429).then_some(TOO_OFTEN)))
            }
            Answer::TooLong => (String::from("sends more than 16 MiB; that is no pairing list, compare the address"), true, None),
            Answer::TimedOut => {
                (String::from("does not answer in time; look at the network, and open the address in a browser"), false, None)
            }
            Answer::Broken(why) => {
                (format!("cannot be reached: {why}; look at the network, and open the address in a browser"), false, None)
            }
        };
        self.failures = self.failures.saturating_add(1);
        let backoff = PERIOD.saturating_mul(1 << (self.failures - 1).min(8)).min(RAREST);
        let wait = pause.map_or(backoff, |pause| pause.clamp(backoff, LONGEST_PAUSE));
        // Where there is a list already, one question that was lost is nobody's trouble.
        if !lasts && self.failures == 1 && self.read.is_some() {
            return (None, wait);
        }
        self.told = true;
        (Some(News::Failing(why)), wait)
    }

    fn well(&mut self) -> Option<News> {
        self.failures = 0;
        std::mem::take(&mut self.told).then_some(News::Back)
    }
}

fn refusal(status: u16) -> String {
    match status {
        401 | 403 | 407 => format!("is not for everybody (status {status}); give an address that needs no login"),
        404 | 410 => format!("there is nothing at this address (status {status}); compare it with the one in the browser"),
        429 => String::from("asks us to come less often (status 429); that happens by itself, unless others ask there for us"),
        500.. => format!("is in trouble (status {status}); that is at the other end"),
        _ => format!("answers with status {status} instead of a list; compare the address with the one in the browser"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str, etag: &str) -> Answer {
        Answer::Body(text.into(), Validators { etag: Some(etag.into()), modified: None })
    }

    fn list(text: &str) -> Option<News> {
        Some(News::List(text.into()))
    }

    #[test]
    fn a_list_is_news_once() {
        let mut polling = Polling::default();
        assert_eq!(polling.answered(body("a", "1")), (list("a"), PERIOD));
        assert_eq!(polling.validators().etag.as_deref(), Some("1"));
        assert_eq!(polling.answered(Answer::Unchanged), (None, PERIOD));
        // A server that knows no tags sends the same again.
        assert_eq!(polling.answered(body("a", "2")), (None, PERIOD));
        assert_eq!(polling.answered(body("b", "3")), (list("b"), PERIOD));
        polling.again();
        assert_eq!(polling.validators(), &Validators::default());
        assert_eq!(polling.answered(body("b", "3")), (list("b"), PERIOD));
    }

    #[test]
    fn an_hour_without_the_network_is_told_once_and_asked_ever_less_often() {
        let mut polling = Polling::default();
        polling.answered(body("a", "1"));
        let (mut asked, mut time, mut told) = (0, Duration::ZERO, Vec::new());
        while time < Duration::from_secs(3600) {
            let (news, wait) = polling.answered(Answer::TimedOut);
            assert!(wait >= PERIOD && wait <= RAREST);
            told.extend(news);
            time += wait;
            asked += 1;
        }
        assert_eq!(asked, 15, "20, 40, 80, 160 seconds, then every five minutes");
        told.dedup();
        assert!(matches!(&told[..], [News::Failing(why)] if why.contains("does not answer")), "{told:?}");
        assert_eq!(polling.validators().etag.as_deref(), Some("1"));
        assert_eq!(polling.answered(Answer::Unchanged), (Some(News::Back), PERIOD));
        assert_eq!(polling.answered(Answer::Unchanged), (None, PERIOD));
    }

    #[test]
    fn every_failure_has_words_and_a_remedy() {
        for (answer, word) in [
            (Answer::Status(404, None), "nothing at this address"),
            (Answer::Status(403, None), "needs no login"),
            (Answer::Status(429, None), "less often"),
            (Answer::Status(503, None), "at the other end"),
            (Answer::Status(204, None), "status 204"),
            (Answer::Moved("http://example.org/".into()), "write the new address"),
            (Answer::TooLong, "no pairing list"),
            (Answer::TimedOut, "open the address"),
            (Answer::Broken("Connection refused".into()), "Connection refused"),
        ] {
            let (news, _) = Polling::default().answered(answer.clone());
            assert!(matches!(&news, Some(News::Failing(why)) if why.contains(word)), "{answer:?}: {news:?}");
        }
    }

    #[test]
    fn a_pause_that_is_asked_for_is_kept_within_reason() {
        let wait = |seconds| Polling::default().answered(Answer::Status(429, seconds)).1.as_secs();
        let asked = |seconds| wait(Some(Duration::from_secs(seconds)));
        assert_eq!((wait(None), asked(5), asked(120), asked(86_400)), (60, 20, 120, 900));
        // One that was lost is passed over where there is a list; what lasts is said at once.
        let mut polling = Polling::default();
        polling.answered(body("a", "1"));
        assert_eq!(polling.answered(Answer::Status(502, None)), (None, PERIOD));
        assert_eq!(polling.answered(Answer::Unchanged), (None, PERIOD));
        assert!(polling.answered(Answer::Status(404, None)).0.is_some());
    }
}
