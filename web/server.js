// Requests to the program that served the page, with the user's key where it wants one. Their
// addresses are relative to the page's: a proxy may have put a path before it.
import {fields} from './question.js';

let pictures = new AbortController();  // of the pictures being fetched

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export const hasKey = () => Boolean(sessionStorage.getItem('key'));

async function call(url, options = {}) {
  const headers = {...options.headers};
  if (hasKey()) headers.Authorization = `Bearer ${sessionStorage.getItem('key')}`;
  const answer = await fetch(url, {...options, headers});
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => ({}));
  throw new Refused(answer.status, body.error ? body.error.message : '');
}

// All that the server has; `url` is where the page of each is.
export async function indexes() {
  const answer = await call('v1/indexes');
  const body = await answer.json();
  return body.indexes.map((index) => ({...index, url: new URL(index.url, answer.url).href}));
}

export const facts = async () => (await call('v1/collection')).json();

// The k best answers to a question; `about` is what facts() said.
export async function ask(question, k, about, signal) {
  const asked = {k, ...fields(question)};
  if (about.explains && question.q && !question.like && !question.file) asked.explain = 1;
  if (about.translates && question.q) asked.translate = 1;
  if (!question.file) {
    return found(await call(`v1/search?${new URLSearchParams(asked)}`, {signal}));
  }
  const body = new FormData();
  for (const [name, value] of Object.entries(asked)) body.append(name, value);
  body.append('image', question.file);
  return found(await call('v1/search', {method: 'POST', body, signal}));
}

// The pictures' addresses are seen from the answer's.
async function found(answer) {
  const body = await answer.json();
  const place = (hit) => {
    if (hit.url) hit.url = new URL(hit.url, answer.url).href;
    if (hit.film) hit.film = new URL(hit.film, answer.url).href;
    (hit.copies || []).forEach(place);
  };
  body.results.forEach(place);
  return body;
}

export async function sentencesOf(image, signal) {
  const url = `v1/sentences?${new URLSearchParams({image, k: 3})}`;
  return (await (await call(url, {signal})).json()).sentences;
}

// Pictures carry no key by themselves: with one they are fetched and shown from memory.
export async function show(image, url) {
  if (!hasKey()) {
    image.src = url;
    return;
  }
  const {signal} = pictures;
  try {
    const blob = await (await call(url, {signal})).blob();
    image.addEventListener('load', () => URL.revokeObjectURL(image.src), {once: true});
    image.src = URL.createObjectURL(blob);
  } catch (error) {
    if (error.name !== 'AbortError') image.dispatchEvent(new Event('error'));
  }
}

// Shows pictures as they come near to what is seen.
const near = new IntersectionObserver((entries) => {
  for (const {isIntersecting, target} of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    show(target, target.dataset.url);
  }
}, {rootMargin: '500px'});

export function showWhenNear(image, url) {
  image.dataset.url = url;
  near.observe(image);
}

// Those of an answer that is no longer shown.
export function dropPictures() {
  pictures.abort();
  pictures = new AbortController();
  near.disconnect();
}
