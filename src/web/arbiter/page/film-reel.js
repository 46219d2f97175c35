// A film as the daemon cuts it: what stood where and what both clocks showed at any of its milliseconds. Knows nothing of the page.
import { EMPTY, fromFen, square } from '/page/position.js';

export class Reel {
  constructor(film) {
    Object.assign(this, { from: film.from_ms, to: film.to_ms, at: film.at, ply: film.ply ?? null, name: film.name ?? '', game: film.game ?? null });
    this.first = { t: film.from_ms, position: fromFen(film.placement) ?? EMPTY, clock: film.clock ?? null, steps: [], changed: [], lifted: [] };
    // What happened in the same millisecond is seen together.
    this.frames = [];
    for (const step of film.steps) this.add(step);
    this.presses = this.frames.filter((frame) => frame.steps.some((step) => step.press)).map((frame) => frame.t);
  }

  add(step) {
    let frame = this.frames.at(-1);
    if (!frame || frame.t !== step.t_ms) {
      const before = frame ?? this.first;
      frame = { t: step.t_ms, position: before.position.slice(), clock: before.clock, steps: [], changed: [], lifted: [] };
      this.frames.push(frame);
    }
    frame.steps.push(step);
    frame.clock = step.clock ?? null;
    const at = step.square ? square(step.square) : -1;
    if (at < 0) return;
    frame.position[at] = step.now ?? '';
    frame.changed.push(at);
    if (!step.now) frame.lifted.push([at, step.was]);
  }

  // The number of the last frame at `t`; -1 before the first.
  index(t) {
    return this.frames.findLastIndex((frame) => frame.t <= t);
  }

  frame(t) {
    return this.frames[this.index(t)] ?? this.first;
  }

  // Where the next or the last thing happened, seen from `t`; the film's ends where nothing more did.
  step(t, by) {
    if (by > 0) return this.frames.find((frame) => frame.t > t)?.t ?? this.to;
    return this.frames.findLast((frame) => frame.t < t)?.t ?? this.from;
  }

  // What a display shows at `t`, milliseconds; null where there is none.
  shown(side, t) {
    const frame = this.frame(t);
    const read = frame.clock?.[`${side}_ms`] ?? null;
    return read === null ? null : Math.max(0, read - (frame.clock.running === side ? t - frame.t : 0));
  }

  running(t) {
    return this.frame(t).clock?.running ?? null;
  }
}
