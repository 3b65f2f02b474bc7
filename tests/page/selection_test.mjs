// Pictures that are set aside, and the list of their paths.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {answer, aroundTests, ask, asked, cards, home, ids, on, phone, serve, shoot} from './browser.mjs';

aroundTests('folder');

// What a button of the bar hands over: its name and its text.
async function downloaded(page, button) {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', {name: button}).click();
  const download = await waiting;
  return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
}
const bar = (page) => page.getByRole('region', {name: 'Selection'});
const choose = (page, i) => cards(page).nth(i).getByRole('checkbox');

test('what is chosen comes as a list of paths', () => on({}, async (page) => {
  await page.goto(home + asked);
  await cards(page).first().waitFor();
  assert.equal(await bar(page).isVisible(), false);
  const shown = await ids(page);
  const files = new Map((await answer(home, `v1/search${asked}&k=1000`)).results.map((hit) => [hit.image, hit.file]));
  await choose(page, 0).check();
  await choose(page, 2).focus();
  await page.keyboard.press('Space');
  await bar(page).getByText(/^\W*2\W* selected$/).waitFor();
  await shoot(page, 'selection');
  const first = [shown[0], shown[2]];
  assert.deepEqual(await downloaded(page, 'Paths as text'),
    ['hinny-selection.txt', first.map((id) => `${files.get(id)}\n`).join('')]);

  // Other questions leave it as it is, and add to it.
  await ask(page, 'a red bird');
  await page.waitForURL(/red/);
  await page.getByText('Understood as').waitFor();
  const others = await ids(page);
  const more = others.find((id) => !first.includes(id));
  await choose(page, others.indexOf(more)).check();
  const [name, text] = await downloaded(page, 'Paths as JSON');
  assert.equal(name, 'hinny-selection.json');
  assert.deepEqual(JSON.parse(text), [...first, more].map((image) => ({image, file: files.get(image)})));
  await page.goBack();
  await page.getByText('Understood as').waitFor();
  assert.deepEqual((await ids(page)).slice(0, 24), shown.slice(0, 24));
  assert.ok(await choose(page, 0).isChecked() && await choose(page, 2).isChecked());
  assert.equal(await choose(page, 1).isChecked(), shown[1] === more);

  await choose(page, 0).uncheck();
  const now = await ids(page);  // as one scrolled there are more
  await page.getByRole('button', {name: 'Select all that are shown'}).click();
  assert.ok(await choose(page, 0).isChecked());
  const [, all] = await downloaded(page, 'Paths as text');
  const lines = all.trimEnd().split('\n');
  for (const id of [...now, more]) assert.ok(lines.includes(files.get(id)), id);
  await page.getByRole('button', {name: 'Clear the selection'}).click();
  assert.equal(await bar(page).isVisible(), false);
  assert.equal(await page.locator('.choose:checked').count(), 0);
}));

test('an open picture is chosen, and on a phone too', async () => {
  for (const options of [{}, phone, {locale: 'ar-EG'}]) {
    await on(options, async (page) => {
      await page.goto(home + asked);
      await cards(page).first().locator('.picture').click();
      const button = page.locator('#select');
      await button.click();
      assert.equal(await button.getAttribute('aria-pressed'), 'true');
      await shoot(page, 'selected-lightbox');
      await page.keyboard.press(options.locale ? 'ArrowLeft' : 'ArrowRight');
      assert.equal(await button.getAttribute('aria-pressed'), 'false');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({state: 'hidden'});
      assert.ok(await cards(page).first().locator('.choose').isChecked());
      assert.ok(await page.locator('#selection').isVisible());
      await shoot(page, 'selected');
    });
  }
});

test('a picture without a file goes by its id', () => on({}, async (page) => {
  await page.goto(await serve('gone') + asked);
  await cards(page).first().waitFor();
  const {results: [{image, file}]} = await answer(new URL('/', page.url()).href, `v1/search${asked}&k=1`);
  await choose(page, 0).check();
  assert.equal((await downloaded(page, 'Paths as text'))[1], `${file || image}\n`);
}));
