// A real browser and `hinny serve`, for the tests beside this file: scripts/test-page.
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {extname, join, resolve} from 'node:path';
import {after, before} from 'node:test';
import {chromium} from 'playwright-core';
import {violations} from './axe.mjs';

const hinny = process.env.HINNY;
const datasetIndex = process.env.HINNY_TEST_INDEX;
const more = process.env.HINNY_TEST_INDEXES;  // folder with those that make_indexes makes
const web = process.env.HINNY_TEST_WEB;  // the page's files, in place of those that were built in
const shots = process.env.HINNY_TEST_SHOTS;  // a folder for screenshots, to look at
export const query = process.env.HINNY_TEST_QUERY || 'three yellow cups in a meadow';
export const scratch = mkdtempSync(join(tmpdir(), 'hinny-page-'));
export const phone = {viewport: {width: 360, height: 740}, hasTouch: true, isMobile: true};
export const asked = `?q=${encodeURIComponent(query)}`;
export let home;  // the address of a server on the dataset's index, or on another: aroundTests

const kPatience = 15000;  // milliseconds
const servers = [];
let browser;

export const pathOf = (index) => (index === 'dataset' ? datasetIndex : resolve(more, index));
// Changes an index as people do: by the program.
export const hinnyIndex = (...words) => execFileSync(hinny, ['index', ...words], {stdio: 'ignore'});

// Starts `hinny serve` on an index and a free port, and gives its address. Nothing in these tests
// stands in for it, but for failures that it cannot be brought to at will.
export async function serve(index, ...options) {
  const server = spawn(hinny, ['serve', pathOf(index), '--port', '0', ...options],
    {env: {...process.env, TZ: 'UTC'}});
  servers.push(server);
  let said = '';
  return new Promise((found, reject) => {
    server.stderr.on('data', (bytes) => {
      said += bytes;
      const address = said.match(/on (http:\S+)\n/);
      if (address) found(address[1]);
    });
    server.on('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
}

const endServers = () => Promise.all(servers.map((server) => new Promise((ended) => {
  if (server.exitCode !== null || server.signalCode !== null) return ended();
  server.on('exit', ended);
  server.kill('SIGTERM');
})));

// What a server answers about an address below it.
export const answer = async (server, address) => (await fetch(server + address)).json();

export async function start(index = 'dataset') {
  home = await serve(index);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

export async function stop() {
  if (browser) await browser.close();
  // Each must still be there, and end as it is told.
  const ended = servers.filter((server) => server.exitCode !== null || server.signalCode !== null);
  await endServers();
  assert.deepEqual(ended.map((server) => server.exitCode).filter((code) => code !== 0), [],
    'a server ended meanwhile');
  rmSync(scratch, {recursive: true});
}

// `further` is done before the tests too, once `home` answers.
export function aroundTests(index, further = () => {}) {
  before(async () => {
    await start(index);
    await further();
  });
  after(stop);
}

const types = {'.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml'};

// The files of HINNY_TEST_WEB, under the rules that the server sets.
async function serveFiles(context) {
  const rules = (await fetch(home)).headers.get('content-security-policy');
  await context.route((url) => !url.pathname.startsWith('/v1/'), async (route) => {
    const {pathname} = new URL(route.request().url());
    const file = join(web, pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file)) return route.continue();
    await route.fulfill({body: readFileSync(file), headers: {
      'Content-Type': `${types[extname(file)]}; charset=utf-8`, 'Content-Security-Policy': rules}});
  });
}

// Opens a page, runs the test, and sees to it that nothing was wrong behind the scenes: no errors,
// no request to anywhere else, nothing wider than the window. What the page does with a failing
// request is to be seen on it; the browser's own note about that is not.
export async function on(options, use) {
  const context = await browser.newContext(
    {locale: 'en-GB', reducedMotion: 'reduce', ...options});
  context.setDefaultTimeout(kPatience);
  if (web) await serveFiles(context);
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const noise = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !noise) faults.push(message.text());
  });
  page.on('request', (request) => {
    const {protocol, hostname} = new URL(request.url());
    const own = protocol === 'blob:' || ['127.0.0.1', 'localhost'].includes(hostname);
    if (!own) faults.push(`asked elsewhere: ${request.url()}`);
  });
  try {
    await use(page);
    await fits(page);
    await shoot(page, 'last');
    assert.deepEqual(faults, []);
  } finally {
    await page.unrouteAll({behavior: 'ignoreErrors'});
    await context.close();
  }
}

export async function fits(page) {
  const wide = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll(
    '#lightbox[open], #lightbox[open] #about')].filter((e) => e.scrollWidth > e.clientWidth + 1)
    .map((e) => `${e.id || e.tagName}: ${e.scrollWidth} wide in ${e.clientWidth}`));
  assert.deepEqual(wide, []);
}

// Waits until `what`, evaluated in the page, is true. (Playwright's own way of waiting evaluates
// strings, which the server's rules for scripts forbid.)
export async function until(page, what, argument) {
  for (const end = Date.now() + kPatience; !await page.evaluate(what, argument);) {
    if (Date.now() > end) throw new Error(`it did not come true: ${what} of ${argument}`);
    await page.waitForTimeout(50);
  }
}

// A state of the page, in which everyone can use it.
export async function shoot(page, name) {
  if (shots) await page.screenshot({path: join(shots, `${name}.png`)});
  assert.deepEqual(await violations(page), [], name);
}
export const cards = (page) => page.locator('#results li');
export const ids = (page) => page.evaluate(
  () => [...document.querySelectorAll('#results li')].map((tile) => tile.hit.image));
export const manyCards = (page, n) => until(page,
  (least) => document.querySelectorAll('#results li').length >= least, n);

export async function pictureLoaded(image) {
  await image.waitFor();
  await image.scrollIntoViewIfNeeded();  // those far away wait
  for (const end = Date.now() + kPatience; !await image.evaluate((e) => e.naturalWidth);) {
    if (Date.now() > end) throw new Error(`no picture: ${image}`);
    await image.page().waitForTimeout(50);
  }
}

export async function ask(page, text) {
  await page.getByRole('searchbox').fill(text);
  await page.keyboard.press('Enter');
}
