// Why the move of a film was read as it was: for those who want to know. The daemon works it out when it is asked.
import { api } from './api.js';
import { element, fill, setText } from './ui.js';
import { lang, w } from './i18n.js';

export class Why {
  constructor(name) {
    this.name = name;
    this.said = element('pre', { class: 'raw', tabindex: 0, role: 'status' });
    this.command = element('div', { class: 'part-body' });
    this.node = element('details', { class: 'part film-why', hidden: true, ontoggle: () => this.node.open && this.ask() }, element('summary', {}, w.film.why), this.said, this.command);
  }

  // A film is about a ply, or about none.
  of(film) {
    this.film = film;
    this.node.hidden = !film.ply;
    const more = `${film.game ? ` --game ${film.game}` : ''}${lang === 'ru' ? ' --lang ru' : ''}`;
    fill(this.command, [film.ply, film.game, film.journal, lang], () => [element('p', { class: 'about' }, w.film.whyHint), element('code', {}, `flagfall replay ${film.journal} --explain ${film.ply}${more}`)]);
  }

  async ask() {
    if (this.asked) return;
    this.asked = true;
    setText(this.said, w.film.whyAsked);
    try {
      setText(this.said, await api.explanation(this.name, this.film.ply, this.film.game, lang));
    } catch (failure) {
      this.asked = false;
      setText(this.said, failure.message);
    }
  }
}
