// The decoder of attncourse.toys.writer, one word at a time: as attnlib computes it.
import { codesOf } from "../kit/letters.js";
import { softmax } from "../kit/maths.js";

const EPS = 1e-5, BASE = 10000;

/** Turn stored bytes into matrices: packed has all in a row, as `packed` of live.py writes
 *  them, and each of parts is [name, rows, columns, scale]. */
export function unpack(packed, parts) {
  const codes = codesOf(packed), n = parts.reduce((sum, [, rows, columns]) => sum + rows * columns, 0), found = {};
  const bytes = Int8Array.from({ length: n }, (_, i) => {
    const code = codes[i] + 85 * (Math.floor(codes[n + (i >> 2)] / 3 ** (i % 4)) % 3);
    return code % 2 ? -(code + 1) / 2 : code / 2;
  });
  let start = 0;
  for (const [name, rows, columns, scale] of parts) {
    const data = Float64Array.from(bytes.subarray(start, start + rows * columns), (b) => b * scale);
    found[name] = { rows, columns, data };
    start += rows * columns;
  }
  return found;
}

/** A row times a matrix. */
function times(x, { columns, data }) {
  const out = new Float64Array(columns);
  for (let i = 0, at = 0; i < x.length; i += 1) {
    const a = x[i];
    for (let j = 0; j < columns; j += 1, at += 1) out[j] += a * data[at];
  }
  return out;
}

const rowOf = ({ columns, data }, i) => data.subarray(i * columns, (i + 1) * columns);

/** The dot product of two rows, or of the same columns of both. */
function dotOf(a, b, from = 0, to = a.length) {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += a[i] * b[i];
  return sum;
}

function sumOf(a, b) {
  const out = new Float64Array(a.length);
  for (let i = 0; i < a.length; i += 1) out[i] = a[i] + b[i];
  return out;
}

function rmsNorm(x, gain) {
  const root = Math.sqrt(dotOf(x, x) / x.length + EPS);
  const out = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += 1) out[i] = (x[i] / root) * gain.data[i];
  return out;
}

/** Turn column i of each head with column i + half, by an angle that grows with place. */
function turn(x, place, dK) {
  const out = x.slice(), half = dK / 2;
  for (let start = 0; start < x.length; start += dK) for (let i = 0; i < half; i += 1) {
    const angle = place / BASE ** (i / half), cos = Math.cos(angle), sin = Math.sin(angle);
    const a = x[start + i], b = x[start + half + i];
    out[start + i] = a * cos - b * sin;
    out[start + half + i] = a * sin + b * cos;
  }
  return out;
}

/** One layer for the newest word; its key and value are appended to the cache. */
function layer(w, l, x, cache, nHeads, weights) {
  const of = (name) => w[`${name}_${l}`], normal = rmsNorm(x, of("gain_1"));
  const place = cache.key.length, dK = x.length / nHeads;
  const query = turn(times(normal, of("w_query")), place, dK);
  cache.key.push(turn(times(normal, of("w_key")), place, dK));
  cache.value.push(times(normal, of("w_value")));
  const merged = new Float64Array(x.length);
  for (let h = 0; h < nHeads; h += 1) {
    const from = h * dK, to = from + dK;
    const row = softmax(cache.key.map((k) => dotOf(query, k, from, to) / Math.sqrt(dK)));
    cache.value.forEach((value, j) => {
      const a = row[j];
      for (let i = from; i < to; i += 1) merged[i] += a * value[i];
    });
    weights.push(row);
  }
  const middle = sumOf(x, times(merged, of("w_output")));
  const ready = rmsNorm(middle, of("gain_2"));
  const hidden = sumOf(times(ready, of("w_1")), of("b_1").data).map((a) => Math.max(a, 0));
  return sumOf(middle, sumOf(times(hidden, of("w_2")), of("b_2").data));
}

/** An empty cache for each layer. */
export function emptyCaches(nLayers) {
  return Array.from({ length: nLayers }, () => ({ key: [], value: [] }));
}

/** Read one more word: its logits, and for each layer and head whom it looks at. */
export function step(w, caches, id, nHeads) {
  let x = rowOf(w.table, id);
  const weights = caches.map(() => []);
  caches.forEach((cache, l) => { x = layer(w, l, x, cache, nHeads, weights[l]); });
  const last = rmsNorm(x, w.gain);
  const logits = Array.from({ length: w.table.rows }, (_, i) => dotOf(rowOf(w.table, i), last));
  return { logits, weights };
}

/** Probabilities to draw from: at temperature 0 the first of the most likely has it all. */
export function probabilities(logits, { temperature, topK, topP }) {
  const likely = logits.map((_, i) => i).sort((a, b) => logits[b] - logits[a] || a - b);
  if (temperature === 0) return logits.map((_, i) => (i === likely[0] ? 1 : 0));
  const top = logits[likely[0]], out = logits.map(() => 0);
  const kept = softmax(likely.slice(0, topK).map((i) => (logits[i] - top) / temperature));
  let before = 0, total = 0;
  kept.forEach((p, r) => {
    if (before < topP) { out[likely[r]] = p; total += p; }
    before += p;
  });
  return out.map((p) => p / total);
}

/** The first word whose cumulative probability exceeds a number from 0 to 1. */
export function pick(chances, number) {
  const total = chances.reduce((a, b) => a + b, 0);
  let sum = 0;
  const found = chances.findIndex((p) => { sum += p; return sum > number * total; });
  return found < 0 ? chances.length - 1 : found;
}

const FACTOR = 0x2360ed051fc65da44385df649fccf645n;

/** The first numbers from 0 to 1 of NumPy's PCG64 in a state, rounded to six digits. */
export function draws([state, more], count) {
  const within = (x, bits = 64) => BigInt.asUintN(bits, x);
  let now = BigInt(state);
  return Array.from({ length: count }, () => {
    now = within(now * FACTOR + BigInt(more), 128);
    const mixed = within((now >> 64n) ^ now), turn = now >> 122n;
    const number = within((mixed >> turn) | (mixed << (64n - turn))) >> 11n;
    return Math.round((Number(number) / 2 ** 53) * 1e6) / 1e6;
  });
}

/** What was read last: its ids, what step() said of each and how long that took. */
export function emptyMemory(nLayers) {
  return { ids: [], steps: [], caches: emptyCaches(nLayers) };
}

/** Read a word at a place, unless it stands there in the memory already. */
function readAt(w, { ids, steps, caches }, at, id, nHeads) {
  if (ids[at] === id) return steps[at];
  for (const list of [ids, steps, ...caches.flatMap(({ key, value }) => [key, value])]) list.length = at;
  const start = performance.now(), said = step(w, caches, id, nHeads);
  ids.push(id);
  steps.push({ ...said, ms: performance.now() - start });
  return steps[at];
}

/** Read a beginning and append a word for each number. Returns all ids, and for each of
 *  them what step() said once it was read. */
export function continueText(w, beginning, numbers, choice, { nLayers, nHeads }, memory = emptyMemory(nLayers)) {
  const ids = [...beginning];
  const steps = ids.map((id, at) => readAt(w, memory, at, id, nHeads));
  for (const number of numbers) {
    const id = pick(probabilities(steps.at(-1).logits, choice), number);
    steps.push(readAt(w, memory, ids.length, id, nHeads));
    ids.push(id);
  }
  return { ids, steps };
}

/** Multiplications in the matrix products, for rows of nNew words among nKeys. */
export function multiplications(w, nLayers, nNew, nKeys) {
  const d = w.table.columns, dFf = w.w_1_0.columns;
  const perLayer = 4 * d * d + 2 * d * dFf + 2 * nKeys * d;
  return nNew * (nLayers * perLayer + d * w.table.rows);
}

/** The ids of a text's words, or the first word that is not among them. */
export function read(text, words) {
  const parts = text.toLowerCase().replaceAll(".", " . ").split(/\s+/).filter(Boolean);
  const ids = parts.map((word) => words.indexOf(word)), at = ids.indexOf(-1);
  return at < 0 ? { ids } : { ids: [], unknown: parts[at] };
}
