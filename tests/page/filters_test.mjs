// Time, folder, order and near copies: shown where the index knows them, asked for when chosen, and
// in the URL.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {answer, aroundTests, ask, asked, cards, home, ids, manyCards, on, phone, query, serve, shoot, until}
  from './browser.mjs';
import {allPictures, watchSearches} from './folder_index.mjs';

let taken, file, dataset;  // of an id, as the folder's server says; a server that knows neither
aroundTests('folder', async () => {
  const known = await allPictures();
  taken = (id) => known.get(id).taken;
  file = (id) => known.get(id).file;
  dataset = await serve('dataset');
});

const inUrl = (page) => Object.fromEntries(new URL(page.url()).searchParams);
const openFilters = (page) => page.getByRole('button', {name: 'Filters'}).click();
const settled = (page) => until(page, () => document.querySelector('#count')
  && document.querySelector('#results').ariaBusy === 'false');
async function set(page, label, value) {
  await page.getByLabel(label, {exact: true}).fill(value);
  await page.keyboard.press('Enter');
  await settled(page);
}

test('a camera and a place narrow it down, and a picture leads to what was taken near it', () =>
  on({}, async (page) => {
    await page.goto(home + asked);
    await settled(page);
    await openFilters(page);
    await page.getByLabel('Camera', {exact: true}).selectOption('NIKON D750');
    await settled(page);
    assert.deepEqual(inUrl(page), {q: query, camera: 'NIKON D750'});
    assert.ok(await cards(page).count() > 0);
    for (const id of await ids(page)) assert.match(file(id), /^Holidays\/Sea\//);
    await cards(page).first().locator('.picture').click();
    await page.getByRole('dialog').getByText('NIKON D750').waitFor();
    await page.getByRole('link', {name: '47.3769,8.5417'}).waitFor();
    await shoot(page, 'place');
    await page.getByRole('button', {name: 'Taken near here'}).click();
    await settled(page);
    assert.deepEqual(inUrl(page), {q: query, near: '47.3769,8.5417', within: '1km', camera: 'NIKON D750'});
    assert.ok(await cards(page).count() > 0);
    await page.goto(`${home}${asked}&near=10,10`);
    await page.getByText('No picture found').waitFor();
    await page.goto(home + asked);
    await settled(page);
    await openFilters(page);
    await set(page, 'Town', 'zurigo');
    assert.deepEqual(inUrl(page), {q: query, town: 'zurigo'});
    for (const id of await ids(page)) assert.match(file(id), /^Holidays\/Sea\//);
    await cards(page).first().locator('.picture').click();
    await page.getByRole('dialog').getByText('Zürich, CH').waitFor();
  }));

test('raw files beside a picture are named', () => on({}, async (page) => {
  await page.route(/v1\/search/, async (route) => {  // the folder's pictures have none
    const response = await route.fetch();
    const json = await response.json();
    json.results[0].raw = ['IMG_1.NEF', 'IMG_1.dng'];
    await route.fulfill({response, json});
  });
  await page.goto(home + asked);
  await cards(page).first().locator('.picture').click();
  await page.getByRole('dialog').getByText('IMG_1.NEF, IMG_1.dng').waitFor();
}));

test('what a sentence says beside the picture is shown, and can be taken away', () =>
  on({}, async (page) => {
    await page.goto(home);
    await ask(page, `${query} taken in 2022 with the Nikon in Zurigo`);
    await settled(page);
    await page.locator('.heard').getByText(/Only by \W*nikon/).waitFor();
    await page.locator('.heard').getByText('2022').waitFor();
    await page.locator('.heard').getByText(/Only of \W*Zurigo/).waitFor();
    assert.equal(await page.locator('.heard').count(), 3);
    for (const id of await ids(page)) {
      assert.match(taken(id), /^2022/);
      assert.match(file(id), /^Holidays\/Sea\//);
    }
    await shoot(page, 'heard');
    await page.locator('.heard').first().getByRole('button').click();
    await settled(page);
    assert.equal(inUrl(page).literal, '1');
    assert.equal(await page.locator('.heard').count(), 0);
    await ask(page, `${query} in 2021`);  // another sentence is listened to again
    await settled(page);
    assert.equal(await page.locator('.heard').count(), 1);
    assert.equal(inUrl(page).literal, undefined);
  }));

test('an index without times still folds near copies', () => on({}, async (page) => {
  const searches = watchSearches(page);
  await page.goto(dataset + asked);
  await cards(page).first().waitFor();
  assert.equal(await page.locator('#sorting').isVisible(), false);
  await openFilters(page);
  await page.getByLabel('Fold near copies').waitFor();
  for (const id of ['#since', '#until', '#in', '#sort']) {
    assert.equal(await page.locator(id).isVisible(), false, id);
  }
  for (const fields of searches) assert.deepEqual(Object.keys(fields).sort(), ['k', 'q']);
}));

test('since, until and a folder narrow it down, stand in the URL, and go back', () =>
  on({}, async (page) => {
    const requests = watchSearches(page);
    await page.goto(home + asked);
    await settled(page);
    assert.deepEqual(requests[0], {k: '24', q: query});  // nothing but what is chosen
    const all = await ids(page);
    await openFilters(page);
    await set(page, 'From', '2021-6');
    assert.deepEqual(inUrl(page), {q: query, since: '2021-06'});
    await set(page, 'To', '2023');
    assert.deepEqual(inUrl(page), {q: query, since: '2021-06', until: '2023'});
    for (const id of await ids(page)) {
      assert.ok(taken(id) >= '2021-06' && taken(id) < '2024', taken(id));
    }
    await set(page, 'In folder', 'Holidays');
    assert.ok(await cards(page).count() > 0);
    for (const id of await ids(page)) assert.match(file(id), /^Holidays\//);
    assert.deepEqual(requests.at(-1).in, 'Holidays');
    await page.getByRole('button', {name: /Filters\W+set: \W*3/}).waitFor();
    const suggested = await page.locator('#folders option').evaluateAll((o) => o.map((e) => e.value));
    assert.ok(suggested.includes('Garden') && suggested.includes('Holidays/Sea'), suggested.join());
    await shoot(page, 'filters');

    await page.goBack();
    await until(page, () => document.querySelector('#in').value === '');
    assert.equal(await page.locator('#until').inputValue(), '2023');
    await page.getByRole('button', {name: 'Clear the filters'}).click();
    await settled(page);
    assert.deepEqual(inUrl(page), {q: query});
    assert.deepEqual((await ids(page)).slice(0, 24), all.slice(0, 24));
    await page.goBack();
    await until(page, () => document.querySelector('#since').value === '2021-06');
  }));

test('only pictures that are large enough', () => on({}, async (page) => {
  const requests = watchSearches(page);
  await page.goto(home + asked);
  await settled(page);
  const all = await ids(page);
  await openFilters(page);
  await set(page, 'Size at least', '16x16');
  assert.deepEqual((await ids(page)).slice(0, 24), all.slice(0, 24));
  await set(page, 'Size at least', '24MP');
  assert.equal(requests.at(-1).min_size, '24MP');
  assert.deepEqual(inUrl(page), {q: query, min_size: '24MP'});
  await page.locator('#count').getByText('No picture found').waitFor();
  const asks = requests.length;
  await page.getByLabel('Size at least').fill('large');
  assert.equal(await page.locator('#min_size').evaluate((field) => field.validationMessage),
    await page.locator('#min_size').evaluate((field) => field.title));
  await page.getByLabel('Size at least').press('Enter');
  assert.equal(requests.length, asks);
}));

test('a shared link shows its filters, and a new question keeps them', () =>
  on({}, async (page) => {
    await page.goto(`${home}${asked}&since=2022&near_copies=1&sort=time&in=Garden&nonsense=1`);
    await settled(page);
    await page.getByLabel('Fold near copies').waitFor();
    assert.equal(await page.locator('#since').inputValue(), '2022');
    assert.equal(await page.locator('#in').inputValue(), 'Garden');
    assert.equal(await page.locator('#sort').inputValue(), 'time');
    assert.ok(await page.locator('#near_copies').isChecked());
    await ask(page, 'a red bird');
    await page.waitForURL(/red/);
    assert.deepEqual(inUrl(page),
      {q: 'a red bird', since: '2022', near_copies: '1', sort: 'time', in: 'Garden'});
  }));

test('filters of a link that the index cannot use can be taken off', () => on({}, async (page) => {
  await page.goto(`${dataset}${asked}&since=2022`);
  await page.getByRole('alert').getByText('could not be answered').waitFor();
  await page.getByRole('button', {name: 'Clear the filters'}).click();
  await cards(page).first().waitFor();
  assert.equal(await page.locator('#filters').isVisible(), false);
}));

test('newest first, and more of them when one says so', () => on({}, async (page) => {
  await page.goto(home + asked);
  await settled(page);
  await page.getByLabel('Order').selectOption('Newest first');
  await page.locator('#results .taken').first().waitFor();
  await page.locator('#count').getByText('newest first').waitFor();
  assert.equal(inUrl(page).sort, 'time');
  const times = (await ids(page)).map(taken);
  assert.deepEqual(times, [...times].sort().reverse());
  const n = times.length;
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForTimeout(300);
  assert.equal(await cards(page).count(), n);  // others would come in between
  await page.getByRole('button', {name: 'Show more'}).click();
  await until(page, (least) => document.querySelectorAll('#results li').length > least, n);
  const more = (await ids(page)).map(taken);
  assert.deepEqual(more, [...more].sort().reverse());
  await page.evaluate(() => [...document.querySelectorAll('#results .picture')].at(-1).click());
  const last = await page.locator('#title').textContent();
  await page.keyboard.press('ArrowRight');  // more come in between: it goes on from where it was
  await manyCards(page, more.length + 1);
  const all = (await ids(page)).map((id) => id.slice(id.lastIndexOf('/') + 1));
  const next = all[Math.min(all.indexOf(last) + 1, all.length - 1)];
  await until(page, (name) => document.querySelector('#title').textContent === name, next);
  await shoot(page, 'by-time');
}));

test('near copies are folded into one, which opens', () => on({}, async (page) => {
  await page.goto(home + asked);
  await settled(page);
  await openFilters(page);
  await page.getByLabel('Fold near copies').check();
  await page.locator('.copies').first().waitFor();
  await settled(page);
  assert.equal(inUrl(page).near_copies, '1');
  const {results} = await answer(home, `v1/search${asked}&near_copies=1&k=24`);
  const folded = results.map((hit) => hit.image);
  assert.deepEqual((await ids(page)).slice(0, folded.length), folded);
  const place = results.findIndex((hit) => hit.copies);
  const copies = results[place].copies.map((hit) => hit.image);
  const opened = folded.toSpliced(place + 1, 0, ...copies);
  const badge = cards(page).nth(place).getByRole('button', {name: /near cop/});
  assert.equal(await badge.textContent(), `+${copies.length}`);
  assert.equal(await badge.getAttribute('aria-expanded'), 'false');
  await badge.click();
  assert.deepEqual((await ids(page)).slice(0, opened.length), opened);
  assert.equal(await badge.getAttribute('aria-expanded'), 'true');
  await shoot(page, 'copies');
  await badge.click();
  assert.deepEqual((await ids(page)).slice(0, folded.length), folded);
  await badge.click();
  const before = await cards(page).count();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));  // more leaves it open
  await until(page, (least) => document.querySelectorAll('#results li').length > least, before);
  const grown = await ids(page);
  assert.equal(new Set(grown).size, grown.length);
  assert.deepEqual(grown.slice(0, place + 1 + copies.length), opened.slice(0, place + 1 + copies.length));
}));

test('what is no date is not asked for; a day can be picked', () => on(phone, async (page) => {
  const requests = watchSearches(page);
  await page.goto(home + asked);
  await settled(page);
  await openFilters(page);
  const before = requests.length;
  await page.getByLabel('From', {exact: true}).fill('last summer');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200);
  assert.equal(requests.slice(before).filter((r) => r.since).length, 0);
  assert.equal(inUrl(page).since, undefined);
  await page.getByRole('button', {name: /Choose a day:.*From/}).waitFor();
  await page.locator('#since + input').evaluate((e) => {  // as the browser's calendar does
    e.value = '2022-03-01';
    e.dispatchEvent(new Event('change'));
  });
  await page.waitForURL(/since=2022-03-01/);
  await settled(page);
  for (const id of await ids(page)) assert.ok(taken(id) >= '2022-03-01');
  await shoot(page, 'phone-filters');
}));
