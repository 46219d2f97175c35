// Where the pieces stand: 64 letters, a8 first, '' for an empty square. Knows how pieces are carried, not what is legal.
export const EMPTY = Object.freeze(Array(64).fill(''));

export function fromFen(fen) {
  const squares = [];
  for (const c of String(fen ?? '').split(' ')[0].replaceAll('/', '')) {
    if (c >= '1' && c <= '8') squares.push(...Array(Number(c)).fill(''));
    else if (/^[pnbrqkPNBRQK]$/.test(c)) squares.push(c);
  }
  return squares.length === 64 ? squares : null;
}

export function square(name) {
  const file = name.charCodeAt(0) - 97;
  const rank = name.charCodeAt(1) - 49;
  return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? (7 - rank) * 8 + file : -1;
}

// The squares a move goes from and to; null for what is no move.
export function ends(uci) {
  const from = square(String(uci).slice(0, 2));
  const to = square(String(uci).slice(2, 4));
  return from < 0 || to < 0 ? null : [from, to];
}

// The position after a move, legal or not. Castling, en passant and promotion carry more than one piece.
export function play(position, uci) {
  const move = ends(uci);
  if (!move) return position;
  const [from, to] = move;
  const next = position.slice();
  const piece = next[from];
  const target = next[to];
  const king = piece.toLowerCase() === 'k';
  const own = target !== '' && (target < 'a') === (piece < 'a');
  next[from] = '';
  if (king && own && target.toLowerCase() === 'r') {
    // Chess960: the king takes its own rook.
    const row = from - (from % 8);
    const short = to > from;
    next[to] = '';
    next[row + (short ? 6 : 2)] = piece;
    next[row + (short ? 5 : 3)] = target;
    return next;
  }
  if (king && Math.abs(to - from) === 2) {
    const rook = to > from ? from + 3 : from - 4;
    next[(from + to) / 2] = next[rook];
    next[rook] = '';
  }
  if (piece.toLowerCase() === 'p' && target === '' && (to - from) % 8 !== 0) {
    next[from - (from % 8) + (to % 8)] = '';
  }
  const promoted = uci[4];
  next[to] = promoted ? (piece < 'a' ? promoted.toUpperCase() : promoted) : piece;
  return next;
}

const WORTH = { p: 1, n: 3, b: 3, r: 5, q: 9 };

// How much more material White has than Black, in pawns; below zero: Black has more.
export function material(position) {
  return position.reduce((sum, piece) => sum + (WORTH[piece.toLowerCase()] ?? 0) * (piece < 'a' ? 1 : -1), 0);
}

// FEN field 1.
export function placement(position) {
  const rank = (n) => position.slice(n * 8, n * 8 + 8).map((piece) => piece || '1').join('').replace(/1+/g, (gap) => gap.length);
  return [0, 1, 2, 3, 4, 5, 6, 7].map(rank).join('/');
}

const RIGHTS = { K: ['e1', 'h1'], Q: ['e1', 'a1'], k: ['e8', 'h8'], q: ['e8', 'a8'] };

// The position after `ply` as FEN. What the record does not know of rights and counters is taken for what the moves say.
export function fen(record, ply) {
  const [, turn, rights = '-', , , full] = String(record.game.start_fen ?? `${placement(record.base.position ?? EMPTY)} w - - 0 1`).split(' ');
  let left = rights === '-' ? '' : rights;
  let [passing, quiet, position, halves] = ['-', 0, record.base.position ?? EMPTY, record.base.ply];
  for (const move of record.moves.filter((one) => one.ply <= ply)) {
    const before = position;
    position = record.recorded(move.ply);
    halves = move.ply;
    const [from, to] = [move.uci.slice(0, 2), move.uci.slice(2, 4)];
    const piece = before[square(from)] ?? '';
    left = [...left].filter((right) => !RIGHTS[right] || !RIGHTS[right].some((one) => one === from || one === to)).join('');
    const pawn = piece.toLowerCase() === 'p';
    quiet = pawn || before[square(to)] ? 0 : quiet + 1;
    passing = pawn && Math.abs(from.charCodeAt(1) - to.charCodeAt(1)) === 2 ? `${from[0]}${(Number(from[1]) + Number(to[1])) / 2}` : '-';
  }
  const begun = halves + (turn === 'b' ? 1 : 0);
  return [placement(position), begun % 2 === 0 ? 'w' : 'b', left || '-', passing, quiet, (Number(full) || 1) + Math.floor(begun / 2)].join(' ');
}
