// The hall's screen: as many boards as the address asks for, the top ones first, page by page; the results where nothing is played. Nobody touches it.
//
// `/tv?boards=1-8,12&per=6&rotate=20`: which boards, how many at once, how many seconds each page stays.
import { loadPieces } from '/page/pieces.js';
import { element, setText } from '/page/parts.js';
import { Record } from '/page/record.js';
import { lang, words } from '/page/words.js';
import { asked, names, number, order, pages } from './asked.js';
import { fit, fitLines } from './fit.js';
import { Tile } from './tile.js';
import { Wall } from './wall.js';
import { Watched } from './watched.js';

// Clocks show whole seconds; five looks a second keep them smooth.
const TICK_MS = 200;
// What was not told anew so long after the connection came back is gone.
const GONE_MS = 4000;
const LINES = 36;

const screen = document.getElementById('screen');
const foot = document.getElementById('foot');
const wanted = names(asked.get('boards'));
const per = number(asked.get('per'), 1, 60, 8);
const rotate = number(asked.get('rotate'), 3, 3600, 20) * 1000;

// Heard, and not seen.
const title = element('h1', { class: 'hidden' }, words.boards);
const records = new Map();
const fresh = new Set();
const tiles = new Map();
const wall = new Wall();
let page = 0;
let frozen = false;
let due = false;
let shown = '';

// The boards that are meant, in their order.
function meant() {
  const known = wanted ? wanted.filter((name) => records.has(name)) : [...records.keys()].sort(order);
  const all = known.map((name) => records.get(name));
  // Who names boards wants to see them, whatever they do.
  return wanted ? all : all.filter((record) => record.game.rules || record.link === 'up');
}

function draw() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    show();
  });
}

function show() {
  const all = meant();
  const played = all.filter((record) => record.game.rules);
  // Between rounds: whatever was played is over.
  const between = played.length > 0 && played.every((record) => record.over);
  const sheets = between ? pages(played, LINES) : pages(all, per);
  page = sheets.length ? page % sheets.length : 0;
  const now = sheets[page] ?? [];
  const style = getComputedStyle(screen);
  const width = screen.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
  const height = screen.clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
  if (!now.length) empty();
  else if (between) results(now, fitLines(sheets[0].length, width, height));
  else boards(now, fit(sheets[0].length, width, height, Number.parseFloat(style.columnGap) || 0));
  setText(document.getElementById('which'), sheets.length > 1 ? `${page + 1} / ${sheets.length}` : '');
}

function put(key, nodes) {
  if (shown === key) return;
  shown = key;
  screen.replaceChildren(title, ...nodes);
}

function empty() {
  const note = document.createElement('p');
  note.className = 'empty';
  note.textContent = words.noBoards;
  put('empty', [note]);
}

function results(now, size) {
  screen.className = 'results';
  wall.draw(now, size);
  put('wall', [wall.node]);
}

function boards(now, { columns, side, beside }) {
  screen.className = beside ? 'beside' : '';
  screen.style.setProperty('--columns', columns);
  screen.style.setProperty('--side', `${side}px`);
  for (const record of now) if (!tiles.has(record.name)) tiles.set(record.name, new Tile(record.name));
  put(`boards ${now.map((record) => record.name).join('\n')}`, now.map((record) => tiles.get(record.name).node));
  for (const record of now) tiles.get(record.name).draw(record, performance.now(), frozen);
}

function tick() {
  const now = performance.now();
  for (const [name, tile] of tiles) if (tile.node.isConnected && records.has(name)) tile.tick(records.get(name), now, frozen);
}

function record(name) {
  if (!records.has(name)) records.set(name, new Record(name));
  return records.get(name);
}

// The screen stays lit, where the browser lets a page ask for that (encrypted pages, and the machine itself).
async function stayAwake() {
  try {
    await navigator.wakeLock?.request('screen');
  } catch {
    // Asked again when the page is looked at next.
  }
}

document.documentElement.lang = lang;
document.title = `${words.title} – flagfall`;
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && stayAwake());
addEventListener('resize', draw);
await loadPieces();
stayAwake();
new Watched('/api/v1/events', {
  onState(state) {
    frozen = state === 'lost';
    if (frozen) fresh.clear();
    document.body.classList.toggle('lost', frozen);
    foot.className = state;
    setText(document.getElementById('state'), frozen ? words.lost : '');
    if (state === 'live') {
      setTimeout(() => {
        if (frozen || !fresh.size) return;
        for (const name of records.keys()) if (!fresh.has(name)) records.delete(name);
        draw();
      }, GONE_MS);
    }
    draw();
  },
  onSnapshot(object) {
    fresh.add(object.board);
    const { delay_ms: ms, until } = object;
    setText(document.getElementById('delay'), ms === undefined ? '' : until === 'end' ? words.delayedUntilEnd(ms) : words.delayed(ms));
    record(object.board).snapshot(object, performance.now());
    draw();
  },
  onEvent(event) {
    fresh.add(event.board);
    record(event.board).apply(event, performance.now());
    draw();
  },
});
setInterval(tick, TICK_MS);
setInterval(() => {
  page += 1;
  draw();
}, rotate);
