// How many findings are open: in the title, on the tab's picture, and on the installed page's.
import { w } from './i18n.js';

let shown = null;

export function badge(count, lost) {
  const state = `${count} ${lost} ${w.appName}`;
  if (state === shown) return;
  shown = state;
  const mark = lost ? '⚠ ' : count ? `(${count}) ` : '';
  document.title = `${mark}${w.appName} – flagfall`;
  const picture = lost ? 'x' : count > 9 ? '9p' : String(count);
  document.querySelector('link[rel=icon]').href = picture === '0' ? '/page/icon.svg' : `/arbiter/badge-${picture}.svg`;
  if (count) navigator.setAppBadge?.(count).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}
