// Runs the page's model on jobs from standard input: { folder, out, jobs }, where a job
// is { text, cut, patch, ... }. Writes all weights to `out`, one after the other, as
// float32; prints each job's tokens and ids. A job without `run` is tokenized alone.
import { readFileSync, writeFileSync } from "node:fs";
const PAGE = "../../../course/attncourse/real_model/page";
const { PageModel } = await import(`${PAGE}/model.js`);

let input = "";
for await (const piece of process.stdin) input += piece;
const { folder, out, jobs } = JSON.parse(input);

let received;
globalThis.receivePiece = (name, content) => { received = content; };
function read(name) {
  (0, eval)(readFileSync(`${folder}/${name}.js`, "utf8"));
  return received;
}
const bytesOf = (name) => new Uint8Array(Buffer.from(read(name), "base64"));

const manifest = read("manifest");
const model = new PageModel(manifest);
for (const name of manifest.opening) model.add(name, bytesOf(name));

function last(generator) {
  for (;;) {
    const { value, done } = generator.next();
    if (done) return value;
  }
}

const chunks = [];
let spent = 0;
function run({ text, cut = [], patch = null, compute = true }) {
  const { tokens, ids } = model.read(text);
  if (!compute) return { tokens, ids: [...ids] };
  const other = patch && model.read(patch.text).ids;
  for (const name of model.missing([...ids, ...(other ?? [])])) model.add(name, bytesOf(name));
  const start = performance.now();
  const change = patch && { ...patch, row: last(model.row(other, patch.layer, patch.from)) };
  for (const weights of model.weights(ids, { cut, patch: change })) chunks.push(Buffer.from(weights.buffer));
  const ms = performance.now() - start;
  return { tokens, ids: [...ids], ms };
}

const results = jobs.map((job) => {
  try {
    return run(job);
  } catch (error) {
    return { problem: error.message };
  }
});
if (out) writeFileSync(out, Buffer.concat(chunks));
process.stdout.write(JSON.stringify(results));
