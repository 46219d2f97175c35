// How this device rings, and for which boards: behind the header's button, and offered once after signing in.
import { api } from './api.js';
import { w } from './i18n.js';
import { canPush, pushOff, pushOn, subscription } from './push.js';
import { button, element, sorry, toast } from './ui.js';

// Offered on the list until something was chosen on this device.
export function offer(app) {
  const take = (on) => {
    app.alerts.setAll(on);
    app.draw();
  };
  return element(
    'section',
    { class: 'offer', 'aria-label': w.offerHead },
    element('p', {}, element('b', {}, w.offerHead), ' ', w.offerText),
    element('div', { class: 'offer-buttons' }, button(w.offerYes, () => take(true), { class: 'primary offer-yes' }), button(w.offerNo, () => take(false), { class: 'plain offer-no' })),
  );
}

// Rings while the screen is dark, where the browser can; it tells what stands in the way.
function pushSwitch(app) {
  const box = element('input', { type: 'checkbox', role: 'switch', class: 'push-switch', disabled: true });
  box.addEventListener('change', async () => {
    try {
      if (!box.checked) await pushOff();
      else if (!(await pushOn(app.sector))) [box.checked] = [false, toast(w.pushRefused, 'bad')];
    } catch (failure) {
      box.checked = !box.checked;
      toast(failure.status === undefined ? w.pushRefused : sorry(failure), 'bad');
    }
  });
  subscription().then((known) => {
    box.checked = Boolean(known);
    box.disabled = false;
  }, () => {});
  return element('label', { class: 'switch' }, box, element('span', {}, w.push));
}

// The topics of ntfy, for telephones whose browser gets no push.
function topics() {
  const node = element('div', { class: 'topics' });
  api.ringing().then(({ topics: all }) => {
    const one = (address, i) => element('figure', {}, element('img', { src: `/api/v1/arbiter/ringing/code?topic=${i}`, alt: w.topicCode, width: 200, height: 200 }), element('figcaption', {}, element('a', { href: address, rel: 'noreferrer' }, address)));
    node.replaceChildren(element('p', { class: 'about' }, all.length ? w.topicHint : w.topicNone), ...all.map(one));
  }, () => {});
  return node;
}

async function test() {
  try {
    const { topics: count, browsers } = await api.testRinging();
    toast(w.tested(browsers, count));
  } catch (failure) {
    toast(sorry(failure), 'bad');
  }
}

export function ringingSettings(app) {
  const { alerts, sector } = app;
  const toggle = (name, key) => {
    const box = element('input', { type: 'checkbox', role: 'switch', checked: alerts[key], onchange: () => alerts.set(key, box.checked) });
    return element('label', { class: 'switch' }, box, element('span', {}, name));
  };
  const boards = element('input', { class: 'note my-boards', value: sector.text, placeholder: '1-8, 12', maxlength: 200, autocomplete: 'off', onchange: () => app.chooseSector(boards.value) });
  return [
    element('h3', {}, w.alerts),
    toggle(w.sound, 'sound'),
    toggle(w.vibration, 'vibration'),
    ...(alerts.duty.possible ? [toggle(w.awake, 'awake')] : []),
    button(w.tryRing, () => alerts.try(), { class: 'plain try-ring' }),
    element('h3', {}, w.dark),
    ...(canPush() ? [pushSwitch(app)] : [element('p', { class: 'about' }, w.pushNeedsTls)]),
    topics(),
    button(w.testRinging, test, { class: 'plain test-ringing' }),
    element('label', {}, element('h3', {}, w.myBoards), boards),
    element('p', { class: 'about' }, w.myBoardsHint),
  ];
}
