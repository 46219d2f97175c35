//! The line before the door, in simulated time.
use super::*;
use std::net::Ipv4Addr;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
const THERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));
const TABLET: Device = [7; 32];
/// A check, and the rest after a wrong one, milliseconds.
const CHECK: u64 = 150;
/// Nobody waits longer in line, milliseconds; what `login` grants.
const PATIENCE: u64 = 10_000;

fn at(ms: u64) -> Mono {
    Mono::from_millis(ms)
}

fn who(name: &str, address: IpAddr) -> Try {
    Try { name: String::from(name), address, device: None }
}

/// A door with a clock. Whoever is let in is done after [`CHECK`].
#[derive(Default)]
struct Door {
    attempts: Attempts,
    now: u64,
    busy: Vec<(u64, Ticket)>,
    right: HashSet<Ticket>,
    /// Who was looked at, and when.
    done: HashMap<Ticket, u64>,
}

impl Door {
    fn come(&mut self, who: Try, right: bool) -> Option<Ticket> {
        let ticket = self.attempts.join(who, at(self.now)).ok()?.0;
        if right {
            self.right.insert(ticket);
        }
        Some(ticket)
    }

    /// Lets `ms` pass.
    fn pass(&mut self, ms: u64) {
        let end = self.now + ms;
        while self.now < end {
            self.now += 10;
            let (ended, busy) = self.busy.iter().partition(|(until, _)| *until <= self.now);
            self.busy = busy;
            let ended: Vec<(u64, Ticket)> = ended;
            for (_, ticket) in ended {
                self.done.insert(ticket, self.now);
                self.attempts.gone(ticket, Some(self.right.contains(&ticket)), at(self.now));
            }
            while let Next::Now(ticket) = self.attempts.next(at(self.now)) {
                self.busy.push((self.now + CHECK, ticket));
            }
            assert!(self.busy.len() <= AT_ONCE);
        }
    }

    /// Comes in, if that is possible within anybody's patience; after how long.
    fn enter(&mut self, who: Try) -> Option<u64> {
        let (came, ticket) = (self.now, self.come(who, true)?);
        while self.now - came < PATIENCE {
            self.pass(10);
            if let Some(done) = self.done.get(&ticket) {
                return Some(done - came);
            }
        }
        self.attempts.gone(ticket, None, at(self.now));
        None
    }
}

#[test]
fn a_wrong_guess_a_minute_behind_the_same_address_keeps_nobody_out() {
    let mut door = Door::default();
    let mut came_in = 0;
    for minute in 0..34 {
        door.come(who("Olga", HERE), false).unwrap();
        door.pass(if minute % 2 == 0 { 200 } else { 30_000 });
        // She comes anew each time, on a device that nobody knows; so does somebody else.
        door.attempts.known.clear();
        came_in += u32::from(door.enter(who("Olga", HERE)).is_some() && door.enter(who("Boris", HERE)).is_some());
        door.attempts.known.clear();
        door.attempts.pairs.entry((HERE, String::from("Olga"))).or_default().count += 10;
        door.pass(29_000);
    }
    assert_eq!(came_in, 34);
}

#[test]
fn a_thousand_guesses_a_second_from_fifty_addresses_keep_nobody_waiting_long() {
    let guesser = |n: u64| IpAddr::from([10, 0, 0, (n % 50) as u8]);
    for name in ["Olga", "somebody"] {
        let mut door = Door::default();
        // She was here before, or has her tablet with her; or she comes for the first time.
        door.come(who("Known", HERE), true).unwrap();
        door.pass(1_000);
        let mut longest = [0; 3];
        for second in 0..60_u64 {
            for n in 0..100 {
                // Ten at once, each time they can.
                (0..10).for_each(|m| {
                    _ = door.come(who(if name == "Olga" { ["Olga", "Known"][n % 2] } else { name }, guesser(n as u64 * 10 + m)), false)
                });
                door.pass(10);
            }
            let device = Try { device: Some(TABLET), ..who("Olga", IpAddr::from([10, 8, 0, second as u8])) };
            let fresh = IpAddr::from([10, 9, 0, second as u8]);
            for (kind, who) in [who("Known", HERE), device, who("Olga", fresh)].into_iter().enumerate() {
                let ticket = door.come(who, true).unwrap_or_else(|| panic!("no place for {kind} in second {second}"));
                let came = door.now;
                while !door.done.contains_key(&ticket) {
                    (0..10).for_each(|m| _ = door.come(self::who(name, guesser(m)), false));
                    door.pass(10);
                    assert!(door.now - came < PATIENCE, "{kind} waits for ever");
                }
                longest[kind] = longest[kind].max(door.now - came);
            }
        }
        assert!(longest[0] <= 1_200 && longest[1] <= 400 && longest[2] <= 3_000, "{name}: {longest:?} ms");
    }
}

#[test]
fn guesses_at_one_name_stay_slow_however_many_addresses_there_are() {
    let mut door = Door::default();
    let mut guesses = Vec::new();
    for n in 0..90_000_u32 {
        let address = IpAddr::from([10, (n >> 16) as u8, (n >> 8) as u8, n as u8]);
        guesses.extend(door.come(who("Olga", address), false));
        door.pass(10);
    }
    let looked_at = guesses.iter().filter(|ticket| door.done.contains_key(ticket)).count();
    assert!((250..500).contains(&looked_at), "{looked_at} guesses in a quarter of an hour");
}

#[test]
fn a_device_that_guesses_is_no_longer_known() {
    let mut door = Door::default();
    let tablet = || Try { device: Some(TABLET), ..who("Olga", THERE) };
    for _ in 0..DEVICE_TRIES {
        let ticket = door.come(tablet(), false).unwrap();
        assert!(door.attempts.is_known(ticket));
        door.pass(200);
    }
    let ticket = door.come(tablet(), false).unwrap();
    assert!(!door.attempts.is_known(ticket));
    door.pass(200);
    door.enter(tablet()).unwrap();
    let ticket = door.come(tablet(), true).unwrap();
    assert!(door.attempts.is_known(ticket), "by its address");
}

#[test]
fn lines_are_short_and_each_address_has_its_own() {
    let mut attempts = Attempts::default();
    for _ in 0..IN_LINE {
        attempts.join(who("a", HERE), Mono::ZERO).unwrap();
    }
    assert_eq!(attempts.join(who("b", HERE), Mono::ZERO), Err(Crowded));
    attempts.join(who("a", THERE), Mono::ZERO).unwrap();
    // One stranger is at the door at a time, and who tried less often is there first.
    let Next::Now(first) = attempts.next(Mono::ZERO) else { panic!("nobody is let in") };
    assert_eq!((first, attempts.next(Mono::ZERO)), (IN_LINE as u64, Next::Nobody));
    attempts.gone(first, Some(false), Mono::ZERO);
    assert_eq!(attempts.next(Mono::ZERO), Next::Now(0));
}

#[test]
fn neighbours_in_one_network_of_the_sixth_version_are_one() {
    let [a, b]: [IpAddr; 2] = ["2001:db8::1".parse().unwrap(), "2001:db8::ffff:2".parse().unwrap()];
    assert_eq!(network(a), network(b));
    assert_ne!(network("2001:db8:0:1::1".parse().unwrap()), network(a));
    assert_eq!(network("::ffff:192.0.2.1".parse().unwrap()), HERE);
}

#[test]
fn what_is_remembered_is_bounded_and_who_tried_most_makes_room() {
    let mut attempts = Attempts::default();
    let address = |n: u32| IpAddr::from((10 << 24 | n).to_be_bytes());
    for n in 0..MOST as u32 + 100 {
        attempts.join(who(&n.to_string(), address(n)), Mono::ZERO).unwrap();
        let Next::Now(ticket) = attempts.next(Mono::ZERO) else { panic!("nobody is let in") };
        attempts.gone(ticket, Some(false), Mono::ZERO);
    }
    assert!([attempts.pairs.len(), attempts.names.len(), attempts.addresses.len()].iter().all(|len| (MOST / 4..=MOST).contains(len)));
    // All lines are full of those who tried; who never did gets a place, and one of them goes.
    let (first, last) = (MOST as u32, MOST as u32 + IN_ALL_LINES as u32);
    let full: Vec<Ticket> = (first..last).map(|n| attempts.join(who("x", address(n)), Mono::ZERO).unwrap().0).collect();
    assert_eq!(attempts.join(who("x", address(first)), Mono::ZERO), Err(Crowded), "he tried as often as they");
    let (_, displaced) = attempts.join(who("Olga", THERE), Mono::ZERO).unwrap();
    assert!(full.contains(&displaced.unwrap()));
    assert_eq!(attempts.waiting.len(), IN_ALL_LINES);
}
