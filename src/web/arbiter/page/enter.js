// What the arbiter enters: what sensors cannot see in two taps (what, who), and clocks, position, result, new game.
import { clockNow, timesForm } from './card-clocks.js';
import { movesForm } from './enter-moves.js';
import { positionForm } from './enter-position.js';
import { resultForm } from './enter-result.js';
import { foreseenList } from './foreseen.js';
import { button, choice, element, setText, toast } from './ui.js';
import { title, w } from './i18n.js';
import { entryText } from './undo.js';

// What is reported by sight, the everyday ones first; the rest of the keys are behind "More".
const USUAL = ['two-hands', 'wrong-hand', 'illegal-move', 'press-without-move', 'press-before-move', 'displaced-pieces', 'unpromoted-pawn', 'colours-reversed', 'adjusted-out-of-turn', 'clock-stopped'];
const REST = ['two-moves-in-a-row', 'wrong-initial-position', 'flag-fall', 'both-flags', 'clock-defect', 'clock-setting', 'clock-side', 'wrong-side-started', 'late-start', 'default-time', 'board-turned', 'moved-before-clock', 'late-press', 'unpressed-move', 'clock-restarted', 'lever-check'];
// Russia 1.16 keeps a count of five moves; elsewhere there is no such thing.
const RUSSIAN = ['five-moves'];

export function enterMenu(app, name, what, { show, close }) {
  const board = app.board(name);
  const send = async (entry, done = w.entered) => {
    const entered = await app.enter(name, entry);
    if (!entered) return false;
    close();
    // What can be undone is named by the bar that does it.
    if (entered === 'waits' || !app.undo.open) toast(entered === 'waits' ? w.orderWaits : done);
    return true;
  };
  // First what it will do, then it is done. While the board's machine is away nobody can say; then it is entered as it is.
  const sure = async (entry, done) => {
    if (app.board(name)?.pi?.away) return send(entry, done);
    const preview = await app.preview(name, entry);
    if (!preview) return false;
    show(
      element('h3', {}, done ?? entryText(entry)),
      element('p', { class: 'about' }, w.foreseen.does),
      foreseenList(preview),
      element('div', { class: 'menu' }, button(w.apply, () => send(entry, done), { class: 'primary', 'data-do': entry.do }), button(w.cancel, () => views[what](), { class: 'plain' })),
    );
    return true;
  };
  const views = {
    report: () => show(...reports(board, sure)),
    result: () => show(...resultForm(board, sure)),
    clock: () => show(...clockForm(board, send)),
    position: () => show(...positionForm(board, send)),
    moves: () => show(...movesForm(sure)),
    new: () => show(element('p', {}, w.newGameSure), button(w.newGameDo, () => send({ do: 'new-game' }), { class: 'primary' })),
    more: () => show(...more(app, board, send, sure, views)),
  };
  views[what]();
}

// One row a key, one button a player: what and who in one tap, after the tap that opened it.
function reports(board, send) {
  const row = (key) => {
    const players = key === 'colours-reversed' ? [null] : ['white', 'black'];
    return element(
      'li',
      {},
      element('span', {}, title(key)),
      element('span', { class: 'players' }, ...players.map((by) => button(by ? w.by[by] : '✓', () => send({ do: 'report', key, by: by ?? undefined }, `${title(key)}${by ? `: ${w.by[by]}` : ''}`), { class: `who ${by ?? ''}`, 'aria-label': `${title(key)}${by ? `: ${w.by[by]}` : ''}` }))),
    );
  };
  const rest = board?.game.rules === 'russia-1.16' ? [...REST, ...RUSSIAN] : REST;
  return [
    element('h3', {}, w.report),
    element('ul', { class: 'reports' }, ...USUAL.map(row)),
    element('details', {}, element('summary', {}, w.more), element('ul', { class: 'reports' }, ...rest.map(row))),
  ];
}

export function clockForm(board, send) {
  let clock = clockNow(board);
  const problem = element('p', { class: 'problem', role: 'alert' });
  const form = element('div', { class: 'editor' }, ...timesForm(clock, (now) => (clock = now)));
  const apply = () => {
    const bad = form.querySelector('[aria-invalid=true]');
    setText(problem, bad ? w.badTime : '');
    if (!bad) send({ do: 'set-clock', clock });
  };
  return [element('h3', {}, w.setClock), element('p', { class: 'about' }, w.clockHint), form, problem, button(w.apply, apply, { class: 'primary' })];
}

function more(app, board, send, sure, views) {
  const both = (name, entry) => element('li', {}, element('span', {}, name), element('span', { class: 'players' }, ...['white', 'black'].map((by) => button(w.by[by], () => send({ ...entry, by }, `${name}: ${w.by[by]}`), { class: `who ${by}`, 'aria-label': `${name}: ${w.by[by]}` }))));
  const russian = board?.game.rules === 'russia-1.16';
  let article = '12.9.1';
  const note = element('input', { class: 'note', placeholder: w.note, 'aria-label': w.note, maxlength: 300 });
  const articles = Object.entries(w.penaltyList).map(([key, text]) => [key, `${key} ${text}`]);
  return [
    element('div', { class: 'menu' }, button(w.setPosition, views.position, { class: 'plain' }), button(w.restoring.title, views.moves, { class: 'plain' }), button(w.newGame, views.new, { class: 'plain' }), button(w.stop, () => send({ do: 'stop' }, w.stopNoted), { class: 'plain' }), button(w.restart, () => send({ do: 'restart' }, w.stopNoted), { class: 'plain' })),
    element('p', { class: 'about' }, w.stopHint),
    element('ul', { class: 'reports' }, both(w.flag, { do: 'flag' }), both(w.arrived, { do: 'arrived' }), both(w.assistant, { do: 'assistant' }), ...(russian ? [both(w.count, { do: 'count' })] : [])),
    element('h3', {}, w.penalty),
    choice('penalty', articles, article, (value) => (article = value), 'chips column'),
    note,
    element('div', { class: 'menu' }, ...['white', 'black'].map((by) => button(`${w.penalty}: ${w.by[by]}`, () => sure({ do: 'penalty', by, article, note: note.value.trim() || undefined }), { class: `plain who ${by}` }))),
  ];
}
