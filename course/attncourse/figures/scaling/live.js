// Lesson 3: scores divided by d_k to the power of p, for every d_k at once.
import { softmax } from "../kit/maths.js";
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";
import { draggable, retell, snap, write } from "../kit/drag.js";

const WIDTH = 340, LEFT = 34, HALF = 5; // spreads from 2⁻⁵ to 2⁵
const TOP = 20, TALL = 120, NAMES = TOP + TALL + 12, LOW = 194, DEEP = 92;
const ROWS = 8, ROW = 14;

/** For each d_k the spread of the scores divided by d_k to the power of p, and the
 *  largest weight of each query. */
export function sweep(scores, spreads, sizes, p) {
  return sizes.map((dK, i) => ({
    spread: spreads[i] / dK ** p,
    largest: (scores[i] ?? []).map((row) => Math.max(...softmax(row.map((s) => s / dK ** p)))),
  }));
}

/** The exponent, in steps of 0.05, that takes a spread at d_k to about the wanted one. */
export function exponentFor(spread, dK, wanted) {
  return snap(Math.log(spread / wanted) / Math.log(dK), 0, 1, 0.05);
}

/** The middle of a list of numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b), end = sorted.length - 1;
  return (sorted[Math.floor(end / 2)] + sorted[Math.ceil(end / 2)]) / 2;
}

const spreadAt = (y) => 2 ** (HALF - ((y - TOP) / TALL) * 2 * HALF);
const placeOf = (spread) => TOP + ((HALF - Math.log2(spread)) / (2 * HALF)) * TALL;
const heightOf = (weight) => LOW + (1 - weight) * DEEP;

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
function makeSweep(sizes, weighed) {
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
  const scatter = (part, i) => part.largest.map((w, j) =>
    `M${(middle(i) + (((j * 7) % 11) / 10 - 0.5) * 0.6 * step).toFixed(1)} ${heightOf(w).toFixed(1)}h0`);
  const set = (parts, chosen) => {
    const points = parts.map(({ spread }, i) => [middle(i), placeOf(spread)]);
    const [cx, cy] = points.at(-1);
    update(line, { d: `M${points.map(([x, y]) => `${x} ${y.toFixed(1)}`).join("L")}` });
    update(dots, { d: parts.flatMap(scatter).join("") });
    for (const node of [knob, pull]) update(node, { cx, cy });
    for (const node of [band, pick]) update(node, { x: LEFT + chosen * step });
    names.forEach((node, i) => node.classList.toggle("aw-strong", weighed && i === chosen));
    if (!weighed) return;
    update(medians, { d: parts.map(({ largest }, i) =>
      `M${middle(i) - 0.4 * step} ${heightOf(median(largest)).toFixed(1)}h${0.8 * step}`).join("") });
  };
  return { svg, set, pull, pick, step, middle };
}

/** A row of eight weights for each of a few queries: the more weight, the stronger. */
function makeRows(n) {
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

const SAYS = {
  spread: [
    "Not enough: the more products a score adds up, the larger it still gets.",
    "Level: the spread is 1 for every d_k.",
    "Too much: the more products a score adds up, the smaller it gets.",
  ],
  weighed: [
    "Not enough: the more numbers a query has, the likelier it gives nearly everything to one key.",
    "Level. A query of 512 numbers now spreads its weight like a query of 8.",
    "Too much: the more numbers the queries have, the nearer all eight weights come to ⅛.",
  ],
};

function render({ model, el }) {
  const [sizes, spreads, scores] = ["sizes", "spreads", "scores"].map((t) => model.get(t));
  const weighed = scores.length > 0, says = SAYS[weighed ? "weighed" : "spread"];
  const charts = makeSweep(sizes, weighed), rows = weighed ? makeRows(scores[0][0].length) : null;
  const divisor = htmlNode("div", { className: "aw-heading" });
  const chosen = htmlNode("div", { className: "aw-heading" });
  const note = htmlNode("p", { className: "aw-hint aw-verdict" });
  const last = sizes.length - 1;
  let met = false;
  el.classList.add("aw-view", "aw-scaling");
  el.append(htmlNode("div", { className: "aw-columns" }, htmlNode("div", {}, divisor, charts.svg, note),
    ...(weighed ? [htmlNode("div", {}, chosen, rows.svg)] : [])));
  el.classList.toggle("aw-alone", !weighed);

  draggable(charts.svg, charts.pull,
    () => [charts.middle(last), placeOf(spreads[last] / sizes[last] ** model.get("p"))],
    ([, y]) => write(model, { p: exponentFor(spreads[last], sizes[last], spreadAt(y)) }));
  draggable(charts.svg, charts.pick, () => [charts.middle(model.get("d_k")), NAMES],
    ([x]) => write(model, { d_k: snap((x - charts.middle(0)) / charts.step, 0, last, 1) }));

  return redrawOn(model, ["p", "d_k"], () => {
    const p = model.get("p"), i = model.get("d_k"), dK = sizes[i];
    const parts = sweep(scores, spreads, sizes, p);
    const way = Math.sign(Math.round((p - 0.5) * 20));
    charts.set(parts, i);
    if (way === 0 && !met) el.dispatchEvent(new CustomEvent("nk:met", { bubbles: true }));
    met = way === 0;
    const spread = `${fixed(parts[0].spread)} at d_k = 1, ${fixed(parts[last].spread)} at ${sizes[last]}`;
    retell(divisor, `Scores ÷ d_kᵖ, p = ${fixed(p)}`);
    note.textContent = says[1 + way];
    const told = `Scores divided by d_k to the power of ${fixed(p)}. Spread of the scores: ${spread}.`;
    charts.svg.speak(told);
    if (!weighed) return;
    const weights = scores[i].slice(0, ROWS).map((row) => softmax(row.map((s) => s / dK ** p)));
    rows.set(weights);
    rows.svg.dataset.weights = weights.flat().join(" "); // in full, for tests to read
    retell(chosen, `Eight queries at d_k = ${dK}`);
    charts.svg.speak(`${told} Median of the largest weights: ` +
      `${fixed(median(parts[0].largest))} and ${fixed(median(parts[last].largest))}.`);
    rows.svg.speak(`At d_k = ${dK}, the largest weights of eight queries: ` +
      `${weights.map((row) => fixed(Math.max(...row))).join(", ")}.`);
  });
}

export default { render };
