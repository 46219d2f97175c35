//! Places for connections: so many in all, so many for one address. Where there is none left, the one that has waited longest without
//! asking anything makes room; who is being served stays.
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// At most this many at once: half of the file descriptors that a service usually gets.
const MOST: usize = 512;
/// From one address at most: a household, a club, a school.
const MOST_OF_ONE: usize = 128;
/// From this machine at most: a proxy here brings everybody.
const MOST_LOCAL: usize = 384;

/// One connection's place; free again when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    number: u64,
    network: IpAddr,
    asked: AtomicBool,
    out: CancellationToken,
    places: Weak<Places>,
}

impl Place {
    /// A request came: who is served is not turned out.
    pub(super) fn asked(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Completes when somebody else gets the place.
    pub(super) fn turned_out(&self) -> WaitForCancellationFutureOwned {
        self.out.clone().cancelled_owned()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(places) = self.places.upgrade() else { return };
        let mut table = places.lock();
        table.leave(self.number, self.network);
    }
}

/// All places of a listener.
#[derive(Debug, Default)]
pub(super) struct Places(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    next: u64,
    /// In the order in which they came.
    taken: std::collections::BTreeMap<u64, Weak<Place>>,
    of_one: HashMap<IpAddr, usize>,
}

impl Table {
    fn leave(&mut self, number: u64, network: IpAddr) {
        // One that was turned out has left already.
        if self.taken.remove(&number).is_none() {
            return;
        }
        if let Some(count) = self.of_one.get_mut(&network) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.of_one.remove(&network);
            }
        }
    }

    /// Turns out the one that has waited longest without asking anything, of `network` or of all; whether there was one. The places
    /// that are looked at go to `held`: dropping one under the lock would wait for the lock.
    fn turn_out(&mut self, network: Option<IpAddr>, held: &mut Vec<Arc<Place>>) -> bool {
        let mut found = None;
        for place in self.taken.values().filter_map(Weak::upgrade) {
            let fits = network.is_none_or(|network| place.network == network) && !place.asked.load(Ordering::Relaxed);
            held.push(place.clone());
            if fits {
                found = Some(place);
                break;
            }
        }
        let Some(place) = found else { return false };
        place.out.cancel();
        self.leave(place.number, place.network);
        held.push(place);
        true
    }
}

impl Places {
    /// A place for a connection from `address`, if there is one.
    pub(super) fn take(places: &Arc<Self>, address: IpAddr) -> Option<Arc<Place>> {
        let network = network(address);
        let most_of_one = if network.is_loopback() { MOST_LOCAL } else { MOST_OF_ONE };
        let mut held = Vec::new();
        let place = {
            let mut table = places.lock();
            let free = (table.of_one.get(&network).copied().unwrap_or(0) < most_of_one || table.turn_out(Some(network), &mut held))
                && (table.taken.len() < MOST || table.turn_out(None, &mut held));
            free.then(|| {
                let number = table.next;
                table.next += 1;
                let out = CancellationToken::new();
                let place = Arc::new(Place { number, network, asked: AtomicBool::new(false), out, places: Arc::downgrade(places) });
                table.taken.insert(number, Arc::downgrade(&place));
                *table.of_one.entry(network).or_default() += 1;
                place
            })
        };
        drop(held);
        place
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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

    #[test]
    fn who_is_silent_makes_room_and_who_is_served_stays() {
        let places = Arc::<Places>::default();
        let served: Vec<_> = (0..MOST_OF_ONE - 1).map(|_| Places::take(&places, HERE).unwrap()).collect();
        served.iter().for_each(|place| place.asked());
        let silent = Places::take(&places, HERE).unwrap();
        let next = Places::take(&places, HERE).unwrap();
        assert!(silent.out.is_cancelled() && !next.out.is_cancelled() && served.iter().all(|place| !place.out.is_cancelled()));
        next.asked();
        assert!(Places::take(&places, HERE).is_none(), "nobody is silent any more");
        assert!(Places::take(&places, address(1)).is_some(), "others still come in");
        drop(served);
        assert!(Places::take(&places, HERE).is_some());
    }

    #[test]
    fn there_is_an_end_to_all_places_together_and_nothing_is_left_behind() {
        let places = Arc::<Places>::default();
        let silent = Places::take(&places, HERE).unwrap();
        let served: Vec<_> = (0..MOST - 1).map(|n| Places::take(&places, address(n)).unwrap()).collect();
        served.iter().for_each(|place| place.asked());
        let last = Places::take(&places, address(MOST)).unwrap();
        last.asked();
        assert!(silent.out.is_cancelled());
        assert!(Places::take(&places, address(MOST + 1)).is_none());
        drop((served, last, silent));
        let table = places.lock();
        assert!(table.taken.is_empty() && table.of_one.is_empty(), "{table:?}");
    }
}
