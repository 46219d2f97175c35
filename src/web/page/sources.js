// Where the page finds what it shows: at a daemon, unless a page says otherwise before it asks for anything.
export const sources = {
  pieces: '/page/pieces.svg',
  openings: '/page/openings.txt',
  event: '/api/v1/event',
  round: (number) => `/api/v1/event/rounds/${number}`,
  roundPgn: (number) => `/pgn/round-${number}/games.pgn`,
  // A game of a round: on its board, or played through in the archive; null where nothing was seen of it.
  game: (number, pairing, current) => {
    if (pairing.board && (pairing.live || number === current)) return `#${encodeURIComponent(pairing.board)}`;
    return pairing.played ? `${sources.archive()}#/round/${number}/${pairing.number}` : null;
  },
  // All rounds as a page of their own; null where that is this one.
  archive: () => `/archive/${location.search}`,
};
