// Both clocks to set, in digits that can be read from a metre, with the times as found and as they are beside them.
import { button, choice, element, fill, setText } from './ui.js';
import { altName, clockText, lang, readClock, w } from './i18n.js';

const SIDES = ['white', 'black'];

export class CardClocks {
  constructor(changed) {
    this.changed = changed;
    this.reset();
    this.heading = element('h2', {}, w.setTo);
    this.faces = element('div', { class: 'faces' });
    this.run = element('p', { class: 'run-line' });
    this.options = element('div', { class: 'alternatives' });
    this.editor = element('div', { class: 'editor' });
    this.node = element('section', { class: 'clocks' }, this.heading, this.faces, this.run, this.options, this.editor);
    this.now = {};
  }

  reset() {
    this.picked = 'proposed';
    this.editing = false;
    this.custom = null;
  }

  // Times can be ruled on anything that proposes some, and on what has a running game.
  draw(finding, board, asking) {
    this.finding = finding;
    this.board = board;
    const proposal = finding.proposal ?? {};
    const declares = ['declare-loss', 'declare-draw', 'cancel-game'].includes(proposal.action);
    this.possible = asking && Boolean(board.clock) && !declares;
    this.list = [['proposed', proposal.clock], ...(proposal.alternatives ?? []).filter((a) => a.label !== 'custom').map((a, i) => [`alt-${i}`, a.clock, altName(a)])].filter(([, clock]) => clock);
    if (!this.list.some(([key]) => key === this.picked) && this.picked !== 'custom') this.picked = 'proposed';
    const clock = this.chosen();
    this.node.hidden = !asking || (!clock && !this.editing);
    if (this.node.hidden) return;
    const found = foundClock(finding);
    fill(this.faces, [clock, found, lang], () => SIDES.map((side) => this.face(side, clock, found)));
    setText(this.run, clock ? `▸ ${w.runs[clock.run]}` : '');
    this.run.className = `run-line ${clock?.run ?? ''}`;
    const options = this.editing ? [] : this.list;
    fill(this.options, [options, this.picked, lang], () =>
      options.length > 1 ? [choice(`times-${finding.id}`, options.map(([key, time, name]) => [key, `${key === 'proposed' ? w.proposed : name}`, element('small', {}, ` ${this.text(time)}`)]), this.picked, (key) => this.take(key))] : [],
    );
    fill(this.editor, [this.editing, lang], () => (this.editing ? this.form() : []));
  }

  face(side, clock, found) {
    this.now[side] = element('span', { class: 'face-now' });
    return element(
      'div',
      { class: `face ${side} ${clock?.run === side ? 'runs' : ''}`, 'data-side': side },
      element('span', { class: 'face-name' }, element('span', { class: 'chip-colour' }), w.by[side]),
      element('span', { class: 'digits' }, clockText(clock?.[`${side}_ms`])),
      element('span', { class: 'face-found' }, found ? `${w.asFound} ${clockText(found[`${side}_ms`])}` : ''),
      this.now[side],
    );
  }

  tick(board, now, frozen) {
    if (this.node.hidden) return;
    for (const side of SIDES) {
      const shown = board.shown(side, now);
      setText(this.now[side] ?? element('i'), shown === null ? w.noClock : `${w.now} ${frozen ? '?' : clockText(shown)}${!frozen && board.running(side) ? ' ▸' : ''}`);
    }
  }

  take(key) {
    this.picked = key;
    this.changed();
  }

  pick(index) {
    const found = this.list?.[index];
    if (!found || this.editing || this.node.hidden) return false;
    this.take(found[0]);
    return true;
  }

  get isProposed() {
    return this.picked === 'proposed';
  }

  chosen() {
    if (this.picked === 'custom') return this.custom;
    return this.list?.find(([key]) => key === this.picked)?.[1] ?? null;
  }

  // Who runs is said where it is not what the proposal says.
  text(clock) {
    const run = clock.run === (this.list?.[0]?.[1].run ?? clock.run) ? '' : `, ${w.runShort[clock.run]}`;
    return `${clockText(clock.white_ms)} – ${clockText(clock.black_ms)}${run}`;
  }

  // Opens the form with what stands on the card.
  edit(finding) {
    const start = this.chosen() ?? this.custom ?? (finding.proposal?.alternatives ?? []).find((a) => a.label === 'custom')?.clock ?? clockNow(this.board);
    this.custom = { white_ms: start.white_ms ?? 0, black_ms: start.black_ms ?? 0, run: start.run };
    this.editing = true;
    this.picked = 'custom';
    this.changed();
    this.editor.querySelector('input')?.focus({ preventScroll: true });
    this.editor.scrollIntoView({ block: 'center', behavior: 'smooth' });
  }

  get broken() {
    return this.picked === 'custom' && this.editor.querySelector('[aria-invalid=true]') !== null;
  }

  form() {
    return timesForm(this.custom, (clock) => {
      this.custom = clock;
      this.changed();
    });
  }
}

// Inputs for two times and who runs; steps for thumbs. `changed` gets the whole clock each time it is right.
export function timesForm(start, changed) {
  let clock = { ...start };
  const say = (part) => changed((clock = { ...clock, ...part }));
  const side = (name) => {
    const field = `${name}_ms`;
    const input = element('input', { value: clockText(clock[field]), inputmode: 'text', 'aria-label': w.by[name], class: 'time-input', maxlength: 8, autocomplete: 'off' });
    const read = () => {
      const ms = readClock(input.value);
      input.setAttribute('aria-invalid', ms === null);
      if (ms !== null) say({ [field]: ms });
    };
    input.addEventListener('input', read);
    const step = (seconds) =>
      button(`${seconds < 0 ? '−' : '+'}${Math.abs(seconds) >= 60 ? `${Math.abs(seconds) / 60} ${w.unitM}` : `${Math.abs(seconds)} ${w.unitS}`}`, () => {
        input.value = clockText(Math.max(0, clock[field] + seconds * 1000));
        read();
      });
    return element('div', { class: `times ${name}` }, element('span', { class: 'face-name' }, element('span', { class: 'chip-colour' }), w.by[name]), input, element('div', { class: 'steps' }, ...[-60, -10, -1, 1, 10, 60].map(step)));
  };
  const run = choice(`run-${Math.random()}`, ['white', 'stopped', 'black'].map((r) => [r, w.runShort[r]]), clock.run, (value) => say({ run: value }));
  return [side('white'), side('black'), run];
}

// The times at the irregularity, frozen.
export function foundClock(finding) {
  return finding.facts?.clock_at_press ?? (finding.found?.clock?.white_ms !== undefined ? finding.found.clock : null);
}

export function clockNow(board) {
  const now = performance.now();
  const whole = (ms) => Math.floor((ms ?? 0) / 1000) * 1000;
  return { white_ms: whole(board?.shown('white', now)), black_ms: whole(board?.shown('black', now)), run: board?.clock?.running ?? 'stopped' };
}
