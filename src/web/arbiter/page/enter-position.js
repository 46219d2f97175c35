// Set the position: begins with what stands on the board now; a tap on a square changes it.
import { Diagram, squareName } from './diagram.js';
import { button, choice, element, setText } from './ui.js';
import { w } from './i18n.js';
import { EMPTY, fromFen } from '/page/position.js';

const PIECES = ['', ...'KQRBNPkqrbnp'];

export function positionForm(board, send) {
  let position = (board?.sensed ?? EMPTY).slice();
  let turn = (board?.lastPly ?? 0) % 2 === 0 ? 'w' : 'b';
  let piece = '';
  const diagram = new Diagram();
  const fen = element('input', { class: 'note', 'aria-label': w.fen, spellcheck: 'false', autocomplete: 'off' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const draw = () => {
    diagram.draw({ position, label: w.setPosition });
    fen.value = `${placementOf(position)} ${turn} ${rights(position)} - 0 1`;
    setText(problem, '');
  };
  fen.addEventListener('input', () => {
    const read = fromFen(fen.value);
    setText(problem, read ? '' : w.notFen);
    if (!read) return;
    position = read;
    diagram.draw({ position, label: w.setPosition });
  });
  diagram.node.addEventListener('click', (e) => {
    const box = diagram.node.getBoundingClientRect();
    const [x, y] = [e.clientX - box.left, e.clientY - box.top].map((v) => Math.floor((v / box.width) * 8));
    if (x < 0 || x > 7 || y < 0 || y > 7) return;
    position[y * 8 + x] = piece;
    position = position.slice();
    draw();
  });
  const pieces = choice('piece', PIECES.map((p) => [p, p ? pieceIcon(p) : '✕']), piece, (p) => (piece = p), 'chips pieces');
  const turns = choice('turn', [['w', w.by.white], ['b', w.by.black]], turn, (t) => ((turn = t), draw()));
  draw();
  return [
    element('h3', {}, w.setPosition),
    element('p', { class: 'about' }, w.positionHint),
    element('figure', { class: 'wanted' }, diagram.node),
    pieces,
    element('p', { class: 'about' }, w.turn),
    turns,
    fen,
    problem,
    button(w.apply, () => (fromFen(fen.value) ? send({ do: 'set-position', fen: fen.value.trim() }) : setText(problem, w.notFen)), { class: 'primary' }),
  ];
}

function pieceIcon(letter) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  node.setAttribute('viewBox', '0 0 64 64');
  node.setAttribute('class', 'piece-icon');
  node.setAttribute('role', 'img');
  node.setAttribute('aria-label', w.pieces[letter]);
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  for (const [name, value] of [['href', `#piece-${letter < 'a' ? 'w' : 'b'}${letter.toLowerCase()}`], ['width', 64], ['height', 64]]) use.setAttribute(name, value);
  node.append(use);
  return node;
}

export function placementOf(position) {
  const ranks = [];
  for (let r = 0; r < 8; r += 1) ranks.push(position.slice(r * 8, r * 8 + 8).map((p) => p || '1').join('').replace(/1+/g, (ones) => String(ones.length)));
  return ranks.join('/');
}

// Kings and rooks on their first squares may still castle; what is known better goes into the FEN by hand.
function rights(position) {
  const at = (name) => position[[...Array(64).keys()].find((i) => squareName(i) === name)];
  const sides = [['K', 'e1', 'h1', 'R'], ['Q', 'e1', 'a1', 'R'], ['k', 'e8', 'h8', 'r'], ['q', 'e8', 'a8', 'r']];
  return sides.filter(([right, king, rook, letter]) => at(king) === (right < 'a' ? 'K' : 'k') && at(rook) === letter).map(([right]) => right).join('') || '-';
}
