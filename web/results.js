// Asks, and asks for more as one scrolls.
import {$} from './elements.js';
import * as grid from './grid.js';
import {asksNothing} from './question.js';
import {ask} from './server.js';
import {complain, tellAnswer, tellCount, tellHint, tellLoading} from './status.js';

const kPage = 24;
const kMost = 1000;
// In order of time more answers would come between those that are shown: so many at once, and more
// when the user says so.
const kByTime = 48;

let asked = null;  // {question, about, count, more, growing, stop}, of the answer that is shown

export const shownCount = () => (asked ? asked.count : 0);

// `count`: how many at first, as when one comes back to a page that had more.
export async function search(question, about, count = 0) {
  if (asked) asked.stop.abort();
  const first = question.sort === 'time' ? kByTime : kPage;
  const mine = asked = {question, about, count: Math.min(Math.max(first, count), kMost),
    more: false, growing: null, stop: new AbortController()};
  $('problem').replaceChildren();
  $('more').hidden = true;
  document.body.classList.toggle('bare', asksNothing(question));
  if (asksNothing(question)) {
    grid.clear();
    $('results').ariaBusy = 'false';
    return tellHint(about);
  }
  $('results').ariaBusy = 'true';
  tellLoading();
  try {
    const answer = await ask(question, mine.count, about, mine.stop.signal);
    if (mine !== asked) return;
    grid.fill(answer.results, {days: question.sort === 'time'});
    offerFolders(answer.results);
    takeStock(mine, answer);
    tellAnswer(question, answer, mine.more);
    $('keys').hidden = true;
  } catch (error) {
    if (mine !== asked || error.name === 'AbortError') return;
    grid.clear();
    complain(error);
  }
  $('results').ariaBusy = 'false';
}

function takeStock(mine, answer) {
  mine.more = answer.results.length >= mine.count && mine.count < kMost;
  $('more').hidden = !(mine.more && mine.question.sort === 'time');
  // The end may be in sight still, which the observer tells once only.
  atEnd.unobserve($('end'));
  if (mine.more) atEnd.observe($('end'));
}

// More of the same answer; whether there was more.
export function grow() {
  if (!asked || !asked.more) return Promise.resolve(false);
  asked.growing = asked.growing || growing(asked);
  return asked.growing;
}

async function growing(mine) {
  const count = Math.min(kMost, Math.max(mine.count + kPage, Math.ceil(mine.count * 1.5)));
  let fresh = 0;
  try {
    const answer = await ask(mine.question, count, mine.about, mine.stop.signal);
    if (mine !== asked) return false;
    mine.count = count;
    if (mine.question.sort === 'time') {
      grid.fill(answer.results, {days: true});
      fresh = answer.results.length;
    } else {
      fresh = grid.append(answer.results);
    }
    $('problem').replaceChildren();
    offerFolders(answer.results);
    takeStock(mine, answer);
    tellCount(mine.question, grid.hits().length, mine.more);
  } catch (error) {
    if (mine !== asked || error.name === 'AbortError') return false;
    complain(error);  // what is shown stays
    $('more').hidden = false;
  } finally {
    mine.growing = null;
  }
  return fresh > 0;
}

$('more').onclick = grow;
const atEnd = new IntersectionObserver((entries) => {
  const byTime = asked && asked.question.sort === 'time';
  if (entries.some((entry) => entry.isIntersecting) && !byTime) grow();
}, {rootMargin: '900px 0px'});

// The folders of what was found, and those above them, as suggestions.
function offerFolders(found) {
  const known = new Set([...$('folders').options].map((option) => option.value));
  for (const {file} of found) {
    const parts = (file || '').split('/').slice(0, -1);
    parts.forEach((_, i) => known.add(parts.slice(0, i + 1).join('/')));
  }
  $('folders').replaceChildren(...[...known].sort().map((value) => new Option(value)));
}
