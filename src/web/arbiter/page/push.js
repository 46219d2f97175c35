// Rings while the screen is dark: the installed page's worker, and the subscription at the browser's push service. Encrypted pages only.
import { api } from './api.js';
import { lang } from './i18n.js';

const WORKER = '/arbiter/sw.js';

export const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

// The page can be installed, and says that there is no connection itself, where the browser would show an error of its own.
export async function install() {
  try {
    if ('serviceWorker' in navigator) await navigator.serviceWorker.register(WORKER, { scope: '/arbiter' });
  } catch {
    // Without a worker the page rings while it is open.
  }
}

const registration = async () => (canPush() ? navigator.serviceWorker.getRegistration('/arbiter') : undefined);

export async function subscription() {
  return (await (await registration())?.pushManager.getSubscription()) ?? null;
}

const bytes = (base64url) => Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));

// Says whose boards ring there, and in which language; harmless where nothing is subscribed.
export async function tellPush(sector) {
  const known = await subscription();
  if (known) await api.subscribe({ ...known.toJSON(), boards: sector.text, lang });
}

// False where the browser or its owner does not want it.
export async function pushOn(sector) {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const { push_key: key } = await api.ringing();
  const place = await navigator.serviceWorker.ready;
  if (!key) return false;
  const old = await place.pushManager.getSubscription();
  // One that was made for another daemon's key is no use.
  const made = old?.options.applicationServerKey ? new Uint8Array(old.options.applicationServerKey).join() : '';
  if (old && made !== bytes(key).join()) await old.unsubscribe();
  await place.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  await tellPush(sector);
  return true;
}

export async function pushOff() {
  const known = await subscription();
  if (!known) return;
  await api.unsubscribe(known.endpoint).catch(() => {});
  await known.unsubscribe();
}
