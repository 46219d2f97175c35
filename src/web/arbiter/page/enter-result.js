// Enter a result, compared with what the board, the record and the clocks say: a disagreement is shown before it is entered.
import { button, choice, element, fill } from './ui.js';
import { w } from './i18n.js';
import { square } from '/page/position.js';

// Games that are offered; older ones: `flagfall rule BOARD result 1-0 --game N`.
const GAMES = 4;
const RESULTS = [['1-0', '1–0'], ['1/2-1/2', '½–½'], ['0-1', '0–1'], ['*', '*']];

export function resultForm(board, send) {
  let result = null;
  let reason = 'entered';
  // The game that is on, or was last; the ones before it have numbers, too.
  const last = board?.game.number ?? 0;
  let game = last;
  const verdict = element('div', { class: 'compare', role: 'status' });
  const apply = button(w.apply, () => result && send({ do: 'result', result, reason: reason === 'entered' ? undefined : reason, game: game || undefined }), { class: 'primary', disabled: true });
  const compare = () => {
    apply.disabled = !result;
    if (!result) return;
    // What stands on the board says nothing of an earlier game.
    const against = game === last ? disagreements(board, result, reason) : [];
    apply.textContent = against.length ? w.sureResult : w.apply;
    verdict.className = `compare ${against.length ? 'bad' : 'good'}`;
    fill(verdict, [against, result, game], () => (against.length ? [element('b', {}, `✕ ${w.disagree}`), element('ul', {}, ...against.map((text) => element('li', {}, text)))] : game === last ? [element('p', {}, `✓ ${w.compare.ok}`)] : []));
  };
  return [
    element('h3', {}, w.enterResult),
    ...(last > 1 ? [choice('game', earlier(last), String(last), (value) => ((game = Number(value)), compare()))] : []),
    choice('result', RESULTS, null, (value) => ((result = value), compare()), 'chips results'),
    choice('reason', Object.entries(w.reasons), reason, (value) => ((reason = value), compare())),
    element('p', { class: 'about' }, w.resultHint),
    verdict,
    apply,
  ];
}

// The last games of a board, the newest first.
function earlier(last) {
  return Array.from({ length: Math.min(last, GAMES) }, (_, i) => [String(last - i), w.ofGame(last - i)]);
}

// What stands against a result: mate or a draw on the board, flags, kings in the centre, a running clock, a result already there.
export function disagreements(board, result, reason) {
  if (!board) return [];
  const against = [];
  const { game, clock } = board;
  if (game.result !== '*' && game.result !== result) against.push(w.compare.known(game.result, game.reason ?? ''));
  const last = board.last;
  if (last?.san?.endsWith('#')) {
    const won = board.numbered(last.ply).by === 'white' ? '1-0' : '0-1';
    if (won !== result) against.push(w.compare.mate(won));
  }
  const kings = kingsSay(board.sensed);
  if (kings && kings !== result) against.push(w.compare.kings(kings));
  const flag = clock?.flag;
  if ((flag === 'white' && result === '1-0') || (flag === 'black' && result === '0-1')) against.push(w.compare.flag(w.byOf[flag]));
  if (result !== '*' && clock?.running && board.link === 'up' && reason !== 'forfeit') against.push(w.compare.running);
  if (board.open().length) against.push(w.compare.openFinding);
  return against;
}

// Both kings on light centre squares 1–0, both on dark 0–1, one on each a draw.
function kingsSay(sensed) {
  if (!sensed) return null;
  const light = [square('e4'), square('d5')];
  const dark = [square('d4'), square('e5')];
  const at = (king) => sensed.indexOf(king);
  const [white, black] = [at('K'), at('k')];
  const on = (squares, i) => squares.includes(i);
  if (on(light, white) && on(light, black)) return '1-0';
  if (on(dark, white) && on(dark, black)) return '0-1';
  if ((on(light, white) && on(dark, black)) || (on(dark, white) && on(light, black))) return '1/2-1/2';
  return null;
}
