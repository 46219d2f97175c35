// Where the pages are, as addresses and as QR codes; the snippet for the organiser's site.
import { order } from '/arbiter/list.js';
import { button, element, fill, setText, sorry, toast } from '/arbiter/ui.js';
import { lang, w } from '/arbiter/i18n.js';
import { desk } from './desk.js';
import { words } from './words.js';

export class Share {
  constructor(app) {
    this.app = app;
    this.node = element('div', { class: 'share' });
    this.what = 'round';
  }

  draw() {
    const { addresses, boards, me } = this.app;
    if (!addresses) return;
    const names = [...boards.keys()].sort(order);
    fill(this.node, [addresses, names, lang, me?.name, me?.role], () => this.parts(addresses, names));
  }

  parts({ root, only_here: onlyHere }, names) {
    const o = words();
    const place = (title, path, hint = '') => element('section', { class: 'place' }, this.code(root + path, title), element('div', {}, element('h3', {}, title), line(root + path), ...(hint ? [element('p', { class: 'about' }, hint)] : [])));
    return [
      ...(onlyHere ? [element('p', { class: 'problem' }, o.onlyHere)] : []),
      place(o.spectators, '/'),
      this.arbiters(root),
      place(o.tv, '/tv', o.tvHint),
      this.embed(root, names),
      ...(this.app.me?.key ? [element('section', { class: 'key' }, element('h3', {}, w.key), element('p', { class: 'address' }, element('code', { class: 'key-name' }, this.app.me.key), copy(() => this.app.me.key)), element('p', { class: 'about' }, w.keyHint))] : []),
    ];
  }

  code(text, title) {
    return element('img', { class: 'qr', src: desk.qr(text), alt: words().code(title), width: 132, height: 132 });
  }

  arbiters(root) {
    const o = words();
    const section = element('section', { class: 'place' });
    const show = (address) => section.replaceChildren(this.code(address, o.arbiters), element('div', {}, element('h3', {}, o.arbiters), line(address), ...(this.app.me?.name === null && this.app.me?.role === 'arbiter' ? [element('p', { class: 'about' }, o.oneBrowserHint), button(o.oneBrowser, make, { class: 'plain small' })] : [])));
    const make = async () => {
      try {
        show((await desk.link()).link);
      } catch (failure) {
        toast(sorry(failure), 'bad');
      }
    };
    show(`${root}/arbiter`);
    return section;
  }

  embed(root, names) {
    const o = words();
    const text = element('textarea', { class: 'note snippet', readonly: true, rows: 3, 'aria-label': o.embed, onfocus: () => text.select() });
    const snippet = () => {
      const [path, height] = this.what === 'round' ? ['/embed?round', 420] : [`/embed?board=${encodeURIComponent(this.what)}`, 560];
      text.value = `<iframe src="${root}${path}" width="100%" height="${height}" loading="lazy" title="${this.what === 'round' ? o.embedRound : o.embedBoard(this.what)}" style="border:0"></iframe>`;
    };
    const choose = element('select', { class: 'note', onchange: () => ((this.what = choose.value), snippet()) }, element('option', { value: 'round' }, o.embedRound), ...names.map((name) => element('option', { value: name, selected: name === this.what }, o.embedBoard(name))));
    snippet();
    return element('section', { class: 'embed' }, element('h3', {}, o.embed), element('label', {}, element('span', {}, o.embedWhat), choose), text, copy(() => text.value), element('p', { class: 'about' }, o.embedHint));
  }
}

function line(address) {
  return element('p', { class: 'address' }, element('a', { href: address }, address), copy(() => address));
}

function copy(text) {
  const o = words();
  const one = button(o.copy, async () => {
    try {
      await navigator.clipboard.writeText(text());
      setText(one, o.copied);
    } catch {
      // Pages in clear text may not write there.
      toast(o.notCopied, 'bad');
    }
  }, { class: 'plain small copy' });
  return one;
}
