// Lesson 3: scores divided by d_k to the power of p, for every d_k at once.
import { surface, svgNode, update, fixed, htmlNode } from "../kit/draw.js";
import { softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { codesOf } from "../kit/letters.js";
import { draggable, retell, snap } from "../kit/drag.js";

// Lesson 3's pictures: the spread and the largest weights for every d_k, and rows of weights.

const WIDTH = 340, LEFT = 34, HALF = 5; // spreads from 2⁻⁵ to 2⁵
const TOP = 20, TALL = 120, LOW = 194, DEEP = 92;
export const NAMES = TOP + TALL + 12;
const ROW = 14;
export const ROWS = 8;

export const spreadAt = (y) => 2 ** (HALF - ((y - TOP) / TALL) * 2 * HALF);
export const placeOf = (spread) => TOP + ((HALF - Math.log2(spread)) / (2 * HALF)) * TALL;
const heightOf = (weight) => LOW + (1 - weight) * DEEP;

/** The middle of a list of numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b), end = sorted.length - 1;
  return (sorted[Math.floor(end / 2)] + sorted[Math.ceil(end / 2)]) / 2;
}

function label(svg, x, y, text, anchor = "start") {
  const node = svgNode("text", { x, y, "text-anchor": anchor, class: "aw-tick" }, text);
  svg.append(node);
  return node;
}

/** The frames of both charts, with their ticks and the lines at spread 1 and weight ⅛. */
function makeFrames(svg, weighed) {
  const level = (y) => svgNode("path", { class: "aw-level", d: `M${LEFT} ${y}H${WIDTH}` });
  label(svg, 0, 10, "Spread of the scores");
  svg.append(level(placeOf(1)));
  for (const [power, text] of [[4, "16"], [2, "4"], [0, "1"], [-2, "1/4"], [-4, "1/16"]]) {
    label(svg, LEFT - 6, placeOf(2 ** power) + 4, text, "end");
  }
  if (!weighed) return;
  label(svg, 0, LOW - 14, "Largest of eight weights, a dot for each query");
  for (const [weight, text] of [[1, "1"], [0.5, "½"], [1 / 8, "⅛"]]) {
    label(svg, LEFT - 6, heightOf(weight) + 4, text, "end");
  }
  svg.append(level(heightOf(1 / 8)), level(heightOf(1)));
}

/** The charts, a column for each d_k; the last point and the band can be dragged. Before
 *  there are weights there is one chart, and no band. */
export function makeSweep(sizes, weighed) {
  const svg = surface(WIDTH, weighed ? LOW + DEEP + 8 : NAMES + 10), step = (WIDTH - LEFT) / sizes.length;
  const middle = (i) => LEFT + (i + 0.5) * step;
  const band = svgNode("rect", { class: "aw-band", y: TOP - 6, width: step, height: LOW + DEEP + 8 - TOP });
  const line = svgNode("path", { class: "aw-swept" }), dots = svgNode("path", { class: "aw-dots" });
  const medians = svgNode("path", { class: "aw-medians" });
  const knob = svgNode("circle", { class: "aw-knob", r: 8 });
  if (weighed) svg.append(band);
  makeFrames(svg, weighed);
  const names = sizes.map((dK, i) => label(svg, middle(i), NAMES + 4, dK, "middle"));
  label(svg, 0, NAMES + 4, "d_k");
  const pick = svgNode("rect", { y: NAMES - 15, width: step, height: 30 });
  const pull = svgNode("circle", { r: 18 });
  svg.append(line, ...(weighed ? [dots, medians, pick] : []), knob, pull);
  const scatter = (all, i) => all.map((w, j) =>
    `M${(middle(i) + (((j * 7) % 11) / 10 - 0.5) * 0.6 * step).toFixed(1)} ${heightOf(w).toFixed(1)}h0`);
  const set = ({ spread, largest, medians: tops }, chosen) => {
    const points = spread.map((one, i) => [middle(i), placeOf(one)]);
    const [cx, cy] = points.at(-1);
    update(line, { d: `M${points.map(([x, y]) => `${x} ${y.toFixed(1)}`).join("L")}` });
    for (const node of [knob, pull]) update(node, { cx, cy });
    for (const node of [band, pick]) update(node, { x: LEFT + chosen * step });
    names.forEach((node, i) => node.classList.toggle("aw-strong", weighed && i === chosen));
    if (!weighed) return;
    update(dots, { d: largest.flatMap(scatter).join("") });
    update(medians, { d: tops.map((top, i) =>
      `M${middle(i) - 0.4 * step} ${heightOf(top).toFixed(1)}h${0.8 * step}`).join("") });
  };
  return { svg, set, pull, pick, step, middle };
}

/** A row of eight weights for each of a few queries: the more weight, the stronger. */
export function makeRows(n) {
  const svg = surface(WIDTH, 22 + ROWS * ROW), wide = (WIDTH - LEFT) / n;
  label(svg, WIDTH, 12, "weights, a column for each key", "end");
  const cells = Array.from({ length: ROWS }, (_, i) => {
    label(svg, LEFT - 6, 22 + i * ROW + 11, `q${i + 1}`, "end");
    return Array.from({ length: n }, (__, j) => {
      const box = { x: LEFT + j * wide + 1, y: 22 + i * ROW, width: wide - 2, height: ROW - 2 };
      const cell = svgNode("rect", { ...box, rx: 2, class: "aw-bar" });
      svg.append(svgNode("rect", { ...box, rx: 2, class: "aw-empty" }), cell);
      return cell;
    });
  });
  const set = (weights) => weights.forEach((row, i) => row.forEach((w, j) =>
    update(cells[i][j], { "fill-opacity": w.toFixed(3) })));
  return { svg, set };
}

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
    const rows = cut(codesOf(text), nKeys - i);
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
