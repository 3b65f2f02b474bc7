// The page in a real browser against a real server: scripts/test-page.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';

const hinny = process.env.HINNY;
const index = process.env.HINNY_TEST_INDEX;
const query = process.env.HINNY_TEST_QUERY || 'three yellow cups in a meadow';
const shots = process.env.HINNY_TEST_SHOTS;  // a folder for screenshots, to look at
const scratch = mkdtempSync(join(tmpdir(), 'hinny-page-'));
const servers = [];
let browser;
let home;

// Starts `hinny serve` on a free port and gives its address.
async function serve(...more) {
  const server = spawn(hinny, ['serve', index, '--port', '0', ...more]);
  servers.push(server);
  let said = '';
  return new Promise((resolve, reject) => {
    server.stderr.on('data', (bytes) => {
      said += bytes;
      const found = said.match(/on (http:\S+)\n/);
      if (found) resolve(found[1]);
    });
    server.on('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
}

before(async () => {
  home = await serve();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
});

after(async () => {
  if (browser) await browser.close();
  for (const server of servers) server.kill('SIGTERM');
  rmSync(scratch, {recursive: true});
});

// Opens a page, runs the test, and sees to it that nothing was wrong behind the scenes. What the
// page does with a failing request is to be seen on it; the browser's own note about that is not.
async function on(options, use) {
  const context = await browser.newContext({locale: 'en-GB', ...options});
  context.setDefaultTimeout(10000);
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const noise = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !noise) faults.push(message.text());
  });
  try {
    await use(page);
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
  }
}

const cards = (page) => page.locator('#results li');
const shoot = (page, name) => shots && page.screenshot({path: join(shots, `${name}.png`)});
async function pictureLoaded(image) {
  await image.waitFor();
  await image.evaluate((e) => e.decode());
  assert.ok(await image.evaluate((e) => e.naturalWidth) > 0);
}
async function ask(page, text) {
  await page.getByRole('searchbox').fill(text);
  await page.keyboard.press('Enter');
}

test('a sentence finds pictures, and its URL can be shared', () => on({}, async (page) => {
  await page.goto(home);
  await page.getByText('Write a sentence').waitFor();
  await shoot(page, 'empty');
  await ask(page, query);
  await page.getByText('Understood as').waitFor();
  assert.equal(await cards(page).count(), 24);
  await pictureLoaded(cards(page).first().locator('img'));
  assert.equal(new URL(page.url()).searchParams.get('q'), query);
  await shoot(page, 'desktop');
  const first = await cards(page).first().textContent();
  await page.goto(page.url());
  await cards(page).first().waitFor();
  assert.equal(await cards(page).first().textContent(), first);
  await ask(page, 'a red bird');
  await page.waitForURL(/red/);
  await page.goBack();
  await page.waitForFunction((q) => document.querySelector('#q').value === q, query);
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

test('more like this, and more pictures', () => on({}, async (page) => {
  await page.goto(`${home}?q=${encodeURIComponent(query)}`);
  await cards(page).first().waitFor();
  await page.getByRole('button', {name: 'Show more'}).click();
  await page.waitForFunction(() => document.querySelectorAll('#results li').length === 48);
  await cards(page).first().getByRole('button', {name: 'More like this'}).click();
  await page.waitForURL(/\?like=/);
  await page.getByText('Pictures like').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('#results li').length === 24);
  await shoot(page, 'like');
  await page.locator('#chip button').click();
  await page.getByText('Write a sentence').waitFor();
}));

test('a picture is chosen, dropped or pasted', () => on({}, async (page) => {
  await page.goto(home);
  await page.getByText('Write a sentence').waitFor();
  const id = (await (await fetch(`${home}v1/search?q=${encodeURIComponent(query)}&k=1`)).json())
    .results[0].image;
  const bytes = Buffer.from(await (await fetch(`${home}v1/image/${id}?size=full`)).arrayBuffer());
  const file = join(scratch, 'mine.png');
  writeFileSync(file, bytes);
  const best = page.locator(`#results li:first-child button[aria-label*="${id}"]`);

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

test('a picture opens with its sentences and closes by keyboard', () => on({}, async (page) => {
  await page.goto(`${home}?q=${encodeURIComponent(query)}`);
  await cards(page).first().waitFor();
  await cards(page).first().locator('.picture').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await pictureLoaded(page.locator('#panel-picture'));
  const id = await page.locator('#panel-title').textContent();
  const {sentences} = await (await fetch(`${home}v1/sentences?image=${id}&k=3`)).json();
  const wanted = sentences.length ? sentences.at(-1).text : 'This collection keeps no sentences.';
  await page.locator('#sentences').getByText(wanted, {exact: true}).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({state: 'hidden'});
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
  await page.goto(`${home}?q=${encodeURIComponent(query)}`);
  await cards(page).first().locator('.picture').click();
  await page.getByText('What carried the score').waitFor();
  const shade = () => page.locator('#cells i').evaluateAll((cells) =>
    cells.map((cell) => Number(cell.style.getPropertyValue('--dark'))));
  assert.deepEqual((await shade()).map((d) => d > 0.5), [false, true, true, false]);
  assert.equal(await page.locator('#words button').count(), 2);
  await page.getByRole('button', {name: 'red 30 %'}).click();
  assert.deepEqual((await shade()).map((d) => d > 0.5), [false, true, true, true]);
  await page.getByRole('button', {name: 'red 30 %'}).click();
  assert.equal((await shade())[3], 0);
  await shoot(page, 'why');
}));

test('sentences stand under their languages, each in its direction', () => on({}, async (page) => {
  await page.route('**/v1/sentences*', (route) => route.fulfill({json: {image: 'x', sentences: [
    {language: 'ar', text: 'ثلاثة أكواب صفراء', score: 0.5},
    {language: 'en', text: 'three <b>yellow</b> cups', score: 0.4},
    {language: 'en', text: 'some cups in a meadow', score: 0.3},
    {language: 'zh', text: '草地上的三个黄色杯子', score: 0.3}]}}));
  await page.goto(`${home}?q=${encodeURIComponent(query)}`);
  await cards(page).first().locator('.picture').click();
  await page.getByText('three <b>yellow</b> cups').waitFor();
  assert.equal(await page.locator('#sentences h4').count(), 3);
  const arabic = page.locator('#sentences li[lang=ar]');
  assert.equal(await arabic.evaluate((e) => getComputedStyle(e).direction), 'rtl');
  await pictureLoaded(page.locator('#panel-picture'));
  await shoot(page, 'panel');
}));

for (const [locale, word] of [['de-AT', 'Suchen'], ['fr-FR', 'Chercher'], ['zh-CN', '搜索'],
  ['ar-EG', 'ابحث'], ['pl-PL', 'Search']]) {
  test(`the page speaks ${locale}`, () => on({locale}, async (page) => {
    await page.goto(`${home}?q=${encodeURIComponent(query)}`);
    await page.getByRole('button', {name: word, exact: true}).waitFor();
    await cards(page).first().waitFor();
    const rtl = locale.startsWith('ar');
    assert.equal(await page.evaluate(() => document.documentElement.dir), rtl ? 'rtl' : 'ltr');
    await pictureLoaded(cards(page).first().locator('img'));
    await shoot(page, `locale-${locale}`);
  }));
}

test('a phone shows it without scrolling sideways', () =>
  on({viewport: {width: 360, height: 740}, hasTouch: true, isMobile: true}, async (page) => {
    for (const path of ['', `?q=${encodeURIComponent(query)}`]) {
      await page.goto(home + path);
      await page.waitForFunction(() => document.querySelector('#status').textContent !== '');
      const [inner, wide] = await page.evaluate(
        () => [innerWidth, document.documentElement.scrollWidth]);
      assert.ok(wide <= inner, `${wide} wide on ${inner}`);
    }
    await pictureLoaded(cards(page).first().locator('img'));
    await shoot(page, 'phone');
    await cards(page).first().locator('.picture').tap();
    await page.getByRole('dialog').waitFor();
    await pictureLoaded(page.locator('#panel-picture'));
    await shoot(page, 'phone-panel');
  }));

test('by night it is dark', () => on({colorScheme: 'dark'}, async (page) => {
  await page.goto(`${home}?q=${encodeURIComponent(query)}`);
  await pictureLoaded(cards(page).first().locator('img'));
  const [r, g, b] = await page.evaluate(() =>
    getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  assert.ok(r + g + b < 150);
  await shoot(page, 'dark');
}));

test('with a key the page asks for it, and shows pictures then', () => on({}, async (page) => {
  const file = join(scratch, 'key');
  writeFileSync(file, 'correct-horse-battery\n');
  await page.goto(`${await serve('--api-key-file', file)}?q=${encodeURIComponent(query)}`);
  await page.getByLabel('needs a key').fill('wrong');
  await page.getByRole('button', {name: 'Open', exact: true}).click();
  await page.getByText('does not fit').waitFor();
  await shoot(page, 'key');
  await page.getByLabel('needs a key').fill('correct-horse-battery');
  await page.getByRole('button', {name: 'Open', exact: true}).click();
  await pictureLoaded(cards(page).first().locator('img'));
  assert.equal(await page.locator('#keys').isVisible(), false);
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
