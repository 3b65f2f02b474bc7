// Pictures and films of all kinds (tests/kinds/make): each has its tile and opens; what moves, moves.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {test} from 'node:test';
import {answer, aroundTests, cards, home, on, pathOf, shoot, until} from './browser.mjs';

const made = existsSync(pathOf('kinds'));  // by tests/kinds/check
if (made) aroundTests('kinds');
const kindsTest = (name, run) => test(name, {skip: !made}, run);
const question = '?q=a+red+bird';

async function showAll(page) {
  const {results} = await answer(home, `v1/search${question}&k=100`);
  await page.goto(home + question);
  await until(page, (count) => {
    window.scrollTo(0, document.body.scrollHeight);
    return document.querySelectorAll('.picture img.loaded').length === count;
  }, results.length);
  return results;
}

kindsTest('each has its tile', () => on({}, async (page) => {
  const results = await showAll(page);
  assert.equal(await cards(page).count(), results.length);
  const none = await page.evaluate(() => [...document.querySelectorAll('.picture img')]
    .filter((image) => image.naturalWidth < 32).map((image) => image.alt));
  assert.deepEqual(none, []);
  await shoot(page, 'all kinds');
}));

kindsTest('each opens, and what moves is shown moving', () => on({}, async (page) => {
  const results = await showAll(page);
  await cards(page).first().locator('.picture').click();
  for (const {image} of results) {
    const moves = /\.(gif|webp)#t=/.test(image);
    const film = !moves && image.includes('#t=');
    await until(page, (id) => document.querySelector('#about').textContent.includes(id.split('#')[0]), image);
    await until(page, (isFilm) => {
      const [large, video] = [document.querySelector('#view img#large'), document.querySelector('#view video:not([hidden])')];
      return (isFilm && video && video.videoWidth > 32) || (large && large.complete && large.naturalWidth > 32);
    }, film);
    if (moves) assert.match(await page.locator('#large').getAttribute('src'), /\/film\//, image);
    await page.locator('#close').focus();
    await page.keyboard.press('ArrowRight');
  }
}));
