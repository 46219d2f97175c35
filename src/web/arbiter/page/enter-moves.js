// Restore a whole record: the PGN of one game, from a file or pasted. What it takes back is shown before it is entered.
import { button, element, setText } from './ui.js';
import { w } from './i18n.js';

// A request has room for so much.
const LONGEST = 48 * 1024;

export function movesForm(send) {
  const pgn = element('textarea', { class: 'note pgn', rows: 6, placeholder: w.restoring.paste, 'aria-label': w.restoring.paste, spellcheck: 'false', autocomplete: 'off' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const file = element('input', { type: 'file', accept: '.pgn,text/plain', 'aria-label': w.restoring.file });
  file.addEventListener('change', async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    const long = chosen.size > LONGEST;
    setText(problem, long ? w.restoring.long : '');
    if (!long) pgn.value = await chosen.text();
  });
  const apply = () => {
    const text = pgn.value.trim();
    setText(problem, text ? '' : w.restoring.none);
    if (text) send({ do: 'moves', pgn: text });
  };
  return [element('h3', {}, w.restoring.title), element('p', { class: 'about' }, w.restoring.hint), file, pgn, problem, button(w.apply, apply, { class: 'primary' })];
}
