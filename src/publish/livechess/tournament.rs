//! The tournament as REST clients see it: one round made of the boards, in the order of their numbers.
use super::objects::{Game, Pairing, Player, Round, Tournament, TournamentEntry};
use super::picture::Picture;
use std::sync::Arc;

/// A board's number counts as such up to here; what is above is a serial number.
const MOST_BOARDS: usize = 512;

/// What is known of the event.
#[derive(Debug)]
pub(crate) struct Tournaments {
    name: String,
}

/// A seat of the round: its number, and the board that stands there.
struct Seat<'a> {
    nr: usize,
    picture: Option<&'a Arc<Picture>>,
}

impl Tournaments {
    pub(crate) fn new(name: Option<String>) -> Self {
        Self { name: name.unwrap_or_else(|| String::from("flagfall")) }
    }

    pub(crate) fn list(&self, _pictures: &[Arc<Picture>]) -> Vec<TournamentEntry> {
        vec![TournamentEntry { uuid: self.uuid(), description: self.name.clone(), rounds: 1 }]
    }

    pub(crate) fn tournament(&self, uuid: &str, pictures: &[Arc<Picture>]) -> Option<Tournament> {
        (uuid == self.uuid()).then(|| Tournament {
            uuid: self.uuid(),
            name: self.name.clone(),
            description: None,
            location: None,
            country: None,
            rounds: 1,
            eboards: self.serials(pictures),
        })
    }

    pub(crate) fn round(&self, uuid: &str, index: usize, pictures: &[Arc<Picture>]) -> Option<Round> {
        if uuid != self.uuid() || index != 0 {
            return None;
        }
        let pairing = |seat: &Seat<'_>| {
            let picture = seat.picture?;
            Some(Pairing {
                nr: seat.nr,
                uuid: self.game_uuid(seat.nr),
                white: Some(nobody(seat.nr, "White")),
                black: Some(nobody(seat.nr, "Black")),
                live: picture.line.is_live(),
                result: picture.result(),
            })
        };
        Some(Round { nr: 1, date: None, pairings: seats(pictures).iter().filter_map(pairing).collect() })
    }

    pub(crate) fn game(&self, uuid: &str, pictures: &[Arc<Picture>]) -> Option<Game> {
        let seats = seats(pictures);
        let picture = seats.iter().find(|seat| self.game_uuid(seat.nr) == uuid)?.picture?;
        Some(Game {
            chess960: picture.line.start_number(),
            result: picture.result(),
            comment: None,
            clock: picture.clock.filter(|_| picture.line.is_live()),
            moves: picture.moves(),
        })
    }

    /// The e-boards of the tournament; the index is the board's number less one.
    pub(crate) fn serials(&self, pictures: &[Arc<Picture>]) -> Vec<Arc<str>> {
        let serialnr = |seat: &Seat<'_>| seat.picture.map_or_else(|| seat.nr.to_string().into(), |picture| picture.serialnr.clone());
        seats(pictures).iter().map(serialnr).collect()
    }

    fn uuid(&self) -> String {
        uuid(&["tournament", &self.name])
    }

    fn game_uuid(&self, nr: usize) -> String {
        uuid(&["game", &self.name, "1", &nr.to_string()])
    }
}

/// Boards whose name is a number sit there, with nobody between them where a number is missing; the others follow.
fn seats(pictures: &[Arc<Picture>]) -> Vec<Seat<'_>> {
    let number = |picture: &Picture| picture.board.parse().ok().filter(|nr| (1..=MOST_BOARDS).contains(nr));
    let mut seats: Vec<Seat<'_>> = Vec::new();
    for picture in pictures {
        if let Some(nr) = number(picture) {
            while seats.len() + 1 < nr {
                seats.push(Seat { nr: seats.len() + 1, picture: None });
            }
            // Two names of one number, 1 and 01: the second one has no seat of its own there.
            if seats.len() < nr {
                seats.push(Seat { nr, picture: Some(picture) });
                continue;
            }
            seats.push(Seat { nr: seats.len() + 1, picture: Some(picture) });
        }
    }
    for picture in pictures.iter().filter(|picture| number(picture).is_none()) {
        seats.push(Seat { nr: seats.len() + 1, picture: Some(picture) });
    }
    seats
}

/// No player is nameless: consumers drop such games.
fn nobody(nr: usize, colour: &str) -> Player {
    Player { lname: Some(format!("Board {nr} {colour}")), ..Player::default() }
}

/// An id that is the same after a restart.
fn uuid(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update(b"\0");
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    // Version 8: ours to fill; variant 1.
    bytes[6] = bytes[6] & 0x0F | 0x80;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
