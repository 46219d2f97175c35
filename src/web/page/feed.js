// One event stream: hands on what comes, says when the connection is lost, and comes back by itself.
const TYPES = [
  'link', 'identity', 'placement', 'clock', 'press', 'game-start', 'move-made', 'move-revised', 'move-withdrawn', 'move-completed', 'result', 'receipt',
];
// A short break is not worth a word.
const PATIENCE_MS = 1200;
const RETRY_MS = 3000;

export class Feed {
  // onSnapshot(object), onEvent(event), onState('connecting' | 'live' | 'lost')
  constructor(path, handlers) {
    this.path = path;
    this.handlers = handlers;
    if (!handlers.quiet) this.handlers.onState('connecting');
    this.open();
    // A page that the browser keeps for the way back would hold one of the six connections that it has for a server.
    this.left = () => this.hush();
    this.back = (e) => e.persisted && this.open();
    addEventListener('pagehide', this.left);
    addEventListener('pageshow', this.back);
  }

  open() {
    this.source = new EventSource(this.path);
    this.source.onopen = () => this.live();
    this.source.onerror = () => this.broken();
    this.source.addEventListener('snapshot', (e) => this.handlers.onSnapshot(JSON.parse(e.data)));
    for (const type of TYPES) this.source.addEventListener(type, (e) => this.handlers.onEvent(JSON.parse(e.data)));
  }

  live() {
    clearTimeout(this.patience);
    this.patience = null;
    this.isLive = true;
    this.handlers.onState('live');
  }

  broken() {
    this.isLive = false;
    this.patience ??= setTimeout(() => this.handlers.onState('lost'), PATIENCE_MS);
    // The browser returns by itself after a broken connection, not after an answer it did not like.
    if (this.source.readyState === EventSource.CLOSED) {
      this.source.close();
      this.retry = setTimeout(() => this.open(), RETRY_MS);
    }
  }

  hush() {
    clearTimeout(this.patience);
    this.patience = null;
    clearTimeout(this.retry);
    this.source.close();
  }

  close() {
    this.hush();
    removeEventListener('pagehide', this.left);
    removeEventListener('pageshow', this.back);
  }
}
