// A finding as a ruling card: what was found, what to set, and, once ruled, whether board and clock show it.
import { api } from './api.js';
import { Check } from './card-check.js';
import { CardClocks, foundClock } from './card-clocks.js';
import { formOf, isLate } from './card-form.js';
import { CardPlayers } from './card-players.js';
import { CardPosition } from './card-position.js';
import { drawGoing } from './going.js';
import { look } from './roster.js';
import { button, choice, element, fill, setText, toast } from './ui.js';
import { ago, clockText, hour, lang, said, title, w } from './i18n.js';

// A proposal that changed under the finger is not confirmed by the tap that was meant for the one before.
const FRESH_MS = 800;

export class Card {
  constructor(app, name, id) {
    Object.assign(this, { app, name, id, anew: false, penalty: '', busy: false });
    this.title = element('h1', { tabindex: -1 });
    this.timer = element('span', { class: 'timer' });
    this.film = element('a', { class: 'film-link', href: `#/board/${encodeURIComponent(name)}/film/finding/${id}` }, `▶ ${w.film.open}`);
    this.players = new CardPlayers();
    this.past = element('p', { class: 'past-game', hidden: true });
    this.law = element('p', { class: 'law' });
    this.sentence = element('p', { class: 'sentence' });
    this.action = element('p', { class: 'action' });
    this.going = element('div', { class: 'going' });
    this.more = element('div', { class: 'more' });
    this.state = element('p', { class: 'ruled', role: 'status' });
    this.clocks = new CardClocks(() => this.draw());
    this.position = new CardPosition();
    this.check = new Check();
    this.penalties = element('div', { class: 'penalties' });
    this.results = element('div', { class: 'penalties' });
    this.note = element('input', { class: 'note', placeholder: w.note, 'aria-label': w.note, maxlength: 300 });
    this.confirmText = element('small');
    this.buttons = {
      confirm: element('button', { type: 'button', class: 'primary', onclick: () => this.rule('confirm') }, element('b', {}, w.confirm), this.confirmText),
      change: button(w.change, () => this.clocks.edit(this.finding), { class: 'plain' }),
      dismiss: button(w.dismiss, () => this.rule('dismiss'), { class: 'plain' }),
      anew: button(w.ruleAnew, () => this.again(true), { class: 'plain' }),
      cancel: button(w.cancel, () => this.again(false), { class: 'plain' }),
      close: button(w.closeCard, () => app.go(), { class: 'primary' }),
    };
    this.bar = element('div', { class: 'bar' }, ...Object.values(this.buttons));
    this.others = element('p', { class: 'elsewhere' });
    this.links = element('p', { class: 'links' }, element('a', { href: `#/board/${encodeURIComponent(name)}` }, w.board(name)), ' · ', element('a', { href: `#/board/${encodeURIComponent(name)}`, onclick: () => (app.wish = { evidence: id }) }, w.showEvidence), ' · ', element('a', { href: api.report(name, id, lang), target: '_blank', rel: 'noopener' }, w.film.report));
    this.body = element(
      'div',
      { class: 'card-body' },
      element('div', { class: 'card-words' }, element('div', { class: 'card-title' }, this.title, this.timer, this.film), this.players.node, this.law, this.past, this.sentence, this.going, this.state, this.check.node, this.action, this.clocks.node, this.more, this.results, this.penalties, this.note, this.others, this.links),
      this.position.node,
    );
    look(() => app.draw());
    this.node = element('article', { class: 'ruling-card', 'data-board': name, 'data-finding': id }, this.body, this.bar);
  }

  get finding() {
    return this.app.board(this.name)?.findings.get(this.id) ?? this.kept ?? null;
  }

  // The page forgets a game's findings when the next one begins; the daemon has them.
  async ask(board) {
    if (this.asked) return;
    this.asked = true;
    try {
      this.kept = board.complete({ ...(await api.finding(this.name, this.id)) });
      this.draw();
    } catch {
      // It is not kept any more: the card says that it is gone.
    }
  }

  heard(event) {
    if (this.kept && event.board === this.name && (event.id === this.id || event.finding === this.id)) {
      this.asked = false;
      this.ask(this.app.board(this.name));
    }
  }

  draw() {
    const { finding } = this;
    const board = this.app.board(this.name);
    this.body.hidden = this.bar.hidden = false;
    this.film.hidden = this.players.node.hidden = !finding;
    if (!finding) {
      if (board) this.ask(board);
      setText(this.title, board ? w.board(this.name) : w.noBoard(this.name));
      setText(this.sentence, board ? w.withdrawn : '');
      this.going.hidden = true;
      for (const [key, node] of Object.entries(this.buttons)) node.hidden = key !== 'close';
      return;
    }
    const proposal = finding.proposal ?? {};
    const open = finding.status === 'open' && finding.grade !== 'note';
    const asking = open || this.anew;
    const proposalKey = JSON.stringify(proposal);
    if (proposalKey !== this.proposalKey) [this.proposalKey, this.changedAt] = [proposalKey, this.proposalKey ? performance.now() : 0];
    this.node.className = `ruling-card is-${asking ? finding.grade : finding.done && !finding.done.all ? 'mending' : 'decided'}`;
    setText(this.title, `${w.board(this.name)}: ${title(finding.key)}`);
    fill(this.law, [finding.rules, finding.article, finding.by, proposal.offence, proposal.article, lang], () => law(finding, proposal));
    setText(this.sentence, said(finding.summary));
    this.drawState(finding, open);
    if (open) drawGoing(this.going, this.app, board, finding);
    this.going.hidden = !open;
    this.form = formOf(finding, board);
    this.node.dataset.form = this.form;
    const past = this.form === 'past';
    this.past.hidden = !past;
    setText(this.past, past ? w.pastGame(finding.game ?? finding.game_number, board.game.number) : '');
    this.players.draw(finding, board, this.form);
    setText(this.action, this.form === 'times' ? w.timesOnly : proposal.action ? w.actions[proposal.action] ?? proposal.action : '');
    this.action.hidden = !asking || !proposal.action;
    this.clocks.draw(finding, board, asking && !past);
    this.position.draw(finding, board, asking, this.form);
    this.check.draw(finding, board, asking || past);
    fill(this.more, [proposal, finding.facts.touched, asking, lang], () => (asking ? extras(finding, proposal, board) : []));
    this.drawPenalties(finding, asking);
    this.drawResults(proposal, asking);
    this.note.hidden = !asking;
    this.drawButtons(finding, open, asking);
    this.drawOthers(board, finding, asking);
    this.tick();
  }

  drawState(finding, open) {
    this.state.hidden = open;
    const { ruling } = finding;
    fill(this.state, [finding.status, ruling, finding.decidedAt, this.anew, lang], () => {
      if (open || finding.grade === 'note') return [];
      const at = ruling?.at ?? finding.decidedAt;
      const signs = { confirmed: '✓', amended: '✓', dismissed: '✕', withdrawn: '–' };
      const who = ruling || at ? ` ${w.ruledBy(ruling?.who, at ? hour(at) : '')}` : '';
      const lines = [element('b', {}, `${signs[finding.status] ?? ''} ${w.ruled[finding.status] ?? finding.status}`), who];
      const found = foundClock(finding);
      if (found) lines.push(element('span', { class: 'said' }, `${w.asFound}: ${clockText(found.white_ms)} – ${clockText(found.black_ms)}`));
      if (ruling?.note) lines.push(element('span', { class: 'said' }, `“${ruling.note}”`));
      if (finding.status === 'withdrawn') lines.push(element('span', { class: 'said' }, w.withdrawn));
      if (this.anew) lines.push(element('span', { class: 'said' }, w.ruleAnewHint));
      return lines;
    });
  }

  drawPenalties(finding, asking) {
    const list = asking ? (finding.facts.penalties ?? []) : [];
    fill(this.penalties, [list, lang, this.id], () =>
      list.length
        ? [element('h2', {}, w.penalties), choice(`penalty-${this.id}`, [['', '–'], ...list.map((p) => [p.article, `${p.article} ${p[lang] ?? p.en}`])], this.penalty, (value) => (this.penalty = value))]
        : [],
    );
  }

  // Nobody knows whether the opponent can mate: the arbiter chooses.
  drawResults(proposal, asking) {
    const list = asking ? (proposal.results ?? []) : [];
    fill(this.results, [list, lang, this.id], () =>
      list.length ? [element('h2', {}, w.chooseResult), ...list.map((result) => button(result.replace('1/2-1/2', '½–½').replace('-', '–'), () => this.rule('confirm', result), { class: 'plain' }))] : [],
    );
  }

  drawButtons(finding, open, asking) {
    const { buttons } = this;
    buttons.dismiss.hidden = !asking;
    buttons.confirm.hidden = !asking || Boolean(finding.proposal?.results?.length);
    buttons.change.hidden = !asking || !this.clocks.possible || this.clocks.editing;
    buttons.cancel.hidden = !(this.anew || (asking && this.clocks.editing));
    buttons.anew.hidden = asking || finding.grade === 'note' || finding.status === 'withdrawn';
    buttons.close.hidden = asking;
    buttons.confirm.disabled = buttons.dismiss.disabled = this.busy || this.app.frozen;
    const clock = this.form === 'past' ? null : this.clocks.chosen();
    setText(buttons.confirm.firstChild, !this.clocks.isProposed ? w.changed : this.form === 'times' ? w.confirmTimes : w.confirm);
    setText(this.confirmText, clock ? this.clocks.text(clock) : (finding.proposal?.result ?? ''));
  }

  drawOthers(board, finding, asking) {
    const rest = asking ? [] : board.open().filter((f) => f.id !== finding.id);
    fill(this.others, [rest.map((f) => f.id), lang], () =>
      rest.length ? [`${w.waitingHere}: `, ...rest.map((f) => element('a', { href: `#/board/${encodeURIComponent(this.name)}/finding/${f.id}` }, title(f.key)))] : [],
    );
  }

  tick() {
    const board = this.app.board(this.name);
    const { finding } = this;
    if (!board || !finding) return;
    const now = performance.now();
    this.clocks.tick(board, now, this.app.frozen);
    this.check.tick(finding, board, now);
    const late = finding.status === 'open' && isLate(finding, board, now);
    this.node.classList.toggle('is-late', late);
    this.buttons.confirm.disabled = this.busy || this.app.frozen || late;
    setText(this.timer, finding.status === 'open' && finding.grade !== 'note' ? ago(now + board.skew() - Date.parse(finding.at)) : '');
  }

  again(on) {
    this.anew = on && this.finding.status !== 'open';
    this.clocks.reset();
    this.draw();
  }

  async rule(decision, result) {
    const { finding } = this;
    if (this.busy || !finding || this.app.frozen) return;
    if (decision === 'confirm' && performance.now() - (this.changedAt || -Infinity) < FRESH_MS) {
      this.node.classList.add('just-changed');
      setTimeout(() => this.node.classList.remove('just-changed'), FRESH_MS);
      return;
    }
    // Of a game that is past no times are set.
    const clock = decision === 'confirm' && this.form !== 'past' ? this.clocks.chosen() : null;
    if (decision === 'confirm' && this.clocks.broken) return toast(w.badTime, 'bad');
    const note = this.note.value.trim() || undefined;
    const entry = { do: 'rule', finding: this.id, decision, result, note };
    // One that replaces a ruling says which one.
    if (this.app.board(this.name)?.pi && finding.ruling?.seq) entry.after = finding.ruling.seq;
    if (decision === 'confirm' && !this.clocks.isProposed && clock) Object.assign(entry, { decision: 'amend', clock });
    this.busy = true;
    this.draw();
    let done = await this.app.enter(this.name, entry);
    // A ruling that replaces another one does not set the clock by itself.
    if (done && this.anew && clock) done = await this.app.enter(this.name, { do: 'set-clock', clock }, true);
    if (done && this.penalty && finding.by && decision === 'confirm') {
      done = await this.app.enter(this.name, { do: 'penalty', by: finding.by, article: this.penalty, clock: entry.clock, note }, true);
    }
    this.busy = false;
    if (done) {
      this.anew = false;
      this.note.value = '';
      if (document.activeElement?.closest('.bar')) this.title.focus({ preventScroll: true });
      scrollTo({ top: 0, behavior: 'smooth' });
    }
    this.draw();
  }

  // True where the key was for us.
  key(key) {
    const usable = (name) => !this.buttons[name].hidden && !this.buttons[name].disabled;
    const acts = { c: 'confirm', d: 'dismiss', t: 'change' };
    if (acts[key] && usable(acts[key])) {
      this.buttons[acts[key]].click();
      return true;
    }
    if (key === 'n' && !this.note.hidden) {
      this.note.focus();
      return true;
    }
    if (key === 'b') {
      this.app.go('board', this.name);
      return true;
    }
    if (key === 'Escape' && usable('cancel')) {
      this.again(false);
      return true;
    }
    return /^[1-9]$/.test(key) && this.clocks.pick(Number(key) - 1);
  }

  // The keys j and k go to the next card that waits.
  step(by) {
    const all = [...this.app.boards.values()].flatMap((b) => b.open().map((f) => [b.name, f.id]));
    const at = all.findIndex(([name, id]) => name === this.name && id === this.id);
    const next = all[at < 0 ? 0 : (at + by + all.length) % all.length];
    if (next) this.app.go('board', next[0], 'finding', String(next[1]));
  }
}

function law(finding, proposal) {
  const parts = [w.rules[finding.rules] ?? finding.rules, w.article(finding.article)];
  const nodes = [parts.join(' · ')];
  if (proposal.offence) nodes.push(element('span', { class: `offence n${Math.min(3, proposal.offence)}` }, `${finding.by ? `${w.by[finding.by]}: ` : ''}${w.offence(proposal.offence)}`));
  if (proposal.article) nodes.push(element('span', { class: 'about' }, w.penaltyArticle(proposal.article)));
  return nodes;
}

// What else an arbiter wants to know before ruling.
function extras(finding, proposal, board) {
  const line = (name, ...text) => element('p', { class: 'extra' }, element('b', {}, `${name}: `), ...text);
  const lines = [];
  if (proposal.result) lines.push(line(w.result, element('span', { class: 'score' }, proposal.result.replace('1/2-1/2', '½–½').replace('-', '–'))));
  const { white, black } = proposal.press_counter ?? {};
  if (white || black) lines.push(element('p', { class: 'extra' }, w.counter(white, black)));
  if (proposal.undecided) lines.push(line(w.undecided, /worked out/.test(proposal.undecided) ? w.workedOut : proposal.undecided));
  if (proposal.mate) lines.push(line(w.mate, moves(proposal.mate)));
  if (proposal.replacement?.length) lines.push(line(w.replacement, new Set(proposal.replacement.map((uci) => uci.slice(0, 2))).size > 2 ? w.anyMove : moves(proposal.replacement)));
  const touched = finding.facts.touched ?? [];
  if (touched.length) lines.push(line(w.touched, touched.map((t) => `${w.pieces[t.piece] ?? t.piece} ${t.square}`).join(', ')));
  return lines;
}

const moves = (list) => list.slice(0, 24).map((uci) => `${uci.slice(0, 2)}–${uci.slice(2)}`).join(', ') + (list.length > 24 ? ' …' : '');
