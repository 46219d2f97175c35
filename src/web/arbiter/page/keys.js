// The keyboard. In Russian layout the same keys give Russian letters; both are understood.
// Off until somebody wants them: a key that is hit by chance must not rule.
const STORED = 'flagfall-arbiter-keys';

export const shortcuts = {
  get on() {
    try {
      return localStorage.getItem(STORED) === 'on';
    } catch {
      return false;
    }
  },
  set(on) {
    try {
      localStorage.setItem(STORED, on ? 'on' : 'off');
    } catch {
      // Without storage they stay off.
    }
  },
};

const RUSSIAN = { о: 'j', л: 'k', г: 'u', с: 'c', в: 'd', е: 't', т: 'n', и: 'b', к: 'r', д: 'l', ',': '?' };

export function keys(app, e) {
  if (e.altKey || e.ctrlKey || e.metaKey || !app.me || document.querySelector('dialog[open]')) return;
  const typing = e.target.closest?.('input:not([type=radio]):not([type=checkbox]), textarea, select');
  if (typing && e.key !== 'Escape') return;
  // Escape, arrows and space do what they do on every page; they rule nothing.
  if (!shortcuts.on && e.key.length === 1 && e.key !== ' ') return;
  const key = RUSSIAN[e.key.toLowerCase()] ?? e.key;
  const acts = {
    j: () => app.view.step?.(1),
    k: () => app.view.step?.(-1),
    u: () => app.mostUrgent(),
    l: () => document.querySelector('.lang')?.click(),
    '?': () => app.settings(),
    Escape: () => (typing ? typing.blur() : app.view.key?.('Escape') || app.go()),
  };
  const done = app.view.key?.(key) || (acts[key] && (acts[key](), true));
  if (done) e.preventDefault();
}
