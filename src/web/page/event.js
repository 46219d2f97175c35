// What is known of the event: its name, its rounds, who plays. The browser keeps what it has and asks whether it is still so.
import { sources } from './sources.js';

export const event = { name: null, city: null, country: null, round: 0, rounds: [], standings: [], reported: false };

// What an event is called that nobody named.
const UNNAMED = 'Chess event';
// Players by name, with title, rating, federation and team.
const people = new Map();
// Rounds by number.
const rounds = new Map();

export function person(name) {
  return people.get(name) ?? null;
}

export function round(number) {
  return rounds.get(number) ?? null;
}

// Asks for the event and the round now playing; true where there is an event. Where nobody answers, what was known stays.
export async function knowEvent() {
  const found = await ask(sources.event);
  if (!found) return false;
  Object.assign(event, found, { name: found.name && found.name !== UNNAMED ? found.name : null });
  const named = event.rounds.some((one) => one.pairings > 0);
  event.round = named ? found.round : 0;
  if (named) await knowRound(found.round);
  return true;
}

export async function knowRound(number) {
  const found = await ask(sources.round(number));
  if (!found) return null;
  rounds.set(number, found);
  for (const pairing of found.pairings) for (const player of [pairing.white, pairing.black]) people.set(player.name, player);
  return found;
}

async function ask(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
