// usearch (npm install usearch) on the vectors of bench/neighbours: a line of JSON for each width of the search.
//   node usearch.mjs DIR [QUANTIZATION]     DIR has vectors.npy, queries.npy and nearest.npy
// As many links and candidates while linking as Hinny's graph; all cores link, one searches.
import { open, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import path from "node:path";

const [folder, quantization = "i8"] = process.argv.slice(2);
const usearch = createRequire(path.resolve(folder) + "/")("usearch");
const HITS = 10, TURNS = 3, ROWS_AT_ONCE = 10_000;

// A float32 array of a .npy file of version 1: its shape, and where its numbers begin.
function header(bytes) {
  const length = bytes.readUInt16LE(8);
  const text = bytes.toString("latin1", 10, 10 + length);
  if (!text.includes("'<f4'")) throw new Error("expected float32");
  return { shape: text.match(/\((\d+), (\d+)\)/).slice(1).map(Number), start: 10 + length };
}

async function whole(name) {
  const bytes = await readFile(path.join(folder, name));
  const { shape, start } = header(bytes);
  return { shape, numbers: new Float32Array(bytes.buffer.slice(bytes.byteOffset + start)) };
}

const seconds = (start) => Number(process.hrtime.bigint() - start) / 1e9;

const file = await open(path.join(folder, "vectors.npy"));
const { shape: [rows, dim], start } = header((await file.read(Buffer.alloc(512), 0, 512, 0)).buffer);
const settings = { metric: "ip", dimensions: dim, connectivity: 16, quantization, expansion_add: 128 };
const built = new usearch.Index({ ...settings, expansion_search: 64 });
let took = 0;
for (let first = 0; first < rows; first += ROWS_AT_ONCE) {
  const count = Math.min(ROWS_AT_ONCE, rows - first);
  const vectors = new Float32Array(count * dim);
  await file.read(Buffer.from(vectors.buffer), 0, vectors.byteLength, start + first * dim * 4);
  const keys = BigUint64Array.from({ length: count }, (_, i) => BigInt(first + i));
  const begun = process.hrtime.bigint();
  built.add(keys, vectors, availableParallelism());
  took += seconds(begun);
}
await file.close();

const saved = path.join(folder, "usearch.index");
built.save(saved);
const queries = await whole("queries.npy"), nearest = await whole("nearest.npy");
for (const width of [16, 32, 64, 128, 256, 512, 1024, 2048]) {
  const index = new usearch.Index({ ...settings, expansion_search: width });
  index.load(saved);
  const times = [];
  let right = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    for (let q = 0; q < queries.shape[0]; q++) {
      const query = queries.numbers.subarray(q * dim, (q + 1) * dim);
      const begun = process.hrtime.bigint();
      const found = index.search(query, HITS, 1);
      times.push(1000 * seconds(begun));
      const wanted = new Set(nearest.numbers.subarray(q * HITS, (q + 1) * HITS));
      if (turn === 0) for (const key of found.keys) right += wanted.has(Number(key)) ? 1 : 0;
    }
  }
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({
    engine: `usearch ${quantization}`, rows, setting: width, recall: right / queries.shape[0] / HITS,
    ms: Number(times[times.length >> 1].toFixed(3)), build_s: Number(took.toFixed(1)),
  }));
}
await rm(saved);
