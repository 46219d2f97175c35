// The language of the page: chosen once, remembered; else the browser's own.
import { en } from './words-en.js';
import { ru } from './words-ru.js';

const WORDS = { en, ru };
const KEY = 'flagfall-arbiter-lang';

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const asked = new URLSearchParams(location.search).get('lang') ?? stored() ?? navigator.language ?? 'en';
export let lang = asked.toLowerCase().startsWith('ru') ? 'ru' : 'en';
// The words of the language in use; a live binding.
export let w = WORDS[lang];

export function choose(next) {
  lang = next === 'ru' ? 'ru' : 'en';
  w = WORDS[lang];
  document.documentElement.lang = lang;
  try {
    localStorage.setItem(KEY, lang);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

// A sentence that the daemon gives in both languages.
export const said = (words) => words?.[lang] ?? words?.en ?? '';

export const title = (key) => w.keys[key] ?? key;

// What an alternative is called, in the language in use.
export function altName(alternative) {
  if (alternative.label === 'unchanged') return w.unchanged;
  return (lang === 'ru' && alternative.label_ru) || alternative.label;
}

// 42:10, 1:02:03; minus kept.
export function clockText(ms) {
  if (ms === null || ms === undefined) return '–';
  const s = Math.floor(Math.abs(ms) / 1000);
  const two = (n) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  const rest = h ? `${h}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
  return ms < 0 ? `−${rest}` : rest;
}

// 1:02:03, 42:10, or seconds alone; null where it is no time.
export function readClock(text) {
  const match = /^\s*(?:(\d{1,2}):)?(\d{1,3}):([0-5]?\d)\s*$/.exec(text);
  if (!match) return null;
  const [, h = 0, m, s] = match;
  if (h && Number(m) > 59) return null;
  return (Number(h) * 3600 + Number(m) * 60 + Number(s)) * 1000;
}

// How long ago, in a few letters.
export function ago(ms) {
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s} ${w.unitS}`;
  if (s < 3600) return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
  return `${Math.floor(s / 3600)} ${w.unitH} ${Math.floor(s / 60) % 60} ${w.unitM}`;
}

export const hour = (at) => new Date(at).toLocaleTimeString(lang === 'ru' ? 'ru-RU' : 'en-GB');
