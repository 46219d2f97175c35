// The list of moves: completed ones upright, made ones pale and slanted. One stop for the Tab key; arrow keys go on from there.
import { clockText } from './clock-view.js';
import { element, svg } from './parts.js';
import { notation, words } from './words.js';

// The longest think of a game is a whole bar; one of less than this share of it is none.
const LEAST = 0.02;

export class MovesView {
  constructor(onPick) {
    this.onPick = onPick;
    this.list = element('ol', { class: 'moves', 'aria-label': words.moves });
    this.empty = element('p', { class: 'no-moves' }, words.noMoves);
    this.node = element('div', { class: 'moves-box' }, this.empty, this.list);
    this.rows = new Map();
  }

  draw(record, shownPly) {
    const { moves } = record;
    this.empty.hidden = moves.length > 0;
    const wanted = new Map();
    // Rounded, so that a longer think does not draw every row anew each time.
    this.most = 2 ** Math.ceil(Math.log2(Math.max(15_000, ...moves.map((move) => move.spent_ms ?? 0))));
    for (const move of moves) {
      const { number, by } = record.numbered(move.ply);
      if (!wanted.has(number)) wanted.set(number, {});
      wanted.get(number)[by] = move;
    }
    for (const [number, row] of this.rows) {
      if (!wanted.has(number)) {
        row.node.remove();
        this.rows.delete(number);
      }
    }
    // Before the first move the list is still one stop for the Tab key.
    const stop = shownPly ?? moves[0]?.ply;
    for (const [number, pair] of wanted) this.drawRow(number, pair, shownPly, stop);
    const shown = this.list.querySelector('[aria-current]');
    if (shown !== this.shown) this.reveal(shown);
    this.shown = shown;
  }

  drawRow(number, pair, shownPly, stop) {
    const key = ['white', 'black'].map((by) => [pair[by]?.ply, pair[by] && notation(pair[by]), pair[by]?.completed, pair[by]?.spent_ms, pair[by]?.ply === shownPly, pair[by]?.ply === stop]).concat(this.most).join();
    const old = this.rows.get(number);
    if (old?.key === key) return;
    const focused = old?.node.contains(document.activeElement) ? Number(document.activeElement.dataset.ply) : null;
    const node = element('li', {}, element('span', { class: 'number' }, `${number}.`), this.cell(pair.white, shownPly, stop), this.cell(pair.black, shownPly, stop));
    if (old) old.node.replaceWith(node);
    else this.list.append(node);
    this.rows.set(number, { key, node });
    if (focused !== null) node.querySelector(`[data-ply="${focused}"]`)?.focus();
  }

  cell(move, shownPly, stop) {
    if (!move) return element('span', { class: 'no-move' }, '');
    const current = move.ply === shownPly;
    const odd = move.legal === false;
    const spent = move.spent_ms ?? null;
    const marks = [odd && words.illegal, !move.completed && words.made].filter(Boolean).join(', ');
    const title = [marks, spent !== null && words.used(clockText(spent))].filter(Boolean).join(', ');
    return element(
      'button',
      {
        type: 'button',
        class: `move${move.completed ? '' : ' made'}${odd ? ' odd' : ''}`,
        'data-ply': move.ply,
        'aria-current': current ? 'step' : null,
        'aria-label': marks ? `${notation(move)}, ${marks}` : null,
        title: title || null,
        tabindex: move.ply === stop ? 0 : -1,
        onclick: () => this.onPick(move.ply),
      },
      notation(move),
      spent !== null && spent / this.most > LEAST ? bar(spent / this.most) : '',
    );
  }

  // Scrolls the list, never the page.
  reveal(button) {
    if (!button) {
      this.list.scrollTop = 0;
      return;
    }
    const [box, at] = [this.list.getBoundingClientRect(), button.getBoundingClientRect()];
    if (at.top < box.top) this.list.scrollTop -= box.top - at.top + 8;
    if (at.bottom > box.bottom) this.list.scrollTop += at.bottom - box.bottom + 8;
    if (at.left < box.left) this.list.scrollLeft -= box.left - at.left + 8;
    if (at.right > box.right) this.list.scrollLeft += at.right - box.right + 8;
  }
}

// How long a move took, as a bar: drawn, since a page of ours has no styles in its elements.
function bar(share) {
  return svg('svg', { class: 'spent', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('rect', { width: Math.round(share * 100), height: 4, rx: 2 }));
}
