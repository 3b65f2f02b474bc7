// Films: shown as such, played from the moment that was found, alone where one wants.
import assert from 'node:assert/strict';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {aroundTests, asked, cards, home, on, pathOf, phone, scratch, serve, shoot, until} from './browser.mjs';
import {watchSearches} from './folder_index.mjs';

const built = existsSync(pathOf('films'));  // with FFmpeg
if (built) aroundTests('films');
const filmTest = (name, run) => test(name, {skip: !built}, run);

const settled = (page) => until(page, () => document.querySelector('#count')
  && document.querySelector('#results').ariaBusy === 'false');
const tileOf = (page, name) => cards(page).filter({has: page.locator(`.picture[title*="${name}"]`)});
const player = () => document.querySelector('#view video:not([hidden])');

filmTest('a film is one result, with its moment', () => on({}, async (page) => {
  await page.goto(home + asked);
  await settled(page);
  assert.equal(await cards(page).count(), 6);
  assert.equal(await page.locator('.film').count(), 2);
  assert.match(await tileOf(page, 'one.webm').locator('.film').textContent(), /0:[01]\d$/);
  assert.match(await tileOf(page, 'one.webm').locator('.picture').getAttribute('aria-label'),
    /^Film .*one\.webm.* at .*0:[01]\d.*, score /);
  await until(page, () => document.querySelectorAll('.picture img.loaded').length === 6);
  await shoot(page, 'films');
}));

filmTest('it plays from there', () => on({}, async (page) => {
  const parts = [];
  page.on('response', (response) => {
    if (response.url().includes('/film/')) parts.push(response.status());
  });
  await page.goto(home + asked);
  await settled(page);
  const moment = await tileOf(page, 'one.webm').evaluate((tile) => tile.hit.second);
  await tileOf(page, 'one.webm').locator('.picture').click();
  await until(page, player);
  assert.ok(parts.length > 0 && parts.every((status) => status === 206), String(parts));
  const now = () => page.evaluate(() => document.querySelector('#view video').currentTime);
  assert.ok(Math.abs(await now() - moment) < 0.5, `${await now()} ${moment}`);
  assert.equal(await page.locator('#view img').count(), 0);
  await page.evaluate(() => document.querySelector('#view video').play());
  await until(page, () => document.querySelector('#view video').currentTime > 0.3);
  await page.getByRole('dialog').getByText('Moment of the film').waitFor();
  await shoot(page, 'film open');
  // Arrow keys are the player's where it has the focus, and lead to neighbours else.
  await page.locator('#view video').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#view video').count(), 1);
  await page.locator('#close').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await until(page, () => !document.querySelector('video'));
}));

filmTest('of one that the browser does not play, the picture stays', () => on(phone, async (page) => {
  await page.goto(home + asked);
  await settled(page);
  await tileOf(page, 'two.avi').locator('.picture').click();
  await page.getByText('This browser does not play this film').waitFor();
  await until(page, () => document.querySelector('#view img#large'));
  assert.match(await page.locator('#original').getAttribute('href'), /film\/two\.avi/);
  await shoot(page, 'film not played');
}));

filmTest('films alone, and pictures alone', () => on({}, async (page) => {
  const sent = watchSearches(page);
  await page.goto(home + asked);
  await settled(page);
  await page.getByRole('button', {name: 'Filters'}).click();
  await page.getByLabel('Kind', {exact: true}).selectOption('film');
  await until(page, () => document.querySelectorAll('#results > li').length === 2);
  assert.equal(sent.at(-1).kind, 'film');
  assert.equal(new URL(page.url()).searchParams.get('kind'), 'film');
  await page.getByLabel('Kind', {exact: true}).selectOption('picture');
  await until(page, () => document.querySelectorAll('#results > li').length === 4);
  assert.equal(await page.locator('.film').count(), 0);
}));

filmTest('with a key it plays as well', () => on({}, async (page) => {
  const key = '0123456789abcdef';
  writeFileSync(join(scratch, 'key'), `${key}\n`);
  const keyed = await serve('films', '--api-key-file', join(scratch, 'key'));
  await page.goto(keyed + asked);
  await page.getByLabel('This collection needs a key').fill(key);
  await page.keyboard.press('Enter');
  await settled(page);
  await tileOf(page, 'one.webm').locator('.picture').click();
  await until(page, player);
}));
