// The arbiter's page: the list at `#/`, a board at `#/board/NAME`, a ruling card at `#/board/NAME/finding/ID`, films at `#/board/NAME/film/…`. One event stream for all.
import { Alerts } from './alert.js';
import { api } from './api.js';
import { badge } from './badge.js';
import { BoardState } from './board-state.js';
import { BoardPage } from './board-page.js';
import { Card } from './card.js';
import { Entering } from './entering.js';
import { Film } from './film.js';
import { drawGoing } from './going.js';
import { choose, hour, lang, w } from './i18n.js';
import { keys } from './keys.js';
import { List, order, settings } from './list.js';
import { Login } from './login.js';
import { install, pushOff, tellPush } from './push.js';
import { Rings, headline } from './rings.js';
import { Sector } from './sectors.js';
import { Stream } from './stream.js';
import { UndoBar, entryText } from './undo.js';
import { button, element, fill, setText, sheet, sorry, toast } from './ui.js';
import { loadPieces } from '/page/pieces.js';

// Clocks show whole seconds; five looks a second keep them smooth.
const TICK_MS = 200;
const PULSE_MS = 1000;

const WHO = 'flagfall-arbiter-name';

const app = {
  boards: new Map(),
  alerts: new Alerts(),
  rings: null,
  // Which boards are this arbiter's, and whether the list shows only them.
  sector: new Sector(),
  onlyMine: true,
  me: null,
  // There are no accounts: a link lets arbiters in.
  byLink: false,
  who: remembered(),
  frozen: false,
  frozenAt: null,
  view: null,
  // Alarms that belong to no board's game.
  hall: [],
  stream: null,

  board: (name) => app.boards.get(name) ?? null,

  // Where we are: [] | ['board', NAME] | ['board', NAME, 'finding', ID] | ['board', NAME, 'film', 'finding', ID] | ['board', NAME, 'film', 'ply', PLY, GAME].
  place() {
    try {
      return location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
    } catch {
      return [];
    }
  },

  go: (...parts) => (location.hash = `#/${parts.map(encodeURIComponent).join('/')}`),

  // Hands an entry to the daemon; true once it is journaled, 'waits' where a hall keeps it for a machine that is away.
  async enter(board, entry, follows = false) {
    try {
      const answer = await app.entering.hand(board, entry, follows);
      if (answer?.state !== 'waiting') return true;
      toast(w.orderWaits);
      return 'waits';
    } catch (failure) {
      const other = failure.status === 409 && !follows ? failure.meanwhile.findLast((it) => it.who) : null;
      // Another one was faster: his entry is named, and replaced only if that is meant.
      if (other && entry.do !== 'undo' && (await replaces(board, entry, other, failure))) {
        // A hall names the ruling that is replaced.
        return app.enter(board, entry.do === 'rule' && app.board(board)?.pi ? { ...entry, after: other.seq } : entry, true);
      }
      if (!other || entry.do === 'undo') app.entering.failed(failure);
      return false;
    }
  },

  preview: (board, entry) => app.entering.preview(board, entry),

  // Takes back what waits for a machine that is away.
  async withdraw(board, key) {
    try {
      await api.withdraw(board, key);
      toast(w.orderWithdrawn);
    } catch (failure) {
      app.entering.failed(failure);
    }
  },

  draw() {
    if (app.due) return;
    app.due = true;
    queueMicrotask(() => {
      app.due = false;
      app.view?.draw();
      calls();
    });
  },

  enterAs(me) {
    app.me = me;
    app.byLink = !me.name;
    // Findings are not for operators: their page is another one.
    if (me.role !== 'arbiter') {
      location.replace('/operator');
      return;
    }
    listen();
    app.show();
    tellPush(app.sector).catch(() => {});
  },

  door(why = '') {
    app.stream?.close();
    app.stream = null;
    app.me = null;
    app.boards.clear();
    app.entering.taken.clear();
    app.hall = [];
    freeze(false);
    put(new Login(app, why));
    top();
    calls();
    if (why === w.sessionOver) trouble(why);
  },

  async signOut() {
    // What is rung here afterwards would be nobody's.
    await pushOff().catch(() => {});
    try {
      await api.logout();
    } catch {
      // The session ends by itself later; here it is over.
    }
    app.door();
  },

  language(next) {
    choose(next);
    if (app.me) app.show();
    else app.door();
  },

  call(name) {
    app.who = name;
    try {
      localStorage.setItem(WHO, name);
    } catch {
      // Without storage the name lasts as long as the page.
    }
  },

  chooseSector(text) {
    app.sector.choose(text);
    tellPush(app.sector).catch((failure) => toast(sorry(failure), 'bad'));
    app.draw();
  },

  settings: () => sheet(w.settings, (window) => settings(app, window)),

  // The first open finding of the most urgent board.
  mostUrgent() {
    const [first] = [...app.boards.values()].filter((b) => b.open().length).sort((a, b) => b.urgency - a.urgency || order(a.name, b.name));
    if (first) app.go('board', first.name, 'finding', String(first.open()[0].id));
  },

  show() {
    const [kind, name, what, id, number, game] = app.place();
    if (kind === 'board' && what === 'finding') put(new Card(app, name, Number(id)));
    else if (kind === 'board' && what === 'film') put(new Film(app, name, id, Number(number), Number(game)));
    else if (kind === 'board') put(new BoardPage(app, name));
    else put(new List(app));
    top();
    freeze(app.frozen);
    app.draw();
  },
};

// Whether what another one entered is to be replaced by this entry.
function replaces(board, entry, other, failure) {
  const past = Math.max(0, Math.round((performance.now() + (app.board(board)?.skew() ?? 0) - Date.parse(other.at)) / 1000));
  const what = w.undo.did[other.what] ?? `(${w.happened[other.what] ?? w.orders[other.what] ?? other.what})`;
  return new Promise((answer) => {
    const window = sheet(w.board(board), ({ show, close }) => {
      const reply = (yes) => (answer(yes), close());
      show(
        element('p', { class: 'other-ruling', role: 'alert' }, w.undo.other(other.who, other.result ? `${what} (${other.result})` : what, past)),
        element('div', { class: 'menu' }, button(w.undo.replace(entryText(entry)), () => reply(true), { class: 'primary' }), button(w.undo.keep, () => reply(false), { class: 'plain' })),
        element('p', { class: 'about' }, sorry(failure)),
      );
    });
    window.addEventListener('close', () => answer(false));
  });
}

// Hall alarms that are about this board.
const about = (name) => app.hall.filter((alarm) => alarm.about === name);

function remembered() {
  try {
    return localStorage.getItem(WHO) ?? '';
  } catch {
    return '';
  }
}

function put(view) {
  app.view?.close?.();
  app.view = view;
  document.getElementById('main').replaceChildren(view.node);
}

function top() {
  const [kind] = app.place();
  const inside = Boolean(app.me && kind);
  const state = element('span', { id: 'connection', role: 'status' });
  document.getElementById('top').replaceChildren(
    ...[
      inside ? element('a', { href: '#/', class: 'back' }, `‹ ${w.boards}`) : element('span', { class: 'home' }, w.appName),
      element('span', { class: 'others' }),
      state,
      button(w.otherShort, () => app.language(w.otherLang), { class: 'icon-button lang', lang: w.otherLang, 'aria-label': `${w.otherShort} ${w.other}`, title: w.other }),
      app.me ? button('☰', app.settings, { class: 'icon-button', 'aria-label': w.settings, title: w.settings }) : '',
    ].filter(Boolean),
  );
  connection(app.stream?.state ?? (app.me ? 'connecting' : ''));
}

function connection(state) {
  const node = document.getElementById('connection');
  node.className = state;
  setText(node, w[state] ?? '');
}

function freeze(on) {
  app.frozen = on;
  // Once at once, and again while nobody looks: `pulse`.
  if (on && !app.frozenAt) trouble(w.lost);
  if (on) app.frozenAt ??= Date.now();
  else app.frozenAt = null;
  document.body.classList.toggle('frozen', on);
  const line = document.getElementById('lost');
  line.hidden = !on;
  setText(line, on ? w.lostSince(hour(app.frozenAt)) : '');
}

function listen() {
  app.stream?.close();
  app.boards.clear();
  app.listened = false;
  app.stream = new Stream({
    onState(state) {
      connection(state);
      freeze(state === 'lost');
      app.draw();
    },
    onRefused: () => app.door(w.sessionOver),
    onRestart() {
      trouble(w.restarted(hour(Date.now())));
      toast(w.restarted(hour(Date.now())), 'bad');
    },
    onSnapshot(object) {
      const known = app.boards.get(object.board);
      const done = known && new Map([...known.findings].map(([id, f]) => [id, f.done]));
      const board = known ?? new BoardState(object.board);
      app.boards.set(object.board, board);
      board.snapshot(object, performance.now());
      board.troubles = about(object.board);
      // What was seen of a ruling's execution before a break was still seen.
      for (const [id, finding] of board.findings) {
        if (done?.get(id)) finding.done = done.get(id);
      }
      // What a page that was just opened finds there is told when all boards have come.
      if (known) app.rings.look();
      app.draw();
    },
    onEvent(event) {
      if (event.type === 'hall') app.hall = event.alarms ?? [];
      if (event.type === 'hall') for (const board of app.boards.values()) board.troubles = about(board.name);
      if (!event.board) return app.draw();
      if (!app.boards.has(event.board)) app.boards.set(event.board, new BoardState(event.board));
      const board = app.boards.get(event.board);
      if (event.type === 'going') {
        board.setGoing(event.going);
        return app.draw();
      }
      board.apply(event, performance.now());
      if (event.type === 'finding') app.rings.look();
      app.undo.heard(event);
      app.view?.heard?.(event);
      app.draw();
    },
  });
}

// The key of a link that lets this browser in, `#key=KEY` or `#key=KEY/board/7`, which leads somewhere at once. Nobody else who looks at the
// address should find the key there.
function takeKey() {
  const [, key, place] = location.hash.match(/^#key=([^/]+)(.*)$/) ?? [];
  if (key) history.replaceState(null, '', location.pathname + location.search + (place ? `#${place}` : ''));
  return key;
}

async function begin() {
  const key = takeKey();
  let why = '';
  if (key) {
    try {
      app.enterAs(await api.loginByLink(key));
      return;
    } catch (failure) {
      why = failure.status === 401 ? w.linkUsed : sorry(failure);
    }
  }
  try {
    app.enterAs(await api.me());
  } catch (failure) {
    app.byLink = failure.byLink;
    app.door(why || (failure.status === 401 || failure.status === 403 ? '' : sorry(failure)));
  }
}

// What is wrong with the page itself is heard, too.
function trouble(text) {
  app.troubledAt = performance.now();
  app.alerts.trouble();
  setText(document.getElementById('spoken'), text);
}

// Which rulings wait for this arbiter, wherever on the page he is; on the list and on its own card each is there already.
function calls() {
  const node = document.getElementById('calls');
  const [kind, name, what, id] = app.place();
  const here = ({ board, finding }) => kind === 'board' && what === 'finding' && board.name === name && finding.id === Number(id);
  const list = app.me && !app.frozen && kind ? app.rings.calls().filter((call) => !here(call)) : [];
  node.hidden = list.length === 0;
  fill(node, [list.map(({ board, finding }) => [board.name, finding.id, headline(board, finding)]), lang], () =>
    list.map(({ board, finding }) => {
      const go = element('span', { class: 'going' });
      drawGoing(go, app, board, finding);
      return element('p', { class: 'call' }, element('a', { href: `#/board/${encodeURIComponent(board.name)}/finding/${finding.id}` }, `! ${headline(board, finding)}`), go);
    }),
  );
  const count = app.me ? [...app.boards.values()].reduce((sum, board) => sum + board.open().length, 0) : 0;
  badge(count, app.frozen);
}

// Once a second: what waits rings again, and a connection that is lost is heard again.
function pulse() {
  if (app.frozen && performance.now() - app.troubledAt >= 20_000) trouble(w.lost);
  if (!app.me || app.frozen || app.stream?.state !== 'live') return;
  app.rings.look(!app.listened);
  app.listened = true;
  calls();
}

app.rings = new Rings(app);
document.documentElement.lang = lang;
document.addEventListener('keydown', (e) => keys(app, e));
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#key=')) return begin();
  if (!app.me) return;
  app.show();
  scrollTo(0, 0);
});
app.undo = new UndoBar(app);
// Without accounts the name is the one that the arbiter gave himself.
app.entering = new Entering(app, (entry) => (app.me?.name || !app.who ? entry : { ...entry, who: app.who }));
install();
await loadPieces();
await begin();
setInterval(() => (app.view?.tick(), app.undo.tick()), TICK_MS);
setInterval(pulse, PULSE_MS);
