// One board as an arbiter knows it: the public record, and findings, rulings, claims, traces and alarms on top. Begins with a snapshot.
import { EMPTY, fromFen } from '/page/position.js';
import { Record } from '/page/record.js';

const GRADES = { ruling: 2, attention: 1, note: 0 };
// A ruled time counts as set where the display came to it; a running side may have used this much before it was seen.
const GRACE_MS = 6000;

export class BoardState extends Record {
  snapshot(object, now) {
    super.snapshot(object, now);
    this.sensed = fromFen(object.sensed ?? object.placement) ?? this.sensed;
    this.seq = object.seq ?? 0;
    this.device = object.clock?.source === 'device' ? object.clock : null;
    this.rulings = (object.rulings ?? []).slice();
    this.findings = new Map();
    for (const finding of object.findings ?? []) this.findings.set(finding.id, this.complete({ ...finding }));
    this.alarms = new Map((object.alarms ?? []).map((alarm) => [alarm.key, alarm]));
    this.claims = (object.claims ?? []).filter((claim) => claim.stands !== false);
    this.promotion = object.promotion ?? null;
    this.touched = object.touched ? object.touched.slice() : [];
    // In a hall: what is on its way to the board's machine, and what became of the last ones.
    this.onTheWay = object.orders ?? [];
    this.setGoing(object.going ?? []);
    this.ruledAt = null;
    this.pressed = null;
    for (const finding of this.findings.values()) this.check(finding);
  }

  // Who goes to which finding.
  setGoing(list) {
    this.going = new Map(list.map((going) => [going.finding, going]));
  }

  complete(finding) {
    const status = finding.status ?? 'open';
    finding.status = status === 'revised' ? 'open' : status;
    finding.ruling = finding.ruled ?? null;
    finding.changedSeq = finding.last_seq;
    return finding;
  }

  apply(event, now) {
    this.seq = event.seq ?? this.seq;
    if (event.type === 'placement' && event.t === this.ruledAt) {
      // What a ruling wants on the board is not what the sensors see there.
      this.listen(event, now);
      return;
    }
    const sensed = this.sensed;
    super.apply(event, now);
    // What the display itself said last, whatever was ruled since.
    if (event.type === 'clock' && event.source === 'device') this.device = event;
    switch (event.type) {
      case 'press':
        this.pressed = { seq: event.seq, now };
        break;
      case 'finding':
        this.findings.set(event.id, { ...event, status: 'open', arrived: now, changedSeq: event.seq, found: { placement: sensed, clock: this.clock && { ...this.clock } }, ruling: null });
        break;
      case 'finding-update':
        this.update(event);
        break;
      case 'ruling':
        this.rule(event);
        break;
      case 'receipt':
        for (const ruling of this.rulings) if (ruling.seq === event.of) ruling.receipt = event.words;
        break;
      case 'touched-piece':
        this.touched.push(event);
        break;
      case 'draw-claim':
        this.claims.push(event);
        break;
      case 'promotion':
        this.promotion = event.state === 'asked' || event.state === 'assumed' ? event : null;
        break;
      case 'alarm':
        if (event.state === 'raised') this.alarms.set(event.key, event);
        else this.alarms.delete(event.key);
        break;
      case 'move-made':
      case 'move-withdrawn':
        // A claim is for the position that stands.
        this.claims = this.claims.filter((claim) => claim.ply === this.lastPly);
        break;
      case 'game-start':
        // What was found and ruled before the first move belongs to the game that begins with it.
        for (const [id, finding] of this.findings) {
          const ofThis = event.game !== undefined && (finding.game ?? finding.game_number) === event.game;
          if (finding.status !== 'open' && !ofThis) this.findings.delete(id);
        }
        this.claims = [];
        this.promotion = null;
        this.touched = [];
        this.rulings = this.rulings.filter((ruling) => event.game !== undefined && ruling.game === event.game);
        break;
    }
    for (const finding of this.findings.values()) this.check(finding);
  }

  update(event) {
    const finding = this.findings.get(event.id);
    if (!finding) return;
    finding.changedSeq = event.seq;
    for (const field of ['proposal', 'facts', 'summary']) if (event[field]) finding[field] = event[field];
    // What waited for a verdict is carried out with it.
    if (event.status === 'confirmed' || event.status === 'amended') this.ruledAt = event.t;
    if (event.status !== 'revised') {
      finding.status = event.status;
      finding.decidedAt = event.at;
      // What has to be put right begins with the ruling.
      finding.done = null;
    } else if (finding.status !== 'open') {
      // Ruled anew, and nobody could decide it: it is open again.
      Object.assign(finding, { status: 'open', done: null });
    }
  }

  rule(event) {
    if (event.do === 'undo') this.undone(event.ruling);
    this.rulings.push(event);
    if (event.do === 'rule' || event.do === 'set-position') this.ruledAt = event.t;
    if (event.finding !== undefined) {
      const finding = this.findings.get(event.finding);
      if (finding) finding.ruling = event;
    }
  }

  // Nothing stands of a ruling that was undone; the events that follow say what does.
  undone(seq) {
    for (const ruling of this.rulings) if (ruling.seq === seq) ruling.taken_back = true;
    for (const finding of this.findings.values()) {
      if (finding.ruling?.seq === seq) Object.assign(finding, { ruling: null, decidedAt: null, done: null });
    }
  }

  // What a ruling asks to be set, and what of it was seen. Latched: play goes on afterwards.
  check(finding) {
    const ruled = finding.status === 'confirmed' || finding.status === 'amended';
    if (!ruled || finding.grade === 'note') return;
    finding.done ??= { position: null, white: false, black: false, run: false, since: this.clock?.t ?? -1, plies: this.lastPly };
    const done = finding.done;
    const wanted = this.wanted(finding);
    if (done.all || !this.sensed) return;
    if (done.position === null || done.position === false) done.position = wanted.position ? this.wrong(wanted.position).length === 0 : true;
    const clock = this.clock;
    if (wanted.clock && clock && clock.source === 'device') {
      for (const side of ['white', 'black']) {
        const shown = clock[`${side}_ms`];
        const target = wanted.clock[`${side}_ms`];
        const runs = clock.running === side;
        const seconds = (ms) => Math.floor(ms / 1000);
        if (seconds(shown) === seconds(target) || (runs && shown < target && target - shown <= GRACE_MS)) done[side] = true;
        else if (!done.run || !clock.running) done[side] = false;
      }
      const run = wanted.clock.run === 'stopped' ? null : wanted.clock.run;
      if (done.white && done.black && clock.running === run) done.run = true;
    }
    if (!wanted.clock) done.white = done.black = done.run = true;
    // With a result nothing is set any more, nor for a game that is past.
    const past = (finding.game ?? finding.game_number ?? Infinity) < (this.game.number ?? 0);
    done.all = this.over || past || (done.position && done.white && done.black && done.run);
    // Both have played on: whatever was not seen is past.
    if (!done.all && this.lastPly >= done.plies + 2) done.all = true;
  }

  // The position and times that a finding asks for, as ruled or as proposed.
  wanted(finding) {
    const proposal = finding.proposal ?? {};
    const fen = proposal.restore_fen ?? (proposal.action === 'replace-with-queen' ? finding.facts?.queen_fen : null);
    return { fen, position: fen ? fromFen(fen) : null, clock: finding.ruling?.clock ?? proposal.clock ?? null };
  }

  // The squares on which the board differs from a position.
  wrong(position) {
    const sensed = this.sensed ?? EMPTY;
    return position.map((_, i) => i).filter((i) => position[i] !== sensed[i]);
  }

  // Milliseconds from the reader's own clock to the daemon's wall clock.
  skew() {
    return Number.isFinite(this.offset) ? -this.offset : Date.now() - performance.now();
  }

  open() {
    return [...this.findings.values()].filter((f) => f.status === 'open' && f.grade !== 'note').sort(byUrgency);
  }

  // Ruled, and the board or the clock do not show it yet.
  mending() {
    return [...this.findings.values()].filter((f) => f.done && !f.done.all);
  }

  // An alarm of the board or about it, or a question that somebody has to answer.
  get alarmed() {
    return this.alarms.size > 0 || Boolean(this.troubles?.length) || this.promotion?.state === 'asked';
  }

  // 4 to rule, 3 to look at, 2 being put right, 1 an alarm, 0 quiet.
  get urgency() {
    const first = this.open()[0];
    if (first) return first.grade === 'ruling' ? 4 : 3;
    if (this.mending().length) return 2;
    return this.alarmed || this.link !== 'up' ? 1 : 0;
  }

  get stateName() {
    const names = ['quiet', 'down', 'mending', 'attention', 'ruling'];
    if (this.urgency >= 2) return names[this.urgency];
    if (this.pi?.away) return 'away';
    if (this.link !== 'up') return 'down';
    if (this.alarmed) return 'attention';
    if (this.over) return 'over';
    return this.game.rules ? 'quiet' : 'idle';
  }
}

// What waits longest of the gravest comes first.
function byUrgency(a, b) {
  return GRADES[b.grade] - GRADES[a.grade] || a.id - b.id;
}
