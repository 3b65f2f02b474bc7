// The form: a question in its fields, and which of them the index can use.
import {$, make} from './elements.js';
import {filters} from './question.js';
import {show} from './server.js';
import {language, languageName, say} from './words.js';

const days = [...document.querySelectorAll('.day input[dir]')];
const day = /^\d{4}(-\d{1,2}(-\d{1,2}([ T]\d{1,2}:\d{2})?)?)?$/;
const narrowing = filters.filter((name) => name !== 'near_copies');  // these have a value
const size = /^(\d+(\.\d+)? ?(MP|mp|Mp)|\d+x\d+)$/;
let about = {};  // the index
let asked = {};  // what the fields were filled with
let within = '';  // how near, where a place is asked for
let chosen = null;  // whether the filters are to be seen, once the user has said so

// What the fields say, but for `like` and the picture.
export function written() {
  const question = {sort: $('sort').value, near_copies: $('near_copies').checked ? '1' : ''};
  for (const name of ['q', 'lang', ...narrowing]) question[name] = $(name).value.trim();
  for (const name of ['since', 'until']) {  // 2024-6 -> 2024-06
    question[name] = $(name).value.trim().replace(/-(\d)(?!\d)/g, '-0$1');
  }
  question.within = question.near ? within : '';
  question.literal = question.q === asked.q ? asked.literal : '';  // of that sentence
  return question;
}

export function fillForm(question) {
  asked = question;
  chooseCamera(question.camera);
  for (const name of ['q', 'lang', 'sort', ...narrowing]) $(name).value = question[name];
  within = question.near ? question.within : '';
  $('near_copies').checked = question.near_copies === '1';
  document.title = question.q ? `${question.q} · Hinny` : 'Hinny';
  for (const field of [...days, $('min_size')]) field.setCustomValidity('');
  showChip(question);
  showFilters(question);
}

// A camera that is asked for is there to be chosen, whether the index has it or not.
function chooseCamera(name) {
  const select = $('camera');
  if (![...select.options].some((option) => option.value === name)) {
    select.append(make('option', {value: name}, name));
  }
}

// Filters are there when the index can use them, or something is set that has to be unset.
function showFilters(question) {
  const set = filters.filter((name) => question[name]).length;
  const newer = 'times' in about;  // the server knows near copies
  $('sorting').hidden = !about.times && !question.sort;
  $('show-filters').hidden = !newer && !set;
  for (const field of document.querySelectorAll('.times, .folder')) {
    field.hidden = !about.times && !question.since && !question.until && !question.in;
  }
  document.querySelector('.camera').hidden = !(about.cameras || []).length && !question.camera;
  document.querySelector('.kind').hidden = !about.films && !question.kind;
  for (const name of ['shape', 'min_size']) {
    $(name).closest('.field').hidden = !about.sizes && !question[name];
  }
  document.querySelector('.town').hidden = !(about.towns || []).length && !question.town;
  document.querySelector('.near').hidden = !about.places && !question.near;
  document.querySelector('.check').hidden = !newer && !question.near_copies;
  const open = (chosen === null ? set > 0 : chosen) && !$('show-filters').hidden;
  $('filters').hidden = !open;
  $('show-filters').ariaExpanded = String(open);
  $('active').textContent = set ? say('active', {n: set}) : '';
  $('clear').hidden = !set;
}

function showChip(question) {
  const chip = $('chip');
  const shown = question.file || question.like;
  chip.hidden = !shown;
  if (!shown) return;
  const image = chip.querySelector('img');
  chip.querySelector('bdi').textContent = question.file ? question.file.name : question.like;
  if (question.file) {
    image.src = URL.createObjectURL(question.file);
    image.onload = image.onerror = () => URL.revokeObjectURL(image.src);
  } else {
    show(image, `v1/image/${encodeURIComponent(question.like)}?size=128`);
  }
}

export function setIndex(facts) {
  about = facts;
  $('choose').hidden = !facts.asks_with_pictures;
  const byName = (a, b) => languageName(a).localeCompare(languageName(b), language);
  $('camera').replaceChildren($('camera').options[0],
    ...(facts.cameras || []).map((name) => make('option', {value: name}, name)));
  $('towns').replaceChildren(...(facts.towns || []).map((name) => new Option(name)));
  $('lang').replaceChildren($('lang').options[0], ...[...facts.languages].sort(byName).map(
    (code) => make('option', {value: code}, languageName(code))));
}

// `change` is told when a field says something else.
export function listenToForm(change) {
  for (const field of days) listenToDay(field);
  listenToShape($('min_size'), size, 'sizeForm');
  for (const name of ['lang', 'sort', ...filters]) {
    $(name).addEventListener('change', () => $('search').reportValidity() && change());
  }
  $('search').onsubmit = (event) => {
    event.preventDefault();
    change();
  };
  $('show-filters').onclick = () => {
    if (!$('filters').hidden && !$('search').reportValidity()) return;  // stays to be mended
    chosen = $('filters').hidden;
    $('filters').hidden = !chosen;
    $('show-filters').ariaExpanded = String(chosen);
  };
  $('clear').onclick = () => {
    for (const name of narrowing) $(name).value = '';
    $('near_copies').checked = false;
    $('show-filters').focus();
    change();
  };
}

// What is written there is of this shape, or nothing.
function listenToShape(field, shape, word) {
  field.title = say(word);
  field.oninput = () => {
    const fine = field.value.trim() === '' || shape.test(field.value.trim());
    field.setCustomValidity(fine ? '' : say(word));
  };
}

// A year or a month is written; a day can be picked, too.
function listenToDay(field) {
  const [, picker, button] = field.parentElement.children;
  listenToShape(field, day, 'dateForm');
  picker.onchange = () => {
    field.value = picker.value;
    field.setCustomValidity('');
    field.dispatchEvent(new Event('change'));
  };
  button.title = button.ariaLabel = say('pickDay', {field: field.labels[0].textContent});
  button.hidden = !picker.showPicker;
  button.onclick = () => {
    if (/^\d{4}-\d{2}-\d{2}$/.test(field.value)) picker.value = field.value;
    picker.showPicker();
  };
}
