// Asking with the page: sentences, pictures, languages, and what goes wrong.
import assert from 'node:assert/strict';
import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer, request} from 'node:http';
import {join} from 'node:path';
import {test} from 'node:test';
import {answer, aroundTests, ask, asked, cards, hinnyIndex, home, ids, on, pathOf, phone,
  pictureLoaded, query, scratch, serve, shoot, until} from './browser.mjs';

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
  await page.goto((await serve('dataset', '--api-key-file', file)) + asked);
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

// What a server does when it is asked too much is not to be had at will: this refusal is made up.
test('a server that is busy or out of reach is told of', () => on({}, async (page) => {
  await page.goto(home);
  await page.getByText('Write a sentence').waitFor();
  await page.route('**/v1/search*', (route) => route.fulfill({status: 503, json: {error: {}}}));
  await ask(page, query);
  await page.getByText('The server is busy').waitFor();
  await page.unroute('**/v1/search*');
  await page.context().setOffline(true);
  await ask(page, `${query} again`);
  await page.getByText('does not answer').waitFor();
  await page.context().setOffline(false);
  await ask(page, query);
  await cards(page).first().waitFor();
}));

test('a server that comes late is asked again', () => on({}, async (page) => {
  await page.route('**/v1/collection', (route) => route.abort());  // the network's failure
  await page.goto(home);
  await page.getByText('does not answer').waitFor();
  await page.unroute('**/v1/collection');
  await ask(page, query);
  await cards(page).first().waitFor();
}));

test('what is written while the server takes its time stays', () => on({}, async (page) => {
  let go;
  const wait = new Promise((done) => { go = done; });
  await page.route('**/v1/collection', async (route) => {
    await wait;
    await route.continue();
  });
  await page.goto(home + asked);
  assert.equal(await page.getByRole('searchbox').inputValue(), query);
  await page.getByRole('searchbox').fill('a red bird');
  go();
  await cards(page).first().waitFor();
  assert.equal(await page.getByRole('searchbox').inputValue(), 'a red bird');
  await page.keyboard.press('Enter');
  await page.waitForURL(/red/);
}));

test('a file that is gone leaves its name', () => on(phone, async (page) => {
  await page.goto(await serve('gone') + asked);
  await cards(page).first().getByText('no file').waitFor();
  await cards(page).first().locator('.picture').tap();
  await page.getByRole('dialog').waitFor();
}));

test('an index that changes is asked as it is now', () => on({}, async (page) => {
  const changing = join(scratch, 'changing');
  cpSync(pathOf('dataset'), changing, {recursive: true});
  const server = await serve(changing);
  await page.goto(server + asked);
  await cards(page).first().waitFor();
  const [first, second] = await ids(page);
  const {images} = await answer(server, 'v1/collection');
  hinnyIndex('remove', changing, first);
  for (let i = 0; i < 100 && (await answer(server, 'v1/collection')).images === images; ++i) {
    await page.waitForTimeout(100);
  }
  await cards(page).first().locator('.picture').click();  // the picture that is no more
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('ArrowRight');
  await pictureLoaded(page.locator('#large'));
  await page.goto(server + asked);
  await cards(page).first().waitFor();
  assert.equal((await ids(page))[0], second);
}));

test('pictures that hardly belong stand behind a line', () => on({}, async (page) => {
  const server = await serve('fitting');
  await page.goto(server + asked);
  await cards(page).first().waitFor();
  await page.locator('.line').getByText('Less likely from here').waitFor();
  await shoot(page, 'line');
  const {results} = await answer(server, `v1/search${asked}&k=${await cards(page).count()}`);
  const likely = results.findLastIndex((result) => result.fit >= 0.17) + 1;
  assert.ok(likely > 0 && likely < results.length, String(likely));
  const marks = await page.evaluate(() => [...document.querySelectorAll('#results li')].map(
    (tile) => [tile.classList.contains('less'), Boolean(tile.querySelector('.line'))]));
  assert.deepEqual(marks, results.map((_, i) => [i >= likely, i === likely]));
  assert.equal(await page.getByText('Nothing seems to fit').count(), 0);
  await page.goto(await serve('strange') + asked);
  await page.getByText('Nothing seems to fit').waitFor();
  await cards(page).first().waitFor();
  assert.equal(await page.locator('.line').count(), 0);
}));

// A proxy that takes a path off, as nginx does.
test('the page works below a path', () => on({}, async (page) => {
  const behind = new URL(await serve('folder'));
  const proxy = createServer((asking, answering) => {
    if (!asking.url.startsWith('/home/photos/')) return answering.writeHead(404).end();
    const passed = request({host: behind.hostname, port: behind.port, method: asking.method,
      path: asking.url.slice('/home/photos'.length), headers: {...asking.headers, host: 'localhost'}},
    (got) => {
      answering.writeHead(got.statusCode, got.headers);
      got.pipe(answering);
    });
    asking.pipe(passed);
  });
  await new Promise((resolve) => { proxy.listen(0, '127.0.0.1', resolve); });
  const below = `http://127.0.0.1:${proxy.address().port}/home/photos/`;
  const strayed = [];
  page.on('response', (got) => got.status() >= 400 && strayed.push(got.url()));
  await page.goto(below);
  await ask(page, query);
  await pictureLoaded(cards(page).first().locator('img'));
  assert.ok(page.url().startsWith(`${below}?q=`), page.url());
  await cards(page).first().locator('.picture').click();
  await pictureLoaded(page.locator('#large'));
  await page.locator('#lightbox').getByRole('button', {name: 'More like this'}).click();
  await page.getByText('Pictures like').waitFor();
  await pictureLoaded(page.locator('#chip img'));
  assert.ok(page.url().startsWith(`${below}?like=`), page.url());
  await page.goto(page.url());
  await pictureLoaded(cards(page).first().locator('img'));
  await page.getByRole('link', {name: 'Hinny'}).click();
  await page.getByText('Write a sentence').waitFor();
  assert.equal(page.url(), below);
  assert.deepEqual(strayed, []);
  proxy.closeAllConnections();
  proxy.close();
}));
