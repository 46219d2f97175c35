// The words of the operator's page, in the language that is chosen for all pages of officials.
import { lang } from '/arbiter/i18n.js';
import { en } from './words-en.js';
import { ru } from './words-ru.js';

const WORDS = { en, ru };

// Those of the language in use; asked each time, since it may change.
export const words = () => WORDS[lang];

// A sentence that the daemon gives in both languages, or in one.
export const both = (text) => (text && typeof text === 'object' ? (text[lang] ?? text.en ?? '') : (text ?? ''));
