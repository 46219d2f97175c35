// What was entered can be taken back for eight seconds, with one tap.
import { api } from '/arbiter/api.js';
import { w } from '/arbiter/i18n.js';
import { button, element, setText, sorry, toast } from '/arbiter/ui.js';
import { words } from './words.js';

const SECONDS = 8;
// What says only what was so, or begins a game, is not undone.
const FINAL = ['new-game', 'stop', 'restart', 'arrived', 'undo'];

let bar = null;
let able = null;

// Whether this daemon can: its description says so.
function can() {
  able ??= fetch('/api/v1/openapi.json')
    .then((answer) => answer.text())
    .then((text) => /\bundo\b/.test(text))
    .catch(() => false);
  return able;
}

// `seq` is what the entry was answered with.
export async function offerUndo(app, board, entry, seq) {
  bar?.close();
  if (!seq || FINAL.includes(entry.do) || !(await can())) return;
  const o = words();
  const until = performance.now() + SECONDS * 1000;
  const left = () => Math.ceil((until - performance.now()) / 1000);
  const back = async () => {
    shown.close();
    try {
      await api.enter(board, { do: 'undo', ruling: seq });
      toast(o.undone);
    } catch (failure) {
      toast(sorry(failure), 'bad');
    }
    app.soon();
  };
  const undo = button(o.undo(SECONDS), back, { class: 'plain small undo' });
  const what = [app.boardName(board), entry.result ?? w.orders[entry.do] ?? entry.do].join(', ');
  const node = element('div', { class: 'undo-bar', role: 'status' }, element('span', {}, o.entered(what)), undo);
  const beat = setInterval(() => (left() > 0 ? setText(undo, o.undo(left())) : shown.close()), 250);
  const shown = {
    close() {
      clearInterval(beat);
      node.remove();
    },
  };
  bar = shown;
  document.body.append(node);
}
