// Who a player is, beside the name: title, rating, federation, team.
import { person } from './event.js';

// Federations that are none have no letters worth reading.
export function flag(federation) {
  return federation === 'FID' ? 'FIDE' : federation;
}

export function title(name) {
  return person(name)?.title ?? '';
}

export function details(name) {
  const known = person(name);
  return known ? [known.elo, known.federation && flag(known.federation), known.team].filter(Boolean).join(' · ') : '';
}
