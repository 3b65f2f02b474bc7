// One picture, large: by keys, by touch, and in the history.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {aroundTests, asked, cards, home, ids, manyCards, on, phone, pictureLoaded, shoot, until}
  from './browser.mjs';
import {asFolderIndex, file, taken} from './folder_index.mjs';

aroundTests();

const dialog = (page) => page.getByRole('dialog');
const closed = (page) => dialog(page).waitFor({state: 'hidden'});
const focusedId = (page) => page.evaluate(
  () => document.activeElement.closest('li')?.hit.image);
const hash = (page) => page.evaluate(() => location.hash);
const atPlace = (page, text) => page.locator('#place').getByText(text).waitFor();
async function results(page, path = asked) {
  await page.goto(home + path);
  await cards(page).first().waitFor();
}
async function opened(page, path) {
  await results(page, path);
  await cards(page).first().locator('.picture').click();
  await dialog(page).waitFor();
}
// What is said there, without the marks that keep directions apart.
const text = async (locator) => (await locator.textContent()).replace(/[\u2068\u2069]/g, '');

// A picture's name without its folder and ending: an index of a folder calls pictures by their files,
// one of a dataset by ids beside them.
const stem = (name) => name.slice(name.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
const titled = (page, id) => until(page, (name) =>
  document.querySelector('#title').textContent.replace(/\.\w+$/, '') === name, stem(id));

test('a picture opens, moves on and closes by keyboard', () => on({}, async (page) => {
  await results(page);
  const shown = await ids(page);
  await cards(page).first().locator('.picture').focus();
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  assert.equal(stem(await page.locator('#title').textContent()), stem(shown[0]));
  await pictureLoaded(page.locator('#large'));
  assert.equal(await hash(page), `#picture=${shown[0]}`);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await atPlace(page, /3.* of /);
  assert.equal(stem(await page.locator('#title').textContent()), stem(shown[2]));
  assert.equal(await hash(page), `#picture=${shown[2]}`);
  await page.keyboard.press('ArrowLeft');
  await atPlace(page, /2.* of /);
  assert.equal(await dialog(page).evaluate((e) => e.getAttribute('aria-labelledby')), 'title');
  await page.keyboard.press('Escape');
  await closed(page);
  await until(page, () => location.hash === '');
  assert.equal(await focusedId(page), shown[1]);
  assert.deepEqual((await ids(page)).slice(0, shown.length), shown);
}));

test('at the first picture there is none before it', () => on({}, async (page) => {
  await opened(page);
  await page.keyboard.press('ArrowLeft');
  await atPlace(page, /1.* of /);
  assert.equal(await page.locator('#previous').getAttribute('aria-disabled'), 'true');
  assert.equal(await page.locator('#next').getAttribute('aria-disabled'), 'false');
}));

test('focus goes round within', () => on({}, async (page) => {
  await opened(page);
  const seen = new Set();
  for (let i = 0; i < 12; ++i) {
    await page.keyboard.press(i < 8 ? 'Tab' : 'Shift+Tab');
    const [inside, name] = await page.evaluate(() => [
      Boolean(document.activeElement.closest('#lightbox')), document.activeElement.id]);
    assert.ok(inside, `press ${i} led to ${name || 'elsewhere'}`);
    seen.add(name);
  }
  for (const name of ['close', 'like', 'next', 'previous', 'original']) assert.ok(seen.has(name), name);
}));

test('after the last that is shown come more', () => on({}, async (page) => {
  await results(page);
  await manyCards(page, 24);
  await page.waitForLoadState('networkidle');
  const n = await cards(page).count();
  await page.evaluate(() => [...document.querySelectorAll('#results .picture')].at(-1).click());
  await atPlace(page, new RegExp(`^\\W*${n}\\W* of`));
  await page.keyboard.press('ArrowRight');
  await atPlace(page, new RegExp(`^\\W*${n + 1}\\W* of`));
  assert.ok(await cards(page).count() > n);
}));

test('going back closes it, forward opens it, and its link can be shared', () =>
  on({}, async (page) => {
    await opened(page);
    await pictureLoaded(page.locator('#large'));
    const link = page.url();
    const name = await page.locator('#title').textContent();
    await page.goBack();
    await closed(page);
    assert.equal(new URL(page.url()).hash, '');
    await page.goForward();
    await dialog(page).waitFor();
    await page.goto('about:blank');
    await page.goto(link);
    await dialog(page).waitFor();
    assert.equal(await page.locator('#title').textContent(), name);
    await page.keyboard.press('Escape');  // nothing to go back to: the page stays
    await closed(page);
    await until(page, () => location.hash === '');
    assert.ok(await cards(page).count() > 0);
    await page.goto(`${home}${asked}#picture=no-such-picture`);
    await cards(page).first().waitFor();
    await until(page, () => location.hash === '');
  }));

test('more like this, and back to the picture', () => on({}, async (page) => {
  await opened(page);
  const name = await page.locator('#title').textContent();
  const [first] = await ids(page);
  await page.locator('#lightbox').getByRole('button', {name: 'More like this'}).click();
  await page.getByText('Pictures like').waitFor();
  await closed(page);
  assert.equal(new URL(page.url()).searchParams.get('like'), first);
  await page.goBack();
  await dialog(page).waitFor();
  assert.equal(await page.locator('#title').textContent(), name);
  await page.getByRole('button', {name: 'Close'}).click();
  await closed(page);
  await until(page, () => location.hash === '');
}));

test('it says what is known: when, where, how good, and its near copies', () =>
  on({}, async (page) => {
    await asFolderIndex(page);
    await opened(page, `${asked}&near_copies=1`);
    const [id] = await ids(page);
    const facts = await text(page.locator('#facts'));
    const day = new Intl.DateTimeFormat('en-GB', {dateStyle: 'full', timeZone: 'UTC'});
    assert.ok(facts.includes(day.format(new Date(`${taken(id).slice(0, 10)}T00:00:00Z`))), facts);
    assert.ok(facts.includes(taken(id).slice(11, 16)), facts);
    assert.ok(facts.includes(file(id)), facts);
    assert.match(facts, /Score0\.\d\d/);
    assert.match(await page.locator('#original').getAttribute('href'), /size=full$/);
    assert.equal(await text(page.locator('#twins-title')), '1 near copy');
    await pictureLoaded(page.locator('#twins img'));
    await shoot(page, 'lightbox');
    await page.locator('#twins button').click();
    await atPlace(page, /2.* of /);
    await page.keyboard.press('ArrowLeft');
    await atPlace(page, /1.* of /);
    await page.getByRole('button', {name: /^Only in/}).first().click();
    await closed(page);
    assert.equal(new URL(page.url()).searchParams.get('in'), file(id).split('/')[0]);
  }));

test('what it cannot say it leaves out', () => on({}, async (page) => {
  await page.route('**/v1/sentences*', (route) => route.fulfill({json: {sentences: []}}));
  await page.route('**/v1/search?*', async (route) => {
    const body = await (await route.fetch()).json();
    await route.fulfill({json: {...body,
      results: body.results.map(({image, url, score}) => ({image, url, score}))}});
  });
  await opened(page);
  await pictureLoaded(page.locator('#large'));
  assert.deepEqual(await page.locator('#facts dt').allTextContents(), ['Score']);
  for (const part of ['#twins', '#why', '#sentences']) {
    assert.equal(await page.locator(part).isVisible(), false, part);
  }
}));

test('from right to left the next one is on the left', () =>
  on({locale: 'ar-EG'}, async (page) => {
    await opened(page);
    const shown = await ids(page);
    await page.keyboard.press('ArrowLeft');
    await titled(page, shown[1]);
    const [next, previous] = [await page.locator('#next').boundingBox(),
      await page.locator('#previous').boundingBox()];
    assert.ok(next.x < previous.x);
    await page.keyboard.press('Escape');
    await until(page, () => location.hash === '');
    const before = await focusedId(page);
    await page.keyboard.press('ArrowLeft');
    const after = await focusedId(page);
    assert.deepEqual([before, after], [shown[1], shown[2]]);
  }));

test('on a phone it moves by swipes', () => on(phone, async (page) => {
  await results(page);
  const shown = await ids(page);
  await cards(page).first().locator('.picture').tap();
  await pictureLoaded(page.locator('#large'));
  await shoot(page, 'phone-lightbox');
  const swipe = (x, y) => page.evaluate(([dx, dy]) => {
    const stage = document.querySelector('#stage');
    const at = (left, top) => new Touch({identifier: 1, target: stage, clientX: left, clientY: top});
    stage.dispatchEvent(new TouchEvent('touchstart', {touches: [at(180, 200)], bubbles: true}));
    stage.dispatchEvent(new TouchEvent('touchend',
      {changedTouches: [at(180 + dx, 200 + dy)], bubbles: true}));
  }, [x, y]);
  await swipe(-120, 10);
  await titled(page, shown[1]);
  await swipe(-20, 0);    // a tap
  await swipe(-60, 200);  // a scroll
  await swipe(120, -10);
  await titled(page, shown[0]);
  await page.locator('#close').tap();
  await closed(page);
}));

// As a collection of a model with regions answers; the test index has none.
test('a picture shows which words and cells carried its score', () => on({}, async (page) => {
  const explanation = {
    words: [{word: '', share: 0.1, regions: [0.1, 0, 0, 0]},
      {word: 'cup', share: 0.6, regions: [0, 0, 0, 0.6]},
      {word: 'red', share: 0.3, regions: [0.3, 0, 0, 0]}],
    regions: [0.4, 0, 0, 0.6],
    grid: [2, 2],
  };
  await page.route('**/v1/collection', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({json: {...await answer.json(), explains: true}});
  });
  await page.route('**/v1/search*', async (route) => {
    assert.match(route.request().url(), /explain=1/);
    const answer = await route.fetch({url: route.request().url().replace(/&?explain=1/, '')});
    const body = await answer.json();
    for (const hit of body.results) hit.explanation = explanation;
    await route.fulfill({json: body});
  });
  await opened(page);
  await page.getByText('What carried the score').waitFor();
  await pictureLoaded(page.locator('#large'));
  const shade = () => page.locator('#cells i').evaluateAll((cells) =>
    cells.map((cell) => Number(cell.style.getPropertyValue('--dark'))));
  assert.deepEqual(await shade(), []);  // the picture is clear
  const whole = page.getByRole('button', {name: 'The whole sentence'});
  await whole.click();
  assert.deepEqual((await shade()).map((d) => d > 0.5), [false, true, true, false]);
  assert.deepEqual(await page.locator('#cells').boundingBox(), await page.locator('#large').boundingBox());
  assert.equal(await page.locator('#words button').count(), 3);
  await page.getByRole('button', {name: 'red 30 %'}).click();
  assert.deepEqual((await shade()).map((d) => d > 0.5), [false, true, true, true]);
  assert.equal(await whole.getAttribute('aria-pressed'), 'false');
  await page.getByRole('button', {name: 'red 30 %'}).click();
  assert.deepEqual(await shade(), []);
  await whole.click();
  await page.keyboard.press('ArrowRight');  // stays chosen
  await atPlace(page, /2.* of /);
  assert.equal((await shade())[3], 0);
  await page.keyboard.press('ArrowLeft');  // though the button that had the focus is gone
  await atPlace(page, /1.* of /);
  await shoot(page, 'why');
}));

test('sentences stand under their languages, each in its direction', () => on({}, async (page) => {
  await page.route('**/v1/sentences*', (route) => route.fulfill({json: {image: 'x', sentences: [
    {language: 'ar', text: 'ثلاثة أكواب صفراء', score: 0.5},
    {language: 'en', text: 'three <b>yellow</b> cups', score: 0.4},
    {language: 'en', text: 'some cups in a meadow', score: 0.3},
    {language: 'zh', text: '草地上的三个黄色杯子', score: 0.3}]}}));
  await opened(page);
  await page.getByText('three <b>yellow</b> cups').waitFor();
  assert.deepEqual(await page.locator('#sentences h4').allTextContents(),
    ['English', 'Arabic', 'Chinese']);  // the page's language before the others
  const arabic = page.locator('#sentences li[lang=ar]');
  assert.equal(await arabic.evaluate((e) => getComputedStyle(e).direction), 'rtl');
  await pictureLoaded(page.locator('#large'));
  await shoot(page, 'sentences');
}));
