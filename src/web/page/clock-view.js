// One player's row: colour, name, clock. The running clock is filled and has a mark; what is no plain reading says so.
import { element, setText } from './parts.js';
import { words } from './words.js';

export class ClockView {
  constructor(side) {
    this.side = side;
    this.name = element('span', { class: 'name' });
    this.note = element('span', { class: 'note' });
    this.time = element('span', { class: 'time', role: 'timer', 'aria-live': 'off' });
    this.node = element('div', { class: `player ${side}` }, element('span', { class: 'chip', 'aria-hidden': 'true' }), this.name, this.note, this.time);
  }

  draw(record, now, frozen) {
    const { clock, game } = record;
    setText(this.name, game[this.side] ?? words[this.side]);
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
    const title = running ? `${words.running}; ${about}` : about;
    if (this.time.title !== title) this.time.title = title;
  }
}

// Like the clock on the table: a second is shown until it is used up.
export function clockText(ms) {
  const s = Math.ceil(ms / 1000);
  const two = (n) => String(n).padStart(2, '0');
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}
