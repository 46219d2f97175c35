// The sum of both clocks against what it should be, reading by reading: a plot of the residual in seconds, and the last rows as a table.
import { svg } from '/page/parts.js';
import { element } from './ui.js';
import { clockText, hour, w } from './i18n.js';

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [640, 220, 44, 26, 12];

export function plot(rows) {
  const points = rows.filter((row) => row.residual_ms !== null && row.residual_ms !== undefined).map((row) => [row.t, row.residual_ms / 1000, row]);
  if (!points.length) return [element('p', { class: 'about' }, w.sheetNone)];
  const first = points[0][0];
  const last = Math.max(points.at(-1)[0], first + 60000);
  const minute = (t) => `${Math.round((t - first) / 60000)} ${w.unitM}`;
  // Never finer than five seconds up and down: rounding must not look like a fault.
  const high = Math.max(5, ...points.map(([, s]) => s));
  const low = Math.min(-5, ...points.map(([, s]) => s));
  const x = (t) => LEFT + ((t - first) / (last - first)) * (WIDTH - LEFT - 10);
  const y = (s) => TOP + ((high - s) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const label = (text, at, more) => svg('text', { x: LEFT - 6, y: at + 4, 'text-anchor': 'end', ...more }, text);
  const line = points.map(([t, s], i) => `${i ? 'L' : 'M'}${x(t).toFixed(1)} ${y(s).toFixed(1)}`).join('');
  const ticks = [...new Set([high, 0, low].map(Math.round))];
  const worst = points.reduce((a, b) => (Math.abs(b[1]) > Math.abs(a[1]) ? b : a));
  return [
    svg(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'plot', role: 'img', 'aria-label': `${w.sheet}: ${worst[1].toFixed(0)} ${w.unitS}` },
      ...ticks.map((s) => svg('path', { d: `M${LEFT} ${y(s)}H${WIDTH - 10}`, class: s === 0 ? 'zero' : 'grid' })),
      ...ticks.map((s) => label(`${s > 0 ? '+' : s < 0 ? '−' : ''}${Math.abs(s)}`, y(s))),
      svg('text', { x: LEFT, y: HEIGHT - 6 }, minute(first)),
      svg('text', { x: WIDTH - 10, y: HEIGHT - 6, 'text-anchor': 'end' }, minute(last)),
      svg('text', { x: WIDTH / 2, y: HEIGHT - 6, 'text-anchor': 'middle' }, w.residual),
      svg('path', { d: line, class: 'residual' }),
      ...points.map(([t, s, row]) => svg('circle', { cx: x(t), cy: y(s), r: row.occasion === 'set' ? 5 : 3.2, class: `residual-dot ${row.occasion}` })),
    ),
    element('p', { class: 'about' }, w.sheetHint),
    table(points.slice(-6).map(([, , row]) => row)),
  ];
}

// What the arbiter's own decisions rest on (6.2.6, 6.11.4): how late presses come, how often the clocks were stopped.
export function figures(counted) {
  if (!counted) return [];
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} ${w.unitS}`;
  const side = (by) => {
    const { count, without, median_ms, longest_ms } = counted[by];
    return element('li', {}, `${w.by[by]}: ${count ? w.pressesCome(count, seconds(median_ms), seconds(longest_ms)) : w.pressesNone}${without ? `; ${w.pressesWithout(without)}` : ''}`);
  };
  const stop = ({ at, ran, for_ms }) => element('li', {}, `${hour(at)} · ${w.stopRan(w.by[ran])}${for_ms === null ? '' : ` · ${seconds(for_ms)}`}`);
  return [
    element('h3', {}, w.pressesHead),
    element('ul', { class: 'lines small' }, side('white'), side('black')),
    element('h3', {}, w.stopsHead(counted.stops.length)),
    element('ul', { class: 'lines small' }, ...counted.stops.slice(-12).toReversed().map(stop)),
  ];
}

function table(rows) {
  const cell = (text) => element('td', { class: 'digits' }, text);
  return element(
    'table',
    { class: 'sheet-table' },
    element('thead', {}, element('tr', {}, ...[w.time, w.by.white, w.by.black, w.residual].map((text) => element('th', { scope: 'col' }, text)))),
    element(
      'tbody',
      {},
      ...rows.toReversed().map((row) =>
        element('tr', {}, element('td', {}, element('span', { class: 'digits whole' }, hour(row.at)), ` ${w.occasions[row.occasion] ?? ''}`), cell(clockText(row.white_ms)), cell(clockText(row.black_ms)), cell((row.residual_ms / 1000).toFixed(0).replace('-', '−'))),
      ),
    ),
  );
}
