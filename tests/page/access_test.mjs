// For those who see little, or do without a mouse: names, contrast, keys, at two widths, by day and
// by night.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {aroundTests, asked, cards, fits, home, ids, on, phone, pictureLoaded, shoot} from './browser.mjs';
import {violations} from './axe.mjs';
import {faint, reached, unnamed} from './seen.mjs';

aroundTests('folder');

// Each state that a test names (shoot) and each that it ends in (on) is looked at: so that nothing
// is found is worth something only if something can be.
test('what is wrong is found', () => on({}, async (page) => {
  await page.goto(home);
  await page.locator('#status p').first().waitFor();
  await page.evaluate(() => document.querySelector('header').insertAdjacentHTML('beforeend',
    '<p id="wrong"><button></button><img src="icon.svg"></p>'));
  const found = (await violations(page)).join('\n');
  assert.match(found, /button-name/);
  assert.match(found, /image-alt/);
  await page.evaluate(() => document.querySelector('#wrong').remove());
}));

async function checked(page, name) {
  await page.waitForTimeout(250);  // transitions
  assert.deepEqual(await unnamed(page), [], `${name}: without a name`);
  assert.deepEqual(await faint(page), [], `${name}: too faint`);
  await fits(page);
  await shoot(page, name);
}

for (const colorScheme of ['light', 'dark']) {
  for (const [width, screen] of [[360, phone], [1280, {viewport: {width: 1280, height: 800}}]]) {
    for (const locale of ['en-GB', 'ar-EG', 'de-DE']) {
      const name = `${colorScheme}-${width}-${locale.slice(0, 2)}`;
      test(`names and contrast: ${name}`, () => on({...screen, colorScheme, locale}, async (page) => {
        await page.goto(home);
        await page.locator('#status p').first().waitFor();
        await checked(page, `${name}-bare`);
        const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor
          .match(/\d+/g).map(Number).reduce((a, b) => a + b) < 150);
        assert.equal(dark, colorScheme === 'dark');
        await page.goto(`${home}${asked}%20qqxqq&since=2020&near_copies=1&sort=time`);
        await page.locator('.copies').first().waitFor();
        await cards(page).first().locator('.picture').focus();
        await checked(page, `${name}-results`);
        await cards(page).first().locator('.picture').click();
        await pictureLoaded(page.locator('#large'));
        await checked(page, `${name}-lightbox`);
        await page.goto(`${home}${asked}&near_copies=1`);
        await page.locator('li:has(.copies) .picture').first().click();
        await pictureLoaded(page.locator('#twins img'));
        await checked(page, `${name}-twins`);
      }));
    }
  }
}

test('an error can be read, by day and by night', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await on({colorScheme}, async (page) => {
      await page.goto(`${home}?q=qqxqq`);
      await page.getByRole('alert').getByText('could not be answered').waitFor();
      await checked(page, `error-${colorScheme}`);
    });
  }
});

test('the first Tab leads past the form', () => on({}, async (page) => {
  await page.goto(home + asked);
  await cards(page).first().waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'skip');
  const box = await page.locator('#skip').boundingBox();
  assert.ok(box.y >= 0, 'it cannot be seen');
  await page.keyboard.press('Enter');
  assert.ok(await page.evaluate(() => document.activeElement.matches('li:first-child .picture')));
  assert.ok(!page.url().includes('#'));
}));

test('arrow keys go from picture to picture', () => on({}, async (page) => {
  await page.goto(home + asked);
  await cards(page).first().waitFor();
  const shown = await ids(page);
  const columns = await page.evaluate(() => new Set(
    [...document.querySelectorAll('#results li')].map((e) => e.offsetLeft)).size);
  await cards(page).first().locator('.picture').focus();
  const here = () => page.evaluate(() => document.activeElement.closest('li').hit.image);
  for (const [key, place] of [['ArrowRight', 1], ['ArrowDown', 1 + columns], ['ArrowLeft', columns],
    ['ArrowUp', 0], ['ArrowUp', 0]]) {
    await page.keyboard.press(key);
    assert.equal(await here(), shown[place], key);
  }
}));

// Every control that can be seen, and none twice; focus can be seen on each.
for (const locale of ['en-GB', 'ar-EG']) {
  for (const [state, path] of [['bare', ''], ['results', `${asked}&since=2020&near_copies=1`], ['an error', '?q=qqxqq']]) {
    test(`Tab reaches everything: ${state}, ${locale}`, () => on({locale}, async (page) => {
      await page.goto(home + path);
      if (state === 'results') await page.locator('.copies').first().waitFor();
      await page.waitForLoadState('networkidle');
      if (state === 'results') await cards(page).first().locator('.choose').check();
      await page.locator('#status p, #problem p').first().waitFor();
      const {missed, unseen} = await reached(page);
      assert.deepEqual(missed, [], 'not reached');
      assert.deepEqual(unseen, [], 'the focus is not seen');
      await shoot(page, `tab-${state}-${locale}`);
    }));
  }
}

test('focus can be seen', () => on({}, async (page) => {
  await page.goto(home + asked);
  await cards(page).first().waitFor();
  for (let i = 0; i < 9; ++i) {
    await page.keyboard.press('Tab');
    const [name, seen] = await page.evaluate(() => {
      const around = document.activeElement.closest('.box:focus-within') || document.activeElement;
      const {outlineStyle, outlineWidth} = getComputedStyle(
        document.activeElement.id === 'q' ? around : document.activeElement);
      return [document.activeElement.outerHTML.slice(0, 60),
        outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1];
    });
    assert.ok(seen, name);
  }
}));

test('the number of pictures is said aloud', () => on({}, async (page) => {
  await page.goto(home + asked);
  await cards(page).first().waitFor();
  const status = page.getByRole('status');
  assert.match(await status.textContent(), /\d+\W* best pictures/);
}));
