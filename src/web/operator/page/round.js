// The round that is played, the next one, and pairing lists: dropped, chosen or fetched, looked at, then taken.
import { lang } from '/arbiter/i18n.js';
import { button, element, fill, setText, sheet, sorry, toast } from '/arbiter/ui.js';
import { desk } from './desk.js';
import { words } from './words.js';

const RESULTS = { '1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½' };

export class Round {
  constructor(app) {
    const o = words();
    this.app = app;
    this.shown = null;
    this.title = element('p', { class: 'about' });
    this.choice = element('div', { class: 'rounds', role: 'group', 'aria-label': o.sections.round });
    this.table = element('div', { class: 'scroll', tabindex: 0, role: 'region' });
    this.next = element('div', { class: 'next' });
    this.held = element('div', { class: 'held' });
    this.node = element('div', {}, this.title, this.choice, this.table, this.next, this.held, this.dropBox());
  }

  draw() {
    const o = words();
    const { event, held } = this.app;
    if (!event) return;
    const number = this.shown ?? event.round;
    const round = event.rounds.find((r) => r.number === number);
    setText(this.title, [event.name, event.site].filter((part) => part && part !== '?').join(', '));
    fill(this.choice, [event.rounds.map((r) => r.number), number, event.round, lang], () =>
      event.rounds.length < 2 ? [] : event.rounds.map((r) => button(String(r.number), () => ((this.shown = r.number), this.draw()), { class: 'plain small', 'aria-pressed': String(r.number === number), 'aria-label': o.roundNo(r.number) })),
    );
    this.table.setAttribute('aria-label', o.roundNo(number));
    fill(this.table, [round, number, event.round, lang], () => [
      element('h3', {}, `${o.roundNo(number)}${number === event.round ? ` · ${o.now}` : ''}`),
      round?.pairings.length ? this.pairings(round.pairings) : element('p', { class: 'about' }, o.noPairings),
    ]);
    this.drawNext(event);
    const lines = held?.held ?? [];
    fill(this.held, [lines, lang], () => (lines.length ? [element('h3', {}, o.held), element('ul', { class: 'lines' }, ...lines.map((text) => element('li', {}, text))), button(o.follow, () => this.do(desk.takeHeld, o.followed), { class: 'plain small' })] : []));
  }

  pairings(pairings) {
    const o = words();
    const head = element('tr', {}, ...['board', 'white', 'black', 'result'].map((key) => element('th', { scope: 'col' }, o.pairing[key])));
    const row = (p) =>
      element('tr', {}, element('td', {}, p.label ?? '', p.board === null ? element('small', {}, ` ${o.noBoard}`) : p.board !== p.label ? element('small', {}, ` (${p.board})`) : ''), element('td', {}, player(p.white)), element('td', {}, player(p.black)), element('td', { class: 'digits' }, RESULTS[p.result] ?? (p.live ? o.isPlayed : '')));
    return element('table', { class: 'pairings' }, element('thead', {}, head), element('tbody', {}, ...pairings.map(row)));
  }

  drawNext(event) {
    const o = words();
    const number = (event.round ?? 0) + 1;
    const pairs = event.rounds.find((r) => r.number === number)?.pairings.length ?? 0;
    const open = (event.rounds.find((r) => r.number === event.round)?.pairings ?? []).filter((p) => p.live).map((p) => p.label);
    fill(this.next, [number, pairs, open, lang], () => [
      element('h3', {}, o.next(number)),
      element('p', { class: 'about' }, pairs ? '' : `${o.noNext} `, open.length ? o.waitsFor(open.join(', ')) : o.waitsForNone),
      button(o.begin(number), () => this.begin(number, open), { class: 'plain small begin' }),
    ]);
  }

  begin(number, open) {
    const o = words();
    sheet(o.begin(number), ({ show, close }) =>
      show(element('p', {}, o.beginSure(number)), ...(open.length ? [element('p', { class: 'problem' }, o.waitsFor(open.join(', ')))] : []), button(o.begin(number), () => (close(), (this.shown = null), this.do(() => desk.round(number), o.begun(number))), { class: 'primary' })),
    );
  }

  async do(act, done) {
    try {
      await act();
      toast(done);
    } catch (failure) {
      toast(sorry(failure), 'bad');
    }
    await this.app.askRound();
  }

  // Where a list comes in.
  dropBox() {
    const o = words();
    const file = element('input', { type: 'file', id: 'list-file', class: 'list-file', accept: '.csv,.pgn,.trf,.trfx,.json,.txt', onchange: () => file.files[0] && this.read(file.files[0]) });
    const drop = element('label', { class: 'drop', for: 'list-file' }, element('b', {}, o.drop), element('small', {}, o.dropKinds), file);
    const over = (on) => (e) => (e.preventDefault(), drop.classList.toggle('over-it', on));
    drop.addEventListener('dragover', over(true));
    drop.addEventListener('dragleave', over(false));
    drop.addEventListener('drop', (e) => {
      over(false)(e);
      const [dropped] = e.dataTransfer.files;
      const text = e.dataTransfer.getData('text/uri-list') || e.dataTransfer.getData('text/plain');
      if (dropped) this.read(dropped);
      else if (text.trim()) this.look({ url: text.trim(), name: text.trim() });
    });
    const address = element('input', { class: 'note', type: 'url', placeholder: 'https://', 'aria-describedby': 'address-hint', name: 'address' });
    const form = element('form', { class: 'by-address', onsubmit: (e) => (e.preventDefault(), address.value.trim() && this.look({ url: address.value.trim(), name: address.value.trim() })) }, element('label', {}, element('span', {}, o.orAddress), address, element('small', { id: 'address-hint' }, o.addressHint)), button(o.look, null, { type: 'submit', class: 'plain small' }));
    this.number = element('input', { class: 'note', type: 'number', min: 1, max: 999, name: 'round' });
    this.overGames = element('input', { type: 'checkbox', name: 'over-games' });
    return element(
      'div',
      { class: 'list-in' },
      drop,
      form,
      element('label', { class: 'of-round' }, element('span', {}, o.ofRound), this.number),
      element('label', { class: 'switch' }, this.overGames, element('span', {}, o.overGames)),
      button(o.reload, () => this.do(desk.reload, o.reloaded), { class: 'plain small' }),
    );
  }

  async read(file) {
    this.look({ bytes: await file.arrayBuffer(), name: file.name });
  }

  // What a list would change; nothing is taken before somebody says so.
  async look(list) {
    const o = words();
    const how = { round: this.number.value, overGames: this.overGames.checked };
    let answer;
    try {
      answer = await desk.pairings(list, { ...how, dry: true });
    } catch (failure) {
      sheet(o.notTaken, ({ show }) => show(element('p', { class: 'about' }, o.from(list.name)), element('p', { class: 'problem mistakes', role: 'alert' }, sorry(failure))));
      return;
    }
    const part = (title, lines) => (lines.length ? [element('h3', {}, title), element('ul', { class: 'lines' }, ...lines.map((text) => element('li', {}, text)))] : []);
    sheet(o.sections.round, ({ show, close }) => {
      const take = async () => {
        close();
        await this.do(() => desk.pairings(list, { ...how, dry: false }), o.taken);
      };
      show(
        element('p', { class: 'about' }, o.from(list.name)),
        element('div', { class: 'changes' }, ...(answer.changes.length ? part(o.changes, answer.changes) : [element('p', {}, o.nothing)]), ...part(o.heldHead, answer.held), ...part(o.doubts, answer.doubts)),
        element('div', { class: 'menu' }, button(o.discard, close, { class: 'plain' }), button(o.take, take, { class: 'primary take' })),
      );
    });
  }
}

// A player as a list of pairings has it.
export function player(p) {
  const given = [p?.fname, p?.mname].filter(Boolean).join(' ');
  return [p?.title, [p?.lname, given].filter(Boolean).join(', ')].filter(Boolean).join(' ');
}
