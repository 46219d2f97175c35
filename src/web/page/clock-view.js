// One player's row: colour, name, clock. The running clock is filled and has a mark; what is no plain reading says so.
import { element, setText } from './parts.js';
import { details, title } from './player.js';
import { words } from './words.js';

export class ClockView {
  constructor(side) {
    this.side = side;
    this.title = element('span', { class: 'title' });
    this.name = element('span', { class: 'name' });
    this.who = element('span', { class: 'who' });
    this.more = element('span', { class: 'more' });
    this.note = element('span', { class: 'note' });
    this.time = element('span', { class: 'time', role: 'timer', 'aria-live': 'off' });
    this.node = element('div', { class: `player ${side}` }, element('span', { class: 'chip', 'aria-hidden': 'true' }), this.title, this.name, this.who, this.more, this.note, this.time);
  }

  // How much more material this player has, in pawns.
  ahead(pawns) {
    setText(this.more, pawns > 0 ? `+${pawns}` : '');
    if (pawns > 0 && !this.more.title) this.more.title = words.material;
  }

  draw(record, now, frozen) {
    const { clock, game } = record;
    const name = game[this.side];
    setText(this.name, name ?? words[this.side]);
    if (this.name.title !== (name ?? '')) this.name.title = name ?? '';
    setText(this.title, name ? title(name) : '');
    setText(this.who, name ? details(name) : '');
    const ms = record.shown(this.side, now);
    const running = record.running(this.side) && !frozen;
    const flag = clock?.flag === this.side || clock?.flag === 'both';
    setText(this.time, ms === null ? '–:––' : clockText(ms));
    this.time.classList.toggle('running', running);
    this.time.classList.toggle('flag', flag);
    this.time.classList.toggle('low', ms !== null && ms < 20_000 && running);
    this.time.classList.toggle('stopped', frozen || record.link !== 'up');
    const seconds = clock ? Math.max(0.1, clock.uncertainty_ms / 1000).toFixed(1) : '';
    const guessed = clock?.source === 'estimate' && clock.uncertainty_ms >= 500;
    setText(this.note, flag ? `⚑ ${words.flag}` : guessed ? words.shortEstimate(seconds) : '');
    const about = !clock || ms === null ? words.noClock : ({ estimate: words.estimate(seconds), device: words.device(seconds), arbiter: words.arbiter }[clock.source] ?? '');
    const hint = running ? `${words.running}; ${about}` : about;
    if (this.time.title !== hint) this.time.title = hint;
  }
}

// Like the clock on the table: a second is shown until it is used up.
export function clockText(ms) {
  const s = Math.ceil(ms / 1000);
  const two = (n) => String(n).padStart(2, '0');
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}
