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

/// Shows every board that is not shown as it stands.
pub(super) fn show_all(house: &House) {
    let boards = house.known().to_show();
    boards.iter().for_each(|board| show(house, board));
}

/// Shows where a board is, and whether that is away, where it is news.
fn show(house: &House, board: &Arc<str>) {
    let now = house.stopwatch.now().millis();
    let mut known = house.known();
    let Some(stand) = known.stand(board) else { return };
    let clock = known.boards.get(board).and_then(|seat| seat.clock).map(|(age, published)| age + known.transit.ago(now, published));
    let (token, away) = (stand.pi.clone(), stand.away);
    let silent = away.then(|| known.silent_for(board, now));
    let name = known.pis.get(&token).map_or_else(|| wire::name(&token).map_or(token, Arc::from), |pi| pi.name.clone());
    match known.boards.get_mut(board) {
        Some(seat) if seat.shown.as_ref() != Some(&stand) => seat.shown = Some(stand),
        _ => return,
    }
    drop(known);
    house.outlets.set_pi(board, Pi { name, away }, silent, clock);
    if !away {
        // What waits for it may be sent.
        house.book().returned(board);
        house.poke.notify_one();
    }
}
