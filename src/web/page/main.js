// The page: all boards at a glance at `/`, one board large at `/#NAME`, rounds and standings at `/#/round/N`. One event stream at a time, of what is seen.
import { event, knowEvent } from './event.js';
import { Feed } from './feed.js';
import { Overview } from './overview.js';
import { element, setText } from './parts.js';
import { loadPieces } from './pieces.js';
import { Record } from './record.js';
import { RoundView } from './round-view.js';
import { Single } from './single.js';
import { lang, words } from './words.js';

// Clocks show whole seconds; four looks a second keep them smooth.
const TICK_MS = 250;
// The event is asked about again this often.
const EVENT_MS = 30_000;
// A page that nobody sees lets go of its stream after this.
const HIDDEN_MS = 10_000;
// So many boards are drawn before all others.
const FIRST = 8;
// Where the list of boards is not to be had it is asked for again.
const RETRY_MS = 3000;
// Who scrolls passes many boards; those he stops at are streamed.
const SCROLL_MS = 200;

const main = document.querySelector('main');
const state = document.getElementById('connection');
const behind = document.getElementById('delay');
const tabs = document.getElementById('boards');
const about = document.getElementById('event');

let feed = null;
let streamed = null;
let view = null;
let records = new Map();
let frozen = false;
let due = null;
let hiding = null;
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

// The round that the address names; null where it names none.
function wantedRound() {
  const match = /^#\/round\/(\d+)$/.exec(location.hash);
  return match ? Number(match[1]) : null;
}

function go() {
  close();
  records = new Map();
  const round = wantedRound();
  const name = round === null ? wanted() : '';
  if (round !== null) view = new RoundView(round);
  else if (name) view = new Single(name);
  else view = new Overview(() => follow());
  main.replaceChildren(view.node);
  document.body.classList.toggle('one', Boolean(name));
  document.title = round !== null ? `${words.round(round)} – flagfall` : name ? `${words.board(name)} – flagfall` : event.name ?? words.title;
  drawTabs();
  open();
}

// What is seen is streamed: nothing where a round is shown, one board with its moves, or those boards of the overview that are on the screen.
function open() {
  if (view instanceof RoundView) {
    setText(state, '');
    state.className = '';
    view.draw();
  } else if (view instanceof Single) {
    listen(`/api/v1/boards/${encodeURIComponent(view.name)}/events`, view.name);
    if (names.length === 0) knowBoards();
  } else {
    listAll();
  }
}

function close() {
  feed?.close();
  feed = null;
  streamed = null;
}

function listen(path, name = null) {
  const old = feed;
  const next = new Feed(path, {
    // One stream takes over from another without a word.
    quiet: old !== null && old.isLive,
    onState: (now) => {
      // Boards may have come and gone meanwhile.
      const back = now === 'live' && frozen;
      connection(now, name);
      if (back && view instanceof Overview) listAll();
    },
    onSnapshot: (object) => {
      delayed(object);
      record(object.board).snapshot(object, performance.now());
      draw(object.board);
    },
    onEvent: (said) => {
      record(said.board).apply(said, performance.now());
      draw(said.board);
      if (view instanceof Overview && record(said.board).unknown) ask(said.board);
    },
  });
  old?.close();
  feed = next;
}

// All boards once, then a stream of those on the screen.
async function listAll() {
  const [shown, before] = [view, feed];
  for (const object of brought()) show(object, performance.now());
  const boards = await knowBoards();
  if (view !== shown || !(view instanceof Overview)) return;
  if (!boards) {
    connection('lost', null);
    setTimeout(() => view === shown && listAll(), RETRY_MS);
    return;
  }
  const at = performance.now();
  for (const [i, object] of boards.entries()) {
    // The first screen first.
    if (i === FIRST) await new Promise((go) => setTimeout(go));
    if (view !== shown) return;
    // The stream may have told more of a board that came with the page.
    if (feed === before || record(object.board).seq <= object.seq) show(object, at);
  }
  // Where there are boards, the overview says itself when it knows which are on the screen.
  if (boards.length === 0 || view.seen().length > 0) {
    // Boards that came with the page are streamed already.
    if (feed === before) close();
    follow();
  }
}

function show(object, at) {
  delayed(object);
  record(object.board).snapshot(object, at);
  draw(object.board);
}

// The first boards came with the page, once. A page that the browser had kept has old ones: then nothing was carried but the answer that it is still so.
function brought() {
  const node = document.getElementById('first');
  node?.remove();
  const [carried] = performance.getEntriesByType('navigation');
  if (!node || !carried?.encodedBodySize || carried.transferSize < carried.encodedBodySize) return [];
  try {
    return JSON.parse(node.textContent);
  } catch {
    return [];
  }
}

// What was known of a board without its moves was taken back: asks for all of it.
async function ask(name) {
  const known = record(name);
  if (known.asked) return;
  known.asked = true;
  try {
    const object = await (await fetch(`/api/v1/boards/${encodeURIComponent(name)}`)).json();
    // What came meanwhile is newer.
    if (object.seq >= known.seq) {
      known.snapshot(object, performance.now());
      draw(name);
    }
  } catch {
    // The stream goes on; the next move says how it stands.
  }
  known.asked = false;
  if (known.unknown && record(name) === known) setTimeout(() => ask(name), RETRY_MS);
}

// Streams what is on the screen, if that is not what is streamed already.
function follow() {
  if (!(view instanceof Overview) || document.hidden) return;
  const seen = view.seen();
  if (streamed && seen.every((name) => streamed.has(name)) && streamed.size <= 2 * seen.length + 4) return;
  streamed = new Set(seen);
  listen(`/api/v1/events?boards=${seen.map(encodeURIComponent).join(',')}`);
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
    // A board that is new since the stream began is in it until the reader looks elsewhere.
    streamed?.add(name);
    if (view instanceof Overview && !names.includes(name)) {
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

// The boards there are; null where nobody answers. The connection's state says that already.
async function knowBoards() {
  try {
    const boards = await (await fetch('/api/v1/boards')).json();
    names = boards.map((board) => board.board);
    drawTabs();
    return boards;
  } catch {
    return null;
  }
}

function drawTabs() {
  const round = wantedRound();
  const here = round === null ? wanted() : null;
  const tab = (href, text, title, current) => element('a', { href, title, 'aria-label': title, 'aria-current': current ? 'page' : null }, text);
  const rounds = event.round ? [tab(`#/round/${event.round}`, words.results, null, round !== null)] : [];
  tabs.replaceChildren(
    tab('#', words.all, null, here === ''),
    ...rounds,
    ...names.map((name) => tab(`#${encodeURIComponent(name)}`, name, words.board(name), name === here)),
  );
  tabs.hidden = names.length < 2 && here === '' && rounds.length === 0;
}

function drawEvent() {
  const place = [event.round ? words.round(event.round) : null, event.city].filter(Boolean).join(' · ');
  about.hidden = !event.name;
  about.replaceChildren(element('b', {}, event.name ?? ''), place ? ` ${place}` : '');
  if (view instanceof Overview && event.name) document.title = event.name;
  drawTabs();
  if (view instanceof RoundView) view.draw();
  for (const name of records.keys()) draw(name);
}

function connection(now, name) {
  frozen = now === 'lost';
  state.className = now;
  const nowhere = frozen && name && records.size === 0;
  setText(state, nowhere ? words.noBoard(name) : words[now]);
  document.body.classList.toggle('lost', frozen);
  for (const known of records.keys()) draw(known);
  if (records.size === 0) draw(null);
}

// Draws once for all that came together, and only what changed.
function draw(name) {
  if (due) {
    due.add(name);
    return;
  }
  due = new Set([name]);
  queueMicrotask(() => {
    const changed = due;
    due = null;
    const now = performance.now();
    view.frozen = frozen;
    if (view instanceof Overview) view.draw(records, now, frozen, changed);
    else if (view instanceof Single && records.has(view.name)) view.draw(records.get(view.name), now, frozen);
  });
}

function tick() {
  if (document.hidden) return;
  const now = performance.now();
  if (view instanceof Overview) view.tick(records, now, frozen);
  else if (view instanceof Single && records.has(view.name)) view.tick(records.get(view.name), now, frozen);
}

async function askEvent() {
  if (!document.hidden && (await knowEvent())) drawEvent();
}

document.addEventListener('keydown', (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || !(view instanceof Single)) return;
  if (e.key === 'Escape') location.hash = '';
  else if (!view.key(e.key)) return;
  e.preventDefault();
});

document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding);
  if (document.hidden) {
    hiding = setTimeout(() => {
      close();
      if (!(view instanceof RoundView)) connection('paused', null);
    }, HIDDEN_MS);
    return;
  }
  askEvent();
  if (!feed) open();
});

let scrolled = null;
addEventListener('scroll', () => {
  clearTimeout(scrolled);
  scrolled = setTimeout(follow, SCROLL_MS);
}, { passive: true });
addEventListener('resize', () => {
  clearTimeout(scrolled);
  scrolled = setTimeout(follow, SCROLL_MS);
});

addEventListener('hashchange', () => {
  const from = view instanceof Single ? view.name : null;
  go();
  // The keyboard stays where the eye is.
  if (view instanceof Single || view instanceof RoundView) view.title.focus({ preventScroll: true });
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
askEvent();
setInterval(askEvent, EVENT_MS);
