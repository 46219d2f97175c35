// Board, clocks and buttons of a film. Plays what a reel holds; what it is about stands elsewhere.
import { svg } from '/page/parts.js';
import { button, choice, element, fill, setText } from './ui.js';
import { lang, w } from './i18n.js';

const SPEEDS = { 1: '1×', 0.25: '¼×' };
const SIDES = ['black', 'white'];
// The scale that the marks stand on.
const WIDE = 1000;

export class FilmPlayer {
  constructor(diagram) {
    Object.assign(this, { diagram, reel: null, t: 0, speed: 1, running: null });
    this.clocks = Object.fromEntries(SIDES.map((side) => [side, this.clock(side)]));
    this.stamp = element('b', { class: 'film-time' });
    this.caption = element('span', { class: 'film-what' });
    this.marks = svg('svg', { viewBox: `0 0 ${WIDE} 14`, preserveAspectRatio: 'none', class: 'film-marks', 'aria-hidden': 'true' });
    this.bar = element('input', { type: 'range', class: 'film-bar', min: 0, max: 1, step: 10, 'aria-label': w.film.position, oninput: () => this.seek(Number(this.bar.value)) });
    this.playing = button('▶', () => this.toggle(), { class: 'primary film-play', 'aria-label': w.film.play });
    const step = (by, sign, name) => button(sign, () => this.step(by), { class: 'plain film-step', 'aria-label': name });
    this.controls = element('div', { class: 'film-controls' }, step(-1, '◂', w.film.back), this.playing, step(1, '▸', w.film.on), choice(w.film.speed, Object.entries(SPEEDS), '1', (value) => (this.speed = Number(value))), button('⇅', () => this.turn(), { class: 'plain film-turn', 'aria-label': w.film.turn }));
    this.table = element('div', { class: 'film-table' });
    this.node = element('section', { class: 'film', hidden: true }, this.table, element('p', { class: 'film-caption', role: 'status' }, this.stamp, this.caption), element('div', { class: 'film-scale' }, this.marks, this.bar), this.controls);
    this.list = element('ol', { class: 'film-list', 'aria-label': w.film.steps });
    this.lay();
  }

  clock(side) {
    const parts = { name: element('span', { class: 'film-name' }), time: element('span', { class: 'digits' }) };
    parts.node = element('p', { class: `film-clock ${side}` }, element('span', { class: 'chip-colour' }), parts.name, parts.time);
    return parts;
  }

  lay() {
    const [top, bottom] = this.diagram.flipped ? ['white', 'black'] : ['black', 'white'];
    this.table.replaceChildren(this.clocks[top].node, element('figure', { class: 'wanted' }, this.diagram.node), this.clocks[bottom].node);
  }

  turn() {
    this.diagram.flipped = !this.diagram.flipped;
    this.lay();
    this.draw();
  }

  names(names) {
    for (const side of SIDES) setText(this.clocks[side].name, names[side]);
  }

  load(reel) {
    // The same film, longer by what has happened since, goes on where it was.
    const first = !this.reel;
    this.reel = reel;
    this.node.hidden = false;
    Object.assign(this.bar, { min: reel.from, max: reel.to });
    this.node.dataset.to = reel.to;
    const x = (t) => ((t - reel.from) / (reel.to - reel.from)) * WIDE;
    const line = (t, kind) => svg('path', { d: `M${x(t)} 0v14`, class: kind });
    this.marks.replaceChildren(line(0, 'film-moment'), ...reel.presses.map((t) => line(t, 'film-press')));
    fill(this.list, [reel.frames.map((frame) => frame.t), lang], () => reel.frames.map((frame) => element('li', { 'data-t': frame.t }, button(`${stamp(frame.t)}  ${told(frame)}`, () => this.seek(frame.t)))));
    if (first) this.t = reel.from;
    this.draw();
  }

  seek(t) {
    this.pause();
    this.t = Math.max(this.reel.from, Math.min(this.reel.to, t));
    this.draw();
  }

  step(by) {
    if (this.reel) this.seek(this.reel.step(this.t, by));
  }

  toStart() {
    if (this.reel) this.seek(this.reel.from);
  }

  toEnd() {
    if (this.reel) this.seek(this.reel.to);
  }

  toggle() {
    if (this.running !== null) this.pause();
    else if (this.reel) this.play();
  }

  play() {
    if (this.t >= this.reel.to) this.t = this.reel.from;
    let before = performance.now();
    const on = (now) => {
      this.t = Math.min(this.reel.to, this.t + Math.max(0, now - before) * this.speed);
      before = now;
      if (this.t >= this.reel.to) this.running = null;
      else this.running = requestAnimationFrame(on);
      this.draw();
    };
    this.running = requestAnimationFrame(on);
    this.draw();
  }

  pause() {
    if (this.running !== null) cancelAnimationFrame(this.running);
    this.running = null;
    this.draw();
  }

  draw() {
    const { reel, t } = this;
    if (!reel) return;
    const frame = reel.frame(t);
    this.diagram.draw({ position: frame.position, touched: frame.changed, air: frame.lifted, label: `${stamp(t)} ${told(frame)}` });
    const runs = reel.running(t);
    for (const side of SIDES) {
      const { node, time } = this.clocks[side];
      const shown = reel.shown(side, t);
      setText(time, shown === null ? '–' : `${runs === side ? '▸ ' : ''}${display(shown)}`);
      node.classList.toggle('runs', runs === side);
      node.classList.toggle('pressed', frame.steps.some((step) => step.press === side));
    }
    setText(this.stamp, stamp(t));
    setText(this.caption, told(frame));
    this.bar.value = t;
    this.bar.setAttribute('aria-valuetext', stamp(t));
    const playing = this.running !== null;
    setText(this.playing, playing ? '❚❚' : '▶');
    this.playing.setAttribute('aria-label', playing ? w.film.pause : w.film.play);
    this.node.classList.toggle('is-playing', playing);
    // While it plays nobody listens to every step.
    this.caption.parentNode.setAttribute('aria-live', playing ? 'off' : 'polite');
    for (const item of this.list.children) item.classList.toggle('current', Number(item.dataset.t) === frame.t);
  }
}

// −1.2 s, +0.4 s: around the moment that the film is about.
export const stamp = (t) => `${t < 0 ? '−' : '+'}${(Math.abs(t) / 1000).toFixed(1)} ${w.unitS}`;

// A display shows a second until it is used up.
function display(ms) {
  const s = Math.ceil(ms / 1000);
  const two = (n) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  return h ? `${h}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

// What happened, in words.
function told(frame) {
  const { film } = w;
  const squares = frame.steps.filter((step) => step.square);
  const many = squares.length > 4;
  const words = [
    ...(many ? [film.many(squares.length)] : squares.map((step) => (step.now ? film.put(step.square, w.pieces[step.now], step.was ? w.pieces[step.was] : '') : film.lifted(step.square, w.pieces[step.was])))),
    ...frame.steps.filter((step) => step.press).map((step) => film.press(w.by[step.press])),
    ...frame.steps.filter((step) => step.link).map((step) => film.link[step.link]),
  ];
  const quiet = frame.steps.length > 0 && words.length === 0;
  if (quiet && frame.clock) words.push(frame.clock.running ? w.runs[frame.clock.running] : w.runs.stopped);
  return words.join('; ');
}
