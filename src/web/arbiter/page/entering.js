// How the arbiters' and the operators' page hand entries over: once, with what the page has seen of the board, and with what is said where it fails.
import { Acts } from './acts.js';
import { api } from './api.js';
import { w } from './i18n.js';
import { sorry, toast } from './ui.js';

export class Entering {
  acts = new Acts();
  // By board, the event up to which its own last entry went.
  taken = new Map();

  // `signed` gives an entry a name where the daemon does not know whose it is.
  constructor(app, signed = (entry) => entry) {
    this.app = app;
    this.signed = signed;
  }

  // The daemon's answer, once the entry is journaled or waits for a machine that is away. `follows`: it belongs to one that this page has just
  // handed over, and is not held up by that.
  async hand(board, entry, follows) {
    const signed = this.signed(entry);
    // What this page shows of the board; nobody rules on what another one has changed meanwhile.
    const seen = follows ? undefined : Math.max(this.app.board(board)?.seq ?? 0, this.taken.get(board) ?? 0);
    // A hall knows a repeat by its key; at the board's own machine the page itself sees to it.
    const whole = (key, seen) => ({ ...signed, seen, ...(this.app.board(board)?.pi ? { order_key: key } : {}) });
    const answer = await this.acts.once(board, signed, seen, (key, seen) => api.enter(board, whole(key, seen)));
    if (answer?.seq) this.taken.set(board, answer.seq);
    if (answer?.state !== 'waiting') this.app.undo.entered(board, entry, answer?.seq);
    return answer;
  }

  // What an entry would do; null where nobody can say, which the page says.
  async preview(board, entry) {
    try {
      return await api.preview(board, this.signed(entry));
    } catch (failure) {
      this.failed(failure);
      return null;
    }
  }

  // Says why; whoever is not signed in any more is at the door.
  failed(failure) {
    toast(sorry(failure), 'bad');
    if (failure.status === 401) this.app.door(w.sessionOver);
  }
}
