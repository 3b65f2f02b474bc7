// More pictures come as one scrolls, and nothing moves.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {answer, aroundTests, ask, asked, cards, home, ids, manyCards, on, phone, query, serve, shoot,
  until} from './browser.mjs';

aroundTests();

// What the browser saw jump, but for what the user set off.
const watchJumps = (page) => page.addInitScript(() => {
  window.jumped = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.jumped += entry.hadRecentInput ? 0 : entry.value;
  }).observe({type: 'layout-shift', buffered: true});
});
const toEnd = (page) => page.evaluate(() => scrollTo(0, document.body.scrollHeight));

for (const [name, options] of [['desktop', {viewport: {width: 1280, height: 720}}], ['phone', phone]]) {
  test(`scrolling shows more and moves nothing: ${name}`, () => on(options, async (page) => {
    const counts = [];
    const thumbnails = new Set();
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/v1/search') counts.push(Number(url.searchParams.get('k')));
      if (url.pathname.startsWith('/v1/image/')) thumbnails.add(url.pathname);
    });
    await watchJumps(page);
    await page.goto(home + asked);
    await cards(page).first().waitFor();
    await page.waitForLoadState('networkidle');
    const before = await ids(page);
    assert.ok(before.length < 100, 'all of it at once');
    assert.ok(thumbnails.size < before.length, 'thumbnails far below are fetched');
    const tops = () => page.evaluate(() => [...document.querySelectorAll('#results li')].slice(0, 24)
      .map((tile) => tile.offsetTop));
    const placed = await tops();
    await page.evaluate(() => {
      window.jumped = 0;
      document.querySelector('#results li').wasThere = true;
    });
    const {images} = await (await fetch(`${home}v1/collection`)).json();
    for (let shown = before.length; shown < Math.min(images, 150);) {
      await toEnd(page);
      await manyCards(page, shown + 1);
      shown = await cards(page).count();
    }
    assert.ok(await page.evaluate(() => document.querySelector('#results li').wasThere));
    const after = await ids(page);
    assert.deepEqual(after.slice(0, before.length), before);
    assert.equal(new Set(after).size, after.length);
    assert.deepEqual(await tops(), placed);
    const best = await (await fetch(`${home}v1/search${asked}&k=${after.length}`)).json();
    assert.deepEqual(after, best.results.map((hit) => hit.image));
    assert.ok(counts.length < 12, `asked ${counts.length} times`);
    assert.ok(await page.evaluate(() => window.jumped) < 0.001, 'something jumped');
    await page.getByRole('status').getByText(String(after.length)).waitFor();
    await shoot(page, `scrolled-${name}`);
  }));
}

test('the end is the end', () => on({}, async (page) => {
  const server = await serve('folder');
  const inGarden = `${asked}&in=Garden`;
  const n = (await answer(server, `v1/search${inGarden}&k=1000`)).results.length;
  assert.ok(n > 24 && n < 60, n);
  await page.goto(server + inGarden);
  await manyCards(page, 24);
  await toEnd(page);
  await manyCards(page, n);
  await page.locator('#count').getByText(new RegExp(`^\\W*${n}\\W* pictures$`)).waitFor();
  let more = 0;
  page.on('request', (request) => { more += request.url().includes('/v1/search') ? 1 : 0; });
  await toEnd(page);
  await page.waitForTimeout(300);
  assert.equal(more, 0);
}));

test('space is there before the pictures are', () => on({}, async (page) => {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route('**/v1/image/*', async (route) => {
    await held;
    await route.continue();
  });
  await watchJumps(page);
  await page.goto(home + asked);
  await cards(page).first().waitFor();
  const box = await cards(page).nth(5).boundingBox();
  assert.ok(box.height > 100);
  release();
  await page.locator('#results img.loaded').first().waitFor();
  await page.waitForLoadState('networkidle');
  assert.deepEqual(await cards(page).nth(5).boundingBox(), box);
}));

test('when more cannot be had, what is shown stays', () => on({}, async (page) => {
  const further = (url) => url.pathname === '/v1/search' && Number(url.searchParams.get('k')) > 24;
  await page.route(further, (route) => route.abort());  // the network's failure
  await page.goto(home + asked);
  await manyCards(page, 24);
  await toEnd(page);
  await page.getByText('does not answer').waitFor();
  assert.equal(await cards(page).count(), 24);
  await page.unroute(further);
  await page.getByRole('button', {name: 'Show more'}).click();
  await manyCards(page, 25);
  assert.equal(await page.getByRole('alert').textContent(), '');
}));

test('going back finds the place again', () => on({}, async (page) => {
  await page.goto(home + asked);
  await manyCards(page, 24);
  for (let shown = 24; shown < 72;) {
    await toEnd(page);
    await manyCards(page, shown + 1);
    shown = await cards(page).count();
  }
  const y = await page.evaluate(() => {
    scrollTo(0, 1500);
    return scrollY;
  });
  const before = await ids(page);
  await until(page, (there) => history.state && history.state.y === there, y);
  await page.evaluate(() => document.querySelector('#q').focus({preventScroll: true}));
  await page.locator('#q').evaluate((e) => { e.value = 'a red bird'; e.form.requestSubmit(); });
  await page.waitForURL(/red/);
  await until(page, () => scrollY === 0);
  await page.getByText('Understood as').waitFor();
  await page.goBack();
  await until(page, (q) => document.querySelector('#q').value === q, query);
  await manyCards(page, before.length);
  await until(page, (there) => Math.abs(scrollY - there) < 2, y);
  assert.deepEqual((await ids(page)).slice(0, before.length), before);
  await ask(page, 'a red bird');
  await page.waitForURL(/red/);
}));
