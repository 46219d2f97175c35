// A game that was played, from the archive: the same view as that of a board, its clocks as they stood after each move.
import { element } from './parts.js';
import { Record } from './record.js';
import { Single } from './single.js';
import { words } from './words.js';

const USUAL_START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export class Played extends Single {
  // `game` is what the archive's file has.
  constructor(game, path) {
    super(`${game.round}.${game.number}`, {
      title: `${words.round(game.round)} · ${words.board(game.label)}`,
      pgn: `${path}.pgn`,
      file: `round-${game.round}-${game.number}.pgn`,
      keys: words.keysPlayed,
      follow: words.toEnd,
    });
    this.played = recorded(game);
    // What followed and is no legal play.
    if (game.comment) this.about.after(element('p', { class: 'about', lang: 'en' }, game.comment));
    this.draw(this.played, performance.now(), false);
  }

  draw(record, now, frozen) {
    const ply = this.ply ?? Infinity;
    record.clock = { running: null, flag: null, source: 'record', uncertainty_ms: 0, white_ms: left(record, 'white', ply), black_ms: left(record, 'black', ply) };
    super.draw(record, now, frozen);
  }
}

// What a side's clock showed after its last move until then; null where nobody read it.
function left(record, side, ply) {
  return record.moves.findLast((move) => move.ply <= ply && move.by === side && move.clock_ms !== null)?.clock_ms ?? null;
}

// The game as the page knows boards.
function recorded(game) {
  const record = new Record(`${game.round}.${game.number}`);
  const start = game.start_fen ?? USUAL_START;
  const second = start.split(' ')[1] === 'b';
  const moves = game.moves.map(([uci, san, clock, spent], i) => ({
    ply: i + 1,
    by: (i % 2 === 0) === second ? 'black' : 'white',
    uci,
    san,
    legal: true,
    completed: true,
    clock_ms: clock === null ? null : clock * 1000,
    spent_ms: spent === null ? null : spent * 1000,
  }));
  const { white, black, result, reason, time_control } = game;
  record.snapshot({ board: record.name, link: 'up', game: { white: white.name, black: black.name, result, reason, time_control, start_fen: start, rules: 'played' }, moves }, performance.now());
  record.base = { ...record.base, ply: 0 };
  return record;
}
