// How this device rings, and for which boards: behind the header's button, and offered once after signing in.
import { w } from './i18n.js';
import { button, element } from './ui.js';

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
    element('label', {}, element('h3', {}, w.myBoards), boards),
    element('p', { class: 'about' }, w.myBoardsHint),
  ];
}
