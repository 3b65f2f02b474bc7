// Several indexes on one server, and one that is being made.
import assert from 'node:assert/strict';
import {cpSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {answer, aroundTests, ask, asked, cards, home, ids, on, pathOf, phone, pictureLoaded, query, scratch, serve,
  shoot, until} from './browser.mjs';

let all;  // a server on three
aroundTests('dataset', async () => {
  all = await serve('dataset', pathOf('folder'), `Bilder & mehr=${pathOf('bare')}`);
});

const links = (page) => page.getByRole('navigation', {name: 'Collections'}).getByRole('link');
const inUrl = (page) => Object.fromEntries(new URL(page.url()).searchParams);

test('one index needs no choice', () => on({}, async (page) => {
  await page.goto(home);
  await page.getByText('Write a sentence').waitFor();
  await page.waitForLoadState('networkidle');
  assert.equal(await page.locator('#indexes').isVisible(), false);
}));

test('a link leads to each index, and takes the question along', () => on({}, async (page) => {
  const {indexes} = await answer(all, 'v1/indexes');
  assert.deepEqual(indexes.map(({name}) => name).slice(1), ['folder', 'Bilder & mehr']);
  await page.goto(all);
  await links(page).first().waitFor();
  assert.deepEqual((await links(page).allTextContents()).map((text) => text.replace(/[\u2068\u2069]/g, '')),
    indexes.map(({name, images}) => `${name} ${images}`));
  await shoot(page, 'indexes');
  const current = page.locator('#indexes [aria-current=page] bdi');
  assert.equal(await current.textContent(), indexes[0].name);
  await ask(page, query);
  await cards(page).first().waitFor();
  await links(page).nth(1).click();
  await page.waitForURL(/\/indexes\/folder\/\?q=/);
  await pictureLoaded(cards(page).first().locator('img'));
  assert.equal(await current.textContent(), 'folder');
  const found = await answer(all, `indexes/folder/v1/search${asked}&k=24`);
  assert.deepEqual((await ids(page)).slice(0, 24), found.results.map((hit) => hit.image));
  await shoot(page, 'indexes-results');
  await cards(page).first().locator('.picture').click();
  await pictureLoaded(page.locator('#large'));
  await page.locator('#lightbox').getByRole('button', {name: 'More like this'}).click();
  await page.getByText('Pictures like').waitFor();
  await pictureLoaded(page.locator('#chip img'));
  // A picture of one index is none of another, nor are its folders.
  await page.goto(`${all}indexes/folder/${asked}&like=${found.results[0].image}&in=Garden&since=2020`);
  await links(page).nth(2).waitFor();
  await links(page).nth(2).click();
  await page.waitForURL(/Bilder/);
  assert.deepEqual(inUrl(page), {q: query, since: '2020'});
  await page.goBack();
  await page.waitForURL(/like=/);
}));

test('by keys, on a phone and from right to left', async () => {
  for (const options of [{}, {...phone, locale: 'ar-EG'}]) {
    await on(options, async (page) => {
      await page.goto(`${all}indexes/folder/${asked}`);
      await links(page).or(page.locator('#indexes a')).first().waitFor();
      await cards(page).first().waitFor();
      await shoot(page, `indexes-${options.locale || 'keys'}`);
      await page.locator('#indexes a').first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => !url.pathname.includes('folder'));
      await cards(page).first().waitFor();
    });
  }
});

// As `hinny index --pictures` replaces it while it reads.
test('an index that is being made is shown growing', () => on({}, async (page) => {
  const making = join(scratch, 'making');
  const version = (from, growing) => {
    const next = join(scratch, 'next');
    cpSync(pathOf(from), next, {recursive: true});
    rmSync(join(next, 'checksums.safetensors'), {force: true});
    if (growing) writeFileSync(join(next, 'growing.json'), JSON.stringify(growing));
    rmSync(making, {recursive: true, force: true});
    renameSync(next, making);
  };
  version('folder', {expected: 20000});
  const server = await serve(making);
  const {images, expected} = await answer(server, 'v1/collection');
  assert.equal(expected, 20000);
  await page.goto(server);
  const growing = page.locator('#growing');
  await growing.getByText(new RegExp(`\\b${images}\\b.*20,000`)).waitFor();
  await shoot(page, 'growing');
  version('dataset', {expected: 20001});
  const {images: more} = await answer(home, 'v1/collection');
  await growing.getByText(new RegExp(`20,001`)).waitFor();
  await page.getByText(new RegExp(`^\\W*${more}\\W* pictures. Ask in`)).waitFor();
  await ask(page, query);
  await cards(page).first().waitFor();
  version('dataset');
  await until(page, () => document.querySelector('#growing').textContent === '');
  assert.ok(await cards(page).count() > 0);  // what is shown stays
}));
