// The archive: rounds, results and standings, and each game to be played through, from files beside this page. Any web server serves it.
import { event, knowEvent, knowRound, round } from './event.js';
import { element } from './parts.js';
import { loadPieces } from './pieces.js';
import { Played } from './played.js';
import { RoundView } from './round-view.js';
import { sources } from './sources.js';
import { lang, words } from './words.js';

Object.assign(sources, {
  pieces: './page/pieces.svg',
  openings: './page/openings.txt',
  event: './event.json',
  round: (number) => `./round-${number}.json`,
  roundPgn: (number) => `./round-${number}.pgn`,
  game: (number, pairing) => (pairing.played && !pairing.live ? address(number, pairing.number) : null),
  archive: () => null,
});

const main = document.querySelector('main');
const tabs = document.getElementById('boards');
const about = document.getElementById('event');
let view = null;

document.documentElement.lang = lang;
document.title = words.archive;
tabs.setAttribute('aria-label', words.games);

function address(number, game) {
  return game ? `#/round/${number}/${game}` : `#/round/${number}`;
}

// The round that the address names, and the game in it; without one, the last round of which something is known.
function wanted() {
  const match = /^#\/round\/(\d+)(?:\/(\d+))?$/.exec(location.hash);
  if (match) return { number: Number(match[1]), game: match[2] ? Number(match[2]) : null };
  const known = event.rounds.findLast((one) => one.results > 0) ?? event.rounds.find((one) => one.pairings > 0);
  return { number: known?.round ?? 1, game: null };
}

async function go() {
  const { number, game } = wanted();
  const hash = location.hash;
  if (game === null) {
    view = new RoundView(number);
    view.draw();
  } else {
    const path = `./games/${number}-${game}`;
    await knowRound(number);
    const found = await read(`${path}.json`);
    // Somebody may have gone on meanwhile.
    if (location.hash !== hash) return;
    view = found ? new Played(found, path) : { node: element('p', { class: 'empty' }, words.noGame) };
  }
  main.replaceChildren(view.node);
  drawTabs(number, game);
  document.title = [view.heading ?? words.round(number), event.name ?? words.archive].join(' – ');
  view.title?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

async function read(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

// The round, and its games that can be played through.
function drawTabs(number, game) {
  const tab = (href, text, title, current) => element('a', { href, title, 'aria-label': title, 'aria-current': current ? 'page' : null }, text);
  const games = game === null ? [] : (round(number)?.pairings ?? []).filter((one) => one.played && !one.live);
  tabs.replaceChildren(
    tab(address(number), words.round(number), null, game === null),
    ...games.map((one) => tab(address(number, one.number), one.label, `${one.label}: ${one.white.name} – ${one.black.name}`, one.number === game)),
  );
  tabs.hidden = game === null;
  tabs.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

document.addEventListener('keydown', (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || !(view instanceof Played)) return;
  if (e.key === 'Escape') location.hash = address(wanted().number);
  else if (!view.key(e.key)) return;
  e.preventDefault();
});
addEventListener('hashchange', go);

if (await knowEvent()) {
  const place = [event.city, event.country].filter(Boolean).join(', ');
  about.hidden = !event.name;
  about.replaceChildren(element('b', {}, event.name ?? ''), place ? ` ${place}` : '');
  await loadPieces();
  await go();
} else {
  main.replaceChildren(element('p', { class: 'empty' }, words.noArchive));
}
