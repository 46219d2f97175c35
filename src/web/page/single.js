// One board large: board, clocks, moves. Shows the live position, or an earlier one while somebody leafs through the game.
import { BoardView } from './board-view.js';
import { ClockView } from './clock-view.js';
import { MovesView } from './moves-view.js';
import { copy } from './copy.js';
import { opening } from './openings.js';
import { element, icon, setText } from './parts.js';
import { fen, material } from './position.js';
import { moveText, result, timeControl, words } from './words.js';

const ICONS = {
  first: 'M6 5v14M19 5l-9 7 9 7z',
  previous: 'M16 5l-9 7 9 7z',
  next: 'M8 5l9 7-9 7z',
  latest: 'M18 5v14M5 5l9 7-9 7z',
  flip: 'M8 4v15M8 19l-4-4M8 19l4-4M16 20V5M16 5l-4 4M16 5l4 4',
};

export class Single {
  // `title` says what is shown, `pgn` where the game is as PGN, `file` what that is called; `keys` and `follow` are words.
  constructor(name, { title = words.board(name), pgn = `/api/v1/boards/${encodeURIComponent(name)}/pgn`, file = `${name}.pgn`, keys = words.keys, follow = words.follow } = {}) {
    this.name = name;
    this.heading = title;
    this.ply = null;
    this.board = new BoardView({ coordinates: true });
    this.clocks = { black: new ClockView('black'), white: new ClockView('white') };
    this.moves = new MovesView((ply) => this.show(ply));
    this.title = element('h1', { tabindex: -1 }, title);
    this.about = element('p', { class: 'about' });
    this.state = element('p', { class: 'state' });
    this.opening = element('p', { class: 'opening', lang: 'en', hidden: true });
    this.spoken = element('p', { class: 'hidden', 'aria-live': 'polite' });
    this.follow = element('button', { type: 'button', class: 'follow', hidden: true, onclick: () => this.show(Infinity) }, follow);
    this.pgn = element('a', { class: 'tool text', href: pgn, download: file, title: words.pgnTitle }, words.pgn);
    this.buttons = {
      first: this.tool('first', () => this.show(0)),
      previous: this.tool('previous', () => this.step(-1)),
      next: this.tool('next', () => this.step(1)),
      latest: this.tool('latest', () => this.show(Infinity)),
      flip: this.tool('flip', () => this.flip()),
    };
    this.tools = element('div', { class: 'tools', role: 'toolbar', 'aria-label': words.moves }, ...Object.values(this.buttons), this.pgn);
    const copies = [
      [words.copyPgn, async () => (await fetch(pgn)).text()],
      [words.copyFen, () => fen(this.record, this.ply ?? Infinity)],
      [words.share, () => location.href],
    ];
    this.copies = element('div', { class: 'tools copies' }, ...copies.map(([text, what]) => this.copy(text, what)));
    this.table = element('div', { class: 'table' }, this.clocks.black.node, element('div', { class: 'board-box' }, this.board.node), this.clocks.white.node);
    this.node = element(
      'article',
      { class: 'single', 'data-board': name },
      element('div', { class: 'single-head' }, this.title, this.about, this.state),
      this.table,
      element('div', { class: 'side' }, this.opening, this.moves.node, this.follow, this.tools, this.copies, element('p', { class: 'keys' }, keys)),
      this.spoken,
    );
  }

  tool(name, act) {
    return element('button', { type: 'button', class: 'tool', 'aria-label': words[name], title: words[name], onclick: act }, icon(ICONS[name]));
  }

  copy(text, what) {
    const button = element('button', { type: 'button', class: 'tool text', onclick: async () => {
      const done = this.record && (await copy(what));
      setText(button, done ? words.copied : words.notCopied);
      setText(this.spoken, button.textContent);
      setTimeout(() => setText(button, text), 2000);
    } }, text);
    return button;
  }

  draw(record, now, frozen) {
    this.record = record;
    const { game, last, lastPly } = record;
    if (this.ply !== null && this.ply >= lastPly) this.ply = null;
    const live = this.ply === null;
    const shown = live ? last : (record.moves.find((m) => m.ply === this.ply) ?? null);
    const label = shown ? words.after(moveText(record, shown)) : words.start;
    this.board.draw({ position: record.position(this.ply ?? Infinity), last: live && record.adrift ? null : shown, lifted: live ? record.lifted() : [], label: `${this.heading}, ${label}` });
    this.moves.draw(record, shown?.ply ?? null);
    const ahead = material(record.position(this.ply ?? Infinity));
    this.clocks.white.ahead(Math.max(0, ahead));
    this.clocks.black.ahead(Math.max(0, -ahead));
    opening(record, this.ply ?? Infinity).then((name) => {
      this.opening.hidden = !name;
      setText(this.opening, name ?? '');
    });
    const about = [words.play[game.play] ?? game.play, game.time_control && timeControl(game.time_control)].filter(Boolean).join(' · ');
    setText(this.about, about);
    const down = record.link !== 'up';
    setText(this.state, record.over ? result(game) : down ? words.linkDown : game.rules ? '' : words.waiting);
    this.state.classList.toggle('down', down && !record.over);
    this.node.classList.toggle('is-down', down && !record.over);
    this.follow.hidden = live;
    const first = record.base.ply;
    for (const [name, off] of [['first', shown === null], ['previous', shown === null], ['next', live], ['latest', live]]) {
      this.buttons[name].setAttribute('aria-disabled', off || lastPly === first);
    }
    this.speak(record);
    this.tick(record, now, frozen);
  }

  tick(record, now, frozen) {
    const silent = record.silent(now);
    if (silent !== null && !record.over) setText(this.state, words.piAway(record.pi.name, silent));
    this.clocks.black.draw(record, now, frozen);
    this.clocks.white.draw(record, now, frozen);
  }

  // Says each completed move and the result once, and nothing of what was there when the page opened.
  speak(record) {
    const done = record.moves.findLast((m) => m.completed);
    const text = record.over ? result(record.game) : done ? moveText(record, done) : '';
    if (this.heard !== undefined && text !== this.heard) setText(this.spoken, text);
    this.heard = text;
  }

  show(ply) {
    if (!this.record) return;
    this.ply = ply >= this.record.lastPly ? null : Math.max(this.record.base.ply, ply);
    this.draw(this.record, performance.now(), this.frozen);
  }

  step(by) {
    this.show((this.ply ?? this.record?.lastPly ?? 0) + by);
  }

  flip() {
    this.board.flip();
    this.table.classList.toggle('flipped', this.board.flipped);
    if (this.record) this.show(this.ply ?? Infinity);
  }

  // True where the key was for us.
  key(key) {
    const acts = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.show(0), End: () => this.show(Infinity), f: () => this.flip(), F: () => this.flip() };
    // In Russian layout the key F writes а.
    acts['а'] = acts.f;
    acts['А'] = acts.f;
    if (!acts[key]) return false;
    acts[key]();
    if (this.moves.list.contains(document.activeElement) || document.activeElement === document.body) this.moves.list.querySelector('[aria-current]')?.focus({ preventScroll: true });
    return true;
  }
}
