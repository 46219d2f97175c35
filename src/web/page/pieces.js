// Our own pieces: loads the drawing once and makes one symbol of it for each piece of each colour.
import { sources } from './sources.js';

const SVG = 'http://www.w3.org/2000/svg';

export async function loadPieces() {
  // A page may bring the drawing along.
  const sheet = document.getElementById('pieces') ?? (await fetched());
  sheet.setAttribute('class', 'sheet');
  sheet.setAttribute('aria-hidden', 'true');
  for (const kind of 'kqrbnp') {
    for (const colour of ['w', 'b']) {
      const symbol = document.createElementNS(SVG, 'symbol');
      symbol.id = `piece-${colour}${kind}`;
      symbol.setAttribute('viewBox', '-3 -2.5 70 70');
      for (const [part, layer] of [['shape', 'outline'], ['shape', 'body'], ['lines', 'lines']]) {
        const use = document.createElementNS(SVG, 'use');
        use.setAttribute('href', `#${part}-${kind}`);
        use.setAttribute('class', `${colour}-${layer}`);
        symbol.append(use);
      }
      sheet.append(symbol);
    }
  }
  document.body.prepend(sheet);
}

async function fetched() {
  const answer = await fetch(sources.pieces);
  return document.importNode(new DOMParser().parseFromString(await answer.text(), 'image/svg+xml').documentElement, true);
}
