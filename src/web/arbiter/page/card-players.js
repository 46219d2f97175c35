// Who plays: colour, title and name of both, each on one line; a tap shows a name that is cut short in full.
import { nameOf, playedBy, titleOf } from './roster.js';
import { element, fill } from './ui.js';
import { lang, w } from './i18n.js';

const SIDES = ['white', 'black'];

export class CardPlayers {
  constructor() {
    this.node = element('ul', { class: 'card-players' });
    this.whole = new Set();
  }

  // Those who play now are not those of a game that is past.
  draw(finding, board, form) {
    const players = SIDES.map((side) => {
      const now = form === 'past' ? null : nameOf(board, side);
      const player = form === 'past' ? playedBy(board.name, finding.game ?? finding.game_number, side) : now && { name: now, title: titleOf(board.name, side, now) };
      return { side, name: player?.name ?? w.by[side], title: player?.title ?? '', by: finding.by === side };
    });
    fill(this.node, [players, [...this.whole], lang], () => players.map((player) => element('li', { class: player.by ? 'is-by' : '' }, this.player(player))));
  }

  player({ side, name, title, by }) {
    const whole = this.whole.has(side);
    const about = `${w.by[side]}: ${[title, name].filter(Boolean).join(' ')}${by ? `, ${w.itWas}` : ''}`;
    return element(
      'button',
      { type: 'button', class: `card-player ${whole ? 'whole' : ''}`, 'data-side': side, 'aria-expanded': String(whole), title: about, onclick: () => this.toggle(side) },
      element('span', { class: `chip-colour ${side}` }),
      name === w.by[side] ? '' : element('span', { class: 'hidden' }, `${w.by[side]}: `),
      title ? element('span', { class: 'player-title' }, `${title} `) : '',
      element('span', { class: 'player-name' }, name),
      by ? element('span', { class: 'hidden' }, `, ${w.itWas}`) : '',
    );
  }

  toggle(side) {
    if (!this.whole.delete(side)) this.whole.add(side);
    const button = this.node.querySelector(`[data-side=${side}]`);
    button.classList.toggle('whole', this.whole.has(side));
    button.setAttribute('aria-expanded', String(this.whole.has(side)));
  }
}
