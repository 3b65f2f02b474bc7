// What is asked, and how it stands in the URL. Its names are those of /v1/search.

// `like` is an image of the index, `file` a picture of the user's, which no URL can hold.
export const nothing = Object.freeze(
  {q: '', lang: '', like: '', since: '', until: '', in: '', near: '', within: '', town: '', camera: '',
    kind: '', shape: '', min_size: '', literal: '', sort: '', near_copies: '', file: null});
export const filters = ['since', 'until', 'in', 'town', 'near', 'camera', 'kind', 'shape', 'min_size', 'near_copies'];

const names = Object.keys(nothing).filter((name) => name !== 'file');
const choices = {sort: ['time'], kind: ['picture', 'film'], shape: ['landscape', 'portrait', 'square'],
  near_copies: ['1'], literal: ['1']};  // anything else is the default

export function fromUrl(search) {
  const url = new URLSearchParams(search);
  const question = {...nothing};
  for (const name of names) {
    const value = (url.get(name) || '').trim();
    if (!choices[name] || choices[name].includes(value)) question[name] = value;
  }
  return question;
}

// Only what is chosen: a server refuses fields that it does not know.
export function fields(question) {
  return Object.fromEntries(names.filter((name) => question[name]).map((n) => [n, question[n]]));
}

export function toUrl(question) {
  const shown = new URLSearchParams(fields(question));
  return location.pathname + (shown.size ? `?${shown}` : '');  // whatever path a proxy put before it
}

export const asksNothing = (question) => !question.q && !question.like && !question.file;
export const same = (a, b) => a.file === b.file && toUrl(a) === toUrl(b);
