// The installed page's worker: rings while the screen is dark, and says so where there is no connection. It keeps nothing: a board that is old is worse
// than none.
const ru = navigator.language.toLowerCase().startsWith('ru');
const words = ru
  ? { going: 'Иду', again: 'Никто ещё не идёт.', lost: 'Нет связи с программой', why: 'Досок не видно. Решайте за доской, как всегда, и внесите позже.', retry: 'Попробовать снова' }
  : { going: "I'm going", again: 'Nobody is going yet.', lost: 'No connection to flagfall', why: 'The boards are not seen. Rule at the board as always, and enter it later.', retry: 'Try again' };

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (e) => e.waitUntil(self.clients.claim()));

function lost() {
  const page = `<!doctype html><html lang="${ru ? 'ru' : 'en'}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${words.lost}</title><body style="font-family:sans-serif;max-width:30em;margin:15vh auto;padding:0 1em"><h1>${words.lost}</h1><p>${words.why}</p><p><a href="/arbiter">${words.retry}</a></p>`;
  return new Response(page, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

self.addEventListener('fetch', (e) => {
  if (e.request.mode === 'navigate') e.respondWith(fetch(e.request).catch(lost));
});

self.addEventListener('push', (e) => {
  let call = {};
  try {
    call = e.data.json();
  } catch {
    // A push without words still is one.
  }
  const finding = /#\/board\/.+\/finding\/\d+$/.test(call.place ?? '');
  const options = {
    body: call.again ? words.again : '',
    tag: call.tag,
    renotify: Boolean(call.tag),
    requireInteraction: true,
    vibrate: [300, 120, 300],
    icon: '/arbiter/icon-192.png',
    data: { place: call.place ?? '/arbiter' },
    actions: finding ? [{ action: 'going', title: words.going }] : [],
  };
  e.waitUntil(self.registration.showNotification(call.title ?? 'flagfall', options));
});

// The daemon's answer decides; where it does not come, the card opens and says so.
async function going(place) {
  const [, board, id] = /#\/board\/(.+)\/finding\/(\d+)$/.exec(place);
  const answer = await fetch(`/api/v1/arbiter/boards/${board}/findings/${id}/going`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"going":true}',
    credentials: 'same-origin',
  });
  return answer.ok || answer.status === 409;
}

async function open(place) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((one) => new URL(one.url).pathname === '/arbiter');
  if (!page) return self.clients.openWindow(place);
  await page.focus();
  return page.navigate(place).catch(() => {});
}

self.addEventListener('notificationclick', (e) => {
  e.notification.close();
  const { place } = e.notification.data;
  e.waitUntil(e.action === 'going' ? going(place).catch(() => false).then((done) => done || open(place)) : open(place));
});
