// All boards at a glance: a card for each, in the daemon's order.
import { BoardView } from './board-view.js';
import { ClockView } from './clock-view.js';
import { element, setText } from './parts.js';
import { moveText, reason, score, words } from './words.js';

export class Overview {
  // `onSeen` hears that other boards are on the screen.
  constructor(onSeen) {
    this.cards = new Map();
    this.watch = new IntersectionObserver((all) => {
      for (const { target, isIntersecting } of all) this.cards.get(target.firstChild.dataset.board).seen = isIntersecting;
      if (this.watched !== this.cards.size) {
        this.watched = this.cards.size;
        onSeen();
      }
    }, { rootMargin: '25% 0px' });
    this.empty = element('p', { class: 'empty' }, words.noBoards);
    this.grid = element('ul', { class: 'grid', 'aria-label': words.boards });
    this.node = element('div', { class: 'overview' }, element('h1', { class: 'hidden' }, words.boards), this.empty, this.grid);
  }

  // `changed` are the names of boards about which something is new.
  draw(records, now, frozen, changed) {
    this.empty.hidden = records.size > 0 || frozen;
    for (const name of changed) {
      const record = records.get(name);
      if (!record) continue;
      if (!this.cards.has(name)) this.add(record, [...records.keys()]);
      const card = this.cards.get(name);
      card.draw(record);
      card.tick(record, now, frozen);
    }
  }

  // Clocks that nobody sees stand still.
  tick(records, now, frozen) {
    for (const [name, card] of this.cards) if (card.seen) card.tick(records.get(name), now, frozen);
  }

  // Names of the boards on the screen, or close to it.
  seen() {
    return [...this.cards].filter(([, card]) => card.seen).map(([name]) => name);
  }

  add(record, order) {
    const card = new Card(record.name);
    this.cards.set(record.name, card);
    const after = order.slice(order.indexOf(record.name) + 1).find((name) => this.cards.has(name));
    this.grid.insertBefore(card.node, after ? this.cards.get(after).node : null);
    this.watch.observe(card.node);
  }
}

class Card {
  constructor(name) {
    this.name = name;
    this.seen = false;
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
