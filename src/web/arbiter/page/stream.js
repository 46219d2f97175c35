// The arbiter's event stream. A silent connection is as dangerous as a broken one: it is asked every few seconds whether it lives.
import { api } from './api.js';

const TYPES = [
  'link', 'identity', 'placement', 'clock', 'press', 'game-start', 'move-made', 'move-revised', 'move-withdrawn', 'move-completed',
  'result', 'ruling', 'finding', 'finding-update', 'touched-piece', 'draw-claim', 'promotion', 'receipt', 'alarm', 'hall', 'going',
];
const RETRY_MS = 2000;
const BEAT_MS = 4000;
// A short break is not worth a word.
const PATIENCE_MS = 1500;

export class Stream {
  // onSnapshot(object), onEvent(event), onRestart(), onState('connecting' | 'live' | 'lost'), onRefused(status)
  constructor(handlers) {
    this.handlers = handlers;
    this.state = 'connecting';
    this.open();
    this.beat = setInterval(() => this.check(), BEAT_MS);
    this.seen = () => document.visibilityState === 'visible' && this.check();
    this.gone = () => this.say('lost');
    document.addEventListener('visibilitychange', this.seen);
    addEventListener('online', this.seen);
    addEventListener('offline', this.gone);
    // A page that the browser keeps for the way back would hold one of the six connections that it has for a server.
    this.left = () => this.hush();
    this.back = (e) => e.persisted && (this.open(), this.check());
    addEventListener('pagehide', this.left);
    addEventListener('pageshow', this.back);
  }

  open() {
    clearTimeout(this.retry);
    this.retry = null;
    this.source?.close();
    const source = new EventSource('/api/v1/arbiter/events');
    this.source = source;
    source.onopen = () => this.live();
    source.onerror = () => this.broken();
    source.addEventListener('snapshot', (e) => this.take(e, () => this.handlers.onSnapshot(JSON.parse(e.data))));
    for (const type of TYPES) {
      source.addEventListener(type, (e) => this.take(e, () => this.handlers.onEvent({ type, ...JSON.parse(e.data) })));
    }
  }

  take(e, act) {
    this.live();
    act();
    // Every start of the daemon numbers its events under a name of its own.
    const epoch = e.lastEventId.split('-')[0];
    if (!epoch || epoch === this.epoch) return;
    const restarted = this.epoch !== undefined;
    this.epoch = epoch;
    if (restarted) this.handlers.onRestart();
  }

  live() {
    clearTimeout(this.patience);
    this.patience = null;
    this.say('live');
  }

  broken() {
    this.patience ??= setTimeout(() => this.say('lost'), PATIENCE_MS);
    // The browser returns by itself after a broken connection, not after an answer it did not like.
    if (this.source.readyState === EventSource.CLOSED) this.again();
  }

  again() {
    this.source.close();
    this.retry ??= setTimeout(() => this.open(), RETRY_MS);
  }

  async check() {
    if (this.asking || this.closed) return;
    this.asking = true;
    try {
      await api.me();
      if (this.state === 'lost' && !this.retry) this.again();
    } catch (failure) {
      if (failure.status === 401 || failure.status === 403) this.handlers.onRefused(failure.status);
      else this.say('lost');
    } finally {
      this.asking = false;
    }
  }

  say(state) {
    if (state === this.state || this.closed) return;
    this.state = state;
    this.handlers.onState(state);
  }

  hush() {
    clearTimeout(this.patience);
    clearTimeout(this.retry);
    this.patience = this.retry = null;
    this.source.close();
  }

  close() {
    this.closed = true;
    this.hush();
    clearInterval(this.beat);
    document.removeEventListener('visibilitychange', this.seen);
    removeEventListener('online', this.seen);
    removeEventListener('offline', this.gone);
    removeEventListener('pagehide', this.left);
    removeEventListener('pageshow', this.back);
  }
}
