// ONNX Runtime's side of bench/pretrained: the same towers as bench/peers/towers.py exported them.
//   node towers.mjs FOLDER [PICTURES] [TOKENS] [THREADS] [SIDE]     onnxruntime-node is looked up from the current folder
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
const require = createRequire(join(process.cwd(), 'package.json'));
const ort = require('onnxruntime-node');
const [folder, pictures = '32', tokens = '10', threads = '1', side = '224'] = process.argv.slice(2);
const options = { intraOpNumThreads: Number(threads), interOpNumThreads: 1, graphOptimizationLevel: 'all' };
const quickest = async (runs, work) => {
  let best = Infinity;
  for (let i = 0; i < runs; ++i) {
    const start = process.hrtime.bigint();
    await work();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e9);
  }
  return best;
};
const result = { threads: Number(threads) };
const vision = await ort.InferenceSession.create(join(folder, 'vision.onnx'), options);
const [n, s] = [Number(pictures), Number(side)];
const pixels = Float32Array.from({ length: n * 3 * s * s }, (_, i) => Math.sin(i));
const feed = { pixels: new ort.Tensor('float32', pixels, [n, 3, s, s]) };
await vision.run(feed);
result.pictures_a_second = +(n / (await quickest(3, () => vision.run(feed)))).toFixed(2);
if (existsSync(join(folder, 'text.onnx'))) {
  const text = await ort.InferenceSession.create(join(folder, 'text.onnx'), options);
  const ids = BigInt64Array.from({ length: Number(tokens) }, () => 320n);
  const sentence = { ids: new ort.Tensor('int64', ids, [1, Number(tokens)]) };
  await text.run(sentence);
  result.sentence_ms = +(1000 * (await quickest(20, () => text.run(sentence)))).toFixed(3);
}
console.log(JSON.stringify(result));
