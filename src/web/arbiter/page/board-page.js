// One board: what stands on it, moves with think times, the clock sheet, traces, claims, rulings, and the raw evidence.
import { api } from './api.js';
import { figures, plot } from './clock-sheet.js';
import { Diagram } from './diagram.js';
import { enterMenu } from './enter.js';
import { disagreements } from './enter-result.js';
import { button, element, fill, setText, sheet, sorry } from './ui.js';
import { ago, clockText, hour, lang, said as spoken, title, w } from './i18n.js';
import { EMPTY, fromFen } from '/page/position.js';

// The sheet and the traces come from the daemon; asked for again when something happened.
const AGAIN_MS = 700;

export class BoardPage {
  constructor(app, name) {
    Object.assign(this, { app, name, detail: null, ply: null });
    this.title = element('h1', { tabindex: -1 }, w.board(name));
    this.about = element('p', { class: 'about' });
    this.state = element('p', { class: 'row-state' });
    // A result that board or clocks contradict, whoever entered it.
    this.doubt = element('div', { role: 'status' });
    // Twelve words to be noted or photographed when the game is over.
    this.receipt = element('p', { class: 'receipt' });
    this.diagram = new Diagram();
    this.clocks = { white: element('p', { class: 'big-clock white' }), black: element('p', { class: 'big-clock black' }) };
    this.live = button(w.positionNow, () => this.show(null), { class: 'plain', hidden: true });
    this.findings = this.part(w.findings);
    this.claims = this.part(w.claims);
    this.promotion = this.part(w.promotion);
    this.choice = this.part(w.choice);
    this.moves = this.part(w.moves, 'moves-part');
    this.sheet = this.part(w.sheet);
    this.traces = this.part(w.traces);
    this.rulings = this.part(w.rulings);
    this.orders = this.part(w.onTheWay);
    this.why = element('p', { class: 'about' });
    this.evidence = element('details', { class: 'part', ontoggle: () => this.evidence.open && this.readEvidence() }, element('summary', {}, w.evidence), this.why, element('pre', { class: 'raw', tabindex: 0 }));
    this.bar = element('div', { class: 'bar' }, button(w.enter, () => this.enter('report'), { class: 'primary' }), button(w.enterResult, () => this.enter('result'), { class: 'plain' }), button(w.setClock, () => this.enter('clock'), { class: 'plain' }), button(w.more, () => this.enter('more'), { class: 'plain' }));
    this.node = element(
      'article',
      { class: 'board-page', 'data-board': name },
      element('div', { class: 'board-head' }, this.title, this.about, this.state, this.doubt, this.receipt),
      element('div', { class: 'board-table' }, this.clocks.black, element('figure', { class: 'wanted' }, this.diagram.node), this.clocks.white, this.live),
      element('div', { class: 'parts' }, ...[this.orders, this.promotion, this.choice, this.findings, this.claims, this.moves, this.sheet, this.traces, this.rulings].map((p) => p.node), this.evidence),
      this.bar,
    );
    this.load();
  }

  part(name, className = '') {
    const body = element('div', { class: 'part-body' });
    return { body, node: element('section', { class: `part ${className}` }, element('h2', {}, name), body) };
  }

  get board() {
    return this.app.board(this.name);
  }

  async load() {
    try {
      this.detail = await api.board(this.name);
    } catch (failure) {
      this.trouble = failure;
    }
    const wish = this.app.wish;
    if (wish?.evidence) {
      this.app.wish = null;
      this.from = this.board?.findings.get(wish.evidence)?.evidence;
      this.evidence.open = true;
      setTimeout(() => this.evidence.scrollIntoView({ behavior: 'smooth' }), 300);
    }
    this.draw();
  }

  // Something happened on the wire; what only the daemon knows is asked for again, not more often than people can read.
  heard(event) {
    if (event.board !== this.name || !/^(move|ruling|receipt|result|game|touched|draw)/.test(event.type)) return;
    this.again ??= setTimeout(() => {
      this.again = null;
      this.load();
    }, AGAIN_MS);
  }

  close() {
    clearTimeout(this.again);
  }

  get list() {
    return this.detail?.moves ?? this.board?.moves ?? [];
  }

  draw() {
    const { board } = this;
    if (!board) {
      setText(this.about, w.noBoard(this.name));
      return;
    }
    const { game } = board;
    const players = [game.white, game.black].filter(Boolean).join(' – ');
    setText(this.about, [players, w.rules[game.rules] ?? game.rules, game.time_control].filter(Boolean).join(' · '));
    const state = this.app.frozen ? 'old' : board.stateName;
    const away = board.silent(performance.now());
    const said = away === null ? w.states[state] : `${w.piAway(board.pi.name)}: ${w.old(ago(away))}`;
    setText(this.state, board.over && away === null ? game.result.replace('1/2-1/2', '½–½') : said);
    this.state.className = `row-state is-${state}`;
    const doubts = board.over ? disagreements(board, game.result, game.reason) : [];
    this.doubt.className = doubts.length ? 'compare bad' : '';
    fill(this.doubt, [doubts, lang], () => (doubts.length ? [element('b', {}, `✕ ${w.disagree}: ${doubts.join('; ')}`)] : []));
    fill(this.receipt, [game.receipt, lang], () => (game.receipt ? [element('small', {}, w.receipt), element('b', {}, game.receipt)] : []));
    const shown = this.ply === null ? null : this.list.find((m) => m.ply === this.ply);
    this.drawDiagram(board, shown);
    const all = [...board.findings.values()].reverse();
    fill(this.findings.body, [all.map((f) => [f.id, f.status, f.summary]), lang], () => (all.length ? [element('ul', { class: 'lines' }, ...all.map((f) => this.findingLine(f)))] : [element('p', { class: 'about' }, w.noFindings)]));
    fill(this.claims.body, [board.claims, lang], () => (board.claims.length ? [element('ul', { class: 'lines' }, ...board.claims.toReversed().map((c) => this.claimLine(c)))] : [element('p', { class: 'about' }, w.noClaims)]));
    this.drawPromotion(board);
    this.drawChoice(board);
    this.drawOrders(board);
    fill(this.moves.body, [this.list, this.ply, lang], () => [this.moveTable(board)]);
    this.drawWhy(board);
    const rows = this.detail?.clock_sheet ?? [];
    const counted = this.detail?.figures;
    fill(this.sheet.body, [rows, counted, lang], () => [...plot(rows), ...figures(counted)]);
    const touched = this.detail?.touched ?? board.touched;
    fill(this.traces.body, [touched, lang], () => (touched.length ? [element('ul', { class: 'lines small' }, ...touched.toReversed().slice(0, 40).map(trace))] : [element('p', { class: 'about' }, w.noTraces)]));
    const rulings = (this.detail?.rulings ?? board.rulings).toReversed();
    fill(this.rulings.body, [rulings.map((r) => [r.seq, r.taken_back, r.receipt]), lang], () => (rulings.length ? [element('ul', { class: 'lines small' }, ...rulings.map((r) => rulingLine(r)))] : [element('p', { class: 'about' }, w.noRulings)]));
    this.tick();
  }

  drawDiagram(board, shown) {
    const last = shown ?? (this.ply === null ? board.last : null);
    const position = shown ? positionAfter(this.detail, board, shown.ply) : (board.sensed ?? EMPTY);
    this.diagram.draw({ position, move: last?.uci ?? null, illegal: last?.legal === false, label: last ? w.after(last.san ?? last.uci) : w.start });
    this.live.hidden = this.ply === null;
  }

  // The machine with the journal can say why the move that is shown, else the last one, was read as it was.
  drawWhy(board) {
    const ply = this.ply ?? this.list.at(-1)?.ply;
    const name = ply ? this.moveName(ply) : null;
    fill(this.why, [ply, name, board.game.number, lang], () => {
      const game = board.game.number ? ` --game ${board.game.number}` : '';
      return name ? [`${w.whyRead(name)}: `, element('code', {}, `flagfall replay JOURNAL --explain ${ply}${game}`)] : [];
    });
  }

  tick() {
    const { board } = this;
    if (!board) return;
    const now = performance.now();
    for (const side of ['white', 'black']) {
      const shown = board.shown(side, now);
      const flag = board.clock?.flag === side || board.clock?.flag === 'both' ? ' ⚑' : '';
      // Whoever sets another clock in the place of a dead one needs what that showed.
      const last = shown === null ? (board.device ?? this.detail?.clock_sheet?.at(-1))?.[`${side}_ms`] : undefined;
      const estimate = board.clock?.source === 'estimate' ? ` (${w.estimated})` : '';
      const kind = last === undefined ? estimate : ` (${w.lastShown} ${clockText(last)})`;
      const text = `${board.running(side) ? '▸ ' : ''}${shown === null ? w.noClock : this.app.frozen ? '?' : clockText(shown)}${flag}`;
      const name = board.game[side] ?? w.by[side];
      fill(this.clocks[side], [text, kind, name, lang], () => [element('span', { class: 'face-name' }, element('span', { class: 'chip-colour' }), name), element('span', { class: 'digits' }, text, kind && element('small', {}, kind))]);
      this.clocks[side].classList.toggle('runs', board.running(side));
    }
  }

  findingLine(f) {
    const link = `#/board/${encodeURIComponent(this.name)}/finding/${f.id}`;
    const ruled = f.grade === 'note' ? '' : ` – ${w.ruled[f.status] ?? f.status}${f.ruling?.who ? `, ${f.ruling.who}` : ''}`;
    return element('li', { class: `${f.status === 'open' && f.grade !== 'note' ? 'open' : ''}` }, element('a', { href: link }, title(f.key)), ` ${f.article}${ruled}`, element('small', {}, spoken(f.summary)));
  }

  // A board that does not tell pieces: somebody has to say what the pawn became.
  drawPromotion(board) {
    const { promotion } = board;
    this.promotion.node.hidden = !promotion;
    fill(this.promotion.body, [promotion, this.app.frozen, lang], () => {
      if (!promotion) return [];
      const say = (piece) => this.app.enter(this.name, { do: 'promote', piece, ply: promotion.ply });
      const about = promotion.state === 'asked' ? w.promotionAsked : w.promotionAssumed;
      const answer = ([piece, name]) => button(name, () => say(piece), { class: 'plain', disabled: this.app.frozen, 'data-piece': piece });
      return [element('p', {}, about(promotion.square)), element('div', { class: 'menu' }, ...Object.entries(w.promotions).map(answer))];
    });
  }

  // Sensors could not tell which of several moves it was: somebody has to say.
  drawChoice(board) {
    const { ply, readings = [] } = board.alarms.get('unsure') ?? {};
    const moves = new Map();
    for (const { line, share } of readings) if (line.length) moves.set(line[0], (moves.get(line[0]) ?? 0) + share);
    this.choice.node.hidden = moves.size < 2;
    fill(this.choice.body, [ply, [...moves], this.app.frozen, lang], () => {
      if (moves.size < 2) return [];
      const { number, by } = board.numbered(ply);
      const squares = (uci) => `${uci.slice(0, 2)}–${uci.slice(2, 4)}${uci.slice(4).toUpperCase()}`;
      const answer = ([uci, share]) => button(`${squares(uci)} · ${Math.round(share * 100)} %`, () => this.app.enter(this.name, { do: 'choose', ply, uci }), { class: 'plain', disabled: this.app.frozen, 'data-uci': uci });
      return [element('p', {}, w.choiceAbout(`${number}${by === 'white' ? '.' : '…'}`)), element('div', { class: 'menu' }, ...[...moves].map(answer))];
    });
  }

  // A hall's orders: sent, journaled, refused, or waiting for the board's machine.
  drawOrders(board) {
    this.orders.node.hidden = !board.onTheWay.length;
    fill(this.orders.body, [board.onTheWay, this.app.frozen, lang], () => (board.onTheWay.length ? [element('ul', { class: 'lines small' }, ...board.onTheWay.toReversed().map((order) => this.orderLine(order)))] : []));
  }

  orderLine(order) {
    const state = element('b', { class: `order-${order.state}` }, w.orderStates[order.state] ?? order.state);
    const withdraw = order.state === 'waiting' ? button(w.withdraw, () => this.app.withdraw(this.name, order.key), { class: 'plain', disabled: this.app.frozen, 'data-order': order.key }) : '';
    return element('li', { 'data-state': order.state }, rulingText({ ...order.entry, at: order.at }), ' – ', state, order.reason ? element('small', {}, order.reason) : '', withdraw);
  }

  claimLine(claim) {
    const name = (ply) => this.moveName(ply) ?? w.start;
    const earlier = claim.earlier?.length ? ` (${w.earlier} ${claim.earlier.map(name).join(', ')})` : '';
    return element('li', {}, element('b', {}, w.claimRules[claim.rule] ?? claim.rule), `: ${w.claimBy(w.by[claim.by], w.after(name(claim.ply)))}${earlier}`);
  }

  moveName(ply) {
    const move = this.list.find((m) => m.ply === ply);
    if (!move) return null;
    const { number, by } = this.board.numbered(ply);
    return `${number}${by === 'white' ? '.' : '…'} ${move.san ?? move.uci}`;
  }

  moveTable(board) {
    if (!this.list.length) return element('p', { class: 'about' }, w.noMoves);
    const rows = this.list.map((m) => {
      const { number, by } = board.numbered(m.ply);
      const side = m.clock?.[`${by}_ms`];
      const notes = [m.completed ? '' : w.made, m.legal === false ? w.illegal : '', m.completed ? (w.how[m.how] ?? '') : ''].filter(Boolean).join(', ');
      return element(
        'tr',
        { class: m.ply === this.ply ? 'current' : '' },
        element('td', { class: 'number' }, `${number}${by === 'white' ? '.' : '…'}`),
        element('td', {}, button(m.san ?? m.uci, () => this.show(m.ply), { class: 'move' })),
        element('td', { class: 'digits' }, m.spent_ms === undefined ? '' : spent(m.spent_ms)),
        element('td', { class: 'digits' }, side === undefined ? '' : clockText(side)),
        element('td', { class: 'about' }, notes),
        element('td', {}, element('a', { class: 'film-link', href: this.filmOf(m.ply), 'aria-label': w.film.of(this.moveName(m.ply)), title: w.film.of(this.moveName(m.ply)) }, '▶')),
      );
    });
    return element('div', { class: 'scroll', tabindex: 0 }, element('table', { class: 'move-list' }, element('tbody', {}, ...rows.reverse())));
  }

  filmOf(ply) {
    const { number } = this.board.game;
    return `#/board/${encodeURIComponent(this.name)}/film/ply/${ply}${number ? `/${number}` : ''}`;
  }

  show(ply) {
    this.ply = ply;
    this.draw();
  }

  async readEvidence() {
    const pre = this.evidence.querySelector('pre');
    const seq = this.board?.seq ?? 0;
    const [from, to] = this.from ?? [Math.max(1, seq - 40), seq];
    try {
      const answer = await api.evidence(this.name, from, to);
      const lines = Array.isArray(answer) ? answer : (answer?.lines ?? []);
      setText(pre, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') || w.noEvidence);
    } catch (failure) {
      setText(pre, failure.status === 404 ? w.noEvidence : sorry(failure));
    }
  }

  enter(what) {
    sheet(w.board(this.name), (window) => enterMenu(this.app, this.name, what, window));
  }

  key(key) {
    if (key === 'r') {
      this.enter('report');
      return true;
    }
    return false;
  }

  // The keys j and k go through the boards.
  step(by) {
    const names = [...this.app.boards.keys()].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
    this.app.go('board', names[(names.indexOf(this.name) + by + names.length) % names.length]);
  }
}

function positionAfter(detail, board, ply) {
  if (!detail?.moves) return board.position(ply);
  const known = Object.create(board);
  known.base = { ply: (detail.moves[0]?.ply ?? 1) - 1, position: fromFen(detail.game?.start_fen) ?? board.base.position };
  known.moves = detail.moves;
  return known.recorded(ply);
}

const spent = (ms) => (ms < 60000 ? `${(ms / 1000).toFixed(1)} ${w.unitS}` : clockText(ms));

function trace(t) {
  const back = t.returned === undefined ? w.notReturned : `${w.returned} +${((t.returned - t.lifted) / 1000).toFixed(1)} ${w.unitS}`;
  return element('li', {}, `${t.at ? hour(t.at) : ''} ${w.by[t.by]}: ${w.pieces[t.piece] ?? t.piece} ${t.square}${t.own ? '' : ` (${w.theirPiece})`}, ${back}`);
}

function rulingLine(r) {
  return element('li', { class: r.taken_back ? 'undone' : '' }, rulingText(r), r.note ? element('small', {}, `“${r.note}”`) : '', r.receipt ? element('small', { class: 'receipt' }, r.receipt) : '');
}

// Who entered what, when.
function rulingText(r) {
  const clock = r.clock ? ` ${clockText(r.clock.white_ms)} – ${clockText(r.clock.black_ms)}` : '';
  const what = [w.orders[r.do] ?? r.do, r.finding ? w.howMuch(r.finding) : '', w.decisions[r.decision] ?? '', r.key ? title(r.key) : '', r.by ? w.by[r.by] : '', r.result ?? '', r.article ?? ''].filter(Boolean).join(' · ');
  return `${hour(r.at)} ${r.who ? `${r.who}: ` : ''}${what}${clock}`;
}

