// Run, Edit, Reset and Stop on the code cells of a page. Python itself is fetched by the
// worker at the first Run; until then this script only adds the buttons. A classic
// script, so that it also loads in a page opened from a folder.
(() => {
  "use strict";
  const script = document.currentScript;
  const here = (path) => new URL(path, script.src).href;
  const { pyodide } = script.dataset;
  const words = (text) => (text ?? "").split(" ").filter(Boolean);
  const wheels = words(script.dataset.wheels).map(here);
  const pairs = (text) => words(text).map((pair) => pair.split(/=(.*)/).slice(0, 2));
  const imports = pairs(script.dataset.imports), digests = pairs(script.dataset.digests);
  const code = ["driver", "cells", "outputs", "notebook", "display_objects", "magics", "helper", "page_backend", "earlier_cells", "names"].map((name) => here(`${name}.py`));
  const folder = script.dataset.folder ?? "";
  const files = JSON.parse(script.dataset.files ?? "[]").map((path) => [path, here(`files/${encodeURI(path)}`)]);
  const place = new URL(pyodide, document.baseURI);

  const FOLDER =
    "Python cannot start in a page opened from a folder: open the published page, or run " +
    "“python -m http.server” in this folder and go to localhost:8000.";
  const UNREACHED =
    `Python could not be fetched from ${place.host}: check the connection, then try again.`;

  const cells = [];
  let worker = null, ready = null, running = null, queue = [];
  const asked = new Map(); // what figures asked for, by number

  // ── The worker ──

  function start(cell) {
    ready = new Promise((resolve, reject) => {
      worker = new Worker(here("worker.mjs"), { type: "module" });
      worker.onerror = (event) => { event.preventDefault(); reject(event); };
      worker.onmessage = ({ data }) => {
        if (data.ask !== undefined) answered(data);
        else if (data.type === "ready") resolve();
        else if (data.type === "failed") reject(data), running?.fail(data);
        else heard(data);
      };
      const built = cells.map((each) => each.source), names = cells.map((each) => each.name);
      worker.postMessage({ type: "start", pyodide: place.href, digests, wheels, code, built, names, imports, files, folder });
    });
    say(cell, "Starting Python…");
    return ready;
  }

  function heard({ type, index, kind, text }) {
    if (type === "progress") for (const { tell } of asked.values()) tell(text);
    if (!running) return;
    if (type === "progress") return say(running.cell, text);
    if (type === "ran") return running.done();
    const cell = cells[index];
    if (!cell.el) return unseen(cell, type, kind, text);
    if (type === "begin") begin(cell);
    if (type === "output") put(cell, kind, text);
    if (type === "end") end(cell, kind);
  }

  function halt() {
    worker?.terminate();
    worker = ready = null;
    for (const { fail } of asked.values()) fail(new Error(why("stopped")));
    asked.clear();
  }

  // ── For figures ──

  /** Evaluates Python in the page: the value of its last line, as a string. `values` are
   *  its global names; tell(words) hears of what is fetched. Fails with words to show. */
  function ask(code, values = {}, tell = () => {}) {
    const number = (ask.count = (ask.count ?? 0) + 1);
    const silent = { status: { set textContent(words) { tell(words); } } };
    return new Promise((done, fail) => {
      asked.set(number, { done, fail, tell });
      (ready ?? start(silent)).then(
        () => worker.postMessage({ type: "ask", ask: number, code, values }),
        (error) => {
          asked.delete(number);
          halt();
          fail(new Error(why(error)));
        },
      );
    });
  }

  function answered({ ask: number, text, failed }) {
    const one = asked.get(number);
    asked.delete(number);
    if (failed) one?.fail(new Error(text));
    else one?.done(text);
  }

  window.nokernelPython = ask;

  // ── Running ──

  function run(cell) {
    if (running?.cell === cell || queue.includes(cell)) return;
    queue.push(cell);
    if (running) say(cell, "Waiting…");
    else next();
  }

  async function next() {
    const cell = queue.shift();
    if (!cell) return;
    cell.el.dataset.live = "running";
    cell.stop.hidden = false;
    cell.reset.hidden = true;
    try {
      await new Promise((done, fail) => {
        running = { cell, done, fail };
        (ready ?? start(cell)).then(() => {
          const sources = cells.map((each) => each.text());
          running.sources = sources;
          worker.postMessage({ type: "run", sources, index: cell.index });
        }, fail);
      });
    } catch (error) {
      for (const each of [cell, ...queue]) settle(each, "failed", why(error));
      queue = [];
      halt();
    }
    running = null;
    cell.stop.hidden = true;
    next();
  }

  function why(error) {
    if (error === "stopped") return "Stopped. The next Run starts Python afresh.";
    if (error.text && !error.fetching) return `Python stopped: ${error.text}`;
    return location.protocol === "file:" ? FOLDER : UNREACHED;
  }

  function begin(cell) {
    cell.stale = true;
    cell.el.dataset.live = "running";
    say(cell, "Running…");
    if (cell !== running.cell) say(running.cell, `Running ${cell.name} first…`);
  }

  function end(cell, state) {
    clear(cell);
    const failed = state === "error";
    const itself = cell === running.cell;
    settle(cell, state, failed ? "Ended with an error." : itself ? "Done." : "Ran first.");
    if (failed && !itself) {
      settle(running.cell, "error", `Not run: ${cell.name} above ended with an error.`);
    }
    tell(cell, state);
  }

  // For other scripts: how a cell ended, and what it and the cells above it were.
  function tell(cell, state) {
    const above = cells.slice(0, cell.index + 1);
    const ran = above.map(({ el }, i) => ({ el, text: running.sources[i] }));
    cell.el.dispatchEvent(new CustomEvent("nk:ran", { bubbles: true, detail: { state, cells: ran } }));
  }

  // A cell that the page does not show: only its failure is told, where it was needed.
  function unseen(cell, type, kind, text) {
    if (type === "begin") say(running.cell, `Running ${cell.name} first…`);
    if (type === "output" && kind === "error") cell.failure = text.trim().split("\n").pop();
    if (type !== "end" || kind !== "error") return;
    settle(running.cell, "error", `Not run: ${cell.name} ended with an error: ${cell.failure}`);
  }

  function settle(cell, state, text) {
    cell.el.dataset.live = state;
    cell.reset.hidden = false;
    say(cell, text);
  }

  function say(cell, text) {
    cell.status.textContent = text;
  }

  // ── What a cell shows ──

  function clear(cell) {
    if (!cell.stale) return;
    cell.stale = false;
    if (!cell.output.isConnected) cell.el.append(cell.output);
    cell.output.replaceChildren();
  }

  function element(name, className, text = "") {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  // As Sphinx writes it for MathJax; without MathJax it is read as it is written.
  const formula = (text) => element("div", "math notranslate nohighlight",
    text.replace(/^\${1,2}([^]*?)\${1,2}$/, "\\[$1\\]"));

  function put(cell, kind, text) {
    clear(cell);
    if (kind === "clear") return cell.output.replaceChildren();
    const last = cell.output.lastElementChild;
    if (["html", "png", "jpeg", "latex"].includes(kind)) {
      const box = element("div", "output text_html");
      if (kind === "html") box.innerHTML = text; // scripts in it do not run
      else if (kind === "latex") box.append(formula(text));
      else box.append(Object.assign(new Image(), { src: `data:image/${kind};base64,${text}`, alt: "The figure that this cell draws" }));
      cell.output.append(box);
      if (kind === "latex") window.MathJax?.typesetPromise?.([box]);
    } else if (last?.dataset.kind === kind && kind.startsWith("std")) {
      last.querySelector("pre").append(text);
    } else {
      const name = { stdout: "stream", text: "text_plain", error: "traceback" }[kind] ?? kind;
      const box = element("div", `output ${name} highlight-myst-ansi notranslate`);
      const shade = element("div", "highlight");
      box.dataset.kind = kind;
      shade.append(element("pre", "", text));
      box.append(shade);
      cell.output.append(box);
    }
  }

  // ── Editing ──

  // kept-cells.js, in a book that wants edits kept; else they last as long as the page.
  const { keep = () => {}, before = () => null } = window.nokernelKeptCells ?? {};

  function edit(cell, text = cell.source) {
    if (cell.box.isConnected) return;
    cell.box.value = text;
    cell.shown.replaceWith(cell.box);
    cell.edit.hidden = true;
    cell.reset.hidden = false;
    fit(cell.box);
  }

  function reset(cell) {
    if (cell.box.isConnected) cell.box.replaceWith(cell.shown);
    cell.box.value = cell.source;
    keep(cell);
    cell.stale = false;
    cell.output.replaceChildren(...cell.built);
    if (!cell.built.length) cell.output.remove();
    cell.edit.hidden = false;
    cell.reset.hidden = true;
    delete cell.el.dataset.live;
    say(cell, "As it was.");
    cell.run.focus();
  }

  const fit = (box) => { box.rows = box.value.split("\n").length + 1; };

  // Enter keeps the indentation, and adds to it after a colon.
  function newline(box) {
    const line = box.value.slice(0, box.selectionStart).split("\n").pop();
    const indent = line.match(/^\s*/)[0] + (/:\s*$/.test(line) ? "    " : "");
    box.setRangeText("\n" + indent, box.selectionStart, box.selectionEnd, "end");
    box.dispatchEvent(new Event("input"));
  }

  // ── The buttons ──

  function button(cell, text, act) {
    const made = element("button", "", text);
    made.type = "button";
    made.setAttribute("aria-label", `${text} ${cell.name}`);
    made.onclick = act;
    cell.bar.append(made);
    return made;
  }

  function furnish(el) {
    const input = el.querySelector(".cell_input"), shown = input?.firstElementChild;
    const pre = shown?.querySelector("pre");
    if (!pre) return;
    const name = `cell ${(furnish.count = (furnish.count ?? 0) + 1)}`;
    const output = el.querySelector(".cell_output") ?? element("div", "cell_output docutils container");
    const source = pre.textContent.replace(/\n$/, "");
    const cell = { el, shown, output, source, name, index: cells.length };
    cell.built = [...output.childNodes];
    cell.bar = element("div", "live-bar");
    cell.box = element("textarea", "live-editor");
    cell.text = () => (cell.box.isConnected ? cell.box.value : source);
    Object.assign(cell.box, { spellcheck: false, autocapitalize: "off", value: source });
    cell.box.setAttribute("aria-label", `Python code of ${name}; Shift and Enter run it`);
    cell.box.oninput = () => { fit(cell.box); keep(cell); };
    el.onkeydown = (event) => {
      if (event.key !== "Enter") return;
      const go = event.shiftKey || event.ctrlKey || event.metaKey;
      if (go) run(cell);
      else if (event.target === cell.box && !event.isComposing) newline(cell.box);
      else return;
      event.preventDefault();
    };
    cell.run = button(cell, "Run", () => run(cell));
    cell.stop = button(cell, "Stop", () => { running.fail("stopped"); halt(); });
    cell.edit = button(cell, "Edit", () => {
      edit(cell);
      cell.box.setSelectionRange(0, 0); // a caret at the end scrolls the beginnings away
      cell.box.focus();
    });
    cell.reset = button(cell, "Reset", () => reset(cell));
    cell.stop.hidden = cell.reset.hidden = true;
    cell.status = element("span", "live-status");
    cell.status.setAttribute("role", "status");
    cell.bar.append(cell.status, element("span", "live-number", name));
    input.append(cell.bar);
    cells.push(cell);
    const edited = before(cell);
    if (edited) edit(cell, edited.text), say(cell, edited.words);
  }

  function unshown({ textContent }) {
    const source = JSON.parse(textContent);
    cells.push({ source, text: () => source, name: "cell that is not shown", index: cells.length });
  }

  const HIDDEN = 'script[type="application/vnd.nokernel.cell+json"]';
  document.querySelectorAll(`div.cell.nk-runs, ${HIDDEN}`)
    .forEach((el) => (el.matches(HIDDEN) ? unshown(el) : furnish(el)));
})();
