// The operator's page: one row a board, feeds, round and pairings, messages, addresses. Boards come by the stream, everything else is asked every few seconds.
import { api } from '/arbiter/api.js';
import { BoardState } from '/arbiter/board-state.js';
import { Entering } from '/arbiter/entering.js';
import { choose, hour, lang, w } from '/arbiter/i18n.js';
import { Login } from '/arbiter/login.js';
import { Stream } from '/arbiter/stream.js';
import { button, element, setText, sheet, sorry } from '/arbiter/ui.js';
import { UndoBar } from '/arbiter/undo.js';
import { desk } from './desk.js';
import { enterSheet } from './enter.js';
import { Feeds } from './feeds.js';
import { state } from './lamps.js';
import { Messages } from './messages.js';
import { Round } from './round.js';
import { Rows } from './rows.js';
import { Share } from './share.js';
import { words } from './words.js';

const TICK_MS = 200;
const ASK_MS = 3000;
// What changes seldom is asked every so many times.
const SELDOM = 4;

const app = {
  boards: new Map(),
  me: null,
  byLink: false,
  frozen: false,
  frozenAt: null,
  stream: null,
  parts: [],
  // By board: how many findings wait; when it was moved, on this page's own clock.
  findings: new Map(),
  moved: new Map(),
  // By board: percent.
  batteries: new Map(),
  // By board: whether the clock is set for a game that has not begun.
  audits: new Map(),
  alarms: [],
  outlets: [],
  messages: [],
  event: null,
  held: null,
  delay: null,
  addresses: null,

  board: (name) => app.boards.get(name) ?? null,
  boardName: (name) => w.board(name),
  noBoards: () => w.noBoards,
  appName: () => words().appName,
  signInHint: () => words().signInHint,
  // Ages of minutes are written anew when they have changed.
  minute: () => Math.floor(Date.now() / 10000),
  missing: (name) => app.alarms.some((alarm) => alarm.board === name && alarm.key === 'result-missing'),
  // Who plays at a board in the round that is on.
  pairing: (name) => app.event?.rounds.find((round) => round.number === app.event.round)?.pairings.find((pairing) => pairing.board === name),
  enterFor: (name) => enterSheet(app, name),

  // Hands an entry to the daemon; true once it is journaled, 'waits' where a hall keeps it for a machine that is away.
  async enter(board, entry, follows = false) {
    try {
      const answer = await app.entering.hand(board, entry, follows);
      ask();
      return answer?.state === 'waiting' ? 'waits' : true;
    } catch (failure) {
      app.entering.failed(failure);
      return false;
    }
  },

  preview: (board, entry) => app.entering.preview(board, entry),

  enterAs(me) {
    app.me = me;
    app.byLink = !me.name;
    show();
    listen();
    turn = 0;
    ask();
  },

  door(why = '') {
    app.stream?.close();
    app.stream = null;
    app.me = null;
    app.parts = [];
    app.boards.clear();
    freeze(false);
    const main = document.getElementById('main');
    main.className = '';
    main.replaceChildren(new Login(app, why).node);
    top();
  },

  async signOut() {
    try {
      await api.logout();
    } catch {
      // The session ends by itself later; here it is over.
    }
    app.door();
  },

  language(next) {
    choose(next);
    document.title = `${words().appName} – flagfall`;
    if (!app.me) return app.door();
    show();
    draw();
  },

  // After something was done to the round.
  async askRound() {
    turn = 0;
    await ask();
  },
};

app.undo = new UndoBar(app);
app.entering = new Entering(app);

let turn = 0;
let asking = null;
let due = false;

function top() {
  const state = element('span', { id: 'connection', role: 'status' });
  const o = words();
  document.getElementById('top').replaceChildren(
    element('span', { class: 'home' }, o.appName),
    ...(app.me ? [element('nav', { 'aria-label': o.appName }, ...Object.entries(o.sections).map(([key, name]) => element('a', { href: `#${key}` }, name)))] : []),
    element('span', { class: 'others' }),
    state,
    button(w.otherShort, () => app.language(w.otherLang), { class: 'icon-button lang', lang: w.otherLang, 'aria-label': `${w.otherShort} ${w.other}`, title: w.other }),
    ...(app.me ? [button('☰', settings, { class: 'icon-button', 'aria-label': w.settings, title: w.settings })] : []),
  );
  connection(app.stream?.state ?? (app.me ? 'connecting' : ''));
}

function settings() {
  sheet(w.settings, ({ show, close }) =>
    show(
      ...(app.me?.role === 'arbiter' ? [element('p', {}, element('a', { href: '/arbiter' }, words().arbiterPage))] : []),
      ...(app.me?.name ? [element('p', { class: 'about' }, w.signedAs(app.me.name, w.roles[app.me.role] ?? '')), button(w.signOut, () => (close(), app.signOut()), { class: 'plain' })] : []),
    ),
  );
}

function connection(now) {
  const node = document.getElementById('connection');
  node.className = now;
  setText(node, w[now] ?? '');
}

function freeze(on) {
  app.frozen = on;
  if (on) app.frozenAt ??= Date.now();
  else app.frozenAt = null;
  document.body.classList.toggle('frozen', on);
  const line = document.getElementById('lost');
  line.hidden = !on;
  setText(line, on ? w.lostSince(hour(app.frozenAt)) : '');
}

// The page itself: a summary, and its parts.
function show() {
  const o = words();
  const make = { boards: Rows, feeds: Feeds, round: Round, messages: Messages, share: Share };
  app.parts = [];
  const part = (key) => {
    const made = new make[key](app);
    app.parts.push(made);
    return element('section', { class: `panel panel-${key}`, id: key, 'aria-label': o.sections[key] }, element('h2', {}, o.sections[key]), made.node);
  };
  const summary = element('p', { id: 'summary', class: 'summary', role: 'status' });
  const main = document.getElementById('main');
  main.className = 'operator';
  main.replaceChildren(element('h1', { class: 'hidden' }, app.appName()), summary, part('boards'), element('div', { class: 'panels' }, ...['feeds', 'round', 'messages', 'share'].map(part)));
  top();
  freeze(app.frozen);
}

function draw() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    if (!app.me) return;
    for (const part of app.parts) part.draw();
    sum();
  });
}

// What needs somebody, in one line.
function sum() {
  const o = words();
  const boards = [...app.boards.values()];
  const down = boards.filter((board) => board.link !== 'up' || board.pi?.away).length;
  const missing = new Set(app.alarms.filter((alarm) => alarm.key === 'result-missing').map((alarm) => alarm.board)).size;
  const fail = app.outlets.filter((outlet) => state(outlet) === 'bad').length;
  const findings = [...app.findings.values()].reduce((all, n) => all + n, 0);
  const unset = [...app.audits.values()].filter((audit) => audit.state !== 'right').length;
  const told = new Set(['result-missing', 'board-lost', 'feed-failing']);
  const other = app.alarms.filter((alarm) => !told.has(alarm.key)).length;
  const list = [down && o.boardsDown(down), missing && o.resultsMissing(missing), fail && o.feedsFail(fail), findings && o.forArbiter(findings), unset && o.clocksNotSet(unset), other && o.otherAlarms(other)].filter(Boolean);
  const node = document.getElementById('summary');
  const quiet = boards.length > 0 && list.length === 0;
  setText(node, app.frozen ? w.asOf(hour(app.frozenAt)) : list.length ? o.toDo(list) : boards.length ? o.allWell : w.noBoards);
  node.className = `summary ${app.frozen ? 'old' : quiet ? 'calm' : list.length ? 'urgent' : ''}`;
}

function listen() {
  app.stream?.close();
  app.boards.clear();
  app.stream = new Stream({
    onState(now) {
      connection(now);
      freeze(now === 'lost');
      if (now === 'live') ask();
      draw();
    },
    onRefused: () => app.door(w.sessionOver),
    onSnapshot(object) {
      const board = app.boards.get(object.board) ?? new BoardState(object.board);
      app.boards.set(object.board, board);
      board.snapshot(object, performance.now());
      draw();
    },
    onEvent(event) {
      if (!event.board) return draw();
      if (!app.boards.has(event.board)) app.boards.set(event.board, new BoardState(event.board));
      const now = performance.now();
      app.boards.get(event.board).apply(event, now);
      app.undo.heard(event);
      if (event.type === 'move-made' || event.type === 'move-completed') app.moved.set(event.board, now);
      draw();
    },
  });
}

// Asks for what comes by no stream; one question after another, so that a slow daemon is not asked more than it answers.
function ask() {
  asking ??= (async () => {
    try {
      await questions();
    } finally {
      asking = null;
    }
  })();
  return asking;
}

// What cannot be had stays as it was; whoever is not signed in any more is told by the others.
const or = (question, last) => question.catch(() => last);

async function questions() {
  if (!app.me || document.visibilityState !== 'visible') return;
  const seldom = turn % SELDOM === 0;
  turn += 1;
  try {
    const [boards, alarms, outlets] = await Promise.all([desk.boards(), or(desk.alarms(), app.alarms), or(desk.outlets(), app.outlets)]);
    const now = performance.now();
    app.findings = new Map(boards.map((row) => [row.board, row.findings]));
    app.batteries = new Map(boards.filter((row) => row.battery !== null).map((row) => [row.board, row.battery]));
    app.audits = new Map(boards.filter((row) => row.clock_audit).map((row) => [row.board, row.clock_audit]));
    app.moved = new Map(boards.filter((row) => row.moved_ms !== null).map((row) => [row.board, now - row.moved_ms]));
    [app.alarms, app.outlets] = [alarms, outlets];
    if (seldom) {
      const [messages, event, held, shown] = await Promise.all([or(desk.messages(), app.messages), or(desk.event(), app.event), or(desk.held(), app.held), or(desk.shown(), [])]);
      [app.messages, app.event, app.held] = [messages, event, held];
      app.delay = { ms: shown[0]?.delay_ms, until: shown[0]?.until };
      app.addresses ??= await desk.addresses();
    }
    draw();
  } catch (failure) {
    // What is on the screen stays; the stream says whether there is a connection.
    if (failure.status === 401 && app.me) app.door(w.sessionOver);
  }
}

document.documentElement.lang = lang;
document.title = `${words().appName} – flagfall`;
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && ask());
// A list that is dropped beside its place is not opened instead of the page.
for (const type of ['dragover', 'drop']) addEventListener(type, (e) => e.preventDefault());
try {
  app.enterAs(await api.me());
} catch (failure) {
  app.byLink = failure.byLink;
  app.door(failure.status === 401 || failure.status === 403 ? '' : sorry(failure));
}
setInterval(() => {
  if (app.me) app.parts.forEach((part) => part.tick?.());
  app.undo.tick();
}, TICK_MS);
setInterval(ask, ASK_MS);
