// What the page says about an answer, above it.
import {$, make} from './elements.js';
import {anyFits} from './grid.js';
import {dayText, either, languageName, number, say, sayCount} from './words.js';

let acts;  // what literal() does
export const listenToStatus = (actions) => {
  acts = actions;
};

function tell(...lines) {
  $('status').replaceChildren(...lines.filter(Boolean).map((line) => make('p', {}, line)));
}

export const tellLoading = () => tell(say('loading'));

export function tellHint(about) {
  tell(say(about.asks_with_pictures ? 'hint' : 'hintText'),
    say('holds', {n: number(about.images), languages: either(about.languages.map(languageName))}));
}

export function tellAnswer(question, answer, more) {
  tell(question.file ? say('likeYours') : question.like ? say('likeImage', {id: question.like}) : '',
    ...answer.understood.map((text) => understanding(question, text)),
    heard(answer.heard || []),
    answer.results.length && !anyFits(answer.results) ? say('nothingFits') : '');
  $('status').append(make('p', {id: 'count'}));
  tellCount(question, answer.results.length, more);
}

const day = (date) => dayText(`${date} 00:00:00`);

// Times, towns, cameras and folders that the sentence spoke of; taking one away reads it as it is.
function heard(all) {
  if (!all.length) return '';
  const chips = all.map((one) => {
    const text = one.since ? say('heardTime', {since: day(one.since), until: day(one.until)})
      : one.town ? say('heardTown', {town: one.town})
        : one.camera ? say('heardCamera', {camera: one.camera}) : say('onlyHere', {folder: one.in});
    const button = make('button', {type: 'button', title: say('literal')}, '×');
    button.ariaLabel = say('literal');
    button.onclick = () => acts.literal();
    return make('span', {className: 'heard'}, `${text} `, button);
  });
  return make('span', {}, ...chips);
}

export function tellCount(question, n, more) {
  $('count').textContent = n === 0 ? say('none')
    : question.sort === 'time' ? say('foundByTime', {n: number(n)})
      : more ? say('foundMore', {n: number(n)}) : sayCount('found', n);
}

function understanding(question, text) {
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
  return line.join(' ');
}

export function complain(error) {
  if (!$('count')) tell('');
  if (error.status === 401) {
    $('keys').hidden = false;
    $('key').focus();
    if (sessionStorage.getItem('key')) sayProblem('wrongKey');
    sessionStorage.removeItem('key');
    return;
  }
  const what = error.status === undefined ? 'unreachable' : error.status === 503 ? 'busy' : 'failed';
  const detail = what === 'failed' ? make('small', {lang: 'en', dir: 'ltr'}, error.message) : '';
  sayProblem(what, detail);
}

export function sayProblem(key, detail = '') {
  $('problem').replaceChildren(make('p', {}, say(key), detail));
}
