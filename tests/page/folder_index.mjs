// What the server on the index of a folder of pictures (make_indexes) says of its pictures.
import assert from 'node:assert/strict';
import {answer, asked, home} from './browser.mjs';

// id -> the result of a search for all pictures
export async function allPictures(server = home) {
  const {results} = await answer(server, `v1/search${asked}&k=1000`);
  assert.ok(results.length > 100 && results.every((hit) => hit.taken && hit.file));
  return new Map(results.map((hit) => [hit.image, hit]));
}

// The fields of each search that the page sends from now on.
export function watchSearches(page) {
  const sent = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/v1/search')) sent.push(Object.fromEntries(url.searchParams));
  });
  return sent;
}
