// Makes the pages' server answer as one of an index of a folder of pictures does: with times, files
// and near copies, which the drawn test index has none of.

// When a picture was taken and where it lies, by its id alone.
export function taken(id) {
  let hash = 7;
  for (const letter of id) hash = (hash * 31 + letter.charCodeAt(0)) % 100003;
  const two = (n) => String(n).padStart(2, '0');
  return `${2020 + (hash % 5)}-${two(1 + (hash % 12))}-${two(1 + (hash % 28))} ${two(hash % 24)}:30:00`;
}
const folders = ['Holidays', 'Holidays/Sea', 'Garden'];
export const file = (id) => `${folders[taken(id).charCodeAt(9) % 3]}/${id}.jpg`;

const known = (hit) => ({...hit, file: file(hit.image), taken: taken(hit.image)});

// The answer to `fields`, out of all that the index has, best first.
function answered(all, fields) {
  const inside = (hit) => !fields.in || hit.file.startsWith(`${fields.in}/`);
  const since = (hit) => !fields.since || hit.taken >= fields.since;
  const until = (hit) => !fields.until || hit.taken.slice(0, fields.until.length) <= fields.until;
  let hits = all.map(known).filter((hit) => inside(hit) && since(hit) && until(hit));
  if (fields.near_copies === '1') {  // every third is a copy of the one before
    hits = hits.flatMap((hit, i) => (i % 3 === 1 ? []
      : i % 3 === 0 && hits[i + 1] ? [{...hit, copies: [hits[i + 1]]}] : [hit]));
  }
  hits = hits.slice(0, Number(fields.k || 10));
  if (fields.sort === 'time') hits.sort((a, b) => (a.taken < b.taken ? 1 : -1));
  return hits;
}

// `asked` gets the fields of each search.
export async function asFolderIndex(page, asked = []) {
  await page.route('**/v1/collection', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({json: {...await answer.json(), times: true}});
  });
  await page.route('**/v1/search?*', async (route) => {
    const url = new URL(route.request().url());
    const fields = Object.fromEntries(url.searchParams);
    asked.push(fields);
    for (const name of ['since', 'until', 'in', 'sort', 'near_copies']) url.searchParams.delete(name);
    url.searchParams.set('k', '1000');
    const answer = await route.fetch({url: String(url)});
    const body = await answer.json();
    await route.fulfill({json: {...body, results: answered(body.results, fields)}});
  });
}
