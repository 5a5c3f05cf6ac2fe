// What a figure imports: the model on its own text, run by a worker beside the page.
//
//   const model = await openModel({ base, onProgress, signal });
//   const { tokens, weights } = await model.run("A dog ate the food");
//
// The files come as classic scripts, which load from a host and from a folder alike.
import { PageEngine } from "./engine.js";

const engines = new Map(); // by address: what has arrived stays while the page is open

function engineAt(base) {
  const address = new URL(base, document.baseURI).href;
  if (!engines.has(address)) engines.set(address, new PageEngine(address));
  return engines.get(address);
}

// How many bytes a first sentence costs, and the whole model: { first, total }; null if
// this site was built without the weights. They are what a host sends that compresses
// text, as most do; another one sends a third more. Costs a few kilobytes itself.
export async function readSizes(base) {
  const { there, first, total } = await engineAt(base).readManifest();
  return there ? { first, total } : null;
}

// Load the model. Rejects with an Error that has a sentence for the reader, or, after
// Stop, with an AbortError. Whatever has arrived is kept for the next call.
export async function openModel({ base, onProgress = () => {}, signal } = {}) {
  const engine = engineAt(base);
  await engine.open(onProgress, signal);
  const running = new Map(); // by slot
  async function run(text, { cut = [], patch = null, slot = "only" } = {}) {
    running.get(slot)?.abort();
    const stop = new AbortController();
    running.set(slot, stop);
    return engine.run(text, { cut, patch }, onProgress, stop.signal);
  }
  // Load all words now: then every text can be read with the network off.
  const loadAll = (more) => engine.loadAll(more?.onProgress ?? onProgress, more?.signal);
  function close() {
    for (const stop of running.values()) stop.abort();
    engines.delete(engine.base);
    engine.close();
  }
  return { run, loadAll, close };
}
