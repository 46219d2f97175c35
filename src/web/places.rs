//! Places for connections, of three kinds. Nobody is turned away at the door: whoever is there too long without a right to stay makes room.
//!
//! * **At the door**: everybody who has just come, or asks for pages and files. Where all are taken the one makes room who has waited longest, of
//!   the address that has the most.
//! * **Streams** of the public: shared by address. One who has fewer than somebody else gets a place, and the oldest stream of the address that has
//!   the most ends; where nobody has more, there is none.
//! * **Kept**: of arbiters and operators, once they have shown who they are. The public cannot take them; where all are taken, the one who has been
//!   quiet longest of the account that has the most goes back among the public.
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use rustix::process::{Resource, getrlimit};
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Those of the pages. With the fewest streams all kinds together are half of the file descriptors that a process gets where nobody asks for more.
const AT_DOOR: usize = 192;
const FEWEST_STREAMS: usize = 256;
const MOST_STREAMS: usize = 2_048;
const KEPT: usize = 64;
/// Who has said nothing for so long, milliseconds, makes room before everybody else at the door.
const SILENT: u64 = 1_000;

/// One connection's place; free again when it is dropped.
#[derive(Debug)]
pub struct Place {
    number: u64,
    out: CancellationToken,
    places: Weak<Places>,
}

impl Place {
    /// A request came.
    pub fn asked(&self) {
        self.change(|table, now| {
            let Some(seat) = table.taken.get_mut(&self.number) else { return };
            (seat.asked, seat.last) = (true, now);
            // A stream that was here has ended: nothing else can be asked while it lasts.
            if let Kind::Stream(network) = seat.kind {
                table.sit(self.number, Kind::Door(network));
            }
        });
    }

    /// A stream of the public begins; whether there is a place for it.
    pub fn stream(&self) -> bool {
        self.change(|table, _| table.stream(self.number)).unwrap_or(false)
    }

    /// An arbiter or operator has shown who he is.
    pub(crate) fn keep(&self, who: &str) {
        self.change(|table, _| table.keep(self.number, who));
    }

    /// Completes when somebody else gets the place.
    pub fn turned_out(&self) -> WaitForCancellationFutureOwned {
        self.out.clone().cancelled_owned()
    }

    fn change<T>(&self, change: impl FnOnce(&mut Table, Mono) -> T) -> Option<T> {
        let places = self.places.upgrade()?;
        let now = places.stopwatch.now();
        let mut table = places.lock();
        Some(change(&mut table, now))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.change(|table, _| table.leave(self.number));
    }
}

/// All places of a listener.
#[derive(Debug)]
pub struct Places {
    stopwatch: Stopwatch,
    table: Mutex<Table>,
}

impl Default for Places {
    fn default() -> Self {
        Self::new(AT_DOOR, FEWEST_STREAMS)
    }
}

/// What a place is for, and by what it is shared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Door(IpAddr),
    Stream(IpAddr),
    Kept(String),
}

impl Kind {
    fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

#[derive(Debug)]
struct Seat {
    kind: Kind,
    network: IpAddr,
    asked: bool,
    /// When something was asked, else when it came.
    last: Mono,
    out: CancellationToken,
}

#[derive(Debug, Default)]
struct Table {
    /// How many places there are at the door.
    door: usize,
    /// How many streams of the public.
    streams: usize,
    next: u64,
    /// In the order in which they came.
    taken: BTreeMap<u64, Seat>,
    counts: HashMap<Kind, usize>,
}

impl Table {
    /// How many places of this kind there are.
    const fn most(&self, kind: &Kind) -> usize {
        match kind {
            Kind::Door(_) => self.door,
            Kind::Stream(_) => self.streams,
            Kind::Kept(_) => KEPT,
        }
    }

    fn count(&self, kind: &Kind) -> usize {
        self.counts.get(kind).copied().unwrap_or(0)
    }

    /// All places of this kind that are taken, and the most that one of its sharers has.
    fn all(&self, kind: &Kind) -> (usize, usize) {
        let like = self.counts.iter().filter(|(other, _)| other.is_like(kind)).map(|(_, count)| *count);
        like.fold((0, 0), |(sum, most), count| (sum + count, most.max(count)))
    }

    fn leave(&mut self, number: u64) {
        // One that was turned out has left already.
        if let Some(seat) = self.taken.remove(&number) {
            self.less(&seat.kind);
        }
    }

    fn less(&mut self, kind: &Kind) {
        if let Some(count) = self.counts.get_mut(kind) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(kind);
            }
        }
    }

    fn turn_out(&mut self, number: u64) {
        if let Some(seat) = self.taken.get(&number) {
            seat.out.cancel();
        }
        self.leave(number);
    }

    fn sit(&mut self, number: u64, kind: Kind) {
        let Some(before) = self.taken.get_mut(&number).map(|seat| std::mem::replace(&mut seat.kind, kind.clone())) else { return };
        self.less(&before);
        *self.counts.entry(kind).or_default() += 1;
    }

    /// Who makes room at the door for somebody from `network`: of the address that has the most (itself, where it is one of them), the one who has
    /// waited longest; before that whoever says nothing.
    fn out_of_door(&self, network: IpAddr, now: Mono) -> Option<u64> {
        let own = Kind::Door(network);
        let (_, most) = self.all(&own);
        let own_is_largest = self.count(&own) == most;
        let fits = |seat: &Seat| {
            matches!(seat.kind, Kind::Door(_)) && self.count(&seat.kind) == most && (!own_is_largest || seat.kind == own || most <= 1)
        };
        let seats = self.taken.iter().filter(|(_, seat)| fits(seat));
        let rank = |seat: &Seat| (seat.asked || now.since(seat.last) < SILENT, seat.last);
        seats.min_by_key(|(number, seat)| (rank(seat), **number)).map(|(number, _)| *number)
    }

    fn stream(&mut self, number: u64) -> bool {
        let Some(seat) = self.taken.get(&number) else { return false };
        let wanted = Kind::Stream(seat.network);
        // Arbiters' streams are kept, and one connection has one place.
        if matches!(seat.kind, Kind::Kept(_)) || seat.kind == wanted {
            return true;
        }
        let (all, most) = self.all(&wanted);
        if all >= self.most(&wanted) {
            // Only where the shares become more even by it: else everybody would chase everybody away.
            if most < self.count(&wanted) + 2 {
                return false;
            }
            let of_most = self.taken.iter().find(|(_, seat)| matches!(seat.kind, Kind::Stream(_)) && self.count(&seat.kind) == most);
            let Some(oldest) = of_most.map(|(number, _)| *number) else { return false };
            self.turn_out(oldest);
        }
        self.sit(number, wanted);
        true
    }

    fn keep(&mut self, number: u64, who: &str) {
        let wanted = Kind::Kept(String::from(who));
        match self.taken.get(&number) {
            Some(seat) if !matches!(seat.kind, Kind::Kept(_)) => {}
            _ => return,
        }
        let (all, most) = self.all(&wanted);
        if all >= self.most(&wanted) {
            let of_most = self.taken.iter().filter(|(_, seat)| matches!(seat.kind, Kind::Kept(_)) && self.count(&seat.kind) == most);
            if let Some((quiet, network)) = of_most.min_by_key(|(_, seat)| seat.last).map(|(number, seat)| (*number, seat.network)) {
                self.sit(quiet, Kind::Door(network));
            }
        }
        self.sit(number, wanted);
    }
}

impl Places {
    fn new(door: usize, streams: usize) -> Self {
        Self { stopwatch: Stopwatch::start(), table: Mutex::new(Table { door, streams, ..Table::default() }) }
    }

    /// With so many at the door.
    pub fn with_door(door: usize) -> Self {
        Self::new(door, FEWEST_STREAMS)
    }

    /// As many streams as half of the process's file descriptors leave.
    pub(crate) fn of_process() -> Self {
        let most = getrlimit(Resource::Nofile).current.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        Self::new(AT_DOOR, streams(most))
    }

    /// Nobody is there.
    pub fn are_free(&self) -> bool {
        self.lock().taken.is_empty()
    }

    /// A place for a connection from `address`.
    pub fn take(places: &Arc<Self>, address: IpAddr) -> Arc<Place> {
        let (network, now) = (network(address), places.stopwatch.now());
        let mut table = places.lock();
        let kind = Kind::Door(network);
        while table.all(&kind).0 >= table.most(&kind) {
            let Some(number) = table.out_of_door(network, now) else { break };
            table.turn_out(number);
        }
        let (number, out) = (table.next, CancellationToken::new());
        table.next += 1;
        table.taken.insert(number, Seat { kind: kind.clone(), network, asked: false, last: now, out: out.clone() });
        *table.counts.entry(kind).or_default() += 1;
        drop(table);
        Arc::new(Place { number, out, places: Arc::downgrade(places) })
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many streams there are with so many file descriptors.
fn streams(descriptors: usize) -> usize {
    (descriptors / 2).saturating_sub(AT_DOOR + KEPT).clamp(FEWEST_STREAMS, MOST_STREAMS)
}

/// A machine has one IPv4 address, but a whole network of IPv6 addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(if v6.is_loopback() { v6 } else { Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0) })
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    fn address(n: usize) -> IpAddr {
        IpAddr::from([10, 1, (n / 250) as u8, (n % 250) as u8])
    }

    fn stands(place: &Arc<Place>) -> bool {
        !place.out.is_cancelled()
    }

    /// A stream of the public, if there is a place for it.
    fn stream(places: &Arc<Places>, address: IpAddr) -> Option<Arc<Place>> {
        let place = Places::take(places, address);
        place.asked();
        place.stream().then_some(place)
    }

    #[test]
    fn four_phones_keep_out_neither_the_public_nor_arbiters() {
        let places = Arc::<Places>::default();
        let phones: Vec<_> = (0..4 * 128).filter_map(|n| stream(&places, address(n % 4))).collect();
        assert_eq!(phones.iter().filter(|place| stands(place)).count(), FEWEST_STREAMS);
        // Whoever comes gets a place, and a phone loses its oldest one.
        let visitor = stream(&places, HERE).unwrap();
        assert!(!stands(&phones[0]) && stands(&visitor));
        // Then they fill the door, too.
        let crowd: Vec<_> = (0..4 * AT_DOOR).map(|n| Places::take(&places, address(n % 4))).collect();
        let arbiter = Places::take(&places, HERE);
        let more: Vec<_> = (0..4 * AT_DOOR).map(|n| Places::take(&places, address(n % 4))).collect();
        assert!(stands(&arbiter), "he has one, they have many");
        arbiter.asked();
        arbiter.keep("Olga");
        let streams: Vec<_> = (0..2_000).map(|n| (stream(&places, address(n)), Places::take(&places, address(n)))).collect();
        assert!(stands(&arbiter));
        drop((phones, crowd, more, streams, visitor, arbiter));
        let table = places.lock();
        assert!(table.taken.is_empty() && table.counts.is_empty(), "{table:?}");
    }

    #[test]
    fn streams_are_what_half_of_the_descriptors_leaves() {
        assert_eq!([0, 256, 1_024, 2_048, 4_608, 8_192, usize::MAX].map(streams), [256, 256, 256, 768, 2_048, 2_048, 2_048]);
        let places = Arc::new(Places::new(AT_DOOR, streams(2_048)));
        let all: Vec<_> = (0..768).map(|n| stream(&places, address(n)).unwrap()).collect();
        assert!(stream(&places, HERE).is_none() && all.iter().all(stands));
    }

    #[test]
    fn where_everybody_has_one_stream_nobody_chases_anybody_away() {
        let places = Arc::<Places>::default();
        let mut all: Vec<_> = (0..FEWEST_STREAMS).map(|n| stream(&places, address(n)).unwrap()).collect();
        assert!(stream(&places, HERE).is_none());
        assert!(all.iter().all(stands));
        // A second one from somewhere makes no difference, a third of the same does.
        drop(all.drain(..3));
        let mine: Vec<_> = (0..3).map(|_| stream(&places, address(FEWEST_STREAMS)).unwrap()).collect();
        assert!(stream(&places, HERE).is_some() && !stands(&mine[0]) && stands(&mine[1]));
    }

    #[test]
    fn arbiters_have_places_of_their_own_and_share_them() {
        let places = Arc::<Places>::default();
        let sit = |who: &str| {
            let place = Places::take(&places, HERE);
            place.keep(who);
            place
        };
        let olga: Vec<_> = (0..KEPT).map(|_| sit("Olga")).collect();
        let boris = sit("Boris");
        assert!(olga.iter().all(stands) && stands(&boris), "none of them is turned out; one is where the public is");
        assert_eq!(places.lock().count(&Kind::Kept(String::from("Olga"))), KEPT - 1);
        assert!(boris.stream(), "his stream has the place that he has");
    }

    #[test]
    fn who_says_nothing_makes_room_before_who_was_served() {
        let places = Arc::<Places>::default();
        let served = Places::take(&places, address(0));
        served.asked();
        let silent = Places::take(&places, address(1));
        {
            // They came long ago.
            let mut table = places.lock();
            table.taken.values_mut().for_each(|seat| seat.last = Mono::ZERO);
        }
        let later = places.stopwatch.now() + 2 * SILENT;
        assert_eq!(places.lock().out_of_door(HERE, later), Some(silent.number));
        silent.asked();
        assert_eq!(places.lock().out_of_door(HERE, later), Some(served.number));
    }
}
