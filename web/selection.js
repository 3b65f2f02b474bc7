// Pictures that are set aside, whatever is asked meanwhile, and the list of their paths.
import {$, make} from './elements.js';
import {number, say} from './words.js';

const chosen = new Map();  // id -> hit
export const isChosen = (hit) => chosen.has(hit.image);
const path = (hit) => hit.file || hit.image;

export function choose(hits, yes) {
  for (const hit of hits) yes ? chosen.set(hit.image, hit) : chosen.delete(hit.image);
  $('selection').hidden = !chosen.size;
  document.documentElement.classList.toggle('selecting', chosen.size > 0);
  $('selected').textContent = chosen.size ? say('selected', {n: number(chosen.size)}) : '';
  for (const box of document.querySelectorAll('#results .choose')) box.checked = chosen.has(box.value);
}

// A tile's.
export function checkbox(hit) {
  const box = make('input', {type: 'checkbox', className: 'choose', value: hit.image, checked: isChosen(hit)});
  box.title = box.ariaLabel = say('select', {id: path(hit)});
  box.onchange = () => choose([hit], box.checked);
  return box;
}

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  make('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// `shown` gives the hits that are.
export function listenToSelection(shown) {
  $('paths-text').onclick = () => save('hinny-selection.txt', 'text/plain',
    [...chosen.values()].map((hit) => `${path(hit)}\n`).join(''));
  $('paths-json').onclick = () => save('hinny-selection.json', 'application/json',
    `${JSON.stringify([...chosen.values()].map(({image, file}) => ({image, file})), null, 1)}\n`);
  $('select-all').onclick = () => choose(shown(), true);
  $('unselect').onclick = () => {
    choose([...chosen.values()], false);
    $('results').focus({preventScroll: true});  // the button is gone
  };
}
