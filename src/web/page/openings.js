// Names of openings, by position: the last one of a game that has a name. The table is asked for once, when a game is shown.
import { placement } from './position.js';
import { sources } from './sources.js';

// Nothing has a name after so many plies.
const LAST = 40;
let table = null;

async function names() {
  const answer = await fetch(sources.openings);
  const found = new Map();
  for (const line of (await answer.text()).split('\n')) {
    const [name, ...keys] = line.split('\t');
    if (!name.startsWith('#')) for (const key of keys) found.set(key, name);
  }
  return found;
}

// `C50 Italian Game`; null where the game is none from the usual start, or has no name.
export async function opening(record, ply) {
  if (record.moves[0]?.ply !== 1 || !record.game.start_fen?.startsWith('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq')) return null;
  try {
    table ??= names();
    const known = await table;
    for (const move of record.moves.filter((one) => one.ply <= Math.min(ply, LAST)).reverse()) {
      const name = known.get(key(record.recorded(move.ply), move.ply % 2 === 0));
      if (name) return name;
    }
  } catch {
    table = null;
  }
  return null;
}

// FNV-1a, 32 bits, of placement and side to move, in base 36: as `tests/openings` writes it.
export function key(position, white) {
  let hash = 0x811c9dc5;
  for (const c of `${placement(position)} ${white ? 'w' : 'b'}`) hash = Math.imul(hash ^ c.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}
