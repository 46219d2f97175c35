//! A board as the hall opens and shows it: with its Pi, and how long that is silent.
use super::house::House;
use super::orders;
use crate::nats::wire;
use flagfall_score::board::Pi;
use std::sync::Arc;

/// Makes a board known.
pub(super) fn open(house: &Arc<House>, board: &Arc<str>, pi: &str) {
    let at_start = !*house.caught_up.borrow();
    house.outlets.register(board, &format!("pi:{pi}"), at_start);
    let inbox = house.boards.open(board);
    tokio::spawn(orders::desk(house.clone(), board.clone(), inbox));
    show(house, board);
}

/// Shows where a board is, and whether that is away, where it is news.
pub(super) fn show(house: &House, board: &Arc<str>) {
    let now = house.stopwatch.now().millis();
    let mut known = house.known();
    let Some(seat) = known.boards.get(board) else { return };
    let token = seat.pi.clone();
    let away = known.is_away(&token);
    let stand = Some((token.clone(), away));
    if seat.shown == stand {
        return;
    }
    let clock = seat.clock.map(|(age, published)| age + known.transit.ago(now, published));
    let silent = away.then(|| known.silent_for(&token, now));
    let name = known.pis.get(&token).map_or_else(|| wire::name(&token).map_or(token, Arc::from), |pi| pi.name.clone());
    if let Some(seat) = known.boards.get_mut(board) {
        seat.shown = stand;
    }
    drop(known);
    house.outlets.set_pi(board, Pi { name, away }, silent, clock);
}
