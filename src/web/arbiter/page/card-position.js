// The position to restore with what is still wrong counted down, and the position as it was found beside it.
import { Diagram, squareName } from './diagram.js';
import { element, fill, setText } from './ui.js';
import { lang, w } from './i18n.js';
import { EMPTY, fromFen, square } from '/page/position.js';

export class CardPosition {
  constructor() {
    this.main = new Diagram();
    this.found = new Diagram();
    this.mainCaption = element('figcaption');
    this.count = element('p', { class: 'count', role: 'status' });
    this.list = element('ul', { class: 'put-right' });
    this.foundFigure = element('figure', { class: 'found' }, this.found.node, element('figcaption', {}, w.positionFound));
    this.node = element('section', { class: 'card-position' }, element('figure', { class: 'wanted' }, this.main.node, this.mainCaption), element('div', { class: 'beside' }, element('div', { class: 'todo' }, this.count, this.list), this.foundFigure));
  }

  draw(finding, board, asking, form) {
    const { position: wanted } = board.wanted(finding);
    const found = foundPosition(finding) ?? board.sensed ?? EMPTY;
    const move = finding.facts?.uci ?? null;
    const illegal = finding.key === 'illegal-move';
    const touched = matter(finding);
    this.node.hidden = !wanted && finding.key.startsWith('clock') && !finding.facts?.square;
    // The players have put it right, or it is a game that is past: there is nothing to restore.
    if (form === 'times') {
      this.node.hidden = true;
      return;
    }
    const decided = finding.status !== 'open' && !asking && finding.status !== 'confirmed' && finding.status !== 'amended';
    if (!wanted || decided || form === 'past') {
      const shown = decided ? found : (foundPosition(finding) ?? found);
      setText(this.mainCaption, w.positionFound);
      this.main.draw({ position: shown, move, illegal, touched, label: w.positionFound });
      this.foundFigure.hidden = true;
      setText(this.count, '');
      this.count.className = 'count';
      fill(this.list, [], () => []);
      return;
    }
    const over = finding.done?.all && finding.done.position;
    const wrong = over ? [] : board.wrong(wanted);
    setText(this.mainCaption, w.restoreTo);
    this.main.draw({ position: wanted.map((piece, i) => (wrong.includes(i) ? (board.sensed?.[i] ?? '') : piece)), wrong, ghosts: wanted, label: `${w.restoreTo}: ${wrong.length ? w.wrong(wrong.length) : w.right}` });
    setText(this.count, wrong.length ? w.wrong(wrong.length) : `✓ ${w.right}`);
    this.count.className = `count ${wrong.length ? 'wrong' : 'right'}`;
    fill(this.list, [wrong, wrong.map((i) => wanted[i]), lang], () => {
      const few = wrong.slice(0, 8);
      return [...few.map((i) => element('li', {}, element('b', {}, squareName(i)), ` ${wanted[i] ? w.pieces[wanted[i]] : w.nobody}`)), ...(wrong.length > few.length ? [element('li', {}, '…')] : [])];
    });
    this.foundFigure.hidden = false;
    this.found.draw({ position: found, move, illegal, touched, label: w.positionFound });
  }
}

// As the sensors saw it at the irregularity.
export function foundPosition(finding) {
  const placement = finding.found?.placement ?? finding.facts?.fen;
  return Array.isArray(placement) ? placement : fromFen(placement);
}

// The squares that a finding speaks of.
function matter(finding) {
  const { facts } = finding;
  const names = [facts.square, ...(facts.squares ?? []).map((s) => s.square ?? s)].filter((name) => typeof name === 'string');
  return names.map(square).filter((i) => i >= 0);
}
