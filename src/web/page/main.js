// The page: all boards at a glance at `/`, one board large at `/#NAME`. One event stream at a time.
import { Feed } from './feed.js';
import { Overview } from './overview.js';
import { element, setText } from './parts.js';
import { loadPieces } from './pieces.js';
import { Record } from './record.js';
import { Single } from './single.js';
import { lang, words } from './words.js';

// Clocks show whole seconds; five looks a second keep them smooth.
const TICK_MS = 200;

const main = document.querySelector('main');
const state = document.getElementById('connection');
const behind = document.getElementById('delay');
const tabs = document.getElementById('boards');

let feed = null;
let view = null;
let records = new Map();
let frozen = false;
let due = false;
// Names for the tabs, kept while a single board is shown.
let names = [];

document.documentElement.lang = lang;
document.title = words.title;
tabs.setAttribute('aria-label', words.boards);

function wanted() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

function go() {
  feed?.close();
  records = new Map();
  const name = wanted();
  view = name ? new Single(name) : new Overview();
  main.replaceChildren(view.node);
  document.body.classList.toggle('one', Boolean(name));
  const path = name ? `/api/v1/boards/${encodeURIComponent(name)}/events` : '/api/v1/events';
  feed = new Feed(path, {
    onState: (now) => connection(now, name),
    onSnapshot: (object) => {
      delayed(object);
      record(object.board).snapshot(object, performance.now());
      draw();
    },
    onEvent: (event) => {
      record(event.board).apply(event, performance.now());
      draw();
    },
  });
  document.title = name ? `${words.board(name)} – flagfall` : words.title;
  drawTabs();
  if (name) knowNames();
}

// What is shown is not what is so now: it says so, and by how much.
function delayed({ delay_ms: ms, until }) {
  behind.hidden = ms === undefined;
  if (!behind.hidden) setText(behind, until === 'end' ? words.delayedUntilEnd(ms) : words.delayed(ms));
}

function record(name) {
  if (!records.has(name)) {
    records.set(name, new Record(name));
    records = new Map([...records].sort(([a], [b]) => order(a, b)));
    if (!wanted()) {
      names = [...records.keys()];
      drawTabs();
    }
  }
  return records.get(name);
}

// As the daemon lists them: numbers first, 2 before 10.
function order(a, b) {
  const number = (name) => (/^\d+$/.test(name) ? Number(name) : Infinity);
  return number(a) - number(b) || (a < b ? -1 : 1);
}

// Who opens a single board by its address still gets the tabs of the others.
async function knowNames() {
  try {
    const answer = await fetch('/api/v1/boards');
    names = (await answer.json()).map((board) => board.board);
    drawTabs();
  } catch {
    // The connection's state is shown already; the tabs can wait.
  }
}

function drawTabs() {
  const here = wanted();
  const tab = (name, href, text, title) =>
    element('a', { href, title, 'aria-label': title, 'aria-current': name === here ? 'page' : null }, text);
  tabs.replaceChildren(tab('', '#', words.all, null), ...names.map((name) => tab(name, `#${encodeURIComponent(name)}`, name, words.board(name))));
  tabs.hidden = names.length < 2 && !here;
}

function connection(now, name) {
  frozen = now === 'lost';
  state.className = now;
  const nowhere = frozen && name && records.size === 0;
  setText(state, nowhere ? words.noBoard(name) : words[now]);
  document.body.classList.toggle('lost', frozen);
  draw();
}

// Draws once for all that came together.
function draw() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    const now = performance.now();
    view.frozen = frozen;
    if (view instanceof Overview) view.draw(records, now, frozen);
    else if (records.has(view.name)) view.draw(records.get(view.name), now, frozen);
  });
}

function tick() {
  const now = performance.now();
  if (view instanceof Overview) view.tick(records, now, frozen);
  else if (records.has(view.name)) view.tick(records.get(view.name), now, frozen);
}

document.addEventListener('keydown', (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || !(view instanceof Single)) return;
  if (e.key === 'Escape') location.hash = '';
  else if (!view.key(e.key)) return;
  e.preventDefault();
});

addEventListener('hashchange', () => {
  const from = view instanceof Single ? view.name : null;
  go();
  // The keyboard stays where the eye is.
  if (view instanceof Single) view.title.focus({ preventScroll: true });
  else if (from !== null) returnTo(from);
  scrollTo(0, 0);
});

function returnTo(name) {
  const card = () => [...document.querySelectorAll('.card')].find((node) => node.dataset.board === name);
  const wait = setInterval(() => {
    if (!card()) return;
    clearInterval(wait);
    card().focus({ preventScroll: false });
  }, 50);
  setTimeout(() => clearInterval(wait), 3000);
}

await loadPieces();
go();
setInterval(tick, TICK_MS);
