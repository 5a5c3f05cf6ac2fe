// Runs the model beside the page. The page sends { manifest }, { piece, text },
// { run, text, options } and { cancel }; it gets back, for each piece and each run:
//   { piece } or { piece, problem };
//   { run, result }, { run, needs: names of pieces } or { run, problem }.
import { PageModel, checkChanges } from "./model.js";

const canceled = new Set();
const channel = new MessageChannel();
let model, manifest;
let turn = Promise.resolve(); // runs take turns

// Let messages come in: one of them may cancel what is running.
function pause() {
  return new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });
}

function decode(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

// Compare with the manifest. Without https a page has no SHA-256: then lengths must do.
async function isWhole(name, bytes) {
  const [length, sha256] = manifest.pieces[name];
  if (bytes.length !== length) return false;
  if (!self.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

async function take({ piece, text }) {
  try {
    const bytes = decode(text);
    if (!(await isWhole(piece, bytes))) throw new Error("not as listed");
    model.add(piece, bytes);
    self.postMessage({ piece });
  } catch {
    self.postMessage({ piece, problem: "changed" });
  }
}

// Run a generator to its end, with a pause at each step; null if it was canceled.
async function finish(generator, run, onStep = () => {}) {
  for (;;) {
    await pause();
    if (canceled.has(run)) return null;
    const { value, done } = generator.next();
    if (done) return { value };
    onStep(value);
  }
}

async function compute({ run, text, options: { cut, patch } }) {
  const { tokens, ids } = model.read(text);
  const other = patch && model.read(patch.text).ids;
  const needs = model.missing([...ids, ...(other ?? [])]);
  if (needs.length) return self.postMessage({ run, needs });
  const { nLayers, nHeads } = manifest;
  checkChanges({ cut, patch }, manifest, ids.length, other?.length);
  const row = patch && (await finish(model.row(other, patch.layer, patch.from), run));
  if (patch && !row) return;
  const weights = new Float32Array(nLayers * nHeads * ids.length ** 2);
  let at = 0;
  const keep = (layer) => { weights.set(layer, at); at += layer.length; };
  const change = patch && { layer: patch.layer, to: patch.to, row: row.value };
  if (!(await finish(model.weights(ids, { cut, patch: change }), run, keep))) return;
  const result = { ids, tokens, nLayers, nHeads, weights };
  self.postMessage({ run, result }, [ids.buffer, weights.buffer]);
}

self.onmessage = ({ data }) => {
  if (data.manifest) {
    manifest = data.manifest;
    model = new PageModel(manifest);
  } else if (data.piece) take(data);
  else if (data.cancel) canceled.add(data.cancel);
  else if (data.run) {
    turn = turn.then(() => compute(data)).catch((error) => {
      self.postMessage({ run: data.run, problem: error.message });
    });
  }
};
