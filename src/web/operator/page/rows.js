// One row a board: who plays, whether it is connected, clocks, last move, how many findings wait, alarms, feeds, what to enter.
import { ago, clockText, lang } from '/arbiter/i18n.js';
import { order } from '/arbiter/list.js';
import { button, element, fill, setText } from '/arbiter/ui.js';
import { moveText, score } from '/page/words.js';
import { lamp, ofBoard } from './lamps.js';
import { player } from './round.js';
import { both, words } from './words.js';

// A game may last longer than a battery with less than this, percent.
const LOW = 20;

// What one tap does about an alarm.
const TAPS = { 'not-recorded': { do: 'new-game' } };

export class Rows {
  constructor(app) {
    this.app = app;
    this.rows = new Map();
    const o = words();
    const head = ['board', 'players', 'clock', 'move', 'findings', 'state', 'feeds'];
    this.list = element('ul', { class: 'desk' });
    this.empty = element('p', { class: 'about' }, app.noBoards());
    this.node = element('div', {}, element('div', { class: 'desk-head', 'aria-hidden': 'true' }, ...head.map((key) => element('span', { class: `at-${key}` }, o.columns[key])), element('span', { class: 'at-enter' })), this.list, this.empty);
  }

  draw() {
    const { boards } = this.app;
    for (const [name, row] of this.rows) {
      if (boards.has(name)) continue;
      row.node.remove();
      this.rows.delete(name);
    }
    const names = [...boards.keys()].sort(order);
    names.forEach((name, i) => {
      if (!this.rows.has(name)) this.rows.set(name, new Row(this.app, name));
      const { node } = this.rows.get(name);
      if (this.list.children[i] !== node) this.list.insertBefore(node, this.list.children[i] ?? null);
      this.rows.get(name).draw();
    });
    this.empty.hidden = names.length > 0;
    this.tick();
  }

  tick() {
    for (const row of this.rows.values()) row.tick();
  }
}

class Row {
  constructor(app, name) {
    const o = words();
    this.app = app;
    this.name = name;
    const cell = (key, ...children) => element('span', { class: `at-${key}` }, element('span', { class: 'label' }, o.columns[key]), ...children);
    this.players = element('span', { class: 'desk-players' });
    this.link = element('span', { class: 'desk-link' });
    this.battery = element('span', { class: 'desk-battery' });
    this.clock = element('span', { class: 'desk-clocks' });
    this.set = element('span', { class: 'desk-set' });
    this.move = element('span', { class: 'desk-move' });
    this.age = element('span', { class: 'desk-age' });
    this.findings = element('span', { class: 'desk-findings', title: o.findingsTitle });
    this.state = element('span', { class: 'desk-state' });
    this.alarms = element('ul', { class: 'desk-alarms' });
    this.feeds = element('span', { class: 'desk-feeds' });
    this.enter = button(o.enter, () => app.enterFor(name), { class: 'plain small', 'aria-label': o.enterFor(name) });
    this.node = element(
      'li',
      { 'data-board': name },
      element('span', { class: 'at-board' }, element('a', { href: `/#${encodeURIComponent(name)}`, class: 'desk-name' }, app.boardName(name)), this.link, this.battery),
      cell('players', this.players),
      cell('clock', this.clock, this.set),
      cell('move', this.move, this.age),
      cell('findings', this.findings),
      cell('state', this.state),
      cell('feeds', this.feeds),
      element('span', { class: 'at-enter' }, this.enter),
      this.alarms,
    );
  }

  // The button that settles an alarm, where one does.
  tap(alarm) {
    const entry = TAPS[alarm.key];
    return entry ? [button(words().newGame, () => this.app.enter(this.name, entry), { class: 'plain small', 'data-do': entry.do })] : [];
  }

  draw() {
    const o = words();
    const board = this.app.board(this.name);
    const { game } = board;
    // A stream tells names with the next snapshot only; the list knows them at once.
    const pairing = this.app.pairing(this.name);
    const names = pairing ? [player(pairing.white), player(pairing.black)] : [game.white, game.black];
    fill(this.players, names, () => (names[0] || names[1] ? [element('span', {}, names[0] || '?'), ' – ', element('span', {}, names[1] || '?')] : ['–']));
    const away = board.pi?.away;
    const up = board.link === 'up' && !away;
    setText(this.link, `${up ? '✓' : '✕'} ${away ? o.away(board.pi.name) : up ? o.up : o.down}`);
    this.link.classList.toggle('bad', !up);
    const battery = up ? this.app.batteries.get(this.name) : undefined;
    setText(this.battery, battery === undefined ? '' : o.battery(battery));
    this.battery.hidden = battery === undefined;
    this.battery.classList.toggle('bad', battery < LOW);
    const last = board.last;
    setText(this.move, last ? moveText(board, last) : game.rules ? o.noMove : '–');
    const audit = this.app.audits.get(this.name);
    setText(this.set, audit ? o.clockSet(audit, clockText) : '');
    this.set.classList.toggle('bad', audit !== undefined && audit.state !== 'right');
    const waiting = this.app.findings.get(this.name) ?? 0;
    setText(this.findings, waiting ? `! ${o.findings(waiting)}` : o.noFindings);
    this.findings.classList.toggle('some', waiting > 0);
    const missing = this.app.missing(this.name);
    const state = missing ? `! ${o.missing}` : board.over ? score(game) || '–' : game.rules ? o.playing : o.noGame;
    setText(this.state, state);
    this.state.classList.toggle('bad', missing);
    const alarms = this.app.alarms.filter((alarm) => alarm.board === this.name);
    fill(this.alarms, [alarms, lang], () => alarms.map((alarm) => element('li', {}, element('b', {}, both(alarm.text) || alarm.key), alarm.todo ? ` ${both(alarm.todo)}` : '', ...this.tap(alarm))));
    const outlets = ofBoard(this.app.outlets, this.name);
    fill(this.feeds, [outlets, lang, this.app.minute()], () => outlets.map(lamp));
    this.node.classList.toggle('no-feeds', outlets.length === 0);
    this.node.classList.toggle('is-bad', !up || missing);
  }

  tick() {
    const board = this.app.board(this.name);
    if (!board) return;
    const now = performance.now();
    const side = (colour) => `${board.running(colour) && !this.app.frozen ? '▸' : ''}${clockText(board.shown(colour, now))}`;
    setText(this.clock, board.clock ? `${side('white')}\n${side('black')}` : '–');
    const moved = this.app.moved.get(this.name);
    setText(this.age, moved === undefined || board.over ? '' : words().ago(ago(now - moved)));
  }
}
