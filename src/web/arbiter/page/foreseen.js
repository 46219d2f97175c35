// What an entry would do, shown before it is entered.
import { clockText, title, w } from './i18n.js';
import { element } from './ui.js';

const score = (result) => result.replace('1/2-1/2', '½–½').replace('-', '–');

// The lines of a preview, for people.
export function foreseen(preview) {
  const lines = [];
  for (const found of preview.findings ?? []) {
    const proposal = found.proposal ?? {};
    if (found.key && !found.status) lines.push(w.foreseen.raised(title(found.key)));
    if (proposal.offence) lines.push(w.offence(proposal.offence));
    if (proposal.action && proposal.action !== 'none') lines.push(w.actions[proposal.action] ?? proposal.action);
  }
  const { withdrawn = [], recovered = [] } = preview;
  if (withdrawn.length) lines.push(w.foreseen.withdrawn(withdrawn.length));
  if (recovered.length) lines.push(w.foreseen.recovered(recovered.length));
  if (preview.clock) lines.push(`${w.setTo} ${clockText(preview.clock.white_ms)} – ${clockText(preview.clock.black_ms)}`);
  if (preview.result) lines.push(preview.result === '*' ? w.foreseen.open : `${w.result}: ${score(preview.result)}`);
  if (preview.waits) lines.push(w.workedOut);
  return [...new Set(lines)];
}

export function foreseenList(preview) {
  const lines = foreseen(preview);
  return element('ul', { class: 'foreseen' }, ...(lines.length ? lines : [w.foreseen.nothing]).map((line) => element('li', {}, line)));
}
