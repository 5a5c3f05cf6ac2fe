// Runs the page's model on jobs from standard input: { folder, out, jobs }, where a job
// is { text, cut, patch, nLayers, tokensOnly }. Writes all weights to `out`, one after the
// other, as float32; prints each job's tokens and ids, and of how many tokens the model then
// keeps the rows.
import { readFileSync, writeFileSync } from "node:fs";
const PAGE = "../../../course/attncourse/real_model/page";
const { PageModel, checkChanges } = await import(`${PAGE}/model.js`);
const { tokenize } = await import(`${PAGE}/wordpiece.js`);

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
function run({ text, cut = [], patch = null, nLayers = manifest.nLayers, tokensOnly = false }) {
  if (tokensOnly) return { tokens: tokenize(text, model.vocabulary, model.is) };
  const { tokens, ids } = model.read(text);
  const other = patch && model.read(patch.text).ids;
  for (const name of model.missing([...ids, ...(other ?? [])])) model.add(name, bytesOf(name));
  checkChanges({ cut, patch }, manifest, ids.length, other?.length);
  const change = patch && { ...patch, row: last(model.row(other, patch.layer, patch.from)) };
  const weights = model.weights(ids, { cut, patch: change });
  for (let i = 0; i < nLayers; i++) chunks.push(Buffer.from(weights.next().value.buffer));
  const nKept = [...model.kept.values()].reduce((sum, { n }) => sum + n, 0);
  return { tokens, ids: [...ids], nLayers, nKept };
}

const results = jobs.map((job) => {
  try {
    return run(job);
  } catch (error) {
    return { problem: error.message };
  }
});
writeFileSync(out, Buffer.concat(chunks));
process.stdout.write(JSON.stringify(results));
