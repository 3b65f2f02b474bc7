// The page: a question in the URL or the form -> /v1/search -> pictures. `#picture=ID` after the
// question is the one that is open.
import {$} from './elements.js';
import {fillForm, listenToForm, setIndex, written} from './form.js';
import {listenForPictures} from './given.js';
import * as grid from './grid.js';
import {linkIndexes, showGrowing, showIndexes} from './indexes.js';
import {closeLightbox, leaveLightbox, listenToLightbox, openLightbox, shownHit} from './lightbox.js';
import * as questions from './question.js';
import {search, shownCount} from './results.js';
import {listenToSelection} from './selection.js';
import {facts} from './server.js';
import {complain, listenToStatus, sayProblem} from './status.js';
import {translatePage} from './words.js';

let question = questions.nothing;
let about = null;  // what the server says of the index
let searching = Promise.resolve();

// Asks something else, and puts it into the URL, so that it can be shared and gone back to.
function change(changes) {
  const next = {...question, ...changes};
  // The open picture stays in the history: going back shows it again.
  const url = questions.toUrl(next);
  if (url !== location.pathname + location.search + location.hash) history.pushState(null, '', url);
  question = next;
  leaveLightbox();
  fillForm(question);
  linkIndexes(question);
  scrollTo(0, 0);
  if (!about) return start();  // the server did not answer before
  searching = search(question, about);
}

// As the URL says: at the start, and when one goes back or forward.
async function takeUrl() {
  const next = questions.fromUrl(location.search);
  const before = history.state || {};
  if (!questions.same(next, question) || !$('results').childElementCount) {
    question = next;
    leaveLightbox();
    fillForm(question);
    linkIndexes(question);
    searching = search(question, about, before.count);
    await searching;
    if (!questions.same(next, question)) return;
    scrollTo(0, before.y || 0);
  }
  await searching;
  takePicture();
}

// --- the open picture

const pictureUrl = (hit) => `${questions.toUrl(question)}#picture=${encodeURIComponent(hit.image)}`;
const pictureOfUrl = () => (location.hash.startsWith('#picture=')
  ? decodeURIComponent(location.hash.slice('#picture='.length)) : '');

function takePicture() {
  const id = pictureOfUrl();
  const hit = id && grid.hits().find((other) => other.image === id);
  if (hit) openLightbox(hit);
  else if (shownHit()) closeLightbox();
  if (id && !hit) history.replaceState(history.state, '', questions.toUrl(question));
}

function open(hit) {
  history.pushState({...place(), opened: true}, '', pictureUrl(hit));
  openLightbox(hit);
}

function closed() {
  if (!pictureOfUrl()) return;  // by going back, or to another question
  if (history.state && history.state.opened) history.back();
  else history.replaceState(place(), '', questions.toUrl(question));
}

// --- where one was, for when one comes back

const place = () => ({count: shownCount(), y: scrollY});
let settling = 0;
function notePlace() {
  clearTimeout(settling);
  settling = setTimeout(() => history.replaceState({...history.state, ...place()}, ''), 200);
}

// --- what the user does

const likeThis = (hit) => change({q: '', like: hit.image, file: null});

function takeFile(file) {
  if (about && about.asks_with_pictures) change({q: $('q').value.trim(), like: '', file});
  else sayProblem('noPictures');
}

function listen() {
  history.scrollRestoration = 'manual';
  grid.listen({open, like: likeThis});
  listenToSelection(grid.hits);
  listenToForm(() => change(written()));
  listenForPictures(takeFile);
  listenToStatus({literal: () => change({literal: '1'})});
  listenToLightbox({
    like: likeThis,
    folder: (path) => change({in: path}),
    near: (place) => change({near: place, within: '1km'}),
    moved: (hit) => history.replaceState(history.state, '', pictureUrl(hit)),
    closed,
  });
  $('chip').querySelector('button').onclick = () => {
    change({like: '', file: null});
    $('q').focus();
  };
  $('skip').onclick = (event) => {
    event.preventDefault();
    ($('results').querySelector('.picture') || $('q')).focus();
  };
  $('keys').onsubmit = (event) => {
    event.preventDefault();
    sessionStorage.setItem('key', $('key').value.trim());
    start();
  };
  window.onpopstate = takeUrl;
  window.onscroll = notePlace;
  document.onkeydown = (event) => {
    const typing = event.target.closest('input, select, dialog');
    if (event.key !== '/' || typing) return;
    event.preventDefault();
    $('q').focus();
  };
}

// An index that is being made has more now: what is shown stays, the next answer knows them.
function grown(facts) {
  about = facts;
  if (questions.asksNothing(question)) searching = search(question, about);
}

async function start() {
  try {
    about = await facts();
  } catch (error) {
    return complain(error);
  }
  $('keys').hidden = true;
  setIndex(about);
  showGrowing(about, grown);
  const asked = questions.fromUrl(location.search);
  const draft = $('q').value;  // what was written while the server took its time stays
  if (questions.asksNothing(asked)) $('q').focus();
  showIndexes(about, asked);
  takeUrl();
  if (draft.trim() !== asked.q) $('q').value = draft;
}

translatePage();
$('q').value = questions.fromUrl(location.search).q;
listen();
start();
