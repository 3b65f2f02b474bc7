// Asking with the page: sentences, pictures, languages, and what goes wrong.
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {aroundTests, ask, asked, cards, home, on, phone, pictureLoaded, query, scratch, serve,
  shoot, until} from './browser.mjs';

aroundTests();

test('a sentence finds pictures, and its URL can be shared', () => on({}, async (page) => {
  await page.goto(home);
  await page.getByText('Write a sentence').waitFor();
  const {images} = await (await fetch(`${home}v1/collection`)).json();
  await page.getByText(new RegExp(`${images.toLocaleString('en-GB')}\\W* pictures. Ask in`)).waitFor();
  await shoot(page, 'empty');
  await ask(page, query);
  await page.getByText('Understood as').waitFor();
  await pictureLoaded(cards(page).first().locator('img'));
  assert.equal(new URL(page.url()).searchParams.get('q'), query);
  await shoot(page, 'desktop');
  const name = (item) => item.locator('.picture').getAttribute('aria-label');
  const first = await name(cards(page).first());
  assert.match(first, /score \W*0\.\d\d/);
  await page.goto(page.url());
  await cards(page).first().waitFor();
  assert.equal(await name(cards(page).first()), first);
  await ask(page, 'a red bird');
  await page.waitForURL(/red/);
  await page.goBack();
  await until(page, (q) => document.querySelector('#q').value === q, query);
  await page.locator(`#results li:first-child [aria-label="${first}"]`).waitFor();
}));

test('unknown words are named, and a sentence of them alone is an error', () =>
  on({}, async (page) => {
    await page.goto(home);
    await ask(page, `${query} qqxqq`);
    await page.getByText('Not known to the model').waitFor();
    assert.match(await page.locator('#status').textContent(), /qqxqq/);
    await ask(page, 'qqxqq');
    await page.getByRole('alert').getByText('could not be answered').waitFor();
    assert.equal(await cards(page).count(), 0);
    await shoot(page, 'error');
    await ask(page, query);
    await cards(page).first().waitFor();
    assert.equal(await page.getByRole('alert').textContent(), '');
  }));

test('more like this, from a tile', () => on({}, async (page) => {
  await page.goto(home + asked);
  await cards(page).first().hover();
  await cards(page).first().getByRole('button', {name: 'More like this'}).click();
  await page.waitForURL(/\?like=/);
  await page.getByText('Pictures like').waitFor();
  await pictureLoaded(page.locator('#chip img'));
  await shoot(page, 'like');
  await page.locator('#chip button').click();
  await page.getByText('Write a sentence').waitFor();
  assert.equal(new URL(page.url()).search, '');
}));

test('a picture is chosen, dropped or pasted', () => on({}, async (page) => {
  await page.goto(home);
  await page.getByText('Write a sentence').waitFor();
  const id = (await (await fetch(`${home}v1/search?q=${encodeURIComponent(query)}&k=1`)).json())
    .results[0].image;
  const bytes = Buffer.from(await (await fetch(`${home}v1/image/${id}?size=full`)).arrayBuffer());
  const file = join(scratch, 'mine.png');
  writeFileSync(file, bytes);
  const best = page.locator(`#results li:first-child .picture[aria-label*="${id}"]`);

  await page.locator('#file').setInputFiles(file);
  await page.getByText('Pictures like yours').waitFor();
  await best.waitFor();  // it finds itself
  await shoot(page, 'upload');
  for (const kind of ['drop', 'paste']) {
    await page.goto(home);
    await page.getByText('Write a sentence').waitFor();
    await page.evaluate(([what, numbers]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(numbers)], 'mine.png', {type: 'image/png'}));
      document.body.dispatchEvent(what === 'drop'
        ? new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data})
        : new ClipboardEvent('paste', {bubbles: true, clipboardData: data}));
    }, [kind, [...readFileSync(file)]]);
    await best.waitFor();
  }
  await page.locator('#file').setInputFiles({name: 'no.png', mimeType: 'image/png',
    buffer: Buffer.from('no picture')});
  await page.getByRole('alert').getByText('could not be answered').waitFor();
}));

for (const [locale, word] of [['de-AT', 'Suchen'], ['fr-FR', 'Chercher'], ['zh-CN', '搜索'],
  ['ar-EG', 'ابحث'], ['pl-PL', 'Search']]) {
  test(`the page speaks ${locale}`, () => on({locale}, async (page) => {
    await page.goto(home + asked);
    await page.getByRole('button', {name: word, exact: true}).waitFor();
    await pictureLoaded(cards(page).first().locator('img'));
    const rtl = locale.startsWith('ar');
    assert.equal(await page.evaluate(() => document.documentElement.dir), rtl ? 'rtl' : 'ltr');
    await shoot(page, `locale-${locale}`);
  }));
}

test('with a key the page asks for it, and shows pictures then', () => on({}, async (page) => {
  const file = join(scratch, 'key');
  writeFileSync(file, 'correct-horse-battery\n');
  await page.goto((await serve('--api-key-file', file)) + asked);
  await page.getByLabel('needs a key').fill('wrong');
  await page.getByRole('button', {name: 'Open', exact: true}).click();
  await page.getByText('does not fit').waitFor();
  await shoot(page, 'key');
  await page.getByLabel('needs a key').fill('correct-horse-battery');
  await page.getByRole('button', {name: 'Open', exact: true}).click();
  await pictureLoaded(cards(page).first().locator('img'));
  assert.equal(await page.locator('#keys').isVisible(), false);
  await cards(page).first().locator('.picture').click();
  await pictureLoaded(page.locator('#large'));
  assert.equal(await page.locator('#original').isVisible(), false);  // a link carries no key
}));

test('a server that is busy or gone is told of', () => on({}, async (page) => {
  await page.goto(home);
  await page.getByText('Write a sentence').waitFor();
  await page.route('**/v1/search*', (route) => route.fulfill({status: 503, json: {error: {}}}));
  await ask(page, query);
  await page.getByText('The server is busy').waitFor();
  await page.unroute('**/v1/search*');
  await page.route('**/v1/search*', (route) => route.abort());
  await ask(page, `${query} again`);
  await page.getByText('does not answer').waitFor();
}));

test('a server that comes late is asked again', () => on({}, async (page) => {
  await page.route('**/v1/collection', (route) => route.abort());
  await page.goto(home);
  await page.getByText('does not answer').waitFor();
  await page.unroute('**/v1/collection');
  await ask(page, query);
  await cards(page).first().waitFor();
}));

test('a file that is gone leaves its name', () => on(phone, async (page) => {
  await page.route('**/v1/image/*', (route) => route.fulfill({status: 404, json: {error: {}}}));
  await page.goto(home + asked);
  await cards(page).first().getByText('no file').waitFor();
}));
