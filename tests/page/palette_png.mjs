// A screenshot in few bytes: PNG with a palette, as the browser does not write it.
import {deflateSync} from 'node:zlib';

// The pixels of an image file, decoded by the browser: {width, height, rgba}.
export async function pixels(page, png) {
  const said = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const {data} = canvas.getContext('2d').getImageData(0, 0, image.width, image.height);
    let text = '';
    for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
    return {width: image.width, height: image.height, rgba: btoa(text)};
  }, png.toString('base64'));
  return {...said, rgba: Buffer.from(said.rgba, 'base64')};
}

// Median cut: boxes of colours are halved where they are widest, the fullest first.
function boxesOf(colors, most) {
  const boxes = [colors];
  const weigh = (box) => {
    let best = {spread: 0, channel: 0};
    for (const channel of [0, 1, 2]) {
      let [low, high] = [255, 0];
      for (const {rgb} of box) {
        low = Math.min(low, rgb[channel]);
        high = Math.max(high, rgb[channel]);
      }
      if (high - low > best.spread) best = {spread: high - low, channel};
    }
    return {...best, count: box.reduce((sum, c) => sum + c.count, 0)};
  };
  const weights = [weigh(colors)];
  while (boxes.length < most) {
    const value = ({spread, count}) => spread * spread * Math.sqrt(count);
    const i = weights.reduce((best, w, j) => (value(w) > value(weights[best]) ? j : best), 0);
    const {spread, channel, count} = weights[i];
    if (spread === 0) break;
    const box = boxes[i].sort((a, b) => a.rgb[channel] - b.rgb[channel]);
    let cut = 0;
    for (let sum = 0; cut < box.length - 1 && sum + box[cut].count <= count / 2; ++cut) sum += box[cut].count;
    cut = Math.max(cut, 1);
    boxes.splice(i, 1, box.slice(0, cut), box.slice(cut));
    weights.splice(i, 1, weigh(boxes[i]), weigh(boxes[i + 1]));
  }
  return boxes;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; ++k) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

// With `most` colours, 256 or fewer.
export function palettePng({width, height, rgba}, most) {
  const counted = new Map();  // colours by their upper bits -> {rgb, count}
  const keyOf = (at) => ((rgba[at] >> 2) << 12) | ((rgba[at + 1] >> 2) << 6) | (rgba[at + 2] >> 2);
  for (let at = 0; at < rgba.length; at += 4) {
    const key = keyOf(at);
    const color = counted.get(key);
    if (color) color.count++;
    else counted.set(key, {key, rgb: [rgba[at], rgba[at + 1], rgba[at + 2]], count: 1});
  }
  const boxes = boxesOf([...counted.values()], most);
  const palette = Buffer.alloc(3 * boxes.length);
  const indexOf = new Map();
  boxes.forEach((box, i) => {
    // The box's most frequent colour: plain areas keep theirs.
    palette.set(box.reduce((best, c) => (c.count > best.count ? c : best)).rgb, 3 * i);
    for (const {key} of box) indexOf.set(key, i);
  });
  const rows = Buffer.alloc(height * (width + 1));  // each after the number of its filter: none
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) rows[y * (width + 1) + 1 + x] = indexOf.get(keyOf(4 * (y * width + x)));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);  // 8 bits, a palette
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header),
    chunk('PLTE', palette), chunk('IDAT', deflateSync(rows, {level: 9, memLevel: 9})), chunk('IEND', Buffer.alloc(0))]);
}
