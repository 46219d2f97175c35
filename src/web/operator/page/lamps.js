// One lamp an outlet: whether what it sent is what the record says. A sign and a word say it, too, not the colour alone.
import { ago, clockText } from '/arbiter/i18n.js';
import { element } from '/arbiter/ui.js';
import { both, words } from './words.js';

const SIGNS = { good: '✓', late: '…', bad: '✕', idle: '–' };
// As the table of outlets calls them.
const LAMPS = { ok: 'good', behind: 'late', idle: 'idle', differs: 'bad', failing: 'bad' };

// good, late, bad or idle.
export function state(outlet) {
  if (LAMPS[outlet.lamp]) return LAMPS[outlet.lamp];
  if (outlet.trouble || outlet.differs?.length || outlet.equal === false) return 'bad';
  if (!outlet.sent_at) return 'idle';
  return outlet.up_to_date === false ? 'late' : 'good';
}

// An outlet's name for people.
export function called(outlet) {
  const kind = outlet.kind ?? outlet.outlet.split(' ')[0];
  return outlet.outlet.replace(/^\S+/, (first) => words().kinds[kind] ?? first);
}

// What the outlets say of one board's game, each as an outlet of its own.
export function ofBoard(outlets, board) {
  return outlets.flatMap((outlet) =>
    (outlet.games ?? [])
      .filter((game) => game.board === board)
      .map((game) => {
        const lamp = outlet.lamp === 'failing' ? 'failing' : game.equal ? 'ok' : outlet.lamp === 'differs' ? 'differs' : 'behind';
        return { outlet: outlet.outlet, kind: outlet.kind, lamp, sent_at: game.sent_at, delay_ms: outlet.delay_ms, trouble: outlet.trouble, differs: [game.differs] };
      }),
  );
}

// How it is, when it sent something last, how far it is behind; then what stands in the way.
export function about(outlet) {
  const o = words();
  const short = [o.lamps[state(outlet)]];
  if (outlet.sent_at) short.push(o.sent(ago(Date.now() - Date.parse(outlet.sent_at))));
  if (outlet.delay_ms) short.push(o.behind(clockText(outlet.delay_ms)));
  const long = [outlet.trouble, ...(outlet.differs ?? [])].filter(Boolean).map(both);
  for (const game of outlet.games ?? []) if (!game.equal && game.differs && outlet.lamp === 'differs') long.push(`${o.onBoard(game.board ?? game.pairing)}: ${both(game.differs)}`);
  return { short: short.join(', '), long: [...new Set(long)] };
}

// The lamp alone, for a row of a board.
export function lamp(outlet) {
  const kind = state(outlet);
  const { short, long } = about(outlet);
  const text = [called(outlet), short, ...long].join(', ');
  return element('span', { class: `lamp is-${kind}`, role: 'img', 'aria-label': text, title: text }, `${SIGNS[kind]} ${called(outlet)}`);
}

export const sign = (outlet) => element('span', { class: `lamp-sign is-${state(outlet)}`, 'aria-hidden': 'true' }, SIGNS[state(outlet)]);
