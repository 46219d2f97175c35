//! Another table's board on this board's cable: nothing of it is read into this game, until the cables are put right or somebody says that it belongs here.
use super::desk::Desk;
use crate::link::event::LinkEvent;
use dgt_protocol::command::Command;
use flagfall_events::{Entry, LinkState, Order};
use flagfall_game::board::Board;

impl Desk {
    /// Whether this is of another table's board, and therefore not this game's.
    pub(super) fn is_strange(&mut self, event: &LinkEvent) -> bool {
        let Some(house) = &mut self.house else { return false };
        match event {
            LinkEvent::Up(up) => {
                let serial = up.identity.serial.as_ref().or(up.identity.long_serial.as_ref());
                let other = serial.and_then(|serial| house.homes.plugged(&self.name, serial));
                let was = house.stranger.take().is_some();
                if let Some(other) = other {
                    let name = &self.name;
                    let text = format!(
                        "the board of {other} is on the cable of {name} ({}): nothing of it is read as {name}'s. Put the cables right, and both games go on. Where the boards were exchanged on purpose, enter New game at both",
                        up.port.display()
                    );
                    tracing::warn!("board {name}: {text}");
                    (house.tell)(Some(text));
                    house.stranger = Some(up.clone());
                } else if was {
                    (house.tell)(None);
                }
            }
            LinkEvent::Down(_) => {
                house.homes.unplugged(&self.name);
                if house.stranger.take().is_some() {
                    (house.tell)(None);
                    // The board itself was away all the time.
                    return true;
                }
            }
            _ => {}
        }
        house.stranger.is_some()
    }

    /// A new game is begun with what is plugged in: it belongs here from now on.
    pub(super) async fn take_in(&mut self, board: &mut Board, entry: &Entry) {
        let Some(house) = &mut self.house else { return };
        if !matches!(entry.order, Order::NewGame {}) {
            return;
        }
        let Some(up) = house.stranger.take() else { return };
        house.homes.belongs(&self.name);
        (house.tell)(None);
        for command in [Command::SendSerialNumber, Command::SendBoard, Command::SendClock] {
            // A full queue has as much in it already.
            _ = up.commands.try_send(command);
        }
        let port = Some(up.port.display().to_string());
        (self.commands, self.polled) = (Some(up.commands), up.polled);
        self.link(board, LinkState::Up, None, port).await;
    }
}
