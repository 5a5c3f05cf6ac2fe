// Lesson 11: train one layer and two in the page, and watch what they write.
import { queryOf, stateOf } from "../kit/declared.js";
import { fixed, htmlNode, redrawOn } from "../kit/draw.js";
import { reader } from "../kit/reader.js";
import { makePicture, makeWriting } from "./picture.js";
import { describe, kindOf, makeTraining } from "./training.js";

const RARELY = 20, FRAME = 33; // steps, and milliseconds, between drawings
const NAMES = ["One layer", "Two layers"];
const LABELS = { ready: "Train", running: "Pause", paused: "Continue", done: "Train again" };

function makeButtons(onMain, onSeed) {
  const button = (onclick, textContent) =>
    htmlNode("button", { type: "button", className: "aw-press", onclick, textContent });
  const main = button(onMain), seed = button(onSeed, "Start again with another seed");
  const said = htmlNode("p", { className: "aw-hint" });
  said.setAttribute("role", "status");
  const both = htmlNode("div", { className: "aw-presses" }, main, seed);
  const set = (phase, words) => {
    main.textContent = LABELS[phase];
    if (words) said.textContent = words;
  };
  return { node: htmlNode("div", {}, both, said), set };
}

/** Tells, for each picture, whether it is too early to draw it again in a training. */
function makePace(rarely) {
  const last = new Map();
  return (i, seen) => {
    if (rarely) return seen.length % RARELY !== 1;
    const now = performance.now(), early = now - (last.get(i) ?? 0) < FRAME;
    if (!early) last.set(i, now);
    return early;
  };
}

/** What is read: both losses so far, and each head's weights on the run, read twice. */
function tellAll(all, symbols, alphabet) {
  const text = [...symbols, ...symbols].map((id, i) => `${alphabet[id]} ${i + 1}`), last = all.map((seen) => seen.at(-1));
  const losses = all.flatMap((seen, i) => seen.filter(({ step }) => step % RARELY === 0)
    .map((one) => [`${NAMES[i]} after ${one.step} steps`, [one.fresh, one.again, one.right].map((x) => fixed(x))]));
  const rows = last.flatMap((now, i) => (now?.symbols.join() === symbols.join() ? now.heads : []).flatMap((head, layer) =>
    head.map((row, j) => [`${NAMES[i]} and its layer ${layer} at ${text[j]}`, text.map((_, k) => (k < row.length ? fixed(row[k]) : ""))])));
  const table = (caption, columns, found) => {
    const lines = found.length ? found : [["not trained yet", columns.map(() => "none")]];
    return { caption, columns, rows: lines.map(([name]) => name), cells: lines.map(([, cells]) => cells) };
  };
  return [table("Losses", ["loss on new letters", "on repeated ones", "of these right"], losses),
    table("What each letter looks at", text, rows)];
}

/** What Python computes, too: what is trained, and what a training there came to. */
export function compute(state, { steps, losses }) {
  return { kind: kindOf(state), steps, losses };
}

function render({ model, el }) {
  const spec = model.get("spec"), data = model.get("data"), { alphabet, run: first, task: { runs } } = data;
  const state = () => stateOf((trait) => model.get(trait), spec.controls);
  const pictures = NAMES.map((name, i) => makePicture(i + 1, name, data.total, data.floor));
  const early = makePace(globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches);
  const words = htmlNode("div");
  const read = reader(words, { title: spec.title, tables: [{ key: "losses" }, { key: "weights" }] });
  const buttons = makeButtons(() => press(), () => another());
  const writing = makeWriting({ alphabet, runs, first, names: NAMES }, (run) => training.look(run));
  const training = makeTraining(data, state, NAMES, ({ phase, words: says, kind, runs: all, symbols }) => {
    buttons.set(phase, says);
    all.forEach((seen, i) => {
      const now = seen.at(-1), isOld = now && now.symbols.join() !== symbols.join();
      if (isOld) return; // what it does with this run of letters is on its way
      if (phase === "running" && early(i, seen)) return;
      pictures[i].draw(symbols.map((id) => alphabet[id]), seen, describe(kind));
      writing.set(i, symbols, now?.wrote);
    });
    if (phase !== "running" || says) read({ summary: says || LABELS[phase], tables: tellAll(all, symbols, alphabet) });
  });
  const reset = () => training.reset().forEach((seen, i) => {
    if (seen.length > 1) pictures[i].keep(seen);
  });
  const redraw = () => {
    reset();
    el.figure = { spec, state: state(), query: queryOf(state()) }; // for who embeds it, and tests
    el.dispatchEvent(new Event("aw:set"));
  };
  const press = () => {
    if (training.now.phase === "done") reset();
    if (training.now.phase === "ready") training.begin();
    else training.rest();
  };
  const another = () => {
    training.now.seed += 1;
    reset();
    training.begin();
  };
  el.classList.add("aw-view");
  el.append(buttons.node, writing.node,
    htmlNode("div", { className: "aw-columns" }, ...pictures.map((one) => one.node)), words);
  const quiet = redrawOn(model, ["positions", "scaled"], redraw);
  return () => { quiet(); training.remove(); };
}

export default { render };
