// Codes for other people's phones: the spectators' page, and this one for another arbiter.
import { api } from './api.js';
import { w } from './i18n.js';
import { element } from './ui.js';

export function codes() {
  const node = element('div', { class: 'topics codes' });
  api.addresses().then(({ root, only_here: onlyHere }) => {
    const one = (name, address) => element('figure', {}, element('img', { src: api.code(address), alt: w.codeOf(name), width: 200, height: 200 }), element('figcaption', {}, element('b', {}, name), ' ', element('a', { href: address }, address)));
    node.replaceChildren(
      ...(onlyHere ? [element('p', { class: 'problem' }, w.onlyHere)] : []),
      one(w.forSpectators, `${root}/`),
      one(w.forArbiters, `${root}/arbiter`),
    );
  }, () => {});
  return node;
}
