// One picture of an answer: large, what is known of it, and its neighbours by keys and swipes.
import {$, make} from './elements.js';
import {addPlayer, clockText, isAnimation, removePlayer} from './film.js';
import * as grid from './grid.js';
import {grow} from './results.js';
import {choose, isChosen} from './selection.js';
import {hasKey, sentencesOf, show, showWhenNear} from './server.js';
import {showWhy} from './why.js';
import {language, languageName, momentText, number, say, sayCount, scoreText} from './words.js';

const dialog = $('lightbox');
let hit = null;  // the one that is shown
let acts;  // what moved(hit), closed(), like(hit), folder(path) and near(place) do
let stop = new AbortController();  // of what is fetched about it

export const shownHit = () => (dialog.open ? hit : null);

export function openLightbox(of) {
  display(of);
  if (!dialog.open) dialog.showModal();
}

export const closeLightbox = () => dialog.close();

// Closes it for other results: the picture has no tile among them.
export function leaveLightbox() {
  if (!dialog.open) return;
  hit = null;
  dialog.close();
  $('results').focus({preventScroll: true});
}

function display(of) {
  hit = of;
  stop.abort();
  stop = new AbortController();
  const name = grid.nameOf(hit);
  $('title').replaceChildren(make('bdi', {}, name.slice(name.lastIndexOf('/') + 1)));
  showPicture(name);
  showPlace();
  showFacts();
  showTwins();
  showChosen();
  showWhy(hit.url ? hit.explanation : null);
  $('original').hidden = !hit.film && (!hit.url || hasKey());  // a link carries no key
  $('original').href = hit.film || `${hit.url}?size=full`;
  $('about').scrollTop = 0;
  // What had the focus may be gone, and the keys would go with it.
  if (dialog.open && !dialog.contains(document.activeElement)) $('close').focus();
  showSentences(hit);
}

// The thumbnail first, which is there already, and the large one in its place.
function showPicture(name) {
  const view = $('view');
  removePlayer(view);
  view.querySelector('img')?.remove();
  $('unplayed').hidden = true;
  if (!hit.url) return;
  const longest = Math.max(innerWidth, innerHeight) * devicePixelRatio;
  const size = Math.min(2048, Math.max(1024, Math.ceil(longest / 512) * 512));
  const {signal} = stop;
  const large = make('img', {alt: name, id: 'large'});
  const thumbnail = grid.tileOf(hit)?.querySelector('img.loaded');
  const ratio = (value) => view.style.setProperty('--ratio', value);
  const shape = (image) => ratio(image.naturalWidth / image.naturalHeight);
  if (thumbnail) shape(thumbnail);
  if (thumbnail && !hasKey()) view.prepend(make('img', {alt: name, src: thumbnail.src}));
  large.onload = () => {
    if (signal.aborted || view.querySelector('video:not([hidden])')) return;
    shape(large);
    view.querySelector('img')?.remove();
    view.prepend(large);
    preload(size);
  };
  show(large, isAnimation(hit) ? hit.film : `${hit.url}?size=${size}`);
  if (hit.film && !isAnimation(hit)) {
    addPlayer(hit, view, {name, signal, shape: ratio, failed: () => { $('unplayed').hidden = false; }});
  }
}

function preload(size) {
  const next = grid.hits()[grid.placeOf(hit) + 1];
  if (next && next.url && !hasKey()) new Image().src = `${next.url}?size=${size}`;
}

function showPlace() {
  const i = grid.placeOf(hit);
  const n = grid.hits().length;
  $('place').textContent = say('place', {i: number(i + 1), n: number(n)});
  $('previous').ariaDisabled = String(i === 0);
  $('next').ariaDisabled = String(i + 1 === n);
}

const showChosen = () => { $('select').ariaPressed = String(isChosen(hit)); };

function showFacts() {
  const rows = [['scoreName', scoreText(hit.score)]];
  if (hit.film) rows.unshift(['moment', make('bdi', {}, clockText(hit.second))]);
  if (hit.taken) rows.unshift(['taken', momentText(hit.taken)]);
  if (hit.camera) rows.push(['camera', make('bdi', {}, [hit.camera, hit.lens].filter(Boolean).join(', '))]);
  if (hit.exposure) rows.push(['exposure', make('bdi', {dir: 'ltr'}, hit.exposure)]);
  if (hit.width) rows.push(['pixels', make('bdi', {dir: 'ltr'}, pixelsText(hit))]);
  if (hit.town) rows.push(['town', make('bdi', {}, hit.town)]);
  if (hit.latitude !== undefined) rows.push(['where', coordinates(hit)]);
  if (hit.file) rows.push(['file', path(hit.file)]);
  if (hit.raw) rows.push(['raw', make('bdi', {}, hit.raw.join(', '))]);
  $('facts').replaceChildren(...rows.flatMap(
    ([key, value]) => [make('dt', {}, say(key)), make('dd', {}, value)]));
}

// "4032 × 3024, 12.2 MP"
function pixelsText({width, height}) {
  return `${width} × ${height}, ${number(Number((width * height / 1e6).toPrecision(3)))} MP`;
}

// As numbers, with a map of others for who follows the link, and what was taken near there.
function coordinates({latitude, longitude}) {
  const there = `${latitude.toFixed(4)},${longitude.toFixed(4)}`;
  const at = `mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`;
  const map = make('a', {href: `https://www.openstreetmap.org/?${at}`, target: '_blank', rel: 'noreferrer',
    title: say('map'), dir: 'ltr'}, there);
  const button = make('button', {type: 'button'}, say('nearHere'));
  button.onclick = () => acts.near(there);
  return make('span', {className: 'path'}, map, ' ', button);
}

// A path whose folders can be searched.
function path(file) {
  const parts = file.split('/');
  const line = make('span', {dir: 'ltr', className: 'path'});
  parts.slice(0, -1).forEach((part, i) => {
    const folder = parts.slice(0, i + 1).join('/');
    const button = make('button', {type: 'button', title: say('onlyHere', {folder})}, part);
    button.ariaLabel = say('onlyHere', {folder});
    button.onclick = () => acts.folder(folder);
    line.append(button, '/');
  });
  line.append(parts.at(-1));
  return line;
}

function showTwins() {
  const copies = hit.copies || [];
  $('twins').hidden = !copies.length;
  $('twins-title').textContent = copies.length ? sayCount('copies', copies.length) : '';
  $('twins').querySelector('ul').replaceChildren(...copies.map((copy) => {
    const button = make('button', {type: 'button', title: grid.nameOf(copy)});
    button.ariaLabel = say('picture', {id: grid.nameOf(copy), score: scoreText(copy.score)});
    if (copy.url) {
      const image = make('img', {alt: ''});
      showWhenNear(image, `${copy.url}?size=128`);
      button.append(image);
    } else {
      button.append(grid.nameOf(copy));
    }
    button.onclick = () => {
      grid.unfold(grid.tileOf(hit), true);
      move(grid.hits().find((other) => other.image === copy.image));
    };
    return make('li', {}, button);
  }));
}

async function showSentences(of) {
  $('sentences').hidden = true;
  let sentences = [];
  try {
    sentences = await sentencesOf(of.image, stop.signal);
  } catch {
    return;  // none, or another picture is shown
  }
  if (hit !== of || !sentences.length) return;
  const byLanguage = new Map();
  const own = (sentence) => sentence.language === language;
  for (const sentence of [...sentences.filter(own), ...sentences.filter((s) => !own(s))]) {
    if (!byLanguage.has(sentence.language)) byLanguage.set(sentence.language, []);
    byLanguage.get(sentence.language).push(sentence);
  }
  $('sentences').querySelector('div').replaceChildren(...[...byLanguage].flatMap(([code, list]) => [
    make('h4', {}, languageName(code)),
    make('ul', {}, ...list.map((s) => make('li', {lang: code, dir: 'auto'}, s.text))),
  ]));
  $('sentences').hidden = false;
}

// --- to the neighbours

function move(to) {
  if (!to || !dialog.open) return;
  display(to);
  acts.moved(to);
}

async function step(by) {
  const from = hit;
  if (by > 0 && grid.placeOf(from) + 1 === grid.hits().length) await grow();
  if (hit !== from) return;  // the user went elsewhere meanwhile
  move(grid.hits()[grid.placeOf(from) + by]);
}

function onKey(event) {
  if (event.key === 'Tab') return trap(event);
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('video')) return;
  const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  event.preventDefault();
  step(event.key === forward ? 1 : -1);
}

// Tab goes round within.
function trap(event) {
  const stops = [...dialog.querySelectorAll('button, a[href], video')].filter(
    (e) => !e.disabled && e.checkVisibility());
  const edge = event.shiftKey ? stops[0] : stops.at(-1);
  if (document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? stops.at(-1) : stops[0]).focus();
}

function listenToSwipes() {
  let start = null;
  $('stage').addEventListener('touchstart', (event) => {
    const alone = event.touches.length === 1 && !event.target.closest('video');
    start = alone ? event.touches[0] : null;
  }, {passive: true});
  $('stage').addEventListener('touchend', (event) => {
    if (!start) return;
    const x = event.changedTouches[0].clientX - start.clientX;
    const y = event.changedTouches[0].clientY - start.clientY;
    start = null;
    if (Math.abs(x) < 50 || Math.abs(x) < 2 * Math.abs(y)) return;
    step((x < 0) === (document.documentElement.dir !== 'rtl') ? 1 : -1);
  });
}

export function listenToLightbox(actions) {
  acts = actions;
  $('close').onclick = closeLightbox;
  $('previous').onclick = () => step(-1);
  $('next').onclick = () => step(1);
  $('like').onclick = () => acts.like(hit);
  $('select').onclick = () => {
    choose([hit], !isChosen(hit));
    showChosen();
  };
  $('stage').onclick = (event) => {
    if (event.target === $('stage')) closeLightbox();  // beside the picture
  };
  dialog.onkeydown = onKey;
  dialog.onclose = () => {
    stop.abort();
    removePlayer($('view'));
    const tile = hit && grid.tileOf(hit);
    tile?.querySelector('.picture').focus({preventScroll: true});
    tile?.scrollIntoView({block: 'nearest'});
    acts.closed();
  };
  listenToSwipes();
}
