// Why the move of a film was read as it was: for those who want to know.
import { element, fill } from './ui.js';
import { lang, w } from './i18n.js';

export class Why {
  constructor(name) {
    this.name = name;
    this.body = element('div', { class: 'part-body' });
    this.node = element('details', { class: 'part film-why', hidden: true }, element('summary', {}, w.film.why), this.body);
  }

  // A film is about a ply, or about none.
  of(film) {
    this.node.hidden = !film.ply;
    const game = film.game ? ` --game ${film.game}` : '';
    fill(this.body, [film.ply, film.game, film.journal, lang], () => [element('p', { class: 'about' }, w.film.whyHint), element('code', {}, `flagfall replay ${film.journal} --explain ${film.ply}${game}`)]);
  }
}
