// What the operator's page asks of the daemon, beside what the arbiter's page asks, too.
import { Failure, ask } from '/arbiter/api.js';

// An address that is fetched for us answers within the daemon's own patience.
const LIST_MS = 20000;

const path = (text) => encodeURIComponent(text);

export const desk = {
  boards: () => ask('GET', '/operator/boards'),
  outlets: () => ask('GET', '/operator/outlets'),
  alarms: () => ask('GET', '/operator/alarms'),
  messages: () => ask('GET', '/operator/messages'),
  event: () => ask('GET', '/operator/event'),
  addresses: () => ask('GET', '/operator/addresses'),
  // What spectators are shown, for how far that is behind.
  shown: () => ask('GET', '/boards'),
  held: () => ask('GET', '/operator/event/held'),
  takeHeld: () => ask('POST', '/operator/event/held'),
  reload: () => ask('POST', '/operator/event/reload'),
  round: (round) => ask('POST', '/operator/event/round', { round }),
  lichess: (round, command) => ask('POST', `/operator/lichess/${path(round)}/${command}`),
  link: () => ask('POST', '/arbiter/link'),
  qr: (text) => `/api/v1/operator/qr?text=${path(text)}`,

  // Takes a list, or says what it would change. It is a file's bytes, or an address that the daemon fetches.
  async pairings({ bytes, url }, { dry, round, overGames }) {
    const query = new URLSearchParams({ dry_run: dry, over_games: overGames });
    if (round) query.set('round', round);
    if (url) query.set('url', url);
    let answer;
    try {
      answer = await fetch(`/api/v1/operator/event/pairings?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: bytes ?? '',
        credentials: 'same-origin',
        cache: 'no-store',
        signal: AbortSignal.timeout(LIST_MS),
      });
    } catch {
      throw new Failure(0, 'unreachable');
    }
    const json = await answer.json().catch(() => null);
    if (!answer.ok) throw new Failure(answer.status, json?.error ?? answer.statusText, json?.hint);
    return json;
  },
};
