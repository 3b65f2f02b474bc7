import {$, make} from './elements.js';
import {call, show} from './server.js';
import {languageName, say, scoreText} from './words.js';

// One picture of an answer: large, why it was found, and its nearest sentences. `likeThis` is what
// its button does.
export async function openPanel(hit, likeThis) {
  $('panel-title').textContent = hit.image;
  const picture = $('panel-picture');
  picture.removeAttribute('src');
  picture.hidden = !hit.url;
  picture.alt = say('picture', {id: hit.image, score: scoreText(hit.score)});
  if (hit.url) show(picture, `${hit.url}?size=1024`);
  showWhy(hit.url ? hit.explanation : null);
  $('panel-like').onclick = () => {
    $('panel').close();
    likeThis();
  };
  $('sentences').replaceChildren(make('p', {}, '…'));
  $('panel').showModal();
  let sentences = [];
  try {
    const url = `/v1/sentences?${new URLSearchParams({image: hit.image, k: 3})}`;
    sentences = (await (await call(url)).json()).sentences;
  } catch {
    // a collection without sentences
  }
  if ($('panel-title').textContent === hit.image) showSentences(sentences);
}

// Which words and which cells of the picture carried the score: what counted little lies in shade.
function showWhy(explanation) {
  const grid = explanation && explanation.grid;
  $('why').hidden = !explanation;
  $('cells').replaceChildren();
  if (!explanation) return;
  const shade = (regions) => {
    if (!grid) return;
    const most = Math.max(...regions);
    $('cells').style.gridTemplate = `repeat(${grid[0]}, 1fr) / repeat(${grid[1]}, 1fr)`;
    $('cells').replaceChildren(...regions.map((share) => {
      const cell = make('i');
      cell.style.setProperty('--dark', 0.75 * (1 - share / most));
      return cell;
    }));
  };
  const buttons = explanation.words.filter((w) => w.word).map((word) => {
    const button = make('button', {type: 'button', className: 'quiet'}, word.word, ' ',
      make('small', {}, `${Math.round(100 * word.share)} %`));
    button.ariaPressed = 'false';
    button.disabled = !word.regions || !grid;
    button.onclick = () => {
      const on = button.ariaPressed !== 'true';
      for (const other of buttons) other.ariaPressed = 'false';
      button.ariaPressed = String(on);
      shade(on ? word.regions : explanation.regions);
    };
    return button;
  });
  $('words').replaceChildren(...buttons);
  shade(explanation.regions);
}

function showSentences(sentences) {
  const byLanguage = new Map();
  for (const sentence of sentences) {
    if (!byLanguage.has(sentence.language)) byLanguage.set(sentence.language, []);
    byLanguage.get(sentence.language).push(sentence);
  }
  const blocks = [...byLanguage].flatMap(([code, list]) => [
    make('h4', {}, languageName(code)),
    make('ul', {}, ...list.map((s) => make('li', {lang: code, dir: 'auto'}, s.text))),
  ]);
  $('sentences').replaceChildren(...(blocks.length ? blocks : [make('p', {}, say('noSentences'))]));
}
