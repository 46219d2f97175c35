// After a ruling: what still has to be done at the board, ticked off as the sensors see it.
import { squareName } from './diagram.js';
import { element, fill, setText } from './ui.js';
import { clockText, lang, w } from './i18n.js';

// How many squares are wrong, and the first of them by name.
function todo(board, wanted) {
  const wrong = board.wrong(wanted);
  const few = wrong.slice(0, 3).map((i) => `${squareName(i)} ${wanted[i] ? w.pieces[wanted[i]] : w.nobody}`);
  return `${w.wrong(wrong.length)}: ${few.join(', ')}${wrong.length > few.length ? ' …' : ''}`;
}

export class Check {
  constructor() {
    this.heading = element('h2', {}, w.check);
    this.list = element('ul', { class: 'checks' });
    this.done = element('p', { class: 'all-done', role: 'status' });
    this.node = element('section', { class: 'check' }, this.heading, this.list, this.done);
  }

  draw(finding, board, asking) {
    const { done } = finding;
    this.node.hidden = asking || !done;
    if (this.node.hidden) return;
    const wanted = board.wanted(finding);
    const counter = finding.proposal?.press_counter;
    const steps = [];
    if (wanted.position) steps.push(['position', done.position, w.checkPosition, null]);
    if (wanted.clock && !board.over) {
      for (const side of ['white', 'black']) steps.push([side, done[side], w.checkClock(w.by[side]), clockText(wanted.clock[`${side}_ms`])]);
      if (counter?.white || counter?.black) steps.push(['counter', null, w.counter(counter.white, counter.black), null]);
      steps.push(['run', done.run, w.startClock[wanted.clock.run], null]);
    }
    fill(this.list, [steps, done.all, lang], () => steps.map(([key, ok, name, target]) => this.step(key, ok || (done.all && key !== 'counter'), name, target)));
    setText(this.done, done.all ? `✓ ${w.checkDone}` : '');
    this.done.hidden = !done.all || board.over;
    this.tick(finding, board, performance.now());
  }

  step(key, ok, name, target) {
    const sign = ok ? '✓' : key === 'counter' ? '✎' : '○';
    return element(
      'li',
      { class: ok ? 'ok' : key === 'counter' ? 'by-hand' : 'todo', 'data-step': key },
      element('span', { class: 'tick', 'aria-hidden': 'true' }, sign),
      element('span', { class: 'step-name' }, name),
      target ? element('b', { class: 'digits' }, target) : '',
      element('span', { class: 'step-now' }),
    );
  }

  tick(finding, board, now) {
    if (this.node.hidden) return;
    for (const side of ['white', 'black']) {
      const node = this.list.querySelector(`[data-step=${side}] .step-now`);
      if (!node) continue;
      const shows = board.clock?.source === 'device' ? board.shown(side, now) : board.device?.[`${side}_ms`];
      setText(node, finding.done[side] || finding.done.all ? '' : !board.clock ? w.noClockSeen : shows === undefined ? w.clockUnread : w.clockShows(clockText(shows)));
    }
    const position = this.list.querySelector('[data-step=position] .step-now');
    const wanted = board.wanted(finding).position;
    if (position && wanted) setText(position, finding.done.position || finding.done.all ? '' : todo(board, wanted));
  }
}
