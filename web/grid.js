// The pictures found, as tiles; each <li> knows its `hit` of the answer.
import {$, drawing, make} from './elements.js';
import {checkbox} from './selection.js';
import {clockText, filmSign} from './film.js';
import {dropPictures, showWhenNear} from './server.js';
import {dayText, number, say, sayCount, scoreText} from './words.js';

const results = $('results');
const shown = new Set();  // ids
const size = devicePixelRatio > 1 ? 640 : 384;
let acts;  // what open(hit) and like(hit) do
let withDays = false;

// Where none reaches kWell, nothing seems to fit; below kLine pictures are less likely. What both keep
// stands in docs/fit.md.
const kWell = 0.3;
const kLine = 0.17;
const reaches = (least) => (hit) => hit.fit === undefined || hit.fit >= least;
export const anyFits = (found) => found.some(reaches(kWell));

export const hits = () => [...results.children].map((tile) => tile.hit);
// By id: a larger answer may bring the same picture as another hit.
export const placeOf = (hit) => hits().findIndex((other) => other.image === hit.image);
export const tileOf = (hit) => results.children[placeOf(hit)];
export const nameOf = (hit) => hit.file || hit.image;
export const listen = (actions) => {
  acts = actions;
  results.onkeydown = walk;
};

export function clear() {
  dropPictures();
  shown.clear();
  results.replaceChildren();
}

// Shows an answer in place of the last one; `days`: with the day under each picture.
export function fill(found, {days = false} = {}) {
  clear();
  withDays = days;
  append(found);
}

// What an answer to the same question has more; what is shown stays where it is.
export function append(found) {
  const fresh = found.filter((hit) => !shown.has(hit.image));
  for (const hit of found) if (hit.copies) takeCopies(hit);
  results.append(...fresh.map(tile));
  drawLine();
  return fresh.length;
}

// Before the first picture after which none is likely to belong any more. In order of time there is
// no such place, and where nothing fits the page says so above.
function drawLine() {
  results.querySelector('.line')?.remove();
  const tiles = [...results.children];
  const last = hits().findLastIndex(reaches(kLine));
  tiles.forEach((other, i) => other.classList.toggle('less', !withDays && i > last));
  if (withDays || last < 0 || last + 1 >= tiles.length) return;
  tiles[last + 1].append(make('span', {className: 'line'}, say('less')));
}

// A larger answer may know more copies of what is shown.
function takeCopies(hit) {
  const old = tileOf(hit);
  if (!old || old.isOpen || (old.hit.copies || []).length === hit.copies.length) return;
  old.hit.copies = hit.copies;
  old.querySelector('.copies')?.remove();
  old.append(copiesButton(old));
}

function tile(hit) {
  shown.add(hit.image);
  const score = scoreText(hit.score);
  const open = make('button', {type: 'button', className: 'picture'});
  const when = hit.taken ? `, ${dayText(hit.taken)}` : '';
  open.ariaLabel = (hit.film ? say('film', {id: nameOf(hit), time: clockText(hit.second), score})
    : say('picture', {id: nameOf(hit), score})) + when;
  open.title = nameOf(hit);
  open.append(picture(hit, open));
  open.onclick = () => acts.open(hit);
  const like = make('button', {type: 'button', className: 'like', title: say('like')},
    drawing('M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM16.5 13v7M13 16.5h7'));
  like.ariaLabel = say('like');
  like.onclick = () => acts.like(hit);
  const item = Object.assign(make('li', {}, open, like, checkbox(hit)), {hit});
  if (hit.film) item.append(filmSign(hit));
  if (withDays && hit.taken) item.append(make('span', {className: 'taken'}, dayText(hit.taken)));
  if (hit.copies && hit.copies.length) item.append(copiesButton(item));
  return item;
}

function picture(hit, button) {
  const nothing = () => {
    button.ariaLabel = null;  // what is read is there to be seen
    return make('span', {className: 'nothing'}, make('bdi', {}, nameOf(hit)), make('br'), say('noFile'));
  };
  if (!hit.url) return nothing();
  const image = make('img', {alt: '', decoding: 'async'});
  image.onload = () => image.classList.add('loaded');
  image.onerror = () => image.replaceWith(nothing());
  showWhenNear(image, `${hit.url}?size=${size}`);
  return image;
}

// --- near copies, folded into the best of them

function copiesButton(item) {
  const n = item.hit.copies.length;
  const button = make('button', {type: 'button', className: 'copies', title: sayCount('copies', n)});
  button.ariaLabel = sayCount('copies', n);
  button.onclick = () => unfold(item, !item.isOpen);
  button.ariaExpanded = 'false';
  button.dir = 'ltr';
  button.textContent = `+${number(n)}`;
  return button;
}

export function unfold(item, open) {
  if (Boolean(item.isOpen) === open) return;
  item.isOpen = open;
  item.classList.toggle('open', open);
  const button = item.querySelector('.copies');
  button.ariaExpanded = String(open);
  const {copies} = item.hit;
  button.textContent = open ? '−' : `+${number(copies.length)}`;
  if (open) {
    item.after(...copies.filter((hit) => !shown.has(hit.image)).map((hit) => {
      const copy = tile(hit);
      copy.classList.add('copy');
      copy.foldedInto = item;
      return copy;
    }));
    return;
  }
  for (const copy of [...results.children].filter((other) => other.foldedInto === item)) {
    shown.delete(copy.hit.image);
    copy.remove();
  }
}

// --- arrow keys

function walk(event) {
  const here = event.target.closest('li');
  const tiles = [...results.children];
  const columns = getComputedStyle(results).gridTemplateColumns.split(' ').length;
  const forward = document.documentElement.dir === 'rtl' ? -1 : 1;
  const step = {ArrowLeft: -forward, ArrowRight: forward, ArrowUp: -columns, ArrowDown: columns};
  if (!here || !step[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
  const there = tiles[tiles.indexOf(here) + step[event.key]];
  if (!there) return;
  event.preventDefault();
  there.querySelector('.picture').focus();
}
