// Runs the code cells of a page, in their order. page-python.js fetches Python at the
// first Run, cell-editor.js has the buttons and the editor, cell-outputs.js what a cell
// puts out. Classic scripts, so that they also load in a page opened from a folder.
(() => {
  "use strict";
  const python = window.nokernelWorker;
  const { clear, element, put } = window.nokernelOutputs;
  const { addBar, listen, makeBox, recall } = window.nokernelEditor;

  const { cells } = python;
  let running = null, queue = [];

  // ── Running ──

  function run(cell) {
    const { dataset } = cell.el;
    // One that has ended may run again, also before Python says that it is done with it.
    if (queue.includes(cell) || (running?.cell === cell && dataset.live === "running")) return;
    queue.push(cell);
    dataset.live = "running";
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
        python.started((words) => say(cell, words)).then(() => {
          const sources = cells.map((each) => each.text());
          running.sources = sources;
          python.send({ type: "run", sources, index: cell.index });
        }, fail);
      });
    } catch (error) {
      for (const each of [cell, ...queue]) {
        settle(each, "failed", python.why(error));
        if (error !== "stopped") each.status.append(...python.offer());
      }
      queue = [];
      python.halt();
    }
    running = null;
    cell.stop.hidden = true;
    next();
  }

  function stop() {
    running.fail("stopped");
    python.halt();
  }

  // ── What Python says of a run ──

  python.failed = (error) => running?.fail(error);

  python.heard = ({ type, index, kind, text }) => {
    if (!running) return;
    if (type === "progress") return say(running.cell, text);
    if (type === "ran") return running.done();
    const cell = cells[index];
    if (!cell.el) return unseen(cell, type, kind, text);
    if (type === "begin") begin(cell);
    if (type === "output") put(cell, kind, text);
    if (type === "end") end(cell, kind);
  };

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

  // ── The cells of the page, shown and not ──

  function furnish(el) {
    const input = el.querySelector(".cell_input"), shown = input?.firstElementChild;
    const pre = shown?.querySelector("pre");
    if (!pre) return;
    const name = `cell ${(furnish.count = (furnish.count ?? 0) + 1)}`;
    const output = el.querySelector(".cell_output") ?? element("div", "cell_output docutils container");
    const source = pre.textContent.replace(/\n$/, "");
    const cell = { el, shown, output, source, name, index: cells.length };
    cell.built = [...output.childNodes];
    cell.text = () => (cell.box.isConnected ? cell.box.value : source);
    makeBox(cell);
    addBar(cell, { run, stop });
    listen(cell, run);
    input.append(cell.bar);
    cells.push(cell);
    recall(cell);
  }

  function unshown({ textContent }) {
    const source = JSON.parse(textContent);
    cells.push({ source, text: () => source, name: "cell that is not shown", index: cells.length });
  }

  const HIDDEN = 'script[type="application/vnd.nokernel.cell+json"]';
  document.querySelectorAll(`div.cell.nk-runs, ${HIDDEN}`)
    .forEach((el) => (el.matches(HIDDEN) ? unshown(el) : furnish(el)));
})();
