// Lesson 11: the weights of two heads at every step of their training, and the loss.
import { live } from "../kit/declared.js";
import { fixed, htmlNode } from "../kit/draw.js";
import { codesOf } from "../kit/letters.js";
import { makeCurves } from "./curves.js";
import { makeHead, meanOf } from "./heads.js";

const MEASURED = ["new", "repeated", "right"];

/** A layer's rows after some steps, each up to its own key: see `_sent` in live.py. */
function rowsAt(text, at, n) {
  const codes = codesOf(text), nSteps = codes.length / ((n * (n + 1)) / 2);
  let cell = 0;
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: i + 1 }, () => codes[nSteps * cell++ + at] / 100));
}

/** Every number of the figure, from what the controls say. */
export function compute({ step, layers }, { places, steps, told_steps: told, needed, runs }) {
  const run = runs[layers], at = steps.indexOf(step), weights = run.weights.map((text) => rowsAt(text, at, places.length));
  return {
    weights, case: layers,
    rows: weights.flatMap((one) => one.map((row) => places.map((_, j) => row[j] ?? null))),
    queries: weights.flatMap((_, i) => places.map((name) => `layer ${i}: ${name}`)),
    means: weights.map((rows, i) => meanOf(rows, needed[layers][i])),
    told: MEASURED.map((name) => told.map((one) => run[name][steps.indexOf(one)])),
    ...Object.fromEntries(MEASURED.map((name) => [name, run[name][at]])),
  };
}

function draw({ el, data: { letters, steps, needed, runs, floor } }) {
  const heads = [makeHead(letters), makeHead(letters)], all = Object.values(runs);
  const most = Math.ceil(Math.max(...all.flatMap((run) => [...run.new, ...run.repeated])));
  const curves = makeCurves(steps.at(-1), most, floor);
  const title = htmlNode("div", { className: "aw-heading" });
  el.append(htmlNode("div", { className: "aw-stack" },
    htmlNode("div", { className: "aw-heads" }, ...heads.map((head) => head.node)),
    htmlNode("div", { className: "aw-losses" }, title, curves.svg)));
  return (now, { step, layers }) => {
    heads.forEach((head, layer) => {
      const rows = now.weights[layer];
      head.node.hidden = !rows;
      if (!rows) return;
      head.set(rows, needed[layers][layer]);
      head.heading.textContent = `Layer ${layer}: mean weight in the frames ${fixed(now.means[layer])}`;
    });
    const losses = MEASURED.slice(0, 2).map((name) => runs[layers][name].map((loss, i) => [steps[i], loss]));
    curves.set(losses, steps.indexOf(step));
    title.textContent = `Loss after ${step} steps; ${Math.round(100 * now.right)} in 100 right`;
  };
}

export default live({ compute, draw });
