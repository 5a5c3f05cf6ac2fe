// The page's Python: one worker, fetched at the first Run, that cells and figures share.
// live-code.js runs cells in it; a figure asks it with window.nokernelPython.
(() => {
  "use strict";
  const script = document.currentScript;
  const here = (path) => new URL(path, script.src).href;
  const words = (text) => (text ?? "").split(" ").filter(Boolean);
  const pairs = (text) => words(text).map((pair) => pair.split(/=(.*)/).slice(0, 2));
  const place = new URL(script.dataset.pyodide, document.baseURI);
  const code = ["driver", "cells", "outputs", "notebook", "display_objects", "magics", "helper", "page_backend", "earlier_cells", "names"].map((name) => here(`${name}.py`));
  const settings = {
    pyodide: place.href,
    code,
    digests: pairs(script.dataset.digests),
    wheels: words(script.dataset.wheels).map(here),
    imports: pairs(script.dataset.imports),
    files: JSON.parse(script.dataset.files ?? "[]").map((path) => [path, here(`files/${encodeURI(path)}`)]),
    folder: script.dataset.folder ?? "",
  };

  const { inside: zip, insideAt } = script.dataset; // the download that runs from a folder
  const FOLDER =
    "Python cannot start in a page opened from a folder. Run “python -m http.server” in this " +
    `folder and go to localhost:8000, or take ${!zip ? "the published page." : !insideAt
      ? `${zip}, the same with Python inside, from where you have this one.` : "the same with Python inside:"}`;
  const unreached = (file) =>
    `Python could not be fetched${file ? `: ${file} did not come` : ""} from ${place.host}; ` +
    "check the connection, then try again.";

  const inside = window.nokernelFolder; // in a folder that has Python inside
  const stuck = !inside && location.protocol === "file:";
  let worker = null, ready = null;
  const asked = new Map(); // what figures asked for, by number

  // What live-code.js sets: the page's cells, and who hears of their runs.
  const python = { cells: [], heard() {}, failed() {}, started, send, halt, why, stuck, offer };

  /** A promise of Python; tell(words) hears that it starts, if it has to. */
  function started(tell) {
    return ready ?? start(tell);
  }

  function start(tell) {
    ready = new Promise((resolve, reject) => {
      worker = inside?.start() ?? new Worker(here("worker.mjs"), { type: "module" });
      worker.onerror = (event) => { event.preventDefault(); reject(event); };
      worker.onmessage = ({ data }) => {
        if (data.ask !== undefined) return answered(data);
        if (data.type === "ready") return resolve();
        if (data.type === "failed") return reject(data), python.failed(data);
        if (data.type === "progress") for (const one of asked.values()) one.tell(data.text);
        python.heard(data);
      };
      const built = python.cells.map((cell) => cell.source);
      const names = python.cells.map((cell) => cell.name);
      send({ type: "start", ...settings, built, names });
    });
    tell("Starting Python…");
    return ready;
  }

  function send(message) {
    worker.postMessage(message);
  }

  /** Ends Python, and says why to all who wait for it. */
  function halt(error = "stopped") {
    worker?.terminate();
    worker = ready = null;
    for (const { fail } of asked.values()) fail(new Error(why(error)));
    asked.clear();
  }

  function why(error) {
    if (error === "stopped") return "Stopped. The next Run starts Python afresh.";
    if (error.text && !error.fetching) return `Python stopped: ${error.text}`;
    return inside?.lacking ?? (stuck ? FOLDER : unreached(error.lacking));
  }

  /** The link to the download with Python inside, where a page cannot start it. */
  function offer() {
    const link = Object.assign(document.createElement("a"), { href: insideAt, textContent: zip });
    return stuck && insideAt ? [" ", link] : [];
  }

  /** Evaluates Python in the page: the value of its last line, as a string. `values` are
   *  its global names; tell(words) hears of what is fetched. Fails with words to show. */
  function ask(code, values = {}, tell = () => {}) {
    const number = (ask.count = (ask.count ?? 0) + 1);
    return new Promise((done, fail) => {
      asked.set(number, { done, fail, tell });
      started(tell).then(() => send({ type: "ask", ask: number, code, values }), halt);
    });
  }

  function answered({ ask: number, text, failed }) {
    const one = asked.get(number);
    asked.delete(number);
    if (failed) one?.fail(new Error(text));
    else one?.done(text);
  }

  window.nokernelPython = ask;
  window.nokernelWorker = python;
})();
