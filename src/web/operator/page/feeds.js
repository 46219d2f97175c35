// Every outlet with its lamp, what it sent last and what stands in the way; how far spectators are behind.
import { clockText, lang } from '/arbiter/i18n.js';
import { button, element, fill, setText, sheet, sorry, toast } from '/arbiter/ui.js';
import { desk } from './desk.js';
import { about, called, sign, state } from './lamps.js';
import { words } from './words.js';

const WORST = { bad: 0, late: 1, idle: 2, good: 3 };

export class Feeds {
  constructor(app) {
    this.app = app;
    this.delay = element('p', { class: 'about' });
    this.list = element('ul', { class: 'lines feeds' });
    this.how = element('details', { class: 'about' });
    this.node = element('div', {}, this.delay, this.how, this.list);
  }

  draw() {
    const o = words();
    const { outlets, delay } = this.app;
    setText(this.delay, !delay ? '' : delay.ms === undefined ? o.noDelay : delay.until === 'end' ? o.delayEnd(delay.ms ? clockText(delay.ms) : '') : o.delay(clockText(delay.ms)));
    fill(this.how, lang, () => [element('summary', {}, o.howDelay), ...o.howDelayText.map((text) => element('p', {}, text))]);
    const shown = [...outlets].sort((a, b) => WORST[state(a)] - WORST[state(b)]);
    fill(this.list, [shown, lang, this.app.minute()], () => (shown.length ? shown.map((outlet) => this.line(outlet)) : [element('li', {}, o.noFeeds)]));
  }

  line(outlet) {
    const o = words();
    const { round: games, boards, files } = outlet.sent ?? {};
    const what = games ? o.games(games.games, games.plies) : boards ? o.ofBoards(boards.boards, boards.plies) : files ? o.files(files.files, files.waiting) : '';
    const round = /^lichess (\S+)$/.exec(outlet.outlet ?? '')?.[1];
    const { short, long } = about(outlet);
    return element(
      'li',
      { class: `feed is-${state(outlet)}` },
      sign(outlet),
      element('div', {}, element('b', {}, called(outlet)), element('small', {}, [what, short].filter(Boolean).join(' · ')), ...long.map((text) => element('small', { class: 'trouble' }, text))),
      ...(round ? [element('span', { class: 'buttons' }, button(o.push, () => this.push(round), { class: 'plain small' }), button(o.reset, () => this.reset(round), { class: 'plain small' }))] : []),
    );
  }

  async push(round) {
    await command(() => desk.lichess(round, 'push'), words().pushed);
  }

  reset(round) {
    const o = words();
    sheet(o.reset, ({ show, close }) => show(element('p', {}, o.resetSure(round)), button(o.resetDo, async () => (close(), command(() => desk.lichess(round, 'reset'), o.pushed)), { class: 'primary' })));
  }
}

async function command(act, done) {
  try {
    await act();
    toast(done);
  } catch (failure) {
    toast(sorry(failure), 'bad');
  }
}
