// One board on a screen or in a frame: players, clocks, board, last move.
import { BoardView } from '/page/board-view.js';
import { ClockView } from '/page/clock-view.js';
import { element, setText } from '/page/parts.js';
import { moveText, reason, score, words } from '/page/words.js';

export class Tile {
  constructor(name, { link = null } = {}) {
    this.name = name;
    this.board = new BoardView({ coordinates: false });
    this.black = new ClockView('black');
    this.white = new ClockView('white');
    this.state = element('span', { class: 'state' });
    this.last = element('span', { class: 'last' });
    this.title = link ? element('a', { class: 'tile-name', href: link, target: '_blank', rel: 'noopener' }, words.board(name)) : element('span', { class: 'tile-name' }, words.board(name));
    this.node = element(
      'article',
      { class: 'tile', 'data-board': name },
      element('div', { class: 'tile-head' }, this.title, this.last, this.state),
      this.black.node,
      element('div', { class: 'tile-board' }, this.board.node),
      this.white.node,
    );
  }

  draw(record, now, frozen) {
    const last = record.last;
    this.board.draw({ position: record.position(), last: record.adrift ? null : last, lifted: record.lifted(), label: last ? words.after(moveText(record, last)) : words.start });
    const down = record.link !== 'up' && !record.over;
    const result = record.over ? [score(record.game), reason(record.game)].filter(Boolean).join(' · ') : '';
    setText(this.state, result || (down ? words.linkDownShort : ''));
    this.state.classList.toggle('down', down);
    setText(this.last, last ? moveText(record, last) : record.game.rules ? '' : words.waiting);
    this.last.classList.toggle('made', Boolean(last) && !last.completed);
    this.node.classList.toggle('is-down', down);
    this.node.classList.toggle('is-over', record.over);
    this.tick(record, now, frozen);
  }

  tick(record, now, frozen) {
    this.black.draw(record, now, frozen);
    this.white.draw(record, now, frozen);
  }
}
