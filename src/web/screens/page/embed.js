// Boards in the frames of other sites: `/embed?board=3` one board, live; `/embed?round` how the games stand.
import { loadPieces } from '/page/pieces.js';
import { element, setText } from '/page/parts.js';
import { Record } from '/page/record.js';
import { lang, moveText, score, words } from '/page/words.js';
import { asked, order } from './asked.js';
import { fit } from './fit.js';
import { Tile } from './tile.js';
import { Watched } from './watched.js';

const TICK_MS = 200;
// A list of results needs no stream of its own.
const POLL_MS = 10000;

const frame = document.getElementById('frame');
const name = asked.get('board');
const page = (board) => `/?lang=${lang}#${encodeURIComponent(board)}`;

document.documentElement.lang = lang;

// Heard, and not seen.
const title = (text) => element('h1', { class: 'hidden' }, text);

function one() {
  const record = new Record(name);
  const tile = new Tile(name, { link: page(name) });
  const lost = element('p', { class: 'embed-state', role: 'status' });
  let frozen = false;
  let known = false;
  const draw = () => {
    const { side, beside } = fit(1, frame.clientWidth, frame.clientHeight, 0);
    frame.style.setProperty('--side', `${side}px`);
    frame.classList.toggle('beside', beside);
    tile.draw(record, performance.now(), frozen);
  };
  document.title = words.board(name);
  frame.replaceChildren(title(words.board(name)), tile.node, lost);
  new Watched(`/api/v1/boards/${encodeURIComponent(name)}/events`, {
    onState(state) {
      frozen = state === 'lost';
      document.body.classList.toggle('lost', frozen);
      setText(lost, !frozen ? '' : known ? words.lost : words.noBoard(name));
      draw();
    },
    onSnapshot(object) {
      known = true;
      record.snapshot(object, performance.now());
      draw();
    },
    onEvent(event) {
      record.apply(event, performance.now());
      draw();
    },
  });
  addEventListener('resize', draw);
  setInterval(() => tile.tick(record, performance.now(), frozen), TICK_MS);
}

function round() {
  const list = element('ol', { class: 'round', 'aria-label': words.boards });
  const note = element('p', { class: 'empty' });
  document.title = words.title;
  frame.classList.add('scrolls');
  frame.replaceChildren(title(words.boards), list, note);
  let key = '';
  const look = async () => {
    if (document.visibilityState !== 'visible') return;
    try {
      const answer = await fetch('/api/v1/boards', { signal: AbortSignal.timeout(8000) });
      const boards = (await answer.json()).filter((board) => board.game?.rules).sort((a, b) => order(a.board, b.board));
      setText(note, boards.length ? '' : words.noBoards);
      note.hidden = boards.length > 0;
      const text = JSON.stringify(boards.map((b) => [b.board, b.game.white, b.game.black, b.game.result, b.plies_completed]));
      if (text === key) return;
      key = text;
      list.replaceChildren(...boards.map(row));
    } catch {
      // What stood there last stays until the next look.
    }
  };
  look();
  setInterval(look, POLL_MS);
  document.addEventListener('visibilitychange', look);
}

function row(board) {
  const record = new Record(board.board);
  record.snapshot(board, performance.now());
  const state = score(board.game) || (record.last ? moveText(record, record.last) : '–');
  return element(
    'li',
    { 'data-board': board.board },
    element(
      'a',
      { href: page(board.board), target: '_blank', rel: 'noopener' },
      element('span', { class: 'round-board' }, board.board),
      element('span', { class: 'round-name' }, board.game.white ?? words.white),
      element('span', { class: `round-state${record.over ? ' over' : ''}` }, state),
      element('span', { class: 'round-name black' }, board.game.black ?? words.black),
    ),
  );
}

if (asked.has('round') || !name) round();
else {
  await loadPieces();
  one();
}
