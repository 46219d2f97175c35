// All boards as a quiet list, the most urgent first.
import { codes } from './codes.js';
import { drawGoing } from './going.js';
import { shortcuts } from './keys.js';
import { offer, ringingSettings } from './ringing-settings.js';
import { rings } from './rings.js';
import { button, choice, element, fill, setText } from './ui.js';
import { ago, clockText, hour, lang, said, title, w } from './i18n.js';

const SIGNS = { ruling: '!', attention: '?', mending: '…', quiet: '✓', over: '■', idle: '–', down: '✕', away: '…', old: '?' };

export class List {
  constructor(app) {
    this.app = app;
    this.rows = new Map();
    this.summary = element('p', { class: 'summary', role: 'status' });
    this.list = element('ol', { class: 'hall' });
    this.hall = element('ul', { class: 'hall-alarms' });
    this.offer = element('div');
    this.whose = element('div', { class: 'whose' });
    this.node = element('section', { class: 'list-view' }, element('h1', { class: 'hidden' }, w.allBoards), this.offer, this.summary, this.whose, this.hall, this.list);
  }

  draw() {
    const { boards, frozen, frozenAt, alerts, sector } = this.app;
    fill(this.offer, [alerts.chosen, lang], () => (alerts.chosen ? [] : [offer(this.app)]));
    fill(this.whose, [sector.text, this.app.onlyMine, lang], () =>
      sector.all ? [] : [choice('whose', [['mine', w.onlyMine(sector.text)], ['all', w.allBoards]], this.app.onlyMine ? 'mine' : 'all', (value) => ((this.app.onlyMine = value === 'mine'), this.app.draw()))],
    );
    const now = performance.now();
    // Another arbiter's board is there when it calls for anybody.
    const wanted = (board) => !this.app.onlyMine || sector.has(board.name) || board.open().some((finding) => rings(finding) && this.app.rings.mine(board, finding, now));
    const shown = new Set([...boards.values()].filter(wanted).map((board) => board.name));
    const sorted = [...boards.values()].filter((board) => shown.has(board.name)).sort((a, b) => b.urgency - a.urgency || since(a) - since(b) || order(a.name, b.name));
    for (const [name, row] of this.rows) {
      if (!shown.has(name)) {
        row.node.remove();
        this.rows.delete(name);
      }
    }
    let at = null;
    for (const board of sorted) {
      if (!this.rows.has(board.name)) this.rows.set(board.name, new Row(this.app, board.name));
      const { node } = this.rows.get(board.name);
      // A node that is moved loses the focus: only those that changed place are.
      const next = at ? at.nextElementSibling : this.list.firstElementChild;
      if (next !== node) this.list.insertBefore(node, next);
      at = node;
      this.rows.get(board.name).draw(board, frozen);
    }
    // What is about a board stands in its row.
    const troubles = this.app.hall.filter((alarm) => !boards.has(alarm.about));
    fill(this.hall, [troubles, lang], () => troubles.map((alarm) => element('li', {}, `✕ ${alarmText(alarm)}`)));
    const { text, kind } = frozen ? { text: w.asOf(hour(frozenAt)), kind: 'old' } : summed(sorted);
    setText(this.summary, text);
    this.summary.className = `summary ${kind}`;
    this.tick();
  }

  tick() {
    const now = performance.now();
    for (const [name, row] of this.rows) row.tick(this.app.boards.get(name), now, this.app.frozen);
  }

  // Moves the focus by so many rows.
  step(by) {
    const links = [...this.list.querySelectorAll('a.row')];
    const at = links.indexOf(document.activeElement);
    links[Math.max(0, Math.min(links.length - 1, at < 0 ? 0 : at + by))]?.focus();
  }
}

// What the rows say, in one line. A board that nobody sees is not quiet.
function summed(boards) {
  const count = (...states) => boards.filter((board) => states.includes(board.stateName)).length;
  const waiting = count('ruling', 'attention');
  const unseen = count('away', 'down');
  if (waiting) return { text: w.waiting(waiting), kind: 'urgent' };
  if (unseen) return { text: w.unseen(unseen), kind: 'old' };
  return boards.length ? { text: w.allQuiet, kind: 'calm' } : { text: w.noBoards, kind: '' };
}

class Row {
  constructor(app, name) {
    this.app = app;
    this.sign = element('span', { class: 'sign', 'aria-hidden': 'true' });
    this.state = element('span', { class: 'row-state' });
    this.name = element('span', { class: 'row-name' }, w.board(name));
    this.reason = element('span', { class: 'row-reason' });
    this.age = element('span', { class: 'row-age' });
    this.clocks = element('span', { class: 'row-clocks' });
    this.link = element('a', { class: 'row' }, this.sign, element('span', { class: 'row-main' }, element('span', { class: 'row-top' }, this.name, this.state), this.reason), element('span', { class: 'row-side' }, this.age, this.clocks));
    this.going = element('div', { class: 'going', hidden: true });
    this.node = element('li', {}, this.link, this.going);
  }

  draw(board, frozen) {
    const state = frozen ? 'old' : board.stateName;
    const open = board.open();
    const finding = open[0] ?? board.mending()[0] ?? null;
    this.link.dataset.board = board.name;
    this.link.className = `row is-${state}`;
    this.link.href = finding ? `#/board/${encodeURIComponent(board.name)}/finding/${finding.id}` : `#/board/${encodeURIComponent(board.name)}`;
    setText(this.sign, SIGNS[state]);
    setText(this.state, w.states[state]);
    setText(this.reason, reason(board, finding, open.length));
    this.finding = finding;
    const calls = Boolean(open.length && !frozen && finding.grade === 'ruling' && rings(finding));
    if (calls) drawGoing(this.going, this.app, board, finding);
    this.going.hidden = !calls;
  }

  tick(board, now, frozen) {
    const finding = this.finding;
    const silent = board.silent(now);
    const open = finding?.at && finding.status === 'open' ? ago(now + board.skew() - Date.parse(finding.at)) : '';
    setText(this.age, silent === null ? open : w.old(ago(silent)));
    if (frozen || !board.clock) return setText(this.clocks, '');
    const side = (colour) => `${board.running(colour) ? '▸' : ''}${clockText(board.shown(colour, now))}`;
    setText(this.clocks, `${side('white')}\n${side('black')}`);
  }
}

// A hall alarm: what fails, and what the daemon says of it.
function alarmText(alarm) {
  const text = typeof alarm.text === 'object' ? said(alarm.text) : alarm.text;
  return [w.alarms[alarm.key] ?? alarm.key, alarm.about, text].filter(Boolean).join(' · ');
}

// Why, in a few words.
function reason(board, finding, open) {
  if (finding) {
    const by = finding.by ? `${w.by[finding.by]}: ` : '';
    const more = open > 1 ? ` (+${open - 1})` : '';
    return `${by}${title(finding.key)}${more}`;
  }
  const alarm = [...board.alarms.values(), ...(board.troubles ?? [])][0];
  if (alarm) return w.alarms[alarm.key] ?? (typeof alarm.text === 'object' ? said(alarm.text) : (alarm.text ?? alarm.key));
  if (board.promotion?.state === 'asked') return w.promotionAsked(board.promotion.square);
  if (board.pi?.away) return w.piAway(board.pi.name);
  if (board.link !== 'up') return w.alarms['board-lost'];
  if (board.over) return `${board.game.result.replace('1/2-1/2', '½–½').replace('-', '–')}`;
  const players = [board.game.white, board.game.black].filter(Boolean).join(' – ');
  return players || (board.last ? w.after(board.last.san ?? board.last.uci) : board.game.rules ? w.start : '');
}

function since(board) {
  const finding = board.open()[0] ?? board.mending()[0];
  return finding ? Date.parse(finding.at) : 0;
}

// As the daemon lists them: numbers first, 2 before 10.
export function order(a, b) {
  const number = (name) => (/^\d+$/.test(name) ? Number(name) : Infinity);
  return number(a) - number(b) || (a < b ? -1 : 1);
}

// Where there are no accounts an arbiter says himself who he is.
function yourName(app) {
  const input = element('input', { class: 'note', value: app.who, maxlength: 40, autocomplete: 'name', onchange: () => app.call(input.value.trim()) });
  return element('label', {}, element('span', {}, w.yourName), input);
}

// The panel of shortcuts, alerts and language behind the header's button.
export function settings(app, { show, close }) {
  const keys = element('dl', { class: 'shortcuts' });
  fill(keys, lang, () => w.shortcutList.flatMap(([key, text]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, text)]));
  const handy = element('input', { type: 'checkbox', role: 'switch', checked: shortcuts.on, onchange: () => shortcuts.set(handy.checked) });
  show(
    ...ringingSettings(app),
    element('h3', {}, w.shortcuts),
    element('label', { class: 'switch' }, handy, element('span', {}, w.undo.keys)),
    keys,
    element('h3', {}, w.codes),
    codes(),
    ...(app.me?.key ? [element('h3', {}, w.key), element('p', {}, element('code', { class: 'key-name' }, app.me.key)), element('p', { class: 'about' }, w.keyHint)] : []),
    element('p', {}, element('a', { href: '/operator' }, w.operatorPage)),
    ...(app.me?.name ? [element('p', { class: 'about' }, w.signedAs(app.me.name, w.roles[app.me.role] ?? '')), button(w.signOut, () => (close(), app.signOut()), { class: 'plain' })] : [yourName(app)]),
  );
}
