// The arbiter's HTTP interface. Everything that goes wrong becomes a Failure that says what to do.
export class Failure extends Error {
  constructor(status, error, hint, meanwhile, byLink = false) {
    super(error);
    this.status = status;
    this.hint = hint ?? '';
    // There are no accounts: a link lets arbiters in.
    this.byLink = byLink;
    // What happened since this person looked, oldest first.
    this.meanwhile = meanwhile ?? [];
  }
}

// An answer that takes longer is as good as none.
const PATIENCE_MS = 8000;
// Beside guesses a login may have to wait for its turn.
const LOGIN_MS = 15000;
const ROOT = '/api/v1';

export async function ask(method, path, body, patience = PATIENCE_MS, plain = false) {
  let answer;
  try {
    answer = await fetch(ROOT + path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    throw new Failure(0, 'unreachable');
  }
  const text = await answer.text();
  let json = null;
  try {
    json = text ? JSON.parse(text) : null;
  } catch {
    // Not every answer is JSON; the status says enough.
  }
  if (!answer.ok) throw new Failure(answer.status, json?.error ?? answer.statusText, json?.hint, json?.meanwhile, answer.headers.get('www-authenticate') === 'Link');
  return plain ? text : json;
}

const board = (name) => `/arbiter/boards/${encodeURIComponent(name)}`;
const filmed = (name) => `/boards/${encodeURIComponent(name)}/evidence`;

export const api = {
  me: () => ask('GET', '/me'),
  login: (name, password) => ask('POST', '/login', { name, password }, LOGIN_MS),
  loginByLink: (key) => ask('POST', '/login/link', { key }),
  logout: () => ask('POST', '/logout'),
  boards: () => ask('GET', '/arbiter/boards'),
  board: (name) => ask('GET', board(name)),
  preview: (name, entry) => ask('POST', `${board(name)}/preview`, entry),
  enter: (name, entry) => ask('POST', `${board(name)}/entries`, entry),
  going: (name, id, going, who) => ask('POST', `${board(name)}/findings/${id}/going`, { going, who }),
  ringing: () => ask('GET', '/arbiter/ringing'),
  testRinging: () => ask('POST', '/arbiter/ringing/test', {}),
  subscribe: (subscription) => ask('POST', '/arbiter/ringing/push', subscription),
  unsubscribe: (endpoint) => ask('POST', '/arbiter/ringing/push/remove', { endpoint }),
  withdraw: (name, key) => ask('POST', `${board(name)}/orders/${encodeURIComponent(key)}/withdraw`),
  finding: (name, id) => ask('GET', `${board(name)}/findings/${id}`),
  event: () => ask('GET', '/operator/event'),
  addresses: () => ask('GET', '/operator/addresses'),
  code: (text) => `${ROOT}/operator/qr?text=${encodeURIComponent(text)}`,
  findingFilm: (name, id) => ask('GET', `${filmed(name)}/${id}`),
  report: (name, id, lang) => `${ROOT}${filmed(name)}/${id}/report?lang=${lang}`,
  explanation: (name, ply, game, lang) => ask('GET', `/boards/${encodeURIComponent(name)}/explanation?ply=${ply}${game ? `&game=${game}` : ''}&lang=${lang}`, undefined, LOGIN_MS, true),
  plyFilm: (name, ply, game) => ask('GET', `${filmed(name)}?ply=${ply}${game ? `&game=${game}` : ''}`),
  evidence: (name, from, to) => ask('GET', `${board(name)}/evidence?from=${from}&to=${to}`),
};
