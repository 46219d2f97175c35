// One board as the page knows it: begins with a snapshot, goes on with events. The same fold as the daemon's.
import { EMPTY, fromFen, play } from './position.js';

// How fast a reader's clock may run against the daemon's before the estimate of their difference follows.
const DRIFT = 0.0002;
// Castling touches four squares; what differs on more is no move in progress.
const FEW = 4;

export class Record {
  constructor(name) {
    this.name = name;
    this.snapshot({ board: name }, performance.now());
  }

  // `now` is the reader's own clock at arrival, milliseconds.
  snapshot(object, now) {
    this.link = object.link ?? 'down';
    this.seq = object.seq ?? 0;
    // In a hall: the machine it is at, and since when that is not heard.
    this.pi = object.pi ?? null;
    this.silentSince = this.pi?.away ? now - (this.pi.silent_ms ?? 0) : null;
    this.game = { result: '*', ...object.game };
    this.sensed = fromFen(object.placement);
    this.settled = true;
    this.offset = Infinity;
    this.stoppedAt = null;
    this.clock = object.clock ?? null;
    if (this.clock) {
      this.readAt = now - (this.clock.age_ms ?? 0);
      this.offset = this.readAt - Date.parse(this.clock.at);
      this.offsetAt = now;
    }
    // A clock whose board is gone stands at what was read last.
    if (this.link === 'down' || this.over) this.stoppedAt = this.readAt ?? now;
    if (object.moves) {
      this.base = { ply: (object.moves[0]?.ply ?? 1) - 1, position: fromFen(this.game.start_fen) };
      this.moves = object.moves.slice();
    } else {
      // Without its moves a record begins at its last one.
      this.base = { ply: object.plies_made ?? 0, position: fromFen(object.fen), last: object.last };
      if (!this.base.position && this.base.ply > 0) this.base.position = this.sensed;
      this.moves = [];
    }
  }

  apply(event, now) {
    this.seq = event.seq;
    this.listen(event, now);
    switch (event.type) {
      case 'link':
        this.link = event.state;
        this.stoppedAt = event.state === 'down' ? this.moment(event, now) : null;
        break;
      case 'placement':
        this.sensed = fromFen(event.placement);
        this.settled = event.settled;
        if (this.base.lost) this.base = { ...this.base, position: this.sensed, lost: !event.settled };
        break;
      case 'clock':
        this.clock = event;
        this.readAt = this.moment(event, now);
        break;
      case 'game-start':
        this.game = {
          ...this.game,
          number: event.game ?? null,
          rules: event.rules,
          play: event.play,
          time_control: event.time_control,
          start_fen: event.fen,
          result: '*',
          reason: null,
        };
        this.base = { ply: 0, position: fromFen(event.fen) };
        this.moves = [];
        if (this.link === 'up') this.stoppedAt = null;
        break;
      case 'move-made':
        this.sensed = fromFen(event.placement) ?? this.sensed;
        this.put({ ply: event.ply, by: event.by, uci: event.uci, san: event.san, legal: event.legal, completed: false, placement: event.placement });
        break;
      case 'move-completed': {
        const made = this.moves.find((m) => m.ply === event.ply && m.uci === event.uci);
        this.put({ ...event, completed: true, placement: made?.placement });
        break;
      }
      case 'move-revised': {
        const move = this.moves.find((m) => m.ply === event.ply);
        const { last } = this.base;
        // The same move with other times: those of the other side of the clock were told before.
        if (move && event.clock) Object.assign(move, { clock: event.clock, spent_ms: event.spent_ms });
        if (event.uci === event.was) break;
        if (move) Object.assign(move, { uci: event.uci, san: event.san, placement: undefined });
        else this.forget(event.ply);
        if (!move && last?.ply === event.ply) this.base = { ...this.base, ply: event.ply, last: { ...last, uci: event.uci, san: event.san } };
        break;
      }
      case 'move-withdrawn':
        this.moves = this.moves.filter((m) => m.ply < event.ply);
        if (event.ply <= this.base.ply) this.forget(event.ply);
        break;
      case 'result':
        // One that was entered for an earlier game is none of this one's.
        if (event.game && this.game.number && event.game !== this.game.number) break;
        this.game = { ...this.game, result: event.result, reason: event.reason === 'reopened' ? null : event.reason };
        if (this.over) this.stoppedAt ??= this.moment(event, now);
        else if (this.link === 'up') this.stoppedAt = null;
        this.resulted = event.seq;
        delete this.game.receipt;
        break;
      case 'receipt':
        // What came before the snapshot has no number here.
        if (event.after === 'result' && this.over && (this.resulted ?? event.of) === event.of) this.game = { ...this.game, receipt: event.words };
        break;
    }
  }

  // The base was taken back: until the board says what stands there, show what it senses.
  forget(ply) {
    this.base = { ply: ply - 1, position: this.sensed, lost: true };
  }

  put(move) {
    if (move.ply <= this.base.ply) {
      if (this.base.last?.ply === move.ply) this.base.last = { ...this.base.last, ...move };
      return;
    }
    const i = this.moves.findIndex((m) => m.ply >= move.ply);
    if (i < 0) this.moves.push(move);
    else if (this.moves[i].ply === move.ply) this.moves[i] = move;
    else this.moves.splice(i, 0, move);
  }

  // The least delay seen between the daemon's stamp and our own clock is the best guess of their difference.
  listen(event, now) {
    const seen = now - Date.parse(event.at);
    const grown = this.offset + DRIFT * (now - (this.offsetAt ?? now));
    this.offset = Math.min(seen, grown);
    this.offsetAt = now;
  }

  moment(event, now) {
    return Math.min(now, Date.parse(event.at) + this.offset);
  }

  get last() {
    return this.moves.at(-1) ?? this.base.last ?? null;
  }

  // The last move is not known: those before the snapshot were taken back.
  get unknown() {
    return Boolean(this.base.lost) && this.base.ply > 0 && !this.last;
  }

  get lastPly() {
    return this.last?.ply ?? this.base.ply;
  }

  // The number a move has on a score sheet, and who plays it.
  numbered(ply) {
    const [, turn, , , , full] = String(this.game.start_fen ?? '').split(' ');
    const halves = ply - 1 + (turn === 'b' ? 1 : 0);
    return { number: (Number(full) || 1) + Math.floor(halves / 2), by: halves % 2 === 0 ? 'white' : 'black' };
  }

  get over() {
    // One that was cancelled, or whose result nobody showed, is over as well.
    return this.game.result !== '*' || Boolean(this.game.reason);
  }

  // The position after `ply` (all moves without it); what is sensed while there is no record.
  position(ply = Infinity) {
    if (ply === Infinity && this.adrift) return this.sensed;
    return this.recorded(ply);
  }

  // A move that says what stood after it need not follow from the one before: an arbiter may have set another position between them.
  recorded(ply = Infinity) {
    let position = this.base.position;
    if (!position) return this.sensed ?? EMPTY;
    for (const move of this.moves) {
      if (move.ply > ply) break;
      position = (move.placement && fromFen(move.placement)) || play(position, move.uci);
    }
    return position;
  }

  // Squares on which the board differs from the record during a game.
  different() {
    if (this.link !== 'up' || this.over || !this.sensed || !this.base.position) return [];
    const position = this.recorded();
    return position.map((piece, i) => i).filter((i) => position[i] !== this.sensed[i]);
  }

  // The record no longer explains the board: then the board itself is what people want to see.
  get adrift() {
    return this.settled && this.different().length > FEW;
  }

  // Squares of pieces that are in somebody's hand: on the record, not on the board. Only a few at once can be.
  lifted() {
    const different = this.different();
    return different.length > FEW ? [] : different.filter((i) => this.sensed[i] === '');
  }

  // What one side's clock shows, milliseconds; null where there is no reading.
  shown(side, now) {
    const read = this.clock?.[`${side}_ms`];
    if (read === null || read === undefined || this.clock.source === 'none') return null;
    const runs = this.clock.running === side;
    const elapsed = runs ? Math.max(0, Math.min(now, this.stoppedAt ?? Infinity) - this.readAt) : 0;
    return Math.max(0, read - elapsed);
  }

  running(side) {
    return this.link === 'up' && !this.over && this.clock?.running === side;
  }

  // How long nothing was heard of its machine, milliseconds; null where that is there, or there is none.
  silent(now) {
    return this.silentSince === null ? null : Math.max(0, now - this.silentSince);
  }
}
