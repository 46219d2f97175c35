// One tap, one act: what is tapped twice is one entry, and what was not answered is sent again under its first key, so that a hall carries it out once.

// A second tap so soon after the answer is the same one.
const TWICE_MS = 1000;
// Whoever gets no answer tries again within this; later it is meant anew.
const AGAIN_MS = 120000;

const now = () => performance.now();

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export class Acts {
  known = new Map();

  // Sends what a person did at a board by `send(key, seen)`, once; a repeat gets the same answer, and knows no more than the first. A Failure without a
  // status is no answer.
  once(board, entry, seen, send) {
    for (const [text, act] of this.known) if (!act.sending && now() > act.until) this.known.delete(text);
    const text = JSON.stringify([board, entry]);
    const act = this.known.get(text) ?? { board, key: newKey(), seen };
    if (act.sending || act.answer) return act.sending ?? act.answer;
    this.known.set(text, act);
    const settled = (answer, until) => Object.assign(act, { sending: null, answer, until: now() + until });
    act.sending = send(act.key, act.seen).then(
      (answer) => {
        // What was taken back and is entered again is meant, however soon.
        if (entry.do === 'undo') for (const [text, known] of this.known) if (known.board === board) this.known.delete(text);
        settled(Promise.resolve(answer), TWICE_MS);
        return answer;
      },
      (failure) => {
        const unanswered = failure.status === 0 || failure.status >= 500;
        if (unanswered) settled(null, AGAIN_MS);
        else this.known.delete(text);
        throw failure;
      },
    );
    return act.sending;
  }
}
