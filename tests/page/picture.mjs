// Makes the picture of the page that README.md shows: scripts/test-page --picture FILE.
import {writeFileSync} from 'node:fs';
import {ask, cards, home, on, pictureLoaded, start, stop} from './browser.mjs';
import {palettePng, pixels} from './palette_png.mjs';

const question = process.env.HINNY_TEST_QUERY || 'ein roter Vogel';
const kBytes = 150_000;  // at most, in the repository
const file = process.argv[2];

await start();
try {
  await on({viewport: {width: 1100, height: 720}, reducedMotion: 'reduce'}, async (page) => {
    await page.goto(home);
    await ask(page, question);
    await page.getByText('Understood as').waitFor();
    for (let i = 0; i < 12; ++i) await pictureLoaded(cards(page).nth(i).locator('img'));
    await page.evaluate(() => {
      document.activeElement.blur();
      scrollTo(0, 0);
    });
    const shot = await pixels(page, await page.screenshot());
    let png;
    for (let colors = 256; colors >= 64; colors /= 2) {
      png = palettePng(shot, colors);
      if (png.length <= kBytes) break;
    }
    if (png.length > kBytes) throw new Error(`${file}: ${png.length} bytes (expected ${kBytes} at most)`);
    writeFileSync(file, png);
    console.log(`${file}: ${png.length} bytes`);
  });
} finally {
  await stop();
}
