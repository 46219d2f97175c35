// What was entered last can be undone for eight seconds: a bar that counts down and undoes by one tap. The daemon measures the time itself.
import { button, element, setText, toast } from './ui.js';
import { title, w } from './i18n.js';

// The answer may have taken a while, and the tap takes one, too.
const UNDO_MS = 8000;
// `stop`, `restart` and `arrived` are notes, a new game stays.
const STAYS = ['stop', 'restart', 'arrived', 'new-game', 'undo'];

export class UndoBar {
  constructor(app) {
    this.app = app;
    this.text = element('span', { class: 'undo-text' });
    this.act = button('', () => this.undo(), { class: 'undo-act' });
    this.node = element('div', { class: 'undo-bar', role: 'status', hidden: true }, this.text, this.act);
    document.body.append(this.node);
  }

  // An entry was carried out; `ruling` is what the daemon answered with.
  entered(board, entry, ruling) {
    if (entry.do === 'undo' || !ruling || STAYS.includes(entry.do)) return;
    this.open = { board, ruling, until: performance.now() + UNDO_MS };
    setText(this.text, w.undo.entered(board, entryText(entry)));
    this.tick();
  }

  // Somebody's entry after this one stands on top of it.
  heard(event) {
    if (this.open?.board === event.board && event.type === 'ruling' && event.seq > this.open.ruling) this.close();
  }

  close() {
    this.open = null;
    this.node.hidden = true;
  }

  tick() {
    if (!this.open) return;
    const left = Math.ceil((this.open.until - performance.now()) / 1000);
    if (left <= 0) return this.close();
    this.node.hidden = false;
    // Above an open window, or nobody could tap it.
    const over = document.querySelector('dialog[open]') ?? document.body;
    if (this.node.parentElement !== over) over.append(this.node);
    setText(this.act, w.undo.act(left));
    this.act.disabled = this.app.frozen;
  }

  async undo() {
    const { board, ruling } = this.open ?? {};
    if (!board) return;
    this.close();
    if (await this.app.enter(board, { do: 'undo', ruling }, true)) toast(w.undo.done);
  }
}

// What is entered, in a few words.
export function entryText(entry) {
  const what = [entry.do === 'rule' ? w.decisions[entry.decision] : (w.orders[entry.do] ?? entry.do), entry.key ? title(entry.key) : '', entry.by ? w.by[entry.by] : '', entry.result ?? '', entry.article ?? ''];
  return what.filter(Boolean).join(' · ');
}
