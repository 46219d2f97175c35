// All boards at a glance: a card for each, in the daemon's order.
import { BoardView } from './board-view.js';
import { ClockView } from './clock-view.js';
import { element, setText } from './parts.js';
import { moveText, reason, score, words } from './words.js';

export class Overview {
  constructor() {
    this.cards = new Map();
    this.empty = element('p', { class: 'empty' }, words.noBoards);
    this.grid = element('ul', { class: 'grid', 'aria-label': words.boards });
    this.node = element('div', { class: 'overview' }, this.empty, this.grid);
  }

  draw(records, now, frozen) {
    this.empty.hidden = records.size > 0 || frozen;
    for (const record of records.values()) {
      if (!this.cards.has(record.name)) this.add(record, [...records.keys()]);
      this.cards.get(record.name).draw(record);
    }
    this.tick(records, now, frozen);
  }

  tick(records, now, frozen) {
    for (const [name, card] of this.cards) card.tick(records.get(name), now, frozen);
  }

  add(record, order) {
    const card = new Card(record.name);
    this.cards.set(record.name, card);
    const after = order.slice(order.indexOf(record.name) + 1).find((name) => this.cards.has(name));
    this.grid.insertBefore(card.node, after ? this.cards.get(after).node : null);
  }
}

class Card {
  constructor(name) {
    this.name = name;
    this.board = new BoardView();
    this.black = new ClockView('black');
    this.white = new ClockView('white');
    this.score = element('span');
    this.reason = element('span', { class: 'reason' });
    this.state = element('span', { class: 'state' }, this.score, this.reason);
    this.last = element('span', { class: 'last' });
    this.node = element(
      'li',
      {},
      element(
        'a',
        { class: 'card', href: `#${encodeURIComponent(name)}`, 'data-board': name },
        element('span', { class: 'card-head' }, element('span', { class: 'card-name' }, words.board(name)), this.state),
        this.black.node,
        this.board.node,
        this.white.node,
        element('span', { class: 'card-foot' }, this.last),
      ),
    );
  }

  draw(record) {
    const last = record.last;
    const position = record.position();
    this.board.draw({ position, last: record.adrift ? null : last, lifted: record.lifted(), label: last ? words.after(moveText(record, last)) : words.start });
    const down = record.link !== 'up';
    setText(this.score, record.over ? score(record.game) : down ? words.linkDownShort : '');
    setText(this.reason, record.over && reason(record.game) ? ` · ${reason(record.game)}` : '');
    this.state.classList.toggle('down', down && !record.over);
    this.node.firstChild.classList.toggle('is-down', down && !record.over);
    setText(this.last, last ? moveText(record, last) : words.waiting);
    this.last.classList.toggle('made', Boolean(last) && !last.completed);
    this.state.title = down && !record.over ? words.linkDown : '';
    this.last.title = last && !last.completed ? words.made : '';
  }

  tick(record, now, frozen) {
    if (!record) return;
    const silent = record.silent(now);
    if (silent !== null && !record.over) {
      setText(this.score, words.piAwayShort(silent));
      this.state.title = words.piAway(record.pi.name, silent);
    }
    this.black.draw(record, now, frozen);
    this.white.draw(record, now, frozen);
  }
}
