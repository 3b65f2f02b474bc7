// What the page says, in the user's language: words-*.js hold the words.
const spoken = ['en', 'de', 'fr', 'zh', 'ar'];
const wanted = (navigator.languages || [navigator.language]).map((tag) => tag.split('-')[0]);
export const language = wanted.find((code) => spoken.includes(code)) || 'en';
const {default: words} = await import(`./words-${language}.js`);

// Numbers and dates as where the user lives: in en-GB the day stands before the month.
const locale = (navigator.languages || []).find((tag) => tag.split('-')[0] === language) || language;
const numbers = new Intl.NumberFormat(locale);
const scores = new Intl.NumberFormat(locale, {minimumFractionDigits: 2, maximumFractionDigits: 2});
const names = new Intl.DisplayNames([language], {type: 'language', fallback: 'code'});
const anyOf = new Intl.ListFormat(language, {type: 'disjunction'});
const plurals = new Intl.PluralRules(language);
const days = new Intl.DateTimeFormat(locale, {dateStyle: 'long', timeZone: 'UTC'});
const moments = new Intl.DateTimeFormat(locale,
  {dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC'});

export const number = (value) => numbers.format(value);
export const scoreText = (value) => scores.format(value);
export const languageName = (code) => names.of(code);
export const either = (items) => anyOf.format(items);

// say('place', {i: 3, n: 8}). What is put in is isolated, so that it cannot turn the sentence around.
export function say(key, parts = {}) {
  return words[key].replace(/\{(\w+)\}/g, (_, name) => `\u2068${parts[name]}\u2069`);
}

// say() of so many: 'found' or, of one, 'foundOne'.
export function sayCount(key, n) {
  return say(plurals.select(n) === 'one' ? `${key}One` : key, {n: number(n)});
}

// '2024-06-15 10:30:00', local time, wherever that was.
const wall = (time) => new Date(`${time.replace(' ', 'T')}Z`);
const formatted = (format, time) => {
  const date = wall(time);
  return Number.isNaN(date.valueOf()) ? time : format.format(date);
};
export const dayText = (time) => formatted(days, time);
export const momentText = (time) => formatted(moments, time);

// Fills in what index.html leaves blank.
export function translatePage() {
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
  for (const e of document.querySelectorAll('[data-word]')) e.textContent = say(e.dataset.word);
  for (const e of document.querySelectorAll('[data-placeholder]')) {
    e.placeholder = say(e.dataset.placeholder);
  }
  for (const e of document.querySelectorAll('[data-label]')) e.ariaLabel = say(e.dataset.label);
  for (const e of document.querySelectorAll('[data-title]')) {
    e.title = e.ariaLabel = say(e.dataset.title);
  }
}
