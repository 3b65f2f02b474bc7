// Which indexes the server has, as links that take the question along, and one that is being made.
import {$, make} from './elements.js';
import {fields} from './question.js';
import {facts, indexes} from './server.js';
import {number, say} from './words.js';

const kPause = 5000;  // milliseconds between two looks at an index that grows
let links = [];  // {link, url}
let looking = 0;

// What another index has, too; the rest is of this one's pictures.
const shared = ({like, in: folder, town, camera, ...rest}) => fields(rest);

export async function showIndexes(about, question) {
  const all = await indexes().catch(() => []);  // what is searched can be searched without
  links = all.map(({name, url, images}) => {
    const link = make('a', {}, make('bdi', {}, name), ' ', make('small', {}, number(images)));
    if (name === about.name) link.ariaCurrent = 'page';
    return {link, url};
  });
  linkIndexes(question);
  $('indexes').replaceChildren(...links.map(({link}) => link));
  $('indexes').hidden = links.length < 2;
}

// Where else this can be asked.
export function linkIndexes(question) {
  const asked = new URLSearchParams(shared(question));
  for (const {link, url} of links) link.href = url + (asked.size ? `?${asked}` : '');
}

// Follows an index as long as it is not whole; `grown` is told when it has more pictures.
export function showGrowing(about, grown) {
  clearTimeout(looking);
  const {images, expected = 0} = about;
  $('growing').textContent = expected > images
    ? say('growing', {n: number(images), all: number(expected)}) : '';
  if (expected <= images) return;
  looking = setTimeout(async () => {
    const now = document.hidden ? about : await facts().catch(() => about);
    if (now.images !== images || now.expected !== expected) grown(now);
    showGrowing(now, grown);
  }, kPause);
}
