// The film of a finding or a move: pieces lifted and put, presses, both clocks, at real time, slowly, or step by step.
import { api } from './api.js';
import { Diagram } from './diagram.js';
import { FilmPlayer } from './film-player.js';
import { Reel } from './film-reel.js';
import { Why } from './film-why.js';
import { look, nameOf, playedBy } from './roster.js';
import { button, element, fill, setText, sorry } from './ui.js';
import { hour, lang, title, w } from './i18n.js';

// The film's last seconds are asked for again when they are over.
const LATER_MS = 600;

export class Film {
  // `what`: finding or ply; `number`: which; `game`: of an earlier game.
  constructor(app, name, what, number, game) {
    Object.assign(this, { app, name, what, number, game: game || null });
    this.title = element('h1', { tabindex: -1 });
    this.about = element('p', { class: 'about' });
    this.trouble = element('p', { class: 'problem', role: 'status' });
    this.player = new FilmPlayer(new Diagram());
    this.show = button(`⛶ ${w.film.show}`, () => this.toPlayers(), { class: 'plain film-show', 'aria-describedby': 'film-later' });
    this.later = element('p', { class: 'about', id: 'film-later' });
    this.why = new Why(name);
    const report = what === 'finding' ? [' · ', element('a', { href: api.report(name, number, lang), target: '_blank', rel: 'noopener' }, w.film.report)] : [];
    this.links = element('p', { class: 'links' }, element('a', { href: this.back }, what === 'finding' ? w.film.card : w.board(name)), ...report);
    this.place = element('div', { class: 'film-place' }, this.player.node);
    this.node = element('article', { class: 'film-view', 'data-board': name }, element('div', { class: 'film-head' }, this.title, this.about, this.trouble), this.place, element('div', { class: 'film-beside' }, this.player.list, this.show, this.later, this.why.node, this.links));
    this.keys = (e) => this.typed(e);
    document.addEventListener('keydown', this.keys);
    this.load();
    look(() => this.draw());
  }

  get back() {
    const board = `#/board/${encodeURIComponent(this.name)}`;
    return this.what === 'finding' ? `${board}/finding/${this.number}` : board;
  }

  get finding() {
    return this.what === 'finding' ? (this.app.board(this.name)?.findings.get(this.number) ?? null) : null;
  }

  async load() {
    try {
      const film = await (this.what === 'finding' ? api.findingFilm(this.name, this.number) : api.plyFilm(this.name, this.number, this.game));
      if (this.over) return;
      const reel = new Reel(film);
      this.player.load(reel);
      this.why.of(film);
      setText(this.trouble, '');
      if (film.to_ms < 5000) this.again = setTimeout(() => this.load(), 5000 - film.to_ms + LATER_MS);
    } catch (failure) {
      setText(this.trouble, failure.status === 404 ? w.film.none : sorry(failure));
      if (failure.status === 401) this.app.door(w.sessionOver);
    }
    this.draw();
  }

  draw() {
    const board = this.app.board(this.name);
    const { finding } = this;
    const about = finding ? title(finding.key) : this.what === 'ply' ? this.moveName(board) : '';
    setText(this.title, `${w.board(this.name)}: ${w.film.film}`);
    const reel = this.player.reel;
    setText(this.about, [about, reel ? hour(reel.at) : ''].filter(Boolean).join(' · '));
    // Those who play now are not those of an earlier game.
    const past = reel?.game && board?.game.number && reel.game < board.game.number;
    const name = (side) => (past ? playedBy(this.name, reel.game, side)?.name : nameOf(board, side)) ?? w.by[side];
    this.player.names({ white: name('white'), black: name('black') });
    // Players see it when it is ruled, not before.
    const waits = finding ? finding.status === 'open' && finding.grade !== 'note' : Boolean(board?.open().length);
    this.show.disabled = waits || !reel;
    setText(this.later, waits ? w.film.later : '');
  }

  moveName(board) {
    if (!board) return '';
    const { number, by } = board.numbered(this.number);
    return `${number}${by === 'white' ? '.' : '…'} ${this.player.reel?.name ?? ''}`;
  }

  // Over everything, with nothing but the board, both clocks and the film's own buttons.
  toPlayers() {
    const dialog = element('dialog', { class: 'for-players', 'aria-label': w.board(this.name) });
    const close = button('✕', () => dialog.close(), { class: 'icon-button film-close', 'aria-label': w.close });
    dialog.append(close, this.player.node);
    dialog.addEventListener('close', () => {
      this.place.append(this.player.node);
      dialog.remove();
      if (document.fullscreenElement) document.exitFullscreen();
      this.show.focus({ preventScroll: true });
    });
    document.body.append(dialog);
    dialog.showModal();
    // Where there is no full screen the window is filled.
    const whole = () => document.fullscreenElement !== dialog && dialog.open && dialog.close();
    dialog.requestFullscreen?.().then(() => dialog.addEventListener('fullscreenchange', whole)).catch(() => {});
    this.player.toStart();
    this.players = dialog;
  }

  typed(e) {
    if (e.altKey || e.ctrlKey || e.metaKey) return;
    const open = document.querySelector('dialog[open]');
    if (open && open !== this.players) return;
    const on = e.target.closest?.('button, a, summary, input:not([type=range]), textarea, select');
    const acts = { ArrowLeft: () => this.player.step(-1), ArrowRight: () => this.player.step(1), Home: () => this.player.toStart(), End: () => this.player.toEnd(), ...(on ? {} : { ' ': () => this.player.toggle() }) };
    if (!acts[e.key] || e.target.closest?.('input[type=radio], .film-list')) return;
    e.preventDefault();
    acts[e.key]();
  }

  key(key) {
    if (key !== 'Escape' && key !== 'b') return false;
    location.hash = key === 'b' ? `#/board/${encodeURIComponent(this.name)}` : this.back;
    return true;
  }

  close() {
    this.over = true;
    clearTimeout(this.again);
    this.player.pause();
    document.removeEventListener('keydown', this.keys);
    if (this.players?.open) this.players.close();
  }

  tick() {}
}
