// A still diagram: a position, and the squares that matter. Marks differ in form, not only in colour: a cross for a wrong square,
// a ring for where something must go, an arrow for a move.
import { svg } from '/page/parts.js';
import { ends } from '/page/position.js';

const UNIT = 64;

export class Diagram {
  constructor({ flipped = false } = {}) {
    this.flipped = flipped;
    this.marks = svg('g', {});
    this.pieces = svg('g', {});
    this.over = svg('g', {});
    this.letters = svg('g', { class: 'letters' });
    this.node = svg(
      'svg',
      { viewBox: '0 0 512 512', class: 'board', role: 'img' },
      svg('rect', { width: 512, height: 512, class: 'light' }),
      svg('path', { d: dark(), class: 'dark' }),
      this.letters,
      this.marks,
      this.pieces,
      this.over,
    );
  }

  // `wrong`: squares to put right; `ghosts`: pieces that must come there; `move`: UCI of a move to point at; `touched`: squares;
  // `air`: pieces that were just lifted, each with the square it stood on.
  draw({ position, wrong = [], ghosts = null, move = null, illegal = false, touched = [], air = [], label = '' }) {
    const key = JSON.stringify([position, wrong, ghosts, move, illegal, touched, air, label, this.flipped]);
    if (key === this.key) return;
    this.key = key;
    this.drawLetters();
    this.pieces.replaceChildren(...position.flatMap((letter, i) => (letter ? [this.piece(letter, i, false)] : [])));
    this.marks.replaceChildren(...touched.map((i) => this.rect(i, 'touched')), ...wrong.map((i) => this.rect(i, 'wrong')));
    this.over.replaceChildren(
      ...(ghosts ? wrong.flatMap((i) => (ghosts[i] ? [this.piece(ghosts[i], i, true)] : [this.cross(i)])) : []),
      ...air.map(([i, letter]) => this.piece(letter, i, true)),
      ...(move ? this.arrow(move, illegal) : []),
    );
    this.node.setAttribute('aria-label', label);
  }

  corner(i) {
    const at = this.flipped ? 63 - i : i;
    return [(at % 8) * UNIT, Math.floor(at / 8) * UNIT];
  }

  piece(letter, i, ghost) {
    const [x, y] = this.corner(i);
    const name = `piece-${letter < 'a' ? 'w' : 'b'}${letter.toLowerCase()}`;
    return svg('use', { href: `#${name}`, x, y, width: UNIT, height: UNIT, class: ghost ? 'ghost' : 'still' });
  }

  rect(i, kind) {
    const [x, y] = this.corner(i);
    return svg('rect', { x: x + 3, y: y + 3, width: UNIT - 6, height: UNIT - 6, rx: 4, class: `mark-${kind}` });
  }

  cross(i) {
    const [x, y] = this.corner(i);
    return svg('path', { d: `M${x + 14} ${y + 14}l36 36M${x + 50} ${y + 14}l-36 36`, class: 'mark-cross' });
  }

  arrow(uci, illegal) {
    const move = ends(uci);
    if (!move) return [];
    const [[x1, y1], [x2, y2]] = move.map((i) => this.corner(i).map((v) => v + UNIT / 2));
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [bx, by] = [x2 - ux * 26, y2 - uy * 26];
    const head = `M${x2 - ux * 4} ${y2 - uy * 4}L${bx - uy * 15} ${by + ux * 15}L${bx + uy * 15} ${by - ux * 15}z`;
    return [
      svg('path', { d: `M${x1 + ux * 14} ${y1 + uy * 14}L${bx} ${by}`, class: illegal ? 'arrow bad' : 'arrow' }),
      svg('path', { d: head, class: illegal ? 'arrow-head bad' : 'arrow-head' }),
    ];
  }

  drawLetters() {
    const letters = [];
    for (let n = 0; n < 8; n += 1) {
      const shade = (odd) => (odd ? 'on-dark' : 'on-light');
      letters.push([this.flipped ? n + 1 : 8 - n, 4, n * UNIT + 14, 'start', shade(n % 2 === 1)]);
      letters.push(['abcdefgh'[this.flipped ? 7 - n : n], (n + 1) * UNIT - 4, 508, 'end', shade(n % 2 === 0)]);
    }
    this.letters.replaceChildren(...letters.map(([text, x, y, anchor, shade]) => svg('text', { x, y, 'text-anchor': anchor, class: shade }, String(text))));
  }
}

export const squareName = (i) => `${'abcdefgh'[i % 8]}${8 - Math.floor(i / 8)}`;

function dark() {
  let d = '';
  for (let i = 0; i < 64; i += 1) if ((i + Math.floor(i / 8)) % 2) d += `M${(i % 8) * UNIT} ${Math.floor(i / 8) * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`;
  return d;
}
