// Draws one board. Pieces that move glide; a piece in somebody's hand is pale; the last move is marked by filled squares, or by
// dashed ones while it is not completed.
import { EMPTY, ends } from './position.js';
import { svg } from './parts.js';

const UNIT = 64;

export class BoardView {
  constructor({ coordinates = false } = {}) {
    this.marks = svg('g', { class: 'marks' });
    this.letters = svg('g', { class: 'letters' });
    this.pieces = svg('g', { class: 'pieces' });
    this.node = svg(
      'svg',
      { viewBox: '0 0 512 512', class: 'board', role: 'img' },
      svg('rect', { width: 512, height: 512, class: 'light' }),
      svg('path', { d: darkSquares(), class: 'dark' }),
      this.marks,
      this.letters,
      this.pieces,
    );
    this.coordinates = coordinates;
    this.flipped = false;
    this.position = EMPTY;
    this.standing = new Map();
    this.drawLetters();
  }

  // `last` is the move to mark, `lifted` the squares of pieces in the air.
  draw({ position, last = null, lifted = [], label = '' }) {
    this.drawPieces(position, lifted);
    this.drawMarks(last);
    if (this.node.getAttribute('aria-label') !== label) this.node.setAttribute('aria-label', label);
  }

  flip() {
    this.flipped = !this.flipped;
    this.node.classList.add('at-once');
    for (const [i, piece] of this.standing) this.put(piece, i);
    this.markKey = null;
    this.drawLetters();
    // The next change glides again.
    requestAnimationFrame(() => requestAnimationFrame(() => this.node.classList.remove('at-once')));
  }

  drawPieces(position, lifted) {
    const left = new Map();
    const wanted = [];
    position.forEach((letter, i) => {
      if (letter && this.standing.get(i)?.letter === letter) return;
      if (letter) wanted.push([letter, i]);
    });
    for (const [i, piece] of this.standing) {
      if (position[i] !== piece.letter) {
        left.set(i, piece);
        this.standing.delete(i);
      }
    }
    for (const [letter, i] of wanted) {
      const from = nearest(left, letter, i);
      const piece = from === null ? this.make(letter) : left.get(from);
      left.delete(from);
      this.standing.set(i, piece);
      this.put(piece, i);
    }
    for (const piece of left.values()) piece.node.remove();
    for (const [i, piece] of this.standing) piece.node.classList.toggle('lifted', lifted.includes(i));
    this.position = position;
  }

  make(letter) {
    const name = `piece-${letter < 'a' ? 'w' : 'b'}${letter.toLowerCase()}`;
    const node = svg('use', { href: `#${name}`, width: UNIT, height: UNIT, class: 'piece' });
    this.pieces.append(node);
    return { letter, node };
  }

  put(piece, i) {
    const [x, y] = this.corner(i);
    piece.node.style.transform = `translate(${x}px, ${y}px)`;
  }

  corner(i) {
    const at = this.flipped ? 63 - i : i;
    return [(at % 8) * UNIT, Math.floor(at / 8) * UNIT];
  }

  drawMarks(last) {
    const squares = last ? (ends(last.uci) ?? []) : [];
    const key = `${squares}${last?.completed}${this.flipped}`;
    if (key === this.markKey) return;
    this.markKey = key;
    this.marks.replaceChildren(
      ...squares.map((i) => {
        const [x, y] = this.corner(i);
        return svg('rect', { x: x + 2, y: y + 2, width: UNIT - 4, height: UNIT - 4, rx: 3, class: last.completed ? 'completed' : 'made' });
      }),
    );
  }

  drawLetters() {
    if (!this.coordinates) return;
    const letters = [];
    for (let n = 0; n < 8; n += 1) {
      const rank = this.flipped ? n + 1 : 8 - n;
      const file = 'abcdefgh'[this.flipped ? 7 - n : n];
      const shade = (odd) => (odd ? 'on-dark' : 'on-light');
      letters.push([rank, 4, n * UNIT + 13, 'start', shade(n % 2 === 1)]);
      letters.push([file, (n + 1) * UNIT - 4, 508, 'end', shade(n % 2 === 0)]);
    }
    this.letters.replaceChildren(
      ...letters.map(([text, x, y, anchor, shade]) => svg('text', { x, y, 'text-anchor': anchor, class: shade }, String(text))),
    );
  }
}

// Of the pieces that left their squares, the nearest one of this kind.
function nearest(left, letter, i) {
  let best = null;
  let least = Infinity;
  for (const [from, piece] of left) {
    const distance = Math.abs((from % 8) - (i % 8)) + Math.abs(Math.floor(from / 8) - Math.floor(i / 8));
    if (piece.letter === letter && distance < least) [best, least] = [from, distance];
  }
  return best;
}

function darkSquares() {
  let path = '';
  for (let i = 0; i < 64; i += 1) {
    const [x, y] = [i % 8, Math.floor(i / 8)];
    if ((x + y) % 2 === 1) path += `M${x * UNIT} ${y * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`;
  }
  return path;
}
