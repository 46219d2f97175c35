//! What Pis and halls agree on: names of streams, subjects, buckets and headers, and the JSON that goes through them. No I/O.
//!
//! | what | name |
//! |---|---|
//! | events, a copy of the journals | stream `flagfall-v1-EVENT`, subject `flagfall.v1.EVENT.BOARD.arbiter` |
//! | what is public of them, live, with numbers of its own | `flagfall.v1.EVENT.BOARD.public`, not in the stream |
//! | orders to a board | request `flagfall.v1.EVENT.BOARD.order`, not in the stream |
//! | which game a board has, asked by its Pi and answered by a hall | request `flagfall.v1.EVENT.BOARD.game`, answer `flagfall.v1.EVENT.PI.answer.N`, not in the stream |
//! | which Pis are there | bucket `flagfall-v1-EVENT-presence`, key PI |
//! | orders that wait for a Pi | bucket `flagfall-v1-EVENT-orders`, key BOARD.KEY |
//! | which hall speaks | bucket `flagfall-v1-EVENT-lease`, key `voice` |
//! | pairings and the event | bucket `flagfall-v1-EVENT-settings`, keys `pairings.ROUND`, `event`, `witness.BOARD` |
//!
//! EVENT is a [plain](flagfall_config::nats::plain) word; BOARD and PI are names made into [`token`]s.
use flagfall_events::{Entry, LinkState, Wall};
use flagfall_web::boards::asked::{Question, Reply};
use flagfall_web::boards::preview::{Preview, Recovered};
use flagfall_web::boards::ruled::Happened;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// `BOARD/EPOCH/SEQ`: what JetStream knows a repeated message by.
pub const MSG_ID: &str = "Nats-Msg-Id";
/// The number of the last message of the subject in the stream, without which a message is refused; 0: there is none.
pub const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";
/// The token of the Pi that sent it.
pub const PI: &str = "Flagfall-Pi";
/// The [epoch](is_epoch) of the board's numbering.
pub const EPOCH: &str = "Flagfall-Epoch";
/// The event's `seq`.
pub const SEQ: &str = "Flagfall-Seq";
/// The `seq` up to which a board's events go on with a game that this machine has taken over: whoever shows the board shows the one before until then.
pub const UNTIL: &str = "Flagfall-Taken-Over-Until";
/// `arbiter`, where the Pi keeps touches for arbiters; missing where they are everybody's.
pub const TOUCHES: &str = "Flagfall-Touches";
/// The setting by which a hall says whether its Pis show anything to everybody.
pub const PUBLIC_KEY: &str = "public";
/// The setting that has what a hall has seen of this board's journal, countersigned.
pub fn witness_key(board: &str) -> String {
    format!("{WITNESSED}{}", token(board))
}
/// How such a setting's name begins; the board's token follows.
pub const WITNESSED: &str = "witness.";
/// They do not: the hall shows the boards, and later.
pub const NOTHING_PUBLIC: &str = "nothing";
/// When it was sent, RFC 3339, the Pi's wall clock: for people, never compared with another host's.
pub const SENT: &str = "Flagfall-Sent";
/// How old the event was when it was sent, milliseconds by the Pi's own clock; the receiver adds its own stopwatch from receipt.
pub const AGE: &str = "Flagfall-Age-Ms";
/// In a hall's answer which game a board has: how long ago the stream had its last message of the board, milliseconds by the clock of a server that keeps it.
pub const QUIET: &str = "Flagfall-Quiet-Ms";

/// The server marks with it what it sends in answer to a direct get. NATS lets a client name any subject for the answer, so a stolen Pi could have its own
/// words sent to another board; whoever takes a message ignores one with this mark (one more of it, where the message itself came by a direct get).
pub const FORGED: &str = "Nats-Stream";

/// Seconds after which a Pi that says nothing is away; the bucket forgets it.
pub const PRESENCE_TTL_S: u64 = 9;
/// How often a Pi says that it is there, seconds.
pub const PRESENCE_EVERY_S: u64 = 3;
/// Seconds after which a hall that does not renew its lease has lost it.
pub const LEASE_TTL_S: u64 = 10;
/// How often the lease is renewed, seconds.
pub const LEASE_EVERY_S: u64 = 3;
/// The lease's key.
pub const LEASE_KEY: &str = "voice";
/// JetStream knows a repeated message by its id for so long, seconds.
pub const DUPLICATES_S: u64 = 120;

/// A name as one word of a subject or key: letters, digits, `-` and `_` stay, every other byte becomes `=XX` in hex.
pub fn token(name: &str) -> String {
    let mut token = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') {
            token.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(token, "={byte:02X}");
        }
    }
    token
}

/// The name that [`token`] made a token of; `None` for what is none.
pub fn name(token: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(token.len());
    let mut rest = token.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'=' => {
                let digit = |b: u8| char::from(b).to_digit(16).and_then(|d| u8::try_from(d).ok());
                let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
                bytes.push(high << 4 | low);
            }
            _ if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') => bytes.push(byte),
            _ => return None,
        }
    }
    // One name, one token.
    String::from_utf8(bytes).ok().filter(|name| !name.is_empty() && self::token(name) == token)
}

/// Whether a text is an epoch: 16 lower-case hex digits. It names one unbroken numbering of a board's events.
pub fn is_epoch(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Random lower-case hex, `bytes` bytes of it: epochs (8) and orders' keys (16).
///
/// # Panics
/// When the system has no randomness.
pub fn random(bytes: usize) -> String {
    let mut drawn = vec![0; bytes];
    getrandom::fill(&mut drawn).expect("the kernel gives randomness");
    drawn.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Who may read a board's subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Everybody: public events, which may come twice after a connection was lost; epoch and number tell.
    Public,
    /// Arbiters and halls: everything.
    Arbiter,
}

impl Kind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Public, Self::Arbiter];

    /// The last word of its subject.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Arbiter => "arbiter",
        }
    }
}

/// The names of one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    event: String,
}

impl Names {
    /// The names of `event`, a [plain](flagfall_config::nats::plain) word.
    pub fn new(event: &str) -> Self {
        Self { event: String::from(event) }
    }

    /// The event.
    pub fn event(&self) -> &str {
        &self.event
    }

    /// The stream of all events of all boards.
    pub fn stream(&self) -> String {
        format!("flagfall-v1-{}", self.event)
    }

    /// The subjects of the stream.
    pub fn stream_subjects(&self) -> Vec<String> {
        vec![format!("flagfall.v1.{}.*.{}", self.event, Kind::Arbiter.word())]
    }

    /// Everything of the stream, for a consumer.
    pub fn all(&self) -> String {
        format!("flagfall.v1.{}.>", self.event)
    }

    /// Where a board's events of one kind go.
    pub fn subject(&self, board: &str, kind: Kind) -> String {
        format!("flagfall.v1.{}.{}.{}", self.event, token(board), kind.word())
    }

    /// Where a board takes orders.
    pub fn order(&self, board: &str) -> String {
        format!("flagfall.v1.{}.{}.order", self.event, token(board))
    }

    /// Where a Pi asks a hall for the game of its board; for a hall that listens, `*` as the board's token.
    pub fn game(&self, token: &str) -> String {
        format!("flagfall.v1.{}.{token}.game", self.event)
    }

    /// Where a Pi is answered which game it is; N is one question's word, or `*`.
    pub fn answer(&self, token: &str, n: &str) -> String {
        format!("flagfall.v1.{}.{token}.answer.{n}", self.event)
    }

    /// Whether it is such a subject: answers go to machines and nowhere else, for whoever asks names the subject.
    pub fn is_answer(&self, subject: &str) -> bool {
        let mut words = subject.split('.').rev();
        matches!((words.next(), words.next(), words.next()), (Some(n), Some("answer"), Some(pi)) if self.answer(pi, n) == subject)
    }

    /// The bucket that says which Pis are there.
    pub fn presence(&self) -> String {
        format!("flagfall-v1-{}-presence", self.event)
    }

    /// The bucket of orders that wait.
    pub fn orders(&self) -> String {
        format!("flagfall-v1-{}-orders", self.event)
    }

    /// The bucket of the lease.
    pub fn lease(&self) -> String {
        format!("flagfall-v1-{}-lease", self.event)
    }

    /// The bucket of pairings and the event.
    pub fn settings(&self) -> String {
        format!("flagfall-v1-{}-settings", self.event)
    }
}

/// The stream behind a bucket.
pub fn bucket_stream(bucket: &str) -> String {
    format!("KV_{bucket}")
}

/// The subject of a bucket's key.
pub fn bucket_subject(bucket: &str, key: &str) -> String {
    format!("$KV.{bucket}.{key}")
}

/// Board and kind of a subject of the stream; `None` for any other.
pub fn board_of(subject: &str) -> Option<(String, Kind)> {
    let mut words = subject.split('.');
    if (words.next(), words.next()) != (Some("flagfall"), Some("v1")) {
        return None;
    }
    let (_event, board, kind) = (words.next()?, words.next()?, words.next()?);
    let kind = Kind::ALL.into_iter().find(|k| k.word() == kind).filter(|_| words.next().is_none())?;
    Some((name(board)?, kind))
}

/// `BOARD/EPOCH/SEQ`.
pub fn msg_id(board: &str, epoch: &str, seq: u64) -> String {
    format!("{}/{epoch}/{seq}", token(board))
}

/// The key of an order that waits: `BOARD.KEY`.
pub fn order_key(board: &str, key: &str) -> String {
    format!("{}.{key}", token(board))
}

/// How a Pi's journals are doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Journals {
    /// Every event is on disk.
    Ok,
    /// Events are not reaching the disk.
    Failing,
    /// Nothing is recorded.
    Off,
}

/// A Pi says that it is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Its name.
    pub pi: String,
    /// Its flagfall.
    pub version: String,
    /// Since when it runs.
    pub started_at: Wall,
    /// Now; its own clock.
    pub at: Wall,
    /// Its boards.
    #[serde(default)]
    pub boards: Vec<BoardPresence>,
    /// Its journals.
    pub journal: Journals,
    /// Events of all its boards that the stream has not acknowledged yet.
    #[serde(default)]
    pub behind: u64,
    /// The key that signs its journals, hex.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub key: Option<String>,
    /// Its processor, degrees Celsius.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub temperature_c: Option<f64>,
}

/// One board of a [`Presence`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardPresence {
    /// The board's name.
    pub board: String,
    /// Its numbering.
    pub epoch: String,
    /// Its last event.
    pub seq: u64,
    /// Whether it answers.
    pub link: LinkState,
    /// The serial number that it told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub serial: Option<String>,
    /// The last event that the stream has acknowledged.
    pub sent_seq: u64,
    /// The newest checkpoint of its journal, as a signed note.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub checkpoint: Option<String>,
    /// What shows that it goes on from what the hall has seen last.
    #[serde(rename = "proof", skip_serializing_if = "Option::is_none", default)]
    pub way: Option<Way>,
    /// Why its events do not go out, where that is its own matter.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trouble: Option<String>,
    /// Another table's board is on its cable, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exchanged: Option<String>,
}

/// What shows that a journal goes on from its first lines (RFC 9162, 2.1.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// How many these are.
    pub from: u64,
    /// Base64.
    pub hashes: Vec<String>,
}

/// What a hall asks a board to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// Unique; makes a repeat harmless. 1 to 64 letters, digits, `-` and `_`.
    pub key: String,
    /// When it was sent, the hall's clock; for people.
    pub sent_at: Wall,
    /// What to do, with who says so.
    pub entry: Entry,
}

/// What a hall asks before it gives an order: what would this do now? It has no key, since nothing is carried out, and goes where orders go; a machine
/// that does not know it refuses it as no order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// What would be entered.
    pub preview: Entry,
}

/// What a hall asks about a board beside orders: its journal's films and reports, and that somebody goes there. It goes where orders go, and has no key:
/// it changes no game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inquiry {
    /// What.
    pub ask: Question,
}

/// What a Pi answers; an order only after the order is in its journal, or will never be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It is journaled and carried out.
    Taken {
        /// The board's newest event when it was.
        seq: u64,
        /// Plies that it recovered.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        recovered: Vec<Recovered>,
    },
    /// It is not carried out.
    Refused {
        /// Why.
        reason: String,
        /// What to do.
        #[serde(default)]
        hint: String,
        /// What its author had not seen, where that is why.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        meanwhile: Vec<Happened>,
    },
    /// What it would do; nothing was changed.
    Previewed(Box<Preview>),
    /// What the board's machine says to an [`Inquiry`].
    Told(Box<Reply>),
    /// Nothing was decided: the board is busy or the Pi is about to end. Send the same order again.
    Later {
        /// Why.
        reason: String,
    },
}

/// A Pi that knows no game of its board asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameAsked {
    /// The number of the board's last message in the stream: who answers has taken that.
    pub number: u64,
    /// The machine that asks, by its token.
    #[serde(default)]
    pub pi: String,
}

/// What a hall answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameAnswer {
    /// The board has no game in the stream.
    None {},
    /// This entry takes it over.
    Game(Box<Entry>),
    /// That machine is there and serves the board: it alone publishes it.
    Served {
        /// Its name.
        by: String,
    },
    /// The stream is not read so far yet. Ask again.
    Later {},
}

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderState {
    /// The Pi is away.
    Waiting,
    /// It was sent and not answered yet.
    Sent,
    /// The Pi has journaled it.
    Journaled,
    /// The Pi refused it.
    Refused,
    /// It was taken back before it was sent.
    Withdrawn,
}

/// An order in the bucket of those that wait; written by halls only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitingOrder {
    /// The board's name.
    pub board: String,
    /// The order's key.
    pub key: String,
    /// What to do.
    pub entry: Entry,
    /// When it was given.
    pub at: Wall,
    /// Where it stands.
    pub state: OrderState,
    /// The event with which it was journaled.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seq: Option<u64>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// What its author had not seen, where that is why.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub meanwhile: Vec<Happened>,
    /// Plies that it recovered.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub recovered: Vec<Recovered>,
}

/// Which hall speaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The hall's name.
    pub hall: String,
    /// Since when it speaks.
    pub since: Wall,
    /// When it last said so, its own clock.
    pub at: Wall,
}

/// A pairing list, what the event is called, or what a hall has seen of a board's journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Who changed it.
    pub who: String,
    /// When, that host's clock.
    pub at: Wall,
    /// A pairing list as a file has it (PGN or CSV); the `[event]` section of a configuration for the key `event`; a signed note of a checkpoint.
    pub text: String,
    /// Which machine showed it to the hall, by its name; only of checkpoints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pi: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_name_has_a_token_of_its_own_and_comes_back() {
        for (board, word) in
            [("1", "1"), ("Tisch 7", "Tisch=207"), ("a.b", "a=2Eb"), ("*", "=2A"), ("a=20", "a=3D20"), ("Ж", "=D0=96"), (">", "=3E")]
        {
            assert_eq!(token(board), word);
            assert_eq!(name(word).as_deref(), Some(board));
        }
        for wrong in ["", "a.b", "a=2", "a=zz", "=ff", "=2e", "a b", "=41"] {
            assert_eq!(name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn subjects_say_whose_events_they_are() {
        let names = Names::new("open-2026");
        assert_eq!(names.subject("Tisch 7", Kind::Public), "flagfall.v1.open-2026.Tisch=207.public");
        assert_eq!(board_of("flagfall.v1.open-2026.Tisch=207.arbiter"), Some((String::from("Tisch 7"), Kind::Arbiter)));
        for other in [
            names.order("1"),
            String::from("flagfall.v1.open-2026.1"),
            String::from("x.v1.e.1.public"),
            String::from("flagfall.v1.e.1.public.x"),
        ] {
            assert_eq!(board_of(&other), None, "{other}");
        }
        assert_eq!(names.stream_subjects(), ["flagfall.v1.open-2026.*.arbiter"]);
    }

    #[test]
    fn epochs_are_hex() {
        assert!(is_epoch(&random(8)) && random(8) != random(8));
        assert!(!is_epoch("0123") && !is_epoch("0123456789ABCDEF"));
    }

    #[test]
    fn what_goes_over_the_wire_is_as_agreed() {
        assert_eq!(serde_json::to_value(Answer::Taken { seq: 7, recovered: Vec::new() }).unwrap(), json!({"taken": {"seq": 7}}));
        let refused: Answer = serde_json::from_value(json!({"refused": {"reason": "why", "hint": "do", "more": 1}})).unwrap();
        assert_eq!(refused, Answer::Refused { reason: String::from("why"), hint: String::from("do"), meanwhile: Vec::new() });
        let text = json!({"key": "k1", "sent_at": "2026-11-21T15:00:00Z", "entry": {"do": "rule", "finding": 3, "decision": "confirm", "who": "A", "after": 41}});
        let order: Order = serde_json::from_value(text).unwrap();
        assert_eq!((order.entry.who.as_deref(), order.entry.after, &order.entry.order_key), (Some("A"), Some(41), &None));
        let at = Wall::EPOCH;
        let presence = json!({"pi": "p", "version": "1", "started_at": at, "at": at, "journal": "ok", "behind": 3,
            "boards": [{"board": "1", "epoch": "00112233aabbccdd", "seq": 9, "link": "up", "sent_seq": 6}]});
        let read: Presence = serde_json::from_value(presence.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), presence);
    }
}
