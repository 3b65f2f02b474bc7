// One picture, large: by keys, by touch, and in the history.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {answer, aroundTests, asked, cards, home, ids, manyCards, on, phone, pictureLoaded, serve,
  shoot, until} from './browser.mjs';

aroundTests();

const dialog = (page) => page.getByRole('dialog');
const closed = (page) => dialog(page).waitFor({state: 'hidden'});
const focusedId = (page) => page.evaluate(
  () => document.activeElement.closest('li')?.hit.image);
const hash = (page) => page.evaluate(() => location.hash);
const atPlace = (page, text) => page.locator('#place').getByText(text).waitFor();
async function results(page, path = asked, server = home) {
  await page.goto(server + path);
  await cards(page).first().waitFor();
}
async function opened(page, path, server) {
  await results(page, path, server);
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
    const server = await serve('folder');
    const found = await answer(server, `v1/search${asked}&near_copies=1&k=24`);
    const place = found.results.findIndex((hit) => hit.copies?.length === 1);
    const {taken, file} = found.results[place];
    await results(page, `${asked}&near_copies=1`, server);
    await cards(page).nth(place).locator('.picture').click();
    await dialog(page).waitFor();
    const facts = await text(page.locator('#facts'));
    const day = new Intl.DateTimeFormat('en-GB', {dateStyle: 'full', timeZone: 'UTC'});
    assert.ok(facts.includes(day.format(new Date(`${taken.slice(0, 10)}T00:00:00Z`))), facts);
    assert.ok(facts.includes(taken.slice(11, 16)), facts);
    assert.ok(facts.includes(file), facts);
    assert.match(facts, /Score-?0\.\d\d/);
    assert.match(await page.locator('#original').getAttribute('href'), /size=full$/);
    assert.equal((await fetch(await page.locator('#original').evaluate((e) => e.href))).status, 200);
    assert.equal(await text(page.locator('#twins-title')), '1 near copy');
    await pictureLoaded(page.locator('#twins img'));
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('#sentences').isVisible(), false);  // a folder's index keeps none
    await shoot(page, 'lightbox');
    await page.locator('#twins button').click();
    await atPlace(page, new RegExp(`^\\W*${place + 2}\\W* of `));
    await page.keyboard.press('ArrowLeft');
    await atPlace(page, new RegExp(`^\\W*${place + 1}\\W* of `));
    await page.getByRole('button', {name: /^Only in/}).first().click();
    await closed(page);
    assert.equal(new URL(page.url()).searchParams.get('in'), file.split('/')[0]);
  }));

test('what it cannot say it leaves out', () => on({}, async (page) => {
  await opened(page, asked, await serve('bare'));
  await pictureLoaded(page.locator('#large'));
  await page.waitForLoadState('networkidle');
  assert.deepEqual(await page.locator('#facts dt').allTextContents(), ['Score', 'File']);
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

test('a picture shows which words and cells carried its score', () => on({}, async (page) => {
  const server = await serve('regions');
  const found = await answer(server, `v1/search${asked}&k=24&explain=1`);
  const [{explanation}] = found.results;
  assert.deepEqual(explanation.grid, [4, 4]);
  await opened(page, asked, server);
  await page.getByText('What carried the score').waitFor();
  await pictureLoaded(page.locator('#large'));
  const shade = () => page.locator('#cells i').evaluateAll((cells) =>
    cells.map((cell) => Number(cell.style.getPropertyValue('--dark'))));
  const expected = (shares) => shares.map((share) => 0.75 * (1 - share / Math.max(...shares)));
  const near = (found, wanted) => {
    assert.equal(found.length, wanted.length);
    found.forEach((dark, i) => assert.ok(Math.abs(dark - wanted[i]) < 1e-3, `${found} ${wanted}`));
  };
  assert.deepEqual(await shade(), []);  // the picture is clear
  const whole = page.getByRole('button', {name: 'The whole sentence'});
  await whole.click();
  near(await shade(), expected(explanation.regions));
  assert.deepEqual(await page.locator('#cells').boundingBox(), await page.locator('#large').boundingBox());
  const words = explanation.words.filter((word) => word.word);
  assert.equal(await page.locator('#words button').count(), words.length + 1);
  const second = page.locator('#words button').nth(2);
  assert.match(await second.textContent(), new RegExp(`${words[1].word} ${Math.round(100 * words[1].share)} %`));
  await second.click();
  near(await shade(), expected(words[1].regions));
  assert.equal(await whole.getAttribute('aria-pressed'), 'false');
  await second.click();
  assert.deepEqual(await shade(), []);
  await whole.click();
  await page.keyboard.press('ArrowRight');  // stays chosen
  await atPlace(page, /2.* of /);
  near(await shade(), expected(found.results[1].explanation.regions));
  await page.keyboard.press('ArrowLeft');  // though the button that had the focus is gone
  await atPlace(page, /1.* of /);
  await shoot(page, 'why');
}));

test('sentences stand under their languages, each in its direction', () => on({}, async (page) => {
  const server = await serve('marked');
  await opened(page, asked, server);
  const [id] = await ids(page);
  const {sentences} = await answer(server, `v1/sentences?image=${id}&k=3`);
  const said = (code) => sentences.filter((s) => s.language === code).map((s) => s.text);
  assert.match(said('en')[0], /^three <b>yellow<\/b> cups, /);
  await page.getByText(said('en')[0], {exact: true}).waitFor();  // as text, not as markup
  for (const code of new Set(sentences.map((s) => s.language))) {
    assert.deepEqual(await page.locator(`#sentences li[lang=${code}]`).allTextContents(), said(code));
  }
  const names = await page.locator('#sentences h4').allTextContents();
  assert.equal(names[0], 'English');  // the page's language before the others
  assert.ok(names.includes('Arabic') && names.includes('Chinese'), names.join());
  const arabic = page.locator('#sentences li[lang=ar]').first();
  assert.equal(await arabic.evaluate((e) => getComputedStyle(e).direction), 'rtl');
  await pictureLoaded(page.locator('#large'));
  await shoot(page, 'sentences');
}));

test('every picture of a folder opens, one after the other', () => on({}, async (page) => {
  const server = await serve('folder');
  await opened(page, asked, server);
  const shown = await ids(page);
  for (let i = 1; i < 12; ++i) {
    await page.keyboard.press('ArrowRight');
    await titled(page, shown[i]);
  }
  assert.equal((await answer(server, 'health')).status, 'ok');
}));
