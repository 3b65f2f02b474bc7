// usearch (npm install usearch) on the vectors of bench_codes, beside Hinny (bench/neighbours): a line of JSON for each
// width of the search. Processor time of one thread.
//   node usearch.mjs DIR [QUANTIZATION]     DIR has vectors.npy, queries.npy and nearest.npy
// As many links and candidates while linking as Hinny's graph; all cores link, one searches.
import { open, readFile, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import path from "node:path";

const [folder, quantization = "i8"] = process.argv.slice(2);
const usearch = createRequire(path.resolve(folder) + "/")("usearch");
const HITS = 10, ROWS_AT_ONCE = 10_000;

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

const seconds = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1e6; };

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
  const begun = process.cpuUsage();
  built.add(keys, vectors, availableParallelism());
  took += seconds(begun);
}
await file.close();

const saved = path.join(folder, "usearch.index");
built.save(saved);
const queries = await whole("queries.npy"), nearest = await whole("nearest.npy");
const bytes = Math.round((await stat(saved)).size / rows);
for (const width of [32, 64, 128, 256, 512, 1024]) {
  const index = new usearch.Index({ ...settings, expansion_search: width });
  index.load(saved);
  const ask = (q) => index.search(queries.numbers.subarray(q * dim, (q + 1) * dim), HITS, 1).keys;
  const all = [...Array(queries.shape[0]).keys()];
  let right = 0;
  for (const q of all) {
    const wanted = new Set(nearest.numbers.subarray(q * HITS, (q + 1) * HITS));
    for (const key of ask(q)) right += wanted.has(Number(key)) ? 1 : 0;
  }
  const begun = process.cpuUsage();
  all.forEach(ask);
  console.log(JSON.stringify({
    engine: `usearch ${quantization}`, rows, setting: width, bytes, recall: right / all.length / HITS,
    cpu_ms: Number((1000 * seconds(begun) / all.length).toFixed(3)), made_s: Number(took.toFixed(1)),
  }));
}
await rm(saved);
