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
