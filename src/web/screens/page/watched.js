// A stream for screens that nobody watches over: it comes back by itself after any break of the network or the daemon, also after one that the browser does
// not notice, and the page is loaded anew when the daemon has become another version.
import { Feed } from '/page/feed.js';

const BEAT_MS = 5000;
const ANSWER_MS = 4000;

export class Watched {
  // Handlers as those of Feed.
  constructor(path, handlers) {
    this.path = path;
    this.handlers = handlers;
    this.state = '';
    this.version = null;
    this.open();
    this.beat = setInterval(() => this.check(), BEAT_MS);
    addEventListener('online', () => this.check());
    addEventListener('offline', () => this.say('lost'));
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.check());
  }

  open() {
    this.feed?.close();
    this.feed = new Feed(this.path, { ...this.handlers, onState: (state) => this.say(state) });
  }

  say(state) {
    if (state === this.state) return;
    this.state = state;
    this.handlers.onState(state);
  }

  async check() {
    if (this.asking) return;
    this.asking = true;
    try {
      const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
      const { version } = await answer.json();
      this.version ??= version;
      if (version !== this.version) location.reload();
      else if (this.state === 'lost') this.open();
    } catch {
      this.say('lost');
    } finally {
      this.asking = false;
    }
  }
}
