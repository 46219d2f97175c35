// "I'm going": the answer to a ring. The daemon keeps it; all arbiters see the name.
import { api } from './api.js';
import { hour, w } from './i18n.js';
import { button, element, fill, sorry, toast } from './ui.js';

export const goingTo = (board, finding) => board?.going?.get(finding.id) ?? null;

export const whoGoes = (going) => going.who ?? w.somebody;

const own = (app, going) => going.who && going.who === (app.me?.name || app.who);

async function say(app, board, finding, going) {
  try {
    await api.going(board.name, finding.id, going, app.me?.name ? undefined : app.who || undefined);
  } catch (failure) {
    // Somebody ruled meanwhile: then nobody has to go.
    if (failure.status !== 409) toast(sorry(failure), 'bad');
    if (failure.status === 401) app.door(w.sessionOver);
  }
}

export const goButton = (app, board, finding, className = 'primary') => button(w.imGoing, () => say(app, board, finding, true), { class: `${className} going-button`, 'data-going': finding.id });

// Who goes, or the button for it; redrawn only when that changes.
export function drawGoing(node, app, board, finding) {
  const going = goingTo(board, finding);
  node.hidden = false;
  fill(node, [going, finding.id, app.me?.name, app.who, w.imGoing], () => {
    if (!going) return [goButton(app, board, finding)];
    const mine = own(app, going);
    const other = mine ? button(w.notGoing, () => say(app, board, finding, false), { class: 'plain' }) : button(w.goInstead, () => say(app, board, finding, true), { class: 'plain' });
    return [element('span', { class: 'who-goes' }, mine ? w.youGo(hour(going.at)) : w.goes(whoGoes(going), hour(going.at))), other];
  });
}
