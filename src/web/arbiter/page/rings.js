// Rings: a finding is told when it is found, and a ruling again every twenty seconds until somebody goes there.
import { goingTo } from './going.js';
import { said, title, w } from './i18n.js';
import { setText } from './ui.js';

const AGAIN_MS = 20_000;
// Boards that are not mine ring here when nobody has gone for so long.
const OTHERS_MS = 60_000;

// What an arbiter entered himself he knows of.
const entered = (finding) => Boolean(finding.facts?.reported || finding.facts?.entered || finding.facts?.seen === 'arbiter');

export const rings = (finding) => finding.status === 'open' && finding.grade !== 'note' && !entered(finding);

// "Ivanova" of "Ivanova, Olga".
export function whose(board, finding) {
  const name = (finding.by && board.game[finding.by]) || '';
  // "Board 7 White" says that nobody knows.
  return /^Board .* (White|Black)$/.test(name) ? '' : name.split(',')[0].trim();
}

export function headline(board, finding) {
  const name = whose(board, finding);
  return `${w.board(board.name)}${name ? `, ${name}` : ''}: ${title(finding.key)}`;
}

export class Rings {
  constructor(app) {
    this.app = app;
    this.rung = new Map();
  }

  // Everything that waits and that nobody goes to, the longest first.
  waiting() {
    const open = [...this.app.boards.values()].flatMap((board) => board.open().map((finding) => ({ board, finding })));
    return open.filter(({ board, finding }) => rings(finding) && !goingTo(board, finding));
  }

  // How long it has waited, by the daemon's clock.
  age(board, finding, now) {
    return finding.at ? now + board.skew() - Date.parse(finding.at) : 0;
  }

  // Whether it is for this arbiter: of his boards, or nobody has gone for long.
  mine(board, finding, now = performance.now()) {
    return this.app.sector.has(board.name) || (finding.grade === 'ruling' && this.age(board, finding, now) >= OTHERS_MS);
  }

  // What waits for this arbiter.
  calls() {
    return this.waiting().filter(({ board, finding }) => finding.grade === 'ruling' && this.mine(board, finding));
  }

  // `quiet`: what is to be looked at is taken for told; a page that has just been opened asks for rulings only.
  look(quiet = false) {
    const now = performance.now();
    const waiting = this.waiting();
    const keys = new Set(waiting.map(({ board, finding }) => `${board.name} ${finding.id}`));
    for (const key of this.rung.keys()) if (!keys.has(key)) this.rung.delete(key);
    for (const { board, finding } of waiting) {
      const key = `${board.name} ${finding.id}`;
      const last = this.rung.get(key);
      const grave = finding.grade === 'ruling';
      if (last !== undefined && !(grave && now - last >= AGAIN_MS)) continue;
      if (!this.mine(board, finding, now)) continue;
      this.rung.set(key, now);
      if (quiet && !grave) continue;
      this.app.alerts.alert(grave);
      const text = last === undefined ? said(finding.summary) : w.nobodyGoes;
      setText(document.getElementById('spoken'), `${headline(board, finding)}. ${text}`);
    }
  }
}
