// What an address asks for: `boards=1-8,12`, `per=6`, `rotate=20`.
export const asked = new URLSearchParams(location.search);

const MOST = 2000;

// The names that a list like `1-8,12,A` stands for, in its order; null where none is given.
export function names(text) {
  if (!text?.trim()) return null;
  const all = [];
  for (const part of text.split(',').map((part) => part.trim()).filter(Boolean)) {
    const range = /^(\d{1,5})\s*[-–]\s*(\d{1,5})$/.exec(part);
    if (!range) all.push(part);
    else for (let n = Number(range[1]); n <= Number(range[2]) && all.length < MOST; n += 1) all.push(String(n));
  }
  return all.length ? [...new Set(all)] : null;
}

// A whole number between two others; `otherwise` where none is given.
export function number(text, least, most, otherwise) {
  const n = Number.parseInt(text ?? '', 10);
  return Number.isFinite(n) ? Math.min(most, Math.max(least, n)) : otherwise;
}

// As the daemon lists boards: numbers first, 2 before 10.
export function order(a, b) {
  const value = (name) => (/^\d+$/.test(name) ? Number(name) : Infinity);
  return value(a) - value(b) || (a < b ? -1 : a > b ? 1 : 0);
}

// As many pages as are needed, each of them full: the last one begins earlier where it would not be.
export function pages(all, most) {
  const count = Math.ceil(all.length / most);
  const last = Math.max(0, all.length - most);
  return Array.from({ length: count }, (_, i) => all.slice(Math.min(i * most, last), Math.min(i * most, last) + most));
}
