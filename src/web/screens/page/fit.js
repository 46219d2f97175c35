// How boards fill a screen: how many columns, how large each board is, and whether its clocks stand beside it.

// A tile is so many board sides high where the clocks stand above and below, and so many wide where they stand beside.
const HIGH = 1.44;
const WIDE = 1.66;
const BETTER = 1.05;

export function fit(count, width, height, gap) {
  let best = null;
  for (let columns = 1; columns <= Math.max(1, count); columns += 1) {
    const rows = Math.ceil(count / columns);
    const w = (width - gap * (columns - 1)) / columns;
    const h = (height - gap * (rows - 1)) / rows;
    for (const [beside, side] of [[false, Math.min(w, h / HIGH)], [true, Math.min(h, w / WIDE)]]) {
      // Another column must be worth it: fewer are easier to read, and leave fewer gaps.
      if (!best || side > best.side * BETTER) best = { columns, rows, side: Math.floor(side), beside };
    }
  }
  return best;
}

// The same for a list of results: columns, lines in each, and the size of the letters. `line` letters stand beside each other.
export function fitLines(count, width, height, line = 30) {
  let best = null;
  for (let columns = 1; columns <= 4; columns += 1) {
    const rows = Math.ceil(count / columns);
    const letters = Math.min(height / rows / 1.9, width / columns / line, height / 11);
    if (!best || letters > best.letters) best = { columns, rows, letters: Math.floor(letters) };
  }
  return best;
}
