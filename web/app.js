// The page: a question in the URL or the form -> /v1/search -> pictures.
import {$, make} from './elements.js';
import {openPanel} from './panel.js';
import {call, dropPictures, show} from './server.js';
import {either, language, languageName, number, say, scoreText, translatePage} from './words.js';

const kPage = 24;
const kMost = 1000;
const results = $('results');

// What is asked. `like` is an image of the index, `file` a picture of the user's.
let question = {q: '', lang: '', like: '', file: null};
let count = kPage;
let asksWithPictures = true;
let explains = false;  // the collection's model sees regions
let translates = false;
let running = null;  // AbortController of the request under way

// --- searching

function ask(signal) {
  const fields = {k: count};
  if (explains && question.q && !question.like && !question.file) fields.explain = 1;
  if (translates && question.q) fields.translate = 1;
  for (const name of ['q', 'lang', 'like']) if (question[name]) fields[name] = question[name];
  if (!question.file) {
    return call(`/v1/search?${new URLSearchParams(fields)}`, {signal}).then((a) => a.json());
  }
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('image', question.file);
  return call('/v1/search', {method: 'POST', body, signal}).then((a) => a.json());
}

const nothingAsked = () => !question.q && !question.like && !question.file;

async function search({keepPictures = false} = {}) {
  if (running) running.abort();
  const mine = running = new AbortController();
  $('problem').replaceChildren();
  $('more').hidden = true;
  if (nothingAsked()) {
    results.replaceChildren();
    results.ariaBusy = 'false';
    return tell(say(asksWithPictures ? 'hint' : 'hintText'));
  }
  results.ariaBusy = 'true';
  if (!keepPictures) tell(say('loading'));
  try {
    const answer = await ask(mine.signal);
    if (mine !== running) return;
    showAnswer(answer);
    $('keys').hidden = true;
  } catch (error) {
    if (mine !== running || error.name === 'AbortError') return;
    results.replaceChildren();
    tell('');
    complain(error);
  }
  results.ariaBusy = 'false';
}

function tell(...lines) {
  $('status').replaceChildren(...lines.filter(Boolean).map((line) => make('p', {}, line)));
}

function complain(error) {
  if (error.status === 401) {
    $('keys').hidden = false;
    $('key').focus();
    if (sessionStorage.getItem('key')) $('problem').replaceChildren(make('p', {}, say('wrongKey')));
    sessionStorage.removeItem('key');
    return;
  }
  const what = error.status === undefined ? 'unreachable' : error.status === 503 ? 'busy' : 'failed';
  const detail = what === 'failed' ? make('small', {lang: 'en', dir: 'ltr'}, error.message) : '';
  $('problem').replaceChildren(make('p', {}, say(what), detail));
}

function showAnswer(answer) {
  dropPictures();
  results.replaceChildren(...answer.results.map(card));
  const about = question.file ? say('likeYours')
    : question.like ? say('likeImage', {id: question.like}) : '';
  const found = answer.results.length ? say('found', {n: number(answer.results.length)}) : say('none');
  tell(about, ...answer.understood.flatMap(understanding), found);
  $('more').hidden = answer.results.length < count || count >= kMost;
}

function understanding(text) {
  const line = [];
  if (!question.lang) {
    line.push(say('understood', {language: languageName(text.language)}));
    if (text.equals.length) {
      line.push(say('equals', {languages: either(text.equals.map(languageName))}));
    }
  }
  const unknown = text.unknown_words;
  if (unknown.length) line.push(say('unknown', {words: unknown.join(', ')}));
  for (const guess of text.guessed_words) {
    line.push(say('guessed', {word: guess.word, words: guess.like.join(', ')}));
  }
  return line.length ? [line.join(' ')] : [];
}

function card(hit) {
  const score = scoreText(hit.score);
  const id = hit.image;
  const open = make('button', {type: 'button', className: 'picture'});
  open.ariaLabel = say('picture', {id, score});
  if (hit.url) {
    const image = make('img', {alt: '', loading: 'lazy', decoding: 'async'});
    show(image, `${hit.url}?size=384`);
    open.append(image);
  } else {
    open.append(make('span', {className: 'nothing'}, id, make('br'), say('noFile')));
  }
  const likeThis = () => change({q: '', like: id, file: null});
  open.onclick = () => openPanel(hit, likeThis);
  const like = make('button', {type: 'button', className: 'quiet'}, say('like'));
  like.onclick = likeThis;
  const foot = make('div', {className: 'foot'}, make('span', {title: say('score', {score})}, score), like);
  return make('li', {}, open, foot);
}

// --- what the user does

// Asks something else, and puts it into the URL, so that it can be shared and gone back to.
function change(changes) {
  question = {...question, ...changes};
  count = kPage;
  const shown = new URLSearchParams();
  for (const name of ['q', 'lang', 'like']) if (question[name]) shown.set(name, question[name]);
  const url = shown.size ? `/?${shown}` : '/';
  if (url !== location.pathname + location.search) history.pushState(null, '', url);
  fillForm();
  search();
  scrollTo(0, 0);
}

function fillForm() {
  $('q').value = question.q;
  $('lang').value = question.lang;
  document.title = question.q ? `${question.q} · Hinny` : 'Hinny';
  const chip = $('chip');
  const shown = question.file || question.like;
  chip.hidden = !shown;
  if (!shown) return;
  const image = chip.querySelector('img');
  chip.querySelector('span').textContent = question.file ? question.file.name : question.like;
  if (question.file) {
    image.src = URL.createObjectURL(question.file);
    image.onload = image.onerror = () => URL.revokeObjectURL(image.src);
  } else {
    show(image, `/v1/image/${encodeURIComponent(question.like)}?size=128`);
  }
}

function takeUrl() {
  const url = new URLSearchParams(location.search);
  question = {q: url.get('q') || '', lang: url.get('lang') || '', like: url.get('like') || '',
    file: null};
  count = kPage;
  fillForm();
  search();
}

function takeFile(file) {
  // Browsers know no type of some pictures' files.
  if (!file || !(file.type.startsWith('image/') || /\.(heic|heif|hif)$/i.test(file.name))) return;
  if (!asksWithPictures) {
    $('problem').replaceChildren(make('p', {}, say('noPictures')));
    return;
  }
  change({q: $('q').value.trim(), like: '', file});
}

function listen() {
  $('search').onsubmit = (event) => {
    event.preventDefault();
    change({q: $('q').value.trim(), lang: $('lang').value});
  };
  $('lang').onchange = () => change({q: $('q').value.trim(), lang: $('lang').value});
  $('chip').querySelector('button').onclick = () => change({like: '', file: null});
  $('choose').onclick = () => $('file').click();
  $('file').onchange = () => {
    takeFile($('file').files[0]);
    $('file').value = '';
  };
  $('more').onclick = () => {
    count = Math.min(count + kPage, kMost);
    search({keepPictures: true});
  };
  $('close').onclick = () => $('panel').close();
  $('panel').onclick = (event) => {
    if (event.target === $('panel')) $('panel').close();  // beside it
  };
  $('keys').onsubmit = (event) => {
    event.preventDefault();
    sessionStorage.setItem('key', $('key').value.trim());
    start();
  };
  window.onpopstate = takeUrl;
  document.onpaste = (event) => takeFile(event.clipboardData.files[0]);
  document.onkeydown = (event) => {
    const typing = event.target.closest('input, select, dialog');
    if (event.key !== '/' || typing) return;
    event.preventDefault();
    $('q').focus();
  };
  listenToDragging();
}

function listenToDragging() {
  const dragging = (on) => document.body.classList.toggle('dragging', on);
  document.ondragover = (event) => {
    event.preventDefault();
    dragging(event.dataTransfer.types.includes('Files'));
  };
  document.ondragleave = (event) => {
    if (!event.relatedTarget) dragging(false);
  };
  document.ondrop = (event) => {
    event.preventDefault();
    dragging(false);
    takeFile(event.dataTransfer.files[0]);
  };
}

async function start() {
  try {
    const about = await (await call('/v1/collection')).json();
    asksWithPictures = about.asks_with_pictures;
    explains = about.explains;
    translates = about.translates;
    $('choose').hidden = !asksWithPictures;
    const byName = (a, b) => languageName(a).localeCompare(languageName(b), language);
    const first = $('lang').options[0];
    $('lang').replaceChildren(first, ...about.languages.sort(byName).map(
      (code) => make('option', {value: code}, languageName(code))));
    $('keys').hidden = true;
  } catch (error) {
    return complain(error);
  }
  takeUrl();
}

translatePage();
listen();
start();
