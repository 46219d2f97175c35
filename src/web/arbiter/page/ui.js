// Small parts that every view is made of.
import { element } from '/page/parts.js';
import { hour, w } from './i18n.js';

export { element, setText } from '/page/parts.js';

// Rebuilds the children only when what they show has changed, so that focus and half-typed text survive.
export function fill(node, key, make) {
  const text = JSON.stringify(key);
  if (node.shownKey === text) return;
  node.shownKey = text;
  node.replaceChildren(...make());
}

export const button = (text, act, more = {}) => element('button', { type: 'button', onclick: act, ...more }, text);

// A choice of a few: real radio buttons, so that keyboard and screen reader know them.
export function choice(name, options, chosen, act, className = 'chips') {
  return element(
    'div',
    { class: className, role: 'radiogroup', 'aria-label': name },
    ...options.map(([value, ...label]) => {
      const input = element('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => act(value) });
      return element('label', { class: 'chip' }, input, element('span', {}, ...label));
    }),
  );
}

// One window over the page; Escape and the back button of a phone close it.
export function sheet(title, build) {
  const body = element('div', { class: 'sheet-body' });
  const dialog = element('dialog', { class: 'over', 'aria-label': title }, element('div', { class: 'sheet-head' }, element('h2', {}, title), button('✕', () => dialog.close(), { class: 'icon-button', 'aria-label': w.close })), body);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (e) => e.target === dialog && dialog.close());
  document.body.append(dialog);
  const show = (...nodes) => body.replaceChildren(...nodes);
  build({ show, close: () => dialog.close(), dialog });
  dialog.showModal();
  return dialog;
}

// A line that says what became of something, and goes by itself.
export function toast(text, kind = 'good') {
  const node = element('p', { class: `toast ${kind}`, role: kind === 'bad' ? 'alert' : 'status' }, `${kind === 'bad' ? '✕' : '✓'} ${text}`);
  document.querySelector('.toast')?.remove();
  // Above an open window, or nobody would see it.
  (document.querySelector('dialog[open]') ?? document.body).append(node);
  setTimeout(() => node.remove(), kind === 'bad' ? 9000 : 3500);
}

// What another one did since this person looked, before what the board itself changed.
function meanwhile(all) {
  const last = all.findLast((it) => it.who) ?? all.at(-1);
  const what = w.happened[last.what] ?? w.decisions[last.what] ?? w.orders[last.what] ?? last.what;
  return w.meanwhile(last.result ? `${what} ${last.result}` : what, last.who, hour(last.at));
}

// What an entry that failed says.
export function sorry(failure) {
  if (failure.status === 0) return w.unreachable;
  if (failure.status === 401) return w.signIn;
  if (failure.status === 403) return w.needArbiter;
  if (failure.status === 429) return w.slowDown;
  if (failure.status === 409 && failure.meanwhile.length) return meanwhile(failure.meanwhile);
  return w.failed(failure.message, failure.hint);
}
