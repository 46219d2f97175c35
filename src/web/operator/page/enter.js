// What operators enter for a board: a result, a new game, what a pawn became. The same forms as the arbiter's.
import { enterMenu } from '/arbiter/enter.js';
import { w } from '/arbiter/i18n.js';
import { button, element, sheet } from '/arbiter/ui.js';
import { words } from './words.js';

const PIECES = ['queen', 'rook', 'bishop', 'knight'];

export function enterSheet(app, name) {
  const o = words();
  sheet(`${app.boardName(name)}`, (window) => {
    const { show, close } = window;
    const board = app.board(name);
    const promotion = board?.promotion;
    const ask = () => {
      if (!promotion) return enterMenu(app, name, 'result', sized(window));
      show(
        element('h3', {}, o.promotion(promotion.square)),
        element('div', { class: 'menu' }, ...PIECES.map((piece) => button(w.promotions[piece], async () => (await app.enter(name, { do: 'promote', piece, ply: promotion.ply })) && close(), { class: 'plain' }))),
        ...tabs(),
      );
    };
    const tabs = () => [element('div', { class: 'menu tabs' }, button(o.result, () => enterMenu(app, name, 'result', sized(window)), { class: 'plain' }), button(o.newGame, () => enterMenu(app, name, 'new', sized(window)), { class: 'plain' }), button(w.moves.title, () => enterMenu(app, name, 'moves', sized(window)), { class: 'plain' }))];
    // The other things that can be entered stay in reach below each form.
    const sized = (inner) => ({ ...inner, show: (...nodes) => show(...nodes, ...tabs()) });
    ask();
  });
}
