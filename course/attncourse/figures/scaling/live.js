// Lesson 3: scores divided by d_k to the power of p, for every d_k at once.
import { softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode } from "../kit/draw.js";
import { draggable, retell, snap } from "../kit/drag.js";
import { makeRows, makeSweep, median, NAMES, placeOf, ROWS, spreadAt } from "./charts.js";

const CASES = ["under", "level", "over"];

/** The exponent, in steps of 0.05, that takes a spread at d_k to about the wanted one. */
export function exponentFor(spread, dK, wanted) {
  return snap(Math.log(spread / wanted) / Math.log(dK), 0, 1, 0.05);
}

const cut = (all, n) => Array.from({ length: all.length / n }, (_, i) => all.slice(i * n, (i + 1) * n));

function summed(row) {
  let sum = 0;
  return [0, ...row.map((step) => (sum += step))];
}

/** The scores, from a letter for each, as _codes of live.py has them: rows for each d_k. */
function unpack(letters, fine, nSizes, nKeys) {
  const [first, others] = letters.map((text, i) => {
    const rows = cut(Array.from(text, (one) => one.charCodeAt(0) - 35), nKeys - i);
    const scores = rows.map((row) => (i ? summed(row) : row).map((code) => -Math.expm1(code / fine[i])));
    return cut(scores, scores.length / nSizes);
  });
  return first.map((rows, i) => [...rows, ...others[i]]);
}

/** Every number of the figure, from what the controls say. Before there are weights, there
 *  are no scores. */
export function compute({ p, d_k: chosen }, { sizes, spreads, keys, letters, fine }) {
  const spread = spreads.map((one, i) => one / sizes[i] ** p);
  const now = { spread, case: CASES[1 + Math.sign(Math.round(20 * p - 10))] };
  if (!letters) return now;
  const scores = unpack(letters, fine, sizes.length, keys.length);
  const weigh = (rows, dK) => rows.map((row) => softmax(row.map((s) => s / dK ** p)));
  const largest = scores.map((rows, i) => weigh(rows, sizes[i]).map((row) => Math.max(...row)));
  const medians = largest.map(median), i = sizes.indexOf(chosen);
  return { ...now, largest, medians, median: medians[i], weights: weigh(scores[i].slice(0, ROWS), chosen) };
}

function draw({ el, data: { sizes, spreads, keys, says }, state, put, met }) {
  const charts = makeSweep(sizes, Boolean(keys)), rows = keys && makeRows(keys.length);
  const divisor = htmlNode("div", { className: "aw-heading" });
  const chosen = htmlNode("div", { className: "aw-heading" });
  const note = htmlNode("p", { className: "aw-hint aw-verdict" });
  const last = sizes.length - 1;
  el.append(htmlNode("div", { className: "aw-columns" }, htmlNode("div", {}, divisor, charts.svg, note),
    ...(keys ? [htmlNode("div", {}, chosen, rows.svg)] : [])));
  el.classList.toggle("aw-alone", !keys);
  draggable(charts.svg, charts.pull,
    () => [charts.middle(last), placeOf(spreads[last] / sizes[last] ** state().p)],
    ([, y]) => put({ p: exponentFor(spreads[last], sizes[last], spreadAt(y)) }));
  draggable(charts.svg, charts.pick, () => [charts.middle(sizes.indexOf(state().d_k)), NAMES],
    ([x]) => put({ d_k: sizes[snap((x - charts.middle(0)) / charts.step, 0, last, 1)] }));
  return (now, { p, d_k: dK }) => {
    charts.set(now, sizes.indexOf(dK));
    met(now.case === "level");
    retell(divisor, `Scores ÷ d_kᵖ, p = ${fixed(p)}`);
    note.textContent = says[now.case];
    if (!keys) return;
    rows.set(now.weights);
    retell(chosen, `Eight queries at d_k = ${dK}`);
  };
}

export default live({ compute, draw });
