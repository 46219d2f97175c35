// The results of a round, for the time when nothing is played.
import { element } from '/page/parts.js';
import { score, words } from '/page/words.js';

// What stands between the names: the result, or a dash where nobody knows it yet.
const between = (record) => score(record.game).replaceAll(' ', '\u2009') || '–';

export class Wall {
  constructor() {
    this.list = element('ol', { class: 'wall', 'aria-label': words.boards });
    this.node = this.list;
  }

  draw(records, { columns, rows, letters }) {
    const key = JSON.stringify([columns, rows, letters, records.map((record) => [record.name, record.game.white, record.game.black, record.game.result])]);
    if (key === this.key) return;
    this.key = key;
    this.list.style.setProperty('--columns', columns);
    this.list.style.setProperty('--rows', rows);
    this.list.style.setProperty('--letters', `${letters}px`);
    this.list.replaceChildren(
      ...records.map((record) =>
        element(
          'li',
          { 'data-board': record.name },
          element('span', { class: 'wall-board' }, record.name),
          element('span', { class: `wall-name white${record.game.result === '1-0' ? ' won' : ''}` }, record.game.white ?? words.white),
          element('span', { class: 'wall-result' }, between(record)),
          element('span', { class: `wall-name black${record.game.result === '0-1' ? ' won' : ''}` }, record.game.black ?? words.black),
        ),
      ),
    );
  }
}
