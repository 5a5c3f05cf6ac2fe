// Loads the model's pieces into a worker, and has the worker run texts.
import { loadScript, unlessAborted } from "./scripts.js";

const AT_ONCE = 4; // scripts that load at the same time
const NO_LIST =
  "The model's list of files could not be loaded. Check your connection and try again.";
const NOT_BUILT =
  "This copy of the book was built without the model's weights. " +
  "Only the stored sentences are here.";
const LOST =
  "A part of the model could not be loaded. Check your connection and try again: " +
  "what has arrived is kept.";
const CHANGED =
  "A part of the model is not the file that this page expects. " +
  "Reload the page and try again.";
const NO_WORKER = "This browser did not let the model run. Reload the page and try again.";

export class PageEngine {
  constructor(base) {
    this.base = base;
    this.arrived = new Map(); // by name: a promise that ends once the worker has a piece
    this.answers = new Map(); // by piece or run: what to do with the worker's answer
    this.runs = 0;
  }

  readManifest() {
    const coming = (this.list ??= loadScript(`${this.base}manifest.js`, NO_LIST, CHANGED));
    coming.catch(() => { this.list = undefined; });
    return coming;
  }

  // Load what a first sentence needs.
  async open(onProgress, signal) {
    this.manifest = await unlessAborted(this.readManifest(), signal);
    if (!this.manifest.there) throw new Error(NOT_BUILT);
    await unlessAborted((this.starting ??= this.startWorker()), signal);
    await this.load(this.manifest.opening, onProgress, signal);
  }

  async startWorker() {
    try {
      const source = new Blob([atob(await this.loadPiece("worker"))], { type: "text/javascript" });
      this.worker = new Worker(URL.createObjectURL(source));
    } catch (error) {
      this.starting = undefined;
      throw error;
    }
    this.worker.onmessage = ({ data }) => this.answers.get(data.run ?? data.piece)?.(data);
    this.worker.onerror = () => this.stopWorker();
    this.worker.postMessage({ manifest: this.manifest });
  }

  // The worker died: every wait ends with a sentence, and the next call starts anew.
  stopWorker(problem = NO_WORKER) {
    this.worker?.terminate();
    this.worker = this.starting = undefined;
    this.arrived.clear();
    for (const answer of this.answers.values()) answer({ problem });
  }

  loadPiece(name) {
    const [, sha256] = this.manifest.pieces[name];
    return loadScript(`${this.base}${name}.js?v=${sha256.slice(0, 8)}`, LOST, CHANGED);
  }

  // Load pieces, a few at a time, and tell how many bytes of them have arrived.
  load(names, onProgress, signal) {
    const size = (name) => this.manifest.pieces[name][0];
    const total = names.reduce((sum, name) => sum + size(name), 0);
    const rest = [...names];
    let loaded = 0;
    const oneByOne = async () => {
      for (let name; !signal?.aborted && (name = rest.shift()); ) {
        await this.bring(name);
        loaded += size(name);
        if (!signal?.aborted) onProgress(loaded, total);
      }
    };
    return unlessAborted(Promise.all(Array.from({ length: AT_ONCE }, oneByOne)), signal);
  }

  // Bring one piece to the worker, unless it has it or is about to.
  bring(name) {
    if (!this.arrived.has(name)) {
      const coming = this.loadPiece(name).then((text) => this.ask("piece", name, { text }));
      coming.catch(() => this.arrived.delete(name));
      this.arrived.set(name, coming);
    }
    return this.arrived.get(name);
  }

  // Send the worker a message and wait for its answer.
  ask(kind, name, more) {
    return new Promise((resolve, reject) => {
      if (!this.worker) return reject(new Error(NO_WORKER));
      this.answers.set(name, (answer) => {
        this.answers.delete(name);
        if (!answer.problem) resolve(answer);
        else reject(new Error(answer.problem === "changed" ? CHANGED : answer.problem));
      });
      this.worker.postMessage({ [kind]: name, ...more });
    });
  }

  // Run a text, as often as it takes until the worker has the rows of all its words.
  async run(text, options, onProgress, signal) {
    for (;;) {
      const run = ++this.runs;
      const answer = this.ask("run", run, { text, options });
      const cancel = () => {
        this.answers.delete(run);
        this.worker?.postMessage({ cancel: run });
      };
      signal.addEventListener("abort", cancel, { once: true });
      const { result, needs } = await unlessAborted(answer, signal);
      signal.removeEventListener("abort", cancel);
      if (result) return result;
      await this.load(needs, onProgress, signal);
    }
  }

  // Load the rows of all words, so that no later text needs the network.
  loadAll(onProgress, signal) {
    const names = Object.keys(this.manifest.pieces);
    return this.load(names.filter((name) => name !== "worker"), onProgress, signal);
  }

  close() {
    this.stopWorker("The model was closed.");
  }
}
