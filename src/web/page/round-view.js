// A round: who plays whom and how it stands; below it who stands where. Earlier rounds are one tap away.
import { event, knowRound, round } from './event.js';
import { element } from './parts.js';
import { flag } from './player.js';
import { sources } from './sources.js';
import { date, score, words } from './words.js';

export class RoundView {
  constructor(number) {
    this.number = number;
    this.title = element('h1', { tabindex: -1 }, words.round(number));
    this.day = element('p', { class: 'about' });
    this.tabs = element('nav', { class: 'rounds', 'aria-label': words.rounds });
    this.list = element('table', { class: 'pairings' });
    this.standings = element('section', { hidden: true });
    const archive = sources.archive();
    this.pgn = element('a', { href: sources.roundPgn(number), download: `round-${number}.pgn` }, words.roundPgn);
    this.links = element('p', { class: 'about links' }, this.pgn, archive ? element('a', { href: archive }, words.archive) : '');
    this.node = element('article', { class: 'round' }, element('div', { class: 'single-head' }, this.title, this.day), this.tabs, this.list, this.links, this.standings);
    knowRound(number).then(() => this.draw());
  }

  draw() {
    const known = round(this.number);
    const tab = (one) => element('a', { href: `#/round/${one.round}`, 'aria-current': one.round === this.number ? 'page' : null }, String(one.round));
    this.tabs.replaceChildren(...event.rounds.filter((one) => one.pairings > 0).map(tab));
    this.tabs.hidden = this.tabs.children.length < 2;
    this.day.textContent = known?.date ? date(known.date) : '';
    const key = JSON.stringify([known, event.standings, event.round]);
    // Nobody loses the place where he reads.
    if (key === this.key) return;
    this.key = key;
    const head = element('tr', {}, ...[words.table, words.white, '', words.black].map((text) => element('th', { scope: 'col' }, text || element('span', { class: 'hidden' }, words.result))));
    const pairings = known?.pairings ?? [];
    this.list.replaceChildren(element('thead', {}, head), element('tbody', {}, ...pairings.map((pairing) => this.row(pairing))));
    this.list.hidden = pairings.length === 0;
    this.links.hidden = pairings.length === 0;
    this.drawStandings();
  }

  row(pairing) {
    const said = pairing.live ? words.playing : score(pairing) || '–';
    const href = sources.game(this.number, pairing, event.round);
    const result = href ? element('a', { href }, said) : said;
    return element(
      'tr',
      { class: pairing.live ? 'live' : '' },
      element('td', {}, pairing.label),
      element('td', {}, ...who(pairing.white)),
      element('td', { class: 'result' }, result),
      element('td', {}, ...who(pairing.black)),
    );
  }

  drawStandings() {
    this.standings.hidden = event.standings.length === 0;
    const row = (one) =>
      element('tr', {}, element('td', {}, String(one.place)), element('td', {}, ...who(one)), element('td', { class: 'points' }, points(one.points)), element('td', { class: 'points' }, String(one.games)));
    const head = element('tr', {}, ...[words.place, words.player, words.points, words.games].map((text) => element('th', { scope: 'col' }, text)));
    this.standings.replaceChildren(
      element('h2', {}, words.standings),
      element('p', { class: 'about' }, event.reported ? words.standingsReported : words.standingsNote),
      element('table', { class: 'standings' }, element('thead', {}, head), element('tbody', {}, ...event.standings.map(row))),
    );
  }
}

function who(player) {
  return [
    // A line may end between them.
    ...(player.title ? [element('span', { class: 'title' }, player.title), ' '] : []),
    element('span', {}, player.name),
    element('span', { class: 'who' }, [player.elo, player.federation && flag(player.federation), player.team].filter(Boolean).join(' · ')),
  ];
}

// 2½, not 2.5.
function points(n) {
  const whole = Math.floor(n);
  return n === whole ? String(n) : `${whole || ''}½`;
}
