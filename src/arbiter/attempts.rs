//! How often a password may be tried: a few times at once, then ever more slowly, for each address and for each name.
//!
//! Knows no clock: the time is an argument.
use crate::publish::web::places::network;
use crate::time::Mono;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::net::IpAddr;

/// So many wrong passwords cost nothing but the time they take.
const FREE: u32 = 5;
/// The longest wait after another one from this address, milliseconds.
const LONGEST_ADDRESS: u64 = 60_000;
/// The same for this name: shorter, so that nobody can keep an arbiter out by guessing at the name.
const LONGEST_NAME: u64 = 10_000;
/// Forgotten after this long without another one, milliseconds.
const MEMORY: u64 = 15 * 60_000;
/// Addresses and names remembered at most, each.
const MOST: usize = 4096;
/// Checked at once from one address.
const AT_ONCE: u32 = 2;

#[derive(Clone, Copy, Debug, Default)]
struct Failures {
    count: u32,
    last: Mono,
    until: Mono,
}

/// Wrong passwords that are remembered.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    addresses: HashMap<IpAddr, Failures>,
    names: HashMap<String, Failures>,
    /// From where names have come in before: guesses from elsewhere do not keep them waiting.
    known: HashSet<(String, IpAddr)>,
    running: HashMap<IpAddr, u32>,
}

/// Why a password is not even looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slower {
    /// Milliseconds to wait.
    Wait(u64),
    /// This address has others on the way.
    OneByOne,
}

impl Attempts {
    /// Whether a password may be tried now; if so, it counts as running until [`Attempts::ended`].
    pub(super) fn begin(&mut self, address: IpAddr, name: &str, now: Mono) -> Result<(), Slower> {
        let network = network(address);
        let of_name = self.names.get(name).filter(|_| !self.known.contains(&(String::from(name), network)));
        let until = [self.addresses.get(&network), of_name].into_iter().flatten().map(|failures| failures.until).max();
        if let Some(until) = until.filter(|until| *until > now) {
            return Err(Slower::Wait(until.since(now)));
        }
        let running = self.running.entry(network).or_default();
        if *running >= AT_ONCE {
            return Err(Slower::OneByOne);
        }
        *running += 1;
        Ok(())
    }

    /// A password was tried. `Some`: whether it was right; `None`: it was not looked at after all.
    pub(super) fn ended(&mut self, address: IpAddr, name: &str, right: Option<bool>, now: Mono) {
        let network = network(address);
        if let Some(running) = self.running.get_mut(&network) {
            *running = running.saturating_sub(1);
            if *running == 0 {
                self.running.remove(&network);
            }
        }
        match right {
            None => {}
            Some(true) => {
                self.addresses.remove(&network);
                self.names.remove(name);
                if self.known.len() >= MOST {
                    self.known.clear();
                }
                self.known.insert((String::from(name), network));
            }
            Some(false) => {
                count(&mut self.addresses, network, LONGEST_ADDRESS, now);
                count(&mut self.names, String::from(name), LONGEST_NAME, now);
            }
        }
    }
}

fn count<K: Eq + Hash + Clone>(all: &mut HashMap<K, Failures>, key: K, longest: u64, now: Mono) {
    if all.len() >= MOST && !all.contains_key(&key) {
        all.retain(|_, failures| now.since(failures.last) < MEMORY);
        // Still full: whoever is least of a burden is forgotten.
        if all.len() >= MOST
            && let Some(least) = all.iter().min_by_key(|(_, failures)| failures.until).map(|(key, _)| key.clone())
        {
            all.remove(&least);
        }
    }
    let failures = all.entry(key).or_default();
    if now.since(failures.last) >= MEMORY {
        failures.count = 0;
    }
    failures.count = failures.count.saturating_add(1);
    failures.last = now;
    let doubled = failures.count.checked_sub(FREE).map_or(0, |over| 1000_u64.checked_shl(over).unwrap_or(u64::MAX).min(longest));
    failures.until = now + doubled;
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    /// Guesses wrong as soon as it may; how many guesses are made in `ms`.
    fn guesses(attempts: &mut Attempts, address: IpAddr, name: impl Fn(u32) -> String, ms: u64) -> u32 {
        let (mut now, mut made) = (0, 0);
        while now < ms {
            match attempts.begin(address, &name(made), Mono::from_millis(now)) {
                Ok(()) => {
                    attempts.ended(address, &name(made), Some(false), Mono::from_millis(now));
                    made += 1;
                }
                Err(Slower::Wait(wait)) => now += wait,
                Err(Slower::OneByOne) => panic!("none is running"),
            }
        }
        made
    }

    #[test]
    fn an_address_that_guesses_gets_some_seventy_guesses_an_hour() {
        let same = guesses(&mut Attempts::default(), HERE, |_| String::from("Olga"), 3_600_000);
        let others = guesses(&mut Attempts::default(), HERE, |n| n.to_string(), 3_600_000);
        assert!((60..80).contains(&same), "{same}");
        assert!((60..80).contains(&others), "{others}");
    }

    #[test]
    fn many_addresses_that_guess_at_one_name_are_slowed_down_together() {
        let mut attempts = Attempts::default();
        let mut made = 0;
        for n in 0..1000_u32 {
            let address = IpAddr::from([10, 0, (n / 250) as u8, (n % 250) as u8]);
            if attempts.begin(address, "Olga", Mono::from_millis(1000)).is_ok() {
                attempts.ended(address, "Olga", Some(false), Mono::from_millis(1000));
                made += 1;
            }
        }
        assert_eq!(made, FREE);
    }

    #[test]
    fn guesses_from_elsewhere_do_not_keep_out_who_was_here_before() {
        let mut attempts = Attempts::default();
        attempts.begin(HERE, "Olga", Mono::ZERO).unwrap();
        attempts.ended(HERE, "Olga", Some(true), Mono::ZERO);
        guesses(&mut attempts, THERE, |_| String::from("Olga"), 10_000);
        assert_eq!(attempts.begin(HERE, "Olga", Mono::from_millis(10_000)), Ok(()));
        assert!(attempts.begin(THERE, "Olga", Mono::from_millis(10_000)).is_err());
    }

    #[test]
    fn the_right_password_and_a_quarter_of_an_hour_make_it_good() {
        let mut attempts = Attempts::default();
        guesses(&mut attempts, HERE, |_| String::from("a"), 60_000);
        let later = Mono::from_millis(60_000 + 2 * LONGEST_ADDRESS);
        attempts.begin(HERE, "a", later).unwrap();
        attempts.ended(HERE, "a", Some(true), later);
        assert_eq!(attempts.begin(HERE, "a", later), Ok(()));
        attempts.ended(HERE, "a", Some(false), later);
        assert_eq!(attempts.begin(HERE, "a", later), Ok(()), "the count began anew");
    }

    #[test]
    fn an_address_has_two_on_the_way_at_most() {
        let mut attempts = Attempts::default();
        let begin = |attempts: &mut Attempts| attempts.begin(HERE, "a", Mono::ZERO);
        assert_eq!((begin(&mut attempts), begin(&mut attempts), begin(&mut attempts)), (Ok(()), Ok(()), Err(Slower::OneByOne)));
        attempts.ended(HERE, "a", None, Mono::ZERO);
        assert_eq!(begin(&mut attempts), Ok(()));
    }

    #[test]
    fn neighbours_in_one_network_of_the_sixth_version_are_one() {
        let [a, b]: [IpAddr; 2] = ["2001:db8::1".parse().unwrap(), "2001:db8::ffff:2".parse().unwrap()];
        assert_eq!(network(a), network(b));
        assert_ne!(network("2001:db8:0:1::1".parse().unwrap()), network(a));
        assert_eq!(network("::ffff:192.0.2.1".parse().unwrap()), HERE);
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut attempts = Attempts::default();
        for n in 0..MOST as u32 + 100 {
            let address = IpAddr::from(n.to_be_bytes());
            attempts.begin(address, &n.to_string(), Mono::ZERO).unwrap();
            attempts.ended(address, &n.to_string(), Some(false), Mono::ZERO);
        }
        assert_eq!((attempts.addresses.len(), attempts.names.len(), attempts.running.len()), (MOST, MOST, 0));
    }
}
