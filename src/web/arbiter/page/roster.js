// Titles of the players, as the pairings have them.
import { api } from './api.js';

const AGAIN_MS = 60_000;

let asked = -Infinity;
// By board: both players of the round that is played.
let seats = new Map();
// By board and game: those of every round.
let games = new Map();

// Asks for the pairings where they may be old, and says when they are others.
export async function look(changed) {
  const now = performance.now();
  if (now - asked < AGAIN_MS) return;
  asked = now;
  try {
    const event = await api.event();
    const round = (event?.rounds ?? []).find((it) => it.number === event.round);
    seats = new Map((round?.pairings ?? []).filter((pairing) => pairing.board).map((pairing) => [pairing.board, pairing]));
    const all = (event?.rounds ?? []).flatMap((it) => it.pairings);
    games = new Map(all.flatMap((pairing) => (pairing.games ?? []).map((game) => [`${pairing.board} ${game}`, pairing])));
    changed();
  } catch {
    // Without pairings there are no titles.
  }
}

const spoken = (player) => [player.lname, [player.fname, player.mname].filter(Boolean).join(' ')].filter(Boolean).join(', ');

// `Board 7 White` is no name.
const named = (name) => (name && !/^Board .+ (White|Black)$/.test(name) ? name : null);

// Who plays there; null where nobody was named.
export const nameOf = (board, side) => named(board?.game[side]);

// Who played an earlier game of a board: name and title; null where nobody was named, or the pairings do not know.
export function playedBy(board, game, side) {
  const player = games.get(`${board} ${game}`)?.[side];
  const name = named(player && spoken(player));
  return name ? { name, title: player.title ?? '' } : null;
}

// The title of who plays there under this name; empty where none is known.
export function titleOf(board, side, name) {
  const player = seats.get(board)?.[side];
  return player?.title && spoken(player) === name ? player.title : '';
}
