// Which boards are mine: "1-8, 12". Kept in the browser; nothing written means all.
const KEY = 'flagfall-arbiter-boards';

// The text as parts: [from, to] of numbers, or a board's name.
function parts(text) {
  return text
    .split(/[,;]+/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const range = /^(\d+)\s*[-–—]\s*(\d+)$/.exec(part);
      return range ? [Number(range[1]), Number(range[2])] : part;
    });
}

export class Sector {
  constructor() {
    this.set('');
    try {
      this.set(localStorage.getItem(KEY) ?? '');
    } catch {
      // What cannot be read is nothing.
    }
  }

  set(text) {
    this.text = text.trim();
    this.parts = parts(this.text);
  }

  choose(text) {
    this.set(text);
    try {
      localStorage.setItem(KEY, this.text);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  get all() {
    return this.parts.length === 0;
  }

  has(board) {
    const number = /^\d+$/.test(board) ? Number(board) : NaN;
    return this.all || this.parts.some((part) => (Array.isArray(part) ? number >= part[0] && number <= part[1] : part === board || Number(part) === number));
  }
}
