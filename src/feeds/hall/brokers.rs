//! Which servers of the broker answer and keep up. The hall's own connection tells of one of them; that another one is lost would be noticed only when
//! the next one fails.
//!
//! Two ways, for neither alone sees everything: each configured server is asked who it is, which needs no account and finds one that is off, hangs or
//! cannot be reached from here; and the cluster says of its stream's copies which are offline or behind, which finds one that answers but stands apart
//! from the others, or that the configuration does not name.
use super::house::{House, ServerLabel};
use crate::nats::reach;
use async_nats::jetstream::stream::Info;
use futures_util::future;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// Between the beginnings of two looks, and as long as one takes at most: two are far less than ten seconds.
const EVERY: Duration = Duration::from_secs(2);
/// The cluster may take so long to tell; asked of a server that hangs it would hold up what the others said.
const TELLING: Duration = Duration::from_millis(1_500);
/// Looks in which a server does not answer until it is away: one lost packet is nobody's alarm.
const SILENT: u32 = 2;
/// Looks in which the cluster says so until a server stands apart: a copy is behind for a moment whenever much is written.
const APART: u32 = 3;

/// A server that the configuration names.
#[derive(Debug)]
struct Server {
    address: String,
    /// Once it has answered.
    name: Option<String>,
    /// Looks in a row in which it did not answer.
    silent: u32,
    /// Why, the first time: a text that changes would ring again.
    why: String,
}

/// What the cluster says of one server's copy of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Copy {
    name: String,
    /// The others do not hear it.
    offline: bool,
    /// It has what the others have.
    current: bool,
}

/// All servers, as far as they are known.
#[derive(Debug)]
struct Brokers {
    servers: Vec<Server>,
    /// Looks in a row in which the cluster said that a server stands apart, and how, by the server's name.
    apart: BTreeMap<String, (u32, &'static str)>,
    /// On how many servers the streams are kept.
    replicas: u8,
}

/// What was said at the last look.
#[derive(Default)]
struct Shown {
    all: Vec<String>,
    /// The alarms.
    wrong: BTreeMap<String, String>,
}

/// Watches them for ever.
pub(super) async fn look(house: Arc<House>) {
    let mut brokers = Brokers::new(&house.nats.servers, house.nats.replicas);
    let mut shown = Shown::default();
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        ticks.tick().await;
        let asked = future::join_all(house.nats.servers.iter().map(|server| reach::ask(server)));
        let (answers, copies) = tokio::join!(asked, timeout(TELLING, copies(&house)));
        brokers.answered(answers.into_iter().map(|answer| answer.map(|answered| answered.name)));
        if let Ok(Some(copies)) = copies {
            brokers.told(&copies);
        }
        show(&house, &brokers, &mut shown);
    }
}

/// What the cluster says; `None`: nobody says anything now.
async fn copies(house: &House) -> Option<Vec<Copy>> {
    let jetstream = house.broker.borrow().as_ref().map(|broker| broker.jetstream.clone())?;
    let stream = jetstream.get_stream(house.names.stream()).await.ok()?;
    Some(of_info(stream.cached_info()))
}

fn of_info(info: &Info) -> Vec<Copy> {
    let Some(cluster) = &info.cluster else { return Vec::new() };
    let leader = cluster.leader.iter().map(|name| Copy { name: name.clone(), offline: false, current: true });
    let others = cluster.replicas.iter().map(|peer| Copy { name: peer.name.clone(), offline: peer.offline, current: peer.current });
    leader.chain(others).collect()
}

/// Figures, the hall's state, and the alarms that changed.
fn show(house: &House, brokers: &Brokers, shown: &mut Shown) {
    let wrong = brokers.wrong();
    let all = brokers.all();
    let up = all.iter().filter(|server| !wrong.contains_key(*server)).count();
    let label = |server: &String| ServerLabel { server: server.clone() };
    for server in &all {
        house.figures.broker_up.get_or_create(&label(server)).set(i64::from(!wrong.contains_key(server)));
    }
    for gone in shown.all.iter().filter(|server| !all.contains(*server)) {
        house.figures.broker_up.remove(&label(gone));
    }
    house.figures.brokers.set(i64::try_from(all.len()).unwrap_or(i64::MAX));
    house.figures.brokers_up.set(i64::try_from(up).unwrap_or(i64::MAX));
    house.state.change(|health| (health.brokers, health.brokers_up) = (all.len(), up));
    shown.all = all;
    // One server alone, or all of them: that is `broker-lost`, or this hall's own network.
    if up == 0 {
        return;
    }
    for server in shown.wrong.keys().filter(|server| !wrong.contains_key(*server)) {
        tracing::warn!("broker: {server} is back");
        house.hub().alarm("broker-away", server, None);
    }
    for (server, why) in &wrong {
        if !shown.wrong.contains_key(server) {
            tracing::warn!("broker: {server}: {why}");
        }
        house.hub().alarm("broker-away", server, Some(format!("{why}. {}", brokers.left(up))));
    }
    shown.wrong = wrong;
}

impl Brokers {
    fn new(addresses: &[String], replicas: u8) -> Self {
        let server = |address: &String| Server { address: address.clone(), name: None, silent: 0, why: String::new() };
        Self { servers: addresses.iter().map(server).collect(), apart: BTreeMap::new(), replicas }
    }

    /// Each configured server, in order, said its name or did not answer.
    fn answered(&mut self, answers: impl Iterator<Item = Result<String, String>>) {
        for (server, answer) in self.servers.iter_mut().zip(answers) {
            match answer {
                Ok(name) => (server.silent, server.name) = (0, Some(name)),
                Err(why) => {
                    if server.silent == 0 {
                        server.why = why;
                    }
                    server.silent = server.silent.saturating_add(1);
                }
            }
        }
    }

    /// What the cluster says of all copies.
    fn told(&mut self, copies: &[Copy]) {
        let before = std::mem::take(&mut self.apart);
        for copy in copies {
            let looks = before.get(&copy.name).map_or(0, |(looks, _)| *looks);
            let (looks, how) = match (copy.offline, copy.current) {
                (true, _) => (looks.saturating_add(1), "is not heard by the other servers"),
                (false, false) => (looks.saturating_add(1), "answers, but its copy of the stream does not keep up"),
                (false, true) => (0, ""),
            };
            self.apart.insert(copy.name.clone(), (looks, how));
        }
    }

    /// The names of servers that the configuration does not have. One that never answered here has said no name: a name more is taken for its own.
    fn others(&self) -> impl Iterator<Item = &String> {
        let nameless = self.servers.iter().filter(|server| server.name.is_none()).count();
        self.apart.keys().filter(|name| self.servers.iter().all(|server| server.name.as_ref() != Some(*name))).skip(nameless)
    }

    /// All of them: by address, else by name.
    fn all(&self) -> Vec<String> {
        self.servers.iter().map(|server| server.address.clone()).chain(self.others().cloned()).collect()
    }

    fn apart(&self, name: &str) -> Option<&'static str> {
        self.apart.get(name).filter(|(looks, _)| *looks >= APART).map(|(_, how)| *how)
    }

    /// Which of them do not do their work, and why.
    fn wrong(&self) -> BTreeMap<String, String> {
        let named = self.servers.iter().filter_map(|server| {
            let name = server.name.as_deref();
            let who = name.map_or_else(|| server.address.clone(), |name| format!("{name} at {}", server.address));
            let why = if server.silent >= SILENT {
                Some(format!("does not answer: {}", server.why))
            } else {
                name.and_then(|name| self.apart(name)).map(String::from)
            };
            Some((server.address.clone(), format!("{who} {}", why?)))
        });
        let others = self.others().filter_map(|name| Some((name.clone(), format!("{name} {}", self.apart(name)?))));
        named.chain(others).collect()
    }

    /// What the servers that are left can do.
    fn left(&self, up: usize) -> String {
        let all = self.all().len();
        let left = format!("{up} of {all} servers are left");
        if self.replicas < 2 {
            return format!(
                "{left}; the streams are kept on one server only, and if it is this one, Pis keep their events until it is back"
            );
        }
        match up.checked_sub(usize::from(self.replicas / 2 + 1)) {
            Some(0) => format!("{left}, and they do all its work; one more may not fail"),
            Some(_) => format!("{left}, and they do all its work"),
            None => {
                format!("{left}: too few to store anything. Pis keep their events in their journals and send them when another one is back")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brokers(addresses: &[&str]) -> Brokers {
        Brokers::new(&addresses.iter().map(|address| String::from(*address)).collect::<Vec<_>>(), 3)
    }

    fn copy(name: &str, offline: bool, current: bool) -> Copy {
        Copy { name: String::from(name), offline, current }
    }

    fn answers(names: [Option<&str>; 3]) -> impl Iterator<Item = Result<String, String>> {
        names.into_iter().map(|name| name.map(String::from).ok_or_else(|| String::from("refused")))
    }

    const FINE: [Option<&str>; 3] = [Some("n1"), Some("n2"), Some("n3")];

    #[test]
    fn a_server_that_does_not_answer_twice_is_away_until_it_answers() {
        let mut brokers = brokers(&["a", "b", "c"]);
        brokers.answered(answers(FINE));
        assert!(brokers.wrong().is_empty());
        brokers.answered(answers([Some("n1"), None, Some("n3")]));
        assert!(brokers.wrong().is_empty(), "once is nothing");
        brokers.answered(answers([Some("n1"), None, Some("n3")]));
        assert_eq!(brokers.wrong().into_iter().collect::<Vec<_>>(), [("b".into(), "n2 at b does not answer: refused".into())]);
        assert_eq!(brokers.left(2), "2 of 3 servers are left, and they do all its work; one more may not fail");
        assert!(brokers.left(1).contains("too few"));
        brokers.answered(answers(FINE));
        assert!(brokers.wrong().is_empty());
    }

    #[test]
    fn the_cluster_tells_of_one_that_answers_and_stands_apart_and_of_one_that_is_not_configured() {
        let mut brokers = brokers(&["a", "b", "c"]);
        brokers.answered(answers(FINE));
        for look in 0..APART {
            assert!(brokers.wrong().is_empty(), "{look}");
            brokers.told(&[copy("n1", false, true), copy("n2", false, false), copy("n3", false, true), copy("n4", true, false)]);
        }
        let wrong = brokers.wrong();
        assert_eq!(wrong.keys().collect::<Vec<_>>(), ["b", "n4"]);
        assert!(wrong["b"].contains("does not keep up") && wrong["n4"].contains("not heard"), "{wrong:?}");
        assert_eq!(brokers.all().len(), 4);
        brokers.told(&[copy("n1", false, true), copy("n2", false, true), copy("n3", false, true)]);
        assert!(brokers.wrong().is_empty());
        assert_eq!(brokers.all(), ["a", "b", "c"]);
    }

    #[test]
    fn one_that_was_dead_from_the_start_is_one_server_whatever_the_cluster_calls_it() {
        let mut brokers = brokers(&["a", "b", "c"]);
        for _ in 0..APART {
            brokers.answered(answers([None, Some("n2"), Some("n3")]));
            brokers.told(&[copy("n2", false, true), copy("n1", true, false), copy("n3", false, true)]);
        }
        assert_eq!(brokers.all(), ["a", "b", "c"]);
        assert_eq!(brokers.wrong().into_iter().collect::<Vec<_>>(), [("a".into(), "a does not answer: refused".into())]);
    }
}
